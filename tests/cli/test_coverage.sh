#!/bin/bash
# What a script does not execute goes first: each interpreter that is installed, and scripts that
# mean harm.
#
# tests: src/session/plan/coverage_phase.c
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# A cell is needed: nothing is executed without one.
echo text > text
if ! "$PARE" reduce -q --sandbox full --no-journal -o none --max-tests 3 ./t.sh text 2> err &&
    grep -q 'cannot make' err; then
    echo "skipped: no sandbox here"
    exit 77
fi

functions=70

# Prints a script of $1 with many functions of which one is called.
script() {
    local i
    [ "$1" = php ] && echo '<?php'
    for ((i = 0; i < functions; i++)); do
        case $1 in
        js | php) printf 'function unused%d(%s) {\n    if (%s > %d) {\n        return 1;\n    }\n    return 2;\n}\n' \
            $i "$var" "$var" $i ;;
        py) printf 'def unused%d(a):\n    if a > %d:\n        return 1\n    return 2\n\n' $i $i ;;
        lua) printf 'local function unused%d(a)\n    if a > %d then\n        return 1\n    end\n    return 2\nend\n' \
            $i $i ;;
        rb) printf 'def unused%d(a)\n    if a > %d\n        return 1\n    end\n    return 2\nend\n' $i $i ;;
        pl) printf 'sub unused%d {\n    my $a = shift;\n    if ($a > %d) {\n        return 1;\n    }\n    return 2;\n}\n' \
            $i $i ;;
        esac
    done
    case $1 in
    js) printf 'function f(a) {\n    print("needle", a);\n}\nvar console;\nf(1);\n' ;;
    php) printf 'function f($a) {\n    $b = $a;\n    echo "needle", $b;\n}\nf(1);\n' ;;
    py) printf 'def f(a):\n    print("needle", a)\n\nf(1)\n' ;;
    lua) printf 'local function f(a)\n    print("needle", a)\nend\nf(1)\n' ;;
    rb) printf 'def f(a)\n    puts "needle #{a}"\nend\nf(1)\n' ;;
    pl) printf 'sub f {\n    print "needle", @_;\n}\nf(1);\n' ;;
    esac
}

printf '#!/bin/sh\ngrep -q "needle" "$1" && grep -q "f(1)" "$1" && grep -q "unused69" "$1"\n' > t.sh
chmod +x t.sh

# reduce NAME OPTION...
reduce() {
    local name=$1
    shift
    run "$PARE" reduce -j2 --no-journal --lang none -o "result.$name" --stats stats.json --trace trace "$@" ./t.sh \
        "in.$name"
}
coverage() { jq -c "$1" stats.json; }

# What each interpreter tells.  With sanitizers, where each takes the full sandbox of a slow pare, of two:
# what is read of the others is of the same form.
interpreters="js:node py:python3 lua:lua rb:ruby pl:perl php:php"
[ -z "$PARE_SANITIZE" ] || interpreters="js:node py:python3"
for pair in $interpreters; do
    name=${pair%:*} program=${pair#*:}
    if ! command -v "$program" > found; then
        echo "no $program here: its part is left out"
        continue
    fi
    # A manager of versions has a program of this name that only looks for one.
    if ! "$program" --version > found 2>&1 && ! "$program" -v > found 2>&1; then
        echo "no $program that runs: its part is left out"
        continue
    fi
    var=a
    [ "$name" = php ] && var='$a'
    script "$name" > "in.$name"
    reduce "$name" --max-tests 3
    claim "$program: the run is in the statistics" [ "$(coverage .coverage.runs)" -ge 1 ]
    claim "$program: what was not reached is counted" [ "$(coverage .coverage.unreached_bytes)" -gt 1500 ]
    claim "$program: half of it goes in a few tests" \
        [ "$(stat -c %s "result.$name")" -lt "$(($(stat -c %s "in.$name") * 2 / 3))" ]
    claim "$program: the result fails" ./t.sh "result.$name"
    mv trace trace.$name
    reduce "$name" --max-tests 3 --no-coverage
    claim "$program: not without" [ "$(coverage .coverage)" = null ]
    claim "$program: nor as a pass" [ "$(coverage '[.passes[].name] | index("coverage")')" = null ]
done

# Every Lua, under the name that is looked for first: they differ in what -e takes.
script lua > in.lua
for version in lua5.1 lua5.3 lua5.4 luajit; do
    [ -z "$PARE_SANITIZE" ] && command -v "$version" > found || continue
    mkdir "as-$version"
    ln -s "$(cat found)" "as-$version/lua"
    PATH=$PWD/as-$version:$PATH reduce lua --max-tests 3
    claim "$version: what was not reached is counted" [ "$(coverage .coverage.unreached_bytes)" -gt 1500 ]
done

if ! node --version > found 2>&1; then
    echo "no node here: scripts that mean harm are left out"
    all_claimed
    exit
fi

# The same steps for every number of slots, and for a run that goes on.
for jobs in 1 4; do
    run "$PARE" reduce -q --no-journal --lang none -j $jobs --max-tests 24 --trace trace -o out$jobs.js ./t.sh in.js
    jq -c 'del(.ms)' trace > steps$jobs
done
claim "the same steps for -j 1 and 4" cmp steps1 steps4
claim "the same bytes" cmp out1.js out4.js
for tests in 2 9 24; do
    run "$PARE" reduce -q --lang none -j 1 --journal journal --max-tests $tests --trace trace -o resumed.js ./t.sh in.js
done
claim "the same bytes when it goes on" cmp out1.js resumed.js

# A small text is not worth it.
printf 'function unused69() {}\n// needle\nf(1)\n' > in.js
reduce js
claim "not for a small text" [ "$(coverage .coverage)" = null ]
# Nor several, nor one without a script's name.
script js > in.js
cp in.js in.txt
reduce txt --max-tests 20
claim "not for a text that is no script" [ "$(coverage .coverage)" = null ]

# Scripts that mean harm: the reduction goes on, and nothing is left.
hostile() {
    { script js; printf '%s\n' "$2"; } > in.js
    reduce js --max-tests 6
    claim "$1: the reduction goes on" [ "$code" -eq 0 ]
    claim "$1: the result fails" ./t.sh result.js
}
touch marker
hostile "an endless loop" 'for (;;) {}'
hostile "an exit" 'quit(3); process.exit(3);'
hostile "a failure" 'throw null;'
hostile "no script" 'function ((('
hostile "a report of its own" 'this.constructor.constructor("return process")().mainModule;'
hostile "much output" 'var s = "x"; while (s.length < 1e6) s += s; for (var i = 0; i < 1000; i++) print(s);'
hostile "much memory" 'var a = []; for (;;) a.push(new Array(1e6).fill(1));'
cat > harm.js <<'END'
var p = print.constructor("return process")(), fs = p.getBuiltinModule ? p.getBuiltinModule("fs") : p.mainModule.require("fs");
fs.unlinkSync("MARKER"); fs.writeSync(9, "b 0 99999999\n".repeat(100000)); fs.closeSync(9); p.kill(p.pid, 9);
END
hostile "what deletes files" "$(sed "s,MARKER,$here/marker," harm.js)"
claim "nothing was deleted" [ -e marker ]
script js | sed 's/$/\r/' > in.js
reduce js --max-tests 3
claim "line ends of two bytes" [ "$(stat -c %s result.js)" -lt "$(($(stat -c %s in.js) * 2 / 3))" ]
{ printf '// \xff\xfe \xe4\n'; script js; } > in.js
reduce js --max-tests 3
claim "no UTF-8" [ "$(stat -c %s result.js)" -lt "$(($(stat -c %s in.js) * 2 / 3))" ]
{ printf '// \xf0\x9f\x8d\xb5 \xc3\xa4 \xe2\x82\xac\n'; script js; } > in.js
reduce js --max-tests 3
claim "characters of several bytes" [ "$(stat -c %s result.js)" -lt "$(($(stat -c %s in.js) * 2 / 3))" ]

# Killed while the interpreter runs: it ends, and so does its folder.
{ script js; printf 'for (;;) {}\n'; } > killed-$$.js
setsid "$PARE" reduce -q --no-journal -o none.js ./t.sh killed-$$.js > out 2> err &
reducer=$!
running() {
    # Its exit code is that of a process that has ended meanwhile.
    grep -lsaz "PARE_REACH=.*killed-$$.js" /proc/[0-9]*/environ > found
    [ -s found ]
}
await running
claim "an interpreter runs" [ -s found ]
kill -9 $reducer
wait $reducer 2> found
gone() { ! running; }
await gone
claim "none is left" gone
all_claimed
