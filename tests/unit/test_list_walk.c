/* The walk over a list from the rear: what it takes, and what is left to the heap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/structure/list_walk.h"
#include "reduce/structure/part.h"
#include "reduce/structure/structure.h"
#include "unit/support/structure_text.h"

enum { LINES = 64 };

/* A walk over a text of equal lines, whose parts go unless they hold one that is needed. */
struct walked {
    pare_structure *structure;
    pare_part_heap heap;
    pare_list_walk walk;
    size_t left;
    unsigned n_tests;
    bool gone[LINES];
};

static void begin(struct walked *self)
{
    static char text[LINES * 8];
    size_t size = 0;
    for (unsigned i = 0; i < LINES; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "x %02u\n", i);
    *self = (struct walked){.structure = make_structure(text, size), .left = size};
    assert_int_equal(pare_part_heap_init(&self->heap, NULL), PARE_OK);
    const pare_part all = {.to = LINES, .bytes = (uint32_t)size, .refused = true};
    pare_list_walk_begin(&self->walk, self->structure, &all, size);
    assert_int_equal(pare_list_walk_refuse(&self->walk, self->structure, size, &self->heap, NULL),
                     PARE_OK);
}

static void done(struct walked *self)
{
    pare_shared_release(self->heap.items);
    pare_structure_unref(self->structure);
}

/* Takes one part and tells what came of it; false: the list is left. */
static bool step(struct walked *self, uint32_t needed)
{
    assert_int_equal(
        pare_list_walk_leave(&self->walk, self->structure, self->left, &self->heap, NULL), PARE_OK);
    if (!self->walk.active) return false;
    const bool untested = pare_list_walk_take(&self->walk, self->structure, self->left);
    const pare_part part = self->walk.piece.part;
    const bool goes = untested && (needed < part.from || needed >= part.to);
    if (untested) pare_list_walk_note(&self->walk, self->structure, self->left, goes);
    self->n_tests += untested;
    for (uint32_t i = part.from; goes && i < part.to; i++)
        self->gone[i] = true;
    if (goes)
        self->left -= part.bytes;
    else
        assert_int_equal(
            pare_list_walk_refuse(&self->walk, self->structure, self->left, &self->heap, NULL),
            PARE_OK);
    return true;
}

static void test_list_walk__begins_at_the_rear(void **state)
{
    (void)state;
    struct walked self;
    begin(&self);
    pare_list_walk_take(&self.walk, self.structure, self.left);
    assert_int_equal(self.walk.piece.part.to, LINES);
    assert_int_equal(self.walk.piece.part.from, LINES / 2);
    done(&self);
}

static void test_list_walk__all_goes_but_what_is_needed(void **state)
{
    (void)state;
    struct walked self;
    for (uint32_t needed = 0; needed < LINES; needed++) {
        begin(&self);
        while (step(&self, needed))
            ;
        for (uint32_t i = 0; i < LINES; i++)
            assert_int_equal(self.gone[i], i != needed);
        assert_true(self.n_tests <= 16);
        assert_int_equal(self.heap.n, 0);
        done(&self);
    }
}

/* Walks over MANY lines, of which every `each`-th is needed, beginning with `from`; the tests, and *n_gone lines less. */
static unsigned walk_many(uint32_t from, uint32_t each, unsigned *n_gone)
{
    enum { MANY = 1024, SIZE = 16 };
    static char text[MANY * SIZE + 1];
    size_t left = 0;
    unsigned n_tests = 0;
    pare_part_heap heap;
    pare_list_walk walk;
    for (unsigned i = 0; i < MANY; i++)
        left += (size_t)snprintf(text + left, SIZE + 1, "x 0123456 %05u\n", i);
    pare_structure *structure = make_structure(text, left);
    const pare_part all = {.to = MANY, .bytes = (uint32_t)left, .refused = true};
    assert_int_equal(pare_part_heap_init(&heap, NULL), PARE_OK);
    memset(&walk, 0, sizeof walk);
    pare_list_walk_begin(&walk, structure, &all, left);
    assert_int_equal(pare_list_walk_refuse(&walk, structure, left, &heap, NULL), PARE_OK);
    *n_gone = 0;
    for (;;) {
        assert_int_equal(pare_list_walk_leave(&walk, structure, left, &heap, NULL), PARE_OK);
        if (!walk.active) break;
        const bool untested = pare_list_walk_take(&walk, structure, left);
        const pare_part part = walk.piece.part;
        bool goes = untested;
        for (uint32_t i = part.from; goes && i < part.to; i++)
            goes = i < from || (i - from) % each;
        if (untested) pare_list_walk_note(&walk, structure, left, goes);
        n_tests += untested;
        if (goes) left -= part.bytes;
        if (goes) *n_gone += part.to - part.from;
        if (!goes)
            assert_int_equal(pare_list_walk_refuse(&walk, structure, left, &heap, NULL), PARE_OK);
    }
    pare_shared_release(heap.items);
    pare_structure_unref(structure);
    return n_tests;
}

/* Where every other line is needed, the first search for one shows that nothing heavy goes: the others are left unsearched.
 * A list of which most goes is searched to its lines. */
static void test_list_walk__searches_end_where_they_are_idle(void **state)
{
    (void)state;
    unsigned n_gone;
    assert_in_range(walk_many(0, 2, &n_gone), 8, 40);
    assert_int_equal(n_gone, 1);
    assert_in_range(walk_many(512, 128, &n_gone), 8, 100);
    assert_int_equal(n_gone, 1020);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_walk__begins_at_the_rear),
        cmocka_unit_test(test_list_walk__searches_end_where_they_are_idle),
        cmocka_unit_test(test_list_walk__all_goes_but_what_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
