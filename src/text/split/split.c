/* The table of splitters, and what their results have in common.
 * Invariant of all bounds: see pare_bounds_check. */
#include "text/split/split.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "text/split/cut.h"
#include "text/text.h"

static const pare_splitter *const TABLE[] = {
    &pare_split_line,
    &pare_split_token,
    &pare_split_char,
    &pare_split_byte,
};

const pare_splitter *const *pare_splitters(size_t *n)
{
    *n = sizeof TABLE / sizeof TABLE[0];
    return TABLE;
}

const pare_splitter *pare_splitter_find(const char *name)
{
    for (size_t k = 0; k < sizeof TABLE / sizeof TABLE[0]; k++)
        if (strcmp(TABLE[k]->info.name, name) == 0) return TABLE[k];
    return NULL;
}

void pare_bounds_done(pare_bounds *bounds)
{
    pare_release(bounds->at);
    *bounds = (pare_bounds){0};
}

size_t pare_bounds_begin(const pare_bounds *bounds, size_t i)
{
    assert(i <= bounds->n);
    return bounds->at ? bounds->at[i] : i;
}

bool pare_bounds_check(const pare_bounds *bounds, size_t size)
{
    if (!bounds->at) return bounds->n == size;
    for (size_t i = 0; i < bounds->n; i++)
        if (bounds->at[i] >= bounds->at[i + 1]) return false;
    return bounds->at[0] == 0 && bounds->at[bounds->n] == size;
}

pare_status pare_cut_bounds(pare_cut cut, const unsigned char *bytes, size_t size, pare_bounds *out,
                            pare_error *err)
{
    assert(size <= PARE_TEXT_MAX_BYTES);
    pare_bounds bounds = {.n = cut(bytes, size, NULL)};
    if (bounds.n < size) {
        bounds.at = pare_alloc(bounds.n + 1, sizeof *bounds.at);
        if (!bounds.at) return pare_fail_nomem(err);
        (void)cut(bytes, size, bounds.at);
        bounds.at[bounds.n] = (uint32_t)size;
    }
    *out = bounds;
    return PARE_OK;
}
