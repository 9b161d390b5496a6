#!/bin/bash
# Somebody saves something over a result while it is still being reduced, or between two runs: it is never
# lost.  The test itself is that somebody, in its first run after something was written, or with EARLY in
# its first run of all; "$save" is what it does.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"
cat > test.sh << 'END'
#!/bin/sh
read -r result < "$RESULT"
if [ ! -e "$SAVED" ] && [ -e "$result" ] && { [ -n "$EARLY" ] || ! seq 1 30 | cmp -s - "$result"; }; then
    touch "$SAVED"
    sh "$SAVE"
fi
f=$1
[ ! -d "$f" ] || f=$f/in.txt
[ "$(grep -cx -e 7 -e 20 "$f")" = 2 ]
END
chmod +x test.sh
export RESULT=$here/result SAVED=$here/saved SAVE=$here/save EARLY=

# reduce EXPECTED-CODE INPUT... [OPTIONS]
reduce() {
    local expected=$1 code=0
    "$PARE" reduce ./test.sh "${@:2}" -j1 --sandbox off --sync never "${quiet:--q}" -a ddmin -u line > out 2> err ||
        code=$?
    if [ "$code" -ne "$expected" ]; then cat err; fi
    [ "$code" -eq "$expected" ]
}
# run EXPECTED-CODE SAVE INPUT [OPTIONS]   A reduction during which SAVE, a command in $here, runs.
run() {
    rm -rf saved in.* f f.*
    echo "cd $here; $2" > save
    case "$3 ${4:-}" in
    "f --in-place") echo "$here/f/in.txt" > result ;;
    "f ") echo "$here/f.min/in.txt" > result ;;
    "in.txt --in-place") echo "$here/in.txt" > result ;;
    "in.txt ") echo "$here/in.min.txt" > result ;;
    esac
    if [ "$3" = f ]; then mkdir f; fi
    seq 1 30 > "${3/%f/f/in.txt}"
    reduce "$1" "${@:3}"
}
again() { # EXPECTED-CODE   the same command, without an edit
    reduce "$1" in.txt --in-place
}
# between EXPECTED-CODE EDIT INPUT [OPTIONS]   Ten tests; EDIT; the same command to its end.
between() {
    run 0 : "${@:3}" --max-tests 10 && (eval "$2") && reduce "$1" "${@:3}"
}
# several EXPECTED-CODE EDIT   The same of two inputs in their places.
several() {
    rm -rf in.* f f.*
    echo "$here/in.txt" > result
    seq 1 30 > in.txt
    printf 'x\n20\n' > in.2
    reduce 0 in.txt in.2 --in-place --max-tests 10 && (eval "$2") && reduce "$1" in.txt in.2 --in-place
}
says() { grep -qF "$1" out err; }
ends_with() { [ "$(tail -n 1 "$1")" = "$2" ]; }
is_best() { grep -q '^7$' "$1" && grep -q '^20$' "$1" && ! grep -q EDIT "$1" && [ "$(wc -l < "$1")" -lt 30 ]; }
is_original() { seq 1 30 | cmp -s - "$1"; }
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

claim "an edit of the original's size" run 3 'sed s/9/E/ in.txt > new; cp in.txt.orig old; cat new > in.txt
    truncate -s "$(stat -c %s old)" in.txt' in.txt --in-place
claim "does not pass for it: the original stays" is_original in.txt.orig
EARLY=1 claim "written into the input before the first result: it ends with 3" run 3 'echo EDIT >> in.txt' in.txt --in-place
claim "that edit stays, too" ends_with in.txt EDIT
claim "and the original is kept as it was read" is_original in.txt.orig
claim "the same command again leaves it alone" again 3
claim "as it was saved" ends_with in.txt EDIT
EARLY=1 claim "the same of a folder" run 3 'echo EDIT >> f/in.txt' f --in-place
claim "which stays" ends_with f/in.txt EDIT
claim "beside the original as it was read" is_original f.orig/in.txt
claim "and the best" is_best f.min/in.txt

claim "a file in place, edited between two runs" between 3 'echo EDIT >> in.txt' in.txt --in-place
claim "stays as it was saved" ends_with in.txt EDIT
claim "a folder in place, edited between two runs" between 3 'echo EDIT >> f/in.txt' f --in-place
claim "stays as it was edited" ends_with f/in.txt EDIT
claim "beside the original" is_original f.orig/in.txt
claim "a folder in place that nobody edited goes on" between 0 : f --in-place
claim "to the end" cmp -s f/in.txt <(printf '7\n20\n')
claim "and one that is moved away" between 0 'rm -r f' f --in-place
claim "comes back" cmp -s f/in.txt <(printf '7\n20\n')
quiet=--color=never claim "a folder, edited between two runs" between 0 'echo EDIT > f.min/notes' f
claim "gets a second name then" ends_with 'f.min.~1~/notes' EDIT
claim "and is the result all the same" cmp -s f.min/in.txt <(printf '7\n20\n')
claim "which nobody edited" between 0 : f
claim "gets none" test ! -e 'f.min.~1~'
claim "one of several inputs, edited between two runs" several 3 'echo EDIT >> in.txt'
claim "stays" ends_with in.txt EDIT
claim "beside what was given" is_original in.txt.orig
claim "several inputs that nobody edited" several 0 :
claim "go on to the end" grep -qx 7 in.txt

# As on file systems that cannot exchange two names, nor rename to a free one only.
if [ -z "${PARE_SANITIZE:-}" ]; then
    export LD_PRELOAD=$PARE_HELPERS/files_library.so PARE_FILES_PLAIN=1
    claim "without an exchange, in place: it ends with 3" run 3 'echo EDIT >> in.txt' in.txt --in-place
    claim "the edit stays there, too" ends_with in.txt EDIT
    claim "beside the original there" is_original in.txt.orig
    claim "without an exchange, with -o" run 0 'echo EDIT >> in.min.txt' in.txt
    claim "an edit gets a second name there, too" ends_with 'in.min.txt.~1~' EDIT
    claim "without an exchange, a folder in place" run 3 'echo EDIT >> f/in.txt' f --in-place
    claim "whose edit stays there, too" ends_with f/in.txt EDIT
    claim "beside its original" is_original f.orig/in.txt
    claim "without an exchange, a folder" run 0 'echo EDIT > f.min/notes' f
    claim "whose edit is kept there, too" ends_with 'f.min.~1~/notes' EDIT
    unset LD_PRELOAD PARE_FILES_PLAIN
fi
all_claimed
