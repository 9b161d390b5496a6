/* Derivation: from the start rule down, by a stack of frames, so that depth costs heap and not
 * stack.
 *
 * Invariant: `pending` is the sum of the least numbers of tokens of everything on the stack that
 * has not begun, so tokens made + pending + those of an alternative is the least number of tokens
 * that the text will have.
 *
 * There are two loops.  The one here does everything: it records spans, replays, weighs, and calls
 * hooks. deriver_plain.c draws the same numbers in the same order for runs that need none of that,
 * with steps that are laid out once.  Both stay because making millions of texts needs the speed:
 * on JSON the plain loop makes 53 to 55 MB/s, this one 26 to 35 (bench_generate). */
#include "generate/deriver.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "generate/deriver_run.h"
#include "generate/expansion_table.h"
#include "generate/hooks.h"
#include "generate/token_separator.h"
#include "grammar/grammar.h"
#include "reduce/choice/choices.h"

enum {
    ROUND_LABEL = 0x40000000, /* and the quantifier: labels of spans of rounds */
    MAX_HOOK_NAME = 256
};

static pare_status push(struct pare_deriver_run *run, pare_deriver_frame frame);
static pare_status make_expression(struct pare_deriver_run *run, pare_index expr);

/* --- hooks around rules and alternatives ------------------------------------------------- */

/* A hook sees the text without the separator before it.  What it puts in the place is read
 * by the lexer as it stands; the tokens before are read once more for that, so a call costs
 * time in proportion to the text. */

static const pare_hook_pair none = {PARE_NO_HOOK, PARE_NO_HOOK};

/* The hooks of an alternative of `rule`, by its number ("rule#0") or, where that has none, by
 * its label ("rule#name"); an alternative may have one of each kind.  "rule#0" counts from 0
 * in the grammar's order, whatever order the ways have. */
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
    /* The number counts first where both name a hook. */
    if (pair.pre == PARE_NO_HOOK) pair.pre = labelled.pre;
    if (pair.post == PARE_NO_HOOK) pair.post = labelled.post;
    return pair;
}

/* Finds the hooks of a rule and of its alternatives.  A rule with one alternative has those in
 * `alone`, for there is no choice, so no way, that they could be kept at.  Once for a deriver,
 * O(names) look-ups. */
static void find_rule(struct pare_deriver *d, pare_hooks *hooks, pare_index rule)
{
    const pare_rule *of = &d->grammar->rules[rule];
    d->hooked.rules[rule] = d->hooked.alone[rule] = none;
    /* Fragments make no token of their own, so nothing is hooked there. */
    if (of->kind == PARE_RULE_FRAGMENT || of->body == PARE_NO_INDEX) return;
    d->hooked.rules[rule] = pare_hooks_find(hooks, of->name);
    if (of->kind != PARE_RULE_PARSER) return;
    if (d->grammar->exprs[of->body].kind != PARE_EXPR_CHOICE) {
        d->hooked.alone[rule] = find_alternative(d, hooks, rule, of->body, 0);
        return;
    }
    const pare_ways *ways = &d->table->choices[d->table->details[of->body]];
    for (uint32_t i = ways->first; i < ways->first + ways->n; i++) {
        const pare_way *way = &d->table->ways[i];
        d->hooked.ways[i] = find_alternative(d, hooks, rule, way->expr, way->number);
    }
}

/* Looks every name of the grammar up in the script, once for a deriver, so that a run only
 * compares numbers.  Afterwards each hook of the script has to be found, or its name is
 * misspelt. */
static pare_status find_hooks(struct pare_deriver *d, pare_hooks *hooks, pare_error *err)
{
    pare_deriver_hooks *to = &d->hooked;
    if (!hooks) return PARE_OK;
    to->hooks = hooks;
    to->rules = pare_alloc(d->grammar->n_rules, sizeof *to->rules);
    to->alone = pare_alloc(d->grammar->n_rules, sizeof *to->alone);
    to->ways = pare_alloc(d->table->n_ways, sizeof *to->ways);
    if (!to->rules || !to->alone || !to->ways) return pare_fail_nomem(err);
    for (size_t i = 0; i < d->table->n_ways; i++)
        to->ways[i] = none;
    for (pare_index rule = 0; rule < d->grammar->n_rules; rule++)
        find_rule(d, hooks, rule);
    return pare_hooks_check_found(hooks, err);
}

/* The script itself is borrowed. */
static void hooks_done(struct pare_deriver *d)
{
    pare_alloc_free(d->hooked.rules);
    pare_alloc_free(d->hooked.alone);
    pare_alloc_free(d->hooked.ways);
    pare_alloc_free(d->hooked.stack);
    pare_hooks_names_done(&d->hooked.declared);
}

/* Begins a new text: no name is declared yet, and the script is run anew.  Every text begins
 * with the same state, so it depends on its choices only. */
static void start_hooks(struct pare_deriver *d)
{
    if (!d->hooked.hooks) return;
    d->hooked.n = 0;
    d->hooked.is_stale = false;
    pare_hooks_names_reset(&d->hooked.declared);
    pare_hooks_start(d->hooked.hooks);
}

/* Brings the separator to the end of the text after a hook has changed it.  It reads the text
 * again, so hooks cost time in proportion to what there is. */
static pare_status refresh(struct pare_deriver_run *run)
{
    struct pare_deriver *d = run->d;
    if (!d->separator || !d->hooked.is_stale) return PARE_OK;
    d->hooked.is_stale = false;
    return pare_token_separator_read_again(d->separator, run->text, run->err);
}

/* Appends the text that a hook gives.  Errors: PARE_E_UNSUPPORTED, the lexer would read it as
 * something else where it stands, so another text is to be tried.  The hook's text counts as
 * tokens of the grammar, which is why the lexer has to read it. */
static pare_status put(struct pare_deriver_run *run, const pare_buffer *made)
{
    struct pare_deriver *d = run->d;
    bool clean = true;
    pare_status status = refresh(run);
    if (status || !made->size) return status;
    if (!d->separator) return pare_buffer_add(run->text, made->data, made->size, run->err);
    status = pare_token_separator_put_bytes(d->separator, made->data, made->size, run->text, &clean,
                                            run->err);
    if (status) {
        pare_fail_prefix(run->err, "the text that a hook returned does not match the grammar");
        return status;
    }
    size_t begin = run->text->size - made->size;
    /* It is the first token of everything around it that has none yet, or that began in what
     * it replaces. */
    for (size_t i = d->hooked.n; i-- > 0;) {
        pare_deriver_hooked *of = &d->hooked.stack[i];
        if (of->begun && of->begin < begin && of->entry < begin) break;
        of->begun = true;
        of->begin = begin;
    }
    if (clean) return PARE_OK;
    return pare_fail(run->err, PARE_E_UNSUPPORTED,
                     "the text that a hook returns would be read as something else at its place");
}

/* What a pre hook may have made: the expression that it stands before.  Passed through the
 * script as an opaque pointer. */
struct wanted {
    struct pare_deriver_run *run;
    pare_index rule, expr;
};

/* What a hook gave. */
struct result {
    pare_buffer text; /* owned */
    bool replaced;    /* it is to stand in the place of the thing */
};

/* Makes what a pre hook stands before, as the script asks for it.  It is made at the end of
 * the text and left there for the caller; the separator before it is taken out. */
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
    if (!status) status = make_expression(&run, wanted->expr);
    hooked->n = at;
    /* The text will be cut back by whoever asked for it. */
    hooked->is_stale = true;
    if (status || !hooked->stack[at].begun) return status;
    /* The separator before the first token is not the hook's to see. */
    size_t begin = hooked->stack[at].begin;
    memmove(run.text->data + entry, run.text->data + begin, run.text->size - begin);
    run.text->size -= begin - entry;
    return PARE_OK;
}

/* Calls a hook of `rule`: a pre hook, which may have `wanted` made, or, where that is NULL, a
 * post hook, which gets the text from `begin` on.  The caller ends the result's text.  Pre
 * hooks stand before something, post hooks after it; which one it is follows from `wanted`. */
static pare_status call(struct pare_deriver_run *run, pare_hook_number hook, pare_index rule,
                        const struct wanted *wanted, size_t begin, struct result *result)
{
    struct pare_deriver *d = run->d;
    const pare_hook_host host = {run->choices, &d->hooked.declared, run->text, (void *)wanted,
                                 wanted ? make : NULL};
    size_t size = run->text->size - begin;
    const char *text = wanted ? NULL : size ? run->text->data + begin : "";
    const pare_hook_call called = {hook, &host, d->grammar->rules[rule].name, text, size};
    return pare_hooks_call(d->hooked.hooks, &called, &result->text, &result->replaced, run->err);
}

/* Begins something with hooks, which is made of *next unless a hook gives its text: *next is
 * PARE_NO_INDEX then.  It is on the stack until its frame is left, so that its first token can
 * be noted. */
static pare_status enter_hooked(struct pare_deriver_run *run, pare_hook_pair pair, pare_index rule,
                                pare_index *next)
{
    pare_deriver_hooks *hooked = &run->d->hooked;
    struct wanted wanted = {run, rule, *next};
    struct result result = {.replaced = false};
    if (pair.pre == PARE_NO_HOOK && pair.post == PARE_NO_HOOK) return PARE_OK;
    pare_deriver_hooked *stack =
        pare_vector_grow(hooked->stack, hooked->n, &hooked->capacity, sizeof *stack);
    if (!stack) return pare_fail_nomem(run->err);
    hooked->stack = stack;
    size_t entry = run->text->size;
    /* Without a separator nothing is cut off, so it has begun at once. */
    stack[hooked->n++] = (pare_deriver_hooked){pair.post, rule, entry, entry, !run->d->separator};
    pare_status status = push(run, (pare_deriver_frame){.kind = PARE_FRAME_LEAVE_HOOKED});
    if (!status && pair.pre != PARE_NO_HOOK) {
        status = call(run, pair.pre, rule, &wanted, entry, &result);
        if (!status && result.replaced) {
            *next = PARE_NO_INDEX;
            status = put(run, &result.text);
        }
        if (!status) status = refresh(run);
    }
    pare_buffer_done(&result.text);
    return status;
}

/* Ends something with hooks: its post hook sees the text, without the separator before it, and
 * may replace it. */
static pare_status leave_hooked(struct pare_deriver_run *run)
{
    struct pare_deriver *d = run->d;
    assert(d->hooked.n && "something with hooks was entered");
    pare_deriver_hooked of = d->hooked.stack[--d->hooked.n];
    struct result result = {.replaced = false};
    if (of.post == PARE_NO_HOOK) return PARE_OK;
    /* Something without a token has an empty text, at the end of what there is. */
    size_t begin = of.begun ? of.begin : run->text->size;
    pare_status status = call(run, of.post, of.rule, NULL, begin, &result);
    if (!status && result.replaced) {
        /* The separator before it goes, too: the new text may need another one. */
        run->text->size = of.entry;
        d->hooked.is_stale = true;
        status = put(run, &result.text);
    }
    pare_buffer_done(&result.text);
    return status;
}

/* --- parser rules ----------------------------------------------------------------------- */

/* Puts a frame on the stack, whose memory is kept from run to run. */
static pare_status push(struct pare_deriver_run *run, pare_deriver_frame frame)
{
    struct pare_deriver *d = run->d;
    if (d->n_frames == d->capacity) {
        pare_deriver_frame *grown =
            pare_vector_grow(d->frames, d->n_frames, &d->capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(run->err);
        d->frames = grown;
    }
    d->frames[d->n_frames++] = frame;
    return PARE_OK;
}

/* A text of the leaf, in the place of a rule. */
static pare_status put_leaf(struct pare_deriver_run *run)
{
    struct pare_deriver *d = run->d;
    const pare_deriver_leaf *leaf = d->options.leaf;
    bool clean = true;
    pare_buffer_reset(&d->piece);
    pare_status status = leaf->put(leaf->self, run->choices, &d->piece, run->err);
    if (status || !d->piece.size) return status;
    d->tokens++;
    if (!d->separator) return pare_buffer_add(run->text, d->piece.data, d->piece.size, run->err);
    status = pare_token_separator_put_opaque(d->separator, d->piece.data, d->piece.size, run->text,
                                             &clean, run->err);
    if (status || clean) return status;
    return pare_fail(run->err, PARE_E_UNSUPPORTED,
                     "a leaf would be read as something else at its place");
}

/* Begins a rule: its span, its frame, and its hooks from the outside in.  *next is its body,
 * or PARE_NO_INDEX when a hook, or the leaf, has given the text.  The leaf counts as a rule:
 * its span is there, so that a reducer can replace it. */
static pare_status enter_rule(struct pare_deriver_run *run, pare_index rule, pare_index *next)
{
    *next = run->d->grammar->rules[rule].body;
    run->d->depth++;
    const pare_deriver_hooks *hooked = &run->d->hooked;
    pare_status status = pare_deriver_open_span(run, rule);
    if (!status) status = push(run, (pare_deriver_frame){.kind = PARE_FRAME_LEAVE_RULE});
    const pare_deriver_leaf *leaf = run->d->options.leaf;
    if (!status && leaf && leaf->rule == rule) {
        bool put = false;
        status = pare_deriver_draw_chance(run, leaf->chance, &put);
        if (put) *next = PARE_NO_INDEX;
        return status || !put ? status : put_leaf(run);
    }
    if (status || !hooked->hooks) return status;
    status = enter_hooked(run, hooked->rules[rule], rule, next);
    if (status || *next == PARE_NO_INDEX) return status;
    return enter_hooked(run, hooked->alone[rule], rule, next);
}

/* Begins a way of a choice, with the hooks of that alternative.  *next is its expression, or
 * PARE_NO_INDEX. Rules with one alternative have no ways; their hooks are in `alone`. */
static pare_status enter_way(struct pare_deriver_run *run, pare_index choice, const pare_way *way,
                             pare_index *next)
{
    const struct pare_deriver *d = run->d;
    *next = way->expr;
    if (!d->hooked.hooks) return PARE_OK;
    pare_hook_pair pair = d->hooked.ways[way - d->table->ways];
    return enter_hooked(run, pair, d->table->rule_of[choice], next);
}

/* Puts a token of the grammar; the end of the file is none, but nothing may follow it.
 * `ended` makes the next token a mistake, which pare_deriver_tokens_put tells. */
static pare_status put_symbol(struct pare_deriver_run *run, pare_index expr)
{
    struct pare_deriver *d = run->d;
    pare_index token = d->grammar->exprs[expr].token;
    if (token != PARE_TOKEN_END)
        return pare_deriver_tokens_put(run, d->table->rule_of[expr], token);
    d->ended = true;
    return PARE_OK;
}

/* Begins an expression, whose least tokens are not pending any more: its parts are, or it is
 * made at once.  *next is an expression that is to be begun in its place.  Sequences and loops
 * become frames; everything else is made at once or replaced by *next. */
static pare_status begin(struct pare_deriver_run *run, pare_index expr, pare_index *next)
{
    struct pare_deriver *d = run->d;
    const pare_expr *e = &d->grammar->exprs[expr];
    const pare_way *way = NULL;
    pare_status status = PARE_OK;
    *next = PARE_NO_INDEX;
    switch (e->kind) {
    case PARE_EXPR_SEQUENCE:
        /* All parts are certain to come; each takes its share off when it begins. */
        d->pending += d->table->exprs[expr].tokens;
        return push(run, (pare_deriver_frame){.kind = PARE_FRAME_NEXT, .expr = e->first});
    case PARE_EXPR_CHOICE:
        status = pare_deriver_tokens_choose_way(run, expr, &way);
        return status ? status : enter_way(run, expr, way, next);
    case PARE_EXPR_PLUS: d->pending += d->table->exprs[e->first].tokens; /* fallthrough */
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
        return push(run, (pare_deriver_frame){.kind = PARE_FRAME_LOOP, .expr = expr});
    case PARE_EXPR_RULE: return enter_rule(run, e->rule, next);
    case PARE_EXPR_TOKEN: return put_symbol(run, expr);
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY:
        if (d->grammar->scannerless) return pare_deriver_tokens_put_character(run, expr, run->text);
        status = pare_deriver_tokens_choose_way(run, expr, &way);
        return status ? status : pare_deriver_tokens_put(run, d->table->rule_of[expr], way->token);
    case PARE_EXPR_LITERAL: d->tokens++; return pare_deriver_tokens_put_literal(run, e, run->text);
    case PARE_EXPR_END: d->ended = true; break;
    case PARE_EXPR_EMPTY: break;
    }
    return PARE_OK;
}

/* Begins another round of the quantifier on top of the stack, or ends it.  The span is opened
 * before the choice, so that a reducer can take a round away with the choice for it; the span
 * of the last choice, which says no, is closed at once. */
static pare_status go_round(struct pare_deriver_run *run, pare_index *next)
{
    struct pare_deriver *d = run->d;
    pare_deriver_frame *frame = &d->frames[d->n_frames - 1];
    pare_index quantifier = frame->expr;
    const pare_expr *e = &d->grammar->exprs[quantifier];
    pare_least least = d->table->exprs[e->first];
    bool first = !frame->begun, more = first && e->kind == PARE_EXPR_PLUS;
    bool possible = first || e->kind != PARE_EXPR_OPTIONAL;
    pare_status status = pare_deriver_open_span(run, ROUND_LABEL + quantifier);
    /* The first round of a PLUS was certain, and pending since the PLUS began. */
    if (!status && more)
        d->pending -= least.tokens;
    else if (!status && possible && least.depth != PARE_NO_SIZE && pare_deriver_fits(d, least))
        status = pare_deriver_choose_more(run, quantifier, &more);
    if (status) return status;
    if (!more) {
        d->n_frames--;
        pare_choices_close(run->choices);
        return PARE_OK;
    }
    frame->begun = true;
    *next = e->first;
    /* Only a span needs to be closed after the round. */
    if (!pare_choices_have_spans(run->choices)) return PARE_OK;
    return push(run, (pare_deriver_frame){.kind = PARE_FRAME_LEAVE_ROUND});
}

/* Makes the tokens that come next in the sequence on top of the stack; *next is the expression
 * after them.  The frame goes when nothing follows that, so that a rule at the end of another
 * one needs no room on the stack. */
static pare_status go_on(struct pare_deriver_run *run, pare_index *next)
{
    struct pare_deriver *d = run->d;
    const pare_expr *exprs = d->grammar->exprs;
    size_t top = d->n_frames - 1;
    pare_index expr = d->frames[top].expr;
    pare_status status = PARE_OK;
    while (!status && expr != PARE_NO_INDEX && exprs[expr].kind == PARE_EXPR_TOKEN) {
        d->pending -= d->table->exprs[expr].tokens;
        status = put_symbol(run, expr);
        expr = exprs[expr].next;
    }
    if (expr != PARE_NO_INDEX) {
        d->pending -= d->table->exprs[expr].tokens;
        d->frames[top].expr = exprs[expr].next;
    }
    if (expr == PARE_NO_INDEX || exprs[expr].next == PARE_NO_INDEX) d->n_frames--;
    *next = expr;
    return status;
}

/* Does one step with the frame on top; *next is an expression to be begun, or PARE_NO_INDEX.
 * O(1) besides what a hook does. */
static pare_status step(struct pare_deriver_run *run, pare_index *next)
{
    struct pare_deriver *d = run->d;
    pare_deriver_frame *frame = &d->frames[d->n_frames - 1];
    *next = PARE_NO_INDEX;
    switch (frame->kind) {
    case PARE_FRAME_NEXT: return go_on(run, next);
    case PARE_FRAME_LOOP: return go_round(run, next);
    case PARE_FRAME_LEAVE_HOOKED: d->n_frames--; return leave_hooked(run);
    case PARE_FRAME_LEAVE_RULE: d->depth--; /* fallthrough */
    case PARE_FRAME_LEAVE_ROUND: d->n_frames--; pare_choices_close(run->choices);
    }
    return PARE_OK;
}

/* The generator: makes one text from the start rule on.  Expressions are begun until one needs
 * to wait for its parts; then the frame on top says what comes next. */
static pare_status run_deriver(void *self, pare_choices *choices, pare_buffer *text,
                               pare_error *err)
{
    struct pare_deriver_run run = {self, choices, text, err};
    struct pare_deriver *d = self;
    pare_index next = PARE_NO_INDEX;
    d->n_frames = 0;
    d->depth = d->tokens = d->pending = 0;
    d->ended = false;
    if (d->separator) pare_token_separator_start(d->separator);
    d->plain = pare_deriver_plain_may_run(&run);
    /* Everything else is the same, text by text; this way is twice as fast. */
    if (d->plain) return pare_deriver_plain_run(&run);
    start_hooks(d);
    pare_status status = enter_rule(&run, d->start, &next);
    while (!status && (next != PARE_NO_INDEX || d->n_frames))
        status = next != PARE_NO_INDEX ? begin(&run, next, &next) : step(&run, &next);
    assert(status || (!d->n_frames && !d->depth && !d->pending && !d->hooked.n));
    return status;
}

/* Makes `expr` to its end, as a hook asks for: until the stack is as low as before. */
static pare_status make_expression(struct pare_deriver_run *run, pare_index expr)
{
    size_t n_frames = run->d->n_frames;
    pare_index next = expr;
    pare_status status = PARE_OK;
    while (!status && (next != PARE_NO_INDEX || run->d->n_frames > n_frames))
        status = next != PARE_NO_INDEX ? begin(run, next, &next) : step(run, &next);
    return status;
}

/* Borrows the deriver, which one run at a time may use. */
pare_generator pare_deriver_generator(pare_deriver *deriver)
{
    return (pare_generator){.self = deriver, .run = run_deriver};
}

/* --- life -------------------------------------------------------------------------------- */

/* For the next run; limits and weights stay. */
void pare_deriver_start_with(pare_deriver *d, pare_index rule)
{
    d->start = rule;
}

/* In later rounds of a batch quantifiers end less often, see batch.c. */
void pare_deriver_linger(pare_deriver *d, double factor)
{
    d->linger = factor;
}

/* 0 stands for the usual limits. */
void pare_deriver_limit(pare_deriver *d, uint32_t max_depth, uint32_t max_tokens)
{
    d->options.max_depth = max_depth ? max_depth : PARE_DERIVER_DEPTH;
    d->options.max_tokens = max_tokens ? max_tokens : PARE_DERIVER_TOKENS;
}

/* O(ways). */
void pare_deriver_warm(pare_deriver *d)
{
    const pare_expansion_table *table = d->table;
    if (!d->weights) return;
    for (size_t i = 0; i < table->n_choices; i++) {
        const pare_ways *ways = &table->choices[i];
        for (uint32_t k = 0; k < ways->n; k++)
            d->weights[ways->first + k] = ways->weights ? ways->weights[k] : 1;
    }
}

/* Whether any alternative has a weight of its own. */
static bool is_weighted(const pare_expansion_table *table)
{
    for (size_t i = 0; i < table->n_choices; i++)
        if (table->choices[i].weights) return true;
    return false;
}

/* Makes the arrays by way.  Weights cost a sum over the ways for each choice, so they are
 * there only where they differ.  Coverage is a byte for each way. */
static pare_status allocate(struct pare_deriver *d, pare_error *err)
{
    size_t n = d->table->n_ways;
    /* A cooldown changes weights while texts are made. */
    bool cools = d->options.cooldown > 0 && d->options.cooldown < 1;
    bool weighted = cools || is_weighted(d->table);
    d->covered = pare_alloc_zero(n, sizeof *d->covered);
    d->fitting = pare_alloc(n, sizeof *d->fitting);
    if (weighted) d->weights = pare_alloc(n, sizeof *d->weights);
    if (weighted) d->chances = pare_alloc(n, sizeof *d->chances);
    if (!d->covered || !d->fitting || (weighted && (!d->weights || !d->chances)))
        return pare_fail_nomem(err);
    pare_deriver_warm(d);
    return PARE_OK;
}

/* Only a grammar whose lexer can read back what is made has a separator, and with it the
 * shorter way. */
pare_status pare_deriver_new(const pare_expansion_table *table, pare_index start,
                             const pare_deriver_options *options, pare_deriver **out,
                             pare_error *err)
{
    pare_deriver *d = pare_alloc_zero(1, sizeof *d);
    if (!d) return pare_fail_nomem(err);
    d->table = table;
    d->grammar = table->grammar;
    d->start = start;
    d->linger = 1;
    d->options = *options;
    pare_deriver_limit(d, options->max_depth, options->max_tokens);
    pare_status status = allocate(d, err);
    if (!status && !d->grammar->scannerless && !options->unread)
        status = pare_token_separator_new(table, &d->separator, err);
    if (!status && d->separator) status = pare_deriver_plain_init(d, err);
    if (!status) status = find_hooks(d, options->hooks, err);
    if (status) {
        pare_deriver_free(d);
        return status;
    }
    *out = d;
    return PARE_OK;
}

/* The table, the hooks' script and the leaf are borrowed. */
void pare_deriver_free(pare_deriver *d)
{
    if (!d) return;
    pare_token_separator_free(d->separator);
    hooks_done(d);
    pare_deriver_plain_done(d);
    pare_buffer_done(&d->piece);
    pare_alloc_free(d->frames);
    pare_alloc_free(d->weights);
    pare_alloc_free(d->covered);
    pare_alloc_free(d->fitting);
    pare_alloc_free(d->chances);
    pare_alloc_free(d);
}

/* Counted over all runs of this deriver; those of several threads are united by the caller. */
const uint8_t *pare_deriver_covered(const pare_deriver *d, size_t *n)
{
    *n = d->table->n_ways;
    return d->covered;
}
