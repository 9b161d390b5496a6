/* Lexemes: from leaves of a tree and from tokens of no particular language.
 *
 * Four walks, each linear: cut the text; link lexemes of the same bytes, from the end, through
 * a hash table; number the first of each kind, from the start; pair brackets.  Open brackets
 * form a stack that is threaded through `partner` until their partners are known, so no memory
 * is needed for it.
 * Invariant: see pare_lexemes_check; lexemes ascend, between two there is only white space, and
 * `partner` is mutual. Why not the tree's leaves alone: lexical passes have to work where there
 * is no grammar, and inside what a grammar takes for one token or leaves out. */
#include "reduce/passes/lexemes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "text/split/split.h"

/* The list is empty afterwards. */
void pare_lexemes_done(pare_lexemes *lexemes)
{
    pare_alloc_free(lexemes->at);
    *lexemes = (pare_lexemes){0};
}

/* --- what a lexeme is like --------------------------------------------------------------- */

/* White space as the C locale has it. */
static bool is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* A decimal digit. */
static bool is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Whether the byte is one of `signs`; a zero byte never is. */
static bool is_one_of(const char *signs, unsigned char byte)
{
    return byte && strchr(signs, byte);
}

/* Whether some language begins a string with the byte. */
static bool is_quote(unsigned char byte)
{
    return byte == '"' || byte == '\'' || byte == '`';
}

/* Whether all bytes belong to words. */
static bool all_words(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!pare_tree_is_word_byte(bytes[i])) return false;
    return true;
}

/* Whether the bytes are signs only. */
static bool no_words(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (pare_tree_is_word_byte(bytes[i]) || is_space(bytes[i])) return false;
    return true;
}

/* Whether it is one string from its first byte to its last. */
static bool is_string(const unsigned char *bytes, size_t size)
{
    pare_quotes quotes = {0};
    return size >= 2 && is_quote(bytes[0]) && pare_split_quote_end(&quotes, bytes, size, 0) == size;
}

/* What kind of lexeme the bytes are. Example: `f("a b", 5)` is a WORD, an OPEN, a STRING, a SIGN, a
 * NUMBER and a CLOSE. In a tree `"a b"` may consist of several leaves, and is one lexeme all the
 * same. */
static pare_lexeme_kind kind_of(const unsigned char *bytes, size_t size)
{
    if (size == 1 && is_one_of("([{", bytes[0])) return PARE_LEXEME_OPEN;
    if (size == 1 && is_one_of(")]}", bytes[0])) return PARE_LEXEME_CLOSE;
    if (is_digit(bytes[0]) || (size > 1 && bytes[0] == '.' && is_digit(bytes[1])))
        return PARE_LEXEME_NUMBER;
    if (all_words(bytes, size)) return PARE_LEXEME_WORD;
    if (is_string(bytes, size)) return PARE_LEXEME_STRING;
    return no_words(bytes, size) ? PARE_LEXEME_SIGN : PARE_LEXEME_OTHER;
}

/* The text while it is cut into lexemes. */
struct cutter {
    const unsigned char *bytes;
    const pare_splitter *plain;
    pare_lexemes made;
    size_t cursor; /* everything before it is cut */
};

/* Appends a lexeme of bytes from .. to-1 and moves the cursor after it. */
static pare_status add(struct cutter *cutter, size_t from, size_t to, uint32_t node,
                       pare_error *err)
{
    pare_lexemes *made = &cutter->made;
    pare_lexeme *at = pare_vector_grow(made->at, made->n, &made->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    made->at = at;
    at[made->n++] = (pare_lexeme){.from = (uint32_t)from,
                                  .to = (uint32_t)to,
                                  .first = PARE_NO_LEXEME,
                                  .next = PARE_NO_LEXEME,
                                  .partner = PARE_NO_LEXEME,
                                  .node = node,
                                  .kind = kind_of(cutter->bytes + from, to - from)};
    cutter->cursor = to;
    return PARE_OK;
}

/* Adds the tokens of no particular language from the cursor to `to`. */
static pare_status add_plain(struct cutter *cutter, size_t to, pare_error *err)
{
    size_t from = cutter->cursor;
    pare_bounds bounds = {0};
    while (from < to && is_space(cutter->bytes[from]))
        from++;
    /* Only white space, which belongs to no lexeme. */
    if (from == to) return PARE_OK;
    pare_status status = cutter->plain->split(cutter->bytes + from, to - from, &bounds, err);
    for (size_t i = 0; !status && i < bounds.n; i++) {
        if (pare_interrupt_asked_at(i)) break;
        size_t begin = from + pare_split_bounds_begin(&bounds, i);
        if (!is_space(cutter->bytes[begin]))
            status = add(cutter, begin, from + pare_split_bounds_begin(&bounds, i + 1),
                         PARE_NO_NODE, err);
    }
    pare_split_bounds_done(&bounds);
    return status;
}

/* Whether everything below `node` is a leaf.
 * A string with something nested in it, such as an interpolated expression, is cut at its
 * leaves. */
static bool is_flat(const pare_tree *tree, uint32_t node)
{
    uint32_t child = node + 1;
    while (child < tree->nodes[node].after && tree->nodes[child].after == child + 1)
        child++;
    return child == tree->nodes[node].after;
}

/* Whether `node` is taken for one lexeme. */
static bool is_whole(const struct cutter *cutter, const pare_tree *tree, uint32_t node)
{
    const pare_tree_node *at = &tree->nodes[node];
    /* A leaf; what did not parse is cut by its bytes instead. */
    if (at->after == node + 1) return at->own.kind != PARE_NODE_OPAQUE;
    return is_quote(cutter->bytes[at->begin]) &&
           is_string(cutter->bytes + at->begin, at->end - at->begin) && is_flat(tree, node);
}

/* Appends the leaves of the tree and, for the bytes between them, plain tokens. */
static pare_status add_tree(struct cutter *cutter, const pare_tree *tree, size_t end,
                            pare_error *err)
{
    pare_status status = PARE_OK;
    uint32_t node = 0;
    while (!status && node < tree->n_nodes && !pare_interrupt_asked_at(node)) {
        const pare_tree_node *at = &tree->nodes[node];
        bool has_bytes = at->begin < at->end && at->begin >= cutter->cursor && at->end <= end;
        /* Leaves that overlap what is cut already (a damaged tree) are passed over. */
        if (!has_bytes || !is_whole(cutter, tree, node)) {
            node++;
            continue;
        }
        status = add_plain(cutter, at->begin, err);
        if (!status) status = add(cutter, at->begin, at->end, node, err);
        node = at->after;
    }
    return status;
}

/* Whether both lexemes have the same bytes. */
static bool is_same(const unsigned char *bytes, const pare_lexeme *a, const pare_lexeme *b)
{
    size_t size = a->to - a->from;
    return b->to - b->from == size && memcmp(bytes + a->from, bytes + b->from, size) == 0;
}

/* Plain and byte by byte: lexemes are short, and lines are hashed once. */
uint64_t pare_lexemes_hash(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t value = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        value = (value ^ at[i]) * 0x100000001b3u;
    return value;
}

/* Sets `first` to the first lexeme of the same bytes, in `index` or `i` itself. */
static pare_status find_first(const unsigned char *bytes, pare_lexemes *lexemes, size_t i,
                              pare_hash_index *index, pare_error *err)
{
    pare_lexeme *lexeme = &lexemes->at[i];
    uint64_t hash = pare_lexemes_hash(bytes + lexeme->from, lexeme->to - lexeme->from);
    pare_hash_probe probe = pare_hash_index_probe(index, hash);
    while (pare_hash_index_next(index, &probe, &lexeme->first))
        if (is_same(bytes, lexeme, &lexemes->at[lexeme->first])) return PARE_OK;
    lexeme->first = (uint32_t)i;
    return pare_hash_index_add(index, hash, lexeme->first, err);
}

/* Links lexemes of the same bytes, from the start: `last[first]` is the end of the list that
 * begins with lexeme `first`.
 * O(lexemes) on average; passes that change all occurrences of a word go along these links. */
static pare_status link_same(const unsigned char *bytes, pare_lexemes *lexemes, pare_error *err)
{
    pare_hash_index index = {0};
    uint32_t *last = pare_alloc(lexemes->n, sizeof *last);
    pare_status status = last ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; !status && i < lexemes->n; i++) {
        if (pare_interrupt_asked_at(i)) break;
        status = find_first(bytes, lexemes, i, &index, err);
        if (status) break;
        uint32_t first = lexemes->at[i].first;
        if (first != i) lexemes->at[last[first]].next = (uint32_t)i;
        last[first] = (uint32_t)i;
    }
    pare_hash_index_done(&index);
    pare_alloc_free(last);
    return status;
}

/* Which of the three pairs of brackets the byte is of. */
static size_t bracket_kind(unsigned char byte)
{
    if (byte == '(' || byte == ')') return 0;
    return byte == '[' || byte == ']' ? 1 : 2;
}

/* Pairs each closing bracket with the nearest open one of its kind; what stands open between
 * the two stays without.  A closing bracket whose kind is not open pairs with none, so one
 * stray bracket does not undo all pairs around it. */
static void pair_brackets(const unsigned char *bytes, pare_lexemes *lexemes)
{
    uint32_t top = PARE_NO_LEXEME;
    /* Open brackets of each kind, so that a stray closing one is known as such without a search. */
    size_t n_open[3] = {0};
    for (size_t i = 0; i < lexemes->n && !pare_interrupt_asked_at(i); i++) {
        pare_lexeme *lexeme = &lexemes->at[i];
        if (lexeme->kind != PARE_LEXEME_OPEN && lexeme->kind != PARE_LEXEME_CLOSE) continue;
        size_t kind = bracket_kind(bytes[lexeme->from]);
        if (lexeme->kind == PARE_LEXEME_OPEN) {
            lexeme->partner = top;
            top = (uint32_t)i;
            n_open[kind]++;
            continue;
        }
        /* Brackets that are still open above the partner have no partner themselves. */
        while (n_open[kind] && lexeme->partner == PARE_NO_LEXEME) {
            pare_lexeme *open = &lexemes->at[top];
            size_t open_kind = bracket_kind(bytes[open->from]);
            uint32_t below = open->partner;
            open->partner = open_kind == kind ? (uint32_t)i : PARE_NO_LEXEME;
            if (open_kind == kind) lexeme->partner = top;
            n_open[open_kind]--;
            top = below;
        }
    }
    while (top != PARE_NO_LEXEME) {
        uint32_t below = lexemes->at[top].partner;
        lexemes->at[top].partner = PARE_NO_LEXEME;
        top = below;
    }
}

/* *out is written only on success. */
pare_status pare_lexemes_make(const unsigned char *bytes, size_t begin, size_t end,
                              const pare_tree *tree, pare_lexemes *out, pare_error *err)
{
    struct cutter cutter = {.bytes = bytes, .plain = pare_splitter_find("token"), .cursor = begin};
    pare_status status = tree ? add_tree(&cutter, tree, end, err) : PARE_OK;
    if (!status) status = add_plain(&cutter, end, err);
    if (!status) status = link_same(bytes, &cutter.made, err);
    if (!status) pair_brackets(bytes, &cutter.made);
    if (!status)
        status = pare_interrupt_look(err); /* the walks above end where they are asked to */
    if (status)
        pare_lexemes_done(&cutter.made);
    else
        *out = cutter.made;
    return status;
}

/* Whether a bracket's partner has it as its own, and stands on the right side. */
static bool partners_agree(const pare_lexemes *lexemes, size_t i)
{
    const pare_lexeme *lexeme = &lexemes->at[i];
    if (lexeme->partner == PARE_NO_LEXEME) return true;
    const pare_lexeme *other = &lexemes->at[lexeme->partner];
    return other->partner == i && (lexeme->kind == PARE_LEXEME_OPEN) == (lexeme->partner > i);
}

/* Checks bytes, links and partners; O(bytes), or as far as it is let. */
bool pare_lexemes_check(const pare_lexemes *lexemes, const unsigned char *bytes, size_t begin,
                        size_t end)
{
    size_t cursor = begin;
    for (size_t i = 0; i < lexemes->n; i++) {
        const pare_lexeme *lexeme = &lexemes->at[i];
        if (pare_interrupt_asked_at(i)) return true;
        if (lexeme->from < cursor || lexeme->to <= lexeme->from || lexeme->to > end) return false;
        for (; cursor < lexeme->from; cursor++)
            if (!is_space(bytes[cursor])) return false;
        cursor = lexeme->to;
        if (lexeme->first > i || !is_same(bytes, lexeme, &lexemes->at[lexeme->first])) return false;
        uint32_t next = lexeme->next;
        if (next != PARE_NO_LEXEME && (next <= i || lexemes->at[next].first != lexeme->first))
            return false;
        if (!partners_agree(lexemes, i)) return false;
    }
    for (; cursor < end; cursor++)
        if (!is_space(bytes[cursor])) return false;
    return true;
}
