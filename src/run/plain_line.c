/* Plain lines: a line of output without what terminals and file systems put in it.
 *
 * One pass over the bytes writes what stays.  A path is cut to its last part when its slash is met, by going back
 * in what was written, so no line is looked at twice.  A slash between two words ("and/or") is no path's.
 *
 * Invariant: the text is shorter than PARE_PLAIN_LINE_BYTES and ends with a NUL. */
#include "run/plain_line.h"

#include <ctype.h>
#include <string.h>

#include "base/visible.h"

/* Blanks are squeezed, and none comes first.  A line that is too long for the room is cut. */
static void put(pare_plain_line *plain, char c)
{
    if (c == ' ' && (plain->n == 0 || plain->text[plain->n - 1] == ' ')) return;
    if (plain->n + 1 < PARE_PLAIN_LINE_BYTES) plain->text[plain->n++] = c;
}

/* Skips a terminal's escape sequence at `at`: ESC [ and everything up to a letter (a colour, say),
 * or a bare ESC. */
static const char *skip_escape(const char *at, const char *end)
{
    at++;
    if (at >= end || *at != '[') return at;
    for (at++; at < end && !isalpha((unsigned char)*at);)
        at++;
    return at < end ? at + 1 : at;
}

/* The ASCII form of a quote from U+2018 to U+201F, three bytes each; 0: it is another character. */
static char plain_quote(const char *at, const char *end)
{
    if (end - at < 3 || (unsigned char)at[0] != 0xe2 || (unsigned char)at[1] != 0x80) return 0;
    unsigned char last = (unsigned char)at[2];
    if (last >= 0x98 && last <= 0x9b) return '\'';
    return last >= 0x9c && last <= 0x9f ? '"' : 0;
}

/* Takes the character at `at` where it can be seen, and else "?" for its first byte.  Returns how
 * many bytes it took: all that are left where there is no room. */
static size_t put_character(pare_plain_line *plain, const char *at, const char *end)
{
    size_t escaped;
    long code;
    const size_t left = (size_t)(end - at);
    const size_t length = pare_visible_character((const unsigned char *)at, left, &escaped, &code);
    if (plain->n + length >= PARE_PLAIN_LINE_BYTES) return left;
    if (length < 2) {
        put(plain, length ? *at : '?');
        return 1;
    }
    memcpy(plain->text + plain->n, at, length);
    plain->n += length;
    return length;
}

/* Whether a character may be part of a file's name: anything in a path except the slash.  Bytes
 * beyond ASCII are letters of some language. */
static bool in_path(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || strchr("_./+-~@%#", c);
}

/* Whether the slash is between two words and no more: "n/a", "and/or", "I/O error".  A path has a slash
 * more, or a dot, a digit or a dash somewhere: the folders of a test have digits in their names. */
static bool joins_words(const char *start, const char *at, const char *end)
{
    const char *before = at, *after = at + 1;
    while (before > start && isalpha((unsigned char)before[-1]))
        before--;
    while (after < end && isalpha((unsigned char)*after))
        after++;
    const bool begins =
        before < at && (before == start || (!in_path(before[-1]) && before[-1] != '/'));
    /* A full stop at the end of a sentence is not a dot in a name. */
    if (after < end && *after == '.' && (after + 1 == end || !in_path(after[1]))) after++;
    const bool ends = after > at + 1 && (after == end || (!in_path(*after) && *after != '/'));
    return begins && ends;
}

/* A slash with a name after it: the folders before it are forgotten, by going back in what was
 * written.  Other slashes stay. */
static void put_slash(pare_plain_line *plain, const pare_printed_line *line, const char *at)
{
    const char *end = line->end;
    bool names = at + 1 < end && (isalnum((unsigned char)at[1]) || (unsigned char)at[1] >= 0x80 ||
                                  strchr("_.~@", at[1]));
    if (!names || joins_words(line->start, at, end)) {
        put(plain, '/');
        return;
    }
    while (plain->n > 0 && in_path(plain->text[plain->n - 1]))
        plain->n--;
}

/* Every byte is looked at once. */
void pare_plain_line_make(const pare_printed_line *line, pare_plain_line *plain)
{
    plain->n = 0;
    for (const char *at = line->start; at < line->end;) {
        char quote = plain_quote(at, line->end);
        if (*at == 0x1b) {
            at = skip_escape(at, line->end);
            continue;
        }
        size_t size = quote ? 3 : 1;
        if (quote)
            put(plain, quote);
        else if (*at == '/')
            put_slash(plain, line, at);
        else if ((unsigned char)*at <= ' ')
            put(plain, ' ');
        else
            size = put_character(plain, at, line->end);
        at += size;
    }
    while (plain->n > 0 && plain->text[plain->n - 1] == ' ')
        plain->n--;
    plain->text[plain->n] = '\0';
}
