# Allocport. `make demo` shows what it does, `make install` installs it.

PREFIX ?= /usr/local
DESTDIR ?=
DEMO ?= portfolio-demo
SWIFT ?= swift
BENCH ?=
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

RELEASE = .build/release/allocport
# One binary that runs where no Swift is installed; Apple's systems have the runtime themselves.
LIBRARIES = $(dir $(realpath $(shell command -v $(SWIFT))))../lib/swift_static
# Types are asked for by their accessors: by name, each generic one has the runtime look through all conformances of the
# program, a third of a short command's time. Functions have sections of their own, so that the linker leaves out more.
CODE = -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  $(if $(filter Linux,$(shell uname -s)),-Xswiftc -Xfrontend -Xswiftc -function-sections,)
# Tests are built as users' code is, where they take a fifth of the time; assertions stay. `swift test` builds for debugging.
CHECKED = -c release --scratch-path .build/checked -Xswiftc -enable-testing \
  -Xswiftc -assert-config -Xswiftc Debug
# Which tests, such as TESTS="--filter 'CatalogueTests|GuideTests'".
TESTS ?=
RUNTIME = $(if $(filter Linux,$(shell uname -s)),$(if $(wildcard $(LIBRARIES)),--static-swift-stdlib,),)

.PHONY: demo test build release install uninstall lint samples formats bench clean libxml2

demo: release
	@sh .ci/scripts/demo.sh $(RELEASE) SampleData $(DEMO)

build: libxml2
	$(SWIFT) build -j $(JOBS)

release: libxml2
	$(SWIFT) build -c release -j $(JOBS) $(RUNTIME) $(CODE) --product allocport
	@sh .ci/scripts/static.sh $(SWIFT) $(RELEASE)

test: libxml2
	$(SWIFT) test -j $(JOBS) $(CHECKED) $(TESTS)

# The samples, byte for byte, with the release build.
samples: release
	$(RELEASE) importer test SampleData

# The README's table of what can be read, and what Importers/ has of generated files.
formats: build
	sh .ci/scripts/formats.sh .build/debug/allocport README.md
	HOME=/nonexistent .build/debug/allocport importer lint --constructs > Importers/CONSTRUCTS.md
	HOME=/nonexistent .build/debug/allocport importer lint --schema > Importers/definition.schema.json
	HOME=/nonexistent .build/debug/allocport importer lint --reference > Importers/REFERENCE.md

lint:
	$(SWIFT) format lint --strict -r Sources Tests Benchmarks/Sources Benchmarks/Package.swift \
	  $(shell find Importers -name '*.swift') Package.swift

install: release
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 755 $(RELEASE) "$(DESTDIR)$(PREFIX)/bin/allocport"
	sh .ci/scripts/install.sh $(RELEASE) "$(DESTDIR)$(PREFIX)/share"
	@echo "installed $(DESTDIR)$(PREFIX)/bin/allocport"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/allocport" "$(DESTDIR)$(PREFIX)/share/man/man1/allocport.1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/allocport" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_allocport" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/allocport.fish"

# Ours against what is installed, into Benchmarks/RESULTS.md; make bench BENCH="--quick" or BENCH="history-100 start".
bench: release
	$(SWIFT) run --package-path Benchmarks -c release bench --binary "$(CURDIR)/$(RELEASE)" $(BENCH)

clean:
	rm -rf .build Benchmarks/.build $(DEMO)

# The one library that the build needs from the system.
libxml2:
	@sh .ci/scripts/libxml2.sh
