/* Tables of boundary values, and small generators for texts with a form: dates, JSON, numerals.
 *
 * A text is made correct first; then, for some, one error is made (a character left out, a letter
 * instead of a sign), because a nearly correct text gets further into a parser than others.
 * Invariant: what is appended is an expression of ES5 on one line; characters beyond ASCII are
 * written as escapes, so the text does not depend on an encoding.
 * Source: the boundaries are those of issue 14; see also ES5, 9.3.1, 15.9.1.15 and 15.12.1. */
#include "generate/prototype/values.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <utf8proc.h>

#include "base/buffer.h"

#define LENGTH_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* An array or an object has up to three elements, so this bounds the text as well as the
 * recursion. */
enum { JSON_DEPTH = 3 };

/* --- numbers ----------------------------------------------------------------------------- */

/* Where a number changes what it is to an engine: signs, radixes (36 is the last), digits that
 * toFixed takes (20, then 100), powers of two at which integers leave a byte, two, 30 bits (a
 * tagged small integer), 31 and 32 bits (an array's index), 53 (a double's integers) and 64;
 * exponents at which printing changes its form (1e21, 1e-7); and the ends of doubles, denormal
 * ones and those that round the wrong way (0.49999999999999994).
 *
 * The simplest is first, to which a reduction comes; after that the order means nothing, and
 * each is as likely as any other. */
static const char *const boundaries[] = {"0",
                                         "1",
                                         "-1",
                                         "-0",
                                         "NaN",
                                         "Infinity",
                                         "-Infinity",
                                         "0.5",
                                         "-0.5",
                                         "1.5",
                                         "2",
                                         "3",
                                         "7",
                                         "8",
                                         "10",
                                         "16",
                                         "31",
                                         "32",
                                         "33",
                                         "36",
                                         "37",
                                         "63",
                                         "64",
                                         "100",
                                         "101",
                                         "127",
                                         "128",
                                         "-128",
                                         "-129",
                                         "255",
                                         "256",
                                         "1023",
                                         "1024",
                                         "32767",
                                         "32768",
                                         "65535",
                                         "65536",
                                         "1073741823",
                                         "1073741824",
                                         "2147483647",
                                         "2147483648",
                                         "2147483649",
                                         "-2147483647",
                                         "-2147483648",
                                         "-2147483649",
                                         "4294967295",
                                         "4294967296",
                                         "4294967297",
                                         "-4294967295",
                                         "9007199254740991",
                                         "9007199254740992",
                                         "9007199254740993",
                                         "-9007199254740991",
                                         "-9007199254740993",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "18446744073709551616",
                                         "1e20",
                                         "1e21",
                                         "-1e21",
                                         "123456789012345680000",
                                         "1e-6",
                                         "1e-7",
                                         "1e100",
                                         "1e300",
                                         "1.7976931348623157e308",
                                         "-1.7976931348623157e308",
                                         "5e-324",
                                         "-5e-324",
                                         "2.2250738585072014e-308",
                                         "2.220446049250313e-16",
                                         "0.1",
                                         "0.3",
                                         "1e9",
                                         "3.141592653589793",
                                         "0x7fffffff",
                                         "0xff",
                                         "1e5",
                                         "4294967295.5",
                                         "0.49999999999999994",
                                         "4503599627370497.5",
                                         "2.5",
                                         "-2.5",
                                         "1e22",
                                         "8640000000000000"};

/* Milliseconds: what a date may be at most and one more (8.64e15), leap days (29 February 2000
 * and 2004), the beginnings of years 0 and -1 and the end of 9999, days, and the ends of 32 bits
 * of seconds. */
static const char *const times[] = {"0",
                                    "1",
                                    "-1",
                                    "NaN",
                                    "8640000000000000",
                                    "8640000000000001",
                                    "-8640000000000000",
                                    "-8640000000000001",
                                    "951782400000",
                                    "-62198755200000",
                                    "-62167219200000",
                                    "253402300800000",
                                    "1e15",
                                    "-1e15",
                                    "86399999",
                                    "86400000",
                                    "2147483647000",
                                    "2147483648000",
                                    "1e300",
                                    "Infinity",
                                    "0.5",
                                    "1078012800000",
                                    "946684799999"};

/* Appends digits, a point and perhaps an exponent. What conversions between
 * decimal and binary differ about lies between the boundaries. */
static void put_decimal(pare_emitter *emitter)
{
    pare_emitter_integer(emitter, pare_emitter_size(emitter, 0, 99));
    pare_emitter_text(emitter, ".");
    pare_emitter_integer(emitter, pare_emitter_size(emitter, 0, 99999));
    if (!pare_emitter_chance(emitter, 40)) return;
    pare_emitter_text(emitter, pare_emitter_chance(emitter, 50) ? "e-" : "e");
    pare_emitter_integer(emitter, pare_emitter_size(emitter, 0, 25));
}

/* Appends a number: a boundary or a small one; seldom any of 32 bits, as most
 * of these are as good as any other. */
void pare_values_number(pare_emitter *emitter)
{
    /* Boundaries, 0 to 20, any of 32 bits, decimals. */
    static const uint8_t weights[] = {6, 5, 1, 1};
    /* A number is a span of its own, so that a reduction can take it as a whole. */
    pare_emitter_open(emitter, PARE_EMITTER_NUMBER);
    switch (pare_emitter_weigh(emitter, weights, LENGTH_OF(weights))) {
    case 0: pare_emitter_one_of(emitter, boundaries, LENGTH_OF(boundaries)); break;
    case 1: pare_emitter_integer(emitter, pare_emitter_size(emitter, 0, 20)); break;
    case 2:
        if (pare_emitter_chance(emitter, 50)) pare_emitter_text(emitter, "-");
        pare_emitter_integer(emitter, pare_emitter_size(emitter, 0, UINT32_MAX - 1));
        break;
    default: put_decimal(emitter); break;
    }
    pare_emitter_close(emitter);
}

/* Appends a number for an index, a count of digits or a radix. Beyond a dozen
 * most functions only say that it is too much. */
void pare_values_count(pare_emitter *emitter)
{
    /* 0 to 12, -1 to -4, and any number. */
    static const uint8_t weights[] = {8, 1, 1};
    switch (pare_emitter_weigh(emitter, weights, LENGTH_OF(weights))) {
    case 0: pare_emitter_integer(emitter, pare_emitter_size(emitter, 0, 12)); break;
    case 1: pare_emitter_integer(emitter, -1 - (int64_t)pare_emitter_size(emitter, 0, 3)); break;
    default: pare_values_number(emitter); break;
    }
}

/* Appends a time in ms since 1970: boundaries of dates, of years and of 32 bits
 * in seconds, or any second between. */
void pare_values_time(pare_emitter *emitter)
{
    /* Boundaries of dates, any second of 32 bits (e3: of milliseconds), and any number. */
    static const uint8_t weights[] = {3, 2, 1};
    switch (pare_emitter_weigh(emitter, weights, LENGTH_OF(weights))) {
    case 0: pare_emitter_one_of(emitter, times, LENGTH_OF(times)); break;
    case 1:
        /* Some are before 1970. */
        if (pare_emitter_chance(emitter, 30)) pare_emitter_text(emitter, "-");
        pare_emitter_integer(emitter, pare_emitter_pick(emitter, UINT32_MAX));
        pare_emitter_text(emitter, "e3");
        break;
    default: pare_values_number(emitter); break;
    }
}

/* Appends a length, or what is refused as one. 2^32-1 is left out on purpose,
 * see the header. */
void pare_values_length(pare_emitter *emitter)
{
    static const char *const refused[] = {"-1",        "4294967296", "0.5", "NaN",   "\"3\"",
                                          "undefined", "1.5",        "-0",  "\"x\"", "null"};
    if (pare_emitter_chance(emitter, 25))
        pare_emitter_one_of(emitter, refused, LENGTH_OF(refused));
    else
        pare_emitter_integer(emitter, pare_emitter_size(emitter, 0, 9));
}

/* Appends a boolean. `false` is the first choice, so a reduction comes to it. */
void pare_values_boolean(pare_emitter *emitter)
{
    pare_emitter_text(emitter, pare_emitter_pick(emitter, 2) ? "true" : "false");
}

/* --- strings ----------------------------------------------------------------------------- */

/* Appends a number of at least `width` digits,
 * with leading zeros as dates have them. */
static void put_digits(pare_emitter *emitter, uint32_t most, int width)
{
    char digits[16];
    /* Ten digits are the most that 32 bits have, and no caller asks for a larger width. */
    int size = snprintf(digits, sizeof digits, "%0*u", width, pare_emitter_size(emitter, 0, most));
    pare_emitter_bytes(emitter, digits, (size_t)size);
}

/* Appends a time of ISO 8601. Hours go up to 25 and minutes up to 60: 24:00 is
 * right where the rest is 0, the others are wrong. */
static void put_iso_time(pare_emitter *emitter)
{
    static const char *const zones[] = {"Z", "", "+00:00", "-08:00", "+14:30", "+24:00", "z"};
    pare_emitter_text(emitter, "T");
    put_digits(emitter, 25, 2);
    pare_emitter_text(emitter, ":");
    put_digits(emitter, 60, 2);
    if (pare_emitter_chance(emitter, 60)) {
        pare_emitter_text(emitter, ":");
        put_digits(emitter, 60, 2);
        if (pare_emitter_chance(emitter, 50)) {
            pare_emitter_text(emitter, ".");
            put_digits(emitter, 999, 3);
        }
    }
    pare_emitter_one_of(emitter, zones, LENGTH_OF(zones));
}

/* Appends a date of ISO 8601, now and then with a month or a day that there is not. */
static void put_iso_date(pare_emitter *emitter)
{
    /* With four digits, with six and a sign, as ES5 has them for far years, and with two, which
     * is wrong. */
    static const char *const years[] = {"1970",    "2000",    "1999",    "2004",    "0000", "9999",
                                        "+002000", "-000001", "+275760", "-271821", "19",   "1900"};
    pare_emitter_one_of(emitter, years, LENGTH_OF(years));
    /* A year alone, and a year with a month, are dates, too. */
    if (pare_emitter_chance(emitter, 85)) {
        pare_emitter_text(emitter, "-");
        put_digits(emitter, 13, 2);
        if (pare_emitter_chance(emitter, 85)) {
            pare_emitter_text(emitter, "-");
            put_digits(emitter, 32, 2);
        }
    }
    if (pare_emitter_chance(emitter, 60)) put_iso_time(emitter);
}

/* Appends a date in quotes. ISO 8601 is the one format that ES5 prescribes; the
 * others are what engines read besides. */
void pare_values_date(pare_emitter *emitter)
{
    /* Of RFC 822, of toString and of people; some days and hours of these are not there. */
    static const char *const others[] = {"Thu, 01 Jan 1970 00:00:00 GMT",
                                         "Mon, 25 Dec 1995 13:30:00 +0430",
                                         "Tue Feb 29 2000 12:34:56 GMT-0800 (PST)",
                                         "12/31/1999 23:59:60",
                                         "Jan 1, 2000 12:00 AM",
                                         "1 January 2000",
                                         "Invalid Date",
                                         "2000-1-1",
                                         "2000/02/30",
                                         "Dec 31 275760",
                                         "T10:20Z",
                                         "2000-01-01 10:20:30",
                                         "99999-01-01T00:00:00Z",
                                         "  1970  ",
                                         "Feb"};
    pare_emitter_text(emitter, "\"");
    if (pare_emitter_chance(emitter, 35))
        pare_emitter_one_of(emitter, others, LENGTH_OF(others));
    else
        put_iso_date(emitter);
    pare_emitter_text(emitter, "\"");
}

/* Appends a text for encodeURI and its like: escapes of one to four bytes,
 * right and wrong (overlong, cut off, surrogates, beyond Unicode). */
void pare_values_uri(pare_emitter *emitter)
{
    /* Escapes of right and of wrong UTF-8, those of escape() with %u, and signs that encodeURI
     * leaves as they are. */
    static const char *const pieces[] = {"a",
                                         "/",
                                         "%41",
                                         "%20",
                                         "%C3%A9",
                                         "%E2%82%AC",
                                         "%F0%9F%98%80",
                                         "%",
                                         "%4",
                                         "%zz",
                                         "%C3",
                                         "%ff",
                                         "%ED%A0%80",
                                         "%C0%80",
                                         "%u0041",
                                         "%u20ac",
                                         "%u12",
                                         " ",
                                         "?b=c",
                                         "#d",
                                         "&",
                                         ";,/?:@&=+$",
                                         "-_.!~*'()",
                                         "\\u00e9",
                                         "\\u20ac",
                                         "\\ud83d\\ude00",
                                         "\\ud800",
                                         "\\udc00x",
                                         "http://a.b",
                                         "%2f",
                                         "%23",
                                         "%F8%88%80%80%80",
                                         "\\x00",
                                         "\\x7f",
                                         "0"};
    /* Pieces are joined as they come, so that the end of one may be the beginning of another's
     * escape. */
    uint32_t n = pare_emitter_size(emitter, 0, 5);
    pare_emitter_text(emitter, "\"");
    for (uint32_t i = 0; i < n; i++)
        pare_emitter_one_of(emitter, pieces, LENGTH_OF(pieces));
    pare_emitter_text(emitter, "\"");
}

/* Appends a leaf of JSON; one of twelve is what JSON is not, though JavaScript
 * may be. WELL_FORMED leaves come first in the list. */
static void put_json_leaf(pare_emitter *emitter)
{
    static const char *const leaves[] = {
        "0", "1", "null", "true", "false", "\"a\"", "\"\"", "-1", "1.5", "1e3", "\"\\\\n\"",
        "\"\\\\u0041\"", "-0", "1E-2", "\"\\\\ud83d\\\\ude00\"", "\"\\\\\"\"", "\"__proto__\"",
        "12345678901234567890", "\"\\\\/\\\\b\\\\f\\\\r\\\\t\"", "0.1e+1", "\"\\u2028\"",
        /* and what JSON is not */
        "01", "+1", ".5", "1.", "NaN", "undefined", "\"\\\\x41\"", "\"\\\\u12\"", "\"", "tru", "-",
        "1e", "\\x00", "\"\\n\"", "\"\\\\q\""};
    enum { WELL_FORMED = 21 };
    /* The wrong leaves are a choice of their own, so that their share does not grow with their
     * number. */
    bool wrong = pare_emitter_chance(emitter, 8);
    uint32_t n = wrong ? LENGTH_OF(leaves) - WELL_FORMED : WELL_FORMED;
    pare_emitter_one_of(emitter, leaves + (wrong ? WELL_FORMED : 0), n);
}

/* Appends JSON, right or nearly right. Recursion is at most JSON_DEPTH deep. `depth` is how far
 * it may go on inside. */
static void put_json(pare_emitter *emitter, uint32_t depth)
{
    /* Leaves, arrays, objects; at the bottom leaves only. */
    static const uint8_t weights[] = {5, 3, 4};
    uint32_t kind = depth ? pare_emitter_weigh(emitter, weights, LENGTH_OF(weights)) : 0;
    pare_emitter_open(emitter, PARE_EMITTER_ELEMENT);
    if (!kind) {
        put_json_leaf(emitter);
    } else {
        uint32_t n = pare_emitter_size(emitter, 0, 3);
        pare_emitter_text(emitter, kind == 1 ? "[" : "{");
        for (uint32_t i = 0; i < n; i++) {
            static const char *const names[] = {
                "\"a\":", "\"b\":", "\"0\":", "\"\":", "\"toJSON\":", "\"__proto__\": "};
            /* Blanks are allowed around every sign of JSON, but are rarely written. */
            if (i) pare_emitter_text(emitter, pare_emitter_chance(emitter, 10) ? " , " : ",");
            if (kind == 2) pare_emitter_one_of(emitter, names, LENGTH_OF(names));
            put_json(emitter, depth - 1);
        }
        /* One in 25 has a comma too much, one in 33 no end: readers of JSON find these at other
         * places than wrong leaves. */
        if (pare_emitter_chance(emitter, 4)) pare_emitter_text(emitter, ",");
        if (!pare_emitter_chance(emitter, 3)) pare_emitter_text(emitter, kind == 1 ? "]" : "}");
    }
    pare_emitter_close(emitter);
}

/* Appends a JSON text as a literal. In single quotes, so that JSON's own need
 * no backslash; backslashes in it are doubled. */
void pare_values_json(pare_emitter *emitter)
{
    pare_emitter_text(emitter, "'");
    put_json(emitter, JSON_DEPTH);
    /* Something after the end of the text is an error that a reader finds only once all else is
     * right. */
    if (pare_emitter_chance(emitter, 4)) pare_emitter_text(emitter, "x");
    pare_emitter_text(emitter, "'");
}

/* Appends a text that is a number for one of Number(), parseInt() and
 * parseFloat(), but not for all three. */
void pare_values_numeral(pare_emitter *emitter)
{
    /* Blanks around a number, prefixes, exponents beyond the ends of doubles, digits that no
     * double has. */
    static const char *const numerals[] = {"\"0\"",
                                           "\"1\"",
                                           "\"-1\"",
                                           "\"12\"",
                                           "\" 7 \"",
                                           "\"0x1F\"",
                                           "\"1e3\"",
                                           "\"1.5\"",
                                           "\".5\"",
                                           "\"5.\"",
                                           "\"+3\"",
                                           "\"-0\"",
                                           "\"010\"",
                                           "\"1e1000\"",
                                           "\"1e-400\"",
                                           "\"Infinity\"",
                                           "\"-Infinity\"",
                                           "\"NaN\"",
                                           "\"0b11\"",
                                           "\"0o17\"",
                                           "\"1_0\"",
                                           "\"z\"",
                                           "\"1e\"",
                                           "\"0x\"",
                                           "\"12px\"",
                                           "\"\\u00a07\\ufeff\"",
                                           "\"9007199254740993\"",
                                           "\"179769313486231580793728971405301e276\"",
                                           "\"2.2250738585072011e-308\"",
                                           "\"4294967296\"",
                                           "\"--1\"",
                                           "\"1.2.3\"",
                                           "\"\\t\\n1\"",
                                           "\"1e+\"",
                                           "\"zz\"",
                                           "\"-0x10\""};
    pare_emitter_one_of(emitter, numerals, LENGTH_OF(numerals));
}

/* Appends a property's name: one with a meaning of its own, or an index at the
 * end of what arrays have. */
void pare_values_name(pare_emitter *emitter)
{
    /* The first ones are those that other values have as well, so that they are often met. */
    static const char *const names[] = {"\"a\"",
                                        "\"b\"",
                                        "\"length\"",
                                        "\"0\"",
                                        "\"1\"",
                                        "\"x\"",
                                        "\"prototype\"",
                                        "\"constructor\"",
                                        "\"toString\"",
                                        "\"valueOf\"",
                                        "\"__proto__\"",
                                        "\"-1\"",
                                        "\"4294967294\"",
                                        "\"4294967295\"",
                                        "\"name\"",
                                        "\"message\"",
                                        "\"lastIndex\"",
                                        "\"callee\"",
                                        "\"caller\"",
                                        "\"arguments\"",
                                        "\"value\"",
                                        "\"get\"",
                                        "\"\"",
                                        "\"Infinity\"",
                                        "\"undefined\"",
                                        "\"\\u00e9\"",
                                        "\"toJSON\"",
                                        "\"next\"",
                                        "0"};
    pare_emitter_one_of(emitter, names, LENGTH_OF(names));
}

/* Appends an expression for a long text: copies of a short one, made by the
 * engine so that tests stay short. At 64 KiB strings and stacks change their
 * representation. */
static void put_long(pare_emitter *emitter)
{
    static const char *const counts[] = {"9", "33", "65", "257", "1025", "4097", "65537"};
    static const char *const texts[] = {"\"a\"", "\"ab\"", "\"\\u00e9\"",
                                        "\"0\"", "\"(\"",  "\"\\ud83d\\ude00\"",
                                        "\" \"", "\"a,\"", "\"%41\""};
    /* An array of n empty places that is joined has n - 1 copies of the text between them. */
    pare_emitter_text(emitter, "Array(");
    pare_emitter_one_of(emitter, counts, LENGTH_OF(counts));
    pare_emitter_text(emitter, ").join(");
    pare_emitter_one_of(emitter, texts, LENGTH_OF(texts));
    pare_emitter_text(emitter, ")");
}

/* Appends a string without a purpose. A third is of the list, which has what
 * trips up code that goes through characters (lone surrogates, letters that
 * change length with their case, NUL). */
void pare_values_string(pare_emitter *emitter)
{
    static const char *const others[] = {"\"\"",
                                         "\"a\"",
                                         "\"abc\"",
                                         "\" \"",
                                         "\"x,y,z\"",
                                         "\"A b C\"",
                                         "\"\\x00\"",
                                         "\"\\ud800\"",
                                         "\"\\udc00\\ud800\"",
                                         "\"\\ufeff a\\u2028\"",
                                         "\"\\u0130\\u00df\\u01c5\"",
                                         "\"\\uffff\"",
                                         "\"%d %s %j %%\"",
                                         "\"<a b='c'>\"",
                                         "\"\\\\\"",
                                         "\"\\\"'`\"",
                                         "\"\\r\\n\"",
                                         "\"[object Object]\"",
                                         "\"function(){}\"",
                                         "\"use strict\"",
                                         "\"abcabcabc\"",
                                         "\"\\u03a3\\u03c3\\u03c2\"",
                                         "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
                                         "\"$1$&\""};
    /* The list, then what has a form: names, numerals, dates, URIs, JSON, and what is long. */
    static const uint8_t weights[] = {8, 3, 3, 2, 2, 2, 2};
    pare_emitter_open(emitter, PARE_EMITTER_STRING);
    switch (pare_emitter_weigh(emitter, weights, LENGTH_OF(weights))) {
    case 1: pare_values_name(emitter); break;
    case 2: pare_values_numeral(emitter); break;
    case 3: pare_values_date(emitter); break;
    case 4: pare_values_uri(emitter); break;
    case 5: pare_values_json(emitter); break;
    case 6: put_long(emitter); break;
    default: pare_emitter_one_of(emitter, others, LENGTH_OF(others)); break;
    }
    pare_emitter_close(emitter);
}

/* Appends a value of a kind; a kind without literals is `undefined`. */
void pare_values_of_kind(pare_emitter *emitter, pare_graph_kind kind)
{
    switch (kind) {
    case PARE_GRAPH_NULL: pare_emitter_text(emitter, "null"); break;
    case PARE_GRAPH_BOOLEAN: pare_values_boolean(emitter); break;
    case PARE_GRAPH_NUMBER: pare_values_number(emitter); break;
    case PARE_GRAPH_STRING: pare_values_string(emitter); break;
    default: pare_emitter_text(emitter, "undefined"); break;
    }
}

/* --- quoting ------------------------------------------------------------------------------ */

/* Appends `text` as the inside of a string literal in double quotes. ASCII
 * only, so the text does not depend on an encoding. Examples: a quote becomes \", a line end
 * \u000a, a letter beyond 16 bits two escapes. */
static void put_quoted(pare_emitter *emitter, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        utf8proc_int32_t point = 0;
        char escape[16] = {0};
        utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                                   (utf8proc_ssize_t)(size - at), &point);
        /* Names were checked when the graph was read; what is not UTF-8 all the same becomes
         * U+FFFD, byte by byte. */
        if (length < 1) {
            length = 1;
            point = 0xfffd;
        }
        if (point == '"' || point == '\\')
            (void)snprintf(escape, sizeof escape, "\\%c", (char)point);
        else if (point >= 0x20 && point < 0x7f)
            escape[0] = (char)point;
        else if (point < 0x10000)
            (void)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)point);
        else
            /* Beyond 16 bits ES5 knows only surrogates. */
            (void)snprintf(escape, sizeof escape, "\\u%04x\\u%04x",
                           0xd800 + (((unsigned)point - 0x10000) >> 10),
                           0xdc00 + (((unsigned)point - 0x10000) & 0x3ff));
        pare_emitter_text(emitter, escape);
        at += (size_t)length;
    }
}

/* Makes what was appended since `from` a string literal. The escaped text lies
 * in the same buffer and is longer, so the plain one is copied first. */
void pare_values_quote(pare_emitter *emitter, size_t from)
{
    pare_buffer *text = emitter->text;
    pare_buffer plain = {0};
    if (emitter->status) return;
    assert(from <= text->size);
    size_t size = text->size - from;
    if (size) emitter->status = pare_buffer_add(&plain, text->data + from, size, emitter->err);
    if (!emitter->status) {
        /* The buffer keeps its bytes, and what is quoted is written over the plain text. */
        text->size = from;
        pare_emitter_text(emitter, "\"");
        put_quoted(emitter, size ? plain.data : "", size);
        pare_emitter_text(emitter, "\"");
    }
    pare_buffer_done(&plain);
}

/* A letter of ASCII, whatever the locale. '$' and '_' are letters of names. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/* The same for decimal digits. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a name can stand after a dot. Names beyond ASCII are quoted: engines
 * differ in what they take for a letter. */
static bool is_identifier(const char *name)
{
    if (!is_letter(*name)) return false;
    while (is_letter(*name) || is_digit(*name))
        name++;
    return !*name;
}

/* Whether a name can be declared: an identifier that is no reserved word of any
 * edition, nor one that strict code may not assign. */
bool pare_values_is_free_name(const char *name)
{
    static const char *const reserved[] = {
        "arguments", "await",      "break",   "case",    "catch",      "class",     "const",
        "continue",  "debugger",   "default", "delete",  "do",         "else",      "enum",
        "eval",      "export",     "extends", "false",   "finally",    "for",       "function",
        "if",        "implements", "import",  "in",      "instanceof", "interface", "let",
        "new",       "null",       "package", "private", "protected",  "public",    "return",
        "static",    "super",      "switch",  "this",    "throw",      "true",      "try",
        "typeof",    "var",        "void",    "while",   "with",       "yield"};
    /* The list is short, and the question is asked rarely enough to go through it. */
    for (uint32_t i = 0; i < LENGTH_OF(reserved); i++)
        if (strcmp(name, reserved[i]) == 0) return false;
    return is_identifier(name);
}

/* Appends the access to a member. A name from a file could hold anything: only
 * what is certainly an identifier stands as it is; "@@iterator" is a symbol. */
void pare_values_member(pare_emitter *emitter, const char *name)
{
    if (is_identifier(name)) {
        pare_emitter_text(emitter, ".");
        pare_emitter_text(emitter, name);
    } else if (name[0] == '@' && name[1] == '@' && is_identifier(name + 2)) {
        pare_emitter_text(emitter, "[Symbol.");
        pare_emitter_text(emitter, name + 2);
        pare_emitter_text(emitter, "]");
    } else {
        pare_emitter_text(emitter, "[\"");
        put_quoted(emitter, name, strlen(name));
        pare_emitter_text(emitter, "\"]");
    }
}

/* --- learned values -------------------------------------------------------------------------- */

/* A hexadecimal digit, as in \x41 and \u0041. */
static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* What follows the digits at `text`; NULL if there are none. */
static const char *skip_digits(const char *text, const char *end)
{
    const char *at = text;
    while (at < end && is_digit(*at))
        at++;
    return at > text ? at : NULL;
}

/* Whether a text is a number of ES5, without a sign: 12, 1.5, .5, 1e+21, 0xff.
 * No octals, which strict code refuses.
 *
 * Each part may be absent, as in ".5" and "5.", but not both sides of the point. */
static bool is_number(const char *text, const char *end)
{
    const char *at = text;
    if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        for (at += 2; at < end && is_hex(*at);)
            at++;
        return at == end;
    }
    /* A zero before another digit would begin an octal number. */
    if (end - at > 1 && at[0] == '0' && is_digit(at[1])) return false;
    /* NULL from here on means that a part is wrong: the result is false then. */
    if (at < end && *at != '.') at = skip_digits(at, end);
    if (at && at < end && *at == '.') {
        const char *digits = skip_digits(at + 1, end);
        at = digits || at == text ? digits : at + 1;
    }
    if (at && at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        at = skip_digits(at, end);
    }
    return at == end && end > text;
}

/* How many characters of an escape follow its backslash at `text`; 0: it is
 * none that ES5 has for sure. */
static size_t escape_size(const char *text, const char *end)
{
    /* Digits that \x and \u have after them. Any other visible character stands for itself or
     * for a sign such as a line end. */
    size_t n = text < end && *text == 'x' ? 2 : text < end && *text == 'u' ? 4 : 0;
    if (text >= end || (unsigned char)*text < 0x20 || (unsigned char)*text >= 0x7f) return 0;
    if (*text == '0') return text + 1 < end && is_digit(text[1]) ? 0 : 1;
    if (is_digit(*text)) return 0;
    if ((size_t)(end - text) < n + 1) return 0;
    for (size_t i = 1; i <= n; i++)
        if (!is_hex(text[i])) return 0;
    return n + 1;
}

/* A string of visible ASCII and escapes. A quote of its kind within it must be escaped, and so
 * must what cannot be seen. */
static bool is_string(const char *text, const char *end)
{
    /* Read before it is known that there is a byte: the caller has made sure. */
    char quote = *text;
    if (end - text < 2 || (quote != '"' && quote != '\'')) return false;
    for (const char *at = text + 1; at < end - 1;) {
        size_t size = *at == '\\' ? escape_size(at + 1, end - 1) + 1 : 1;
        if (*at == quote || (unsigned char)*at < 0x20 || (unsigned char)*at >= 0x7f) return false;
        if (*at == '\\' && size == 1) return false;
        at += size;
        if (at > end - 1) return false;
    }
    /* The loop has read an escape as a whole, so this quote is none. */
    return end[-1] == quote;
}

/* A word, a number or a string that is read to its last byte. */
static bool is_literal(const char *text, const char *end)
{
    static const char *const words[] = {"undefined", "null",     "true",      "false",
                                        "NaN",       "Infinity", "-Infinity", "-NaN"};
    for (uint32_t i = 0; i < LENGTH_OF(words); i++)
        if ((size_t)(end - text) == strlen(words[i]) && !memcmp(text, words[i], strlen(words[i])))
            return true;
    /* A sign is allowed before numbers only. */
    return text < end && (is_number(*text == '-' ? text + 1 : text, end) || is_string(text, end));
}

/* One line that is no literal spoils all: the file was not written by us. `values` has one
 * literal a line; "" has none. */
uint32_t pare_values_count_learned(const char *values)
{
    uint32_t n = 0;
    /* A line end after the last line begins no further line. */
    for (const char *end; *values; values = *end ? end + 1 : end) {
        end = values + strcspn(values, "\n");
        if (!is_literal(values, end)) return 0;
        n++;
    }
    return n;
}

/* Something near the literal that stands from place `from` on: a neighbour, a half, the double, the
 * opposite. What it appends is an operator or a call, which makes an expression of the literal.
 * Words such as null stay. */
static void mutate(pare_emitter *emitter, size_t from)
{
    static const char *const numbers[] = {"+1",  "-1",   "*2", "/2",
                                          "*-1", "+0.5", "%7", "*4294967296"};
    static const char *const strings[] = {"+\"\"",
                                          "+\"a\"",
                                          "+1",
                                          ".slice(1)",
                                          ".slice(0,-1)",
                                          ".toUpperCase()",
                                          ".split(\"\").reverse().join(\"\")"};
    if (emitter->status) return;
    /* The first byte tells a string from a number. N and I begin NaN and Infinity. */
    char first = emitter->text->data[from];
    if (first == '"' || first == '\'')
        pare_emitter_one_of(emitter, strings, LENGTH_OF(strings));
    else if (is_digit(first) || first == '-' || first == '.' || first == 'N' || first == 'I')
        pare_emitter_one_of(emitter, numbers, LENGTH_OF(numbers));
}

/* One in seven is changed: what a test passed is right, and next to it is where errors are. */
void pare_values_learned(pare_emitter *emitter, const char *values, uint32_t n)
{
    uint32_t which = pare_emitter_pick(emitter, n);
    size_t from = emitter->text->size;
    /* The n lines were counted before, so each of these has a line end. */
    for (; which; which--)
        values += strcspn(values, "\n") + 1;
    pare_emitter_bytes(emitter, values, strcspn(values, "\n"));
    if (pare_emitter_chance(emitter, 15)) mutate(emitter, from);
}
