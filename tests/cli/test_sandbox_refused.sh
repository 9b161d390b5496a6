#!/bin/bash
# A machine that refuses name spaces: a full sandbox that is asked for by name is an error, one
# by default is done without, and said so to everybody.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

# Such a machine: one whose number of user name spaces is used up.
cat > machine <<'M'
#!/bin/sh
exec unshare -U -r sh -ec 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"' sh "$@"
M
chmod +x machine
if ! ./machine true 2> /dev/null || ./machine unshare -U true 2> /dev/null; then
    echo "no machine without name spaces can be made here"
    exit 77
fi
printf 'abxcd' > in.txt
subject=$PARE_HELPERS/subject
reduce() { exits "$1" ./machine "$PARE" reduce --no-journal -u char -a ddmin -o y --stats s "${@:2}"; }
warnings() { grep -c 'warning: tests are not isolated from this system' "$1"; }

for operands in "--sandbox full" "-q --sandbox full" "--sandbox full --runner preload"; do
    rm -f y s
    # shellcheck disable=SC2086
    claim "by name it is an error: test, $operands" reduce 3 $operands "$subject file" in.txt
    claim "of one sentence" says "this machine has no full sandbox for tests (the system refuses name spaces"
    claim "that names the setting" says "user.max_user_namespaces is 0"
    claim "that says what to do" says "unprivileged user name spaces are allowed"
    claim "nothing was written" [ ! -e y ]
    # shellcheck disable=SC2086
    claim "by name it is an error: program, $operands" reduce 3 $operands --exit 0 in.txt -- \
        "$subject" file @@
    claim "of one sentence too" says "this machine has no full sandbox for tests"
done
for quiet in -v "" -q; do
    # shellcheck disable=SC2086
    claim "by default a program is run, '$quiet'" reduce 0 $quiet --exit 0 in.txt -- "$subject" file @@
    claim "a warning is on standard error, once" [ "$(warnings err)" -eq 1 ]
    claim "and not on standard output" [ "$(warnings out)" -eq 0 ]
    claim "the statistics have it" grep -q "tests are not isolated" <<< "$(jq -r .unprotected s)"
    claim "and what is in force" [ "$(jq -r .sandbox s)" != full ]
done
claim "-q says nothing else" says "warning: tests are not isolated from this system"
claim "a script needs no full sandbox" reduce 0 -q "$subject file" in.txt
claim "so there is no warning" [ ! -s err ]
claim "switched off there is none either" reduce 0 -q --sandbox off --exit 0 in.txt -- \
    "$subject" file @@
claim "as was asked for" [ ! -s err ]
run "$PARE" reduce -q --no-journal -u char -a ddmin -o y --stats s --exit 0 in.txt -- "$subject" file @@
if [ "$(jq -r .sandbox s)" = full ]; then
    claim "where name spaces are given, nothing is said" [ ! -s err ]
    claim "and null in the statistics" [ "$(jq .unprotected s)" = null ]
fi
all_claimed
