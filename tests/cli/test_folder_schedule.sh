#!/bin/bash
# Folders by what each phase earns in each file: few tests, a minimal end, the same again.
set -u
. "$(dirname "$0")/claims.sh"

mkdir -p proj/a proj/b
for i in 1 2 3 4; do
    for k in 1 2 3 4 5 6; do echo "line $k of text $i: [some, (words)]; \"more\" = 17"; done >proj/a/t$i.txt
done
echo 'if (ready) { call("what", 12345); }' >>proj/a/t3.txt
for i in 1 2 3; do
    printf 'int f%d(int a)\n{\n    int b = a * 3;\n    if (b > 4) { return b - a; }\n    return a;\n}\n' $i
done >proj/b/f.c
printf '{"list": [1, 2, {"deep": [true, "text"]}], "other": null}\n' >proj/b/d.json
cat >test.sh <<'SH'
#!/bin/sh
grep -q 'call(.*2.*)' "$1/a/t3.txt" && grep -q 'return.*a;' "$1/b/f.c" && grep -q '\[.*"deep".*\]' "$1/b/d.json"
SH
chmod +x test.sh
stat_of() { jq -r "$1" stats.json; }

claim "a folder" exits 0 "$PARE" reduce -q -j1 ./test.sh proj -o out.one --stats stats.json
claim "ends minimal" [ "$(stat_of .stopped)" = minimal ]
claim "with what is needed" \
    [ "$(cat out.one/a/t3.txt out.one/b/f.c out.one/b/d.json)" = 'call(2)returna;["deep"]' ]
claim "in few tests" [ "$(stat_of .tests_run)" -le 260 ]
tests=$(stat_of .tests_run)
claim "the same at -j8" exits 0 "$PARE" reduce -q -j8 --deterministic ./test.sh proj -o out.eight
claim "indeed" diff -r out.one out.eight
claim "what was found needs nothing more" exits 0 "$PARE" reduce -q -j1 ./test.sh out.one -o out.again
claim "indeed nothing" diff -r out.one out.again

claim "with less effort" exits 0 "$PARE" reduce -q -j1 --effort fast ./test.sh proj -o out.fast \
    --stats stats.json
claim "it says why it stopped" [ "$(stat_of .stopped)" = effort ]
claim "and runs no more tests" [ "$(stat_of .tests_run)" -le "$tests" ]

claim "a part of it" exits 0 "$PARE" reduce -q -j1 --max-tests 60 ./test.sh proj -o out.part
claim "goes on to the same" exits 0 "$PARE" reduce -q -j1 ./test.sh proj -o out.part --stats stats.json
claim "indeed the same" diff -r out.one out.part
claim "in what is left of the tests" [ "$(stat_of .tests_run)" -le $((tests - 50)) ]

# A folder with all that a program needs, of which one file is reduced: the others cost no step each.
mkdir -p whole/packages
(cd whole/packages && seq 2500 | split -l 1 -a 3 - p)
printf '%s\n' 'one line' 'call("what")' 'another line' >whole/shop.txt
claim "one file of many" exits 0 "$PARE" reduce -q -j1 whole --only shop.txt -o whole.out --stats stats.json \
    --exit 0 --any-output call -- 'cat @@/shop.txt'
claim "is reduced" [ "$(cat whole.out/shop.txt)" = call ]
claim "in few tests" [ "$(stat_of .tests_run)" -le 60 ]
claim "sizes are of what may be reduced" [ "$(stat_of .bytes_in) $(stat_of .bytes_out)" = "$(wc -c <whole/shop.txt) 4" ]
claim "and the others stay" diff -r whole/packages whole.out/packages

all_claimed
