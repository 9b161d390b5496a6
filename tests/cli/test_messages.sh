#!/bin/bash
# Failures that are messages: what is learnt of them, how much is kept, several to choose
# from, errors that come anew, and tests that say nothing about the input.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

printf '#!/bin/sh\nexec "$PARE" reduce --no-journal -j2 "$@"\n' > reduce
chmod +x reduce
PATH=$PWD:$(dirname "$PARE"):$PATH

# --- an error of a compiler ---------------------------------------------------------------
cat > rows.c <<'C'
#include <stddef.h>
static int twice(int number) { return 2 * number; }
int count_rows(const char *text)
{
    int rows = 0;
    for (size_t k = 0; text[k]; k++)
        rows += text[k] == '\n';
    return twice(rows) + columns;
}
C
claim "an error is learnt" exits 0 reduce --max-tests 90 rows.c -- gcc -c @@
claim "without the name that is the input's" grep -q "keeping: exit 1; diagnostic \"error: '\*' undeclared" out
claim "with the stricter and the looser choice" grep -q 'stricter: --keep exact; looser: --keep kind' out
gcc -c -o x.o rows.min.c 2> said || true
claim "the result shows it" grep -q 'undeclared' said
claim "and no other error" [ "$(grep -c 'error:' said)" -eq 1 ]
claim "in fewer bytes" [ "$(wc -c < rows.min.c)" -lt 60 ]
claim "with its name" exits 0 reduce --max-tests 40 --keep exact rows.c -- gcc -c @@
claim "that stays" grep -q columns rows.min.c
claim "its kind alone" exits 0 reduce --max-tests 20 --keep kind rows.c -- gcc -c @@
claim "is the wording" grep -q "keeping: exit 1; diagnostic \"error: '\*' undeclared" out
claim "a level is for programs" exits 2 reduce --keep kind true rows.c
claim "which is said" grep -q -- '--keep kind -- PROGRAM' err
claim "not with what is named" exits 2 reduce --keep kind --exit 1 rows.c -- gcc -c @@

# --- inside a build -----------------------------------------------------------------------
mkdir project
printf 'all: rows.o\n%%.o: %%.c\n\tgcc -c $< -o $@\n' > project/Makefile
cp rows.c project
printf 'nothing of interest\n' > project/README
claim "a build's failure" exits 0 reduce --max-tests 40 project -- make -C @@
claim "is that of the compiler" grep -q "keeping: exit 2; diagnostic \"error: '\*' undeclared" out
claim "which stays" [ -e project.min/rows.c ]
claim "without the rest" [ ! -e project.min/README ]

# --- several ------------------------------------------------------------------------------
cat > warn.c <<'C'
#include <stdio.h>
static int helper(int x) { int spare = 3; return x; }
int show(int count) { return printf("%s\n", count) + helper(count); }
C
claim "several warnings are not chosen from" exits 1 reduce warn.c -- gcc -Wall -c @@
claim "but listed" grep -q "^  2. warning: format '%s' expects" err
ready=$(sed -n '/^  2\. /{n;s/^ *//;p}' err)
claim "each with its command line" grep -q "^pare reduce --no-journal -j2 warn.c --message .* -- gcc -Wall -c @@$" <<< "$ready"
claim "nothing is written" [ ! -e warn.min.c ]
claim "which is right" exits 0 bash -c "${ready/-j2/-j2 --max-tests 90}"
gcc -Wall -c -o x.o warn.min.c 2> said
claim "the result shows what was chosen" grep -q 'Wformat=' said
claim "and is smaller" [ "$(wc -c < warn.min.c)" -lt 60 ]
if command -v script > /dev/null; then
    rm warn.min.c
    mkfifo keys
    exec 7<> keys
    : > said
    timeout 60 script -qec "TERM=dumb '$PARE' reduce --no-journal --lang none -j2 --max-tests 60 \
        warn.c -- gcc -Wall -c @@" /dev/null < keys > said &
    await grep -q 'Which one should be kept' said || true
    echo 1 >&7
    wait $! || true
    exec 7>&-
    claim "on a terminal they are numbered" grep -q 'Which one should be kept?  \[1-2' said
    gcc -Wall -c -o x.o warn.min.c 2> said
    claim "and the number is taken" grep -q 'Wunused' said
fi
printf 'int f(void) { int spare = 3; return 4; }\nint g(void) { int other = 1; return 2; }\n' > one.c
claim "one kind of warning is the failure" exits 0 reduce --max-tests 30 one.c -- gcc -Wall -c @@
claim "though the exit code is 0" grep -q "keeping: exit 0; diagnostic \"warning: unused variable '\*'" out
claim "a message that is not there" exits 1 reduce --message nowhere warn.c -- gcc -Wall -c @@
claim "is told" grep -q "reports nothing that contains 'nowhere'" err

# Words as a terminal shows them: with folders, typographic quotes, and the place before them.
cat > lint.sh <<'SH'
#!/bin/sh
grep -q tab "$1" && echo "error: a tab, see rules/tabs.md"
grep -q end "$1" && echo "error: no \`end', see rules/end.md"
exit 1
SH
chmod +x lint.sh
echo 'tab end' > copied.txt
for words in 'a tab, see rules/tabs.md' 'copied.txt:1: error: a tab, see rules/tabs.md'; do
    claim "copied words are found" exits 0 reduce copied.txt --message "$words" -- ./lint.sh @@
    claim "and the problem stays" [ "$(cat copied.min.txt)" = tab ]
done
claim "as are quotes" exits 0 reduce warn.c --max-tests 30 --message 'format ‘%s’ expects' -- gcc -Wall -c @@
claim "for what was meant" grep -q 'keeping: exit 0; diagnostic "warning: format .* expects argument' out
claim "what two problems have is not chosen from" \
    exits 1 reduce copied.txt --message 'any/see' -- ./lint.sh @@

# --- an interpreter's exception -------------------------------------------------------------
if command -v python3 > /dev/null; then
    cat > rows.py <<'PY'
def load(rows):
    return [int(row) if row else None for row in rows]
def total(rows):
    count = 0
    for value in load(rows):
        count = count + value
    return count
print(total(["1", "", "x"[:0]]))
PY
    claim "an exception" exits 0 reduce --max-tests 50 rows.py -- python3 @@
    claim "is kept with the types it is about" grep -q "operand type(s) for +: 'int' and 'NoneType'" out
    python3 rows.min.py 2> said || true
    claim "and shows" grep -q "operand type(s) for +: 'int' and 'NoneType'" said
    claim "without a list of others" [ "$(grep -c '^  also' out)" -eq 0 ]
fi

# --- errors that come anew ------------------------------------------------------------------
cat > crash.sh <<'S'
#!/bin/sh
# Crashes for "boom"; reports an error of its own when "begin" went.
grep -q begin "$1" || echo "$1:1: error: expected 'begin'" >&2
grep -q boom "$1" && kill -SEGV $$
exit 0
S
chmod +x crash.sh
printf 'begin\none\nboom\ntwo\n' > in.txt
claim "a crash with a new error is another failure" exits 0 reduce -u line -a ddmin in.txt -- "$PWD/crash.sh" @@
claim "so what prevents it stays" [ "$(paste -sd, in.min.txt)" = begin,boom ]
claim "if it is meant" exits 0 reduce -u line -a ddmin --allow-new-errors in.txt -- "$PWD/crash.sh" @@
claim "it goes" [ "$(cat in.min.txt)" = boom ]

# --- tests that say nothing -------------------------------------------------------------------
seq 100 > seq.txt
rm -f seq.min.txt
refused() { # SENTENCE ARGUMENTS
    local sentence=$1
    shift
    claim "refused: $*" exits 1 "$PARE" reduce "$@"
    claim "so: $sentence" grep -q -- "$sentence" err
    claim "nothing written" [ ! -e seq.min.txt ]
}
refused 'for an empty input, so it says nothing' true seq.txt
refused 'for a single line end' 'grep -q ^' seq.txt
refused 'for the first four bytes' 'grep -q 1' seq.txt
refused 'write "$1" instead' "grep -q 50 $PWD/seq.txt" seq.txt
refused "write pare reduce seq.txt -- sh -c 'exit 3' sh @@" seq.txt -- sh -c 'exit 3'
refused "as in pare reduce seq.txt --any-output REGEX -- sh -c 'exit 3' @@" seq.txt -- sh -c 'exit 3' @@
refused "there is no './nosuch'" seq.txt -- sh -c './nosuch @@'
printf 'import sys\nsys.exit("50" in sys.stdin.read())\n' > inv.py
! command -v python3 > /dev/null ||
    refused "python3 $PWD/inv.py < @@'" seq.txt -- "python3 inv.py < @@"
claim "meant so" exits 0 "$PARE" reduce -q --allow-empty true seq.txt
claim "nothing is left" [ ! -s seq.min.txt ]
claim "a crash of an empty input is an answer" exits 0 "$PARE" reduce --no-journal seq.txt -- sh -c 'kill -SEGV $$'
claim "and told" grep -q 'fails so for an empty input, too' out

# A sanitizer that lets the program go on, and complains at each start as well.
cat > starts.sh <<'E2'
#!/bin/sh
echo "start.c:7:1: runtime error: applying non-zero offset 8 to null pointer" >&2
! grep -q bug "$1" || echo "date.c:9:2: runtime error: signed integer overflow: 9 * 9 is too much" >&2
E2
chmod +x starts.sh
printf 'some text\nwith a bug in it\nand more text\n' > started.txt
claim "what every start shows is refused" exits 1 "$PARE" reduce started.txt -o s.out -- ./starts.sh @@
claim "with a command that names the other" grep -q 'does the same .* --any-output REGEX' err
claim "nothing is written" [ ! -e s.out ]
claim "that command" exits 0 "$PARE" reduce started.txt -o s.out --stderr date.c:9 -- ./starts.sh @@
claim "keeps the input's own failure" [ "$(cat s.out)" = bug ]
all_claimed
