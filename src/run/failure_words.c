/* Words by which a line tells that something is wrong.
 *
 * A row is compared with the begin of each word of the text, so that "fail" is also in "failed" and "failure";
 * one that ends with a blank is a whole word.  Words that also tell of success in their usual sentences are no rows:
 * "no" ("no problem"), "problem", "warning". */
#include "run/failure_words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *const starts[] = {
    "abort",      "bad ",         "broken ",    "cannot ",    "conflict",   "corrupt",
    "couldn't ",  "can't ",       "could not ", "damaged",    "denied",     "doesn't ",
    "does not ",  "duplicate",    "error",      "exceed",     "expected",   "fail",
    "illegal",    "inconsistent", "incorrect",  "invalid",    "isn't ",     "is not ",
    "malformed",  "mismatch",     "missing",    "must ",      "no such ",   "not found",
    "not valid",  "not allowed",  "not a ",     "overflow",   "refused",    "too few ",
    "too large ", "too long ",    "too many ",  "too small ", "truncated",  "unable ",
    "unbalanced", "undeclared",   "undefined",  "unexpected", "unknown",    "unrecogni",
    "unresolved", "unsupported",  "unterminat", "wrong ",     "violat",     "not supported",
    "rejected",   "unclosed",     "forbidden",  "ambiguous",  "incomplete", "impossible"};

/* Whether the row stands at `at`; the end of the text ends a word, as does any sign but a letter or a
 * digit. */
static bool stands_at(const char *row, const char *at, size_t size)
{
    size_t n = strlen(row);
    const bool is_whole = row[n - 1] == ' ';
    if (is_whole) n--;
    if (size < n || strncasecmp(at, row, n) != 0) return false;
    return !is_whole || size == n || !isalnum((unsigned char)at[n]);
}

bool pare_failure_words_in(const char *text, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        if (k && isalnum((unsigned char)text[k - 1])) continue;
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
            if (stands_at(starts[i], text + k, size - k)) return true;
    }
    return false;
}
