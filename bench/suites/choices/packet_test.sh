#!/bin/sh
# packet_test.sh FILE: 0: a packet in which a name is used whose value is a sum; 1: another
# packet; 2: none.
exec awk '
function check(value, i, c) {
    for (i = 1; i <= length(value); i++) {
        c = substr(value, i, 1)
        if (c ~ /[a-z]/ && !(c in known)) wrong = 1
    }
}
BEGIN { for (i = 32; i < 127; i++) code[sprintf("%c", i)] = i; wrong = 1 }
{
    wrong = split($0, part, /[#:!]/) != 4 || length(part[3]) != part[2] || part[3] !~ /;$/
    for (i = 1; i <= length(part[3]); i++) sum = (sum * 31 + code[substr(part[3], i, 1)]) % 251
    if (sum != part[4]) wrong = 1
    n = split(part[3], line, ";") - 1
    for (k = 1; k <= n; k++) {
        if (line[k] ~ /^use[a-z0-9]$/) {
            check(substr(line[k], 4))
            if (summed[substr(line[k], 4)]) bad = 1
        } else if (line[k] ~ /^let[a-z]=[a-z0-9(+)]+$/) {
            check(substr(line[k], 6))
            known[substr(line[k], 4, 1)] = 1
            summed[substr(line[k], 4, 1)] = line[k] ~ /\(/
        } else wrong = 1
    }
}
END { exit wrong ? 2 : !bad }
' "$1"
