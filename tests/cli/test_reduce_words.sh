#!/bin/bash
# --reduce-args and --reduce-env: command lines and environments as lists.
set -u
. "$(dirname "$0")/claims.sh"

# Fails when it gets -x with a value that begins with 3, finds "bug" in its last argument,
# and NEEDED is set; writes down its words.
cat >prog.sh <<'SH'
#!/bin/sh
[ -z "${LOG-}" ] || printf '%s\n' "$*" >>"$LOG"
case " $* " in *" -x 3"*) ;; *) exit 0 ;; esac
[ "$NEEDED" = "it's" ] || exit 0
for last; do :; done
grep -q bug "$last" && exit 7
exit 0
SH
chmod +x prog.sh
printf 'xx\nbug\nyy\n' >a.txt
export NEEDED="it's" USELESS=1 LOG="$here/log"
cat >reduce <<'SH'
#!/bin/sh
exec "$PARE" reduce -q a.txt --reduce-args --reduce-env --exit 7 "$@" -- \
    ./prog.sh -v -o out.file --long=1 -x 35 --what "it's" @@
SH
chmod +x reduce
claim "arguments and variables" exits 0 ./reduce --stats stats --trace trace1 -j1 \
    --writable "$here"
claim "the input is reduced" [ "$(cat a.min.txt)" = bug ]
claim "the command is what is needed" [ "$(jq -r .command stats)" = './prog.sh -x 3 @@' ]
claim "as are the variables" jq -e '.variables == "NEEDED" and .variables_out == 1 and .variables_in > 1' stats
claim "they are counted" jq -e '.arguments_in == 9 and .arguments_out == 3' stats
claim "the path is never without" [ "$(grep -vc '/a.txt' log)" = 0 ]
unset LOG
claim "the script fails as it did" exits 7 env -u NEEDED ./a.min.sh
(cd / && env -u NEEDED "$here/a.min.sh")
claim "from anywhere" [ $? -eq 7 ]
claim "with what is left only" grep -q "NEEDED=it'" a.min.sh
claim "and nothing else" eval '! grep -q USELESS a.min.sh'
claim "it leaves nothing but the history" [ "$(echo *)" = 'a.min.sh a.min.txt a.min.txt.pare a.txt err log out prog.sh reduce stats trace1' ]

# --- as every other reduction -------------------------------------------------------------
claim "one at a time" exits 0 ./reduce --trace trace1 -j1
claim "many at once" exits 0 ./reduce --trace trace8 -j8 --deterministic -o eight
jq -c 'del(.ms)' trace1 >steps1
jq -c 'del(.ms)' trace8 >steps8
claim "by the same steps" cmp steps1 steps8
claim "to the same script" cmp <(sed 1,6d a.min.sh | grep -v '^cp') <(sed 1,6d eight.sh | grep -v '^cp')
claim "stopped" exits 0 ./reduce --max-tests 8 -o again
claim "and gone on" exits 0 ./reduce --trace resumed -o again
claim "without repeating" [ "$(jq -r .source resumed | grep -c cache)" -ge 8 ]
claim "to the same end" cmp <(tail -n1 again.sh) <(tail -n1 eight.sh)

# --- killed at random instants ------------------------------------------------------------
# The journal grows by 40 bytes for each outcome: a kill comes a random number of outcomes
# after the one before, in the middle of whatever is under way then.
journal=killed.pare/journal
outcomes() { echo $((($(stat -c %s $journal 2>/dev/null || echo 64) - 64) / 40)); }
ended_by_itself() { [ ! -d "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }
RANDOM=${PARE_TEST_SEED:-7}
all=$(jq -s 'map(select(.source == "run")) | length' trace1)
n_kills=0
n_scripts=0
n_known=0
lost=0
while [ $n_kills -lt 25 ]; do
    ./reduce -o killed -j$((1 + RANDOM % 4)) >kill.out 2>&1 &
    pid=$!
    wanted=$((n_known + 1 + RANDOM % (all / 12)))
    until [ "$(outcomes)" -ge $wanted ] || ended_by_itself $pid; do :; done
    kill -9 $pid 2>kill.err && ! wait $pid 2>kill.err
    [ -e $journal ] || break # it was at its end
    n_kills=$((n_kills + 1))
    [ "$(outcomes)" -ge $n_known ] || lost=$((lost + 1))
    n_known=$(outcomes)
    [ -e killed.sh ] || continue
    n_scripts=$((n_scripts + 1))
    claim "what kill $n_kills leaves fails" exits 7 ./killed.sh
done
claim "there were kills ($n_kills, $n_scripts with a result)" [ $n_scripts -ge 5 ]
claim "no outcome was lost" [ $lost -eq 0 ]
claim "the same command ends the work" exits 0 ./reduce --trace last -o killed -j1
jq -c 'del(.ms, .source)' last >steps_last
jq -c 'del(.ms, .source)' trace1 >steps1
claim "by the same steps" cmp steps1 steps_last
claim "to the same script" cmp <(tail -n1 killed.sh) <(tail -n1 eight.sh)
claim "and the same input" cmp killed eight
claim "nothing is left of the killed but the history" [ "$(echo killed* killed.pare/*)" = 'killed killed.pare killed.sh killed.pare/history' ]

# --- standard input, suffixes, folders, several files ---------------------------------------
claim "standard input" exits 0 "$PARE" reduce -q a.txt -o input --reduce-args --stdout bug -- cat -u -s
claim "is given by the script" [ "$(sh input.sh)" = bug ]
claim "to the bare program" grep -q '/cat < a.txt$' input.sh
claim "a suffix" exits 0 "$PARE" reduce -q a.txt -o suffix --reduce-args --stdout 'bug' -- cat -v -- @@.c
claim "is in the script" [ "$(sh suffix.sh)" = bug ]
mkdir proj
printf 'x\nbug\n' >proj/a
printf 'y\n' >proj/b
claim "a folder" exits 0 "$PARE" reduce -q proj --reduce-args --stdout bug -- cat -v @@/a -- proj/b
claim "and its script" [ "$(sh proj.min.sh)" = bug ]
claim "which needs one file" [ "$(cd proj.min && echo *)" = a ]
printf 'two\n' >two.txt
claim "several files" exits 0 "$PARE" reduce -q a.txt two.txt -o both --reduce-args --stdout 'bug' -- cat -v @@
claim "in their script" [ "$(sh both.sh 2>said)" = bug ]
printf 'aqbbbbbbbbbbxzzz!!' >pair
claim "other failures" exits 0 "$PARE" reduce -q -u char -a ddmin pair --reduce-args -- "$PARE_HELPERS/two_bugs" @@
sh pair.also/*.run.sh 2>said
claim "have their scripts" grep -q open_list said

# --- no input ---------------------------------------------------------------------------------
mkdir alone && cd alone
claim "words alone" exits 0 "$PARE" reduce --reduce-args --reduce-env --stdout '^needle$' --stats stats \
    --report r.html --trace t -- printf '%s\n' hay needle hay
claim "are reduced" [ "$(jq -r .command stats)" = "printf needle" ]
claim "the script runs them" [ "$(./printf.min.sh)" = needle ]
claim "on nothing" grep -q '< /dev/null$' printf.min.sh
claim "the summary is of a command" grep -q '^printf: a command$' out
claim "and names the script" grep -q '^  script   printf.min.sh$' out
claim "nothing else is left but the history" [ "$(ls | tr '\n' ' ')" = "err out printf.min.sh printf.min.sh.pare r.html stats t " ]
claim "which shows the words" eval '"$PARE" history printf.min.sh show 0 | grep -q "^== argument ==$"'
claim "and has no file to restore" exits 2 "$PARE" history printf.min.sh restore 0
claim "under a name" exits 0 "$PARE" reduce -q --reduce-args -o small --exit 3 -- sh -c 'exit 3' a b
claim "which is the script" exits 3 ./small
echo mine >small
claim "over a file" exits 0 "$PARE" reduce -q --reduce-args -o small --exit 3 -- sh -c 'exit 3' a b
claim "which is kept" [ "$(cat small.~1~)" = mine ]
claim "a candidate's path" exits 2 "$PARE" reduce --reduce-args --exit 3 -- sh -c 'exit 3' @@
claim "needs an input" says "'@@' stands for INPUT, which is missing"
claim "in place" exits 2 "$PARE" reduce --reduce-args --in-place -- sh -c 'exit 3'
claim "of nothing" says "there is no INPUT"
cd ..
rm -rf alone

# --- what cannot be ---------------------------------------------------------------------
claim "a test" exits 2 "$PARE" reduce ./prog.sh a.txt --reduce-args
claim "has no arguments" says "'--reduce-args' is for a PROGRAM"
claim "a shell's text" exits 2 "$PARE" reduce a.txt --reduce-args --exit 7 -- 'cat @@ | grep bug'
claim "has none either" says "a line for a shell has no arguments to reduce"
claim "a server" exits 2 "$PARE" reduce a.txt --runner preload --reduce-args --stdout bug -- cat @@
claim "takes one command line" says "leave out --runner"

# Of a library its name is no argument; each test starts a worker with what is left.
harness=$PARE_HELPERS/harness_library.so
{ seq 1 9; echo x; } >in.txt
claim "a library's words" exits 0 "$PARE" reduce -q in.txt --reduce-args --stats stats \
    --signal SIGABRT -- "$harness" -a b
claim "are reduced" jq -e '.arguments_in == 2 and .arguments_out == 0 and .runner == "spawn"' stats
claim "its name is told once" [ "$(jq -r .command stats)" = "$harness" ]
claim "the script calls it" exits 134 sh ./in.min.sh
claim "by no worker" exits 2 "$PARE" reduce in.txt --reduce-args --runner inprocess -- "$harness" -a
claim "with a sentence" says "leave out --runner"
claim "paths stay whole" exits 0 "$PARE" reduce -q a.txt -o paths --reduce-args --stdout '^/tmp/none' -- echo /tmp/none/of-them
claim "or go" grep -q "echo /tmp/none/of-them <" paths.sh
all_claimed
