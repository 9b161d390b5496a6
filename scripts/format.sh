#!/bin/bash
# Checks the C sources against .clang-format, or rewrites them.
#
# Usage: scripts/format.sh --check|--fix
#
# Only our own code: inputs and corpora that happen to be C stay as they are.
# Exit codes: 0 fine, 1 badly formatted, 2 usage, 77 clang-format is missing.
set -eu
cd "$(dirname "$0")/.."

mode=${1:-}
if [ "$mode" != --check ] && [ "$mode" != --fix ]; then
    echo "usage: $0 --check|--fix" >&2
    exit 2
fi
if ! command -v clang-format >/dev/null; then
    echo "format: clang-format is missing: apt-get install clang-format" >&2
    exit 77
fi

shopt -s nullglob
files=(include/pare/*.h src/*/*.[ch] src/*/*/*.[ch] tools/*/*.[ch] tests/*.h tests/unit/*.[ch] tests/cli/*.[ch]
       tests/helpers/*.[ch] tests/fuzz/*.[ch] examples/*.[ch] bench/*.[ch])
# In a git tree: what is tracked, so that work in progress does not fail it; what is to be
# rewritten may be new.
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    new=()
    [ "$mode" = --check ] || new=(--others --exclude-standard)
    mapfile -d '' -t tracked < <(git ls-files -z --cached "${new[@]}" -- "${files[@]}")
    files=()
    for file in "${tracked[@]}"; do
        [ ! -f "$file" ] || files+=("$file")
    done
fi
if [ "${#files[@]}" -eq 0 ]; then
    echo "format: no C source found" >&2
    exit 0
fi
# In batches: a process for each file takes ten times as long.
status=0
complaints=$(printf '%s\0' "${files[@]}" |
    xargs -0 -n 40 -P "$(nproc)" clang-format --style=file --dry-run --Werror 2>&1) || status=$?
mapfile -t bad < <(sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: error: code should be clang-formatted.*/\1/p' \
    <<< "$complaints" | sort -u)
if [ "$status" -ne 0 ] && [ "${#bad[@]}" -eq 0 ]; then
    printf '%s\n' "$complaints" >&2
    exit 1
fi
if [ "${#bad[@]}" -gt 0 ] && [ "$mode" = --fix ]; then
    clang-format --style=file -i "${bad[@]}"
    printf 'format: rewritten: %s\n' "${bad[@]}"
elif [ "${#bad[@]}" -gt 0 ]; then
    printf 'format: %s: not as .clang-format says\n' "${bad[@]}" >&2
    echo "format: run 'make format' and commit the result" >&2
    exit 1
fi
echo "format: ${#files[@]} files are fine"
