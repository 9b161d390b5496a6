/* What a strategy proposes, as a text, and what it is told of it.  Included after cmocka. */
#ifndef PARE_TESTS_NEXT_TEXT_H
#define PARE_TESTS_NEXT_TEXT_H

#include <stdbool.h>

#include "engine/strategy.h"
#include "run/complaints.h"
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

/* Tells that the proposal compiled, and whether it failed. */
static inline void tell_compiled(pare_strategy *strategy, bool failed)
{
    const pare_complaints none = {0};
    if (!failed) assert_int_equal(strategy->ops->hear(strategy, &none, NULL), PARE_OK);
    assert_int_equal(strategy->ops->tell(strategy, failed ? PARE_FAIL : PARE_PASS, NULL), PARE_OK);
}

/* Takes over the text, which is the best so far if it fails. */
static inline void keep_if(bool fails, char *text, char **best)
{
    char *const other = fails ? *best : text;
    if (fails) *best = text;
    test_free(other);
}

#endif
