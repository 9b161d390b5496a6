/* Fields of lines: numbers, types, and texts whose characters are escaped.
 *
 * An escape is % and the four hexadecimal digits of a UTF-16 unit, since that is what a string of
 * JavaScript has and any engine can print, whatever it makes of other bytes.  Two of them that are a
 * surrogate pair are one character; half a pair is no character, and there is no UTF-8 for it. */
#include "generate/discovery/probe_fields.h"

#include <string.h>

enum { MAX_NUMBER = 1 << 30, MAX_DIGITS = 10 };

static const char LETTERS[] = "unbdsyg-";

/* An empty field would be two spaces in a row, which the scripts never print: names that are empty
 * have an escape of their own. */
size_t pare_probe_fields_split(const char *start, const char *end, pare_probe_field *fields,
                               size_t most)
{
    for (size_t n = 0; n < most; n++) {
        const char *space = memchr(start, ' ', (size_t)(end - start));
        const char *stop = space ? space : end;
        if (stop == start) return 0;
        fields[n] = (pare_probe_field){start, (size_t)(stop - start)};
        if (!space) return n + 1;
        start = space + 1;
    }
    return 0;
}

/* The whole field, not its beginning: `stop` is no `s`. */
bool pare_probe_fields_is(pare_probe_field field, const char *word)
{
    return field.size == strlen(word) && memcmp(field.start, word, field.size) == 0;
}

/* No sign, no blanks; leading zeros do not matter.  Ten digits cannot overflow 64 bits. */
bool pare_probe_fields_number(pare_probe_field field, uint32_t *number)
{
    uint64_t value = 0;
    if (!field.size || field.size > MAX_DIGITS) return false;
    for (size_t i = 0; i < field.size; i++) {
        if (field.start[i] < '0' || field.start[i] > '9') return false;
        value = value * 10 + (uint64_t)(field.start[i] - '0');
    }
    if (value > MAX_NUMBER) return false;
    *number = (uint32_t)value;
    return true;
}

/* A letter, a number, or i and a number; a letter is looked for first, for `i` alone is none. */
bool pare_probe_fields_type(pare_probe_field field, pare_probe_type *type)
{
    *type = (pare_probe_type){.letter = 'o'};
    if (field.size == 1 && strchr(LETTERS, field.start[0]) && field.start[0]) {
        type->letter = field.start[0];
        return true;
    }
    if (field.size > 1 && field.start[0] == 'i') {
        type->letter = 'i';
        field.start++;
        field.size--;
    }
    return pare_probe_fields_number(field, &type->id) && type->id < PARE_PROBE_MAX_OBJECTS;
}

/* Four hexadecimal digits; -1: they are none. */
static int32_t read_unit(const char *digits)
{
    int32_t unit = 0;
    for (size_t i = 0; i < 4; i++) {
        char c = digits[i];
        int32_t digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* Appends a character, U+0001 to U+10FFFF and no surrogate, in UTF-8. */
static pare_status add_code_point(pare_buffer *text, uint32_t point, pare_error *err)
{
    char bytes[4];
    size_t size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0x00, 0xc0, 0xe0, 0xf0};
    for (size_t i = size; i-- > 1; point >>= 6)
        bytes[i] = (char)(0x80 | (point & 0x3f));
    bytes[0] = (char)(leads[size] | point);
    return pare_buffer_add(text, bytes, size, err);
}

/* Reads the escape at *at, and the second half of a surrogate pair; 0: it is no character, or NUL,
 * which our texts cannot hold. */
static uint32_t read_escape(pare_probe_field field, size_t *at)
{
    if (*at + 5 > field.size) return 0;
    int32_t unit = read_unit(field.start + *at + 1);
    *at += 5;
    if (unit <= 0 || (unit >= 0xdc00 && unit < 0xe000)) return 0;
    if (unit < 0xd800 || unit >= 0xe000) return (uint32_t)unit;
    if (*at + 5 > field.size || field.start[*at] != '%') return 0;
    int32_t low = read_unit(field.start + *at + 1);
    *at += 5;
    if (low < 0xdc00 || low >= 0xe000) return 0;
    return 0x10000 + (uint32_t)((unit - 0xd800) << 10) + (uint32_t)(low - 0xdc00);
}

/* One field of the script's alphabet: letters, digits, _ and $ as they are, the rest as UTF-16
 * escapes.  NUL is refused: it would end the text early. */
pare_status pare_probe_fields_text(pare_probe_field field, pare_buffer *text, bool *is_text,
                                   pare_error *err)
{
    pare_buffer_reset(text);
    pare_status status = pare_buffer_text(text, "", err);
    *is_text = field.size > 0;
    if (field.size == 1 && field.start[0] == '%') return status;
    for (size_t i = 0; i < field.size && !status && *is_text;) {
        char c = field.start[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '_' || c == '$';
        uint32_t point = plain ? (uint32_t)c : c == '%' ? read_escape(field, &i) : 0;
        i += plain;
        *is_text = point > 0;
        if (*is_text) status = add_code_point(text, point, err);
    }
    return status;
}

/* The inverse of the letters that both scripts print for typeof. */
char pare_probe_fields_letter(pare_graph_kind kind)
{
    static const char letters[PARE_GRAPH_N_KINDS] = {
        [PARE_GRAPH_UNDEFINED] = 'u', [PARE_GRAPH_NULL] = 'n',   [PARE_GRAPH_BOOLEAN] = 'b',
        [PARE_GRAPH_NUMBER] = 'd',    [PARE_GRAPH_STRING] = 's', [PARE_GRAPH_SYMBOL] = 'y',
        [PARE_GRAPH_BIGINT] = 'g',    [PARE_GRAPH_OBJECT] = 'o', [PARE_GRAPH_FUNCTION] = 'o'};
    return letters[kind];
}
