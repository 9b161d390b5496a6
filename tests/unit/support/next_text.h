/* What a strategy proposes, as a text.  Included after cmocka. */
#ifndef PARE_TESTS_NEXT_TEXT_H
#define PARE_TESTS_NEXT_TEXT_H

#include "engine/strategy.h"
#include "text/candidate.h"

/* Asks for the next candidate; the caller frees it (test_free).  NULL: it is done. */
static inline char *next_text(pare_strategy *strategy)
{
    pare_next what;
    pare_candidate candidate = {0};
    char *text = NULL;
    assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
    if (what == PARE_NEXT_TEST) {
        text = test_calloc(candidate.size + 1, 1);
        pare_candidate_read(&candidate, text);
    }
    pare_candidate_done(&candidate);
    return text;
}

#endif
