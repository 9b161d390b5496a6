/* Parts: what of a text can be varied, and samples of the kind of each.
 *
 * Samples of a token are the sampler's.  Samples of a node are what the language allows in its place:
 * the shortest text of each alternative (reduce/passes/alternatives.h), what stands elsewhere in the
 * text where the same is expected, and texts of its rule that the generator makes.  Rounds of a list
 * are a part as well, of which there may be fewer or more.
 *
 * Invariant: but for rounds of a list (add_rounds), which share the bytes of the part's own text and may
 * be all of it, no sample is the part's own text, and samples of one part are distinct.  The neighbours
 * of a whole number are its first two samples, above and below, as far as there are two.
 * Source: see <pare/explain.h>; that what is elsewhere in the text is tried first is ours. */
#include "explain/parts.h"

#include <assert.h>
#include <ctype.h>
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
#include "text/text.h"

enum {
    MOST_DRAWN = 90,         /* draws of a token, of which some are the same */
    MOST_NODE_SAMPLES = 10,  /* found in the language and the text */
    MOST_MADE = 48,          /* by the generator */
    MOST_MADE_NODES = 60,    /* nodes for which the generator is asked: it costs milliseconds */
    SMALL_TEXT = 4096,       /* bytes; in a larger one it makes only what decides about a node */
    MOST_CHECKED = 16 << 20, /* bytes parsed to check what it makes, of all nodes: some seconds */
    FIRST_NODE_SAMPLES = 16, /* by which a node is decided */
    LEAST_NODE_SAMPLES = 4,
    LONGEST_ALTERNATIVE = 60,
    MOST_ROUNDS = 64,
    LONGEST_ROUNDS = 2048,  /* bytes */
    MOST_OTHER_BYTES = 12,  /* of a word among bytes, each of which is changed */
    MOST_SINGLE_BYTES = 96, /* that are parts of their own: of more, 300 tests say nothing */
    LONGEST_PREFIX = 3,     /* of a string, in letters */
    WHOLE_DIGITS = 18       /* below 2^63 with room to double */
};

/* What the functions below share. */
struct making {
    const unsigned char *bytes;
    size_t size;
    const pare_parts_syntax *syntax;
    const pare_tree *tree; /* its own; may be NULL */
    pare_lexemes lexemes;
    size_t n_made;            /* nodes for which the generator was asked */
    uint64_t checked_bytes;   /* of what it made, see pare_sampler_nodes */
    unsigned char open_quote; /* a quote that is a token, and not closed yet; 0: none */
    bool is_bytes;            /* it is no text for people */
    pare_parts *out;
    pare_error *err;
};

void pare_parts_done(pare_parts *parts)
{
    pare_alloc_free(parts->parts);
    pare_alloc_free(parts->turns);
    pare_alloc_free(parts->places);
    pare_alloc_free(parts->samples);
    pare_buffer_done(&parts->bytes);
    *parts = (pare_parts){.n = 0};
}

/* ---- samples ------------------------------------------------------------------------ */

/* A sample of the last part, unless it is its own text or is there already.  Edges come after all samples.
 *
 * The bytes are appended to out->bytes, where samples and names of all parts lie one after the
 * other; a sample is an offset in it, so the buffer may grow. Cost: O(samples of the part),
 * which are compared as texts. */
static pare_status add_text(struct making *making, const void *text, size_t size,
                            pare_sampler_edge edge)
{
    pare_parts *out = making->out;
    pare_varied *part = &out->parts[out->n - 1];
    /* The samples of a part are one range of out->samples, from first_sample on, and its edges
     * follow. */
    assert((edge || !part->n_edges) && "samples come before edges");
    if (size == part->to - part->from && memcmp(making->bytes + part->from, text, size) == 0)
        return PARE_OK;
    for (uint32_t k = 0; k < part->n_samples + part->n_edges; k++) {
        const pare_sample *other = &out->samples[part->first_sample + k];
        if (other->size == size &&
            (!size || memcmp(out->bytes.data + other->offset, text, size) == 0))
            return PARE_OK;
    }
    pare_sample *samples = pare_vector_reserve(out->samples, &out->samples_capacity,
                                               out->n_samples + 1, sizeof *samples);
    if (!samples) return pare_fail_nomem(making->err);
    out->samples = samples;
    samples[out->n_samples] = (pare_sample){(uint32_t)out->bytes.size, (uint32_t)size, edge};
    pare_status status = size ? pare_buffer_add(&out->bytes, text, size, making->err) : PARE_OK;
    if (status) return status;
    out->n_samples++;
    if (edge)
        part->n_edges++;
    else
        part->n_samples++;
    return PARE_OK;
}

/* Adds a draw of the part's kind, about which claims may be made. */
static pare_status add_sample(struct making *making, const void *text, size_t size)
{
    return add_text(making, text, size, PARE_EDGE_NONE);
}

/* Among bytes a word keeps its length, since another one would move all that follows: each of its bytes is
 * another one in turn. Example: "RIFF" gives "SIFF", "RJFF", "RIGF" and "RIFG". Only the first
 * MOST_OTHER_BYTES are changed. */
static pare_status add_other_bytes(struct making *making, const pare_sampled *sampled)
{
    pare_buffer text = {0};
    const size_t size = sampled->to - sampled->from;
    pare_status status = pare_buffer_add(&text, making->bytes + sampled->from, size, making->err);
    for (size_t k = 0; !status && k < size && k < MOST_OTHER_BYTES; k++) {
        text.data[k]++;
        status = add_text(making, text.data, size, PARE_EDGE_NEAR);
        text.data[k]--;
    }
    pare_buffer_done(&text);
    return status;
}

/* What stands at the edge of the last part's kind, that of a token. The sampler numbers the
 * edges and says with PARE_EDGE_NONE that there are no more. */
static pare_status add_edges(struct making *making, const pare_sampled *sampled)
{
    if (making->is_bytes && sampled->kind != PARE_PART_BYTE)
        return add_other_bytes(making, sampled);
    pare_sampler_edge edge = PARE_EDGE_NONE;
    pare_status status = PARE_OK;
    pare_buffer text = {0};
    for (uint32_t k = 0; !status; k++) {
        pare_buffer_reset(&text);
        status = pare_sampler_edge_text(sampled, k, &text, &edge, making->err);
        if (status || !edge) break;
        status = add_text(making, text.data, text.size, edge);
    }
    pare_buffer_done(&text);
    return status;
}

/* The part's first place alone: what is drawn for it is put in all of its places. */
pare_sampled pare_parts_sampled(const pare_parts *parts, pare_span text, size_t k)
{
    const pare_varied *part = &parts->parts[k];
    return (pare_sampled){
        .kind = part->kind, .text = text, .from = part->from, .to = part->to, .value = part->value};
}

/* All samples of the last part, a token: those that decide about it (n_first), then those that confirm
 * what was decided.  The sampler's table comes first.  The empty string is the last that decides: if it
 * alone passes, the claim is "not empty" (vary.c), which the others have to support by then.
 *
 * Draws that come out the same, or as the part's own text, are dropped by add_text, so a part
 * may have fewer samples than were drawn, and none if its kind has no others. Only a part with
 * samples gets edges, since one without is taken back. */
static pare_status sample_token(struct making *making)
{
    pare_parts *out = making->out;
    const pare_sampled sampled =
        pare_parts_sampled(out, (pare_span){making->bytes, making->size}, out->n - 1);
    const size_t n_fixed = pare_sampler_n_fixed(&sampled);
    pare_status status = PARE_OK;
    pare_buffer text = {0};
    for (uint32_t k = 0; !status && k < MOST_DRAWN; k++) {
        pare_varied *part = &out->parts[out->n - 1];
        pare_buffer_reset(&text);
        status = pare_sampler_draw(&sampled, 0, k, &text, making->err);
        if (!status) status = add_sample(making, text.data, text.size);
        /* The first two draws of a string are of its own length; of them some may be the same. */
        if (sampled.kind == PARE_PART_STRING && k < 2) part->n_same = part->n_samples;
        /* After the last of the table: what is drawn from here on confirms. */
        if (k + 1 != n_fixed) continue;
        if (!status && sampled.kind == PARE_PART_STRING && part->value) {
            const char empty[2] = {(char)making->bytes[part->from],
                                   (char)making->bytes[part->from]};
            part->has_empty = true;
            status = add_sample(making, empty, sizeof empty);
        }
        part->n_first = part->n_samples;
    }
    pare_buffer_done(&text);
    if (status || !out->parts[out->n - 1].n_samples) return status;
    return add_edges(making, &sampled);
}

/* ---- parts of tokens ---------------------------------------------------------------- */

/* Adds a place of the last part. In `places` those of one part are ascending; order() sorts all
 * of them. */
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
                                    .first_sample = (uint32_t)out->n_samples};
    return add_place(making, from, to);
}

/* Takes the last part back if it has no sample: nothing can be asked about it.  Its name stays in `bytes`,
 * unused. Its places are the last ones of `places`, so lowering the count removes them. */
static void drop_empty(struct making *making)
{
    pare_parts *out = making->out;
    if (out->parts[out->n - 1].n_samples) return;
    out->n_places -= out->parts[out->n - 1].n_places;
    out->n--;
}

/* Whether the token is digits alone, few enough of them, and no octal number.
 *
 * "0" is whole, "010" is not: in C it is 8. Too many digits make it a plain number, of which no
 * range is looked for. */
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

/* Makes the part of a token that is a number. Only the value of a whole one has a meaning. */
static pare_status add_number(struct making *making, const pare_lexeme *at)
{
    uint64_t value;
    const bool whole = is_whole(making, at, &value);
    pare_status status = add_part(making, whole ? PARE_PART_WHOLE : PARE_PART_NUMBER,
                                  whole ? "whole number" : "number", at->from, at->to);
    if (status) return status;
    making->out->parts[making->out->n - 1].value = value;
    return sample_token(making);
}

/* Whether the word is the x of a literal of bytes (x'0fa1'), which a text without a tree has as two tokens. */
static bool begins_hex_literal(const struct making *making, uint32_t index)
{
    const pare_lexeme *at = &making->lexemes.at[index];
    if (at->kind != PARE_LEXEME_WORD || index + 1 >= making->lexemes.n) return false;
    const pare_lexeme *string = at + 1;
    if (at->to - at->from != 1 || string->kind != PARE_LEXEME_STRING || string->from != at->to)
        return false;
    return pare_sampler_is_hex_literal(
        (pare_span){making->bytes + at->from, string->to - at->from});
}

/* Such a literal, from .. to-1: a number of as many digits. x'0fa1' has three bytes that are no
 * digits: the x and two quotes. */
static pare_status add_hex_literal(struct making *making, uint32_t from, uint32_t to)
{
    char kind[48];
    (void)snprintf(kind, sizeof kind, "%" PRIu32 " hexadecimal digits", to - from - 3);
    const pare_status status = add_part(making, PARE_PART_NUMBER, kind, from, to);
    return status ? status : sample_token(making);
}

/* A name is one part with all its places, since other names in some of them would be another program.  It is
 * made where the name stands first; an x that begins a literal is none.
 *
 * `index` is the lexeme's number; lexemes of one word are linked by `first` and `next`. A later
 * place of a name makes no part of its own. */
static pare_status add_name(struct making *making, const pare_lexeme *at, uint32_t index)
{
    const pare_lexeme *lexemes = making->lexemes.at;
    uint32_t first = at->first;
    while (first != PARE_NO_LEXEME && begins_hex_literal(making, first))
        first = lexemes[first].next;
    if (first != index) return PARE_OK;
    pare_status status = add_part(making, PARE_PART_NAME, "name", at->from, at->to);
    for (uint32_t i = at->next; !status && i != PARE_NO_LEXEME; i = lexemes[i].next)
        if (!begins_hex_literal(making, i))
            status = add_place(making, lexemes[i].from, lexemes[i].to);
    return status ? status : sample_token(making);
}

/* Makes the part of a string with its quotes. Its value is the length of what is between them. */
static pare_status add_string(struct making *making, uint32_t from, uint32_t to)
{
    pare_status status = add_part(making, PARE_PART_STRING, "string", from, to);
    if (status) return status;
    making->out->parts[making->out->n - 1].value = to - from - 2;
    return sample_token(making);
}

/* Minds a quote that is a token of its own.  Whether it opens or closes tells the content of a string from
 * what stands between two of them, such as the comma of `a`,`b`. Example: in `a`,`b` the second
 * quote closes, so that the comma is not between an opening and a closing one. Quotes of
 * another kind within an open one are content. */
static void mind_quote(struct making *making, const pare_lexeme *at)
{
    const unsigned char byte = making->bytes[at->from];
    if (at->to - at->from != 1 || (byte != '"' && byte != '\'' && byte != '`')) return;
    if (!making->open_quote)
        making->open_quote = byte;
    else if (making->open_quote == byte)
        making->open_quote = 0;
}

/* Whether it is all that stands between two quotes: many grammars make the content of a string a token of
 * its own. The part then includes the quotes, which are tokens beside it. */
static bool is_quoted(const struct making *making, const pare_lexeme *at)
{
    const unsigned char quote = making->open_quote;
    if (!quote || !at->from || at->to >= making->size) return false;
    return making->bytes[at->from - 1] == quote && making->bytes[at->to] == quote;
}

/* A plus or minus: the sign of a number, or an operator; nothing of one that has no others of
 * its class. Example: the '-' of "-1" and of "a - 1"; not "->", which has no class. */
static pare_status add_sign(struct making *making, uint32_t from, uint32_t to)
{
    const pare_span text = {making->bytes, making->size};
    if (!pare_sampler_knows_sign(text, from, to)) return PARE_OK;
    const bool is_of_number = pare_sampler_is_number_sign(text, from, to);
    pare_status status =
        add_part(making, PARE_PART_SIGN, is_of_number ? "sign, or none" : "operator", from, to);
    if (!status) status = sample_token(making);
    if (!status) drop_empty(making);
    return status;
}

/* Digits in quotes, as SQL writes bytes (x'0fa1'), are a number of as many digits; a string that letters
 * stand before (b"", L"", r'') is one without them, and a number that has its sign in its token, as in
 * JSON, is two parts.  Other tokens are left as they are. Examples: "-1.5" in JSON gives the
 * sign "-" and the number "1.5"; r"x" gives the string "x". */
static pare_status add_prefixed(struct making *making, const pare_lexeme *at)
{
    const unsigned char *text = making->bytes + at->from;
    const uint32_t size = at->to - at->from;
    if (pare_sampler_is_hex_literal((pare_span){text, size}))
        return add_hex_literal(making, at->from, at->to);
    if (size > 1 && (*text == '-' || *text == '+') && isdigit(text[1])) {
        pare_lexeme digits = *at;
        digits.from++;
        const pare_status status = add_sign(making, at->from, digits.from);
        return status ? status : add_number(making, &digits);
    }
    uint32_t n = 0;
    while (n < size && isalpha(text[n]))
        n++;
    const bool is_string = n && n <= LONGEST_PREFIX && size >= n + 2 &&
                           (text[n] == '"' || text[n] == '\'') && text[size - 1] == text[n];
    return is_string ? add_string(making, at->from + n, at->to) : PARE_OK;
}

/* The part that a token makes, if any.  Brackets make none: another one would only be a syntax error.
 *
 * `index` is its number among the lexemes. A lexeme that belongs to one before it (the string
 * of a literal of bytes, a later place of a name) makes none either. */
static pare_status add_token(struct making *making, uint32_t index)
{
    const pare_lexeme *at = &making->lexemes.at[index];
    pare_status status = PARE_OK;
    if (is_quoted(making, at)) return add_string(making, at->from - 1, at->to + 1);
    mind_quote(making, at);
    switch ((pare_lexeme_kind)at->kind) {
    case PARE_LEXEME_WORD:
        if (!begins_hex_literal(making, index)) return add_name(making, at, index);
        status = add_hex_literal(making, at->from, at[1].to);
        break;
    case PARE_LEXEME_NUMBER: status = add_number(making, at); break;
    case PARE_LEXEME_STRING:
        if (at->to - at->from < 2) return PARE_OK; /* a quote alone */
        if (index && begins_hex_literal(making, index - 1)) return PARE_OK;
        status = add_string(making, at->from, at->to);
        break;
    case PARE_LEXEME_SIGN: return add_sign(making, at->from, at->to);
    case PARE_LEXEME_OTHER: {
        /* add_prefixed may make no part, and then there is no last one to drop. */
        const size_t before = making->out->n;
        status = add_prefixed(making, at);
        if (status || making->out->n == before) return status;
        break;
    }
    case PARE_LEXEME_OPEN:
    case PARE_LEXEME_CLOSE: return PARE_OK;
    }
    if (!status) drop_empty(making);
    return status;
}

/* ---- parts of the tree -------------------------------------------------------------- */

/* What stands elsewhere in the text, where the same is expected; not what is inside the part (sample_inside).
 * O(nodes), less where there are samples enough. */
static pare_status sample_others(struct making *making, uint32_t node)
{
    const pare_tree *tree = making->tree;
    const pare_varied *part = &making->out->parts[making->out->n - 1];
    pare_status status = PARE_OK;
    for (uint32_t k = 1; !status && k < tree->n_nodes; k++) {
        const pare_tree_node *other = &tree->nodes[k];
        const bool apart = other->end <= part->from || other->begin >= part->to;
        if (part->n_samples >= MOST_NODE_SAMPLES) break;
        if (!apart || other->end == other->begin || !pare_tree_fits(tree, node, k)) continue;
        status = add_sample(making, making->bytes + other->begin, other->end - other->begin);
        part = &making->out->parts[making->out->n - 1];
    }
    return status;
}

/* The longest node inside `node` that may stand in its place, has at most `most` bytes and does not touch bytes
 * from .. to-1; 0: there is none. Nodes within `node` have the numbers from its own up to
 * `after`, so this is one pass over them. */
static uint32_t longest_inside(const struct making *making, uint32_t node, uint32_t most,
                               uint32_t from, uint32_t to)
{
    const pare_tree *tree = making->tree;
    uint32_t best = 0, longest = 0;
    for (uint32_t k = node + 1; k < tree->nodes[node].after; k++) {
        const pare_tree_node *inner = &tree->nodes[k];
        const uint32_t size = inner->end - inner->begin;
        const bool apart = inner->end <= from || inner->begin >= to;
        if (size <= longest || size > most || !apart || !pare_tree_fits(tree, node, k)) continue;
        best = k;
        longest = size;
    }
    return best;
}

/* Pieces of the node itself that may stand in its place: the longest, the longest beside that, and a short one.
 * A reduction that is complete has tried them; one that was ended has not, and where one still fails, all that
 * is around it does not matter. The short one has at most a third of the node's bytes. Those
 * that are the same are dropped by add_text. */
static pare_status sample_inside(struct making *making, uint32_t node)
{
    const pare_tree_node *nodes = making->tree->nodes;
    const uint32_t size = nodes[node].end - nodes[node].begin;
    const uint32_t first = longest_inside(making, node, size - 1, 0, 0);
    if (!first) return PARE_OK;
    const uint32_t found[] = {
        first, longest_inside(making, node, size - 1, nodes[first].begin, nodes[first].end),
        longest_inside(making, node, size / 3, 0, 0)};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof found / sizeof *found; i++)
        if (found[i])
            status = add_sample(making, making->bytes + nodes[found[i]].begin,
                                nodes[found[i]].end - nodes[found[i]].begin);
    return status;
}

/* What the language and the text offer in place of the node, the shortest alternative first; what the generator
 * makes comes after it (sample_made), since it is the least like what people write. Pieces of
 * the node itself follow the first alternative. */
static pare_status sample_node(struct making *making, uint32_t node)
{
    pare_alternatives found = {0};
    const pare_alternative_limits limits = {.most = 8, .longest_bytes = LONGEST_ALTERNATIVE};
    pare_status status = pare_alternatives_find(making->tree, node, &limits, &found, making->err);
    /* At most 8 alternatives, none longer than LONGEST_ALTERNATIVE bytes. */
    for (size_t i = 0; !status && i < found.n; i++) {
        if (found.items[i].size)
            status = add_sample(making, pare_alternatives_text(&found, i), found.items[i].size);
        if (!status && !i) status = sample_inside(making, node);
    }
    if (!status && !found.n) status = sample_inside(making, node);
    pare_alternatives_done(&found);
    return status ? status : sample_others(making, node);
}

/* The type of the node, as the language calls it. "part" where nothing is known of it. It is
 * also the rule that the generator is asked for. */
static const char *name_of(const struct making *making, const pare_tree_node *node)
{
    const pare_symbol_names *names = making->syntax->names;
    if (!names || node->own.kind != PARE_NODE_RULE || !names->rule) return "part";
    const char *name = names->rule(names->language, node->own.symbol);
    return name ? name : "part";
}

/* What the generator makes of the node's rule, after what was found in the text.  Each sample costs one
 * parse of the whole text or more, so there are fewer of them in a large text, and none once MOST_CHECKED
 * bytes were parsed: outer nodes come first, and the first test must not wait for minutes.
 * *n is how many it made, those included that were found before.
 *
 * The limits are of all nodes together: MOST_MADE_NODES nodes, and MOST_CHECKED bytes that were
 * parsed. A node after that gets none, which also drops it (add_node). */
static pare_status sample_made(struct making *making, const char *rule, size_t *n)
{
    *n = 0;
    if (making->n_made == MOST_MADE_NODES || making->checked_bytes >= MOST_CHECKED) return PARE_OK;
    making->n_made++;
    pare_sampler_nodes nodes = {.n = 0};
    const pare_sampled sampled = pare_parts_sampled(
        making->out, (pare_span){making->bytes, making->size}, making->out->n - 1);
    const pare_sampler_wish wish = {.source = &making->syntax->source,
                                    .part = &sampled,
                                    .rule = rule,
                                    .n =
                                        making->size > SMALL_TEXT ? FIRST_NODE_SAMPLES : MOST_MADE};
    pare_status status = pare_sampler_make_nodes(&wish, &nodes, making->err);
    making->checked_bytes += nodes.checked_bytes;
    *n = nodes.n;
    for (size_t k = 0; !status && k < nodes.n; k++) {
        const pare_span node = pare_sampler_node(&nodes, k);
        status = add_sample(making, node.bytes, node.size);
    }
    pare_sampler_nodes_done(&nodes);
    return status;
}

/* A node of two tokens or more, and not the only child of another, which would be asked about twice.
 * A node with fewer than LEAST_NODE_SAMPLES samples is dropped: that two or three texts fail does not
 * say that any will do.  Nor do others of the same text, which may all be a name and a number: a node for
 * which the generator makes too few is dropped, and what is in it is asked about.
 *
 * Whether a node made a part is seen by out->n alone; PARE_OK in either case. */
static pare_status add_node(struct making *making, uint32_t index)
{
    const pare_tree_node *node = &making->tree->nodes[index];
    const pare_tree_node *parent = &making->tree->nodes[node->parent];
    const bool same = parent->begin == node->begin && parent->end == node->end;
    if (node->n_tokens < 2 || same || node->own.kind != PARE_NODE_RULE) return PARE_OK;
    const char *name = name_of(making, node);
    pare_status status = add_part(making, PARE_PART_NODE, name, node->begin, node->end);
    if (!status) status = sample_node(making, index);
    size_t n_made = 0;
    if (!status) status = sample_made(making, name, &n_made);
    if (status) return status;
    pare_varied *part = &making->out->parts[making->out->n - 1];
    if (part->n_samples < LEAST_NODE_SAMPLES || n_made < LEAST_NODE_SAMPLES) part->n_samples = 0;
    part->n_first = part->n_samples < FIRST_NODE_SAMPLES ? part->n_samples : FIRST_NODE_SAMPLES;
    drop_empty(making);
    return PARE_OK;
}

/* The rounds of a list from `first` on, the first of them: one part, whose samples have other numbers of
 * rounds.  The samples are prefixes of the part's own text, so they share its bytes; the last one is a
 * round with what stands before it (a comma): more rounds are copies of it.  O(rounds).
 *
 * Example: of the list "1, 2, 3" the samples are "1", "1, 2", "1, 2, 3" and ", 3". Lists of
 * MOST_ROUNDS rounds or more, or of more than LONGEST_ROUNDS bytes, are left out, and so are
 * those of one round. */
static pare_status add_rounds(struct making *making, uint32_t first)
{
    const pare_tree *tree = making->tree;
    const uint32_t parent = tree->nodes[first].parent;
    const uint32_t from = tree->nodes[first].begin;
    uint32_t ends[MOST_ROUNDS], n = 0, k = first;
    for (; k < tree->nodes[parent].after && n < MOST_ROUNDS; k = tree->nodes[k].after) {
        if (tree->nodes[k].label != PARE_TREE_ROUND) break;
        ends[n++] = tree->nodes[k].end;
    }
    if (n < 2 || n == MOST_ROUNDS || ends[n - 1] - from > LONGEST_ROUNDS) return PARE_OK;
    pare_status status = add_part(making, PARE_PART_REPEAT, "repetition", from, ends[n - 1]);
    if (status) return status;
    pare_parts *out = making->out;
    const uint32_t offset = (uint32_t)out->bytes.size;
    pare_sample *samples = pare_vector_reserve(out->samples, &out->samples_capacity,
                                               out->n_samples + n + 1, sizeof *samples);
    if (!samples) return pare_fail_nomem(making->err);
    out->samples = samples;
    status = pare_buffer_add(&out->bytes, making->bytes + from, ends[n - 1] - from, making->err);
    for (uint32_t i = 0; i < n; i++)
        samples[out->n_samples++] = (pare_sample){offset, ends[i] - from, PARE_EDGE_NONE};
    /* What the last round adds to the text before it: a separator, and the round. */
    samples[out->n_samples++] =
        (pare_sample){offset + ends[n - 2] - from, ends[n - 1] - ends[n - 2], PARE_EDGE_NONE};
    out->parts[out->n - 1].value = n;
    out->parts[out->n - 1].n_samples = n + 1;
    return status;
}

/* Whether the node is a round, and the sibling before it is none.  The node before it, in the order of
 * the tree, is the last one within that sibling; as each node is the last within one sibling's at most,
 * asking for all nodes costs O(nodes). */
static bool begins_rounds(const pare_tree *tree, uint32_t index)
{
    const pare_tree_node *node = &tree->nodes[index];
    if (node->label != PARE_TREE_ROUND || node->begin == node->end) return false;
    if (index == node->parent + 1) return true;
    uint32_t before = index - 1;
    while (tree->nodes[before].parent != node->parent)
        before = tree->nodes[before].parent;
    return tree->nodes[before].label != PARE_TREE_ROUND;
}

/* Goes through the nodes from the outside in, in the order of the text; node 0, the root, is
 * all of the text and no part. */
static pare_status add_nodes(struct making *making)
{
    pare_status status = PARE_OK;
    for (uint32_t k = 1; !status && k < making->tree->n_nodes; k++) {
        status = add_node(making, k);
        if (!status && begins_rounds(making->tree, k)) status = add_rounds(making, k);
    }
    return status;
}

/* ---- bytes -------------------------------------------------------------------------- */

/* Of a result of bytes each byte that no other part has is one: a length or a kind of section is such a byte,
 * and by leaving it out, as between.c does, all that follows would move. Cost: O(size) and the
 * samples. If too many bytes are left, none of them becomes a part. */
static pare_status add_bytes(struct making *making)
{
    const pare_parts *out = making->out;
    if (!making->is_bytes) return PARE_OK;
    bool *is_taken = pare_alloc_zero(making->size, sizeof *is_taken);
    if (!is_taken) return pare_fail_nomem(making->err);
    size_t n_left = making->size;
    for (size_t i = 0; i < out->n_places; i++)
        for (size_t k = out->places[i].from; k < out->places[i].to; k++) {
            n_left -= !is_taken[k];
            is_taken[k] = true;
        }
    pare_status status = PARE_OK;
    for (uint32_t k = 0; !status && k < making->size && n_left <= MOST_SINGLE_BYTES; k++) {
        if (is_taken[k]) continue;
        status = add_part(making, PARE_PART_BYTE, "byte", k, k + 1);
        if (!status) status = sample_token(making);
    }
    pare_alloc_free(is_taken);
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

/* Renumbers the parts in the order of their first places.
 *
 * Nodes were found before tokens, and each in its own order. `now` maps the old number of a
 * part to the new one, UINT32_MAX: it has none yet. A part gets its number where its first
 * place is met. Cost: O(n log n) for n places. */
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

/* What a reader is told first: large pieces, about which one answer says the most; then values, which have
 * bounds; then names, and signs last. Lower ranks are asked first. */
static int rank_of(const pare_varied *part)
{
    switch (part->kind) {
    case PARE_PART_NODE: return 0;
    case PARE_PART_WHOLE:
    case PARE_PART_NUMBER:
    case PARE_PART_STRING: return 1;
    case PARE_PART_REPEAT: return 2;
    case PARE_PART_NAME: return 3;
    case PARE_PART_SIGN: return 4;
    case PARE_PART_BYTE: break;
    }
    return 5;
}

/* The key by which turns are sorted: rank, then the size of a node in bytes, then the order of
 * the text. */
struct turn {
    int rank;
    uint32_t size, part;
};

/* Of nodes the largest comes first, since an answer about it spares those within it. */
static int compare_turns(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->rank != y->rank) return x->rank - y->rank;
    if (x->rank == 0 && x->size != y->size) return x->size > y->size ? -1 : 1;
    return x->part < y->part ? -1 : x->part > y->part;
}

/* Makes out->turns: where there are more parts than tests, those at the end are not asked about. */
static pare_status take_turns(struct making *making)
{
    pare_parts *out = making->out;
    struct turn *turns = pare_alloc(out->n + 1, sizeof *turns);
    out->turns = pare_alloc(out->n + 1, sizeof *out->turns);
    if (!turns || !out->turns) {
        pare_alloc_free(turns);
        return pare_fail_nomem(making->err);
    }
    for (uint32_t k = 0; k < out->n; k++) {
        const pare_varied *part = &out->parts[k];
        turns[k] = (struct turn){rank_of(part), part->to - part->from, k};
    }
    qsort(turns, out->n, sizeof *turns, compare_turns);
    for (uint32_t k = 0; k < out->n; k++)
        out->turns[k] = turns[k].part;
    pare_alloc_free(turns);
    return PARE_OK;
}

/* All is made in `made`, so *out is set only if nothing failed. Nodes come first, since
 * add_token needs no tree and bytes are what neither of them has taken. */
pare_status pare_parts_make(pare_span text, const pare_parts_syntax *syntax, pare_parts *out,
                            pare_error *err)
{
    pare_parts made = {.n = 0};
    struct making making = {.bytes = text.bytes,
                            .size = text.size,
                            .syntax = syntax,
                            .tree = syntax->tree,
                            .is_bytes = pare_sampler_is_bytes(text),
                            .out = &made,
                            .err = err};
    pare_status status =
        pare_lexemes_make(text.bytes, 0, text.size, syntax->tree, &making.lexemes, err);
    if (!status && syntax->tree) status = add_nodes(&making);
    for (uint32_t i = 0; !status && i < making.lexemes.n; i++)
        status = add_token(&making, i);
    if (!status && !syntax->tree) status = add_bytes(&making);
    if (!status) status = order(&making);
    if (!status) status = take_turns(&making);
    pare_lexemes_done(&making.lexemes);
    if (status)
        pare_parts_done(&made);
    else
        *out = made;
    return status;
}

/* Goes once through all places, in which those of the part are found by its number: O(places). */
pare_status pare_parts_replace(const pare_parts *parts, pare_span text, size_t part,
                               pare_span sample, pare_buffer *out, pare_error *err)
{
    size_t at = 0;
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < parts->n_places; k++) {
        const pare_varied_place *place = &parts->places[k];
        if (place->part != part) continue;
        assert(at <= place->from && "places of a part ascend and do not overlap");
        status = pare_buffer_add(out, text.bytes + at, place->from - at, err);
        if (!status && sample.size) status = pare_buffer_add(out, sample.bytes, sample.size, err);
        at = place->to;
    }
    return status ? status : pare_buffer_add(out, text.bytes + at, text.size - at, err);
}
