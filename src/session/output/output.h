/* The result on disk: a file, a folder, and a script that runs what is left of a command. */
#ifndef PARE_SESSION_OUTPUT_OUTPUT_H
#define PARE_SESSION_OUTPUT_OUTPUT_H

#include <pare/input.h>
#include <pare/output.h>
#include <pare/result.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "os/folder.h"
#include "run/command.h"
#include "session/output/in_place.h"
#include "session/output/output_backup.h"
#include "session/output/script.h"
#include "session/output/user_edits.h"
#include "text/candidate.h"
#include "text/layout.h"

/* All-zero is closed. */
typedef struct pare_output {
    const pare_input_options *inputs;       /* borrowed */
    const pare_output_options *options;     /* borrowed */
    const pare_layout *layout;              /* borrowed; NULL: one file */
    pare_script script;                     /* layout is NULL: there is no script */
    pare_layout_saver saver;                /* of several files */
    pare_in_place in_place;                 /* closed: the output path is written */
    pare_folder_removal removal;            /* of what was replaced last */
    pare_output_backup backup;              /* what is replaced; opened by the session */
    size_t strip;                           /* see pare_entries_writer */
    pare_user_edits_file *files;            /* owned, by entry: the folder that was written last */
    pare_user_edits_file file, script_file; /* likewise the file, and the script */
    pare_buffer beside;                     /* where the best is since somebody else has changed the
                                           output and no copy of that can be kept; else empty */
    pare_digest original;                   /* of the one file that was given */
    bool is_written;                        /* this process has written at the output */
    bool any;                               /* the digests are of what was saved last: */
    pare_digest contents, words;
    bool late;       /* the best was not saved, as the last time took long */
    uint64_t due_ms; /* when it may be saved again (pare_clock_ms) */
} pare_output;

/* Looks at what is to be replaced; `input` is all that is reduced.  Errors: PARE_E_ARG,
 * PARE_E_IO, PARE_E_NOMEM; *output is to be closed in any case. */
PARE_CHECK pare_status pare_output_open(pare_output *output, const pare_input_options *inputs,
                                        const pare_output_options *options,
                                        const pare_layout *layout, const pare_candidate *input,
                                        pare_error *err);
void pare_output_close(pare_output *output);

/* From now on a script is saved too, where words of `program` are reduced; it is the first word as
 * the user wrote it, NULL where the test is no program.  `command` is the program's, borrowed. */
void pare_output_add_script(pare_output *output, const char *program, const pare_command *command);

/* Whether somebody else has changed what stands at the output, so that the best is beside it. */
bool pare_output_is_edited(const pare_output *output);

/* Saves `best`.  Each file, and a folder as a whole, is replaced at once, and only if it
 * changes: a step changes either contents or words, so that what is on disk fails together
 * at any instant after the first save.  What survives a loss of power is said in
 * <pare/sync.h>; under PARE_SYNC_SECOND a save may be put off where somebody asks
 * pare_output_is_due, by a second at most, or by as long as the save before took, or as it takes to
 * remove what that has replaced.  What somebody else has put there since the save before is never
 * replaced: with a backup it gets a second name (output_backup.h), else it stays and the save fails
 * (user_edits.h).  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_output_save(pare_output *output, const pare_candidate *best,
                                        pare_error *err);

/* Whether a save was put off that is to be made up for now. */
bool pare_output_is_due(const pare_output *output);

/* Makes up for it whatever the time; a no-op when none was put off.  To be called before the
 * output is closed.  Errors: as above. */
PARE_CHECK pare_status pare_output_catch_up(pare_output *output, const pare_candidate *best,
                                            pare_error *err);

/* Other failures that were met on the way: each with its smallest candidate, on disk.
 *
 * A folder holds for each two files, named by the signature's checksum: the candidate,
 * with the input's suffix, or as a folder where the result is one, and the signature, one
 * line, as --signature takes it; where the command line is reduced, also a script.  Only
 * candidates that an algorithm was told of count, so that the number of jobs changes
 * nothing.  Bounded by PARE_OTHER_FAILURES_MAX signatures.  One thread. */

enum { PARE_OTHER_FAILURES_MAX = 64 };

/* All-zero but for the texts, which are borrowed, is empty. */
typedef struct pare_other_failures {
    const char *dir;           /* NULL: nothing is written */
    const char *base_name;     /* the input's */
    const pare_output *output; /* whose form they have; with its script, NAME.run.sh */
    pare_other_failure *list;  /* owned, with its texts */
    size_t n;
} pare_other_failures;

void pare_output_others_done(pare_other_failures *others);

/* Takes a candidate that shows `signature`; writes it, by rename, if it is the smallest.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_output_add_other(pare_other_failures *others,
                                             const pare_candidate *candidate, const char *signature,
                                             pare_error *err);

/* At the end of a run: what was written is on disk.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_output_sync_others(const pare_other_failures *others, pare_error *err);

#endif
