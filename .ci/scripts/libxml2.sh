#!/bin/sh
# Installs the C library libxml2 where it is missing: the only thing that the build needs from the system.
set -eu

if pkg-config --exists libxml-2.0 2>/dev/null; then exit 0; fi
case "$(uname -s)" in
Darwin)
    # Apple's SDK has the library; Homebrew's brings the file for pkg-config.
    if ! command -v brew >/dev/null; then
        echo "libxml2 is missing: install Homebrew (https://brew.sh), then: brew install libxml2 pkg-config" >&2
        exit 1
    fi
    brew install libxml2 pkg-config
    ;;
*)
    if ! command -v apt-get >/dev/null; then
        echo "libxml2 is missing: install its development package and pkg-config, then try again" >&2
        exit 1
    fi
    sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo"
    export DEBIAN_FRONTEND=noninteractive
    $sudo apt-get install -y libxml2-dev pkg-config </dev/null ||
        { $sudo apt-get update </dev/null && $sudo apt-get install -y libxml2-dev pkg-config </dev/null; }
    ;;
esac
