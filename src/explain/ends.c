/* Ends of ranges, run again.
 *
 * Halving asks each size once.  Where the failure depends on what is another each time (how deep the stack
 * is, how much time a busy machine leaves), it ends somewhere among the sizes that fail at times, and the size
 * it names is chance.  Such an end shows when it is asked again: there, or next to it, either outcome is
 * likely.  PARE_ENDS_RUNS runs of both miss an end at which each outcome comes half of the time in one of
 * 4^PARE_ENDS_RUNS cases.  What is asked is the claim, so an outcome that is known is no answer.
 * Tested by tests/cli/test_explain.sh. */
#include "explain/ends.h"

#include <stdbool.h>

#include <pare/explain.h>

#include "base/buffer.h"
#include "explain/sampler.h"
#include "explain/vary.h"
#include "run/rate.h"

uint32_t pare_ends_wanted(const pare_parts *parts)
{
    uint32_t n = 0;
    for (size_t k = 0; k < parts->n && n < PARE_ENDS_MOST; k++) {
        const pare_part_kind kind = parts->parts[k].kind;
        n += kind == PARE_PART_WHOLE || kind == PARE_PART_STRING || kind == PARE_PART_REPEAT;
    }
    return n * 2 * PARE_ENDS_RUNS;
}

/* Adds the runs of the text with the part of that size to *rate. */
static pare_status run_size(const pare_ends_task *task, size_t part, uint64_t size, pare_rate *rate,
                            pare_error *err)
{
    pare_buffer sized = {0}, bytes = {0};
    pare_text *text = NULL;
    uint64_t timed_out = 0;
    const pare_span own = {pare_text_bytes(task->text), pare_text_size(task->text)};
    pare_status status = pare_vary_sized(task->vary, part, size, &sized, err);
    if (!status) {
        const pare_span sample = {(const unsigned char *)sized.data, sized.size};
        status = pare_parts_replace(task->parts, own, part, sample, &bytes, err);
    }
    if (!status) status = pare_text_copy(bytes.size ? bytes.data : "", bytes.size, &text, err);
    if (!status)
        status = pare_session_measure(task->session, text, PARE_ENDS_RUNS, rate, &timed_out, err);
    pare_text_unref(text);
    pare_buffer_done(&bytes);
    pare_buffer_done(&sized);
    return status;
}

/* The end is vague if it does not always fail, or what is next to it does at times. */
static pare_status measure_end(const pare_ends_task *task, size_t part, bool is_low, uint32_t *runs,
                               pare_error *err)
{
    pare_answer *answer = &task->others->answers[part];
    pare_rate there = {.runs = 0}, next = {.runs = 0};
    const uint64_t end = is_low ? answer->low : answer->high;
    pare_status status = run_size(task, part, end, &there, err);
    if (!status && there.fails == there.runs)
        status = run_size(task, part, is_low ? end - 1 : end + 1, &next, err);
    *(is_low ? &answer->is_low_vague : &answer->is_high_vague) =
        there.fails < there.runs || next.fails;
    *runs += (uint32_t)(there.runs + next.runs);
    return status;
}

pare_status pare_ends_measure(const pare_ends_task *task, uint32_t *runs, pare_error *err)
{
    pare_status status = PARE_OK;
    uint32_t n = 0;
    for (size_t k = 0; k < task->parts->n && !status; k++) {
        const pare_answer *answer = &task->others->answers[k];
        if (answer->verdict != PARE_PART_RANGE || task->others->is_covered[k]) continue;
        if (answer->has_low && n++ < PARE_ENDS_MOST) status = measure_end(task, k, true, runs, err);
        if (!status && answer->has_high && n++ < PARE_ENDS_MOST)
            status = measure_end(task, k, false, runs, err);
    }
    return status;
}
