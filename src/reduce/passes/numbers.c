/* numbers: each becomes 0, else 1, else something shorter: without its suffix, fraction or
 * exponent, half of its digits, one digit less, decimal in place of hexadecimal, a
 * power of ten that is written as such; else lower digits.
 *
 * All become 0 at once first; a number that cannot is lowered on its own.
 * Source: C-Reduce's ints a to e (tree-reducers §5.2), Shrink Ray's integer literals,
 * Hypothesis' integers (list-reducers §2.7). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/vocabulary.h"
#include "text/patch.h"

enum { LONGEST = 64, LONGEST_INTEGER = 15 };

/* One number and the patches that it is offered. */
struct lowering {
    pare_patches *out;
    pare_extent place;
    const char *text;
    size_t size;
    uint32_t zero; /* the patch that the others are parts of */
};

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static pare_status lower_to(struct lowering *lowering, const char *text, size_t size,
                            pare_error *err)
{
    if (!size || !pare_is_simpler(text, size, lowering->text, lowering->size)) return PARE_OK;
    return pare_offer_text(lowering->out, lowering->place, text, size, lowering->zero, NULL, err);
}

static size_t digits_at(const char *text, size_t size, size_t at)
{
    size_t n = 0;
    while (at + n < size && is_digit(text[at + n]))
        n++;
    return n;
}

/* Digits alone: some of them, and ten to the power of their number. */
static pare_status lower_digits(struct lowering *lowering, size_t n, pare_error *err)
{
    const char *text = lowering->text;
    char other[LONGEST];
    pare_status status = lower_to(lowering, text, n / 2, err);
    if (!status) status = lower_to(lowering, text + n / 2, n - n / 2, err);
    for (const char *first = "19"; !status && *first; first++) {
        int size = snprintf(other, sizeof other, "%ce%zu", *first, n - 1);
        if (n > 1) status = lower_to(lowering, other, (size_t)size, err);
    }
    if (!status) status = lower_to(lowering, text, n - 1, err);
    return status ? status : lower_to(lowering, text + 1, n - 1, err);
}

/* One digit: each that is lower, from 2. */
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
    char other[LONGEST];
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

/* 0x1f: as 31. */
static pare_status lower_hexadecimal(struct lowering *lowering, pare_error *err)
{
    char copy[LONGEST + 1], decimal[LONGEST], *end;
    if (lowering->size > LONGEST_INTEGER) return lower_to(lowering, lowering->text, 3, err);
    memcpy(copy, lowering->text, lowering->size);
    copy[lowering->size] = '\0';
    unsigned long long value = strtoull(copy + 2, &end, 16);
    int size = snprintf(decimal, sizeof decimal, "%llu", value);
    pare_status status = lower_to(lowering, decimal, (size_t)size, err);
    return status ? status : lower_to(lowering, copy, lowering->size - 1, err);
}

static bool is_hexadecimal(const struct lowering *lowering)
{
    return lowering->size >= 3 && lowering->text[0] == '0' && (lowering->text[1] | 0x20) == 'x';
}

/* The number up to its point, one digit behind it, its exponent, its suffix; its fraction. */
static pare_status lower_parts(struct lowering *lowering, pare_error *err)
{
    const char *text = lowering->text;
    size_t size = lowering->size, whole = digits_at(text, size, 0), end = whole, suffix = size;
    bool point = end < size && text[end] == '.';
    if (point) end += 1 + digits_at(text, size, end + 1);
    while (suffix && !is_digit(text[suffix - 1]))
        suffix--;
    pare_status status = whole > 1 || *text > '1' ? lower_to(lowering, text, whole, err) : PARE_OK;
    if (!status && end > whole + 2) status = lower_to(lowering, text, whole + 2, err);
    if (!status && end > whole) status = lower_to(lowering, text, end, err);
    if (!status && suffix > end) status = lower_to(lowering, text, suffix, err);
    if (!status && point) status = lower_to(lowering, text + whole, size - whole, err);
    return status;
}

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
    if (!pare_is_simpler("0", 1, lowering.text, lowering.size)) return PARE_OK;
    pare_status status = pare_offer_text(out, lowering.place, "0", 1, PARE_NO_PATCH, &zero, err);
    lowering.zero = zero;
    if (!status) status = lower_to(&lowering, "1", 1, err);
    if (status || lowering.size > LONGEST) return status;
    if (lowering.size == 1) return lower_digit(&lowering, err);
    if (is_hexadecimal(&lowering)) return lower_hexadecimal(&lowering, err);
    size_t n = digits_at(lowering.text, lowering.size, 0);
    if (!status && n < lowering.size) status = lower_parts(&lowering, err);
    if (!status && n == lowering.size) status = lower_digits(&lowering, n, err);
    if (!status && n) status = lower_values(&lowering, n, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    for (size_t i = 0; !status && i < view->lexemes.n; i++)
        if (view->lexemes.at[i].kind == PARE_LEXEME_NUMBER)
            status = offer_number(view, i, out, err);
    return status;
}

const pare_pass pare_pass_numbers = {
    .name = "numbers",
    .summary = "makes numbers 0, 1, shorter or lower",
    .source = "C-Reduce, ints; Shrink Ray, integer literals",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .offer = offer,
};
