/* The pass that gives names of one letter to what the program declares: own-names.
 *
 * Names are a third of a small program, and which of its words are names of its own is known: those
 * that it declares.  So all of them are renamed in one test, where a text without a known language
 * takes a test to find out about each keyword and each name of a library (passes/pass_names.c).
 * Words of the same bytes get the same letter wherever they stand, so that a constructor is still
 * named as its class, and a member found by its name.
 * Invariant: two words that differ do not become the same; no letter is given that is a word of the
 * text already.
 * Source: T-Rec's canonical names and C-Reduce's rename-*, all at once; that bindings say what may be
 * renamed is ours.
 * Cost: no tests; O(n log n) for n leaves. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

enum { N_LETTERS = sizeof LETTERS - 1 };

/* A leaf that may be an occurrence of a name. */
struct word {
    const char *text;
    uint32_t size, leaf;
};

/* Leaves of the same bytes, [first, first + n) of the sorted words. */
struct group {
    size_t first, n;
    uint32_t leaf; /* the first in the text */
};

/* For qsort: by bytes, then in the order of the text. */
static int by_text(const void *left, const void *right)
{
    const struct word *a = left, *b = right;
    size_t shorter = a->size < b->size ? a->size : b->size;
    int order = memcmp(a->text, b->text, shorter);
    if (order) return order;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

/* For qsort: the most bytes saved first, then in the order of the text. */
static int by_gain(const void *left, const void *right)
{
    const struct group *a = left, *b = right;
    if (a->n != b->n) return a->n > b->n ? -1 : 1;
    return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

/* Lists the leaves that are no punctuation, sorted; notes letters that are words in `used`. */
static size_t list_words(const pare_syntax *syntax, struct word *words, bool used[N_LETTERS])
{
    size_t n = 0;
    for (uint32_t i = 0; i < syntax->n; i++) {
        uint32_t size = (uint32_t)pare_syntax_size(syntax, i);
        const char *text = pare_syntax_text(syntax, i);
        if (!syntax->nodes[i].leaf || !size) continue;
        const char *letter = size == 1 ? memchr(LETTERS, *text, N_LETTERS) : NULL;
        if (letter) used[letter - LETTERS] = true;
        if (size > 1 && !syntax->nodes[i].punctuation)
            words[n++] = (struct word){.text = text, .size = size, .leaf = i};
    }
    if (n) qsort(words, n, sizeof *words, by_text);
    return n;
}

/* Whether the program declares one of the words, which are the same, and nobody outside uses it. */
static bool is_own(const pare_program *program, const struct word *words, size_t n)
{
    bool own = false;
    for (size_t i = 0; i < n; i++) {
        uint32_t o = program->names.by_leaf[words[i].leaf];
        if (o == PARE_NO_NODE || program->names.occurrences[o].symbol == PARE_NO_SYMBOL) continue;
        if (pare_program_is_entry(program, program->names.occurrences[o].symbol)) return false;
        own = own || program->names.occurrences[o].declares;
    }
    return own;
}

/* Groups the words that may be renamed, best first. */
static size_t group_words(const pare_program *program, const struct word *words, size_t n,
                          struct group *groups)
{
    size_t n_groups = 0, n_same;
    for (size_t i = 0; i < n; i += n_same) {
        for (n_same = 1; i + n_same < n && words[i].size == words[i + n_same].size &&
                         memcmp(words[i].text, words[i + n_same].text, words[i].size) == 0;)
            n_same++;
        if (is_own(program, words + i, n_same))
            groups[n_groups++] = (struct group){.first = i, .n = n_same, .leaf = words[i].leaf};
    }
    if (n_groups) qsort(groups, n_groups, sizeof *groups, by_gain);
    return n_groups;
}

/* An item: all words of the group become the letter. */
static pare_status rename_group(pare_program *program, const struct word *words,
                                const struct group *group, const char *letter, pare_error *err)
{
    const struct word *word = &words[group->first];
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < group->n; i++)
        status = pare_rewrites_replace(&program->rewrites, word[i].leaf, letter, 1, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status
                  : pare_rewrites_item(&program->rewrites, group->n * (word->size - 1), err);
}

/* An item for each name, as long as there are letters. */
static pare_status collect_names(pare_program *program, pare_error *err)
{
    bool used[N_LETTERS] = {false};
    pare_status status = PARE_OK;
    struct word *words = pare_alloc(program->syntax.n, sizeof *words);
    struct group *groups = pare_alloc(program->syntax.n, sizeof *groups);
    if (words && groups) {
        size_t n = list_words(&program->syntax, words, used), letter = 0;
        size_t n_groups = group_words(program, words, n, groups);
        for (size_t i = 0; !status && i < n_groups; i++) {
            while (letter < N_LETTERS && used[letter])
                letter++;
            if (letter == N_LETTERS) break;
            status = rename_group(program, words, &groups[i], &LETTERS[letter++], err);
        }
    } else {
        status = pare_fail_nomem(err);
    }
    pare_alloc_free(words);
    pare_alloc_free(groups);
    return status;
}

/* own-names: what the program declares gets names of one letter, all at once if that works. */
static pare_status offer_own_names(const pare_pass *pass, const pare_pass_view *view,
                                   pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_names,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_own_names = {
    .name = "own-names",
    .summary = "renames everything that the program declares to one letter, all at once",
    .source = "T-Rec, canonical names; C-Reduce, rename-*",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_own_names,
};
