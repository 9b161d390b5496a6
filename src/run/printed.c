/* What a program printed: walking through its lines, and masking a line.
 *
 * Lines are found one by one from the place of interest, never all at once: a reader looks
 * at a handful of the thousands there may be.
 * Masking is one pass over the line.  A path loses its folders when its last component is
 * reached, by going back to where the path began in what was written; so nothing has to be
 * looked at twice, and a line that is cut is masked up to the cut.
 * What is masked is what differs between two runs on one input (addresses, process numbers,
 * times, temporary folders), and values, whose spelling is the input's (5, -5, .5, 1e308); names of
 * functions, with their digits, stay. */
#include "run/printed.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/visible.h"

/* ---- lines ------------------------------------------------------------------------ */

/* The end of a text that ends in a line feed is one more, empty line. */
bool pare_printed_line_next(pare_printed_line *line)
{
    if (line->end >= line->limit) return false;
    line->start = line->end + 1;
    const char *end = memchr(line->start, '\n', (size_t)(line->limit - line->start));
    line->end = end ? end : line->limit;
    return true;
}

/* Looks back to the line's start and ahead to its end. */
pare_printed_line pare_printed_line_at(const pare_printed *text, size_t at)
{
    assert(text->size && at <= text->size);
    const char *limit = text->text + text->size, *place = text->text + at;
    const char *before = memrchr(text->text, '\n', at);
    const char *end = memchr(place, '\n', (size_t)(limit - place));
    return (pare_printed_line){
        .start = before ? before + 1 : text->text, .end = end ? end : limit, .limit = limit};
}

/* ---- masking ----------------------------------------------------------------------- */

enum {
    LOOKED_AT_BYTES = 4096,
    ADDRESS_DIGITS = 8 /* so many hexadecimal digits, one of them 0 .. 9, are an address */
};

/* A masking under way: the line is read from `at`, what is masked is written to `to`. */
struct mask {
    const char *at, *end;
    char *to;
    size_t n, capacity;
    size_t path_start; /* in `to`: where the run of path characters under way began */
};

/* Whether `c` is a part of a word.  Bytes beyond ASCII are letters of some language. */
static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Whether `c` may stand in a path: a part of a word, or one of the signs that file names have. */
static bool is_path(char c)
{
    return is_word(c) || strchr("./+-~@%#", c);
}

/* Writes as far as there is room; one byte is kept for the NUL. */
static void put(struct mask *mask, const char *text)
{
    for (; *text && mask->n + 1 < mask->capacity; text++)
        mask->to[mask->n++] = *text;
}

/* How many hexadecimal digits stand here, and whether one of them is decimal: "deadbeef" may
 * be a word, "dead1eef" is not. */
static size_t count_hex(const struct mask *mask, bool *has_digit)
{
    size_t n = 0;
    *has_digit = false;
    for (; mask->at + n < mask->end && isxdigit((unsigned char)mask->at[n]); n++)
        if (isdigit((unsigned char)mask->at[n])) *has_digit = true;
    return n;
}

/* Whether a digit stands `n` characters from here. */
static bool is_digit(const struct mask *mask, size_t n)
{
    return (size_t)(mask->end - mask->at) > n && isdigit((unsigned char)mask->at[n]);
}

/* Skips an exponent: 1e308, 1.5e-7. If letters follow it is part of a word, and not skipped. */
static void skip_exponent(struct mask *mask)
{
    if (mask->at == mask->end || (*mask->at | 0x20) != 'e') return;
    const bool is_signed = mask->end - mask->at > 1 && strchr("+-", mask->at[1]);
    size_t n = is_signed ? 2 : 1;
    if (!is_digit(mask, n)) return;
    while (is_digit(mask, n))
        n++;
    if (mask->at + n == mask->end || !is_word(mask->at[n])) mask->at += n;
}

/* Skips digits and what joins them in times, versions and places: 12:30:01.5 */
static void skip_number(struct mask *mask)
{
    for (;;) {
        while (is_digit(mask, 0))
            mask->at++;
        if (mask->at == mask->end || !strchr(".:,", *mask->at) || !is_digit(mask, 1)) break;
        mask->at++;
    }
    skip_exponent(mask);
}

/* Skips a minus and a point that a number begins with, as values of the input may: else the same
 * message would be another one for each kind of number.  A minus is a sign only after a blank or
 * an opening mark: elsewhere it joins words, or subtracts. */
static void skip_sign(struct mask *mask, const char *line)
{
    const bool begins = mask->at == line || strchr(" \t([{<=,:'\"`", mask->at[-1]);
    if (!begins || mask->at == mask->end) return;
    const size_t n_minus = *mask->at == '-';
    const size_t left = (size_t)(mask->end - mask->at);
    const size_t n_point = left > n_minus && mask->at[n_minus] == '.';
    if (is_digit(mask, n_minus + n_point)) mask->at += n_minus + n_point;
}

/* Takes a number or an address that begins here and writes "#" or "0x#" for it; false: none begins
 * here. Eight or more hexadecimal digits with a decimal one among them are an address even without
 * 0x; fewer may be a word. */
static bool take_number(struct mask *mask)
{
    bool has_digit;
    if (mask->end - mask->at > 2 && mask->at[0] == '0' && (mask->at[1] | 0x20) == 'x' &&
        isxdigit((unsigned char)mask->at[2])) {
        mask->at += 2;
        mask->at += count_hex(mask, &has_digit);
        put(mask, "0x#");
        return true;
    }
    size_t n_hex = count_hex(mask, &has_digit);
    bool whole = mask->at + n_hex >= mask->end || !is_word(mask->at[n_hex]);
    if (n_hex >= ADDRESS_DIGITS && has_digit && whole)
        mask->at += n_hex;
    else if (isdigit((unsigned char)*mask->at))
        skip_number(mask);
    else
        return false;
    put(mask, "#");
    return true;
}

/* Takes one character as it is, but for blanks, which become one, and for each byte of what cannot
 * be seen, or is no UTF-8, which becomes "?". */
static void take_character(struct mask *mask)
{
    const char c = *mask->at;
    size_t escaped;
    long code;
    if (c == ' ' || c == '\t') {
        mask->at++;
        if (mask->n > 0 && mask->to[mask->n - 1] != ' ') put(mask, " ");
        return;
    }
    const size_t length = pare_visible_character((const unsigned char *)mask->at,
                                                 (size_t)(mask->end - mask->at), &escaped, &code);
    if (!length) {
        put(mask, "?");
        mask->at++;
    } else if (mask->n + length < mask->capacity) {
        memcpy(mask->to + mask->n, mask->at, length);
        mask->n += length;
        mask->at += length;
    } else {
        mask->at = mask->end; /* no part of a character */
    }
}

/* A slash in a path: what was written of the path so far is its folder, and forgotten, if a
 * name follows.  A slash at the end, or alone, stays. */
static void take_slash(struct mask *mask)
{
    mask->at++;
    bool names = mask->at < mask->end && (is_word(*mask->at) || strchr(".~@#", *mask->at));
    if (names)
        mask->n = mask->path_start;
    else
        put(mask, "/");
}

size_t pare_printed_pointer(const char *at, const char *end)
{
    enum { LEAST_DIGITS = 6 };
    const char *digit = at + 2;
    if (end - at < 2 || at[0] != '0' || at[1] != 'x') return 0;
    while (digit < end && isxdigit((unsigned char)*digit))
        digit++;
    return digit - at < 2 + LEAST_DIGITS ? 0 : (size_t)(digit - at);
}

/* Masks the line in one pass: at each place a number, a slash or a single character. */
void pare_printed_mask(const char *line, size_t size, char *to, size_t capacity)
{
    if (size > LOOKED_AT_BYTES) size = LOOKED_AT_BYTES;
    struct mask mask = {.at = line, .end = line + size, .to = to, .capacity = capacity};
    bool in_word = false, in_path = false;
    while (mask.at < mask.end) {
        if (!in_word) skip_sign(&mask, line);
        char c = *mask.at;
        if (!in_path) mask.path_start = mask.n;
        in_path = is_path(c);
        if (!in_word && isxdigit((unsigned char)c) && take_number(&mask)) {
            in_word = false;
        } else if (c == '/') {
            take_slash(&mask);
            in_word = false;
        } else {
            in_word = is_word(c);
            take_character(&mask);
        }
    }
    assert(mask.n < capacity);
    while (mask.n > 0 && to[mask.n - 1] == ' ')
        mask.n--;
    to[mask.n] = '\0';
}
