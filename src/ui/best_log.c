/* A run's phases, and its bests as edits.
 *
 * An edit list is found by going through both texts from the left: where they differ, the next bytes of
 * the new one are looked for further on in the old one, which is where a deletion ends; where they are
 * not found, the new byte is one that was written.  That is not the smallest difference, but exact, and
 * costs O(bytes) for what reductions do, which is to delete; what costs more than WORK_BYTES is one
 * replacement.
 *
 * Thinning leaves out every other best: texts are made again from the edits, and compared anew.  It
 * halves the list, so the cost of all thinnings together is that of a few passes over what was logged.
 * Invariant: the edits of the bests 1 .. n-1, applied in turn to `first`, give `last`. */
#include "ui/best_log.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"

enum {
    /* The more bytes have to be found again, the less likely they are others that look
     * the same; two changes with fewer bytes than this between them become one edit. */
    SYNC_BYTES = 12,       /* that are looked for in the old text */
    WORK_BYTES = 16 << 20, /* looked through for one comparison at most */
    MOST_PHASES = 4000
};

struct pare_best_log {
    pare_best *bests; /* owned, as all arrays */
    size_t n_bests, bests_capacity;
    pare_best_edit *edits;
    size_t n_edits, edits_capacity;
    pare_best_phase *phases; /* names are owned by the first of each name */
    size_t n_phases, phases_capacity;
    /* `text` has what edits insert, one after the other; `first` is the best at
     * bests[0], whole. */
    pare_buffer text, first;
    pare_buffer last;    /* the best that was logged last */
    pare_buffer pending; /* the newest; logged when `stride` of them have come */
    /* What is known of the text in `pending`.  n_pending counts the bests since one was
     * logged: 0 says that the newest is logged already. */
    pare_best newest;
    size_t n_pending, stride;
    size_t n_sides;         /* logs that share what a page has room for */
    bool is_lost;           /* memory has run out */
    pare_best_log *passing; /* owned; NULL: no event has told of one */
};

pare_status pare_best_log_new(pare_best_log **out, pare_error *err)
{
    pare_best_log *log = pare_alloc_zero(1, sizeof *log);
    if (!log) return pare_fail_nomem(err);
    log->stride = log->n_sides = 1;
    *out = log;
    return PARE_OK;
}

/* Phases of one name share it, so only the first of them frees it. */
static void free_names(pare_best_log *log)
{
    for (size_t i = 0; i < log->n_phases; i++)
        if (log->phases[i].first == i) pare_alloc_free((char *)(uintptr_t)log->phases[i].name);
}

void pare_best_log_free(pare_best_log *log)
{
    if (!log) return;
    pare_best_log_free(log->passing);
    free_names(log);
    pare_alloc_free(log->bests);
    pare_alloc_free(log->edits);
    pare_alloc_free(log->phases);
    pare_buffer_done(&log->text);
    pare_buffer_done(&log->first);
    pare_buffer_done(&log->last);
    pare_buffer_done(&log->pending);
    pare_alloc_free(log);
}

/* ---- edits --------------------------------------------------------------------------- */

/* Two texts that are compared; what both begin and end with is left out. */
struct comparison {
    const unsigned char *old, *new;
    size_t old_at, old_end, new_at, new_end;
    size_t work; /* bytes looked through */
};

/* Appends the edit by which old[at .. old_at) gives way to new[from .. new_at).  False:
 * there is no memory; the edit may be there without its text, and the log is given up
 * (is_lost). */
static bool add_edit(pare_best_log *log, const struct comparison *both, size_t at, size_t from)
{
    pare_best_edit *edits =
        pare_vector_grow(log->edits, log->n_edits, &log->edits_capacity, sizeof *edits);
    if (!edits) return false;
    log->edits = edits;
    assert(at <= both->old_at && from <= both->new_at);
    edits[log->n_edits++] = (pare_best_edit){.at = at,
                                             .removed = both->old_at - at,
                                             .text = log->text.size,
                                             .size = both->new_at - from};
    return pare_buffer_add(&log->text, both->new + from, both->new_at - from, NULL) == PARE_OK;
}

/* Moves both positions past a difference: to the next place where SYNC_BYTES of the new
 * text stand further on in the old one, or to both ends where there is none or the work
 * is used up.
 * Old "abcXYZdef..." and new "abcdef...", both at the fourth byte: "def..." is found
 * three bytes further on in the old text, so "XYZ" was deleted.  Where a byte was
 * written instead, what begins with it is not found, and the search is made again from
 * the next byte of the new text.  Each search costs O(old text), which is why
 * WORK_BYTES bounds them all. */
static void synchronise(struct comparison *both)
{
    for (; both->new_end - both->new_at >= SYNC_BYTES && both->work < WORK_BYTES; both->new_at++) {
        const size_t left = both->old_end - both->old_at;
        const unsigned char *found =
            left ? memmem(both->old + both->old_at, left, both->new + both->new_at, SYNC_BYTES)
                 : NULL;
        both->work += found ? (size_t)(found - both->old) - both->old_at + 1 : left + 1;
        if (!found) continue;
        both->old_at = (size_t)(found - both->old);
        return;
    }
    both->old_at = both->old_end;
    both->new_at = both->new_end;
}

/* Appends the edits that make `new` of `old`.  False: there is no memory. */
static bool compare(pare_best_log *log, const pare_buffer *old, const pare_buffer *new)
{
    struct comparison both = {.old = (const unsigned char *)old->data,
                              .new = (const unsigned char *)new->data,
                              .old_end = old->size,
                              .new_end = new->size};
    bool fine = true;
    /* Without the common end, a single deletion or insertion leaves nothing of one of
     * the texts once the common start is passed, and nothing has to be searched for. */
    while (both.old_end && both.new_end &&
           both.old[both.old_end - 1] == both.new[both.new_end - 1]) {
        both.old_end--;
        both.new_end--;
    }
    while (fine) {
        while (both.old_at < both.old_end && both.new_at < both.new_end &&
               both.old[both.old_at] == both.new[both.new_at]) {
            both.old_at++;
            both.new_at++;
        }
        if (both.old_at == both.old_end && both.new_at == both.new_end) break;
        const size_t at = both.old_at, from = both.new_at;
        synchronise(&both);
        assert(both.old_at > at || both.new_at > from);
        fine = add_edit(log, &both, at, from);
    }
    return fine;
}

/* Makes `new` of `old`, which is the best before `best`, by the edits of `best`.
 * False: there is no memory. */
static bool apply(const pare_best_log *log, const pare_best *best, const pare_buffer *old,
                  pare_buffer *new)
{
    size_t at = 0;
    pare_status status = PARE_OK;
    pare_buffer_reset(new);
    for (size_t i = 0; i < best->n_edits && !status; i++) {
        const pare_best_edit *edit = &log->edits[best->edit + i];
        assert(at <= edit->at && edit->at + edit->removed <= old->size);
        status = pare_buffer_add(new, old->data + at, edit->at - at, NULL);
        if (!status) status = pare_buffer_add(new, log->text.data + edit->text, edit->size, NULL);
        at = edit->at + edit->removed;
    }
    if (!status) status = pare_buffer_add(new, old->data + at, old->size - at, NULL);
    return status == PARE_OK;
}

/* ---- bests --------------------------------------------------------------------------- */

static void swap(pare_buffer *one, pare_buffer *other)
{
    const pare_buffer kept = *one;
    *one = *other;
    *other = kept;
}

/* Appends `best`, whose text is *text; that is `last` then, and *text what was that. */
static bool append(pare_best_log *log, const pare_best *best, pare_buffer *text)
{
    pare_best *bests =
        pare_vector_grow(log->bests, log->n_bests, &log->bests_capacity, sizeof *bests);
    if (!bests) return false;
    log->bests = bests;
    pare_best *added = &bests[log->n_bests];
    *added = *best;
    added->edit = log->n_edits;
    if (log->n_bests == 0) {
        if (pare_buffer_add(&log->first, text->data, text->size, NULL)) return false;
    } else if (!compare(log, &log->last, text)) {
        return false;
    }
    added->n_edits = log->n_edits - added->edit;
    log->n_bests++;
    swap(&log->last, text);
    return true;
}

/* Whether the log has outgrown its room.  Two sides share the bytes of edits, which is
 * what a page grows by; each may have as many bests as one side alone. */
static bool is_full(const pare_best_log *log)
{
    return log->n_bests > PARE_BEST_LOG_MOST ||
           log->text.size + log->n_edits * PARE_BEST_LOG_EDIT > PARE_BEST_LOG_EDITS / log->n_sides;
}

/* Appends to `thin` every other best of `log`, and the last.  The texts of those that
 * are left out are made as well, since each list of edits is about the best just before
 * it.  Costs O(bytes of all bests). */
static bool copy_every_other(const pare_best_log *log, pare_best_log *thin)
{
    pare_buffer now = {0}, next = {0}, kept = {0};
    bool fine = pare_buffer_add(&now, log->first.data, log->first.size, NULL) == PARE_OK;
    for (size_t i = 0; i < log->n_bests && fine; i++) {
        if (i) {
            fine = apply(log, &log->bests[i], &now, &next);
            swap(&now, &next);
        }
        /* Of 0 .. 4 these are 0, 2 and 4; of 0 .. 5 they are 0, 2, 4 and 5, since the
         * last is the result. */
        if (!fine || (i % 2 && i + 1 < log->n_bests)) continue;
        /* `append` keeps the text that it is given, and `now` is needed for the next
         * best. */
        pare_buffer_reset(&kept);
        fine = pare_buffer_add(&kept, now.data, now.size, NULL) == PARE_OK &&
               append(thin, &log->bests[i], &kept);
    }
    pare_buffer_done(&now);
    pare_buffer_done(&next);
    pare_buffer_done(&kept);
    return fine;
}

/* Leaves out every other best, and from now on every other one of those that come
 * (`stride`).  `first` and `last` stay, since both ends are kept.  False: there is no
 * memory, and the log is as it was. */
static bool thin_out(pare_best_log *log)
{
    pare_best_log thin = {.stride = 1};
    const bool fine = copy_every_other(log, &thin);
    if (fine) {
        pare_alloc_free(log->bests);
        pare_alloc_free(log->edits);
        log->bests = thin.bests;
        log->n_bests = thin.n_bests;
        log->bests_capacity = thin.bests_capacity;
        log->edits = thin.edits;
        log->n_edits = thin.n_edits;
        log->edits_capacity = thin.edits_capacity;
        swap(&log->text, &thin.text);
        log->stride *= 2;
        thin.bests = NULL;
        thin.edits = NULL;
    }
    pare_alloc_free(thin.bests);
    pare_alloc_free(thin.edits);
    pare_buffer_done(&thin.text);
    pare_buffer_done(&thin.first);
    pare_buffer_done(&thin.last);
    return fine;
}

/* Logs the newest best unless that is done already, and thins the log until it fits.
 * Two bests stay whatever they take: the first and the newest. */
static void take_pending(pare_best_log *log)
{
    if (!log->n_pending || log->is_lost) return;
    log->n_pending = 0;
    log->is_lost = !append(log, &log->newest, &log->pending);
    while (!log->is_lost && is_full(log) && log->n_bests > 2)
        log->is_lost = !thin_out(log);
}

/* What copies a text of an event. */
typedef size_t (*copy_text)(const pare_event *event, void *bytes, size_t capacity);

/* Copies what `copy` gives of the event, if it is a text that a reader could look at. */
static void add_best(pare_best_log *log, const pare_event *event, copy_text copy, size_t phase)
{
    const size_t size = copy(event, NULL, 0);
    /* Not cut: a part of a text would be another text.  Where the input is too large,
     * the first best that fits becomes bests[0]. */
    if (size > PARE_BEST_LOG_BYTES / log->n_sides) return;
    pare_buffer_reset(&log->pending);
    if (pare_buffer_reserve(&log->pending, size, NULL)) {
        log->is_lost = true;
        return;
    }
    log->pending.size = size;
    if (size) (void)copy(event, log->pending.data, size);
    log->newest = (pare_best){.n = event->n,
                              .tests = event->tests_run,
                              .seconds = event->elapsed_s,
                              .size_bytes = size,
                              .phase = phase};
    log->n_pending++;
    /* The first one always, since the edits of all others begin with it. */
    if (log->n_bests == 0 || log->n_pending >= log->stride) take_pending(log);
}

/* ---- phases -------------------------------------------------------------------------- */

/* Index of the first phase of the name; n_phases: there is none. */
static size_t find_phase(const pare_best_log *log, const char *name)
{
    for (size_t i = log->n_phases; i > 0; i--)
        if (strcmp(log->phases[i - 1].name, name) == 0) return log->phases[i - 1].first;
    return log->n_phases;
}

/* Takes the phase of an event, if it is not the one that lasts already.  After
 * MOST_PHASES, or without memory, bests are counted to the last phase that was taken. */
static void add_phase(pare_best_log *log, const pare_event *event)
{
    if (log->n_phases && strcmp(log->phases[log->n_phases - 1].name, event->phase) == 0) return;
    if (log->n_phases == MOST_PHASES) return;
    pare_best_phase *phases =
        pare_vector_grow(log->phases, log->n_phases, &log->phases_capacity, sizeof *phases);
    if (!phases) return;
    log->phases = phases;
    const size_t first = find_phase(log, event->phase);
    pare_best_phase *added = &phases[log->n_phases];
    *added =
        (pare_best_phase){.first = first, .tests = event->tests_run, .seconds = event->elapsed_s};
    added->name = first < log->n_phases ? phases[first].name
                                        : pare_alloc_text(event->phase, strlen(event->phase));
    if (added->name) log->n_phases++;
}

/* A run that begins again is another way to the result. */
static void begin_run(pare_best_log *log)
{
    free_names(log);
    pare_best_log_free(log->passing);
    log->passing = NULL;
    log->n_sides = 1;
    log->n_phases = log->n_bests = log->n_edits = log->n_pending = 0;
    log->stride = 1;
    log->is_lost = false;
    pare_buffer_reset(&log->first);
    pare_buffer_reset(&log->last);
    pare_buffer_reset(&log->text);
}

/* Logs the passing side of an isolation.  `n_sides` is set in both logs before anything
 * is added to this one, so that each keeps to its half of the room from then on. */
static void add_passing(pare_best_log *log, const pare_event *event, size_t phase)
{
    if (!log->passing && pare_best_log_new(&log->passing, NULL)) return;
    log->n_sides = log->passing->n_sides = 2;
    if (!log->passing->is_lost) add_best(log->passing, event, pare_event_passing, phase);
}

void pare_best_log_add(pare_best_log *log, const pare_event *event)
{
    if (event->kind == PARE_EVENT_START) begin_run(log);
    if (event->phase && *event->phase) add_phase(log, event);
    /* The input is there when the first phase begins. */
    const bool is_input = event->kind == PARE_EVENT_PHASE && log->n_bests == 0;
    const bool is_best = event->kind == PARE_EVENT_TEST && event->accepted;
    const size_t phase = log->n_phases ? log->phases[log->n_phases - 1].first : 0;
    if ((is_input || is_best) && !log->is_lost) add_best(log, event, pare_event_best, phase);
    if (event->kind == PARE_EVENT_PASSING) add_passing(log, event, phase);
}

void pare_best_log_end(pare_best_log *log)
{
    take_pending(log);
    if (log->passing) take_pending(log->passing);
}

/* ---- what there is ------------------------------------------------------------------- */

const pare_best *pare_best_log_bests(const pare_best_log *log, size_t *n)
{
    *n = log->n_bests;
    return log->bests;
}

const pare_best_edit *pare_best_log_edits(const pare_best_log *log)
{
    return log->edits;
}

const pare_best_phase *pare_best_log_phases(const pare_best_log *log, size_t *n)
{
    *n = log->n_phases;
    return log->phases;
}

const unsigned char *pare_best_log_text(const pare_best_log *log)
{
    return (const unsigned char *)log->text.data;
}

const unsigned char *pare_best_log_first(const pare_best_log *log)
{
    return (const unsigned char *)log->first.data;
}

const pare_best_log *pare_best_log_passing(const pare_best_log *log)
{
    return log->passing;
}
