/* Complaints by candidate: a hash index over slices of one text.
 *
 * The text of an entry is empty where the test said nothing; else MARK and the lines of its
 * complaints, so that "it said that all is well" and "it said nothing" are told apart.
 * An entry is made once and never changed, so speculation, which has looked at it, and the true
 * state hear the same.  Forgetting all at once, when the text is full, needs no order of age: it
 * costs tests, and changes no result.
 * Invariant: entries are slices of `texts`, each of which parses, or is damaged and then silent. */
#include "engine/heard.h"

#include <assert.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "run/complaints.h"
#include "run/printed.h"

enum { MOST_ENTRIES = 1 << 16, MOST_BYTES = 16 * 1024 * 1024 };

static const char MARK = '+'; /* before the complaints of a test that told */

struct pare_heard_entry {
    pare_digest key;
    size_t at, size; /* in texts */
    bool rejects;    /* an error is among the complaints */
};

/* It is empty afterwards, and may be filled again. */
void pare_heard_done(pare_heard *heard)
{
    pare_alloc_free(heard->entries);
    pare_hash_index_done(&heard->index);
    pare_buffer_done(&heard->texts);
    pare_buffer_done(&heard->loading);
    *heard = (pare_heard){.n = 0};
}

/* The complaints noted for the candidate; NULL: nobody has listened to a test of it. */
static const struct pare_heard_entry *find(const pare_heard *heard, pare_digest key)
{
    uint32_t place;
    if (!heard->n) return NULL;
    pare_hash_probe probe = pare_hash_index_probe(&heard->index, key.low);
    while (pare_hash_index_next(&heard->index, &probe, &place))
        if (pare_digest_equal(heard->entries[place].key, key)) return &heard->entries[place];
    return NULL;
}

pare_heard_what pare_heard_of(const pare_heard *heard, pare_digest key)
{
    const struct pare_heard_entry *entry = find(heard, key);
    if (!entry) return PARE_HEARD_NOT;
    if (!entry->size) return PARE_HEARD_SILENT;
    return entry->rejects ? PARE_HEARD_COMPLAINTS : PARE_HEARD_COMPILES;
}

void pare_heard_get(const pare_heard *heard, pare_digest key, pare_complaints *complaints)
{
    const struct pare_heard_entry *entry = find(heard, key);
    complaints->n = 0;
    if (!entry || !entry->size) return;
    /* What is damaged is empty: then nothing was heard. */
    (void)pare_complaints_parse(complaints, heard->texts.data + entry->at + 1, entry->size - 1);
}

/* Makes room for one more text of `size` bytes. When the table is full everything is forgotten. */
static pare_status make_room(pare_heard *heard, size_t size, pare_error *err)
{
    if (heard->n == MOST_ENTRIES || heard->texts.size + size > MOST_BYTES) {
        heard->n = 0;
        pare_buffer_reset(&heard->texts);
        pare_hash_index_reset(&heard->index);
    }
    struct pare_heard_entry *entries =
        pare_vector_grow(heard->entries, heard->n, &heard->capacity, sizeof *entries);
    if (!entries) return pare_fail_nomem(err);
    heard->entries = entries;
    return PARE_OK;
}

/* Adds the text that was put at the end of `texts` as the entry of `key`. */
static pare_status add(pare_heard *heard, pare_digest key, size_t at, bool rejects, pare_error *err)
{
    pare_status status = pare_hash_index_add(&heard->index, key.low, (uint32_t)heard->n, err);
    if (status) {
        heard->texts.size = at;
        return status;
    }
    assert(at <= heard->texts.size);
    heard->entries[heard->n++] = (struct pare_heard_entry){
        .key = key, .at = at, .size = heard->texts.size - at, .rejects = rejects};
    return PARE_OK;
}

/* Printed to `loading` first: how long the text is decides whether there is room. */
pare_status pare_heard_put(pare_heard *heard, pare_digest key, const pare_complaints *complaints,
                           pare_printed *text, pare_error *err)
{
    pare_status status = PARE_OK;
    const struct pare_heard_entry *entry = find(heard, key);
    if (!entry) {
        pare_buffer_reset(&heard->loading);
        if (complaints) status = pare_buffer_add(&heard->loading, &MARK, 1, err);
        if (!status && complaints) status = pare_complaints_print(complaints, &heard->loading, err);
        if (!status) status = make_room(heard, heard->loading.size, err);
        size_t at = heard->texts.size;
        if (!status)
            status = pare_buffer_add(&heard->texts, heard->loading.data, heard->loading.size, err);
        pare_buffer_reset(&heard->loading);
        if (!status)
            status = add(heard, key, at, complaints && pare_complaints_reject(complaints), err);
        if (status) return status;
        entry = &heard->entries[heard->n - 1];
    }
    *text = (pare_printed){heard->texts.data + entry->at, entry->size};
    return PARE_OK;
}

/* A piece without a first one before it is dropped: its beginning was cut off. */
pare_status pare_heard_load(pare_heard *heard, const pare_heard_piece *piece, pare_error *err)
{
    if (piece->first) pare_buffer_reset(&heard->loading);
    heard->is_loaded = false;
    pare_status status = pare_buffer_add(&heard->loading, piece->text, piece->size, err);
    if (!status) heard->is_loaded = piece->last;
    return status;
}

/* A damaged text counts as none: the candidate is tested again when its complaints matter. */
pare_status pare_heard_assign(pare_heard *heard, pare_digest key, pare_error *err)
{
    pare_complaints complaints = {.n = 0};
    pare_printed text;
    const char *from = heard->loading.data;
    size_t size = heard->loading.size;
    if (!heard->is_loaded) return PARE_OK;
    heard->is_loaded = false;
    if (!size) return pare_heard_put(heard, key, NULL, &text, err);
    if (*from != MARK || !pare_complaints_parse(&complaints, from + 1, size - 1)) return PARE_OK;
    return pare_heard_put(heard, key, &complaints, &text, err);
}
