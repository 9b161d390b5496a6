/* Writing a text after more cuts, touching only what is near them.
 *
 * A cut is open once its text was written, until it is known what follows it: another new
 * cut, an old one that touches it, or the base text.  Only then is it decided whether a
 * space goes between.  Invariant: the current text up to `cursor` is written. */
#include "reduce/tree/cuts.h"

#include "text/text.h"

static bool is_word(int byte)
{
    if (byte < 0) return false;
    if (byte >= 0x80 || byte == '_' || byte == '$') return true;
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z');
}

static int byte_at(const pare_text *text, size_t at)
{
    if (at >= pare_text_size(text)) return -1;
    unsigned char byte;
    pare_text_read(text, at, 1, &byte);
    return byte;
}

void pare_cutter_init(pare_cutter *cutter, const pare_cuts *old, pare_candidate *candidate,
                      pare_cut *out)
{
    *cutter = (pare_cutter){.old = old, .candidate = candidate, .out = out, .last = -1};
    pare_candidate_start(candidate, old->text);
}

/* Index of the first old cut that ends behind `from`. */
static size_t find(const pare_cuts *old, size_t low, uint32_t from)
{
    size_t high = old->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (old->cuts[middle].to > from)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool prints_nothing(const pare_cut *cut)
{
    return cut->size == (uint32_t)cut->lead + cut->trail;
}

/* Where base byte `at` is in the current text, `k` being the first old cut that ends
 * behind it and does not hold it. */
static size_t current(const pare_cuts *old, size_t k, uint32_t at)
{
    if (k == 0) return at;
    const pare_cut *cut = &old->cuts[k - 1];
    return (size_t)cut->at + cut->size + (at - cut->to);
}

/* Takes over old cuts up to `k`, which all lie in what is written next. */
static void keep(pare_cutter *cutter, size_t k)
{
    for (; cutter->next < k; cutter->next++) {
        if (!cutter->out) {
            cutter->next = k;
            return;
        }
        pare_cut cut = cutter->old->cuts[cutter->next];
        cut.at = (uint32_t)(cut.at - cutter->cursor + cutter->candidate->size);
        cutter->out[cutter->n_out++] = cut;
    }
}

static pare_status write_current(pare_cutter *cutter, size_t to, pare_error *err)
{
    size_t size = to - cutter->cursor;
    pare_status status = pare_candidate_slice(cutter->candidate, cutter->cursor, size, err);
    if (!status && size) cutter->last = byte_at(cutter->old->text, to - 1);
    cutter->cursor = to;
    return status;
}

/* Writes a space if the last byte and `next` need one; sets *written. */
static pare_status join(pare_cutter *cutter, int next, bool *written, pare_error *err)
{
    *written = cutter->old->spaced && is_word(cutter->last) && is_word(next);
    return *written ? pare_candidate_literal(cutter->candidate, " ", 1, err) : PARE_OK;
}

/* Passes over old cuts that touch the open one and print nothing. */
static void absorb_behind(pare_cutter *cutter)
{
    const pare_cuts *old = cutter->old;
    while (cutter->next < old->n) {
        const pare_cut *cut = &old->cuts[cutter->next];
        if (cut->from != cutter->open_to || !prints_nothing(cut)) return;
        cutter->open_to = cut->to;
        cutter->cursor = (size_t)cut->at + cut->size;
        cutter->next++;
        if (!cutter->out) continue;
        pare_cut *open = &cutter->out[cutter->n_out - 1];
        if (prints_nothing(open)) {
            open->to = cut->to;
        } else {
            pare_cut empty = {.from = cut->from, .to = cut->to};
            empty.at = (uint32_t)cutter->candidate->size;
            cutter->out[cutter->n_out++] = empty;
        }
    }
}

/* The old cut that touches the open one puts text in: decides on the space before it. */
static pare_status meet(pare_cutter *cutter, pare_error *err)
{
    pare_cut cut = cutter->old->cuts[cutter->next++];
    size_t start = (size_t)cut.at + cut.lead;
    bool lead;
    cut.at = (uint32_t)cutter->candidate->size;
    pare_status status = join(cutter, byte_at(cutter->old->text, start), &lead, err);
    cut.size = cut.size - cut.lead + lead;
    cut.lead = lead;
    cutter->cursor = start;
    if (cutter->out) cutter->out[cutter->n_out++] = cut;
    return status;
}

/* Ends the open cut. */
static pare_status close_cut(pare_cutter *cutter, pare_error *err)
{
    const pare_cuts *old = cutter->old;
    if (!cutter->open) return PARE_OK;
    cutter->open = false;
    if (cutter->next < old->n && old->cuts[cutter->next].from == cutter->open_to)
        return meet(cutter, err);
    bool trail;
    pare_status status = join(cutter, byte_at(old->text, cutter->cursor), &trail, err);
    if (!cutter->out) return status;
    pare_cut *cut = &cutter->out[cutter->n_out - 1];
    cut->trail = trail;
    cut->size += trail;
    return status;
}

/* Writes what stands before a new cut that begins at `from`, up to and with the text of an
 * old cut that touches it, but without that one's space behind. */
static pare_status approach(pare_cutter *cutter, size_t k, uint32_t from, pare_error *err)
{
    const pare_cuts *old = cutter->old;
    pare_status status = close_cut(cutter, err);
    if (status) return status;
    size_t start = current(old, k, from);
    bool touches = k > 0 && old->cuts[k - 1].to == from;
    if (touches) start -= old->cuts[k - 1].trail;
    if (start < cutter->cursor) start = cutter->cursor;
    keep(cutter, k);
    if (touches && cutter->out) {
        pare_cut *before = &cutter->out[cutter->n_out - 1];
        before->size -= before->trail;
        before->trail = false;
    }
    return write_current(cutter, start, err);
}

/* Writes the text of `cut` and records it, joined to one before it if both are empty. */
static pare_status put(pare_cutter *cutter, pare_new_cut cut, pare_error *err)
{
    bool lead = false;
    pare_status status = PARE_OK;
    size_t at = cutter->candidate->size;
    if (cut.size) {
        status = join(cutter, (unsigned char)cut.text[0], &lead, err);
        if (!status) status = pare_candidate_literal(cutter->candidate, cut.text, cut.size, err);
        cutter->last = (unsigned char)cut.text[cut.size - 1];
    }
    cutter->open = true;
    cutter->open_to = cut.to;
    if (status || !cutter->out) return status;
    pare_cut *before = cutter->n_out ? &cutter->out[cutter->n_out - 1] : NULL;
    if (before && before->to == cut.from && !cut.size && prints_nothing(before)) {
        before->to = cut.to;
        return PARE_OK;
    }
    cutter->out[cutter->n_out++] = (pare_cut){
        .from = cut.from, .to = cut.to, .at = (uint32_t)at, .size = cut.size + lead, .lead = lead};
    return PARE_OK;
}

pare_status pare_cutter_add(pare_cutter *cutter, pare_new_cut cut, pare_error *err)
{
    const pare_cuts *old = cutter->old;
    if (cutter->open && cut.from < cutter->open_to) cut.from = cutter->open_to;
    size_t k = find(old, cutter->next, cut.from);
    if (k < old->n && old->cuts[k].from < cut.from) cut.from = old->cuts[k++].to;
    if (cut.from >= cut.to) return PARE_OK;
    pare_status status = PARE_OK;
    if (!cutter->open || cut.from != cutter->open_to) status = approach(cutter, k, cut.from, err);
    if (status) return status;
    size_t end = k; /* behind the old cuts that are inside */
    while (end < old->n && old->cuts[end].from < cut.to)
        if (old->cuts[end++].to > cut.to) cut.to = old->cuts[end - 1].to;
    cutter->next = end;
    status = put(cutter, cut, err);
    cutter->cursor = current(old, end, cut.to);
    absorb_behind(cutter);
    return status;
}

pare_status pare_cutter_end(pare_cutter *cutter, pare_error *err)
{
    pare_status status = close_cut(cutter, err);
    if (status) return status;
    keep(cutter, cutter->old->n);
    return write_current(cutter, pare_text_size(cutter->old->text), err);
}

bool pare_cuts_check(const pare_cuts *cuts)
{
    uint32_t base = 0;
    size_t at = 0;
    for (size_t k = 0; k < cuts->n; k++) {
        const pare_cut *cut = &cuts->cuts[k];
        if (cut->from < base || cut->to <= cut->from) return false;
        if (cut->at != at + (cut->from - base)) return false;
        if (cut->size < (uint32_t)cut->lead + cut->trail) return false;
        base = cut->to;
        at = (size_t)cut->at + cut->size;
    }
    return at <= pare_text_size(cuts->text);
}
