/* The scope of a reduction: which files there are, and what of them may be reduced.
 *
 * Strategies cut units out of one file at a time; units that touch a frame or protected
 * text are none (text/layout.h, text/protect.h). */
#ifndef PARE_SESSION_REDUCIBLE_RANGES_H
#define PARE_SESSION_REDUCIBLE_RANGES_H

#include <pare/input.h>

#include "base/digest.h"
#include "engine/limited.h"
#include "engine/strategy.h"
#include "reduce/list/config.h"
#include "text/layout.h"
#include "text/pattern.h"
#include "text/protect.h"
#include "text/split/bracket.h"
#include "text/split/split.h"
#include "text/text.h"

/* All-zero: one file, all of which may be reduced. */
typedef struct pare_reducible_ranges {
    const pare_layout *layout; /* borrowed; NULL: the text is the content of one file */
    pare_protected protected_text;
    unsigned char *kept; /* owned; whether an entry stays as it is; NULL: none does */
    /* Where the entries of a layout stand in the text that was looked at last: there may be
     * a hundred thousand, and each is looked for. */
    pare_digest known;  /* of that text */
    pare_place *places; /* owned; n_places of them, entries ascending */
    size_t n_places;
} pare_reducible_ranges;

/* Decides on the input what is protected.  Sets *ranges (all-zero before) only on success;
 * the caller ends it.  Errors: PARE_E_ARG (a regular expression), PARE_E_LIMIT,
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reducible_ranges_open(const pare_input_options *options,
                                                  const pare_layout *layout, const pare_text *input,
                                                  pare_reducible_ranges *ranges, pare_error *err);
void pare_reducible_ranges_close(pare_reducible_ranges *ranges);

/* Sets *bytes to the size of the files of `input` that stay as they are (--only, --keep-files).  O(bytes) where there
 * are any.  Errors: PARE_E_ARG, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reducible_ranges_kept_bytes(const pare_input_options *options,
                                                        const pare_layout *layout,
                                                        const pare_text *input, size_t *bytes,
                                                        pare_error *err);

/* Whether `entry` stays as it is, all of it (--only, --keep-files): nothing in it can be reduced. */
bool pare_reducible_ranges_is_kept(const pare_reducible_ranges *ranges, uint32_t entry);

/* Whether `entry` can go as a whole: nothing of it is protected. */
bool pare_reducible_ranges_may_go(const pare_reducible_ranges *ranges, uint32_t entry);

/* The places of all entries of a flat `text`; of the one file where there is no layout. Borrowed
 * until the next call.  O(bytes) for another content than the last.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reducible_ranges_places(pare_reducible_ranges *ranges,
                                                    const pare_text *text,
                                                    const pare_place **places, size_t *n,
                                                    pare_error *err);

/* One file of a flat text, as phases see it. */
typedef struct pare_view {
    const pare_text *text; /* borrowed */
    uint32_t entry;
    size_t begin, end;       /* of its content, bytes of the text */
    pare_stretch *stretches; /* owned; what is protected in it, bytes of the content */
    size_t n;
} pare_view;

/* The view of `entry` in `text`; *found is false when it is not there, or stays as it is.
 * On PARE_OK and found the caller closes it.  O(bytes) of the file, besides the places.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reducible_ranges_view(pare_reducible_ranges *ranges,
                                                  const pare_text *text, uint32_t entry,
                                                  pare_view *view, bool *found, pare_error *err);
void pare_reducible_ranges_close_view(pare_view *view);

/* Content of the file. */
pare_span pare_reducible_ranges_bytes(const pare_view *view);

/* Makes units of what was cut out of the content: `bounds` or `slices`, which are taken
 * over.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reducible_ranges_units(const pare_view *view, pare_bounds *bounds,
                                                   pare_unit_list **out, pare_error *err);
PARE_CHECK pare_status pare_reducible_ranges_units_gapped(const pare_view *view,
                                                          pare_slices *slices, pare_unit_list **out,
                                                          pare_error *err);

/* What a strategy or pool that reduces one file must keep; see pare_reducible_ranges_guard. */
typedef struct pare_guarded {
    const pare_reducible_ranges *ranges; /* borrowed */
    uint32_t entry;
    size_t before, after; /* bytes of the text that are not of the file */
} pare_guarded;

/* What tells which candidates for the file of `view` keep what is protected, given *guarded,
 * which is set and must outlive its use; NULL where nothing is protected. */
pare_admits pare_reducible_ranges_admits(const pare_reducible_ranges *ranges, const pare_view *view,
                                         pare_guarded *guarded);

/* Wraps *strategy, which changes only the file of `view`, in a filter for candidates
 * that keep what is protected.  *guarded must outlive it.  Where nothing is protected,
 * nothing changes.  On failure *strategy is gone.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reducible_ranges_guard(const pare_reducible_ranges *ranges,
                                                   const pare_view *view, pare_guarded *guarded,
                                                   pare_strategy **strategy, pare_error *err);

#endif
