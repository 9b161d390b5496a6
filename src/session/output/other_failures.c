/* Other failures: a list with the smallest candidate of each, which is written when it is found.
 *
 * A list, not a hash table: there are at most PARE_OTHER_FAILURES_MAX, and a candidate is offered
 * at most once for each test that retires.  On disk a failure is known by the checksum of its
 * signature, so a run that is continued writes the same files again instead of second ones.  Each
 * file is replaced by rename.  The signature is written first: a candidate without its signature
 * would say nothing. */
#include "session/output/other_failures.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include <pare/result.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "os/file.h"
#include "text/candidate.h"
#include "text/layout.h"

void pare_other_failures_done(pare_other_failures *others)
{
    for (size_t k = 0; k < others->n; k++) {
        pare_alloc_free(others->list[k].signature);
        pare_alloc_free(others->list[k].path);
    }
    pare_alloc_free(others->list);
    others->list = NULL;
    others->n = 0;
}

/* The entry of `signature`; NULL: none yet.  The list is short. */
static pare_other_failure *find(const pare_other_failures *others, const char *signature)
{
    for (size_t k = 0; k < others->n; k++)
        if (strcmp(others->list[k].signature, signature) == 0) return &others->list[k];
    return NULL;
}

/* A folder has none. */
static const char *suffix_of(const pare_other_failures *others)
{
    const pare_layout *layout = others->output->layout;
    const char *dot = strrchr(others->base_name, '.');
    if (layout && !layout->is_file) return "";
    return dot && dot != others->base_name ? dot : "";
}

/* The path of one of the files of `signature`. */
static pare_status name_file(const pare_other_failures *others, const char *signature,
                             const char *suffix, pare_buffer *path, pare_error *err)
{
    uint32_t name = (uint32_t)pare_checksum(signature, strlen(signature));
    return pare_buffer_format(path, err, "%s/%08x%s", others->dir, name, suffix);
}

/* Makes the folder and writes the signature. */
static pare_status write_signature(const pare_other_failures *others, const char *signature,
                                   pare_error *err)
{
    pare_buffer path = {0}, line = {0};
    pare_status status = pare_file_make_directories(others->dir, err);
    if (!status) status = name_file(others, signature, ".signature", &path, err);
    if (!status) status = pare_buffer_format(&line, err, "%s\n", signature);
    if (!status) status = pare_file_write_bytes(path.data, line.data, line.size, err);
    pare_buffer_done(&path);
    pare_buffer_done(&line);
    return status;
}

/* Begins an entry, whose signature is written at once.  Its size is the largest there is, so that
 * any candidate is smaller. */
static pare_status add_new(pare_other_failures *others, const char *signature, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = PARE_OK;
    if (!others->list) {
        others->list = pare_alloc_zero(PARE_OTHER_FAILURES_MAX, sizeof *others->list);
        if (!others->list) return pare_fail_nomem(err);
    }
    if (others->dir) status = write_signature(others, signature, err);
    if (!status && others->dir)
        status = name_file(others, signature, suffix_of(others), &path, err);
    char *copy = status ? NULL : pare_alloc_text(signature, strlen(signature));
    if (!status && !copy) status = pare_fail_nomem(err);
    if (status) {
        pare_buffer_done(&path);
        return status;
    }
    others->list[others->n++] =
        (pare_other_failure){.signature = copy, .path = path.data, .size_bytes = SIZE_MAX};
    return PARE_OK;
}

/* Writes the candidate in the form that the result has, with the script beside it. */
static pare_status write_candidate(const pare_other_failures *others, const char *signature,
                                   const char *path, const pare_candidate *candidate,
                                   pare_error *err)
{
    const pare_output *output = others->output;
    pare_buffer script = {0};
    pare_status status = pare_output_write(output->layout, output->strip, candidate, path, err);
    if (status || !output->script.layout) return status;
    status = name_file(others, signature, ".run.sh", &script, err);
    if (!status)
        status = pare_output_write_script(&output->script, candidate, path, script.data, err);
    pare_buffer_done(&script);
    return status;
}

pare_status pare_other_failures_add(pare_other_failures *others, const pare_candidate *candidate,
                                    const char *signature, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_other_failure *other = find(others, signature);
    if (!other) {
        if (others->n == PARE_OTHER_FAILURES_MAX) return PARE_OK;
        status = add_new(others, signature, err);
        if (status) return status;
        other = &others->list[others->n - 1];
    }
    assert(others->n <= PARE_OTHER_FAILURES_MAX);
    other->n_tests++;
    const pare_layout *layout = others->output->layout;
    size_t size = layout ? pare_layout_measure(layout, candidate).bytes : candidate->size;
    if (size >= other->size_bytes) return PARE_OK;
    if (other->path) status = write_candidate(others, signature, other->path, candidate, err);
    if (!status) other->size_bytes = size;
    return status;
}
