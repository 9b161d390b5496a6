/* Texts of cells, programs that need some of them, and the patches that take them away. */
#ifndef POOL_SUBJECT_H
#define POOL_SUBJECT_H

#include <string.h>

#include "base/random.h"
#include "text/patch.h"

/* A text of cells of two bytes, a number and a dot: a cell can be left out, or its dot. */
enum { MOST_CELLS = 40 };

/* Needs some cells, some of them with their dots; some cells need others. */
struct subject {
    size_t n;
    bool needed[MOST_CELLS], dotted[MOST_CELLS];
    int needs[MOST_CELLS]; /* -1: nothing */
};

static inline void make_subject(struct subject *subject, pare_random *random, size_t n)
{
    *subject = (struct subject){.n = n};
    uint64_t rare = 1 + pare_random_below(random, 20);
    bool dependent = pare_random_below(random, 2);
    for (size_t i = 0; i < n; i++) {
        subject->needed[i] = pare_random_below(random, rare + 1) == 0;
        subject->dotted[i] = pare_random_below(random, 4) == 0;
        bool needs = dependent && i > 0 && pare_random_below(random, 2);
        subject->needs[i] = needs ? (int)pare_random_below(random, i) : -1;
    }
}

static inline bool still_fails(const struct subject *subject, const unsigned char *bytes,
                               size_t size)
{
    bool there[MOST_CELLS] = {false}, dotted[MOST_CELLS] = {false};
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '.') continue;
        there[bytes[i] - 128] = true;
        dotted[bytes[i] - 128] = i + 1 < size && bytes[i + 1] == '.';
    }
    for (size_t i = 0; i < subject->n; i++) {
        if (subject->needed[i] && !there[i]) return false;
        if (there[i] && subject->dotted[i] && !dotted[i]) return false;
        if (there[i] && subject->needs[i] >= 0 && !there[subject->needs[i]]) return false;
    }
    return true;
}

static void end(pare_patches *patches, uint32_t parent, uint32_t *index)
{
    assert_int_equal(pare_patches_end(patches, parent, index, NULL), PARE_OK);
}

static void cut(pare_patches *patches, size_t from, size_t to)
{
    assert_int_equal(pare_patches_change(patches, from, to, "", 0, NULL), PARE_OK);
}

/* Adds what can be done to cells from .. to-1: all of them away, then halves as parts. */
static void add_tree(pare_patches *patches, uint32_t parent, size_t from, size_t to)
{
    uint32_t whole, dot;
    cut(patches, 2 * from, 2 * to);
    end(patches, parent, &whole);
    if (to - from > 1) {
        add_tree(patches, whole, from, (from + to) / 2);
        add_tree(patches, whole, (from + to) / 2, to);
        return;
    }
    cut(patches, 2 * from + 1, 2 * from + 2);
    end(patches, whole, &dot);
}

/* Patches over n cells: a tree of halves, or cells beside each other. */
static inline pare_patches *make_patches(size_t n, bool tree)
{
    char bytes[2 * MOST_CELLS] = "";
    pare_text *text = NULL;
    pare_patches *patches = NULL;
    for (size_t i = 0; i < n; i++) {
        bytes[2 * i] = (char)(128 + i);
        bytes[2 * i + 1] = '.';
    }
    assert_int_equal(pare_text_copy(bytes, 2 * n, &text, NULL), PARE_OK);
    assert_int_equal(pare_patches_new(text, &patches, NULL), PARE_OK);
    pare_text_unref(text);
    if (tree) add_tree(patches, PARE_NO_PATCH, 0, n);
    for (size_t i = 0; !tree && i < n; i++)
        add_tree(patches, PARE_NO_PATCH, i, i + 1);
    return patches;
}

/* No cell of what is left can go, nor its dot alone. */
static inline void assert_minimal(const struct subject *subject, const unsigned char *best,
                                  size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char less[2 * MOST_CELLS];
        bool has_dot = i + 1 < size && best[i + 1] == '.';
        size_t gone = best[i] == '.' || !has_dot ? 1 : 2;
        memcpy(less, best, i);
        memcpy(less + i, best + i + gone, size - i - gone);
        assert_false(still_fails(subject, less, size - gone));
    }
}

#endif
