#!/bin/bash
# Inputs of every kind, and inputs that do not fail.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

is() { printf "$2" | cmp -s - "$1"; }

: > empty
claim "empty" exits 1 "$PARE" reduce true empty
claim "says so" grep -q 'the input is empty: there is nothing to reduce' err
printf x > one
claim "one byte that is needed" exits 0 "$PARE" reduce -q -o y 'grep -q x' one
claim "stays" is y x
claim "one byte that is not" exits 1 "$PARE" reduce -q -o y true one
claim "is told" says 'for an empty input, so it says nothing'
claim "and nothing is written" is y x
claim "if that is meant" exits 0 "$PARE" reduce -q --allow-empty -o y true one
claim "goes" [ ! -s y ]
printf 'a\nneedle' > noeol
claim "no newline at the end" exits 0 "$PARE" reduce -q -o y 'grep -q needle' noeol
claim "none is added" is y needle
printf 'a\0b\0needle\0c' > nul
claim "NUL bytes" exits 0 "$PARE" reduce -q -u byte -o y 'grep -qaP "\x00needle"' nul
claim "are bytes like others" is y '\0needle'
printf 'a\377\376b\303(needle\355\240\200' > invalid
claim "invalid UTF-8" exits 0 "$PARE" reduce -q -u char -o y 'LC_ALL=C grep -qaP "\xff.*needle" "$1"' invalid
claim "is kept as it is" is y '\377needle'
printf 'w\303\274rze needle' > utf8
claim "characters" exits 0 "$PARE" reduce -q -u char -o y 'grep -qa "ü" "$1"' utf8
claim "stay whole" is y '\303\274'

# --- files beside the user, which a test in its private directory does not find --------------
mkdir -p tool sub
printf '#!/bin/sh\ngrep -q needle "$1" && echo yes\n' > tool/chk
printf 'needle\n' > words.txt
script() { printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod +x "$1"; }
chmod +x tool/chk
first_says() { head -n 1 err | grep -qF -- "$1"; }
whole=$(realpath .)
script rel.sh './tool/chk "$1" 2> /dev/null | grep -q yes'
claim "a script that names a file beside the user" exits 1 "$PARE" reduce ./rel.sh noeol
claim "is told of the private directory" first_says "tests run in a private directory that holds only the candidate, so './tool/chk' in the test is not found there: write its full path, '$whole/tool/chk'"
claim "and not to run it by hand, where it works" eval '! grep -q "by hand" err'
claim "as is an interpreter's script" exits 1 "$PARE" reduce 'sh rel.sh' noeol
claim "and told the same" first_says "'./tool/chk' in the test is not found there"
script abs.sh "'$whole/tool/chk' \"\$1\" | grep -q yes"
claim "with its whole path it works" exits 0 "$PARE" reduce -q -o y ./abs.sh noeol
cd sub
claim "a file above" exits 1 "$PARE" reduce '../tool/chk "$1" | grep -q yes' ../noeol
cp err ../err
cd ..
claim "is told in a command line too" first_says "'../tool/chk' in the test is not found there: write its full path, '$whole/tool/chk'"
script bare.sh 'grep -q -f words.txt "$1" 2> /dev/null'
claim "a name without a slash" exits 1 "$PARE" reduce ./bare.sh noeol
claim "is told when it is a file's" first_says "so 'words.txt' in the test is not found there"

# --- what lies beside the input: without it the program fails, but not as its user has seen it ---
mkdir -p beside/lib
printf '. ./defs.sh\necho start\nfail "$NAME"\necho end\n' > beside/main.sh
printf 'NAME=x\nfail() { echo "main.sh: bad name $1" >&2; exit 3; }\n' > beside/defs.sh
cp beside/defs.sh beside/lib/one.sh
script beside/tool 'd=${1#-I}; [ -f "$d/one.sh" ] || { echo "tool: ‘one.sh’: No such file or directory" >&2; exit 3; }; . "$d/one.sh"'
cd beside
claim "a file beside the input that the program misses" exits 1 "$PARE" reduce main.sh -- sh @@
claim "is no other failure, it is told where it lies, and the command" says "the program did not find 'defs.sh', which lies beside the input: tests run in a private directory that holds only the candidate, so reduce it in its folder: pare reduce ../beside --only main.sh -- 'cd @@ && sh main.sh'"
claim "which is right" exits 0 "$PARE" reduce -q ../beside --only main.sh -o ../beside.res -- 'cd @@ && sh main.sh'
claim "a folder that an option names" exits 1 "$PARE" reduce main.sh -- ./tool -Ilib @@
claim "is to be named by its whole path" first_says "write its full path: pare reduce main.sh -- ./tool -I$whole/beside/lib @@"
claim "and a missing file that lies nowhere is a failure" exits 0 "$PARE" reduce -q --max-tests 3 -o ../beside.none lib/one.sh -- sh -c 'grep -q NAME "$1" && cat none.sh && exit 4' sh @@
cd ..
claim "from above" exits 1 "$PARE" reduce beside/main.sh -- sh @@
claim "the folder is the input's" first_says "so reduce it in its folder: pare reduce beside --only main.sh -- sh @@/main.sh"
claim "the kept failure is the user's" grep -q fail beside.res/main.sh

# --- a program's command line where a TEST belongs, or without "--" ----------------------------
script says.sh 'echo "says: no good" >&2; exit 3'
claim "a program as a TEST" exits 1 "$PARE" reduce 'cat -n none' noeol
claim "that says why it fails" first_says "TEST has to exit with 0 while the failure is there; to keep how this program fails, write pare reduce noeol -- cat -n none @@"
claim "is no script" exits 1 "$PARE" reduce ./says.sh noeol
claim "which is to be run by hand" grep -q 'by hand' err
claim "with the input's name" exits 1 "$PARE" reduce 'cat none noeol' noeol
claim "in its place" grep -q 'write pare reduce noeol -- cat none noeol$' err
claim "a program behind the input" exits 2 "$PARE" reduce noeol cat noeol
claim "is told the command" first_says "'--' is missing before PROGRAM; did you mean: pare reduce noeol -- cat noeol"
claim "with an option" exits 2 "$PARE" reduce noeol cat -n
claim "too" says "unknown option '-n': if it is one of PROGRAM's, '--' is missing before PROGRAM: pare reduce noeol -- cat -n @@"
claim "a program alone" exits 2 "$PARE" reduce cat -n noeol
claim "gets its input" says "PROGRAM: pare reduce noeol -- cat -n @@"
claim "operands as options" exits 2 "$PARE" reduce --test ./says.sh --input=noeol -q
claim "are put right" says "unknown option '--test': TEST and INPUT are named without options: pare reduce ./says.sh noeol -q"
claim "options of other reducers" exits 2 "$PARE" reduce --n 4 --tidy --also-interesting=2 ./says.sh noeol
claim "are told by their names here" says "unknown option '--n': here it is --jobs: pare reduce --jobs 4 --also 2 ./says.sh noeol"
claim "one that nobody needs" exits 2 "$PARE" reduce --volume quiet noeol -- grep --n @@
claim "is left out" says "'--volume': leave it out, it is not needed here: pare reduce noeol -- grep --n @@"
printf '#!/bin/sh\ngrep -q needle "$1"\n' > istest.sh && chmod +x istest.sh
claim "a test behind the dashes" exits 1 "$PARE" reduce noeol -- ./istest.sh @@
claim "is told where it belongs" says "if it is a test, which exits with 0 while the failure is there, write pare reduce ./istest.sh noeol"
claim "a crash on the input itself, by its path" exits 1 "$PARE" reduce noeol -- sh -c "grep -q needle $whole/noeol && kill -ABRT \$\$"
claim "is not reduced to nothing" says "the program is given the path of 'noeol' itself, so it never looks at a candidate: write @@ instead: pare reduce noeol -- sh -c 'grep -q needle @@ && kill -ABRT \$\$'"
mkdir -p two && printf 'needle\n' > two/a && printf 'b\n' > two/b
claim "so are several" exits 1 "$PARE" reduce two/a two/b -- sh -c 'grep -q needle "$1" "$2" && kill -ABRT $$' sh two/a two/b
claim "with one mark for all" says "write @@ instead: pare reduce two/a two/b -- sh -c 'grep -q needle \"\$1\" \"\$2\" && kill -ABRT \$\$' sh @@"
claim "a line behind the dashes that looks for a message" exits 1 "$PARE" reduce noeol -- 'cat @@ | grep -q needle'
claim "is a test" says "write pare reduce 'cat \"\$1\" | grep -q needle' noeol"
claim "an exit code of a signal" exits 1 "$PARE" reduce noeol --exit 134 -- sh -c 'kill -ABRT $$' sh @@
claim "is none" first_says "was ended by SIGABRT, but --exit asks for an exit code: use --signal instead"
claim "words as a regular expression" exits 1 "$PARE" reduce noeol --stdout 'f(x) [1]' -- sh -c 'cat "$1"; echo "f(x) [1]"' sh @@
claim "are told" first_says "does not match 'f(x) [1]' as a regular expression: write \\ before its special characters"
claim "the folder where one is" exits 2 "$PARE" reduce . -- cat @@/one
claim "has a name above" says "'.' has no name of its own: write ../$(basename "$whole") instead"
claim "a program's command line as a TEST" exits 1 "$PARE" reduce 'cat -n @@' noeol
claim "is told where it belongs" first_says "'@@' has no meaning in TEST; to keep how this program fails, write pare reduce noeol -- cat -n @@"
claim "and not to run it by hand" eval '! grep -q "by hand" err'
claim "a pattern with a mark" exits 1 "$PARE" reduce "grep -q '@@ none'" noeol
claim "is no program's" eval '! grep -q "no meaning" err'
script no.sh '# not with ./tool/chk
grep -q no-such-word "$1" noeol /usr/bin/env "${TOOLS:-}/tool/chk"'
claim "a comment, the candidate's name, a variable's path" exits 1 "$PARE" reduce ./no.sh noeol
claim "are no such names" first_says "the test says that the failure is not there"
claim "by hand it is run as pare does" grep -q 'by hand, on a copy of the input in an empty directory' err
script cd.sh 'cd "$(dirname "$0")" && ./tool/chk words.no | grep -q yes'
claim "a script that changes its directory" exits 1 "$PARE" reduce ./cd.sh noeol
claim "is not told" first_says "the test says that the failure is not there"

# --- standard input ---------------------------------------------------------------------
run_with() { code=0; timeout -s KILL 60 "${@:2}" > out 2> err < "$1" || code=$?; [ "$code" -eq 0 ]; }
claim "standard input" run_with noeol "$PARE" reduce 'grep -q needle' -
claim "has a result of its own" is stdin.min needle
claim "is named" grep -q '^standard input: 8 bytes -> 6 bytes' out
claim "the result's name tells its language" run_with noeol "$PARE" reduce -q -o small.c --report r.html \
    'basename "$1" | grep -qx stdin.c && grep -q needle "$1"' -
claim "and is the result" is small.c needle
claim "the report shows what came in" grep -q 'needle' r.html
claim "of a program" run_with noeol "$PARE" reduce -q - -o p --exit 0 --stdout needle -- cat
claim "by its output" is p needle
claim "a file of this name has a path" bash -c 'cp noeol ./-; "$1" reduce -q "grep -q needle" ./- -o dash' bash "$PARE"
claim "and a result" is dash needle
rm -f ./-
claim "nothing on it" exits 1 "$PARE" reduce true -
claim "is empty" says 'the input is empty'
claim "in place" exits 2 "$PARE" reduce --in-place true -
claim "of standard input" says "name a result with -o"
claim "among others" exits 2 "$PARE" reduce true - one
claim "is one too many" says "'-' is standard input only when it is the one INPUT"
claim "the wrong way round" exits 2 "$PARE" reduce - true
claim "is told" says "pare reduce TEST -"
rm -f small.c p dash stdin.min r.html

claim "missing" exits 3 "$PARE" reduce true nowhere
claim "named" says nowhere
mkdir dir
claim "an empty directory" exits 1 "$PARE" reduce true dir
claim "one sentence" says "the input is empty"
claim "unreadable" exits 3 "$PARE" reduce true /proc/self/mem
claim "one sentence for it" [ "$(wc -l < err)" -eq 1 ]
printf 'needle' > $'two\nlines and spaces'
claim "a name with newlines and spaces" exits 0 "$PARE" reduce $'grep -q needle' $'two\nlines and spaces'
claim "its result" is $'two\nlines and spaces.min' needle
claim "is named on one line" grep -qF 'two\nlines and spaces.min' out
printf 'needle' > ./-dash
claim "a name with a dash" exits 0 "$PARE" reduce -q -- 'grep -q needle' -dash
claim "has a result" is ./-dash.min needle

printf 'a\nneedle\n' > x.txt
: > file
claim "an output that cannot be" exits 3 "$PARE" reduce -o file/y 'grep -q needle' x.txt
claim "is named in one sentence" says file
claim "nor can this" exits 3 "$PARE" reduce -o /proc/y 'grep -q needle' x.txt
claim "one sentence as well" [ "$(wc -l < err)" -eq 1 ]

# --- it does not fail ------------------------------------------------------------
printf '#!/bin/sh\necho first line\necho last line >&2\nexit 7\n' > seven.sh
printf '#!/bin/sh\nkill -SEGV $$\n' > signal.sh
printf '#!/bin/sh\nsleep 60\n' > hang.sh
printf '#!/bin/sh\nexit 0\n' > plain.sh
chmod +x seven.sh signal.sh hang.sh
claim "does not fail" exits 1 "$PARE" reduce ./seven.sh x.txt
claim "says so first" grep -q 'does not fail' <(head -n 1 err)
claim "shows the command" grep -q 'command:.*seven.sh' err
claim "and its exit code" grep -q 'exit code 7' err
claim "and its last lines" [ "$(grep -c '^    | \(first\|last\) line$' err)" -eq 2 ]
claim "and what to do" grep -q 'exit with 0 when the failure is' err
claim "and makes no file" [ -z "$(ls -d x.min* 2>/dev/null)" ]
claim "dies of a signal" exits 1 "$PARE" reduce ./signal.sh x.txt
claim "which is named" grep -q 'by signal 11' err
claim "does not end" exits 1 "$PARE" reduce --timeout 0.2 ./hang.sh x.txt
claim "is told" grep -q -- '--timeout' err
claim "a test that is not there" exits 3 "$PARE" reduce ./nowhere.sh x.txt
claim "is named" says nowhere.sh
claim "a test that is not executable" exits 3 "$PARE" reduce ./plain.sh x.txt
claim "is named, too" says plain.sh
claim "shell syntax without the candidate" exits 1 "$PARE" reduce 'grep zzz | grep -q .' x.txt
claim "is told how the candidate is called" grep -qF '"$1"' err
mkfifo pipe
claim "a pipe nobody writes to" exits 3 "$PARE" reduce 'grep -q x' pipe
claim "is no regular file" says "not a regular file"
claim "a quote that is not closed" exits 2 "$PARE" reduce "grep 'x" x.txt
claim "one sentence about it" [ "$(wc -l < err)" -eq 1 ]
all_claimed
