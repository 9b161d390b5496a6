/* Parts: what of a text can be varied, and samples of the kind of each.
 *
 * Samples of a token are values that differ in what usually matters to a program: zero and one, the
 * neighbours of the value, the powers of two at which types end; texts that are empty, short and
 * long; names that stand nowhere in the text.  Samples of a node are what the language allows in its
 * place: the shortest text of each alternative (reduce/passes/alternatives.h), and what stands
 * elsewhere in the text where the same is expected.
 *
 * Invariant: no sample is the part's own text, and samples of one part are distinct.  The neighbours
 * of a whole number are its first two samples, above and below, as far as there are two.
 * Source: kinds by tokens and by the language's alternatives instead of a grammar's productions are
 * ours; see <pare/explain.h>. */
#include "explain/parts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/passes/alternatives.h"
#include "reduce/passes/lexemes.h"
#include "reduce/tree/tree.h"

enum {
    MOST_NODE_SAMPLES = 10,
    LEAST_NODE_SAMPLES = 4,
    LONGEST_ALTERNATIVE = 60,
    WHOLE_DIGITS = 18 /* below 2^63 with room to double */
};

/* What the functions below share. */
struct making {
    const unsigned char *bytes;
    size_t size;
    const pare_tree *tree; /* may be NULL */
    const pare_symbol_names *names;
    pare_lexemes lexemes;
    pare_parts *out;
    pare_error *err;
};

void pare_parts_done(pare_parts *parts)
{
    pare_alloc_free(parts->parts);
    pare_alloc_free(parts->places);
    pare_alloc_free(parts->samples);
    pare_buffer_done(&parts->bytes);
    *parts = (pare_parts){.n = 0};
}

/* ---- samples ------------------------------------------------------------------------ */

/* A sample of the last part, unless it is its own text or is there already. */
static pare_status add_sample(struct making *making, const void *text, size_t size)
{
    pare_parts *out = making->out;
    pare_varied *part = &out->parts[out->n - 1];
    if (size == part->to - part->from && memcmp(making->bytes + part->from, text, size) == 0)
        return PARE_OK;
    for (uint32_t k = 0; k < part->n_samples; k++) {
        const pare_sample *other = &out->samples[part->first_sample + k];
        if (other->size == size && memcmp(out->bytes.data + other->offset, text, size) == 0)
            return PARE_OK;
    }
    pare_sample *samples = pare_vector_reserve(out->samples, &out->samples_capacity,
                                               out->n_samples + 1, sizeof *samples);
    if (!samples) return pare_fail_nomem(making->err);
    out->samples = samples;
    samples[out->n_samples] = (pare_sample){(uint32_t)out->bytes.size, (uint32_t)size};
    pare_status status = pare_buffer_add(&out->bytes, text, size, making->err);
    if (status) return status;
    out->n_samples++;
    part->n_samples++;
    return PARE_OK;
}

static pare_status add_texts(struct making *making, const char *const *texts, size_t n)
{
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < n; k++)
        status = add_sample(making, texts[k], strlen(texts[k]));
    return status;
}

static pare_status add_whole(struct making *making, uint64_t value)
{
    char text[24];
    const int size = snprintf(text, sizeof text, "%" PRIu64, value);
    return add_sample(making, text, (size_t)size);
}

/* The neighbours first; then where programs and their types begin and end. */
static pare_status sample_whole(struct making *making, uint64_t value)
{
    static const uint64_t others[] = {0,   1,    2,     7,          29,         100,
                                      255, 4097, 65536, 2147483648, 4294967297, 12345};
    pare_status status = add_whole(making, value + 1);
    if (!status && value) status = add_whole(making, value - 1);
    if (!status) status = add_whole(making, value * 2 + 1);
    for (size_t k = 0; !status && k < sizeof others / sizeof *others; k++)
        status = add_whole(making, others[k]);
    return status;
}

/* The content is letters and blanks: what needs no escape in any language. */
static pare_status sample_string(struct making *making, uint32_t from, uint32_t to)
{
    static const char *const contents[] = {
        "a", "zz", "Hello world", "q w e", "0", "x_1", "ABCDEFG", "a long text with blanks in it",
        ""};
    const char quote[] = {(char)making->bytes[from], '\0'};
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < sizeof contents / sizeof *contents; k++) {
        char text[64];
        const int size = snprintf(text, sizeof text, "%s%s%s", quote, contents[k], quote);
        status = add_sample(making, text, (size_t)size);
    }
    making->out->parts[making->out->n - 1].has_empty = to - from > 2;
    return status;
}

static bool is_in_text(const struct making *making, const char *name)
{
    const size_t size = strlen(name);
    for (size_t i = 0; i < making->lexemes.n; i++) {
        const pare_lexeme *at = &making->lexemes.at[i];
        if (at->to - at->from == size && memcmp(making->bytes + at->from, name, size) == 0)
            return true;
    }
    return false;
}

/* Fresh names of several lengths and shapes. */
static pare_status sample_name(struct making *making)
{
    static const char *const fresh[] = {"q",    "zz",    "w1",       "other", "Name",
                                        "kind", "item2", "someName", "thing"};
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < sizeof fresh / sizeof *fresh; k++)
        if (!is_in_text(making, fresh[k])) status = add_sample(making, fresh[k], strlen(fresh[k]));
    return status;
}

/* Operators that can stand for one another in most languages. */
static const char *const sign_classes[][8] = {
    {"+", "-", "*", "/", "%"},
    {"<", ">", "<=", ">=", "==", "!="},
    {"&", "|", "^"},
    {"&&", "||"},
    {"<<", ">>"},
    {"+=", "-=", "*=", "/="},
    {"++", "--"},
};

static pare_status sample_sign(struct making *making, const pare_lexeme *at)
{
    enum { N_CLASSES = sizeof sign_classes / sizeof *sign_classes };
    const size_t size = at->to - at->from;
    for (size_t c = 0; c < N_CLASSES; c++) {
        size_t n = 0;
        bool is_of = false;
        for (; n < 8 && sign_classes[c][n]; n++)
            is_of = is_of || (strlen(sign_classes[c][n]) == size &&
                              memcmp(sign_classes[c][n], making->bytes + at->from, size) == 0);
        if (is_of) return add_texts(making, sign_classes[c], n);
    }
    return PARE_OK;
}

/* ---- parts of tokens ---------------------------------------------------------------- */

static pare_status add_place(struct making *making, uint32_t from, uint32_t to)
{
    pare_parts *out = making->out;
    pare_varied_place *places =
        pare_vector_reserve(out->places, &out->places_capacity, out->n_places + 1, sizeof *places);
    if (!places) return pare_fail_nomem(making->err);
    out->places = places;
    places[out->n_places++] = (pare_varied_place){from, to, (uint32_t)out->n - 1};
    out->parts[out->n - 1].n_places++;
    return PARE_OK;
}

/* Begins a part with its first place. */
static pare_status add_part(struct making *making, pare_part_kind kind, const char *name,
                            uint32_t from, uint32_t to)
{
    pare_parts *out = making->out;
    pare_varied *parts = pare_vector_reserve(out->parts, &out->capacity, out->n + 1, sizeof *parts);
    if (!parts) return pare_fail_nomem(making->err);
    out->parts = parts;
    const uint32_t offset = (uint32_t)out->bytes.size;
    pare_status status = pare_buffer_add(&out->bytes, name, strlen(name) + 1, making->err);
    if (status) return status;
    parts[out->n++] = (pare_varied){.kind = kind,
                                    .name = offset,
                                    .from = from,
                                    .to = to,
                                    .first_sample = (uint32_t)out->n_samples,
                                    .least = 3};
    return add_place(making, from, to);
}

/* A part that turns out to have no sample is none. */
static void drop_empty(struct making *making)
{
    pare_parts *out = making->out;
    if (out->parts[out->n - 1].n_samples) return;
    out->n_places -= out->parts[out->n - 1].n_places;
    out->n--;
}

/* Whether the token is digits alone, few enough of them, and no octal number. */
static bool is_whole(const struct making *making, const pare_lexeme *at, uint64_t *value)
{
    const uint32_t size = at->to - at->from;
    *value = 0;
    if (size > WHOLE_DIGITS || (size > 1 && making->bytes[at->from] == '0')) return false;
    for (uint32_t k = at->from; k < at->to; k++) {
        if (making->bytes[k] < '0' || making->bytes[k] > '9') return false;
        *value = *value * 10 + (uint64_t)(making->bytes[k] - '0');
    }
    return true;
}

static pare_status add_number(struct making *making, const pare_lexeme *at)
{
    static const char *const numbers[] = {"0", "1", "0.5", "1.5", "7.25", "100", "1000000", "3"};
    uint64_t value;
    const bool whole = is_whole(making, at, &value);
    pare_status status = add_part(making, whole ? PARE_PART_WHOLE : PARE_PART_NUMBER,
                                  whole ? "whole number" : "number", at->from, at->to);
    if (status) return status;
    making->out->parts[making->out->n - 1].value = value;
    if (whole) return sample_whole(making, value);
    return add_texts(making, numbers, sizeof numbers / sizeof *numbers);
}

/* Only the first place of a name makes a part. */
static pare_status add_name(struct making *making, const pare_lexeme *at, uint32_t index)
{
    if (at->first != index) return PARE_OK;
    pare_status status = add_part(making, PARE_PART_NAME, "name", at->from, at->to);
    for (uint32_t i = at->next; !status && i != PARE_NO_LEXEME; i = making->lexemes.at[i].next)
        status = add_place(making, making->lexemes.at[i].from, making->lexemes.at[i].to);
    return status ? status : sample_name(making);
}

static pare_status add_string(struct making *making, uint32_t from, uint32_t to)
{
    pare_status status = add_part(making, PARE_PART_STRING, "string", from, to);
    return status ? status : sample_string(making, from, to);
}

/* Whether quotes of one kind stand right before and after it: many grammars make the content of a
 * string a token of its own. */
static bool is_quoted(const struct making *making, const pare_lexeme *at)
{
    if (!at->from || at->to >= making->size) return false;
    const unsigned char quote = making->bytes[at->from - 1];
    return (quote == '"' || quote == '\'' || quote == '`') && making->bytes[at->to] == quote;
}

static pare_status add_token(struct making *making, uint32_t index)
{
    const pare_lexeme *at = &making->lexemes.at[index];
    pare_status status = PARE_OK;
    if (is_quoted(making, at)) return add_string(making, at->from - 1, at->to + 1);
    switch ((pare_lexeme_kind)at->kind) {
    case PARE_LEXEME_WORD: return add_name(making, at, index);
    case PARE_LEXEME_NUMBER: status = add_number(making, at); break;
    case PARE_LEXEME_STRING: status = add_string(making, at->from, at->to); break;
    case PARE_LEXEME_SIGN:
        status = add_part(making, PARE_PART_SIGN, "operator", at->from, at->to);
        if (!status) making->out->parts[making->out->n - 1].least = 1; /* a class is small */
        if (!status) status = sample_sign(making, at);
        break;
    case PARE_LEXEME_OPEN:
    case PARE_LEXEME_CLOSE:
    case PARE_LEXEME_OTHER: return PARE_OK;
    }
    if (!status) drop_empty(making);
    return status;
}

/* ---- parts of the tree -------------------------------------------------------------- */

/* What stands elsewhere in the text, where the same is expected. */
static pare_status sample_others(struct making *making, uint32_t node)
{
    const pare_tree *tree = making->tree;
    const pare_varied *part = &making->out->parts[making->out->n - 1];
    pare_status status = PARE_OK;
    for (uint32_t k = 1; !status && k < tree->n_nodes; k++) {
        const pare_tree_node *other = &tree->nodes[k];
        const bool apart = other->end <= part->from || other->begin >= part->to;
        if (!apart || other->end == other->begin || part->n_samples >= MOST_NODE_SAMPLES ||
            !pare_tree_fits(tree, node, k))
            continue;
        status = add_sample(making, making->bytes + other->begin, other->end - other->begin);
        part = &making->out->parts[making->out->n - 1];
    }
    return status;
}

static pare_status sample_node(struct making *making, uint32_t node)
{
    pare_alternatives found = {0};
    const pare_alternative_limits limits = {.most = 8, .longest_bytes = LONGEST_ALTERNATIVE};
    pare_status status = pare_alternatives_find(making->tree, node, &limits, &found, making->err);
    for (size_t i = 0; !status && i < found.n; i++)
        if (found.items[i].size)
            status = add_sample(making, pare_alternatives_text(&found, i), found.items[i].size);
    pare_alternatives_done(&found);
    return status ? status : sample_others(making, node);
}

/* The type of the node, as the language calls it. */
static const char *name_of(const struct making *making, const pare_tree_node *node)
{
    const pare_symbol_names *names = making->names;
    if (!names || node->own.kind != PARE_NODE_RULE || !names->rule) return "part";
    const char *name = names->rule(names->language, node->own.symbol);
    return name ? name : "part";
}

/* A node that is more than a token, and less than all. */
static pare_status add_node(struct making *making, uint32_t index)
{
    const pare_tree_node *node = &making->tree->nodes[index];
    const pare_tree_node *parent = &making->tree->nodes[node->parent];
    const bool same = parent->begin == node->begin && parent->end == node->end;
    if (node->n_tokens < 2 || same || node->own.kind != PARE_NODE_RULE) return PARE_OK;
    pare_status status =
        add_part(making, PARE_PART_NODE, name_of(making, node), node->begin, node->end);
    if (status) return status;
    making->out->parts[making->out->n - 1].least = LEAST_NODE_SAMPLES;
    status = sample_node(making, index);
    if (!status && making->out->parts[making->out->n - 1].n_samples < LEAST_NODE_SAMPLES)
        making->out->parts[making->out->n - 1].n_samples = 0;
    if (!status) drop_empty(making);
    return status;
}

/* ---- making ------------------------------------------------------------------------- */

/* By the beginning; what is longer comes first, and a node before a token of the same bytes. */
static int compare_places(const void *a, const void *b)
{
    const pare_varied_place *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to > y->to ? -1 : 1;
    return x->part < y->part ? -1 : x->part > y->part;
}

/* Renumbers the parts in the order of their first places, in which they are asked about. */
static pare_status order(struct making *making)
{
    pare_parts *out = making->out;
    if (!out->n) return PARE_OK;
    qsort(out->places, out->n_places, sizeof *out->places, compare_places);
    pare_varied *parts = pare_alloc(out->n, sizeof *parts);
    uint32_t *now = pare_alloc(out->n, sizeof *now);
    if (!parts || !now) {
        pare_alloc_free(parts);
        pare_alloc_free(now);
        return pare_fail_nomem(making->err);
    }
    memset(now, 0xff, out->n * sizeof *now);
    size_t n = 0;
    for (size_t k = 0; k < out->n_places; k++) {
        const uint32_t was = out->places[k].part;
        if (now[was] == UINT32_MAX) {
            now[was] = (uint32_t)n;
            parts[n++] = out->parts[was];
        }
        out->places[k].part = now[was];
    }
    assert(n == out->n);
    pare_alloc_free(out->parts);
    pare_alloc_free(now);
    out->parts = parts;
    out->capacity = n;
    return PARE_OK;
}

pare_status pare_parts_make(const unsigned char *bytes, size_t size, const pare_tree *tree,
                            const pare_symbol_names *names, pare_parts *out, pare_error *err)
{
    struct making making = {
        .bytes = bytes, .size = size, .tree = tree, .names = names, .out = out, .err = err};
    pare_parts made = {.n = 0};
    making.out = &made;
    pare_status status = pare_lexemes_make(bytes, 0, size, tree, &making.lexemes, err);
    for (uint32_t k = 1; !status && tree && k < tree->n_nodes; k++)
        status = add_node(&making, k);
    for (uint32_t i = 0; !status && i < making.lexemes.n; i++)
        status = add_token(&making, i);
    if (!status) status = order(&making);
    pare_lexemes_done(&making.lexemes);
    if (status)
        pare_parts_done(&made);
    else
        *out = made;
    return status;
}
