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
case $mode in
--check) arguments=(--dry-run -Werror) ;;
--fix)   arguments=(-i) ;;
*)
    echo "usage: $0 --check|--fix" >&2
    exit 2
    ;;
esac
if ! command -v clang-format >/dev/null; then
    echo "format: clang-format is missing: apt-get install clang-format" >&2
    exit 77
fi

shopt -s nullglob
files=(include/pare/*.h src/*/*.[ch] tests/*.h tests/unit/*.[ch] tests/cli/*.[ch]
       tests/helpers/*.[ch] tests/fuzz/*.[ch] examples/*.[ch] bench/*.[ch])
# In a git tree: what is tracked, so that work in progress does not fail it.
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    mapfile -d '' -t tracked < <(git ls-files -z -- "${files[@]}")
    files=()
    for file in "${tracked[@]}"; do
        [ ! -f "$file" ] || files+=("$file")
    done
fi
if [ "${#files[@]}" -eq 0 ]; then
    echo "format: no C source found" >&2
    exit 0
fi
clang-format --style=file "${arguments[@]}" "${files[@]}" || {
    echo "format: run 'make format' and commit the result" >&2
    exit 1
}
echo "format: ${#files[@]} files"
