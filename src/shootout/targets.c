/* What a run should reach by what is recorded of its case. */
#include <pare/shootout.h>

#include "text/order.h"

enum { PEERS_TESTS = 3, KNOWN_TIMES = 2 }; /* a third of the tests; within twice the size */

/* When the size was at most `bytes` for the first time; 0: never. */
static uint64_t reached(const pare_run *run, size_t bytes)
{
    for (size_t i = 0; i < run->stats.n_curve; i++)
        if (run->stats.curve[i].bytes <= bytes) return run->stats.curve[i].tests;
    return 0;
}

static void judge_end(pare_target *target, const pare_run *run, pare_target_kind kind, size_t bytes)
{
    *target = (pare_target){.kind = kind,
                            .mark = {.bytes = bytes},
                            .bytes = run->size_bytes,
                            .met = run->size_bytes <= bytes};
}

static void judge_tests(pare_target *target, const pare_run *run, pare_mark_to_beat mark)
{
    uint64_t tests = reached(run, mark.bytes);
    *target = (pare_target){.kind = PARE_TARGET_TESTS,
                            .mark = mark,
                            .tests = tests,
                            .bytes = pare_run_size_after(run, mark.tests),
                            .met = tests && tests <= mark.tests};
}

static void judge_frontier(pare_target *target, const pare_run *run, pare_mark_to_beat mark)
{
    size_t bytes = pare_run_size_after(run, mark.tests);
    *target = (pare_target){
        .kind = PARE_TARGET_FRONTIER, .mark = mark, .bytes = bytes, .met = bytes <= mark.bytes};
}

/* Tokens that cannot be counted (memory) are not few enough. */
static void judge_tokens(pare_target *target, const pare_run *run, size_t most)
{
    size_t tokens = SIZE_MAX;
    if (pare_order_tokens(run->result, run->size_bytes, &tokens, NULL)) tokens = SIZE_MAX;
    *target = (pare_target){.kind = PARE_TARGET_TOKENS,
                            .mark = {.bytes = most},
                            .bytes = tokens,
                            .met = tokens <= most};
}

bool pare_shootout_target(const pare_case *subject, const pare_run *run, size_t index,
                          pare_target *target)
{
    if (subject->target.tests && index-- == 0) {
        judge_tests(target, run, subject->target);
        return true;
    }
    if (subject->target_tokens && index-- == 0) {
        judge_tokens(target, run, subject->target_tokens);
        return true;
    }
    if (subject->peer && index < 2) {
        pare_mark_to_beat third = {.tests = subject->peer_best.tests / PEERS_TESTS,
                                   .bytes = subject->peer_best.bytes};
        if (index)
            judge_tests(target, run, third);
        else
            judge_end(target, run, PARE_TARGET_SIZE, third.bytes);
        return true;
    }
    if (subject->peer) index -= 2;
    if (index < subject->n_frontier) {
        judge_frontier(target, run, subject->frontier[index]);
        return true;
    }
    if (index > subject->n_frontier || !subject->known_bytes) return false;
    judge_end(target, run, PARE_TARGET_KNOWN, KNOWN_TIMES * subject->known_bytes);
    return true;
}
