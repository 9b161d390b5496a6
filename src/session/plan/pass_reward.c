/* What a phase has earned for its tests: the reward of a multi-armed bandit whose arms are phases.
 *
 * The reward is the share of the text that a run removed, not bytes: a run late in a reduction is
 * worth as much as an early one.  Earlier runs count for half with each new one, because what a
 * phase finds depends on what others have left.  The cost is tests, not seconds, so that the same
 * phases run for every number of slots and on every machine. There is no exploration beyond the
 * plan's promise: a phase that found nothing is not asked again before the text has changed, so an
 * arm cannot be pulled in vain twice.
 * Source: C-Vise's and Shrink Ray's accounts of passes; the currency and the halving are ours. */
#include "session/plan/pass_reward.h"

#include <assert.h>

#include "base/digest.h"
#include "session/plan/phase_input.h"
#include "session/plan/plan.h"
#include "session/plan/work.h"
#include "session/reducible_ranges.h"
#include "text/candidate.h"
#include "text/text.h"

/* How much of what earlier runs earned, and of their tests, is left after each new run. */
static const double MEMORY = 0.5;

/* A coarse run has less patience: what it does not find now a later run may, and all other
 * coarse phases wait for it. */
const pare_early_stop_terms pare_pass_terms = {.first = 40, .tests = 40, .share = 0.01};
const pare_early_stop_terms pare_coarse_pass_terms = {.first = 3, .tests = 6, .share = 0.02};
const pare_early_stop_terms pare_coarse_whole_terms = {.first = 1, .tests = 4, .share = 0.05};
const pare_early_stop_terms pare_coarse_parts_terms = {.first = 12, .tests = 12, .share = 0.02};
const pare_early_stop_terms pare_coarse_persistent_terms = {.first = 6, .tests = 12, .share = 0.02};

/* The sum of shares is that of a geometric series at most; what has ended without finding
 * anything was tried without finding anything. */
bool pare_pass_reward_check(const pare_pass_reward *reward)
{
    const bool sums =
        reward->tests >= 0 && reward->gained >= 0 && reward->gained <= 1 / (1 - MEMORY);
    return sums && (!reward->ended || reward->tried);
}

/* A run that made the text larger, which an uphill step may, has earned nothing, and is not
 * fined. */
void pare_pass_reward_add(pare_pass_reward *reward, uint64_t tests, size_t before, size_t after)
{
    double share = before > after ? (double)(before - after) / (double)before : 0;
    reward->tests = reward->tests * MEMORY + (double)tests;
    reward->gained = reward->gained * MEMORY + share;
    assert(pare_pass_reward_check(reward));
}

/* `whole` is false for a pass that was set aside early: it may still find something when it is
 * run to its end. */
void pare_pass_reward_note_end(pare_pass_reward *reward, bool found, bool whole, size_t size,
                               const pare_candidate *best)
{
    reward->tried = !found;
    reward->ended = !found && whole;
    reward->size = size;
    reward->all = pare_candidate_digest(best);
    assert(pare_pass_reward_check(reward));
}

/* `put_off`: some phases were not run at all, so none has been tried. */
void pare_pass_reward_forget(pare_pass_reward *reward, bool put_off)
{
    reward->tests = reward->gained = 0;
    if (put_off) reward->tried = reward->ended = false;
}

/* With early stop and to the end a change of size is what makes a phase worth another run; to be
 * sure, any change of a byte. */
bool pare_pass_reward_is_idle(const pare_pass_reward *reward, size_t size,
                              const pare_candidate *best, pare_phase_effort effort)
{
    switch (effort) {
    case PARE_WITH_EARLY_STOP: return reward->tried && reward->size == size;
    case PARE_TO_THE_END: return reward->ended && reward->size == size;
    case PARE_TO_BE_SURE: break;
    }
    return reward->ended && pare_digest_equal(reward->all, pare_candidate_digest(best));
}

/* Of the file at hand, as it is now. A file that is gone is no binary. */
pare_status pare_pass_reward_look_whether_binary(pare_work *work, bool *binary, pare_error *err)
{
    pare_view view;
    bool found;
    *binary = false;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (status) return status;
    pare_span bytes = found ? pare_reducible_ranges_bytes(&view) : (pare_span){0};
    *binary = pare_bytes_are_no_text(bytes.bytes, bytes.size);
    pare_reducible_ranges_close_view(&view);
    return PARE_OK;
}

/* Whether the phase needs lines or words, or takes the input apart byte by byte, and the file is binary. Such
 * a file has few lines and words, and cutting it at them gains next to nothing for nearly a test a byte. */
static bool needs_text(const pare_phase *phase, bool binary)
{
    return binary && (phase->kind == PARE_PHASE_UNITS || phase->text_only);
}

bool pare_pass_reward_takes_part(const pare_phase *phase, bool all, bool binary,
                                 pare_phase_effort effort)
{
    if (phase->once || (phase->exhaustive && !all)) return false;
    return effort != PARE_WITH_EARLY_STOP || !needs_text(phase, binary);
}
