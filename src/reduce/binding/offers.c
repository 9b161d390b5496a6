/* Groups of items, halved down to the items, each with its alternatives as parts. */
#include "reduce/binding/offers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"
#include "reduce/binding/syntax.h"
#include "text/patch.h"

enum { MOST_CHANGES = 1 << 20 };

pare_status pare_offers_init(pare_offers *offers, const pare_syntax *syntax, pare_error *err)
{
    *offers = (pare_offers){.n_items = 0};
    return pare_rewrites_init(&offers->rewrites, syntax, err);
}

void pare_offers_done(pare_offers *offers)
{
    pare_rewrites_done(&offers->rewrites);
    pare_release(offers->alternatives);
    pare_release(offers->items);
}

pare_status pare_offers_alternative(pare_offers *offers, pare_error *err)
{
    size_t n = offers->rewrites.n - offers->open_wish;
    if (!n) return PARE_OK;
    pare_alternative *grown = pare_vector_grow(offers->alternatives, offers->n_alternatives,
                                               &offers->alternative_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    offers->alternatives = grown;
    grown[offers->n_alternatives++] = (pare_alternative){.first = offers->open_wish, .n = n};
    offers->open_wish = offers->rewrites.n;
    return PARE_OK;
}

pare_status pare_offers_item(pare_offers *offers, uint64_t weight, pare_error *err)
{
    size_t n = offers->n_alternatives - offers->open_alternative;
    if (!n) return PARE_OK;
    pare_offer_item *grown =
        pare_vector_grow(offers->items, offers->n_items, &offers->item_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    offers->items = grown;
    grown[offers->n_items++] =
        (pare_offer_item){.first = offers->open_alternative, .n = n, .weight = weight};
    offers->open_alternative = offers->n_alternatives;
    return PARE_OK;
}

static int heavier_first(const void *a, const void *b)
{
    const pare_offer_item *left = a, *right = b;
    if (left->weight != right->weight) return left->weight > right->weight ? -1 : 1;
    return (left->first < right->first) - (left->first > right->first); /* rear ones first */
}

static int in_order(const void *a, const void *b)
{
    const pare_offer_item *left = a, *right = b;
    return (left->first > right->first) - (left->first < right->first);
}

static void keep_heaviest(pare_offers *offers, size_t most)
{
    if (!most || offers->n_items <= most) return;
    qsort(offers->items, offers->n_items, sizeof *offers->items, heavier_first);
    offers->n_items = most;
    qsort(offers->items, offers->n_items, sizeof *offers->items, in_order);
}

/* ---- writing ------------------------------------------------------------------------- */

struct writer {
    pare_offers *offers;
    int64_t least;
    pare_patches *out;
    pare_error *err;
};

/* One item: its first alternative, and the others as parts of it. */
static pare_status write_item(const struct writer *writer, const pare_offer_item *item,
                              uint32_t parent)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < item->n; i++) {
        const pare_alternative *alternative = &writer->offers->alternatives[item->first + i];
        uint32_t index = PARE_NO_PATCH;
        status = pare_rewrites_offer(&writer->offers->rewrites, alternative->first, alternative->n,
                                     writer->least, writer->out, parent, &index, writer->err);
        /* What saves less is tried when what saves more fails. */
        if (i == 0 && index != PARE_NO_PATCH) parent = index;
    }
    return status;
}

/* The wishes of the first alternatives of a group, as one run behind all others. */
static pare_status gather(const struct writer *writer, size_t from, size_t to)
{
    pare_rewrites *rewrites = &writer->offers->rewrites;
    pare_status status = PARE_OK;
    for (size_t i = from; i < to; i++) {
        const pare_alternative *alternative =
            &writer->offers->alternatives[writer->offers->items[i].first];
        for (size_t k = 0; k < alternative->n; k++) {
            pare_rewrite *grown =
                pare_vector_grow(rewrites->at, rewrites->n, &rewrites->capacity, sizeof *grown);
            if (!grown) return pare_fail_nomem(writer->err);
            rewrites->at = grown;
            grown[rewrites->n++] = grown[alternative->first + k];
        }
    }
    return status;
}

/* A group and its halves; as deep as the logarithm of their number. */
static pare_status write_group(const struct writer *writer, size_t from, size_t to, uint32_t parent)
{
    pare_rewrites *rewrites = &writer->offers->rewrites;
    uint32_t index = PARE_NO_PATCH;
    if (to - from == 1) return write_item(writer, &writer->offers->items[from], parent);
    size_t first = rewrites->n, middle = from + (to - from) / 2;
    pare_status status = gather(writer, from, to);
    if (!status)
        status = pare_rewrites_offer(rewrites, first, rewrites->n - first, writer->least,
                                     writer->out, parent, &index, writer->err);
    rewrites->n = first;
    if (index == PARE_NO_PATCH) index = parent;
    if (!status) status = write_group(writer, middle, to, index);
    if (!status) status = write_group(writer, from, middle, index);
    return status;
}

/* How many items the first groups may have: each level of halves repeats all changes. */
static size_t group_size(const pare_offers *offers)
{
    size_t changes = 1, size = 1;
    for (size_t i = 0; i < offers->n_items; i++)
        changes += offers->alternatives[offers->items[i].first].n;
    for (size_t budget = MOST_CHANGES / changes; budget > 1 && size < offers->n_items; budget--)
        size *= 2;
    return size;
}

pare_status pare_offers_write(pare_offers *offers, pare_offers_grouping grouping, size_t most,
                              int64_t least, pare_patches *out, pare_error *err)
{
    const struct writer writer = {.offers = offers, .least = least, .out = out, .err = err};
    pare_status status = PARE_OK;
    out->spaced = true;
    keep_heaviest(offers, most);
    size_t n = offers->n_items, size = grouping == PARE_OFFERS_SINGLE ? 1 : group_size(offers);
    for (size_t from = 0; !status && from < n; from += size)
        status = write_group(&writer, from, n - from < size ? n : from + size, PARE_NO_PATCH);
    return status;
}
