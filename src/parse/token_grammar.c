/* What a grammar says about the inside of its tokens, with the lexer as the judge.
 *
 * The tree of a token: matching with all ends remembered, then one walk down.  The ends of an
 * expression at a position are the set of positions where what it matches from there may end;
 * each is worked out once.  Of a sequence, also the ends of all its operands from one on.  The
 * walk then always knows whether what it takes leaves a rest that fits, so it never goes back.
 * Both recur for what is nested in the rule, to a limited depth.
 *
 * Simplest texts are written by a walk over the minimal picks.  Whether a token may be
 * replaced is asked of the lexer itself: the tokens around it must come out as before, which
 * no rule of thumb about neighbours decides right (a keyword may appear, a comment may begin).
 * Only the surroundings are lexed, so a question costs a few dozen bytes, not the text.
 *
 * Source of the ends: Ford, "Packrat parsing", ICFP 2002, with sets in place of single ends. */

#include "parse/token_grammar.h"

#include <assert.h>
#include <string.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"
#include "grammar/unicode.h"
#include "parse/code_point.h"
#include "parse/lexer.h"
#include "text/order.h"

/* --- matching ---------------------------------------------------------------- */

enum {
    MOST = PARE_TOKEN_TREE_CHARACTERS,
    N_WORDS = MOST / 64 + 1,
    MOST_ENTRIES = 1 << 18,
    NOT_KNOWN = UINT32_MAX
};

/* A set of positions, 0 .. MOST. Of fixed size, so that sets are passed by value: MOST is
 * small. */
struct ends {
    uint64_t words[N_WORDS];
};

/* What is known so far: where an expression that begins at a position may end, or the rest of a
 * sequence that does. One table for both, told apart by the key. */
struct entry {
    uint64_t key;
    struct ends ends;
};

/* One attempt to match one token by one rule. About ten kilobytes, allocated for each token that is
 * read. */
struct matcher {
    const pare_grammar *grammar;
    uint32_t points[MOST], at[MOST + 1]; /* characters, and the bytes where they begin */
    size_t n;
    struct entry *entries; /* owned */
    size_t n_entries, entries_capacity;
    pare_hash_index index; /* of the entries, by key */
    unsigned depth;
    bool any_case; /* of literals of the rule at hand */
    bool too_much, no_memory;
    pare_token_tree *tree;
};

/* Whether a match may end at character `at`. */
static bool has(const struct ends *ends, size_t at)
{
    return ends->words[at / 64] >> (at % 64) & 1;
}

/* Notes that a match may end there. */
static void add(struct ends *ends, size_t at)
{
    ends->words[at / 64] |= (uint64_t)1 << (at % 64);
}

/* Union; both sets are of the same length. */
static void add_all(struct ends *ends, const struct ends *more)
{
    for (size_t i = 0; i < N_WORDS; i++)
        ends->words[i] |= more->words[i];
}

/* --- what is known already --------------------------------------------------------- */

/* The entry of `key`, made with no ends if it was not there; *known says which.  NOT_KNOWN:
 * there is no room for it, which the matcher has noted.  The number of entries is bounded, so
 * a rule that is ambiguous in the extreme costs bounded time and no answer. */
static uint32_t entry_of(struct matcher *m, uint64_t key, bool *known)
{
    uint32_t at;
    pare_hash_probe probe = pare_hash_index_probe(&m->index, key);
    *known = true;
    while (pare_hash_index_next(&m->index, &probe, &at))
        if (m->entries[at].key == key) return at;
    *known = false;
    struct entry *entries =
        pare_vector_grow(m->entries, m->n_entries, &m->entries_capacity, sizeof *entries);
    m->no_memory = m->no_memory || !entries;
    m->too_much = m->too_much || m->n_entries == MOST_ENTRIES;
    if (entries) m->entries = entries;
    if (!entries || m->too_much) return NOT_KNOWN;
    if (pare_hash_index_add(&m->index, key, (uint32_t)m->n_entries, NULL)) {
        m->no_memory = true;
        return NOT_KNOWN;
    }
    entries[m->n_entries] = (struct entry){.key = key};
    return (uint32_t)m->n_entries++;
}

/* --- ends ---------------------------------------------------------------------------- */

static struct ends ends_of(struct matcher *m, pare_index expr, size_t at);

/* For tokens that ignore case, which are compared in lower case. */
static utf8proc_int32_t lower(uint32_t point)
{
    return utf8proc_tolower((utf8proc_int32_t)point);
}

/* Whether the literal stands at `at`.  Case is folded by the simple lower case of each
 * character, as in the lexer's automaton. */
static bool matches_literal(const struct matcher *m, const pare_expr *e, size_t at)
{
    if (e->text.size > m->n - at) return false;
    for (uint32_t i = 0; i < e->text.size; i++) {
        uint32_t wanted = m->grammar->code_points[e->text.offset + i], given = m->points[at + i];
        if (wanted != given && !(m->any_case && lower(wanted) == lower(given))) return false;
    }
    return true;
}

/* Where all operands from `first` on, one after the other, may end.  Sequences are worked out
 * from the right: the ends of the rest are asked for once for each end of the first operand.  That
 * recurs for each operand, so their number is bounded as the depth is. */
static struct ends ends_of_rest(struct matcher *m, pare_index first, size_t at)
{
    bool known;
    struct ends none = {{0}};
    pare_index next = m->grammar->exprs[first].next;
    if (next == PARE_NO_INDEX) return ends_of(m, first, at);
    m->too_much = m->too_much || m->depth == PARE_TOKEN_TREE_DEPTH;
    if (m->too_much || m->no_memory) return none;
    /* Keys of rests have odd factors, those of expressions even ones. */
    uint32_t entry = entry_of(m, ((uint64_t)first * 2 + 1) * (MOST + 1) + at, &known);
    if (entry == NOT_KNOWN) return none;
    if (known) return m->entries[entry].ends;
    struct ends here = ends_of(m, first, at), all = {{0}};
    m->depth++;
    for (size_t i = at; i <= m->n; i++) {
        if (!has(&here, i)) continue;
        struct ends more = ends_of_rest(m, next, i);
        add_all(&all, &more);
    }
    m->depth--;
    /* By its index: the array may have grown meanwhile. */
    m->entries[entry].ends = all;
    return all;
}

/* Adds the ends of any number of further rounds of `body`, from each of `ends` on.  Ends
 * ascend, so one pass finds those that come in on the way.  An empty round adds nothing, so
 * the loop ends. */
static struct ends ends_of_rounds(struct matcher *m, pare_index body, struct ends ends, size_t at)
{
    for (size_t i = at; i <= m->n; i++) {
        if (!has(&ends, i)) continue;
        struct ends more = ends_of(m, body, i);
        add_all(&ends, &more);
    }
    return ends;
}

/* Ends of a rule's body.  Whether case matters is a property of the rule that a literal stands
 * in.  Recursion of lexer rules (nested comments) goes through here; its depth is bounded in
 * ends_of. */
static struct ends ends_of_rule(struct matcher *m, pare_index rule, size_t at)
{
    bool any_case = m->any_case;
    m->any_case = m->grammar->rules[rule].ignore_case;
    struct ends ends = ends_of(m, m->grammar->rules[rule].body, at);
    m->any_case = any_case;
    return ends;
}

/* The ends of one expression from `at` on, by its kind.  Those of its operands are remembered,
 * so each pair of expression and position is worked out once. */
static struct ends work_out(struct matcher *m, const pare_expr *e, size_t at)
{
    struct ends ends = {{0}};
    switch (e->kind) {
    case PARE_EXPR_EMPTY: add(&ends, at); break;
    case PARE_EXPR_END:
        if (at == m->n) add(&ends, at);
        break;
    case PARE_EXPR_SET:
        if (at < m->n &&
            pare_intervals_have(m->grammar->intervals, m->grammar->sets[e->set], m->points[at]))
            add(&ends, at + 1);
        break;
    case PARE_EXPR_ANY:
        if (at < m->n) add(&ends, at + 1);
        break;
    case PARE_EXPR_LITERAL:
        if (matches_literal(m, e, at)) add(&ends, at + e->text.size);
        break;
    case PARE_EXPR_RULE: return ends_of_rule(m, e->rule, at);
    case PARE_EXPR_SEQUENCE: return ends_of_rest(m, e->first, at);
    case PARE_EXPR_CHOICE:
        for (pare_index c = e->first; c != PARE_NO_INDEX; c = m->grammar->exprs[c].next) {
            struct ends more = ends_of(m, c, at);
            add_all(&ends, &more);
        }
        break;
    case PARE_EXPR_OPTIONAL:
        ends = ends_of(m, e->first, at);
        add(&ends, at);
        break;
    case PARE_EXPR_STAR: add(&ends, at); return ends_of_rounds(m, e->first, ends, at);
    case PARE_EXPR_PLUS: return ends_of_rounds(m, e->first, ends_of(m, e->first, at), at);
    case PARE_EXPR_TOKEN: break;
    }
    return ends;
}

/* The ends of an expression from `at` on, worked out or remembered.  While they are being
 * worked out they are remembered as none: a rule that begins with itself is taken not to match
 * there. */
static struct ends ends_of(struct matcher *m, pare_index expr, size_t at)
{
    bool known;
    struct ends none = {{0}};
    const pare_expr *e = &m->grammar->exprs[expr];
    m->too_much = m->too_much || m->depth == PARE_TOKEN_TREE_DEPTH;
    if (m->too_much || m->no_memory) return none;
    uint32_t entry = entry_of(m, (uint64_t)expr * 2 * (MOST + 1) + at, &known);
    if (entry == NOT_KNOWN) return none;
    if (known) return m->entries[entry].ends;
    m->depth++;
    struct ends ends = work_out(m, e, at);
    m->depth--;
    m->entries[entry].ends = ends;
    return ends;
}

/* --- the tree ------------------------------------------------------------------------ */

/* Nodes within nodes recur through this one. */
static void build(struct matcher *m, pare_index expr, size_t from, size_t to);

/* Whether the expression may match from .. to.  After the first question all others about this
 * text are look-ups. */
static bool reaches(struct matcher *m, pare_index expr, size_t from, size_t to)
{
    struct ends ends = ends_of(m, expr, from);
    return has(&ends, to);
}

/* Whether what follows `first` in its sequence can match the characters from .. to-1. */
static bool rest_reaches(struct matcher *m, pare_index first, size_t from, size_t to)
{
    struct ends ends = ends_of_rest(m, first, from);
    return has(&ends, to);
}

/* Where the operand ends, so that those after it end at `to`: as late as possible, or as early
 * as possible if it is lazy.  Greedy and lazy mean here what they mean in ANTLR; the length of
 * the whole token is given, so they only say how it is divided. */
static size_t end_of_operand(struct matcher *m, pare_index operand, size_t from, size_t to)
{
    const pare_expr *e = &m->grammar->exprs[operand];
    struct ends ends = ends_of(m, operand, from);
    size_t best = from;
    /* The last one takes what is left. */
    if (e->next == PARE_NO_INDEX) return to;
    for (size_t i = from; i <= to; i++) {
        if (!has(&ends, i) || !rest_reaches(m, e->next, i, to)) continue;
        best = i;
        if (e->lazy) break;
    }
    return best;
}

/* Builds the operands, each of which takes as much as leaves a rest that fits. */
static void build_operands(struct matcher *m, pare_index first, size_t from, size_t to)
{
    for (pare_index c = first; c != PARE_NO_INDEX; c = m->grammar->exprs[c].next) {
        size_t end = end_of_operand(m, c, from, to);
        build(m, c, from, end);
        from = end;
    }
}

/* Builds rounds that are as long as they can be.  None is empty, but for the only one of a
 * plus that matches nothing.  O(length) questions for each round. */
static void build_rounds(struct matcher *m, pare_index expr, size_t from, size_t to)
{
    const pare_expr *e = &m->grammar->exprs[expr];
    if (from == to && e->kind == PARE_EXPR_PLUS) build(m, e->first, from, to);
    while (from < to) {
        struct ends ends = ends_of(m, e->first, from);
        size_t end = to;
        while (end > from && !(has(&ends, end) && (end == to || reaches(m, expr, end, to))))
            end--;
        m->too_much = m->too_much || end == from; /* cannot be: it was found to match */
        if (m->too_much) return;
        build(m, e->first, from, end);
        from = end;
    }
}

/* Builds the first alternative that reaches the end, as ANTLR's lexer prefers it among equal
 * lengths. */
static void build_choice(struct matcher *m, pare_index first, size_t from, size_t to)
{
    for (pare_index c = first; c != PARE_NO_INDEX; c = m->grammar->exprs[c].next) {
        if (!reaches(m, c, from, to)) continue;
        build(m, c, from, to);
        return;
    }
}

/* The node of a use has the body's node below it. */
static void build_rule(struct matcher *m, pare_index rule, size_t from, size_t to)
{
    bool any_case = m->any_case;
    m->any_case = m->grammar->rules[rule].ignore_case;
    build(m, m->grammar->rules[rule].body, from, to);
    m->any_case = any_case;
}

/* Adds the node of an expression that matches from .. to, and those below it.  The ends are
 * known, so there is no going back; recursion is bounded by PARE_TOKEN_TREE_DEPTH. */
static void build(struct matcher *m, pare_index expr, size_t from, size_t to)
{
    const pare_expr *e = &m->grammar->exprs[expr];
    pare_token_tree *tree = m->tree;
    m->too_much = m->too_much || m->depth == PARE_TOKEN_TREE_DEPTH;
    if (m->too_much || m->no_memory) return;
    pare_token_node *nodes =
        pare_vector_reserve(tree->nodes, &tree->capacity, tree->n + 1, sizeof *nodes);
    m->no_memory = !nodes;
    if (!nodes) return;
    tree->nodes = nodes;
    size_t index = tree->n++;
    nodes[index] = (pare_token_node){.expr = expr, .begin = m->at[from], .end = m->at[to]};
    m->depth++;
    if (e->kind == PARE_EXPR_SEQUENCE) build_operands(m, e->first, from, to);
    if (e->kind == PARE_EXPR_CHOICE) build_choice(m, e->first, from, to);
    if (e->kind == PARE_EXPR_RULE) build_rule(m, e->rule, from, to);
    if (e->kind == PARE_EXPR_OPTIONAL && from < to) build(m, e->first, from, to);
    if (e->kind == PARE_EXPR_STAR || e->kind == PARE_EXPR_PLUS) build_rounds(m, expr, from, to);
    m->depth--;
    /* By index and not by `nodes`, since the array may have moved. */
    tree->nodes[index].after = (uint32_t)tree->n;
}

/* Splits the text into characters; false when there are more than MOST. Malformed bytes are
 * U+FFFD and one byte long. */
static bool take(struct matcher *m, const char *text, size_t size)
{
    size_t at = 0;
    for (m->n = 0; at < size; m->n++) {
        if (m->n == MOST) return false;
        m->at[m->n] = (uint32_t)at;
        at += pare_code_point_decode(text + at, size - at, &m->points[m->n]);
    }
    m->at[m->n] = (uint32_t)at;
    return true;
}

void pare_token_grammar_tree_done(pare_token_tree *tree)
{
    pare_alloc_free(tree->nodes);
    *tree = (pare_token_tree){.n = 0};
}

/* Matches, then builds the tree.  The matcher is large (arrays for each character), so it is
 * not on the stack. */
pare_status pare_token_grammar_read(const pare_grammar *grammar, pare_index rule, const char *text,
                                    size_t size, pare_token_tree *tree, pare_error *err)
{
    struct matcher *m = pare_alloc_zero(1, sizeof *m);
    tree->n = 0;
    bool matched = false;
    if (m && take(m, text, size)) {
        m->grammar = grammar;
        m->tree = tree;
        m->any_case = grammar->rules[rule].ignore_case;
        if (reaches(m, grammar->rules[rule].body, 0, m->n))
            build(m, grammar->rules[rule].body, 0, m->n);
        matched = tree->n && !m->too_much && !m->no_memory;
    }
    bool no_memory = !m || m->no_memory;
    if (m) pare_alloc_free(m->entries);
    if (m) pare_hash_index_done(&m->index);
    pare_alloc_free(m);
    /* A tree that was given up half way has nodes. */
    if (!matched) tree->n = 0;
    if (!no_memory) return PARE_OK;
    pare_token_grammar_tree_done(tree);
    return pare_fail_nomem(err);
}

struct pare_token_grammar {
    const pare_minimal_texts *minimal;
    const pare_grammar *grammar;
    pare_lexer *lexer;         /* owned */
    pare_tokens before, after; /* of the last two texts */
    pare_buffer bytes;
};

enum { DEEPEST = 256, N_ASCII = 128 };

/* Needs a lexer, so a grammar without one has no token grammar. */
pare_status pare_token_grammar_new(const pare_minimal_texts *minimal, pare_token_grammar **out,
                                   pare_error *err)
{
    pare_token_grammar *rules = pare_alloc_zero(1, sizeof *rules);
    if (!rules) return pare_fail_nomem(err);
    rules->minimal = minimal;
    rules->grammar = minimal->analysis->grammar;
    pare_status status = pare_lexer_new(rules->grammar, &rules->lexer, err);
    if (status)
        pare_token_grammar_free(rules);
    else
        *out = rules;
    return status;
}

void pare_token_grammar_free(pare_token_grammar *rules)
{
    if (!rules) return;
    pare_lexer_free(rules->lexer);
    pare_lexer_tokens_done(&rules->before);
    pare_lexer_tokens_done(&rules->after);
    pare_buffer_done(&rules->bytes);
    pare_alloc_free(rules);
}

const pare_grammar *pare_token_grammar_grammar(const pare_token_grammar *rules)
{
    return rules->grammar;
}

/* --- trees --------------------------------------------------------------------------- */

/* Whether the rule gives its tokens that type: its own, or by a command.  A type may be made
 * by several rules: its own and others by `type(...)`. */
static bool makes(const pare_grammar *grammar, const pare_rule *rule, pare_index token)
{
    if (rule->kind != PARE_RULE_LEXER) return false;
    if (rule->token == token) return true;
    for (uint32_t i = 0; i < rule->n_commands; i++) {
        const pare_lexer_command *command = &grammar->commands[rule->first_command + i];
        if (command->kind == PARE_LEXER_TYPE && command->value == token) return true;
    }
    return false;
}

/* Rules are tried in their order, which is the lexer's preference among equal lengths.
 * O(rules) for each token, which is little beside the matching. */
pare_status pare_token_grammar_tree(const pare_token_grammar *rules, pare_index token,
                                    const char *text, size_t size, pare_token_tree *tree,
                                    pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    pare_status status = PARE_OK;
    tree->n = 0;
    for (pare_index i = 0; !status && tree->n == 0 && i < grammar->n_rules; i++)
        if (makes(grammar, &grammar->rules[i], token))
            status = pare_token_grammar_read(grammar, i, text, size, tree, err);
    return status;
}

/* --- texts --------------------------------------------------------------------------- */

/* Digit, small letter, capital letter, or anything else.  A replacement keeps the kind of
 * character where it can: names stay names to the eye. */
static int kind_of(uint32_t point)
{
    if (point >= '0' && point <= '9') return 0;
    if (point >= 'a' && point <= 'z') return 1;
    return point >= 'A' && point <= 'Z' ? 2 : 3;
}

/* 128 look-ups; the order is that of text/order.h, by which results are compared. */
uint32_t pare_token_grammar_simplest(const pare_token_grammar *rules, pare_index expr,
                                     uint32_t like)
{
    const pare_grammar *grammar = rules->grammar;
    const pare_expr *e = &grammar->exprs[expr];
    uint32_t best = PARE_NO_INDEX;
    for (uint32_t point = 0; point < N_ASCII; point++) {
        unsigned rank = pare_order_byte_rank((unsigned char)point);
        if (like != PARE_NO_INDEX && kind_of(point) != kind_of(like)) continue;
        if (e->kind != PARE_EXPR_ANY &&
            !pare_intervals_have(grammar->intervals, grammar->sets[e->set], point))
            continue;
        if (best == PARE_NO_INDEX || rank < pare_order_byte_rank((unsigned char)best)) best = point;
    }
    return best;
}

/* Appends the simplest character of the set: an ASCII one, or the first it has.  A set without
 * a character adds nothing. */
static pare_status spell_set(const pare_token_grammar *rules, pare_index expr, pare_buffer *text,
                             pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    uint32_t point = pare_token_grammar_simplest(rules, expr, PARE_NO_INDEX);
    if (point == PARE_NO_INDEX) {
        const pare_set *set = &grammar->sets[grammar->exprs[expr].set];
        if (!set->n) return PARE_OK;
        point = grammar->intervals[set->first].from;
    }
    return pare_unicode_append(text, point, err);
}

/* Appends the simplest text of an expression; *spelled becomes false when it is nested too
 * deeply.  It recurs as deep as the rules call one another on the way to their shortest texts,
 * on which no rule calls itself. */
static pare_status spell(const pare_token_grammar *rules, pare_index expr, unsigned depth,
                         pare_buffer *text, bool *spelled, pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    const pare_expr *e = &grammar->exprs[expr];
    pare_status status = PARE_OK;
    if (depth == DEEPEST) *spelled = false;
    if (!*spelled || rules->minimal->exprs[expr].size_bytes == 0) return PARE_OK;
    switch (e->kind) {
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY: return spell_set(rules, expr, text, err);
    case PARE_EXPR_LITERAL:
        for (uint32_t i = 0; !status && i < e->text.size; i++)
            status = pare_unicode_append(text, grammar->code_points[e->text.offset + i], err);
        return status;
    case PARE_EXPR_SEQUENCE:
        for (pare_index c = e->first; !status && c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            status = spell(rules, c, depth + 1, text, spelled, err);
        return status;
    case PARE_EXPR_CHOICE:
        return spell(rules, rules->minimal->exprs[expr].pick, depth + 1, text, spelled, err);
    case PARE_EXPR_RULE:
        return spell(rules, grammar->rules[e->rule].body, depth + 1, text, spelled, err);
    case PARE_EXPR_PLUS: return spell(rules, e->first, depth + 1, text, spelled, err);
    /* At their shortest these have no text. */
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
    case PARE_EXPR_EMPTY:
    case PARE_EXPR_END:
    case PARE_EXPR_TOKEN: break;
    }
    return PARE_OK;
}

/* Appends a text that the expression matches; on failure, or if it has none that is short enough,
 * *text is as it was. */
pare_status pare_token_grammar_spell(const pare_token_grammar *rules, pare_index expr,
                                     pare_buffer *text, bool *spelled, pare_error *err)
{
    size_t before = text->size;
    /* A longer text could not be read back into a tree. */
    *spelled = rules->minimal->exprs[expr].size_bytes <= PARE_TOKEN_TREE_CHARACTERS;
    pare_status status = spell(rules, expr, 0, text, spelled, err);
    if (text->size > before && (status || !*spelled)) text->size = before;
    return status;
}

/* --- the lexer ----------------------------------------------------------------------- */

/* Lexes the surroundings with `text` in the token's place, from the mode in which the first
 * token begins.  The surroundings are some dozen bytes, so the cost does not depend on the
 * text. */
static pare_status lex(pare_token_grammar *rules, const pare_token_place *place, const char *text,
                       size_t size, pare_tokens *tokens, pare_error *err)
{
    pare_buffer *bytes = &rules->bytes;
    pare_error limit = {.status = PARE_OK};
    pare_index mode =
        pare_minimal_mode(rules->minimal, place->before_size ? place->before_token : place->token);
    pare_buffer_reset(bytes);
    tokens->n = tokens->n_errors = 0;
    pare_status status = pare_buffer_add(bytes, place->before, place->before_size, err);
    if (!status) status = pare_buffer_add(bytes, text, size, err);
    if (!status) status = pare_buffer_add(bytes, place->after, place->after_size, err);
    if (status) return status;
    status = pare_lexer_run(rules->lexer, mode, bytes->data, bytes->size, tokens, &limit);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    return PARE_OK; /* beyond its limits there are no tokens */
}

/* Whether `b` is the token `a`, if all that comes after byte `from` has moved to the front by
 * `by` bytes.  Only what comes after the token moves. */
static bool is_moved(pare_token a, pare_token b, size_t from, size_t by)
{
    bool begin = a.begin > from ? b.begin + by == a.begin : b.begin == a.begin;
    bool end = a.end > from ? b.end + by == a.end : b.end == a.end;
    return a.type == b.type && a.channel == b.channel && begin && end;
}

/* Lexes the surroundings with the old text and with the new one, and compares the tokens one
 * by one.  The token must come out as one of its type, since it may not have been read so even
 * before.  Two runs of the lexer for a question. */
pare_status pare_token_grammar_keep(pare_token_grammar *rules, const pare_token_place *place,
                                    const char *text, size_t size, bool *kept, pare_error *err)
{
    bool found = false;
    *kept = false;
    assert(place->token < rules->grammar->n_tokens);
    /* Texts only shrink, and a token has at least one byte. */
    if (!size || size > place->size) return PARE_OK;
    pare_status status = lex(rules, place, place->text, place->size, &rules->before, err);
    if (!status) status = lex(rules, place, text, size, &rules->after, err);
    if (status || rules->before.n != rules->after.n) return status;
    for (size_t i = 0; i < rules->before.n; i++) {
        pare_token a = rules->before.tokens[i], b = rules->after.tokens[i];
        if (!is_moved(a, b, place->before_size, place->size - size)) return PARE_OK;
        found = found || (a.type == place->token && a.begin == place->before_size &&
                          a.end == place->before_size + place->size);
    }
    *kept = found;
    return PARE_OK;
}
