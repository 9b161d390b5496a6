#!/bin/bash
# pare fuzz list, show, mark, merge, split, delete, export, import: over a store that is made by import.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

needs_campaigns

digest() { sha512sum "$1" | cut -c1-32; }

# finding ID IDENTITY STATE INPUT [REDUCED]: a line of findings.jsonl, and its contents.
finding() {
    local input reduced="" text
    for text in "$4" "${5-}"; do
        printf %s "$text" > content
        [ -z "$text" ] || cp content "in/$(digest content)"
    done
    printf %s "$4" > content; input=$(digest content)
    [ -z "${5-}" ] || { printf %s "$5" > content; reduced=$(digest content); }
    jq -cn --argjson id "$1" --arg identity "$2" --arg state "$3" --arg input "$input" \
        --arg reduced "$reduced" '{format: "pare-finding", schema: 1, id: $id, state: $state,
        store: "a", target: "jq", source: "grammar", identity: $identity,
        signature: ("exit 134; " + $identity), title: ("title of " + $identity), version: "1.6",
        last_version: "1.6", gone_version: "", first_bad: "", url: "", note: "", explanation: "",
        output: "line one\n\u001b[31mred\n", input: $input, reduced: $reduced, count: 1200,
        first_seen: 1700000000000, last_seen: 1700000060000, validated: 0, fails: 0, runs: 0,
        pinned: 0, merged_into: 0, members: []}' >> in/findings.jsonl
}
mkdir in
finding 1 "frame a" reduced $'[1,2,\n3]' "[]"
finding 2 "frame b" new "{}{}"
finding 3 "frame c" fixed $'\033[2J' 

claim "a folder is imported into a new store" exits 0 "$PARE" fuzz import in --store s.pare.db
claim "it says how many" grep -qx "in: 3 new, 0 known" out
claim "again" exits 0 "$PARE" fuzz import in
claim "nothing is new" grep -qx "in: 0 new, 3 known" out

# --- list --------------------------------------------------------------------------------------

claim "the only store here is listed" exits 0 "$PARE" fuzz list
claim "a line for each" [ "$(wc -l < out)" -eq 4 ]
claim "with its state, count and sizes" \
    grep -Eq '^ +1 reduced +1,200 8 > 2 +2023-11-1[45] [0-9:]+ +title of frame a \(jq\)$' out
claim "by state" exits 0 "$PARE" fuzz list --state new,fixed
claim "two of them" [ "$(wc -l < out)" -eq 3 ]
claim "a wrong state" exits 2 "$PARE" fuzz list --state reducd
claim "gets the nearest" says "unknown state 'reducd': did you mean 'reduced'?"
claim "search, regardless of case" exits 0 "$PARE" fuzz list --search "FRAME B"
claim "finds one" [ "$(wc -l < out)" -eq 2 ]
claim "search for what stands for anything" exits 0 "$PARE" fuzz list --search "%"
claim "finds it literally" grep -qx "no findings" out
claim "JSON" exits 0 "$PARE" fuzz list --json --sort id --reverse
claim "is an array" jq -e 'length == 3 and .[0].id == 3 and .[2].reduced_bytes == 2
    and .[1].reduced_bytes == null and .[1].count == 1200 and .[2].bytes == 8' out
claim "nothing in JSON" exits 0 "$PARE" fuzz list --json --target other
claim "is an empty array" jq -e '. == []' out
claim "a limit" exits 0 "$PARE" fuzz list -n 1
claim "is kept" [ "$(wc -l < out)" -eq 2 ]

# --- show --------------------------------------------------------------------------------------

claim "one finding" exits 0 "$PARE" fuzz show 1
claim "its title" grep -qx "finding 1: title of frame a" out
claim "what it printed is no terminal control" grep -qF '\x1b[31mred' out
claim "no control character at all" [ -z "$(grep $'\033' out)" ]
claim "its history" grep -q "the finding was imported" out
claim "#3 too" exits 0 "$PARE" fuzz show '#3'
claim "JSON" exits 0 "$PARE" fuzz show 1 2 --json
claim "has all" jq -e '.[0].identity == "frame a" and .[1].output == "line one\n\u001b[31mred\n"' out
claim "its input" exits 0 "$PARE" fuzz show 1 --print input
claim "byte for byte" [ "$(cat out)" = $'[1,2,\n3]' ]
claim "its result" exits 0 "$PARE" fuzz show 1 --print result
claim "byte for byte" [ "$(cat out)" = "[]" ]
claim "none of this number" exits 1 "$PARE" fuzz show 77
claim "is told" says "there is no finding 77"
claim "no number" exits 2 "$PARE" fuzz show x
claim "is told" says "'x' is not the number of a finding"
claim "no ID" exits 2 "$PARE" fuzz show

# --- mark, merge, split, delete ----------------------------------------------------------------

claim "mark" exits 0 "$PARE" fuzz mark 2 --as reported --url https://example.org/1 --note "told"
claim "is kept" exits 0 "$PARE" fuzz show 2 --json
claim "all of it" jq -e '.[0] | .state == "reported" and .note == "told" and .url != ""' out
claim "nothing to mark" exits 2 "$PARE" fuzz mark 2
claim "merge" exits 0 "$PARE" fuzz merge 2 3 1
claim "leaves one" exits 0 "$PARE" fuzz list --json
claim "with all counts" jq -e 'length == 1 and .[0].count == 3600' out
claim "merged ones on demand" exits 0 "$PARE" fuzz list --state all --json
claim "are there" jq -e 'map(.state) == ["reduced", "merged", "merged"]' out
claim "a merged one cannot be merged" exits 1 "$PARE" fuzz merge 2 3
claim "split" exits 0 "$PARE" fuzz split 2
claim "gives its state back" exits 0 "$PARE" fuzz list --json
claim "as it was" jq -e 'map([.id, .state, .count]) == [[1, "reduced", 2400], [2, "reported", 1200]]' out
claim "split what is not merged" exits 1 "$PARE" fuzz split 2

# --- export, delete ----------------------------------------------------------------------------

claim "export of one" exits 0 "$PARE" fuzz export 1 -o out1
claim "comes with what is merged into it" [ "$(wc -l < out1/findings.jsonl)" -eq 2 ]
claim "export of all" exits 0 "$PARE" fuzz export -o all
claim "into another store" exits 0 "$PARE" fuzz import all --store t.pare.db
claim "which has the same" exits 0 "$PARE" fuzz list --store t.pare.db --state all --json
cp out t.json
"$PARE" fuzz list --store s.pare.db --state all --json > s.json
claim "but for nothing" cmp s.json t.json
claim "two stores here" exits 2 "$PARE" fuzz list
claim "have to be chosen from" says "there are several stores here"
rm t.pare.db*
claim "delete" exits 0 "$PARE" fuzz delete 1
claim "takes the merged one too" exits 0 "$PARE" fuzz list --state all --json
claim "one is left" jq -e 'map(.id) == [2]' out
claim "delete again" exits 1 "$PARE" fuzz delete 1

# --- what is refused ---------------------------------------------------------------------------

rm s.pare.db*
claim "no store here" exits 2 "$PARE" fuzz list
claim "is told" says "there is no store here: name one with --store FILE"
echo "no store" > text
claim "no store" exits 3 "$PARE" fuzz list --store text
claim "is told" says "text is not a store of pare"
claim "no folder" exits 3 "$PARE" fuzz import nowhere --store n.pare.db
sed 's/"count":1200/"count":"many"/' in/findings.jsonl > x && mv x in/findings.jsonl
claim "a damaged folder" exits 3 "$PARE" fuzz import in --store d.pare.db
claim "says the line" says "in/findings.jsonl:1: 'count' is not a number from 0 to 2^53"
claim "and leaves nothing" exits 0 "$PARE" fuzz list --store d.pare.db
claim "at all" grep -qx "no findings" out
for command in list show mark merge split delete export import; do
    claim "$command --help" exits 0 "$PARE" fuzz "$command" --help
    claim "is in 80 columns" [ "$(wc -L < out)" -le 80 ]
done

all_claimed
