/* The walk from marker to marker, and the family of messages. */
#include "run/recognize.h"

#include <string.h>

#include "run/diagnostic.h"
#include "run/mask.h"
#include "run/signature.h"

enum {
    MARKERS_AT_MOST = 1000 /* a program that repeats itself says nothing new after that */
};

/* ---- lines ------------------------------------------------------------------------ */

bool pare_line_next(pare_line *line)
{
    if (line->end >= line->limit) return false;
    line->start = line->end + 1;
    const char *end = memchr(line->start, '\n', (size_t)(line->limit - line->start));
    line->end = end ? end : line->limit;
    return true;
}

pare_line pare_line_at(const pare_printed *text, size_t at)
{
    const char *limit = text->text + text->size, *place = text->text + at;
    const char *before = memrchr(text->text, '\n', at);
    const char *end = memchr(place, '\n', (size_t)(limit - place));
    return (pare_line){
        .start = before ? before + 1 : text->text, .end = end ? end : limit, .limit = limit};
}

static bool same_letter(char text, char part)
{
    return text == part || (text >= 'A' && text <= 'Z' && (text | 0x20) == part);
}

bool pare_line_has(const pare_line *line, const char *part, const char **at)
{
    size_t size = strlen(part);
    for (const char *c = line->start; (size_t)(line->end - c) >= size; c++) {
        size_t k = 0;
        while (k < size && same_letter(c[k], part[k]))
            k++;
        if (k < size) continue;
        if (at) *at = c + size;
        return true;
    }
    return false;
}

bool pare_line_begins(const pare_line *line, const char *part)
{
    size_t size = strlen(part);
    return (size_t)(line->end - line->start) >= size && memcmp(line->start, part, size) == 0;
}

/* ---- messages --------------------------------------------------------------------- */

/* Whether a line with a marker of a message is one: words such as "internal" and
 * "assert" are also used in passing. */
static bool is_message(const pare_line *line, const char *at)
{
    pare_line before = *line, rest = *line;
    before.end = rest.start = at;
    if (pare_line_has(&before, "warning", NULL)) return false;
    if (same_letter(*at, 'u')) return *at == 'U' || pare_line_has(&rest, "executed", NULL);
    /* Python's is an exception, and a compiler's is about what it compiles. */
    if (same_letter(*at, 'a') && pare_line_has(&rest, "assertionerror", NULL)) return false;
    if (same_letter(*at, 'a') && pare_line_has(&before, "static ", NULL)) return false;
    if (pare_line_has(&rest, "assert", NULL) && same_letter(*at, 'a'))
        return pare_line_has(&rest, "fail", NULL) || pare_line_has(&rest, "violat", NULL) ||
               pare_line_has(&rest, "`", NULL) || pare_line_has(&rest, "error", NULL);
    if (same_letter(*at, 'i'))
        return pare_line_has(&rest, "error", NULL) || pare_line_has(&rest, "bug", NULL) ||
               pare_line_has(&rest, "failure", NULL);
    /* "x.c:1: fatal error: y.h: No such file" and "Fatal error: Uncaught ..." are diagnostics. */
    if (same_letter(*at, 'f') && pare_line_has(&rest, "fatal error", NULL))
        return at == line->start && !pare_line_has(&rest, "fatal error: ", NULL);
    return true;
}

void pare_recognize_message(const pare_line *line, const char *at, pare_signature *signature)
{
    const char *behind = NULL;
    if (*signature->message || !is_message(line, at)) return;
    const char *start = line->start;
    /* A compiler names the place in the input in front of it, when it knows one. */
    if (pare_line_has(line, "internal compiler error", &behind))
        start = behind - strlen("internal compiler error");
    pare_mask(start, (size_t)(line->end - start), signature->message, sizeof signature->message);
}

/* ---- all -------------------------------------------------------------------------- */

/* What is known of an output while it is read. */
struct reading {
    pare_signature *signature;
    pare_diagnostics *diagnostics; /* NULL: not wanted */
    const char *last;              /* line that was read as a diagnostic last, its start */
};

/* A line is read once, however many markers it has. */
static void read_diagnostic(struct reading *reading, const pare_line *line)
{
    pare_diagnostic diagnostic;
    bool full = reading->diagnostics && reading->diagnostics->n == PARE_DIAGNOSTICS_MAX;
    if (!reading->diagnostics || full || reading->last == line->start) return;
    reading->last = line->start;
    if (pare_diagnostic_read(line, &diagnostic))
        pare_diagnostics_add(reading->diagnostics, &diagnostic);
}

/* What ended a program with a traceback, by whatever name it goes. */
static void read_traceback(struct reading *reading, const pare_line *line)
{
    pare_diagnostic diagnostic;
    pare_line thrown;
    if (!pare_recognize_traceback(line, reading->signature, &thrown) || !reading->diagnostics)
        return;
    pare_diagnostic_read_thrown(&thrown, &diagnostic);
    pare_diagnostics_add(reading->diagnostics, &diagnostic);
}

static void recognize_at(struct reading *reading, const pare_line *line, const char *at,
                         const pare_marker *marker)
{
    pare_signature *signature = reading->signature;
    switch (marker->kind) {
    case PARE_MARKER_MESSAGE: pare_recognize_message(line, at, signature); break;
    case PARE_MARKER_SANITIZER: pare_recognize_sanitizer(line, at, signature); break;
    case PARE_MARKER_RUNTIME: pare_recognize_runtime(line, at, signature); break;
    case PARE_MARKER_TRACEBACK: read_traceback(reading, line); break;
    case PARE_MARKER_EXCEPTION: pare_recognize_exception(line, at, signature); break;
    case PARE_MARKER_PANICKED: pare_recognize_panicked(line, at, signature); break;
    case PARE_MARKER_PANIC: pare_recognize_panic(line, at, signature); break;
    case PARE_MARKER_DIAGNOSTIC: read_diagnostic(reading, line); break;
    case PARE_MARKER_REJECTION:
        signature->despite |= 1u << marker->sign;
        read_diagnostic(reading, line);
        break;
    }
}

static void recognize_text(const pare_markers *markers, const pare_printed *text,
                           struct reading *reading)
{
    pare_marker marker;
    size_t from = 0;
    for (unsigned n = 0; n < MARKERS_AT_MOST; n++) {
        if (!pare_markers_find(markers, text->text, text->size, from, &marker)) return;
        pare_line line = pare_line_at(text, marker.at);
        recognize_at(reading, &line, text->text + marker.at, &marker);
        from = marker.at + PARE_MARKERS_WINDOW;
    }
}

pare_signature pare_recognize(const pare_markers *markers, const pare_observation *seen,
                              pare_diagnostics *diagnostics)
{
    pare_signature signature = {.ended = seen->ended, .code = seen->code};
    struct reading reading = {.signature = &signature, .diagnostics = diagnostics};
    if (seen->err.size) recognize_text(markers, &seen->err, &reading);
    if (seen->out.size) recognize_text(markers, &seen->out, &reading);
    return signature;
}
