/* The seed's recursion as a stack of frames: one for each nonterminal that is being
 * expanded. */
#include "generate/limit.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "base/vector.h"
#include "generate/hooks.h"
#include "reduce/choice/choices.h"

struct pare_limit_frame {
    const pare_book_symbol *at, *end; /* symbols that are still to be made */
    uint32_t symbol;    /* of the book; NONE: the start; MADE: what a hook asked for */
    uint32_t expansion; /* NONE: a text is in its place */
    size_t text_begin;  /* where its text begins */
};

#define NONE UINT32_MAX
#define MADE (UINT32_MAX - 1) /* as a symbol: hooks do not see that it ends */

struct run {
    pare_limit *limit;
    pare_choices *choices;
    pare_buffer *text;
    pare_error *err;
};

/* Makes room for one more frame. */
static pare_status grow(struct run *run)
{
    pare_limit *limit = run->limit;
    struct pare_limit_frame *grown =
        pare_vector_grow(limit->stack, limit->n_frames, &limit->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(run->err);
    limit->stack = grown;
    return PARE_OK;
}

/* Texts of a byte or two are most of what grammars have: no call for them. */
static pare_status put_symbol(struct run *run, const pare_book_symbol *symbol)
{
    pare_buffer *text = run->text;
    if (text->size + symbol->size >= text->capacity)
        return pare_buffer_add(text, symbol->text, symbol->size, run->err);
    for (uint32_t i = 0; i < symbol->size; i++)
        text->data[text->size + i] = symbol->text[i];
    text->size += symbol->size;
    text->data[text->size] = '\0';
    return PARE_OK;
}

static pare_status put_text(struct run *run, const char *text)
{
    return pare_buffer_add(run->text, text, strlen(text), run->err);
}

/* One of `n` ways. */
static pare_status choose(struct run *run, size_t n, size_t *which, bool *is_default)
{
    uint64_t bound = run->limit->digits ? run->limit->digits : n, index = 0;
    pare_status status = PARE_OK;
    assert(n > 0);
    if (!pare_choices_replay_one(run->choices, PARE_CHOICE_BRANCH, bound, &index, is_default))
        status = pare_choices_next_or_default(run->choices, PARE_CHOICE_BRANCH, bound, &index,
                                              is_default, run->err);
    *which = (size_t)(index < n ? index : index % n); /* dividing takes as long as all else */
    return status;
}

/* --- hooks of the user's -------------------------------------------------------- */

/* A nonterminal that is to be made, by the hook before it. */
struct wanted {
    struct run *run;
    uint32_t rule;
    uint32_t expansion; /* NONE: any */
};

static pare_status make_wanted(void *self, pare_error *err);

/* Calls a hook before `name`; *made says whether it put something in its place. */
static pare_status call_pre(struct run *run, pare_hook_number hook, struct wanted *wanted,
                            const char *name, bool *made)
{
    pare_limit *limit = run->limit;
    const pare_hook_host host = {run->choices, &limit->declared, run->text, wanted,
                                 wanted ? make_wanted : NULL};
    *made = false;
    if (hook == PARE_NO_HOOK) return PARE_OK;
    return pare_hooks_call(limit->hooks, hook, &host, name, NULL, 0, run->text, made, run->err);
}

/* Calls a hook behind what was made from `begin` on, and puts its text in the place. */
static pare_status call_post(struct run *run, pare_hook_number hook, const char *name, size_t begin)
{
    pare_limit *limit = run->limit;
    const pare_hook_host host = {run->choices, &limit->declared, run->text, NULL, NULL};
    pare_buffer result = {0};
    bool replaced = false;
    if (hook == PARE_NO_HOOK) return PARE_OK;
    size_t size = run->text->size - begin;
    pare_status status =
        pare_hooks_call(limit->hooks, hook, &host, name, size ? run->text->data + begin : "", size,
                        &result, &replaced, run->err);
    if (!status && replaced) {
        run->text->size = begin;
        if (result.size) status = pare_buffer_add(run->text, result.data, result.size, run->err);
    }
    pare_buffer_done(&result);
    return status;
}

/* --- symbols -------------------------------------------------------------------- */

/* What a hook does when its symbol has made the text from `begin` on. */
static pare_status leave(struct run *run, pare_hook hook, size_t begin)
{
    if (hook == PARE_HOOK_COMMIT) pare_declared_commit(&run->limit->declared);
    if (hook != PARE_HOOK_DEFINE) return PARE_OK;
    size_t size = run->text->size - begin;
    return pare_declared_define(&run->limit->declared, size ? run->text->data + begin : "", size,
                                run->err);
}

/* Chooses how to expand a nonterminal; the stack's height is its depth.  A default text is put
 * in at once; *expansion is NONE then. */
static pare_status choose_expansion(struct run *run, uint32_t number, uint32_t *expansion)
{
    const pare_limit *limit = run->limit;
    const pare_book_rule *rule = &limit->book->rules[number];
    bool any = limit->n_frames <= limit->max_depth, is_default = false;
    size_t n = any ? rule->end - rule->first : rule->least_end - rule->least_first, which = 0;
    *expansion = NONE;
    pare_status status = choose(run, n, &which, &is_default);
    if (status) return status;
    if (is_default && rule->default_text) return put_text(run, rule->default_text);
    const uint32_t *least = limit->sorted ? limit->book->least_sorted : limit->book->least;
    *expansion =
        any && !is_default ? rule->first + (uint32_t)which : least[rule->least_first + which];
    return PARE_OK;
}

static pare_status push_expansion(struct run *run, uint32_t symbol, uint32_t expansion,
                                  size_t text_begin)
{
    pare_limit *limit = run->limit;
    const pare_book *book = limit->book;
    pare_status status = limit->n_frames == limit->capacity ? grow(run) : PARE_OK;
    if (status) return status;
    struct pare_limit_frame *frame = &limit->stack[limit->n_frames++];
    bool none = expansion == NONE;
    frame->at = none ? NULL : book->symbols + book->expansions[expansion].first;
    frame->end = none ? NULL : book->symbols + book->expansions[expansion].end;
    frame->symbol = symbol;
    frame->expansion = expansion;
    frame->text_begin = text_begin;
    return PARE_OK;
}

/* The same with the hooks before a symbol, its rule, the expansion. */
static pare_status expand_hooked(struct run *run, uint32_t number, uint32_t symbol)
{
    const pare_book *book = run->limit->book;
    const char *name = book->rules[number].name;
    struct wanted wanted = {run, number, NONE};
    size_t begin = run->text->size;
    bool made = false;
    uint32_t expansion = NONE;
    pare_status status = PARE_OK;
    if (symbol != NONE)
        status = call_pre(run, book->symbol_hooks[symbol].pre, &wanted, name, &made);
    if (!status && !made)
        status = call_pre(run, book->rule_hooks[number].pre, &wanted, name, &made);
    if (!status && !made) status = choose_expansion(run, number, &expansion);
    if (!status && expansion != NONE) {
        wanted.expansion = expansion;
        status = call_pre(run, book->expansion_hooks[expansion].pre, &wanted, name, &made);
    }
    if (status) return status;
    status = push_expansion(run, symbol, expansion, begin);
    if (made && !status) {
        struct pare_limit_frame *frame = &run->limit->stack[run->limit->n_frames - 1];
        frame->at = frame->end;
    }
    return status;
}

/* Begins to make a nonterminal. */
static pare_status expand(struct run *run, uint32_t number, uint32_t symbol)
{
    size_t begin = run->text->size;
    uint32_t expansion;
    pare_status status = pare_choices_open(run->choices, number, run->err);
    if (status) return status;
    if (run->limit->hooks) return expand_hooked(run, number, symbol);
    status = choose_expansion(run, number, &expansion);
    return status ? status : push_expansion(run, symbol, expansion, begin);
}

/* What stands for a use while no name is visible; NULL: the symbol is expanded. */
static const char *undefined_of(const struct run *run, const pare_book_symbol *symbol)
{
    return symbol->undefined ? symbol->undefined : run->limit->undefined;
}

/* A use: a visible name in the place of the symbol. */
static pare_status use(struct run *run, const pare_book_symbol *symbol)
{
    const pare_declared *declared = &run->limit->declared;
    size_t which = 0;
    bool is_default = false;
    if (!declared->n_visible) return put_text(run, undefined_of(run, symbol));
    pare_status status = choose(run, declared->n_visible, &which, &is_default);
    if (status) return status;
    if (is_default && run->limit->undefined_default)
        return put_text(run, run->limit->undefined_default);
    pare_name name = declared->names[which];
    return pare_buffer_add(run->text, declared->texts.data + name.offset, name.size, run->err);
}

/* The hooks behind an expansion, its rule, the symbol. */
static pare_status call_posts(struct run *run, const struct pare_limit_frame *ended)
{
    const pare_book *book = run->limit->book;
    uint32_t rule = ended->symbol == NONE ? run->limit->start : book->symbols[ended->symbol].rule;
    const char *name = book->rules[rule].name;
    pare_status status = PARE_OK;
    if (ended->expansion != NONE)
        status =
            call_post(run, book->expansion_hooks[ended->expansion].post, name, ended->text_begin);
    if (!status) status = call_post(run, book->rule_hooks[rule].post, name, ended->text_begin);
    if (status || ended->symbol == NONE) return status;
    return call_post(run, book->symbol_hooks[ended->symbol].post, name, ended->text_begin);
}

static pare_status end_frame(struct run *run, const struct pare_limit_frame *ended)
{
    pare_status status = PARE_OK;
    if (ended->symbol == MADE) return PARE_OK;
    if (run->limit->hooks) status = call_posts(run, ended);
    if (status || ended->symbol == NONE) return status;
    pare_hook hook = run->limit->book->symbols[ended->symbol].hook;
    return hook ? leave(run, hook, ended->text_begin) : PARE_OK;
}

/* A terminal with its hooks. */
static pare_status put_terminal(struct run *run, const pare_book_symbol *symbol)
{
    const pare_book *book = run->limit->book;
    size_t begin = run->text->size;
    bool made = false;
    pare_status status = PARE_OK;
    pare_hook_pair none = {PARE_NO_HOOK, PARE_NO_HOOK};
    pare_hook_pair user = run->limit->hooks ? book->symbol_hooks[symbol - book->symbols] : none;
    if (user.pre != PARE_NO_HOOK) status = call_pre(run, user.pre, NULL, symbol->text, &made);
    if (!status && !made) status = put_symbol(run, symbol);
    if (!status && user.post != PARE_NO_HOOK)
        status = call_post(run, user.post, symbol->text, begin);
    return status || !symbol->hook ? status : leave(run, symbol->hook, begin);
}

/* Makes the next symbol of the innermost nonterminal, or ends that. */
static pare_status step(struct run *run)
{
    pare_limit *limit = run->limit;
    struct pare_limit_frame *frame = &limit->stack[limit->n_frames - 1];
    if (frame->at == frame->end) {
        limit->n_frames--;
        pare_choices_close(run->choices);
        if (!limit->hooks && frame->symbol < MADE && !limit->book->symbols[frame->symbol].hook)
            return PARE_OK;
        struct pare_limit_frame ended = *frame;
        return end_frame(run, &ended);
    }
    const pare_book_symbol *symbol = frame->at++;
    assert(symbol);
    bool is_use = symbol->hook == PARE_HOOK_USE;
    if (is_use && (limit->declared.n_visible || undefined_of(run, symbol))) return use(run, symbol);
    if (symbol->text) return put_terminal(run, symbol);
    return expand(run, symbol->rule, (uint32_t)(symbol - limit->book->symbols));
}

/* Makes what a hook asks for to its end. */
static pare_status make_wanted(void *self, pare_error *err)
{
    const struct wanted *wanted = self;
    struct run run = *wanted->run;
    size_t n_frames = run.limit->n_frames;
    run.err = err;
    size_t begin = run.text->size;
    uint32_t expansion = wanted->expansion;
    pare_status status = pare_choices_open(run.choices, wanted->rule, err);
    if (!status && expansion == NONE) status = choose_expansion(&run, wanted->rule, &expansion);
    if (!status) status = push_expansion(&run, MADE, expansion, begin);
    while (!status && run.limit->n_frames > n_frames)
        status = step(&run);
    return status;
}

static pare_status run_limit(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    struct run run = {self, choices, text, err};
    run.limit->n_frames = 0;
    pare_declared_reset(&run.limit->declared);
    if (run.limit->hooks) pare_hooks_start(run.limit->hooks);
    pare_status status = expand(&run, run.limit->start, NONE);
    while (!status && run.limit->n_frames)
        status = step(&run);
    return status;
}

void pare_limit_done(pare_limit *limit)
{
    pare_release(limit->stack);
    limit->stack = NULL;
    limit->n_frames = limit->capacity = 0;
    pare_declared_done(&limit->declared);
}

pare_generator pare_limit_generator(pare_limit *limit)
{
    return (pare_generator){.self = limit, .run = run_limit};
}
