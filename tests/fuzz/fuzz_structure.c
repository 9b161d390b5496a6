/* Fuzz target: the structure of any bytes, what mentions what in it, and the strategies over both.
 *
 * Blocks must be nested and ordered.  A strategy, told what the bytes themselves say, must end, and each candidate must be shorter than what failed last and not empty.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "reduce/structure/mention_reduction.h"
#include "reduce/structure/mentions.h"
#include "reduce/structure/structure.h"
#include "reduce/structure/structure_reduction.h"
#include "text/candidate.h"
#include "text/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_CHECKED = 2000 }; /* blocks; the check looks at all pairs */

static void require(bool holds)
{
    if (!holds) abort();
}

/* Runs the strategy, which is taken over; whether a candidate fails is one bit of the data after the
 * other. */
static void run(pare_strategy *strategy, const uint8_t *data, size_t size)
{
    pare_candidate candidate = {0};
    pare_next what = PARE_NEXT_TEST;
    size_t left = size;
    for (size_t i = 0;; i++) {
        require(strategy->ops->next(strategy, &what, &candidate, NULL) == PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        require(candidate.size > 0 && candidate.size < left);
        const bool fails = data[i / 8 % size] >> i % 8 & 1;
        if (fails) left = candidate.size;
        require(strategy->ops->tell(strategy, fails ? PARE_FAIL : PARE_PASS, NULL) == PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_text *text = NULL;
    pare_structure *structure = NULL;
    pare_mentions *mentions = NULL;
    pare_strategy *strategy = NULL;
    require(pare_text_copy(data, size, &text, NULL) == PARE_OK);
    require(pare_structure_new(text, (pare_stretch){0, size}, &structure, NULL) == PARE_OK);
    require(structure->n_blocks > MOST_CHECKED || pare_structure_check(structure));
    require(pare_structure_reduction_new(structure, PARE_STRUCTURE_TO_THE_END, &strategy, NULL) ==
            PARE_OK);
    run(strategy, data, size);
    require(pare_mentions_new(structure, &mentions, NULL) == PARE_OK);
    require(pare_mention_reduction_new(mentions, &strategy, NULL) == PARE_OK);
    run(strategy, data, size);
    pare_mentions_unref(mentions);
    pare_structure_unref(structure);
    pare_text_unref(text);
    return 0;
}
