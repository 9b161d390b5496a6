#!/bin/bash
# csmith.sh PARE [SECONDS [PROGRAMS]]: failing programs of csmith, reduced through their choices,
# as trees, by the default, as a portfolio and by creduce, for SECONDS each (30).
#
# Prints, for each program and way, the bytes left and the tests that were run, and how many
# candidates gcc rejected as no programs.  Of what choices make none may be: else it fails.
# WAYS in the environment names some of them: choices, portfolio, perses, auto, creduce.
# Where csmith is missing it ends with 77, where creduce or tcc are, they are left out.
set -eu
pare=$(realpath "$1")
seconds=${2:-30}
programs=${3:-20}
here=$(cd "$(dirname "$0")" && pwd)
tools=$(mktemp -d "${TMPDIR:-/tmp}/pare-csmith-XXXXXX")
trap 'rm -rf "$tools"' EXIT
for need in csmith gcc; do
    command -v $need > /dev/null || {
        echo "skipped: $need is not installed"
        exit 77
    }
done
[ -e /usr/include/csmith/csmith.h ] || {
    echo "skipped: csmith.h is not installed (libcsmith-dev)"
    exit 77
}
generator="csmith --max-funcs 3 --max-block-size 3 --max-block-depth 2 --max-expr-complexity 5 --no-unions"

# SEED KIND ARGUMENT, without what a shell would take for a pattern
cases() {
    cat << 'C'
1 warning bool-compare
2 warning pointer-sign
3 warning unused-but-set-variable
4 tcc expected
5 warning type-limits
7 warning tautological-compare
8 tcc expected
9 warning sign-compare
10 warning ignored-qualifiers
11 checksum 1
13 checksum 4
14 warning type-limits
16 warning address
20 warning unused-value
22 warning ignored-qualifiers
24 assembly div
28 warning unused-but-set-parameter
30 assembly idiv
31 assembly div
33 assembly imul
C
}

count() { if [ -f "$1" ]; then wc -l < "$1"; else echo 0; fi; }

# run WAY: reduces $folder/bad.c into $folder/WAY.c; its row's cells go to $row.
run() {
    local way=$1
    rm -f "$folder/calls" "$folder/rejects"
    case $way in
    choices | portfolio)
        "$pare" reduce -q -a "$way" --generator "$generator -s $seed" --choices "$folder/bad.c.choices" \
            --no-journal --max-time "$seconds" -o "$folder/$way.c" -- "$test" || return
        ;;
    creduce)
        cp "$folder/bad.c" "$folder/creduce.c"
        printf '#!/bin/sh\nexec %s creduce.c\n' "$test" > "$folder/creduce.sh"
        chmod +x "$folder/creduce.sh"
        (cd "$folder" && timeout "$seconds" creduce --n 2 ./creduce.sh creduce.c) > /dev/null 2>&1 || true
        ;;
    *)
        "$pare" reduce -q -a "$way" --no-journal --max-time "$seconds" -o "$folder/$way.c" \
            "$test" "$folder/bad.c" || return
        ;;
    esac
    bytes=$(wc -c < "$folder/$way.c")
    rejects=$(count "$folder/rejects")
    row="$row $bytes | $(count "$folder/calls") | $rejects |"
    sum[$way]=$((${sum[$way]:-0} + bytes))
    rejected[$way]=$((${rejected[$way]:-0} + rejects))
    calls[$way]=$((${calls[$way]:-0} + $(count "$folder/calls")))
}

read -r -a ways <<< "${WAYS:-choices portfolio perses auto creduce}"
if [[ " ${ways[*]} " == *" creduce "* ]] && ! command -v creduce > /dev/null; then
    echo "creduce is not installed: left out"
    read -r -a ways <<< "${ways[*]/creduce/}"
fi
declare -A sum rejected calls
head="| seed | failure | bytes |" line="|---|---|---:|"
for way in "${ways[@]}"; do
    head="$head $way: bytes | tests | rejected |"
    line="$line---:|---:|---:|"
done
printf '%s\n%s\n' "$head" "$line"
done_programs=0 all=0
while read -r -u 3 seed kind argument; do
    [ "$done_programs" -lt "$programs" ] || break
    if [ "$kind" = tcc ] && ! command -v tcc > /dev/null; then
        echo "tcc is not installed: seed $seed is left out"
        continue
    fi
    folder=$tools/$seed
    mkdir "$folder"
    test="$here/csmith_test.sh $folder $kind $argument"
    "$pare" generate --record "$folder/bad.c.choices" -o "$folder/bad.c" -- $generator -s "$seed"
    if ! $test "$folder/bad.c"; then
        echo "seed $seed does not fail here ($kind $argument): left out"
        continue
    fi
    size=$(wc -c < "$folder/bad.c")
    row="| $seed | $kind \`$argument\` | $size |"
    for way in "${ways[@]}"; do run "$way" || row="$row failed | | |"; done
    echo "$row"
    done_programs=$((done_programs + 1))
    all=$((all + size))
done 3< <(cases)
row="| all | | $all |"
for way in "${ways[@]}"; do row="$row ${sum[$way]:-0} | ${calls[$way]:-0} | ${rejected[$way]:-0} |"; done
echo "$row"
if [ "${rejected[choices]:-0}" -ne 0 ]; then
    echo "gcc rejected ${rejected[choices]} of what csmith made"
    exit 1
fi
