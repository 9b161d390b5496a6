/* Patches: lists of them, built change by change, and the union of several.
 *
 * Uniting is a merge of two ascending lists of changes.  Overlapping changes agree only if both
 * are deletions or one deletes all that the other touches; otherwise the patches conflict and
 * cannot be made together.  For lists made so (`spaced`), a candidate has a space where a deletion
 * would glue two words into one, so that independent deletions stay independent.
 *
 * A number that is lowered is written when the candidate is: only then is it known what goes.
 *
 * Invariant of a set of changes: they ascend, and no two overlap; in a union no two cuts touch. */
#include "text/patch.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "text/text.h"

enum { MOST = INT32_MAX }; /* patches, and changes */

static const char TOO_MUCH[] = "a pass has too much to offer";

/* The text is kept as long as the list. */
pare_status pare_patches_new(const pare_text *text, pare_patches **out, pare_error *err)
{
    pare_patches *patches = pare_alloc_zero(1, sizeof *patches);
    if (!patches) return pare_fail_nomem(err);
    patches->references = 1;
    patches->text = pare_text_ref(text);
    *out = patches;
    return PARE_OK;
}

/* One more reference. */
pare_patches *pare_patches_ref(pare_patches *patches)
{
    patches->references++;
    return patches;
}

/* NULL is a no-op. */
void pare_patches_unref(pare_patches *patches)
{
    if (!patches || --patches->references) return;
    pare_text_unref(patches->text);
    pare_alloc_free(patches->patches);
    pare_alloc_free(patches->changes);
    pare_buffer_done(&patches->literals);
    pare_alloc_free(patches->counters);
    pare_alloc_free(patches->counted);
    pare_alloc_free(patches);
}

/* ---- building --------------------------------------------------------------------- */

/* Whether bytes from .. to-1 of the text are those `size` bytes already. */
static bool is_there(const pare_text *text, size_t from, size_t to, const unsigned char *bytes,
                     size_t size)
{
    if (to - from != size) return false;
    while (from < to) {
        pare_span span = pare_text_span(text, from, to - from);
        if (memcmp(span.bytes, bytes, span.size) != 0) return false;
        from += span.size;
        bytes += span.size;
    }
    return true;
}

/* Changes of the patch under way stand at the end of the common list, from `open` on: in
 * ascending order, so that no sorting is needed. */
static pare_status add_change(pare_patches *patches, pare_change change, pare_error *err)
{
    assert(patches->n_changes == patches->open ||
           patches->changes[patches->n_changes - 1].to <= change.from);
    if (patches->n_changes >= MOST) return pare_fail(err, PARE_E_LIMIT, TOO_MUCH);
    pare_change *changes = pare_vector_grow(patches->changes, patches->n_changes,
                                            &patches->change_capacity, sizeof *changes);
    if (!changes) return pare_fail_nomem(err);
    patches->changes = changes;
    changes[patches->n_changes++] = change;
    return PARE_OK;
}

/* Copies the replacement into the list. */
pare_status pare_patches_change(pare_patches *patches, size_t from, size_t to, const void *bytes,
                                size_t size, pare_error *err)
{
    assert(from <= to && to <= pare_text_size(patches->text));
    /* Changing nothing would be a candidate equal to its base. */
    if (is_there(patches->text, from, to, bytes, size)) return PARE_OK;
    size_t at = patches->literals.size;
    if (size >= PARE_LOWERED - at) return pare_fail(err, PARE_E_LIMIT, TOO_MUCH);
    pare_status status = size ? pare_buffer_add(&patches->literals, bytes, size, err) : PARE_OK;
    if (status) return status;
    return add_change(
        patches,
        (pare_change){
            .from = (uint32_t)from, .to = (uint32_t)to, .at = (uint32_t)at, .size = (uint32_t)size},
        err);
}

/* Elements that the number counts follow by pare_patches_count, until the next counter is added. */
pare_status pare_patches_counter(pare_patches *patches, size_t from, size_t to, size_t value,
                                 uint32_t *index, pare_error *err)
{
    assert(from < to && to <= pare_text_size(patches->text));
    pare_counter *counters = pare_vector_grow(patches->counters, patches->n_counters,
                                              &patches->counter_capacity, sizeof *counters);
    if (!counters) return pare_fail_nomem(err);
    patches->counters = counters;
    *index = (uint32_t)patches->n_counters;
    counters[patches->n_counters++] = (pare_counter){
        .from = (uint32_t)from, .to = (uint32_t)to, .value = value, .first = patches->n_counted};
    return PARE_OK;
}

/* To the last counter. */
pare_status pare_patches_count(pare_patches *patches, pare_counted counted, pare_error *err)
{
    assert(patches->n_counters && counted.from < counted.to);
    pare_counted *grown = pare_vector_grow(patches->counted, patches->n_counted,
                                           &patches->counted_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    patches->counted = grown;
    grown[patches->n_counted++] = counted;
    patches->counters[patches->n_counters - 1].n++;
    return PARE_OK;
}

/* The change names the counter: what it puts in the place is written with the candidate. */
pare_status pare_patches_lower(pare_patches *patches, uint32_t counter, pare_error *err)
{
    assert(counter < patches->n_counters);
    const pare_counter *number = &patches->counters[counter];
    return add_change(
        patches,
        (pare_change){.from = number->from, .to = number->to, .at = counter, .size = PARE_LOWERED},
        err);
}

/* Bytes by which the text gets shorter, at least; negative: longer. */
static int64_t gain_of(const pare_change *changes, size_t n)
{
    int64_t gain = 0;
    for (size_t i = 0; i < n; i++)
        if (changes[i].size != PARE_LOWERED)
            gain += (int64_t)changes[i].to - changes[i].from - changes[i].size;
    return gain;
}

/* Appends patch `index` to the parts of `parent`. */
static void link_part(pare_patches *patches, uint32_t parent, uint32_t index)
{
    pare_patch *above = &patches->patches[parent];
    if (above->first_part == PARE_NO_PATCH)
        above->first_part = index;
    else
        patches->patches[above->last_part].next = index;
    above->last_part = index;
}

/* A patch without changes is not added; its index is PARE_NO_PATCH. */
pare_status pare_patches_end(pare_patches *patches, uint32_t parent, uint32_t *index,
                             pare_error *err)
{
    size_t n_changes = patches->n_changes - patches->open;
    assert(parent == PARE_NO_PATCH || parent < patches->n);
    if (index) *index = PARE_NO_PATCH;
    if (!n_changes) return PARE_OK;
    if (patches->n >= MOST) return pare_fail(err, PARE_E_LIMIT, TOO_MUCH);
    pare_patch *grown =
        pare_vector_grow(patches->patches, patches->n, &patches->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    patches->patches = grown;
    uint32_t new = (uint32_t)patches->n++;
    grown[new] = (pare_patch){.first_change = (uint32_t)patches->open,
                              .n_changes = (uint32_t)n_changes,
                              .parent = parent,
                              .first_part = PARE_NO_PATCH,
                              .last_part = PARE_NO_PATCH,
                              .next = PARE_NO_PATCH,
                              .gain = gain_of(patches->changes + patches->open, n_changes)};
    patches->open = patches->n_changes;
    if (parent != PARE_NO_PATCH) link_part(patches, parent, new);
    if (index) *index = new;
    return PARE_OK;
}

/* ---- uniting ---------------------------------------------------------------------- */

/* Whether both replace the same bytes by the same bytes, however often these were stored. */
static bool is_same(const pare_patches *patches, const pare_change *a, const pare_change *b)
{
    const char *literals = patches->literals.data;
    if (a->from != b->from || a->to != b->to || a->size != b->size) return false;
    if (a->size == PARE_LOWERED) return a->at == b->at;
    return a->size == 0 || memcmp(literals + a->at, literals + b->at, a->size) == 0;
}

/* A deletion: nothing takes the place of what goes. */
static bool is_cut(const pare_change *change)
{
    return change->size == 0;
}

/* Whether `a` stands before `b`: they touch no common byte, and do not insert in the same
 * place, where their order would matter. */
static bool is_before(const pare_change *a, const pare_change *b)
{
    bool both_insert = a->from == a->to && b->from == b->to;
    return a->to < b->from || (a->to == b->from && !both_insert);
}

/* Whether cut `a` leaves out all that `b` touches.  What is inserted at its very edge it
 * does not touch. */
static bool covers(const pare_change *a, const pare_change *b)
{
    if (!is_cut(a) || a->from > b->from || b->to > a->to) return false;
    return b->from < b->to || (a->from < b->from && b->to < a->to);
}

/* Makes one change out of two that overlap: either if they are the same, the cut if it leaves
 * out all that the other touches, or, of two cuts, all that either leaves out.  False when they
 * do not agree. */
static bool merge(const pare_patches *patches, const pare_change *a, const pare_change *b,
                  pare_change *out)
{
    *out = *a;
    if (is_same(patches, a, b) || covers(a, b)) return true;
    *out = *b;
    if (covers(b, a)) return true;
    if (!is_cut(a) || !is_cut(b)) return false;
    *out = (pare_change){.from = a->from < b->from ? a->from : b->from,
                         .to = a->to > b->to ? a->to : b->to};
    return true;
}

/* Whether `out` has the same changes as `a`, cuts that touch counting as one. */
static bool is_all(const pare_change *a, size_t n_a, const pare_change *out, size_t n)
{
    size_t i = 0, k = 0;
    while (i < n_a && k < n) {
        uint32_t a_to = a[i].to, out_to = out[k].to;
        bool cuts = is_cut(&a[i]);
        if (a[i].from != out[k].from || a[i].size != out[k].size) return false;
        if (!cuts && a[i].at != out[k].at) return false;
        for (i++; cuts && i < n_a && is_cut(&a[i]) && a[i].from == a_to; i++)
            a_to = a[i].to;
        for (k++; cuts && k < n && is_cut(&out[k]) && out[k].from == out_to; k++)
            out_to = out[k].to;
        if (a_to != out_to) return false;
    }
    return i == n_a && k == n;
}

/* Takes the earlier change of both sets: by where they begin; of two that begin together the
 * shorter one, such as an insertion. */
static const pare_change *take(pare_change_list a, size_t *i, pare_change_list b, size_t *k)
{
    if (*k == b.n) return &a.changes[(*i)++];
    if (*i == a.n) return &b.changes[(*k)++];
    /* By where they begin; of two that begin together the shorter one, such as an insertion. */
    const pare_change *one = &a.changes[*i], *other = &b.changes[*k];
    bool first = one->from < other->from || (one->from == other->from && one->to <= other->to);
    return first ? &a.changes[(*i)++] : &b.changes[(*k)++];
}

/* Writes a change after the `made` that are written, as one with the last where two cuts
 * touch; returns how many there are then.  So a set is as large as what it leaves in the
 * text is scattered, however many changes it was made of. */
static size_t append(pare_change *out, size_t made, pare_change change)
{
    bool joins =
        made && is_cut(&change) && is_cut(&out[made - 1]) && out[made - 1].to == change.from;
    if (joins)
        out[made - 1].to = change.to;
    else
        out[made++] = change;
    return made;
}

/* O(changes of both).  What is in `out` means something only if the union is MORE than `a`. */
pare_union pare_patches_unite(const pare_patches *patches, pare_change_list a, pare_change_list b,
                              pare_change *out, size_t *n)
{
    size_t i = 0, k = 0, made = 0;
    while (i < a.n || k < b.n) {
        pare_change next = *take(a, &i, b, &k);
        /* A merged change may have grown so much that it touches the one before it. */
        while (made && !is_before(&out[made - 1], &next)) {
            /* merge() writes its result over `next`. */
            const pare_change later = next;
            if (!merge(patches, &out[--made], &later, &next)) return PARE_UNION_CONFLICT;
        }
        made = append(out, made, next);
    }
    if (is_all(a.changes, a.n, out, made)) return PARE_UNION_SAME;
    assert(made <= a.n + b.n);
    *n = made;
    return PARE_UNION_MORE;
}

/* ---- the candidate ---------------------------------------------------------------- */

/* Bytes that would join to one word, as in the token splitter, and the $ of shells and
 * JavaScript. */
static bool is_word(unsigned char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '$' || byte >= 0x80;
}

/* Past the end of the text there is no word. */
static bool is_word_at(const pare_text *text, size_t at)
{
    return at < pare_text_size(text) && is_word(*pare_text_span(text, at, 1).bytes);
}

/* Whether leaving out what `change` touches would join two words to one. Only the first of several
 * changes that touch each other is asked. */
static bool glues(const pare_patches *patches, const pare_change *changes, size_t n, size_t i)
{
    size_t last = i;
    if (!patches->spaced || !is_cut(&changes[i]) || !changes[i].from) return false;
    if (i && changes[i - 1].to == changes[i].from) return false;
    /* Cuts that touch leave one hole: its ends are what may come together. */
    while (last + 1 < n && is_cut(&changes[last + 1]) && changes[last + 1].from == changes[last].to)
        last++;
    if (last + 1 < n && changes[last + 1].from == changes[last].to) return false;
    return is_word_at(patches->text, changes[i].from - 1) &&
           is_word_at(patches->text, changes[last].to);
}

/* How much of what the counter counts is left out by the `n` changes, which stand behind it.
 * Both ascend, so each is looked at once. */
static size_t left_out(const pare_patches *patches, const pare_counter *counter,
                       const pare_change *changes, size_t n)
{
    const pare_counted *counted = patches->counted + counter->first;
    size_t gone = 0, k = 0;
    for (size_t i = 0; i < n && k < counter->n; i++) {
        const pare_change *cut = &changes[i];
        if (!is_cut(cut)) continue;
        while (k < counter->n && counted[k].to <= cut->from)
            k++;
        for (; k < counter->n && counted[k].from < cut->to; k++) {
            const uint32_t from = counted[k].from > cut->from ? counted[k].from : cut->from;
            const uint32_t to = counted[k].to < cut->to ? counted[k].to : cut->to;
            const bool whole = from == counted[k].from && to == counted[k].to;
            gone += counted[k].each ? to - from : whole;
            if (counted[k].to > cut->to) break; /* the next cut may touch it, too */
        }
    }
    return gone;
}

/* Writes what is left of the number by the `n` changes behind it. */
static pare_status write_lowered(const pare_patches *patches, const pare_counter *counter,
                                 const pare_change *changes, size_t n, pare_candidate *candidate,
                                 pare_error *err)
{
    char digits[24];
    const size_t gone = left_out(patches, counter, changes, n);
    size_t left = gone < counter->value ? counter->value - gone : 0, at = sizeof digits;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    return pare_candidate_literal(candidate, digits + at, sizeof digits - at, err);
}

/* Makes the text with these changes: slices of the text between them, and their replacements.
 * `changes` is a set as the invariant has it. O(changes), whatever the size of the text. */
pare_status pare_patches_candidate(const pare_patches *patches, const pare_change *changes,
                                   size_t n, pare_candidate *candidate, pare_error *err)
{
    size_t cursor = 0;
    pare_status status = PARE_OK;
    pare_candidate_start(candidate, patches->text);
    for (size_t i = 0; !status && i < n; i++) {
        const pare_change *change = &changes[i];
        assert(change->from >= cursor); /* they ascend, and no two overlap */
        status = pare_candidate_slice(candidate, cursor, change->from - cursor, err);
        if (!status && change->size == PARE_LOWERED)
            status = write_lowered(patches, &patches->counters[change->at], change + 1, n - i - 1,
                                   candidate, err);
        else if (!status && change->size)
            status = pare_candidate_literal(candidate, patches->literals.data + change->at,
                                            change->size, err);
        if (!status && glues(patches, changes, n, i))
            status = pare_candidate_literal(candidate, " ", 1, err);
        cursor = change->to;
    }
    size_t end = pare_text_size(patches->text);
    return status ? status : pare_candidate_slice(candidate, cursor, end - cursor, err);
}
