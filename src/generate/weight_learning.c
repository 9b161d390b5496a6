/* Learns weights from a corpus: files are parsed one after the other, and each node of a tree shows
 * which alternatives and repetitions made it.
 *
 * A node's children are matched against its rule's body by backtracking, with a list of what is to
 * come on the stack: as deep as a rule's body is large, whatever the text.  After STEPS it gives
 * the node up, since a very ambiguous body could take exponential time; such nodes are rare and
 * contribute only noise.
 *
 * Invariant: what is counted for a node follows from its own children alone, so files can be
 * taken in any order and the model is the same.  Cost: O(nodes) matches, each a few steps;
 * memory grows with different texts of tokens, not with the corpus. */
#include "generate/weight_learning.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include <pare/learn.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/sized.h"
#include "base/vector.h"
#include "generate/population.h"
#include "generate/weights.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "grammar/intervals.h"
#include "grammar/name_index.h"
#include "lang/language.h"
#include "parse/parse_tree.h"
#include "parse/parser.h"

/* Limits of a match, and the digits of a number that is written. */
enum { STEPS = 20000, NESTING = 4000, PRECISION = 4 };

/* How often a quantifier went on and how often it ended.  A quantifier's chance to go on is
 * more / (more + ends). */
struct rounds {
    uint64_t more, ends;
};

/* Where a token stands: its type, and the rule around it.  The same name may have other texts
 * in another rule: attributes and tags, say. */
struct leaf_place {
    pare_index rule, token;
};

/* A text of a token in a place, and how often it was met. */
struct leaf {
    struct leaf_place place;
    uint64_t n;
    const char *text; /* in `memory` */
    size_t size;
};

/* What was learned so far. */
struct pare_weight_learning {
    const pare_grammar *grammar; /* borrowed */
    pare_weights_numbering numbering;
    uint32_t *first;       /* owned; of each CHOICE: its first alternative in `taken` */
    uint64_t *taken;       /* owned */
    struct rounds *rounds; /* owned; of each expression */
    pare_name_index texts; /* of tokens, after their places */
    struct leaf *leaves;   /* owned; of each of these */
    size_t n_leaves, leaves_capacity;
    pare_arena memory;
    pare_buffer key;
    pare_index *decisions; /* owned; of the match at hand: alternatives taken, or an expression
                              with the flag ENDED */
    size_t n_decisions, decisions_capacity;
};

#define ENDED 0x80000000u

/* --- matching ----------------------------------------------------------------------- */

/* One matching of the children of one node.  All-zero but for what is given: a match has no
 * memory of its own. */
struct match {
    pare_weight_learning *learning;
    const pare_parse_tree *tree;
    const char *text;
    uint32_t end; /* after the last child */
    size_t steps, nesting;
    pare_error *err;
    pare_status status;
};

/* What is still to be matched: an expression, or, as a list, it and its siblings.  The list is
 * on the stack of the recursion that made it.  A linked list on the stack of the recursion, so
 * nothing is allocated for it. */
struct todo {
    pare_index expr;
    bool is_list;
    const struct todo *next; /* NULL: the end */
};

/* Notes a decision of this match; what fails is taken back by n_decisions.  Kept in one list,
 * since a match that fails takes back a tail of it. */
static void decide(struct match *match, pare_index decision)
{
    pare_weight_learning *l = match->learning;
    pare_index *grown =
        pare_vector_grow(l->decisions, l->n_decisions, &l->decisions_capacity, sizeof *grown);
    if (!grown) {
        match->status = pare_fail_nomem(match->err);
        return;
    }
    l->decisions = grown;
    l->decisions[l->n_decisions++] = decision;
}

/* Whether a child is the node of this quantifier, which stands for all of its rounds.  The
 * tree has the expression as the node's symbol. */
static bool is_quantifier_node(const pare_parse_node *node, pare_index expr)
{
    bool is = node->kind == PARE_NODE_OPTIONAL || node->kind == PARE_NODE_STAR ||
              node->kind == PARE_NODE_PLUS;
    return is && node->symbol == expr;
}

/* Whether the text of a node is that literal. */
static bool is_literal(const struct match *match, const pare_parse_node *node,
                       const pare_expr *expr)
{
    const uint32_t *points = match->learning->grammar->code_points + expr->text.offset;
    size_t at = node->begin;
    /* The text is compared with each code point's UTF-8, so nothing is built. */
    for (uint32_t i = 0; i < expr->text.size; i++) {
        utf8proc_uint8_t bytes[4];
        size_t size = (size_t)utf8proc_encode_char((utf8proc_int32_t)points[i], bytes);
        /* A literal that is longer than the node is another one. */
        if (node->end - at < size || memcmp(match->text + at, bytes, size) != 0) return false;
        at += size;
    }
    return at == node->end;
}

/* Whether a child is what a symbol of the body names. */
static bool is_symbol(const struct match *match, const pare_parse_node *node, const pare_expr *expr)
{
    const pare_grammar *grammar = match->learning->grammar;
    bool is_token = node->kind == PARE_NODE_TOKEN;
    switch (expr->kind) {
    case PARE_EXPR_RULE: return node->kind == PARE_NODE_RULE && node->symbol == expr->rule;
    case PARE_EXPR_TOKEN: return is_token && node->symbol == expr->token;
    case PARE_EXPR_SET:
        return is_token &&
               (grammar->scannerless ||
                pare_intervals_have(grammar->intervals, grammar->sets[expr->set], node->symbol));
    case PARE_EXPR_ANY: return is_token;
    case PARE_EXPR_END: return is_token && node->begin == node->end;
    case PARE_EXPR_LITERAL: return is_token && is_literal(match, node, expr);
    default: return false;
    }
}

static bool run(struct match *match, const struct todo *todo, uint32_t child);

/* Tries the alternatives in order: the first one that fits is what the parser took, which
 * prefers the first, too. */
static bool run_choice(struct match *match, const struct todo *todo, uint32_t child)
{
    pare_weight_learning *l = match->learning;
    size_t n_decisions = l->n_decisions;
    uint32_t number = l->first[todo->expr];
    for (pare_index c = l->grammar->exprs[todo->expr].first; c != PARE_NO_INDEX;
         c = l->grammar->exprs[c].next) {
        const struct todo way = {c, false, todo->next};
        /* Noted before it is known to be right: the recursion matches all that follows, too. */
        decide(match, number++);
        if (run(match, &way, child)) return true;
        /* What the alternative has decided is taken back with it. */
        l->n_decisions = n_decisions;
    }
    return false;
}

/* A quantifier is there as a node of its own, or has no round at all, which is a decision to
 * end it. */
static bool run_quantifier(struct match *match, const struct todo *todo, uint32_t child)
{
    pare_weight_learning *l = match->learning;
    const pare_parse_node *nodes = match->tree->nodes;
    size_t n_decisions = l->n_decisions;
    if (child < match->end && is_quantifier_node(&nodes[child], todo->expr))
        /* Its rounds are learned when the walk over the tree comes to that node. */
        return run(match, todo->next, nodes[child].after);
    decide(match, todo->expr | ENDED);
    if (run(match, todo->next, child)) return true;
    l->n_decisions = n_decisions;
    return false;
}

/* Matches one expression and what comes after it.  The list of what comes after goes on with
 * the recursion, so a choice is judged by all that follows. */
static bool run_one(struct match *match, const struct todo *todo, uint32_t child)
{
    const pare_expr *expr = &match->learning->grammar->exprs[todo->expr];
    const struct todo list = {expr->first, true, todo->next};
    switch (expr->kind) {
    case PARE_EXPR_EMPTY: return run(match, todo->next, child);
    case PARE_EXPR_SEQUENCE: return run(match, &list, child);
    case PARE_EXPR_CHOICE: return run_choice(match, todo, child);
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
    case PARE_EXPR_PLUS: return run_quantifier(match, todo, child);
    default: break;
    }
    if (child < match->end && is_symbol(match, &match->tree->nodes[child], expr))
        return run(match, todo->next, match->tree->nodes[child].after);
    /* The end of the file may be without a node. */
    bool is_end = expr->kind == PARE_EXPR_END ||
                  (expr->kind == PARE_EXPR_TOKEN && expr->token == PARE_TOKEN_END);
    return is_end && child == match->end && run(match, todo->next, child);
}

/* Whether the children from `child` on match what is to come.  Gives up, as if they did not,
 * beyond the limits on steps and nesting.  The nesting is bounded because the recursion is on
 * the C stack. */
static bool run(struct match *match, const struct todo *todo, uint32_t child)
{
    if (!todo) return child == match->end;
    /* A failure ends the whole match. */
    if (match->status || ++match->steps > STEPS || match->nesting > NESTING) return false;
    match->nesting++;
    bool fits;
    /* A list is its first expression, followed by the list of the others; an empty one is
     * nothing. */
    if (!todo->is_list) {
        fits = run_one(match, todo, child);
    } else if (todo->expr == PARE_NO_INDEX) {
        fits = run(match, todo->next, child);
    } else {
        const struct todo rest = {match->learning->grammar->exprs[todo->expr].next, true,
                                  todo->next};
        const struct todo one = {todo->expr, false, &rest};
        fits = run(match, &one, child);
    }
    match->nesting--;
    return fits;
}

/* Matches the children of a node against an expression, and counts what was decided; a node
 * that does not match counts for nothing. */
static pare_status take_children(pare_weight_learning *l, const pare_parse_tree *tree,
                                 const char *text, uint32_t node, pare_index expr, pare_error *err)
{
    struct match match = {
        .learning = l, .tree = tree, .text = text, .end = tree->nodes[node].after, .err = err};
    const struct todo todo = {expr, false, NULL};
    l->n_decisions = 0;
    /* A node with errors in it does not match, and teaches nothing by itself. */
    if (expr == PARE_NO_INDEX || !run(&match, &todo, node + 1)) return match.status;
    for (size_t i = 0; i < l->n_decisions; i++) {
        pare_index decision = l->decisions[i];
        if (decision & ENDED)
            l->rounds[decision & ~ENDED].ends++;
        else
            l->taken[decision]++;
    }
    return match.status;
}

/* --- nodes ----------------------------------------------------------------------------- */

/* Learns from a node of a rule: its alternative, which the tree says, and what was decided
 * within it.  The parser has chosen the outermost alternative; only what is inside has to be
 * found. */
static pare_status take_rule(pare_weight_learning *l, const pare_parse_tree *tree, const char *text,
                             uint32_t node, pare_error *err)
{
    const pare_expr *exprs = l->grammar->exprs;
    pare_index body = l->grammar->rules[tree->nodes[node].symbol].body;
    uint32_t alternative = tree->nodes[node].alternative;
    if (body == PARE_NO_INDEX) return PARE_OK;
    if (exprs[body].kind != PARE_EXPR_CHOICE) return take_children(l, tree, text, node, body, err);
    pare_index c = exprs[body].first;
    /* The tree counts alternatives from 0, in the order of the grammar. */
    for (uint32_t i = 0; i < alternative && c != PARE_NO_INDEX; i++)
        c = exprs[c].next;
    if (c == PARE_NO_INDEX) return PARE_OK;
    l->taken[l->first[body] + alternative]++;
    return take_children(l, tree, text, node, c, err);
}

/* Counts how often a quantifier went on and how often it ended.  The first round of a PLUS is
 * no decision, and an OPTIONAL that is there has no end to decide. */
static pare_status take_quantifier(pare_weight_learning *l, const pare_parse_tree *tree,
                                   const char *text, uint32_t node, pare_error *err)
{
    const pare_parse_node *nodes = tree->nodes;
    pare_index quantifier = nodes[node].symbol;
    uint64_t n = 0;
    pare_status status = PARE_OK;
    /* A node that stands for no quantifier of the grammar, such as one put in by hand. */
    if (quantifier >= l->grammar->n_exprs) return PARE_OK;
    for (uint32_t c = node + 1; !status && c < nodes[node].after; c = nodes[c].after) {
        /* Rounds that are one symbol are nodes by themselves and are learned from there. */
        n++;
        if (nodes[c].kind == PARE_NODE_ITEM)
            status = take_children(l, tree, text, c, l->grammar->exprs[quantifier].first, err);
    }
    struct rounds *rounds = &l->rounds[quantifier];
    rounds->more += nodes[node].kind == PARE_NODE_PLUS && n ? n - 1 : n;
    rounds->ends += nodes[node].kind != PARE_NODE_OPTIONAL || !n;
    return status;
}

/* Whether a text can be a key of JSON: UTF-8 without a NUL. Binary texts are left out: JSON
 * could not hold them. */
static bool is_key(const char *text, size_t size)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text, *end = at + size;
    while (at < end) {
        utf8proc_int32_t point;
        utf8proc_ssize_t used = utf8proc_iterate(at, end - at, &point);
        if (used <= 0 || !point) return false;
        at += used;
    }
    return true;
}

/* Adds a text that was not met in this place before.  It is in l->key after its place, and the
 * copy of that key is what the index borrows. */
static pare_status add_leaf(pare_weight_learning *l, struct leaf_place place, pare_index *index,
                            pare_error *err)
{
    struct leaf *grown =
        pare_vector_grow(l->leaves, l->n_leaves, &l->leaves_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    l->leaves = grown;
    /* The key begins with the place, so that a text counts by itself in each. */
    char *key = pare_arena_text(&l->memory, l->key.data, l->key.size);
    if (!key) return pare_fail_nomem(err);
    *index = (pare_index)l->n_leaves;
    pare_status status = pare_name_index_put(&l->texts, key, l->key.size, *index, err);
    if (status) return status;
    l->leaves[l->n_leaves++] = (struct leaf){
        .place = place, .text = key + sizeof place, .size = l->key.size - sizeof place};
    return PARE_OK;
}

/* The bytes of a token.  One that the language's own scanner has put in where there is nothing but
 * white space is that: the end of a line, mostly. */
static size_t token_end(const pare_token_type *type, const pare_parse_tree *tree, const char *text,
                        const pare_parse_node *node)
{
    size_t end = node->end;
    if (node->begin < end || type->rule != PARE_NO_INDEX) return end;
    while (end < tree->size_bytes && text[end] && strchr(" \t\r\n", text[end]))
        end++;
    return end;
}

/* Counts the text of a token in its rule, unless it is too long, or its type has one text
 * only. */
static pare_status take_token(pare_weight_learning *l, const pare_parse_tree *tree,
                              const char *text, const pare_parse_node *node, pare_error *err)
{
    const pare_token_type *type = &l->grammar->tokens[node->symbol];
    uint32_t up = node->parent;
    if (l->grammar->scannerless || node->symbol == PARE_TOKEN_END || type->literal || !type->name)
        return PARE_OK;
    const size_t size = token_end(type, tree, text, node) - node->begin;
    if (!size || size > PARE_WEIGHT_LEARNING_LEAF_BYTES || !is_key(text + node->begin, size))
        return PARE_OK;
    /* Quantifiers and items between the token and its rule are none of the grammar's rules. */
    while (up != PARE_NO_NODE && tree->nodes[up].kind != PARE_NODE_RULE)
        up = tree->nodes[up].parent;
    if (up == PARE_NO_NODE) return PARE_OK;
    struct leaf_place place = {tree->nodes[up].symbol, node->symbol};
    pare_buffer_reset(&l->key);
    pare_status status = pare_buffer_add(&l->key, &place, sizeof place, err);
    if (!status) status = pare_buffer_add(&l->key, text + node->begin, size, err);
    if (status) return status;
    pare_index index = pare_name_index_find(&l->texts, l->key.data, l->key.size);
    if (index == PARE_NO_INDEX) status = add_leaf(l, place, &index, err);
    if (!status) l->leaves[index].n++;
    return status;
}

/* Opaque nodes teach nothing; what stands around them does. */
pare_status pare_weight_learning_take(pare_weight_learning *l, const pare_parse_tree *tree,
                                      const char *text, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < tree->n_nodes; i++) {
        switch (tree->nodes[i].kind) {
        case PARE_NODE_RULE: status = take_rule(l, tree, text, i, err); break;
        case PARE_NODE_TOKEN: status = take_token(l, tree, text, &tree->nodes[i], err); break;
        case PARE_NODE_OPTIONAL:
        case PARE_NODE_STAR:
        case PARE_NODE_PLUS: status = take_quantifier(l, tree, text, i, err); break;
        default: break;
        }
    }
    return status;
}

/* --- writing ------------------------------------------------------------------------------ */

/* Puts `value` (stolen; NULL: memory is out) under a name; false when memory is out.  Moves
 * the value in, also on failure. */
static bool put(json_t *object, const char *key, json_t *value)
{
    return value && json_object_set_new(object, key, value) == 0;
}

/* The same under a number. */
static bool put_numbered(json_t *object, uint32_t number, json_t *value)
{
    char key[16];
    (void)snprintf(key, sizeof key, "%u", number);
    return put(object, key, value);
}

/* The weights of an alternation; NULL when memory is out; *any is false when it was never met. */
static json_t *alternation_of(const pare_weight_learning *l, pare_index choice, bool *any)
{
    json_t *weights = json_object();
    uint32_t number = 0;
    *any = false;
    for (pare_index c = l->grammar->exprs[choice].first; c != PARE_NO_INDEX;
         c = l->grammar->exprs[c].next, number++) {
        uint64_t taken = l->taken[l->first[choice] + number];
        *any = *any || taken;
        if (weights && put_numbered(weights, number, json_integer((json_int_t)taken))) continue;
        json_decref(weights);
        return NULL;
    }
    return weights;
}

/* The alternations (or the chances of quantifiers) of a rule that were met.  A quantifier that
 * never ended is taken to have ended once: a chance of 1 would never end. */
static json_t *rule_of(const pare_weight_learning *l, pare_index rule, bool quantifiers)
{
    const pare_weights_numbered *of =
        quantifiers ? &l->numbering.quantifiers[rule] : &l->numbering.alternations[rule];
    json_t *object = json_object();
    for (uint32_t i = 0; object && i < of->n; i++) {
        pare_index expr = l->numbering.exprs[of->first + i];
        const struct rounds *rounds = &l->rounds[expr];
        bool any = quantifiers && rounds->more + rounds->ends;
        uint64_t ends = rounds->ends ? rounds->ends : 1;
        /* All alternations that were met are written, an alternative that was never taken with
         * the weight 0. */
        json_t *value = quantifiers
                            ? json_real((double)rounds->more / (double)(rounds->more + ends))
                            : alternation_of(l, expr, &any);
        if (value && !any) {
            json_decref(value);
            continue;
        }
        if (put_numbered(object, i, value)) continue;
        json_decref(object);
        object = NULL;
    }
    return object;
}

/* What was learned of all rules: alternations, or quantifiers. */
static json_t *rules_of(const pare_weight_learning *l, bool quantifiers)
{
    json_t *object = json_object();
    for (pare_index rule = 0; object && rule < l->grammar->n_rules; rule++) {
        json_t *of = rule_of(l, rule, quantifiers);
        if (of && !json_object_size(of)) {
            json_decref(of);
            continue;
        }
        if (put(object, l->grammar->rules[rule].name, of)) continue;
        json_decref(object);
        object = NULL;
    }
    return object;
}

/* In the order of the grammar: by rule, then by token. */
static int compare_places(const struct leaf *a, const struct leaf *b)
{
    if (a->place.rule != b->place.rule) return a->place.rule < b->place.rule ? -1 : 1;
    if (a->place.token != b->place.token) return a->place.token < b->place.token ? -1 : 1;
    return 0;
}

/* By place, then the most frequent first, then by text.  Ties go by text, so that the model is
 * the same bytes whatever the order of the files. */
static int compare(const void *a, const void *b)
{
    const struct leaf *x = *(const struct leaf *const *)a, *y = *(const struct leaf *const *)b;
    int places = compare_places(x, y);
    if (places) return places;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* The leaves order[0 .. n-1], all of one place.  JSON objects keep the order in which keys
 * were put. */
static json_t *texts_of(const struct leaf *const *order, size_t n)
{
    json_t *object = json_object();
    for (size_t i = 0; object && i < n; i++) {
        if (put(object, order[i]->text, json_integer((json_int_t)order[i]->n))) continue;
        json_decref(object);
        object = NULL;
    }
    return object;
}

/* The texts of the tokens of one rule, which order[0 .. n-1] are. */
static json_t *rule_leaves_of(const pare_weight_learning *l, const struct leaf *const *order,
                              size_t n, size_t max_leaves)
{
    json_t *object = json_object();
    for (size_t i = 0, after = 0; object && i < n; i = after) {
        for (after = i; after < n && compare_places(order[after], order[i]) == 0;)
            after++;
        size_t kept = after - i < max_leaves ? after - i : max_leaves;
        if (put(object, l->grammar->tokens[order[i]->place.token].name, texts_of(order + i, kept)))
            continue;
        json_decref(object);
        object = NULL;
    }
    return object;
}

/* The texts of tokens: of each place the most frequent ones. */
static json_t *leaves_of(const pare_weight_learning *l, size_t max_leaves)
{
    size_t n = l->n_leaves, after;
    const struct leaf **order = pare_alloc(n, sizeof(const struct leaf *));
    json_t *object = order ? json_object() : NULL;
    for (size_t i = 0; order && i < n; i++)
        order[i] = &l->leaves[i];
    if (order) qsort(order, n, sizeof(const struct leaf *), compare);
    /* Sorted by place, the texts of a rule stand in one run. */
    for (size_t i = 0; object && i < n; i = after) {
        pare_index rule = order[i]->place.rule;
        for (after = i; after < n && order[after]->place.rule == rule;)
            after++;
        if (put(object, l->grammar->rules[rule].name,
                rule_leaves_of(l, order + i, after - i, max_leaves)))
            continue;
        json_decref(object);
        object = NULL;
    }
    pare_alloc_free(order);
    return object;
}

/* A dump callback of jansson's. */
static int add_bytes(const char *bytes, size_t size, void *buffer)
{
    return pare_buffer_add(buffer, bytes, size, NULL) ? -1 : 0;
}

/* JSON with an indent of one, so that two models can be compared by lines. */
pare_status pare_weight_learning_write(const pare_weight_learning *l, size_t max_leaves,
                                       pare_buffer *json, pare_error *err)
{
    json_t *root = json_object();
    /* A failure here can only be a lack of memory: everything else was checked when it was
     * learned. */
    bool made = root && put(root, "alts", rules_of(l, false)) &&
                put(root, "quants", rules_of(l, true)) &&
                put(root, "leaves", leaves_of(l, max_leaves)) &&
                json_dump_callback(root, add_bytes, json,
                                   JSON_INDENT(1) | JSON_REAL_PRECISION(PRECISION)) == 0;
    json_decref(root);
    return made ? pare_buffer_text(json, "\n", err) : pare_fail_nomem(err);
}

/* --- life ----------------------------------------------------------------------------------- */

/* Makes the counters: `first` numbers the alternatives of all choices in one row.
 * O(expressions). */
static pare_status allocate(pare_weight_learning *l, pare_error *err)
{
    const pare_grammar *grammar = l->grammar;
    uint32_t n = 0;
    l->first = pare_alloc_zero(grammar->n_exprs, sizeof *l->first);
    l->rounds = pare_alloc_zero(grammar->n_exprs, sizeof *l->rounds);
    if (!l->first || !l->rounds) return pare_fail_nomem(err);
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        if (grammar->exprs[i].kind != PARE_EXPR_CHOICE) continue;
        /* Choices share one array, each with a stretch of its own. */
        l->first[i] = n;
        for (pare_index c = grammar->exprs[i].first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            n++;
    }
    l->taken = pare_alloc_zero(n, sizeof *l->taken);
    return l->taken ? PARE_OK : pare_fail_nomem(err);
}

/* Counters are arrays by expression, so that counting is an addition. */
pare_status pare_weight_learning_new(const pare_grammar *grammar, pare_weight_learning **out,
                                     pare_error *err)
{
    pare_weight_learning *l = pare_alloc_zero(1, sizeof *l);
    if (!l) return pare_fail_nomem(err);
    l->grammar = grammar;
    pare_status status = pare_weights_numbering_init(&l->numbering, grammar, err);
    if (!status) status = allocate(l, err);
    if (status) {
        pare_weight_learning_free(l);
        return status;
    }
    *out = l;
    return PARE_OK;
}

/* The grammar is borrowed. */
void pare_weight_learning_free(pare_weight_learning *l)
{
    if (!l) return;
    pare_weights_numbering_done(&l->numbering);
    pare_alloc_free(l->first);
    pare_alloc_free(l->taken);
    pare_alloc_free(l->rounds);
    pare_name_index_done(&l->texts);
    pare_alloc_free(l->leaves);
    pare_arena_done(&l->memory);
    pare_buffer_done(&l->key);
    pare_alloc_free(l->decisions);
    pare_alloc_free(l);
}

/* --- <pare/learn.h> ----------------------------------------------------------------------- */

enum { MAX_LEAVES = 256 };

/* A call of pare_learn. */
struct learner {
    pare_grammar *grammar;
    pare_parser *parser;
    pare_language_grammar of_language; /* in the place of these, with a language */
    pare_language_reader *language;
    pare_text_reader reader;
    pare_weight_learning *learning;
    pare_learned *learned;
};

/* The model came from a buffer, whose bytes it took over. */
void pare_learned_done(pare_learned *learned)
{
    pare_alloc_free(learned->model);
    *learned = (pare_learned){0};
}

/* A pare_population_take: learns from one file.  What parses of it counts, errors or not. */
static pare_status learn_text(void *context, pare_buffer *text, pare_error *err)
{
    const struct learner *learner = context;
    pare_parse_tree tree = {0};
    const char *bytes = text->size ? text->data : "";
    bool in_language = false;
    pare_status status =
        learner->reader.read(learner->reader.self, bytes, text->size, &tree, &in_language, err);
    if (!status) status = pare_weight_learning_take(learner->learning, &tree, bytes, err);
    if (!status) {
        /* A file with an error is counted twice: as a file, and as one with an error. */
        learner->learned->n_files++;
        learner->learned->n_errors += tree.error.any;
    }
    pare_parse_tree_done(&tree);
    return status;
}

/* Writes the model into the result, which owns it from now on. */
static pare_status store(const struct learner *learner, size_t max_leaves, pare_error *err)
{
    pare_buffer json = {0};
    assert(learner->learned->n_errors <= learner->learned->n_files);
    if (!learner->learned->n_files)
        return pare_fail(err, PARE_E_STATE, "there is no file to learn from");
    /* 0 asks for the usual number of texts. */
    pare_status status = pare_weight_learning_write(
        learner->learning, max_leaves ? max_leaves : MAX_LEAVES, &json, err);
    if (status) {
        pare_buffer_done(&json);
        return status;
    }
    learner->learned->model = json.data;
    learner->learned->size_bytes = json.size;
    return PARE_OK;
}

/* Opens a parser of ours, by the grammar's files. */
static pare_status open_grammar(struct learner *learner, const pare_learn_options *options,
                                const pare_grammar **grammar, pare_error *err)
{
    pare_index start;
    if (!options->n_grammars) return pare_fail(err, PARE_E_ARG, "a grammar is needed");
    pare_status status = pare_grammar_file_open(options->grammars, options->n_grammars,
                                                options->start, &learner->grammar, &start, err);
    if (!status) status = pare_parser_new(learner->grammar, start, &learner->parser, err);
    if (status) return status;
    *grammar = learner->grammar;
    learner->reader = pare_parser_reader(learner->parser);
    return PARE_OK;
}

/* Opens the language's parser, which knows one start rule only. */
static pare_status open_language(struct learner *learner, const pare_learn_options *options,
                                 const pare_grammar **grammar, pare_error *err)
{
    if (options->n_grammars)
        return pare_fail(err, PARE_E_ARG, "a grammar and a language exclude each other");
    if (options->start)
        return pare_fail(err, PARE_E_ARG, "a start rule is for a grammar, not for a language");
    pare_status status =
        pare_language_grammar_read(options->language, NULL, 0, &learner->of_language, err);
    if (!status) status = pare_language_reader_new(&learner->of_language, &learner->language, err);
    if (status) return status;
    *grammar = learner->of_language.from.grammar;
    learner->reader = pare_language_reader_of(learner->language);
    return PARE_OK;
}

/* Reads the grammar and all files, one after the other, and writes what was learned.  A file
 * that cannot be read ends the learning: a model of half a corpus would not say so. */
static pare_status learn(const pare_learn_options *options, pare_learned *learned, pare_error *err)
{
    struct learner learner = {.learned = learned};
    const pare_grammar *grammar = NULL;
    pare_status status = options->language ? open_language(&learner, options, &grammar, err)
                                           : open_grammar(&learner, options, &grammar, err);
    if (!status) status = pare_weight_learning_new(grammar, &learner.learning, err);
    for (size_t i = 0; !status && i < options->n_paths; i++)
        status = pare_population_read(options->paths[i], learn_text, &learner, err);
    if (!status) status = store(&learner, options->max_leaves, err);
    pare_weight_learning_free(learner.learning);
    pare_parser_free(learner.parser);
    pare_grammar_free(learner.grammar);
    pare_language_reader_free(learner.language);
    pare_language_grammar_done(&learner.of_language);
    return status;
}

/* Options may be of an older version of the library, with fewer fields (base/sized.h). */
pare_status pare_learn_sized(const pare_learn_options *options, size_t options_bytes,
                             pare_learned *learned, pare_error *err)
{
    pare_learn_options own;
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to learn", err);
    return status ? status : learn(&own, learned, err);
}
