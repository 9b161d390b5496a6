/* What of a text of instructions is tried to leave out, and in which order.
 *
 *  WHOLE       all at once: comments and empty lines go, names that are numbers become words (else
 *              nothing could go: numbers have to be consecutive), attributes and the like (names of
 *              other sigils than definitions and functions have) go with all that mentions them; if
 *              that does not fail, each by itself
 *  FUNCTIONS   go with their uses
 *  KEYS_FIRST, ATTACHED_FIRST   as below, if more than half of the text is notes (ssa_notes.h); what
 *              notes mention becomes `null`, as a field may have to be there
 *  FLATTEN     functions become one block: labels go with whoever mentions them
 *  PHIS        of the others: what mentions a label and ends no block goes
 *  UNUSED      what no statement mentions at the top level goes, and what only that mentioned
 *  BLOCKS      a block goes, and whoever went there goes to the next one
 *  HALVES, STATEMENTS   of functions go with their uses: bisection, then runs that grow (adaptive); the
 *              end of a block stays
 *  UNUSED
 *  USES        each use becomes 0, its definition stays
 *  KEYS        all mentions of notes with one key, such as `elements:` or `!tbaa`
 *  ATTACHED    mentions of notes in a function, or in another statement of the top level
 *  NOTES       go with all their mentions
 *  TOP         all else at the top level, functions too
 *
 * With functions and mentions go the notes that nothing leads to any more.
 * A use of what went becomes an operand of what went, if it was a statement with one of the same kind,
 * since what is computed of something undefined may be folded away, and the failure with it.  Else it
 * becomes a neutral word, which is learned: until a candidate with a word of a class
 * (a sigil, at the top level or not) has failed, each edit is tried with one other word as well, in
 * turn.
 * The state is a text, and what is left to do with it; it is read anew for each proposal.
 * Invariant: `now` fails, or is the input with names renamed, which is larger than it.
 * Source: ours; the order was measured (docs/lab/tables-and-ir.md); undef for operands as in
 * llvm-reduce. */
#include "reduce/ssa/ssa_reduction.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/shared.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/list_run.h"
#include "reduce/ssa/ssa_edit.h"
#include "reduce/ssa/ssa_notes.h"
#include "text/candidate.h"

/* In the order in which they are gone through; see the opening comment. */
enum stage {
    WHOLE,
    FUNCTIONS,
    KEYS_FIRST,
    ATTACHED_FIRST,
    FLATTEN,
    PHIS,
    UNUSED,
    BLOCKS,
    HALVES,
    STATEMENTS,
    UNUSED_AGAIN,
    USES,
    KEYS,
    ATTACHED,
    NOTES,
    TOP_HALVES,
    TOP,
    UNUSED_LAST,
    DONE
};

enum {
    FEW = 8,                                    /* items: they are tried one by one */
    PATIENCE = 24,                              /* tests in a row that remove nothing, */
    PATIENCE_OF_KEYS = 12,                      /* or go through keys once more */
    MOST_TRIES = 2 * (PARE_SSA_EDIT_WORDS - 1), /* of other words of a class, in vain */
    NOT_RETRIED = 255
};

/* The steps of the UNUSED stages: see change_unused. */
#define UNUSED_STEPS 2u

/* The steps of WHOLE: all, then what names are renamed and comments go, then each sigil. */
enum { ALL_STEP, PLAIN_STEP, FIRST_SIGIL_STEP, N_STEPS = FIRST_SIGIL_STEP + PARE_SSA_SIGILS };

/* The state of the strategy.  A proposal is made when it is first asked for (`trial`) and handed out until
 * its outcome is told; a copy shares both texts, which are never written to. */
struct reduction {
    pare_strategy head;
    const pare_text *text; /* one reference */
    size_t begin, end;
    pare_ssa_dialect dialect;
    enum stage stage;
    unsigned step;    /* WHOLE; n-th proposal of other stages without a list */
    pare_shared *now; /* bytes */
    size_t n_now;
    pare_shared *trial; /* bytes; NULL: nothing was proposed */
    size_t n_trial;
    unsigned n_vain; /* tests in a row that have removed nothing, of this stage */
    unsigned char words[PARE_SSA_EDIT_CLASSES];
    unsigned char
        tries[PARE_SSA_EDIT_CLASSES]; /* of other words than the first; MOST_TRIES: the word
                                                   is settled */
    unsigned char retried; /* the class of which the proposal has another word, or NOT_RETRIED */
    bool plain_words;      /* of an edit that was tried with operands */
    uint32_t used;         /* classes of which the proposal has words */
    pare_shared *hashes;   /* the list of KEYS_FIRST, KEYS and NOTES; one reference */
    size_t n_hashes;
    pare_list_run run; /* of the stage's algorithm */
};

/* The head is the first member, so the address is the same. */
static struct reduction *of(pare_strategy *strategy)
{
    return (struct reduction *)strategy;
}

/* ---- what a stage goes through --------------------------------------------------------- */

/* An edit with its arrays. */
struct work {
    pare_ssa ssa;
    pare_ssa_notes notes;
    pare_ssa_edit edit;
    unsigned char *chosen; /* by function */
    bool *changes;         /* by function: whether FLATTEN, PHIS and ATTACHED do anything to it */
    bool *uses;            /* by name; NULL outside USES */
};

/* Whether the stage goes through hashes of mentions. */
static bool has_hashes(enum stage stage)
{
    return stage == KEYS_FIRST || stage == KEYS || stage == NOTES;
}

/* What its hashes are of. */
static pare_ssa_notes_by hashes_by(enum stage stage)
{
    return stage == NOTES ? PARE_SSA_NOTES_NOTE : PARE_SSA_NOTES_KEY;
}

static bool is_attached(enum stage stage)
{
    return stage == ATTACHED_FIRST || stage == ATTACHED;
}

/* Whether the stage's list has the statement.  The function that a fragment is does not go. */
static bool is_listed(enum stage stage, const struct work *work, size_t i)
{
    const pare_ssa *ssa = &work->ssa;
    const pare_ssa_statement *at = &ssa->statements[i];
    switch (stage) {
    case FUNCTIONS: return at->role == PARE_SSA_HEADER && !ssa->dialect.fragment;
    case ATTACHED_FIRST:
    case ATTACHED:
        if (at->role == PARE_SSA_TOP) return pare_ssa_notes_has(ssa, &work->notes, i);
        return at->role == PARE_SSA_HEADER && work->changes[at->function];
    /* The header stands for its function. */
    case FLATTEN:
    case PHIS: return at->role == PARE_SSA_HEADER && work->changes[at->function];
    /* The label stands for its block. */
    case BLOCKS: return at->role == PARE_SSA_LABEL;
    case HALVES:
    case STATEMENTS: return at->role == PARE_SSA_PLAIN && !pare_ssa_edit_ends_block(ssa, i);
    case TOP_HALVES:
    case TOP:
        return (at->role == PARE_SSA_TOP || at->role == PARE_SSA_HEADER) &&
               !ssa->dialect.fragment && !pare_ssa_notes_is_note(ssa, &work->notes, i);
    case WHOLE:
    case KEYS_FIRST:
    case USES:
    case KEYS:
    case UNUSED:
    case UNUSED_AGAIN:
    case NOTES:
    case UNUSED_LAST:
    case DONE: break;
    }
    return false;
}

/* The length of the stage's list, but for one of hashes. */
static size_t count_listed(enum stage stage, const struct work *work)
{
    const pare_ssa *ssa = &work->ssa;
    size_t n = 0;
    for (size_t i = 0; i < ssa->n_statements; i++)
        n += is_listed(stage, work, i);
    for (size_t k = 0; work->uses && k < ssa->n_names; k++)
        n += work->uses[k];
    return n;
}

/* All-zero is a no-op, so this is also for what was only started. */
static void work_done(struct work *work)
{
    pare_alloc_free(work->edit.gone);
    pare_alloc_free(work->edit.last);
    pare_alloc_free(work->edit.lost);
    pare_alloc_free(work->edit.cut);
    pare_alloc_free(work->chosen);
    pare_alloc_free(work->changes);
    pare_alloc_free(work->uses);
    pare_ssa_done(&work->ssa);
}

/* Makes what the stage USES works on. */
static pare_status start_uses(struct work *work, pare_error *err)
{
    /* One place more than there are names, so that a text without names needs no case of its
     * own. */
    work->edit.lost = pare_alloc_zero(work->ssa.n_names + 1, 1);
    work->uses = pare_alloc_zero(work->ssa.n_names + 1, sizeof *work->uses);
    if (!work->edit.lost || !work->uses) return pare_fail_nomem(err);
    memset(work->edit.words, PARE_SSA_EDIT_ZERO, sizeof work->edit.words);
    return pare_ssa_edit_find_uses(&work->ssa, work->uses, err);
}

/* Whether anything from the header of the function to its end is marked in edit.gone, or has a mention. */
static bool is_changed(enum stage stage, const struct work *work, const pare_ssa_function *function)
{
    for (size_t i = function->header; i <= function->close; i++)
        if (is_attached(stage) ? pare_ssa_notes_has(&work->ssa, &work->notes, i)
                               : work->edit.gone[i] != 0)
            return true;
    return false;
}

/* An edit of nothing, whose arrays have been made. */
static void clear_edit(struct work *work)
{
    memset(work->edit.gone, 0, work->ssa.n_statements + 1);
    for (size_t i = 0; i < work->ssa.n_functions; i++)
        work->edit.last[i] = PARE_SSA_NONE;
}

/* Finds the functions that the stage changes: all are changed, and what has gone is looked at. A function
 * that was changed is no longer listed then, as the algorithms take for granted. */
static pare_status find_changes(enum stage stage, struct work *work, pare_error *err)
{
    pare_status status = PARE_OK;
    if (stage != FLATTEN && stage != PHIS && !is_attached(stage)) return PARE_OK;
    memset(work->chosen, 1, work->ssa.n_functions);
    if (stage == FLATTEN)
        status = pare_ssa_edit_flatten(&work->ssa, work->chosen, &work->edit, err);
    if (stage == PHIS) status = pare_ssa_edit_drop_phis(&work->ssa, work->chosen, &work->edit, err);
    for (size_t f = 0; !status && f < work->ssa.n_functions; f++)
        work->changes[f] = is_changed(stage, work, &work->ssa.functions[f]);
    memset(work->chosen, 0, work->ssa.n_functions);
    clear_edit(work);
    return status;
}

/* Reads the text, and makes an edit of nothing.  The caller ends *work, on failure too. */
static pare_status work_start(const struct reduction *self, struct work *work, pare_error *err)
{
    *work = (struct work){.chosen = NULL};
    pare_status status =
        pare_ssa_read(pare_shared_items(self->now), self->n_now, &self->dialect, &work->ssa, err);
    if (status) return status;
    work->edit.gone = pare_alloc_zero(work->ssa.n_statements + 1, 1);
    work->edit.last = pare_alloc(work->ssa.n_functions + 1, sizeof *work->edit.last);
    work->chosen = pare_alloc_zero(work->ssa.n_functions + 1, 1);
    work->changes = pare_alloc_zero(work->ssa.n_functions + 1, sizeof *work->changes);
    work->notes = pare_ssa_notes_find(&work->ssa);
    work->edit.cut = pare_alloc_zero(work->ssa.n_names + 1, sizeof *work->edit.cut);
    if (!work->edit.gone || !work->edit.last || !work->chosen || !work->changes || !work->edit.cut)
        return pare_fail_nomem(err);
    clear_edit(work);
    status = find_changes(self->stage, work, err);
    memcpy(work->edit.words, self->words, sizeof work->edit.words);
    /* Elsewhere what defines an operand need not come before the use. */
    work->edit.operands = (self->stage == FLATTEN && !self->plain_words) || self->stage == HALVES ||
                          self->stage == STATEMENTS;
    return !status && self->stage == USES ? start_uses(work, err) : status;
}

/* ---- stages ---------------------------------------------------------------------------- */

/* The algorithm for a list of `n` items; NULL: none is needed. */
static const pare_list_algorithm *algorithm_for(enum stage stage, size_t n)
{
    if (!n) return NULL;
    if (stage == HALVES || stage == TOP_HALVES) return &pare_list_bisect;
    if (stage == STATEMENTS && n > FEW) return &pare_list_adaptive;
    return n > FEW ? &pare_list_group_testing : &pare_list_sweep;
}

/* Makes the list of a stage that has hashes. */
static pare_status list_hashes(struct reduction *self, const struct work *work, pare_error *err)
{
    uint64_t *hashes = NULL;
    void *items;
    size_t n = 0;
    pare_status status =
        pare_ssa_notes_list(&work->ssa, &work->notes, hashes_by(self->stage), &hashes, &n, err);
    self->n_hashes = 0;
    if (!status && n) status = pare_shared_new(n, sizeof *hashes, &self->hashes, err);
    if (!status && n) status = pare_shared_own(&self->hashes, 0, n, &items, err);
    if (!status && n) memcpy(items, hashes, n * sizeof *hashes);
    if (!status) self->n_hashes = n;
    pare_alloc_free(hashes);
    return status;
}

/* Begins a stage: its list is that of the text as it is now.  One without a list, or with an empty one,
 * has no algorithm, by which ask() knows it. */
static pare_status enter(struct reduction *self, enum stage stage, pare_error *err)
{
    struct work work;
    pare_list_run_stop(&self->run);
    pare_shared_release(self->hashes);
    self->hashes = NULL;
    self->stage = stage;
    self->step = 0;
    self->n_vain = 0;
    if (stage == DONE) return PARE_OK;
    /* The work is only needed to count; each proposal makes one of its own. */
    pare_status status = work_start(self, &work, err);
    if (!status && has_hashes(stage)) status = list_hashes(self, &work, err);
    size_t n = 0;
    if (!status) n = has_hashes(stage) ? self->n_hashes : count_listed(stage, &work);
    bool if_most = stage == KEYS_FIRST || stage == ATTACHED_FIRST;
    if (!status && if_most && !pare_ssa_notes_are_most(&work.ssa, &work.notes)) n = 0;
    const pare_list_algorithm *algorithm = algorithm_for(stage, n);
    /* All at once first: where each function can be flattened that is one test. */
    bool together = stage == FLATTEN || stage == PHIS || is_attached(stage);
    if (together && algorithm) algorithm = &pare_list_group_testing;
    if (!status && algorithm) status = pare_list_run_start(&self->run, algorithm, n, err);
    work_done(&work);
    return status;
}

/* Whether names of the sigil may be left out everywhere: neither definitions within functions nor
 * functions have it, and something does. */
static bool may_drop(const pare_ssa *ssa, unsigned char sigil)
{
    bool any = false;
    /* The sigil of definitions within functions. */
    if (sigil == ssa->dialect.sigil) return false;
    for (size_t i = 0; i < ssa->n_functions; i++) {
        uint32_t own = pare_ssa_own_name(ssa, ssa->functions[i].header);
        if (own != PARE_SSA_NONE && ssa->names[own].sigil == sigil) return false;
    }
    for (size_t i = 0; i < ssa->n_names; i++)
        any = any || ssa->names[i].sigil == sigil;
    return any;
}

/* One step of the stage WHOLE. The first two steps rename and drop comments; sigils go in the
 * first, and also in a step by themselves. */
static void change_whole(const struct reduction *self, struct work *work)
{
    work->edit.plain = work->edit.renamed = self->step <= PLAIN_STEP;
    for (unsigned char s = 0; s < PARE_SSA_SIGILS; s++) {
        bool wanted = self->step == ALL_STEP || self->step == (unsigned)FIRST_SIGIL_STEP + s;
        work->edit.dropped[s] = wanted && may_drop(&work->ssa, s);
    }
}

/* All of a function goes. */
static void drop_function(struct work *work, size_t header)
{
    /* From its head to what closes it, whatever stands between. */
    const pare_ssa_function *function = &work->ssa.functions[work->ssa.statements[header].function];
    memset(work->edit.gone + function->header, 1, function->close - function->header + (size_t)1);
}

/* A block goes, from its label to the next one. */
static void drop_block(struct work *work, size_t label)
{
    do {
        work->edit.gone[label++] = 1;
    } while (work->ssa.statements[label].role == PARE_SSA_PLAIN && label < work->ssa.n_statements);
}

/* The position of a walk along a list. */
struct cursor {
    size_t place, range;
};

/* Whether the algorithm chose the next item of the list. */
static bool next_is_chosen(const struct reduction *self, struct cursor *at)
{
    const pare_edit *edit = &self->run.edit;
    while (at->range < edit->n_ranges && at->place >= edit->ranges[at->range].to)
        at->range++;
    const size_t place = at->place++;
    return at->range < edit->n_ranges && place >= edit->ranges[at->range].from;
}

/* The uses that the algorithm chose become the word that is tried. */
static void change_uses(const struct reduction *self, struct work *work)
{
    struct cursor at = {0};
    /* Only names with uses are in the list, so the cursor moves for these alone. */
    for (size_t k = 0; k < work->ssa.n_names; k++)
        work->edit.lost[k] = work->uses[k] && next_is_chosen(self, &at);
}

/* Mentions of notes go from the statement, or from the function of which it is the header. */
static void cut_attached(struct work *work, size_t i)
{
    const pare_ssa_statement *at = &work->ssa.statements[i];
    size_t end = i + 1;
    if (at->role == PARE_SSA_HEADER) end = work->ssa.functions[at->function].close + (size_t)1;
    pare_ssa_notes_cut_in(&work->ssa, &work->notes, i, end, &work->edit);
}

/* For qsort. */
static int by_value(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* The mentions with the hashes that the algorithm chose go, and the notes that nothing leads to then. */
static pare_status change_mentions(const struct reduction *self, struct work *work, pare_error *err)
{
    const uint64_t *hashes = pare_shared_items(self->hashes);
    struct cursor at = {0};
    size_t n = 0;
    uint64_t *picked = pare_alloc(self->n_hashes, sizeof *picked);
    if (!picked) return pare_fail_nomem(err);
    for (size_t i = 0; i < self->n_hashes; i++)
        if (next_is_chosen(self, &at)) picked[n++] = hashes[i];
    qsort(picked, n, sizeof *picked, by_value);
    pare_ssa_notes_cut(&work->ssa, &work->notes, hashes_by(self->stage), picked, n, &work->edit);
    work->edit.nulls = self->stage == KEYS_FIRST;
    pare_alloc_free(picked);
    return pare_ssa_notes_drop_unreached(&work->ssa, &work->notes, &work->edit, err);
}

/* What was chosen of the hashes has gone from the text. */
static pare_status forget_chosen(struct reduction *self, pare_error *err)
{
    struct cursor at = {0};
    void *items;
    size_t n = 0;
    pare_status status =
        pare_shared_own(&self->hashes, self->n_hashes, self->n_hashes, &items, err);
    if (status) return status;
    uint64_t *hashes = items;
    for (size_t i = 0; i < self->n_hashes; i++)
        if (!next_is_chosen(self, &at)) hashes[n++] = hashes[i];
    self->n_hashes = n;
    return PARE_OK;
}

/* What the algorithm chose is left out. */
static pare_status change_list(const struct reduction *self, struct work *work, pare_error *err)
{
    struct cursor at = {0};
    for (size_t i = 0; i < work->ssa.n_statements; i++) {
        if (!is_listed(self->stage, work, i) || !next_is_chosen(self, &at)) continue;
        if (is_attached(self->stage))
            cut_attached(work, i);
        else if (self->stage == FLATTEN || self->stage == PHIS)
            work->chosen[work->ssa.statements[i].function] = 1;
        else if (work->ssa.statements[i].role == PARE_SSA_HEADER)
            drop_function(work, i);
        else if (self->stage == BLOCKS)
            drop_block(work, i);
        else
            work->edit.gone[i] = 1;
    }
    if (self->stage == FUNCTIONS || is_attached(self->stage))
        return pare_ssa_notes_drop_unreached(&work->ssa, &work->notes, &work->edit, err);
    if (self->stage == FLATTEN)
        return pare_ssa_edit_flatten(&work->ssa, work->chosen, &work->edit, err);
    if (self->stage == PHIS)
        return pare_ssa_edit_drop_phis(&work->ssa, work->chosen, &work->edit, err);
    return PARE_OK;
}

/* What nothing mentions goes; in the second step, if there are notes, only those that nothing leads to: what
 * the others with a name are for (`!llvm.module.flags`) may be known elsewhere. */
static pare_status change_unused(const struct reduction *self, struct work *work, pare_error *err)
{
    pare_status status = pare_ssa_notes_drop_unreached(&work->ssa, &work->notes, &work->edit, err);
    if (status || self->step) return status;
    return pare_ssa_edit_drop_unused(&work->ssa, &work->edit, err);
}

/* Makes the edit that the current stage proposes. The stages that leave things out share the list
 * algorithm and differ in what their list consists of. */
static pare_status change(const struct reduction *self, struct work *work, pare_error *err)
{
    switch (self->stage) {
    case WHOLE: change_whole(self, work); return PARE_OK;
    case UNUSED:
    case UNUSED_AGAIN:
    case UNUSED_LAST: return change_unused(self, work, err);
    case KEYS_FIRST:
    case KEYS:
    case NOTES: return change_mentions(self, work, err);
    case FUNCTIONS:
    case ATTACHED_FIRST:
    case ATTACHED:
    case FLATTEN:
    case PHIS:
    case BLOCKS:
    case HALVES:
    case STATEMENTS:
    case TOP_HALVES:
    case TOP: return change_list(self, work, err);
    case USES: change_uses(self, work); return PARE_OK;
    case DONE: break;
    }
    return PARE_OK;
}

/* ---- proposals ------------------------------------------------------------------------- */

/* Copies the bytes into a shared block, which may hold none. */
static pare_status keep_bytes(const void *bytes, size_t n, pare_shared **out, pare_error *err)
{
    void *items;
    pare_status status = pare_shared_new(n ? n : 1, 1, out, err);
    if (!status) status = pare_shared_own(out, 0, n ? n : 1, &items, err);
    if (!status && n) memcpy(items, bytes, n);
    return status;
}

/* Makes `trial` by the edit of the stage. */
static pare_status make_trial(struct reduction *self, pare_error *err)
{
    struct work work;
    pare_buffer out = {0};
    pare_status status = work_start(self, &work, err);
    if (!status) status = change(self, &work, err);
    if (!status) status = pare_ssa_edit_print(&work.ssa, &work.edit, &out, &self->used, err);
    if (!status) status = keep_bytes(out.data, out.size, &self->trial, err);
    self->n_trial = out.size;
    if (self->stage == USES) self->used = 0; /* its word is not one that is learned */
    pare_buffer_done(&out);
    work_done(&work);
    return status;
}

/* Whether the stage has a proposal; one with a list asks its algorithm. */
static pare_status ask(struct reduction *self, bool *done, pare_error *err)
{
    /* WHOLE has steps, and so have the UNUSED stages. */
    bool lists = self->stage != WHOLE && self->stage != UNUSED && self->stage != UNUSED_AGAIN &&
                 self->stage != UNUSED_LAST;
    const unsigned patience =
        self->stage == KEYS_FIRST || self->stage == KEYS ? PATIENCE_OF_KEYS : PATIENCE;
    *done = lists ? !self->run.algorithm || self->n_vain >= patience
                  : self->step >= (self->stage == WHOLE ? (unsigned)N_STEPS : UNUSED_STEPS);
    if (*done || !lists) return PARE_OK;
    return pare_list_run_next(&self->run, done, err);
}

/* Whether the proposal is not worth a test: it is what is there already, or no smaller.  Only renaming may
 * make the text larger, since nothing could go without it. */
static bool is_void(const struct reduction *self)
{
    if (self->stage == WHOLE && self->step <= PLAIN_STEP)
        return self->n_trial == self->n_now &&
               memcmp(pare_shared_items(self->trial), pare_shared_items(self->now), self->n_now) ==
                   0;
    return self->n_trial >= self->n_now;
}

/* Goes on in the stage after an outcome. */
static pare_status tell_stage(struct reduction *self, bool fails, pare_error *err)
{
    if (!self->run.algorithm) {
        bool all = self->stage == WHOLE && self->step == ALL_STEP && fails;
        /* If all at once still fails, the single steps have nothing left to do. */
        self->step = all ? (unsigned)N_STEPS : self->step + 1;
        return PARE_OK;
    }
    /* Patience is with the stage as a whole: each success begins the count anew. */
    self->n_vain = fails ? 0 : self->n_vain + 1;
    return pare_list_run_tell(&self->run, fails, err);
}

/* Whether the same edit, which passed, is to be tried once more in another way, and in which: FLATTEN first
 * without operands, then any edit with another word of one class that is not settled.  Each edit tries
 * one word and the next edit the next one, so that learning costs a bounded number of tests (MOST_TRIES for
 * each class) however many edits pass for other reasons. */
static bool take_other_word(struct reduction *self)
{
    const bool was_plain = self->plain_words, was_retried = self->retried != NOT_RETRIED;
    /* The other word has not helped, so the class has its first one again. */
    if (was_retried) self->words[self->retried] = 0;
    self->retried = NOT_RETRIED;
    /* A function in one block may not stand operands that are defined in another order. */
    self->plain_words = self->stage == FLATTEN && !was_plain && !was_retried;
    if (self->plain_words) return true;
    for (unsigned char c = 0; !was_retried && c < PARE_SSA_EDIT_CLASSES; c++) {
        if (!(self->used >> c & 1) || self->tries[c] >= MOST_TRIES) continue;
        const unsigned char n = self->tries[c]++, others = PARE_SSA_EDIT_WORDS - 2;
        /* The first words to try are constants; an operand defined before comes last, since it
         * keeps another definition alive. */
        self->words[c] = (unsigned char)(n < 2 * others ? 1 + n % others : others + 1);
        self->retried = c;
        return true;
    }
    return false;
}

/* An edit with these words was accepted, so no other words are tried for their classes. */
static void settle_words(struct reduction *self)
{
    for (size_t c = 0; c < PARE_SSA_EDIT_CLASSES; c++)
        if (self->used >> c & 1) self->tries[c] = MOST_TRIES;
    self->retried = NOT_RETRIED;
    self->plain_words = false;
}

/* The proposal was told about, and is not kept. */
static void forget_trial(struct reduction *self)
{
    pare_shared_release(self->trial);
    self->trial = NULL;
}

/* Ends the proposal: one that fails is the text from now on, and its words are settled. */
static pare_status conclude(struct reduction *self, bool fails, pare_error *err)
{
    pare_status status = fails && has_hashes(self->stage) ? forget_chosen(self, err) : PARE_OK;
    if (status) return status;
    /* The reference moves from the proposal to the text. */
    if (fails) {
        settle_words(self);
        pare_shared_release(self->now);
        self->now = self->trial;
        self->n_now = self->n_trial;
        self->trial = NULL;
    }
    forget_trial(self);
    return tell_stage(self, fails, err);
}

/* The text around the file, and the bytes between. */
static pare_status fill(const struct reduction *self, pare_candidate *candidate, pare_error *err)
{
    size_t size = pare_text_size(self->text);
    pare_candidate_start(candidate, self->text);
    pare_status status =
        self->begin ? pare_candidate_slice(candidate, 0, self->begin, err) : PARE_OK;
    if (!status && self->n_trial)
        status =
            pare_candidate_literal(candidate, pare_shared_items(self->trial), self->n_trial, err);
    if (!status && self->end < size)
        status = pare_candidate_slice(candidate, self->end, size - self->end, err);
    return status;
}

/* ---- the strategy ---------------------------------------------------------------------- */

/* Goes on until there is a proposal that is worth a test.  Those that are not are told to the algorithm as
 * passing. */
static pare_status reduction_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct reduction *self = of(strategy);
    while (self->stage != DONE) {
        /* A proposal that was asked for before stays until its outcome is told. */
        bool done = false;
        *what = PARE_NEXT_TEST;
        if (self->trial) return fill(self, candidate, err);
        pare_status status = ask(self, &done, err);
        if (!status && done) status = enter(self, self->stage + 1, err);
        if (!status && !done) status = make_trial(self, err);
        if (!status && self->trial && is_void(self)) {
            const unsigned n_vain = self->n_vain;
            status = conclude(self, false, err);
            self->n_vain = n_vain; /* it was no test */
        }
        if (status) return status;
    }
    *what = PARE_NEXT_DONE;
    return PARE_OK;
}

static pare_status reduction_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct reduction *self = of(strategy);
    bool fails = outcome == PARE_FAIL;
    assert(self->trial);
    while (!fails && take_other_word(self)) {
        forget_trial(self);
        pare_status status = make_trial(self, err);
        if (status) return status;
        if (is_void(self)) continue; /* a longer word has made up for what went */
        /* The edit itself is told about only when no word is left; each test counts. */
        self->n_vain++;
        return PARE_OK;
    }
    return conclude(self, fails, err);
}

static void reduction_free(pare_strategy *strategy)
{
    struct reduction *self = of(strategy);
    pare_list_run_stop(&self->run);
    pare_shared_release(self->now);
    pare_shared_release(self->trial);
    pare_shared_release(self->hashes);
    pare_text_unref(self->text);
    pare_alloc_free(self);
}

static pare_status reduction_copy(const pare_strategy *strategy, pare_strategy **out,
                                  pare_error *err)
{
    const struct reduction *self = (const struct reduction *)strategy;
    struct reduction *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    /* What is shared is counted once more; only the run has arrays of its own. */
    *copy = *self;
    (void)pare_text_ref(copy->text);
    pare_shared_retain(copy->now);
    pare_shared_retain(copy->trial);
    pare_shared_retain(copy->hashes);
    pare_status status = pare_list_run_copied(&copy->run, &self->run, err);
    if (status) {
        reduction_free(&copy->head);
        return status;
    }
    *out = &copy->head;
    return PARE_OK;
}

pare_status pare_ssa_reduction_new(const pare_text *text, size_t begin, size_t end,
                                   const pare_ssa_dialect *dialect, pare_strategy **out,
                                   pare_error *err)
{
    static const pare_strategy_ops ops = {.next = reduction_next,
                                          .tell = reduction_tell,
                                          .copy = reduction_copy,
                                          .destroy = reduction_free};
    struct reduction *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->text = pare_text_ref(text);
    self->begin = begin;
    self->end = end;
    self->dialect = *dialect;
    self->retried = NOT_RETRIED;
    self->n_now = end - begin;
    pare_status status = keep_bytes(pare_text_bytes(text) + begin, end - begin, &self->now, err);
    if (!status) status = enter(self, WHOLE, err);
    if (status) {
        reduction_free(&self->head);
        return status;
    }
    *out = &self->head;
    return PARE_OK;
}
