/* Tracebacks of Python, Java, Rust and Go: the type of what was thrown and the innermost
 * frame.  What was thrown says more, but much of that comes from the input. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "run/mask.h"
#include "run/recognize.h"
#include "run/signature.h"

enum { LINES_OF_TRACE = 4000 }; /* of a runaway recursion, at most */

static void clear_trace(pare_signature *signature)
{
    *signature->error = '\0';
    for (size_t k = 0; k < PARE_SIGNATURE_FRAMES; k++)
        *signature->frame[k] = '\0';
}

/* Copies what is before one of `stops` or the end, masked. */
static void take(char to[PARE_SIGNATURE_NAME_BYTES], const char *text, const char *end,
                 const char *stops)
{
    const char *stop = text;
    while (stop < end && !strchr(stops, *stop))
        stop++;
    pare_mask(text, (size_t)(stop - text), to, PARE_SIGNATURE_NAME_BYTES);
}

/* ---- Python ----------------------------------------------------------------------- */

/* A line `  File "PATH", line N, in FUNCTION` as "FUNCTION PATH". */
static void read_python_frame(const pare_line *line, pare_signature *signature)
{
    char path[PARE_SIGNATURE_NAME_BYTES / 2], function[PARE_SIGNATURE_NAME_BYTES / 2];
    const char *name = NULL, *quote = line->start + strlen("  File \"");
    const char *end = memchr(quote, '"', (size_t)(line->end - quote));
    if (!end) return;
    pare_mask(quote, (size_t)(end - quote), path, sizeof path);
    *function = '\0';
    const char *in = memmem(end, (size_t)(line->end - end), ", in ", 5);
    if (in) {
        name = in + 5;
        pare_mask(name, (size_t)(line->end - name), function, sizeof function);
    }
    (void)snprintf(signature->frame[0], PARE_SIGNATURE_NAME_BYTES, "%s%s%s", function,
                   name ? " " : "", path);
}

bool pare_recognize_traceback(const pare_line *line, pare_signature *signature, pare_line *thrown)
{
    pare_line at = *line;
    clear_trace(signature); /* of chained ones the last is what ended the program */
    for (unsigned k = 0; k < LINES_OF_TRACE && pare_line_next(&at); k++) {
        if (pare_line_begins(&at, "  File \"")) read_python_frame(&at, signature);
        if (at.start < at.end && *at.start == ' ') continue;
        take(signature->error, at.start, at.end, ": ");
        *thrown = at;
        return true;
    }
    return false;
}

/* ---- Java ------------------------------------------------------------------------- */

/* `Exception in thread "main" a.B: text` or `Caused by: a.B: text`, and `\tat a.B.c(...)`
 * below it. */
void pare_recognize_exception(const pare_line *line, const char *at, pare_signature *signature)
{
    pare_line next = *line;
    const char *type = memchr(at, ':', (size_t)(line->end - at));
    if ((*at | 0x20) == 'e') {
        const char *quote = memchr(at, '"', (size_t)(line->end - at));
        if (quote) quote = memchr(quote + 1, '"', (size_t)(line->end - quote - 1));
        type = quote;
    }
    if (!type || line->end - type < 3) return;
    clear_trace(signature);
    take(signature->error, type + 2, line->end, ": ");
    while (pare_line_next(&next)) {
        const char *frame = next.start;
        while (frame < next.end && isspace((unsigned char)*frame))
            frame++;
        if (next.end - frame < 4 || memcmp(frame, "at ", 3) != 0) return;
        take(signature->frame[0], frame + 3, next.end, "(");
        return;
    }
}

/* ---- Rust and Go ------------------------------------------------------------------ */

/* The text of a panic, up to where it may quote the input. */
static void set_panic(const char *text, const char *end, pare_signature *signature)
{
    static const char go[] = "runtime error: ";
    char masked[PARE_SIGNATURE_NAME_BYTES];
    const char *from = text;
    if ((size_t)(end - text) > sizeof go && memcmp(text, go, sizeof go - 1) == 0)
        from += sizeof go - 1;
    const char *stop = from;
    while (stop < end && !strchr("\"{[", *stop) &&
           !(*stop == ':' && stop + 1 < end && stop[1] == ' '))
        stop++;
    pare_mask(text, (size_t)(stop - text), masked, sizeof masked);
    (void)snprintf(signature->error, sizeof signature->error, "panic: %.110s", masked);
}

/* `panicked at src/main.rs:2:5:` and the text below it, or, before Rust 1.73,
 * `panicked at 'text', src/main.rs:2:5`. */
void pare_recognize_panicked(const pare_line *line, const char *at, pare_signature *signature)
{
    pare_line next = *line;
    const char *place = at + strlen("panicked at ");
    if (*signature->error || place >= line->end) return;
    if (*place == '\'') {
        const char *quote = memrchr(place + 1, '\'', (size_t)(line->end - place - 1));
        if (!quote) return;
        set_panic(place + 1, quote, signature);
        place = quote + 1;
        while (place < line->end && strchr(", ", *place))
            place++;
    } else if (pare_line_next(&next)) {
        set_panic(next.start, next.end, signature);
    }
    take(signature->frame[0], place, line->end, ":");
}

/* `panic: text`, "goroutine 1 [running]:", and frames, two lines each. */
void pare_recognize_panic(const pare_line *line, const char *at, pare_signature *signature)
{
    pare_line next = *line;
    bool in_stack = false;
    if (*signature->error || at != line->start) return;
    set_panic(at + strlen("panic: "), line->end, signature);
    for (unsigned k = 0; k < LINES_OF_TRACE && pare_line_next(&next); k++) {
        if (pare_line_begins(&next, "goroutine ")) {
            if (in_stack) return;
            in_stack = true;
            continue;
        }
        bool is_function =
            in_stack && next.start < next.end && !isspace((unsigned char)*next.start);
        if (!is_function || pare_line_begins(&next, "runtime.") ||
            pare_line_begins(&next, "panic("))
            continue;
        const char *arguments = memrchr(next.start, '(', (size_t)(next.end - next.start));
        take(signature->frame[0], next.start, arguments ? arguments : next.end, "");
        return;
    }
}
