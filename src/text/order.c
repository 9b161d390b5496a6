/* The order of texts: fewer bytes, then fewer tokens, then simpler bytes.
 *
 * Shortlex with a readable preference, so that reductions of one bug tend to the same text.
 * Only texts of one size are looked at byte by byte, and only if their digests differ: most
 * comparisons are of two sizes.
 * Invariant: a total order; two texts are equal in it only if their bytes are.
 * Source: shortlex as in Hypothesis (docs/design/sources.md), with another order of bytes. */
#include "text/order.h"

#include <string.h>

#include <pare/algorithm.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "text/split/split.h"

/* Lower is simpler: digits, small letters, capitals, signs, white space, and bytes that are not
 * seen. */
unsigned pare_order_byte_rank(unsigned char byte)
{
    if (byte >= '0' && byte <= '9') return byte - (unsigned)'0';
    if (byte >= 'a' && byte <= 'z') return byte - (unsigned)'a' + 0x10;
    if (byte >= 'A' && byte <= 'Z') return byte - (unsigned)'A' + 0x30;
    if (byte > ' ' && byte < 0x7f) return byte + 0x80u;
    if (byte == ' ') return 0x100u;
    return byte + (byte >= '\t' && byte <= '\r' ? 0x100u : 0x200u);
}

/* The bytes of which the token splitter makes spaces and line ends. */
static bool is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Tokens that are seen: spaces and line ends are tokens of the splitter, but no more to read. */
pare_status pare_order_tokens(const unsigned char *bytes, size_t size, size_t *n, pare_error *err)
{
    pare_bounds bounds = {0};
    pare_status status = pare_splitter_find("token")->split(bytes, size, &bounds, err);
    if (status) return status;
    size_t spaces = 0;
    for (size_t i = 0; i < bounds.n; i++)
        spaces += is_space(bytes[pare_split_bounds_begin(&bounds, i)]);
    *n = bounds.n - spaces;
    pare_split_bounds_done(&bounds);
    return PARE_OK;
}

/* The public name of the same. */
pare_status pare_count_tokens(const void *bytes, size_t size_bytes, size_t *n, pare_error *err)
{
    return pare_order_tokens(bytes, size_bytes, n, err);
}

/* Below 0, 0 or above, without the overflow of a subtraction. */
static int by_number(size_t a, size_t b)
{
    return a < b ? -1 : a > b;
}

/* The first byte that differs decides, as in a dictionary. */
static int by_rank(const unsigned char *a, const unsigned char *b, size_t size)
{
    size_t i = 0;
    while (i < size && a[i] == b[i])
        i++;
    return i < size ? by_number(pare_order_byte_rank(a[i]), pare_order_byte_rank(b[i])) : 0;
}

/* Both have `size` bytes. */
static pare_status compare_bytes(const unsigned char *a, const unsigned char *b, size_t size,
                                 int *order, pare_error *err)
{
    size_t n_a = 0, n_b = 0;
    pare_status status = pare_order_tokens(a, size, &n_a, err);
    if (!status) status = pare_order_tokens(b, size, &n_b, err);
    if (!status) *order = n_a != n_b ? by_number(n_a, n_b) : by_rank(a, b, size);
    return status;
}

/* Bytes are only rendered where sizes are equal and digests are not: rarely, for candidates
 * differ in size as a rule. */
pare_status pare_order_compare(const pare_candidate *a, const pare_candidate *b, int *order,
                               pare_error *err)
{
    *order = by_number(a->size, b->size);
    if (*order || pare_digest_equal(pare_candidate_digest(a), pare_candidate_digest(b)))
        return PARE_OK;
    unsigned char *bytes = pare_alloc(a->size, 2);
    if (!bytes) return pare_fail_nomem(err);
    pare_candidate_read(a, bytes);
    pare_candidate_read(b, bytes + a->size);
    pare_status status = compare_bytes(bytes, bytes + a->size, a->size, order, err);
    pare_alloc_free(bytes);
    return status;
}
