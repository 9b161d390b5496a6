#!/bin/bash
# What depends on its context: a packet with its length before it, a checksum behind it, and names
# that are declared before they are used, kept true by hooks in Lua.  Bytes and trees are stuck
# at such an input; its choices are not.
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

cat > Packet.g4 <<'G'
grammar Packet;
packet: LENGTH body SUM EOF;
body: line line line line+;
line: 'let' name '=' value ';' | 'use' known ';';
value: known | '(' value '+' value ')';
name: NAME;
known: NAME | DIGIT;
LENGTH: '#' DIGIT+ ':';
SUM: '!' DIGIT+;
NAME: [a-z];
DIGIT: [0-9];
G
cat > packet.lua <<'L'
local body
function post.name(text) define(text) end
function post.line() commit() end
function pre.known()
  local known = names()
  return #known > 0 and known[choose(#known)] or "0"
end
function post.body(text) body = text end
function post.packet()
  local sum = 0
  for i = 1, #body do sum = (sum * 31 + body:byte(i)) % 251 end
  return "#" .. #body .. ":" .. body .. "!" .. sum
end
L
cat > bad.awk <<'A'
# Exit 0: a packet in which a name is used whose value is a sum; 1: another packet; 2: none.
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
A
generator="$PARE generate -g $here/Packet.g4 --hooks $here/packet.lua --unseeded"
run $generator
if grep -q 'built without Lua' err; then
    echo "pare was built without Lua"
    exit 77
fi
claim "choices of the kernel differ each time" [ "$(for i in 1 2 3 4 5 6; do $generator; done | sort -u | wc -l)" -gt 1 ]

# The same choices for every run of this test.
awk 'BEGIN {
    print "pare choices 1"
    s = 45924
    for (i = 0; i < 3000; i++) { s = s * 16807 % 2147483647; if (i > 9) print s }
}' > packet.choices
claim "a packet" exits 0 "$PARE" generate --replay packet.choices -o packet -- $generator
claim "of some length" [ "$(wc -c < packet)" -gt 400 ]
cat > test.sh <<T
#!/bin/sh
awk -f "$here/bad.awk" "\$1"
code=\$?
echo \$code >> "$here/codes"
exit \$code
T
chmod +x test.sh
claim "that fails" ./test.sh packet

for algorithm in ddmin,adaptive perses hdd; do
    : > codes
    claim "$algorithm" exits 0 "$PARE" reduce -q ./test.sh packet -a "$algorithm" --grammar Packet.g4 -o stuck --max-tests 80
    claim "is stuck" [ "$(wc -c < stuck)" -gt 500 ]
    claim "at what is no packet" [ "$(grep -c 2 codes)" -gt 20 ]
done
: > codes
claim "choices" exits 0 "$PARE" reduce --generator "$generator" --choices packet.choices -o small --max-tests 12 --max-time 200 -- ./test.sh
claim "make a small packet that fails" [ "$(wc -c < small)" -le 60 ]
claim "of packets only" [ "$(grep -c 2 codes)" -eq 0 ]
claim "it is one" ./test.sh small
claim "a portfolio" exits 0 "$PARE" reduce -q -a portfolio --grammar Packet.g4 --generator "$generator" --choices packet.choices -o best --max-tests 30 --max-time 200 -- ./test.sh
claim "finds it, too" [ "$(wc -c < best)" -le 60 ]
all_claimed
