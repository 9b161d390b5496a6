#!/bin/bash
# Folders and several files without a script: what a program gets of them.
set -u
. "$(dirname "$0")/claims.sh"

files() { (cd "$1" && find . -type f) | sort | paste -sd' '; }

mkdir -p proj/src
printf 'one\nbug one\n' >proj/src/a.c
printf 'two\n' >proj/b.c
printf 'x\nbug\n' >one.txt
printf 'y\nbug\n' >two.txt

# --- a folder -------------------------------------------------------------------------
claim "a folder" exits 0 "$PARE" reduce -q proj/ --stdout bug -- grep -r bug @@
claim "is reduced" [ "$(files proj.min):$(cat proj.min/src/a.c)" = './src/a.c:bug' ]
claim "a path in it" exits 0 "$PARE" reduce -q proj -o inner --stdout bug -- cat @@/src/a.c
claim "is one" [ "$(files inner):$(cat inner/src/a.c)" = './src/a.c:bug' ]
claim "its name, without @@" exits 0 "$PARE" reduce -q proj -o named --stdout bug -- cat proj/src/a.c
claim "is the candidate's" [ "$(files named):$(cat named/src/a.c)" = './src/a.c:bug' ]
claim "in a shell's text" exits 0 "$PARE" reduce -q proj -o shell --stdout bug -- 'cd @@ && cat src/*'
claim "too" [ "$(cat shell/src/a.c)" = bug ]
claim "the preload runner" exits 0 "$PARE" reduce -q proj -o preloaded --runner preload \
    --stdout bug -- grep -r bug @@
claim "changes nothing" diff -r proj.min preloaded
claim "a suffix" exits 2 "$PARE" reduce proj --stdout bug -- cat @@.c
claim "is refused" says "'@@.c' is for one file"
claim "the input is as it was" [ "$(files proj):$(cat proj/b.c)" = './b.c ./src/a.c:two' ]

# --- several --------------------------------------------------------------------------
claim "several files" exits 0 "$PARE" reduce -q two.txt one.txt --stdout 'bug.*bug' -- \
    sh -c '[ $# -eq 2 ] && cat "$1" "$2" | tr -d "\n"' sh @@
claim "have each a path, in their order" [ "$(cat two.txt.min/two.txt two.txt.min/one.txt)" = bugbug ]
claim "a word around it" exits 0 "$PARE" reduce -q two.txt one.txt -o around --stdout '^-f/.*/two.txt -f/.*/one.txt bug$' -- \
    sh -c 'echo "$@" $(grep bug "${2#-f}")' sh -f@@
claim "is repeated" [ "$(files around)" = './one.txt' ]
claim "in a shell's text" exits 0 "$PARE" reduce -q two.txt one.txt -o line --stdout 'bug\nbug' -- 'cat @@ | grep bug'
claim "all are there" [ "$(cat line/two.txt line/one.txt | tr -d '\n')" = bugbug ]
claim "an input that is not there" exits 2 "$PARE" reduce one.txt none.txt -- cat @@
claim "is named" says "'none.txt' does not exist"
claim "nothing on standard input" exits 1 "$PARE" reduce one.txt two.txt --stdout bug -- cat

# --- other failures are folders -----------------------------------------------------------
two_bugs=$PARE_HELPERS/two_bugs
mkdir pair
printf 'aqbbbbbbbbbbxzzz!!' >pair/main
printf 'of no use\n' >pair/other
claim "two bugs in a folder" exits 0 "$PARE" reduce -q -u char -a ddmin pair -- "$two_bugs" @@/main
claim "the first is kept" [ "$(cat pair.min/main)" = qx ]
other=$(echo pair.also/*.signature)
claim "the other is a folder" [ -f "${other%.signature}/main" ]
"$two_bugs" "${other%.signature}/main" 2>said
claim "that shows it" grep -q open_list said

# --- killed and going on -------------------------------------------------------------------
claim "stopped early" exits 0 "$PARE" reduce -q -u char -a ddmin pair -o again --max-tests 5 -- "$two_bugs" @@/main
claim "going on" exits 0 "$PARE" reduce -u char -a ddmin pair -o again -- "$two_bugs" @@/main
claim "it says so" grep -q 'continuing where' out
claim "the end is the same" diff -r pair.min again
all_claimed
