#!/bin/bash
# The command lines of docs/guide/no-script.md: for each case of the shared corpus whose programs
# are here, the program alone, without any script, leads to a result that the case's own
# test accepts, smaller than the input.  Bounded: 20 tests each, 150 with PARE_TEST_LONG.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

corpus=$PARE_SOURCE_DIR/../shared/corpus
page=$PARE_SOURCE_DIR/docs/guide/no-script.md
if [ ! -d "$corpus" ]; then
    echo "skipped: no shared corpus beside the repository"
    exit 77
fi
PATH=$(dirname "$PARE"):$PATH
# A case's own test, with room for a busy machine.
accepts() { PATH=$PARE_SOURCE_DIR/tests/cli/support/patient:$PATH sh "$corpus/$1/test.sh" "$2"; }

awk '/^```/ { inside = !inside; next } inside && NF' "$page" > lines
claim "each case has a line" [ "$(cut -d ' ' -f 1 lines | tr -d '\n')" = "$(
    find "$corpus" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort | tr -d '\n')" ]

# The programs that a case needs besides the compiler.
needed() {
    case $1 in
    abc-*) echo yaps ;; html-*) echo hxtoc ;; js-*) echo mujs duk ;; json-jq*) echo jq ;;
    lua*) echo lua5.1 ;; sgi-*) echo sgitopnm ;; sql-*) echo sqlite3 ;;
    v-*) echo iverilog ;; synth-*) echo cc ;;
    c-gcc*) echo /usr/lib/gcc/x86_64-linux-gnu/12/cc1 clang-14 ;;
    c-sdcc*) echo sdcc tcc ;; smt-*) echo cvc4 cvc5 ;;
    cpp-clang*) echo clang-14 setarch ;; cpp-gxx*) echo /usr/lib/gcc/x86_64-linux-gnu/12/cc1plus ;;
    csv-*) echo /usr/bin/python3 ;; ll-*) echo llc-14 opt-14 ;; php-*) echo php8.2 ;;
    vhdl-*) echo ghdl ;; wasm-*) echo wasm-objdump ;;
    esac
}

# Those whose programs are slow, or which get no smaller in so few tests.
long='ll-llc-amdgcn'
large='c-gcc-ice-addr|c-gcc-wrongcode|c-sdcc-validatelink|cpp-clang-crash-small|cpp-gxx-ice-deptype2|lua51-pattern'
n_run=0
while read -r name line <&3; do
    missing=
    for program in $(needed "$name"); do
        command -v "$program" > /dev/null || missing+=" $program"
    done
    if [ -n "$missing" ]; then
        echo "$name: skipped, missing:$missing"
        continue
    fi
    [[ ! $name =~ ^($large)$ ]] || [ -n "${PARE_TEST_LARGE:-}" ] || continue
    [[ ! $name =~ ^($long)$ ]] || [ -n "${PARE_TEST_LONG:-}" ] || continue
    if ! accepts "$name" "$(find "$corpus/$name" -name 'input.*')" > /dev/null 2>&1; then
        echo "$name: skipped, the program that is installed has not got this bug"
        continue
    fi
    mkdir "$name"
    cd "$name"
    input=$(find "$corpus/$name" -name 'input.*' -printf '%f\n')
    cp "$corpus/$name/$input" .
    [ ! -e "$corpus/$name/check.c" ] || cc -std=c17 -O2 -o check "$corpus/$name/check.c"
    most=20
    [ -z "${PARE_TEST_LONG:-}" ] || most=150
    code=0
    (eval "${line/pare reduce/pare reduce -q --no-journal --max-tests $most -o result.${input##*.}}") \
        < /dev/null > out 2> err || code=$?
    claim "$name: reduces" [ "$code" -eq 0 ]
    claim "$name: the result is smaller" \
        [ "$(wc -c < "result.${input##*.}")" -lt "$(wc -c < "$input")" ]
    claim "$name: the case's own test accepts it" \
        accepts "$name" "result.${input##*.}"
    n_run=$((n_run + 1))
    cd ..
done 3< lines
echo "$n_run cases run"
[ "$n_run" -gt 0 ] || exit 77
all_claimed
