/* Offers: what a pass found, and the list of patches that it becomes.
 *
 * An item is one thing to try, such as to leave out a declaration with its uses; it has
 * alternatives, the first of which saves most.  Items that stand for many equal things are
 * offered in groups: all at once, then halves, and so on, so that a group of which nothing
 * matters goes in one test and one that matters is found in a logarithmic number of them
 * (delta debugging over declarations instead of over lines).
 *
 * Owned by one pass for the time of one offer; one thread. */
#ifndef PARE_REDUCE_BINDING_OFFERS_H
#define PARE_REDUCE_BINDING_OFFERS_H

#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "text/patch.h"

typedef struct pare_alternative {
    size_t first, n; /* wishes */
} pare_alternative;

typedef struct pare_offer_item {
    size_t first, n; /* alternatives */
    uint64_t weight; /* bytes; heavier ones are kept when there are too many */
} pare_offer_item;

typedef struct pare_offers {
    pare_rewrites rewrites;         /* wishes go here */
    pare_alternative *alternatives; /* owned */
    size_t n_alternatives, alternative_capacity;
    pare_offer_item *items; /* owned */
    size_t n_items, item_capacity;
    size_t open_wish, open_alternative; /* where what is being collected begins */
} pare_offers;

/* Errors: PARE_E_NOMEM; *offers is to be given to done in any case. */
PARE_CHECK pare_status pare_offers_init(pare_offers *offers, const pare_syntax *syntax,
                                        pare_error *err);
void pare_offers_done(pare_offers *offers); /* all-zero is a no-op */

/* Ends an alternative: the wishes since the last one.  Nothing, if there are none.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_offers_alternative(pare_offers *offers, pare_error *err);

/* Ends an item of the alternatives since the last one.  Nothing, if there are none.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_offers_item(pare_offers *offers, uint64_t weight, pare_error *err);

typedef enum pare_offers_grouping {
    PARE_OFFERS_SINGLE, /* each item by itself */
    PARE_OFFERS_HALVES  /* all, halves, quarters and so on down to items */
} pare_offers_grouping;

/* Makes patches of the `most` heaviest items (0: of all) that save at least `least` bytes
 * each, in the order in which they came.  Changes are limited to about a million: groups
 * then begin smaller.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_offers_write(pare_offers *offers, pare_offers_grouping grouping,
                                         size_t most, int64_t least, pare_patches *out,
                                         pare_error *err);

#endif
