# What the tests of the command line share: sourced by tests/cli/test_*.sh.
#
# A test runs in an empty directory of its own, which is removed at the end,
# and states what it claims; all_claimed ends it.  With PARE_CLAIM_TIMES each claim says at
# which second of the test it was looked at, and how many seconds of processor time the test and the
# programs it has waited for had taken then.

set -u
here=$(mktemp -d "${TMPDIR:-/tmp}/pare-cli-XXXXXX")
trap 'rm -rf "$here"' EXIT
cd "$here"
export LC_ALL=C.UTF-8
export XDG_CACHE_HOME=$here/.cache # what workers keep
unset NO_COLOR
n_claims=0
n_false=0

# Sets $spent to the seconds of processor time that this shell and its children have taken.  `times`
# prints two lines of "MINUTESmSECONDSs MINUTESmSECONDSs", of the shell that it is run in.
look_at_times() {
    local file=$here/../pare-times-$$
    times > "$file"
    spent=$(tr ms '  ' < "$file" | awk '{ sum += 60 * $1 + $2 + 60 * $3 + $4 } END { printf "%.1f", sum }')
    rm -f "$file"
}

# claim WHAT COMMAND...   The command succeeds.
claim() {
    local what=$1
    shift
    n_claims=$((n_claims + 1))
    if [ -n "${PARE_CLAIM_TIMES:-}" ]; then
        if "$@"; then
            look_at_times
            echo "$SECONDS s, $spent s: $what"
            return
        fi
    elif "$@"; then
        return
    fi
    n_false=$((n_false + 1))
    echo "not true: $what: $*" >&2
    if [ -f out ]; then sed 's/^/  out: /' out >&2; fi
    if [ -f err ]; then sed 's/^/  err: /' err >&2; fi
}

# Whether this shell has fixed addresses, and so have all programs that it starts: by setarch -R, under which
# the tests with ThreadSanitizer run.
has_fixed_addresses() {
    (((0x$(cat /proc/self/personality) & 0x40000) != 0)) # ADDR_NO_RANDOMIZE
}

# run COMMAND...   Runs it with files `out` and `err`; its exit code is in $code.
run() {
    code=0
    timeout -s KILL 250 "$@" > out 2> err < /dev/null || code=$?
}

# exits CODE COMMAND...   It ends with this exit code.
exits() {
    local wanted=$1
    shift
    run "$@"
    [ "$code" -eq "$wanted" ] && return
    echo "exit code $code instead of $wanted" >&2
    return 1
}

# needs_campaigns   Skips the test where pare was built without them.
needs_campaigns() {
    "$PARE" fuzz list --store none 2>&1 | grep -q "without campaigns" || return 0
    echo "skipped: this pare has no campaigns"
    exit 77
}

# One line, which contains the text.
says() { [ "$(wc -l < err)" -eq 1 ] && grep -qF -- "$1" err; }

# Waits until the command succeeds, at most PATIENCE seconds; two minutes by default.
await() {
    local end=$((SECONDS + ${PATIENCE:-120}))
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# Waits until the child ends, 30 s at most; its exit code is in $code.
ended() { [ ! -d "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2> /dev/null; }
ends() {
    await ended "$1" || kill -9 "$1"
    code=0
    wait "$1" 2> /dev/null || code=$?
}

all_claimed() {
    echo "$n_claims claims, $n_false not true"
    [ "$n_claims" -gt 0 ] && [ "$n_false" -eq 0 ]
    exit
}
