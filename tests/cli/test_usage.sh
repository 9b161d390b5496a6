#!/bin/bash
# Wrong command lines: exit code 2 and one line that says what would be right.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

printf 'one\ntwo\n' > x.txt
printf '#!/bin/sh\ngrep -q two "$1"\n' > t.sh
chmod +x t.sh

# refuses TEXT ARGUMENTS...   pare ARGUMENTS is a usage error that says TEXT.
refuses() {
    local text=$1
    shift
    claim "usage error: $*" exits 2 "$PARE" "$@"
    claim "one line for: $*" says "$text"
    claim "nothing on standard output for: $*" [ ! -s out ]
}

refuses "a command is missing"
refuses "unknown command 'reduec': did you mean 'reduce'?" reduec
refuses "unknown command 'qqq': 'pare help' lists" qqq
refuses "unknown option '--versoin': did you mean '--version'?" --versoin
refuses "unknown command 'x.txt': did you mean: pare reduce TEST x.txt" x.txt
refuses "did you mean: pare reduce ./t.sh x.txt" ./t.sh x.txt
refuses "did you mean: pare reduce ./t.sh INPUT" ./t.sh
refuses "did you mean: pare reduce x.txt -- sh -c 'exit 3' @@" x.txt -- sh -c 'exit 3' @@
refuses "did you mean 'reduce'?" rduce x.txt
refuses "'--worker' tests files, not what a generator makes" reduce --worker ./w --generator cat --choices x.txt
refuses "pare reduce --generator COMMAND --choices FILE -- TEST" reduce --worker ./w --generator cat --choices x.txt -- ./t.sh
refuses "'--grammar' needs a value" reduce ./t.sh x.txt -g
refuses "TEST and INPUT are missing" reduce
refuses "INPUT is missing" reduce ./t.sh
refuses "there are more operands than TEST and INPUT" reduce ./t.sh x.txt y.txt
refuses "must not be empty" reduce '' x.txt
refuses "an operand is missing" isolate ./t.sh x.txt
refuses "an operand is missing" explain ./t.sh
refuses "OUTPUT is missing" history
refuses "there are too many operands" isolate ./t.sh a b c
refuses "TEST comes first" reduce x.txt ./t.sh
refuses "TEST comes first" reduce x.txt "python3 t.py"
printf '#!/bin/sh\nexit 0\n' > plain.sh
refuses "TEST comes first: 'x.txt' is not a script, but './plain.sh' is; swap them" reduce x.txt ./plain.sh
refuses "reduce TEST x.txt; or the program that fails: pare reduce x.txt -- PROGRAM @@" reduce x.txt
rm plain.sh
refuses "did you mean: pare reduce x.txt -- python3 t.py @@" reduce x.txt python3 t.py @@
refuses "did you mean: pare reduce INPUT -- python3 t.py @@" reduce python3 t.py @@
refuses "did you mean: pare reduce x.txt -- python3 @@" reduce python3 @@ x.txt
refuses "did you mean: pare reduce x.txt -- grep -q gamma @@" reduce x.txt grep -q gamma @@
refuses "did you mean: pare reduce -j2 x.txt -- grep -q gamma @@" reduce -j2 x.txt grep -q gamma @@
refuses "unknown option '-c': if it is one of PROGRAM's, '--' is missing" reduce x.txt sh -c 'exit 3' @@
refuses "unknown option '--pedantic': if it is one of PROGRAM's, '--' is missing" reduce x.txt cc --pedantic @@
refuses "unknown option '--outptu': did you mean '--output'?" reduce x.txt --outptu y -- cc @@
refuses "RESULT comes first" explain ./t.sh x.txt
for option in --outptu --algoritm --unti --timout --max-test --jurnal --sats --colour; do
    refuses "unknown option '$option': did you mean '--" reduce ./t.sh x.txt "$option" 1
done
refuses "did you mean '--output'?" reduce ./t.sh x.txt -output y
for option in output jobs algorithm unit subsets order granularity split seed timeout \
    max-tests max-time target-size journal trace stats color memory cpu processes file-size sandbox writable; do
    refuses "'--$option' needs a value" reduce ./t.sh x.txt "--$option"
    refuses "'--$option' needs a value" reduce ./t.sh x.txt "--$option" --quiet
    refuses "'--$option' takes " reduce ./t.sh x.txt "--$option="
done
for option in in-place fixpoint no-fixpoint no-journal no-cache no-coverage no-semantic deterministic quiet verbose no-aslr network \
    list-algorithms help; do
    refuses "'--$option' takes no value" reduce ./t.sh x.txt "--$option=1"
done
refuses "from 1 to 1024, not '0'" reduce ./t.sh x.txt -j 0
refuses "from 1 to 1024, not '1025'" reduce ./t.sh x.txt -j1025
refuses "from 1, not '1e3'" reduce ./t.sh x.txt --max-tests 1e3
refuses "a time above 0, such as" reduce ./t.sh x.txt --timeout 0
refuses "a time above 0, such as" reduce ./t.sh x.txt --max-time -1
refuses "500ms, 5m or 1h, not '1d'" reduce ./t.sh x.txt --max-time 1d
refuses "500ms, 5m or 1h, not '1h30m'" reduce x.txt --hang 1h30m -- ./t.sh @@
refuses "a time above 0, such as" generate --timeout 0 --record x -- ls
refuses "a time above 0, such as" shootout --test-time 1w
refuses "a size such as 500M or 2G, not '1m2'" reduce ./t.sh x.txt --target-size 1m2
refuses "a size such as 500M or 2G, not '0'" reduce x.txt --max-rss 0 -- ./t.sh @@
refuses "a size such as 500M or 2G, not '1.5G'" reduce ./t.sh x.txt --memory 1.5G
refuses "a size such as 500M or 2G, not '0'" reduce ./t.sh x.txt --memory 0
refuses "a size such as 500M or 2G, not '9999999999G'" reduce ./t.sh x.txt --memory 9999999999G
refuses "500M or 2G, or 'none', not '2GB'" reduce ./t.sh x.txt --file-size 2GB
refuses "a time above 0, such as" reduce ./t.sh x.txt --cpu 0
refuses "from 1 to 2147483647, not '1K'" reduce ./t.sh x.txt --processes 1K
refuses "one of off, devices, full" reduce ./t.sh x.txt --sandbox none
refuses "from 2 or 'inf'" reduce ./t.sh x.txt --granularity 1
refuses "one of first, last, skip" reduce ./t.sh x.txt --subsets frist
refuses "one of forward, backward, random" reduce ./t.sh x.txt --order=up
refuses "one of zeller, balanced" reduce ./t.sh x.txt --split half
refuses "one of auto, always, never" reduce ./t.sh x.txt --color blue
refuses "unknown algorithm 'dmin': did you mean 'ddmin'?" reduce ./t.sh x.txt -a sweep,dmin
refuses "PROGRAM is missing after '--'" reduce x.txt --
refuses "INPUT is missing before '--'" reduce -- ./t.sh @@
refuses "INPUT is missing before '--'" reduce -o y -- ./t.sh -x c -
refuses "unknown algorithm 'qqq': --list-algorithms lists them" reduce ./t.sh x.txt -a qqq
refuses "unknown algorithm ''" reduce ./t.sh x.txt -a ddmin,
refuses "unknown unit 'lines': did you mean 'line'?" reduce ./t.sh x.txt -u lines
refuses "exclude each other" reduce ./t.sh x.txt --in-place -o y
refuses "exclude each other" reduce ./t.sh x.txt --journal j --no-journal
refuses "exclude each other" reduce ./t.sh x.txt -q -v
refuses "would overwrite 'x.txt'" reduce ./t.sh x.txt -o ./x.txt
refuses "would overwrite 'x.txt'" reduce ./t.sh x.txt --trace x.txt
refuses "would overwrite './t.sh'" reduce ./t.sh x.txt --stats t.sh
refuses "would overwrite 'x.txt'" reduce ./t.sh x.txt --report=x.txt
refuses "exclude each other" reduce ./t.sh x.txt --lang c --grammar C.g4
refuses "needs the '--grammar'" reduce ./t.sh x.txt --start r
refuses "'--exit' is for a PROGRAM, not for a TEST" reduce ./t.sh x.txt --exit 1
refuses "'--exit' takes a number" reduce x.txt --exit 256 -- ./t.sh @@
refuses "unknown signal 'SIGNOT'" reduce x.txt --signal SIGNOT -- ./t.sh @@
refuses "is wrong at" reduce x.txt --stdout '(' -- ./t.sh @@
refuses "cannot be both" reduce x.txt -- ./t.sh @@.a @@.b
refuses "--o\\nut" reduce ./t.sh x.txt $'--o\nut\e[2J'
claim "the input is as it was" [ "$(cat x.txt)" = $'one\ntwo' ]
claim "nothing else was made" [ "$(ls | tr '\n' ' ')" = "err out t.sh x.txt " ]

# Times and sizes with units.
for option in timeout=1m timeout=500ms timeout=1.5h cpu=2m target-size=0 target-size=1K memory=4g; do
    claim "--$option" exits 0 "$PARE" reduce -q ./t.sh x.txt -o y "--$option"
    rm -f y
done
claim "--max-time 1h --hang 1s" exits 1 "$PARE" reduce -q x.txt --max-time 1h --hang 1s -- ./t.sh @@
claim "--max-rss 1T" exits 1 "$PARE" reduce -q x.txt --max-rss 1T -- ./t.sh @@
rm -rf y y.pare x.also

claim "--version" exits 0 "$PARE" --version
claim "version is a number" grep -qxE 'pare [0-9]+\.[0-9]+\.[0-9]+' out
claim "help" exits 0 "$PARE" help
fits_80_columns() { run "$PARE" "$@" --help; ! LC_ALL=C grep -E '^.{81}' out; }
claim "the list of commands fits 80 columns" fits_80_columns
claim "so does the list of a campaign's" fits_80_columns fuzz
claim "and of a graph's" fits_80_columns graph
claim "help reduce" exits 0 "$PARE" help reduce
for command in reduce isolate explain history parse generate learn shootout lang graph fuzz worker; do
    claim "help $command" exits 0 "$PARE" help "$command"
    mv out help.txt
    claim "$command --help is the same" exits 0 "$PARE" "$command" --help
    claim "$command --help is what help prints" cmp -s out help.txt
    claim "$command --help fits two screens" [ "$(wc -l < out)" -le 48 ]
    claim "$command --help is 80 columns wide at most" [ "$(wc -L < out)" -le 80 ]
    claim "$command --help=all" exits 0 "$PARE" "$command" --help=all
    claim "$command --help=all has what --help has" [ -z "$(grep -vxF -f out help.txt)" ]
    claim "$command --help=all is 80 columns wide at most" [ "$(wc -L < out)" -le 80 ]
done
for part in $("$PARE" graph --help | sed -n "s/^  pare graph \([a-z]*\) .*/\1/p"); do
    claim "help graph $part" exits 0 "$PARE" help graph $part
    mv out help.txt
    claim "graph $part --help is the same" exits 0 "$PARE" graph $part --help
    claim "graph $part --help is what help prints" cmp -s out help.txt
    claim "graph $part --help fits two screens" [ "$(wc -l < out)" -le 48 ]
    claim "graph $part --help is 80 columns wide at most" [ "$(wc -L < out)" -le 80 ]
done
claim "a graph needs a part" exits 2 "$PARE" graph
claim "and says so" says "a command is missing"
claim "an unknown part" exits 2 "$PARE" graph shwo
claim "is guessed" says "unknown command 'shwo': did you mean 'show'?"
rm help.txt
claim "--help=all is longer" [ "$("$PARE" reduce --help=all | wc -l)" -gt 100 ]
claim "--help takes no other value" exits 2 "$PARE" reduce --help=more
claim "and says which one" says "'--help' takes no value but all"
claim "--help anywhere" exits 0 "$PARE" reduce ./t.sh --help
claim "--list-algorithms" exits 0 "$PARE" reduce --list-algorithms
for name in auto ddmin ddmin-parallel ddmin-complement ddmin-blog ddrmin quickxplain adaptive \
    lithium probdd cdd sweep hdd hddr coarse-hdd perses gtr choices portfolio byte char line token bracket; do
    claim "$name is described" grep -qE "^  $name " out
done
# A language that is named and not added is an error; one that is guessed is not.
export PARE_DATA=$here/data
printf "x = 1\ntwo = 2\n" > x.sol
exits 3 "$PARE" reduce ./t.sh x.sol --lang solidity || true
if says "the language 'solidity' is not installed yet: 'pare lang add solidity' adds it"; then
    claim "a named language that is missing" exits 3 "$PARE" reduce ./t.sh x.sol --lang solidity
    claim "nothing was reduced" [ ! -e x.min.sol ]
fi
claim "a guessed one is no error" exits 0 "$PARE" reduce ./t.sh x.sol

claim "a full disk is an error" exits 3 bash -c '"$1" help > /dev/full' bash "$PARE"
all_claimed
