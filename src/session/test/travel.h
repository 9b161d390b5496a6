/* A test that travels: all that a worker on another machine needs to run it.
 *
 * That is the command or the program, what is kept of its failure, its limits, and the files that it
 * needs: the script, files that a simple script names, and those that the user adds.  They lie beside
 * each other in a folder of the worker's; where the command or a script named one by its path, the
 * worker's path stands.  Programs of the system do not travel. */
#ifndef PARE_SESSION_TEST_TRAVEL_H
#define PARE_SESSION_TEST_TRAVEL_H

#include "base/buffer.h"
#include "run/remote/serve.h"
#include "session/test/session_oracle.h"
#include "text/text.h"

/* The format of a description: how many files it may have, of how many bytes together, how many words
 * and texts in a list, how long a file's name is with its end, and the byte around a file's number. */
enum {
    PARE_TRAVEL_MOST_FILES = 256,
    PARE_TRAVEL_MOST_BYTES = 256 << 20,
    PARE_TRAVEL_APART_BYTES = 4096, /* of a file that is not in the description itself */
    PARE_TRAVEL_MOST_WORDS = 4096,
    PARE_TRAVEL_NAME_BYTES = 256,
    PARE_TRAVEL_MARK = 1
};

/* What the words of a description are: a command line in one word, the words of a program, or the command
 * line of a worker of the user's, which is told of candidates. */
typedef enum pare_travel_kind {
    PARE_TRAVEL_COMMAND,
    PARE_TRAVEL_PROGRAM,
    PARE_TRAVEL_WORKER
} pare_travel_kind;

/* Files that travel beside the description, which has only their digests: so that each is sent once,
 * whoever needs it (run/remote/file_cache.h).  All-zero is empty. */
typedef struct pare_travel_files {
    pare_text *items[PARE_TRAVEL_MOST_FILES]; /* owned; flat */
    size_t n;
    struct pare_programs *programs; /* owned; what the test calls, and does not travel */
} pare_travel_files;
void pare_travel_files_done(pare_travel_files *files);

/* Appends the description of the test that `oracle` runs, with the time limit and the signature that
 * it has now, and what its control is to show (NULL: see pare_serve_control).  Large files go to *apart
 * (NULL: all are in the description), which is to be done in any case.
 * Errors: PARE_E_IO (a file cannot be read), PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_travel_pack(const pare_session_oracle *oracle,
                                        const pare_serve_control *control, pare_buffer *out,
                                        pare_travel_files *apart, pare_error *err);

/* Whether outcomes are shared with other runs of the same test (run/remote/bucket.h). */
typedef enum pare_travel_outcomes { PARE_TRAVEL_SHARED, PARE_TRAVEL_OWN } pare_travel_outcomes;

/* The input was found to fail: workers may take part from now on.  Nothing where there are none.
 * Errors: the same; PARE_E_IO. */
PARE_CHECK pare_status pare_travel_share(pare_session_oracle *oracle, const pare_text *input,
                                         pare_travel_outcomes outcomes, pare_error *err);

/* The same for a test that looks for any failure: it was run on `input`, which shows `control`.  Who
 * opened the oracle need not wait for workers: they join while it works.  Errors: the same. */
PARE_CHECK pare_status pare_travel_share_any(pare_session_oracle *oracle, const pare_text *input,
                                             const pare_serve_control *control, pare_error *err);

/* The next notice of workers (pare_session_oracle_remote_notice), with what programs say of their version
 * here where it names some that are others there.  NULL: nothing new.  Valid until the next call. */
const char *pare_travel_notice(pare_session_oracle *oracle);

#endif
