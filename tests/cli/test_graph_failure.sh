#!/bin/bash
# Failures of real engines that walks over their graphs find: the default reduces them, as text and
# through the walk's choices.
#
# duktape: a logger whose name is not ASCII writes beyond its buffer, in Debian's duk; glibc's
# checking allocator ends it then.  The byte that the allocator looks at depends on the block's address:
# where addresses can be fixed, they are, and the text has one name.  mujs: dates beyond the calendar overflow, on a build with
# sanitizers: in build/graph/engines (bench/graph/engines.sh makes it), or where PARE_GRAPH_ENGINES
# says.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

engines=${PARE_GRAPH_ENGINES:-$PARE_SOURCE_DIR/build/graph/engines}
checking=$(ldconfig -p | sed -n 's/.*=> \(.*\/libc_malloc_debug\.so\.0\)$/\1/p' | head -n 1)
reduced=

# find_failing GRAPH PATTERN TEST: makes 200,000 expressions by each of some seeds, and tries those
# that match; the first that fails has its seed and number in $found.
find_failing() {
    local seed line
    found=
    for seed in 1 2 3 4 5 6; do
        "$PARE" generate --graph "$1" --seed $seed -n 200000 --repeats > all
        while IFS= read -r line; do
            printf '%s' "${line#*:}" > try.js
            if "$3" try.js; then
                found="$seed $((${line%%:*} - 1))"
                return 0
            fi
        done < <(grep -nE "$2" all | head -n 300)
    done
    return 1
}

# reduce_walk NAME LONGEST: the text of $found as it is, and through its choices; $reduced is what came
# of the first.
reduce_walk() {
    local name=$1 longest=$2 generator="$PARE generate --unseeded --graph $PWD/$1.json"
    # shellcheck disable=SC2086 # two words
    set -- $found
    claim "$name: the walk is made alone, with its choices" exits 0 "$PARE" generate \
        --graph "$name.json" --repeats --seed "$1" --only "$2" --record walk.js.choices -o walk.js
    claim "$name: it fails" "./$name.sh" walk.js
    claim "$name: the default reduces it" exits 0 "$PARE" reduce -q "./$name.sh" walk.js -o text.js
    claim "$name: it still fails" "./$name.sh" text.js
    claim "$name: and is short: $(cat text.js)" [ "$(wc -c < text.js)" -le "$longest" ]
    reduced=$(cat text.js)
    # Not to the end: each candidate takes several runs of the generator, which with sanitizers start slowly.
    local most_tests=30
    [ -z "$PARE_SANITIZE" ] || most_tests=10
    claim "$name: so does its generator, through the choices" exits 0 "$PARE" reduce -q \
        --generator "$generator" --choices walk.js.choices -o small.js \
        --max-tests "$most_tests" -- "./$name.sh"
    claim "$name: it fails, too" "./$name.sh" small.js
    # Fewer choices come first; on the way to the end they can make a longer text.
    claim "$name: and takes no more choices" [ "$(wc -l < small.js.choices)" -le "$(wc -l < walk.js.choices)" ]
    [ -n "$PARE_SANITIZE" ] ||
        claim "$name: and is no larger" [ "$(wc -c < small.js)" -le "$(wc -c < walk.js)" ]
    claim "$name: its choices make it" exits 0 "$PARE" generate --graph "$name.json" \
        --replay small.js.choices
    claim "$name: again" [ "$(cat out)" = "$(cat small.js)" ]
}

# --- duktape ---------------------------------------------------------------------------------
if command -v duk > /dev/null && [ -n "$checking" ]; then
    fixed=
    if setarch -R true 2> /dev/null; then fixed="setarch -R"; fi
    cat > duk.sh <<T
#!/bin/sh
cat "\$1" > input.js
LD_PRELOAD=$checking MALLOC_CHECK_=3 $fixed timeout 10 duk input.js > said 2>&1
[ \$? -eq 134 ]
T
    chmod +x duk.sh
    echo 'new Duktape.Logger("\u20ac").info()' > known.js
    if ./duk.sh known.js; then
        claim "duk is explored" exits 0 "$PARE" graph explore -q -o duk.json -- duk @@
        claim "a walk fails on duk" find_failing duk.json 'Logger\)\("[^"]*\\u' ./duk.sh
        reduce_walk duk 45
        claim "duk: it is the logger" grep -q 'Duktape\.Logger(' <<< "$reduced"
    else
        echo "skipped: this duk has another logger"
    fi
else
    echo "skipped: there is no duk, or no libc_malloc_debug.so"
fi

# --- mujs with sanitizers ------------------------------------------------------------------------
mujs=$engines/mujs/sanitize/engine
if [ -x "$mujs" ]; then
    cat > mujs.sh <<T
#!/bin/sh
timeout 10 $mujs "\$1" 2>&1 | grep -q 'jsdate.c:[0-9:]* runtime error: signed integer overflow'
T
    chmod +x mujs.sh
    claim "mujs is explored" exits 0 "$PARE" graph explore -q -o mujs.json -- "$mujs" @@
    claim "a walk fails on mujs" find_failing mujs.json '^new \(this\.Date\)\([^)]*[0-9]{10},[^()]*\)' ./mujs.sh
    reduce_walk mujs 22
    claim "mujs: it is a date" grep -q 'Date(' <<< "$reduced"
else
    echo "skipped: there is no $mujs: bench/graph/engines.sh build/graph/engines makes it"
fi
all_claimed
