/* Edits in vain, by digests of what goes, what comes, and what stands beside it.
 *
 * A candidate is slices of its base and literals.  Where a slice does not go on where the one
 * before it ended, something went; literals between them came.  Each such place gives a hash of
 * its neighbours, of what went and what came, and those of all places, in their order, give the
 * key.  The neighbours are those in the base, so a place has the same key in another base as long
 * as nothing near it has changed.  The hashes of slices cost O(1) (base/digest.h).
 *
 * What was added is not known at once: a strategy that is run ahead must see the same at any number
 * of slots, so what is known changes only between strategies.
 * Source: ours; what changes when a candidate is tried again near something new is Shrink Ray's
 * and Hypothesis's reason to do so, too. */
#include "engine/vain_edits.h"

#include "base/alloc.h"
#include "base/vector.h"
#include "text/text.h"

enum { NEIGHBOURS = 24 /* bytes on either side */ };

void pare_vain_edits_done(pare_vain_edits *edits)
{
    pare_tried_digests_release(&edits->known);
    pare_alloc_free(edits->fresh);
    *edits = (pare_vain_edits){.n_fresh = 0};
}

/* One place: base bytes `begin` .. `end` went, literal bytes came. */
struct place {
    size_t begin, end;
    pare_hash came;
    size_t n_came;
};

/* Adds `size` bytes of hash `part`; the size counts, or parts could be taken for each other. */
static pare_hash mix(pare_hash key, pare_hash part, size_t size)
{
    key = pare_digest_extend(key, &size, sizeof size);
    return pare_digest_join(key, part, size);
}

/* Adds a place to the key. */
static pare_hash mix_place(pare_hash key, const pare_text *base, const struct place *place)
{
    const size_t n = pare_text_size(base);
    const size_t before = place->begin < NEIGHBOURS ? place->begin : NEIGHBOURS;
    const size_t after = n - place->end < NEIGHBOURS ? n - place->end : NEIGHBOURS;
    key = mix(key, pare_text_slice(base, place->begin - before, before), before);
    key = mix(key, pare_text_slice(base, place->begin, place->end - place->begin),
              place->end - place->begin);
    key = mix(key, place->came, place->n_came);
    return mix(key, pare_text_slice(base, place->end, after), after);
}

/* The key of all places where the candidate differs from its base. A slice that lies before the one
 * in front of it (moves make such) is a place where nothing went. */
static pare_digest key_of(const pare_candidate *candidate)
{
    pare_hash key = {{0, 0}};
    struct place place = {.begin = 0};
    for (size_t i = 0; i <= candidate->n_pieces; i++) {
        const pare_piece *piece = i < candidate->n_pieces ? &candidate->pieces[i] : NULL;
        if (piece && piece->literal) {
            place.came = pare_digest_extend(place.came, candidate->literals.data + piece->offset,
                                            piece->size);
            place.n_came += piece->size;
            continue;
        }
        place.end = piece ? piece->offset : pare_text_size(candidate->base);
        if (place.end < place.begin) {
            key = pare_digest_extend(key, &piece->size, sizeof piece->size);
            place.begin = place.end;
        }
        if (place.end > place.begin || place.n_came) key = mix_place(key, candidate->base, &place);
        if (piece) place = (struct place){.begin = piece->offset + piece->size};
    }
    return pare_digest_of(key, candidate->n_pieces);
}

pare_status pare_vain_edits_add(pare_vain_edits *edits, const pare_candidate *candidate,
                                pare_error *err)
{
    pare_digest *fresh = pare_vector_reserve(edits->fresh, &edits->fresh_capacity,
                                             edits->n_fresh + 1, sizeof *fresh);
    if (!fresh) return pare_fail_nomem(err);
    edits->fresh = fresh;
    fresh[edits->n_fresh++] = key_of(candidate);
    return PARE_OK;
}

/* Enters the edits that were noted since the last call, from the last to the first: after an error
 * those that are left are still noted. */
pare_status pare_vain_edits_settle(pare_vain_edits *edits, pare_error *err)
{
    pare_status status = PARE_OK;
    while (!status && edits->n_fresh) {
        const pare_digest key = edits->fresh[edits->n_fresh - 1];
        if (!pare_tried_digests_has(&edits->known, key))
            status = pare_tried_digests_add(&edits->known, key, err);
        if (!status) edits->n_fresh--;
    }
    return status;
}

bool pare_vain_edits_has(const pare_vain_edits *edits, const pare_candidate *candidate)
{
    return pare_tried_digests_has(&edits->known, key_of(candidate));
}
