/* Lays out a grammar for generation: lexer rules for tokens, character sets, least sizes,
 * alternatives in order of size.
 *
 * The children of an expression come before it, so one pass computes a rule from the sizes of
 * others; passes are repeated until nothing becomes smaller, at most as often as rules nest.  Sizes
 * only decrease from "no finite text", so this ends at the least fixpoint.  Invariant: the
 * alternatives of a choice have finite texts and ascend in size, so alternative 0 always leads to
 * an end.
 *
 * Why a table: the deriver asks for each choice which alternatives still fit the limits; with
 * sizes and orders worked out once, the answer is a comparison. */
#include "generate/expansion_table.h"

#include <assert.h>
#include <string.h>

#include <utf8proc.h>

#include "base/fail.h"
#include "base/halving.h"

static const double FRESH = 0.1;

enum { PLAIN_FIRST = ' ', PLAIN_LAST = '~', SURROGATE_FIRST = 0xD800, SURROGATE_LAST = 0xDFFF };

/* What is being laid out. */
struct layout {
    pare_expansion_table *table;
    const pare_grammar *grammar;
    pare_error *err;
};

/* Zeroed memory of the table, for `n` items; NULL when memory is out.  Zeroed: counts and
 * offsets begin at 0. */
static void *take(struct layout *layout, size_t n, size_t size)
{
    void *block = pare_arena_alloc(&layout->table->memory, n * size + 1);
    if (block) memset(block, 0, n * size);
    return block;
}

/* --- rules and expressions ----------------------------------------------------- */

/* Notes the rule of each expression: bodies first, then, from the last expression to the
 * first, children get their parent's, since they stand before it.  An expression of no rule is
 * left over by a reader. */
static pare_status find_rules(struct layout *layout)
{
    const pare_grammar *grammar = layout->grammar;
    layout->table->rule_of = take(layout, grammar->n_exprs, sizeof *layout->table->rule_of);
    if (!layout->table->rule_of) return pare_fail_nomem(layout->err);
    for (size_t i = 0; i < grammar->n_exprs; i++)
        layout->table->rule_of[i] = PARE_NO_INDEX;
    for (pare_index r = 0; r < grammar->n_rules; r++)
        if (grammar->rules[r].body != PARE_NO_INDEX)
            layout->table->rule_of[grammar->rules[r].body] = r;
    /* Parents stand after their children, so each has its rule before they get it. */
    for (size_t i = grammar->n_exprs; i-- > 0;)
        for (pare_index c = grammar->exprs[i].first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            layout->table->rule_of[c] = layout->table->rule_of[i];
    return PARE_OK;
}

/* Whether the expression is of tokens: of a parser rule of a grammar with a lexer.  A lexer
 * rule's expressions are of characters, and all of a scannerless grammar's are. */
static bool is_of_tokens(const struct layout *layout, pare_index expr)
{
    pare_index rule = layout->table->rule_of[expr];
    return rule != PARE_NO_INDEX && layout->grammar->rules[rule].kind == PARE_RULE_PARSER &&
           !layout->grammar->scannerless;
}

/* --- makers of tokens ------------------------------------------------------------ */

/* Whether what the rule matches is a token of that type for the parser: not skipped, not part
 * of a longer one, not on another channel.  Asked for each pair of rule and type, O(rules *
 * types), once for a grammar. */
static bool makes(const pare_grammar *grammar, const pare_rule *rule, pare_index token)
{
    bool found = rule->token == token;
    if (rule->kind != PARE_RULE_LEXER) return false;
    for (uint32_t i = 0; i < rule->n_commands; i++) {
        const pare_lexer_command *command = &grammar->commands[rule->first_command + i];
        /* A command of one alternative says nothing about the others. */
        bool whole = command->alternative == PARE_NO_INDEX;
        if (command->kind == PARE_LEXER_TYPE && command->value == token) found = true;
        if (!whole) continue;
        if (command->kind == PARE_LEXER_SKIP || command->kind == PARE_LEXER_MORE) return false;
        if (command->kind == PARE_LEXER_CHANNEL && command->value) return false;
    }
    return found;
}

/* Notes the text of a token type that one rule makes, which is a literal and nothing else.
 * Such tokens are most of what a text of a programming language has: keywords and signs. */
static pare_status fix_text(struct layout *layout, pare_makers *makers)
{
    const pare_grammar *grammar = layout->grammar;
    const pare_rule *rule = &grammar->rules[layout->table->makers[makers->first]];
    const pare_expr *body = &grammar->exprs[rule->body];
    /* With several rules, or with case that does not matter, a token has more than one text. */
    if (makers->n != 1 || rule->ignore_case) return PARE_OK;
    while (body->kind == PARE_EXPR_SEQUENCE && body->first != PARE_NO_INDEX &&
           grammar->exprs[body->first].next == PARE_NO_INDEX)
        body = &grammar->exprs[body->first];
    if (body->kind != PARE_EXPR_LITERAL) return PARE_OK;
    char *text = take(layout, (size_t)body->text.size * 4, 1);
    if (!text) return pare_fail_nomem(layout->err);
    for (uint32_t i = 0; i < body->text.size; i++)
        makers->size += (uint32_t)utf8proc_encode_char(
            (utf8proc_int32_t)grammar->code_points[body->text.offset + i],
            (utf8proc_uint8_t *)text + makers->size);
    makers->text = text;
    return PARE_OK;
}

/* Lists the lexer rules of each token type, and finds the types that have one text only. */
static pare_status find_makers(struct layout *layout)
{
    const pare_grammar *grammar = layout->grammar;
    pare_expansion_table *table = layout->table;
    size_t n = 0;
    for (pare_index t = 1; t < grammar->n_tokens; t++)
        for (pare_index r = 0; r < grammar->n_rules; r++)
            /* Counted first, for an arena cannot grow a block. */
            n += makes(grammar, &grammar->rules[r], t);
    table->tokens = take(layout, grammar->n_tokens, sizeof *table->tokens);
    table->makers = take(layout, n, sizeof *table->makers);
    if (!table->tokens || !table->makers) return pare_fail_nomem(layout->err);
    pare_status status = PARE_OK;
    for (pare_index t = 1; !status && t < grammar->n_tokens; t++) {
        pare_makers *makers = &table->tokens[t];
        makers->first = (uint32_t)table->n_makers;
        for (pare_index r = 0; r < grammar->n_rules; r++)
            if (makes(grammar, &grammar->rules[r], t)) table->makers[table->n_makers++] = r;
        makers->n = (uint32_t)table->n_makers - makers->first;
        if (makers->n) status = fix_text(layout, makers);
    }
    return status;
}

/* --- characters -------------------------------------------------------------------- */

/* Appends the part of an interval that lies in low .. high to a set; while counting, it only
 * counts.  Two passes with one function, so that they cannot disagree. */
static void add_range(pare_expansion_table *table, bool counting, pare_characters *set,
                      pare_interval part, uint32_t low, uint32_t high)
{
    uint32_t from = part.from > low ? part.from : low, to = part.to < high ? part.to : high;
    if (from > to) return;
    if (!counting)
        table->ranges[table->n_ranges] = (pare_characters_range){from, to - from + 1, set->n_total};
    table->n_ranges++;
    set->n++;
    /* Ranges know how many characters come before them, by which an index is found. */
    set->n_total += to - from + 1;
}

/* The intervals of a SET or ANY of characters; NULL when a set is empty.  `.` of a lexer rule
 * is all code points but surrogates. */
static const pare_interval *intervals_of(const pare_grammar *grammar, const pare_expr *expr,
                                         uint32_t *n)
{
    static const pare_interval all = {0, 0x10FFFF};
    *n = 1;
    if (expr->kind == PARE_EXPR_ANY) return &all;
    *n = grammar->sets[expr->set].n;
    return *n ? grammar->intervals + grammar->sets[expr->set].first : NULL;
}

/* Counts or lays out the ranges of one set, the visible ASCII first, so that an index below
 * n_plain is one of these.  Surrogates are no characters. */
static void lay_set(struct layout *layout, bool counting, const pare_expr *expr,
                    pare_characters *set)
{
    uint32_t n;
    const pare_interval *intervals = intervals_of(layout->grammar, expr, &n);
    pare_expansion_table *to = layout->table;
    *set = (pare_characters){.first = (uint32_t)to->n_ranges};
    for (uint32_t i = 0; i < n; i++)
        add_range(to, counting, set, intervals[i], PLAIN_FIRST, PLAIN_LAST);
    /* All ranges so far are of visible ASCII. */
    set->n_plain = set->n_total;
    for (uint32_t i = 0; i < n; i++) {
        add_range(to, counting, set, intervals[i], 0, PLAIN_FIRST - 1);
        add_range(to, counting, set, intervals[i], PLAIN_LAST + 1, SURROGATE_FIRST - 1);
        add_range(to, counting, set, intervals[i], SURROGATE_LAST + 1, 0x10FFFF);
    }
}

/* Whether an expression is a set of characters.  One of tokens is a choice. */
static bool is_characters(const struct layout *layout, pare_index i)
{
    const pare_expr *expr = &layout->grammar->exprs[i];
    if (expr->kind != PARE_EXPR_SET && expr->kind != PARE_EXPR_ANY) return false;
    return layout->table->rule_of[i] != PARE_NO_INDEX && !is_of_tokens(layout, i);
}

/* Spells the visible ASCII of a set out, so that a character is drawn by one look-up.  At most
 * 95 bytes for each set. */
static pare_status lay_plain(struct layout *layout, pare_characters *set)
{
    char *plain = take(layout, set->n_plain, 1);
    if (!plain) return pare_fail_nomem(layout->err);
    for (uint32_t i = 0; i < set->n_plain; i++)
        plain[i] = (char)pare_expansion_table_character_at(layout->table, set, i);
    set->plain = plain;
    return PARE_OK;
}

/* Lays out all sets: one pass that counts, then one that writes, so nothing has to grow. */
static pare_status lay_characters(struct layout *layout)
{
    const pare_grammar *grammar = layout->grammar;
    pare_expansion_table *table = layout->table;
    pare_characters set;
    for (pare_index i = 0; i < grammar->n_exprs; i++) {
        if (!is_characters(layout, i)) continue;
        lay_set(layout, true, &grammar->exprs[i], &set);
        table->n_characters++;
    }
    table->ranges = take(layout, table->n_ranges, sizeof *table->ranges);
    table->characters = take(layout, table->n_characters, sizeof *table->characters);
    if (!table->ranges || !table->characters) return pare_fail_nomem(layout->err);
    table->n_ranges = 0;
    table->n_characters = 0;
    for (pare_index i = 0; i < grammar->n_exprs; i++) {
        if (!is_characters(layout, i)) continue;
        table->details[i] = (uint32_t)table->n_characters;
        pare_characters *laid = &table->characters[table->n_characters++];
        lay_set(layout, false, &grammar->exprs[i], laid);
        pare_status status = lay_plain(layout, laid);
        if (status) return status;
    }
    return PARE_OK;
}

/* The character of that number: ranges know how many characters come before them, so bisection
 * finds the range. */
uint32_t pare_expansion_table_character_at(const pare_expansion_table *table,
                                           const pare_characters *set, uint32_t index)
{
    assert(index < set->n_total);
    const pare_characters_range *ranges = table->ranges + set->first;
    pare_halving search = {.low = 1, .high = set->n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, ranges[search.middle].before <= index);
    const pare_characters_range *range = &ranges[search.low - 1];
    return range->first + (index - range->before);
}

/* Bisection: leaves are sorted by rule, then by token. */
const pare_leaves *pare_expansion_table_leaves(const pare_expansion_table *table, pare_index rule,
                                               pare_index token)
{
    pare_halving search = {.low = 0, .high = table->n_leaves};
    while (pare_halving_next(&search)) {
        const pare_leaves *at = &table->leaves[search.middle];
        if (at->rule == rule && at->token == token) return at;
        pare_halving_tell(&search, at->rule < rule || (at->rule == rule && at->token < token));
    }
    return NULL;
}

/* --- sizes --------------------------------------------------------------------------- */

static const pare_least nothing = {0, 0}, endless = {PARE_NO_SIZE, PARE_NO_SIZE};

/* The least size of two things that both stand there: the deeper depth, the sum of the tokens.
 * Without a text of one there is none of both.  Depth is the larger of the two, as the two
 * stand side by side. */
static pare_least both(pare_least a, pare_least b)
{
    if (a.depth == PARE_NO_SIZE || b.depth == PARE_NO_SIZE) return endless;
    /* Saturates below PARE_NO_SIZE, which says that there is no text. */
    uint32_t room = PARE_NO_SIZE - 1 - a.tokens;
    return (pare_least){a.depth > b.depth ? a.depth : b.depth,
                        b.tokens > room ? PARE_NO_SIZE - 1 : a.tokens + b.tokens};
}

/* The least size where one of two things stands; its depth may be of the one, its tokens of the
 * other. */
static pare_least either(pare_least a, pare_least b)
{
    return (pare_least){a.depth < b.depth ? a.depth : b.depth,
                        a.tokens < b.tokens ? a.tokens : b.tokens};
}

/* A token counts as (1, 1) if a lexer rule that makes it has a finite text. */
static pare_least least_of_token(const pare_expansion_table *table, pare_index token)
{
    const pare_makers *makers = &table->tokens[token];
    for (uint32_t i = 0; token != PARE_TOKEN_END && i < makers->n; i++) {
        pare_index body = table->grammar->rules[table->makers[makers->first + i]].body;
        if (table->exprs[body].depth != PARE_NO_SIZE) return (pare_least){1, 1};
    }
    return endless;
}

/* The next token type of a SET or ANY of tokens from `from` on; PARE_NO_INDEX: there is none.
 * Types are gone through in ascending order. */
static pare_index next_token(const pare_grammar *grammar, const pare_expr *expr, pare_index from)
{
    if (expr->kind == PARE_EXPR_ANY) return from < grammar->n_tokens ? from : PARE_NO_INDEX;
    const pare_set *set = &grammar->sets[expr->set];
    for (uint32_t i = 0; i < set->n; i++) {
        const pare_interval *part = &grammar->intervals[set->first + i];
        pare_index at = from > part->from ? from : part->from;
        if (at <= part->to && at < grammar->n_tokens) return at;
    }
    return PARE_NO_INDEX;
}

/* The least size of a set of characters, or of one of tokens.  O(types of the set). */
static pare_least least_of_set(const struct layout *layout, pare_index i)
{
    const pare_expr *expr = &layout->grammar->exprs[i];
    const pare_expansion_table *table = layout->table;
    pare_least least = endless;
    if (!is_of_tokens(layout, i))
        return table->characters[table->details[i]].n_total ? nothing : endless;
    for (pare_index t = next_token(layout->grammar, expr, 1); t != PARE_NO_INDEX;
         t = next_token(layout->grammar, expr, t + 1))
        least = either(least, least_of_token(table, t));
    return least;
}

/* A call is one deeper than the body. */
static pare_least least_of_rule(const struct layout *layout, pare_index rule)
{
    pare_index body = layout->grammar->rules[rule].body;
    if (body == PARE_NO_INDEX) return endless;
    pare_least least = layout->table->exprs[body];
    /* Depths stick below PARE_NO_SIZE, which says that there is no text. */
    if (least.depth < PARE_NO_SIZE - 1) least.depth++;
    return least;
}

/* The least size of an expression by those of its children and of the rules it calls, as they
 * are known so far. */
static pare_least least_of(const struct layout *layout, pare_index i)
{
    const pare_grammar *grammar = layout->grammar;
    const pare_expr *expr = &grammar->exprs[i];
    const pare_least *exprs = layout->table->exprs;
    pare_least least = expr->kind == PARE_EXPR_CHOICE ? endless : nothing;
    switch (expr->kind) {
    case PARE_EXPR_EMPTY:
    case PARE_EXPR_END:
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR: return nothing;
    case PARE_EXPR_LITERAL: return (pare_least){0, layout->grammar->scannerless};
    case PARE_EXPR_PLUS: return exprs[expr->first];
    case PARE_EXPR_RULE: return least_of_rule(layout, expr->rule);
    case PARE_EXPR_TOKEN:
        if (expr->token == PARE_TOKEN_END) return nothing;
        return least_of_token(layout->table, expr->token);
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY: return least_of_set(layout, i);
    case PARE_EXPR_SEQUENCE:
        for (pare_index c = expr->first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            least = both(least, exprs[c]);
        return least;
    case PARE_EXPR_CHOICE:
        for (pare_index c = expr->first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            least = either(least, exprs[c]);
        return least;
    }
    return endless;
}

/* Makes the sizes of one expression smaller if what is below it allows it; says whether. */
static bool lower_size(struct layout *layout, pare_index i)
{
    /* Expressions of no rule (of negations, say) are never made. */
    if (layout->table->rule_of[i] == PARE_NO_INDEX) return false;
    pare_least least = least_of(layout, i), *at = &layout->table->exprs[i];
    if (least.depth >= at->depth && least.tokens >= at->tokens) return false;
    *at = either(least, *at);
    return true;
}

/* Finds the least fixpoint of `least_of`, in passes over all expressions until nothing becomes
 * smaller.  Every other pass goes through the rules backwards: they mostly use later ones, or all
 * earlier ones, and one pass in the right direction then finds what would need as many passes as
 * rules nest.  The expressions of a rule are in a row, and those below another before it. */
static void find_sizes(struct layout *layout)
{
    const pare_index *rule_of = layout->table->rule_of;
    const size_t n = layout->grammar->n_exprs;
    for (size_t i = 0; i < n; i++)
        layout->table->exprs[i] = endless;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t from, end = n; end > 0; end = from) {
            for (from = end - 1; from > 0 && rule_of[from - 1] == rule_of[end - 1];)
                from--;
            for (size_t i = from; i < end; i++)
                changed |= lower_size(layout, (pare_index)i);
        }
        for (size_t i = 0; i < n; i++)
            changed |= lower_size(layout, (pare_index)i);
    }
}

/* --- ways ------------------------------------------------------------------------------ */

/* Whether an expression has ways: a choice, or a set of tokens.  A set of tokens is drawn from
 * like a choice of alternatives. */
static bool is_choice(const struct layout *layout, pare_index i)
{
    pare_expr_kind kind = layout->grammar->exprs[i].kind;
    if (layout->table->rule_of[i] == PARE_NO_INDEX) return false;
    return kind == PARE_EXPR_CHOICE ||
           ((kind == PARE_EXPR_SET || kind == PARE_EXPR_ANY) && is_of_tokens(layout, i));
}

/* Puts a way after those that are not larger, unless it has no finite text; while counting, it
 * only counts.  `depth` and `tokens` of the choice are those of its largest way. */
static void add_way(pare_expansion_table *table, bool counting, pare_ways *choice, pare_way way)
{
    if (way.least.depth == PARE_NO_SIZE) return;
    table->n_ways++;
    if (counting) return;
    /* Insertion, which is stable: ways of one size stay in the grammar's order, as seeds need. */
    pare_way *ways = table->ways + choice->first;
    uint32_t at = choice->n++;
    assert(table->ways + table->n_ways > ways + at && "the count was made before");
    for (; at; at--) {
        const pare_least *before = &ways[at - 1].least;
        if (before->depth < way.least.depth) break;
        if (before->depth == way.least.depth && before->tokens <= way.least.tokens) break;
        ways[at] = ways[at - 1];
    }
    ways[at] = way;
    if (way.least.depth > choice->depth) choice->depth = way.least.depth;
    if (way.least.tokens > choice->tokens) choice->tokens = way.least.tokens;
}

/* Counts or lays out the ways of one choice: its alternatives, or the types of a set of
 * tokens. */
static void lay_choice(struct layout *layout, bool counting, pare_index i, pare_ways *choice)
{
    const pare_grammar *grammar = layout->grammar;
    pare_expansion_table *table = layout->table;
    const pare_expr *expr = &grammar->exprs[i];
    uint32_t number = 0;
    *choice = (pare_ways){.first = (uint32_t)table->n_ways};
    if (expr->kind == PARE_EXPR_CHOICE) {
        for (pare_index c = expr->first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            add_way(table, counting, choice,
                    (pare_way){c, PARE_NO_INDEX, table->exprs[c], number++});
        return;
    }
    for (pare_index t = next_token(grammar, expr, 1); t != PARE_NO_INDEX;
         t = next_token(grammar, expr, t + 1))
        add_way(table, counting, choice,
                (pare_way){PARE_NO_INDEX, t, least_of_token(table, t), number++});
}

/* Lays out all choices: counted, then written, as sets of characters are. */
static pare_status lay_ways(struct layout *layout)
{
    pare_expansion_table *table = layout->table;
    size_t n = layout->grammar->n_exprs;
    pare_ways choice;
    for (pare_index i = 0; i < n; i++) {
        if (!is_choice(layout, i)) continue;
        lay_choice(layout, true, i, &choice);
        table->n_choices++;
    }
    table->ways = take(layout, table->n_ways, sizeof *table->ways);
    table->choices = take(layout, table->n_choices, sizeof *table->choices);
    if (!table->ways || !table->choices) return pare_fail_nomem(layout->err);
    /* The second pass counts again while it writes. */
    table->n_ways = 0;
    table->n_choices = 0;
    for (pare_index i = 0; i < n; i++) {
        if (!is_choice(layout, i)) continue;
        table->details[i] = (uint32_t)table->n_choices;
        lay_choice(layout, false, i, &table->choices[table->n_choices++]);
    }
    return PARE_OK;
}

/* --- the whole --------------------------------------------------------------------------- */

/* The arrays by expression.  Until weights are read, each quantifier goes on with an even
 * chance.  An even chance gives one round on average. */
static pare_status allocate(struct layout *layout)
{
    pare_expansion_table *table = layout->table;
    size_t n = layout->grammar->n_exprs;
    table->exprs = take(layout, n, sizeof *table->exprs);
    table->details = take(layout, n, sizeof *table->details);
    table->chances = take(layout, n, sizeof *table->chances);
    if (!table->exprs || !table->details || !table->chances) return pare_fail_nomem(layout->err);
    for (size_t i = 0; i < n; i++)
        table->chances[i] = 0.5;
    return PARE_OK;
}

/* Characters come before sizes, which ask whether a set is empty, and sizes before ways, which
 * are sorted by them. */
pare_status pare_expansion_table_init(pare_expansion_table *table, const pare_grammar *grammar,
                                      pare_index start, pare_error *err)
{
    *table = (pare_expansion_table){.grammar = grammar, .fresh = FRESH};
    struct layout layout = {.table = table, .grammar = grammar, .err = err};
    pare_status status = find_rules(&layout);
    if (!status) status = allocate(&layout);
    if (!status) status = find_makers(&layout);
    if (!status) status = lay_characters(&layout);
    if (!status) find_sizes(&layout);
    if (!status) status = lay_ways(&layout);
    /* A start without a text would leave nothing to derive; other rules may have none. */
    if (!status && least_of_rule(&layout, start).depth == PARE_NO_SIZE)
        status = pare_fail(err, PARE_E_SYNTAX,
                           "rule '%s' has no finite text, or needs tokens that no lexer rule makes",
                           grammar->rules[start].name);
    assert(status || pare_expansion_table_check(table));
    if (status) pare_expansion_table_done(table);
    return status;
}

/* Whether way `i` of a choice is finite, not smaller than the one before it, and not larger than
 * the largest. */
static bool is_in_order(const pare_ways *choice, const pare_way *ways, uint32_t i)
{
    /* The first way is compared with itself. */
    const pare_least *least = &ways[i].least, *before = i ? &ways[i - 1].least : least;
    if (least->depth == PARE_NO_SIZE || least->tokens == PARE_NO_SIZE) return false;
    if (least->depth > choice->depth || least->tokens > choice->tokens) return false;
    return before->depth < least->depth ||
           (before->depth == least->depth && before->tokens <= least->tokens);
}

/* O(ways). */
bool pare_expansion_table_check(const pare_expansion_table *table)
{
    for (size_t k = 0; k < table->n_choices; k++) {
        const pare_ways *choice = &table->choices[k];
        if (choice->first + (size_t)choice->n > table->n_ways) return false;
        for (uint32_t i = 0; i < choice->n; i++)
            if (!is_in_order(choice, table->ways + choice->first, i)) return false;
    }
    return true;
}

/* Everything is in the arena, weights that were read later included. */
void pare_expansion_table_done(pare_expansion_table *table)
{
    pare_arena_done(&table->memory);
    *table = (pare_expansion_table){0};
}
