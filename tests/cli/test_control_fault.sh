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
all_claimed
