/* A test that travels: all that a worker on another machine needs to run it.
 *
 * That is the command or the program, what is kept of its failure, its limits, and the files that it
 * needs: the script, files that a simple script names, and those that the user adds.  They lie beside
 * each other in a folder of the worker's; where the command or a script named one by its path, the
 * worker's path stands.  Programs of the system do not travel. */
#ifndef PARE_SESSION_TEST_TRAVEL_H
#define PARE_SESSION_TEST_TRAVEL_H

#include <pare/stop.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "run/oracle.h"
#include "run/remote/serve.h"
#include "session/test/session_oracle.h"
#include "text/text.h"

/* Appends the description of the test that `oracle` runs, with the time limit and the signature that
 * it has now, and what its control is to show (NULL: see pare_serve_control).  Errors: PARE_E_IO (a file cannot be read), PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_travel_pack(const pare_session_oracle *oracle,
                                        const pare_serve_control *control, pare_buffer *out,
                                        pare_error *err);

/* Whether outcomes are shared with other runs of the same test (run/remote/bucket.h). */
typedef enum pare_travel_outcomes { PARE_TRAVEL_SHARED, PARE_TRAVEL_OWN } pare_travel_outcomes;

/* The input was found to fail: workers may take part from now on.  Nothing where there are none.
 * Errors: the same; PARE_E_IO. */
PARE_CHECK pare_status pare_travel_share(const pare_session_oracle *oracle, const pare_text *input,
                                         pare_travel_outcomes outcomes, pare_error *err);

/* The same for a test that looks for any failure: it was run on `input`, which shows `control`.  Who
 * opened the oracle need not wait for workers: they join while it works.  Errors: the same. */
PARE_CHECK pare_status pare_travel_share_any(const pare_session_oracle *oracle,
                                             const pare_text *input,
                                             const pare_serve_control *control, pare_error *err);

/* A test that has arrived. */
typedef struct pare_travelled pare_travelled;

typedef struct pare_travel_place {
    const char
        *folder; /* absolute, empty, of the worker's alone: files go there, and nowhere else */
    unsigned n_slots;
    const pare_safety *safety; /* of the worker's; borrowed as long as the test is open */
    pare_stop *stop;           /* may be NULL; borrowed */
} pare_travel_place;

/* Writes its files and makes its oracle.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_CORRUPT (the description is damaged, or names a file that is not to be), and those
 * of pare_session_oracle_open. */
PARE_CHECK pare_status pare_travel_unpack(pare_span description, const pare_travel_place *place,
                                          pare_travelled **out, pare_error *err);
pare_oracle *pare_travel_oracle(const pare_travelled *travelled);
/* What its control is to show; NULL: its input is to fail. */
const pare_serve_control *pare_travel_control(const pare_travelled *travelled);
/* What of the programs that it calls is not as on the machine that it comes from, and whether the disk
 * here is full; "": nothing. */
const char *pare_travel_differs(const pare_travelled *travelled);
/* Whether a program that it calls was replaced or removed since it arrived, or the disk that its files
 * are on has filled up, or is free again: what it says may then be another thing than before. */
bool pare_travel_is_changed(const pare_travelled *travelled);
void pare_travel_free(pare_travelled *travelled); /* NULL is a no-op */

#endif
