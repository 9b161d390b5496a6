/* The strategy over parts that mention each other.
 *
 * Where all of a program's beginning is used by a few lines at its end, nothing of the beginning goes
 * before these, and they go one by one.  Here both go in one test: a run of units, heaviest first and
 * halved when it cannot go, and what mentions them.  There are three ways: the lines that do (of a
 * block's first line the block), the words alone, or the units that do, with what mentions those.  The
 * way that has worked most is tried first; another only while it has hardly worked less.  How often
 * they have worked fades while nothing goes: the best one may have done all that it can, and the others
 * may have failed by chance.
 *
 * Invariant: a unit of a part has not gone; `state` holds for each line and each mention whether it
 * has.
 * Source: ours; closures of a graph of declarations (reduce/dependency) without a language.  Measured:
 * docs/lab/structure.md.  Test: tests/unit/test_mention_reduction.c. */
#include "reduce/structure/mention_reduction.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/shared.h"
#include "reduce/structure/line_table.h"
#include "reduce/structure/structure.h"
#include "text/candidate.h"
#include "text/pattern.h"
#include "text/text.h"

enum {
    LIGHT_SHARE = 100, /* parts below this part of what is left are not tried */
    PATIENCE = 12,     /* tests in a row for nothing: each way with each quarter; */
    HEAVY_SHARE = 12,  /* twice as many with parts of at least this part of what is left, */
    MUCH = 4096,       /* if that is so many bytes and more */
    STALE = 7,         /* after so many, what was learned about the ways fades */
    N_QUARTERS = 4,
    MOST_ROUNDS = 16 /* of units that go since they mention one that has gone */
};

/* What goes with the units of a part. */
enum way { LINES, WORDS, UNITS, N_WAYS };

/* A way is tried as long as it has worked at least so often as the best one, as a part of it. */
static const double HARDLY_LESS = 0.7;

/* What is left by each test of how often ways have worked, while these are stale. */
static const double FADED = 0.3;

/* Units from .. to-1; `bytes` were left of them when the part was put into the heap. */
struct part {
    uint32_t from, to;
    uint32_t bytes;
};

/* How often a way was tested, and how often the failure stayed. */
struct luck {
    double tries, wins;
};

/* The strategy's state. */
struct reduction {
    pare_strategy head;
    pare_mentions *mentions; /* one reference */
    pare_shared *state;      /* of uint8_t, for each line and then each mention: it has gone */
    pare_shared *proposal;   /* the same of the candidate; NULL: none is being tested */
    size_t left, proposed;   /* bytes of both */
    pare_shared *heap;       /* of struct part */
    size_t n_heap;
    struct part part;  /* taken last, */
    bool taken;        /* and not done */
    unsigned tried;    /* bits of the ways that were tried with it, */
    size_t tried_size; /* and the bytes that the last of them left; 0: none was */
    enum way way;      /* that is being tested */
    struct luck luck[N_WAYS];
    unsigned n_vain; /* tests in a row */
};

static struct reduction *of(pare_strategy *strategy)
{
    return (struct reduction *)strategy;
}

static uint32_t n_lines_of(const struct reduction *self)
{
    return self->mentions->structure->table.n_lines;
}

static size_t n_places(const struct reduction *self)
{
    return n_lines_of(self) + self->mentions->n_items;
}

/* ---- what is left ---------------------------------------------------------------------------- */

static uint32_t line_bytes(const struct reduction *self, uint32_t line)
{
    const pare_line *lines = self->mentions->structure->table.lines;
    return lines[line + 1].begin - lines[line].begin;
}

/* The bytes that go with a mention: blanks before it, and a comma before them, or else one after
 * it. Of "f(a, b, c)" and the mention "b" these are ", b", of "f(a, b)" and "a" they are "a,". */
static pare_stretch cut_of(const struct reduction *self, const pare_mention *mention)
{
    const pare_line_table *table = &self->mentions->structure->table;
    const pare_line *line = &table->lines[mention->line];
    pare_stretch cut = {mention->begin, mention->end};
    const size_t begin = line->begin + line->margin, end = begin + line->content;
    while (cut.from > begin && strchr(" \t", table->bytes[cut.from - 1]) != NULL)
        cut.from--;
    if (cut.from > begin && table->bytes[cut.from - 1] == ',')
        cut.from--;
    else if (cut.to < end && table->bytes[cut.to] == ',')
        cut.to++;
    return cut;
}

/* Bytes of a state. Cuts of neighbours may share a comma, which counts once: `last` is where the
 * one before ended. O(lines and mentions). */
static size_t size_of(const struct reduction *self, const uint8_t *state)
{
    const uint32_t n_lines = n_lines_of(self);
    size_t size = 0, last = 0;
    for (uint32_t i = 0; i < n_lines; i++)
        if (!state[i]) size += line_bytes(self, i);
    for (size_t i = 0; i < self->mentions->n_items; i++) {
        if (!state[n_lines + i] || state[self->mentions->items[i].line]) continue;
        const pare_stretch cut = cut_of(self, &self->mentions->items[i]);
        const size_t from = cut.from > last ? cut.from : last;
        size -= cut.to - from;
        last = cut.to;
    }
    return size;
}

/* ---- the heap -------------------------------------------------------------------------------- */

/* By the power of two of their bytes; of equal ones the rear one. */
static bool is_tried_before(const void *a, const void *b, const void *context)
{
    const struct part *x = a, *y = b;
    const unsigned heavy = pare_heap_magnitude(x->bytes), light = pare_heap_magnitude(y->bytes);
    (void)context;
    return heavy != light ? heavy > light : x->from > y->from;
}

static const pare_heap_order heap_order = {.item_bytes = sizeof(struct part),
                                           .before = is_tried_before};

/* What is left of units from .. to-1. */
static uint32_t bytes_left(const struct reduction *self, uint32_t from, uint32_t to)
{
    const uint8_t *state = pare_shared_items(self->state);
    uint32_t bytes = 0;
    for (uint32_t unit = from; unit < to; unit++)
        for (uint32_t line = self->mentions->units[unit].from;
             line < self->mentions->units[unit].to; line++)
            if (!state[line]) bytes += line_bytes(self, line);
    return bytes;
}

/* Adds units as a part, if something is left of them.  Errors: PARE_E_NOMEM. */
static pare_status put(struct reduction *self, uint32_t from, uint32_t to, pare_error *err)
{
    void *own = NULL;
    const struct part part = {from, to, bytes_left(self, from, to)};
    if (!part.bytes) return PARE_OK;
    pare_status status = pare_shared_own(&self->heap, self->n_heap, self->n_heap + 1, &own, err);
    if (!status) pare_heap_push(&heap_order, own, self->n_heap++, &part);
    return status;
}

/* The unit before which the first of `n` equal parts ends. A unit that would lie across goes to the
 * side where more of it does. */
static uint32_t share_of(const struct reduction *self, struct part part, uint32_t n)
{
    assert(part.from < part.to && n > 0 && "there is something to share");
    uint32_t cut = part.from + 1;
    for (uint32_t bytes = bytes_left(self, part.from, cut); cut + 1 < part.to; cut++) {
        const uint32_t next = bytes_left(self, cut, cut + 1);
        if (bytes + next / 2 >= part.bytes / n) break;
        bytes += next;
    }
    return cut;
}

/* Makes two parts of the one at hand, by bytes; one unit cannot be split and is done. */
static pare_status split(struct reduction *self, pare_error *err)
{
    const struct part part = self->part;
    self->taken = false;
    if (part.to - part.from < 2) return PARE_OK;
    const uint32_t cut = share_of(self, part, 2);
    pare_status status = put(self, part.from, cut, err);
    return status ? status : put(self, cut, part.to, err);
}

/* Takes the heaviest part; *done: nothing is left that is worth a test, or the patience is used up, which is twofold
 * where much is left and parts are heavy: what comes next takes as many tests and gains less.  What
 * has become lighter since it was put there, as others went, has its turn later. */
static pare_status take(struct reduction *self, bool *done, pare_error *err)
{
    void *own = NULL;
    *done = !self->n_heap || self->n_vain >= 2 * PATIENCE;
    if (*done) return PARE_OK;
    pare_status status = pare_shared_own(&self->heap, self->n_heap, self->n_heap, &own, err);
    if (status) return status;
    pare_heap_pop(&heap_order, own, self->n_heap--, &self->part);
    const uint32_t bytes = bytes_left(self, self->part.from, self->part.to);
    if (pare_heap_magnitude(bytes) < pare_heap_magnitude(self->part.bytes))
        return put(self, self->part.from, self->part.to, err);
    self->part.bytes = bytes;
    *done = bytes < self->left / LIGHT_SHARE ||
            (self->n_vain >= PATIENCE && (bytes < self->left / HEAVY_SHARE || self->left < MUCH));
    self->taken = true;
    self->tried = 0;
    self->tried_size = 0;
    return PARE_OK;
}

/* ---- the ways -------------------------------------------------------------------------------- */

/* How often a way works, with one win and one failure added (Laplace), so that a way that was not
 * tried has one half. */
static double rate_of(const struct luck *luck)
{
    return (luck->wins + 1.0) / (luck->tries + 2.0);
}

/* Sets the way to try next with the part: the best one that was not. False: none is left, or it
 * works less than 0.7 times as often as the best way of all.  As long as none has worked, a part has one test:
 * if something of it is needed the other ways are in vain, too, and its halves find out about them as well. */
static bool choose(struct reduction *self)
{
    double best = 0, most = 0, wins = 0;
    for (enum way way = 0; way < N_WAYS; way++)
        wins += self->luck[way].wins;
    if (wins <= 0 && self->tried && self->part.to - self->part.from > 1) return false;
    for (enum way way = 0; way < N_WAYS; way++) {
        const double rate = rate_of(&self->luck[way]);
        if (rate > most) most = rate;
        if (self->tried & 1u << way || rate <= best) continue;
        best = rate;
        self->way = way;
    }
    return best > 0 && best >= most * HARDLY_LESS;
}

static void drop_lines(uint8_t *state, uint32_t from, uint32_t to)
{
    memset(state + from, 1, to - from);
}

/* Whether some of the units are among the lines from .. to-1, which hold all of a unit or nothing of it. */
static bool holds_units(const struct reduction *self, uint32_t from, uint32_t to)
{
    const pare_mentions *mentions = self->mentions;
    return mentions->n_units && from <= mentions->units[0].from && mentions->units[0].from < to;
}

/* Leaves out the line, if an item begins in it, and with the first line of a block the block;
 * false: the line is no item's first, or begins what holds the units, and only the word can go. It goes down
 * from the unit's list, or from all of the text where the line is in no unit, into the block that holds the
 * line, without recursion. */
static bool drop_item(const struct reduction *self, uint8_t *state, uint32_t line)
{
    const pare_structure *structure = self->mentions->structure;
    const uint32_t unit = self->mentions->unit_of[line];
    pare_mentions_unit list = {0, structure->table.n_lines};
    if (unit != PARE_MENTIONS_NO_UNIT) list = self->mentions->units[unit];
    for (uint32_t at = list.from; at < list.to;) {
        const uint32_t end = pare_structure_item_end(structure, at, list.to);
        const pare_structure_block *block = pare_structure_block_at(structure, at, list.to);
        if (at == line) {
            if (unit == PARE_MENTIONS_NO_UNIT && holds_units(self, at, end)) return false;
            drop_lines(state, at, end);
            return true;
        }
        if (block && block->body <= line && line < block->closer) {
            list = (pare_mentions_unit){block->body, block->closer};
            at = list.from;
        } else {
            at = end;
        }
    }
    return false;
}

/* What the way does at a place that mentions a unit that goes; returns whether that was more than
 * the word, so that more units may go. */
static bool leave_out(const struct reduction *self, uint8_t *state, size_t item)
{
    const uint32_t line = self->mentions->items[item].line;
    const uint32_t unit = self->mentions->unit_of[line];
    if (self->way == UNITS && unit != PARE_MENTIONS_NO_UNIT) {
        drop_lines(state, self->mentions->units[unit].from, self->mentions->units[unit].to);
        return true;
    }
    if (self->way != WORDS && drop_item(self, state, line)) return true;
    state[n_lines_of(self) + item] = 1;
    return false;
}

/* Makes of the state that without the part and what mentions it. A unit that went as a whole has
 * gone as those of the part have, so with UNITS the mentions are gone through until nothing
 * changes, at most MOST_ROUNDS times: what is missed then is a mention that stays, and costs a
 * test. */
static void apply(const struct reduction *self, uint8_t *state)
{
    const pare_mentions *mentions = self->mentions;
    bool again = true;
    drop_lines(state, mentions->units[self->part.from].from, mentions->units[self->part.to - 1].to);
    for (unsigned round = 0; again && round < MOST_ROUNDS; round++) {
        again = false;
        for (size_t i = 0; i < mentions->n_items; i++) {
            const pare_mention *item = &mentions->items[i];
            const bool goes = item->of >= self->part.from && item->of < self->part.to;
            if (state[item->line] || state[n_lines_of(self) + i]) continue;
            if (!goes && (self->way != UNITS || !state[mentions->units[item->of].from])) continue;
            again = leave_out(self, state, i) || again;
        }
        again = again && self->way == UNITS;
    }
}

/* Makes the proposal for the way at hand; none where it would leave nothing, or as much as the last one for
 * this part, which is then the same as a rule: nothing mentions it. */
static pare_status propose(struct reduction *self, pare_error *err)
{
    pare_shared *proposal = NULL;
    void *items = NULL;
    pare_status status = pare_shared_new(n_places(self), 1, &proposal, err);
    if (!status) status = pare_shared_own(&proposal, 0, n_places(self), &items, err);
    if (status) {
        pare_shared_release(proposal);
        return status;
    }
    memcpy(items, pare_shared_items(self->state), n_places(self));
    apply(self, items);
    self->proposed = size_of(self, items);
    if (self->proposed && self->proposed < self->left && self->proposed != self->tried_size)
        self->proposal = proposal;
    else
        pare_shared_release(proposal);
    self->tried_size = self->proposed;
    return PARE_OK;
}

/* ---- the strategy ---------------------------------------------------------------------------- */

/* What is being printed: bytes of the file that are not appended yet. */
struct printing {
    size_t base; /* of the file in the text */
    size_t from, to;
};

/* Appends what is before `to`, and goes on at `at`: what lies between has gone. Neighbouring lines
 * that stay become one slice. */
static pare_status skip_to(struct printing *printing, size_t at, pare_candidate *candidate,
                           pare_error *err)
{
    pare_status status = PARE_OK;
    if (printing->from < printing->to)
        status = pare_candidate_slice(candidate, printing->base + printing->from,
                                      printing->to - printing->from, err);
    printing->from = printing->to = at;
    return status;
}

/* Prints what is before the file, what is left of its lines, and what is after it. */
static pare_status print(const struct reduction *self, const uint8_t *state,
                         pare_candidate *candidate, pare_error *err)
{
    const pare_structure *structure = self->mentions->structure;
    const pare_line *lines = structure->table.lines;
    const uint32_t n_lines = structure->table.n_lines;
    const size_t size = pare_text_size(structure->text), before = structure->before;
    struct printing printing = {.base = before};
    size_t item = 0;
    pare_candidate_start(candidate, structure->text);
    pare_status status = before ? pare_candidate_slice(candidate, 0, before, err) : PARE_OK;
    for (uint32_t i = 0; !status && i < n_lines; i++) {
        if (state[i]) {
            status = skip_to(&printing, lines[i + 1].begin, candidate, err);
            continue;
        }
        while (item < self->mentions->n_items && self->mentions->items[item].line < i)
            item++;
        for (; !status && item < self->mentions->n_items && self->mentions->items[item].line == i;
             item++) {
            if (!state[n_lines + item]) continue;
            const pare_stretch cut = cut_of(self, &self->mentions->items[item]);
            if (cut.from > printing.to) printing.to = cut.from;
            status = skip_to(&printing, cut.to, candidate, err);
        }
        if (lines[i + 1].begin > printing.to) printing.to = lines[i + 1].begin;
    }
    if (!status) status = skip_to(&printing, 0, candidate, err);
    const size_t after = before + lines[n_lines].begin;
    if (!status && after < size) status = pare_candidate_slice(candidate, after, size - after, err);
    return status;
}

/* Goes on until there is a candidate: takes a part, makes a proposal for the best way, splits the
 * part when no way is left. A proposal that is no smaller counts as tried. */
static pare_status reduction_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct reduction *self = of(strategy);
    bool done = false;
    while (!self->proposal) {
        pare_status status = PARE_OK;
        if (!self->taken) {
            status = take(self, &done, err);
            if (done) *what = PARE_NEXT_DONE;
            if (status || done) return status;
            continue;
        }
        status = choose(self) ? propose(self, err) : split(self, err);
        if (status) return status;
        if (self->taken && !self->proposal) self->tried |= 1u << self->way;
    }
    *what = PARE_NEXT_TEST;
    return print(self, pare_shared_items(self->proposal), candidate, err);
}

/* Adds what came of the way that was tested. */
static void learn(struct reduction *self, bool fails)
{
    for (enum way way = 0; self->n_vain >= STALE && way < N_WAYS; way++) {
        self->luck[way].tries *= FADED;
        self->luck[way].wins *= FADED;
    }
    self->luck[self->way].tries++;
    self->luck[self->way].wins += fails;
    self->n_vain = fails ? 0 : self->n_vain + 1;
}

/* A failure makes the proposal the state, and the part is done; its ways learn. Otherwise the next
 * way has its turn in reduction_next. */
static pare_status reduction_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct reduction *self = of(strategy);
    const bool fails = outcome == PARE_FAIL;
    (void)err;
    assert(self->proposal && self->taken);
    self->tried |= 1u << self->way;
    learn(self, fails);
    if (fails) {
        pare_shared_release(self->state);
        self->state = self->proposal;
        self->left = self->proposed;
        self->taken = false;
    } else {
        pare_shared_release(self->proposal);
    }
    self->proposal = NULL;
    return PARE_OK;
}

/* Works on a state that is half made, too. */
static void reduction_free(pare_strategy *strategy)
{
    struct reduction *self = of(strategy);
    pare_shared_release(self->state);
    pare_shared_release(self->proposal);
    pare_shared_release(self->heap);
    pare_mentions_unref(self->mentions);
    pare_alloc_free(self);
}

/* Arrays are shared until one of the copies writes. */
static pare_status reduction_copy(const pare_strategy *strategy, pare_strategy **out,
                                  pare_error *err)
{
    const struct reduction *self = (const struct reduction *)strategy;
    struct reduction *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    pare_mentions_ref(copy->mentions);
    pare_shared_retain(copy->state);
    pare_shared_retain(copy->proposal);
    pare_shared_retain(copy->heap);
    *out = &copy->head;
    return PARE_OK;
}

/* At first all is there.  Parts are quarters: where two places or three that are far apart matter, few
 * halves go, and each part that stays takes a test for each way. */
static pare_status start(struct reduction *self, pare_error *err)
{
    void *items = NULL;
    pare_status status = pare_shared_new(n_places(self), 1, &self->state, err);
    if (!status) status = pare_shared_own(&self->state, 0, n_places(self), &items, err);
    if (!status) status = pare_shared_new(16, sizeof(struct part), &self->heap, err);
    if (status) return status;
    memset(items, 0, n_places(self));
    self->left = size_of(self, items);
    for (uint32_t quarter = 0, from = 0; !status && quarter < N_QUARTERS; quarter++) {
        struct part rest = {from, self->mentions->n_units, 0};
        uint32_t to = rest.to;
        rest.bytes = bytes_left(self, from, to);
        if (quarter + 1 < N_QUARTERS && from + 1 < to)
            to = share_of(self, rest, N_QUARTERS - quarter);
        status = put(self, from, to, err);
        from = to;
    }
    return status;
}

pare_status pare_mention_reduction_new(pare_mentions *mentions, pare_strategy **out,
                                       pare_error *err)
{
    static const pare_strategy_ops ops = {.next = reduction_next,
                                          .tell = reduction_tell,
                                          .copy = reduction_copy,
                                          .destroy = reduction_free};
    struct reduction *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->mentions = pare_mentions_ref(mentions);
    pare_status status = start(self, err);
    if (status)
        reduction_free(&self->head);
    else
        *out = &self->head;
    return status;
}
