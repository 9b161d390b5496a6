#!/bin/bash
# Folders and several files: what survives, what goes, how many tests that takes.
set -u
. "$(dirname "$0")/claims.sh"

# --- everything there is in a folder ------------------------------------------------
mkdir -p proj/src/deep proj/void proj/'new
line'
printf 'one\nbug one\ntwo\n' >proj/src/a.c
printf 'x\nbug two\ny\n' >proj/src/deep/b.h
printf 'of no use\n' >proj/'new
line'/"$(printf '\377')"
printf '#!/bin/sh\nexit 0\n' >proj/tool.sh
chmod 755 proj/tool.sh
chmod 640 proj/src/a.c
chmod 500 proj/void
ln -s src/a.c proj/link
ln -s .. proj/src/up
mkfifo proj/pipe
cp -a proj original
same() { diff -r --no-dereference -x pipe proj original >/dev/null; }

cat >test.sh <<'SH'
#!/bin/sh
[ "$1" = "$PWD/proj" ] && [ -z "$2" ] || exit 3
grep -q bug proj/src/a.c && grep -q bug proj/src/deep/b.h && [ -L proj/link ] &&
    [ -x proj/tool.sh ] && [ "$(stat -c %a proj/src/a.c)" = 640 ] &&
    [ -d proj/void ] && [ "$(stat -c %a proj/void)" = 500 ]
SH
chmod +x test.sh
claim "a folder" exits 0 "$PARE" reduce ./test.sh proj/ --stats stats.json
claim "what is no file is told of" grep -q 'neither file, link nor folder: proj/pipe' out
claim "the input is as it was" same
# Everything but folders that hold something, in one line.
files() { (cd "$1" && find . ! -type d -print -o -empty -print) | sort | paste -sd' '; }
claim "only what is needed is left" \
    [ "$(files proj.min)" = './link ./src/a.c ./src/deep/b.h ./tool.sh ./void' ]
claim "and of it only bytes that are" [ "$(cat proj.min/src/a.c proj.min/src/deep/b.h)" = bugbug ]
claim "a link is one" [ "$(readlink proj.min/link)" = src/a.c ]
claim "modes are kept" [ "$(stat -c %a proj.min/src/a.c proj.min/tool.sh proj.min/void |
    tr '\n' ' ')" = '640 755 500 ' ]
claim "files are counted" jq -e '.files_in == 7 and .files_out == 5 and .bytes_out == 6' stats.json
claim "nothing is left beside but the history" [ "$(echo proj* proj.min.pare/*)" = 'proj proj.min proj.min.pare proj.min.pare/history' ]
claim "the same at -j8" exits 0 "$PARE" reduce -q ./test.sh proj -o eight -j8 --deterministic
claim "indeed" diff -r --no-dereference proj.min eight
chmod -R u+w proj original

# --- what stays -----------------------------------------------------------------------
claim "--keep" exits 0 "$PARE" reduce -q --allow-empty true proj -o kept --keep '*.h' --keep tool.sh
claim "leaves what matches" [ "$(files kept)" = './src/deep/b.h ./tool.sh' ]
claim "as it was" diff -r kept/src/deep proj/src/deep
claim "--only" exits 0 "$PARE" reduce -q --allow-empty true proj -o only --only src
rm -r original/src original/pipe
claim "touches nothing else" diff -r --no-dereference only original
claim "--protect keeps the file" exits 0 "$PARE" reduce -q --allow-empty true proj -o protected --protect 'bug one'
claim "and the text" [ "$(cat protected/src/a.c)" = 'bug one' ]
claim "which is all" [ "$(files protected)" = './src/a.c' ]
claim "--keep of one file" exits 2 "$PARE" reduce true test.sh --keep '*'

# --- several inputs -------------------------------------------------------------------
printf 'a\nbug\n' >one.txt
printf 'b\nbug\n' >two.txt
printf 'c\n' >three.txt
cat >several.sh <<'SH'
#!/bin/sh
[ "$#" -eq 3 ] && grep -q bug "$1" && grep -q bug one.txt && [ "$2" = "$PWD/one.txt" ]
SH
chmod +x several.sh
claim "several files, in their order" exits 0 "$PARE" reduce -q ./several.sh two.txt one.txt three.txt
claim "two are left" [ "$(files two.txt.min)" = './one.txt ./two.txt' ]
claim "of three bytes each" [ "$(cat two.txt.min/*)" = bugbug ]
claim "one that is not there" exits 2 "$PARE" reduce ./several.sh two.txt none.txt
claim "is named" says "'none.txt' does not exist"
claim "two of one name" exits 2 "$PARE" reduce true one.txt two.txt.min/one.txt
claim "are refused" says "two inputs are called one.txt"

# --- where the result may be ------------------------------------------------------------
claim "the output in the input" exits 2 "$PARE" reduce true proj -o proj/out
claim "is refused" says "into the input"
mkdir mine && touch mine/precious
claim "somebody's folder as output" exits 2 "$PARE" reduce true proj -o mine
claim "is refused too" [ -e mine/precious ]
claim "a file in the way" exits 3 "$PARE" reduce true proj -o one.txt
claim "stays" [ "$(head -n1 one.txt)" = a ]
# What it says depends on its own words, and on whether the files are there.
cat > by_name.sh <<'END'
#!/bin/sh
[ -e "$1/b" ] || { echo "by_name.sh: error: no b in the folder" >&2; exit 2; }
[ -s "$1/a" ] || echo "a is empty"
echo "by_name.sh: error: no such mode: $2" >&2
exit 1
END
chmod +x by_name.sh
mkdir named && echo some > named/a && echo other > named/b
claim "a failure of files without content" exits 1 "$PARE" reduce named -- ./by_name.sh @@ fast
claim "is none of the input" says "for the same files without what may be reduced in them, which says nothing about the input"
claim "one that needs a file that stays" exits 1 "$PARE" reduce named --only b -- ./by_name.sh @@ fast
claim "is refused too" says "for the same files without what may be reduced in them"
mkdir nothing
claim "an empty folder" exits 1 "$PARE" reduce true nothing
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && touch locked/file && chmod 0 locked/file
    claim "an unreadable file" exits 3 "$PARE" reduce true locked
    claim "is named" says "cannot open locked/file"
fi

# --- in place ----------------------------------------------------------------------------
mkdir -p place/sub
printf 'a\nbug\n' >place/sub/a
printf 'b\n' >place/b
chmod 750 place
cp -a place before
claim "a folder in place" exits 0 "$PARE" reduce --in-place 'grep -rq bug' place/
claim "is the result" [ "$(files place) $(cat place/sub/a)" = './sub/a bug' ]
claim "with its mode" [ "$(stat -c %a place)" = 750 ]
claim "and is kept" diff -r before place.orig
claim "the summary says where" grep -q 'original place.orig$' out
claim "nothing else is beside it but the history" [ "$(echo place* place.pare/*)" = 'place place.orig place.pare place.pare/history' ]
claim "a second time" exits 3 "$PARE" reduce --in-place 'grep -rq bug' place
claim "is refused" says "'place.orig' exists already and would be lost: move it away first"
rm -rf place.orig place.pare
claim "nothing to reduce" exits 0 "$PARE" reduce -q --in-place 'grep -rqx bug' place
claim "is left alone" [ "$(echo place*)" = place ]
claim "what does not fail" exits 1 "$PARE" reduce -q --in-place false place
claim "is left alone too" [ "$(echo place*)" = place ]
ln -s place to_place
claim "a link to a folder" exits 2 "$PARE" reduce --in-place true to_place
claim "is told of" says 'cannot replace to_place, which is a link: give the folder that it points to'
claim "this folder" exits 2 "$PARE" reduce --in-place true .
claim "must be given from outside" says "give it as FOLDER/NAME, from outside"
rm to_place
cp -a before p1
printf 'bug\n1\n' >p2
printf 'of no use\n' >p3
printf 'of no use\n' >p4
ln p2 linked
seen='cat "$1"/sub/a "$2" 2>/dev/null | tr -d "\n" | grep -q bug.*bug'
claim "several in place" exits 0 "$PARE" reduce --in-place --keep p4 "$seen" p1 p2 p3 p4
claim "each is reduced where it is" [ "$(files p1) $(cat p1/sub/a p2)" = './sub/a bugbug' ]
claim "or goes" [ ! -e p3 ]
claim "and is kept" diff -r before p1.orig
claim "as it was" [ "$(cat p2.orig p3.orig)" = "$(printf 'bug\n1\nof no use')" ]
claim "another name of a file is as it was" [ "$(cat linked)" = "$(cat p2.orig)" ]
claim "one that has not changed stays" [ "$(cat p4) $(echo p4*)" = 'of no use p4' ]
claim "nothing else is beside them but the history" [ "$(echo p[0-9]*)" = 'p1 p1.orig p1.pare p2 p2.orig p3.orig p4' ]
claim "the summary tells of them" grep -q 'in the places of the 4 inputs' out
rm -rf p[1-4]*
cp -a before p1
claim "one in the other" exits 2 "$PARE" reduce --in-place true p1 p1/sub
claim "cannot be" says "cannot replace both p1/sub and p1: one is in the other"
ln -s linked to_linked
claim "one file of two names" exits 2 "$PARE" reduce --in-place true linked to_linked
claim "cannot be either" says "they are the same file"

# --- 700 files of which three matter ----------------------------------------------------
mkdir big
find /usr/include -type f -size -16k -print 2>/dev/null | LC_ALL=C sort |
    awk '{ n++; print > "list" } n == 700 { exit }'
if [ "$(wc -l <list)" -eq 700 ]; then
    xargs cp --parents -t big <list
    find big -type f | LC_ALL=C sort >all
    n=0
    for line in 77 350 651; do
        n=$((n + 1))
        file=$(sed -n "${line}p" all)
        chmod u+w "$file"
        echo "int needle_$n(int x) { return x; }" >>"$file"
        echo "grep -q needle_$n '${file#*/}' || exit 1" >>needles
    done
    { echo '#!/bin/sh'; echo 'cd "$1" || exit 2'; cat needles; } >big.sh
    chmod +x big.sh
    claim "700 files" exits 0 "$PARE" reduce -q ./big.sh big --stats stats.json
    claim "are all read" jq -e '.files_in == 700 and .files_out == 3' stats.json
    claim "with fewer tests than there are files" jq -e '.tests_run < 700' stats.json
    claim "down to the needles" [ "$(find big.min -type f -exec cat {} + | wc -c)" -eq 24 ]

    # Killed again and again, the output is whole, and the end is the same.
    n_kills=0
    begun() { [ -e again.pare ] || ended $pid; }
    for pause in 0 0.1 0.4; do
        "$PARE" reduce -q ./big.sh big -o again >/dev/null 2>&1 &
        pid=$!
        await begun
        sleep $pause
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null
        [ ! -e again ] || claim "what a kill leaves fails" ./big.sh "$PWD/again"
        if [ -e again.pare ]; then
            n_kills=$((n_kills + 1))
        else # it had ended before: a complete result is not replaced
            rm -rf again
        fi
    done
    claim "some were killed" [ $n_kills -gt 0 ]
    claim "going on" exits 0 "$PARE" reduce ./big.sh big -o again
    claim "ends the same" diff -r big.min again
    claim "nothing is left of the killed but the history" [ "$(echo again* again.pare/*)" = 'again again.pare again.pare/history' ]
else
    echo "too few files under /usr/include: 700 are not tried"
fi

# --- 20,000 files: what counts is how often they are written ------------------------------
mkdir -p many/one many/two
(cd many/one && seq 10000 19999 | xargs touch)
(cd many/two && seq 10000 20099 | xargs touch)
echo needle >many/two/13333
printf '#!/bin/sh\nfind many -type f | wc -l >>%s/written\ngrep -rq needle many\n' "$PWD" >many.sh
chmod +x many.sh
claim "20,000 files" exits 0 "$PARE" reduce -q -j1 --max-tests 4 --timeout 600 ./many.sh many --stats stats.json
claim "are fewer after four tests" jq -e '.files_in == 20100 and .files_out <= 15100' stats.json
claim "all of them are written once" [ "$(grep -cx 20100 written)" = 1 ]
claim "half of them twice, and what is repeated are fewer" [ "$(awk '$1 >= 10000 && $1 < 20100' written | wc -l)" = 2 ]
claim "the result is there" [ "$(find many.min -type f | wc -l)" -le 15100 ]

all_claimed
