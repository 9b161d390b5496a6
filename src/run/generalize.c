/* One pass over the text: quotations, words and numbers are looked at, all else is copied. */
#include "run/generalize.h"

#include <ctype.h>
#include <string.h>

#include "run/vocabulary.h"

enum { WORD_BYTES = 64 }; /* longer words are compared as they stand only */

struct generalizer {
    const char *at;    /* what is left of the text */
    const char *start; /* the text */
    const char *input;
    size_t input_size;
    pare_keep_level level;
    bool keeps_tokens; /* the message is about tokens: quotations stay */
    char *to;
    size_t n;
};

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *input, size_t size, const char *word, size_t word_size)
{
    const char *end = input + size;
    if (!word_size) return false;
    for (const char *at = input; at < end; at++) {
        at = memmem(at, (size_t)(end - at), word, word_size);
        if (!at) return false;
        bool joined_before = at > input && in_word(at[-1]) && in_word(*word);
        const char *after = at + word_size;
        bool joined_after = after < end && in_word(*after) && in_word(word[word_size - 1]);
        if (!joined_before && !joined_after) return true;
    }
    return false;
}

bool pare_input_has_word(const char *input, size_t size, const char *word, size_t word_size)
{
    char folded[2][WORD_BYTES];
    if (has_word(input, size, word, word_size)) return true;
    if (word_size > WORD_BYTES) return false;
    for (size_t k = 0; k < word_size; k++) {
        folded[0][k] = (char)tolower((unsigned char)word[k]);
        folded[1][k] = (char)toupper((unsigned char)word[k]);
    }
    return has_word(input, size, folded[0], word_size) ||
           has_word(input, size, folded[1], word_size);
}

/* ---- writing ---------------------------------------------------------------------- */

static void put(struct generalizer *g, const char *text, size_t size)
{
    for (size_t k = 0; k < size && g->n + 1 < PARE_DIAGNOSTIC_BYTES; k++)
        g->to[g->n++] = text[k];
}

/* How much of what was written last joins a name to the one before it: "*.", "this->". */
static size_t joint_size(const struct generalizer *g)
{
    static const char *const joints[] = {"*.", "*::", "*->", "this.", "self.", "this->", "*"};
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        size_t size = strlen(joints[k]);
        if (g->n >= size && memcmp(g->to + g->n - size, joints[k], size) == 0) return size;
    }
    return 0;
}

/* Names that are joined become one, however many they are. */
static void put_star(struct generalizer *g)
{
    g->n -= joint_size(g);
    put(g, "*", 1);
}

/* ---- numbers ---------------------------------------------------------------------- */

/* Whether the text before `at` ends in one of the words that numbers of kinds follow. */
static bool follows_kind(const struct generalizer *g, const char *at)
{
    static const char *const words[] = {"error ",  "error: ", "code ",  "errno ",
                                        "status ", "signal ", "code: ", "Errno "};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t size = strlen(words[k]);
        if ((size_t)(at - g->start) >= size && strncasecmp(at - size, words[k], size) == 0)
            return true;
    }
    return at - g->start >= 2 && strchr("-[", at[-1]) && isupper((unsigned char)at[-2]);
}

static bool follows_position(const struct generalizer *g, const char *at)
{
    static const char *const words[] = {"line ", "column ", "char ", "position ", "offset ",
                                        "byte ", "at ",     "col ",  ":",         "("};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t size = strlen(words[k]);
        if ((size_t)(at - g->start) >= size && strncasecmp(at - size, words[k], size) == 0)
            return true;
    }
    return false;
}

/* A number, with what joins it to others: 3  0x7f  1.5e9  12:3 */
static void take_number(struct generalizer *g)
{
    const char *start = g->at;
    while (isalnum((unsigned char)*g->at) ||
           (*g->at && strchr(".:,", *g->at) && isdigit((unsigned char)g->at[1])))
        g->at++;
    bool keeps = follows_kind(g, start);
    if (g->level == PARE_KEEP_EXACT) keeps = keeps || !follows_position(g, start);
    if (keeps)
        put(g, start, (size_t)(g->at - start));
    else
        put_star(g);
}

/* ---- words ------------------------------------------------------------------------ */

/* Whether the word looks like a name in a program rather than English: row_count, rowCount,
 * row2, rows.next, $row, next(). */
static bool is_code(const struct generalizer *g, const char *start, const char *end)
{
    for (const char *at = start; at < end; at++)
        if (*at == '_' || isdigit((unsigned char)*at) ||
            (at > start && isupper((unsigned char)*at) && islower((unsigned char)at[-1])))
            return true;
    char before = start > g->start ? start[-1] : ' ';
    if (strchr("$@%", before) || strncmp(end, "()", 2) == 0) return true;
    if ((*end == '.' || *end == ':') && end[1] == *end) return true; /* rows..next, rows::next */
    return (*end == '.' && in_word(end[1])) || (before == '.' && in_word(start[-2]));
}

/* Whether a message names something here, whatever the name is: before "is not defined", or
 * at the end, after a colon or after what it is. */
static bool is_named(const struct generalizer *g, const char *start, const char *end)
{
    static const char *const kinds[] = {"variable ", "method ",     "class ", "function ",
                                        "symbol ",   "identifier ", "name ",  "constant "};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !*end; k++) {
        size_t size = strlen(kinds[k]);
        if ((size_t)(start - g->start) >= size && memcmp(start - size, kinds[k], size) == 0)
            return true;
    }
    static const char *const after[] = {" is not defined",  " is not a ",  " is undefined",
                                        " is not declared", " undeclared", ": command not found"};
    for (size_t k = 0; k < sizeof after / sizeof *after; k++)
        if (strncmp(end, after[k], strlen(after[k])) == 0) return true;
    return !*end && start - g->start >= 2 && start[-1] == ' ' && start[-2] == ':';
}

static void take_word(struct generalizer *g)
{
    const char *start = g->at;
    while (in_word(*g->at))
        g->at++;
    size_t size = (size_t)(g->at - start);
    bool known = pare_vocabulary_has(start, size) || pare_vocabulary_is_builtin(start, size);
    bool own = !known || is_named(g, start, g->at) || is_code(g, start, g->at);
    if (g->level != PARE_KEEP_EXACT && own &&
        pare_input_has_word(g->input, g->input_size, start, size))
        put_star(g);
    else
        put(g, start, size);
}

/* ---- quotations ------------------------------------------------------------------- */

/* The end of the quotation that begins at `at`: the quote that closes it; NULL: none. */
static const char *close_quote(const char *start, const char *at)
{
    const char *end;
    if (!strchr("'\"`", *at) || (at > start && in_word(at[-1]))) return NULL;
    if (*at == '`') {
        end = at + 1 + strcspn(at + 1, "'`");
        return *end ? end : NULL;
    }
    for (end = strchr(at + 1, *at); end; end = strchr(end + 1, *at))
        if (!in_word(end[1]) || *at == '"') return end;
    return NULL;
}

/* Whether a quotation is all keywords and built-in types, or has no words at all. */
static bool is_builtin(const char *from, const char *end)
{
    while (from < end) {
        const char *word = from;
        while (from < end && in_word(*from))
            from++;
        if (from > word && !pare_vocabulary_is_builtin(word, (size_t)(from - word))) return false;
        if (from < end) from++;
    }
    return true;
}

/* Inside a quotation every word that is no keyword may come from the input. */
static void take_quoted_words(struct generalizer *g, const char *end)
{
    while (g->at < end) {
        const char *word = g->at;
        while (g->at < end && in_word(*g->at))
            g->at++;
        size_t size = (size_t)(g->at - word);
        bool own = size && !pare_vocabulary_is_builtin(word, size) &&
                   pare_input_has_word(g->input, g->input_size, word, size);
        if (own)
            put_star(g);
        else
            put(g, word, size);
        if (g->at < end) put(g, g->at++, 1);
    }
}

static bool is_number(const char *from, const char *end)
{
    return from < end && (isdigit((unsigned char)*from) ||
                          (*from == '-' && end - from > 1 && isdigit((unsigned char)from[1])));
}

static void take_quotation(struct generalizer *g, const char *end)
{
    const char *from = g->at + 1;
    size_t size = (size_t)(end - from);
    put(g, g->at, 1);
    g->at = end;
    if (g->level == PARE_KEEP_EXACT || g->keeps_tokens) {
        put(g, from, size);
    } else if (g->level == PARE_KEEP_KIND) {
        put_star(g);
    } else if (is_number(from, end)) {
        put_star(g);
    } else if (is_builtin(from, end)) {
        put(g, from, size);
    } else if (pare_input_has_word(g->input, g->input_size, from, size)) {
        put_star(g);
    } else {
        g->at = from;
        take_quoted_words(g, end);
    }
    put(g, end, 1);
    g->at = end + 1;
}

/* ---- all -------------------------------------------------------------------------- */

/* Whether a parser speaks of the token it met. */
static bool is_about_tokens(const char *text)
{
    if (strstr(text, "near ")) return true;
    return strcasestr(text, "unexpected") && !strcasestr(text, "unexpected identifier");
}

/* The end of a header with a code or a kind of exception; NULL: it has neither. */
static const char *kind_end(const char *text)
{
    const char *end = strstr(text, ": ");
    if (!end) end = text + strlen(text);
    for (const char *at = text; at < end; at++)
        if (isdigit((unsigned char)*at)) return end;
    bool has_blank = memchr(text, ' ', (size_t)(end - text)) != NULL;
    size_t size = (size_t)(end - text);
    bool exception = (size > 5 && memcmp(end - 5, "Error", 5) == 0) ||
                     (size > 9 && memcmp(end - 9, "Exception", 9) == 0);
    return exception && !has_blank ? end : NULL;
}

/* The kind alone, when it has a name of its own: a code, an exception, an option. */
static bool take_kind(struct generalizer *g)
{
    const char *end = kind_end(g->at);
    const char *option = strrchr(g->at, '[');
    if (end) {
        put(g, g->at, (size_t)(end - g->at));
        put_star(g);
        return true;
    }
    if (!option || strncmp(option, "[-W", 3) != 0 || option[strlen(option) - 1] != ']')
        return false;
    const char *colon = strstr(g->at, ": ");
    if (colon && colon < option) put(g, g->at, (size_t)(colon + 2 - g->at));
    put_star(g);
    put(g, option, strlen(option));
    return true;
}

/* The header of a message: what the program calls it. */
static void take_header(struct generalizer *g)
{
    const char *end = kind_end(g->at);
    if (!end) return;
    put(g, g->at, (size_t)(end - g->at));
    g->at = end;
}

void pare_generalize(const char *text, pare_keep_level level, const void *input, size_t size,
                     char pattern[PARE_DIAGNOSTIC_BYTES])
{
    struct generalizer g = {.at = text,
                            .start = text,
                            .input = input,
                            .input_size = size,
                            .level = level,
                            .keeps_tokens = is_about_tokens(text),
                            .to = pattern};
    if (level == PARE_KEEP_KIND && take_kind(&g)) {
        pattern[g.n] = '\0';
        return;
    }
    take_header(&g);
    while (*g.at) {
        const char *end = close_quote(text, g.at);
        if (end)
            take_quotation(&g, end);
        else if (isdigit((unsigned char)*g.at))
            take_number(&g);
        else if (in_word(*g.at))
            take_word(&g);
        else
            put(&g, g.at++, 1);
    }
    pattern[g.n] = '\0';
}
