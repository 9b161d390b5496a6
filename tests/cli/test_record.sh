#!/bin/bash
# Generators that are other programs: their randomness is recorded, replayed and reduced, so
# that what they make stays what they make.
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
gen=$PARE_HELPERS/random_program

# --- recording and replaying -------------------------------------------------------------

claim "a generator is recorded" exits 0 "$PARE" generate --record p.choices -o p -v -- "$gen" rand 9
claim "which is told" says "choices, "
claim "and makes what it makes alone" cmp -s p <("$gen" rand 9)
claim "the choices are a file of numbers" [ "$(head -n 1 p.choices)" = "pare choices 1" ]
claim "the same choices" exits 0 "$PARE" generate --replay p.choices -- "$gen" rand 1000
claim "make the same, whatever its seed is" cmp -s out p

for source in rand rand_r random random_r drand48 erand48 lrand48 nrand48 mrand48 jrand48 \
    lrand48_r getrandom getentropy arc4random arc4random_buf arc4random_uniform read fread; do
    run "$PARE" generate --record s.choices -o s -- "$gen" $source 5
    [ "$code" -eq 3 ] && grep -q 'code 77' err && continue # the C library has it not
    claim "$source is recorded" [ "$code" -eq 0 ]
    claim "$source is replayed" exits 0 "$PARE" generate --replay s.choices -- "$gen" $source 6
    claim "$source gives the same again" cmp -s out s
done
claim "a shell's programs, too" exits 0 "$PARE" generate --record sh.choices -o sh -- "$gen random 1; $gen read"
claim "one after the other" exits 0 "$PARE" generate --replay sh.choices -- "$gen random 2; $gen read"
claim "make the same" cmp -s out sh

# --- what cannot be recorded -----------------------------------------------------------------

claim "no randomness" exits 1 "$PARE" generate --record n -- "$gen" none
claim "is said" says "makes no choice that can be recorded"
claim "a static program" exits 2 "$PARE" generate --record n -- "$PARE_HELPERS/true_static"
claim "is refused" says "it is linked statically, so that nothing can be preloaded into it"
claim "in a shell nothing is seen of it" exits 1 "$PARE" generate --record n -- "true; $PARE_HELPERS/true_static"
claim "which is said" says "or is linked statically"
claim "a generator that fails" exits 1 "$PARE" generate --record n -- "$gen"
claim "with its exit code" says "ends with code 3"
claim "one that does not end" exits 1 "$PARE" generate --record n --timeout 0.2 -- sleep 1000
claim "is killed" says "did not end within 200 ms"
head -n 5 p.choices > short
claim "too short a list" exits 1 "$PARE" generate --replay short -- "$gen" rand
claim "is told" says "the list of choices ends before the text"
printf 'pare choices 1\n12\nx\n' > wrong
claim "a file with an error" exits 3 "$PARE" generate --replay wrong -- "$gen" rand
claim "is told where" says "wrong:3: a choice must be a number"
claim "another file" exits 3 "$PARE" generate --replay p -- "$gen" rand
claim "is none" says "p:1: this is not a list of choices"
claim "a command is needed" exits 2 "$PARE" generate --record n
claim "behind --" exits 2 "$PARE" generate --record n "$gen"
claim "one of the two" exits 2 "$PARE" generate --record n --replay p.choices -- "$gen" rand
claim "a time is no choice" exits 1 "$PARE" reduce --generator "$gen rand; date +%N" --choices p.choices -- true
claim "which is said" says "makes a different text from the same choices each time"

# --- reduction ----------------------------------------------------------------------------------

# A program of 'rand' with a length, declarations and a checksum, which only replaying keeps.
"$PARE" generate --record bad.txt.choices -o bad.txt -- "$gen" rand 27
cat > test.sh <<T
#!/bin/sh
"$gen" check "\$1"
code=\$?
echo "\$code" >> "$here/codes"
exit \$code
T
chmod +x test.sh
claim "it fails" ./test.sh bad.txt
: > codes
claim "recorded choices are reduced" exits 0 "$PARE" reduce --generator "$gen rand" --choices bad.txt.choices --stats stats -j 1 --trace trace.1 -- ./test.sh
claim "to a text that has its name" [ -s bad.min.txt ]
claim "of one name that is used twice" [ "$(sort bad.min.txt | grep -cE '^(let v0 = [0-9]|use v0)$')" -eq 3 ]
claim "and nearly nothing else" [ "$(wc -c < bad.min.txt)" -lt 60 ]
claim "of choices that are kept" exits 0 "$PARE" generate --replay bad.min.txt.choices -- "$gen" rand
claim "and make it" cmp -s out bad.min.txt
claim "no candidate was anything but a program" [ "$(grep -c 2 codes)" -eq 0 ]
claim "nothing is said of minimality" grep -q '"minimal": "none"' stats
claim "with three jobs" exits 0 "$PARE" reduce --generator "$gen rand" --choices bad.txt.choices -o other.txt -j 3 --trace trace.3 -- ./test.sh
claim "the same is found" cmp -s bad.min.txt other.txt
claim "by the same steps" cmp -s <(sed 's/"source".*//' trace.1) <(sed 's/"source".*//' trace.3)
# What the generator made is in the journal: a run that goes on makes the input's text twice, and little more.
cat > counted.sh <<T
#!/bin/sh
echo >> "$here/runs"
exec "$gen" rand
T
chmod +x counted.sh
again() { : > runs; exits 0 "$PARE" reduce --generator ./counted.sh --choices bad.txt.choices --journal kept -o kept.txt "$@" -- ./test.sh; }
claim "one that is stopped" again --max-tests 30
claim "runs the generator often" [ "$(wc -l < runs)" -gt 40 ]
claim "goes on" again --max-tests 30
claim "with what it had made" [ "$(wc -l < runs)" -le 4 ]
claim "to the same" again
claim "of which nothing changes" cmp -s bad.min.txt kept.txt
claim "bytes are stuck" exits 0 "$PARE" reduce -q ./test.sh bad.txt -a ddmin -u line -o lines
claim "trees, too" exits 0 "$PARE" reduce -q ./test.sh bad.txt -o trees -a perses
claim "far above" [ "$(wc -c < trees)" -gt $((4 * $(wc -c < bad.min.txt))) ]
claim "and other randomness" exits 0 "$PARE" generate --record dev.choices -o dev -- "$gen" fread
claim "is reduced, too" exits 0 "$PARE" reduce --generator "$gen fread" --choices dev.choices -o dev.min --max-tests 5 -- "$gen check"' "$1"; [ $? -lt 2 ]'
claim "the text is where the mark is" exits 0 "$PARE" reduce --generator "$gen rand" --choices bad.txt.choices -o marked.txt --max-tests 5 -- sh test.sh @@ behind
printf 'case $2 in *.zz) sh "%s/test.sh" "$2" ;; *) exit 1 ;; esac\n' "$here" > named.sh
claim "with a name of its own" exits 0 "$PARE" reduce --generator "$gen rand" --choices bad.txt.choices -o named.txt --max-tests 5 -- sh named.sh before @@.zz behind
claim "in a shell's text, too" exits 0 "$PARE" reduce --generator "$gen rand" --choices bad.txt.choices -o shell.txt --max-tests 5 -- "true && sh $here/test.sh @@"
# A generator that keeps a stack of its own, as pare's do, says with its calls nothing of what belongs
# together; it tells the recorder.  These choices make an expression of 84 bytes.
cat > Expr.json <<'G'
{"<start>": ["<expr>"],
 "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
 "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
 "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
 "<integer>": ["<digit><integer>", "<digit>"],
 "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}
G
awk 'BEGIN { print "pare choices 1"
             for (s = (15 * 1103515245 + 12345) % 2147483648; n++ < 1500; print int(s / 8)) s = (s * 1103515245 + 12345) % 2147483648 }' \
    > deep.choices
deep="$PARE generate -g Expr.json --fuzzer complex --unseeded --max-depth 10"
claim "a deep expression" exits 0 "$PARE" generate --replay deep.choices -o deep.txt -- $deep
claim "of 84 bytes" [ "$(wc -c < deep.txt)" -eq 84 ]
# With sanitizers each run of the generator, which is ours, takes ten times as long.
if [ -z "$PARE_SANITIZE" ]; then
    claim "its choices" exits 0 "$PARE" reduce -q --generator "$deep" --choices deep.choices \
        -o deep.min --stats stats -- grep -q '((.*))'
    claim "come to the smallest one" [ "$(wc -c < deep.min)" -eq 6 ]
    claim "whose brackets fail" grep -qE '^\(\([0-9]\)\)$' deep.min
fi

claim "not in place" exits 2 "$PARE" reduce --generator "$gen rand" --choices bad.txt.choices --in-place -- ./test.sh
all_claimed
