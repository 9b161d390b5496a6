/* Building an outline: growing arrays, and words that are numbered by their text.
 *
 * Texts of words are copied, so that an outline, and the graph made of it, hold nothing of the
 * text they were read from but offsets.  Invariant: pare_outline_check. */
#include "reduce/dependency/outline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/passes/lexemes.h"

/* Frees all that the outline owns.  Afterwards it is empty and may be filled again: the graph
 * takes words out of an outline by zeroing them there, so what it took is not freed here. */
void pare_outline_done(pare_outline *outline)
{
    pare_alloc_free(outline->nodes);
    pare_alloc_free(outline->names);
    pare_alloc_free(outline->uses);
    pare_alloc_free(outline->spaces);
    pare_alloc_free(outline->directives);
    pare_alloc_free(outline->rivals);
    pare_alloc_free(outline->words);
    pare_hash_index_done(&outline->space_index);
    pare_hash_index_done(&outline->word_index);
    pare_buffer_done(&outline->texts);
    *outline = (pare_outline){0};
}

/* Readers add nodes in pre-order, parents first, so the index of a new node is greater than that
 * of its parent. `after` is set to the next index here and by the reader again when the node's
 * end is known: until then the node holds nothing, which keeps the outline valid while it is
 * read.  A node without a scope of its own looks names up where it declares them. */
pare_status pare_outline_add_node(pare_outline *outline, const pare_outline_node *node,
                                  uint32_t *out, pare_error *err)
{
    pare_outline_node *nodes =
        pare_vector_grow(outline->nodes, outline->n_nodes, &outline->node_capacity, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    outline->nodes = nodes;
    *out = (uint32_t)outline->n_nodes++;
    nodes[*out] = *node;
    nodes[*out].after = *out + 1;
    if (!node->scope) nodes[*out].scope = node->space;
    return PARE_OK;
}

/* A node may declare several names, as `int a, b;` does, and a name may be declared by several
 * nodes (overloads, a declaration and its definition): names are pairs, not a field of the node.
 * The node may be the one that is added next: the names of a name space are read before it is
 * known whether it is one. */
pare_status pare_outline_add_name(pare_outline *outline, uint32_t node, uint32_t word,
                                  pare_error *err)
{
    assert(node <= outline->n_nodes);
    pare_outline_name *names =
        pare_vector_grow(outline->names, outline->n_names, &outline->name_capacity, sizeof *names);
    if (!names) return pare_fail_nomem(err);
    outline->names = names;
    names[outline->n_names++] = (pare_outline_name){node, word};
    return PARE_OK;
}

/* Uses are not made unique: a name that a node uses twice may stand here twice, and the rules
 * make one edge of it or two, which comes to the same in a closure.  The readers leave out what
 * they know to be local. */
pare_status pare_outline_add_use(pare_outline *outline, const pare_outline_use *use,
                                 pare_error *err)
{
    pare_outline_use *uses =
        pare_vector_grow(outline->uses, outline->n_uses, &outline->use_capacity, sizeof *uses);
    if (!uses) return pare_fail_nomem(err);
    outline->uses = uses;
    uses[outline->n_uses++] = *use;
    return PARE_OK;
}

/* Rivals are rare (outline_c_rivals.c), so they are looked for only where a reader knows what a
 * piece of a node prevents, and they need no index. */
pare_status pare_outline_add_rival(pare_outline *outline, const pare_outline_rival *rival,
                                   pare_error *err)
{
    pare_outline_rival *rivals = pare_vector_grow(outline->rivals, outline->n_rivals,
                                                  &outline->rival_capacity, sizeof *rivals);
    if (!rivals) return pare_fail_nomem(err);
    outline->rivals = rivals;
    rivals[outline->n_rivals++] = *rival;
    return PARE_OK;
}

/* `using namespace std;` in the space 0 becomes the pair (0, "std").  The name is a word rather
 * than a space, because the space may be opened later in the text than the directive, or in
 * several places. */
pare_status pare_outline_add_directive(pare_outline *outline, uint32_t space, uint32_t word,
                                       pare_error *err)
{
    pare_outline_directive *directives =
        pare_vector_grow(outline->directives, outline->n_directives, &outline->directive_capacity,
                         sizeof *directives);
    if (!directives) return pare_fail_nomem(err);
    outline->directives = directives;
    directives[outline->n_directives++] = (pare_outline_directive){space, word};
    return PARE_OK;
}

/* For qsort: by word, then by space. */
static int by_word(const void *left, const void *right)
{
    const pare_outline_directive *a = left, *b = right;
    if (a->word != b->word) return a->word < b->word ? -1 : 1;
    if (a->space != b->space) return a->space < b->space ? -1 : 1;
    return 0;
}

/* A header that is included in many places repeats its directives.  Sorted by word, those that
 * make one space known are side by side, and equal ones are neighbours, so one pass removes
 * them. */
void pare_outline_sort_directives(pare_outline *outline)
{
    pare_outline_directive *at = outline->directives;
    size_t n = 0;
    if (!outline->n_directives) return;
    qsort(at, outline->n_directives, sizeof *at, by_word);
    for (size_t i = 0; i < outline->n_directives; i++)
        if (!n || by_word(&at[n - 1], &at[i]) != 0) at[n++] = at[i];
    outline->n_directives = n;
}

/* Parent and word fill 32 bits each, so the key is exact; spaces are compared all the same,
 * because the index may hold only a part of the hash. */
static uint64_t hash_space(uint32_t parent, uint32_t word)
{
    return (uint64_t)parent << 32 | word;
}

bool pare_outline_find_space(const pare_outline *outline, uint32_t parent, uint32_t word,
                             uint32_t *out)
{
    pare_hash_probe probe = pare_hash_index_probe(&outline->space_index, hash_space(parent, word));
    while (pare_hash_index_next(&outline->space_index, &probe, out))
        if (outline->spaces[*out].parent == parent && outline->spaces[*out].word == word)
            return true;
    return false;
}

/* A name space that is opened again is the one that is there: `namespace a {..} namespace a
 * {..}` is one space. The first space that is added is the global one; it has depth 0 and is its
 * own parent by its index. */
pare_status pare_outline_add_space(pare_outline *outline, uint32_t parent, uint32_t word,
                                   uint32_t *out, pare_error *err)
{
    if (pare_outline_find_space(outline, parent, word, out)) return PARE_OK;
    pare_outline_space *spaces = pare_vector_grow(outline->spaces, outline->n_spaces,
                                                  &outline->space_capacity, sizeof *spaces);
    if (!spaces) return pare_fail_nomem(err);
    outline->spaces = spaces;
    *out = (uint32_t)outline->n_spaces++;
    uint32_t depth = *out ? spaces[parent].depth + 1 : 0;
    spaces[*out] = (pare_outline_space){.parent = parent, .word = word, .depth = depth};
    return pare_hash_index_add(&outline->space_index, hash_space(parent, word), *out, err);
}

/* The index holds hashes only, so two words may share one: the bytes decide.  O(1) on average.
 * Where several words have this text (pare_outline_new_word) it is the first of them. */
uint32_t pare_outline_find_word(const pare_outline *outline, const void *text, size_t size)
{
    pare_hash_probe probe =
        pare_hash_index_probe(&outline->word_index, pare_lexemes_hash(text, size));
    uint32_t found;
    while (pare_hash_index_next(&outline->word_index, &probe, &found)) {
        const pare_outline_word *word = &outline->words[found];
        if (word->size == size && memcmp(outline->texts.data + word->at, text, size) == 0)
            return found;
    }
    return PARE_NO_WORD;
}

/* Equal texts have the same number. */
pare_status pare_outline_add_word(pare_outline *outline, const void *text, size_t size,
                                  uint32_t *out, pare_error *err)
{
    *out = pare_outline_find_word(outline, text, size);
    return *out != PARE_NO_WORD ? PARE_OK : pare_outline_new_word(outline, text, size, out, err);
}

/* Appends the text and a word for it, even where an equal word exists: what only looks like
 * another name (a name of a file's own, a local variable) gets a number that no use of the other
 * one leads to.  Only the first of equal texts is in the index: of ten thousand local variables of one
 * name each would be looked past by the next.  Texts are addressed with 32 bits; more than 4 GB of names
 * is PARE_E_LIMIT. */
pare_status pare_outline_new_word(pare_outline *outline, const void *text, size_t size,
                                  uint32_t *out, pare_error *err)
{
    pare_outline_word *words =
        pare_vector_grow(outline->words, outline->n_words, &outline->word_capacity, sizeof *words);
    if (!words) return pare_fail_nomem(err);
    outline->words = words;
    size_t at = outline->texts.size;
    if (at > UINT32_MAX - size) return pare_fail(err, PARE_E_LIMIT, "too many names");
    *out = (uint32_t)outline->n_words;
    pare_status status = PARE_OK;
    if (pare_outline_find_word(outline, text, size) == PARE_NO_WORD)
        status =
            pare_hash_index_add(&outline->word_index, pare_lexemes_hash(text, size), *out, err);
    if (!status) status = pare_buffer_add(&outline->texts, text, size, err);
    if (status) return status;
    words[outline->n_words++] = (pare_outline_word){.at = (uint32_t)at, .size = (uint32_t)size};
    return PARE_OK;
}

/* Whether the node's bytes and its range of indices lie within its parent's, and it begins no
 * earlier than the node before it.  For three nodes A(B), C the ranges are A: 0..1, B: 1..1, C:
 * 2..2 and `after` is 2, 2, 3. */
static bool is_nested(const pare_outline *outline, uint32_t i)
{
    const pare_outline_node *node = &outline->nodes[i];
    if (node->begin > node->end || node->after <= i || node->after > outline->n_nodes) return false;
    if (i && outline->nodes[i - 1].begin > node->begin) return false;
    if (node->parent == PARE_NO_NODE) return true;
    const pare_outline_node *parent = &outline->nodes[node->parent];
    return node->parent < i && i < parent->after && node->after <= parent->after &&
           node->begin >= parent->begin && node->end <= parent->end;
}

/* O(nodes + names + uses).  A use of the kinds LOCAL and HELD names a node in its `word` field,
 * every other one a word. */
bool pare_outline_check(const pare_outline *outline)
{
    for (uint32_t i = 0; i < outline->n_nodes; i++)
        if (!is_nested(outline, i) || outline->nodes[i].space >= outline->n_spaces) return false;
    for (size_t i = 0; i < outline->n_names; i++)
        if (outline->names[i].node >= outline->n_nodes ||
            outline->names[i].word >= outline->n_words)
            return false;
    for (size_t i = 0; i < outline->n_uses; i++) {
        const pare_outline_use *use = &outline->uses[i];
        const bool of_node = use->kind == PARE_OUTLINE_LOCAL || use->kind == PARE_OUTLINE_HELD;
        if (use->node >= outline->n_nodes ||
            use->word >= (of_node ? outline->n_nodes : outline->n_words))
            return false;
    }
    return true;
}

/* Names must be sorted by their nodes (pare_outline_syntax_names_sort).  The names of node i are
 * those from first_name(i) up to, but not including, first_name(i + 1). */
size_t pare_outline_first_name(const pare_outline *outline, uint32_t node)
{
    pare_halving search = {.low = 0, .high = outline->n_names};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, outline->names[search.middle].node < node);
    return search.low;
}
