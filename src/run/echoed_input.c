/* Finding what a message repeats of the input: at brackets and after colons, by a search in the input in
 * which '#' stands for a number and a blank for several.
 *
 * What the input has the program say is no echo: a script that throws "size (a=3) is bad" has all of it
 * in its text, so that what stands before the piece in the message stands before it in the input as well, or
 * the piece is all of a string there.
 * Tested by tests/unit/test_echoed_input.c and tests/unit/test_generalize.c. */
#include "run/echoed_input.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Bytes beyond ASCII are letters. */
static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* ---- searching ------------------------------------------------------------------------ */

/* Whether the byte is one of `set`; NUL, which inputs have, is not. */
static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* The end of the number at `at`, with its sign and what joins it to others, as it is masked; NULL: none
 * begins there.  Of a longer number than messages have the end is not looked for, since this is asked at
 * each of its digits. */
static const char *number_end(const char *at, const char *end)
{
    enum { MOST = 256 };
    if (end - at > MOST) end = at + MOST;
    if (at < end && *at == '-') at++;
    if (at < end && *at == '.') at++;
    if (at == end || !isdigit((unsigned char)*at)) return NULL;
    while (at < end && (isxdigit((unsigned char)*at) || is_one_of(*at, "xX") ||
                        (is_one_of(*at, ".:,+-") && end - at > 1 && isdigit((unsigned char)at[1]))))
        at++;
    return at;
}

/* The end of what `from` .. `to` matches at `at`; NULL: it does not. */
static const char *match(const char *from, const char *to, const char *at, const char *end)
{
    for (; from < to; from++) {
        if (at == end) return NULL;
        if (*from == '#' && *at != '#') {
            at = number_end(at, end);
            if (!at) return NULL;
        } else if (is_blank(*from) && is_blank(*at)) {
            while (at < end && is_blank(*at))
                at++;
        } else if (*from == *at) {
            at++;
        } else {
            return NULL;
        }
    }
    return at;
}

/* Whether the byte before the piece and that after it are the two quotes of a string. */
static bool is_string(const char *input, const char *at, const char *piece_end, const char *end)
{
    return at > input && piece_end < end && is_one_of(at[-1], "'\"`") && *piece_end == at[-1];
}

/* Where a piece is looked for. */
enum place {
    ANYWHERE,
    WHOLE,    /* not within words */
    NO_STRING /* nor as all of a string */
};

/* Whether the piece stands in the input at such a place. */
static bool stands(const pare_echoed_input *echoed, const char *from, const char *to,
                   enum place place)
{
    const char *end = echoed->input + echoed->size;
    for (const char *at = echoed->input; at < end; at++) {
        if (*from != '#' && !is_blank(*from)) {
            at = memchr(at, *from, (size_t)(end - at));
            if (!at) return false;
        }
        const char *piece_end = match(from, to, at, end);
        if (!piece_end) continue;
        if (place == ANYWHERE) return true;
        const bool joined = (at > echoed->input && in_word(at[-1]) && in_word(*at)) ||
                            (piece_end < end && in_word(*piece_end) && in_word(piece_end[-1]));
        const bool is_text = place == NO_STRING && is_string(echoed->input, at, piece_end, end);
        if (!joined && !is_text) return true;
    }
    return false;
}

/* Whether the piece is all of the input but for blanks and line ends around it. */
static bool is_whole(const pare_echoed_input *echoed, const char *from, const char *to)
{
    const char *at = echoed->input, *end = echoed->input + echoed->size;
    while (at < end && isspace((unsigned char)*at))
        at++;
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    return to - from >= 2 && match(from, to, at, end) == end;
}

/* Whether the piece looks like data: a sign that is none of sentences, paths, names ("$a") and names of
 * rules ("key-duplicates", "import/no-cycle"), and a number or a word that is no keyword but a value. */
static bool looks_like_data(const pare_echoed_input *echoed, const char *from, const char *to)
{
    static const char *const values[] = {"true", "false", "null", "True", "False", "None", "nil"};
    bool has_sign = false, has_word = false;
    while (from < to) {
        const char *word = from;
        while (from < to && in_word(*from))
            from++;
        const size_t size = (size_t)(from - word);
        has_word = has_word || (size && !echoed->is_keyword(word, size));
        for (size_t k = 0; k < sizeof values / sizeof *values && size; k++)
            has_word =
                has_word || (size == strlen(values[k]) && memcmp(word, values[k], size) == 0);
        if (size || from == to) continue;
        has_word = has_word || *from == '#';
        has_sign = has_sign || !strchr(" \t-./:;'!?#*$@%", *from);
        from++;
    }
    return has_sign && has_word;
}

/* Whether the text before `from` in the message stands before the piece in the input, too. */
static bool is_said(const pare_echoed_input *echoed, const char *start, const char *from,
                    const char *to)
{
    enum { BEFORE = 5 };
    const char *before = from - start > BEFORE ? from - BEFORE : start;
    return from - before >= BEFORE && stands(echoed, before, to, ANYWHERE);
}

/* Whether `from` .. `to` of the message is an echo. */
static bool is_echo(pare_echoed_input *echoed, const char *start, const char *from, const char *to,
                    enum place place)
{
    if (from >= to || echoed->searches == 0) return false;
    if (is_whole(echoed, from, to)) return true;
    if (!looks_like_data(echoed, from, to)) return false;
    echoed->searches--;
    return stands(echoed, from, to, place) && !is_said(echoed, start, from, to);
}

/* ---- places in the message -------------------------------------------------------------- */

/* The bracket that closes the one at `at`; the end of the text where it has been cut. */
static const char *closing(const char *at)
{
    static const char pairs[] = "<>[](){}";
    const char open = *at, close = strchr(pairs, open)[1];
    for (size_t depth = 0; *at; at++) {
        depth += *at == open;
        if (*at == close && --depth == 0) break;
    }
    return at;
}

/* Whether there is one word between the two, at most. */
static bool is_word(const char *from, const char *end)
{
    while (from < end && in_word(*from))
        from++;
    return from == end;
}

/* The end of the piece before `end`: programs put dots where they cut a value. */
static const char *without_dots(const char *from, const char *end)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    const size_t size = (size_t)(end - from);
    if (size > 3 && (memcmp(end - 3, "...", 3) == 0 || memcmp(end - 3, ellipsis, 3) == 0))
        return end - 3;
    return end;
}

bool pare_echoed_input_is(pare_echoed_input *echoed, const char *from, const char *end)
{
    return is_echo(echoed, from, from, without_dots(from, end), WHOLE);
}

/* A bracket: what is in it, with it where it stands alone as a value. Else what follows a colon. */
bool pare_echoed_input_at(pare_echoed_input *echoed, const char *start, const char *at,
                          const char **from, const char **end)
{
    const bool follows_blank = at == start || at[-1] == ' ';
    if (strchr("<[({", *at)) {
        const char *close = closing(at);
        const bool is_alone = follows_blank && *close;
        if (is_alone && is_echo(echoed, start, at, close + 1, WHOLE)) {
            const bool stays = is_word(at + 1, close); /* the brackets: "<*>" says more than "*" */
            *from = at + stays;
            *end = close + !stays;
            return true;
        }
        if (!is_echo(echoed, start, at + 1, without_dots(at + 1, close), WHOLE)) return false;
        *from = at + 1;
        *end = close;
        return true;
    }
    if (at - start < 2 || !follows_blank || at[-2] != ':' || strchr("'\"`", *at)) return false;
    const char *close = at + strlen(at);
    const char *last = close > at && close[-1] == '.' ? close - 1 : close;
    if (!is_echo(echoed, start, at, without_dots(at, close), NO_STRING) &&
        !is_echo(echoed, start, at, last, NO_STRING))
        return false;
    *from = at;
    *end = close;
    return true;
}
