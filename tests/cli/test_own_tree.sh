#!/bin/bash
# --tree: a tree made by Python's own parser is taken as a language's is, by every algorithm on trees and by
# the default; what is said of mistakes.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# A tree by hand first: elements of a list with their separators, what is optional, what may stand where.
printf 'f(a, (b), c) ; return x' > call.txt
cat > call.json << 'END'
{"classes": {"expression": ["call", "name", "group"]},
 "root": {"kind": "file", "children": [
   {"kind": "call", "begin": 0, "end": 12, "replaceable_by": "expression", "children": [
     {"kind": "name", "begin": 0, "end": 1},
     {"kind": "args", "list": "some", "children": [
       {"kind": "name", "begin": 2, "end": 3, "replaceable_by": "expression"},
       {"kind": "group", "begin": 5, "end": 8, "replaceable_by": "expression", "children": [
         {"kind": "name", "begin": 6, "end": 7, "replaceable_by": "expression"}]},
       {"kind": "name", "begin": 10, "end": 11, "replaceable_by": "expression"}]}]},
   {"kind": "return", "begin": 15, "end": 23, "children": [
     {"kind": "name", "begin": 22, "end": 23, "optional": true}]}]}}
END
reduce() { # TREE INPUT OUTPUT TEST OPTION...
    run "$PARE" reduce --no-journal --timeout 60 --tree "$1" -o "$3" "$4" "$2" "${@:5}"
    [ "$code" -eq 0 ]
}
cat > right.sh << 'END'
#!/bin/sh
grep -q "$WANTED" "$1" && ! grep -q '(,\|,)\|, *,\|()' "$1"
END
chmod +x right.sh
export WANTED='f(.*b.*;'
claim "a list keeps its separators right" reduce call.json call.txt left ./right.sh -a perses
claim "elements go, what is optional goes, a group gives way" grep -qx 'f(b) ; return *' left
WANTED='^f('
claim "one element has to stay" reduce call.json call.txt left ./right.sh -a perses
claim "but no more" grep -qx 'f([abc]) ; return *' left
run "$PARE" reduce --list-candidates call.txt --tree call.json -a perses
claim "candidates keep to the tree" test "$(grep -c 'f()' out)" -eq 0
claim "and lists are tried with separators on either side" grep -qx 'f(a, c) ; return x' out

# The same by the tree algorithms, over what Python's parser says.
if command -v python3 > /dev/null && python3 -c 'import ast, sys; sys.exit(sys.version_info < (3, 8))'; then
    cat > bug.py << 'END'
import os, sys

@property
def helper(a, b=2, *args, key=None):
    """Doc."""
    for i in range(10):
        print(i, a + b)
    return [x * 2 for x in args if x]


class Thing(object):
    field = {"one": 1, "two": [1, 2, 3]}

    def method(self, value):
        if value > 3:
            return f"{value} big"
        else:
            while value:
                value -= 1
        try:
            crash(self, [1, (2, helper), 3], value)
        except ValueError as error:
            raise


print(Thing, "naïve"); x = 1
END
    cat > crashes.py << 'END'
import ast, sys
for line in sys.stdin:
    try:
        nodes = list(ast.walk(ast.parse(open(line.rstrip("\n").split(" ", 1)[1], "rb").read())))
    except SyntaxError:
        print("UNRESOLVED", flush=True)
        continue
    calls = [n for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "crash"]
    print("FAIL" if any(len(call.args) >= 2 for call in calls) else "PASS", flush=True)
END
    claim "a tree by Python" python3 "$PARE_SOURCE_DIR/examples/trees/own_tree.py" bug.py > bug.json
    bytes() { wc -c < "$1"; }
    crashes() { # ALGORITHM OPTION...
        run "$PARE" reduce --no-journal --timeout 60 -o "out.$1" --stats "stats.$1" --worker "python3 crashes.py" \
            bug.py "${@:2}"
        [ "$code" -eq 0 ]
    }
    for algorithm in perses hdd hddr gtr; do
        claim "$algorithm" crashes $algorithm --tree bug.json -a $algorithm
        claim "$algorithm: much is gone" [ "$(bytes out.$algorithm)" -lt 200 ]
        claim "$algorithm: most candidates parse" \
            jq -e '.outcomes | 2 * .UNRESOLVED < .PASS + .FAIL' "stats.$algorithm"
    done
    claim "perses: one statement" grep -qx 'crash([a-z0-9]*, [a-z0-9]*)' out.perses
    claim "perses by brackets" crashes brackets --lang none -a perses
    claim "finds less" [ "$(bytes out.brackets)" -gt "$(bytes out.perses)" ]
    claim "the default" crashes auto --tree bug.json
    claim "is as small" [ "$(bytes out.auto)" -le "$(bytes out.perses)" ]
    claim "tells no language" jq -e '.language == null' stats.auto
else
    echo "no python3: its trees are not tried"
fi

# --- mistakes ------------------------------------------------------------------------------------
refused() { # CODE SENTENCE INPUT OPTION...
    run "$PARE" reduce --no-journal -o none "grep -q f" "${@:3}"
    [ "$code" -eq "$1" ] && says "$2" && [ ! -e none ]
}
claim "no file" refused 3 "does not exist" call.txt --tree none.json
echo '{"kind": "a", "begin": 0, "end": 99}' > wrong.json
claim "another input's" refused 2 "it spans 99 bytes of 23" call.txt --tree wrong.json
echo '{"kind": "a", "begin": 0, "end": 9, "children": [{"kind": "b", "begin": 4, "end": 12}]}' > wrong.json
claim "spans that are not nested" refused 3 "node 2: its span is not within its parent's" call.txt --tree wrong.json
claim "a grammar, too" refused 2 "either a tree or a grammar" call.txt --tree call.json -g call.json
mkdir folder
cp call.txt folder
claim "a folder" refused 2 "a single file" folder --tree call.json
claim "an explanation" refused 2 "cannot use '--tree'" call.txt --tree call.json --explain
claim "names the command" says "pare explain RESULT TEST"
claim "a list algorithm" exits 0 "$PARE" reduce --no-journal -o list.txt "grep -q f" call.txt --tree call.json -a ddmin
claim "sees no tree, which is told" grep -qF -e "--tree: without effect on the algorithms chosen" out
claim "a language beside it" exits 0 "$PARE" reduce --no-journal -o lang.txt "grep -q f" call.txt --tree call.json --lang none
claim "is no reason to say anything" [ "$(grep -c 'without effect' out)" -eq 0 ]
claim "grabr" refused 2 "needs a grammar" call.txt --tree call.json -a grabr

all_claimed
