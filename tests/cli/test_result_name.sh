#!/bin/bash
# A program that minds what its input is called (as compilers of D, Java and Ada do) fails in another way on the result,
# whose name has ".min" in it: then a notice says under which name the failure is there.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

cat > picky <<'P'
#!/bin/sh
case ${1##*/} in *.*.*) echo "$1: error: that is no name of a module" >&2; exit 1 ;; esac
grep -q 'bug' "$1" || exit 0
echo "$1: error: there is a bug" >&2
exit 1
P
sed '/no name/d' picky > easy
chmod +x picky easy
for i in $(seq 40); do echo "line $i"; done > in.txt
echo 'a bug is here' >> in.txt

claim "it is reduced" exits 0 "$PARE" reduce in.txt -- ./picky @@
claim "to the failure" [ "$(cat in.min.txt)" = bug ]
claim "and its name is said to matter" grep -q "fails in another way on in.min.txt, because of that name: copy it to a file called in.txt" out
mkdir named && cp in.min.txt named/in.txt
claim "which is right" exits 1 ./picky named/in.txt
claim "as the failure is there" says "there is a bug"
rm in.min.txt
claim "a program that does not mind" exits 0 "$PARE" reduce in.txt -- ./easy @@
cat out err > seen
claim "has no notice" exits 1 grep -q "that name" seen
rm in.min.txt
sed 's/echo "$1: error: there is a bug"/echo "error: there is a bug in ${1##*\/}(2), rule 1"/' easy > telling
chmod +x telling
claim "one that names the input in its message" exits 0 "$PARE" reduce in.txt -- ./telling @@
cat out err > seen
claim "has none either" exits 1 grep -q "that name" seen
claim "as the name is no part of the failure" grep -q 'is a [*] in [*]' seen
rm in.min.txt
claim "nor has one that is given no name" exits 0 "$PARE" reduce in.txt -- ./easy /dev/stdin
cat out err > seen
claim "whatever the result is called" exits 1 grep -q "that name" seen
all_claimed
