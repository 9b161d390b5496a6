/* Shares of slots: a bandit over the pairs, in slot seconds.
 *
 * Each pair is an arm of a bandit (bandit.h): it spends the slot seconds of its jobs, and earns the
 * edges that it was the first to reach; a new finding counts as much as many new edges.  The past
 * fades by half with each HALF_LIFE_S slot seconds, so a pair that has reached all it can gives way
 * to others within minutes, and one that earns nothing is tried again now and then.  A running job
 * is charged IN_ADVANCE_S in advance, so that not all slots go to one pair at the start.
 *
 * Another fuzzer takes seconds to start and then reads everything found so far, so a job of it is
 * worth little while our generators still find much: until it has been tried, it is trusted with
 * only a third of the best rate, and gets its turn when it is half a job behind.  With AFL beside a
 * grammar that is after 45 s of slots rather than 10 (docs/lab/campaign.md); if nobody earns
 * anything it is at once.
 *
 * A pair whose first job fails, or three in a row, is given up. */

#include "campaign/fuzz_schedule.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "campaign/campaign_file.h"
#include "campaign/section.h"

static const double HALF_LIFE_S = 300, TRUST_S = 5, FINDING_WORTH = 100, IN_ADVANCE_S = 10,
                    FUZZER_DOUBT = 2.0 / 3; /* see bandit.h */
enum { MOST_FAILURES = 3 };

/* ---- the pairs --------------------------------------------------------------------- */

/* Whether `source` makes inputs for `target`: without names for all of them. */
static bool is_for(const pare_section *source, const char *target)
{
    size_t n = 0;
    const char *const *names = pare_section_words(source, "targets", &n);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], target)) return true;
    return n == 0;
}

/* `number`, or the nearest of the two bounds. */
static unsigned within(uint64_t number, unsigned least, unsigned most)
{
    return number < least ? least : number > most ? most : (unsigned)number;
}

/* A source without weight is dry from the start: it stays in the list, which keeps the pairs'
 * places. */
static pare_status add_pair(pare_fuzz_schedule *schedule, const pare_section *source,
                            const pare_section *target, unsigned slots, pare_error *err)
{
    pare_fuzz_schedule_pair *pairs =
        pare_vector_grow(schedule->pairs, schedule->n_pairs, &schedule->capacity, sizeof *pairs);
    if (!pairs) return pare_fail_nomem(err);
    schedule->pairs = pairs;
    pare_bandit_arm *arms =
        pare_vector_grow(schedule->arms, schedule->n_pairs, &schedule->arms_capacity, sizeof *arms);
    if (!arms) return pare_fail_nomem(err);
    schedule->arms = arms;
    const double weight = pare_section_real(source, "weight");
    const char *kind = pare_section_text(source, "kind");
    const bool is_fuzzer = !strcmp(kind, "afl") || !strcmp(kind, "libfuzzer");
    arms[schedule->n_pairs] =
        (pare_bandit_arm){.weight = weight, .doubt = is_fuzzer ? FUZZER_DOUBT : 0};
    pairs[schedule->n_pairs++] = (pare_fuzz_schedule_pair){
        .source = pare_section_name(source),
        .target = pare_section_name(target),
        .cost = within(pare_section_number(target, "cost"), 1, slots),
        .instances = within(pare_section_number(source, "instances"), 1, 1024),
        .state = weight > 0 ? PARE_PAIR_READY : PARE_PAIR_DRY};
    return PARE_OK;
}

/* Sources times targets; both are few, as users write them. */
pare_status pare_fuzz_schedule_init(pare_fuzz_schedule *schedule, const pare_campaign *campaign,
                                    unsigned slots, pare_error *err)
{
    const pare_section *source, *target;
    for (size_t i = 0; (source = pare_campaign_section_at(campaign, "source", i)) != NULL; i++)
        for (size_t k = 0; (target = pare_campaign_section_at(campaign, "target", k)) != NULL;
             k++) {
            if (!is_for(source, pare_section_name(target))) continue;
            pare_status status = add_pair(schedule, source, target, slots, err);
            if (status) return status;
        }
    return PARE_OK;
}

void pare_fuzz_schedule_done(pare_fuzz_schedule *schedule)
{
    pare_alloc_free(schedule->pairs);
    pare_alloc_free(schedule->arms);
    *schedule = (pare_fuzz_schedule){0};
}

/* ---- whose turn it is ---------------------------------------------------------------- */

/* A view of the arms, made for each call: it owns nothing. */
static pare_bandit bandit_of(const pare_fuzz_schedule *schedule)
{
    return (pare_bandit){
        .arms = schedule->arms, .n = schedule->n_pairs, .half_life = HALF_LIFE_S, .trust = TRUST_S};
}

/* Whether one more job of it may run beside those that do. */
static bool is_ready(const pare_fuzz_schedule_pair *pair)
{
    return pair->state == PARE_PAIR_READY && pair->running < pair->instances;
}

size_t pare_fuzz_schedule_ready(const pare_fuzz_schedule *schedule)
{
    size_t n = 0;
    for (size_t i = 0; i < schedule->n_pairs; i++)
        n += is_ready(&schedule->pairs[i]);
    return n;
}

/* Sets what the bandit is to know of each arm now: who is out, and what running jobs will have
 * spent.  A pair that fits better but is not next does not overtake one that is too large for
 * `room`. */
size_t pare_fuzz_schedule_next(const pare_fuzz_schedule *schedule, unsigned room)
{
    const pare_bandit bandit = bandit_of(schedule);
    for (size_t i = 0; i < schedule->n_pairs; i++) {
        const pare_fuzz_schedule_pair *pair = &schedule->pairs[i];
        schedule->arms[i].is_out = !is_ready(pair);
        schedule->arms[i].ahead = IN_ADVANCE_S * pair->running * pair->cost;
        const bool is_fuzzer = schedule->arms[i].doubt > 0;
        if (is_fuzzer) schedule->arms[i].ahead += IN_ADVANCE_S / 2 * pair->cost;
    }
    const size_t next = pare_bandit_next(&bandit);
    return next != SIZE_MAX && schedule->pairs[next].cost <= room ? next : SIZE_MAX;
}

/* The slot seconds are paid at the end; until then the job counts in advance
 * (pare_fuzz_schedule_next). */
void pare_fuzz_schedule_start(pare_fuzz_schedule *schedule, size_t pair)
{
    assert(pair < schedule->n_pairs);
    schedule->pairs[pair].running++;
}

/* A pair that was given up, or is dry, has jobs under way still: they end here like others. */
void pare_fuzz_schedule_end(pare_fuzz_schedule *schedule, size_t index,
                            const pare_fuzz_schedule_result *result)
{
    assert(index < schedule->n_pairs && schedule->pairs[index].running > 0);
    pare_fuzz_schedule_pair *pair = &schedule->pairs[index];
    const pare_bandit bandit = bandit_of(schedule);
    const bool is_first = !pair->was_used;
    pair->running--;
    pair->was_used = true;
    /* A job that fails at once costs something, too, or it would be next again for ever. */
    pare_bandit_spend(&bandit, index, result->slot_s > 0.1 ? result->slot_s : 0.1);
    pare_bandit_earn(&bandit, index, FINDING_WORTH * result->findings + result->edges);
    pair->failures = result->failed ? pair->failures + 1 : 0;
    if (result->failed && (is_first || pair->failures >= MOST_FAILURES))
        pair->state = PARE_PAIR_GIVEN_UP;
    else if (!result->failed && result->dry)
        pair->state = PARE_PAIR_DRY;
}

bool pare_fuzz_schedule_is_alive(const pare_fuzz_schedule *schedule)
{
    for (size_t i = 0; i < schedule->n_pairs; i++)
        if (schedule->pairs[i].running || schedule->pairs[i].state == PARE_PAIR_READY) return true;
    return false;
}
