/* A worker's cache of test files on its own disk, by content.
 *
 * A program of some megabytes is sent to each machine once, not once for each run and worker: the
 * cache serves later runs, restarted workers, and other workers of the same user.  A file's name is
 * its SHA-512, which is checked whenever the file is read: neither a sender of tests nor a test can
 * have a file taken for another one.  The folder belongs to this user alone (0700); a folder that
 * others may enter is not used.  If the cache is too large, the least recently used files are
 * removed.  Without a folder, or if its disk is full, files are fetched each time; that is never an
 * error. */
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
