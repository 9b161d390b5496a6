#!/bin/bash
# A program that wants the name of its input, not a path (as protoc does), is answered with the command that
# gives it the name; one that complains about a path for another reason is not.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

cat > picky <<'P'
#!/bin/sh
case $1 in */*) echo "$1: error: give me a name, not a path" >&2; exit 1 ;; esac
grep -q 'bug' "$1" || exit 0
echo "$1: error: there is a bug" >&2
exit 1
P
cat > deaf <<'P'
#!/bin/sh
echo "$1: error: not read at all" >&2
exit 1
P
cat > blind <<'P'
#!/bin/sh
echo "error: no rules for $(readlink -f "$1")" >&2
exit 1
P
chmod +x picky deaf blind
for i in $(seq 40); do echo "line $i"; done > in.txt
echo 'a bug is here' >> in.txt

claim "the path is refused" exits 1 "$PARE" reduce in.txt -o left -- ./picky @@
if grep -q "no full sandbox" err; then echo "no full sandbox here: nothing can be tried"; exit 77; fi
claim "with the command that is right" says "give it the file's name alone, as in pare reduce in.txt -- ./picky in.txt"
claim "nothing is left" [ ! -e left ]
claim "which is right" exits 0 "$PARE" reduce in.txt -o left -- ./picky in.txt
claim "and ends with the failure" [ "$(cat left)" = bug ]
claim "where the name does not help either" exits 1 "$PARE" reduce in.txt -o left2 -- ./deaf @@
claim "it is not advised" exits 1 grep -q "name alone" err
claim "where the whole path is told in both cases" exits 1 "$PARE" reduce in.txt -o left2 -- ./blind @@
claim "neither" exits 1 grep -q "name alone" err
all_claimed
