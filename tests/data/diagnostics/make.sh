#!/bin/bash
# Runs the programs of the collection again and writes what they print into its files.
#
# Usage: make.sh [GROUP.txt...]      default: all groups of this folder
#
# A group whose program is not installed stays as it is, and is named.  Each case is run in
# a private folder named as pare names its own, with a limit of time, of file size and no
# core files.  See README.md for the format.
set -eu
export LC_ALL=C.UTF-8 TERM=dumb
unset RUST_BACKTRACE MAKEFLAGS NO_COLOR
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/*.txt
ulimit -c 0 -f 40000
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}

# Where case $2 of group $1 is run: another folder for each, the same in every run.
folder_of() {
    local sum
    sum=$(printf '%s' "$1" | md5sum)
    printf '/dev/shm/pare-%d-%s/%d' $((0x${sum:0:4})) "${sum:4:16}" "$2"
}

# Makes the folder $1 and locks the one that it is in: a run of pare that sweeps folders of dead
# processes asks for the lock before it takes one (os/sandbox/slotdir.c).
make_locked() {
    local root=${1%/*}
    while :; do
        mkdir -p "$root"
        exec 9< "$root" && flock 9
        [ "$root" -ef /dev/fd/9 ] && break
    done
    mkdir -p "$1"
}

# Prints the text of a block from the file $2 under the title $1.
put_block() {
    if [ ! -s "$2" ]; then
        printf '@@@ %s\n' "$1"
    elif [ -z "$(tail -c 1 "$2")" ]; then
        printf '@@@ %s\n' "$1"
        cat "$2"
    else
        printf '@@@ %s (no newline)\n' "$1"
        cat "$2"
        echo
    fi
}

# How it ended, from the shell's exit code.
ended() {
    if [ "$1" -gt 128 ] && [ "$1" -le 192 ]; then
        echo "signal SIG$(kill -l "$1")"
    else
        echo "exit $1"
    fi
}

# Runs the case whose files lie in $place; its output goes to the group's new text.
run_case() {
    local code=0 path=$place/$input words
    words=${command//@@/$path}
    if [[ $command == *@@* ]]; then path=/dev/null; fi
    (cd "$place" && HOME=$place LC_ALL=$locale timeout 30 bash -c "$words") \
        < "$path" > "$work/stdout" 2> "$work/stderr" || code=$?
    if [ "$code" -eq 124 ]; then echo "$name: took too long: $words" >&2; fi
    {
        printf '@@@ folder %s\n@@@ ended %s\n' "$place" "$(ended "$code")"
        put_block stdout "$work/stdout"
        put_block stderr "$work/stderr"
    } >> "$work/new"
    rm -rf "${place%/*}"
    exec 9<&-
}

# Reads the group line by line, copies what is written by hand, and runs each case at its end.
make_group() {
    local line what rest file='' n=0 in_case='' copy=1
    name=$(basename "$1" .txt) command='' program='' locale=C.UTF-8 input='' place=''
    rm -rf "$work"
    mkdir -p "$work/fixed"
    while IFS= read -r line || [ -n "$line" ]; do
        if [[ $line != '@@@ '* ]]; then
            [ -z "$copy" ] || printf '%s\n' "$line" >> "$work/new"
            [ -z "$file" ] || printf '%s\n' "$line" >> "$file"
            continue
        fi
        if [[ $line == *' (no newline)' && $line == '@@@ std'* ]]; then line=${line% (no newline)}; fi
        read -r _ what rest <<< "$line"
        case $what in
        folder | ended | stdout | stderr) copy='' file='' && continue ;;
        case)
            [ -z "$in_case" ] || run_case
            in_case=1 n=$((n + 1))
            place=$(folder_of "$name" "$n")
            make_locked "$place"
            cp -r "$work/fixed/." "$place/"
            file=''
            ;;
        program)
            program=$rest
            if ! command -v "$program" > /dev/null; then
                echo "$name: not run, $program is not installed" >&2
                return
            fi
            ;;
        command) command=$rest ;;
        locale) locale=$rest ;;
        input) input=$rest ;;
        fixed) file=$work/fixed/$rest && mkdir -p "$(dirname "$file")" && : > "$file" ;;
        file) file=$place/$rest && mkdir -p "$(dirname "$file")" && : > "$file" ;;
        about | package) file='' ;;
        *) echo "$name: what is this: $line" >&2 && return 1 ;;
        esac
        copy=1
        printf '%s\n' "$line" >> "$work/new"
    done < "$1"
    run_case
    mv "$work/new" "$1"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for group in "$@"; do make_group "$group"; done
