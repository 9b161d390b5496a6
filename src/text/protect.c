/* Protected text: finding it in the input, and finding out whether a candidate still has it.
 *
 * On the input each stretch is a match of a pattern, or what stands between two markers;
 * overlapping stretches are joined.  In a candidate every stretch is looked for at the
 * leftmost place after the one before.  That is greedy and complete: if the stretches can be
 * found in order at all, the leftmost places are one way, since taking a later place never
 * leaves more room for the next.  O(bytes) for each stretch, by memmem. */
#include "text/protect.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/halving.h"
#include "base/vector.h"

static const char KEEP_BEGIN[] = "pare:keep-begin";
static const char KEEP_END[] = "pare:keep-end";

/* All-zero is a no-op. */
void pare_protected_done(pare_protected *protected_text)
{
    pare_buffer_done(&protected_text->bytes);
    pare_alloc_free(protected_text->texts);
    *protected_text = (pare_protected){.n = 0};
}

/* ---- on the input ------------------------------------------------------------------- */

/* Stretches of one file, in any order at first. */
struct found {
    pare_stretch *items; /* owned */
    size_t n, capacity;
};

/* Appends a stretch, which may overlap others. */
static pare_status add(struct found *found, pare_stretch stretch, pare_error *err)
{
    pare_stretch *items = pare_vector_grow(found->items, found->n, &found->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    found->items = items;
    found->items[found->n++] = stretch;
    return PARE_OK;
}

/* Offset of `word` in content from `from` on; the size when there is none. */
static size_t find_word(pare_span content, size_t from, const char *word)
{
    const unsigned char *at =
        from < content.size ? memmem(content.bytes + from, content.size - from, word, strlen(word))
                            : NULL;
    return at ? (size_t)(at - content.bytes) : content.size;
}

/* Beginning of the line that holds byte `at`. */
static size_t line_begin(pare_span content, size_t at)
{
    const unsigned char *end = at ? memrchr(content.bytes, '\n', at) : NULL;
    return end ? (size_t)(end - content.bytes) + 1 : 0;
}

/* After the line end that follows `at`; the size in the last line. */
static size_t line_end(pare_span content, size_t at)
{
    const unsigned char *end =
        at < content.size ? memchr(content.bytes + at, '\n', content.size - at) : NULL;
    return end ? (size_t)(end - content.bytes) + 1 : content.size;
}

/* Whole lines from that of a begin marker to that of its end marker.  A begin without an end keeps
 * all that follows: leaving it out would lose what somebody meant to keep. */
static pare_status find_comments(struct found *found, pare_span content, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t at = find_word(content, 0, KEEP_BEGIN);
    while (!status && at < content.size) {
        /* Without an end marker find_word gives the size. */
        size_t end = line_end(content, find_word(content, at, KEEP_END));
        status = add(found, (pare_stretch){line_begin(content, at), end}, err);
        at = find_word(content, end, KEEP_BEGIN);
    }
    return status;
}

/* All matches, from left to right, without overlaps.  Matches are never empty (pare_pattern_find),
 * so this ends. */
static pare_status find_matches(struct found *found, pare_span content, const pare_pattern *pattern,
                                pare_error *err)
{
    size_t from = 0;
    for (;;) {
        bool any = false;
        pare_stretch match;
        pare_status status = pare_pattern_find(pattern, content, from, &any, &match, err);
        if (!status && any) status = add(found, match, err);
        if (status || !any) return status;
        from = match.to;
    }
}

/* By beginning, then by end. */
static int by_place(const void *a, const void *b)
{
    const pare_stretch *left = a, *right = b;
    if (left->from != right->from) return left->from < right->from ? -1 : 1;
    return left->to < right->to ? -1 : left->to > right->to;
}

/* Joins stretches that overlap or touch, so that each byte is looked for once.  Sorting first
 * makes that one walk. */
static void merge(struct found *found)
{
    if (!found->n) return;
    qsort(found->items, found->n, sizeof *found->items, by_place);
    size_t last = 0;
    for (size_t i = 1; i < found->n; i++) {
        pare_stretch *open = &found->items[last];
        if (found->items[i].from > open->to)
            found->items[++last] = found->items[i];
        else if (found->items[i].to > open->to)
            open->to = found->items[i].to;
    }
    found->n = last + 1;
}

/* Appends a stretch's bytes to what is protected in `file`.  They are copied, since the input
 * may be gone when they are looked for. */
static pare_status keep(pare_protected *protected_text, uint32_t file, pare_span bytes,
                        pare_error *err)
{
    pare_protected_text *texts = pare_vector_grow(protected_text->texts, protected_text->n,
                                                  &protected_text->capacity, sizeof *texts);
    if (!texts) return pare_fail_nomem(err);
    protected_text->texts = texts;
    size_t at = protected_text->bytes.size;
    pare_status status = pare_buffer_add(&protected_text->bytes, bytes.bytes, bytes.size, err);
    if (!status)
        texts[protected_text->n++] =
            (pare_protected_text){.file = file, .at = at, .size = bytes.size};
    return status;
}

/* Files come in ascending order, which first_of relies on. */
pare_status pare_protected_add(pare_protected *protected_text, uint32_t file, pare_span content,
                               pare_pattern *const *patterns, size_t n, pare_error *err)
{
    struct found found = {0};
    pare_status status = find_comments(&found, content, err);
    for (size_t k = 0; !status && k < n; k++)
        status = find_matches(&found, content, patterns[k], err);
    merge(&found);
    for (size_t i = 0; !status && i < found.n; i++) {
        pare_stretch stretch = found.items[i];
        pare_span bytes = {content.bytes + stretch.from, stretch.to - stretch.from};
        status = keep(protected_text, file, bytes, err);
    }
    pare_alloc_free(found.items);
    return status;
}

/* ---- later -------------------------------------------------------------------------- */

/* Index of the first stretch of `file`, or of where it would be, by halving. */
static size_t first_of(const pare_protected *protected_text, uint32_t file)
{
    pare_halving search = {.low = 0, .high = protected_text->n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, protected_text->texts[search.middle].file < file);
    return search.low;
}

/* Files are added in ascending order, so that theirs are found by halving. */
bool pare_protected_has(const pare_protected *protected_text, uint32_t file)
{
    size_t i = first_of(protected_text, file);
    return i < protected_text->n && protected_text->texts[i].file == file;
}

/* Counts in *n how many there are also where `places` has no room for them (`most`), or is NULL. */
bool pare_protected_find(const pare_protected *protected_text, uint32_t file, pare_span content,
                         pare_stretch *places, size_t most, size_t *n)
{
    size_t from = 0;
    *n = 0;
    for (size_t i = first_of(protected_text, file);
         i < protected_text->n && protected_text->texts[i].file == file; i++) {
        const pare_protected_text *text = &protected_text->texts[i];
        const unsigned char *at = memmem(content.bytes + from, content.size - from,
                                         protected_text->bytes.data + text->at, text->size);
        if (!at) return false;
        size_t begin = (size_t)(at - content.bytes);
        from = begin + text->size;
        if (places && *n < most) places[*n] = (pare_stretch){begin, from};
        ++*n;
    }
    return true;
}
