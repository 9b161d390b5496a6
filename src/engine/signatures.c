/* Signatures of other failures, numbered in the order in which they were met.
 *
 * A linear list: a run meets a handful of other failures, and one is looked for only once a
 * test that shows one.  Numbers, not texts, stand in cache entries and journal records, which
 * have a fixed size; the text of a number is written to the journal once, in pieces.
 * Invariant: texts[k] is the signature of number k + 1, and never changes. */
#include "engine/signatures.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"

/* The table is empty afterwards, and may be filled again. */
void pare_signatures_done(pare_signatures *signatures)
{
    for (uint16_t k = 0; k < signatures->n; k++)
        pare_alloc_free(signatures->texts[k]);
    pare_alloc_free(signatures->texts);
    pare_buffer_done(&signatures->loading);
    *signatures = (pare_signatures){0};
}

/* Appends a copy of `text`, which gets the next number. */
static pare_status add(pare_signatures *signatures, const char *text, pare_error *err)
{
    assert(signatures->n < PARE_SIGNATURES_MAX);
    if (signatures->n == signatures->capacity) {
        uint16_t capacity = (uint16_t)(signatures->capacity ? signatures->capacity * 2 : 16);
        char **texts = pare_alloc_resize(signatures->texts, capacity, sizeof *texts);
        if (!texts) return pare_fail_nomem(err);
        signatures->texts = texts;
        signatures->capacity = capacity;
    }
    char *copy = pare_alloc_text(text, strlen(text));
    if (!copy) return pare_fail_nomem(err);
    signatures->texts[signatures->n++] = copy;
    return PARE_OK;
}

/* Number 0 means that there are too many: such a failure is not saved. */
pare_status pare_signatures_number(pare_signatures *signatures, const char *text, uint16_t *number,
                                   bool *is_new, pare_error *err)
{
    *is_new = false;
    for (uint16_t k = 0; k < signatures->n; k++) {
        if (strcmp(signatures->texts[k], text) != 0) continue;
        *number = (uint16_t)(k + 1);
        return PARE_OK;
    }
    *number = 0;
    if (signatures->n >= PARE_SIGNATURES_MAX) return PARE_OK;
    pare_status status = add(signatures, text, err);
    if (status) return status;
    *number = signatures->n;
    *is_new = true;
    return PARE_OK;
}

/* NULL for 0 and for a number that a damaged journal names. */
const char *pare_signatures_text(const pare_signatures *signatures, uint16_t number)
{
    return number && number <= signatures->n ? signatures->texts[number - 1] : NULL;
}

/* Puts a text of the journal together from its pieces, which follow each other.  Texts get their
 * numbers in the order of the journal, so they are those of the outcomes in it. */
pare_status pare_signatures_load(pare_signatures *signatures, const pare_signature_piece *piece,
                                 pare_error *err)
{
    if (piece->first) pare_buffer_reset(&signatures->loading);
    pare_status status = pare_buffer_add(&signatures->loading, piece->text, piece->size, err);
    if (status || !piece->last) return status;
    if (signatures->n < PARE_SIGNATURES_MAX)
        status = add(signatures, signatures->loading.data, err);
    pare_buffer_reset(&signatures->loading);
    return status;
}
