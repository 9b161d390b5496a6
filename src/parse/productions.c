/* Rewriting of a grammar into productions.
 *
 * Left recursion, as in ANTLR 4: of the n alternatives of rule e, the i-th (from 1) has
 * precedence n - i + 1.  Alternatives "e ... " become operators, applied in a loop while
 * their precedence is at least that of the call.  The last e of a binary operator is
 * called with the operator's precedence + 1 (<assoc=right>: without the 1), the last e of
 * a prefix alternative with its own, all others with 0.  Operators that end with e come
 * before those that do not, both in their order.
 *
 * Calls whose precedence admits the same operators share a nonterminal.
 *
 * Why this form: Earley's recogniser needs plain productions, and ANTLR's trees need to know
 * for each production which alternative, quantifier or operator it stands for.  Loops are left
 * recursive, because those are linear in Earley's algorithm, and right recursive ones are
 * quadratic without further work (leo.c).
 *
 * Invariant (pare_productions_check): the productions of a nonterminal stand in a row, each
 * with its own run of dotted states that ends with PARE_DOT_END.  Cost: O(size of the
 * grammar), times the number of different precedences that a left-recursive rule is called
 * with.
 *
 * Source: Parr, The Definitive ANTLR 4 Reference, chapter 14 (left-recursive rules, by ANTLR's
 * own rewriting); deviation: nonterminals for precedences in place of predicates. */
#include "parse/productions.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"

/* The state of one rewriting. Want of memory sticks in `failed`. The tables lead from parts of the
 * grammar to their nonterminals, so that each part is rewritten once. */
struct builder {
    pare_productions *p;
    const pare_grammar *grammar;
    uint32_t *by_rule; /* rules without left recursion: nonterminal or PARE_NO_INDEX */
    uint32_t *by_expr; /* quantifiers, blocks */
    uint32_t *item_of; /* expression: ITEM nonterminal of a body */
    uint32_t *left;    /* first nonterminal of each left-recursive rule */
    uint32_t *sibling; /* next nonterminal of the same rule, by nonterminal */
    size_t sibling_capacity;
    size_t nonterminal_capacity, production_capacity, next_capacity, state_capacity,
        terminal_capacity;
    pare_index *stack; /* of a sequence being flattened */
    size_t n_stack, stack_capacity;
    bool failed; /* memory ran out */
};

/* Adds a nonterminal without productions.  Indices stay below the flag that marks terminals.
 * Its productions are added when its turn in the work list comes (build). */
static uint32_t add_nonterminal(struct builder *b, pare_nonterminal_kind kind, uint32_t symbol,
                                bool lazy)
{
    pare_productions *p = b->p;
    size_t need = p->n_nonterminals + 1;
    pare_nonterminal *all =
        pare_vector_reserve(p->nonterminals, &b->nonterminal_capacity, need, sizeof *all);
    /* Each array is kept as soon as it has grown, so that a failure of the other one loses
     * nothing. */
    if (all) p->nonterminals = all;
    uint32_t *sibling =
        pare_vector_reserve(b->sibling, &b->sibling_capacity, need, sizeof *sibling);
    if (sibling) b->sibling = sibling;
    if (!all || !sibling || need >= PARE_TERMINAL) {
        b->failed = true;
        return 0;
    }
    uint32_t index = (uint32_t)p->n_nonterminals++;
    sibling[index] = PARE_NO_INDEX;
    all[index] = (pare_nonterminal){
        .kind = kind, .lazy = lazy, .symbol = symbol, .null_production = PARE_NO_INDEX};
    return index;
}

/* Adds a dotted state of the production begun last: before `symbol`, or at the end.  `next`
 * and `production` are arrays by dotted state: the two questions that the recogniser asks. */
static void add_state(struct builder *b, uint32_t symbol)
{
    pare_productions *p = b->p;
    size_t need = p->n_states + 1;
    uint32_t *next = pare_vector_reserve(p->next, &b->next_capacity, need, sizeof *next);
    if (next) p->next = next;
    uint32_t *production =
        pare_vector_reserve(p->production, &b->state_capacity, need, sizeof *production);
    if (production) p->production = production;
    if (!next || !production || need >= PARE_TERMINAL) {
        b->failed = true;
        return;
    }
    next[p->n_states] = symbol;
    production[p->n_states++] = (uint32_t)p->n_productions - 1;
}

/* Begins a production of `lhs`.  Those of one nonterminal are added in a row (see expand), so
 * that the first one and their number say which they are. */
static void begin_production(struct builder *b, uint32_t lhs, uint32_t alternative)
{
    pare_productions *p = b->p;
    pare_production *all = pare_vector_reserve(p->productions, &b->production_capacity,
                                               p->n_productions + 1, sizeof *all);
    if (!all) {
        b->failed = true;
        return;
    }
    p->productions = all;
    pare_nonterminal *n = &p->nonterminals[lhs];
    /* The first one's number; the others follow it. */
    if (n->n_productions++ == 0) n->first_production = (uint32_t)p->n_productions;
    all[p->n_productions++] = (pare_production){lhs, (uint32_t)p->n_states, alternative};
}

/* Every production has an end state of its own, so the state alone tells which item was
 * completed. */
static void end_production(struct builder *b)
{
    add_state(b, PARE_DOT_END);
}

/* A new terminal without letters.  A terminal is a set of letters, one bit each. */
static uint32_t add_terminal(struct builder *b)
{
    pare_productions *p = b->p;
    size_t need = (p->n_terminals + 1) * p->words;
    uint64_t *all = pare_vector_reserve(p->terminals, &b->terminal_capacity, need, sizeof *all);
    if (!all) {
        b->failed = true;
        return PARE_TERMINAL;
    }
    p->terminals = all;
    memset(all + p->n_terminals * p->words, 0, p->words * sizeof *all);
    return PARE_TERMINAL | (uint32_t)p->n_terminals++;
}

/* Adds a letter to a terminal's set.  A letter beyond the alphabet, as of a token that no rule
 * makes, is in no set. */
static void allow(struct builder *b, uint32_t terminal, uint32_t letter)
{
    if (b->failed || letter >= b->p->n_letters) return;
    size_t first = (terminal & ~PARE_TERMINAL) * b->p->words;
    b->p->terminals[first + letter / 64] |= (uint64_t)1 << letter % 64;
}

/* Adds the values from .. to: token types, or the classes of code points. */
static void allow_values(struct builder *b, uint32_t terminal, uint32_t from, uint32_t to)
{
    pare_productions *p = b->p;
    /* Classes ascend with their characters, and none crosses an end of a set, so those of a
     * range are a run.  Letter 0 is the end of the file: classes are counted from 1. */
    if (b->grammar->scannerless) {
        from = pare_code_point_classes_find(&p->classes, from) + 1;
        to = pare_code_point_classes_find(&p->classes, to) + 1;
    }
    for (uint32_t letter = from; letter <= to && letter < p->n_letters; letter++)
        allow(b, terminal, letter);
}

/* The terminal of a single letter: the first n_letters terminals are these.  Made first, in
 * build_letters, hence equal to the letter's number. */
static uint32_t letter_terminal(uint32_t letter)
{
    return PARE_TERMINAL | letter;
}

/* A set of tokens or characters is one terminal: matched as one letter, however many it has. */
static uint32_t set_terminal(struct builder *b, const pare_expr *e)
{
    uint32_t terminal = add_terminal(b);
    const pare_set *set = &b->grammar->sets[e->set];
    for (uint32_t i = 0; i < set->n; i++) {
        const pare_interval *range = &b->grammar->intervals[set->first + i];
        allow_values(b, terminal, range->from, range->to);
    }
    return terminal;
}

/* The terminal of '.': anything but the end of the file. */
static uint32_t any_terminal(struct builder *b)
{
    uint32_t terminal = add_terminal(b);
    for (uint32_t letter = 1; letter < b->p->n_letters; letter++)
        allow(b, terminal, letter);
    return terminal;
}

/* Whether the expression is a use of that rule.  Labels and options of the reference do not
 * matter. */
static bool is_self(const struct builder *b, pare_index expr, pare_index rule)
{
    return expr != PARE_NO_INDEX && b->grammar->exprs[expr].kind == PARE_EXPR_RULE &&
           b->grammar->exprs[expr].rule == rule;
}

/* The first and the last element of an alternative.  An alternative that is no sequence is its
 * own only element. */
static pare_index first_element(const struct builder *b, pare_index alternative)
{
    const pare_expr *e = &b->grammar->exprs[alternative];
    return e->kind == PARE_EXPR_SEQUENCE ? e->first : alternative;
}

static pare_index last_element(const struct builder *b, pare_index alternative)
{
    pare_index at = first_element(b, alternative);
    if (at == alternative) return at;
    while (at != PARE_NO_INDEX && b->grammar->exprs[at].next != PARE_NO_INDEX)
        at = b->grammar->exprs[at].next;
    return at;
}

/* The alternatives of a body, one after the other; a body that is no choice is its own. */
static pare_index first_alternative(const struct builder *b, pare_index body)
{
    const pare_expr *e = &b->grammar->exprs[body];
    return e->kind == PARE_EXPR_CHOICE ? e->first : body;
}

static pare_index next_alternative(const struct builder *b, pare_index body, pare_index at)
{
    if (b->grammar->exprs[body].kind != PARE_EXPR_CHOICE) return PARE_NO_INDEX;
    return b->grammar->exprs[at].next;
}

/* Whether the alternative begins with its own rule and goes on after it. */
static bool is_operator(const struct builder *b, pare_index rule, pare_index alternative)
{
    pare_index first = first_element(b, alternative);
    /* The rule alone ("e: e") is no operator: nothing follows the operand. */
    return is_self(b, first, rule) && b->grammar->exprs[alternative].kind == PARE_EXPR_SEQUENCE &&
           b->grammar->exprs[first].next != PARE_NO_INDEX;
}

/* Asked for each call of the rule; bodies are short, so nothing is remembered. */
static bool is_left_recursive(const struct builder *b, pare_index rule)
{
    pare_index body = b->grammar->rules[rule].body;
    for (pare_index a = first_alternative(b, body); a != PARE_NO_INDEX;
         a = next_alternative(b, body, a)) {
        if (is_operator(b, rule, a)) return true;
    }
    return false;
}

/* The number is the precedence of the first alternative. */
static uint32_t count_alternatives(const struct builder *b, pare_index body)
{
    uint32_t n = 0;
    for (pare_index a = first_alternative(b, body); a != PARE_NO_INDEX;
         a = next_alternative(b, body, a))
        n++;
    return n;
}

/* The least precedence of an operator of the rule that is at least `precedence`; UINT32_MAX:
 * none.  Calls with the same result admit the same operators, so they share a nonterminal.
 * O(alternatives).  Of a rule with 20 operators and 300 calls that is 6,000 steps for the
 * whole grammar. */
static uint32_t settle_precedence(const struct builder *b, pare_index rule, uint32_t precedence)
{
    pare_index body = b->grammar->rules[rule].body;
    /* The first alternative binds tightest. */
    uint32_t own = count_alternatives(b, body), best = UINT32_MAX;
    for (pare_index a = first_alternative(b, body); a != PARE_NO_INDEX;
         a = next_alternative(b, body, a), own--) {
        if (is_operator(b, rule, a) && own >= precedence && own < best) best = own;
    }
    return best;
}

/* The nonterminal of that kind and precedence of a left-recursive rule, made when it is first
 * asked for.  LEFT, PRIMARY and OPERATOR nonterminals of a rule are in one list. */
static uint32_t left_nonterminal(struct builder *b, pare_index rule, pare_nonterminal_kind kind,
                                 uint32_t precedence)
{
    /* A rule is called with few different precedences, so a list does. */
    for (uint32_t n = b->left[rule]; n != PARE_NO_INDEX; n = b->sibling[n]) {
        assert(b->sibling);
        const pare_nonterminal *found = &b->p->nonterminals[n];
        if (found->kind == kind && found->precedence == precedence) return n;
    }
    uint32_t n = add_nonterminal(b, kind, rule, false);
    if (b->failed) return 0;
    b->p->nonterminals[n].precedence = precedence;
    b->sibling[n] = b->left[rule];
    b->left[rule] = n;
    return n;
}

/* The nonterminal of a call of the rule with that precedence.  It is made when it is first
 * called, and expanded later.  The precedence of a call is 0 but within the rule itself. */
static uint32_t rule_nonterminal(struct builder *b, pare_index rule, uint32_t precedence)
{
    if (is_left_recursive(b, rule))
        return left_nonterminal(b, rule, PARE_NONTERMINAL_LEFT,
                                settle_precedence(b, rule, precedence));
    /* Without operators the precedence of the call makes no difference. */
    if (b->by_rule[rule] == PARE_NO_INDEX)
        b->by_rule[rule] = add_nonterminal(b, PARE_NONTERMINAL_RULE, rule, false);
    return b->by_rule[rule];
}

/* The nonterminal of a quantifier or a block, made when it is first met.  A block that is used
 * once is a nonterminal all the same: its alternatives must not multiply those around it. */
static uint32_t expr_nonterminal(struct builder *b, pare_index expr)
{
    const pare_expr *e = &b->grammar->exprs[expr];
    pare_nonterminal_kind kind = e->kind == PARE_EXPR_OPTIONAL ? PARE_NONTERMINAL_OPTIONAL
                                 : e->kind == PARE_EXPR_STAR   ? PARE_NONTERMINAL_STAR
                                 : e->kind == PARE_EXPR_PLUS   ? PARE_NONTERMINAL_PLUS
                                                               : PARE_NONTERMINAL_BLOCK;
    if (b->by_expr[expr] == PARE_NO_INDEX)
        b->by_expr[expr] = add_nonterminal(b, kind, expr, e->lazy);
    return b->by_expr[expr];
}

/* The symbol of an expression that is a single one: not a sequence, a literal or nothing. */
static uint32_t symbol_of(struct builder *b, pare_index expr)
{
    const pare_expr *e = &b->grammar->exprs[expr];
    switch (e->kind) {
    case PARE_EXPR_RULE: return rule_nonterminal(b, e->rule, 0);
    case PARE_EXPR_TOKEN: return letter_terminal(e->token);
    case PARE_EXPR_END: return letter_terminal(PARE_TOKEN_END);
    case PARE_EXPR_SET: return set_terminal(b, e);
    case PARE_EXPR_ANY: return any_terminal(b);
    default: return expr_nonterminal(b, expr);
    }
}

/* Puts an expression on the stack of a sequence that is flattened.  An explicit stack:
 * sequences nest as deep as the grammar is written. */
static void push(struct builder *b, pare_index expr)
{
    pare_index *grown =
        pare_vector_reserve(b->stack, &b->stack_capacity, b->n_stack + 1, sizeof *grown);
    if (!grown) {
        b->failed = true;
        return;
    }
    b->stack = grown;
    b->stack[b->n_stack++] = expr;
}

/* Pushes the operands so that the first is on top of the stack. */
static void push_children(struct builder *b, pare_index expr)
{
    size_t first = b->n_stack;
    for (pare_index c = b->grammar->exprs[expr].first; c != PARE_NO_INDEX;
         c = b->grammar->exprs[c].next)
        push(b, c);
    /* They were pushed from the first to the last; turn the run around. */
    for (size_t i = first, j = b->n_stack; i + 1 < j; i++) {
        pare_index swap = b->stack[i];
        b->stack[i] = b->stack[--j];
        b->stack[j] = swap;
    }
}

/* A literal of a scannerless grammar is a terminal for each character.  Its leaves are joined
 * again in the tree (literals.c). */
static void add_literal(struct builder *b, const pare_expr *e)
{
    for (uint32_t i = 0; i < e->text.size; i++) {
        uint32_t point = b->grammar->code_points[e->text.offset + i];
        add_state(b, letter_terminal(pare_code_point_classes_find(&b->p->classes, point) + 1));
    }
}

/* Adds the symbols of `expr` to the production, sequences flattened, but for the element
 * `skipped`; the element `last` becomes `last_symbol`.  Flattened, because a nonterminal for
 * each parenthesis would be an item more for each use. */
static void add_symbols(struct builder *b, pare_index expr, pare_index skipped, pare_index last,
                        uint32_t last_symbol)
{
    push(b, expr);
    while (b->n_stack > 0 && !b->failed) {
        pare_index at = b->stack[--b->n_stack];
        const pare_expr *e = &b->grammar->exprs[at];
        if (at == skipped || e->kind == PARE_EXPR_EMPTY) continue;
        /* Before all else: symbol_of would call it with precedence 0. */
        if (at == last)
            add_state(b, last_symbol);
        else if (e->kind == PARE_EXPR_SEQUENCE)
            push_children(b, at);
        else if (e->kind == PARE_EXPR_LITERAL)
            add_literal(b, e);
        else
            add_state(b, symbol_of(b, at));
    }
    b->n_stack = 0;
}

/* A production of the expression as it stands. */
static void add_plain(struct builder *b, uint32_t lhs, uint32_t alternative, pare_index expr)
{
    begin_production(b, lhs, alternative);
    add_symbols(b, expr, PARE_NO_INDEX, PARE_NO_INDEX, 0);
    end_production(b);
}

/* A production for each alternative of the body.  Alternatives are numbered from 0, in the
 * grammar's order, which is ANTLR's preference. */
static void add_alternatives(struct builder *b, uint32_t lhs, pare_index body)
{
    uint32_t alternative = 0;
    for (pare_index a = first_alternative(b, body); a != PARE_NO_INDEX;
         a = next_alternative(b, body, a))
        add_plain(b, lhs, alternative++, a);
}

/* The symbol that a quantifier repeats: one of the grammar, or an ITEM for anything larger.  A
 * single symbol needs no ITEM, which saves a node for each round. */
static uint32_t body_symbol(struct builder *b, pare_index body)
{
    switch (b->grammar->exprs[body].kind) {
    case PARE_EXPR_RULE:
    case PARE_EXPR_TOKEN:
    case PARE_EXPR_END:
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY: return symbol_of(b, body);
    default: break;
    }
    /* A round of several symbols is a nonterminal, which becomes a node of the tree. */
    if (b->item_of[body] == PARE_NO_INDEX)
        b->item_of[body] = add_nonterminal(b, PARE_NONTERMINAL_ITEM, body, false);
    return b->item_of[body];
}

/* A production of up to two symbols; PARE_DOT_END is none.  The alternative is 0: productions
 * of quantifiers are told apart by their place. */
static void add_production(struct builder *b, uint32_t lhs, uint32_t first, uint32_t second)
{
    begin_production(b, lhs, 0);
    if (first != PARE_DOT_END) add_state(b, first);
    if (second != PARE_DOT_END) add_state(b, second);
    end_production(b);
}

/* The productions of a quantifier.  Body first means greedy: the order of productions is their
 * preference.  A loop is S: base | S body, where the base of a star is nothing and that of a
 * plus one body. */
static void add_quantifier(struct builder *b, uint32_t lhs)
{
    pare_nonterminal n = b->p->nonterminals[lhs];
    uint32_t body = body_symbol(b, b->grammar->exprs[n.symbol].first);
    if (n.kind == PARE_NONTERMINAL_OPTIONAL) {
        add_production(b, lhs, n.lazy ? PARE_DOT_END : body, PARE_DOT_END);
        add_production(b, lhs, n.lazy ? body : PARE_DOT_END, PARE_DOT_END);
    } else {
        /* Loops have one form, since they are left recursive; whether one is greedy is decided
         * when its tree is read out (disambiguate.c). */
        bool star = n.kind == PARE_NONTERMINAL_STAR;
        add_production(b, lhs, star ? PARE_DOT_END : body, PARE_DOT_END);
        add_production(b, lhs, lhs, body);
    }
}

/* The loop of a left-recursive rule, e[p]: primary | e[p] operator[p].  Where no operator is
 * admitted, it is the primary alone. */
static void add_left(struct builder *b, uint32_t lhs)
{
    pare_nonterminal n = b->p->nonterminals[lhs];
    add_production(b, lhs, left_nonterminal(b, n.symbol, PARE_NONTERMINAL_PRIMARY, 0),
                   PARE_DOT_END);
    if (n.precedence == UINT32_MAX) return;
    add_production(b, lhs, lhs,
                   left_nonterminal(b, n.symbol, PARE_NONTERMINAL_OPERATOR, n.precedence));
}

/* The alternatives that are no operators.  One that ends with the rule is a prefix operator:
 * its operand is called with its own precedence. */
static void add_primary(struct builder *b, uint32_t lhs)
{
    pare_index rule = b->p->nonterminals[lhs].symbol, body = b->grammar->rules[rule].body;
    uint32_t own = count_alternatives(b, body), alternative = 0;
    for (pare_index a = first_alternative(b, body); a != PARE_NO_INDEX;
         a = next_alternative(b, body, a), own--, alternative++) {
        if (is_operator(b, rule, a)) continue;
        pare_index last = last_element(b, a);
        /* An alternative that is the rule alone has no operator before its operand. */
        bool prefix = last != first_element(b, a) && is_self(b, last, rule);
        begin_production(b, lhs, alternative);
        add_symbols(b, a, PARE_NO_INDEX, prefix ? last : PARE_NO_INDEX,
                    prefix ? rule_nonterminal(b, rule, own) : 0);
        end_production(b);
    }
}

/* The operators that end with the rule itself (`binary`), or those that do not.  The rule at
 * the beginning is the loop's and left out. */
static void add_operators(struct builder *b, uint32_t lhs, bool binary)
{
    pare_nonterminal n = b->p->nonterminals[lhs];
    pare_index body = b->grammar->rules[n.symbol].body;
    uint32_t own = count_alternatives(b, body), alternative = 0;
    for (pare_index a = first_alternative(b, body); a != PARE_NO_INDEX;
         a = next_alternative(b, body, a), own--, alternative++) {
        pare_index last = last_element(b, a);
        if (!is_operator(b, n.symbol, a) || own < n.precedence) continue;
        if (is_self(b, last, n.symbol) != binary) continue;
        /* Left associative: the operand on the right admits only what binds tighter. */
        uint32_t operand = b->grammar->exprs[a].right ? own : own + 1;
        begin_production(b, lhs, alternative);
        add_symbols(b, a, first_element(b, a), binary ? last : PARE_NO_INDEX,
                    binary ? rule_nonterminal(b, n.symbol, operand) : 0);
        end_production(b);
    }
}

/* Adds the productions of a nonterminal. */
static void expand(struct builder *b, uint32_t lhs)
{
    pare_nonterminal n = b->p->nonterminals[lhs];
    switch (n.kind) {
    case PARE_NONTERMINAL_RULE: add_alternatives(b, lhs, b->grammar->rules[n.symbol].body); break;
    case PARE_NONTERMINAL_ITEM:
    case PARE_NONTERMINAL_BLOCK: add_alternatives(b, lhs, n.symbol); break;
    case PARE_NONTERMINAL_OPTIONAL:
    case PARE_NONTERMINAL_STAR:
    case PARE_NONTERMINAL_PLUS: add_quantifier(b, lhs); break;
    case PARE_NONTERMINAL_LEFT: add_left(b, lhs); break;
    case PARE_NONTERMINAL_PRIMARY: add_primary(b, lhs); break;
    case PARE_NONTERMINAL_OPERATOR:
        add_operators(b, lhs, true);
        add_operators(b, lhs, false);
        break;
    }
}

/* Finds the classes of a scannerless grammar's characters: from all its sets and literals.
 * Sets that are never used are among them, which may split classes that need not be; that
 * costs a bit. */
static pare_status build_classes(struct builder *b, pare_error *err)
{
    const pare_grammar *grammar = b->grammar;
    size_t n = grammar->n_intervals + grammar->n_code_points;
    pare_interval *all = pare_alloc(n, sizeof *all);
    if (!all) return pare_fail_nomem(err);
    if (grammar->n_intervals) memcpy(all, grammar->intervals, grammar->n_intervals * sizeof *all);
    /* A character of a literal is a range of one. */
    for (size_t i = 0; i < grammar->n_code_points; i++) {
        uint32_t point = grammar->code_points[i];
        all[grammar->n_intervals + i] = (pare_interval){point, point};
    }
    pare_status status = pare_code_point_classes_init(&b->p->classes, all, n, err);
    pare_alloc_free(all);
    return status;
}

/* Grammars of real languages need some MiB; one that a program has made, or somebody for us to fail on,
 * would take all memory. */
static const size_t MOST_SET_BYTES = (size_t)1 << 30;

pare_status pare_productions_bound(const pare_productions *p, size_t n_sets, pare_error *err)
{
    const size_t bytes = p->words * sizeof *p->terminals;
    if (n_sets <= MOST_SET_BYTES / bytes) return PARE_OK;
    return pare_fail(err, PARE_E_LIMIT,
                     "the grammar is too large: it has %u tokens or kinds of characters, and would "
                     "need more than %u MiB for sets of them",
                     (unsigned)p->n_letters, (unsigned)(MOST_SET_BYTES >> 20));
}

/* Makes the alphabet: token types, or classes of characters after the end of the file.  The
 * first terminals are the single letters, so that a token's terminal is its number.  An empty
 * alphabet has one letter, since letter 0 is the end of the file. */
static pare_status build_letters(struct builder *b, pare_error *err)
{
    pare_productions *p = b->p;
    if (b->grammar->scannerless) {
        pare_status status = build_classes(b, err);
        if (status != PARE_OK) return status;
        p->n_letters = p->classes.n + 1;
    } else {
        p->n_letters = (uint32_t)b->grammar->n_tokens;
    }
    if (p->n_letters == 0) p->n_letters = 1;
    p->words = (p->n_letters + 63) / 64;
    pare_status status = pare_productions_bound(p, p->n_letters, err);
    if (status) return status;
    for (uint32_t i = 0; i < p->n_letters && !b->failed; i++)
        allow(b, add_terminal(b), i);
    return b->failed ? pare_fail_nomem(err) : PARE_OK;
}

/* `n` times PARE_NO_INDEX. All bytes 0xFF are PARE_NO_INDEX. */
static uint32_t *none(struct builder *b, size_t n)
{
    uint32_t *all = pare_alloc(n, sizeof *all);
    if (all && n) memset(all, 0xFF, n * sizeof *all);
    if (!all) b->failed = true;
    return all;
}

/* Expands nonterminals in the order in which they were made, until none is new: the array is
 * its own work list. */
static pare_status build(struct builder *b, pare_index start, pare_error *err)
{
    pare_productions *p = b->p;
    b->by_rule = none(b, b->grammar->n_rules);
    b->left = none(b, b->grammar->n_rules);
    b->by_expr = none(b, b->grammar->n_exprs);
    b->item_of = none(b, b->grammar->n_exprs);
    if (b->failed) return pare_fail_nomem(err);
    pare_status status = build_letters(b, err);
    if (status != PARE_OK) return status;
    /* Precedence 0 admits all operators. */
    p->start = rule_nonterminal(b, start, 0);
    for (uint32_t n = 0; n < p->n_nonterminals && !b->failed; n++)
        expand(b, n);
    if (b->failed) return pare_fail_nomem(err);
    assert(pare_productions_check(p));
    return pare_production_sets_find(p, err);
}

/* Whether the states of a production are its own and end with DOT_END, and its symbols exist. */
static bool check_production(const pare_productions *p, uint32_t index)
{
    uint32_t state = p->productions[index].first_state;
    for (; state < p->n_states && p->next[state] != PARE_DOT_END; state++) {
        uint32_t symbol = p->next[state];
        if (p->production[state] != index) return false;
        if (symbol & PARE_TERMINAL ? (symbol & ~PARE_TERMINAL) >= p->n_terminals
                                   : symbol >= p->n_nonterminals)
            return false;
    }
    return state < p->n_states && p->production[state] == index;
}

/* O(states). */
bool pare_productions_check(const pare_productions *p)
{
    for (uint32_t i = 0; i < p->n_productions; i++) {
        if (p->productions[i].lhs >= p->n_nonterminals || !check_production(p, i)) return false;
        /* Productions of one nonterminal stand in a row. */
        const pare_nonterminal *lhs = &p->nonterminals[p->productions[i].lhs];
        if (i < lhs->first_production || i - lhs->first_production >= lhs->n_productions)
            return false;
    }
    return p->start < p->n_nonterminals;
}

/* Frees the tables of the builder whatever has happened. */
pare_status pare_productions_init(pare_productions *out, const pare_grammar *grammar,
                                  pare_index start, pare_error *err)
{
    memset(out, 0, sizeof *out);
    out->grammar = grammar;
    struct builder b = {.p = out, .grammar = grammar};
    pare_status status = build(&b, start, err);
    pare_alloc_free(b.by_rule);
    pare_alloc_free(b.left);
    pare_alloc_free(b.by_expr);
    pare_alloc_free(b.item_of);
    pare_alloc_free(b.sibling);
    pare_alloc_free(b.stack);
    if (status != PARE_OK) pare_productions_done(out);
    return status;
}

void pare_productions_done(pare_productions *p)
{
    pare_alloc_free(p->nonterminals);
    pare_alloc_free(p->productions);
    pare_alloc_free(p->next);
    pare_alloc_free(p->production);
    pare_alloc_free(p->terminals);
    pare_alloc_free(p->first);
    pare_alloc_free(p->look);
    pare_alloc_free(p->open_look);
    pare_alloc_free(p->right_recursive);
    pare_code_point_classes_done(&p->classes);
    memset(p, 0, sizeof *p);
}
