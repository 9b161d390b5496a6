/* Indices to values.
 *
 * Integers lie around the simplest one: +1, -1, +2, -2, ... while there are numbers on both
 * sides, then on along the longer one.  A fraction is its index with the bits in reverse
 * behind the point (van der Corput's sequence), so halves come before quarters. */
#include "reduce/choice/values.h"

#include <assert.h>
#include <math.h>

#include <utf8proc.h>

#include "base/buffer.h"
#include "reduce/choice/record.h"

enum { FRACTION_BITS = 52 };

static int64_t into(int64_t value, int64_t low, int64_t high)
{
    if (value < low) return low;
    return value > high ? high : value;
}

uint64_t pare_choice_of_integer(int64_t low, int64_t high, int64_t simplest, int64_t value)
{
    simplest = into(simplest, low, high);
    uint64_t above = (uint64_t)high - (uint64_t)simplest;
    uint64_t below = (uint64_t)simplest - (uint64_t)low;
    uint64_t both = above < below ? above : below;
    bool is_above = value > simplest;
    uint64_t distance =
        is_above ? (uint64_t)value - (uint64_t)simplest : (uint64_t)simplest - (uint64_t)value;
    if (distance > both) return both + distance;
    return is_above ? 2 * distance - 1 : 2 * distance;
}

int64_t pare_choice_to_integer(int64_t low, int64_t high, int64_t simplest, uint64_t index)
{
    simplest = into(simplest, low, high);
    uint64_t above = (uint64_t)high - (uint64_t)simplest;
    uint64_t below = (uint64_t)simplest - (uint64_t)low;
    uint64_t both = above < below ? above : below;
    bool is_above = index > 2 * both ? above > below : index % 2 == 1;
    uint64_t distance = index > 2 * both ? index - both : index / 2 + index % 2;
    return (int64_t)(is_above ? (uint64_t)simplest + distance : (uint64_t)simplest - distance);
}

pare_status pare_choose_integer(pare_choices *choices, int64_t low, int64_t high, int64_t simplest,
                                int64_t *value, pare_error *err)
{
    uint64_t width = (uint64_t)high - (uint64_t)low, index;
    assert(low <= high && width < UINT64_MAX - 1);
    pare_status status = pare_choices_next(choices, PARE_CHOICE_NUMBER, width + 1, &index, err);
    if (!status) *value = pare_choice_to_integer(low, high, simplest, index);
    return status;
}

pare_status pare_choose_size(pare_choices *choices, uint64_t low, uint64_t high, uint64_t *size,
                             pare_error *err)
{
    assert(low <= high && high - low < UINT64_MAX - 1);
    uint64_t more;
    pare_status status = pare_choices_next(choices, PARE_CHOICE_SIZE, high - low + 1, &more, err);
    if (!status) *size = low + more;
    return status;
}

pare_status pare_choose_element(pare_choices *choices, uint64_t n, uint64_t *which, pare_error *err)
{
    return pare_choices_next(choices, PARE_CHOICE_BRANCH, n, which, err);
}

/* 0 <= fraction < 1 */
static double fraction_of(uint64_t index)
{
    double fraction = 0, weight = 0.5;
    for (; index; index >>= 1) {
        if (index & 1) fraction += weight;
        weight /= 2;
    }
    return fraction;
}

pare_status pare_choose_float(pare_choices *choices, double low, double high, double *value,
                              pare_error *err)
{
    assert(low <= high && low >= -0x1p53 && high <= 0x1p53);
    int64_t whole = 0;
    uint64_t index = 0;
    pare_status status = pare_choices_open(choices, PARE_SPAN_FLOAT, err);
    if (status) return status;
    status =
        pare_choose_integer(choices, (int64_t)floor(low), (int64_t)floor(high), 0, &whole, err);
    if (!status)
        status = pare_choices_next(choices, PARE_CHOICE_NUMBER, UINT64_C(1) << FRACTION_BITS,
                                   &index, err);
    if (status) return status;
    pare_choices_close(choices);
    double sum = (double)whole + fraction_of(index);
    *value = sum < low ? low : sum > high ? high : sum;
    return PARE_OK;
}

static pare_status add_character(pare_choices *choices, pare_alphabet alphabet, pare_buffer *text,
                                 pare_error *err)
{
    utf8proc_uint8_t bytes[4];
    int64_t point;
    pare_status status =
        pare_choose_integer(choices, alphabet.first, alphabet.last, alphabet.simplest, &point, err);
    if (status) return status;
    utf8proc_ssize_t size = utf8proc_encode_char((utf8proc_int32_t)point, bytes);
    if (point >= 0xD800 && point <= 0xDFFF) size = utf8proc_encode_char(0xFFFD, bytes);
    return pare_buffer_add(text, bytes, (size_t)size, err);
}

static pare_status add_byte(pare_choices *choices, pare_buffer *bytes, pare_error *err)
{
    uint64_t index;
    pare_status status = pare_choices_next(choices, PARE_CHOICE_NUMBER, 256, &index, err);
    if (status) return status;
    unsigned char byte = (unsigned char)index;
    return pare_buffer_add(bytes, &byte, 1, err);
}

/* low .. high elements; bytes without an alphabet. */
static pare_status add_elements(pare_choices *choices, const pare_alphabet *alphabet, uint64_t low,
                                uint64_t high, pare_buffer *to, pare_error *err)
{
    uint64_t n = 0;
    pare_status status =
        pare_choices_open(choices, alphabet ? PARE_SPAN_STRING : PARE_SPAN_BYTES, err);
    if (!status) status = pare_choose_size(choices, low, high, &n, err);
    for (uint64_t i = 0; !status && i < n; i++) {
        status = pare_choices_open(choices, PARE_SPAN_ELEMENT, err);
        if (status) return status;
        status = alphabet ? add_character(choices, *alphabet, to, err) : add_byte(choices, to, err);
        if (!status) pare_choices_close(choices);
    }
    if (!status) pare_choices_close(choices);
    return status;
}

pare_status pare_choose_bytes(pare_choices *choices, uint64_t low, uint64_t high,
                              pare_buffer *bytes, pare_error *err)
{
    return add_elements(choices, NULL, low, high, bytes, err);
}

pare_status pare_choose_string(pare_choices *choices, pare_alphabet alphabet, uint64_t low,
                               uint64_t high, pare_buffer *text, pare_error *err)
{
    return add_elements(choices, &alphabet, low, high, text, err);
}
