/* One pass over the lines to find them, one over the slices to follow them.
 *
 * Of a marker only its flags count, and whether it names the file of the first one: names and line numbers change what
 * a compiler prints, but not what it thinks of the program.
 * Source: GCC's manual, "Preprocessor Output": the flags of line markers. */
#include "reduce/dependency/dependency_markers.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

/* "# 12 \"file.h\" 3" is one; "#line 12" and "# define A" are not.  The shortest is `# 1`, of
 * three bytes. */
bool pare_dependency_is_marker(const unsigned char *bytes, size_t at, size_t end)
{
    const unsigned char *line = bytes + at;
    return end - at > 2 && line[0] == '#' && line[1] == ' ' && line[2] >= '0' && line[2] <= '9' &&
           (at == 0 || line[-1] == '\n');
}

/* The name of the marker's file with its quotes; *size is 0 where it has none, as in `# 12`.  Of
 * `# 1 "a.h" 2` it is `"a.h"`, 5 bytes.  The name ends at the last quote of the line, because
 * one in the name is written with a backslash, and after the name only digits follow. */
static const unsigned char *name_of(const unsigned char *bytes,
                                    const pare_dependency_marker *marker, size_t *size)
{
    const unsigned char *line = bytes + marker->begin, *end = bytes + marker->end;
    const unsigned char *quote = memchr(line, '"', (size_t)(end - line)), *last = quote;
    for (const unsigned char *at = quote; at && at < end; at++)
        if (*at == '"') last = at; /* the last one: names may have some, after a backslash */
    *size = quote ? (size_t)(last - quote) + 1 : 0;
    return quote;
}

/* Reads the flags after the file's name: 1, a file begins; 2, one has ended, and the file that
 * is named goes on; 3, what follows is of a system header; 4, it is to be taken for `extern
 * "C"`, which changes nothing here.  Each is one digit after a blank.  `flag` is the place of
 * the blank, so that blank and digit can be left out together. */
static void read_flags(const unsigned char *bytes, pare_dependency_marker *marker)
{
    const unsigned char *end = bytes + marker->end;
    size_t size;
    const unsigned char *name = name_of(bytes, marker, &size);
    for (const unsigned char *at = name + size; size && at < end; at++) {
        /* The byte before the first one is the closing quote, so nothing of the name is read. */
        if (at[-1] != ' ') continue;
        if (*at == '3') marker->system = true;
        if (*at != '1' && *at != '2') continue;
        marker->flag = (uint32_t)(at - 1 - bytes);
        marker->enters = *at == '1';
    }
}

/* Whether both markers name a file, and it is one: names are compared as they are written, which
 * the preprocessor does alike each time. */
static bool is_same_file(const unsigned char *bytes, const pare_dependency_marker *a,
                         const pare_dependency_marker *b)
{
    size_t size_a, size_b;
    const unsigned char *name_a = name_of(bytes, a, &size_a), *name_b = name_of(bytes, b, &size_b);
    return size_a && size_a == size_b && memcmp(name_a, name_b, size_a) == 0;
}

/* The first marker names the file that was preprocessed, so `main` is told by comparison with
 * it.  Lines are found by memchr and most fail at their first byte, so this is about as fast as
 * reading the text. */
pare_status pare_dependency_markers_find(const unsigned char *bytes, size_t size,
                                         pare_dependency_markers *out, pare_error *err)
{
    for (size_t at = 0, next; at < size; at = next) {
        const unsigned char *newline = memchr(bytes + at, '\n', size - at);
        next = newline ? (size_t)(newline - bytes) + 1 : size;
        if (!pare_dependency_is_marker(bytes, at, size)) continue;
        pare_dependency_marker *grown =
            pare_vector_grow(out->at, out->n, &out->capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(err);
        out->at = grown;
        grown[out->n] = (pare_dependency_marker){.begin = (uint32_t)at, .end = (uint32_t)next};
        read_flags(bytes, &grown[out->n]);
        grown[out->n].main = is_same_file(bytes, &grown[0], &grown[out->n]);
        out->n++;
    }
    return PARE_OK;
}

/* Adds up what lies between each marker of the main file and the next marker.  The markers tell
 * nothing of use where none of the text is of that file, or more than a quarter. */
bool pare_dependency_markers_tell_main(const pare_dependency_markers *markers, size_t size)
{
    enum { LEAST_SHARE = 4 };
    size_t n_main = 0;
    for (size_t i = 0; i < markers->n; i++)
        if (markers->at[i].main)
            n_main += (i + 1 < markers->n ? markers->at[i + 1].begin : size) - markers->at[i].end;
    return n_main && n_main <= size / LEAST_SHARE;
}

/* Moves to the last marker that does not begin after the byte; what it says holds up to the next
 * one.  Before the first marker nothing is known, so no byte there is of the main file. */
bool pare_dependency_markers_in_main(const pare_dependency_markers *markers, uint32_t at,
                                     size_t *next)
{
    while (*next < markers->n && markers->at[*next].begin <= at)
        ++*next;
    return *next && markers->at[*next - 1].main;
}

void pare_dependency_markers_done(pare_dependency_markers *markers)
{
    pare_alloc_free(markers->at);
    *markers = (pare_dependency_markers){.at = NULL};
}

/* Walks along the slices that are printed, and compares what the last marker of the original
 * said with what the last one said that was printed.  Example, where the slice with the second
 * marker was dropped:
 *
 *     # 1 "lib.h" 3        printed: all that follows is of a system header
 *     int f(void);         printed
 *     # 9 "main.c" 2       dropped with the declarations around it
 *     int x = f();         printed: needs the marker before it, or its warnings are not said
 *
 * White space needs no marker, nor does a slice that begins with one. */
const pare_dependency_marker *pare_dependency_markers_step(pare_dependency_markers_walk *walk,
                                                           const unsigned char *bytes, size_t from,
                                                           size_t to)
{
    const pare_dependency_markers *markers = walk->markers;
    const pare_dependency_marker *needed = NULL;
    while (walk->next < markers->n && markers->at[walk->next].begin < from)
        walk->next++;
    size_t text = from;
    while (text < to && (bytes[text] == ' ' || bytes[text] == '\n' || bytes[text] == '\t' ||
                         bytes[text] == '\r'))
        text++;
    const bool begins = walk->next < markers->n && markers->at[walk->next].begin == text;
    if (walk->next && text < to && !begins) {
        const pare_dependency_marker *last = &markers->at[walk->next - 1];
        if (last->system != walk->is_printed_system) needed = last;
    }
    if (needed) walk->is_printed_system = needed->system;
    for (; walk->next < markers->n && markers->at[walk->next].begin < to; walk->next++)
        walk->is_printed_system = markers->at[walk->next].system;
    return needed;
}

/* Counts how many files have begun in the printed text and not ended.  A marker with flag 2
 * while none is open is the orphan: the caller prints it without the flag.  Each marker is
 * counted once, in the order of the text; those before `from` were not printed.  An orphan
 * changes no depth, as it ends nothing. */
const pare_dependency_marker *pare_dependency_markers_orphan(pare_dependency_markers_walk *walk,
                                                             size_t from, size_t to)
{
    const pare_dependency_markers *markers = walk->markers;
    while (walk->next_flag < markers->n && markers->at[walk->next_flag].begin < from)
        walk->next_flag++;
    while (walk->next_flag < markers->n && markers->at[walk->next_flag].end <= to) {
        const pare_dependency_marker *marker = &markers->at[walk->next_flag++];
        if (!marker->flag) continue;
        if (!marker->enters && !walk->depth) return marker;
        if (marker->enters)
            walk->depth++;
        else
            walk->depth--;
    }
    return NULL;
}
