/* Inputs, and what formats read candidates with; see subject.h.
 *
 * Sizes grow with the seed, from 2 to 32 KB, since what is cheap in a small text need not be so in a
 * large one. */
#include "subject.h"

#include <string.h>

#include "../report.h"

enum { LEAST_SIZE = 2000 };

static const char *const FILLERS[] = {
    "alpha", "count",  "index",  "value", "buffer", "node",  "left",   "right", "total", "limit",
    "first", "parent", "offset", "table", "signal", "clock", "result", "width", "data",  "state",
    "input", "queue",  "handle", "port",  "sum",    "delay", "mode",   "cache", "flag",  "entry"};

/* Of each failure another two. */
static const char *const NEEDED[] = {"quartz", "zephyr", "ibex",  "vortex",
                                     "gypsum", "onyx",   "fjord", "kelp"};

static void require(pare_status status, const pare_error *err)
{
    if (status) report_broken("bench_formats", err->message);
}

void subject_make(struct subject *subject, const struct format *format, unsigned seed,
                  unsigned failure)
{
    const unsigned first = 2 * (seed % 2) + 4 * failure;
    *subject = (struct subject){.format = format,
                                .seed = seed,
                                .failure = failure,
                                .size = (size_t)LEAST_SIZE << seed,
                                .needed = {NEEDED[first], NEEDED[first + 1]}};
    pare_random_init(&subject->random, seed * UINT64_C(7919) + failure);
    const size_t half = subject->size / 2;
    subject->places[0] = subject->size / 8 + pare_random_below(&subject->random, half / 2);
    subject->places[1] = half + pare_random_below(&subject->random, half / 2);
    format->make(subject);
}

void subject_done(struct subject *subject)
{
    pare_buffer_done(&subject->input);
    pare_buffer_done(&subject->smallest);
}

unsigned subject_draw(struct subject *subject, unsigned bound)
{
    return (unsigned)pare_random_below(&subject->random, bound);
}

const char *subject_word(struct subject *subject)
{
    return FILLERS[subject_draw(subject, sizeof FILLERS / sizeof *FILLERS)];
}

bool subject_full(const struct subject *subject)
{
    return subject->input.size >= subject->size;
}

bool subject_due(struct subject *subject, unsigned n_needed)
{
    if (subject->n_placed >= n_needed) return false;
    if (subject->input.size < subject->places[subject->n_placed]) return false;
    subject->n_placed++;
    return true;
}

static void put(pare_buffer *to, const char *format, va_list arguments)
{
    char text[512];
    const int n = vsnprintf(text, sizeof text, format, arguments);
    if (n < 0 || (size_t)n >= sizeof text) report_broken("bench_formats", "a line is too long");
    subject_bytes(to, text, (size_t)n);
}

void subject_put(struct subject *subject, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(&subject->input, format, arguments);
    va_end(arguments);
}

void subject_smallest(struct subject *subject, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(&subject->smallest, format, arguments);
    va_end(arguments);
}

void subject_bytes(pare_buffer *to, const void *bytes, size_t size)
{
    pare_error err = {0};
    require(pare_buffer_add(to, bytes, size, &err), &err);
}

/* ---- reading ------------------------------------------------------------------------------ */

bool scan_ends(const struct scan *scan)
{
    return scan->at == scan->end;
}

bool scan_text(struct scan *scan, const char *text)
{
    const size_t n = strlen(text);
    if ((size_t)(scan->end - scan->at) < n || memcmp(scan->at, text, n) != 0) return false;
    scan->at += n;
    return true;
}

void scan_blanks(struct scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t'))
        scan->at++;
}

void scan_white(struct scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\n'))
        scan->at++;
}

struct piece scan_word(struct scan *scan)
{
    const char *from = scan->at;
    while (scan->at < scan->end &&
           ((*scan->at >= 'a' && *scan->at <= 'z') || (*scan->at >= 'A' && *scan->at <= 'Z') ||
            (*scan->at >= '0' && *scan->at <= '9') || *scan->at == '_'))
        scan->at++;
    return (struct piece){from, (size_t)(scan->at - from)};
}

struct piece scan_until(struct scan *scan, const char *ends)
{
    const char *from = scan->at;
    while (scan->at < scan->end && (!*scan->at || !strchr(ends, *scan->at)))
        scan->at++;
    return (struct piece){from, (size_t)(scan->at - from)};
}

struct piece scan_line(struct scan *scan)
{
    const struct piece line = scan_until(scan, "\n");
    if (!scan_ends(scan)) scan->at++;
    return line;
}

struct piece piece_trimmed(struct piece piece)
{
    while (piece.size && *piece.text == ' ') {
        piece.text++;
        piece.size--;
    }
    while (piece.size && piece.text[piece.size - 1] == ' ')
        piece.size--;
    return piece;
}

bool piece_is(struct piece piece, const char *text)
{
    return piece.size == strlen(text) && memcmp(piece.text, text, piece.size) == 0;
}

bool piece_same(struct piece a, struct piece b)
{
    return a.size == b.size && memcmp(a.text, b.text, a.size) == 0;
}

bool piece_has(struct piece piece, const char *text)
{
    return memmem(piece.text, piece.size, text, strlen(text)) != NULL;
}
