/* What an explained failure needs, in one sentence for somebody who has never seen the program.
 *
 * "The failure needs setUTCFullYear and 29; 2147483648 may be any whole number from 2147483648 on."
 * The terminal, the report and the JSON have the same words.  Any thread. */
#ifndef PARE_UI_ESSENCE_H
#define PARE_UI_ESSENCE_H

#include <stdbool.h>

#include <pare/explain.h>

#include "base/buffer.h"
#include "base/fail.h"

/* Appends a piece of the sentence: words of ours, or what stands in the text (is_part), of which each
 * character can be seen (pare_format_name). */
typedef pare_status pare_essence_add(void *context, const char *text, bool is_part,
                                     pare_error *err);

/* Hands the sentence over, piece by piece; none where nothing was found out.  It is bounded: of many parts
 * those are named that say most.  Errors: PARE_E_NOMEM, and those of `add`. */
PARE_CHECK pare_status pare_essence_tell(const pare_explanation *explanation, pare_essence_add *add,
                                         void *context, pare_error *err);

/* Appends the sentence as plain text, in which parts that are not words have single quotes around them;
 * nothing where there is none.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_essence_text(const pare_explanation *explanation, pare_buffer *out,
                                         pare_error *err);

/* Hands over a second sentence, in the same way: whether what stands between the parts is needed, which the
 * first one leaves out, and what that is, as far as it is short; nothing where nothing stands there.
 * Errors: as above. */
PARE_CHECK pare_status pare_essence_tell_signs(const pare_explanation *explanation,
                                               pare_essence_add *add, void *context,
                                               pare_error *err);

/* The same as plain text, without quotes.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_essence_signs_text(const pare_explanation *explanation,
                                               pare_buffer *out, pare_error *err);

/* Hands over pieces of program in whose place a shorter piece still fails, those that make the most difference
 * first; nothing where there are none.  Errors: as above. */
PARE_CHECK pare_status pare_essence_tell_simpler(const pare_explanation *explanation,
                                                 pare_essence_add *add, void *context,
                                                 pare_error *err);

/* Hands over whether variants end in the way that the text itself does, as far as the programs of a test were
 * watched; what they did in another way is explanation->other_programs. */
PARE_CHECK pare_status pare_essence_tell_endings(const pare_explanation *explanation,
                                                 pare_essence_add *add, void *context,
                                                 pare_error *err);

/* Hands over what nobody tried, and whether the limit of tests is the reason. */
PARE_CHECK pare_status pare_essence_tell_unvaried(const pare_explanation *explanation,
                                                  pare_essence_add *add, void *context,
                                                  pare_error *err);

/* These as plain text, in which texts of the result have quotes if they are no words.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_essence_simpler_text(const pare_explanation *explanation,
                                                 pare_buffer *out, pare_error *err);
PARE_CHECK pare_status pare_essence_endings_text(const pare_explanation *explanation,
                                                 pare_buffer *out, pare_error *err);
PARE_CHECK pare_status pare_essence_unvaried_text(const pare_explanation *explanation,
                                                  pare_buffer *out, pare_error *err);

/* Tests that the explanation asked for, and the last runs of the text itself: not those that were run ahead
 * in vain.  What the text and the page say. */
uint64_t pare_essence_tests(const pare_explanation *explanation);

#endif
