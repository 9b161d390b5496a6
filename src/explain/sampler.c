/* Samples: values of tokens by tables and at random, texts of nodes by the generator.
 *
 * Tables hold values that differ in what usually matters to a program: zero and one, the neighbours of
 * the value, the powers of two at which types end; texts that are empty, short and long.  Random
 * numbers are uniform in their number of bits, so that small ones and large ones are met; random names
 * and strings are uniform in their length and then in their letters.
 *
 * Invariant: a draw has a random source of its own, seeded by the part's place, the seed and k, so
 * that samples can be made in any order, and copies of a strategy draw alike.
 * Nodes: texts of the part's own rule, small (a depth of 8, 16 tokens), checked within the text.  The
 * check parses the whole text once for each attempt, so attempts are bounded and the bytes counted.
 * Source: random derivation is generate/deriver.c; that samples of a grammar's symbol stand for all
 * of them is ddset's (Gopinath et al., "Abstracting Failure-Inducing Inputs", ISSTA 2020).
 * Tested by tests/unit/test_sampler.c. */
#include "explain/sampler.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <pare/generate.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/random.h"
#include "reduce/tree/tree.h"
#include "text/text.h"

enum {
    NODE_DEPTH = 8,
    NODE_TOKENS = 16,
    NODE_ATTEMPTS = 24,  /* at a text: the generator has come down to 4 tokens by then */
    LONGEST_NODE = 200,  /* bytes; what is longer is not taken */
    LONGEST_NAME = 12,   /* bytes */
    LONGEST_STRING = 40, /* bytes of content; random ones */
    NAME_ATTEMPTS = 20
};

/* These names are part of the format of patterns (failure_pattern.c), so they do not change. */
const char *pare_sampler_kind_name(pare_part_kind kind)
{
    static const char *const names[] = {
        [PARE_PART_NODE] = "node",     [PARE_PART_REPEAT] = "repeat", [PARE_PART_WHOLE] = "whole",
        [PARE_PART_NUMBER] = "number", [PARE_PART_STRING] = "string", [PARE_PART_NAME] = "name",
        [PARE_PART_SIGN] = "sign",     [PARE_PART_BYTE] = "byte"};
    return names[kind];
}

/* From these sizes on a range counts as open. */
uint64_t pare_sampler_largest(pare_part_kind kind)
{
    if (kind == PARE_PART_STRING) return PARE_SAMPLER_LONGEST;
    return kind == PARE_PART_REPEAT ? PARE_SAMPLER_MOST_ROUNDS : PARE_SAMPLER_LARGEST;
}

/* ---- random values -------------------------------------------------------------------- */

/* The random source of one draw.  Mixing the place in keeps two parts of one kind from getting the same
 * samples in the same order, which would look like a dependence between them. */
static pare_random source_of(const pare_sampled *part, uint64_t seed, uint32_t k)
{
    pare_random random;
    pare_random_init(&random, pare_random_mix(seed + 1) ^ pare_random_mix(part->from + 1) ^
                                  pare_random_mix(((uint64_t)k << 8) + part->kind));
    return random;
}

/* Whether the text has the word already: renamed to it, two names would become one.  O(text), and asked
 * for each draw of each name, so the search is the C library's. Example: "row" is in "row + 1",
 * not in "rows" or "my_row". */
static bool has_word(pare_span text, const char *word, size_t size)
{
    const unsigned char *end = text.bytes + text.size, *found = text.bytes;
    for (; (found = memmem(found, (size_t)(end - found), word, size)); found++) {
        const size_t at = (size_t)(found - text.bytes);
        const bool begins = !at || !pare_tree_is_word_byte(text.bytes[at - 1]);
        const bool ends = at + size == text.size || !pare_tree_is_word_byte(text.bytes[at + size]);
        if (begins && ends) return true;
    }
    return false;
}

/* Whether the word means something in many languages, whatever its case.  Only short words are listed: a
 * random longer one is hardly ever a keyword. Example: "Int" is compared as " int " with the
 * list, whose words have a blank on both sides. */
static bool is_reserved(const char *word, size_t size)
{
    static const char reserved[] =
        " as at by do eq ge gt if in is le lt ne no of on or to up not and "
        "int let new var for def end nil try set get use mod div xor out "
        "asm ";
    char padded[LONGEST_NAME + 3];
    (void)snprintf(padded, sizeof padded, " %.*s ", (int)size, word);
    for (char *at = padded; *at; at++)
        if (*at >= 'A' && *at <= 'Z') *at = (char)(*at - 'A' + 'a');
    return strstr(reserved, padded) != NULL;
}

/* Sets `name` (LONGEST_NAME bytes) to one that is no keyword and does not stand in the text; its size.
 * In some languages (VHDL, Ada) no name ends with an underscore, or has two of them in a row.
 * After NAME_ATTEMPTS it takes what it has, which costs a sample that proves nothing.
 *
 * The first character is a small letter, or in one name of six a capital; the last is never an
 * underscore. */
static size_t random_name(const pare_sampled *part, pare_random *random, char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    size_t size = 0;
    for (unsigned i = 0; i < NAME_ATTEMPTS; i++) {
        size = 1 + (size_t)pare_random_below(random, LONGEST_NAME);
        for (size_t k = 0; k < size; k++) {
            const bool may_be_underscore = k && k + 1 < size && name[k - 1] != '_';
            /* The set ends with the digits and the underscore, so fewer choices leave those
             * out. */
            name[k] = letters[pare_random_below(random, may_be_underscore ? sizeof letters - 1
                                                        : k               ? sizeof letters - 2
                                                                          : 26)];
        }
        if (pare_random_below(random, 6) == 0) name[0] = (char)(name[0] - 'a' + 'A');
        if (!is_reserved(name, size) && !has_word(part->text, name, size)) break;
    }
    return size;
}

/* Uniform in the number of bits, up to that of `most`. Example: with `most` 1000 (10 bits) the
 * value has 0 to 10 bits with equal chances, so more than half of all draws are below 32. */
static uint64_t random_bits(pare_random *random, uint64_t most)
{
    unsigned bits = 0;
    while (bits < 63 && (most >> bits))
        bits++;
    const unsigned n = (unsigned)pare_random_below(random, bits + 1);
    const uint64_t value = n ? pare_random_next(random) >> (64 - n) : 0;
    return value < most ? value : most;
}

/* One of eight sizes is each end; of the others four count from the low end and two from the
 * high one, by a distance that is uniform in its number of bits. */
uint64_t pare_sampler_size(uint64_t seed, uint32_t k, uint64_t low, uint64_t high)
{
    pare_random random;
    assert(low <= high);
    pare_random_init(&random, pare_random_mix(seed + 7) ^ pare_random_mix(k + 1));
    const uint64_t which = pare_random_below(&random, 8);
    if (which == 0) return low;
    if (which == 1) return high;
    const uint64_t away = random_bits(&random, high - low);
    return which < 6 ? low + away : high - away;
}

/* A sample keeps the kind of quotes: in many languages they mean different things. */
static char quote_of(const pare_sampled *part)
{
    return (char)part->text.bytes[part->from];
}

/* A string with `size` bytes of content.  None of the letters needs an escape, in any language.
 * The blank is twice as likely as each other character. */
static pare_status add_string(const pare_sampled *part, pare_random *random, size_t size,
                              pare_buffer *out, pare_error *err)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789  _";
    const char quote = quote_of(part);
    pare_status status = pare_buffer_reserve(out, size + 2, err);
    if (status) return status;
    out->data[out->size++] = quote;
    for (size_t k = 0; k < size; k++)
        out->data[out->size++] = letters[pare_random_below(random, sizeof letters - 1)];
    out->data[out->size++] = quote;
    out->data[out->size] = '\0';
    return PARE_OK;
}

/* ---- tables --------------------------------------------------------------------------- */

/* Numbers at which programs change what they do: small ones, 255 just below a power of two, and
 * 4097, 65536, 2147483648 and 4294967297 at one or just above it; and some without a meaning. */
static const uint64_t WHOLES[] = {0,   1,    2,     7,          29,         100,
                                  255, 4097, 65536, 2147483648, 4294967297, 12345};
static const char *const NUMBERS[] = {"0", "1", "0.5", "1.5", "7.25", "100", "1000000", "3"};
/* Short and long ones, with capitals and digits. */
static const char *const NAMES[] = {"q",    "zz",    "w1",       "other", "Name",
                                    "kind", "item2", "someName", "thing"};
static const char *const STRINGS[] = {"a", "zz",  "Hello world", "q w e",
                                      "0", "x_1", "ABCDEFG",     "a long text with blanks in it"};

/* Operators that can stand for one another in most languages. */
static const char *const SIGNS[][8] = {
    {"+", "-", "*", "/", "%"},
    {"<", ">", "<=", ">=", "==", "!="},
    {"&", "|", "^"},
    {"&&", "||"},
    {"<<", ">>"},
    {"+=", "-=", "*=", "/="},
    {"++", "--"},
};

enum {
    N_WHOLES = sizeof WHOLES / sizeof *WHOLES,
    N_NUMBERS = sizeof NUMBERS / sizeof *NUMBERS,
    N_NAMES = sizeof NAMES / sizeof *NAMES,
    N_STRINGS = sizeof STRINGS / sizeof *STRINGS,
    N_CLASSES = sizeof SIGNS / sizeof *SIGNS,
    SAME_LENGTH = 2, /* strings of the part's own length, which come first */
    N_BYTES = 8,     /* that a byte begins with */
    SIGNED = 2,      /* the sign of a number: none, or the other one */
    NEAR = 3         /* whole numbers: those above and below, and twice as much */
};

/* The class of an operator, and how many are of it; N_CLASSES: none. */
static size_t class_of(pare_span sign, size_t *n)
{
    for (size_t c = 0; c < N_CLASSES; c++) {
        bool is_of = false;
        for (*n = 0; *n < 8 && SIGNS[c][*n]; (*n)++)
            is_of = is_of || (strlen(SIGNS[c][*n]) == sign.size &&
                              memcmp(SIGNS[c][*n], sign.bytes, sign.size) == 0);
        if (is_of) return c;
    }
    *n = 0;
    return N_CLASSES;
}

/* Whether the byte ends a value: a name, a number, a string, or what is in brackets. A minus
 * after one of these is an operator between two values. */
static bool ends_value(unsigned char byte)
{
    return pare_tree_is_word_byte(byte) || (byte && strchr("\"'`)]}", byte));
}

/* A word that is apart is more often a keyword ("return -1") than a value. Examples: in "(-1"
 * and "return -1" it is the sign of a number, in "a-1" and "a) - 1" an operator. */
bool pare_sampler_is_number_sign(pare_span text, size_t from, size_t to)
{
    const unsigned char *bytes = text.bytes;
    assert(from < to && to <= text.size);
    if (to - from != 1 || (bytes[from] != '-' && bytes[from] != '+')) return false;
    /* "-.5" has a sign, too. */
    const size_t digit = to < text.size && bytes[to] == '.' ? to + 1 : to;
    if (digit >= text.size || !isdigit(bytes[digit])) return false;
    size_t before = from;
    while (before && (bytes[before - 1] == ' ' || bytes[before - 1] == '\t'))
        before--;
    const bool is_word_apart = before && before < from && pare_tree_is_word_byte(bytes[before - 1]);
    return !before || is_word_apart || !ends_value(bytes[before - 1]);
}

bool pare_sampler_knows_sign(pare_span text, size_t from, size_t to)
{
    size_t n;
    return pare_sampler_is_number_sign(text, from, to) ||
           class_of((pare_span){text.bytes + from, to - from}, &n) < N_CLASSES;
}

/* What stands in the part's place now; borrowed from the whole text. */
static pare_span own_text(const pare_sampled *part)
{
    return (pare_span){part->text.bytes + part->from, part->to - part->from};
}

/* Nodes and lists have none: their samples are made elsewhere (parts.c). */
size_t pare_sampler_n_fixed(const pare_sampled *part)
{
    size_t n = 0;
    switch (part->kind) {
    case PARE_PART_WHOLE: return NEAR + N_WHOLES;
    case PARE_PART_NUMBER: return N_NUMBERS;
    case PARE_PART_STRING: return SAME_LENGTH + N_STRINGS;
    case PARE_PART_NAME: return N_NAMES;
    case PARE_PART_SIGN:
        if (pare_sampler_is_number_sign(part->text, part->from, part->to)) return SIGNED;
        (void)class_of(own_text(part), &n);
        return n;
    case PARE_PART_BYTE: return N_BYTES;
    case PARE_PART_NODE:
    case PARE_PART_REPEAT: break;
    }
    return 0;
}

/* The neighbours come before the table, since they decide whether the number may be one of a range (vary.c).
 * Drawn numbers go up to where a range counts as open. */
static pare_status draw_whole(const pare_sampled *part, bool is_fixed, uint32_t k,
                              pare_random *random, pare_buffer *out, pare_error *err)
{
    const uint64_t value = part->value;
    const uint64_t near[NEAR] = {value + 1, value ? value - 1 : 0, value * 2 + 1};
    const uint64_t drawn = random_bits(random, PARE_SAMPLER_LARGEST);
    const uint64_t number = !is_fixed ? drawn : k < NEAR ? near[k] : WHOLES[k - NEAR];
    return pare_buffer_format(out, err, "%" PRIu64, number);
}

/* Two strings of the part's own length come first: if they fail and a shorter or longer one passes, length is
 * what matters, and not the letters. `value` is the length of the part's content. */
static pare_status draw_string(const pare_sampled *part, bool is_fixed, uint32_t k,
                               pare_random *random, pare_buffer *out, pare_error *err)
{
    const char quote = quote_of(part);
    if (is_fixed && k >= SAME_LENGTH)
        return pare_buffer_format(out, err, "%c%s%c", quote, STRINGS[k - SAME_LENGTH], quote);
    /* An empty string is a matter of its own: see vary.c. */
    const size_t size =
        is_fixed ? (size_t)part->value : 1 + (size_t)pare_random_below(random, LONGEST_STRING);
    return add_string(part, random, size, out, err);
}

/* "x'0f'": an x of either case, a quote, hexadecimal digits, a quote. */
bool pare_sampler_is_hex_literal(pare_span text)
{
    if (text.size < 4 || (text.bytes[0] | 0x20) != 'x' || text.bytes[1] != '\'' ||
        text.bytes[text.size - 1] != '\'')
        return false;
    for (size_t k = 2; k + 1 < text.size; k++)
        if (!isxdigit(text.bytes[k])) return false;
    return true;
}

/* Tab, line ends, form feed and escape are made by editors and terminals; other control
 * characters are not. */
bool pare_sampler_is_bytes(pare_span text)
{
    for (size_t k = 0; k < text.size; k++) {
        const unsigned char byte = text.bytes[k];
        if (byte < '\t' || (byte > '\r' && byte < ' ' && byte != 0x1b)) return true;
    }
    return false;
}

/* A digit for each digit, and a letter for each other byte. Example: "v1.2" may become "k7q0". */
static pare_status draw_of_same_size(pare_span own, pare_random *random, pare_buffer *out,
                                     pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < own.size; k++) {
        const bool is_digit = isdigit(own.bytes[k]);
        const char byte =
            (char)((is_digit ? '0' : 'a') + (int)pare_random_below(random, is_digit ? 10 : 26));
        status = pare_buffer_add(out, &byte, 1, err);
    }
    return status;
}

/* As many digits as there are: of another number of them most programs say that they are wrong.
 * own.bytes begins with x and a quote, which are copied with the case that they have. */
static pare_status draw_hex_literal(pare_span own, pare_random *random, pare_buffer *out,
                                    pare_error *err)
{
    pare_status status = pare_buffer_add(out, own.bytes, 2, err);
    for (size_t k = 3; !status && k < own.size; k++)
        status = pare_buffer_add(out, &"0123456789abcdef"[pare_random_below(random, 16)], 1, err);
    return status ? status : pare_buffer_text(out, "'", err);
}

/* Stays in the notation of the part: hexadecimal, or decimal with and without a fraction. Of
 * decimal numbers a third has no fraction. */
static pare_status draw_number(const pare_sampled *part, bool is_fixed, uint32_t k,
                               pare_random *random, pare_buffer *out, pare_error *err)
{
    const pare_span own = own_text(part);
    const bool is_hex = own.size > 2 && own.bytes[0] == '0' && (own.bytes[1] | 0x20) == 'x';
    if (pare_sampler_is_hex_literal(own)) return draw_hex_literal(own, random, out, err);
    if (pare_sampler_is_bytes(part->text)) return draw_of_same_size(own, random, out, err);
    const uint64_t whole = random_bits(random, UINT32_MAX);
    if (is_hex) return pare_buffer_format(out, err, "0x%" PRIX64, whole);
    if (is_fixed) return pare_buffer_text(out, NUMBERS[k], err);
    if (pare_random_below(random, 3) == 0) return pare_buffer_format(out, err, "%" PRIu64, whole);
    return pare_buffer_format(out, err, "%" PRIu64 ".%u", whole,
                              (unsigned)pare_random_below(random, 1000));
}

/* A name of the table that the text has already gives way to a random one. */
static pare_status draw_name(const pare_sampled *part, bool is_fixed, uint32_t k,
                             pare_random *random, pare_buffer *out, pare_error *err)
{
    char name[LONGEST_NAME];
    if (pare_sampler_is_bytes(part->text))
        return draw_of_same_size(own_text(part), random, out, err);
    if (is_fixed && !has_word(part->text, NAMES[k], strlen(NAMES[k])))
        return pare_buffer_text(out, NAMES[k], err);
    const size_t size = random_name(part, random, name);
    return pare_buffer_add(out, name, size, err);
}

/* Of an operator the others of its class, in a circle, so that each seed begins with another one; of the sign of
 * a number the number without it, then with the other sign. Its own sign is among those of its
 * class; whoever calls leaves out what is the part's own text. */
static pare_status draw_sign(const pare_sampled *part, uint64_t seed, uint32_t k, pare_buffer *out,
                             pare_error *err)
{
    size_t n;
    const size_t class = class_of(own_text(part), &n);
    if (pare_sampler_is_number_sign(part->text, part->from, part->to)) {
        const char *other = part->text.bytes[part->from] == '-' ? "+" : "-";
        return pare_buffer_text(out, (k + seed) % SIGNED ? other : "", err);
    }
    assert(n && "the part is an operator of a class");
    return pare_buffer_text(out, SIGNS[class][(k + seed) % n], err);
}

/* The bytes next to it come first, since a length that is off by one is what programs stumble over; then the
 * ends of the signed and the unsigned ones. */
static pare_status draw_byte(const pare_sampled *part, bool is_fixed, uint32_t k,
                             pare_random *random, pare_buffer *out, pare_error *err)
{
    const unsigned char own = part->text.bytes[part->from];
    const unsigned char fixed[N_BYTES] = {
        (unsigned char)(own + 1), (unsigned char)(own - 1), 0, 0xff, 0x7f, 0x80, 0x20, 1};
    const unsigned char byte =
        is_fixed ? fixed[k] : (unsigned char)pare_random_below(random, UCHAR_MAX + 1);
    return pare_buffer_add(out, &byte, 1, err);
}

/* Only seed 0 begins with the tables; all other seeds draw each sample. */
pare_status pare_sampler_draw(const pare_sampled *part, uint64_t seed, uint32_t k, pare_buffer *out,
                              pare_error *err)
{
    pare_random random = source_of(part, seed, k);
    const bool is_fixed = seed == 0 && k < pare_sampler_n_fixed(part);
    switch (part->kind) {
    case PARE_PART_WHOLE: return draw_whole(part, is_fixed, k, &random, out, err);
    case PARE_PART_NUMBER: return draw_number(part, is_fixed, k, &random, out, err);
    case PARE_PART_STRING: return draw_string(part, is_fixed, k, &random, out, err);
    case PARE_PART_NAME: return draw_name(part, is_fixed, k, &random, out, err);
    case PARE_PART_SIGN: return draw_sign(part, seed, k, out, err);
    case PARE_PART_BYTE: return draw_byte(part, is_fixed, k, &random, out, err);
    case PARE_PART_NODE:
    case PARE_PART_REPEAT: break;
    }
    assert(!"nodes and lists are not drawn");
    return PARE_OK;
}

/* The size stands for the number of the sample: the same size gives the same text. */
pare_status pare_sampler_draw_sized(const pare_sampled *part, uint64_t seed, uint64_t size,
                                    pare_buffer *out, pare_error *err)
{
    pare_random random = source_of(part, seed, (uint32_t)size);
    if (part->kind == PARE_PART_STRING) return add_string(part, &random, (size_t)size, out, err);
    return pare_buffer_format(out, err, "%" PRIu64, size);
}

/* ---- edges ---------------------------------------------------------------------------- */

/* The letters of a word in the other case: small ones, or large ones if it has small ones alone. */
static pare_status add_other_case(pare_span own, pare_buffer *out, pare_error *err)
{
    bool any_upper = false;
    pare_status status = PARE_OK;
    for (size_t k = 0; k < own.size; k++)
        any_upper = any_upper || isupper(own.bytes[k]);
    for (size_t k = 0; !status && k < own.size; k++) {
        const unsigned char byte = own.bytes[k];
        const unsigned char other = (unsigned char)(any_upper ? tolower(byte) : toupper(byte));
        status = pare_buffer_add(out, &other, 1, err);
    }
    return status;
}

/* In this order: "q" and the name, nothing, the name in the other case, a digit. */
static pare_status edge_of_name(pare_span own, uint32_t k, pare_buffer *out,
                                pare_sampler_edge *edge, pare_error *err)
{
    static const pare_sampler_edge edges[] = {PARE_EDGE_NEAR, PARE_EDGE_BEYOND, PARE_EDGE_CASE,
                                              PARE_EDGE_BEYOND};
    if (k >= sizeof edges / sizeof *edges) return PARE_OK;
    *edge = edges[k];
    if (k == 1) return PARE_OK; /* left out */
    if (k == 2) return add_other_case(own, out, err);
    if (k == 3) return pare_buffer_text(out, "7", err);
    const pare_status status = pare_buffer_text(out, "q", err);
    return status ? status : pare_buffer_add(out, own.bytes, own.size, err);
}

/* Of digits in quotes zeroes, two more, and none; then left out. Of x'0f' these are x'00',
 * x'0f00', x'' and nothing. */
static pare_status edge_of_hex_literal(pare_span own, uint32_t k, pare_buffer *out,
                                       pare_sampler_edge *edge, pare_error *err)
{
    if (k > 3) return PARE_OK;
    *edge = PARE_EDGE_BEYOND;
    if (k == 3) return PARE_OK;
    pare_status status = pare_buffer_add(out, own.bytes, 2, err);
    for (size_t i = 3; !status && !k && i < own.size; i++)
        status = pare_buffer_text(out, "0", err);
    if (!status && k == 1) status = pare_buffer_add(out, own.bytes + 2, own.size - 3, err);
    if (!status && k == 1) status = pare_buffer_text(out, "00", err);
    return status ? status : pare_buffer_text(out, "'", err);
}

/* A number with a sign before it, which has none yet; all zeroes; left out; a name in its
 * place. A number that has a sign before it begins with the second of these. */
static pare_status edge_of_number(const pare_sampled *part, uint32_t k, pare_buffer *out,
                                  pare_sampler_edge *edge, pare_error *err)
{
    const pare_span own = own_text(part);
    if (pare_sampler_is_hex_literal(own)) return edge_of_hex_literal(own, k, out, edge, err);
    const unsigned char before = part->from ? part->text.bytes[part->from - 1] : ' ';
    if (before == '+' || before == '-') k++;
    if (k > 3) return PARE_OK;
    *edge = PARE_EDGE_BEYOND;
    if (k == 1) return pare_buffer_text(out, part->kind == PARE_PART_WHOLE ? "00" : "0.0", err);
    if (k == 2) return PARE_OK;
    if (k == 3) return pare_buffer_text(out, "q", err);
    const bool is_zero = own.size == 1 && *own.bytes == '0'; /* -0 is hardly another number */
    const pare_status status = pare_buffer_text(out, is_zero ? "-1" : "-", err);
    return status || is_zero ? status : pare_buffer_add(out, own.bytes, own.size, err);
}

/* In this order: with a "q" before its content, nothing, a digit. */
static pare_status edge_of_string(const pare_sampled *part, uint32_t k, pare_buffer *out,
                                  pare_sampler_edge *edge, pare_error *err)
{
    const pare_span own = own_text(part);
    if (k > 2) return PARE_OK;
    *edge = k ? PARE_EDGE_BEYOND : PARE_EDGE_NEAR;
    if (k == 1) return PARE_OK;
    if (k == 2) return pare_buffer_text(out, "7", err);
    const pare_status status = pare_buffer_format(out, err, "%cq", quote_of(part));
    return status ? status : pare_buffer_add(out, own.bytes + 1, own.size - 1, err);
}

/* Of an operator only one: a blank in its place. *edge stays NONE after the last. */
pare_status pare_sampler_edge_text(const pare_sampled *part, uint32_t k, pare_buffer *out,
                                   pare_sampler_edge *edge, pare_error *err)
{
    *edge = PARE_EDGE_NONE;
    switch (part->kind) {
    case PARE_PART_WHOLE:
    case PARE_PART_NUMBER: return edge_of_number(part, k, out, edge, err);
    case PARE_PART_STRING: return edge_of_string(part, k, out, edge, err);
    case PARE_PART_NAME: return edge_of_name(own_text(part), k, out, edge, err);
    case PARE_PART_SIGN: /* that of a number may be left out by a draw */
        if (k || pare_sampler_is_number_sign(part->text, part->from, part->to)) return PARE_OK;
        *edge = PARE_EDGE_BEYOND;
        return pare_buffer_text(out, " ", err);
    case PARE_PART_NODE:
    case PARE_PART_REPEAT:
    case PARE_PART_BYTE: break;
    }
    return PARE_OK;
}

/* ---- nodes ---------------------------------------------------------------------------- */

void pare_sampler_nodes_done(pare_sampler_nodes *nodes)
{
    pare_buffer_done(&nodes->bytes);
    pare_alloc_free(nodes->ends);
    *nodes = (pare_sampler_nodes){.n = 0};
}

pare_span pare_sampler_node(const pare_sampler_nodes *nodes, size_t k)
{
    const size_t from = k ? nodes->ends[k - 1] : 0;
    assert(k < nodes->n);
    return (pare_span){(const unsigned char *)nodes->bytes.data + from, nodes->ends[k] - from};
}

/* What the generator hands over goes here. */
struct taking {
    const pare_sampler_wish *wish;
    pare_sampler_nodes *nodes;
};

/* Whether the two bytes, one after the other, would be of one word. */
static bool would_join(int left, int right)
{
    return pare_tree_is_word_byte(left) && pare_tree_is_word_byte(right);
}

/* Takes a text of the generator, unless it is empty or long.  A blank keeps it apart from a word beside
 * it, which the part's own text (a bracket, say) did not need. Only words need the blank: "x"
 * after "return" would become "returnx", but "(" after it needs none. More than were wished for
 * are dropped. */
static pare_status take(void *context, uint64_t number, const char *text, size_t size,
                        pare_error *err)
{
    struct taking *taking = context;
    const pare_sampled *part = taking->wish->part;
    pare_sampler_nodes *nodes = taking->nodes;
    const unsigned char *bytes = part->text.bytes;
    (void)number;
    if (!size || size > LONGEST_NODE || nodes->n == taking->wish->n) return PARE_OK;
    const bool before = part->from && would_join(bytes[part->from - 1], (unsigned char)text[0]);
    const bool after =
        part->to < part->text.size && would_join((unsigned char)text[size - 1], bytes[part->to]);
    pare_status status = before ? pare_buffer_text(&nodes->bytes, " ", err) : PARE_OK;
    if (!status) status = pare_buffer_add(&nodes->bytes, text, size, err);
    if (!status && after) status = pare_buffer_text(&nodes->bytes, " ", err);
    if (!status) nodes->ends[nodes->n++] = nodes->bytes.size;
    return status;
}

/* The generator checks each text in its place: what stands before and after the part is given
 * to it. Its errors other than a lack of memory only mean that there are no texts, so they are
 * not handed on. */
pare_status pare_sampler_make_nodes(const pare_sampler_wish *wish, pare_sampler_nodes *nodes,
                                    pare_error *err)
{
    struct taking taking = {.wish = wish, .nodes = nodes};
    const pare_sampled *part = wish->part;
    const pare_sampler_source *source = wish->source;
    const char *bytes = (const char *)part->text.bytes;
    pare_generated generated;
    pare_error own = {0};
    if (!source->language && !source->n_grammars) return PARE_OK;
    nodes->ends = pare_alloc(wish->n + 1, sizeof *nodes->ends);
    if (!nodes->ends) return pare_fail_nomem(err);
    const pare_generate_options options = {.grammars = source->grammars,
                                           .n_grammars = source->n_grammars,
                                           .language = source->language,
                                           .start = wish->rule,
                                           .n = wish->n,
                                           .seed = wish->seed,
                                           .jobs = 1,
                                           .repeats = true, /* a new one would cost more checks */
                                           .max_attempts = NODE_ATTEMPTS,
                                           .max_depth = NODE_DEPTH,
                                           .max_tokens = NODE_TOKENS,
                                           .before = bytes,
                                           .before_bytes = part->from,
                                           .after = bytes + part->to,
                                           .after_bytes = part->text.size - part->to};
    /* A rule that the generator does not know, or that makes nothing here, is no error. */
    const pare_status status = pare_generate(&options, take, &taking, &generated, &own);
    /* Each text that was made or refused was parsed once with the whole text around it. */
    if (source->language)
        nodes->checked_bytes = (generated.n + generated.n_refused) * part->text.size;
    return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
}
