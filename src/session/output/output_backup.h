/* What stands where a result is about to be written.
 *
 * A file that this reduction has not written, or that was changed since, may be all that
 * somebody has of it.  Before it is replaced for the first time it gets a second name,
 * PATH.~1~, or the next number that is free, as GNU's tools do it; a folder is moved there.
 * At the end a copy that equals the result goes again, so that running a command twice leaves
 * nothing behind.
 *
 * To know its own files when it is continued, a reduction writes the digests of what it is
 * about to write into the journal's directory: that and what is there until then, as it may be
 * killed between the note and the file. */
#ifndef PARE_SESSION_OUTPUT_OUTPUT_BACKUP_H
#define PARE_SESSION_OUTPUT_OUTPUT_BACKUP_H

#include <stdbool.h>

#include <pare/sync.h>

#include "base/digest.h"
#include "base/fail.h"

typedef enum pare_output_backup_file {
    PARE_OUTPUT_BACKUP_RESULT,
    PARE_OUTPUT_BACKUP_SCRIPT,
    PARE_OUTPUT_BACKUP_PASSING, /* of an isolation: the passing side */
    PARE_OUTPUT_BACKUP_FILES
} pare_output_backup_file;

/* A second name that was given. */
typedef struct pare_output_backup_name {
    char *text;   /* owned */
    bool is_edit; /* of what somebody else has made of the result during the run */
} pare_output_backup_name;

/* All-zero is closed: nothing is kept. */
typedef struct pare_output_backup {
    bool is_open;
    bool on;      /* what is replaced gets a second name; else only the note is kept */
    bool refuses; /* what is neither ours nor the input is left alone (PARE_OFF for keep_earlier) */
    bool resumed;
    bool is_disowned; /* see pare_output_backup_disown */
    int note;         /* of the journal's directory; -1: there is no journal */
    pare_sync sync;
    struct {
        char *path;                    /* owned; NULL: nothing was kept */
        pare_output_backup_name *kept; /* owned, n_kept of them */
        size_t n_kept, capacity;
        bool looked, folder, is_written; /* written: what was announced last is at the path */
    } file[PARE_OUTPUT_BACKUP_FILES];
    char written[PARE_OUTPUT_BACKUP_FILES][2][PARE_DIGEST_TEXT_BYTES]; /* of each: what is written
                                           next, or was last, and what was there before that */
} pare_output_backup;

/* Begins; `resumed` says that the note in `journal_dir` (NULL: none) counts: the journal is that of this
 * reduction, or the paths are those of the inputs.  Unless `sync` is PARE_SYNC_NEVER a second name is on disk
 * before its file is replaced.  Errors: PARE_E_IO, PARE_E_NOMEM; *backup is to be
 * closed in any case. */
PARE_CHECK pare_status pare_output_backup_open(pare_output_backup *backup, const char *journal_dir,
                                               bool resumed, pare_sync sync, pare_error *err);
void pare_output_backup_close(pare_output_backup *backup);

/* To be called before each write of `path`, whose content will have the digest `next`.
 * Errors: PARE_E_IO, PARE_E_NOMEM; `path` is as it was then. */
PARE_CHECK pare_status pare_output_backup_keep(pare_output_backup *backup,
                                               pare_output_backup_file file, const char *path,
                                               pare_digest next, pare_error *err);

/* After each such write that has succeeded; one that has failed, after which the file may be there all
 * the same, is looked at. */
void pare_output_backup_wrote(pare_output_backup *backup, pare_output_backup_file file);
void pare_output_backup_failed(pare_output_backup *backup, pare_output_backup_file file,
                               const char *path);

/* The same as pare_output_backup_keep of the result when it is a folder; `is_edited`: of a continued run,
 * what is there is none of those that pare_output_backup_knows. */
PARE_CHECK pare_status pare_output_backup_keep_folder(pare_output_backup *backup, const char *path,
                                                      bool is_edited, pare_digest next,
                                                      pare_error *err);

/* Whether the note says that the run that is continued has put what has the digest `there` at the path. */
bool pare_output_backup_knows(pare_output_backup *backup, pare_output_backup_file file,
                              pare_digest there);

/* True when a file is at `path` that is neither the `original` nor what the run that is continued has
 * noted: somebody has changed it between the two runs.  Where that noted nothing, it is true only if
 * the backup `refuses`.  Before the first write only. */
bool pare_output_backup_is_edited(pare_output_backup *backup, pare_output_backup_file file,
                                  const char *path, pare_digest original);

/* Gives `from`, what stands at `path` or has been replaced there just now, a second name of `path`:
 * somebody else has written it during the run.  A file keeps the name `from`, too; a folder is moved.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_output_backup_keep_edit(pare_output_backup *backup,
                                                    pare_output_backup_file file, const char *path,
                                                    const char *from, pare_error *err);

/* Makes what is there now count as somebody else's, before the first write: a better result, which
 * is worth keeping. */
void pare_output_backup_disown(pare_output_backup *backup);

/* Ends: copies that are what the result is are removed.  What is left is told by `kept`.
 * Errors: PARE_E_IO (one cannot be removed; the others are all the same). */
PARE_CHECK pare_status pare_output_backup_finish(pare_output_backup *backup, pare_error *err);

/* Removes the note from the directory of a journal that has gone. */
void pare_output_backup_drop(const char *journal_dir);

#endif
