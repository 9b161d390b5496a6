/* The syntax of PDF's objects.
 *
 * Values are skipped with a count of what is open and no recursion, so that a file cannot exhaust the stack.
 * Invariant: a value lies in the text, and so do the items of one that holds others.
 * Cost: O(bytes of the value).
 * Source: ISO 32000-1, 7.2 and 7.3.  Tested by tests/unit/test_chunk_pdf_syntax.c. */
#include "reduce/binary/chunk_pdf_syntax.h"

#include <assert.h>
#include <string.h>

bool pare_chunk_pdf_syntax_is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t' || byte == '\f' || !byte;
}

/* A delimiter ends a word and needs no blank around it: "[1/Name(text)]" is a list of three. The
 * NUL byte is excluded first, because strchr finds it at the end of its own string. */
static bool is_delimiter(unsigned char byte)
{
    return byte && strchr("()<>[]{}/%", byte);
}

static bool is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

/* A comment, from '%' to the end of its line, counts as a blank: "1 % one\n0 R" is a reference. */
uint32_t pare_chunk_pdf_syntax_skip_blanks(const pare_pdf_text *text, uint32_t at)
{
    while (at < text->end) {
        if (text->bytes[at] == '%') {
            while (at < text->end && text->bytes[at] != '\n' && text->bytes[at] != '\r')
                at++;
        } else if (pare_chunk_pdf_syntax_is_blank(text->bytes[at])) {
            at++;
        } else {
            break;
        }
    }
    return at;
}

bool pare_chunk_pdf_syntax_has(const pare_pdf_text *text, uint32_t at, const char *word)
{
    const size_t n = strlen(word);
    return at <= text->end && text->end - at >= n && memcmp(text->bytes + at, word, n) == 0;
}

/* All digits are skipped, even when the value does not fit: "99999999999 0 R" is still a reference,
 * with UINT32_MAX for its number. `number` stops growing at the first
 * value that is too large, so that it cannot overflow 64 bits either. No digits: returns `at`,
 * value 0. */
uint32_t pare_chunk_pdf_syntax_digits(const pare_pdf_text *text, uint32_t at, uint32_t *value)
{
    uint64_t number = 0;
    for (; at < text->end && is_digit(text->bytes[at]); at++)
        if (number < UINT32_MAX) number = number * 10 + (uint32_t)(text->bytes[at] - '0');
    *value = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    return at;
}

/* Skips a string in parentheses; `at` is its opening one. Returns the position after the closing
 * one, 0 if there is none.
 *
 * "(a(b)c)"   balanced parentheses are part of the string: open is 1, 2, 1, 0
 * "(a\)b)"    a backslash takes the next byte with it, so this does not end at the first ')'
 * "(a\"       the text ends after the backslash: the loop ends, 0 */
static uint32_t skip_string(const pare_pdf_text *text, uint32_t at)
{
    uint32_t open = 0;
    for (; at < text->end; at++) {
        const unsigned char byte = text->bytes[at];
        if (byte == '\\')
            at++;
        else if (byte == '(')
            open++;
        else if (byte == ')' && !--open)
            return at + 1;
    }
    return 0;
}

/* Skips a string of hexadecimal digits, "<48656c6c6f>". Its bytes are not checked: a string with
 * wrong digits still ends at '>', and only its end matters here. 0: it does not end. */
static uint32_t skip_hexadecimal(const pare_pdf_text *text, uint32_t at)
{
    const unsigned char *end = memchr(text->bytes + at, '>', text->end - at);
    return end ? (uint32_t)(end - text->bytes) + 1 : 0;
}

/* Skips a word: "true", "-1.5" or "/Name". The first byte is skipped whatever it is, so that the
 * slash, itself a delimiter, does not end the name that it begins. */
static uint32_t skip_word(const pare_pdf_text *text, uint32_t at)
{
    at++; /* of a name the slash */
    while (at < text->end && !pare_chunk_pdf_syntax_is_blank(text->bytes[at]) &&
           !is_delimiter(text->bytes[at]))
        at++;
    return at;
}

/* Skips a reference, number, generation and the letter R: "12 0 R". Returns the position after it;
 * 0 when this is something else: "12 0 obj", "12 0 Root" (the R belongs to a longer word), "12.5".
 * Numbers are tried as references first, because "[1 0 R 2]" has two items, not four. */
static uint32_t skip_reference(const pare_pdf_text *text, uint32_t at)
{
    uint32_t value;
    /* The object's number, then its generation, each with a blank or a comment after it. */
    for (unsigned part = 0; part < 2; part++) {
        const uint32_t digits_end = pare_chunk_pdf_syntax_digits(text, at, &value);
        if (digits_end == at) return 0;
        at = pare_chunk_pdf_syntax_skip_blanks(text, digits_end);
        if (at == digits_end) return 0;
    }
    const bool ends = at + 1 >= text->end || pare_chunk_pdf_syntax_is_blank(text->bytes[at + 1]) ||
                      is_delimiter(text->bytes[at + 1]);
    return at < text->end && text->bytes[at] == 'R' && ends ? at + 1 : 0;
}

/* Whether a keyword of the file's structure stands at `at`. No value contains one outside of a
 * string, so a dictionary that meets one was never closed: "<< /A 1 endobj". The walk stops there
 * and does not take the objects that follow for items. */
static bool is_keyword(const pare_pdf_text *text, uint32_t at)
{
    return pare_chunk_pdf_syntax_has(text, at, "endobj") ||
           pare_chunk_pdf_syntax_has(text, at, "stream") ||
           pare_chunk_pdf_syntax_has(text, at, "endstream");
}

/* Reads a value that holds no others, or only the opening of one that does.
 *
 * input        kind        to
 * "/Name 1"    WORD        after "/Name"
 * "12 0 R"     REFERENCE   after "R"
 * "12 0 obj"   WORD        after "12"
 * "(x)"        STRING      after ")"
 * "[1 2]"      LIST        after "["; the caller goes on inside
 * "<< /A 1"    DICTIONARY  after "<<"; likewise
 * "]" or ")"   NONE        a closing bracket begins no value */
static pare_pdf_value read_token(const pare_pdf_text *text, uint32_t at)
{
    pare_pdf_value value = {.kind = PARE_PDF_NONE, .from = at};
    if (at >= text->end || is_keyword(text, at)) return value;
    const unsigned char byte = text->bytes[at];
    /* "<<" has to be asked for before '<', which begins a string of hexadecimal digits. */
    if (pare_chunk_pdf_syntax_has(text, at, "<<")) {
        value.kind = PARE_PDF_DICTIONARY;
        value.to = at + 2;
    } else if (byte == '[') {
        value.kind = PARE_PDF_LIST;
        value.to = at + 1;
    } else if (byte == '(' || byte == '<') {
        value.to = byte == '(' ? skip_string(text, at) : skip_hexadecimal(text, at);
        if (value.to) value.kind = PARE_PDF_STRING;
    } else if (byte == '/' || !is_delimiter(byte)) {
        value.to = is_digit(byte) ? skip_reference(text, at) : 0;
        value.kind = value.to ? PARE_PDF_REFERENCE : PARE_PDF_WORD;
        if (!value.to) value.to = skip_word(text, at);
    }
    return value;
}

/* A list or a dictionary is walked token by token, with one flag on a stack for each that is open:
 * it says which closing bracket comes next. Of "<< /A [1 2] >>" the stack is {dictionary},
 * {dictionary, list}, {dictionary}, {}. Names and values of a dictionary are not told apart, for
 * only its end is wanted. 256 open at once are more than documents have, and bound the stack. */
pare_pdf_value pare_chunk_pdf_syntax_value(const pare_pdf_text *text, uint32_t at)
{
    enum { MOST_OPEN = 256 };
    bool is_dictionary[MOST_OPEN];
    pare_pdf_value value = read_token(text, at);
    unsigned open = 0;
    if (value.kind != PARE_PDF_LIST && value.kind != PARE_PDF_DICTIONARY) return value;
    /* What the walk returns for a value that does not end: half a list is no value. */
    const pare_pdf_value none = {.kind = PARE_PDF_NONE, .from = at};
    is_dictionary[open++] = value.kind == PARE_PDF_DICTIONARY;
    uint32_t next = value.to;
    while (open) {
        next = pare_chunk_pdf_syntax_skip_blanks(text, next);
        const bool closes =
            pare_chunk_pdf_syntax_has(text, next, is_dictionary[open - 1] ? ">>" : "]");
        if (closes) {
            next += is_dictionary[--open] ? 2 : 1;
            continue;
        }
        const pare_pdf_value token = read_token(text, next);
        if (token.kind == PARE_PDF_NONE) return none;
        if (token.kind == PARE_PDF_LIST || token.kind == PARE_PDF_DICTIONARY) {
            if (open == MOST_OPEN) return none;
            is_dictionary[open++] = token.kind == PARE_PDF_DICTIONARY;
        }
        next = token.to;
    }
    value.to = next;
    assert(value.from < value.to && value.to <= text->end);
    return value;
}

/* An item begins at the name (of a dictionary) or the value (of a list), and so includes all of an
 * entry. Of "<< /A 1 /B [2] >>" the calls give:
 *
 * from at "/A", value "1", then *at after "1"
 * from at "/B", value "[2]", then *at after "]"
 * false: nothing but blanks is left inside
 *
 * The text is cut at the holder's closing bracket, so that an item cannot run over it. */
bool pare_chunk_pdf_syntax_next(const pare_pdf_text *text, const pare_pdf_value *holder,
                                uint32_t *at, uint32_t *from, pare_pdf_value *value)
{
    const bool is_dictionary = holder->kind == PARE_PDF_DICTIONARY;
    assert((is_dictionary || holder->kind == PARE_PDF_LIST) && "only these hold others");
    const uint32_t edge = is_dictionary ? 2 : 1;
    const pare_pdf_text inside = {.bytes = text->bytes, .end = holder->to - edge};
    if (*at < holder->from + edge) *at = holder->from + edge;
    *from = *at = pare_chunk_pdf_syntax_skip_blanks(&inside, *at);
    if (*at >= inside.end) return false;
    if (is_dictionary) {
        /* A dictionary whose entry has no name is damaged; what follows cannot be attributed. */
        if (text->bytes[*at] != '/') return false;
        *at = pare_chunk_pdf_syntax_skip_blanks(&inside, skip_word(&inside, *at));
    }
    *value = pare_chunk_pdf_syntax_value(&inside, *at);
    if (value->kind == PARE_PDF_NONE) return false;
    *at = value->to;
    return true;
}

/* Names are compared as they are written: "/Len#67th", the same name with an escape, is not found.
 * Cost: all entries before it are skipped, O(bytes of the dictionary). */
pare_pdf_value pare_chunk_pdf_syntax_find(const pare_pdf_text *text,
                                          const pare_pdf_value *dictionary, const char *name)
{
    pare_pdf_value value;
    uint32_t at = 0, from;
    if (dictionary->kind != PARE_PDF_DICTIONARY) return (pare_pdf_value){.kind = PARE_PDF_NONE};
    while (pare_chunk_pdf_syntax_next(text, dictionary, &at, &from, &value)) {
        /* The name must end there, too: "/Length1" is not "/Length". */
        const uint32_t end = from + (uint32_t)strlen(name);
        if (pare_chunk_pdf_syntax_has(text, from, name) && skip_word(text, from) == end)
            return value;
    }
    return (pare_pdf_value){.kind = PARE_PDF_NONE};
}
