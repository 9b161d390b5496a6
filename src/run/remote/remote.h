/* The oracle whose slots are on many machines.
 *
 * It wraps the oracle of this machine, and looks the same to the engine: slots are free or run a
 * test.  It decides for each test whether to run it here or on a worker; the verdict does not show
 * that.  All tests run here until they are shared, when they are to be watched or their output is
 * needed, and when no worker is left.
 *
 * A worker takes part once the input has failed there, and an empty one has not (serve.h); then its
 * tests mean the same.  Each second it says how many slots it has.  After some seconds of silence
 * it counts as having none, and its jobs go to others: at once if no worker is left, otherwise when
 * the server notices that nobody works on them any more.  One thread. */
#ifndef PARE_RUN_REMOTE_REMOTE_H
#define PARE_RUN_REMOTE_REMOTE_H

#include "base/buffer.h"
#include "base/digest.h"
#include "run/oracle.h"
#include "run/remote/link.h"
#include "text/text.h"

struct pare_stop;

typedef struct pare_remote_options {
    pare_link_options link;
    pare_oracle *inner; /* the process oracle of this machine; taken over, on failure too */
    const struct pare_stop *stop; /* borrowed; may be NULL */
} pare_remote_options;

/* Connects, and looks who is there.  On PARE_OK the caller owns *out; pare_oracle_free frees it with
 * the inner one.  Errors: those of pare_cluster_open; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_remote_new(const pare_remote_options *options, pare_oracle **out,
                                       pare_error *err);

/* The test that is shared. */
typedef struct pare_remote_test {
    const pare_buffer *description; /* see session/test/travel.h */
    pare_text *const *files; /* flat: what the description tells by their digests (file_cache.h) */
    size_t n_files;
    const pare_text *input;
    const pare_digest *identity; /* by which its outcomes are shared with other runs (bucket.h);
                                    NULL: they are not */
    bool is_any; /* it looks for any failure: workers join while it works, nobody waits for them */
} pare_remote_test;

/* Calls workers to the test.  Waits a moment for them, so that short runs use them too.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_remote_share(pare_oracle *oracle, const pare_remote_test *test,
                                         pare_error *err);

/* The failure comes by chance: no outcome of the test is shared from now on, by nobody. */
void pare_remote_doubt(pare_oracle *oracle);

/* Where tests run from now on, so that machines can be compared.  AWAY: here only while no worker has a
 * slot. */
typedef enum pare_remote_where {
    PARE_REMOTE_ANYWHERE,
    PARE_REMOTE_HERE,
    PARE_REMOTE_AWAY
} pare_remote_where;
void pare_remote_run(pare_oracle *oracle, pare_remote_where where);

/* This machine says of `text` the same each time.  Workers that always say the opposite (`fails`: that it
 * fails), PARE_REMOTE_SURE times at least among what was last heard, are not used any more, which a notice
 * tells.  True: there are such, so the failure does not come by chance for what is known; outcomes of the
 * test are not shared with other runs from now on. */
bool pare_remote_dismiss(pare_oracle *oracle, pare_digest text, bool fails);

/* What there is to tell the user, one sentence after the other; NULL: nothing new.  Valid until the
 * next call. */
const char *pare_remote_next_notice(pare_oracle *oracle);

/* Who takes part. */
typedef struct pare_remote_counts {
    unsigned n_workers, n_slots; /* at it now, without this machine */
    unsigned most_workers, most_slots;
    uint64_t n_away;     /* tests whose outcome came from workers */
    uint64_t n_recalled; /* tests that were taken back from them */
    uint64_t n_repeated; /* outcomes that came a second time, and were not counted */
    uint64_t n_known;    /* tests that other runs had answered */
    pare_link_traffic traffic;
} pare_remote_counts;
pare_remote_counts pare_remote_count(const pare_oracle *oracle);

#endif
