#!/bin/bash
# pare fuzz check: the file that a campaign stands for, where each option comes from, what is wrong.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
needs_campaigns

# --- a command line ----------------------------------------------------------------------------

claim "a command line stands for a file" exits 0 "$PARE" fuzz check -n --from lang:json -- jq 'a b' @@
cat > expected << 'END'
[target jq]
command = jq 'a b' @@

[source lang]
kind = lang
lang = json
END
claim "which is printed" cmp out expected
cp out jq.ini
claim "and read back" exits 0 "$PARE" fuzz check -n jq.ini
grep -v '^#' out > again
claim "as the same" cmp again expected
for spelling in "--from grammar:J.g4" "--from-grammar J.g4"; do
    claim "'$spelling'" exits 0 "$PARE" fuzz check -n $spelling -- jq @@
    claim "is a grammar" grep -qx "grammar = $PWD/J.g4" out
done
claim "a graph that is explored first" exits 0 "$PARE" fuzz check -n --from graph -- mujs @@
claim "has no file" grep -qx "kind = graph" out
claim "a command with a shell's signs" exits 0 "$PARE" fuzz check -n --from random -- 'jq . < "$1" | cat'
claim "stays as it is" grep -qxF 'command = jq . < "$1" | cat' out
claim "a program in the current folder" exits 0 "$PARE" fuzz check -n --from random -- ./jq.ini @@
claim "is absolute" grep -qx "command = $PWD/jq.ini @@" out

# --- files -------------------------------------------------------------------------------------

mkdir sub
cat > sub/a.ini << 'END'
; a comment
[define]
flags = -c
[campaign]
seed = 3
[target jq]
command = jq ${define:flags} . @@
timeout = 2
stderr = first
    second
[source j]
kind = folder
files = in/*.json
END
cat > b.ini << 'END'
[target jq]
timeout = 5s
END
claim "files are merged" exits 0 "$PARE" fuzz check -n sub/a.ini b.ini -D campaign:seed=4
cat > expected << END
[campaign]
# -D
seed = 4

[target jq]
# sub/a.ini:7
command = jq -c . @@
# sub/a.ini:9
stderr = first
    second
# b.ini:2
timeout = 5s

[source j]
# sub/a.ini:12
kind = folder
# sub/a.ini:13
files = $PWD/sub/in/*.json
END
claim "from left to right, each option with its origin" cmp out expected
claim "all options" exits 0 "$PARE" fuzz check -n sub/a.ini --all
claim "with their defaults" grep -qx "; reduce_time = 5m" out
cp out all.ini
claim "are a file, too" exits 0 "$PARE" fuzz check -n all.ini

# --- what is wrong -----------------------------------------------------------------------------

printf '[target jq]\ncomand = x\n' > wrong.ini
claim "a wrong option" exits 3 "$PARE" fuzz check wrong.ini
claim "gets the nearest" says "wrong.ini:2: [target jq] has no option 'comand': did you mean 'command'?"
claim "a setting without a section" exits 2 "$PARE" fuzz check sub/a.ini -D traget:x=1
claim "gets the nearest" says "there is no section [traget]: did you mean 'target jq'?"
claim "a wrong source" exits 2 "$PARE" fuzz check --from grammer:x -- jq @@
claim "gets the nearest" says "did you mean 'grammar'?"
claim "no campaign" exits 2 "$PARE" fuzz check
claim "is told" says "the campaign is missing: FILE.ini, or --from SOURCE -- PROGRAM @@"
claim "no source" exits 2 "$PARE" fuzz check -- jq @@
claim "is told" says "the source is missing: --from SOURCE"
claim "options after the program" exits 2 "$PARE" fuzz check -- jq @@ --from-lang json
claim "are the program's" says "'--from-lang' comes after '--', where everything belongs to the program: put it before"
claim "two sources" exits 2 "$PARE" fuzz check --from-lang json --from random -- jq
claim "are refused" says "give only one of --from, --from-grammar, --from-lang and --from-graph"
claim "no such file" exits 3 "$PARE" fuzz check none.ini
claim "is told" says "none.ini"
printf '[target x]\ncommand = \x1b[2J\n' > hostile.ini
claim "a control character" exits 3 "$PARE" fuzz check hostile.ini
claim "is refused" says "hostile.ini:2: a control character is in this line"
claim "a full disk" exits 3 bash -c '"$1" fuzz check jq.ini > /dev/full' bash "$PARE"

# --- what does not work ------------------------------------------------------------------------

printf '#!/bin/sh\nexit 0\n' > good.sh
printf '#!/bin/sh\nkill -SEGV $$\n' > dies.sh
chmod +x good.sh dies.sh
claim "what works" exits 0 "$PARE" fuzz check --from random -- ./good.sh @@
claim "is not told of" [ ! -s err ]
claim "a program that is not there" exits 1 "$PARE" fuzz check --from random -- ./none.sh @@
claim "is told, with its section" says "target 'none.sh'"
claim "after the file" grep -qx "kind = random" out
claim "a program that dies of everything" exits 1 "$PARE" fuzz check --from random -- ./dies.sh @@
claim "is told" says "target 'dies.sh' fails on an empty input too"
printf 'raise KeyError("price")\n' > throws.py
claim "a program that throws for everything" exits 1 "$PARE" fuzz check --from random -D target:finding=error -- python3 "$PWD/throws.py" @@
claim "is told with the line that leaves it out" says "leave it out with no_output = KeyError"
claim "a grammar that is not there" exits 1 "$PARE" fuzz check --from grammar:none.g4 -- ./good.sh @@
claim "is told" says "source grammar: $PWD/none.g4 does not exist"
echo '[campaign]' > empty.ini
claim "a campaign of nothing" exits 1 "$PARE" fuzz check empty.ini
claim "is told" grep -q "the campaign has no \[target NAME\]" err
claim "nothing is left" [ -z "$(ls -d ./*.pare.db* 2> /dev/null)" ]

# --- manuals -----------------------------------------------------------------------------------

cat > whole.ini << 'END'
[target t]
command = /bin/true
[source s]
kind = random
[report r]
[listener l]
command = /bin/true
END
claim "all options of all sections" exits 0 "$PARE" fuzz check -n -a whole.ini
sed -n 's/^\(; \)\?\([a-z_]*\) = .*/\2/p' out | sort -u > names
claim "are many" [ "$(wc -l < names)" -ge 70 ]
while read -r name; do
    claim "$name is in pare-fuzz(1)" grep -q "^\.It Cm $name No" "$PARE_SOURCE_DIR/doc/man/pare-fuzz.1"
    claim "$name is in the guide" grep -q "^| \`$name\` |" "$PARE_SOURCE_DIR/docs/guide/fuzz.md"
done < names

# --- help --------------------------------------------------------------------------------------

for command in run check ci; do
    claim "fuzz $command has help" exits 0 "$PARE" fuzz "$command" --help
    claim "of 80 columns" [ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' out)" -le 80 ]
done
claim "fuzz has a list" exits 0 "$PARE" fuzz --help
claim "of what people use" [ "$(grep -c 'pare fuzz job' out)" -eq 0 ]
claim "an unknown part" exits 2 "$PARE" fuzz runn
claim "gets the nearest" says "unknown command 'runn': did you mean 'run'?"

all_claimed
