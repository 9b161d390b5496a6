/* Numbers, sizes, durations and names as people read them, and what the terminal allows.
 *
 * Two or three significant digits and a unit, since nobody compares more at a glance; limits such
 * as 999.5 and 59.95 are where rounding would print "1000 kB" or "60.0 s".  Units are decimal (kB
 * is 1000 bytes), as disks and networks count.  Names may hold any byte, so every character that cannot
 * be seen is written as an escape (pare_visible_character says which): a file name must neither move the
 * cursor, as the controls of ASCII and of U+0080..9F do, nor turn the text around it, as marks of
 * direction do.  Colours follow NO_COLOR and TERM. */
#include "ui/format.h"

#include <assert.h>
#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "os/descriptor.h"

/* Below 100 of a unit there is one decimal, from then on none. */
const char *pare_format_size(char text[static PARE_FORMAT_BYTES], uint64_t bytes)
{
    static const char *const unit[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1000) {
        snprintf(text, PARE_FORMAT_BYTES, "%u byte%s", (unsigned)bytes, bytes == 1 ? "" : "s");
        return text;
    }
    double value = (double)bytes / 1000;
    size_t i = 0;
    /* What would be rounded to 1000 of a unit is 1.0 of the next. */
    while (value >= 999.5 && i + 1 < sizeof unit / sizeof *unit) {
        value /= 1000;
        i++;
    }
    snprintf(text, PARE_FORMAT_BYTES, "%.*f %s", value < 99.95 ? 1 : 0, value, unit[i]);
    return text;
}

/* Two units at most.  What is no number, or negative (a clock that was set back), is 0. */
const char *pare_format_duration(char text[static PARE_FORMAT_BYTES], double seconds)
{
    if (!(seconds > 0)) seconds = 0;
    if (seconds > 1e12) seconds = 1e12;
    /* Rounded once, so that minutes and seconds agree. */
    uint64_t whole = (uint64_t)(seconds + 0.5);
    unsigned long long days = whole / 86400;
    unsigned hours = (unsigned)(whole / 3600 % 24), minutes = (unsigned)(whole / 60 % 60);
    if (seconds < 0.995)
        snprintf(text, PARE_FORMAT_BYTES, "%.2f s", seconds);
    else if (seconds < 59.95)
        snprintf(text, PARE_FORMAT_BYTES, "%.1f s", seconds);
    else if (whole < 3600)
        snprintf(text, PARE_FORMAT_BYTES, "%u min %02u s", minutes, (unsigned)(whole % 60));
    else if (days == 0)
        snprintf(text, PARE_FORMAT_BYTES, "%u h %02u min", hours, minutes);
    else
        snprintf(text, PARE_FORMAT_BYTES, "%llu d %02u h", days, hours);
    return text;
}

/* Commas in English fashion, whatever the locale: formats do not depend on it. */
const char *pare_format_count(char text[static PARE_FORMAT_BYTES], uint64_t n)
{
    /* 2^64 has 20 digits. */
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t at = 0;
    for (size_t i = 0; i < length; i++) {
        /* Before every third digit from the right. */
        if (i > 0 && (length - i) % 3 == 0) text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

/* With the noun, in its number. */
const char *pare_format_tests(char text[static PARE_FORMAT_BYTES], uint64_t n)
{
    pare_format_count(text, n);
    size_t length = strlen(text); /* at most 26 bytes of the 32 */
    (void)snprintf(text + length, PARE_FORMAT_BYTES - length, n == 1 ? " test" : " tests");
    return text;
}

/* Decimals that show `value` with at least two significant digits, 6 at most. */
static int decimals_of(double value)
{
    int decimals = 1;
    double limit = 1;
    while (value < limit && decimals < 6) {
        limit /= 10;
        decimals++;
    }
    return decimals;
}

/* All of nothing is 100 %. */
const char *pare_format_percent(char text[static PARE_FORMAT_BYTES], uint64_t part, uint64_t whole)
{
    double value = whole ? 100.0 * (double)part / (double)whole : 100.0;
    /* What would be rounded to 100.0 is 100. */
    int decimals = part == 0 || value >= 99.95 ? 0 : decimals_of(value);
    snprintf(text, PARE_FORMAT_BYTES, "%.*f %%", decimals, value);
    return text;
}

/* Two significant digits, since rates are compared by their size only. A run of no time has a
 * rate of 0. */
const char *pare_format_rate(char text[static PARE_FORMAT_BYTES], uint64_t n, double seconds)
{
    double rate = seconds > 0 ? (double)n / seconds : 0;
    int decimals = rate >= 9.95 || n == 0 ? 0 : rate >= 0.995 ? 1 : 2;
    snprintf(text, PARE_FORMAT_BYTES, "%.*f/s", decimals, rate);
    return text;
}

enum { SHOWN_BYTES = 16 }; /* of one character: "\u{10ffff}" is the longest */

/* Writes how the character at the start of `name` is shown to `text`; *size is the length of that.
 * Returns how many bytes of `name` it has. */
static size_t show(char text[static SHOWN_BYTES], size_t *size, const char *name, size_t name_bytes)
{
    const unsigned char *bytes = (const unsigned char *)name;
    size_t escaped = 1;
    long code = -1;
    const size_t length = pare_visible_character(bytes, name_bytes, &escaped, &code);
    if (length && *name != '\t') {
        memcpy(text, name, length);
        *size = length;
        return length;
    }
    if (*name == '\n' || *name == '\t')
        *size = (size_t)snprintf(text, SHOWN_BYTES, *name == '\n' ? "\\n" : "\\t");
    else if (code < 0x80) /* or no UTF-8 */
        *size = (size_t)snprintf(text, SHOWN_BYTES, "\\x%02x", *bytes);
    else
        *size = (size_t)snprintf(text, SHOWN_BYTES, "\\u{%lx}", (unsigned long)code & 0x1fffff);
    return length ? length : escaped;
}

/* Room for "..." is kept until the end, so that a name which is cut says so.  Characters and escapes go
 * in as a whole or not at all. */
const char *pare_format_name(char *text, size_t capacity, const char *name)
{
    size_t at = 0, left = strlen(name);
    assert(capacity >= 8);
    while (left) {
        char shown[SHOWN_BYTES];
        size_t size;
        const size_t length = show(shown, &size, name, left);
        if (at + size + sizeof "..." > capacity) {
            memcpy(text + at, "...", sizeof "...");
            return text;
        }
        memcpy(text + at, shown, size);
        at += size;
        name += length;
        left -= length;
    }
    text[at] = '\0';
    return text;
}

/* ---- sentences ------------------------------------------------------------------------ */

/* Bytes up to the next place where `text` may be broken: a blank, but none between single quotes, if
 * what they hold fits into `most` columns. */
static size_t unbroken(const char *text, size_t most)
{
    const size_t word = strcspn(text, " ");
    /* The quote that opens, also right after a bracket: ('pare show' tells more). */
    const char *open = *text == '\'' ? text : *text == '(' && text[1] == '\'' ? text + 1 : NULL;
    const char *close = open ? strchr(open + 1, '\'') : NULL;
    if (!close || close < text + word) return word;
    const size_t quoted = (size_t)(close - text) + strcspn(close, " ");
    return pare_visible_width(text, quoted) <= most ? quoted : word;
}

/* A blank is printed only when the word after it fits, so that no line ends with one. */
void pare_format_wrap(FILE *out, const char *text, size_t indent, size_t column, size_t width)
{
    /* Columns of a line after its indentation. */
    const size_t room = width > indent ? width - indent : 1;
    size_t at = column;
    for (bool is_first = true; *text; is_first = false) {
        const size_t word = unbroken(text, room), columns = pare_visible_width(text, word);
        /* A word that is wider than all lines does not get an empty line before it. */
        if (at + !is_first + columns > width && at > indent) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!is_first) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)word, text);
        at += columns;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* One column to spare: writing the last one makes an empty line on some terminals. */
void pare_format_sentence(FILE *out, const char *text, size_t indent, size_t column)
{
    const int fd = fileno(out);
    if (pare_descriptor_is_terminal(fd))
        pare_format_wrap(out, text, indent, column, pare_descriptor_columns(fd) - 1);
    else
        fprintf(out, "%s\n", text);
}

/* What the terminal, the locale and the environment allow. */

/* A terminal that cannot move its cursor, or none. */
static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return !term || !*term || strcmp(term, "dumb") == 0;
}

/* A file, a pipe and a dumb terminal would show every state of the line one after the other. */
pare_redraw pare_format_redraw(int fd)
{
    return pare_descriptor_is_terminal(fd) && !is_dumb() ? PARE_REDRAW : PARE_NO_REDRAW;
}

/* NO_COLOR as https://no-color.org has it: set and not empty. */
pare_paint pare_format_paint(pare_color_choice choice, int fd)
{
    if (choice != PARE_COLOR_AUTO) return choice == PARE_COLOR_ALWAYS ? PARE_COLORED : PARE_PLAIN;
    const char *no_color = getenv("NO_COLOR");
    if (no_color && *no_color) return PARE_PLAIN;
    return pare_format_redraw(fd) == PARE_REDRAW ? PARE_COLORED : PARE_PLAIN;
}

pare_charset pare_format_charset(void)
{
    /* Asks for the user's locale without setting it for the process. */
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!locale) return PARE_ASCII;
    pare_charset charset =
        strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0 ? PARE_UTF8 : PARE_ASCII;
    freelocale(locale);
    return charset;
}
