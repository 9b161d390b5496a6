#!/bin/bash
# Somebody saves something over a result while it is still being reduced: it is never lost.  The test
# itself is that somebody, in its first run after something was written; "$save" is what it does.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
cat > test.sh << 'END'
#!/bin/sh
result=$(cat "$RESULT")
if [ ! -e "$SAVED" ] && [ -e "$result" ] && ! seq 1 60 | cmp -s - "$result"; then
    touch "$SAVED"
    sh "$SAVE"
fi
f=$1
[ ! -d "$f" ] || f=$f/in.txt
grep -q '^7$' "$f" && grep -q '^20$' "$f"
END
chmod +x test.sh
export RESULT=$here/result SAVED=$here/saved SAVE=$here/save

# run EXPECTED-CODE SAVE INPUT [OPTIONS]   A reduction during which SAVE, a command in $here, runs.
run() {
    local expected=$1 code=0
    rm -rf saved in.* f f.*
    echo "cd $here; $2" > save
    case "$3 ${4:-}" in
    "f --in-place") echo "$here/f/in.txt" > result ;;
    "f ") echo "$here/f.min/in.txt" > result ;;
    "in.txt --in-place") echo "$here/in.txt" > result ;;
    "in.txt ") echo "$here/in.min.txt" > result ;;
    esac
    if [ "$3" = f ]; then mkdir f; fi
    seq 1 60 > "${3/%f/f/in.txt}"
    "$PARE" reduce ./test.sh "${@:3}" -j1 --sandbox off --sync never "${quiet:--q}" -a ddmin -u line > out 2> err ||
        code=$?
    if [ "$code" -ne "$expected" ]; then cat err; fi
    [ "$code" -eq "$expected" ]
}
again() { # EXPECTED-CODE   the same command, without an edit
    local code=0
    "$PARE" reduce ./test.sh in.txt --in-place -j1 --sandbox off --sync never -q -a ddmin -u line > out 2> err || code=$?
    [ "$code" -eq "$1" ]
}
says() { grep -qF "$1" out err; }
ends_with() { [ "$(tail -n 1 "$1")" = "$2" ]; }
is_best() { grep -q '^7$' "$1" && grep -q '^20$' "$1" && ! grep -q EDIT "$1" && [ "$(wc -l < "$1")" -lt 60 ]; }
is_original() { seq 1 60 | cmp -s - "$1"; }
kept_in_place() { # NAME BESIDE
    says "$1 was changed by somebody else meanwhile and is left as it is; the best so far is in $2" &&
        [ "$(wc -l < err)" -eq 1 ]
}

claim "in place, written to: it ends with 3" run 3 'echo EDIT >> in.txt' in.txt --in-place
claim "the edit is where it was saved" ends_with in.txt EDIT
claim "the best is beside it" is_best in.min.txt
claim "the original is kept" is_original in.txt.orig
claim "one sentence says so" kept_in_place in.txt in.min.txt

claim "the same command again leaves the edit alone, too" again 3
claim "that edit is where it was saved" ends_with in.txt EDIT
rm in.txt
claim "once it is moved away, the run goes on" again 0
claim "to its end" cmp -s in.txt <(printf '7\n20\n')

claim "in place, by rename: it ends with 3" run 3 'cp in.txt new; echo EDIT >> new; mv new in.txt' in.txt --in-place
claim "the edit that was renamed there stays" ends_with in.txt EDIT
claim "the best is beside that, too" is_best in.min.txt

claim "a file that is only touched is ours" run 0 'touch in.txt' in.txt --in-place
claim "and so is one that is removed" run 0 'rm in.txt' in.txt --in-place

claim "a folder in place: it ends with 3" run 3 'echo EDIT >> f/in.txt' f --in-place
claim "the edit in the folder stays" ends_with f/in.txt EDIT
claim "the best folder is beside it" is_best f.min/in.txt
claim "the original folder is kept" is_original f.orig/in.txt
claim "the folder's sentence" kept_in_place f f.min
claim "a file that is added is an edit" run 3 'echo EDIT > f/notes' f --in-place
claim "what was added stays" ends_with f/notes EDIT

quiet=--color=never claim "with -o the run goes on" run 0 'echo EDIT >> in.min.txt' in.txt
claim "the edit gets a second name" ends_with 'in.min.txt.~1~' EDIT
claim "the result is the result" cmp -s in.min.txt <(printf '7\n20\n')
claim "the notice says where the edit is" says "in.min.txt was changed by somebody else during the run: what it held is in in.min.txt.~1~"
claim "with -o FOLDER the run goes on" run 0 'echo EDIT > f.min/notes' f
claim "the edited folder gets a second name" ends_with 'f.min.~1~/notes' EDIT
claim "the folder's result has nothing of it" test ! -e f.min/notes
all_claimed
