#!/bin/sh
# Does jq still fail its assertion on the candidate "$1"?  Exit 0: yes.
#
# The very message is asked for, not just any failure: a candidate that is no
# JSON at all makes jq fail, too.
ulimit -c 0
jq '.store.arrived | todate' "$1" 2>&1 >/dev/null |
    grep -q 'jv_array_get: Assertion .* failed'
