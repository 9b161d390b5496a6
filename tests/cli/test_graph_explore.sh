#!/bin/bash
# pare graph explore: graphs of real engines, of engines that die at a property, and of programs
# that are no engines.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

has() { command -v "$1" > /dev/null || { echo "skipped: there is no $1"; return 1; }; }

# Whether exploring the engine takes less than so many ms of processor time, engine and all, in the
# cheapest of three runs: the clock would count what others do on this machine.
takes_below() {
    local spent TIMEFORMAT='%3U %3S'
    for _ in 1 2 3; do
        spent=$({ time "$PARE" graph explore -q -o timed.json -- "$2" @@ > timed.out 2>&1; } 2>&1 |
            awk '{ printf "%d", ($1 + $2) * 1000 }')
        if [ -n "$spent" ] && [ "$spent" -lt "$1" ]; then return 0; fi
    done
    return 1
}

# engine NAME: a shell script of this name, of standard input.
engine() {
    { echo '#!/bin/sh'; cat; } > "$1"
    chmod +x "$1"
}

# Whether the graph FILE has a property TYPE.NAME, where TYPE is a path.
has_property() {
    jq -e --arg path "$2" --arg name "$3" '(.types[] | select(.path == $path) | .id) as $id |
        any(.edges[]; .kind == "property" and .from == $id and .name == $name)' "$1" > /dev/null
}

# The kind of type that TYPE.NAME leads to; the path of TYPE's prototype.
property_kind() {
    jq -r --arg path "$2" --arg name "$3" '(.types[] | select(.path == $path) | .id) as $id |
        .types[.edges[] | select(.kind == "property" and .from == $id and .name == $name) | .to] |
        .kind' "$1"
}
leads_to() {
    jq -r --arg path "$2" '(.types[] | select(.path == $path) | .id) as $id |
        .types[.edges[] | select(.kind == "prototype" and .from == $id) | .to].path' "$1"
}

# Whether two graphs have the same types.
same_types() {
    jq .types "$1" > types.1 && jq .types "$2" > types.2 && [ -s types.1 ] && cmp types.1 types.2
}

# The path of what `new CONSTRUCTOR` returns.
made_by() {
    jq -r --arg path "$2" '(.types[] | select(.path == $path) | .id) as $id |
        (.edges[] | select(.kind == "constructor" and .from == $id) | .to) as $s |
        (.edges[] | select(.kind == "return" and .from == $s) | .to) as $type |
        .types[$type].path' "$1"
}

# --- real engines ---------------------------------------------------------------------------

for name in mujs duk node; do
    has $name || continue
    claim "$name is explored" exits 0 "$PARE" graph explore -o $name.json -- $name @@
    most=500
    [ $name = node ] && most=10000
    [ -n "$PARE_SANITIZE" ] || claim "$name in below $most ms of a processor" takes_below $most $name
    claim "$name in one run" grep -q "1 run of the engine" out
    claim "$name again" exits 0 "$PARE" graph explore -q -o again.json -- $name @@
    claim "quietly" [ ! -s out ]
    claim "$name is the same again" cmp $name.json again.json
    claim "$name has properties" has_property $name.json this.Array.prototype push
    claim "$name has instances" [ "$(made_by $name.json this.Date)" = "new (this.Date)" ]
    claim "$name has properties of instances" has_property $name.json "new (this.Array)" length
    claim "$name has no way out" [ -z "$(jq '.edges[] | select(.kind == "property") | .name' \
        $name.json | grep -E '"(quit|exit|abort|require|process|setInterval)"')" ]
    claim "strings have a prototype" [ "$(leads_to $name.json string)" = this.String.prototype ]
done
if has mujs; then
    claim "standard input" exits 0 "$PARE" graph explore -o stdin.json -- sh -c 'cat > s.js; exec mujs s.js'
    claim "gives the same types" same_types mujs.json stdin.json
    claim "a command line" exits 0 "$PARE" graph explore -o line.json "mujs @@"
    claim "gives the same" cmp mujs.json line.json
    claim "another name that is never looked at" exits 0 "$PARE" graph explore -o less.json --never push --never this.Math -- mujs @@
    claim "is not there" [ -z "$(jq '.edges[] | select(.name == "push" or .name == "Math")' less.json)" ]
fi
if has duk; then
    claim "a getter is read on an instance" [ "$(property_kind duk.json \
        "Object.getPrototypeOf(this.Float32Array).prototype" byteLength)" = number ]
fi

# --- engines that die at a property -----------------------------------------------------------

# wrap NAME TEXT: an engine NAME: mujs, with TEXT before each script; code 86 is a crash.
wrap() {
    engine "$1" <<G
cat > with.js <<'JS'
$2
JS
cat "\$1" >> with.js
mujs with.js
code=\$?
[ \$code -ne 86 ] || kill -SEGV \$\$
exit \$code
G
}
getter() { echo "Object.defineProperty($1, '$2', {get: function () { $3 }, enumerable: true});"; }

if has mujs; then
    wrap two "$(getter Math zap 'quit(86);')
$(getter Date.prototype boom 'for (;;) {}')"
    claim "an engine that crashes and hangs" exits 0 "$PARE" graph explore -o two.json -t 5 -- ./two @@
    claim "the crash is told" grep -q "ends with signal 11 when it looks at this.Math.zap: two.json.1.js shows that" err
    claim "the hang is told" grep -q "does not end when it looks at this.Date.prototype.boom: two.json.2.js" err
    claim "the script is short" [ "$(cat two.json.1.js)" = "this.Math.zap;" ]
    claim "its script shows it" [ "$(./two two.json.1.js > shown 2>&1; echo $?)" -ge 128 ]
    claim "both are left out" [ -z "$(jq '.edges[] | select(.name == "zap" or .name == "boom")' two.json)" ]
    claim "all else is there" same_types mujs.json two.json
    wrap leave "$(getter JSON away 'quit(3);')"
    claim "an engine that leaves" exits 0 "$PARE" graph explore -o leave.json -- ./leave @@
    claim "is told" grep -q "ends with exit code 3 when it looks at this.JSON.away" err
    wrap well "$(getter JSON away 'quit(0);')"
    claim "an engine that leaves as if all were well" exits 0 "$PARE" graph explore -o well.json -- ./well @@
    claim "is told, too" grep -q "ends with exit code 0 when it looks at this.JSON.away" err
    claim "and worked around" same_types mujs.json well.json
    wrap end "" && sed -i 's/^code=.*/kill -SEGV $$/' end
    claim "an engine that dies at its end" exits 0 "$PARE" graph explore -o end.json -- ./end @@
    claim "has told all" same_types mujs.json end.json
fi

# --- programs that are no engines --------------------------------------------------------------

engine garbage <<< 'head -c 100000 /dev/urandom; echo; echo garbage'
claim "garbage" exits 1 "$PARE" graph explore -o none.json -- ./garbage @@
claim "is one sentence" says "cannot be explored"
engine text <<< 'echo hello; echo m 1 2 3'
claim "text" exits 1 "$PARE" graph explore -o none.json -- ./text @@
claim "is shown" says "./text @@ cannot be explored: it prints 'hello' instead of"
engine mute <<< 'echo "no such option" >&2; exit 4'
claim "nothing" exits 1 "$PARE" graph explore -o none.json -- ./mute @@
claim "is told" says "it prints nothing, and ends with exit code 4: no such option"
engine hang <<< 'sleep 100'
claim "an engine that hangs" exits 1 "$PARE" graph explore -o none.json -t 1 -- ./hang @@
claim "is told" says "it prints nothing, and does not end in"
engine flood <<< 'yes pare-probe 1'
claim "an engine that floods" exits 1 "$PARE" graph explore -o none.json -t 20 -- ./flood @@
claim "nothing was written" [ ! -e none.json ]
if has mujs; then
    engine half <<< 'mujs "$1" | head -n 900'
    claim "an engine that ends half way" exits 0 "$PARE" graph explore -o half.json -- ./half @@
    claim "is told" says "never finished: the graph has what it showed until then"
    claim "and half is kept" has_property half.json this.Array.prototype push
    engine cut <<< 'mujs "$1" | head -c 20001'
    claim "in the midst of a line" exits 0 "$PARE" graph explore -o cut.json -- ./cut @@
    claim "a graph is kept" jq -e '.types | length > 50' cut.json
    engine chatty <<< 'echo "m 0 Array 7"; mujs "$1" | sed "s/^s /warning: x\n&/"'
    claim "an engine with things to say" exits 0 "$PARE" graph explore -o chatty.json -- ./chatty @@
    claim "is understood" same_types mujs.json chatty.json
fi
claim "no engine" exits 2 "$PARE" graph explore -o none.json
claim "is missed" says "the engine is missing"
claim "no output" exits 2 "$PARE" graph explore -- mujs @@
claim "is missed" says "-o is missing"
claim "a program that is not there" exits 3 "$PARE" graph explore -o none.json -- ./nowhere @@
claim "is named" says "nowhere"
has mujs && claim "a folder that is not there" exits 3 "$PARE" graph explore -o none/none.json -- mujs @@
claim "help" exits 0 "$PARE" graph explore --help
claim "help names what is never looked at" grep -q "this.setInterval" out
claim "help of graph" exits 0 "$PARE" help graph
claim "help of its commands" exits 0 "$PARE" help graph explore
claim "an unknown command" exits 2 "$PARE" graph explor
claim "is answered" says "did you mean 'explore'?"
claim "no command" exits 2 "$PARE" graph
all_claimed
