#!/bin/bash
# Builds the script engines that graphs are measured on, from Debian's own sources.
#
# Usage: bench/graph/engines.sh FOLDER
#
# Makes FOLDER/{mujs,duktape}/{cover,sanitize,places}/engine: built for gcov (with one object a
# module, so that lines are counted by file), with ASan and UBSan, and with places.c, which notes the
# places that a run reaches.  Sources are fetched by a list of
# package sources of its own, so nothing of the system's settings changes and no root is needed.
# What is there already is not made again.
set -eu

folder=${1:?usage: $0 FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
# Basic blocks call what places.c defines, which must not call itself.
places="-w -O1 -fsanitize-coverage=trace-pc"
# A sanitizer that finds something goes on, so that a test shows all it has.
sanitize="-g -O1 -fsanitize=address,undefined -fno-omit-frame-pointer"

fetch() { # SOURCE PACKAGE, VERSION
    local name=$1 version=$2 apt=$folder/apt
    [ ! -d "$folder/$name/source" ] || return 0
    mkdir -p "$apt/lists" "$apt/cache/archives/partial" "$folder/$name"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
        "http://deb.debian.org/debian bookworm main" >"$apt/sources.list"
    local own=(-qq -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=)
    apt-get "${own[@]}" update
    (cd "$folder/$name" && apt-get "${own[@]}" --download-only source "$name=$version" &&
        dpkg-source -x ./*.dsc source >/dev/null)
}

build() { # ENGINE KIND FLAGS SOURCE ...
    local out=$folder/$1/$2 kind=$2 flags=$3 source
    [ ! -x "$out/engine" ] || return 0
    mkdir -p "$out"
    shift 3
    for source; do
        echo "gcc $flags -c '$source' -o '$out/$(basename "$source" .c).o'"
    done | xargs -P "$(nproc)" -d '\n' -n 1 bash -c
    [ "$kind" != places ] || gcc -O1 -c "$here/places.c" -o "$out/places.o"
    # shellcheck disable=SC2086
    gcc $flags "$out"/*.o -lm -o "$out/engine"
    echo "built $out/engine"
}

fetch mujs 1.3.2-1
cd "$folder/mujs/source"
modules=()
for file in "$PWD"/*.c; do
    # one.c holds all others; pp.c is another program; these are included by others.
    case ${file##*/} in one.c | pp.c | utfdata.c) continue ;; esac
    modules+=("$file")
done
build mujs cover "-w -O1 --coverage" "${modules[@]}"
build mujs sanitize "-w $sanitize" "${modules[@]}"
build mujs places "$places" "${modules[@]}"

fetch duktape 2.7.0-2
cd "$folder/duktape/source"
extras=("$PWD/examples/cmdline/duk_cmdline.c" "$PWD/extras/print-alert/duk_print_alert.c"
    "$PWD/extras/console/duk_console.c" "$PWD/extras/logging/duk_logging.c"
    "$PWD/extras/module-duktape/duk_module_duktape.c")
options="-w -std=gnu99 -DDUK_CMDLINE_PRINTALERT_SUPPORT -DDUK_CMDLINE_CONSOLE_SUPPORT
    -DDUK_CMDLINE_LOGGING_SUPPORT -DDUK_CMDLINE_MODULE_SUPPORT -I$PWD/examples/cmdline
    -I$PWD/extras/print-alert -I$PWD/extras/console -I$PWD/extras/logging
    -I$PWD/extras/module-duktape"
options=${options//$'\n'/ }
build duktape cover "$options -I$PWD/src-separate -O1 --coverage" "$PWD"/src-separate/*.c "${extras[@]}"
build duktape sanitize "$options -I$PWD/src $sanitize" "$PWD/src/duktape.c" "${extras[@]}"
build duktape places "$options -I$PWD/src $places" "$PWD/src/duktape.c" "${extras[@]}"
