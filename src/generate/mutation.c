/* Population, changes, and the reduction of what is new. */
#include "generate/mutation.h"

#include <string.h>

#include <pare/algorithm.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "base/vector.h"
#include "reduce/choice/choices.h"
#include "reduce/list/algorithms.h"

void pare_mutation_done(pare_mutation *mutation)
{
    for (size_t i = 0; i < mutation->n; i++)
        pare_buffer_done(&mutation->members[i]);
    pare_release(mutation->members);
    pare_release(mutation->coverages);
    pare_buffer_done(&mutation->spare);
    *mutation = (pare_mutation){0};
}

pare_status pare_mutation_add(pare_mutation *mutation, const char *input, size_t size, bool first,
                              pare_error *err)
{
    pare_buffer member = {0};
    pare_buffer *members =
        pare_vector_grow(mutation->members, mutation->n, &mutation->capacity, sizeof *members);
    if (!members) return pare_fail_nomem(err);
    mutation->members = members;
    pare_status status = pare_buffer_add(&member, input, size, err);
    if (status) return status;
    mutation->members[mutation->n++] = member;
    if (first) mutation->n_first = mutation->n;
    return PARE_OK;
}

/* --- changes -------------------------------------------------------------------- */

static pare_status choose_position(pare_choices *choices, size_t n, size_t *at, pare_error *err)
{
    uint64_t index = 0;
    pare_status status = pare_choices_next(choices, PARE_CHOICE_NUMBER, n, &index, err);
    *at = (size_t)index;
    return status;
}

static pare_status delete_byte(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    size_t at = 0;
    if (!text->size) return PARE_OK;
    pare_status status = choose_position(choices, text->size, &at, err);
    if (status) return status;
    memmove(text->data + at, text->data + at + 1, text->size - at);
    text->size--;
    return PARE_OK;
}

static pare_status insert_character(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    size_t at = 0;
    int64_t character = 0;
    pare_status status = choose_position(choices, text->size + 1, &at, err);
    if (!status) status = pare_choices_integer(choices, 32, 126, 32, &character, err);
    if (!status) status = pare_buffer_add(text, "", 1, err);
    if (status) return status;
    memmove(text->data + at + 1, text->data + at, text->size - 1 - at);
    text->data[at] = (char)character;
    return PARE_OK;
}

static pare_status flip_bit(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    size_t at = 0, bit = 0;
    if (!text->size) return PARE_OK;
    pare_status status = choose_position(choices, text->size, &at, err);
    if (!status) status = choose_position(choices, 7, &bit, err);
    if (!status) text->data[at] = (char)(text->data[at] ^ (1 << bit));
    return status;
}

static pare_status mutate(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    static pare_status (*const changes[])(pare_buffer *, pare_choices *,
                                          pare_error *) = {delete_byte, insert_character, flip_bit};
    uint64_t which = 0;
    pare_status status = pare_choices_element(choices, 3, &which, err);
    return status ? status : changes[which](text, choices, err);
}

static pare_status run_mutation(void *self, pare_choices *choices, pare_buffer *text,
                                pare_error *err)
{
    pare_mutation *mutation = self;
    uint64_t which = mutation->at, n = 0;
    if (!mutation->n) return PARE_OK;
    bool unchanged = mutation->at < mutation->n_first;
    uint64_t least = mutation->max_mutations ? mutation->min_mutations : 2;
    uint64_t most = mutation->max_mutations ? mutation->max_mutations : 10;
    pare_status status = PARE_OK;
    if (unchanged)
        mutation->at++;
    else
        status = pare_choices_element(choices, mutation->n, &which, err);
    if (!status && !unchanged) status = pare_choices_size(choices, least, most, &n, err);
    if (status) return status;
    pare_buffer_reset(&mutation->spare);
    const pare_buffer *member = &mutation->members[which];
    status = pare_buffer_add(&mutation->spare, member->data ? member->data : "", member->size, err);
    for (uint64_t i = 0; !status && i < n; i++) {
        status = pare_choices_open(choices, 0, err);
        if (!status) status = mutate(&mutation->spare, choices, err);
        if (!status) pare_choices_close(choices);
    }
    if (status) return status;
    return pare_buffer_add(text, mutation->spare.data, mutation->spare.size, err);
}

pare_generator pare_mutation_generator(pare_mutation *mutation)
{
    return (pare_generator){.self = mutation, .run = run_mutation};
}

/* --- coverage --------------------------------------------------------------------- */

struct reduction {
    pare_buffer *best;
    pare_mutation_cover cover;
    void *context;
    uint64_t coverage; /* that is to stay */
};

/* *text: the best without the ranges of `edit`. */
static pare_status leave_out(const pare_buffer *best, const pare_edit *edit, pare_buffer *text,
                             pare_error *err)
{
    size_t at = 0;
    pare_status status = pare_buffer_add(text, "", 0, err);
    pare_buffer_reset(text);
    for (size_t i = 0; !status && i < edit->n_ranges; i++) {
        status = pare_buffer_add(text, best->data + at, edit->ranges[i].from - at, err);
        at = edit->ranges[i].to;
    }
    return status ? status : pare_buffer_add(text, best->data + at, best->size - at, err);
}

static bool covers_same(const struct reduction *reduction, const pare_buffer *text)
{
    uint64_t coverage;
    return reduction->cover(reduction->context, text->data, text->size, &coverage) &&
           coverage == reduction->coverage;
}

static pare_status reduce_with(const struct reduction *reduction, void *state, pare_buffer *text,
                               pare_edit *edit, pare_error *err)
{
    const pare_list_algorithm *ddmin = &pare_list_ddmin;
    for (;;) {
        bool done = false;
        pare_edit_reset(edit);
        pare_status status = ddmin->next(state, &done, edit, err);
        if (status || done) return status;
        status = leave_out(reduction->best, edit, text, err);
        if (status) return status;
        bool same = covers_same(reduction, text);
        if (same) {
            pare_buffer kept = *text;
            *text = *reduction->best;
            *reduction->best = kept;
        }
        status = ddmin->tell(state, same, err);
        if (status) return status;
    }
}

static pare_status reduce(const struct reduction *reduction, pare_error *err)
{
    const pare_list_algorithm *ddmin = &pare_list_ddmin;
    pare_list_knobs knobs = {0};
    pare_edit edit = {0};
    pare_buffer text = {0};
    void *state = pare_alloc_zero(1, ddmin->state_bytes);
    if (!state) return pare_fail_nomem(err);
    pare_status status = ddmin->start(state, reduction->best->size, &knobs, 0, err);
    if (!status) {
        status = reduce_with(reduction, state, &text, &edit, err);
        if (ddmin->release) ddmin->release(state);
    }
    pare_release(state);
    pare_buffer_done(&text);
    pare_edit_done(&edit);
    return status;
}

static bool is_seen(const pare_mutation *mutation, uint64_t coverage)
{
    for (size_t i = 0; i < mutation->n_coverages; i++)
        if (mutation->coverages[i] == coverage) return true;
    return false;
}

pare_status pare_mutation_offer(pare_mutation *mutation, const char *input, size_t size,
                                pare_mutation_cover cover, void *context, bool wants_reduction,
                                bool *added, pare_error *err)
{
    uint64_t coverage;
    pare_buffer best = {0};
    *added = false;
    if (!cover(context, input, size, &coverage) || is_seen(mutation, coverage)) return PARE_OK;
    uint64_t *coverages = pare_vector_grow(mutation->coverages, mutation->n_coverages,
                                           &mutation->coverages_capacity, sizeof *coverages);
    if (!coverages) return pare_fail_nomem(err);
    mutation->coverages = coverages;
    pare_status status = pare_buffer_add(&best, input, size, err);
    struct reduction reduction = {&best, cover, context, coverage};
    if (!status && wants_reduction) status = reduce(&reduction, err);
    if (!status) status = pare_mutation_add(mutation, best.data, best.size, false, err);
    pare_buffer_done(&best);
    if (status) return status;
    mutation->coverages[mutation->n_coverages++] = coverage;
    *added = true;
    return PARE_OK;
}
