#!/bin/bash
# --runner: the same bytes and trace whichever runner is used; nothing is left when pare is
# killed; what the statistics and --verbose say of it.
set -eu
. "$PARE_SOURCE_DIR/tests/cli/claims.sh"

subject=$PARE_HELPERS/subject
reduce() { # RUNNER TEST OPTION...
    "$PARE" reduce -q --no-journal --runner "$1" -a ddmin -u line -o "out.$1" --trace "trace.$1" \
        --stats "stats.$1" "${@:3}" "$2" in.txt
}
# The trace without times.
plain() { jq -c 'del(.ms)' "$1"; }
same_trace() { cmp -s <(plain "$1") <(plain "$2"); }
runner_of() { jq -r .runner "stats.$1"; }

{ seq 1 30; echo x; seq 31 60; } > in.txt
for what in file family files around; do
    for runner in spawn preload auto; do
        claim "$what reduces by $runner" reduce "$runner" "$subject $what" -j2
    done
    claim "$what: preload gives the bytes of spawn" cmp -s out.spawn out.preload
    claim "$what: auto gives the bytes of spawn" cmp -s out.spawn out.auto
    claim "$what: preload gives the trace of spawn" same_trace trace.spawn trace.preload
    claim "$what: auto gives the trace of spawn" same_trace trace.spawn trace.auto
done
claim "the statistics name the runner" [ "$(runner_of spawn) $(runner_of preload)" = "spawn preload" ]
claim "and why" [ "$(jq -r .runner_reason stats.preload)" = "asked for" ]
claim "verbose says it" exits 0 "$PARE" reduce -v --no-journal --runner preload -o y \
    "$subject file" in.txt
claim "in one notice" [ "$(grep -c "tests were run by 'preload': asked for" err)" -eq 1 ]

few_files() { # NUMBER RUNNER
    # shellcheck disable=SC2016 # expanded inside
    run bash -c 'ulimit -n "$1" && shift && exec "$@"' bash "$1" "$PARE" reduce -q --no-journal \
        --runner "$2" -a ddmin -u line -o "y$1" --stats stats.few "$subject file" in.txt
}
few_files 230 preload
claim "230 open files are enough for preload" [ "$code" -eq 0 ]
few_files 100 preload
claim "100 are not" [ "$code" -eq 2 ]
claim "so it says" says "it needs 224 open files (ulimit -n says 100)"
few_files 100 auto
claim "auto does without" [ "$code $(runner_of few)" = "0 spawn" ]

echo 'grep -q x "$1"' > script.sh
sed -i '1i#!/bin/sh' script.sh
chmod +x script.sh
claim "a script reduces by auto" reduce auto ./script.sh
claim "as processes" [ "$(runner_of auto)" = spawn ]
claim "for a reason" grep -q script <<< "$(jq -r .runner_reason stats.auto)"
claim "and not by preload" exits 2 "$PARE" reduce -q --no-journal --runner preload -o y \
    ./script.sh in.txt
claim "which says why" grep -q "it is a script" err

# Marks of runs of this test's own children, by the number of the process.
is_left() { grep -aqzs -e "^PARE_TEST=$1-" /proc/[0-9]*/environ; }
gone() { await is_not_left "$1"; }
is_not_left() { ! is_left "$1"; }
# A run that hangs, ended by a signal, leaves nothing: WHAT OPERAND...
ended_leaves_nothing() {
    local what=$1 signal pid
    shift
    for signal in KILL INT KILL; do
        "$PARE" reduce -q --no-journal --timeout 60 -o y "$@" > /dev/null 2>&1 &
        pid=$!
        claim "$what: a test runs" await is_left "$pid"
        kill -"$signal" "$pid"
        code=0
        wait "$pid" 2> /dev/null || code=$?
        [ "$signal" = KILL ] || claim "$what: SIGINT ends it with 130" [ "$code" -eq 130 ]
        claim "$what: SIG$signal leaves nothing" gone "$pid"
    done
}
for runner in spawn preload auto; do
    ended_leaves_nothing "$runner" --runner "$runner" "$subject hang" in.txt
done

# Programs without a script, judged by how they end.
for what in crash assert files count; do
    for runner in spawn preload auto; do
        keep=--signal=SIGABRT
        [ "$what" != crash ] || keep=--signal=SIGSEGV
        case $what in files) keep=--exit=0 ;; count) keep=--exit=1 ;; esac
        claim "$what, judged, reduces by $runner" "$PARE" reduce -q --no-journal \
            --runner "$runner" -a ddmin -u line "$keep" -o "out.$runner" -j2 in.txt -- \
            "$subject" "$what" @@
    done
    claim "$what, judged: preload gives the bytes of spawn" cmp -s out.spawn out.preload
    claim "$what, judged: auto gives the bytes of spawn" cmp -s out.spawn out.auto
done

# A library: the same bytes by each runner, whatever the worker remembers.
harness=$PARE_HELPERS/harness_library.so
call() { # RUNNER OPTION...
    "$PARE" reduce -q --no-journal --runner "$1" -a ddmin -u line -o "out.$1" \
        --trace "trace.$1" --stats "stats.$1" "${@:2}" in.txt -- "$harness"
}
for keep in "" "--signal=SIGABRT"; do
    for runner in spawn inprocess auto preload; do
        claim "a library with '$keep' reduces by $runner" call "$runner" ${keep:+"$keep"} -j2
    done
    for runner in inprocess auto preload; do
        claim "$runner gives the bytes of spawn, '$keep'" cmp -s out.spawn "out.$runner"
        claim "$runner gives the trace of spawn, '$keep'" same_trace trace.spawn "trace.$runner"
    done
done
cat > leak.c <<'END'
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    volatile char *block = size && memchr(bytes, '7', size) ? malloc(77) : NULL;
    if (block) block[0] = 1;
    if (size && memchr(bytes, 'x', size)) return ((volatile const uint8_t *)bytes)[size];
    return 0;
}
END
# What only the end of a process tells (a leak), and what a sanitizer tells of a byte behind
# the candidate.
if cc -g -fsanitize=address -shared -fPIC -o leak.so leak.c 2> /dev/null; then
    for text in 7 x; do
        { echo "$text"; echo a; echo b; } > small.txt
        runners="spawn inprocess"
        [ $text = x ] || runners+=" auto"
        for runner in $runners; do
            claim "a sanitizer's finding of '$text' reduces by $runner" \
                env ASAN_OPTIONS=detect_leaks=1 "$PARE" reduce -q --no-journal --runner "$runner" \
                -a ddmin -u line -o "out.$runner" small.txt -- ./leak.so
        done
        claim "'$text': inprocess gives the bytes of spawn" cmp -s out.spawn out.inprocess
        [ $text = x ] || claim "'$text': auto gives the bytes of spawn" cmp -s out.spawn out.auto
    done
else
    echo "cc has no -fsanitize=address: libraries with a sanitizer are not tested"
fi
claim "the statistics say inprocess" [ "$(runner_of inprocess)" = inprocess ]
claim "@@ is refused" exits 2 "$PARE" reduce -q --no-journal -o y in.txt -- "$harness" @@
claim "with a sentence" grep -q "leave out '@@'" err
claim "what is no library is refused" exits 2 "$PARE" reduce -q --no-journal --runner inprocess \
    -o y in.txt -- "$subject" file
claim "with a sentence that says so" grep -q "needs a shared library" err
{ seq 1 30; echo h; } > hang.txt
ended_leaves_nothing inprocess --runner inprocess --hang 60 hang.txt -- "$harness"

if command -v afl-clang-fast > /dev/null; then
    cat > loop.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    while (__AFL_LOOP(1000)) {
        static char text[4096];
        FILE *file = fopen(argv[argc - 1], "r");
        if (!file) return 90;
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        if (!strchr(text, 'x')) exit(1);
    }
    return 0;
}
END
    cat > shared.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__AFL_FUZZ_INIT();
/* How many candidates one process has seen, which a new one knows as 1. */
static int n_seen;
int main(void)
{
    __AFL_INIT();
    const unsigned char *text = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(1000)) {
        size_t size = (size_t)__AFL_FUZZ_TESTCASE_LEN;
        n_seen++;
        if (memchr(text, 'x', size)) abort();
        if (memchr(text, 'h', size)) pause();
        if (memchr(text, 'n', size) && n_seen == 1) return 3;
    }
    return 0;
}
END
    for name in loop shared; do
        claim "AFL++ compiles $name" env AFL_QUIET=1 afl-clang-fast -w -o "$name" "$name.c"
    done
    for runner in spawn afl auto; do
        claim "a program of AFL's compiler reduces by $runner" reduce "$runner" ./loop
    done
    claim "afl gives the bytes of spawn" cmp -s out.spawn out.afl
    claim "afl gives the trace of spawn" same_trace trace.spawn trace.afl
    claim "auto gives the bytes of spawn" cmp -s out.spawn out.auto
    claim "afl was used" [ "$(runner_of afl)" = afl ]

    # Persistent, deferred, and the candidate in shared memory.
    sed 's/5/n/' in.txt > shared.txt
    share() { # RUNNER OPTION...
        "$PARE" reduce -q --no-journal --runner "$1" --sandbox devices --signal SIGABRT -a ddmin \
            -u char -o "out.$1" --trace "trace.$1" --stats "stats.$1" "${@:2}" shared.txt -- ./shared
    }
    for runner in spawn afl auto; do
        claim "candidates in shared memory reduce by $runner" share "$runner" -j2
    done
    claim "afl gives the bytes of spawn, shared" cmp -s out.spawn out.afl
    claim "afl gives the trace of spawn, shared" same_trace trace.spawn trace.afl
    claim "auto gives the bytes of spawn, shared" cmp -s out.spawn out.auto
    # It goes by what it measures, which on a busy machine may be anything once.
    for _ in 1 2 3 4 5; do
        [ "$(runner_of auto)" != afl ] || break
        claim "candidates in shared memory reduce by auto again" share auto -j2
    done
    claim "auto takes the loop, once in five runs at least" [ "$(runner_of auto)" = afl ]
    claim "which says by how much" grep -q 'ms a test instead of' <<< "$(jq -r .runner_reason stats.auto)"

    # Servers killed at random.
    servers_of() {
        local pid
        for pid in $(cat "/proc/$1/task/$1/children" 2> /dev/null); do
            if [ "$(readlink "/proc/$pid/exe" 2> /dev/null)" = "$here/shared" ]; then echo "$pid"; fi
        done
    }
    for round in 1 2 3; do
        share afl -j2 &
        run_pid=$!
        while ! ended "$run_pid"; do
            for parent in $(cat "/proc/$run_pid/task/$run_pid/children" 2> /dev/null) "$run_pid"; do
                for victim in $(servers_of "$parent"); do
                    [ $((RANDOM % 3)) -gt 0 ] || kill -9 "$victim" 2> /dev/null || true
                done
            done
        done
        code=0
        wait "$run_pid" || code=$?
        claim "servers killed: it goes on ($round)" [ "$code" -eq 0 ]
        claim "to the same bytes ($round)" cmp -s out.spawn out.afl
        claim "by the same trace ($round)" same_trace trace.spawn trace.afl
    done
    { seq 1 30; echo h; } > hang.txt
    ended_leaves_nothing afl --runner afl --sandbox devices --hang 60 hang.txt -- ./shared
else
    echo "afl-clang-fast is missing: its programs are not tested (apt-get install afl++)"
fi
# A test that asks for its number after its program had asked before main is run as a process; what is learned is what
# that printed.
{ seq 1 30; echo tea; seq 31 60; } > shop.txt
claim "such a program is reduced" exits 0 "$PARE" reduce shop.txt --no-journal -- "$PARE_HELPERS/early" number @@
cat out err > seen
claim "to its failure" [ "$(cat shop.min.txt)" = tea ]
claim "which its message tells" grep -q 'keeping.*error: no tea can be sold\|keeping.*error: no \* can be sold' seen
all_claimed
