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
claim "it leaves nothing" [ "$(echo *)" = 'a.min.sh a.min.txt a.txt err log out prog.sh reduce stats trace1' ]

# --- as every other reduction -------------------------------------------------------------
claim "one at a time" exits 0 ./reduce --trace trace1 -j1
claim "many at once" exits 0 ./reduce --trace trace8 -j8 -o eight
jq -c 'del(.ms)' trace1 >steps1
jq -c 'del(.ms)' trace8 >steps8
claim "by the same steps" cmp steps1 steps8
claim "to the same script" cmp <(sed 1,6d a.min.sh | grep -v '^cp') <(sed 1,6d eight.sh | grep -v '^cp')
claim "stopped" exits 0 ./reduce --max-tests 8 -o again
claim "and gone on" exits 0 ./reduce --trace resumed -o again
claim "without repeating" [ "$(jq -r .source resumed | grep -c cache)" -ge 8 ]
claim "to the same end" cmp <(tail -n1 again.sh) <(tail -n1 eight.sh)
n_kills=0
for pause in 0.05 0.1 0.15; do
    ./reduce --no-journal -o killed -j1 >kill.out 2>&1 &
    pid=$!
    sleep $pause
    kill -9 $pid 2>kill.err && n_kills=$((n_kills + 1))
    wait $pid 2>kill.err
    [ ! -e killed.sh ] || claim "what a kill leaves fails" exits 7 ./killed.sh
done

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

# --- what cannot be ---------------------------------------------------------------------
claim "a test" exits 2 "$PARE" reduce ./prog.sh a.txt --reduce-args
claim "has no arguments" says "'--reduce-args' is about a program"
claim "a shell's text" exits 2 "$PARE" reduce a.txt --reduce-args --exit 7 -- 'cat @@ | grep bug'
claim "has none either" says "a shell's text has no arguments to reduce"
claim "a server" exits 2 "$PARE" reduce a.txt --runner preload --reduce-args --stdout bug -- cat @@
claim "takes one command line" says "leave out --runner"
claim "paths stay whole" exits 0 "$PARE" reduce -q a.txt -o paths --reduce-args --stdout '^/tmp/none' -- echo /tmp/none/of-them
claim "or go" grep -q "echo /tmp/none/of-them <" paths.sh
all_claimed
