/* Fuzz target: any bytes as a text of instructions.
 *
 * What is read is in order; an edit of nothing prints the text; the reduction ends, whatever the
 * outcomes are.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <pare/outcome.h>

#include "reduce/ssa/ssa_edit.h"
#include "reduce/ssa/ssa_reduction.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_STEPS = 200 };

static void require(bool holds)
{
    if (!holds) abort();
}

/* Outcomes are the bits of a number that the size seeds. */
static void reduce(const pare_text *text, const pare_ssa_dialect *dialect)
{
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    size_t size = pare_text_size(text);
    uint32_t bits = (uint32_t)size * 2654435761u + 1;
    require(pare_ssa_reduction_new(text, 0, size, dialect, &strategy, NULL) == PARE_OK);
    for (unsigned i = 0; i < MOST_STEPS; i++) {
        pare_next what;
        require(strategy->ops->next(strategy, &what, &candidate, NULL) == PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        bits = bits * 1664525u + 1013904223u;
        pare_outcome outcome = bits >> 31 ? PARE_FAIL : PARE_PASS;
        require(strategy->ops->tell(strategy, outcome, NULL) == PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
}

static void check(const pare_text *text, const pare_ssa_dialect *dialect)
{
    pare_ssa ssa;
    pare_buffer out = {0};
    uint32_t used;
    const pare_ssa_edit edit = {.gone = NULL};
    const size_t size = pare_text_size(text);
    require(pare_ssa_read(pare_text_bytes(text), size, dialect, &ssa, NULL) == PARE_OK);
    require(pare_ssa_check(&ssa));
    require(pare_ssa_edit_print(&ssa, &edit, &out, &used, NULL) == PARE_OK);
    require(out.size == size && (!size || memcmp(out.data, pare_text_bytes(text), size) == 0));
    pare_buffer_done(&out);
    pare_ssa_done(&ssa);
    reduce(text, dialect);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_text *text = NULL;
    pare_ssa_dialect found_dialect;
    bool found;
    if (!size) return 0;
    require(pare_text_copy(data, size, &text, NULL) == PARE_OK);
    require(pare_ssa_detect(data, size, &found, &found_dialect, NULL) == PARE_OK);
    if (found) check(text, &found_dialect);
    check(text, &(pare_ssa_dialect){.comment = ';'});
    check(text, &(pare_ssa_dialect){.fragment = true});
    check(text, &(pare_ssa_dialect){.sigil = PARE_SSA_SIGILS - 1, .comment = '/', .bare = true});
    pare_text_unref(text);
    return 0;
}
