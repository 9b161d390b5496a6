#!/bin/bash
# pare generate --coverage-by: a population that grows by what texts reach of a real Python program comes to
# where the same number of blind mutations does not; the same seed makes the same texts; members are
# reduced where that is asked for.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
needs_campaigns
lines=$PARE_SOURCE_DIR/examples/coverage/python_lines.py
export PYTHONDONTWRITEBYTECODE=1

# Each digit is a line more; three changes to a member bring three of them at most.
cat > program.py << 'END'
def look(text):
    if "!" in text:
        raise ValueError(text)
    n = sum(character in "0123456789" for character in text)
    if n > 0:
        n -= 1
    if n > 0:
        n -= 1
    if n > 0:
        n -= 1
    if n > 0:
        n -= 1
    if n > 0:
        n -= 1
    if n > 0:
        n -= 1
    return n
END
mkdir seeds
printf 'good day' > seeds/1
printf 'wrong!' > seeds/2
by="python3 -S -E $lines program.py look @@"
guided() { exits 0 "$PARE" generate --population seeds --coverage-by "$by" --min-mutations 1 --max-mutations 3 --seed 3 "$@"; }
# The most lines of look() that any of the texts in this folder reaches.
deepest() {
    python3 - "$1" << 'END'
import glob, os, sys
sys.path[:0] = [os.path.join(os.environ["PARE_SOURCE_DIR"], "examples", "coverage"), "."]
import program, python_lines
texts = [open(path, encoding="latin-1").read() for path in glob.glob(sys.argv[1] + "/*")]
print(max(len(python_lines.lines_of(program.look, text, program.__file__)[0]) for text in texts))
END
}

mkdir g b m
claim "texts are made by what they reach" guided -n 150 -o 'g/%d' --members 'm/%d' -v
claim "the first are those of the population" cmp -s seeds/1 g/0
claim "what fails joins nothing" eval '! grep -q "!" m/*'
claim "what joins is told" grep -q " joined the population" err
claim "as many as there are files" [ "$(sed -n 's/.* \([0-9]*\) joined the population.*/\1/p' err)" -eq "$(ls m | wc -l)" ]
claim "blind mutation makes as many" exits 0 "$PARE" generate --population seeds --min-mutations 1 --max-mutations 3 --seed 3 -n 150 -o 'b/%d'
claim "guided ones come further" [ "$(deepest g)" -gt "$(deepest b)" ]

mkdir again reduced r
claim "the same seed" guided -n 30 -o 'again/%d' -j 4
claim "makes the same texts" eval 'for k in again/*; do cmp -s "$k" "g/${k#again/}" || exit 1; done'
claim "one text is made as among the others" guided --only 12 -o only
claim "after those before it" cmp -s only g/12
claim "members are reduced" guided -n 2 -o 'r/%d' --members 'reduced/%d' --reduce-members -v
claim "to a byte where no line needs more" [ "$(wc -c < reduced/0)" -eq 1 ]
claim "in runs that are told" grep -q "; [1-9][0-9]* runs to reduce" err

claim "reduced members need a command" exits 2 "$PARE" generate --population seeds --reduce-members
claim "and say so" grep -q "needs '--coverage-by'" err
echo '{"<start>": ["a", "b"]}' > ab.json
claim "a grammar is refused" exits 2 "$PARE" generate --grammar ab.json --fuzzer grammar --population seeds --coverage-by "$by" -n 2
claim "with the reason" grep -q "for the fuzzer 'mutation'" err
claim "choices are refused" exits 2 "$PARE" generate --population seeds --coverage-by "$by" --only 1 --record list
claim "with the reason" grep -q "depend on those before them" err
claim "a command that is not there is an error" exits 3 "$PARE" generate --population seeds --coverage-by ./nothing -n 2
claim "one that fails for all" exits 0 "$PARE" generate --population seeds --coverage-by false -n 2
claim "is told" grep -q "nothing joined the population" err
printf '#!/bin/sh\nexec sleep 60\n' > slow.sh
chmod +x slow.sh
claim "one that does not end is ended" exits 0 "$PARE" generate --population seeds --coverage-by ./slow.sh --timeout 0.1 -n 3
all_claimed
