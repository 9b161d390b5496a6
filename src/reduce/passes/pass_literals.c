/* The passes that make tokens smaller from inside: numbers, strings, token-insides.
 *
 * Each offers the drastic text first (0, an empty string, half a word) and milder ones as parts
 * of it: parts are tried only when the whole has failed.  Where a grammar's lexer rules are
 * known, pass_token_rules.c does the same exactly; these go by what the bytes look like.
 * Invariant: every text offered is simpler than the token's own (pare_pass_is_simpler), so no
 * sequence of successes can go in a circle.
 * Source: C-Reduce's ints, delete-string and shorten-string; Shrink Ray's integer literals and
 * hollow; Hypothesis' integers; T-Rec for tokens. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "grammar/grammar.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* --- numbers ----------------------------------------------------------------------------- */

enum { LONGEST_NUMBER = 64, LONGEST_INTEGER = 15 };

/* One number, with the patches that are offered for it. */
struct lowering {
    pare_patches *out;
    pare_extent place;
    const char *text;
    size_t size;
    uint32_t zero; /* the patch that the others are parts of */
};

/* Whether the byte is a decimal digit. */
static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Offers the text for the number if it is simpler. */
static pare_status lower_to(struct lowering *lowering, const char *text, size_t size,
                            pare_error *err)
{
    if (!size || !pare_pass_is_simpler(text, size, lowering->text, lowering->size)) return PARE_OK;
    return pare_pass_offer_text(lowering->out, (pare_pass_text){lowering->place, text, size},
                                lowering->zero, NULL, err);
}

/* How many digits stand at `at`. */
static size_t digits_at(const char *text, size_t size, size_t at)
{
    size_t n = 0;
    while (at + n < size && is_digit(text[at + n]))
        n++;
    return n;
}

/* Digits alone: some of them, and ten to the power of their number.
 *
 * Example: `1234` becomes `12`, else `34`, `1e3`, `9e3`, `123` or `234`. */
static pare_status lower_digits(struct lowering *lowering, size_t n, pare_error *err)
{
    const char *text = lowering->text;
    char other[LONGEST_NUMBER];
    pare_status status = lower_to(lowering, text, n / 2, err);
    if (!status) status = lower_to(lowering, text + n / 2, n - n / 2, err);
    for (const char *first = "19"; !status && *first; first++) {
        int size = snprintf(other, sizeof other, "%ce%zu", *first, n - 1);
        if (n > 1) status = lower_to(lowering, other, (size_t)size, err);
    }
    if (!status) status = lower_to(lowering, text, n - 1, err);
    return status ? status : lower_to(lowering, text + 1, n - 1, err);
}

/* A single digit may become any lower one, from 2 on. */
static pare_status lower_digit(struct lowering *lowering, pare_error *err)
{
    pare_status status = PARE_OK;
    for (char digit = '2'; !status && digit < *lowering->text; digit++)
        status = lower_to(lowering, &digit, 1, err);
    return status;
}

/* The same number of digits, lower ones: 10..0, and each digit 0 by itself. */
static pare_status lower_values(struct lowering *lowering, size_t n, pare_error *err)
{
    char other[LONGEST_NUMBER];
    assert(n > 0 && n <= lowering->size && lowering->size <= sizeof other);
    memcpy(other, lowering->text, lowering->size);
    memset(other, '0', n);
    other[0] = '1';
    pare_status status = lower_to(lowering, other, lowering->size, err);
    for (size_t i = n > 1 ? n : 0; !status && i-- > 0;) {
        memcpy(other, lowering->text, lowering->size);
        other[i] = i ? '0' : '1';
        status = lower_to(lowering, other, lowering->size, err);
    }
    return status;
}

/* 0x1f becomes 31, else loses its last digit. */
static pare_status lower_hexadecimal(struct lowering *lowering, pare_error *err)
{
    char copy[LONGEST_NUMBER + 1], decimal[LONGEST_NUMBER], *end;
    /* Too large for 64 bits: only its first digit is kept. */
    if (lowering->size > LONGEST_INTEGER) return lower_to(lowering, lowering->text, 3, err);
    memcpy(copy, lowering->text, lowering->size);
    copy[lowering->size] = '\0';
    unsigned long long value = strtoull(copy + 2, &end, 16);
    int size = snprintf(decimal, sizeof decimal, "%llu", value);
    pare_status status = lower_to(lowering, decimal, (size_t)size, err);
    return status ? status : lower_to(lowering, copy, lowering->size - 1, err);
}

/* Whether the number begins with 0x and has a digit. */
static bool is_hexadecimal(const struct lowering *lowering)
{
    return lowering->size >= 3 && lowering->text[0] == '0' && (lowering->text[1] | 0x20) == 'x';
}

/* The number up to its point, one digit after it, its exponent, its suffix; its fraction.
 *
 * Example: `12.50f` becomes `12`, else `12.5`, else `12.50`, else `.50f`. */
static pare_status lower_parts(struct lowering *lowering, pare_error *err)
{
    const char *text = lowering->text;
    size_t size = lowering->size, whole = digits_at(text, size, 0), end = whole, suffix = size;
    bool point = end < size && text[end] == '.';
    if (point) end += 1 + digits_at(text, size, end + 1);
    while (suffix && !is_digit(text[suffix - 1]))
        suffix--;
    /* 0 and 1 were offered already. */
    pare_status status = whole > 1 || *text > '1' ? lower_to(lowering, text, whole, err) : PARE_OK;
    if (!status && end > whole + 2) status = lower_to(lowering, text, whole + 2, err);
    if (!status && end > whole) status = lower_to(lowering, text, end, err);
    if (!status && suffix > end) status = lower_to(lowering, text, suffix, err);
    if (!status && point) status = lower_to(lowering, text + whole, size - whole, err);
    return status;
}

/* 0, else 1, else what its form allows. */
static pare_status offer_number(const pare_pass_view *view, size_t i, pare_patches *out,
                                pare_error *err)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    struct lowering lowering = {.out = out,
                                .place = {at->from, at->to},
                                .text = (const char *)view->bytes + at->from,
                                .size = at->to - at->from,
                                .zero = PARE_NO_PATCH};
    uint32_t zero = PARE_NO_PATCH;
    /* It is 0 already. */
    if (!pare_pass_is_simpler("0", 1, lowering.text, lowering.size)) return PARE_OK;
    pare_status status = pare_pass_offer_text(out, (pare_pass_text){lowering.place, "0", 1},
                                              PARE_NO_PATCH, &zero, err);
    lowering.zero = zero;
    if (!status) status = lower_to(&lowering, "1", 1, err);
    if (status || lowering.size > LONGEST_NUMBER) return status;
    if (lowering.size == 1) return lower_digit(&lowering, err);
    if (is_hexadecimal(&lowering)) return lower_hexadecimal(&lowering, err);
    size_t n = digits_at(lowering.text, lowering.size, 0);
    if (!status && n < lowering.size) status = lower_parts(&lowering, err);
    if (!status && n == lowering.size) status = lower_digits(&lowering, n, err);
    if (!status && n) status = lower_values(&lowering, n, err);
    return status;
}

/* numbers: each becomes 0, else 1, else something shorter: without its suffix, fraction or
 * exponent, half of its digits, one digit less, decimal in place of hexadecimal, a power of ten
 * that is written as such; else lower digits.  All become 0 at once first; a number that cannot
 * is lowered on its own.
 * Source: C-Reduce's ints a to e, Shrink Ray's integer literals,
 * Hypothesis' integers. */
static pare_status offer_numbers(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++)
        if (view->lexemes.at[i].kind == PARE_LEXEME_NUMBER)
            status = offer_number(view, i, out, err);
    return status;
}

const pare_pass pare_pass_numbers = {
    .name = "numbers",
    .summary = "replaces numbers by 0, 1, or a shorter or lower number",
    .source = "C-Reduce, ints; Shrink Ray, integer literals",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .offer = offer_numbers,
};

/* --- strings ----------------------------------------------------------------------------- */

enum { LONGEST_STRING = 4096, MOST_OTHERS = 8 };

/* Bytes from .. to-1 inside the quotes go, else one half of them, else the other. */
static pare_status offer_string_halves(pare_extent part, uint32_t parent, pare_patches *out,
                                       pare_error *err)
{
    uint32_t index = PARE_NO_PATCH;
    pare_status status = pare_pass_offer_cut(out, part, parent, &index, err);
    size_t size = part.to - part.from;
    if (status || size < 2) return status;
    size_t middle = part.from + size / 2;
    status = offer_string_halves((pare_extent){part.from, middle}, index, out, err);
    return status ? status : offer_string_halves((pare_extent){middle, part.to}, index, out, err);
}

/* The first strings of the text that are simpler, in its place. */
static pare_status offer_others(const pare_pass_view *view, size_t i, uint32_t parent,
                                const pare_pass_words *strings, pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < strings->n && k < MOST_OTHERS; k++) {
        uint32_t other = strings->items[k].first;
        const unsigned char *text = view->bytes + at[other].from;
        if (pare_pass_is_simpler(text, pare_pass_lexeme_size(view, other), view->bytes + at[i].from,
                                 pare_pass_lexeme_size(view, i)))
            status =
                pare_pass_offer_text(out,
                                     (pare_pass_text){(pare_extent){at[i].from, at[i].to}, text,
                                                      pare_pass_lexeme_size(view, other)},
                                     parent, NULL, err);
    }
    return status;
}

/* Each byte above `0` becomes that; not what escapes a quote, which would end the string. */
static pare_status offer_zeros(const pare_pass_view *view, pare_extent inside, uint32_t parent,
                               pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t at = inside.from; !status && at < inside.to; at++)
        if (view->bytes[at] > '0' && view->bytes[at] < 0x80 && view->bytes[at] != '\\')
            status = pare_pass_offer_text(out, (pare_pass_text){(pare_extent){at, at + 1}, "0", 1},
                                          parent, NULL, err);
    return status;
}

/* Offers for one string, drastic ones first. Example: `"ab"` becomes `""`, or else `0`, `ab`,
 * another string, `"b"`, `"a"`, and with each byte in turn `0`. */
static pare_status offer_string(const pare_pass_view *view, size_t i,
                                const pare_pass_words *strings, pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    pare_extent all = {at->from, at->to}, inside = {at->from + 1, at->to - 1};
    uint32_t empty = PARE_NO_PATCH;
    size_t size = inside.to - inside.from;
    if (!size)
        return pare_pass_offer_text(out, (pare_pass_text){all, "0", 1}, PARE_NO_PATCH, NULL, err);
    pare_status status = pare_pass_offer_cut(out, inside, PARE_NO_PATCH, &empty, err);
    if (!status)
        status = pare_pass_offer_text(out, (pare_pass_text){all, "0", 1}, empty, NULL, err);
    if (!status)
        status = pare_pass_offer_text(out, (pare_pass_text){all, view->bytes + inside.from, size},
                                      empty, NULL, err);
    if (!status) status = offer_others(view, i, empty, strings, out, err);
    if (status || size < 2 || size > LONGEST_STRING)
        return status ? status : offer_zeros(view, inside, empty, out, err);
    size_t middle = inside.from + size / 2;
    status = offer_string_halves((pare_extent){inside.from, middle}, empty, out, err);
    if (!status) status = offer_string_halves((pare_extent){middle, inside.to}, empty, out, err);
    return status ? status : offer_zeros(view, inside, empty, out, err);
}

/* strings: each becomes empty, else loses its quotes, else becomes 0 or another string of the
 * text that is simpler; what stands between its quotes is halved down to single bytes, and its
 * bytes become `0`.  Nothing where a quote stands alone: a change could pair it with another
 * one.
 * Source: C-Reduce's clex delete-string and shorten-string, Shrink Ray's hollow and merge of
 * strings.  Deviation: all strings are emptied at once
 * first. */
static pare_status offer_strings(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    pare_pass_words strings = {0};
    (void)pass;
    pare_status status = PARE_OK;
    if (!pare_pass_has_lone_quote(view))
        status = pare_pass_list_words(view, PARE_LEXEME_STRING, 1, &strings, err);
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++)
        if (view->lexemes.at[i].kind == PARE_LEXEME_STRING)
            status = offer_string(view, i, &strings, out, err);
    pare_pass_words_done(&strings);
    return status;
}

const pare_pass pare_pass_strings = {
    .name = "strings",
    .summary = "empties strings, removes their quotes, shortens them, or replaces them by 0",
    .source = "C-Reduce, delete-string; Shrink Ray, hollow",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .offer = offer_strings,
};

/* --- token-insides ----------------------------------------------------------------------- */

enum { TOKENS_MOST_LEXEMES = 5000, LONGEST_TOKEN = 256 };

/* A token, by the first lexeme of its bytes, and where its patches go. */
struct shrinking {
    const pare_pass_view *view;
    uint32_t first;
    pare_patches *out;
    pare_error *err;
};

/* Bytes from .. to-1 of the token, counted from its begin, become `with` at each of its
 * occurrences. */
static pare_status offer_part(const struct shrinking *token, pare_extent part, const char *with,
                              uint32_t parent, uint32_t *index)
{
    const pare_lexeme *at = token->view->lexemes.at;
    pare_status status = PARE_OK;
    for (uint32_t i = token->first; !status && i != PARE_NO_LEXEME; i = at[i].next)
        status = pare_patches_change(token->out, at[i].from + part.from, at[i].from + part.to, with,
                                     *with ? 1 : 0, token->err);
    return status ? status : pare_patches_end(token->out, parent, index, token->err);
}

/* The part goes, else one of its halves, and so on.  The whole token is left to other passes. */
static pare_status offer_token_halves(const struct shrinking *token, pare_extent part,
                                      uint32_t parent)
{
    uint32_t index = parent;
    size_t size = part.to - part.from, middle = part.from + size / 2;
    pare_status status = PARE_OK;
    if (size < pare_pass_lexeme_size(token->view, token->first))
        status = offer_part(token, part, "", parent, &index);
    if (status || size < 2) return status;
    status = offer_token_halves(token, (pare_extent){part.from, middle}, index);
    return status ? status : offer_token_halves(token, (pare_extent){middle, part.to}, index);
}

/* The simplest byte of the class of `byte`, as a C string; itself for signs. */
static const char *simplest(unsigned char byte)
{
    if (byte >= '0' && byte <= '9') return "0";
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ? "a" : "";
}

/* Each byte becomes the simplest one of its class, everywhere at once. */
static pare_status offer_simpler(const struct shrinking *token)
{
    pare_status status = PARE_OK;
    const unsigned char *text = token->view->bytes + token->view->lexemes.at[token->first].from;
    for (size_t i = 0; !status && i < pare_pass_lexeme_size(token->view, token->first); i++) {
        const char *with = simplest(text[i]);
        if (*with && pare_pass_is_simpler(with, 1, &text[i], 1))
            status = offer_part(token, (pare_extent){i, i + 1}, with, PARE_NO_PATCH, NULL);
    }
    return status;
}

/* token-insides: half of a token goes, or a quarter, .. or one byte of it, wherever the token
 * occurs at once; then one byte of it becomes a simpler one of its class.
 *
 * Without the lexer's rule for the token, a digit may only become another digit or be deleted;
 * likewise letters.  Strings and numbers have passes of their own, and so have tokens whose
 * rule is known (pass_token_rules.c).
 * It saved no byte over 31 real cases and 600 generated ones, for 4 tests a case, but made 15 texts
 * simpler: it stays for canonical results (docs/lab/passes.md).
 * Source: T-Rec, which derives what may go from the lexer's rule; here the
 * test tells, and occurrences change together as its identifiers do. */
static pare_status offer_tokens(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    for (uint32_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        size_t size = pare_pass_lexeme_size(view, i);
        /* Each distinct token once: its occurrences change together. */
        bool fits = at->kind == PARE_LEXEME_WORD || at->kind == PARE_LEXEME_OTHER;
        if (!fits || at->first != i || size < 2 || size > LONGEST_TOKEN) continue;
        if (pare_pass_is_keyword(view, i) || pare_pass_lexeme_type(view, i) != PARE_NO_INDEX)
            continue;
        struct shrinking token = {view, i, out, err};
        status = offer_token_halves(&token, (pare_extent){0, size}, PARE_NO_PATCH);
        if (!status && at->kind == PARE_LEXEME_OTHER) status = offer_simpler(&token);
    }
    return status;
}

const pare_pass pare_pass_shrink_token = {
    .name = "token-insides",
    .summary = "shortens words and other tokens from the inside, wherever they occur",
    .source = "T-Rec, without the lexer's rules",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = TOKENS_MOST_LEXEMES,
    .offer = offer_tokens,
};
