/* The operands that are reduced: one file, one folder, or several of both. */
#ifndef PARE_CLI_INPUTS_H
#define PARE_CLI_INPUTS_H

#include <stdbool.h>

#include <pare/sync.h>

#include "base/buffer.h"
#include "cli/settings.h"

typedef enum pare_inputs_form {
    PARE_INPUTS_OF_TEST,   /* after a TEST */
    PARE_INPUTS_OF_WORKER, /* all operands: --worker is the test */
    PARE_INPUTS_OF_PROGRAM /* before "--" */
} pare_inputs_form;

/* Takes `n` (at least 1) operands; settings->in_place is set before.  For a folder and for several of them, sets the inputs in
 * settings->reduce, without slashes at their ends; one file is left to pare_settings_read.
 * Looks at the file system.  Errors: PARE_E_ARG (one of several does not exist),
 * PARE_E_NOMEM; *settings needs pare_settings_done in any case. */
PARE_CHECK pare_status pare_inputs_read(pare_settings *settings, const char *const *operands,
                                        size_t n, pare_inputs_form form, pare_error *err);

/* Whether INPUT is standard input: "-" alone. */
bool pare_inputs_is_standard(const char *const *operands, size_t n);

/* Reads all of standard input, as the input of settings->reduce; `output` is what names the
 * result, or NULL.  Its text is called "stdin", with the result's extension, which may tell its
 * language.  Errors: PARE_E_ARG (it cannot be replaced), PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_inputs_read_standard(pare_settings *settings, const char *output,
                                                 pare_error *err);

/* PARE_E_ARG when a folder that is to be the result holds something that is not known to
 * be an earlier result: it would be removed. */
PARE_CHECK pare_status pare_inputs_check_output(const pare_settings *settings, pare_error *err);

/* INPUT.orig: what --in-place keeps of the input.
 *
 * Made before anything is reduced.  An INPUT.orig that exists is never
 * overwritten: when it is the same file as INPUT it will do; beside the journal of an unfinished run of ours it *is* the
 * input, and the reduction goes on from it; otherwise it is somebody's file
 * and the reduction does not start. */

/* All-zero before pare_inputs_back_up. */
typedef struct pare_backup {
    pare_buffer path;         /* owned; INPUT.orig */
    pare_buffer resumed;      /* owned; the bytes of the input of an unfinished run */
    bool is_resumed, is_made; /* made: INPUT.orig was not there before */
} pare_backup;

/* `journal_dir` may be NULL: then nothing can be unfinished.  Unless `sync` is PARE_SYNC_NEVER,
 * INPUT.orig is on disk on return.
 * Errors: PARE_E_IO (INPUT.orig exists or cannot be made), PARE_E_NOMEM;
 * *backup needs pare_inputs_backup_done in any case. */
PARE_CHECK pare_status pare_inputs_back_up(pare_backup *backup, const char *input_path,
                                           const char *journal_dir, pare_sync sync,
                                           pare_error *err);

/* Removes INPUT.orig again if it was made by this run and the input is still as it was. */
void pare_inputs_drop_backup(const pare_backup *backup, const char *input_path);

void pare_inputs_backup_done(pare_backup *backup); /* frees memory, touches no file */

#endif
