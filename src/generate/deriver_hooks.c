/* Hooks around rules and alternatives of a derivation.
 *
 * A hook sees the text without the separator before it.  What it puts in the place is read
 * by the lexer as it stands; the tokens before are read once more for that, so a call costs
 * time in proportion to the text. */
#include "generate/deriver_run.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "base/vector.h"
#include "generate/blueprint.h"
#include "generate/glue.h"
#include "generate/hooks.h"
#include "generate/names.h"
#include "grammar/grammar.h"

enum { MAX_HOOK_NAME = 256 };

static const pare_hook_pair none = {PARE_NO_HOOK, PARE_NO_HOOK};

/* --- finding ---------------------------------------------------------------------- */

/* The hooks of an alternative, by its number or its label. */
static pare_hook_pair find_alternative(const struct pare_deriver *d, pare_hooks *hooks,
                                       pare_index rule, pare_index expr, uint32_t number)
{
    char name[MAX_HOOK_NAME];
    const char *rule_name = d->grammar->rules[rule].name;
    (void)snprintf(name, sizeof name, "%s#%u", rule_name, number);
    pare_hook_pair pair = pare_hooks_find(hooks, name);
    pare_index label = expr == PARE_NO_INDEX ? PARE_NO_INDEX : d->grammar->exprs[expr].label;
    if (label == PARE_NO_INDEX) return pair;
    (void)snprintf(name, sizeof name, "%s#%s", rule_name, d->grammar->labels[label]);
    pare_hook_pair labelled = pare_hooks_find(hooks, name);
    if (pair.pre == PARE_NO_HOOK) pair.pre = labelled.pre;
    if (pair.post == PARE_NO_HOOK) pair.post = labelled.post;
    return pair;
}

static void find_rule(struct pare_deriver *d, pare_hooks *hooks, pare_index rule)
{
    const pare_rule *of = &d->grammar->rules[rule];
    d->hooked.rules[rule] = d->hooked.alone[rule] = none;
    if (of->kind == PARE_RULE_FRAGMENT || of->body == PARE_NO_INDEX) return;
    d->hooked.rules[rule] = pare_hooks_find(hooks, of->name);
    if (of->kind != PARE_RULE_PARSER) return;
    if (d->grammar->exprs[of->body].kind != PARE_EXPR_CHOICE) {
        d->hooked.alone[rule] = find_alternative(d, hooks, rule, of->body, 0);
        return;
    }
    const pare_ways *ways = &d->blueprint->choices[d->blueprint->details[of->body]];
    for (uint32_t i = ways->first; i < ways->first + ways->n; i++) {
        const pare_way *way = &d->blueprint->ways[i];
        d->hooked.ways[i] = find_alternative(d, hooks, rule, way->expr, way->number);
    }
}

pare_status pare_deriver_hooks_init(struct pare_deriver *d, pare_hooks *hooks, pare_error *err)
{
    pare_deriver_hooks *to = &d->hooked;
    if (!hooks) return PARE_OK;
    to->hooks = hooks;
    to->rules = pare_alloc(d->grammar->n_rules, sizeof *to->rules);
    to->alone = pare_alloc(d->grammar->n_rules, sizeof *to->alone);
    to->ways = pare_alloc(d->blueprint->n_ways, sizeof *to->ways);
    if (!to->rules || !to->alone || !to->ways) return pare_fail_nomem(err);
    for (size_t i = 0; i < d->blueprint->n_ways; i++)
        to->ways[i] = none;
    for (pare_index rule = 0; rule < d->grammar->n_rules; rule++)
        find_rule(d, hooks, rule);
    return pare_hooks_check_found(hooks, err);
}

void pare_deriver_hooks_done(struct pare_deriver *d)
{
    pare_release(d->hooked.rules);
    pare_release(d->hooked.alone);
    pare_release(d->hooked.ways);
    pare_release(d->hooked.stack);
    pare_declared_done(&d->hooked.declared);
}

void pare_deriver_hooks_start(struct pare_deriver *d)
{
    if (!d->hooked.hooks) return;
    d->hooked.n = 0;
    d->hooked.is_stale = false;
    pare_declared_reset(&d->hooked.declared);
    pare_hooks_start(d->hooked.hooks);
}

/* --- texts ------------------------------------------------------------------------ */

void pare_deriver_note_token(struct pare_deriver *d)
{
    for (size_t i = d->hooked.n; i-- > 0 && !d->hooked.stack[i].begun;) {
        d->hooked.stack[i].begun = true;
        d->hooked.stack[i].begin = pare_glue_last(d->glue);
    }
}

static pare_status refresh(struct pare_deriver_run *run)
{
    struct pare_deriver *d = run->d;
    if (!d->glue || !d->hooked.is_stale) return PARE_OK;
    d->hooked.is_stale = false;
    return pare_glue_read_again(d->glue, run->text, run->err);
}

/* Appends the text of a hook. */
static pare_status put(struct pare_deriver_run *run, const pare_buffer *made)
{
    struct pare_deriver *d = run->d;
    bool clean = true;
    pare_status status = refresh(run);
    if (status || !made->size) return status;
    if (!d->glue) return pare_buffer_add(run->text, made->data, made->size, run->err);
    status = pare_glue_put_bytes(d->glue, made->data, made->size, run->text, &clean, run->err);
    if (status) {
        pare_error_prefix(run->err, "the text that a hook returns is not the grammar's");
        return status;
    }
    size_t begin = run->text->size - made->size;
    for (size_t i = d->hooked.n; i-- > 0;) {
        pare_deriver_hooked *of = &d->hooked.stack[i];
        if (of->begun && of->begin < begin && of->entry < begin) break;
        of->begun = true;
        of->begin = begin;
    }
    if (clean) return PARE_OK;
    return pare_fail(run->err, PARE_E_UNSUPPORTED,
                     "the text that a hook returns would be read as something else where it "
                     "stands");
}

/* --- calls ------------------------------------------------------------------------- */

struct wanted {
    struct pare_deriver_run *run;
    pare_index rule, expr;
};

/* Makes what a pre hook stands before; its separator is left out. */
static pare_status make(void *self, pare_error *err)
{
    const struct wanted *wanted = self;
    struct pare_deriver_run run = *wanted->run;
    pare_deriver_hooks *hooked = &run.d->hooked;
    size_t at = hooked->n, entry = run.text->size;
    run.err = err;
    pare_deriver_hooked *stack =
        pare_vector_grow(hooked->stack, hooked->n, &hooked->capacity, sizeof *stack);
    if (!stack) return pare_fail_nomem(err);
    hooked->stack = stack;
    stack[hooked->n++] = (pare_deriver_hooked){PARE_NO_HOOK, wanted->rule, entry, entry, false};
    pare_status status = refresh(&run);
    if (!status) status = pare_deriver_make(&run, wanted->expr);
    hooked->n = at;
    hooked->is_stale = true;
    if (status || !hooked->stack[at].begun) return status;
    size_t begin = hooked->stack[at].begin;
    memmove(run.text->data + entry, run.text->data + begin, run.text->size - begin);
    run.text->size -= begin - entry;
    return PARE_OK;
}

static pare_status call(struct pare_deriver_run *run, pare_hook_number hook, pare_index rule,
                        const struct wanted *wanted, size_t begin, pare_buffer *result,
                        bool *replaced)
{
    struct pare_deriver *d = run->d;
    const pare_hook_host host = {run->choices, &d->hooked.declared, run->text, (void *)wanted,
                                 wanted ? make : NULL};
    size_t size = run->text->size - begin;
    const char *text = wanted ? NULL : size ? run->text->data + begin : "";
    return pare_hooks_call(d->hooked.hooks, hook, &host, d->grammar->rules[rule].name, text, size,
                           result, replaced, run->err);
}

pare_status pare_deriver_enter_hooked(struct pare_deriver_run *run, pare_hook_pair pair,
                                      pare_index rule, pare_index *next)
{
    pare_deriver_hooks *hooked = &run->d->hooked;
    struct wanted wanted = {run, rule, *next};
    pare_buffer result = {0};
    bool replaced = false;
    if (pair.pre == PARE_NO_HOOK && pair.post == PARE_NO_HOOK) return PARE_OK;
    pare_deriver_hooked *stack =
        pare_vector_grow(hooked->stack, hooked->n, &hooked->capacity, sizeof *stack);
    if (!stack) return pare_fail_nomem(run->err);
    hooked->stack = stack;
    size_t entry = run->text->size;
    stack[hooked->n++] = (pare_deriver_hooked){pair.post, rule, entry, entry, !run->d->glue};
    pare_status status =
        pare_deriver_push(run, (pare_deriver_frame){.kind = PARE_FRAME_LEAVE_HOOKED});
    if (!status && pair.pre != PARE_NO_HOOK) {
        status = call(run, pair.pre, rule, &wanted, entry, &result, &replaced);
        if (!status && replaced) {
            *next = PARE_NO_INDEX;
            status = put(run, &result);
        }
        if (!status) status = refresh(run);
    }
    pare_buffer_done(&result);
    return status;
}

pare_status pare_deriver_leave_hooked(struct pare_deriver_run *run)
{
    struct pare_deriver *d = run->d;
    pare_deriver_hooked of = d->hooked.stack[--d->hooked.n];
    pare_buffer result = {0};
    bool replaced = false;
    if (of.post == PARE_NO_HOOK) return PARE_OK;
    size_t begin = of.begun ? of.begin : run->text->size;
    pare_status status = call(run, of.post, of.rule, NULL, begin, &result, &replaced);
    if (!status && replaced) {
        run->text->size = of.entry;
        d->hooked.is_stale = true;
        status = put(run, &result);
    }
    pare_buffer_done(&result);
    return status;
}

/* Makes what a pre hook of a lexer rule stands before. */
static pare_status make_piece(void *self, pare_error *err)
{
    const struct wanted *wanted = self;
    struct pare_deriver_run run = *wanted->run;
    run.err = err;
    return pare_deriver_make_lexical(&run, wanted->rule);
}

/* Calls a hook of a lexer rule; its text replaces the piece. */
static pare_status call_lexical(struct pare_deriver_run *run, pare_hook_number hook,
                                const struct wanted *wanted, bool *replaced)
{
    struct pare_deriver *d = run->d;
    pare_buffer result = {0};
    bool is_pre = d->hooked.rules[wanted->rule].pre == hook;
    const pare_hook_host host = {run->choices, &d->hooked.declared, &d->piece, (void *)wanted,
                                 is_pre ? make_piece : NULL};
    const char *text = is_pre ? NULL : d->piece.size ? d->piece.data : "";
    *replaced = false;
    if (hook == PARE_NO_HOOK) return PARE_OK;
    pare_status status =
        pare_hooks_call(d->hooked.hooks, hook, &host, d->grammar->rules[wanted->rule].name, text,
                        d->piece.size, &result, replaced, run->err);
    if (!status && *replaced) {
        pare_buffer_reset(&d->piece);
        if (result.size) status = pare_buffer_add(&d->piece, result.data, result.size, run->err);
    }
    pare_buffer_done(&result);
    return status;
}

pare_status pare_deriver_hooked_piece(struct pare_deriver_run *run, pare_index rule)
{
    pare_hook_pair pair = run->d->hooked.rules[rule];
    const struct wanted wanted = {run, rule, PARE_NO_INDEX};
    bool replaced;
    pare_status status = call_lexical(run, pair.pre, &wanted, &replaced);
    if (!status && !replaced) status = pare_deriver_make_lexical(run, rule);
    return status ? status : call_lexical(run, pair.post, &wanted, &replaced);
}
