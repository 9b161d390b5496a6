/* The source: an engine or a list on one side, the record on the other. */
#include "reduce/choice/choices.h"

#include <assert.h>

#include "base/status.h"
#include "base/vector.h"
#include "os/entropy.h"

void pare_choices_start(pare_choices *choices)
{
    choices->n = 0;
    choices->open = 0;
    choices->record.n = 0;
    choices->record.n_spans = 0;
}

void pare_choices_seed(pare_choices *choices, uint64_t seed)
{
    choices->from = PARE_CHOICES_NORMAL;
    pare_random_init(&choices->normal, seed);
    pare_choices_start(choices);
}

void pare_choices_seed_python(pare_choices *choices, int64_t seed)
{
    choices->from = PARE_CHOICES_PYTHON;
    pare_mersenne_seed(&choices->python, seed);
    pare_choices_start(choices);
}

void pare_choices_draw_from_system(pare_choices *choices)
{
    choices->from = PARE_CHOICES_SYSTEM;
    pare_choices_start(choices);
}

void pare_choices_replay(pare_choices *choices, const uint64_t *list, size_t n)
{
    choices->from = PARE_CHOICES_REPLAY;
    choices->list = list;
    choices->n_list = n;
    pare_choices_start(choices);
}

void pare_choices_done(pare_choices *choices)
{
    pare_choice_record_done(&choices->record);
}

size_t pare_choices_left(const pare_choices *choices)
{
    bool any = choices->from == PARE_CHOICES_REPLAY && choices->n < choices->n_list;
    return any ? choices->n_list - choices->n : 0;
}

/* --- answers ------------------------------------------------------------------ */

static uint64_t replay(const pare_choices *choices, uint64_t bound)
{
    uint64_t index = choices->list[choices->n];
    if (index < bound || index == PARE_CHOICE_DEFAULT) return index;
    return index % bound;
}

static pare_status answer(pare_choices *choices, uint64_t bound, uint64_t *index, pare_error *err)
{
    switch (choices->from) {
    case PARE_CHOICES_SYSTEM: return pare_entropy_draw(bound, index, err);
    case PARE_CHOICES_REPLAY: *index = replay(choices, bound); break;
    case PARE_CHOICES_PYTHON: *index = pare_mersenne_below(&choices->python, bound); break;
    case PARE_CHOICES_NORMAL: *index = pare_random_below(&choices->normal, bound); break;
    }
    return PARE_OK;
}

/* Makes room for one more choice. */
static pare_status grow(pare_choice_record *record, pare_error *err)
{
    pare_choice *grown =
        pare_vector_grow(record->choices, record->n, &record->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    record->choices = grown;
    return PARE_OK;
}

static inline pare_status note(pare_choices *choices, pare_choice choice, pare_error *err)
{
    pare_choice_record *record = &choices->record;
    choices->n++;
    if (choices->unrecorded) return PARE_OK;
    pare_status status = record->n == record->capacity ? grow(record, err) : PARE_OK;
    if (!status) record->choices[record->n++] = choice;
    return status;
}

/* Why there may not be one more choice. */
static pare_status fail_next(const pare_choices *choices, size_t limit, pare_error *err)
{
    if (choices->n >= limit)
        return pare_fail(err, PARE_E_LIMIT, "the generator makes more than %zu choices", limit);
    return pare_fail(err, PARE_E_STATE, "the list of %zu choices ends before the text does",
                     choices->n_list);
}

/* Whether there may be one more choice. */
static inline pare_status check_next(const pare_choices *choices, pare_error *err)
{
    size_t limit = choices->limit ? choices->limit : PARE_CHOICES_LIMIT;
    bool ended = choices->from == PARE_CHOICES_REPLAY && choices->n >= choices->n_list;
    return choices->n < limit && !ended ? PARE_OK : fail_next(choices, limit, err);
}

pare_status pare_choices_next_or_default(pare_choices *choices, pare_choice_kind kind,
                                         uint64_t bound, uint64_t *index, bool *is_default,
                                         pare_error *err)
{
    assert(bound > 0);
    pare_status status = check_next(choices, err);
    uint64_t drawn = 0;
    if (!status) status = answer(choices, bound, &drawn, err);
    if (!status)
        status = note(choices,
                      (pare_choice){.index = drawn, .bound = bound, .kind = (uint32_t)kind}, err);
    if (status) return status;
    *is_default = drawn == PARE_CHOICE_DEFAULT;
    *index = *is_default ? 0 : drawn;
    return PARE_OK;
}

pare_status pare_choices_next(pare_choices *choices, pare_choice_kind kind, uint64_t bound,
                              uint64_t *index, pare_error *err)
{
    bool is_default;
    return pare_choices_next_or_default(choices, kind, bound, index, &is_default, err);
}

/* 0 <= *number < 1. */
static pare_status draw_unit(pare_choices *choices, double *number, pare_error *err)
{
    uint64_t drawn;
    if (choices->from == PARE_CHOICES_PYTHON) {
        *number = pare_mersenne_unit(&choices->python);
        return PARE_OK;
    }
    if (choices->from == PARE_CHOICES_NORMAL) {
        *number = pare_choices_unit(pare_random_next(&choices->normal));
        return PARE_OK;
    }
    pare_status status = pare_entropy_draw(UINT64_C(1) << 32, &drawn, err);
    if (!status) *number = (double)drawn * 0x1p-32;
    return status;
}

/* The branch that the number 0 <= at < 1 stands for, in proportion to its weight. */
static uint32_t branch_at(double at, const double *weights, uint32_t n)
{
    double total = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < n; i++) {
        total += weights[i];
        if (weights[i] > 0) last = i;
    }
    at *= total;
    for (uint32_t i = 0; i < last; i++) {
        if (at < weights[i]) return i;
        at -= weights[i];
    }
    return last; /* also where rounding went beyond the end */
}

pare_status pare_choices_weighted(pare_choices *choices, const double *weights, uint32_t n,
                                  uint32_t *branch, pare_error *err)
{
    uint64_t index = 0;
    if (choices->from == PARE_CHOICES_REPLAY) {
        pare_status status = pare_choices_next(choices, PARE_CHOICE_BRANCH, n, &index, err);
        if (!status) *branch = (uint32_t)index;
        return status;
    }
    double at = 0;
    pare_status status = check_next(choices, err);
    if (!status) status = draw_unit(choices, &at, err);
    if (status) return status;
    index = branch_at(at, weights, n);
    status =
        note(choices, (pare_choice){.index = index, .bound = n, .kind = PARE_CHOICE_BRANCH}, err);
    if (!status) *branch = (uint32_t)index;
    return status;
}

pare_status pare_choices_chance(pare_choices *choices, double chance, bool *happens,
                                pare_error *err)
{
    const double weights[2] = {1 - chance, chance};
    uint32_t branch;
    pare_status status = pare_choices_weighted(choices, weights, 2, &branch, err);
    if (!status) *happens = branch == 1;
    return status;
}

/* --- spans -------------------------------------------------------------------- */

pare_status pare_choices_open(pare_choices *choices, uint32_t label, pare_error *err)
{
    pare_choice_record *record = &choices->record;
    if (choices->from == PARE_CHOICES_SYSTEM) pare_entropy_open(label);
    if (choices->unrecorded) return PARE_OK;
    if (record->n_spans == record->spans_capacity) {
        pare_choice_span *grown = pare_vector_grow(record->spans, record->n_spans,
                                                   &record->spans_capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(err);
        record->spans = grown;
    }
    uint32_t at = (uint32_t)choices->n;
    record->spans[record->n_spans++] = (pare_choice_span){
        .label = label, .parent = choices->open - 1, .first = at, .end = PARE_SPAN_OPEN};
    choices->open = (uint32_t)record->n_spans;
    return PARE_OK;
}
