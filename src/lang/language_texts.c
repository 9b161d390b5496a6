/* Texts of a language and kinds that may stand for each other: the grammar is read, then each
 * kind's smallest text is tried on the language's parser until it is read back.
 *
 * There are four rounds.  Tokens that have no text after the first one are given those that the
 * example has for them; in the third one hidden tokens without a rule are nothing.  The fourth
 * one tries what is left in the example itself, unless that is larger than 2 MB, and as long as it
 * does not cost more than parsing that much.  Invariant: a text that was read back once is kept, so later rounds only add.
 *
 * A text is tried without spaces, but between two words, and then with a space between any two
 * tokens; what is parsed is always the text in its context.  Parsing decides because the grammar
 * alone cannot: a language's own scanner, keywords and precedences are not in it. */
#include "lang/language_texts.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "grammar/analysis.h"
#include "grammar/content.h"
#include "grammar/grammar.h"
#include "grammar/minimal.h"
#include "grammar/tree_sitter_grammar.h"
#include "lang/language.h"
#include "parse/parse_tree.h"
#include "parse/tree_sitter.h"

/* ---- the grammar, and what follows from it -------------------------------------------------- */

/* A grammar with all that is derived from it. It is made anew when an example
 * is added, since the smallest texts change then. All-zero is empty. */
struct model {
    pare_tree_sitter_grammar from;
    pare_analysis analysis;
    pare_minimal_texts minimal;
    pare_contexts contexts;
    const pare_content *content; /* borrowed */
    uint32_t *symbols;           /* owned; of each rule: of the content, or PARE_CONTENT_UNKNOWN */
    uint32_t *sorts; /* owned; of each token type: 1 + the first kind that is just such a token,
                          the same each time the grammar is read; 0: its text is fixed */
};

/* All-zero afterwards, so it may be ended twice. */
static void model_done(struct model *model)
{
    pare_alloc_free(model->symbols);
    pare_alloc_free(model->sorts);
    pare_minimal_contexts_done(&model->contexts);
    pare_minimal_done(&model->minimal);
    pare_analysis_done(&model->analysis);
    pare_tree_sitter_grammar_done(&model->from);
    *model = (struct model){.content = NULL};
}

/* The token without a fixed text that the rule always is, followed through
 * rules that are only another rule; of a choice only the first alternative is
 * followed. PARE_NO_INDEX: it is no such token. */
static pare_index model_token(const struct model *model, pare_index rule)
{
    const pare_grammar *grammar = model->from.grammar;
    if (model->symbols[rule] == PARE_CONTENT_UNKNOWN) return PARE_NO_INDEX;
    /* Rules may derive themselves, so the way is cut at as many steps as there are rules. */
    for (size_t steps = 0; steps < grammar->n_rules; steps++) {
        const pare_expr *body = &grammar->exprs[grammar->rules[rule].body];
        if (body->kind == PARE_EXPR_CHOICE) body = &grammar->exprs[body->first];
        if (body->kind == PARE_EXPR_TOKEN)
            return grammar->tokens[body->token].literal ? PARE_NO_INDEX : body->token;
        if (body->kind != PARE_EXPR_RULE) return PARE_NO_INDEX;
        rule = body->rule;
    }
    return PARE_NO_INDEX;
}

/* Numbers tokens without a fixed text by the first kind that is just such a token. */
static void number_sorts(struct model *model)
{
    for (pare_index r = 0; r < model->from.grammar->n_rules; r++) {
        pare_index token = model_token(model, r);
        if (token == PARE_NO_INDEX) continue;
        /* The least kind, so that the number does not depend on the order of the rules. */
        uint32_t sort = model->symbols[r] + 1;
        if (!model->sorts[token] || sort < model->sorts[token]) model->sorts[token] = sort;
    }
}

/* Finds which kind of node each rule makes; hidden rules make none. */
static pare_status map_rules(struct model *model, pare_error *err)
{
    size_t n = model->from.grammar->n_rules;
    model->symbols = pare_alloc(n, sizeof *model->symbols);
    model->sorts = pare_alloc_zero(model->from.grammar->n_tokens, sizeof *model->sorts);
    if (!model->symbols || !model->sorts) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        const pare_shown_rule *shown = &model->from.shown[i];
        model->symbols[i] = shown->name
                                ? pare_content_symbol(model->content, shown->name, shown->named)
                                : PARE_CONTENT_UNKNOWN;
    }
    number_sorts(model);
    return PARE_OK;
}

/* Finds what follows from model->from, which was read.  *model is to be ended also after an
 * error. */
static pare_status model_init(struct model *model, pare_error *err)
{
    pare_status status = pare_analysis_init(&model->analysis, model->from.grammar, err);
    if (!status) status = pare_minimal_init(&model->minimal, &model->analysis, err);
    if (!status) status = pare_minimal_contexts_init(&model->contexts, &model->minimal, 0, err);
    return status ? status : map_rules(model, err);
}

/* ---- subtypes: which kinds of nodes may stand for which ------------------------------------- */

/* A table of bits, asked for each pair of nodes in a reduction, so it is worked
 * out once. Kinds are symbols of the content models. All-zero is empty. */
struct subtypes {
    /* words: of 64 bits in a row */
    size_t n_symbols, words;
    uint64_t *rows;     /* owned; of each symbol: a bit for each symbol that may stand there */
    uint64_t *set_rows; /* owned; the same of each set */
};

/* What the table of subtypes is made with; all but `to` is borrowed. `units`
 * says which rules and tokens each rule of the grammar derives in single steps. */
struct table_maker {
    struct subtypes *to;
    const pare_tree_sitter_grammar *from;
    const pare_content *content;
    const uint32_t *symbols;
    pare_subtypes units;
};

static void subtypes_done(struct subtypes *subtypes)
{
    pare_alloc_free(subtypes->rows);
    pare_alloc_free(subtypes->set_rows);
    *subtypes = (struct subtypes){0};
}

/* Notes that `offered` may stand where `wanted` does. */
static void set_bit(const struct table_maker *maker, uint32_t wanted, uint32_t offered)
{
    assert(wanted < maker->to->n_symbols && offered < maker->to->n_symbols);
    maker->to->rows[wanted * maker->to->words + offered / 64] |= UINT64_C(1) << offered % 64;
}

/* Whether `wanted` derives `rule`, in no step or in more. */
static bool derives(const struct table_maker *maker, pare_index wanted, pare_index rule)
{
    return wanted == rule || pare_analysis_has_subrule(&maker->units, wanted, rule);
}

/* Whether `wanted` derives what stands below the alias `rule`. An alias gives a
 * node another name, but the text below it is that of its content, so it fits
 * wherever the content does. */
static bool derives_content(const struct table_maker *maker, pare_index wanted, pare_index rule)
{
    const pare_grammar *grammar = maker->from->grammar;
    const pare_expr *body = &grammar->exprs[grammar->rules[rule].body];
    bool choice = body->kind == PARE_EXPR_CHOICE;
    /* A choice is looked at part by part, anything else as a whole. */
    for (const pare_expr *part = choice ? &grammar->exprs[body->first] : body; part;
         part = choice && part->next != PARE_NO_INDEX ? &grammar->exprs[part->next] : NULL) {
        if (part->kind == PARE_EXPR_RULE && derives(maker, wanted, part->rule)) return true;
        if (part->kind == PARE_EXPR_TOKEN &&
            pare_analysis_has_subtoken(&maker->units, wanted, part->token))
            return true;
    }
    return false;
}

/* Fills the row of one rule: the kinds and fixed tokens that may stand where
 * `rule` is wanted. Several rules may be of one kind; their bits add up. */
static void note_rule(const struct table_maker *maker, pare_index rule)
{
    const pare_grammar *grammar = maker->from->grammar;
    uint32_t wanted = maker->symbols[rule];
    for (pare_index r = 0; r < grammar->n_rules; r++) {
        uint32_t offered = maker->symbols[r];
        if (offered >= maker->to->n_symbols) continue;
        /* Something renamed by an alias may stand wherever its content may. */
        if (derives(maker, rule, r) ||
            (maker->from->shown[r].alias && derives_content(maker, rule, r)))
            set_bit(maker, wanted, offered);
    }
    for (pare_index t = 1; t < grammar->n_tokens; t++) {
        const char *literal = grammar->tokens[t].literal;
        if (!literal || !pare_analysis_has_subtoken(&maker->units, rule, t)) continue;
        uint32_t offered = pare_content_symbol(maker->content, literal, false);
        if (offered < maker->to->n_symbols) set_bit(maker, wanted, offered);
    }
}

/* Fills the row of a set: what any of its members takes. */
static void note_set(const struct table_maker *maker, uint32_t set)
{
    size_t words = maker->to->words;
    uint64_t *row = maker->to->set_rows + set * words;
    for (uint32_t member = 0; member < maker->to->n_symbols; member++) {
        if (!pare_content_set_has(maker->content, set, member)) continue;
        /* A member may stand there itself, also where it derives nothing else. */
        row[member / 64] |= UINT64_C(1) << member % 64;
        for (size_t w = 0; w < words; w++)
            row[w] |= maker->to->rows[member * words + w];
    }
}

/* Makes the table.  `symbols` are those of the grammar's rules, PARE_CONTENT_UNKNOWN for
 * hidden ones.  Errors: PARE_E_NOMEM, PARE_E_LIMIT; *subtypes is all-zero then. */
static pare_status subtypes_init(struct subtypes *subtypes, const pare_tree_sitter_grammar *grammar,
                                 const pare_analysis *analysis, const uint32_t *symbols,
                                 const pare_content *content, pare_error *err)
{
    struct table_maker maker = {
        .to = subtypes, .from = grammar, .content = content, .symbols = symbols};
    size_t n = pare_content_n_symbols(content), n_sets = pare_content_n_sets(content);
    *subtypes = (struct subtypes){.n_symbols = n, .words = n / 64 + 1};
    pare_status status = pare_analysis_subtypes_init(&maker.units, analysis, err);
    if (!status) {
        subtypes->rows = pare_alloc_zero(n * subtypes->words + 1, sizeof(uint64_t));
        subtypes->set_rows = pare_alloc_zero(n_sets * subtypes->words + 1, sizeof(uint64_t));
        if (!subtypes->rows || !subtypes->set_rows) status = pare_fail_nomem(err);
    }
    for (pare_index r = 0; !status && r < grammar->grammar->n_rules; r++)
        if (symbols[r] < n) note_rule(&maker, r);
    for (uint32_t s = 0; !status && s < n_sets; s++)
        note_set(&maker, s);
    pare_analysis_subtypes_done(&maker.units);
    if (status) subtypes_done(subtypes);
    return status;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Bounds on what is tried. */
enum {
    LONGEST_TEXT = 256,   /* bytes of a text that is tried: longer ones replace nothing */
    MOST_TOKENS = 64,     /* in a text */
    LONGEST_EXAMPLE = 64, /* bytes of an example of a token */
    MOST_PARSED = 2 << 20 /* bytes in the fourth round, which parses the whole example */
};

/* The shortest text of a kind that was read back, with its tokens as pieces. */
struct text {
    size_t offset, size; /* in `bytes` */
    size_t first, n;     /* in `pieces` */
    bool known;
};

/* All texts stand one after the other in `bytes`, all pieces in `pieces`; a
 * kind without a text has known == false. After it is made it is only read. */
struct pare_language_texts {
    /* borrowed, as the next two */
    const pare_tree_sitter *language;
    const pare_language_models *models;
    const pare_content *content;
    size_t n_symbols;
    pare_buffer bytes;
    struct text *texts;   /* owned, as all below; of each symbol */
    uint32_t *sorts;      /* of each symbol: its sort, or 0 */
    pare_index *smallest; /* of each set: a symbol, or PARE_NO_INDEX */
    pare_language_piece *pieces;
    size_t n_pieces, piece_capacity;
    struct subtypes subtypes;
};

/* The state of one call of make_all. */
struct maker {
    pare_language_texts *to;
    const pare_language_source *source;
    struct model model;
    const pare_parse_node *place; /* of the example, where texts are tried; NULL: by themselves */
    size_t parsed_bytes;          /* so far */
    pare_buffer text, whole;      /* being tried */
    pare_token_example *examples; /* owned; their names too */
    size_t n_examples, example_capacity;
    pare_error *err;
};

void pare_language_texts_free(pare_language_texts *texts)
{
    if (!texts) return;
    subtypes_done(&texts->subtypes);
    pare_buffer_done(&texts->bytes);
    pare_alloc_free(texts->texts);
    pare_alloc_free(texts->sorts);
    pare_alloc_free(texts->smallest);
    pare_alloc_free(texts->pieces);
    pare_alloc_free(texts);
}

/* --- a text and its context ------------------------------------------------------------------ */

/* Whether `c` is a byte of a word in nearly every language. `$` is one in some,
 * and bytes of UTF-8 are taken for letters. When in doubt a byte counts: a
 * missing space would join two words. */
static bool is_word(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 0x80 || byte == '_' || byte == '$' || (byte >= '0' && byte <= '9') ||
           (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* A pare_minimal_needs_space: whether the two texts would join to one word. */
static bool between_words(void *context, const char *left, size_t left_size, const char *right,
                          size_t right_size)
{
    (void)context;
    return left_size && right_size && is_word(left[left_size - 1]) && is_word(right[0]);
}

/* Parses maker->whole and looks for a node of `symbol` that covers exactly
 * `size` bytes at `begin`. *yes is false if there are more than `n_errors`
 * errors: an example may have some of its own, and the text may not add any. */
static pare_status reads_back(struct maker *maker, uint32_t symbol, size_t begin, size_t size,
                              size_t n_errors, bool *yes)
{
    pare_parse_tree tree = {0};
    pare_status status =
        pare_tree_sitter_parse(maker->to->language, maker->whole.data ? maker->whole.data : "",
                               maker->whole.size, &tree, maker->err);
    *yes = false;
    /* Any node of the kind at the place will do: other kinds may cover the same bytes. */
    for (size_t i = 0; !status && tree.n_errors <= n_errors && i < tree.n_nodes && !*yes; i++) {
        const pare_parse_node *node = &tree.nodes[i];
        *yes = node->begin == begin && node->end == begin + size &&
               pare_language_models_symbol(maker->to->models, node->symbol) == symbol;
    }
    pare_parse_tree_done(&tree);
    return status;
}

/* Takes PARE_E_LIMIT for "there is no such text": it is infinite, or too long.
 * Other failures stay. */
static pare_status unless_limit(pare_status status, bool *has)
{
    *has = status == PARE_OK;
    return status == PARE_E_LIMIT ? PARE_OK : status;
}

/* Makes the smallest text of `rule` in maker->text, and in maker->whole the
 * same text within a context: the smallest one that leads to the rule, or the
 * example with the text in the place of a node. *begin is where the text stands
 * in the whole. */
static pare_status make_whole(struct maker *maker, pare_index rule, pare_joining joining,
                              size_t *begin, bool *has)
{
    const struct model *model = &maker->model;
    const pare_parse_node *place = maker->place;
    pare_buffer *text = &maker->text, *whole = &maker->whole;
    pare_error why = {.status = PARE_OK};
    pare_buffer_reset(text);
    pare_buffer_reset(whole);
    pare_status status = pare_minimal_text(&model->minimal, model->from.grammar->rules[rule].body,
                                           joining.needs_space, NULL, text, &why);
    const char *bytes = text->size ? text->data : "";
    if (!status && !place)
        status =
            pare_minimal_context(&model->contexts, (pare_context_inner){rule, bytes, text->size},
                                 joining, whole, begin, &why);
    /* In the example, all around the place stays as it is. */
    if (!status && place) {
        const pare_language_source *source = maker->source;
        size_t left = source->example->size_bytes - place->end;
        *begin = place->begin;
        status = pare_buffer_add(whole, source->bytes, place->begin, &why);
        if (!status) status = pare_buffer_add(whole, bytes, text->size, &why);
        if (!status) status = pare_buffer_add(whole, source->bytes + place->end, left, &why);
    }
    status = unless_limit(status, has);
    return status ? pare_fail_nomem(maker->err) : PARE_OK;
}

/* Tries the text of `rule` in its context, with tokens joined as `joining`
 * says; *yes: it is read back as a node of the rule's kind. Costs one parse of
 * the whole. */
static pare_status try_joined(struct maker *maker, pare_index rule, pare_joining joining, bool *yes)
{
    size_t begin = 0;
    bool has = false;
    pare_status status = make_whole(maker, rule, joining, &begin, &has);
    *yes = false;
    if (status || !has || maker->text.size > LONGEST_TEXT) return status;
    /* Only a whole input may be empty. */
    if (!maker->text.size && maker->model.contexts.via[rule] != PARE_NO_INDEX) return PARE_OK;
    /* Counted before the parse, which costs time for each byte whatever its result is. */
    maker->parsed_bytes += maker->whole.size;
    return reads_back(maker, maker->model.symbols[rule], begin, maker->text.size,
                      maker->place ? maker->source->example->n_errors : 0, yes);
}

/* Tries a rule's smallest text, first as short as it can be, then with spaces between all
 * tokens. */
static pare_status try_rule(struct maker *maker, pare_index rule, bool *yes)
{
    static const pare_joining joinings[] = {{.needs_space = between_words}, {.needs_space = NULL}};
    pare_status status = PARE_OK;
    *yes = false;
    if (!maker->place && maker->model.contexts.sizes[rule] == PARE_NO_MINIMUM) return PARE_OK;
    for (size_t i = 0; i < 2 && !status && !*yes; i++)
        status = try_joined(maker, rule, joinings[i], yes);
    return status;
}

/* --- pieces ---------------------------------------------------------------------------------- */

/* Appends a token of a text. */
static pare_status add_piece(pare_language_texts *texts, pare_language_piece piece, pare_error *err)
{
    pare_language_piece *pieces =
        pare_vector_grow(texts->pieces, texts->n_pieces, &texts->piece_capacity, sizeof *pieces);
    if (!pieces) return pare_fail_nomem(err);
    texts->pieces = pieces;
    pieces[texts->n_pieces++] = piece;
    return PARE_OK;
}

/* Splits maker->text into its tokens and adds them as pieces. The tokens are
 * known from the grammar, so only the spaces between them have to be found. */
static pare_status cut(struct maker *maker, pare_index rule, struct text *text)
{
    const pare_grammar *grammar = maker->model.from.grammar;
    pare_index tokens[MOST_TOKENS];
    size_t n = 0, at = 0;
    pare_status status = pare_minimal_tokens(&maker->model.minimal, grammar->rules[rule].body,
                                             tokens, MOST_TOKENS, &n, maker->err);
    text->first = maker->to->n_pieces;
    /* A text of more tokens gets no pieces, and is used as a whole only. */
    for (size_t i = 0; !status && n <= MOST_TOKENS && i < n; i++) {
        pare_buffer token = {0};
        status = pare_minimal_token(&maker->model.minimal, tokens[i], &token, maker->err);
        bool here = at + token.size <= maker->text.size &&
                    (!token.size || memcmp(maker->text.data + at, token.data, token.size) == 0);
        if (!here) at++; /* a space */
        pare_language_piece piece = {.sort = maker->model.sorts[tokens[i]],
                                     .begin = (uint32_t)at,
                                     .size = (uint32_t)token.size};
        at += token.size;
        pare_buffer_done(&token);
        if (!status) status = add_piece(maker->to, piece, maker->err);
    }
    text->n = maker->to->n_pieces - text->first;
    return status;
}

/* Keeps the text that was just tried as that of the rule's kind. */
static pare_status take(struct maker *maker, pare_index rule)
{
    pare_language_texts *to = maker->to;
    struct text *text = &to->texts[maker->model.symbols[rule]];
    *text = (struct text){.offset = to->bytes.size, .size = maker->text.size, .known = true};
    pare_status status = PARE_OK;
    if (text->size) status = pare_buffer_add(&to->bytes, maker->text.data, text->size, maker->err);
    return status ? status : cut(maker, rule, text);
}

/* --- all texts ------------------------------------------------------------------------------- */

/* Bytes of a rule's smallest text. */
static uint64_t size_of(const struct maker *maker, pare_index rule)
{
    return pare_minimal_rule(&maker->model.minimal, rule).size_bytes;
}

/* The next rule of a kind by size, then number, after `last`; PARE_NO_INDEX at the end.  Kinds
 * have one rule, or a few by aliases, so rules are searched instead of sorted. */
static pare_index next_rule(const struct maker *maker, uint32_t symbol, pare_index last)
{
    const pare_grammar *grammar = maker->model.from.grammar;
    pare_index best = PARE_NO_INDEX;
    for (pare_index r = 0; r < grammar->n_rules; r++) {
        uint64_t size = size_of(maker, r);
        if (maker->model.symbols[r] != symbol || size == PARE_NO_MINIMUM) continue;
        /* After the last one in the order of (size, number), which is total. */
        bool after = last == PARE_NO_INDEX || size > size_of(maker, last) ||
                     (size == size_of(maker, last) && r > last);
        if (after && (best == PARE_NO_INDEX || size < size_of(maker, best))) best = r;
    }
    return best;
}

/* Makes the text of a kind: its rules are tried from the one with the smallest
 * text on, and the first text that is read back is taken. */
static pare_status make_text(struct maker *maker, uint32_t symbol)
{
    pare_status status = PARE_OK;
    pare_index rule = PARE_NO_INDEX;
    bool yes = false;
    while (!status && !yes && (rule = next_rule(maker, symbol, rule)) != PARE_NO_INDEX) {
        status = try_rule(maker, rule, &yes);
        if (!status && yes) status = take(maker, rule);
    }
    return status;
}

/* Gives a token that is known by its text that very text. The parser reads
 * nothing else as this token, so no try is needed. */
static pare_status make_literal(struct maker *maker, const char *literal)
{
    pare_language_texts *to = maker->to;
    uint32_t symbol = pare_content_symbol(to->content, literal, false);
    if (symbol >= to->n_symbols || to->texts[symbol].known) return PARE_OK;
    size_t size = strlen(literal);
    to->texts[symbol] = (struct text){
        .offset = to->bytes.size, .size = size, .first = to->n_pieces, .n = 1, .known = true};
    pare_status status = pare_buffer_add(&to->bytes, literal, size, maker->err);
    if (status) return status;
    return add_piece(to, (pare_language_piece){.size = (uint32_t)size}, maker->err);
}

/* One round: first kinds that have no text yet, then tokens that are known by their text. */
static pare_status make_texts(struct maker *maker)
{
    const pare_grammar *grammar = maker->model.from.grammar;
    pare_language_texts *to = maker->to;
    pare_status status = PARE_OK;
    for (uint32_t symbol = 0; !status && symbol < to->n_symbols; symbol++)
        if (!to->texts[symbol].known) status = make_text(maker, symbol);
    for (pare_index t = 1; !status && t < grammar->n_tokens; t++)
        /* They need no try: the parser knows them by this text. */
        if (grammar->tokens[t].literal) status = make_literal(maker, grammar->tokens[t].literal);
    return status;
}

/* --- examples -------------------------------------------------------------------------------- */

/* Reads the grammar, with the examples known so far, in the place of the last one. */
static pare_status open_model(struct maker *maker)
{
    const pare_language_source *source = maker->source;
    model_done(&maker->model);
    maker->model = (struct model){.content = maker->to->content};
    pare_status status =
        pare_tree_sitter_grammar_read(source->json, source->json_size, maker->examples,
                                      maker->n_examples, &maker->model.from, maker->err);
    return status ? status : model_init(&maker->model, maker->err);
}

/* Adds an example of a token, or replaces a longer one of the same name. The
 * name is copied, because the grammar that owns it is soon read again; the text
 * is borrowed from the source. */
static pare_status add_example(struct maker *maker, const char *name, const char *text, size_t size)
{
    for (size_t i = 0; i < maker->n_examples; i++) {
        pare_token_example *known = &maker->examples[i];
        if (strcmp(known->name, name) != 0) continue;
        /* Shorter is better: texts made with it are, too. */
        if (size < known->size) *known = (pare_token_example){known->name, text, size};
        return PARE_OK;
    }
    pare_token_example *examples = pare_vector_grow(maker->examples, maker->n_examples,
                                                    &maker->example_capacity, sizeof *examples);
    if (examples) maker->examples = examples;
    const char *copy = examples ? pare_alloc_text(name, strlen(name)) : NULL;
    if (!copy) return pare_fail_nomem(maker->err);
    examples[maker->n_examples++] = (pare_token_example){copy, text, size};
    return PARE_OK;
}

/* Makes `text` the example of the tokens that nodes of this kind may be. A
 * token that no rule makes is known by its own name, others by the name of
 * their rule. */
static pare_status give(struct maker *maker, uint32_t symbol, const char *text, size_t size)
{
    const pare_grammar *grammar = maker->model.from.grammar;
    pare_status status = PARE_OK;
    for (pare_index r = 0; !status && r < grammar->n_rules; r++) {
        pare_index token =
            maker->model.symbols[r] == symbol ? model_token(&maker->model, r) : PARE_NO_INDEX;
        if (token == PARE_NO_INDEX) continue;
        bool outer = grammar->tokens[token].rule == PARE_NO_INDEX;
        /* A token with a rule is renamed by its rule only, or every alias of it would get an
         * example. */
        if (!outer && maker->model.from.shown[r].alias) continue;
        const char *name = outer ? grammar->tokens[token].name : grammar->rules[r].name;
        status = add_example(maker, name, text, size);
    }
    return status;
}

/* Round two: for each kind without a text, takes the shortest of its tokens in
 * the example. Interruptible, since the example may be large. */
static pare_status learn(struct maker *maker)
{
    const pare_parse_tree *tree = maker->source->example;
    pare_status status = PARE_OK;
    for (size_t i = 0; tree && !status && i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (pare_interrupt_asked_at(i)) return pare_interrupt_look(maker->err);
        size_t size = node->end - node->begin;
        uint32_t symbol = pare_language_models_symbol(maker->to->models, node->symbol);
        if (node->kind != PARE_NODE_TOKEN || symbol >= maker->to->n_symbols) continue;
        /* Only kinds for which no text could be made need an example. */
        if (maker->to->texts[symbol].known || !size || size > LONGEST_EXAMPLE) continue;
        status = give(maker, symbol, maker->source->bytes + node->begin, size);
    }
    return status;
}

/* Round three: gives hidden tokens that no rule makes the empty text. Line ends
 * and ends of blocks are such tokens, and at the end of a text they need
 * nothing. */
static pare_status guess(struct maker *maker)
{
    const pare_grammar *grammar = maker->model.from.grammar;
    pare_status status = PARE_OK;
    for (pare_index t = 1; !status && t < grammar->n_tokens; t++) {
        const char *name = grammar->tokens[t].name;
        /* Names with an underscore are hidden: they have no node in any tree. */
        if (grammar->tokens[t].rule == PARE_NO_INDEX && name && name[0] == '_')
            status = add_example(maker, name, "", 0);
    }
    return status;
}

/* The smallest node of this kind with text in the example; NULL if there is
 * none. Smallest, because the rest of the example then says most about the
 * place. */
static const pare_parse_node *find_place(const struct maker *maker, uint32_t symbol)
{
    const pare_parse_tree *tree = maker->source->example;
    const pare_parse_node *best = NULL;
    for (size_t i = 0; tree && i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (pare_language_models_symbol(maker->to->models, node->symbol) != symbol) continue;
        if (node->begin == node->end) continue;
        if (!best || node->end - node->begin < best->end - best->begin) best = node;
    }
    return best;
}

/* Round four: tries kinds without a text in the place of such a node in the
 * example, until MOST_PARSED bytes have been parsed. */
static pare_status try_places(struct maker *maker)
{
    const pare_parse_tree *example = maker->source->example;
    pare_status status = PARE_OK;
    maker->parsed_bytes = 0;
    /* One kind takes several parses of the whole example, for which tests would have to wait. */
    if (example && example->size_bytes > MOST_PARSED) return PARE_OK;
    for (uint32_t k = 0; !status && k < maker->to->n_symbols; k++) {
        if (maker->to->texts[k].known || maker->parsed_bytes > MOST_PARSED) continue;
        maker->place = find_place(maker, k);
        if (maker->place) status = make_text(maker, k);
    }
    maker->place = NULL;
    return status;
}

/* Looks for examples by `more`; if there are new ones, reads the grammar with
 * them and makes texts for kinds that have none yet. */
static pare_status make_again(struct maker *maker, pare_status (*more)(struct maker *maker))
{
    size_t before = maker->n_examples;
    pare_status status = more(maker);
    /* Without a new example the same texts would come out. */
    if (status || maker->n_examples == before) return status;
    status = open_model(maker);
    return status ? status : make_texts(maker);
}

/* --- the whole ------------------------------------------------------------------------------- */

/* Finds for each set the member with the shortest text; of equal ones, the first in the order
 * of bytes. */
static void find_smallest(pare_language_texts *texts)
{
    for (uint32_t set = 0; set < pare_content_n_sets(texts->content); set++) {
        const struct text *best = NULL;
        texts->smallest[set] = PARE_NO_INDEX;
        for (uint32_t symbol = 0; symbol < texts->n_symbols; symbol++) {
            const struct text *text = &texts->texts[symbol];
            if (!text->known || !text->size || !pare_content_set_has(texts->content, set, symbol))
                continue;
            /* Equal sizes go by the bytes, so that the choice does not depend on the symbols'
             * numbers. */
            if (best && (text->size > best->size ||
                         (text->size == best->size &&
                          memcmp(texts->bytes.data + text->offset, texts->bytes.data + best->offset,
                                 text->size) >= 0)))
                continue;
            best = text;
            texts->smallest[set] = symbol;
        }
    }
}

/* Finds the sort of each kind that is one token. A kind that may be the
 * language's word token gets that sort, so that all kinds of names may stand
 * for one another. */
static void find_sorts(struct maker *maker)
{
    const struct model *model = &maker->model;
    pare_index word = PARE_NO_INDEX;
    if (model->from.word != PARE_NO_INDEX) word = model_token(model, model->from.word);
    for (pare_index r = 0; r < model->from.grammar->n_rules; r++) {
        pare_index token = model_token(model, r);
        if (token == PARE_NO_INDEX) continue;
        uint32_t *sort = &maker->to->sorts[model->symbols[r]];
        if (!*sort || token == word) *sort = model->sorts[token];
    }
}

/* Reads the grammar, goes through the four rounds, and makes the tables that answers come
 * from. */
static pare_status make(struct maker *maker)
{
    pare_language_texts *to = maker->to;
    size_t n_sets = pare_content_n_sets(to->content);
    to->texts = pare_alloc_zero(to->n_symbols + 1, sizeof *to->texts);
    to->sorts = pare_alloc_zero(to->n_symbols + 1, sizeof *to->sorts);
    to->smallest = pare_alloc_zero(n_sets + 1, sizeof *to->smallest);
    if (!to->texts || !to->sorts || !to->smallest) return pare_fail_nomem(maker->err);
    pare_status status = open_model(maker);
    if (!status) status = make_texts(maker);
    /* The example first: a real text is better than a guess. */
    if (!status) status = make_again(maker, learn);
    if (!status) status = make_again(maker, guess);
    if (!status) status = try_places(maker);
    if (status) return status;
    find_sorts(maker);
    find_smallest(to);
    return subtypes_init(&to->subtypes, &maker->model.from, &maker->model.analysis,
                         maker->model.symbols, to->content, maker->err);
}

/* Makes the texts from a grammar in memory: parses a few small texts for each rule, some 10
 * ms.  On PARE_OK the caller owns *out.  Errors: PARE_E_SYNTAX (the grammar), PARE_E_LIMIT,
 * PARE_E_NOMEM. */
static pare_status make_all(const pare_language_source *source, pare_language_texts **out,
                            pare_error *err)
{
    pare_language_texts *texts = pare_alloc_zero(1, sizeof *texts);
    if (!texts) return pare_fail_nomem(err);
    texts->language = source->language;
    texts->models = source->models;
    texts->content = pare_language_models_content(source->models);
    texts->n_symbols = pare_content_n_symbols(texts->content);
    struct maker maker = {.to = texts, .source = source, .err = err};
    pare_status status = make(&maker);
    model_done(&maker.model);
    pare_buffer_done(&maker.text);
    pare_buffer_done(&maker.whole);
    for (size_t i = 0; i < maker.n_examples; i++)
        pare_alloc_free((void *)maker.examples[i].name);
    pare_alloc_free(maker.examples);
    if (status)
        pare_language_texts_free(texts);
    else
        *out = texts;
    return status;
}

/* The grammar comes from the language's folder and is needed during the call only. */
pare_status pare_language_texts_load(const char *name, pare_language_source source,
                                     pare_language_texts **out, pare_error *err)
{
    pare_buffer json = {0};
    pare_status status = pare_language_read(name, PARE_LANGUAGE_GRAMMAR, &json, err);
    source.json = json.data;
    source.json_size = json.size;
    if (!status) status = make_all(&source, out, err);
    pare_buffer_done(&json);
    return status;
}

/* --- answers --------------------------------------------------------------------------------- */

/* Not NUL-terminated; valid as long as the texts. */
bool pare_language_texts_of(const pare_language_texts *texts, uint32_t symbol, const char **text,
                            size_t *size)
{
    if (symbol >= texts->n_symbols || !texts->texts[symbol].known) return false;
    *text = texts->bytes.data ? texts->bytes.data + texts->texts[symbol].offset : "";
    *size = texts->texts[symbol].size;
    return true;
}

uint32_t pare_language_texts_smallest(const pare_language_texts *texts, uint32_t set)
{
    return set < pare_content_n_sets(texts->content) ? texts->smallest[set] : PARE_NO_INDEX;
}

/* Whether the bit is set; rows have 64 bits in a word. */
static bool has_bit(const uint64_t *row, uint32_t bit)
{
    return row[bit / 64] >> bit % 64 & 1;
}

/* By the table of subtypes, worked out at the start: this is asked for each pair of nodes. */
bool pare_language_texts_fit(const pare_language_texts *texts, uint32_t wanted, uint32_t offered)
{
    const struct subtypes *subtypes = &texts->subtypes;
    if (wanted >= subtypes->n_symbols || offered >= subtypes->n_symbols) return false;
    return wanted == offered || has_bit(subtypes->rows + wanted * subtypes->words, offered);
}

bool pare_language_texts_fit_set(const pare_language_texts *texts, uint32_t set, uint32_t offered)
{
    const struct subtypes *subtypes = &texts->subtypes;
    if (set >= pare_content_n_sets(texts->content) || offered >= subtypes->n_symbols) return false;
    return has_bit(subtypes->set_rows + set * subtypes->words, offered);
}

size_t pare_language_texts_pieces(const pare_language_texts *texts, uint32_t symbol,
                                  const pare_language_piece **pieces)
{
    if (symbol >= texts->n_symbols || !texts->texts[symbol].known) return 0;
    *pieces = texts->pieces + texts->texts[symbol].first;
    return texts->texts[symbol].n;
}

uint32_t pare_language_texts_sort(const pare_language_texts *texts, uint32_t symbol)
{
    return symbol < texts->n_symbols ? texts->sorts[symbol] : 0;
}
