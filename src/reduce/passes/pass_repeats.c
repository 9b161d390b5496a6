/* The pass over repeated substrings: repeats.
 *
 * What an error needs twice, such as an address in two lines of a log, cannot become shorter in
 * one of them alone.  Passes over words change all occurrences of a word; this one those of any
 * bytes, in whatever tokens they stand: `10.0.0` of `10.0.0.1` and `10.0.0.27`.
 * Invariant: every patch leaves out bytes at two places or more, the same ones.
 * Source: Shrink Ray's lexeme_based_deletions finds repeated runs the same way, but leaves out
 * what stands between them; that all of them change together is T-Rec's, for tokens.
 * Cost: at most MOST_PATCHES tests in a run that finds nothing. */
#include "reduce/passes/pass.h"
#include "reduce/passes/repeats.h"
#include "text/patch.h"

enum {
    MOST_BYTES = 262144,
    SMALL = 512, /* bytes of a text in which short repeats count as well */
    LEAST_SMALL = 2,
    LEAST = 5,
    MOST_REPEATS = 64,
    MOST_PATCHES = 256,
    FINEST = 32 /* a repeat is cut into so many parts at most */
};

/* A repeat, and what is offered for it. */
struct shortening {
    const pare_pass_view *view;
    const uint32_t *places;
    const pare_repeat *repeat;
    pare_patches *out;
    pare_error *err;
};

/* Bytes from .. to-1 of each occurrence become `size` bytes at `with`. */
static pare_status offer_part(const struct shortening *self, pare_extent part, const char *with,
                              uint32_t parent, uint32_t *index)
{
    pare_status status = PARE_OK;
    size_t begin = self->view->begin;
    for (uint32_t i = 0; !status && i < self->repeat->n_places; i++)
        status =
            pare_patches_change(self->out, begin + self->places[i] + part.from,
                                begin + self->places[i] + part.to, with, with ? 1 : 0, self->err);
    return status ? status : pare_patches_end(self->out, parent, index, self->err);
}

/* Offers that the part goes wherever it repeats, or else its halves, as long as they have `least`
 * bytes. Recursion ends after six calls, at parts of FINEST. */
static pare_status offer_halves(const struct shortening *self, pare_extent part, size_t least,
                                uint32_t parent)
{
    uint32_t index = parent;
    size_t size = part.to - part.from, middle = part.from + size / 2;
    pare_status status = offer_part(self, part, NULL, parent, &index);
    if (status || size < 2 * least || size < 2) return status;
    status = offer_halves(self, (pare_extent){part.from, middle}, least, index);
    return status ? status : offer_halves(self, (pare_extent){middle, part.to}, least, index);
}

/* All of it goes; else it becomes one byte; else its halves go, and theirs. */
static pare_status offer_repeat(const struct shortening *self)
{
    uint32_t all = PARE_NO_PATCH;
    size_t size = self->repeat->size, least = (size + FINEST - 1) / FINEST;
    pare_extent whole = {0, size};
    pare_status status = offer_part(self, whole, NULL, PARE_NO_PATCH, &all);
    if (status || size < 2) return status;
    status = offer_part(self, whole, "0", all, NULL);
    if (!status) status = offer_part(self, whole, "a", all, NULL);
    if (!status) status = offer_halves(self, (pare_extent){0, size / 2}, least, all);
    return status ? status : offer_halves(self, (pare_extent){size / 2, size}, least, all);
}

/* repeats: bytes that stand in several places go from all of them, or become one byte: all, else
 * halves of them.  Of large texts those of 5 bytes and more. */
static pare_status offer_repeats(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    pare_repeats repeats = {0};
    size_t size = view->end - view->begin;
    (void)pass;
    if (pare_pass_is_binary(view)) return PARE_OK;
    pare_status status =
        pare_repeats_find(view->bytes + view->begin, size, size <= SMALL ? LEAST_SMALL : LEAST,
                          MOST_REPEATS, &repeats, err);
    for (size_t i = 0; !status && i < repeats.n && out->n < MOST_PATCHES; i++)
        status = offer_repeat(&(struct shortening){view, repeats.places + repeats.at[i].first,
                                                   &repeats.at[i], out, err});
    pare_repeats_done(&repeats);
    return status;
}

const pare_pass pare_pass_repeats = {
    .name = "repeats",
    .summary = "shortens a sequence of bytes in all places where it occurs at once",
    .source = "T-Rec, all occurrences together, for any bytes; Shrink Ray, repeated runs",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_bytes = MOST_BYTES,
    .offer = offer_repeats,
};
