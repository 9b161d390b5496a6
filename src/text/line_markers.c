/* Line markers, read in one walk over the lines.
 *
 * A marker is a line of its own: a sign, perhaps the word `line`, a number, and perhaps a name in
 * quotes with flags behind it.  A marker without a name goes on in the file before it.  Which
 * file is the user's own is known only when all markers have been read, so origins are set in a
 * second walk, over the markers alone: two names are one file if their bytes are equal.
 * Invariant: stretches ascend, and each begins with its marker's line.
 * Cost: O(size), with memchr between lines: a text of 5 MB takes a few milliseconds.
 * Source: the GCC manual, "Preprocessor Output"; C17, 6.10.4, for #line. */
#include "text/line_markers.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

enum { FLAG_ENTERS = 1, FLAG_SYSTEM = 3, MOST_FLAG = 9, MOST_LINE = 1 << 30 };

/* A line that is read from the front. */
struct cursor {
    const char *at, *end;
};

/* Compared one by one: this looks at every line of texts of megabytes. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void skip_blanks(struct cursor *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
}

/* Skips the word if it stands here. */
static bool take(struct cursor *line, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(line->end - line->at) < size || memcmp(line->at, word, size) != 0) return false;
    line->at += size;
    return true;
}

/* Reads a number of digits up to `most`, above which it stays there; false: there is none. */
static bool take_number(struct cursor *line, uint32_t most, uint32_t *out)
{
    const char *from = line->at;
    uint32_t number = 0;
    for (; line->at < line->end && *line->at >= '0' && *line->at <= '9'; line->at++)
        number = number > most / 16 ? most : number * 10 + (uint32_t)(*line->at - '0');
    *out = number;
    return line->at > from;
}

/* Reads a name in quotes, in which a backslash takes the next byte with it. */
static bool take_name(struct cursor *line, pare_line_marker *out)
{
    if (!take(line, "\"")) return false;
    out->name = line->at;
    while (line->at < line->end && *line->at != '"')
        line->at += *line->at == '\\' && line->end - line->at > 1 ? 2 : 1;
    out->name_size = (size_t)(line->at - out->name);
    return take(line, "\"");
}

/* Anything else on the line, and it is none. */
bool pare_line_markers_parse(const char *text, size_t size, pare_line_marker *out)
{
    struct cursor line = {text, text + size};
    uint32_t flag;
    *out = (pare_line_marker){.name = NULL};
    skip_blanks(&line);
    if (!take(&line, "#")) return false;
    skip_blanks(&line);
    if (take(&line, "line")) skip_blanks(&line);
    if (!take_number(&line, MOST_LINE, &out->line)) return false;
    skip_blanks(&line);
    if (line.at == line.end) return true;
    if (!take_name(&line, out)) return false;
    skip_blanks(&line);
    while (take_number(&line, MOST_FLAG, &flag)) {
        out->enters |= flag == FLAG_ENTERS;
        out->system |= flag == FLAG_SYSTEM;
        skip_blanks(&line);
    }
    return line.at == line.end;
}

/* `<built-in>` and the like are no files. */
static bool is_pseudo(const char *name, size_t size)
{
    return size >= 2 && name[0] == '<' && name[size - 1] == '>';
}

/* Markers in the making. */
struct maker {
    pare_line_markers made;
    size_t capacity;
    pare_line_stretch own; /* the first that is of the user's own file; file_size 0: none yet */
};

/* Appends the marker that begins at byte `begin`; the line after it begins at `content`.
 * Until the walk is over, `origin` says only what the marker does: of the system or not. */
static pare_status add(struct maker *maker, const pare_line_marker *marker, size_t begin,
                       size_t content, pare_error *err)
{
    pare_line_markers *made = &maker->made;
    pare_line_stretch *grown =
        pare_vector_grow(made->stretches, made->n, &maker->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    made->stretches = grown;
    pare_line_stretch next = {.begin = (uint32_t)begin,
                              .line = marker->line,
                              .content = (uint32_t)content,
                              .origin = PARE_ORIGIN_OWN};
    if (marker->name) {
        bool pseudo = is_pseudo(marker->name, marker->name_size);
        next.file = (uint32_t)(marker->name - made->text);
        next.file_size = (uint32_t)marker->name_size;
        next.origin = marker->system || pseudo ? PARE_ORIGIN_SYSTEM : PARE_ORIGIN_HEADER;
        if (!maker->own.file_size && !marker->enters && next.origin == PARE_ORIGIN_HEADER)
            maker->own = next;
    } else if (made->n) {
        next.file = grown[made->n - 1].file;
        next.file_size = grown[made->n - 1].file_size;
        next.origin = grown[made->n - 1].origin;
    }
    grown[made->n++] = next;
    return PARE_OK;
}

/* Stretches of a header that are of the user's own file. */
static void find_own(struct maker *maker)
{
    const char *text = maker->made.text;
    const pare_line_stretch *own = &maker->own;
    for (size_t i = 0; i < maker->made.n; i++) {
        pare_line_stretch *self = &maker->made.stretches[i];
        bool same = own->file_size && self->file_size == own->file_size &&
                    memcmp(text + self->file, text + own->file, own->file_size) == 0;
        if (same && self->origin == PARE_ORIGIN_HEADER) self->origin = PARE_ORIGIN_OWN;
        assert(!i || self->begin > self[-1].begin);
    }
}

/* Only lines whose first byte that is no blank is a sign are read. */
pare_status pare_line_markers_read(const char *text, size_t size, pare_line_markers *out,
                                   pare_error *err)
{
    struct maker maker = {.made.text = text};
    pare_status status = PARE_OK;
    if (size >= UINT32_MAX) return pare_fail(err, PARE_E_LIMIT, "the text is 4 GiB or more");
    for (size_t at = 0; !status && at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t stop = end ? (size_t)(end - text) : size, next = end ? stop + 1 : size;
        pare_line_marker marker;
        if (pare_line_markers_parse(text + at, stop - at, &marker))
            status = add(&maker, &marker, at, next, err);
        at = next;
    }
    if (status) {
        pare_line_markers_done(&maker.made);
        return status;
    }
    find_own(&maker);
    *out = maker.made;
    return PARE_OK;
}

void pare_line_markers_done(pare_line_markers *markers)
{
    pare_alloc_free(markers->stretches);
}

/* Binary search for the last stretch that begins at `at` or before. */
const pare_line_stretch *pare_line_markers_at(const pare_line_markers *markers, size_t at)
{
    size_t low = 0, high = markers->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (markers->stretches[middle].begin <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &markers->stretches[low - 1] : NULL;
}

pare_origin pare_line_markers_origin(const pare_line_markers *markers, size_t at)
{
    const pare_line_stretch *stretch = pare_line_markers_at(markers, at);
    return stretch ? stretch->origin : PARE_ORIGIN_OWN;
}

/* The marker at the front of a stretch is part of it, and no byte of a file. */
bool pare_line_markers_is_plain(const pare_line_markers *markers, size_t from, size_t to)
{
    const pare_line_stretch *stretch = pare_line_markers_at(markers, from);
    size_t next = stretch ? (size_t)(stretch - markers->stretches) + 1 : 0;
    if (stretch && from < stretch->content) return false;
    return next == markers->n || to <= markers->stretches[next].begin;
}
