#!/bin/bash
# Adds the languages of the suites' inputs, where they are missing: what our reducer works with
# when it is measured.
#
# Usage: bench/languages.sh PARE DATA_DIR [LANGUAGE...]
# One that cannot be added is named, and nothing fails: figures are those without it then.
set -eu
pare=${1:?usage: $0 PARE DATA_DIR}
export PARE_DATA=${2:?usage: $0 PARE DATA_DIR}
shift 2
[ $# -gt 0 ] || set -- c cpp html javascript json lua sql verilog
for language; do
    "$pare" lang info "$language" | grep -q '^added *no' || continue
    "$pare" lang add -q "$language" ||
        echo "$0: the language '$language' could not be added and is not used" >&2
done
