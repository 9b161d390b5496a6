#!/bin/bash
# Blocks of lines are reduced first where no language is known, and only there.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# 200 procedures in a notation that nobody knows; what fails needs one line in the 70th, and each
# that is opened must be ended.
for i in $(seq 200); do
    printf 'procedure p%d is\n' "$i"
    for k in 1 2 3 4 5; do printf '  set v%d_%d to %d;\n' "$i" "$k" "$((i * k))"; done
    printf '  if v%d then\n    call q;\n  end if;\n\nend procedure;\n' "$i"
done > in.xyz
cat > test.sh <<'END'
#!/bin/sh
grep -q 'v70_3 to' "$1" || exit 1
[ "$(grep -c '^ *procedure' "$1")" = "$(grep -c '^ *end procedure' "$1")" ]
END
chmod +x test.sh
"$PARE" reduce -j 1 --no-journal --max-tests 40 -o out.xyz --stats out.json ./test.sh in.xyz > out.txt 2>&1 && code=0 || code=$?
claim "the result fails" ./test.sh out.xyz
claim "40 tests leave less than 40 bytes" [ "$(wc -c < out.xyz)" -lt 40 ]
removed() { jq '[.passes[] | select(.name == "structure") | .bytes_removed] | add // 0' "$1"; }
claim "by its structure" [ "$(removed out.json)" -gt 15000 ]

# The same steps with several slots.
for j in 1 3; do
    "$PARE" reduce -j $j --deterministic --no-journal --max-tests 40 -o $j.xyz ./test.sh in.xyz > /dev/null 2>&1 || true
done
claim "the same bytes with several slots" cmp 1.xyz 3.xyz

# A grammar knows better.
printf 'grammar G;\nfile: (LINE)* EOF;\nLINE: ~[\\n]* [\\n];\n' > G.g4
"$PARE" reduce -j 1 --no-journal --max-tests 10 --grammar G.g4 -o by.xyz --stats by.json ./test.sh in.xyz > /dev/null 2>&1 || true
claim "not with a grammar" [ "$(removed by.json)" -eq 0 ]
all_claimed
