/* Telling what a run has put on disk from what somebody else has put there since.
 *
 * People look at a result while it is still being reduced, and edit it.  What they save must not be
 * replaced by the next best, so before each replacement the file on disk is compared with what was
 * written last: by inode, size and time of change, and where these differ by content, so that a file
 * that was only touched, or moved away and back, is still ours.  One thread. */
#ifndef PARE_SESSION_OUTPUT_USER_EDITS_H
#define PARE_SESSION_OUTPUT_USER_EDITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "os/entries.h"
#include "text/layout.h"

/* What stands at a path as far as we know.  All-zero: nothing is known of a file that is an output of
 * its own; of an entry of a folder, that the entry is not there. */
typedef struct pare_user_edits_file {
    pare_digest content;      /* of entries as pare_layout_saver has it */
    pare_entry_record record; /* all-zero: only the content is known */
} pare_user_edits_file;

/* Whether `path` holds what is known of it, or nothing at all.  What cannot be looked at does not.
 * Cost: a stat(2); where that differs the file is read, if it has the right size or that is unknown. */
bool pare_user_edits_file_is_own(const pare_user_edits_file *file, const char *path);

/* The same where the file is an entry of a layout: the digests of those are of another kind. */
bool pare_user_edits_entry_is_own(const pare_user_edits_file *file, const char *path);

/* The same of the folder `path`, which was written from `layout` without the first `strip` bytes of
 * its entries' paths: what is in entry `root`, PARE_NO_ENTRY for all of them.  Whatever is missing or
 * is there besides, but for pipes, sockets and devices, is an edit.
 * Cost: a stat(2) for each entry, and a listing of each folder. */
bool pare_user_edits_folder_is_own(const pare_user_edits_file *files, const pare_entries *entries,
                                   uint32_t root, size_t strip, const char *path);

/* Notes that entry `root` (PARE_NO_ENTRY: all) was written as `saver` did it last, with `contents`, one
 * of its two lists of digests. */
void pare_user_edits_note_folder(pare_user_edits_file *files, const pare_layout_saver *saver,
                                 const pare_digest *contents, uint32_t root);

/* A digest of what is written of entry `root` (PARE_NO_ENTRY: of all), by which a later run knows it again;
 * `contents` is one of the lists of a pare_layout_saver. */
pare_digest pare_user_edits_sum(const pare_digest *contents, const pare_entries *entries,
                                uint32_t root);

/* The same digest of what is at `path` now, as pare_user_edits_folder_is_own names it (strip is 0 of a file);
 * `files` is set to what is there.  False where that cannot have been written from the entries:
 * something is there besides, or is of another kind, or cannot be read.  Cost: all files are read. */
bool pare_user_edits_sum_there(pare_user_edits_file *files, const pare_entries *entries,
                               uint32_t root, size_t strip, const char *path, pare_digest *sum);

/* Ends a run that met an edit: has `write` put the best so far beside `path`, as NAME.min.EXT or the
 * next such name that is free, and fails with PARE_E_IO and one sentence that says so.  *beside is the
 * name; one from an earlier call is used again.  `write` NULL: the best has nothing to be written. */
typedef pare_status (*pare_user_edits_write)(void *context, const char *path, pare_error *err);
PARE_CHECK pare_status pare_user_edits_refuse(const char *path, pare_buffer *beside,
                                              pare_user_edits_write write, void *context,
                                              pare_error *err);

#endif
