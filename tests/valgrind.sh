#!/bin/bash
# One test under valgrind, for the preset `valgrind`: what it reads or writes wrongly, and what it leaks,
# is a failure.
#
# Usage: tests/valgrind.sh VALGRIND LIBRARY PROGRAM [ARGUMENT...]
#
# LIBRARY, helpers/no_jit_library.so, is preloaded.  A valgrind before 3.20 does not know the system calls
# by which we hold processes (pidfd_open 434, pidfd_send_signal 424), so that a test which starts some
# cannot pass: it counts as skipped, unless something was read or written wrongly before it gave up.
set -u
valgrind=$1 library=$2
shift 2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
LD_PRELOAD=$library "$valgrind" --quiet --error-exitcode=99 --leak-check=full \
    --errors-for-leak-kinds=definite,indirect,possible --num-callers=30 \
    --suppressions="$(dirname "$0")/valgrind.supp" --log-file="$log" "$@" || code=$?
if [ "$code" -ne 0 ] && grep -qE 'unhandled .* syscall: (424|434)$' "$log" &&
    ! grep -qE 'Invalid (read|write|free)|uninitialised|[Mm]ismatched free|overlap' "$log"; then
    echo "skipped: this valgrind does not know pidfds: $("$valgrind" --version)"
    exit 77
fi
cat "$log"
exit "$code"
