/* duplicate-lines: lines that stood before go, all at once if that works.
 *
 * Source: Shrink Ray's delete_duplicates (list-reducers §1.3). */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "reduce/passes/edits.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"
#include "text/split/split.h"

struct line {
    uint32_t from, to;
    uint64_t hash;
};

static uint64_t hash(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        value = (value ^ bytes[i]) * 0x100000001b3u;
    return value;
}

static int by_hash(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->from < y->from ? -1 : 1;
}

static int by_place(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return x->from < y->from ? -1 : 1;
}

/* Moves those that stand elsewhere before to the front, and returns how many there are. */
static size_t keep_repeated(const unsigned char *bytes, struct line *lines, size_t n)
{
    size_t kept = 0;
    qsort(lines, n, sizeof *lines, by_hash);
    struct line before = {0};
    for (size_t i = 0; i < n; i++) {
        struct line line = lines[i];
        size_t size = line.to - line.from;
        bool same = i && before.hash == line.hash && before.to - before.from == size &&
                    memcmp(bytes + before.from, bytes + line.from, size) == 0;
        before = line;
        if (same) lines[kept++] = line;
    }
    return kept;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_bounds bounds = {0};
    struct line *lines = NULL;
    size_t n = 0;
    (void)pass;
    pare_status status = pare_splitter_find("line")->split(view->bytes + view->begin,
                                                           view->end - view->begin, &bounds, err);
    if (!status && !(lines = pare_alloc(bounds.n, sizeof *lines))) status = pare_fail_nomem(err);
    for (size_t i = 0; !status && i < bounds.n; i++) {
        size_t from = view->begin + pare_bounds_begin(&bounds, i);
        size_t to = view->begin + pare_bounds_begin(&bounds, i + 1);
        lines[n++] =
            (struct line){(uint32_t)from, (uint32_t)to, hash(view->bytes + from, to - from)};
    }
    if (n) n = keep_repeated(view->bytes, lines, n);
    if (n) qsort(lines, n, sizeof *lines, by_place);
    for (size_t i = 0; !status && i < n; i++)
        status = pare_offer_cut(out, (pare_extent){lines[i].from, lines[i].to}, PARE_NO_PATCH, NULL,
                                err);
    pare_release(lines);
    pare_bounds_done(&bounds);
    return status;
}

const pare_pass pare_pass_duplicate_lines = {
    .name = "duplicate-lines",
    .summary = "leaves out lines that stood before",
    .source = "Shrink Ray, delete_duplicates",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
