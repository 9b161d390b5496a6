/* Results in the places of what was given: `in_place` of folders and of several inputs.
 *
 * An input stays as it is until a success changes something in it; then what is left of it
 * takes its place, and what it was is called INPUT.orig.  At any instant the original is
 * called INPUT or INPUT.orig, whatever ends the process.  Each place changes at once, and
 * only if something in it does; several places change one after the other.
 *
 * The same command goes on after a kill: where INPUT.orig stands beside the journal of an
 * unfinished run it is the input, but for one case.  Between the two renames that put the
 * first result into the place of a folder, that result is called INPUT.orig.  So the number of
 * its inode is written into the journal's directory before.
 *
 * What is about to be put into each place is written there, too, so that the run that goes on tells its
 * own result from what somebody has made of it between the two runs. */
#ifndef PARE_SESSION_OUTPUT_IN_PLACE_H
#define PARE_SESSION_OUTPUT_IN_PLACE_H

#include <pare/input.h>
#include <pare/output.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "os/folder.h"
#include "session/output/user_edits.h"
#include "text/candidate.h"
#include "text/layout.h"

/* Where the originals are.  All-zero is empty. */
typedef struct pare_originals {
    char **places;  /* owned, with the texts: the inputs' paths, without slashes at their ends */
    char **sources; /* likewise: the same, or INPUT.orig */
    size_t n;
} pare_originals;

/* Looks for the originals of input->paths, and removes a result that a killed process left under
 * the name of an original.  *originals (all-zero before) needs pare_in_place_originals_done in any
 * case.
 * Errors: PARE_E_ARG (a place cannot be replaced, or two are in one another), PARE_E_IO
 * (INPUT.orig is somebody's, or the folder cannot be written to), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_in_place_find_originals(const pare_input_options *input,
                                                    const char *journal_dir,
                                                    pare_originals *originals, pare_error *err);
void pare_in_place_originals_done(pare_originals *originals);

/* What was put into a place: digests as of pare_user_edits_sum.  All-zero: nothing yet. */
typedef struct pare_in_place_note {
    char written[2][PARE_DIGEST_TEXT_BYTES]; /* what comes next or was put there last, and what was
                                                there before that */
} pare_in_place_note;

/* All-zero is closed. */
typedef struct pare_in_place {
    const pare_output_options *options; /* borrowed: `places` and `journal_dir` */
    pare_layout_saver *saver;           /* borrowed */
    pare_folder_removal *removal;       /* borrowed; NULL: what was replaced goes at once */
    pare_buffer noted;                  /* inode numbers of first results */
    pare_candidate original;            /* all that was given */
    pare_in_place_note *notes;          /* owned, by input */
    int notes_fd;                       /* where they are kept; -1: nowhere */
    unsigned char *written;             /* owned, by input: what was noted last is in its place */
    unsigned char *kept;                /* owned, by input: INPUT.orig is the original */
    unsigned char *known;               /* owned, by input: `files` says what is at the place */
    unsigned char *current;             /* owned, by input: and that is what the saver knows */
    pare_user_edits_file *files;        /* owned, by entry: what was put there last */
    pare_buffer *beside;                /* owned, by input, with the texts: where the best is since
                                           somebody else has changed the place; empty: nobody has */
    bool is_edited;                     /* somebody has */
    size_t n;                           /* inputs */
} pare_in_place;

/* Prepares the places of inputs->paths, which `input` was read from.
 * Errors: PARE_E_NOMEM; *in_place is to be closed in any case. */
PARE_CHECK pare_status pare_in_place_open(pare_in_place *in_place, const pare_input_options *inputs,
                                          const pare_output_options *options,
                                          pare_layout_saver *saver, const pare_candidate *input,
                                          pare_error *err);
void pare_in_place_close(pare_in_place *in_place);

/* Puts what `best` means into the places.  A place that somebody else has changed since it was read or
 * written, by this run or the one that it continues, is left alone: what would go there is written beside
 * it (pare_user_edits_refuse), all others are replaced, and the error says so.  If it is the first result
 * that is not put there, what was read of the original is called INPUT.orig.  Errors: PARE_E_IO, PARE_E_NOMEM; places that were
 * not reached hold what they held. */
PARE_CHECK pare_status pare_in_place_save(pare_in_place *in_place, const pare_candidate *best,
                                          pare_error *err);

/* Removes what was written into the directory of a journal: the first before the journal goes, the second,
 * what is in the places, after it. */
void pare_in_place_drop(const char *journal_dir);
void pare_in_place_drop_places(const char *journal_dir);

#endif
