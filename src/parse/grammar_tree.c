/* Trees of a grammar for what tree-sitter has parsed: node by node, each node's children are
 * parsed by the body of its rule.
 *
 * For that there is a shadow of the grammar, whose letters are what tree-sitter shows.  A rule
 * that has nodes is one letter where it is used; its body is that of another rule, its entrance.
 * The start rule is a choice among all entrances, each behind a letter of its own, so that one
 * recogniser does for all rules.  A token that is not shown is a rule of its own: the text of its
 * node, or nothing.  Since uses of rules are rules in the shadow too, its tree says by which one
 * of several aliases a child came.
 *
 * Which tree the children of a rule have depends on the rule and on the children's letters, so it
 * is kept as a template, with numbers of children in the place of bytes: most nodes of a text
 * have children that were met before.
 *
 * Invariant: expressions of the shadow have the numbers that they have in the grammar, so that
 * quantifiers and alternatives of a template are the grammar's.  The depth of a text is on the
 * heap.
 *
 * Source: the recogniser is Earley's (parse/earley.h); what tree-sitter shows is its
 * documentation's, "Creating Parsers". */
#include "parse/grammar_tree.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "grammar/name_index.h"
#include "grammar/unicode.h"
#include "parse/earley.h"
#include "parse/productions.h"
#include "parse/tree_writer.h"

/* A node of a template; the first one is the rule's. */
struct piece {
    uint16_t kind;
    bool is_child; /* a rule that is a child: it has a template of its own */
    uint32_t symbol, alternative;
    uint32_t from, to; /* children from .. to-1 */
    uint32_t parent;   /* in the template */
};

/* The match of a rule's children, kept for each sequence of their kinds: few differ. */
struct template
{
    uint32_t first, n; /* pieces */
    bool derived;      /* else the children are a list, as they came */
};

/* A child: its node in the text, and how it stands in its parent's template. */
struct child {
    uint32_t node, letter;
};

/* A node of the text that is being written. */
struct frame {
    uint32_t node, template;
    uint32_t at;      /* pieces written so far */
    size_t children;  /* in `children` */
    uint32_t n;       /* of these */
    size_t first_out; /* in `written`: of each piece, where it went */
};

/* Letters are token types of the shadow: the grammar's, then these. */
struct alphabet {
    uint32_t text;     /* text that a node has by itself */
    uint32_t unknown;  /* what matches nothing */
    uint32_t shown;    /* + number in the content models: what a rule shows as */
    uint32_t exact;    /* + rule: what is shown, and can only be this rule */
    uint32_t entrance; /* + rule */
    uint32_t n;
};

struct pare_grammar_tree_maker {
    const pare_tree_sitter_grammar *from; /* borrowed */
    pare_grammar shadow;                  /* its rules, expressions and tokens are owned */
    struct alphabet alphabet;
    pare_productions productions;
    pare_earley *earley;
    uint32_t n_symbols;    /* of tree-sitter */
    uint32_t *letters;     /* owned, as all below; of each symbol */
    bool *extras;          /* of each symbol */
    pare_index *rule_of;   /* of each letter: the first rule that shows as it */
    pare_index *like;      /* of each rule: the next one that shows as the same letter */
    pare_name_index words; /* texts of tokens -> letters */
    pare_arena memory;
    pare_name_index known; /* a rule and letters -> a template */
    struct template *templates;
    size_t n_templates, templates_capacity;
    struct piece *pieces;
    size_t n_pieces, pieces_capacity;
    struct frame *frames;
    size_t n_frames, frames_capacity;
    struct child *children;
    size_t n_children, children_capacity;
    uint32_t *written;
    size_t n_written, written_capacity;
    uint32_t *input; /* of the recogniser: letters, and where each begins and ends */
    size_t input_capacity;
    pare_buffer key;
};

/* --- the shadow ----------------------------------------------------------------------------- */

/* The parts that are being made, until all of them are. */
struct making {
    pare_grammar_tree_maker *maker;
    const pare_content *content;
    uint32_t *by_content; /* owned; letters of numbers of the content models; 0: none yet */
    pare_buffer text;
    pare_error *err;
};

static const pare_grammar *grammar_of(const pare_grammar_tree_maker *maker)
{
    return maker->from->grammar;
}

/* Rules of the shadow, in this order: the grammar's own, then an entrance for each of them, then
 * one rule for each token, then the start rule. */
static pare_index entrance_of(const pare_grammar_tree_maker *maker, pare_index rule)
{
    return (pare_index)grammar_of(maker)->n_rules + rule;
}

static pare_index hidden_of(const pare_grammar_tree_maker *maker, pare_index token)
{
    return 2 * (pare_index)grammar_of(maker)->n_rules + token;
}

/* Each group of letters has a range; the ranges follow each other. */
static struct alphabet alphabet_of(const pare_grammar *grammar, size_t n_content)
{
    const uint32_t n = (uint32_t)grammar->n_tokens;
    struct alphabet a = {.text = n, .unknown = n + 1, .shown = n + 2};
    a.exact = a.shown + (uint32_t)n_content;
    a.entrance = a.exact + (uint32_t)grammar->n_rules;
    a.n = a.entrance + (uint32_t)grammar->n_rules;
    return a;
}

/* Whether tree-sitter makes nodes of this rule that have children to match. */
static bool is_shown(const pare_grammar_tree_maker *maker, pare_index rule)
{
    return maker->from->shown[rule].name && grammar_of(maker)->rules[rule].body != PARE_NO_INDEX;
}

/* Sets making->text to the only text of a token; false: it has others, or none that is known. */
static pare_status word_of(struct making *making, pare_index token, bool *is_word)
{
    const pare_grammar *grammar = grammar_of(making->maker);
    const pare_token_type *type = &grammar->tokens[token];
    pare_buffer_reset(&making->text);
    *is_word = type->literal != NULL;
    if (type->literal) return pare_buffer_text(&making->text, type->literal, making->err);
    const pare_index body =
        type->rule == PARE_NO_INDEX ? PARE_NO_INDEX : grammar->rules[type->rule].body;
    if (body == PARE_NO_INDEX || grammar->exprs[body].kind != PARE_EXPR_LITERAL) return PARE_OK;
    const pare_expr *literal = &grammar->exprs[body];
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < literal->text.size; i++)
        status = pare_unicode_append(&making->text, grammar->code_points[literal->text.offset + i],
                                     making->err);
    *is_word = making->text.size > 0;
    return status;
}

/* The number in the content models that a token shows as: by its text, or, of the language's own
 * scanner, by its name; PARE_CONTENT_UNKNOWN: it is not shown. */
static pare_status shows_as(struct making *making, pare_index token, uint32_t *symbol)
{
    const char *name = grammar_of(making->maker)->tokens[token].name;
    bool is_word = false;
    pare_status status = word_of(making, token, &is_word);
    *symbol = PARE_CONTENT_UNKNOWN;
    if (status) return status;
    if (is_word)
        *symbol = pare_content_symbol(making->content, making->text.data, false);
    else if (name && *name && !strchr("'/#[_", *name))
        *symbol = pare_content_symbol(making->content, name, true);
    return PARE_OK;
}

/* Gives letters to what is shown: to tokens their types, the first of several with one text, and
 * to rules the rest.  Notes the texts of words. */
static pare_status number_letters(struct making *making)
{
    pare_grammar_tree_maker *maker = making->maker;
    const pare_grammar *grammar = grammar_of(maker);
    pare_status status = PARE_OK;
    for (pare_index t = 1; !status && t < grammar->n_tokens; t++) {
        uint32_t symbol;
        status = shows_as(making, t, &symbol);
        if (status || symbol == PARE_CONTENT_UNKNOWN || making->by_content[symbol]) continue;
        making->by_content[symbol] = t;
        if (!making->text.size) continue;
        const char *text = pare_arena_text(&maker->memory, making->text.data, making->text.size);
        if (!text) return pare_fail_nomem(making->err);
        status = pare_name_index_put(&maker->words, text, making->text.size, t, making->err);
    }
    for (pare_index r = 0; !status && r < grammar->n_rules; r++) {
        const pare_shown_rule *shown = &maker->from->shown[r];
        if (!is_shown(maker, r)) continue;
        uint32_t symbol = pare_content_symbol(making->content, shown->name, shown->named);
        if (symbol == PARE_CONTENT_UNKNOWN) continue;
        if (!making->by_content[symbol])
            making->by_content[symbol] = making->maker->alphabet.shown + symbol;
        /* In the order of the rules: the first one is what a child is taken for. */
        pare_index *last = &maker->rule_of[making->by_content[symbol]];
        while (*last != PARE_NO_INDEX)
            last = &maker->like[*last];
        *last = r;
        maker->rule_of[maker->alphabet.exact + r] = r;
    }
    return status;
}

static pare_index add_expr(pare_grammar *shadow, pare_expr_kind kind, pare_index first,
                           pare_index next)
{
    pare_expr *expr = &shadow->exprs[shadow->n_exprs];
    *expr = (pare_expr){.kind = kind, .first = first, .next = next, .label = PARE_NO_INDEX};
    return (pare_index)shadow->n_exprs++;
}

static pare_index add_token(pare_grammar *shadow, uint32_t letter, pare_index next)
{
    pare_index expr = add_expr(shadow, PARE_EXPR_TOKEN, PARE_NO_INDEX, next);
    shadow->exprs[expr].token = letter;
    return expr;
}

/* The rule of a token that is not shown, or is by another one of the same text. */
static pare_status hide_token(struct making *making, pare_index token)
{
    pare_grammar *shadow = &making->maker->shadow;
    uint32_t symbol;
    pare_status status = shows_as(making, token, &symbol);
    if (status) return status;
    uint32_t letter = symbol == PARE_CONTENT_UNKNOWN ? 0 : making->by_content[symbol];
    if (letter == token) return PARE_OK;
    pare_index nothing = add_expr(shadow, PARE_EXPR_EMPTY, PARE_NO_INDEX, PARE_NO_INDEX);
    pare_index first = add_token(shadow, making->maker->alphabet.text, nothing);
    if (letter) first = add_token(shadow, letter, first);
    shadow->rules[hidden_of(making->maker, token)].body =
        add_expr(shadow, PARE_EXPR_CHOICE, first, PARE_NO_INDEX);
    return PARE_OK;
}

/* Lets uses of tokens that are not shown be uses of their rules. */
static void hide_uses(pare_grammar_tree_maker *maker)
{
    pare_grammar *shadow = &maker->shadow;
    for (size_t i = 0; i < grammar_of(maker)->n_exprs; i++) {
        pare_expr *expr = &shadow->exprs[i];
        if (expr->kind != PARE_EXPR_TOKEN || expr->token == PARE_TOKEN_END) continue;
        pare_index rule = hidden_of(maker, expr->token);
        if (shadow->rules[rule].body == PARE_NO_INDEX) continue;
        expr->kind = PARE_EXPR_RULE;
        expr->rule = rule;
    }
}

/* The body of a rule's entrance: the rule's, but of an alias that of what it renames, whose nodes
 * are not shown. */
static pare_index enter_body(pare_grammar_tree_maker *maker, pare_index rule)
{
    const pare_grammar *grammar = grammar_of(maker);
    pare_grammar *shadow = &maker->shadow;
    const pare_index body = grammar->rules[rule].body;
    const bool is_choice = grammar->exprs[body].kind == PARE_EXPR_CHOICE;
    pare_index first = PARE_NO_INDEX, last = PARE_NO_INDEX;
    if (!maker->from->shown[rule].alias) return body;
    for (pare_index c = is_choice ? grammar->exprs[body].first : body; c != PARE_NO_INDEX;
         c = is_choice ? grammar->exprs[c].next : PARE_NO_INDEX) {
        pare_index copy = (pare_index)shadow->n_exprs++;
        pare_expr *expr = &shadow->exprs[copy];
        *expr = shadow->exprs[c];
        expr->next = PARE_NO_INDEX;
        if (grammar->exprs[c].kind == PARE_EXPR_RULE && is_shown(maker, expr->rule))
            expr->rule = entrance_of(maker, expr->rule);
        if (last == PARE_NO_INDEX)
            first = copy;
        else
            shadow->exprs[last].next = copy;
        last = copy;
    }
    return is_choice ? add_expr(shadow, PARE_EXPR_CHOICE, first, PARE_NO_INDEX) : first;
}

/* Makes an entrance of a rule that is shown, and the rule itself a letter.  Returns the way from
 * the start rule, which is followed by `next`. */
static pare_index enter_rule(struct making *making, pare_index rule, pare_index next)
{
    pare_grammar_tree_maker *maker = making->maker;
    pare_grammar *shadow = &maker->shadow;
    const pare_shown_rule *shown = &maker->from->shown[rule];
    uint32_t symbol = pare_content_symbol(making->content, shown->name, shown->named);
    uint32_t letter = symbol == PARE_CONTENT_UNKNOWN ? making->maker->alphabet.unknown
                                                     : making->by_content[symbol];
    pare_index use = add_expr(shadow, PARE_EXPR_RULE, PARE_NO_INDEX, PARE_NO_INDEX);
    shadow->exprs[use].rule = entrance_of(maker, rule);
    shadow->rules[entrance_of(maker, rule)].body = enter_body(maker, rule);
    pare_index exact = add_token(shadow, maker->alphabet.exact + rule, PARE_NO_INDEX);
    shadow->rules[rule].body =
        add_expr(shadow, PARE_EXPR_CHOICE, add_token(shadow, letter, exact), PARE_NO_INDEX);
    pare_index first = add_token(shadow, making->maker->alphabet.entrance + rule, use);
    return add_expr(shadow, PARE_EXPR_SEQUENCE, first, next);
}

/* Copies the arrays of the grammar that will be changed, with room for what is added. */
static pare_status copy_grammar(struct making *making)
{
    const pare_grammar *grammar = grammar_of(making->maker);
    pare_grammar *shadow = &making->maker->shadow;
    const size_t n_rules = 2 * grammar->n_rules + grammar->n_tokens + 1;
    const size_t n_exprs = 2 * grammar->n_exprs + 7 * grammar->n_rules + 4 * grammar->n_tokens + 1;
    *shadow = *grammar;
    shadow->rules = pare_alloc_zero(n_rules, sizeof *shadow->rules);
    shadow->exprs = pare_alloc_zero(n_exprs, sizeof *shadow->exprs);
    shadow->tokens = pare_alloc_zero(making->maker->alphabet.n, sizeof *shadow->tokens);
    if (!shadow->rules || !shadow->exprs || !shadow->tokens) return pare_fail_nomem(making->err);
    for (size_t i = 0; i < n_rules; i++)
        shadow->rules[i] = (pare_rule){
            .name = "", .kind = PARE_RULE_PARSER, .body = PARE_NO_INDEX, .token = PARE_NO_INDEX};
    (void)memcpy(shadow->rules, grammar->rules, grammar->n_rules * sizeof *shadow->rules);
    (void)memcpy(shadow->exprs, grammar->exprs, grammar->n_exprs * sizeof *shadow->exprs);
    (void)memcpy(shadow->tokens, grammar->tokens, grammar->n_tokens * sizeof *shadow->tokens);
    for (size_t i = grammar->n_tokens; i < making->maker->alphabet.n; i++)
        shadow->tokens[i].rule = PARE_NO_INDEX;
    shadow->n_rules = n_rules;
    shadow->n_tokens = making->maker->alphabet.n;
    return PARE_OK;
}

/* Makes the shadow, with its start rule last.
 * The order matters: hide_uses changes uses in the bodies that enter_body copies afterwards.
 * Entrances are added from the last rule to the first, since each is put before those that are
 * there. */
static pare_status make_shadow(struct making *making)
{
    pare_grammar_tree_maker *maker = making->maker;
    const pare_grammar *grammar = grammar_of(maker);
    pare_index ways = PARE_NO_INDEX;
    pare_status status = copy_grammar(making);
    for (pare_index t = 1; !status && t < grammar->n_tokens; t++)
        status = hide_token(making, t);
    if (status) return status;
    hide_uses(maker);
    for (pare_index r = (pare_index)grammar->n_rules; r-- > 0;)
        if (is_shown(maker, r)) ways = enter_rule(making, r, ways);
    maker->shadow.rules[maker->shadow.n_rules - 1].body =
        add_expr(&maker->shadow, PARE_EXPR_CHOICE, ways, PARE_NO_INDEX);
    return PARE_OK;
}

/* Finds the letters of tree-sitter's symbols. */
static void map_symbols(const struct making *making, const pare_tree_sitter *language)
{
    const pare_grammar_tree_maker *maker = making->maker;
    const pare_symbol_names names = pare_tree_sitter_names(language);
    for (uint32_t i = 0; i < maker->n_symbols; i++) {
        uint32_t symbol = pare_content_symbol(making->content, names.rule(names.language, i),
                                              pare_tree_sitter_is_named(language, i));
        const bool is_known = symbol != PARE_CONTENT_UNKNOWN && making->by_content[symbol];
        maker->letters[i] = is_known ? making->by_content[symbol] : making->maker->alphabet.unknown;
        maker->extras[i] =
            symbol != PARE_CONTENT_UNKNOWN && pare_content_is_extra(making->content, symbol);
    }
}

/* Makes what depends on the language alone. After a failure the caller frees it. */
static pare_status make(struct making *making, const pare_tree_sitter *language)
{
    pare_grammar_tree_maker *maker = making->maker;
    const size_t n_content = pare_content_n_symbols(making->content);
    maker->alphabet = alphabet_of(grammar_of(maker), n_content);
    making->by_content = pare_alloc_zero(n_content + 1, sizeof *making->by_content);
    maker->rule_of = pare_alloc(maker->alphabet.n, sizeof *maker->rule_of);
    maker->like = pare_alloc(grammar_of(maker)->n_rules, sizeof *maker->like);
    maker->letters = pare_alloc(maker->n_symbols + 1, sizeof *maker->letters);
    maker->extras = pare_alloc(maker->n_symbols + 1, sizeof *maker->extras);
    if (!making->by_content || !maker->rule_of || !maker->like || !maker->letters || !maker->extras)
        return pare_fail_nomem(making->err);
    for (uint32_t i = 0; i < maker->alphabet.n; i++)
        maker->rule_of[i] = PARE_NO_INDEX;
    for (size_t i = 0; i < grammar_of(maker)->n_rules; i++)
        maker->like[i] = PARE_NO_INDEX;
    pare_status status = number_letters(making);
    if (!status) status = make_shadow(making);
    if (status) return status;
    map_symbols(making, language);
    status = pare_productions_init(&maker->productions, &maker->shadow,
                                   (pare_index)maker->shadow.n_rules - 1, making->err);
    if (status) return status;
    return pare_earley_new(&maker->productions, PARE_EARLEY_WHOLE, &maker->earley, making->err);
}

/* O(grammar), done once for a language. */
pare_status pare_grammar_tree_new(const pare_tree_sitter *language,
                                  const pare_tree_sitter_grammar *from, const pare_content *content,
                                  pare_grammar_tree_maker **out, pare_error *err)
{
    pare_grammar_tree_maker *maker = pare_alloc_zero(1, sizeof *maker);
    if (!maker) return pare_fail_nomem(err);
    maker->from = from;
    maker->n_symbols = pare_tree_sitter_n_symbols(language);
    struct making making = {.maker = maker, .content = content, .err = err};
    pare_status status = make(&making, language);
    pare_alloc_free(making.by_content);
    pare_buffer_done(&making.text);
    if (status) {
        pare_grammar_tree_free(maker);
        return status;
    }
    *out = maker;
    return PARE_OK;
}

/* The rest of the shadow is the grammar's. */
void pare_grammar_tree_free(pare_grammar_tree_maker *maker)
{
    if (!maker) return;
    pare_earley_free(maker->earley);
    pare_productions_done(&maker->productions);
    pare_alloc_free(maker->shadow.rules);
    pare_alloc_free(maker->shadow.exprs);
    pare_alloc_free(maker->shadow.tokens);
    pare_alloc_free(maker->letters);
    pare_alloc_free(maker->extras);
    pare_alloc_free(maker->rule_of);
    pare_alloc_free(maker->like);
    pare_name_index_done(&maker->words);
    pare_name_index_done(&maker->known);
    pare_arena_done(&maker->memory);
    pare_alloc_free(maker->templates);
    pare_alloc_free(maker->pieces);
    pare_alloc_free(maker->frames);
    pare_alloc_free(maker->children);
    pare_alloc_free(maker->written);
    pare_alloc_free(maker->input);
    pare_buffer_done(&maker->key);
    pare_alloc_free(maker);
}

/* --- templates ------------------------------------------------------------------------------ */

/* The letter of a node of the text. */
static uint32_t letter_of(const pare_grammar_tree_maker *maker, const pare_parse_node *node)
{
    if (node->symbol == PARE_TREE_SITTER_TEXT) return maker->alphabet.text;
    return node->symbol < maker->n_symbols ? maker->letters[node->symbol] : maker->alphabet.unknown;
}

static pare_status add_piece(pare_grammar_tree_maker *maker, struct piece piece, pare_error *err)
{
    struct piece *grown =
        pare_vector_grow(maker->pieces, maker->n_pieces, &maker->pieces_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    maker->pieces = grown;
    grown[maker->n_pieces++] = piece;
    return PARE_OK;
}

/* The piece of a template for one node of the shadow's tree.  *skips is set where what lies below
 * the node is not part of the template: the letters of a token, and the inside of a rule that has a
 * template of its own.
 * Letter 0 is that of the entrance, so letter i + 1 is child i. */
static struct piece piece_of(const pare_grammar_tree_maker *maker, const pare_parse_node *node,
                             bool *skips)
{
    const pare_index n_rules = (pare_index)grammar_of(maker)->n_rules;
    struct piece piece = {.kind = node->kind,
                          .symbol = node->symbol,
                          .alternative = node->alternative,
                          .from = node->begin ? node->begin - 1 : 0,
                          .to = node->end ? node->end - 1 : 0};
    *skips = false;
    if (node->kind != PARE_NODE_RULE) return piece;
    if (node->symbol >= 2 * n_rules) {
        piece.kind = PARE_NODE_TOKEN;
        piece.symbol = node->symbol - 2 * n_rules;
        piece.alternative = 0;
        *skips = true;
    } else if (node->symbol >= n_rules) {
        piece.symbol = node->symbol - n_rules;
    } else if (is_shown(maker, node->symbol)) {
        piece.is_child = *skips = true;
    }
    return piece;
}

/* Turns the tree of the shadow into a template.  The tree's nodes 0 and 1 are the start rule and
 * the entrance's letter; node 2 is the entrance, which becomes the template's root.
 * `places` (room for all nodes) maps a node to its piece.  Nodes are in preorder, so a parent's
 * place is known before its children ask for it. */
static pare_status take_tree(pare_grammar_tree_maker *maker, const pare_parse_tree *tree,
                             uint32_t *places, pare_error *err)
{
    const uint32_t root = 2;
    const size_t first = maker->n_pieces;
    pare_status status = PARE_OK;
    assert(tree->n_nodes > root && tree->nodes[root].kind == PARE_NODE_RULE);
    for (uint32_t i = root; !status && i < tree->n_nodes;) {
        const pare_parse_node *node = &tree->nodes[i];
        bool skips = false;
        struct piece piece = piece_of(maker, node, &skips);
        piece.parent = i == root ? 0 : places[node->parent];
        places[i] = (uint32_t)(maker->n_pieces - first);
        status = add_piece(maker, piece, err);
        i = skips ? node->after : i + 1;
    }
    return status;
}

/* Chooses a tree of those that were found, as for texts (disambiguate.c).  Letter i goes from i to
 * i + 1, so positions in the tree are numbers of children. */
static pare_status take_chart(pare_grammar_tree_maker *maker, pare_chart *chart, uint32_t n,
                              pare_error *err)
{
    pare_parse_tree tree = {0};
    const uint32_t *input = maker->input;
    const pare_letters letters = {input, input + n, input + 2 * (size_t)n, n, n};
    pare_status status = pare_leo_expand(chart, chart->finishes, chart->n_finishes, err);
    if (!status)
        status =
            pare_disambiguate_tree(chart, &letters, chart->finishes, chart->n_finishes, &tree, err);
    if (status) return status;
    uint32_t *places = pare_alloc(tree.n_nodes, sizeof *places);
    status = places ? take_tree(maker, &tree, places, err) : pare_fail_nomem(err);
    pare_alloc_free(places);
    pare_parse_tree_done(&tree);
    return status;
}

/* The template of children that match no rule, as in a text with errors: a list of them. */
static pare_status list_children(pare_grammar_tree_maker *maker, pare_index rule, uint32_t n,
                                 pare_error *err)
{
    pare_status status = add_piece(
        maker,
        (struct piece){
            .kind = PARE_NODE_RULE, .symbol = rule, .alternative = PARE_NO_INDEX, .to = n - 1},
        err);
    for (uint32_t i = 0; !status && i + 1 < n; i++) {
        const uint32_t letter = maker->input[i + 1];
        const pare_index of = maker->rule_of[letter];
        struct piece piece = {
            .kind = PARE_NODE_OPAQUE, .symbol = PARE_NO_NODE, .from = i, .to = i + 1};
        if (of != PARE_NO_INDEX) {
            piece.kind = PARE_NODE_RULE;
            piece.symbol = of;
            piece.is_child = true;
        } else if (letter < grammar_of(maker)->n_tokens) {
            piece.kind = PARE_NODE_TOKEN;
            piece.symbol = letter;
        }
        status = add_piece(maker, piece, err);
    }
    return status;
}

/* Makes the template of maker->input, n letters of which the first is the entrance of `rule`. */
static pare_status make_template(pare_grammar_tree_maker *maker, pare_index rule, uint32_t n,
                                 struct template *made, pare_error *err)
{
    pare_chart chart = {0};
    *made = (struct template){.first = (uint32_t)maker->n_pieces};
    pare_status status = pare_earley_run(maker->earley, maker->input, n, &chart, err);
    made->derived = !status && chart.failed_at == PARE_NO_ITEM && chart.n_finishes > 0;
    if (!status && made->derived) status = take_chart(maker, &chart, n, err);
    pare_chart_done(&chart);
    if (!status && !made->derived) status = list_children(maker, rule, n, err);
    made->n = (uint32_t)maker->n_pieces - made->first;
    return status;
}

/* Keeps a template, for good, under maker->key. */
static pare_status keep_template(pare_grammar_tree_maker *maker, struct template made,
                                 uint32_t *index, pare_error *err)
{
    struct template *grown = pare_vector_grow(maker->templates, maker->n_templates,
                                              &maker->templates_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    maker->templates = grown;
    const char *key = pare_arena_text(&maker->memory, maker->key.data, maker->key.size);
    if (!key) return pare_fail_nomem(err);
    *index = (uint32_t)maker->n_templates;
    grown[maker->n_templates++] = made;
    return pare_name_index_put(&maker->known, key, maker->key.size, *index, err);
}

/* Finds or makes the template of a rule with these children, whose letters are in maker->input from
 * 1 on; `n` counts the entrance's letter, too.
 * The key is the letters themselves, with the entrance first, so two nodes share a template exactly
 * if the recogniser would have read the same. */
static pare_status find_template(pare_grammar_tree_maker *maker, pare_index rule, uint32_t n,
                                 uint32_t *index, pare_error *err)
{
    struct template made;
    maker->input[0] = maker->alphabet.entrance + rule;
    pare_buffer_reset(&maker->key);
    pare_status status = pare_buffer_add(&maker->key, maker->input, n * sizeof *maker->input, err);
    if (status) return status;
    *index = pare_name_index_find(&maker->known, maker->key.data, maker->key.size);
    if (*index != PARE_NO_INDEX) return PARE_OK;
    for (uint32_t i = 0; i < n; i++) {
        maker->input[n + i] = i;
        maker->input[2 * (size_t)n + i] = i + 1;
    }
    status = make_template(maker, rule, n, &made, err);
    return status ? status : keep_template(maker, made, index, err);
}

static pare_status reserve_input(pare_grammar_tree_maker *maker, size_t n, pare_error *err)
{
    uint32_t *grown =
        pare_vector_reserve(maker->input, &maker->input_capacity, 3 * n, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    maker->input = grown;
    return PARE_OK;
}

/* --- the text ------------------------------------------------------------------------------- */

/* A run over one tree. */
struct writing {
    pare_grammar_tree_maker *maker;
    const pare_parse_tree *tree;
    const char *bytes;
    pare_parse_node *nodes; /* owned until it is handed over */
    size_t n, capacity;
    pare_error *err;
};

/* Appends a child; maker->children is a stack, with the innermost frame's on top. */
static pare_status add_child(struct writing *w, uint32_t node, uint32_t letter)
{
    pare_grammar_tree_maker *maker = w->maker;
    struct child *grown = pare_vector_grow(maker->children, maker->n_children,
                                           &maker->children_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(w->err);
    maker->children = grown;
    grown[maker->n_children++] = (struct child){node, letter};
    return PARE_OK;
}

/* The template of a frame's children as they are lettered. */
static pare_status match_children(struct writing *w, struct frame *frame, pare_index rule)
{
    pare_grammar_tree_maker *maker = w->maker;
    pare_status status = reserve_input(maker, (size_t)frame->n + 1, w->err);
    if (status) return status;
    for (uint32_t i = 0; i < frame->n; i++)
        maker->input[i + 1] = maker->children[frame->children + i].letter;
    return find_template(maker, rule, frame->n + 1, &frame->template, w->err);
}

/* Lists the children of a node, without extras. A leaf is its own only child: the word of the
 * grammar that its text is, or else a text that nothing is known of. */
static pare_status list_frame(struct writing *w, struct frame *frame)
{
    pare_grammar_tree_maker *maker = w->maker;
    const pare_parse_node *nodes = w->tree->nodes, *own = &nodes[frame->node];
    pare_status status = PARE_OK;
    frame->children = maker->n_children;
    if (own->kind == PARE_NODE_TOKEN) {
        const pare_index word =
            pare_name_index_find(&maker->words, w->bytes + own->begin, own->end - own->begin);
        status = add_child(w, frame->node, word == PARE_NO_INDEX ? maker->alphabet.text : word);
    }
    for (uint32_t c = frame->node + 1; !status && c < own->after; c = nodes[c].after)
        if (nodes[c].symbol >= maker->n_symbols || !maker->extras[nodes[c].symbol])
            status = add_child(w, c, letter_of(maker, &nodes[c]));
    frame->n = (uint32_t)(maker->n_children - frame->children);
    return status;
}

static bool is_derived(const struct writing *w, const struct frame *frame)
{
    return w->maker->templates[frame->template].derived;
}

/* Matches the children of a node, each taken for what it is shown as. A leaf that is not a word in
 * its place counts as a text. */
static pare_status match_shown(struct writing *w, struct frame *frame, pare_index rule)
{
    pare_status status = list_frame(w, frame);
    if (!status) status = match_children(w, frame, rule);
    if (status || w->tree->nodes[frame->node].kind != PARE_NODE_TOKEN || is_derived(w, frame))
        return status;
    w->maker->children[frame->children].letter = w->maker->alphabet.text;
    return match_children(w, frame, rule);
}

/* Several rules may show as the same letter (aliases).  If child `number` cannot be the first of
 * them, as its own children show, it gets the letter of the rule that it can be, and *is_other is
 * set.
 * Cost: one match for each rule with that letter, and matches are kept as templates.  It looks one
 * level down only: deeper aliases are told apart when their own parents are matched. */
static pare_status tell_apart(struct writing *w, struct frame *frame, uint32_t number,
                              bool *is_other)
{
    pare_grammar_tree_maker *maker = w->maker;
    const struct child child = maker->children[frame->children + number];
    const pare_index first = maker->rule_of[child.letter];
    pare_status status = PARE_OK;
    if (first == PARE_NO_INDEX) return PARE_OK;
    for (pare_index r = first; !status && r != PARE_NO_INDEX && maker->like[first] != PARE_NO_INDEX;
         r = maker->like[r]) {
        struct frame below = {.node = child.node};
        status = match_shown(w, &below, r);
        maker->n_children = below.children;
        if (status || !is_derived(w, &below)) continue;
        if (r == first) break;
        maker->children[frame->children + number].letter = maker->alphabet.exact + r;
        *is_other = true;
        break;
    }
    return status;
}

/* Finds the template of a node.  First each child counts as what it is shown as.  Then children
 * whose own children say that they are another rule are lettered so, and the node is matched again.
 * If that match fails and the first one did not, the first one stays: the parent's rule is the
 * better witness. */
static pare_status match_node(struct writing *w, struct frame *frame, pare_index rule)
{
    pare_grammar_tree_maker *maker = w->maker;
    bool is_other = false;
    pare_status status = match_shown(w, frame, rule);
    if (status || w->tree->nodes[frame->node].kind == PARE_NODE_TOKEN) return status;
    const uint32_t shown = frame->template;
    for (uint32_t i = 0; !status && i < frame->n; i++)
        status = tell_apart(w, frame, i, &is_other);
    if (status || !is_other) return status;
    status = match_children(w, frame, rule);
    if (!status && !is_derived(w, frame) && maker->templates[shown].derived)
        frame->template = shown;
    return status;
}

/* Opens a frame for a node that is `rule`: finds its template, makes room for its pieces' places. */
static pare_status open_frame(struct writing *w, uint32_t node, pare_index rule)
{
    pare_grammar_tree_maker *maker = w->maker;
    struct frame frame = {.node = node, .first_out = maker->n_written};
    pare_status status = match_node(w, &frame, rule);
    if (status) return status;
    const size_t need = maker->n_written + maker->templates[frame.template].n;
    uint32_t *written =
        pare_vector_reserve(maker->written, &maker->written_capacity, need, sizeof *written);
    if (!written) return pare_fail_nomem(w->err);
    maker->written = written;
    maker->n_written = need;
    struct frame *grown =
        pare_vector_grow(maker->frames, maker->n_frames, &maker->frames_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(w->err);
    maker->frames = grown;
    grown[maker->n_frames++] = frame;
    return PARE_OK;
}

/* The bytes of the children that a node covers; one of none stands where the child before ends. */
static void set_bytes(const struct writing *w, const struct frame *frame, const struct piece *piece,
                      pare_parse_node *node)
{
    const struct child *children = w->maker->children + frame->children;
    const pare_parse_node *nodes = w->tree->nodes;
    const pare_parse_node *own = &nodes[frame->node];
    if (piece->from < piece->to) {
        node->begin = nodes[children[piece->from].node].begin;
        node->end = nodes[children[piece->to - 1].node].end;
        return;
    }
    node->begin = node->end = piece->from ? nodes[children[piece->from - 1].node].end : own->begin;
}

/* Writes a node, and its number to *place; link_nodes widens `after` to the subtree's end. */
static pare_status write_node(struct writing *w, const struct frame *frame,
                              const struct piece *piece, uint32_t parent, uint32_t *place)
{
    pare_parse_node *grown = pare_vector_grow(w->nodes, w->n, &w->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(w->err);
    if (w->n >= PARE_NO_NODE - 1)
        return pare_fail(w->err, PARE_E_LIMIT, "the tree has too many nodes");
    w->nodes = grown;
    pare_parse_node node = {.kind = piece->kind,
                            .symbol = piece->symbol,
                            .alternative = piece->alternative,
                            .after = (uint32_t)w->n + 1,
                            .parent = parent};
    set_bytes(w, frame, piece, &node);
    /* A node without bytes is put after the child before it, but not outside its parent. */
    if (parent != PARE_NO_NODE && node.begin == node.end && node.begin < grown[parent].begin)
        node.begin = node.end = grown[parent].begin;
    *place = (uint32_t)w->n;
    grown[w->n++] = node;
    return PARE_OK;
}

/* A piece's parent in the result, in the same frame or, for the first piece, in the frame around
 * it; PARE_NO_NODE: the root. */
static uint32_t parent_of(const struct writing *w, const struct frame *frame,
                          const struct piece *piece)
{
    const pare_grammar_tree_maker *maker = w->maker;
    if (frame->at) return maker->written[frame->first_out + piece->parent];
    if (maker->n_frames == 1) return PARE_NO_NODE;
    const struct frame *up = frame - 1;
    const struct piece *child = &maker->pieces[maker->templates[up->template].first + up->at - 1];
    return maker->written[up->first_out + child->parent];
}

/* Whether a leaf would be its own child once more: it is one of itself (list_frame), so two rules
 * that are each just the other would go on for ever. */
static bool is_again(const struct writing *w, const struct frame *frame, const struct piece *piece)
{
    const uint32_t node = w->maker->children[frame->children + piece->from].node;
    return node == frame->node && w->maker->n_frames > 1 && (frame - 1)->node == node;
}

/* Goes one piece on with the innermost frame, or ends it. */
static pare_status step(struct writing *w)
{
    pare_grammar_tree_maker *maker = w->maker;
    struct frame *frame = &maker->frames[maker->n_frames - 1];
    const struct template *template = &maker->templates[frame->template];
    if (frame->at == template->n) {
        maker->n_children = frame->children;
        maker->n_written = frame->first_out;
        maker->n_frames--;
        return PARE_OK;
    }
    const struct piece *piece = &maker->pieces[template->first + frame->at];
    uint32_t *place = &maker->written[frame->first_out + frame->at];
    if (piece->is_child && !is_again(w, frame, piece)) {
        frame->at++;
        return open_frame(w, maker->children[frame->children + piece->from].node, piece->symbol);
    }
    const uint32_t parent = parent_of(w, frame, piece);
    pare_status status = write_node(w, frame, piece, parent, place);
    frame->at++;
    return status;
}

/* Sets the ends of subtrees, from the last node on, so a node's own is final before its parent's. */
static void link_nodes(const struct writing *w)
{
    for (size_t i = w->n; i-- > 1;) {
        pare_parse_node *up = &w->nodes[w->nodes[i].parent];
        if (w->nodes[i].after > up->after) up->after = w->nodes[i].after;
    }
}

static const char *rule_name(const void *language, uint32_t symbol)
{
    const pare_grammar *grammar = language;
    return symbol < grammar->n_rules ? grammar->rules[symbol].name : "?";
}

static const char *token_name(const void *language, uint32_t symbol)
{
    const pare_grammar *grammar = language;
    const pare_token_type *type = symbol < grammar->n_tokens ? &grammar->tokens[symbol] : NULL;
    return type && type->name ? type->name : type && type->literal ? type->literal : "?";
}

/* Depth first, one piece at a time.  O(nodes), and a parse for each list of children that is new. */
pare_status pare_grammar_tree_make(pare_grammar_tree_maker *maker, const pare_parse_tree *tree,
                                   const char *bytes, pare_parse_tree *out, pare_error *err)
{
    struct writing w = {.maker = maker, .tree = tree, .bytes = bytes, .err = err};
    pare_index start = maker->rule_of[letter_of(maker, &tree->nodes[0])];
    maker->n_frames = maker->n_children = maker->n_written = 0;
    /* A text of which nothing parses has a root of tree-sitter's own. */
    if (start == PARE_NO_INDEX) start = pare_grammar_start(grammar_of(maker));
    pare_status status = open_frame(&w, 0, start);
    while (!status && maker->n_frames)
        status = step(&w);
    if (status) {
        pare_alloc_free(w.nodes);
        return status;
    }
    link_nodes(&w);
    *out = (pare_parse_tree){.nodes = w.nodes,
                             .n_nodes = w.n,
                             .size_bytes = tree->size_bytes,
                             .names = {rule_name, token_name, grammar_of(maker)},
                             .error = {.any = tree->error.any,
                                       .line = tree->error.line,
                                       .column = tree->error.column,
                                       .begin = tree->error.begin},
                             .n_errors = tree->n_errors};
    return PARE_OK;
}
