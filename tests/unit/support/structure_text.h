/* The structure of a short text.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_UNIT_SUPPORT_STRUCTURE_TEXT_H
#define PARE_TESTS_UNIT_SUPPORT_STRUCTURE_TEXT_H

#include <stddef.h>

#include "reduce/structure/structure.h"

/* Ended by pare_structure_unref. */
static inline pare_structure *make_structure(const char *bytes, size_t size)
{
    pare_text *text = NULL;
    pare_structure *structure = NULL;
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    assert_int_equal(pare_structure_new(text, (pare_stretch){0, size}, &structure, NULL), PARE_OK);
    assert_true(pare_structure_check(structure));
    pare_text_unref(text);
    return structure;
}

#endif
