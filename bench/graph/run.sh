#!/bin/bash
# Prototype graphs against jsfunfuzz: lines reached and failures found, on mujs and duktape.
#
# Usage: bench/graph/run.sh PARE [FOLDER]        default folder: build/graph of the repository
#
# TESTS (50000), SEEDS ("1 2 3"), ENGINES ("mujs duktape"), FAILURES (1) in the environment make
# it shorter; JOBS says how many processes run at once (one for each processor).  For each engine: the graph is explored and learned from two suites of tests, then
# as many expressions are made by discovery alone (the graph as seed 001's first strategy finds it:
# without what constructors return), by the explored graph, by the learned one, and by the learned
# one together with a grammar; they are run one by one beside jsfunfuzz's expressions, which are
# in shared/jsfunfuzz beside the repository.  Takes about an hour and a half; FOLDER keeps the
# engines, the tests and the figures.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
pare=$(realpath "${1:?usage: $0 PARE [FOLDER]}")
folder=${2:-$root/build/graph}
tests=${TESTS:-50000}
failures=${FAILURES:-1}
read -ra seeds <<<"${SEEDS:-1 2 3}"
read -ra engines <<<"${ENGINES:-mujs duktape}"
jsfunfuzz=$root/../shared/jsfunfuzz/expressions.txt.xz
grammar=$root/examples/graph/Es5.g4

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$folder"

fetch_suite() { # NAME VERSION FOLDER-OF-TESTS
    [ -d "suites/$1" ] && return 0
    mkdir -p "suites/$1"
    (cd "suites/$1" && npm pack --silent "$1@$2" >/dev/null && tar xzf ./*.tgz && mv "package/$3"/*.js . &&
        rm -rf package ./*.tgz)
}

explore() { # ENGINE
    [ -s "$1.learned.json" ] && return 0
    local engine=$folder/engines/$1/cover/engine
    "$pare" graph explore -o "$1.json" -- "$engine" @@
    cp "$1.json" "$1.learned.json"
    "$pare" graph learn "$1.learned.json" suites/es5-shim/*.js suites/es6-shim/*.js -- "$engine" @@ ||
        echo "some of the suites' files cannot run here: what the others taught is kept"
    # What the seed's discovery knows: no type that only a constructor's prototype tells of.
    python3 "$here/without_returns.py" "$1.json" "$1.discovery.json"
}

make_tests() { # ENGINE SEED
    local out=tests/$1.$2 seed=$2 engine=$1
    mkdir -p tests
    local make=("$pare" generate -n "$tests" --seed "$seed" --repeats)
    [ -s "$out.grammar" ] && return 0
    "${make[@]}" --graph "$engine.discovery.json" >"$out.discovery"
    "${make[@]}" --graph "$engine.json" >"$out.explored"
    local start=$EPOCHREALTIME
    "${make[@]}" --graph "$engine.learned.json" >"$out.learned"
    awk -v from="$start" -v to="$EPOCHREALTIME" -v n="$tests" \
        'BEGIN { printf "%d expressions are made in %.2f s (aim: 50000 in 2 s)\n", n, to - from }'
    "${make[@]}" --graph "$engine.learned.json" --grammar "$grammar" --max-tokens 100 >"$out.grammar"
}

"$here/engines.sh" "$folder/engines"
fetch_suite es5-shim 4.6.7 tests/spec
fetch_suite es6-shim 0.35.8 test
measure() { # TITLE SCRIPT OUT NAME=FILE ...
    printf '\n%s\n\n' "$1"
    python3 "$here/$2.py" engines "$engine" "${@:4}" --json "$3.json"
}

for engine in "${engines[@]}"; do
    explore "$engine"
    if [ -e "$jsfunfuzz" ]; then
        measure "$engine: lines that jsfunfuzz reaches, in percent" coverage "$engine.jsfunfuzz.lines" \
            "jsfunfuzz=$jsfunfuzz"
        [ "$failures" = 0 ] || measure "$engine: failures that jsfunfuzz finds, tests that show them" \
            failures "$engine.jsfunfuzz.failures" "jsfunfuzz=$jsfunfuzz"
    fi
    for seed in "${seeds[@]}"; do
        make_tests "$engine" "$seed"
        columns=()
        for kind in discovery explored learned grammar; do
            columns+=("$kind=tests/$engine.$seed.$kind")
        done
        measure "$engine, seed $seed: lines reached, in percent" coverage "$engine.$seed.lines" "${columns[@]}"
        [ "$failures" = 0 ] || measure "$engine, seed $seed: failures, tests that show them" \
            failures "$engine.$seed.failures" "${columns[@]}"
    done
done
