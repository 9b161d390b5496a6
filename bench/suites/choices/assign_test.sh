#!/bin/sh
# assign_test.sh any|valid FILE: 0: `((` and `))` occur, in any text or in a program that uses no
# name before it is declared; 1: they do not; 2: no such program.
if [ "$1" = valid ]; then
    awk '
    {
        if ($0 !~ /^[a-f] = [a-f01()+ ]+;$/) wrong = 1
        value = substr($0, 5, length($0) - 5)
        for (i = 1; i <= length(value); i++) {
            c = substr(value, i, 1)
            if (c ~ /[a-f]/ && !(c in known)) wrong = 1
        }
        gsub(/00|[a-f01]/, "x", value)
        while (gsub(/\(x\)/, "x", value) || gsub(/x \+ x/, "x", value)) continue
        if (value != "x") wrong = 1
        known[substr($0, 1, 1)] = 1
    }
    END { exit wrong || !NR }' "$2" || exit 2
fi
grep -qF '((' "$2" && grep -qF '))' "$2"
