/* Reduction of a generated text through the choices that made it.
 *
 * An edited list of choices is replayed; what the generator makes of it is the candidate.
 * So every candidate is a text of the generator, and whatever it keeps true stays true.
 * Lists that make nothing are skipped without a test, and so are those that make the text at
 * hand from a list that is no simpler.
 *
 * Two ways, each a strategy of the engine:
 *
 * - seed 004's (Gopinath): its ddmin over the list, run again until the list gets no
 *   shorter; choices left over at the end are kept.  Its variant with NOPs puts one default in
 *   the place of a fragment and its left neighbour.  Deviation: a fragment that would leave
 *   the list as it is counts as failed, where the seed's loop would not end.
 * - Hypothesis's passes (MacIver and Donaldson, ECOOP 2020; see reduce/choice/choice_passes.h): the list
 *   only ever gets simpler in shortlex order, and what is left over is cut.
 *
 * A generator that was not made for it (PARE_CHOICE_TEXTS) takes numbers modulo bounds that
 * nobody knows, and draws again what it does not like.  So a simpler list is no aim there:
 * the text only ever gets shorter, those that do not are not tested, and passes draw anew. */
#ifndef PARE_REDUCE_CHOICE_CHOICE_REDUCTION_H
#define PARE_REDUCE_CHOICE_CHOICE_REDUCTION_H

#include <pare/export.h>
#include <pare/status.h>

#include "engine/strategy.h"
#include "reduce/choice/choices.h"
#include "text/text.h"

typedef enum pare_choice_way {
    PARE_CHOICE_PASSES,
    PARE_CHOICE_TEXTS,     /* the same for a generator of which only the calls are known */
    PARE_CHOICE_FRAGMENTS, /* seed 004 */
    PARE_CHOICE_DEFAULTS   /* seed 004, with NOPs */
} pare_choice_way;

/* Reduces from `list`, which the generator must make a text of, and which fails.  The
 * generator is borrowed by the strategy and its copies.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_STATE (it makes no text of the list), PARE_E_LIMIT (too large a text),
 * PARE_E_NOMEM.
 * Guarantee: none of the passes finds anything any more. */
PARE_CHECK pare_status pare_choice_reduction_new(pare_generator generator, const uint64_t *list,
                                                 size_t n, pare_choice_way way, pare_strategy **out,
                                                 pare_error *err);

/* The list that the strategy stands on; borrowed until it is told something. */
const uint64_t *pare_choice_reduction_list(const pare_strategy *strategy, size_t *n);

/* Its text; borrowed as above. */
const pare_text *pare_choice_reduction_text(const pare_strategy *strategy);

/* How many lists were proposed, those that needed no test among them. */
size_t pare_choice_reduction_proposed(const pare_strategy *strategy);

/* Bytes as choices: the reduction of what another program's generator reads.
 *
 * A generator outside takes its randomness from a file or its standard input, as a fuzz
 * harness with a FuzzedDataProvider does: the bytes are its choices, and a test that makes the
 * text of them and looks at that is the test of the bytes.  Nothing is known of spans but what the
 * bytes look like: where they are a text with brackets, these say what belongs together.  A list
 * that is too short for the generator fails there. */

/* Hypothesis's passes (reduce/choice/choice_reduction.h) over `size` bytes, a choice each.  On PARE_OK the
 * caller owns *out.  Errors: PARE_E_LIMIT (more than PARE_CHOICES_LIMIT), PARE_E_NOMEM.
 * Guarantee: 1-minimal in bytes, and no byte can be smaller by one. */
PARE_CHECK pare_status pare_choice_reduction_of_bytes(const unsigned char *bytes, size_t size,
                                                      pare_strategy **out, pare_error *err);

#endif
