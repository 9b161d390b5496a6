/* Properties of characters as sets of code points.
 *
 * Names are looked up in one table; each entry is a class of code points by general category
 * or grapheme break, with a list of further ranges.  What utf8proc does not have, or not
 * exactly, PCRE2 is asked for: all characters in a row, a stretch of them at a time, are
 * searched for runs that match.  A search checks its whole text for UTF-8, so stretches are
 * short, or the cost would be quadratic.
 *
 * Planes 4 to 13 hold no character and are all alike; the first of their code points stands
 * for them, which saves ten of the 17 planes.
 * Source: Unicode Standard Annex 44 (properties and their names); the tables of utf8proc and
 * PCRE2 as installed; deviations of each are marked in the table (is_near). */
#include "grammar/unicode.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "grammar/grammar.h"
#include "text/pattern.h"
#include "text/text.h"

enum { FIRST_EMPTY = 0x40000, AFTER_EMPTY = 0xE0000 }; /* planes 4 to 13 */

typedef enum property_class {
    BY_CATEGORIES, /* mask: set of general categories */
    BY_BOUNDARY    /* mask: grapheme break class */
} property_class;

/* Ranges added to what the class gives; ends with {1, 0}. */
static const pare_interval no_more[] = {{1, 0}};
static const pare_interval other_id_start[] = {
    {0x1885, 0x1886}, {0x2118, 0x2118}, {0x212E, 0x212E}, {0x309B, 0x309C}, {1, 0}};
static const pare_interval other_id_continue[] = {
    {0x00B7, 0x00B7}, {0x0387, 0x0387}, {0x1369, 0x1371},
    {0x1885, 0x1886}, {0x19DA, 0x19DA}, {0x2118, 0x2118},
    {0x212E, 0x212E}, {0x309B, 0x309C}, {1, 0}};
static const pare_interval controls[] = {{9, 13}, {0x85, 0x85}, {1, 0}};
static const pare_interval ascii[] = {{0, 0x7F}, {1, 0}};
static const pare_interval emoji[] = {{'#', '#'},         {'*', '*'},         {'0', '9'},
                                      {0x1F1E6, 0x1F1FF}, {0x1F3FB, 0x1F3FF}, {1, 0}};

#define CATEGORY(name) (UINT32_C(1) << UTF8PROC_CATEGORY_##name)
#define LETTERS (CATEGORY(LU) | CATEGORY(LL) | CATEGORY(LT) | CATEGORY(LM) | CATEGORY(LO))
#define MARKS (CATEGORY(MN) | CATEGORY(MC) | CATEGORY(ME))
#define NUMBERS (CATEGORY(ND) | CATEGORY(NL) | CATEGORY(NO))
#define PUNCTUATION                                                                            \
    (CATEGORY(PC) | CATEGORY(PD) | CATEGORY(PS) | CATEGORY(PE) | CATEGORY(PI) | CATEGORY(PF) | \
     CATEGORY(PO))
#define SYMBOLS (CATEGORY(SM) | CATEGORY(SC) | CATEGORY(SK) | CATEGORY(SO))
#define SEPARATORS (CATEGORY(ZS) | CATEGORY(ZL) | CATEGORY(ZP))
#define OTHERS (CATEGORY(CC) | CATEGORY(CF) | CATEGORY(CS) | CATEGORY(CO) | CATEGORY(CN))
#define ID_START (LETTERS | CATEGORY(NL))
#define ID_PART (ID_START | CATEGORY(MN) | CATEGORY(MC) | CATEGORY(ND) | CATEGORY(PC))
#define ALL (LETTERS | MARKS | NUMBERS | PUNCTUATION | SYMBOLS | SEPARATORS | OTHERS)

/* Names are in lower case, without '-', '_' and ' '. */
static const struct property {
    const char *name, *long_name;
    property_class of;
    uint32_t mask;
    const pare_interval *more;
    bool is_near; /* not exact */
} properties[] = {
    {"l", "letter", BY_CATEGORIES, LETTERS, no_more, false},
    {"lu", "uppercaseletter", BY_CATEGORIES, CATEGORY(LU), no_more, false},
    {"ll", "lowercaseletter", BY_CATEGORIES, CATEGORY(LL), no_more, false},
    {"lt", "titlecaseletter", BY_CATEGORIES, CATEGORY(LT), no_more, false},
    {"lc", "casedletter", BY_CATEGORIES, CATEGORY(LU) | CATEGORY(LL) | CATEGORY(LT), no_more,
     false},
    {"lm", "modifierletter", BY_CATEGORIES, CATEGORY(LM), no_more, false},
    {"lo", "otherletter", BY_CATEGORIES, CATEGORY(LO), no_more, false},
    {"m", "mark", BY_CATEGORIES, MARKS, no_more, false},
    {"mn", "nonspacingmark", BY_CATEGORIES, CATEGORY(MN), no_more, false},
    {"mc", "spacingmark", BY_CATEGORIES, CATEGORY(MC), no_more, false},
    {"me", "enclosingmark", BY_CATEGORIES, CATEGORY(ME), no_more, false},
    {"n", "number", BY_CATEGORIES, NUMBERS, no_more, false},
    {"nd", "decimalnumber", BY_CATEGORIES, CATEGORY(ND), no_more, false},
    {"nl", "letternumber", BY_CATEGORIES, CATEGORY(NL), no_more, false},
    {"no", "othernumber", BY_CATEGORIES, CATEGORY(NO), no_more, false},
    {"p", "punctuation", BY_CATEGORIES, PUNCTUATION, no_more, false},
    {"pc", "connectorpunctuation", BY_CATEGORIES, CATEGORY(PC), no_more, false},
    {"pd", "dashpunctuation", BY_CATEGORIES, CATEGORY(PD), no_more, false},
    {"ps", "openpunctuation", BY_CATEGORIES, CATEGORY(PS), no_more, false},
    {"pe", "closepunctuation", BY_CATEGORIES, CATEGORY(PE), no_more, false},
    {"pi", "initialpunctuation", BY_CATEGORIES, CATEGORY(PI), no_more, false},
    {"pf", "finalpunctuation", BY_CATEGORIES, CATEGORY(PF), no_more, false},
    {"po", "otherpunctuation", BY_CATEGORIES, CATEGORY(PO), no_more, false},
    {"s", "symbol", BY_CATEGORIES, SYMBOLS, no_more, false},
    {"sm", "mathsymbol", BY_CATEGORIES, CATEGORY(SM), no_more, false},
    {"sc", "currencysymbol", BY_CATEGORIES, CATEGORY(SC), no_more, false},
    {"sk", "modifiersymbol", BY_CATEGORIES, CATEGORY(SK), no_more, false},
    {"so", "othersymbol", BY_CATEGORIES, CATEGORY(SO), no_more, false},
    {"z", "separator", BY_CATEGORIES, SEPARATORS, no_more, false},
    {"zs", "spaceseparator", BY_CATEGORIES, CATEGORY(ZS), no_more, false},
    {"zl", "lineseparator", BY_CATEGORIES, CATEGORY(ZL), no_more, false},
    {"zp", "paragraphseparator", BY_CATEGORIES, CATEGORY(ZP), no_more, false},
    {"c", "other", BY_CATEGORIES, OTHERS, no_more, false},
    {"cc", "control", BY_CATEGORIES, CATEGORY(CC), no_more, false},
    {"cf", "format", BY_CATEGORIES, CATEGORY(CF), no_more, false},
    {"cs", "surrogate", BY_CATEGORIES, CATEGORY(CS), no_more, false},
    {"co", "privateuse", BY_CATEGORIES, CATEGORY(CO), no_more, false},
    {"cn", "unassigned", BY_CATEGORIES, CATEGORY(CN), no_more, false},
    {"any", "all", BY_CATEGORIES, ALL, no_more, false},
    {"assigned", "assigned", BY_CATEGORIES, ALL & ~CATEGORY(CN), no_more, false},
    {"ascii", "ascii", BY_CATEGORIES, 0, ascii, false},
    {"wspace", "whitespace", BY_CATEGORIES, SEPARATORS, controls, false},
    {"ids", "idstart", BY_CATEGORIES, ID_START, other_id_start, false},
    {"idc", "idcontinue", BY_CATEGORIES, ID_PART, other_id_continue, false},
    {"xids", "xidstart", BY_CATEGORIES, ID_START, other_id_start, true},
    {"xidc", "xidcontinue", BY_CATEGORIES, ID_PART, other_id_continue, true},
    {"alpha", "alphabetic", BY_CATEGORIES, ID_START, no_more, true},
    {"upper", "uppercase", BY_CATEGORIES, CATEGORY(LU), no_more, true},
    {"lower", "lowercase", BY_CATEGORIES, CATEGORY(LL), no_more, true},
    {"extpict", "extendedpictographic", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC,
     no_more, false},
    {"emoji", "emoji", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC, emoji, true},
    {"gcb=cr", "graphemeclusterbreak=cr", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_CR, no_more, false},
    {"gcb=lf", "graphemeclusterbreak=lf", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_LF, no_more, false},
    {"gcb=cn", "graphemeclusterbreak=control", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_CONTROL, no_more,
     false},
    {"gcb=ex", "graphemeclusterbreak=extend", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_EXTEND, no_more,
     false},
    {"gcb=l", "graphemeclusterbreak=l", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_L, no_more, false},
    {"gcb=v", "graphemeclusterbreak=v", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_V, no_more, false},
    {"gcb=t", "graphemeclusterbreak=t", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_T, no_more, false},
    {"gcb=lv", "graphemeclusterbreak=lv", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_LV, no_more, false},
    {"gcb=lvt", "graphemeclusterbreak=lvt", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_LVT, no_more, false},
    {"gcb=ri", "graphemeclusterbreak=regionalindicator", BY_BOUNDARY,
     UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR, no_more, false},
    {"gcb=sm", "graphemeclusterbreak=spacingmark", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_SPACINGMARK,
     no_more, false},
    {"gcb=pp", "graphemeclusterbreak=prepend", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_PREPEND, no_more,
     false},
    {"gcb=zwj", "graphemeclusterbreak=zwj", BY_BOUNDARY, UTF8PROC_BOUNDCLASS_ZWJ, no_more, false},
};

#define N_PROPERTIES (sizeof properties / sizeof *properties)
_Static_assert(N_PROPERTIES <= PARE_UNICODE_KINDS, "each property has its place in the cache");

/* Sets that were never asked for are all-zero. */
void pare_unicode_done(pare_unicode *unicode)
{
    for (size_t i = 0; i < PARE_UNICODE_KINDS; i++)
        pare_intervals_done(&unicode->made[i]);
    for (size_t i = 0; i < PARE_UNICODE_OTHERS; i++)
        pare_intervals_done(&unicode->others[i].set);
}

/* Properties of ANTLR's own, as classes of PCRE2.  Source: ANTLR's lexer documentation and its
 * tool's UnicodeDataTemplateController. */
static const struct {
    const char *name, *pattern;
} derived[] = {
    {"emojipresentation=emojidefault", "[^\\P{Emoji}\\P{Emoji_Presentation}]"},
    {"emojipresentation=textdefault", "[^\\P{Emoji}\\p{Emoji_Presentation}]"},
    {"emojipresentation=text", "\\P{Emoji}"},
    {"emojirk", "[\\p{Regional_Indicator}*#0-9\\xA9\\xAE\\x{2122}\\x{3030}\\x{303D}]"},
    {"emojinrk", "(?![\\p{Regional_Indicator}*#0-9\\xA9\\xAE\\x{2122}\\x{3030}\\x{303D}])"
                 "\\p{Emoji}"},
};

enum { N_DERIVED = sizeof derived / sizeof *derived };

/* Whether the code point is in the class of the property; its further ranges are not looked
 * at. */
static bool has(const struct property *property, uint32_t code_point)
{
    const utf8proc_property_t *of = utf8proc_get_property((utf8proc_int32_t)code_point);
    if (property->of == BY_BOUNDARY) return of->boundclass == property->mask;
    return property->mask >> of->category & 1;
}

/* The next code point whose properties may differ from this one's. Planes 4 to 13 are empty, and
 * their first code point stands for all of them. */
static uint32_t after(uint32_t code_point)
{
    return code_point == FIRST_EMPTY ? AFTER_EMPTY : code_point + 1;
}

/* Makes the set of a property by one walk over all code points that may differ, some 460,000.
 * It is empty after a failure. */
static pare_status make(const struct property *property, pare_intervals *set, pare_error *err)
{
    pare_status status = PARE_OK;
    for (const pare_interval *more = property->more; more->from <= more->to && !status; more++)
        status = pare_intervals_add(set, more->from, more->to, err);
    for (uint32_t at = 0; at <= PARE_LAST_CODE_POINT && !status;) {
        uint32_t from = at;
        while (at <= PARE_LAST_CODE_POINT && has(property, at))
            at = after(at);
        if (at > from) status = pare_intervals_add(set, from, at - 1, err);
        at = after(at);
    }
    if (status)
        pare_intervals_done(set);
    else
        pare_intervals_normalise(set);
    return status;
}

/* Writes the name as the tables have it, in lower case and without '-', '_' and ' '.  False:
 * no property can have it, since it holds other characters or is too long. */
static bool make_plain(const char *name, size_t size, char plain[PARE_UNICODE_LONGEST_NAME + 1])
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        char byte = name[i];
        if (byte == '_' || byte == '-' || byte == ' ') continue;
        if (byte >= 'A' && byte <= 'Z') byte = (char)(byte + 'a' - 'A');
        bool fine = (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '=';
        if (!fine || n == PARE_UNICODE_LONGEST_NAME) return false;
        plain[n++] = byte;
    }
    plain[n] = '\0';
    return n > 0;
}

/* Index of the property of that plain name, or N_PROPERTIES.  General categories may be
 * written with their prefix. */
static size_t find(const char *plain)
{
    static const char *const prefixes[] = {"gc=", "generalcategory="};
    const char *wanted = plain;
    for (size_t i = 0; i < 2; i++)
        if (strncmp(plain, prefixes[i], strlen(prefixes[i])) == 0)
            wanted = plain + strlen(prefixes[i]);
    for (size_t i = 0; i < N_PROPERTIES; i++)
        /* Some sixty entries, looked up once for each property of a grammar. */
        if (!strcmp(wanted, properties[i].name) || !strcmp(wanted, properties[i].long_name))
            return i;
    return N_PROPERTIES;
}

/* --- classes by PCRE2 -------------------------------------------------------- */

enum {
    STRETCH = 0x800, /* code points; none has a border below inside */
    FIRST_SURROGATE = 0xD800,
    AFTER_SURROGATES = 0xE000,
    LONGEST_PATTERN = 256
};

/* Appends a code point as UTF-8 and returns its size.  The value is not checked: all values
 * here are code points and no surrogates. */
static size_t put(unsigned char *to, uint32_t code_point)
{
    size_t n = code_point < 0x80 ? 0 : code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
    static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
    to[0] = (unsigned char)(leads[n] | code_point >> 6 * n);
    for (size_t i = 1; i <= n; i++)
        to[i] = (unsigned char)(0x80 | (code_point >> 6 * (n - i) & 0x3F));
    return n + 1;
}

/* The code points of a stretch, and where each begins in their text. */
struct stretch {
    uint32_t first;
    size_t at[STRETCH + 1];
    unsigned char bytes[STRETCH * 4];
};

/* Writes the characters of a stretch in a row, and where each begins. */
static void fill(struct stretch *stretch, uint32_t first)
{
    size_t size = 0;
    stretch->first = first;
    for (uint32_t i = 0; i < STRETCH; i++) {
        stretch->at[i] = size;
        size += put(stretch->bytes + size, first + i);
    }
    assert(size <= sizeof stretch->bytes);
    stretch->at[STRETCH] = size;
}

/* The last code point that `code_point` stands for: for the first one of the empty planes, their
 * last. */
static uint32_t last_alike(uint32_t code_point)
{
    return code_point == FIRST_EMPTY ? AFTER_EMPTY - 1 : code_point;
}

/* Adds the runs of the stretch that match.  In the empty planes only the first code point is
 * looked at. */
static pare_status add_runs(const pare_pattern *pattern, const struct stretch *stretch,
                            pare_intervals *set, pare_error *err)
{
    size_t n = stretch->first == FIRST_EMPTY ? 1 : STRETCH;
    pare_span text = {stretch->bytes, stretch->at[n]};
    pare_stretch run = {0, 0};
    bool found = true;
    pare_status status = PARE_OK;
    for (uint32_t from = 0, to; !status && found;) {
        status = pare_pattern_find(pattern, text, run.to, &found, &run, err);
        if (status || !found) break;
        /* Matches come in ascending order, so the places are found by one walk. */
        while (stretch->at[from] < run.from)
            from++;
        for (to = from; stretch->at[to] < run.to;)
            to++;
        status = pare_intervals_add(set, stretch->first + from, last_alike(stretch->first + to - 1),
                                    err);
        from = to;
        /* A match that reaches the end leaves nothing to search. */
        found = run.to < text.size;
    }
    return status;
}

/* Stretches skip the empty planes and the surrogates, which UTF-8 cannot hold. */
static uint32_t next_stretch(uint32_t first)
{
    if (first == FIRST_EMPTY) return AFTER_EMPTY;
    return first + STRETCH == FIRST_SURROGATE ? AFTER_SURROGATES : first + STRETCH;
}

/* Adds all characters that the pattern matches.  A stretch takes 24 KB, too much for the
 * stack. */
static pare_status add_all(const pare_pattern *pattern, pare_intervals *set, pare_error *err)
{
    struct stretch *stretch = pare_alloc(1, sizeof *stretch);
    pare_status status = stretch ? PARE_OK : pare_fail_nomem(err);
    for (uint32_t at = 0; !status && at <= PARE_LAST_CODE_POINT; at = next_stretch(at)) {
        fill(stretch, at);
        status = add_runs(pattern, stretch, set, err);
    }
    pare_alloc_free(stretch);
    return status;
}

/* Adds what `pattern`, a regular expression for one character, matches, surrogates left out,
 * and normalises the set.  *known is false, and nothing added, when this PCRE2 does not know
 * a property in it (before 10.40 those are most).  Some 10 ms.  Errors: PARE_E_NOMEM. */
static pare_status unicode_class(const char *pattern, pare_intervals *set, bool *known,
                                 pare_error *err)
{
    char regex[LONGEST_PATTERN];
    pare_pattern *runs = NULL;
    pare_error why = {.status = PARE_OK};
    int size = snprintf(regex, sizeof regex, "(*UTF)(?:%s)+", pattern);
    *known = false;
    if (size < 0 || size >= LONGEST_PATTERN) return PARE_OK;
    pare_status status = pare_pattern_new(regex, &runs, &why);
    /* A pattern that cannot be understood names an unknown property, which is no failure. */
    if (status) return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
    *known = true;
    status = add_all(runs, set, err);
    pare_pattern_free(runs);
    if (!status) pare_intervals_normalise(set);
    return status;
}

/* Adds what PCRE2 has by that plain name.  ANTLR's own properties come first.  A bare name is
 * that of a script, if there is one (the characters of the script itself, without those that
 * it shares with others), else of a property with two values. */
static pare_status add_by_pattern(const char *plain, pare_intervals *set, bool *known,
                                  pare_error *err)
{
    static const char *const forms[] = {"\\p{sc:%s}", "\\p{%s}"};
    char pattern[PARE_UNICODE_LONGEST_NAME + 16];
    pare_status status = PARE_OK;
    *known = false;
    for (size_t i = 0; i < N_DERIVED; i++)
        if (!strcmp(plain, derived[i].name))
            return unicode_class(derived[i].pattern, set, known, err);
    for (size_t i = strchr(plain, '=') ? 1 : 0; !status && !*known && i < 2; i++) {
        (void)snprintf(pattern, sizeof pattern, i ? forms[1] : forms[0], plain);
        status = unicode_class(pattern, set, known, err);
    }
    return status;
}

/* Adds what lies between the intervals of `made`, which is normalised. */
static pare_status add_others(const pare_intervals *made, pare_intervals *set, pare_error *err)
{
    uint32_t from = 0;
    for (size_t i = 0; i < made->n; i++) {
        if (made->items[i].from > from) {
            pare_status status = pare_intervals_add(set, from, made->items[i].from - 1, err);
            if (status) return status;
        }
        from = made->items[i].to + 1;
    }
    return pare_intervals_add(set, from, PARE_LAST_CODE_POINT, err);
}

/* Adds a set that was made, or all that is not in it. */
static pare_status add_made(const pare_intervals *made, bool negated, pare_intervals *set,
                            pare_error *err)
{
    pare_status status = negated ? add_others(made, set, err) : PARE_OK;
    for (size_t i = 0; !negated && i < made->n && !status; i++)
        status = pare_intervals_add(set, made->items[i].from, made->items[i].to, err);
    return status;
}

/* Sets *out to a property that utf8proc does not know; NULL: nor does PCRE2.  The last few are
 * kept in a ring; *out is borrowed until the next call. */
static pare_status make_other(pare_unicode *unicode, const char *plain, const pare_intervals **out,
                              pare_error *err)
{
    bool known = false;
    for (size_t i = 0; i < PARE_UNICODE_OTHERS; i++) {
        *out = &unicode->others[i].set;
        if (!strcmp(unicode->others[i].name, plain)) return PARE_OK;
    }
    pare_unicode_other *other = &unicode->others[unicode->n_others % PARE_UNICODE_OTHERS];
    pare_intervals_done(&other->set);
    other->name[0] = '\0';
    pare_status status = add_by_pattern(plain, &other->set, &known, err);
    *out = status || !known ? NULL : &other->set;
    if (!*out) return status;
    /* The name is set last, so that an entry without one is never found. */
    (void)snprintf(other->name, sizeof other->name, "%s", plain);
    unicode->n_others++;
    return PARE_OK;
}

/* Makes the set of a property in the table, once.  PCRE2 is asked first where utf8proc's is
 * only near; if it does not know the property either, the near one must do. */
static pare_status make_known(pare_unicode *unicode, size_t index, const char *plain,
                              pare_error *err)
{
    const struct property *property = &properties[index];
    pare_intervals *made = &unicode->made[index];
    bool exact = !property->is_near;
    if (made->n) return PARE_OK;
    pare_status status = exact ? PARE_OK : add_by_pattern(plain, made, &exact, err);
    if (status) pare_intervals_done(made);
    if (!status && !made->n) status = make(property, made, err);
    unicode->exact[index] = exact;
    return status;
}

/* Adds a property to the set.  Sets are made when they are first asked for, and kept: a
 * grammar names few properties, many times. */
pare_status pare_unicode_add(pare_unicode *unicode, pare_unicode_property property,
                             pare_intervals *set, bool *known, bool *exact, pare_error *err)
{
    char plain[PARE_UNICODE_LONGEST_NAME + 1];
    *known = *exact = false;
    if (!make_plain(property.name, property.size, plain)) return PARE_OK;
    size_t index = find(plain);
    if (index == N_PROPERTIES) {
        const pare_intervals *other = NULL;
        pare_status status = make_other(unicode, plain, &other, err);
        *known = *exact = other != NULL;
        return other ? add_made(other, property.negated, set, err) : status;
    }
    pare_status status = make_known(unicode, index, plain, err);
    *known = true;
    *exact = unicode->exact[index];
    return status ? status : add_made(&unicode->made[index], property.negated, set, err);
}

/* As UTF-8; `code_point` is at most the last one, 0x10FFFF. */
pare_status pare_unicode_append(pare_buffer *text, uint32_t code_point, pare_error *err)
{
    utf8proc_uint8_t bytes[4];
    /* A half of a surrogate pair has three bytes, though no decoder takes them; what is beyond
     * the last code point has none. */
    utf8proc_ssize_t size = utf8proc_encode_char((utf8proc_int32_t)code_point, bytes);
    assert(size >= 0);
    return pare_buffer_add(text, bytes, (size_t)size, err);
}
