#!/bin/bash
# Runs the programs of the collection again and writes what they print into its files.
#
# Usage: make.sh [FILE.txt...]      default: all files of this folder
#
# Each is run in a private folder, with a limit of time and of file size.  A file whose program
# is not installed stays as it is, and is named.  See README.md for the format.
set -eu
export LC_ALL=C.UTF-8 TERM=dumb
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/*.txt
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}
ulimit -c 0 -f 400000
for group; do
    command=$(sed -n 's/^@@@ command //p' "$group")
    if ! command -v "${command%% *}" >/dev/null; then
        echo "make.sh: $group: ${command%% *} is not installed" >&2
        continue
    fi
    work=$(mktemp -d)
    awk -v work="$work" '/^@@@ /{ out = $2 == "file" ? work "/" $3 : ""; next } out { print > out }' "$group"
    (cd "$work" && HOME=$work timeout 60 bash -c "$command" >"$work/.printed" 2>&1 </dev/null) || true
    sed -i "s,$work/,/build/,g" "$work/.printed"
    awk -v printed="$work/.printed" '
        /^@@@ /{ skip = 0 }
        !skip { print }
        /^@@@ printed/{ while ((getline line < printed) > 0) print line; skip = 1 }' "$group" >"$work/.new"
    cp "$work/.new" "$group"
    rm -rf "$work"
done
