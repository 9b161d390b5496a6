#!/bin/bash
# Every static check of the sources: format, layers, includes, documents, cppcheck,
# clang-tidy, mypy.
#
# Usage: scripts/lint.sh BUILD-DIR   (a configured build tree)
#
# Runs all of them, then fails if one did.  clang-tidy and mypy are skipped, and say so,
# where they are not installed.
set -eu
cd "$(dirname "$0")/.."

build=${1:-}
if [ ! -f "$build/compile_commands.json" ]; then
    echo "usage: $0 BUILD-DIR, a build tree that cmake has configured" >&2
    exit 2
fi
failed=()

echo "== clang-format"
scripts/format.sh --check || failed+=(clang-format)

echo "== layers"
scripts/check_layers.sh || failed+=(layers)

echo "== includes"
scripts/check_includes.py || failed+=(includes)

echo "== documents"
scripts/check_docs.py || failed+=(documents)

echo "== cppcheck" # readdirCalled wants readdir_r, which glibc has deprecated
cppcheck --quiet --error-exitcode=1 --std=c11 --language=c -j "$(nproc)" \
    --enable=warning,performance,portability --inline-suppr \
    --library=posix,gnu -D_GNU_SOURCE -DPARE_BUILD_VERSION='"0"' \
    --suppress=missingIncludeSystem --suppress=unmatchedSuppression \
    --suppress=readdirCalled --suppress=preprocessorErrorDirective \
    --suppress=normalCheckLevelMaxBranches \
    -I include -I src -I tools src tools || failed+=(cppcheck)

if command -v clang-tidy >/dev/null; then
    echo "== clang-tidy"
    set -o pipefail
    find src tools -name '*.c' -print0 |
        xargs -0 -r -n 1 -P "$(nproc)" clang-tidy --quiet --warnings-as-errors='*' -p "$build" 2>&1 |
        sed '/^[0-9]* warnings\? generated\.$/d' || failed+=(clang-tidy)
else
    echo "== clang-tidy is not installed: skipped"
fi

if command -v mypy >/dev/null; then
    echo "== mypy"
    (cd python && mypy --cache-dir "$build/mypy" pare) || failed+=(mypy)
else
    echo "== mypy is not installed: skipped"
fi

if [ "${#failed[@]}" -gt 0 ]; then
    echo "lint: failed: ${failed[*]}" >&2
    exit 1
fi
echo "lint: all fine"
