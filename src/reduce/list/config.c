/* Configurations: which units of a list are still there; and the strategy that reduces one.
 *
 * A configuration is held as runs of neighbouring units.  Most configurations of a large list
 * have few runs, so removing a range costs O(runs) and a candidate O(log runs), whatever the
 * number of units; a bit for each unit would cost O(units) for every copy that runs ahead.
 *
 * The strategy is the bridge from list algorithms, which know positions, to the engine, which
 * knows texts.  Its state is the algorithm's plain memory and a reference to the configuration;
 * a copy is a memcpy and a reference, so running ahead is cheap.  It also runs an algorithm
 * again until a run removes nothing (fixpoint): no algorithm loops over itself.
 *
 * Invariants: runs are not empty, ascend, and do not touch each other; run.position is the
 * number of units in the runs before; run.offset is where its first unit begins in the
 * configuration's text.  Of the strategy: `edit` is what the algorithm proposed last; the
 * algorithm was told the outcome of everything it proposed but that; `config` is what is left
 * after all that failed. */

#include "reduce/list/config.h"

#include <assert.h>
#include <string.h>

#include <pare/algorithm.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"
#include "reduce/list/algorithms.h"
#include "text/candidate.h"
#include "text/text.h"

/* ---- units -------------------------------------------------------------------------- */

/* Units that touch: each ends where the next begins, so one array of beginnings does. */
pare_status pare_config_units_new(pare_bounds *bounds, pare_unit_list **out, pare_error *err)
{
    pare_unit_list *units = pare_alloc(1, sizeof *units);
    if (!units) return pare_fail_nomem(err);
    *units = (pare_unit_list){.refs = 1, .n = bounds->n, .begin = bounds->at};
    *bounds = (pare_bounds){0};
    *out = units;
    return PARE_OK;
}

/* Units with text between them that belongs to none and always stays. */
pare_status pare_config_units_gapped(pare_slices *slices, pare_unit_list **out, pare_error *err)
{
    pare_unit_list *units = pare_alloc(1, sizeof *units);
    if (!units) return pare_fail_nomem(err);
    *units =
        (pare_unit_list){.refs = 1, .n = slices->n, .begin = slices->begin, .end = slices->end};
    *slices = (pare_slices){0};
    *out = units;
    return PARE_OK;
}

/* One more reference; lists of units are shared by all configurations of a run. */
static pare_unit_list *units_ref(pare_unit_list *units)
{
    units->refs++;
    return units;
}

/* The last reference frees the list.  NULL is a no-op. */
void pare_config_units_unref(pare_unit_list *units)
{
    if (!units || --units->refs) return;
    pare_alloc_free(units->begin);
    pare_alloc_free(units);
}

/* Neighbouring units, of which all or none are left.
 *
 * Example: of the lines 0 .. 9 of a text the lines 3 and 4 are gone. The runs are {first 0,
 * position 0} and {first 5, position 3}, and n is 8; position 4 is in the second run and means
 * line 5 + (4 - 3) = 6. */
struct run {
    uint32_t first;    /* unit */
    uint32_t position; /* of the first unit in the configuration */
    uint32_t offset;   /* of the first unit in the text */
};

/* Immutable but for settling, which changes no byte of the text. */
struct pare_config {
    size_t refs;
    pare_unit_list *units;
    const pare_text *text;
    size_t n; /* units left */
    size_t n_runs;
    struct run run[];
};

/* Position after the last unit of run k. */
static size_t run_end(const pare_config *config, size_t k)
{
    return k + 1 < config->n_runs ? config->run[k + 1].position : config->n;
}

/* Room for `n_runs`; takes references. */
static pare_config *config_new(pare_unit_list *units, const pare_text *text, size_t n_runs)
{
    size_t extra;
    if (__builtin_mul_overflow(n_runs, sizeof(struct run), &extra)) return NULL;
    pare_config *config = pare_alloc(1, sizeof *config + extra);
    if (!config) return NULL;
    *config = (pare_config){.refs = 1, .units = units_ref(units), .text = pare_text_ref(text)};
    return config;
}

/* All units in one run. */
pare_status pare_config_new(pare_unit_list *units, const pare_text *text, pare_config **out,
                            pare_error *err)
{
    pare_config *config = config_new(units, text, 1);
    if (!config) return pare_fail_nomem(err);
    config->n = units->n;
    if (units->n) {
        config->run[0] = (struct run){.offset = (uint32_t)pare_config_unit_begin(units, 0)};
        config->n_runs = 1;
    }
    *out = config;
    return PARE_OK;
}

/* Configurations are immutable, so all states that stand on the same text share one. */
static pare_config *config_ref(pare_config *config)
{
    config->refs++;
    return config;
}

/* The last reference frees the configuration and drops its own to the units and the text. */
void pare_config_unref(pare_config *config)
{
    if (!config || --config->refs) return;
    pare_config_units_unref(config->units);
    pare_text_unref(config->text);
    pare_alloc_free(config);
}

/* Of the units that are kept, not of all. */
size_t pare_config_count(const pare_config *config)
{
    return config->n;
}

/* Index of the run that holds `position` (below n). */
static size_t find_run(const pare_config *config, size_t position)
{
    pare_halving search = {.low = 1, .high = config->n_runs};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, config->run[search.middle].position <= position);
    return search.low - 1;
}

/* Where unit `unit` of run k begins, and ends, in the configuration's text. */
static size_t text_begin(const pare_config *config, size_t k, size_t unit)
{
    const struct run *run = &config->run[k];
    return run->offset + pare_config_unit_begin(config->units, unit) -
           pare_config_unit_begin(config->units, run->first);
}

/* Where a unit of run k ends in the configuration's own text: the run's offset there, plus what the
 * unit's end is away from the run's begin in the original. */
static size_t text_end(const pare_config *config, size_t k, size_t unit)
{
    const struct run *run = &config->run[k];
    return run->offset + pare_config_unit_end(config->units, unit) -
           pare_config_unit_begin(config->units, run->first);
}

/* The unit at `position`, which lies in run k. */
static size_t unit_at(const pare_config *config, size_t k, size_t position)
{
    return config->run[k].first + (position - config->run[k].position);
}

/* Keeps the text from *cursor to `begin` and goes on at `end`. */
static pare_status skip(pare_candidate *candidate, size_t *cursor, size_t begin, size_t end,
                        pare_error *err)
{
    pare_status status = pare_candidate_slice(candidate, *cursor, begin - *cursor, err);
    *cursor = end;
    return status;
}

/* Leaves out positions from .. to-1 one by one: what lies between units stays. */
static pare_status skip_gapped(const pare_config *config, pare_candidate *candidate, size_t *cursor,
                               pare_range range, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t k = find_run(config, range.from);
    for (size_t p = range.from; !status && p < range.to; p++) {
        if (p >= run_end(config, k)) k++;
        size_t unit = unit_at(config, k, p);
        status =
            skip(candidate, cursor, text_begin(config, k, unit), text_end(config, k, unit), err);
    }
    return status;
}

/* Leaves out positions from .. to-1 as one slice: the units touch. */
static pare_status skip_range(const pare_config *config, pare_candidate *candidate, size_t *cursor,
                              pare_range range, pare_error *err)
{
    size_t first = find_run(config, range.from);
    size_t last = find_run(config, range.to - 1);
    return skip(candidate, cursor, text_begin(config, first, unit_at(config, first, range.from)),
                text_end(config, last, unit_at(config, last, range.to - 1)), err);
}

/* The text without the units at the edit's positions.  O(ranges * log runs), and where units have
 * gaps O(units left out). */
pare_status pare_config_candidate(const pare_config *config, const pare_edit *edit,
                                  pare_candidate *candidate, pare_error *err)
{
    size_t cursor = 0;
    pare_status status = PARE_OK;
    pare_candidate_start(candidate, config->text);
    assert(pare_edit_count(edit) <= config->n);
    for (size_t i = 0; !status && i < edit->n_ranges; i++)
        status = config->units->end ? skip_gapped(config, candidate, &cursor, edit->ranges[i], err)
                                    : skip_range(config, candidate, &cursor, edit->ranges[i], err);
    if (!status)
        status =
            pare_candidate_slice(candidate, cursor, pare_text_size(config->text) - cursor, err);
    return status;
}

/* Bytes of units from .. to-1 of the list, gaps not counted. */
static size_t units_size(const pare_unit_list *units, size_t from, size_t to)
{
    if (from == to) return 0;
    if (!units->end)
        return pare_config_unit_end(units, to - 1) - pare_config_unit_begin(units, from);
    size_t size = 0;
    for (size_t i = from; i < to; i++)
        size += units->end[i] - units->begin[i];
    return size;
}

/* What is being made of a configuration, run by run. */
struct rebuild {
    const pare_config *from;
    pare_config *to;
    size_t gone; /* bytes left out so far */
};

/* Keeps positions from .. to-1, which lie in run k. */
static void keep(struct rebuild *rebuild, size_t k, size_t from, size_t to)
{
    if (from == to) return;
    size_t unit = unit_at(rebuild->from, k, from);
    pare_config *config = rebuild->to;
    config->run[config->n_runs++] =
        (struct run){.first = (uint32_t)unit,
                     .position = (uint32_t)config->n,
                     .offset = (uint32_t)(text_begin(rebuild->from, k, unit) - rebuild->gone)};
    config->n += to - from;
}

/* Leaves out positions from .. to-1, which lie in run k. */
static void drop(struct rebuild *rebuild, size_t k, size_t from, size_t to)
{
    rebuild->gone += units_size(rebuild->from->units, unit_at(rebuild->from, k, from),
                                unit_at(rebuild->from, k, to - 1) + 1);
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Goes through the runs and the ranges of the edit side by side. */
static void subtract(struct rebuild *rebuild, const pare_edit *edit)
{
    const pare_config *config = rebuild->from;
    size_t range = 0;
    for (size_t k = 0; k < config->n_runs; k++) {
        size_t position = config->run[k].position, end = run_end(config, k);
        while (position < end) {
            /* A range may span several runs, and a run hold several ranges, so either goes on
             * alone. */
            while (range < edit->n_ranges && edit->ranges[range].to <= position)
                range++;
            pare_range next =
                range < edit->n_ranges ? edit->ranges[range] : (pare_range){config->n, config->n};
            size_t kept = next.from > position ? lesser(next.from, end) : position;
            keep(rebuild, k, position, kept);
            position = kept;
            if (position == end) break;
            size_t dropped = lesser(next.to, end);
            drop(rebuild, k, position, dropped);
            position = dropped;
        }
    }
}

/* A configuration of its own; the old one stays as it is, for states that still refer to it.  Each
 * range of the edit cuts at most one run in two, so there is room for that many more. */
pare_status pare_config_less(const pare_config *config, const pare_edit *edit, pare_config **out,
                             pare_error *err)
{
    pare_candidate candidate = {0};
    pare_text *text = NULL;
    pare_config *less = NULL;
    pare_status status = pare_config_candidate(config, edit, &candidate, err);
    if (!status) status = pare_candidate_text(&candidate, &text, err);
    if (!status) {
        less = config_new(config->units, text, config->n_runs + edit->n_ranges);
        if (!less) status = pare_fail_nomem(err);
    }
    if (less) {
        struct rebuild rebuild = {.from = config, .to = less};
        subtract(&rebuild, edit);
        assert(less->n_runs <= config->n_runs + edit->n_ranges && less->n <= config->n);
        *out = less;
    }
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return status;
}

/* Once the text is less than half of its store, it gets a store of its own: memory falls with the
 * text, and each byte of the input is copied O(1) times on average. */
pare_status pare_config_settle(pare_config *config, pare_error *err)
{
    size_t size = pare_text_size(config->text);
    /* Stores at least halve from copy to copy, so all copies together are less than the input. */
    if (size >= pare_text_store_size(config->text) / 2) return PARE_OK;
    pare_text *flat = NULL;
    pare_status status = pare_text_flatten(config->text, &flat, err);
    if (status) return status;
    pare_text_unref(config->text);
    config->text = flat;
    return PARE_OK;
}

/* Whether the invariants at the top hold. O(runs), for tests. */
bool pare_config_check(const pare_config *config)
{
    size_t position = 0, offset = 0;
    for (size_t k = 0; k < config->n_runs; k++) {
        const struct run *run = &config->run[k];
        size_t n = run_end(config, k) - run->position;
        if (run->position != position || n == 0) return false;
        if (run->first + n > config->units->n || run->offset < offset) return false;
        if (k > 0 && run->first <= unit_at(config, k - 1, run->position - 1)) return false;
        position += n;
        offset = text_end(config, k, run->first + n - 1);
    }
    return position == config->n && offset <= pare_text_size(config->text);
}

/* ---- the strategy ---------------------------------------------------------------------- */

/* One block, so that a copy is one allocation. */
struct list_strategy {
    pare_strategy head;
    const pare_list_algorithm *algorithm;
    pare_list_knobs knobs;
    pare_config *config; /* one reference */
    pare_edit edit;
    size_t run;          /* of the fixpoint, from 0 */
    bool removed;        /* something went in this run */
    bool started;        /* `state` is valid */
    max_align_t state[]; /* algorithm->state_bytes */
};

/* The bridge's state, of which a strategy is the head. */
static struct list_strategy *of(pare_strategy *strategy)
{
    return (struct list_strategy *)strategy;
}

/* The algorithm's state is released only if it was begun: `start` may have failed. */
static void strategy_free(pare_strategy *strategy)
{
    struct list_strategy *self = of(strategy);
    if (self->started && self->algorithm->release) self->algorithm->release(self->state);
    pare_config_unref(self->config);
    pare_edit_done(&self->edit);
    pare_alloc_free(self);
}

/* The user's word, or else the algorithm's default, which is its source's. */
static bool to_fixpoint(const struct list_strategy *self)
{
    if (self->knobs.fixpoint == PARE_FIXPOINT_DEFAULT) return self->algorithm->fixpoint;
    return self->knobs.fixpoint == PARE_FIXPOINT_ON;
}

/* Begins run number `run` of the algorithm over what is left. */
static pare_status begin_run(struct list_strategy *self, size_t run, pare_error *err)
{
    if (self->started && self->algorithm->release) self->algorithm->release(self->state);
    self->started = false;
    pare_status status = self->algorithm->start(self->state, pare_config_count(self->config),
                                                &self->knobs, run, err);
    self->started = !status;
    self->run = run;
    self->removed = false;
    return status;
}

/* Proposes the next candidate of the algorithm. A run that has ended is begun anew as long as the
 * last one removed something, if the knob asks for a fixpoint. */
static pare_status strategy_next(pare_strategy *strategy, pare_next *what,
                                 pare_candidate *candidate, pare_error *err)
{
    struct list_strategy *self = of(strategy);
    for (;;) {
        bool done = false;
        pare_edit_reset(&self->edit);
        pare_status status = self->algorithm->next(self->state, &done, &self->edit, err);
        if (status) return status;
        if (!done) {
            /* The text as it is would fail again, and the algorithm would take it for progress. */
            assert(pare_edit_count(&self->edit) > 0);
            *what = PARE_NEXT_TEST;
            return pare_config_candidate(self->config, &self->edit, candidate, err);
        }
        if (!to_fixpoint(self) || !self->removed) break;
        status = begin_run(self, self->run + 1, err);
        if (status) return status;
    }
    *what = PARE_NEXT_DONE;
    return PARE_OK;
}

/* The configuration changes before the algorithm hears of it; if that fails, the algorithm was
 * told nothing. */
static pare_status strategy_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct list_strategy *self = of(strategy);
    bool fails = outcome == PARE_FAIL;
    if (fails) {
        pare_config *less = NULL;
        pare_status status = pare_config_less(self->config, &self->edit, &less, err);
        if (status) return status;
        pare_config_unref(self->config);
        self->config = less;
        self->removed = true;
    }
    return self->algorithm->tell(self->state, fails, err);
}

/* The state and that of the algorithm after it, in one block. */
static size_t total_bytes(const pare_list_algorithm *algorithm)
{
    return sizeof(struct list_strategy) + algorithm->state_bytes;
}

/* The algorithm's state is plain memory but for what `retain` counts; the edit owns memory, so its
 * ranges are copied. */
static pare_status strategy_copy(const pare_strategy *strategy, pare_strategy **out,
                                 pare_error *err)
{
    const struct list_strategy *self = (const struct list_strategy *)strategy;
    struct list_strategy *copy = pare_alloc(1, total_bytes(self->algorithm));
    if (!copy) return pare_fail_nomem(err);
    memcpy(copy, self, total_bytes(self->algorithm));
    copy->edit = (pare_edit){0};
    config_ref(copy->config);
    if (copy->started && copy->algorithm->retain) copy->algorithm->retain(copy->state);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < self->edit.n_ranges; i++)
        status =
            pare_edit_add(&copy->edit, self->edit.ranges[i].from, self->edit.ranges[i].to, err);
    if (status) {
        strategy_free(&copy->head);
        return status;
    }
    *out = &copy->head;
    return PARE_OK;
}

/* The engine calls this after a success, on the true state only. */
static pare_status strategy_settle(pare_strategy *strategy, pare_error *err)
{
    return pare_config_settle(of(strategy)->config, err);
}

static const pare_strategy_ops list_ops = {.next = strategy_next,
                                           .tell = strategy_tell,
                                           .copy = strategy_copy,
                                           .destroy = strategy_free,
                                           .settle = strategy_settle};

/* The algorithm's state lies right after the strategy in one block, so that a copy is one memcpy
 * and, where the algorithm has it, a `retain`. */
pare_status pare_config_strategy_new(const pare_list_algorithm *algorithm,
                                     const pare_list_knobs *knobs, pare_config *config,
                                     pare_strategy **out, pare_error *err)
{
    struct list_strategy *self = pare_alloc_zero(1, total_bytes(algorithm));
    if (!self) return pare_fail_nomem(err);
    *self = (struct list_strategy){.head = {.ops = &list_ops},
                                   .algorithm = algorithm,
                                   .knobs = *knobs,
                                   .config = config_ref(config)};
    pare_status status = begin_run(self, 0, err);
    if (status) {
        strategy_free(&self->head);
        return status;
    }
    *out = &self->head;
    return PARE_OK;
}
