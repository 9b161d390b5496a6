/* Candidates in a folder.
 *
 * Names sort by the number of the test, which is also that of the trace and of the history, so that the three
 * can be read beside each other.  A candidate that an algorithm proposes again is not written again.
 * Like the trace, the first failure is kept and told at the end: a full disk does not stop a reduction. */
#include "ui/candidates.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "ui/format.h"

/* Of a path in a message. */
enum { SHOWN_BYTES = 400 };

struct pare_candidates {
    char *dir, *extension; /* owned */
    pare_error failure;
};

/* Fails with errno, which says why, and with the path as it may be shown.  Who calls
 * this without a failed call of the system sets errno. */
static pare_status fail(const char *path, pare_error *err)
{
    char shown[SHOWN_BYTES];
    return pare_fail_errno(err, errno, "cannot keep candidates: '%s'",
                           pare_format_name(shown, sizeof shown, path));
}

pare_status pare_candidates_open(const char *dir, const char *extension, pare_candidates **out,
                                 pare_error *err)
{
    struct stat about;
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) return fail(dir, err);
    if (stat(dir, &about) != 0) return fail(dir, err);
    /* A file is in the way.  No call has failed, so the reason is set by hand. */
    errno = ENOTDIR;
    if (!S_ISDIR(about.st_mode)) return fail(dir, err);
    pare_candidates *candidates = pare_alloc_zero(1, sizeof *candidates);
    if (!candidates) return pare_fail_nomem(err);
    candidates->dir = pare_alloc_text(dir, strlen(dir));
    candidates->extension = pare_alloc_text(extension, strlen(extension));
    if (!candidates->dir || !candidates->extension) {
        pare_status told = pare_candidates_close(candidates, NULL);
        return told ? told : pare_fail_nomem(err);
    }
    *out = candidates;
    return PARE_OK;
}

/* Without a sync: what a loss of power takes is made again by the same reduction. */
static pare_status write_text(const char *path, const pare_event *event, pare_error *err)
{
    errno = 0;
    FILE *file = fopen(path, "wbe");
    if (!file) return fail(path, err);
    const bool is_written = fwrite(event->text, 1, event->text_bytes, file) == event->text_bytes;
    return fclose(file) == 0 && is_written ? PARE_OK : fail(path, err);
}

void pare_candidates_add(pare_candidates *candidates, const pare_event *event)
{
    pare_buffer path = {0};
    if (event->kind != PARE_EVENT_TEST || event->is_repeated) return;
    if (candidates->failure.status != PARE_OK) return;
    /* An event of a test has no text only where there was no memory for it: candidates
     * are asked for with pare_event_options.texts. */
    pare_status status = event->text ? PARE_OK : pare_fail_nomem(&candidates->failure);
    if (!status)
        status = pare_buffer_format(&path, &candidates->failure, "%s/%06llu-%s%s", candidates->dir,
                                    (unsigned long long)event->n, pare_outcome_name(event->outcome),
                                    candidates->extension);
    if (!status) status = write_text(path.data, event, &candidates->failure);
    (void)status; /* kept in candidates->failure until they are closed */
    pare_buffer_done(&path);
}

/* Tells the first failure now, as nothing more comes. */
pare_status pare_candidates_close(pare_candidates *candidates, pare_error *err)
{
    if (!candidates) return PARE_OK;
    const pare_error failure = candidates->failure;
    pare_alloc_free(candidates->dir);
    pare_alloc_free(candidates->extension);
    pare_alloc_free(candidates);
    if (failure.status != PARE_OK) return pare_fail(err, failure.status, "%s", failure.message);
    return PARE_OK;
}
