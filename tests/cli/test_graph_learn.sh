#!/bin/bash
# pare graph learn: what tests show of the functions of real engines, and tests and engines that
# end badly.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

has() { command -v "$1" > /dev/null || { echo "skipped: there is no $1"; return 1; }; }

# signatures FILE FUNCTION: the learned signatures of the function with this path, one a line, as
# "new RECEIVER(TYPE=VALUES, ...) -> RETURN ..."; types by their paths.
signatures() {
    jq -r --arg path "$2" '. as $g |
        (reduce .edges[] as $e ({}; if $e.kind == "parameter" or $e.kind == "return"
            then .[($e | if .kind == "return" then .from else .to end) | tostring] += [$e]
            else . end)) as $of |
        (.types[] | select(.path == $path) | .id) as $id |
        .edges[] | select((.kind == "call" or .kind == "constructor") and .from == $id) |
        .kind as $kind | .to as $s | $g.signatures[$s] | select(.learned) |
        ($of[$s | tostring] // []) as $edges |
        (if $kind == "constructor" then "new " else "" end) +
        (if .receiver == null then "" else $g.types[.receiver].path end) + "(" +
        ([$edges[] | select(.kind == "parameter")] | sort_by(.position // 0) |
            map($g.types[.from].path + (if .values then "=" + (.values | join("|")) else "" end)) |
            join(", ")) + ") ->" +
        ([$edges[] | select(.kind == "return") | " " + $g.types[.to].path] | join("")) +
        (if .throws then " throws" else "" end)' "$1"
}
taught() { signatures "$1" "$2" > taught; grep -qxF -- "$3" taught || { cat taught >&2; return 1; }; }

cat > spec.js <<'JS'
describe('numbers', function () {
    var n;
    beforeEach(function () { n = 255; });
    it('are text', function () {
        expect(n.toString(16)).toBe('ff');
        expect(n.toFixed(2)).not.toEqual('255');
    });
    it('throw', function () {
        expect(function () { n.toFixed(1000); }).toThrow();
        assert.throws(function () { decodeURIComponent('%'); });
    });
    xit('is not run', function () { Math.tan(5); });
});
it('asks for what its framework was given', function () {
    var Assertion = expect().constructor;
    Assertion.prototype.almostEqual = function (n) { return this.within(n - 1, n + 1); };
    Assertion.addMethod('between', function () {});
    expect(1).to.almostEqual(1).and.not.between(0, 2);
    decodeURI('a');
});
test('strings', function () {
    'a-b'.split('-');
    'a-b'.charAt(-0);
    assertEquals('x', String(7));
});
it('dates', function () {
    new Date(2012, 1, 29).getTime();
    new Date('no').getTime();
    Date.UTC(1970, 0);
});
[3].map(function (a) { return Math.max(a, 9); });
Array.prototype.slice.call({length: 1}, 0);
isNaN(Date.now());
isFinite(new Date().getTime());
isFinite(Math.random());
JS

for name in mujs duk node; do
    has $name || continue
    claim "$name is explored" exits 0 "$PARE" graph explore -q -o $name.json -- $name @@
    cp $name.json explored.json
    claim "$name learns" exits 0 "$PARE" graph learn $name.json spec.js -- $name @@
    claim "$name: without trouble" [ ! -s err ]
    f=this.Number.prototype
    claim "$name: receiver, argument, return, literal" taught $name.json $f.toString "number(number=16) -> string"
    claim "$name: a call that throws" taught $name.json this.decodeURIComponent '(string="%") -> throws'
    claim "$name: one that does not always" taught $name.json $f.toFixed "number(number=1000|2) -> string"
    claim "$name: a constructor" taught $name.json this.Date "new (number=2012, number=1, number=29) -> new (this.Date)"
    claim "$name: another way to call it" taught $name.json this.Date 'new (string="no") -> new (this.Date)'
    claim "$name: a method of an instance" taught $name.json this.Date.prototype.getTime "new (this.Date)() -> number"
    claim "$name: a function of an object" taught $name.json this.Date.UTC "this.Date(number=1970, number=0) -> number"
    claim "$name: after an assertion of the test's own" taught $name.json this.decodeURI '(string="a") -> string'
    claim "$name: strings" taught $name.json this.String.prototype.split 'string(string="-") -> new (this.Array)'
    claim "$name: minus zero" taught $name.json this.String.prototype.charAt 'string(number=-0) -> string'
    claim "$name: a call in a callback" taught $name.json this.Math.max "this.Math(number=3, number=9) -> number"
    claim "$name: any receiver" taught $name.json this.Array.prototype.slice "new (this.Object)(number=0) -> new (this.Array)"
    claim "$name: the time and chance are the same each time" taught $name.json this.isNaN "(number=1330559999000) -> boolean"
    claim "$name: nothing of a test that is not run" [ -z "$(signatures $name.json this.Math.tan)" ]
    claim "$name: what was explored stays" [ "$(jq -c .types explored.json)" = "$(jq -c ".types[:$(jq '.types | length' explored.json)]" $name.json)" ]
    cp $name.json once.json
    claim "$name: nothing new in it" exits 1 "$PARE" graph learn $name.json spec.js -- $name @@
    claim "is told" says "there was nothing new to learn"
    claim "$name: learned once" cmp $name.json once.json
    "$PARE" graph learn -q explored.json spec.js -- $name @@
    claim "$name: learned again, it is the same" cmp $name.json explored.json
done

if has node; then
    "$PARE" graph explore -q -o late.json -- node @@
    cat > async.js <<'JS'
it('waits', async function () {
    await 5;
    Math.cbrt(27);
    setTimeout(function () { Math.clz32(1); }, 10);
    throw new Error('nobody hears of it');
});
JS
    claim "what a test does later" exits 0 "$PARE" graph learn late.json async.js -- node @@
    claim "is seen" taught late.json this.Math.cbrt "this.Math(number=27) -> number"
    claim "also in timers" taught late.json this.Math.clz32 "this.Math(number=1) -> number"
    claim "without trouble" [ ! -s err ]
fi

# --- the guide ----------------------------------------------------------------------------------

if has mujs; then
    # The section about looking at graphs is run by test_graph_show.sh.
    mkdir guide guide/specs
    cp spec.js guide/specs
    awk '/^## Looking/ { exit } /^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' \
        "$PARE_SOURCE_DIR/docs/guide/graph.md" > guide/commands
    claim "the guide has commands" [ "$(grep -c '^pare ' guide/commands)" -ge 3 ]
    while read -r line; do
        claim "docs/guide/graph.md: $line" env PATH="$(dirname "$PARE"):$PATH" bash -c \
            "cd guide && $line" < /dev/null
    done < guide/commands
fi

# --- tests that end badly ----------------------------------------------------------------------

if has mujs; then
    "$PARE" graph explore -q -o fresh.json -- mujs @@
    # bad NAME, with the test as standard input: what it taught, into bad.json.
    bad() {
        cat > "$1.js"
        cp fresh.json bad.json
        shift
        run "$PARE" graph learn bad.json "$@" -- mujs @@
    }
    bad throws throws.js <<< 'Math.abs(-1); throw new TypeError("so it is"); Math.sin(1);'
    claim "a test that throws teaches" taught bad.json this.Math.abs "this.Math(number=-1) -> number"
    claim "is told" says "throws.js: the test throws TypeError: so it is"
    claim "and is a success" [ $code -eq 0 ]
    bad syntax syntax.js <<< 'let x => 5'
    claim "a test that is no script" grep -q "syntax.js: the test throws SyntaxError" err
    claim "and teaches nothing" cmp bad.json fresh.json
    bad busy busy.js -t 2 <<< 'for (;;) try { Math.abs(-1); } catch (e) {}'
    claim "a test that never ends, calling" taught bad.json this.Math.abs "this.Math(number=-1) -> number"
    claim "is told" says "busy.js: the test does not end in 2000 ms"
    bad idle idle.js -t 2 <<< 'Math.abs(-1); for (;;);'
    claim "a test that never ends, calling nothing" taught bad.json this.Math.abs "this.Math(number=-1) -> number"
    claim "is told" says "idle.js: the test does not end in 2000 ms"
    bad deep deep.js <<< 'function f() { [1].map(f); } f(); Math.abs(-1);'
    claim "a test without end of its stack" grep -q "deep.js: the test throws" err
    bad huge huge.js <<< 'for (var i = 0; i < 3000; i++) { Math.abs(i); isNaN(String(i)); }'
    claim "many values" [ "$(signatures bad.json this.Math.abs | tr '|' '\n' | wc -l)" -eq 16 ]
    bad own own.js <<< 'Array.prototype.push = 5; Object.prototype.toString = null; print = null; Math.abs(-2);'
    claim "a test that breaks built-ins" taught bad.json this.Math.abs "this.Math(number=-2) -> number"
    printf '\0\xff\xfe' | bad bytes bytes.js
    claim "a test of bytes" grep -q "bytes.js: the test throws" err
    : | bad none none.js
    claim "an empty test" grep -q "none.js: the test calls no function" err
    echo 'Math.abs(-1)' > one.js; echo 'Math.sin(1)' > two.js
    bad mix throws.js one.js idle.js two.js -t 2 <<< ''
    claim "several tests" taught bad.json this.Math.sin "this.Math(number=1) -> number"
    claim "each with its trouble" [ "$(wc -l < err)" -eq 2 ]
    cp bad.json first.json
    bad mix two.js idle.js one.js throws.js -t 2 <<< ''
    claim "in any order" cmp bad.json first.json

    # --- engines that end badly ----------------------------------------------------------------
    engine() { { echo '#!/bin/sh'; cat; } > "$1"; chmod +x "$1"; }
    cp fresh.json bad.json
    engine half <<< 'mujs "$1" | head -c 30000; kill -SEGV $$'
    claim "an engine that crashes" exits 0 "$PARE" graph learn bad.json spec.js -- ./half @@
    claim "is told" grep -q "spec.js: the engine ends with signal 11" err
    claim "and so is that it is another" grep -q "another program than this engine" err
    claim "what it taught is kept" taught bad.json this.Number.prototype.toString "number(number=16) -> string"
    cp fresh.json bad.json
    for text in 'head -c 100000 /dev/urandom' 'echo hello; exit 3' 'exec sleep 100' 'exec yes "g 0 3 c 0"' 'kill -9 $$'; do
        engine wrong <<< "$text"
        claim "an engine that is none: $text" exits 1 "$PARE" graph learn bad.json spec.js -t 2 -- ./wrong @@
        claim "is told" grep -q "spec.js: the engine does not run the script" err
        claim "the graph stays" cmp bad.json fresh.json
    done
    claim "a test that is not there" exits 3 "$PARE" graph learn bad.json nowhere.js -- mujs @@
    claim "is named" says "nowhere.js"
    claim "another place" exits 0 "$PARE" graph learn bad.json one.js -o new.json -- mujs @@
    claim "leaves the first" cmp bad.json fresh.json
    claim "and has it" taught new.json this.Math.abs "this.Math(number=-1) -> number"
fi
echo '{' > damaged.json
claim "a damaged graph" exits 3 "$PARE" graph learn damaged.json spec.js -- mujs @@
claim "is named" says "damaged.json"
claim "no graph" exits 2 "$PARE" graph learn -- mujs @@
claim "is missed" says "the graph is missing"
claim "no test" exits 2 "$PARE" graph learn g.json -- mujs @@
claim "is missed" says "the tests are missing"
claim "no engine" exits 2 "$PARE" graph learn g.json spec.js
claim "is missed" says "the engine is missing"
claim "help" exits 0 "$PARE" graph learn --help
all_claimed
