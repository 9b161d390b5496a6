/* The generators that need no lexer, by name.
 *
 * LimitFuzzer, ComplexFuzzer and ChoiceFuzzer of seed 004: the seed's recursion is a stack of
 * frames here, one for each nonterminal that is being expanded, since texts nest as deep as
 * somebody wants them to.
 * GrammarFuzzer of The Fuzzing Book expands a tree in three phases.  The tree is an array: the
 * children of a node stand after it, consecutive.  Invariant: `open` counts the unexpanded nodes
 * below a node, so that the way down to one of them looks at nothing else.
 * MutationFuzzer and RandomFuzzer of the book need no grammar.
 *
 * Choices are taken in the order of the seeds and of the book, so that their texts come out of
 * their choices, and a run of theirs can be replayed.  Defaults are theirs, too: depth 10, between
 * 0 and 10 open nonterminals, 10 to 100 characters of 32, `00` for a name where none is declared.
 * Sources: see fuzzer.h. */

#include "generate/fuzzer.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "generate/deriver.h"
#include "generate/hooks.h"
#include "reduce/choice/choices.h"

/* --- LimitFuzzer, ComplexFuzzer, ChoiceFuzzer ------------------------------------------------ */

/* A nonterminal that is being expanded. */
struct pare_limit_frame {
    const pare_costed_symbol *at, *end; /* symbols that are still to be made */
    uint32_t symbol;    /* of the book; NONE: the start; MADE: what a hook asked for */
    uint32_t expansion; /* NONE: a text is in its place */
    size_t text_begin;  /* where its text begins */
};

#define NONE UINT32_MAX
#define MADE (UINT32_MAX - 1) /* as a symbol: hooks do not see that it ends */

/* One run of the generator. */
struct run {
    pare_limit_fuzzer *limit;
    pare_choices *choices;
    pare_buffer *text;
    pare_error *err;
};

/* Makes room for one more frame.  The stack is kept from text to text. */
static pare_status grow(struct run *run)
{
    pare_limit_fuzzer *limit = run->limit;
    struct pare_limit_frame *grown =
        pare_vector_grow(limit->stack, limit->n_frames, &limit->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(run->err);
    limit->stack = grown;
    return PARE_OK;
}

/* Appends the text of a terminal.  Texts of a byte or two are most of what grammars have, so
 * they are copied without a call.  The same as pare_buffer_add, without its call. */
static pare_status put_symbol(struct run *run, const pare_costed_symbol *symbol)
{
    pare_buffer *text = run->text;
    /* One more byte is for the NUL. */
    if (text->size + symbol->size >= text->capacity)
        return pare_buffer_add(text, symbol->text, symbol->size, run->err);
    for (uint32_t i = 0; i < symbol->size; i++)
        text->data[text->size + i] = symbol->text[i];
    text->size += symbol->size;
    text->data[text->size] = '\0';
    return PARE_OK;
}

/* For what stands in the place of something: a default, a name. */
static pare_status put_text(struct run *run, const char *text)
{
    return pare_buffer_add(run->text, text, strlen(text), run->err);
}

/* Draws one of `n` ways, or, for ChoiceFuzzer, a digit that is taken modulo n; *is_default
 * says that the list of choices asks for the default.  Dividing takes as long as all else, so
 * it is done only where it must be.  Choices carry the kind BRANCH, by which a reducer knows
 * how to make them simpler. */
static pare_status choose(struct run *run, size_t n, size_t *which, bool *is_default)
{
    uint64_t bound = run->limit->digits ? run->limit->digits : n, index = 0;
    pare_status status = PARE_OK;
    assert(n > 0);
    /* The short way of a list that is replayed; it does the same as the call below. */
    if (!pare_choices_replay_one(run->choices, PARE_CHOICE_BRANCH, bound, &index, is_default))
        status = pare_choices_next_or_default(run->choices, PARE_CHOICE_BRANCH, bound, &index,
                                              is_default, run->err);
    *which = (size_t)(index < n ? index : index % n);
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

/* Calls a hook before `name`; *made says whether it put something in its place.  The hook's
 * text is appended where the symbol would be. */
static pare_status call_pre(struct run *run, pare_hook_number hook, struct wanted *wanted,
                            const char *name, bool *made)
{
    pare_limit_fuzzer *limit = run->limit;
    const pare_hook_host host = {run->choices, &limit->declared, run->text, wanted,
                                 wanted ? make_wanted : NULL};
    *made = false;
    if (hook == PARE_NO_HOOK) return PARE_OK;
    const pare_hook_call called = {.hook = hook, .host = &host, .name = name};
    return pare_hooks_call(limit->hooks, &called, run->text, made, run->err);
}

/* Calls a hook after what was made from `begin` on, and puts the text that it gives, if it
 * does, in the place of that. */
static pare_status call_post(struct run *run, pare_hook_number hook, const char *name, size_t begin)
{
    pare_limit_fuzzer *limit = run->limit;
    const pare_hook_host host = {run->choices, &limit->declared, run->text, NULL, NULL};
    pare_buffer result = {0};
    bool replaced = false;
    if (hook == PARE_NO_HOOK) return PARE_OK;
    size_t size = run->text->size - begin;
    const char *text = size ? run->text->data + begin : "";
    const pare_hook_call called = {hook, &host, name, text, size};
    pare_status status = pare_hooks_call(limit->hooks, &called, &result, &replaced, run->err);
    if (!status && replaced) {
        /* The hook has seen the text, and has given another one for its place. */
        run->text->size = begin;
        if (result.size) status = pare_buffer_add(run->text, result.data, result.size, run->err);
    }
    pare_buffer_done(&result);
    return status;
}

/* --- symbols -------------------------------------------------------------------- */

/* Puts a space before what stands at `begin` where it would run into what is before it. */
static pare_status set_apart(pare_buffer *text, size_t begin, pare_error *err)
{
    if (!begin || begin >= text->size) return PARE_OK;
    if (!pare_deriver_are_apart(text->data[begin - 1], text->data[begin])) return PARE_OK;
    pare_status status = pare_buffer_add(text, " ", 1, err);
    if (status) return status;
    memmove(text->data + begin + 1, text->data + begin, text->size - 1 - begin);
    text->data[begin] = ' ';
    return PARE_OK;
}

/* Does what a symbol's own hook asks for when the symbol has made the text from `begin` on:
 * declares it as a name, or makes declared names visible.  The order matters: a name is
 * declared before what is declared with it is made visible. */
static pare_status leave(struct run *run, pare_hook hook, size_t begin)
{
    if (hook == PARE_HOOK_APART) return set_apart(run->text, begin, run->err);
    if (hook == PARE_HOOK_COMMIT) pare_hooks_names_commit(&run->limit->declared);
    if (hook != PARE_HOOK_DEFINE) return PARE_OK;
    size_t size = run->text->size - begin;
    return pare_hooks_names_define(&run->limit->declared, size ? run->text->data + begin : "", size,
                                   run->err);
}

/* Chooses how to expand a nonterminal: any way while the stack, whose height is the depth,
 * allows it, then one of least depth.  A default text is put in at once; *expansion is NONE
 * then. */
static pare_status choose_expansion(struct run *run, uint32_t number, uint32_t *expansion)
{
    const pare_limit_fuzzer *limit = run->limit;
    const pare_costed_rule *rule = &limit->costed->rules[number];
    bool any = limit->n_frames <= limit->max_depth, is_default = false;
    /* Past the limit only expansions of least depth are left, so the text ends. */
    size_t n = any ? rule->end - rule->first : rule->least_end - rule->least_first, which = 0;
    *expansion = NONE;
    pare_status status = choose(run, n, &which, &is_default);
    if (status) return status;
    if (is_default && rule->default_text) return put_text(run, rule->default_text);
    const uint32_t *least = limit->sorted ? limit->costed->least_sorted : limit->costed->least;
    *expansion =
        any && !is_default ? rule->first + (uint32_t)which : least[rule->least_first + which];
    return PARE_OK;
}

/* Begins a nonterminal with the expansion that was chosen; with NONE, its text is there
 * already and the frame only ends it.  The span of the nonterminal was opened by `expand`, and
 * is closed when the frame ends. */
static pare_status push_expansion(struct run *run, uint32_t symbol, uint32_t expansion,
                                  size_t text_begin)
{
    pare_limit_fuzzer *limit = run->limit;
    const pare_expansion_costs *costed = limit->costed;
    pare_status status = limit->n_frames == limit->capacity ? grow(run) : PARE_OK;
    if (status) return status;
    struct pare_limit_frame *frame = &limit->stack[limit->n_frames++];
    bool none = expansion == NONE;
    frame->at = none ? NULL : costed->symbols + costed->expansions[expansion].first;
    frame->end = none ? NULL : costed->symbols + costed->expansions[expansion].end;
    frame->symbol = symbol;
    frame->expansion = expansion;
    frame->text_begin = text_begin;
    return PARE_OK;
}

/* Begins a nonterminal with the hooks before it, from the outside in: its symbol's, its
 * rule's, that of the expansion taken.  What a hook puts in the place ends the nonterminal,
 * whose other hooks before it are not called.  The order is that of nesting: the symbol is
 * around its rule, the rule around its expansion. */
static pare_status expand_hooked(struct run *run, uint32_t number, uint32_t symbol)
{
    const pare_expansion_costs *costed = run->limit->costed;
    const char *name = costed->rules[number].name;
    struct wanted wanted = {run, number, NONE};
    size_t begin = run->text->size;
    bool made = false;
    uint32_t expansion = NONE;
    pare_status status = PARE_OK;
    /* The start has no symbol, so no hook of one. */
    if (symbol != NONE)
        status = call_pre(run, costed->symbol_hooks[symbol].pre, &wanted, name, &made);
    if (!status && !made)
        status = call_pre(run, costed->rule_hooks[number].pre, &wanted, name, &made);
    if (!status && !made) status = choose_expansion(run, number, &expansion);
    if (!status && expansion != NONE) {
        wanted.expansion = expansion;
        status = call_pre(run, costed->expansion_hooks[expansion].pre, &wanted, name, &made);
    }
    if (status) return status;
    status = push_expansion(run, symbol, expansion, begin);
    /* The frame is there for the hooks after it, but has nothing left to make. */
    if (made && !status) {
        struct pare_limit_frame *frame = &run->limit->stack[run->limit->n_frames - 1];
        frame->at = frame->end;
    }
    return status;
}

/* Begins to make a nonterminal: its span, a choice, a frame. */
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

/* What stands for a use while no name is visible; NULL: the symbol is expanded.  The symbol's
 * own word counts before the generator's. */
static const char *undefined_of(const struct run *run, const pare_costed_symbol *symbol)
{
    return symbol->undefined ? symbol->undefined : run->limit->undefined;
}

/* Puts a visible name in the place of the symbol, drawn among all of them; without any, what
 * stands for a name.  The names are those that commit has made visible; a later one may be
 * equal to an earlier one. */
static pare_status use(struct run *run, const pare_costed_symbol *symbol)
{
    const pare_hooks_names *declared = &run->limit->declared;
    size_t which = 0;
    bool is_default = false;
    /* step() has seen to it that something stands for a name then. */
    if (!declared->n_visible) return put_text(run, undefined_of(run, symbol));
    pare_status status = choose(run, declared->n_visible, &which, &is_default);
    if (status) return status;
    if (is_default && run->limit->undefined_default)
        return put_text(run, run->limit->undefined_default);
    pare_name name = declared->names[which];
    return pare_buffer_add(run->text, declared->texts.data + name.offset, name.size, run->err);
}

/* Calls the hooks after a nonterminal, from the inside out: its expansion's, its rule's, its
 * symbol's.  Each sees the text that the one before it has left. */
static pare_status call_posts(struct run *run, const struct pare_limit_frame *ended)
{
    const pare_expansion_costs *costed = run->limit->costed;
    uint32_t rule = ended->symbol == NONE ? run->limit->start : costed->symbols[ended->symbol].rule;
    const char *name = costed->rules[rule].name;
    pare_status status = PARE_OK;
    if (ended->expansion != NONE)
        status =
            call_post(run, costed->expansion_hooks[ended->expansion].post, name, ended->text_begin);
    if (!status) status = call_post(run, costed->rule_hooks[rule].post, name, ended->text_begin);
    if (status || ended->symbol == NONE) return status;
    return call_post(run, costed->symbol_hooks[ended->symbol].post, name, ended->text_begin);
}

/* Ends a nonterminal: the hooks after it see its text, then its symbol's own hook does.  What
 * a hook has asked for ends without any.  A failure leaves the frame off the stack; the text
 * is given up anyway. */
static pare_status end_frame(struct run *run, const struct pare_limit_frame *ended)
{
    pare_status status = PARE_OK;
    if (ended->symbol == MADE) return PARE_OK;
    if (run->limit->hooks) status = call_posts(run, ended);
    if (status || ended->symbol == NONE) return status;
    pare_hook hook = run->limit->costed->symbols[ended->symbol].hook;
    return hook ? leave(run, hook, ended->text_begin) : PARE_OK;
}

/* Puts a terminal with its hooks.  The hooks of a terminal are found by the symbol, since
 * terminals have no rule. */
static pare_status put_terminal(struct run *run, const pare_costed_symbol *symbol)
{
    const pare_expansion_costs *costed = run->limit->costed;
    size_t begin = run->text->size;
    bool made = false;
    pare_status status = PARE_OK;
    pare_hook_pair none = {PARE_NO_HOOK, PARE_NO_HOOK};
    pare_hook_pair user = run->limit->hooks ? costed->symbol_hooks[symbol - costed->symbols] : none;
    if (user.pre != PARE_NO_HOOK) status = call_pre(run, user.pre, NULL, symbol->text, &made);
    if (!status && !made) status = put_symbol(run, symbol);
    if (!status && user.post != PARE_NO_HOOK)
        status = call_post(run, user.post, symbol->text, begin);
    return status || !symbol->hook ? status : leave(run, symbol->hook, begin);
}

/* Makes the next symbol of the innermost nonterminal, or ends that. */
static pare_status step(struct run *run)
{
    pare_limit_fuzzer *limit = run->limit;
    struct pare_limit_frame *frame = &limit->stack[limit->n_frames - 1];
    if (frame->at == frame->end) {
        limit->n_frames--;
        pare_choices_close(run->choices);
        /* Most nonterminals end without any hook, and need no copy of the frame. */
        if (!limit->hooks && frame->symbol < MADE && !limit->costed->symbols[frame->symbol].hook)
            return PARE_OK;
        /* A hook may push frames, which may move the stack. */
        struct pare_limit_frame ended = *frame;
        return end_frame(run, &ended);
    }
    const pare_costed_symbol *symbol = frame->at++;
    assert(symbol);
    bool is_use = symbol->hook == PARE_HOOK_USE;
    if (is_use && (limit->declared.n_visible || undefined_of(run, symbol))) return use(run, symbol);
    if (symbol->text) return put_terminal(run, symbol);
    return expand(run, symbol->rule, (uint32_t)(symbol - limit->costed->symbols));
}

/* Makes what a hook asks for to its end: until the stack is as low as before. */
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

/* The generator: makes one text from the start rule on, until the stack is empty.  Nothing is
 * kept from the text before but memory. */
static pare_status run_limit(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    struct run run = {self, choices, text, err};
    run.limit->n_frames = 0;
    pare_hooks_names_reset(&run.limit->declared);
    if (run.limit->hooks) pare_hooks_start(run.limit->hooks);
    pare_status status = expand(&run, run.limit->start, NONE);
    while (!status && run.limit->n_frames)
        status = step(&run);
    return status;
}

/* The layout and the hooks are borrowed. */
void pare_fuzzer_limit_done(pare_limit_fuzzer *limit)
{
    pare_alloc_free(limit->stack);
    limit->stack = NULL;
    limit->n_frames = limit->capacity = 0;
    pare_hooks_names_done(&limit->declared);
}

/* Borrows `limit`, as all generators here borrow what they are made of. */
pare_generator pare_fuzzer_limit(pare_limit_fuzzer *limit)
{
    return (pare_generator){.self = limit, .run = run_limit};
}

/* --- GrammarFuzzer: the tree ------------------------------------------------------------- */

/* A node of the tree. */
struct pare_phases_node {
    uint32_t symbol; /* of the book; NONE: the start */
    uint32_t parent; /* NONE: the root */
    uint32_t first;  /* child; NONE: none (yet) */
    uint32_t n;      /* children, which are consecutive */
    uint32_t open;   /* unexpanded nodes in this subtree */
};

/* One run of the generator. */
struct phases_run {
    pare_phases_fuzzer *phases;
    pare_choices *choices;
    pare_buffer *text;
    pare_error *err;
};

enum way { HIGHEST, ANY, LOWEST };

/* The rule of a node, the root's being the start. */
static const pare_costed_rule *rule_of(const pare_phases_fuzzer *phases, uint32_t node)
{
    uint32_t symbol = phases->nodes[node].symbol;
    uint32_t rule = symbol == NONE ? phases->start : phases->costed->symbols[symbol].rule;
    return &phases->costed->rules[rule];
}

/* Appends a node; a nonterminal is open: not expanded yet.  Errors: PARE_E_LIMIT,
 * PARE_E_NOMEM. Texts are nodes, too: they are what is printed. */
static pare_status add_node(struct phases_run *run, uint32_t symbol, uint32_t parent)
{
    pare_phases_fuzzer *phases = run->phases;
    if (phases->n_nodes >= NONE) return pare_fail(run->err, PARE_E_LIMIT, "the tree is too large");
    if (phases->n_nodes == phases->capacity) {
        struct pare_phases_node *grown =
            pare_vector_grow(phases->nodes, phases->n_nodes, &phases->capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(run->err);
        phases->nodes = grown;
    }
    bool is_text = symbol != NONE && phases->costed->symbols[symbol].text;
    phases->nodes[phases->n_nodes++] = (struct pare_phases_node){
        .symbol = symbol, .parent = parent, .first = NONE, .open = !is_text};
    return PARE_OK;
}

/* One of `n`.  All choices of this generator are of one kind, as the book's are draws from one
 * random source. */
static pare_status choose_any(struct phases_run *run, size_t n, uint32_t *which)
{
    uint64_t index = 0;
    pare_status status = pare_choices_next(run->choices, PARE_CHOICE_BRANCH, n, &index, run->err);
    if (!status) *which = (uint32_t)index;
    return status;
}

/* Finds the open node that is expanded next: from the root down, each time one of the children
 * below which something is open, drawn.  O(depth * children); the book searches the whole tree
 * for each expansion. */
static pare_status find_open(struct phases_run *run, uint32_t *found)
{
    const struct pare_phases_node *nodes = run->phases->nodes;
    uint32_t node = 0;
    while (nodes[node].first != NONE) {
        uint32_t n_open = 0, which = 0, child = nodes[node].first;
        for (uint32_t i = 0; i < nodes[node].n; i++)
            n_open += nodes[child + i].open > 0;
        pare_status status = choose_any(run, n_open, &which);
        if (status) return status;
        /* Children with nothing open do not count. */
        for (;; child++)
            if (nodes[child].open && !which--) break;
        node = child;
    }
    *found = node;
    return PARE_OK;
}

/* --- costs ---------------------------------------------------------------------- */

/* Works the costs of a rule's expansions out when they are first asked for; most rules are
 * never looked at.  O(rules * grammar) for each rule that is asked about, see
 * pare_expansion_costs_sums. */
static pare_status know_sums(struct phases_run *run, const pare_costed_rule *rule)
{
    pare_phases_fuzzer *phases = run->phases;
    const pare_expansion_costs *costed = phases->costed;
    uint32_t number = (uint32_t)(rule - costed->rules);
    if (!phases->sums) phases->sums = pare_alloc(costed->n_expansions, sizeof *phases->sums);
    if (!phases->are_known)
        phases->are_known = pare_alloc_zero(costed->n_rules, sizeof *phases->are_known);
    if (!phases->sums || !phases->are_known) return pare_fail_nomem(run->err);
    if (phases->are_known[number]) return PARE_OK;
    pare_status status =
        pare_expansion_costs_sums(costed, number, phases->sums + rule->first, run->err);
    phases->are_known[number] = status == PARE_OK;
    return status;
}

/* Draws an expansion of `rule` among those of the highest or the lowest cost.  Two passes: the
 * best cost, then one of those that have it. */
static pare_status choose_by_cost(struct phases_run *run, const pare_costed_rule *rule,
                                  enum way way, uint32_t *expansion)
{
    pare_status status = know_sums(run, rule);
    if (status) return status;
    const uint64_t *sums = run->phases->sums;
    uint64_t best = sums[rule->first];
    uint32_t n = 0, which = 0;
    for (uint32_t e = rule->first; e < rule->end; e++)
        if (way == HIGHEST ? sums[e] > best : sums[e] < best) best = sums[e];
    for (uint32_t e = rule->first; e < rule->end; e++)
        n += sums[e] == best;
    status = choose_any(run, n, &which);
    for (uint32_t e = rule->first; !status && e < rule->end; e++)
        if (sums[e] == best && !which--) *expansion = e;
    return status;
}

/* --- expansion -------------------------------------------------------------------- */

/* Expands a node; all around it have that many more open nodes, and one less.  O(depth) for
 * the counts, which is what keeps the search for an open node short. */
static pare_status add_children(struct phases_run *run, uint32_t node, uint32_t expansion)
{
    pare_phases_fuzzer *phases = run->phases;
    const pare_costed_expansion *to = &phases->costed->expansions[expansion];
    uint32_t first = (uint32_t)phases->n_nodes, open = 0;
    for (uint32_t s = to->first; s < to->end; s++) {
        pare_status status = add_node(run, s, node);
        if (status) return status;
        open += phases->nodes[phases->n_nodes - 1].open;
    }
    phases->nodes[node].first = first;
    phases->nodes[node].n = to->end - to->first;
    /* The node itself is not open any more, its nonterminals are. */
    for (uint32_t up = node; up != NONE; up = phases->nodes[up].parent)
        phases->nodes[up].open += open - 1;
    return PARE_OK;
}

/* Expands one open node: the way down and the expansion are drawn.  A step of the book's
 * expand_tree_once. */
static pare_status expand_once(struct phases_run *run, enum way way)
{
    uint32_t node = 0, expansion = 0;
    pare_status status = find_open(run, &node);
    if (status) return status;
    const pare_costed_rule *rule = rule_of(run->phases, node);
    if (way == ANY)
        status = choose_any(run, rule->end - rule->first, &expansion);
    else
        status = choose_by_cost(run, rule, way, &expansion);
    if (status) return status;
    return add_children(run, node, way == ANY ? rule->first + expansion : expansion);
}

/* Prints the leaves of the tree from left to right, by the parents' links instead of a stack.
 * O(nodes). */
static pare_status print(const struct phases_run *run)
{
    const struct pare_phases_node *nodes = run->phases->nodes;
    pare_status status = PARE_OK;
    bool is_apart = false; /* the next text begins a token */
    for (uint32_t node = 0; !status && node != NONE;) {
        uint32_t symbol = nodes[node].symbol;
        const pare_costed_symbol *leaf =
            symbol == NONE ? NULL : &run->phases->costed->symbols[symbol];
        is_apart = is_apart || (leaf && leaf->hook == PARE_HOOK_APART);
        if (leaf && leaf->text && leaf->size) {
            const size_t begin = run->text->size;
            status = pare_buffer_add(run->text, leaf->text, leaf->size, run->err);
            if (!status && is_apart) status = set_apart(run->text, begin, run->err);
            is_apart = false;
        }
        if (nodes[node].n) {
            node = nodes[node].first;
            continue;
        }
        /* The last child of a node is followed by what follows the node. */
        uint32_t up = nodes[node].parent;
        while (up != NONE && node + 1 == nodes[up].first + nodes[up].n) {
            node = up;
            up = nodes[node].parent;
        }
        node = up == NONE ? NONE : node + 1;
    }
    return status;
}

/* The generator: the three phases, then the leaves of the tree in order.  The limits are of
 * open nonterminals at one time, not of nodes. */
static pare_status run_phases(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    pare_phases_fuzzer *phases = self;
    struct phases_run run = {phases, choices, text, err};
    phases->n_nodes = 0;
    pare_status status = add_node(&run, NONE, NONE);
    while (!status && phases->nodes[0].open && phases->nodes[0].open < phases->min_nonterminals)
        status = expand_once(&run, HIGHEST);
    while (!status && phases->nodes[0].open && phases->nodes[0].open < phases->max_nonterminals)
        status = expand_once(&run, ANY);
    while (!status && phases->nodes[0].open)
        status = expand_once(&run, LOWEST);
    return status ? status : print(&run);
}

/* The costs that were worked out go too; they are of one layout. */
void pare_fuzzer_phases_done(pare_phases_fuzzer *phases)
{
    pare_alloc_free(phases->nodes);
    pare_alloc_free(phases->sums);
    pare_alloc_free(phases->are_known);
    phases->nodes = NULL;
    phases->sums = NULL;
    phases->are_known = NULL;
    phases->n_nodes = phases->capacity = 0;
}

pare_generator pare_fuzzer_phases(pare_phases_fuzzer *phases)
{
    return (pare_generator){.self = phases, .run = run_phases};
}

/* --- MutationFuzzer: the population ------------------------------------------------------ */

/* Members are copies, so those who gave them may be gone. */
void pare_fuzzer_mutation_done(pare_mutation_fuzzer *mutation)
{
    for (size_t i = 0; i < mutation->n; i++)
        pare_buffer_done(&mutation->members[i]);
    pare_alloc_free(mutation->members);
    pare_buffer_done(&mutation->spare);
    *mutation = (pare_mutation_fuzzer){0};
}

/* The text is copied: a population may be read file by file. */
pare_status pare_fuzzer_mutation_add(pare_mutation_fuzzer *mutation, const char *input, size_t size,
                                     bool first, pare_error *err)
{
    pare_buffer member = {0};
    pare_buffer *members =
        pare_vector_grow(mutation->members, mutation->n, &mutation->capacity, sizeof *members);
    if (!members) return pare_fail_nomem(err);
    mutation->members = members;
    pare_status status = pare_buffer_add(&member, input, size, err);
    if (status) return status;
    mutation->members[mutation->n++] = member;
    /* Those are added before all others, so they are members 0 .. n_first-1. */
    if (first) mutation->n_first = mutation->n;
    return PARE_OK;
}

/* --- changes -------------------------------------------------------------------- */

/* Draws a number below `n`.  Where in the text; a reducer makes it smaller. */
static pare_status choose_position(pare_choices *choices, size_t n, size_t *at, pare_error *err)
{
    uint64_t index = 0;
    pare_status status = pare_choices_next(choices, PARE_CHOICE_NUMBER, n, &index, err);
    *at = (size_t)index;
    return status;
}

/* Leaves a byte out; an empty text stays empty.  The move takes the NUL along. */
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

/* Puts a printable character in, at any place or at the end.  Characters 32 to 126, as in the
 * book. */
static pare_status insert_character(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    size_t at = 0;
    int64_t character = 0;
    pare_status status = choose_position(choices, text->size + 1, &at, err);
    if (!status) status = pare_choices_integer(choices, 32, 126, 32, &character, err);
    /* Room for one more byte: the NUL that is added is overwritten by the move. */
    if (!status) status = pare_buffer_add(text, "", 1, err);
    if (status) return status;
    memmove(text->data + at + 1, text->data + at, text->size - 1 - at);
    text->data[at] = (char)character;
    return PARE_OK;
}

/* Flips one of the lower seven bits of a byte.  The highest bit stays: the book works on
 * characters below 128. */
static pare_status flip_bit(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    size_t at = 0, bit = 0;
    if (!text->size) return PARE_OK;
    pare_status status = choose_position(choices, text->size, &at, err);
    if (!status) status = choose_position(choices, 7, &bit, err);
    if (!status) text->data[at] = (char)(text->data[at] ^ (1 << bit));
    return status;
}

/* One change, each kind as likely as the others.  The order of the kinds is the book's, whose
 * draws are replayed. */
static pare_status mutate(pare_buffer *text, pare_choices *choices, pare_error *err)
{
    static pare_status (*const changes[])(pare_buffer *, pare_choices *,
                                          pare_error *) = {delete_byte, insert_character, flip_bit};
    uint64_t which = 0;
    pare_status status = pare_choices_element(choices, 3, &which, err);
    return status ? status : changes[which](text, choices, err);
}

/* The generator: the first members as they are, in order, then changed ones.  Each change is a
 * span, so that a reducer can take one away. */
static pare_status run_mutation(void *self, pare_choices *choices, pare_buffer *text,
                                pare_error *err)
{
    pare_mutation_fuzzer *mutation = self;
    uint64_t which = mutation->at, n = 0;
    if (!mutation->n) return PARE_OK;
    bool unchanged = mutation->at < mutation->n_first;
    const size_t from = mutation->grows && mutation->n > mutation->n_first ? mutation->n_first : 0;
    /* With a maximum of 0, both numbers are the book's. */
    uint64_t least = mutation->max_mutations ? mutation->min_mutations : 2;
    uint64_t most = mutation->max_mutations ? mutation->max_mutations : 10;
    pare_status status = PARE_OK;
    if (unchanged)
        mutation->at++;
    else
        status = pare_choices_element(choices, mutation->n - from, &which, err);
    if (!unchanged) which += from;
    if (!status && !unchanged) status = pare_choices_size(choices, least, most, &n, err);
    if (status) return status;
    /* The member must stay as it is. */
    pare_buffer_reset(&mutation->spare);
    assert(which < mutation->n);
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

pare_generator pare_fuzzer_mutation(pare_mutation_fuzzer *mutation)
{
    return (pare_generator){.self = mutation, .run = run_mutation};
}

/* --- RandomFuzzer ------------------------------------------------------------------------ */

/* A choice for the length, and one for each character, so that a reducer can shorten it. */
static pare_status run_random(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    const pare_random_text *options = self;
    pare_alphabet alphabet = {options->first, options->first + options->n - 1, options->first};
    return pare_choices_string(choices, alphabet, options->min_length, options->max_length, text,
                               err);
}

/* The options are borrowed and never written; the cast is for the one type of all generators. */
pare_generator pare_fuzzer_random_text(const pare_random_text *options)
{
    return (pare_generator){.self = (void *)(uintptr_t)options, .run = run_random};
}

/* --- by name ----------------------------------------------------------------------------- */

enum { SEED_DEPTH = 10, CHOICE_DIGITS = 10, MAX_OPEN = 10 };

static const char UNDEFINED[] = "00";

static const char *const names[] = {
    [PARE_FUZZER_GRAMMAR] = "grammar",  [PARE_FUZZER_PHASES] = "phases",
    [PARE_FUZZER_LIMIT] = "limit",      [PARE_FUZZER_COMPLEX] = "complex",
    [PARE_FUZZER_CHOICE] = "choice",    [PARE_FUZZER_RANDOM] = "random",
    [PARE_FUZZER_MUTATION] = "mutation"};

/* Linear over seven names. */
bool pare_fuzzer_find(const char *name, pare_fuzzer_kind *kind)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) != 0) continue;
        *kind = (pare_fuzzer_kind)i;
        return true;
    }
    return false;
}

/* All three generators are set up, whatever the kind: the unused ones hold no memory. */
pare_status pare_fuzzer_init(pare_fuzzer *fuzzer, const pare_fuzzer_options *options,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    bool knows_names = options->kind == PARE_FUZZER_COMPLEX || options->kind == PARE_FUZZER_CHOICE;
    *fuzzer = (pare_fuzzer){
        .kind = options->kind,
        .limit = {.costed = options->costed,
                  .start = options->start,
                  .max_depth = options->max_depth ? options->max_depth : SEED_DEPTH,
                  .digits = options->kind == PARE_FUZZER_CHOICE ? CHOICE_DIGITS : 0,
                  .sorted = options->kind == PARE_FUZZER_LIMIT,
                  .undefined = knows_names ? UNDEFINED : NULL,
                  .undefined_default = options->costed ? options->costed->default_use : NULL,
                  .hooks = options->hooks},
        .phases = {.costed = options->costed,
                   .start = options->start,
                   .min_nonterminals = options->min_nonterminals,
                   .max_nonterminals = options->max_nonterminals},
        .random = {.min_length = options->min_length,
                   .max_length = options->max_length,
                   .first = 32,
                   .n = 32},
        .mutation = {.min_mutations = options->min_mutations,
                     .max_mutations = options->max_mutations,
                     .grows = options->grows}};
    if (!options->max_nonterminals) {
        fuzzer->phases.min_nonterminals = 0;
        fuzzer->phases.max_nonterminals = MAX_OPEN;
    }
    if (!options->max_length) {
        fuzzer->random.min_length = 10;
        fuzzer->random.max_length = 100;
    }
    for (size_t i = 0; !status && i < options->n_members; i++) {
        const pare_buffer *member = &options->members[i];
        status = pare_fuzzer_mutation_add(&fuzzer->mutation, member->size ? member->data : "",
                                          member->size, options->grows, err);
    }
    return status;
}

/* Also one that was not initialised to its end. */
void pare_fuzzer_done(pare_fuzzer *fuzzer)
{
    pare_fuzzer_limit_done(&fuzzer->limit);
    pare_fuzzer_phases_done(&fuzzer->phases);
    pare_fuzzer_mutation_done(&fuzzer->mutation);
}

/* PARE_FUZZER_GRAMMAR and PARE_FUZZER_GRAPH have makers of their own (generator_setup.c) and
 * do not come here. */
pare_generator pare_fuzzer_generator(pare_fuzzer *fuzzer)
{
    switch (fuzzer->kind) {
    case PARE_FUZZER_RANDOM: return pare_fuzzer_random_text(&fuzzer->random);
    case PARE_FUZZER_MUTATION: return pare_fuzzer_mutation(&fuzzer->mutation);
    case PARE_FUZZER_PHASES: return pare_fuzzer_phases(&fuzzer->phases);
    case PARE_FUZZER_GRAMMAR:
    case PARE_FUZZER_LIMIT:
    case PARE_FUZZER_GRAPH:
    case PARE_FUZZER_COMPLEX:
    case PARE_FUZZER_CHOICE: break;
    }
    return pare_fuzzer_limit(&fuzzer->limit);
}
