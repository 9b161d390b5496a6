#!/bin/bash
# What is said of a test for which an empty input fails as well: each sentence has the command that is right.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
told() { grep -qF -- "$1" err; }

for i in $(seq 40); do echo "line $i"; done > in.txt
echo 'needle' >> in.txt
printf '#!/bin/sh\ngrep -q needle "%s"\n' "$PWD/in.txt" > own.sh
printf '#!/bin/sh\necho "error: no $1" >&2\nexit 1\n' > picky
chmod +x own.sh picky

claim "a test that names the input" exits 1 "$PARE" reduce ./own.sh in.txt
claim "is told" told "so it never looks at a candidate: write \"\$1\" instead"
claim "a test that always holds" exits 1 "$PARE" reduce true in.txt
claim "is told" told "make it exit with 0 only if this very failure is there, or give --allow-empty"
claim "a program that is given the input's path" exits 1 "$PARE" reduce in.txt -- ./picky "$PWD/in.txt"
claim "is told" told "write @@"
claim "a program without the candidate" exits 1 "$PARE" reduce in.txt -- ./picky '{}'
claim "is told, with the mark in its place" told "write @@ where its path belongs: pare reduce in.txt -- ./picky @@"
claim "an operator as a word" exits 1 "$PARE" reduce in.txt -- ./picky @@ '2>&1'
claim "is told, as one word" told "write the command line as one word: pare reduce in.txt --"
claim "nothing is left" [ ! -e in.min.txt ]

mkdir -p 'a folder'
cp in.txt 'a folder/in.txt'
claim "a test that names the input by a path of two parts" exits 1 "$PARE" reduce 'grep -q needle "a folder/in.txt"' 'a folder/in.txt'
claim "is told what is right" told 'write "$1" instead'
claim "which is right" exits 0 "$PARE" reduce 'grep -q needle "$1"' 'a folder/in.txt'
claim "as it says" grep -qx needle 'a folder/in.min.txt'
claim "so is a plain command" exits 1 "$PARE" reduce "grep -q needle 'a folder/in.txt'" 'a folder/in.txt'
mkdir -p sub
cp in.txt sub/
claim "and one without quotes" exits 1 "$PARE" reduce 'grep -q needle sub/in.txt' sub/in.txt
claim "is told likewise" told '"$1"'
claim "and one with a pipe" exits 1 "$PARE" reduce 'cat sub/in.txt | grep -q needle' sub/in.txt
claim "is told likewise" told "pare reduce 'cat \"\$1\" | grep -q needle' sub/in.txt"

# The interpreter is taken for the test, and its script for an input, of which an empty one always succeeds.
printf 'grep -q needle "$1"\n' > plain.sh
claim "an interpreter and its script" exits 1 "$PARE" reduce sh plain.sh in.txt
claim "are told to be one test" told "if that is the test itself, write pare reduce 'sh plain.sh' in.txt"
claim "which is right" exits 0 "$PARE" reduce 'sh plain.sh' in.txt
claim "as it says" grep -qx needle in.min.txt
rm in.min.txt
claim "nothing is left of the first" [ ! -e plain.sh.min ]
claim "files of which names alone matter" exits 0 "$PARE" reduce --allow-empty ls plain.sh in.txt -o names

# Without its name the message is that of the first four bytes, too.
for i in $(seq 20); do echo bananas; done > known.txt
echo needle >> known.txt
cat > knows << 'EOF'
#!/bin/sh
while read -r w || [ -n "$w" ]; do
    [ "$w" = bananas ] || { echo "error: unknown word '$w'" >&2; exit 1; }
done < "$1"
EOF
chmod +x knows
claim "a message whose name matters" exits 0 "$PARE" reduce known.txt --signature known.sig -- "$PWD/knows" @@
claim "is kept with it" grep -qx needle known.min.txt
claim "which is told" grep -qF "they are kept, as with --keep exact" out
claim "in the file of the signature, too" grep -qF "unknown word 'needle'" known.sig
claim "it is explained with it" exits 0 "$PARE" explain known.min.txt -- "$PWD/knows" @@
claim "as the reduction has learnt it" grep -qF "unknown word 'needle'" out
claim "so that it is not any name" bash -c '! grep -qF "any name" out'
claim "so is it at the end of a reduction" exits 0 "$PARE" reduce known.txt -o explained.txt --explain -- "$PWD/knows" @@
claim "likewise" bash -c 'grep -qF "unknown word '"'needle'"'" out && ! grep -qF "any name" out'
claim "a looser level has no such name" exits 1 "$PARE" reduce known.txt --keep kind -o kind.txt -- "$PWD/knows" @@

# The message is the same for the first four bytes, but of another line.
{ for i in $(seq 40); do echo "key$i = $i"; done; echo 'key41: 41'; seq -f 'key%g = 1' 42 60; } > lines.txt
cat > reads << 'EOF'
#!/bin/sh
n=0
while read -r key mark value; do
    n=$((n + 1))
    [ "$mark" = = ] || { echo "fatal: bad line $n" >&2; exit 1; }
done < "$1"
EOF
chmod +x reads
claim "a message that only its line tells from others" exits 0 "$PARE" reduce lines.txt --signature line.sig -- "$PWD/reads" @@
claim "is kept with the line" diff lines.min.txt - <<< 'key41: 41'
claim "which is told" grep -qF "the line is kept, as with --keep line" out
claim "in the file of the signature, too" grep -qF 'line "key41: 41"' line.sig
claim "it may be asked for" exits 0 "$PARE" reduce lines.txt --keep line -o asked.txt -- "$PWD/reads" @@
claim "with the same result" diff asked.txt lines.min.txt
claim "on standard input as well" exits 0 "$PARE" reduce lines.txt -o input.txt -- "$PWD/reads" /dev/stdin
claim "with the same result" diff input.txt lines.min.txt
printf '#!/bin/sh\necho "fatal: bad line 41" >&2\nexit 1\n' > rc
chmod +x rc
claim "a line of the program's own file" exits 1 "$PARE" reduce lines.txt -o own.txt -- "$PWD/rc" @@
claim "is none of the input's" [ ! -e own.txt ]
printf '#!/bin/sh\n[ -s "$1" ] || exit 0\ngrep -q . "$1" || exit 0\necho "fatal: bad line 41" >&2\nexit 1\n' > rc
claim "nor is it where it is only said of something" exits 1 "$PARE" reduce lines.txt -o own.txt -- "$PWD/rc" @@

# What is printed has a time in it, and only an absolute path is taken: the path is not what the program minds.
cat > timed << 'EOF'
#!/bin/sh
date +%s%N >&2
case $1 in
/*) echo "$(date +%s%N) fatal: odd line 1 of $1" >&2 ;;
*) echo "$(date +%s%N) fatal: $1 is no absolute path" >&2 ;;
esac
exit 1
EOF
chmod +x timed
claim "a program that says the same with other numbers" exits 1 "$PARE" reduce in.txt -- "$PWD/timed" @@
claim "is not said to mind the path" bash -c '! grep -qF "because of the path" err'
# A part of the file's name stands in the input; all of the name goes all the same.
printf '#!/bin/sh\ngrep -q needle "$1" || exit 0\necho "error: ${1##*/} has a hole" >&2\nexit 1\n' > holed
chmod +x holed
{ seq 20; echo 'needle txt'; } > one.txt
claim "a name of which a part stands in the input" exits 0 "$PARE" reduce --no-journal -o less.txt one.txt -- "$PWD/holed" @@
claim "is no part of the failure" grep -qF 'diagnostic "error: * has a hole"' out

all_claimed
