#!/bin/bash
# What a reduction leaves of its way: listed, shown, compared, restored; of files, folders, runs in
# place, runs that were ended and went on; and what happens to a history that is damaged or cannot be
# written.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

seq 1 200 > x.txt
cp x.txt same
holds() { [ "$(cat "$1")" = "$2" ]; }
lines_of() { exits 0 "$PARE" history "$@" && [ ! -s err ] && wc -l < out; }
reduce() { exits 0 "$PARE" reduce -q -j1 -a ddmin -u line --timeout 60 "$@"; }
history() { exits 0 "$PARE" history "$@"; }

# --- the input's name ----------------------------------------------------------------------------
cp x.txt in.d.txt
claim "a result with the default name" reduce 'grep -qx 42' in.d.txt
claim "has its history by the input's name, too" history in.d.txt
claim "of the same steps" grep -q '^     0 .*the input$' out
claim "another input has none" exits 1 "$PARE" history in.txt

# --- one file ------------------------------------------------------------------------------------
claim "a reduction" reduce --trace trace.jsonl -o y 'grep -qx 42' x.txt
claim "leaves its history" [ "$(echo y.pare/*)" = y.pare/history ]
claim "in less than 64 KiB" [ "$(stat -c %s y.pare/history)" -lt 65536 ]
claim "a list" history y
claim "begins with what its columns are" grep -q '^  step .*bytes.*test.*phase$' out
claim "and with the input" grep -qE '^ +0 +692 +0 +the input$' out
claim "no line is wider than 80 columns" [ "$(wc -L < out)" -le 80 ]
tail -n +3 out | awk '{ print $3 }' | tr -d , > tests
python3 -c 'import json
for line in open("trace.jsonl"):
    test = json.loads(line)
    if test["accepted"]: print(test["n"])' > accepted
claim "its tests are the accepted ones of the trace" cmp -s tests accepted
run "$PARE" history y show 1 --json
claim "one step is not printed as JSON" [ "$code" -eq 2 ]
claim "with the right command" grep -q 'pare history OUTPUT --json' err
claim "as JSON" history y --json
claim "the same steps" python3 -c 'import json
steps = json.load(open("out"))
assert [step["n"] for step in steps] == list(range(len(steps)))
assert [step["tests"] for step in steps][1:] == [int(line) for line in open("accepted")]
assert steps[0]["bytes"] == 692 and steps[-1]["bytes"] == 3
assert all(a["bytes"] > b["bytes"] for a, b in zip(steps, steps[1:]))
assert all(step["phase"] == "ddmin/line" for step in steps[1:])
assert list(steps[0]) == ["n", "from", "tests", "seconds", "bytes", "phase"]'
claim "step 0" history y show 0
claim "is the input" cmp -s out x.txt
claim "the last step" history y show last
claim "is the result" cmp -s out y
n=$(wc -l < accepted)
claim "by its number, too" history y show "$n"
claim "it is the same" cmp -s out y
for ((k = 0; k <= n; k++)); do
    "$PARE" history y show "$k" > "step.$k"
    claim "step $k fails as the input does" grep -qx 42 "step.$k"
done
claim "a difference" history y diff 1 3
diff -u --label 'step 1' --label 'step 3' step.1 step.3 > wanted || true
claim "is the one that diff -u finds" cmp -s out wanted
claim "what one step has changed" history y diff 3
diff -u --label 'step 2' --label 'step 3' step.2 step.3 > wanted || true
claim "is the difference from the step before" cmp -s out wanted
claim "of a step from itself" history y diff 3 3
claim "there is none" [ ! -s out ]
claim "a step is restored" history y restore 2
claim "beside the result" cmp -s y.step2 step.2
claim "and that is told" holds out "step 2 is in y.step2"
claim "quietly, and elsewhere" history y restore 0 -q -o back.txt
claim "it is the input" cmp -s back.txt x.txt
claim "nothing is printed" [ ! -s out ]
claim "what is there is not replaced" exits 1 "$PARE" history y restore 1 -o back.txt
claim "it is as it was" cmp -s back.txt x.txt
claim "it is told what to do" grep -q 'back.txt exists already: choose another name' err
claim "by its folder" [ "$(lines_of y.pare)" = "$((n + 2))" ]
claim "by its file" [ "$(lines_of y.pare/history)" = "$((n + 2))" ]
claim "the input is as it was" cmp -s same x.txt

# --- what is asked wrongly -----------------------------------------------------------------------
claim "a step that is not there" exits 2 "$PARE" history y show 99
claim "the last one is named" grep -q "there is no step 99: the last one is $n" err
claim "no number" exits 2 "$PARE" history y show one
claim "no step at all" exits 2 "$PARE" history y diff
claim "too many" exits 2 "$PARE" history y show 1 2
claim "an unknown action" exits 2 "$PARE" history y shwo 1
claim "the nearest is named" grep -q "'show'" err
claim "no history" exits 1 "$PARE" history nowhere
claim "where it would be is told" grep -q 'nowhere.pare/history' err
echo something > none
claim "a file that is none" exits 3 "$PARE" history none
claim "in one sentence" [ "$(wc -l < err)" -eq 1 ]

# --- when there is none, and when it is replaced ----------------------------------------------------
claim "--no-history" reduce --no-history -o z 'grep -qx 42' x.txt
claim "leaves nothing" [ ! -e z.pare ]
claim "--no-journal" reduce --no-journal -o z 'grep -qx 42' x.txt
claim "leaves nothing either" [ ! -e z.pare ]
cp y.pare/history first
claim "an input that does not fail" exits 1 "$PARE" reduce -q -o y false x.txt
claim "leaves the history of the result that is there" cmp -s first y.pare/history
claim "another reduction" reduce -o y 'grep -qx 7' x.txt
claim "begins a new one" eval '"$PARE" history y show last > last && holds last 7'
claim "without a history" reduce --no-history -o y 'grep -qx 42' x.txt
claim "the old one goes with its result" [ ! -e y.pare ]
claim "a folder of one's own" reduce --journal kept -o y 'grep -qx 42' x.txt
claim "has the journal and the history" [ -e kept/journal -a -e kept/history ]
claim "and is read by its name" [ "$(lines_of kept)" = "$((n + 2))" ]

# --- a run that was ended and goes on ----------------------------------------------------------------
claim "a limit on tests" reduce --max-tests 5 -o part 'grep -qx 42' x.txt
claim "the journal stays beside the history" [ -e part.pare/journal -a -e part.pare/history ]
some=$(lines_of part)
claim "that has some steps" [ "$some" -gt 2 -a "$some" -lt "$((n + 2))" ]
claim "the same command goes on" reduce -o part 'grep -qx 42' x.txt
claim "with the same history as in one go" [ "$(lines_of part)" = "$((n + 2))" ]
for k in 0 1 "$n"; do
    claim "step $k is the same" eval '"$PARE" history part show '"$k"' | cmp -s - step.'"$k"
done
claim "a limit again" reduce --max-tests 5 -o torn 'grep -qx 42' x.txt
truncate -s -7 torn.pare/history
claim "as after a kill within the last record" reduce -o torn 'grep -qx 42' x.txt
claim "what was torn is written again" [ "$(lines_of torn)" = "$((n + 2))" ]
claim "a limit once more" reduce --max-tests 5 -o lost 'grep -qx 42' x.txt
rm lost.pare/history
claim "a history that was removed" reduce -o lost 'grep -qx 42' x.txt
claim "is made again from the journal" [ "$(lines_of lost)" = "$((n + 2))" ]
claim "a limit, and another algorithm after it" reduce --max-tests 6 -o two 'grep -qx 42' x.txt
claim "goes off from where it differs" reduce -a lithium -o two 'grep -qx 42' x.txt
claim "both ways are there" eval 'history two && grep -qE "from [0-9]+$" out'
claim "the last step is the result" eval '"$PARE" history two show last | cmp -s - two'

# --- back to a step, and on from there ------------------------------------------------------------------
claim "a reduction" reduce -o b 'grep -qx 42' x.txt
claim "on from step 3" reduce --from-step 3 --trace t -o b 'grep -qx 42' x.txt
claim "tests that step first" eval 'sed -n 2p t | grep -q "\"bytes\":$(wc -c < step.3),.*\"accepted\":true"'
claim "comes to the same result" holds b 42
claim "which needs no second name" [ ! -e 'b.~1~' ]
claim "the way there is in the history once" [ "$(lines_of b)" = "$((n + 4))" ]
claim "with the step gone back to" grep -qE "^ +$((n + 1)) .* from-step  from 3$" out
claim "and the result last" eval '"$PARE" history b show last | cmp -s - b'
for ((k = 0; k <= n; k++)); do
    claim "step $k is as it was" eval '"$PARE" history b show '"$k"' | cmp -s - step.'"$k"
done
claim "by another algorithm" exits 0 "$PARE" reduce -j1 --timeout 60 --from-step 2 -a lithium -u char -o b \
    'grep -q "4[0-9]"' x.txt
claim "another result" [ "$(wc -c < b)" -eq 2 ]
claim "the one before stays beside it" holds 'b.~1~' 42
claim "told as what it is" eval 'grep -q "^b held a result before the run went back: what it held is in b.~1~" out'
claim "its way goes off from step 2" eval 'history b && grep -qE "from-step  from 2$" out'
claim "the last step is the result again" eval '"$PARE" history b show last | cmp -s - b'
cp b kept.b
cp b.pare/history kept.history
claim "a step that does not fail" exits 1 "$PARE" reduce -q --from-step 4 -o b 'grep -qx 180' x.txt
claim "is told" grep -q 'step 4 of the history does not fail with this test: choose another' err
claim "a step that is not there" exits 2 "$PARE" reduce -q --from-step 999 -o b 'grep -qx 42' x.txt
claim "is told, too" grep -q 'there is no step 999 in the history: the last one is ' err
seq 30 60 > other.txt
claim "another input" exits 1 "$PARE" reduce -q --from-step 4 -o b 'grep -qx 42' other.txt
claim "has none of its steps" grep -q 'b.pare/history is the history of another input' err
claim "of all that nothing is left" [ "$(echo b.pare/*)" = b.pare/history ]
claim "the history is as it was" cmp -s b.pare/history kept.history
claim "and the result" cmp -s b kept.b
claim "no history" exits 1 "$PARE" reduce -q --from-step 4 -o never 'grep -qx 42' x.txt
claim "where it would be is told" grep -q 'there is no history to go back to: it would be never.pare/history' err
claim "and nothing is made" [ "$(echo never*)" = 'never*' ]
claim "without a journal" exits 2 "$PARE" reduce --no-journal --from-step 4 'grep -qx 42' x.txt
claim "step 0" exits 2 "$PARE" reduce --from-step 0 'grep -qx 42' x.txt

# A run that was ended is where it was, with the option or without it, at any number of slots.
for jobs in 1 4; do
    rm -rf ended* whole*
    claim "a reduction" reduce -o ended 'grep -qx 42' x.txt
    cp -r ended.pare whole.pare
    cp ended whole
    claim "from step 2 in one go" reduce -j$jobs -a lithium -u line,char --from-step 2 -o whole 'grep -q 42' x.txt
    for tests in 1 2 5 9; do
        claim "from step 2, ended after $tests tests" reduce -j$jobs -a lithium -u line,char --from-step 2 \
            --max-tests $tests -o ended 'grep -q 42' x.txt
        claim "what is there is no smaller one than the step leads to" [ "$(wc -c < ended)" -ge "$(wc -c < whole)" ]
        claim "what was there has a second name" holds 'ended.~1~' 42
        claim "and no other" [ ! -e 'ended.~2~' ]
        claim "the same command without the option" reduce -j$jobs -a lithium -u line,char --max-tests $((tests + 1)) -o ended 'grep -q 42' x.txt
    done
    claim "to its end" reduce -j$jobs -a lithium -u line,char -o ended 'grep -q 42' x.txt
    claim "comes to the same result" cmp -s ended whole
    claim "by the same steps" [ "$(lines_of ended)" = "$(lines_of whole)" ]
    claim "each of them the same" eval 'for k in $(seq 0 $(($(lines_of whole) - 2))); do
        cmp -s <("$PARE" history ended show $k) <("$PARE" history whole show $k) || exit 1; done'
done
claim "a limit" reduce --max-tests 8 -o g 'grep -qx 42' x.txt
claim "back within a run that is to go on" reduce --from-step 1 --max-tests 5 -o g 'grep -qx 42' x.txt
claim "and to another step" reduce --from-step 2 -o g 'grep -qx 42' x.txt
claim "to its end" holds g 42
claim "nothing is lost" eval '"$PARE" history g | grep -q "from-step  from 2"'
rm -rf g g.*
claim "a reduction" reduce -o g 'grep -qx 42' x.txt
claim "a limit after going back" reduce --from-step 2 -a lithium --max-tests 3 -o g 'grep -qx 42' x.txt
rm g.pare/history
claim "without its history such a run" exits 1 "$PARE" reduce -q --timeout 60 -o g 'grep -qx 42' x.txt
claim "cannot go on, and says what to do" \
    grep -q 'cannot continue from step 2, as the previous run did (remove g.pare/journal to start over)' err
rm -rf g g.*

# --- damage ------------------------------------------------------------------------------------------
cp -r torn.pare d.pare
truncate -s -3 d.pare/history
claim "a history that was cut off" history d
claim "is told in one sentence" [ "$(wc -l < err)" -eq 1 ]
claim "that says how far it holds" grep -q "warning: .* cut off or damaged after step $((n - 1))" err
claim "what can be read is listed" [ "$(wc -l < out)" -eq "$((n + 1))" ]
claim "and shown" eval '"$PARE" history d show 2 2>/dev/null | cmp -s - step.2'
size=$(stat -c %s torn.pare/history)
cp torn.pare/history d.pare/history
printf 'X' | dd of=d.pare/history bs=1 seek=$((size - 60)) conv=notrunc status=none
claim "one with a byte changed" history d
claim "is told as well" grep -q 'warning: ' err
head -c 100 torn.pare/history > d.pare/history
claim "one whose input is cut" exits 3 "$PARE" history d
claim "is told in a sentence" grep -q 'd.pare/history is not a history: the input in it is incomplete' err

claim "an input instead of a result" exits 3 "$PARE" history x.txt
claim "is told from it" grep -q 'there is no x.txt.pare/history, which a reduction leaves beside its result' err

# --- where it cannot be written -----------------------------------------------------------------------
mkdir -p w.pare/history
claim "a folder in its way" exits 0 "$PARE" reduce -j1 -a ddmin -u line -o w 'grep -qx 42' x.txt
claim "costs the history" grep -q 'the history ends here: ' out
claim "but not the result" holds w 42

# --- in place ------------------------------------------------------------------------------------------
cp same p.txt
claim "in place" reduce --in-place 'grep -qx 42' p.txt
claim "the input is the result" holds p.txt 42
claim "its history" history p.txt show 0
claim "has the input" cmp -s out same
claim "in place again is refused, as the original would be lost" \
    exits 3 "$PARE" reduce -q --in-place 'grep -qx 42' p.txt
claim "which is told" grep -q 'p.txt.orig. exists already' err

# --- folders -------------------------------------------------------------------------------------------
mkdir -p f/sub
seq 1 30 > f/a.txt
seq 40 60 > f/sub/b.txt
printf '#!/bin/sh\n' > f/run.sh
chmod +x f/run.sh
cp -r f f.same
claim "a folder" exits 0 "$PARE" reduce -q -j1 -o g 'grep -qx 42 -r' f
claim "has a history" history g
claim "whose sizes are those of contents" grep -qE "^ +0 +$(cat f/a.txt f/sub/b.txt f/run.sh | wc -c) " out
mv f f.gone
claim "without the input" history g restore 0 -o f.back
claim "it is restored" diff -r f.same f.back
claim "with its modes" [ -x f.back/run.sh ]
claim "and so is the result" history g restore last -o g.back
claim "as it is" diff -r g g.back
claim "shown with names" eval '"$PARE" history g show 0 | grep -qx "== f/sub/b.txt =="'
claim "compared as well" eval '"$PARE" history g diff 0 last | grep -q "^-== f/a.txt ==$"'
cp -r f.same q
claim "a folder by another name" exits 1 "$PARE" reduce -q --from-step 1 -o g.pare/new --journal g.pare 'grep -qx 42 -r' f.same
claim "is another input" grep -q 'g.pare/history is the history of another input' err
mv f.gone f
claim "a folder that is there is not replaced" exits 2 "$PARE" reduce -q --from-step 1 -o g 'grep -qx 42 -r' f
claim "and what to do is told" grep -q "is not empty and would be replaced" err
mv g g.old
claim "from a step of a folder" exits 0 "$PARE" reduce -q -j1 --from-step 1 -o g 'grep -qx 5[0-9] -r' f
claim "another result" grep -qxr '5[0-9]' g
claim "is reduced from there" eval '"$PARE" history g | grep -qE "  from [12]$"'
claim "the last step is the result" eval 'history g restore last -o g.last && diff -r g g.last'
claim "a folder in place" exits 0 "$PARE" reduce -q -j1 --in-place 'grep -qx 42 -r' q
claim "has its history beside it" history q restore 0 -o q.back
claim "of what it was" diff -r f.same q.back

# --- every candidate -----------------------------------------------------------------------------------
# The log that seed 003 prints: a text and + or . for each of 29 tests.
python3 - "$PARE_SOURCE_DIR/tools/figures/seed-003-log" > page <<'T'
import re, sys
print(re.search(r'PRINTED = r"""(.*?)"""', open(sys.argv[1]).read(), re.S)[1])
T
head -1 page | head -c -2 > seed.txt
claim "a reduction with the texts in its trace" exits 0 "$PARE" reduce -q -j1 -a ddmin-complement -u char \
    --trace t --trace-texts --keep-candidates all -o seed.min 'grep -q "(.*)"' seed.txt
claim "prints the page of seed 003" python3 -c 'import json
tests = [json.loads(line) for line in open("t")]
log = [test["text"] + "+."[test["outcome"] == "PASS"] for test in tests if test["source"] == "run"]
assert log == open("page").read().splitlines(), log'
claim "every candidate is kept once, with its outcome" python3 -c 'import json, os
tests = [json.loads(line) for line in open("t")]
ran = {"%06d-%s.txt" % (test["n"], test["outcome"]): test["text"] for test in tests if test["source"] == "run"}
assert sorted(ran) == sorted(os.listdir("all"))
assert all(open("all/" + name).read() == text for name, text in ran.items())'
claim "without the texts the trace has none" eval '! grep -q "\"text\"" trace.jsonl'
printf 'a\377b' > bytes
claim "what is no text" exits 0 "$PARE" reduce -q -j1 -u byte --trace t --trace-texts -o less 'grep -q a' bytes
claim "is in hexadecimal digits" eval 'head -1 t | grep -q "\"hex\":\"61ff62\""'
claim "texts without a trace" exits 2 "$PARE" reduce --trace-texts 'grep -q a' bytes
claim "are asked for in vain" grep -q 'add --trace FILE' err
claim "a file in the way of candidates" exits 3 "$PARE" reduce --keep-candidates bytes 'grep -q a' bytes
claim "is told" grep -q "cannot keep candidates: 'bytes'" err
claim "candidates of a folder" exits 0 "$PARE" reduce -q -j1 --keep-candidates many -o h 'grep -qx 42 -r' f.same
claim "have names on lines" grep -qx '== f.same/sub/b.txt ==' many/000000-FAIL
all_claimed
