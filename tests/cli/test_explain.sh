#!/bin/bash
# pare explain: what is claimed holds on fresh samples; ranges are exact; a program without a test; JSON;
# bounds; hostile bytes; what is said of mistakes; nothing is written.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# Fails for f(17..4242, "not empty", NAME) + NAME;
cat > test.sh << 'EOF'
#!/bin/sh
number='0*(1[7-9]|[2-9][0-9]|[1-9][0-9]{2}|[1-3][0-9]{3}|4([01][0-9]{2}|2([0-3][0-9]|4[0-2])))'
exec grep -qzxE "f\($number, \"[^\"]+\", ([[:alnum:]_]+)\) \+ \\4;[[:space:]]*" "$1"
EOF
chmod +x test.sh
echo 'f(1000, "abc", x) + x;' > in.txt
mkdir data
export XDG_DATA_HOME=$PWD/data
claim "explains" exits 0 "$PARE" explain -j2 in.txt ./test.sh
claim "a range with its ends" grep -qE '^  line 1:3 +1000 +from 17 to 4242: ' out
claim "a name in all its places" grep -qE '^  line 1:16 +x +any name in 2 places: ' out
claim "which is another than one with a sign" grep -qE '^ +not with: -1000 00 \(nothing\) q 0$' out
claim "a string that must not be empty" bash -c 'tr -s "\n " " " < out | grep -qE "line 1:9 .abc. any string but the empty one 59 of 59 still fail fails with: .qabc. "'
claim "and what was tried in its place" grep -qE '^ +not with: \(nothing\) 7 ""$' out
claim "the answer in a sentence" bash -c 'sed -n "2,14p" out | tr -s "\n " " " | grep -qF "The failure needs f and '"'+'"'; 1000 may be any whole number from 17 to 4242; \"abc\" may be any string but the empty one (not 7); x may be any name."'
claim "then how many parts that are" grep -qxF '  Of 5 parts: 2 needed, 3 may vary.' out
claim "what is needed" grep -qE '^  line 1:1 +f +needed: 8 others do not fail, such as qf$' out
claim "with others of its kind and beyond" grep -qE '^ +not with: \(nothing\) F 7 ' out
claim "and with its smallest change" grep -qE '^  line 1:19 +\+ +needed: [0-9] others do not fail, such as -$' out
claim "what fails comes first" [ "$(sed -n 2,3p out | tr -s ' \n' ' ')" = ' It makes this test exit with 0: ./test.sh ' ]
claim "with how the test decides" grep -qF '    exec grep -qzxE "f' out
claim "the head says what the number counts" grep -qE '^in.txt: 23 bytes, explained in [0-9]+ tests$' out
claim "with marks under the text" grep -qxF '    ^^^^  ~~~~~  ~    ~' out
claim "nothing is written" [ "$(ls | tr '\n' ' ')" = 'data err in.txt out test.sh ' ]
claim "which are explained" grep -qxF '  ~ any of its kind   ^ any of a range' out
claim "what was not varied is told" grep -qxF '  Each sign between is needed, too: ( , ) ;' out
claim "and what so many tests say of all" grep -q 'Where 59 of 59 still fail, 95 % or more' out
claim "and what was not varied" grep -qxF '  Not varied: blanks.' out
claim "in 80 columns" [ "$(awk 'length > 80' out)" = "" ]
claim "as JSON" exits 0 "$PARE" explain --json in.txt ./test.sh
claim "with ends" [ "$(jq -c '.parts[] | select(.verdict == "range") | [.from, .to, .low, .high]' out)" = '[2,6,17,4242]' ]
claim "with a pattern" [ "$(jq -r .pattern out | head -n 1)" = \
    'f(<whole number from 17 to 4242>, <string, not empty>, <name>) + <name>;' ]
claim "within 300 tests" [ "$(jq .tests out)" -le 300 ]
claim "and the sentence" [ "$(jq -r .sentence out | cut -c 1-22)" = 'The failure needs f an' ]
claim "all at once" [ "$(jq .together out)" = true ]
claim "which stays in all runs" [ "$(jq -c .again out)" = '{"runs":3,"fails":3}' ]

# New failing inputs of the pattern, by other samples; each part in turn; the same for a seed.
cp out pattern.json
mkdir made
claim "makes texts of it" exits 0 "$PARE" generate --pattern pattern.json -n 12 --seed 5 -o made/%d
claim "which fail" bash -c 'for f in made/*; do ./test.sh "$f" || exit 1; done'
claim "and differ" [ "$(sort -u made/* | wc -l)" -eq 12 ]
claim "by a seed" [ "$("$PARE" generate --pattern pattern.json -n 12 --seed 5 | md5sum)" = \
    "$("$PARE" generate --pattern pattern.json -n 12 --seed 5 | md5sum)" ]
claim "one part at a time" exits 0 "$PARE" generate --pattern pattern.json --one -n 3
claim "in turn" grep -qE '^f\([0-9]+, "abc", x\) \+ x;$' out
claim "no pattern" exits 3 "$PARE" generate --pattern in.txt
claim "is told" says "in.txt: line 1"
rm -r made pattern.json
# What is left of it after the disk is full is no success, and no lack of memory.
for form in '' --json; do
    claim "a full disk $form" exits 3 bash -c '"$1" explain --max-tests 5 $2 in.txt ./test.sh > /dev/full' \
        bash "$PARE" "$form"
    claim "is told" says "cannot write to standard output: No space left on device"
done
claim "a reader that has seen enough" bash -c '"$1" explain --max-tests 5 --json in.txt ./test.sh | head -c 1 > /dev/null
    exit ${PIPESTATUS[0]}' bash "$PARE"
claim "a budget" exits 0 "$PARE" explain --max-tests 5 in.txt ./test.sh
claim "that is spent is told" bash -c 'tr -s "\n " " " < out | grep -qF "The limit of tests ("'
claim "with what was not tried" grep -qE '^  line 1:16 +x +not tried$' out

# Ctrl-C in the second test: what is known is told, and the exit code is that of an interrupted run.
cat > interrupting.sh << EOF
#!/bin/sh
echo . >> "$PWD/runs"
if [ "\$(wc -l < "$PWD/runs")" -eq 3 ]; then kill -INT "\$(cat "$PWD/pare.pid")"; sleep 100; fi
exec ./test.sh "\$1"
EOF
sed -i "s#exec ./test.sh#exec $PWD/test.sh#" interrupting.sh
chmod +x interrupting.sh
claim "an interrupted run" exits 130 sh -c 'echo $$ > pare.pid; exec "$@"' sh "$PARE" explain -j1 in.txt \
    ./interrupting.sh
claim "tells what it has" grep -q 'Interrupted' out

# The test passes from its 20th run on, for the result as well: a busy machine, or bad luck.
cat > tiring.sh << EOF
#!/bin/sh
echo . >> "$PWD/tired"
[ "\$(wc -l < "$PWD/tired")" -lt 20 ] && exec "$PWD/test.sh" "\$1"
exit 1
EOF
chmod +x tiring.sh
claim "a failure that goes" exits 0 "$PARE" explain -j1 in.txt ./tiring.sh
claim "is told before all else" bash -c 'sed -n 2,20p out | grep -q "Run again, the result itself fails in 0 of 3 runs"'
claim "a folder" exits 3 "$PARE" explain data ./test.sh
claim "is told what to give" says "give one file"
claim "a missing file" exits 3 "$PARE" explain nowhere ./test.sh

# Many parts in long lines: what may vary has a row; what is needed shares one with others of its line.
printf 'keep(%s);\nkeep(4711, "\303\244\303\266%s");\n' "$(seq -s ', ' 10 49)" "$(printf 'x%.0s' {1..100})" > long.txt
cat > long.sh << 'EOF'
#!/bin/sh
IFS= read -r first < "${0%/*}/long.txt"
IFS= read -r line < "$1" && [ "$line" = "$first" ] && exec grep -qE '^keep\([0-9]+, ".*"\);$' "$1"
EOF
chmod +x long.sh
claim "many parts" exits 0 "$PARE" explain -j2 --lang none long.txt ./long.sh
claim "are told in 80 columns" [ "$(LC_ALL=C.UTF-8 awk 'length > 80' out)" = "" ]
claim "and few lines" [ "$(wc -l < out)" -lt 55 ]
claim "what may vary first" grep -qE '^  line 2:6    4711 +any whole number tried, none with a sign$' out
claim "what is needed together" grep -qE '^  line 1    keep -> qkeep   10 -> [0-9]+   11 -> [0-9]+ ' out
claim "where a line of the text goes on it is said" grep -qE '^  \.\.\.  , 27, ' out
claim "a longer line goes on below" [ "$(grep -c '^  line 1 ' out)" -gt 2 ]

# A program without a test.
cat > program.py << 'EOF'
import sys
numbers = [int(n) for n in open(sys.argv[1]).read().split()]
print([10 // n for n in numbers])
EOF
printf '0\n' > zero.txt
# More than could ever be read: a sparse file, which is refused by its size.
truncate -s 1T endless.log
claim "a log that is far too large" exits 3 "$PARE" explain endless.log 'grep -q b'
claim "is refused at once" says '1099511627776 bytes are too many to explain'
rm endless.log

claim "a program" exits 0 "$PARE" explain --max-tests 9 zero.txt -- python3 program.py @@
claim "needs its zero" grep -qE '^  line 1:1 +0 +some others: 1 of 8 still fail$' out
claim "or two of them, and nothing else" bash -c 'tr -s "\n " " " < out | grep -qE "fails with: 00 not with: -1 .nothing. q 1 "'
claim "and says how it fails" grep -qF 'exit 1; frame "<listcomp> program.py"; diagnostic "ZeroDivisionError' out
# A test that hides what its program says: it is watched once, and told.
cat > hiding.sh << 'EOF'
#!/bin/sh
# A comment says nothing.
cp "$1" copy.txt
jq -e '1 / .' copy.txt > said 2>&1
[ $? = 5 ] && grep -q divide said
EOF
chmod +x hiding.sh
claim "a test that hides its program" exits 0 "$PARE" explain --max-tests 4 --json zero.txt ./hiding.sh
claim "is seen through" bash -c 'jq -r .programs out | grep -qE "^jq -e .1 / \\..? copy.txt: exit code 5, and prints: jq: error .*divide"'
claim "as text" exits 0 "$PARE" explain --max-tests 4 --report hidden.html zero.txt ./hiding.sh
tests=$(sed -n '1s/.*explained in \([0-9]* tests\)$/\1/p' out)
claim "in as many tests as the page says" grep -qF "explained in ${tests:-none}, " hidden.html
claim "in lines of 80 columns" [ "$(awk 'length > 80' out)" = "" ]
claim "that say what it does" bash -c 'tr -s "\n " " " < out | grep -qF "In the test: jq -e "'
# Two failures that the test takes for one: which of them a variant shows is told.
cat > either.sh << 'EOF'
#!/bin/sh
jq -e 'if . == 0 then error("zero") else error("not zero") end' "$1" > said 2>&1
[ $? = 5 ]
EOF
chmod +x either.sh
claim "a test that is content with two failures" exits 0 "$PARE" explain --max-tests 80 zero.txt ./either.sh
claim "and a variant that shows the other one" bash -c 'tr -s "\n " " " < out | grep -qE "Of 2 variants that fail, and were watched, [12] ends? in another way; the first with [0-9]+ for 0 at 1:1. jq .* not zero"'
claim "as text again" exits 0 "$PARE" explain --max-tests 4 zero.txt ./hiding.sh
claim "without its comments" bash -c '! grep -q "A comment says nothing" out'
claim "and on the page" grep -qF '<li><code>jq -e ' hidden.html
claim "and nothing is left of the run" [ "$(find . -name "*pare-*" -o -name copy.txt -o -name said)" = "" ]
printf 'a\001b\033[31mc "\377\376"\n' > hostile.txt
claim "hostile bytes" exits 0 "$PARE" explain hostile.txt 'grep -q b'
claim "are not printed" bash -c '! grep -q "$(printf "\033")" out'
claim "a result of bytes" bash -c 'printf "NEEDLE 7\001\002\377\000" > bytes.bin'
claim "is explained" exits 0 "$PARE" explain bytes.bin 'grep -qa NEEDLE'
claim "by offsets and digits" grep -qE '^  at 0x7 +37 = "7" +any whole number' out
claim "in the sentence by its word and place" grep -qF 'The failure needs "NEEDLE" at byte 0x0;' out
claim "not as text but as digits" grep -qE '^  000000  4e 45 45 44 4c 45 20 37  ?01 02 ff 00 +NEEDLE 7\.\.\.\.$' out
claim "with marks under them" grep -qE '^ {28}~~ ~~ ~~ ~~ ~~ ~~$' out
claim "nor in JSON" exits 0 "$PARE" explain --max-tests 9 --json hostile.txt 'grep -q b'
claim "which can be read" [ "$(jq ".parts | length" out)" -gt 2 ]
printf 'n\303\251\377 7 b\n' > mixed.txt
claim "of letters beyond ASCII" exits 0 "$PARE" explain --max-tests 4 --json mixed.txt 'grep -qa b'
claim "which stay beside what is none" [ "$(jq -r '.parts[0].text' out)" = "$(printf 'n\303\251?')" ]

# Of many parts, one that may be some others is told as that, though it is listed with those needed.
{ echo {a..z}; echo 'one > two'; } > some.txt
cat > some.sh << EOF
#!/bin/sh
exec grep -qzE '^$(echo {a..z}).one ([<>]=?|!=|) two' "\$1"
EOF
chmod +x some.sh
claim "a part for which some others do" exits 0 "$PARE" explain --lang none some.txt ./some.sh
claim "is told so" grep -qE '^  line 2:5 +> +some others: [0-9] of [0-9] still fail$' out
claim "with those that do" grep -qE '^ +fails with: .*< ' out
claim "and those that do not" grep -qE '^ +not with: .* ==$' out

# Of many bytes: stretches of what is needed, and folds on the page.
{ for n in {10..22}; do printf 'w%dx\001\377' "$n"; done; printf '\002 77 \002'
  for n in {50..56}; do printf 'w%dx\001\377' "$n"; done; } > many.bin
LC_ALL=C sed -E 's/\x02 [0-9]+ \x02/\x02 [0-9]+ \x02/' many.bin > many.form
printf '#!/bin/sh\nLC_ALL=C exec grep -qazxE -f %s/many.form "$1"\n' "$PWD" > many.sh
chmod +x many.sh
claim "many bytes" exits 0 "$PARE" explain --report many.html many.bin ./many.sh
claim "are told in few lines" [ "$(wc -l < out)" -lt 40 ]
claim "by where they are" grep -qE '^  at 0x50 +37 37 = "77" +any whole number' out
claim "and stretches of what is needed" [ "$(grep -A1 -F 'Needed, by first and last byte, with' out | tail -n 1)" = \
    '  0x0..0x4f 0x52..0x7c' ]
claim "which are folded on the page" grep -q '<summary>45 parts are needed</summary>' many.html
claim "below what may vary" [ "$(grep -n 'What may vary' many.html | cut -d: -f1)" -lt \
    "$(grep -n '45 parts are needed' many.html | cut -d: -f1)" ]
claim "what was not tried is folded as well" bash -c '"$PARE" explain --max-tests 20 --report many.html many.bin \
    ./many.sh > out && grep -qE "<summary>[0-9]+ parts were not tried</summary>" many.html'

# A number that has its sign in its token.
cat > L.g4 << 'EOF'
grammar L;
start : '[' NUMBER (',' NUMBER)* ']' EOF ;
NUMBER : '-'? [0-9]+ ;
WS : [ \n]+ -> skip ;
EOF
printf '[-40,5]\n' > signed.txt
cat > signed.sh << 'EOF'
#!/bin/sh
exec grep -qE '^\[-0*(1[7-9]|[2-9][0-9]|[1-9][0-9]{2,}),-?[0-9]+\]$' "$1"
EOF
chmod +x signed.sh
claim "a negative number" exits 0 "$PARE" explain --grammar L.g4 signed.txt ./signed.sh
claim "is a range without its sign" grep -qE '^  line 1:3 +40 +from 17 on: ' out
claim "and the sign is needed, of which none is another" grep -qE '^  line 1:2 +- +needed: 2 others do not fail; nor left out$' out
claim "which is no rest" grep -qxF '  Each sign between is needed, too: [ , ]' out
# Near 1000 each size has one outcome when it is asked first, and the other one from then on.
mkdir seen
cat > vague.sh << EOF
#!/bin/sh
n=\$(tr -cd 0-9 < "\$1")
[ "\${#n}" -le 9 ] || exit 0
[ "\${n:-0}" -ge 990 ] || exit 1
[ "\$n" -le 1010 ] || exit 0
if mkdir "$here/seen/\$n" 2> /dev/null; then [ "\$n" -ge 1000 ]; else [ "\$n" -lt 1000 ]; fi
EOF
chmod +x vague.sh
echo 2000 > vague.txt
claim "an end that is another one each time" exits 0 "$PARE" explain -j1 --runner spawn --lang none vague.txt ./vague.sh
claim "is told as that" grep -qE '^  line 1:1 +2000 +from about 1000 on: ' out
claim "with what that means" grep -qF 'An end that is "about" a number' out
rm -r seen && mkdir seen
claim "also as JSON" exits 0 "$PARE" explain -j1 --runner spawn --lang none --json vague.txt ./vague.sh
claim "by a word" [ "$(jq -c '.parts[] | [.low, .low_is_vague]' out)" = '[1000,true]' ]
printf 'x = -5 * 1;\n' > minus.txt
claim "a sign that is a token" exits 0 "$PARE" explain --json --lang none minus.txt 'grep -qE "^x = [-+]?5 "'
claim "may be any, or none" [ "$(jq -c '.parts[] | select(.sampled_as == "sign" and .from == 4) | [.kind, .verdict]' out)" = \
    '["sign, or none","any"]' ]
cp out minus.json
claim "makes new texts" exits 0 "$PARE" generate --pattern minus.json --one -n 30
claim "with and without it" [ "$(grep -oE '^x = [-+]?5 ' out | sort -u | wc -l)" -eq 3 ]
printf '[1,2,3,3,3]\n' > rounds.txt
claim "a list" exits 0 "$PARE" explain --grammar L.g4 rounds.txt \
    "grep -qE '(,[^,]*){3}'"
claim "of which so many are needed" grep -qE '^  line 1:3 +,2,3,3,3 +3 or more in a row: ' out
: > empty.txt
claim "an empty result" exits 1 "$PARE" explain empty.txt true
claim "is refused" says "there is nothing to explain"
head -c 100000 /dev/zero | tr '\0' x > large.txt
claim "one that is no result" exits 3 "$PARE" explain large.txt true
claim "is told what to do" says "reduce them first, with 'pare reduce'"
claim "one that passes" exits 1 "$PARE" explain in.txt false
claim "no test" exits 2 "$PARE" explain in.txt
claim "names the form" says "pare explain RESULT TEST [options]"
claim "swapped" exits 2 "$PARE" explain ./test.sh in.txt
# Without a test: that of the reduction, from its history, and what is kept of the failure.
claim "a reduction" exits 0 "$PARE" reduce -q --lang none -o small.txt ./test.sh in.txt
claim "leaves its test for the explanation" exits 0 "$PARE" explain small.txt --max-tests 20
claim "which says so" says "using the test of its reduction: ./test.sh"
claim "and explains" grep -q '^small.txt: .* tests$' out
claim "one of a program" exits 0 "$PARE" reduce -q -o zero.min zero.txt --message ZeroDivision --timeout 30 --max-tests 3 -- \
    python3 program.py @@
claim "has that and its options" exits 0 "$PARE" explain zero.min --max-tests 2
claim "and says so" says "using the program of its reduction: python3 program.py @@"
mkdir elsewhere
claim "in another folder" bash -c 'cd elsewhere && ! "$PARE" explain ../small.txt > ../out 2> ../err'
claim "it is told where" grep -q "was reduced in another folder, .*: explain it there, or name the TEST" err
claim "without a history" exits 0 "$PARE" reduce -q --no-history --lang none -o bare.txt ./test.sh in.txt
claim "there is none" exits 2 "$PARE" explain bare.txt
claim "and it is told what to give" says "pare explain RESULT TEST [options]"
rm -r elsewhere

# At the end of a reduction: the explanation, and the result laid out as the input was.
cat > long.c << 'C'
int unused(void) {
    return 1;
}

int main(void)
{
    int a = 7;
    if (a > 5) {
        return crash(a + 12);
    }
    return 0;
}
C
cat > crashes.sh << 'T'
#!/bin/sh
exec grep -qzE "main\(void\)[[:space:]]*\{[[:space:]]*int[[:space:]]+a *= *7;[[:space:]]*if *\(a *> *5\)[[:space:]]*\{[[:space:]]*crash\(\"$(printf '\302\233')2J\"[[:space:]]*,[[:space:]]*a" "$1"
T
# U+009B begins an escape sequence, as ESC [ does.
sed -i "s/return crash(/crash(\"$(printf '\302\233')2J\", /" long.c
chmod +x crashes.sh
claim "at the end of a reduction" exits 0 "$PARE" reduce --no-journal --lang none -o short.c --explain \
    ./crashes.sh long.c
claim "there is an explanation" grep -qE '^  line 1:[0-9]+ +7 +needed: [0-9] others do not fail, such as 6$' out
claim "and the result as it was laid out" grep -q 'Laid out as the input was' out
claim "with its lines" grep -qx '      if (a > 5) {' out
claim "and nothing that a terminal obeys" bash -c '! grep -qa "$(printf "\302\233")" out'
claim "only for one file" exits 2 "$PARE" reduce --explain -o folder.min true data long.c
claim "is told" says "'--explain' is for one file"

all_claimed
