/* The reduction of a list of choices as one state machine: draft a list, replay it, ask for a
 * test, move on; and bytes of another program's generator as such a list.
 *
 * A draft is made again when its outcome is told: that costs a replay, and the state needs no
 * memory of its own, so the engine may copy it as often as it likes.  Lists that make no text, or the text at hand from a list that is no simpler, are skipped without a test; lists that
 * make the same text from a simpler list are taken without one.
 * Invariant: `chosen` fails and is what the cursor refers to; `last` is the pass that was taken
 * last in this round of passes, so a round without success ends the reduction.
 * Source: seed 004 (Gopinath) for fragments and NOPs; MacIver and Donaldson, ECOOP 2020, for
 * the passes; see the header for deviations. */
#include "reduce/choice/choice_reduction.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/choice/choice_passes.h"
#include "reduce/choice/choices.h"
#include "text/candidate.h"
#include "text/split/bracket.h"
#include "text/text.h"

static const pare_choice_pass *const passes[] = {
    &pare_choice_pass_zero,  &pare_choice_pass_hoist,      &pare_choice_pass_spans,
    &pare_choice_pass_skip,  &pare_choice_pass_sizes,      &pare_choice_pass_blocks,
    &pare_choice_pass_sort,  &pare_choice_pass_duplicates, &pare_choice_pass_each,
    &pare_choice_pass_trade, &pare_choice_pass_pairs,
};
enum { N_PASSES = sizeof passes / sizeof passes[0] };

/* TEXTS: fewer, and none that needs to know what numbers mean. */
static const pare_choice_pass *const text_passes[] = {
    &pare_choice_pass_tails,   &pare_choice_pass_branches, &pare_choice_pass_redraw,
    &pare_choice_pass_promote, &pare_choice_pass_blocks,
};
enum { N_TEXT_PASSES = sizeof text_passes / sizeof text_passes[0] };

/* ---- the replayer and what is chosen -------------------------------------------------- */

/* Without a draft: the caller sets one before the first replay. */
static pare_status replayer_new(pare_generator generator, pare_replayer **out, pare_error *err)
{
    pare_replayer *replayer = pare_alloc_zero(1, sizeof *replayer);
    if (!replayer) return pare_fail_nomem(err);
    replayer->refs = 1;
    replayer->generator = generator;
    *out = replayer;
    return PARE_OK;
}

/* One for all copies of a state, as nothing in it outlives a call. */
static pare_replayer *replayer_ref(pare_replayer *replayer)
{
    replayer->refs++;
    return replayer;
}

/* The generator is the caller's. */
static void replayer_unref(pare_replayer *replayer)
{
    if (!replayer || --replayer->refs) return;
    pare_choices_done(&replayer->choices);
    pare_buffer_done(&replayer->text);
    pare_alloc_free(replayer->draft);
    pare_alloc_free(replayer->spare);
    pare_alloc_free(replayer);
}

/* Replays the draft; *made is false when it makes no text. */
static pare_status replay_draft(pare_replayer *replayer, bool *made, pare_error *err)
{
    return pare_choice_passes_replay(replayer, replayer->draft, replayer->n, made, err);
}

/* The text of the last replay as a candidate over that of `chosen`.  What both have in common at the
 * front and at the rear is taken as slices, so the
 * candidate holds no more bytes of its own than changed. */
static pare_status candidate_of(const pare_replayer *replayer, const pare_chosen *chosen,
                                pare_candidate *candidate, pare_error *err)
{
    const char *text = replayer->text.data;
    const unsigned char *base = pare_text_bytes(chosen->text);
    size_t size = replayer->text.size, base_size = pare_text_size(chosen->text);
    size_t both = size < base_size ? size : base_size, front = 0, back = 0;
    while (front < both && (unsigned char)text[front] == base[front])
        front++;
    while (back < both - front &&
           (unsigned char)text[size - 1 - back] == base[base_size - 1 - back])
        back++;
    pare_candidate_start(candidate, chosen->text);
    pare_status status = pare_candidate_slice(candidate, 0, front, err);
    if (!status && size > front + back)
        status = pare_candidate_literal(candidate, text + front, size - front - back, err);
    if (!status) status = pare_candidate_slice(candidate, base_size - back, back, err);
    return status;
}

/* Immutable, so the copies of a state share it. */
static pare_chosen *chosen_ref(pare_chosen *chosen)
{
    chosen->refs++;
    return chosen;
}

/* Works on one that is half made, too. */
static void chosen_unref(pare_chosen *chosen)
{
    if (!chosen || --chosen->refs) return;
    pare_alloc_free(chosen->list);
    pare_choices_record_done(&chosen->record);
    pare_text_unref(chosen->text);
    pare_alloc_free(chosen);
}

/* What was replayed last, as something to stand on; with `whole`, with the choices that were not
 * used.  Indices come from the record: there they are below their bounds, in the draft they need not
 * be. */
static pare_status choose(const pare_replayer *replayer, bool whole, pare_chosen **out,
                          pare_error *err)
{
    const pare_choice_record *record = &replayer->choices.record;
    size_t n = whole ? replayer->n : record->n;
    pare_chosen *chosen = pare_alloc_zero(1, sizeof *chosen);
    if (!chosen) return pare_fail_nomem(err);
    chosen->refs = 1;
    chosen->n = n;
    chosen->list = pare_alloc(n, sizeof *chosen->list);
    pare_status status = chosen->list ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_choices_record_copy(&chosen->record, record, err);
    if (!status)
        status = pare_text_copy(replayer->text.data ? replayer->text.data : "", replayer->text.size,
                                &chosen->text, err);
    if (status) {
        chosen_unref(chosen);
        return status;
    }
    for (size_t i = 0; i < n; i++)
        chosen->list[i] = i < record->n ? record->choices[i].index : replayer->draft[i];
    *out = chosen;
    return PARE_OK;
}

/* ---- the state ------------------------------------------------------------------------ */

/* The strategy's state. */
struct reduction {
    pare_strategy head;
    pare_replayer *replayer; /* one reference */
    pare_chosen *chosen;     /* one reference */
    pare_choice_way way;
    pare_cursor cursor;
    size_t pass;     /* PASSES: the one at hand */
    size_t last;     /* PASSES: the one that was taken last; N_PASSES: none in this round */
    size_t length;   /* seed 004: of the fragments; cursor.i is the place */
    size_t n_before; /* seed 004: choices at the start of the run */
    size_t run;      /* seed 004: of its ddmin */
    size_t proposed;
    bool ended;
};

/* Whether it goes by passes, not by seed 004. */
static bool has_passes(const struct reduction *self)
{
    return self->way == PARE_CHOICE_PASSES || self->way == PARE_CHOICE_TEXTS;
}

/* How many passes the way has. */
static size_t count_passes(const struct reduction *self)
{
    return self->way == PARE_CHOICE_TEXTS ? N_TEXT_PASSES : N_PASSES;
}

/* The pass at hand. */
static const pare_choice_pass *current_pass(const struct reduction *self)
{
    return self->way == PARE_CHOICE_TEXTS ? text_passes[self->pass] : passes[self->pass];
}

/* The state, of which a strategy is the head. */
static struct reduction *of(pare_strategy *strategy)
{
    return (struct reduction *)strategy;
}

/* seed 004: begins a run of its ddmin with fragments of half the list.  A run is made again from
 * the start as long as the one before made the list shorter. */
static void start_run(struct reduction *self, size_t run)
{
    self->run = run;
    self->n_before = self->chosen->n;
    self->length = self->chosen->n / 2;
    self->cursor.i = 0;
}

/* Leaves out `length` choices from the place on; with defaults, these and the left
 * neighbour (the right one at the front) become one default.
 * Fragments are those of ddmin with complements only: the rest of the list stays. */
static pare_status draft_fragment(const struct reduction *self, pare_error *err)
{
    const uint64_t one_default = PARE_CHOICE_DEFAULT;
    size_t n = self->chosen->n, from = self->cursor.i, to = from + self->length;
    bool defaults = self->way == PARE_CHOICE_DEFAULTS;
    /* The neighbour becomes part of the one default (seed 004's NOP variant). */
    if (defaults && from) from--;
    if (defaults && !self->cursor.i) to++;
    return pare_choice_passes_replace(
        self->chosen,
        (pare_choice_edit){.from = from, .to = to < n ? to : n, .by = &one_default, .n = defaults},
        self->replayer, err);
}

/* The next fragment of this run, or of the next one if this one made the list shorter. */
static pare_status draft_next_fragment(struct reduction *self, bool *done, pare_error *err)
{
    while (!self->length || self->cursor.i >= self->chosen->n) {
        self->cursor.i = 0;
        self->length /= 2;
        if (self->length) continue;
        *done = self->run && self->chosen->n >= self->n_before;
        if (!*done) start_run(self, self->run + 1);
        *done = *done || !self->length;
        if (*done) return PARE_OK;
    }
    return draft_fragment(self, err);
}

/* --- both ways --------------------------------------------------------------------------- */

/* Drafts with the pass at hand, or the next one that has something; done when a whole round
 * of them had nothing that was taken. */
static pare_status draft_next(struct reduction *self, bool *done, pare_error *err)
{
    if (!has_passes(self)) return draft_next_fragment(self, done, err);
    *done = self->ended;
    while (!*done) {
        bool ended = false;
        pare_status status =
            current_pass(self)->draft(self->chosen, &self->cursor, self->replayer, &ended, err);
        if (status || !ended) return status;
        self->cursor = (pare_cursor){0};
        self->pass++;
        if (self->pass < count_passes(self)) continue;
        /* A round of all passes is over. It was the last one if it took nothing. */
        self->ended = *done = self->last == N_PASSES;
        self->pass = 0;
        self->last = N_PASSES;
    }
    return PARE_OK;
}

/* Moves on after the draft was taken or not. */
static void move(struct reduction *self, bool taken)
{
    self->proposed++;
    if (has_passes(self)) {
        if (taken) self->last = self->pass;
        current_pass(self)->move(self->chosen, &self->cursor, taken);
    } else if (!taken) {
        self->cursor.i += self->length;
    }
}

/* Stands on what was replayed last. */
static pare_status take(struct reduction *self, pare_error *err)
{
    assert(!self->ended);
    pare_chosen *chosen = NULL;
    pare_status status = choose(self->replayer, !has_passes(self), &chosen, err);
    if (status) return status;
    chosen_unref(self->chosen);
    self->chosen = chosen;
    move(self, true);
    return PARE_OK;
}

/* Whether the choices of the last replay are simpler than the chosen ones.
 * By the record and not by the draft: what the generator did not use does not count. */
static bool is_simpler(const struct reduction *self)
{
    const pare_choice_record *record = &self->replayer->choices.record;
    const pare_chosen *chosen = self->chosen;
    if (record->n != chosen->n) return record->n < chosen->n;
    for (size_t i = 0; i < record->n; i++)
        if (record->choices[i].index != chosen->list[i])
            return record->choices[i].index + 1 < chosen->list[i] + 1;
    return false;
}

/* Whether the last replay made the text that is chosen. */
static bool is_same_text(const struct reduction *self)
{
    const pare_buffer *text = &self->replayer->text;
    return text->size == pare_text_size(self->chosen->text) &&
           (!text->size ||
            memcmp(text->data, pare_text_bytes(self->chosen->text), text->size) == 0);
}

/* Whether the draft is the chosen list. */
static bool is_same_list(const struct reduction *self)
{
    return self->replayer->n == self->chosen->n &&
           memcmp(self->replayer->draft, self->chosen->list,
                  self->chosen->n * sizeof *self->chosen->list) == 0;
}

/* Replays the draft; *worth tells whether it is one for a test, or known to fail.
 * Three answers: no text, so not worth it; a text that has to be tested; the text at hand from a
 * simpler list, which is known to fail. */
static pare_status replay(struct reduction *self, bool *worth, pare_error *err)
{
    if (!has_passes(self) && is_same_list(self)) {
        *worth = false;
        return PARE_OK;
    }
    pare_status status = replay_draft(self->replayer, worth, err);
    if (status || !*worth || !has_passes(self)) return status;
    *worth = self->way == PARE_CHOICE_TEXTS && !is_same_text(self)
                 ? self->replayer->text.size < pare_text_size(self->chosen->text)
                 : is_simpler(self);
    return PARE_OK;
}

/* Drafts and replays until a list is worth a test; what is known to fail or to pass without one
 * is told to the pass at once. */
static pare_status reduction_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct reduction *self = of(strategy);
    for (;;) {
        bool done = self->replayer->generator.stopped &&
                    self->replayer->generator.stopped(self->replayer->generator.self);
        bool worth = false;
        pare_status status = done ? PARE_OK : draft_next(self, &done, err);
        if (status) return status;
        if (done) {
            *what = PARE_NEXT_DONE;
            return PARE_OK;
        }
        status = replay(self, &worth, err);
        if (status) return status;
        /* No text, or nothing simpler: known without a test. */
        if (!worth) {
            move(self, false);
        } else if (has_passes(self) && is_same_text(self)) {
            status = take(self, err); /* known to fail */
            if (status) return status;
        } else {
            *what = PARE_NEXT_TEST;
            return candidate_of(self->replayer, self->chosen, candidate, err);
        }
    }
}

/* Only a success needs the draft again: it is made and replayed a second time. */
static pare_status reduction_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct reduction *self = of(strategy);
    if (outcome != PARE_FAIL) {
        move(self, false);
        return PARE_OK;
    }
    bool done = false, worth = false;
    pare_status status = draft_next(self, &done, err);
    if (!status) status = replay(self, &worth, err);
    return status ? status : take(self, err);
}

/* --- the strategy ------------------------------------------------------------------------ */

/* Works on a state that is half made, too. */
static void reduction_destroy(pare_strategy *strategy)
{
    struct reduction *self = of(strategy);
    replayer_unref(self->replayer);
    chosen_unref(self->chosen);
    pare_alloc_free(self);
}

/* O(1): what is chosen is immutable, and nothing in the replayer outlives a call. */
static pare_status reduction_copy(const pare_strategy *strategy, pare_strategy **out,
                                  pare_error *err)
{
    struct reduction *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    memcpy(copy, strategy, sizeof *copy);
    replayer_ref(copy->replayer);
    chosen_ref(copy->chosen);
    *out = &copy->head;
    return PARE_OK;
}

/* The text that is chosen: for lists the simplest is the best, which need not be the smallest
 * text. */
static pare_status reduction_best(const pare_strategy *strategy, pare_candidate *best,
                                  pare_error *err)
{
    const pare_text *text = pare_choice_reduction_text(strategy);
    pare_candidate_start(best, text);
    return pare_candidate_slice(best, 0, pare_text_size(text), err);
}

static const pare_strategy_ops reduction_ops = {.next = reduction_next,
                                                .tell = reduction_tell,
                                                .copy = reduction_copy,
                                                .destroy = reduction_destroy,
                                                .best = reduction_best};

/* Its best is the smallest text that failed: the engine knows that. */
static const pare_strategy_ops text_ops = {.next = reduction_next,
                                           .tell = reduction_tell,
                                           .copy = reduction_copy,
                                           .destroy = reduction_destroy};

/* Replays the list that the reduction begins with. */
static pare_status begin(struct reduction *self, const uint64_t *list, size_t n, pare_error *err)
{
    bool made = false;
    pare_status status = pare_choice_passes_set(self->replayer, list, n, err);
    if (!status) status = replay_draft(self->replayer, &made, err);
    if (!status && !made)
        status =
            pare_fail(err, PARE_E_STATE, "the generator makes no text of these %zu choices", n);
    if (!status) status = choose(self->replayer, !has_passes(self), &self->chosen, err);
    return status;
}

/* A way by texts has no `best`: there the smallest text that failed is the best, and the engine
 * knows that one. */
pare_status pare_choice_reduction_new(pare_generator generator, const uint64_t *list, size_t n,
                                      pare_choice_way way, pare_strategy **out, pare_error *err)
{
    struct reduction *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = way == PARE_CHOICE_TEXTS ? &text_ops : &reduction_ops;
    self->way = way;
    self->last = N_PASSES;
    pare_status status = replayer_new(generator, &self->replayer, err);
    if (!status) self->replayer->draws = way == PARE_CHOICE_TEXTS;
    if (!status) status = begin(self, list, n, err);
    if (status) {
        reduction_destroy(&self->head);
        return status;
    }
    start_run(self, 0);
    *out = &self->head;
    return PARE_OK;
}

/* For the caller who writes the reduced list to a file. */
const uint64_t *pare_choice_reduction_list(const pare_strategy *strategy, size_t *n)
{
    const struct reduction *self = (const struct reduction *)strategy;
    *n = self->chosen->n;
    return self->chosen->list;
}

/* What the generator makes of the list, byte for byte. */
const pare_text *pare_choice_reduction_text(const pare_strategy *strategy)
{
    return ((const struct reduction *)strategy)->chosen->text;
}

/* A measure of the work, as many lists need no test. */
size_t pare_choice_reduction_proposed(const pare_strategy *strategy)
{
    return ((const struct reduction *)strategy)->proposed;
}

/* --- bytes as choices -------------------------------------------------------------------- */

enum { BYTES = 256, CONTENTS = 0, GROUPS = 1 /* and a label of its own for each */ };

/* What a byte is for the spans. */
enum mark { PLAIN, OPENS, CLOSES };

/* The byte that a choice stands for. */
static unsigned char byte_of(uint64_t choice)
{
    return choice == PARE_CHOICE_DEFAULT ? 0 : (unsigned char)(choice % BYTES);
}

/* Replaces each byte by its mark. */
static pare_status mark(unsigned char *bytes, size_t n, pare_error *err)
{
    pare_bracket_tree tree = {0};
    pare_status status = pare_bracket_build(bytes, n, &tree, err);
    if (status) return status;
    for (size_t i = 0; i < n; i++)
        bytes[i] = PLAIN;
    for (uint32_t k = 0; k < tree.n_nodes; k++)
        if (pare_bracket_is_delimiter(&tree, k))
            bytes[tree.nodes[k].begin] = k == tree.nodes[k].parent + 1 ? OPENS : CLOSES;
    pare_bracket_done(&tree);
    return PARE_OK;
}

/* Prints choice `at`, and opens and closes the spans that begin and end there.
 * The brackets themselves stand in the group's span, what is between them in a span of its own. */
static pare_status print_byte(pare_choices *choices, size_t at, enum mark mark, pare_buffer *text,
                              pare_error *err)
{
    uint64_t index = 0;
    pare_status status = PARE_OK;
    if (mark == CLOSES) pare_choices_close(choices);
    if (mark == OPENS) status = pare_choices_open(choices, GROUPS + (uint32_t)at, err);
    if (!status) status = pare_choices_next(choices, PARE_CHOICE_BRANCH, BYTES, &index, err);
    unsigned char byte = (unsigned char)index;
    if (!status) status = pare_buffer_add(text, &byte, 1, err);
    if (!status && mark == OPENS) status = pare_choices_open(choices, CONTENTS, err);
    if (!status && mark == CLOSES) pare_choices_close(choices);
    return status;
}

/* The generator that prints the choices that it is given.
 *
 * What belongs together is guessed by the brackets of the text: the contents of groups are
 * spans that may stand for each other, so that `(8 - (1 / 0))` may become `1 / 0`, which no
 * deletion of a stretch makes of it.  A group with its brackets is a span of its own kind,
 * which may go. */
static pare_status run_bytes(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    size_t n = pare_choices_left(choices);
    unsigned char *marks = pare_alloc(n, 1);
    (void)self;
    if (!marks) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        marks[i] = byte_of(choices->list[i]);
    pare_status status = mark(marks, n, err);
    if (!status) status = pare_choices_open(choices, CONTENTS, err);
    for (size_t i = 0; !status && i < n; i++)
        status = print_byte(choices, i, (enum mark)marks[i], text, err);
    if (!status) pare_choices_close(choices);
    pare_alloc_free(marks);
    return status;
}

/* A flat generator: what a byte is changes nothing about the ones after it, so no list has to be
 * made fit. */
pare_status pare_choice_reduction_of_bytes(const unsigned char *bytes, size_t size,
                                           pare_strategy **out, pare_error *err)
{
    const pare_generator generator = {.self = NULL, .run = run_bytes, .flat = true};
    if (size > PARE_CHOICES_LIMIT)
        return pare_fail(err, PARE_E_LIMIT, "%zu bytes are too many choices", size);
    uint64_t *list = pare_alloc(size, sizeof *list);
    if (!list) return pare_fail_nomem(err);
    for (size_t i = 0; i < size; i++)
        list[i] = bytes[i];
    pare_status status =
        pare_choice_reduction_new(generator, list, size, PARE_CHOICE_PASSES, out, err);
    pare_alloc_free(list);
    return status;
}
