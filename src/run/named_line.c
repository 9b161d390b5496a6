/* A number is that of a line after the word "line", or between the name of a file and what follows a
 * place.  Which of the numbers of an output is meant is not known, so a text has the line that is kept if
 * any of them leads to it: one too many makes a candidate the failure that has the message as well.
 *
 * Line ends are those of Unix; a carriage return is a blank. */
#include "run/named_line.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 16 << 10, MOST_DIGITS = 7, LEAST_WORD_BYTES = 3 };

/* Where the digits end that begin at `at`; `at` where there are none, or too many. */
static const char *digits_end(const char *at, const char *end, size_t *number)
{
    const char *from = at;
    *number = 0;
    for (; at < end && isdigit((unsigned char)*at) && at - from <= MOST_DIGITS; at++)
        *number = *number * 10 + (size_t)(*at - '0');
    return at - from <= MOST_DIGITS ? at : from;
}

/* After the word "line" at `at`, and what may stand between it and its number: "Line No. 12", "line #12",
 * "line: 12"; NULL: the word is not there. */
static const char *after_word(const char *start, const char *at, const char *end)
{
    if (end - at < 5 || strncasecmp(at, "line", 4) != 0) return NULL;
    if (at > start && isalnum((unsigned char)at[-1])) return NULL;
    at += 4;
    if (end - at > 7 && strncasecmp(at, " number", 7) == 0) at += 7;
    if (end - at > 3 && strncasecmp(at, " no", 3) == 0) at += 3;
    while (at < end && *at && strchr(" .:#=(", *at))
        at++;
    return at;
}

/* After the mark of a place at `at`, the end of a file's name before it: "in.c:12:", "in.c(12)". */
static const char *after_name(const char *start, const char *at)
{
    const bool is_mark = *at == ':' || *at == '(';
    if (!is_mark || at == start) return NULL;
    return isalpha((unsigned char)at[-1]) || strchr(">\"')_", at[-1]) ? at + 1 : NULL;
}

static void add(pare_named_lines *lines, size_t number)
{
    if (!number || lines->n == PARE_NAMED_LINES) return;
    for (size_t k = 0; k < lines->n; k++)
        if (lines->number[k] == number) return;
    lines->number[lines->n++] = number;
}

static void find_in(const pare_printed *text, pare_named_lines *lines)
{
    const char *start = text->text;
    const char *end = start + (text->size < MOST_BYTES ? text->size : MOST_BYTES);
    for (const char *at = start; at < end; at++) {
        size_t number;
        const char *word = after_word(start, at, end), *name = after_name(start, at);
        const char *from = word ? word : name;
        if (!from) continue;
        const char *after = digits_end(from, end, &number);
        if (after == from) continue;
        /* After a name a number is a place only where something follows it: "port:80" is none. */
        if (word ? after == end || !isalnum((unsigned char)*after)
                 : after < end && *after && strchr(":),.", *after))
            add(lines, number);
    }
}

pare_named_lines pare_named_line_find(const pare_observation *seen)
{
    pare_named_lines lines = {.n = 0};
    if (seen->err.size) find_in(&seen->err, &lines);
    if (seen->out.size) find_in(&seen->out, &lines);
    return lines;
}

bool pare_named_line_read(const pare_printed *text, size_t number,
                          char line[PARE_SIGNATURE_LINE_BYTES])
{
    const char *at = text->text, *end = at + text->size;
    size_t n = 0, letters = 0;
    for (; number > 1 && at < end; number--) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    for (; at < end && *at != '\n'; at++) {
        const unsigned char c = (unsigned char)*at;
        const bool is_blank = c == ' ' || c == '\t' || c == '\r';
        if (is_blank && (!n || line[n - 1] == ' ')) continue;
        if (n + 1 == PARE_SIGNATURE_LINE_BYTES) return false;
        letters += isalnum(c) != 0;
        line[n++] = (char)(is_blank ? ' ' : c < ' ' || c > '~' ? '?' : c);
    }
    if (n && line[n - 1] == ' ') n--;
    line[n] = '\0';
    return letters >= LEAST_WORD_BYTES;
}

bool pare_named_line_is(const pare_named_lines *lines, const pare_printed *text, const char *wanted)
{
    char line[PARE_SIGNATURE_LINE_BYTES];
    for (size_t k = 0; k < lines->n; k++)
        if (pare_named_line_read(text, lines->number[k], line) && pare_signature_like(wanted, line))
            return true;
    return false;
}
