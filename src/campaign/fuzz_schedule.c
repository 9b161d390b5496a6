/* Shares of slots: stride scheduling, with shares that follow what pairs earn.
 *
 * Each pair has a virtual time: the slot seconds of its jobs, divided by its share.  The ready pair
 * with the least is next, so over time each gets slots in proportion to its share, and none waits
 * for ever, since only its own jobs make its virtual time grow.  A job that runs is counted in
 * advance with a second, so that several slots are not all given to one pair at the start.
 *
 * A share is the source's weight, times 1 to MOST_BONUS by what the pair earned for each slot
 * second lately, compared with the best pair.  A new finding counts as much as many new edges.  What
 * was earned fades by half with each HALF_LIFE_S slot seconds.  The bonus is bounded: a source that
 * finds little is still tried, since what will pay tomorrow is not known.
 *
 * A pair whose first job fails, or three in a row, is given up.
 * Source: Waldspurger and Weihl, Stride Scheduling (1995). */

#include "campaign/fuzz_schedule.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "campaign/campaign_file.h"

static const double MOST_BONUS = 4, HALF_LIFE_S = 600, FINDING_WORTH = 100, IN_ADVANCE_S = 1;
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

static unsigned within(uint64_t number, unsigned least, unsigned most)
{
    return number < least ? least : number > most ? most : (unsigned)number;
}

static pare_status add_pair(pare_fuzz_schedule *schedule, const pare_section *source,
                            const pare_section *target, unsigned slots, pare_error *err)
{
    pare_fuzz_schedule_pair *pairs =
        pare_vector_grow(schedule->pairs, schedule->n_pairs, &schedule->capacity, sizeof *pairs);
    if (!pairs) return pare_fail_nomem(err);
    schedule->pairs = pairs;
    double weight = pare_section_real(source, "weight");
    pairs[schedule->n_pairs++] = (pare_fuzz_schedule_pair){
        .source = pare_section_name(source),
        .target = pare_section_name(target),
        .weight = weight,
        .cost = within(pare_section_number(target, "cost"), 1, slots),
        .instances = within(pare_section_number(source, "instances"), 1, 1024),
        .state = weight > 0 ? PARE_PAIR_READY : PARE_PAIR_DRY};
    return PARE_OK;
}

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
    *schedule = (pare_fuzz_schedule){0};
}

/* ---- whose turn it is ---------------------------------------------------------------- */

/* What a pair earned for each slot second lately. */
static double rate(const pare_fuzz_schedule_pair *pair)
{
    return pair->earning > 0 ? pair->earned / pair->earning : 0;
}

static double best_rate(const pare_fuzz_schedule *schedule)
{
    double best = 0;
    for (size_t i = 0; i < schedule->n_pairs; i++)
        if (rate(&schedule->pairs[i]) > best) best = rate(&schedule->pairs[i]);
    return best;
}

static double virtual_time(const pare_fuzz_schedule_pair *pair, double best)
{
    double bonus = best > 0 ? 1 + (MOST_BONUS - 1) * rate(pair) / best : 1;
    double used = pair->used + IN_ADVANCE_S * pair->running * pair->cost;
    return used / (pair->weight * bonus);
}

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

size_t pare_fuzz_schedule_next(const pare_fuzz_schedule *schedule, unsigned room)
{
    size_t next = SIZE_MAX;
    double least = 0, best = best_rate(schedule);
    for (size_t i = 0; i < schedule->n_pairs; i++) {
        const pare_fuzz_schedule_pair *pair = &schedule->pairs[i];
        if (!is_ready(pair)) continue;
        double time = virtual_time(pair, best);
        if (next != SIZE_MAX && time >= least) continue;
        next = i, least = time;
    }
    return next != SIZE_MAX && schedule->pairs[next].cost <= room ? next : SIZE_MAX;
}

void pare_fuzz_schedule_start(pare_fuzz_schedule *schedule, size_t pair)
{
    assert(pair < schedule->n_pairs);
    schedule->pairs[pair].running++;
}

void pare_fuzz_schedule_end(pare_fuzz_schedule *schedule, size_t index,
                            const pare_fuzz_schedule_result *result)
{
    assert(index < schedule->n_pairs && schedule->pairs[index].running > 0);
    pare_fuzz_schedule_pair *pair = &schedule->pairs[index];
    bool is_first = pair->used <= 0;
    double kept = HALF_LIFE_S / (HALF_LIFE_S + result->slot_s);
    pair->running--;
    /* A job that fails at once costs something, too, or it would be next again for ever. */
    pair->used += result->slot_s > 0.1 ? result->slot_s : 0.1;
    pair->earned = pair->earned * kept + FINDING_WORTH * result->findings + result->edges;
    pair->earning = pair->earning * kept + result->slot_s;
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
