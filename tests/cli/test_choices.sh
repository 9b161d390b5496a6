#!/bin/bash
# Reduction through the choices of a generator that is another program: its texts have a
# checksum, and use only names that they declare, which neither bytes nor lines can keep.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# Reads choices as bytes; makes declarations, uses and a checksum; fails when they end.
cat > gen.sh <<'G'
#!/bin/sh
exec od -An -v -tu1 -w1 | awk '
    { byte[NR] = $1 }
    function choose(n) { if (at >= NR) { failed = 1; exit 1 } return byte[++at] % n }
    function say(line, i) { print line; for (i = 1; i <= length(line); i++) sum += i * index(all, substr(line, i, 1)) }
    END {
        if (failed) exit 1
        all = "abcdefghijklmnopqrstuvwxyz 0123456789="
        n = choose(20)
        for (k = 0; k < n; k++) {
            if (!declared || choose(2)) { name[declared++] = "v" k; say("let v" k " = " choose(100)) }
            else say("use " name[choose(declared)])
        }
        print "sum " sum % 97
    }'
G
# The failure: a right checksum, and a name that is used twice.
cat > bad.sh <<'T'
#!/bin/sh
awk '
    BEGIN { all = "abcdefghijklmnopqrstuvwxyz 0123456789="; code = 1 }
    $1 == "sum" { right = $2 == sum % 97; next }
    $1 == "use" && ++uses[$2] == 2 { twice = 1 }
    { for (i = 1; i <= length($0); i++) sum += i * index(all, substr($0, i, 1)) }
    END { exit !(right && twice) }' "$1"
T
chmod +x gen.sh bad.sh
# 19 statements: let, let, use, let, use, use, ...
printf '\023\107\001\043\000\001\001\021\000\001\000\001\000\002\001\003\000\000\000\001\001\131\000\003\000\004\001\044\000\002\001\062\001\007\000\003\001\010\000\001\001\001\001\001' > choices
./gen.sh < choices > program
claim "the program fails" ./bad.sh program

claim "choices are reduced" exits 0 "$PARE" reduce "$here/gen.sh < \"\$1\" > made && $here/bad.sh made" choices -a choices -o small --stats stats
./gen.sh < small > made
claim "to the smallest program" [ "$(tr '\n' ';' < made)" = "let v0 = 0;use v0;use v0;sum $(tail -n 1 made | cut -d' ' -f2);" ]
claim "of few choices" [ "$(wc -c < small)" -eq 6 ]
claim "in few tests" [ "$(sed 's/.*"tests_run": *\([0-9]*\).*/\1/' stats)" -lt 200 ]
claim "no lists reach that" exits 0 "$PARE" reduce -q "$here/bad.sh" program -a ddmin -u line -o lines
claim "lines are stuck" [ "$(wc -l < lines)" -gt 4 ]
claim "several jobs find the same" exits 0 "$PARE" reduce "$here/gen.sh < \"\$1\" > made && $here/bad.sh made" choices -a choices -o other -j 4
claim "choice by choice" cmp -s small other
claim "the algorithm is listed" exits 0 "$PARE" reduce --list-algorithms
claim "with its source" grep -q 'Test-case reduction via' out

# The same by options, and a generator that reads a file.
claim "a generator and its choices" exits 0 "$PARE" reduce --generator ./gen.sh --choices choices -o other -- ./bad.sh
claim "reach the same" cmp -s small other
claim "the words of a test" exits 0 "$PARE" reduce --generator 'cat @@' --choices program -o third -- grep -q "use v0" @@.txt
claim "are kept apart" [ "$(cat third)" = "use v0" ]
claim "TEST is needed" exits 2 "$PARE" reduce --generator ./gen.sh --choices choices
claim "which is said" says "TEST is missing: pare reduce --generator COMMAND"
claim "choices are needed" exits 2 "$PARE" reduce --generator ./gen.sh -- ./bad.sh
claim "which is said" says "'--choices' is missing"
claim "TEST stands behind --" exits 2 "$PARE" reduce --generator ./gen.sh --choices choices ./bad.sh
claim "a generator that is not there" exits 3 "$PARE" reduce --generator ./none.sh --choices choices -- ./bad.sh
claim "is named" grep -q "none.sh" err

# Text with brackets is reduced by what these hold: no stretch of a deep expression can go alone.
awk 'BEGIN { for (i = 0; i < 60; i++) { head = head (i % 3 ? "(" i % 9 + 1 "*" : "(")
                                        tail = (i % 2 ? "-" i % 7 + 1 ")" : ")") tail }
             print head "8/0" tail }' > deep.txt
cat > divides.sh <<'TEST'
#!/bin/bash
# An expression with a division by 0.
text=$(cat "$1")
[[ $text =~ ^[-0-9+*/\(\)]+$ && $text == */0* ]] || exit 1
while [[ $text =~ ^(.*)\([0-9]+([-+*/][0-9]+)*\)(.*)$ ]]; do
    left=${BASH_REMATCH[1]} right=${BASH_REMATCH[3]}
    [[ $left != *[0-9\)] && $right != [0-9\(]* ]] || exit 1
    text=${left}1$right
done
[[ $text =~ ^[0-9]+([-+*/][0-9]+)*$ ]]
TEST
chmod +x divides.sh
claim "a deep expression" exits 0 "$PARE" reduce -q ./divides.sh deep.txt -a choices -o shallow --stats stats
claim "becomes the division" [ "$(cat shallow)" = 0/0 ]
claim "in few tests" [ "$(sed 's/.*"tests_run": *\([0-9]*\).*/\1/' stats)" -lt 300 ]

mkdir folder
cp choices folder
printf '#!/bin/sh\n[ -s "$1/choices" ]\n' > has.sh
chmod +x has.sh
claim "a folder has no choices" exits 2 "$PARE" reduce ./has.sh folder -a choices
claim "which is said" grep -q "'choices' needs a single file" err
all_claimed
