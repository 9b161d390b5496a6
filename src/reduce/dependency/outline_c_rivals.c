/* Overloads that only their constraints tell apart: without these they are one function that is declared twice.  A
 * constraint may be what an alias stands for, that the template's parameters or the function's type are written with.
 *
 * Two functions of one name in one class or name space are rivals if their template parameters are of the same kinds
 * and the types of their parameters are written alike, template parameters taken by their places and names of
 * parameters left out.  Types that are written otherwise, as by an alias, are taken for different ones, which costs a
 * test now and then.  Functions with a digest of all that are sorted, so this is O(tokens of signatures + n log n).
 * Source: C++20 [temp.over.link], [over.dcl]; equivalence by tokens. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_c.h"

enum {
    MOST_PARAMETERS = 16, /* of a template, that are known by their places */
    MOST_ALIKE = 8,       /* functions that are compared with each other */
    AND = '&' | '&' << 8,
    COLONS = ':' | ':' << 8,
    DOTS = '.' | '.' << 8
};

/* What goes into a digest in the place of something else. */
enum { PLACE_OF_TYPE = UINT32_MAX, PLACE_OF_VALUE = UINT32_MAX - 1, PLACE_OF_PARAMETER = 1u << 30 };

/* A function with all that makes it the same as another one: the digest of its scope, name and
 * parameters. */
struct function {
    pare_digest digest;
    uint32_t node;
};

/* What is known of the function at hand. */
struct signature {
    const pare_c_reader *reader;
    uint32_t parameters[MOST_PARAMETERS]; /* words */
    size_t n_parameters;
    pare_hash hash;
    size_t n_hashed; /* bytes */
};

static uint16_t sign_at(const pare_c_reader *reader, uint32_t at)
{
    return at < reader->tokens.n ? reader->tokens.at[at].sign : 0;
}

/* All that makes a signature goes into one digest, a number at a time. */
static void put(struct signature *self, uint32_t number)
{
    self->hash = pare_digest_extend(self->hash, &number, sizeof number);
    self->n_hashed += sizeof number;
}

/* Puts the kinds of the parameters of the template whose list is from `open` to `close`, and
 * notes their names.  Of `template <class T, int n = 3, C U>` the kinds are type, value, type: a
 * name that begins a parameter is taken for a concept, though it may be the type of a value.
 * Defaults tell nothing, and are skipped. */
static void read_header(struct signature *self, uint32_t open, uint32_t close)
{
    const pare_c_reader *reader = self->reader;
    bool begins = true;
    for (uint32_t i = open + 1; i < close;) {
        const uint16_t next = sign_at(reader, i + 1);
        const bool ends = next == ',' || next == '=' || i + 1 == close;
        if (begins) {
            const bool type = pare_c_is_name(reader, i) || pare_c_is(reader, i, PARE_C_CLASS) ||
                              pare_c_is(reader, i, PARE_C_TYPENAME);
            put(self, type ? PLACE_OF_TYPE : PLACE_OF_VALUE);
        }
        if (pare_c_is_name(reader, i) && ends && self->n_parameters < MOST_PARAMETERS)
            self->parameters[self->n_parameters++] = pare_c_word(reader, i);
        begins = sign_at(reader, i) == ',';
        const uint32_t inner =
            sign_at(reader, i) == '<' ? pare_outline_c_angle(reader, i, close) : PARE_C_NONE;
        if (sign_at(reader, i) == '=') /* what it is by default tells nothing */
            while (i < close && sign_at(reader, i) != ',') {
                const uint32_t angle = sign_at(reader, i) == '<'
                                           ? pare_outline_c_angle(reader, i, close)
                                           : PARE_C_NONE;
                i = angle == PARE_C_NONE ? pare_outline_c_skip(reader, i) : angle + 1;
            }
        else
            i = inner == PARE_C_NONE ? pare_outline_c_skip(reader, i) : inner + 1;
    }
}

/* Puts a token of a type: of a template's parameter its place, so that `T *` and `U *` are alike
 * if T and U are both first. Of a sign its two bytes.  Numbers and strings are all alike: `a<1>`
 * and `a<2>` are not told apart. */
static void put_token(struct signature *self, uint32_t at)
{
    const pare_c_token *token = &self->reader->tokens.at[at];
    uint32_t number = token->kind == PARE_C_WORD ? token->word : PLACE_OF_TYPE - 2 - token->sign;
    for (size_t i = 0; token->kind == PARE_C_WORD && i < self->n_parameters; i++)
        if (self->parameters[i] == token->word) number = PLACE_OF_PARAMETER + (uint32_t)i;
    put(self, number);
}

/* Whether the name at the token is that of a parameter, and no part of its type: it ends the
 * parameter, and a type can end before it.  In `(T a, U)` a is one, and U, before which nothing
 * of a type stands, is none. */
static bool is_parameter_name(const pare_c_reader *reader, uint32_t at)
{
    const uint16_t before = sign_at(reader, at - 1), next = sign_at(reader, at + 1);
    const bool ends = next == ',' || next == ')' || next == '=' || next == '[';
    if (!pare_c_is_name(reader, at) || !ends) return false;
    if (before == '&' || before == '*' || before == '>' || before == AND || before == DOTS)
        return true;
    if (!pare_c_is_word(reader, at - 1)) return false;
    const uint32_t word = pare_c_word(reader, at - 1);
    return word >= PARE_C_N_KEYWORDS || (word >= PARE_C_FIRST_TYPE && word <= PARE_C_LAST_TYPE);
}

/* Puts the types of the parameters in the bracket at `paren`, without their names and defaults,
 * and what stands after it up to `end` that is part of the type: const, &.  `f(int a = 1) const`
 * and `f(int b) const` are alike so. */
static void read_parameters(struct signature *self, uint32_t paren, uint32_t end)
{
    const pare_c_reader *reader = self->reader;
    const uint32_t close = reader->tokens.at[paren].partner;
    if (close == PARE_C_NONE) return;
    for (uint32_t i = paren + 1; i < close;) {
        if (sign_at(reader, i) == '=') { /* what it is by default */
            while (i < close && sign_at(reader, i) != ',') {
                const uint32_t angle = sign_at(reader, i) == '<'
                                           ? pare_outline_c_angle(reader, i, close)
                                           : PARE_C_NONE;
                i = angle == PARE_C_NONE ? pare_outline_c_skip(reader, i) : angle + 1;
            }
            continue;
        }
        if (!is_parameter_name(reader, i)) put_token(self, i);
        i++;
    }
    for (uint32_t i = close + 1; i < end; i++) {
        const uint16_t sign = sign_at(reader, i);
        const bool is_const = pare_c_is_word(reader, i) && !pare_c_is_name(reader, i) &&
                              !pare_c_is(reader, i, PARE_C_REQUIRES) &&
                              !pare_c_takes_arguments(pare_c_word(reader, i));
        if (!is_const && sign != '&' && sign != AND) break;
        put_token(self, i);
    }
}

/* Whether the part of a function's head is a constraint: a `requires` clause, or a concept in
 * the template's list, in the place of which `class` stays. */
static bool is_constraint(const pare_c_reader *reader, uint32_t part)
{
    const pare_outline_node *node = &reader->outline->nodes[part];
    const uint32_t first = reader->extents[part].first;
    if (!(node->roles & PARE_OUTLINE_PIECE)) return false;
    return pare_c_is(reader, first, PARE_C_REQUIRES) || (node->rest && node->rest[0] == 'c');
}

/* The digest of the function; false: the node is none, or not where such functions are declared.
 * The scope comes first: of a member its class, else its name space; and whether it is a member,
 * as numbers of both kinds may be equal. */
static bool read_function(const pare_c_reader *reader, uint32_t node, size_t name,
                          struct function *out)
{
    const pare_outline *outline = reader->outline;
    const pare_outline_node *at = &outline->nodes[node];
    const pare_c_extent *extent = &reader->extents[node];
    struct signature self = {.reader = reader};
    uint32_t i = extent->first;
    if (!(at->roles & PARE_OUTLINE_FUNCTION) || at->roles & PARE_OUTLINE_OUTSIDE) return false;
    if (extent->signature >= extent->signature_end || sign_at(reader, extent->signature) != '(')
        return false;
    const bool member = at->roles & PARE_OUTLINE_MEMBER;
    put(&self, member ? at->parent : at->space);
    put(&self, member);
    put(&self, outline->names[name].word);
    while (pare_c_is(reader, i, PARE_C_TEMPLATE) && sign_at(reader, i + 1) == '<') {
        const uint32_t close = pare_outline_c_angle(reader, i + 1, extent->end);
        if (close == PARE_C_NONE) return false;
        read_header(&self, i + 1, close);
        i = close + 1;
    }
    read_parameters(&self, extent->signature, extent->signature_end);
    *out = (struct function){.digest = pare_digest_of(self.hash, self.n_hashed), .node = node};
    return true;
}

/* For qsort: by digest, of equals in the order of the text. */
static int by_digest(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->digest.high != y->digest.high) return x->digest.high < y->digest.high ? -1 : 1;
    if (x->digest.low != y->digest.low) return x->digest.low < y->digest.low ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* The part of an alias that says what it stands for, if the word at the token is one of the
 * function's class or of no class; PARE_NO_NODE: it is none.  `values`: by word, the index of
 * such a part plus 1, of the last alias of that name; 0: there is none. */
static uint32_t value_at(const pare_c_reader *reader, const uint32_t *values, uint32_t node,
                         uint32_t at)
{
    const pare_outline_node *nodes = reader->outline->nodes;
    if (!pare_c_is_name(reader, at) || !values[pare_c_word(reader, at)]) return PARE_NO_NODE;
    const uint32_t value = values[pare_c_word(reader, at)] - 1, alias = nodes[value].parent;
    const bool member = nodes[alias].roles & PARE_OUTLINE_MEMBER;
    return member && nodes[alias].parent != nodes[node].parent ? PARE_NO_NODE : value;
}

/* Adds, for each other function that is alike, that without the part both are the same. */
static pare_status add_rivals(pare_c_reader *reader, uint32_t node, uint32_t part,
                              const struct function *alike, size_t n, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < n; k++) {
        const pare_outline_rival rival = {.node = node, .part = part, .rival = alike[k].node};
        if (alike[k].node != node) status = pare_outline_add_rival(reader->outline, &rival, err);
    }
    return status;
}

/* Adds what tells the function from the others, `n` of them with itself: aliases that are named
 * before the parameters, and constraints.  Each of these parts alone is taken to be what does. */
static pare_status tell_apart(pare_c_reader *reader, const uint32_t *values, uint32_t node,
                              const struct function *alike, size_t n, pare_error *err)
{
    enum { MOST_HEAD = 200 }; /* tokens before the parameters that are looked at */
    const pare_outline *outline = reader->outline;
    const uint32_t first = reader->extents[node].first, end = reader->extents[node].signature;
    pare_status status = PARE_OK;
    for (uint32_t at = first; !status && at < end && at - first < MOST_HEAD; at++) {
        const uint32_t value = value_at(reader, values, node, at);
        if (value != PARE_NO_NODE) status = add_rivals(reader, node, value, alike, n, err);
    }
    for (uint32_t i = node + 1; i < outline->nodes[node].after; i = outline->nodes[i].after)
        if (!status && is_constraint(reader, i))
            status = add_rivals(reader, node, i, alike, n, err);
    return status;
}

/* Finds what aliases stand for: parts of items, neither classes nor functions, through which
 * members are reached. */
static void find_values(const pare_outline *outline, uint32_t *values)
{
    for (size_t i = 0; i < outline->n_names; i++) {
        const uint32_t node = outline->names[i].node;
        if (outline->nodes[node].roles & (PARE_OUTLINE_CLASS | PARE_OUTLINE_FUNCTION)) continue;
        for (uint32_t k = node + 1; k < outline->nodes[node].after; k = outline->nodes[k].after)
            if (outline->nodes[k].roles & PARE_OUTLINE_BASES)
                values[outline->names[i].word] = k + 1;
    }
}

/* A function with several names counts once, by the first.  Sorted by digest, those that are
 * alike are neighbours.  Rows of more than MOST_ALIKE are left alone, since each would have all
 * others as its rivals. */
pare_status pare_c_find_rivals(pare_c_reader *reader, pare_error *err)
{
    const pare_outline *outline = reader->outline;
    uint32_t *values = pare_alloc_zero(outline->n_words + 1, sizeof *values);
    struct function *functions = pare_alloc(outline->n_names, sizeof *functions);
    size_t n = 0;
    pare_status status = functions && values ? PARE_OK : pare_fail_nomem(err);
    if (!status) find_values(outline, values);
    for (size_t i = 0; !status && i < outline->n_names; i++) {
        const uint32_t node = outline->names[i].node;
        const bool first = i == 0 || outline->names[i - 1].node != node;
        n += first && read_function(reader, node, i, &functions[n]);
    }
    if (!status && n) qsort(functions, n, sizeof *functions, by_digest);
    for (size_t i = 0, end; !status && i < n; i = end) {
        end = i + 1;
        while (end < n && pare_digest_equal(functions[end].digest, functions[i].digest))
            end++;
        for (size_t k = i; !status && end - i > 1 && end - i <= MOST_ALIKE && k < end; k++)
            status = tell_apart(reader, values, functions[k].node, functions + i, end - i, err);
    }
    pare_alloc_free(functions);
    pare_alloc_free(values);
    return status;
}
