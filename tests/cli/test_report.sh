#!/bin/bash
# --report: one page, well formed, written by rename at the end of any run.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

well_formed() {
    if command -v xmllint > /dev/null; then xmllint --noout "$1"; else grep -q '^</html>$' "$1"; fi
}
# Text of the page without its markup.
tells() { sed 's/<[^>]*>//g' "$1" | grep -qF -- "$2"; }
nothing_left() { [ -z "$(find . -name '*.tmp')" ]; }

seq 1 400 > x.txt
claim "reduces with a report" exits 0 "$PARE" reduce -u line --no-journal --report r.html \
    -o y.txt 'grep -qx 17' x.txt
claim "and says where it is" grep -q '^  report   r.html$' out
claim "the page is well formed" well_formed r.html
claim "it has the sizes" tells r.html '1,492 bytes &#8594; 3 bytes'
claim "the test" tells r.html 'grep -qx 17'
claim "what is left" grep -q '<mark>17</mark>' r.html
claim "the command" tells r.html \
    'pare reduce -u line --no-journal --report r.html -o y.txt &#39;grep -qx 17&#39; x.txt'
claim "how to see the failure" tells r.html 'grep -qx 17 y.txt'
not_matched() { ! grep -qE "$1" "$2"; }
claim "nothing from elsewhere" not_matched '( src=| href=|@import|url\(| style=)' r.html
claim "one script" [ "$(grep -c '<script>' r.html)" -eq 1 ]
hash_of() {
    sed -n "/<$2>/,/<\\/$2>/p" "$1" | perl -0pe "s/.*<$2>(.*)<\\/$2>.*/\$1/s" |
        openssl dgst -sha512 -binary | base64 -w0
}
claim "the policy allows the script by its digest" grep -qF "script-src 'sha512-$(hash_of r.html script)'" r.html
claim "and the style" grep -qF "style-src 'sha512-$(hash_of r.html style)'" r.html
claim "no file beside it" nothing_left

printf 'a</script><script>alert(1)</script>\0\377\342\200\256keep "me"\n<!-- --\n' > 'h"<i>.txt'
claim "hostile bytes" exits 0 "$PARE" reduce -q --no-journal --report h.html -o h.out \
    'grep -qa keep' 'h"<i>.txt'
claim "stay text" well_formed h.html
claim "and are seen" tells h.html '\x00\xff\u{202e}'

printf '#!/bin/sh\necho "out of <b>order</b>: $(grep -c . "$1") lines"; printf "\\033[2Jlast \\377\\n" >&2; grep -qx 17 "$1"\n' > loud.sh
chmod +x loud.sh
claim "a test that prints" exits 0 "$PARE" reduce -q --no-journal --report l.html -o l.out ./loud.sh x.txt
claim "what it prints of the result is folded" grep -q '<summary>What it prints: the last lines</summary>' l.html
claim "as text" tells l.html 'out of &lt;b&gt;order&lt;/b&gt;: 1 lines'
claim "also what is none" tells l.html '\x1b[2Jlast \xff'
claim "in a page that is well formed" well_formed l.html
claim "it takes no test that is counted" exits 0 "$PARE" reduce -q --no-journal -j1 --stats with.json --report l.html -o l.out ./loud.sh x.txt
claim "as without a report" exits 0 "$PARE" reduce -q --no-journal -j1 --stats without.json -o l.out ./loud.sh x.txt
tests_of() { sed -n 's/.*"tests_run": *\([0-9]*\).*/\1/p' "$1"; }
claim "both know how many" [ -n "$(tests_of with.json)" ]
claim "the same number" [ "$(tests_of with.json)" = "$(tests_of without.json)" ]
printf '#!/bin/sh\nyes endless | head -c 3000000\ngrep -qx 17 "$1"\n' > endless.sh
chmod +x endless.sh
claim "a test that prints megabytes" exits 0 "$PARE" reduce -q --no-journal --report e.html -o e.out ./endless.sh x.txt
claim "makes a page of the same size" [ "$(stat -c %s e.html)" -lt $(($(stat -c %s r.html) + 40000)) ]
claim "a test that prints nothing has no fold" not_matched 'What it prints' r.html
claim "an explained result" exits 0 "$PARE" explain --report x.html l.out ./loud.sh
claim "has what it prints, too" tells x.html 'out of &lt;b&gt;order&lt;/b&gt;: 1 lines'

claim "a budget" exits 0 "$PARE" reduce -q --no-journal --max-tests 2 --report b.html -o b.out \
    'grep -qx 17' x.txt
claim "has a report as well" tells b.html 'Stopped at the limit of tests or time'
printf '#!/bin/bash\nif [ -e %q/first ]; then touch %q/second; sleep 20; fi\ntouch %q/first\ngrep -qx 17 "$1"\n' \
    "$here" "$here" "$here" > slow.sh
chmod +x slow.sh
"$PARE" reduce --no-journal -j1 --flaky off --runner spawn --timeout 60 --report i.html -o i.out \
    ./slow.sh x.txt > out 2> err < /dev/null &
child=$!
await [ -e second ] # the input was found to fail
kill -INT "$child"
ends "$child"
claim "an interrupted run ends with 130" [ "$code" -eq 130 ]
claim "and has a report" tells i.html 'Stopped by request'

cp x.txt in.txt
claim "in place" exits 0 "$PARE" reduce -q --no-journal --in-place --report p.html \
    'grep -qx 17' in.txt
claim "the original is the one that was kept" grep -q '<mark>17</mark>' p.html
claim "a program without a script" exits 0 "$PARE" reduce -q --no-journal --exit 0 \
    --report q.html -o q.out x.txt -- grep -x 17 @@
claim "is told how to run" tells q.html 'grep -x 17 q.out'
printf 'a\nb\nc\n' > good.txt
printf 'a\nX\nc\nd\n' > bad.txt
claim "isolate" exits 0 "$PARE" isolate -q --no-journal --report s.html 'grep -q X' bad.txt good.txt
claim "shows both sides" tells s.html 'Passing side'
claim "first of all how they differ" tells s.html 'What makes the difference'
claim "the one difference is marked on the failing side" grep -q '<span class="differs">X</span>' s.html
claim "it counts differences, not bytes" grep -q '<b>1</b> <span>of [0-9]*</span> <span>differences</span>' s.html
claim "well formed" well_formed s.html
cp x.txt changes.txt
printf '#!/bin/bash\necho >> %q/changes.txt\ngrep -qx 17 "$1"\n' "$here" > changing.sh
chmod +x changing.sh
claim "an input that changes meanwhile" exits 0 "$PARE" reduce -q --no-journal --report f.html \
    -o f.out ./changing.sh changes.txt
claim "is not shown" tells f.html 'Not shown: it cannot be read a second time'
mkdir dir
seq 1 30 > dir/a
echo z > dir/b
claim "a folder" exits 0 "$PARE" reduce -q --no-journal --report d.html -o d.out \
    'grep -rqx 17' dir
claim "has a page" well_formed d.html
claim "with its files side by side" [ "$(grep -c '<div class="pair">' d.html)" -eq 1 ]
claim "named" grep -q '<h3 class="file">dir/a</h3>' d.html
claim "and what is left marked" grep -q '<mark>17</mark>' d.html
mkdir many
for k in $(seq 1 40); do echo "text $k needle" > "many/$k"; done
claim "many files" exits 0 "$PARE" reduce -q --no-journal --only 7 --report m.html -o m.out \
    '[ "$(cat "$1"/* | grep -c needle)" -eq 40 ] && true' many
claim "are not all shown" [ "$(grep -c '<div class="pair">' m.html)" -eq 30 ]
claim "which is told" tells m.html 'Not shown: 10 more files of the result.'
cp -a dir placed
cp x.txt beside.txt
claim "several in place" exits 0 "$PARE" reduce -q --no-journal --in-place --report w.html \
    'grep -rqx 17 "$1" && grep -qx 18 "$2" && true' placed beside.txt
claim "have a page" well_formed w.html
claim "with the originals that were kept" [ "$(grep -c '<mark>' w.html)" -ge 3 ]
claim "of a file too" grep -q '<h3 class="file">beside.txt</h3>' w.html

cp x.txt same.txt
claim "the input is not overwritten" exits 2 "$PARE" reduce --report same.txt 'grep -qx 17' same.txt
claim "one sentence" says "'--report' would overwrite 'same.txt'"
claim "it is as it was" cmp -s x.txt same.txt
claim "nor the output" exits 2 "$PARE" reduce --report y -o y 'grep -qx 17' x.txt
claim "one sentence" says "'--report' would overwrite the file of '--output'"
claim "a report that cannot be made" exits 3 "$PARE" reduce -o y2 --report /nowhere/r 'grep -qx 17' x.txt
claim "is named" says "cannot write the report '/nowhere/r'"
claim "before anything is done" [ ! -e y2 ]
claim "nor over a folder" exits 3 "$PARE" reduce -o y2 --report dir 'grep -qx 17' x.txt
claim "a report on a full disk" exits 3 "$PARE" reduce -q --no-journal -o y3 --report /dev/full \
    'grep -qx 17' x.txt
claim "is named as well" says "cannot write the report '/dev/full'"
claim "and the result is there" [ "$(cat y3)" = 17 ]
echo mine > old.html
ln -s old.html link.html
claim "a link" exits 0 "$PARE" reduce -q --no-journal -o y4 --report link.html 'grep -qx 17' x.txt
claim "stays one" [ -L link.html ]
claim "and what it leads to is replaced" well_formed old.html

# What a result shows: by --explain at the end of a run, and of a result by itself.
printf 'int unused;\nkeep(4711, name) + name;\nint other;\n' > k.c
cat > k.sh << 'EOF'
#!/bin/sh
grep -qE '^keep\([0-9]{3,}, ([a-z]+)\) \+ \1;$' "$1"
EOF
chmod +x k.sh
claim "explains" exits 0 "$PARE" reduce -q --explain --lang none --no-journal --report k.html -o k.out ./k.sh k.c
claim "on a page" well_formed k.html
claim "that shows what may vary" tells k.html 'at 2 places'
claim "with marks" grep -q '<a class="p [a-z]*" href="#part-[0-9]*" title=' k.html
claim "and rows" grep -q '<tr id="part-0">' k.html
claim "and the test's script" tells k.html 'grep -qE &#39;^keep'
claim "the result is before the curve" [ "$(grep -n 'id="result"' k.html | cut -d: -f1)" -lt \
    "$(grep -n 'id="size"' k.html | cut -d: -f1)" ]

claim "explains a result" exits 0 "$PARE" explain --lang none --report l.html k.out ./k.sh
claim "on a page as well" well_formed l.html
claim "without a curve" not_matched 'id="size"' l.html
claim "that says how to see the failure" tells l.html './k.sh k.out'
cp k.out kept.out
claim "which is not written over the result" exits 2 "$PARE" explain --report k.out k.out ./k.sh
claim "in one sentence" says "'--report' would overwrite 'k.out'"
claim "and leaves it" cmp -s k.out kept.out

# What is no text is shown in hexadecimal.
head -c 600 /dev/zero | tr '\0' '\377' > b.bin
printf 'NEEDLE\0<b>' >> b.bin
claim "reduces bytes" exits 0 "$PARE" reduce -q --no-journal --report n.html -o n.bin 'grep -qa NEEDLE' b.bin
claim "on a page" well_formed n.html
claim "with offsets" grep -q 'class="l" data-n="250">' n.html
claim "and digits" tells n.html '4e 45 45 44 4c 45'

# 3 MB in 60,000 lines: a bounded page.
seq -f 'line %.0f has a number and a few words of text in it' 1 60000 > big.txt
claim "a large input" exits 0 "$PARE" reduce -q --no-journal --max-tests 4 --report big.html \
    -o big.out 'grep -q 31999' big.txt
claim "has a page below 2 MB" [ "$(stat -c %s big.html)" -lt 2000000 ]
claim "well formed" well_formed big.html
claim "nothing is left beside the pages" nothing_left
all_claimed
