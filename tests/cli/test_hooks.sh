#!/bin/bash
# pare generate --hooks, --fuzzer: rules that no grammar says, in Lua; the other generators.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

cat > Packet.g4 <<'G'
grammar Packet;
file: packet+ EOF;
packet: 'P' LEN ':' body '!' SUM ';';
body: WORD (',' WORD)*;
LEN: [0-9]+;
SUM: [0-9]+ '#';
WORD: [a-z]+;
G
cat > packet.lua <<'L'
function pre.packet()
  body = nil
  return make()
end
-- The body is made first, so that its length is known before it.
function pre.LEN()
  body = "w" .. choose(3)
  body = ("ab"):rep(choose(4))
  return tostring(#body)
end
function pre.body() return body end
function pre.SUM()
  local sum = 0
  for i = 1, #body do sum = (sum * 31 + body:byte(i)) % 251 end
  return sum .. "#"
end
L
cat > names.json <<'G'
{"<start>": ["<one>", "<one><start>"],
 "<one>": [[["<v>", {"post": "define"}], "=", "<e>", [";", {"post": "commit"}]]],
 "<e>": [[["<v>", {"pre": "use"}]], "0", "(<e>)"], "<v>": ["a", "b", "c"]}
G

run "$PARE" generate -g Packet.g4 --hooks packet.lua
if grep -q 'built without Lua' err; then
    echo "pare was built without Lua"
    exit 77
fi

# --- what hooks keep true --------------------------------------------------------------
claim "texts with lengths and checksums" exits 0 "$PARE" generate -g Packet.g4 --hooks packet.lua -n 40 --max-tokens 40
wrong=0
tr ';' '\n' < out | grep P > packets
while IFS=':!' read -r length body sum; do
    value=0
    for ((i = 0; i < ${#body}; i++)); do
        printf -v byte %d "'${body:i:1}"
        value=$(((value * 31 + byte) % 251))
    done
    [ "$length" = "P${#body}" ] && [ "$sum" = "$value#" ] || wrong=$((wrong + 1))
done < packets
claim "there are many packets" [ "$(wc -l < packets)" -gt 40 ]
claim "each is right" [ "$wrong" -eq 0 ]
"$PARE" generate -g Packet.g4 --hooks packet.lua -n 300 -j1 > one
"$PARE" generate -g Packet.g4 --hooks packet.lua -n 300 -j4 > four
claim "the same at every number of jobs" cmp -s one four

# --- hooks that misbehave ----------------------------------------------------------------
misbehaves() {
    printf '%s\n' "$3" > bad.lua
    claim "a hook: $3" exits "$1" "$PARE" generate -g Packet.g4 --hooks bad.lua
    claim "one line for: $3" says "$2"
}
misbehaves 3 "hook pre['body']: it takes more than 10000000 steps" 'function pre.body() while true do end end'
misbehaves 3 "bad.lua: it takes more than 10000000 steps" 'while true do end'
misbehaves 3 "hook post['body']: bad.lua:1: thrown" 'function post.body() error("thrown") end'
claim "the same in a thread of several" exits 3 "$PARE" generate -g Packet.g4 --hooks bad.lua -n 500 -j3
claim "one line for it" says "hook post['body']: bad.lua:1: thrown"
misbehaves 3 "hook pre['WORD']: it asks for more than 100000 choices" \
    'function pre.WORD() for i = 1, 1000000 do choose(2) end end'
misbehaves 3 "it needs more than 16 MiB of memory" 'function pre.body() local s = "x" while true do s = s .. s end end'
misbehaves 3 "attempt to index a nil value (global 'io')" 'function pre.body() io.popen("id") end'
misbehaves 3 "the hook pre['bodi'] names no rule" 'function pre.bodi() end'
misbehaves 3 "the grammar's lexer cannot read '?'" 'function pre.body() return "?" end'
misbehaves 1 "it rejects the text" 'function pre.body() reject() end'
misbehaves 3 "bad.lua:1: unexpected symbol near '?'" '?'
claim "a script that is not there" exits 3 "$PARE" generate -g Packet.g4 --hooks none.lua
claim "is named" says "none.lua"

# --- the other generators ------------------------------------------------------------------
claim "a grammar with hooks" exits 0 "$PARE" generate -g names.json -n 300 --seed 3
claim "goes by them" [ "$(grep -cE '^[abc]=0;([abc]=0;)*([abc])=[^;]*[abc].*$' out)" -gt 0 ]
# undeclared FILE...   How many names are used before their declaration has ended; a statement
# a line, an empty line between texts.
undeclared() {
    awk -F= '
        FNR == 1 || !NF { split("", known) }
        { name = $1; value = $2; gsub(/ /, "", name); gsub(/[^a-z]/, "", value) }
        { for (i = 1; i <= length(value); i++) n += !(substr(value, i, 1) in known) }
        { known[name] = 1 }
        END { print n + 0 }' "$@"
}
# each_undeclared FILE   The same, for texts that have a line each.
each_undeclared() { undeclared <(sed 's/;/;\n/g' "$1"); }
claim "nothing is used that is not declared" [ "$(each_undeclared out)" -eq 0 ]
cat > assign.json <<'G'
{"<start>": [["<assignments>"]],
 "<assignments>": [["<assign>", [";\n", {"post": "commit"}]],
                   ["<assign>", [";\n", {"post": "commit"}], "<assignments>"]],
 "<assign>": [[["<var>", {"post": "define"}], " = ", "<expr>"]],
 "<expr>": [["<expr>", " + ", "<expr>"], ["<expr>", " - ", "<expr>"], ["(", "<expr>", ")"],
            [["<var>", {"pre": "use"}]], ["<digit>"]],
 "<digit>": ["0", "1"],
 "<var>": ["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q","r","s","t","u",
           "v","w","x","y","z"]}
G
for fuzzer in complex choice; do
    claim "300 texts of seed 004's $fuzzer" exits 0 "$PARE" generate -g assign.json \
        --fuzzer $fuzzer -n 300 -o "$fuzzer-%d"
    claim "$fuzzer: all are there" [ "$(find . -name "$fuzzer-*" | wc -l)" -eq 300 ]
    claim "$fuzzer: none uses a name that is not declared" \
        [ "$(undeclared "$fuzzer"-*)" -eq 0 ]
    claim "$fuzzer: where none is, 00 stands" grep -q '= 00;' "$fuzzer"-*
done
sed 's/"use"/"use:0"/' names.json > zero.json
for fuzzer in complex choice limit; do
    claim "$fuzzer: what stands there may be said" exits 0 "$PARE" generate -g zero.json \
        --fuzzer $fuzzer -n 300 --seed 3
    claim "$fuzzer: nothing is used that is not declared" [ "$(each_undeclared out)" -eq 0 ]
    claim "$fuzzer: all of that form" [ "$(grep -cvxE '([abc]=\(*[abc0]\)*;)+' out)" -eq 0 ]
done
for fuzzer in grammar phases limit complex choice; do
    claim "$fuzzer" exits 0 "$PARE" generate -g names.json --fuzzer $fuzzer -n 20 -j3
    claim "makes texts" [ "$(wc -l < out)" -eq 20 ]
    claim "of $fuzzer, all of that form" [ "$(grep -cvxE '([abc]=\(*([abc0]|00)\)*;)+' out)" -eq 0 ]
done
claim "random" exits 0 "$PARE" generate --fuzzer random -n 20
claim "makes texts" [ "$(wc -l < out)" -eq 20 ]
claim "no such fuzzer" exits 2 "$PARE" generate -g names.json --fuzzer nix
claim "hooks for none" exits 2 "$PARE" generate --fuzzer random --hooks packet.lua
claim "says for which" says "hooks are for the fuzzers"
# A lexer that skips nothing: no space is between a word and a number.
for fuzzer in phases limit complex choice; do
    claim "$fuzzer by a grammar with a lexer" exits 0 "$PARE" generate -g Packet.g4 --fuzzer $fuzzer -n 20
    claim "makes packets" [ "$(grep -cxE '(P[0-9]+:[a-z]+(,[a-z]+)*![0-9]+#;)+' out)" -eq 20 ]
done
echo '{"<start>": ["x<a>", "y"], "<a>": ["<a>"]}' > endless.json
claim "no finite text" exits 3 "$PARE" generate -g endless.json --fuzzer complex
claim "is told" says "rule '<a>' has no finite text"
all_claimed
