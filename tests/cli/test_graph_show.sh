#!/bin/bash
# pare graph show and diff: formats, names of types, exit codes, bad input; graphs of real engines.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

has() { command -v "$1" > /dev/null || { echo "skipped: there is no $1"; return 1; }; }

# --- the graph of the guide ------------------------------------------------------------------

sed -n '/^```json$/,/^```$/{/^```/d;p}' "$PARE_SOURCE_DIR/docs/guide/graph-format.md" > g.json
claim "the guide's graph is one" exits 0 "$PARE" graph show g.json
claim "and has a summary" grep -qx "  types       2 objects, 2 functions, 1 instance type, 1 primitive" out
claim "a type" exits 0 "$PARE" graph show g.json Date.prototype.setTime
claim "has signatures" grep -qx "  Date.prototype.setTime(number) -> number on new Date, learned" out
claim "with values" grep -qx "      argument 1: -1, 0, NaN" out
claim "no colours in a file" [ -z "$(grep $'\033' out)" ]
claim "options first" exits 0 "$PARE" graph show --color always g.json Date
claim "colours on demand" grep -q $'^\033\[1mDate\033\[0m$' out
for name in this Date this.Date "this['Date']" "new Date" "new (this.Date)" number Date.prototype; do
    claim "'$name' is a type" exits 0 "$PARE" graph show g.json "$name"
done
claim "JSON of the whole" exits 0 "$PARE" graph show g.json --format json
claim "is JSON" jq -e '.format == "pare-graph-summary" and .types.function == 2' out
claim "JSON of a type" exits 0 "$PARE" graph show g.json Date.prototype.setTime --format=json
claim "has signatures" jq -e '.signatures[0].parameters[0].values == ["-1", "0", "NaN"]' out
claim "SVG" exits 0 "$PARE" graph show g.json "new Date" --format svg
cp out new_date.svg
if has python3; then
    claim "is XML" python3 -c 'import xml.dom.minidom, sys; xml.dom.minidom.parse("new_date.svg")'
fi
claim "DOT" exits 0 "$PARE" graph show g.json Date --format dot
cp out date.dot
if has dot; then claim "is drawn by Graphviz" dot -Tsvg -o date.svg date.dot; fi
claim "HTML" exits 0 "$PARE" graph show g.json --format html
claim "is one page" [ "$(grep -c '<html' out)" -eq 1 ]

# --- what is refused ---------------------------------------------------------------------------

claim "an unknown type" exits 2 "$PARE" graph show g.json Date.prototype.settime
claim "gets the nearest" says "there is no type 'Date.prototype.settime' in g.json: did you mean 'Date.prototype.setTime'?"
claim "nothing is near" exits 2 "$PARE" graph show g.json zzzzzzzzzzzz
claim "then it is told what to do" says "without a type, 'pare graph show' lists what there is"
claim "an empty name" exits 2 "$PARE" graph show g.json ""
claim "a hostile name" exits 2 "$PARE" graph show g.json $'x\033[2J\n'
claim "is one line" says "there is no type 'x\\x1b[2J\\n'"
claim "an unknown format" exits 2 "$PARE" graph show g.json --format xml
claim "no graph" exits 2 "$PARE" graph show
claim "is told" says "G.json is missing: pare graph show G.json [TYPE]"
claim "too many" exits 2 "$PARE" graph show g.json a b
claim "no such file" exits 3 "$PARE" graph show none.json
claim "is one sentence" says "none.json"
: > empty.json
claim "an empty file" exits 3 "$PARE" graph show empty.json
claim "is one sentence" says "empty.json:1:0: the graph is damaged"
sed 's/"to":5}$/"to":99}/' g.json > damaged.json
claim "a damaged graph" exits 3 "$PARE" graph show damaged.json
claim "is one sentence" says "damaged.json: the graph is damaged"
claim "a full disk" exits 3 bash -c '"$1" graph show g.json > /dev/full' bash "$PARE"

# --- diff ----------------------------------------------------------------------------------------

sed 's/toy @@/toy 2/; s/"length":7/"length":6/; s/"name":"setTime"/"name":"setTimes"/' g.json > new.json
claim "the same" exits 0 "$PARE" graph diff g.json g.json
claim "says nothing" [ ! -s out ]
claim "JSON of the same" exits 0 "$PARE" graph diff g.json g.json --format json
claim "has no changes" jq -e '.changes == []' out
claim "changes" exits 1 "$PARE" graph diff g.json new.json
claim "are told" [ "$(grep -c '^  [-+~] ' out)" -eq 3 ]
claim "a member that went" grep -qx "  - Date.prototype.setTime(number) -> number" out
claim "a member that came" grep -qx "  + Date.prototype.setTimes: Date.prototype.setTime" out
claim "a length" grep -qx "  ~ Date: 6, was 7" out
claim "JSON of changes" exits 1 "$PARE" graph diff g.json new.json --format json
claim "has them" jq -e '.changes | length == 3 and .[2] ==
    {"change": "length-changed", "subject": "Date", "old": "7", "new": "6"}' out
claim "one graph" exits 2 "$PARE" graph diff g.json
claim "is told" says "two graphs are needed: pare graph diff OLD.json NEW.json"
claim "three" exits 2 "$PARE" graph diff g.json g.json g.json
claim "a damaged one" exits 3 "$PARE" graph diff g.json damaged.json
claim "a format of show" exits 2 "$PARE" graph diff g.json g.json --format svg

# --- real engines ----------------------------------------------------------------------------------

# explored FILE ENGINE...
explored() {
    local file=$1
    shift
    has "$1" && claim "$* is explored" exits 0 "$PARE" graph explore -q -o "$file" -- "$@" @@
}
for name in mujs duk node; do
    explored $name.json $name || continue
    for format in text json dot svg html; do
        claim "$name as $format" exits 0 "$PARE" graph show $name.json Date.prototype --format $format
    done
    claim "$name has dates" exits 0 "$PARE" graph show $name.json Date.prototype
    claim "with their functions" grep -qx "  setTime(any) -> ? *\(([+]1)\)\?" out
    claim "$name fits 80 columns" [ "$(sed 's/^ *[^ ]*$//' out | wc -L)" -le 80 ]
done
if [ -s mujs.json ] && [ -s duk.json ]; then
    sed -n '/^## Looking/,/^## /s/^pare \(graph [^#]*\).*/\1/p' "$PARE_SOURCE_DIR/docs/guide/graph.md" > commands
    claim "the guide has commands" [ "$(wc -l < commands)" -ge 5 ]
    while read -r command; do
        wanted=0
        [[ $command != *diff* ]] || wanted=1
        claim "pare $command" exits $wanted bash -c "\"\$1\" $command" bash "$PARE"
    done < commands
    claim "mujs and duk differ" exits 1 "$PARE" graph diff mujs.json duk.json
    claim "by typed arrays" grep -q "^  + Uint8Array.prototype: object" out
    claim "and back" exits 1 "$PARE" graph diff duk.json mujs.json
    claim "without" grep -q "^  - Uint8Array.prototype: object" out
fi
if [ -s node.json ]; then
    explored again.json node
    claim "node is the same again" exits 0 "$PARE" graph diff node.json again.json
    claim "the whole of node as a page" exits 0 "$PARE" graph show node.json --format html
    TIMEFORMAT='%3U %3S'
    spent=$({ time "$PARE" graph show node.json --format html > whole.html 2>&1; } 2>&1 |
        awk '{ printf "%d", ($1 + $2) * 1000 }')
    [ -n "$PARE_SANITIZE" ] || claim "in below a second of a processor ($spent ms)" [ "$spent" -lt 1000 ]
    explored bare.json node --no-expose-wasm
    claim "a flag of node" exits 1 "$PARE" graph diff node.json bare.json
    claim "and what it takes away" grep -qx "  - WebAssembly: WebAssembly\|  - WebAssembly: object" out
    claim "and nothing else" [ "$(grep '^  [-+~]' out | grep -cv WebAssembly)" -eq 0 ]
fi
all_claimed
