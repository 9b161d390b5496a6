#!/bin/bash
# One reducer on one input, in the current folder: one.sh PEER NAME JOBS.  run.sh calls it, as
# another user where it can.
set -u
here=$(cd "$(dirname "$0")" && pwd)
counted=$here/counted_test
pare=$here/pare
is_c() { case $1 in *.c | *.h | *.i | *.cc | *.cpp | *.hpp | *.ii) true ;; *) false ;; esac; }
. "$here/$1.sh"
peer_run "$2" "$3" > ../output 2>&1 < /dev/null
