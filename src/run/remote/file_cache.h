/* Files of tests that a worker keeps on its own disk, by what is in them.
 *
 * A program of some megabytes travels once to each machine, not once for each run and worker: what was
 * kept is found again by the next run, by a worker that is started anew, and by others of the same user.
 * A file's name is made of its SHA-512, which is checked whenever it is read: nobody who sends tests, and
 * no test, can make a file be taken for another one.  The folder is this user's alone (0700); one that
 * others may enter is not used.  What was used least lately goes when there is too much.
 * Without a folder, or where its disk is full, files are fetched each time: that is never an error. */
#ifndef PARE_RUN_REMOTE_FILE_CACHE_H
#define PARE_RUN_REMOTE_FILE_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"

enum { PARE_FILE_SHA_BYTES = 32 };

/* A file that a test needs, told in its description by what is in it. */
typedef struct pare_file_id {
    pare_digest text;                 /* by which the server has it */
    uint8_t sha[PARE_FILE_SHA_BYTES]; /* the first half of its SHA-512 */
    size_t size;
} pare_file_id;

void pare_file_cache_sha(const void *bytes, size_t size, uint8_t sha[PARE_FILE_SHA_BYTES]);

typedef struct pare_file_cache {
    const char *folder;  /* borrowed; made when it is needed; NULL: nothing is kept */
    uint64_t most_bytes; /* of all files in it */
    unsigned wait_ms;    /* for another process that fetches; 0 once that was in vain */
} pare_file_cache;

/* From where a file comes that is not kept; appends its bytes. */
typedef struct pare_file_source {
    pare_status (*fetch)(void *context, const pare_file_id *file, pare_buffer *out,
                         pare_error *err);
    void *context;
} pare_file_source;

/* Puts the bytes of `file` into *out, which is emptied first: what is kept, else what the source gives,
 * which is kept then.  Where another process is fetching, this one waits for it, but not for ever.
 * Errors: those of the source; PARE_E_CORRUPT (it gives other bytes), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_file_cache_get(pare_file_cache *cache, const pare_file_id *file,
                                           const pare_file_source *source, pare_buffer *out,
                                           pare_error *err);

#endif
