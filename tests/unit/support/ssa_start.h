/* A strategy over a whole text of instructions.  Included after cmocka. */
#ifndef PARE_TESTS_SSA_START_H
#define PARE_TESTS_SSA_START_H

#include <string.h>

#include "reduce/ssa/ssa.h"
#include "reduce/ssa/ssa_reduction.h"
#include "text/text.h"

static inline pare_strategy *ssa_start(const char *source)
{
    pare_text *text = NULL;
    pare_strategy *strategy = NULL;
    pare_ssa_dialect dialect;
    bool found = false;
    assert_int_equal(pare_text_copy(source, strlen(source), &text, NULL), PARE_OK);
    assert_int_equal(pare_ssa_detect(pare_text_bytes(text), strlen(source), &found, &dialect, NULL),
                     PARE_OK);
    assert_true(found);
    assert_int_equal(pare_ssa_reduction_new(text, 0, strlen(source), &dialect, &strategy, NULL),
                     PARE_OK);
    pare_text_unref(text);
    return strategy;
}

#endif
