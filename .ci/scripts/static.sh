#!/bin/sh
# Usage: static.sh SWIFT BINARY
# Links a release build again as one executable without shared libraries, where the system has all of them as archives:
# it starts in half the time and in less memory. Else the build stays as it is. STATIC=no leaves it out.
set -u

swift=$1
binary=$2
[ "${STATIC:-yes}" = no ] && exit 0
[ "$(uname -s)" = Linux ] || exit 0

objects=$binary.product/Objects.LinkFileList
compiler=$(command -v "$swift")c
runtime=$(dirname "$(realpath "$compiler")")/../lib/swift_static/linux
libraries=$(pkg-config --static --libs libxml-2.0 2>/dev/null) || exit 0
if [ ! -f "$objects" ] || [ ! -f "$runtime/static-executable-args.lnk" ]; then exit 0; fi

# Foundation's own parts name each other, and not all are named by what uses them.
for part in _FoundationCShims _FoundationCollections; do
    [ -f "$runtime/lib$part.a" ] && libraries="$libraries -l$part"
done
# libxml2 names what it needs of threads weakly, and takes the program for one without threads when any of it is not
# there: then all threads share its errors, and memory is freed twice.
threads=
for part in once getspecific setspecific key_create key_delete mutex_init mutex_destroy mutex_lock mutex_unlock \
    cond_init cond_destroy cond_wait cond_signal equal self; do
    threads="$threads -Xlinker -u -Xlinker pthread_$part"
done
# While there is one thread, references are counted without locking the bus (Sources/CAllocator/counting.c).
counting=
if grep -q 'counting.c.o' "$objects"; then
    for part in retain release retain_n release_n; do counting="$counting -Xlinker --wrap=swift_$part"; done
fi
new=$binary.static
log=$binary.static.log
# The base lies beside the large pages of the file's cache: the system maps only what is touched, not 2 MiB around it.
# shellcheck disable=SC2086
if "$compiler" -static-executable -o "$new" @"$objects" -Xlinker --gc-sections -Xlinker -s \
    -Xlinker --defsym=main=allocport_cli_main -Xlinker -Ttext-segment=0x410000 \
    $counting $threads $libraries -lstdc++ -lpthread -lc >"$log" 2>&1 && [ "$("$new" --version 2>&1)" = "$("$binary" --version 2>&1)" ]; then
    mv -f "$new" "$binary"
    echo "linked without shared libraries"
else
    rm -f "$new"
    echo "kept shared libraries: not all of them are here as archives (see $log)"
fi
