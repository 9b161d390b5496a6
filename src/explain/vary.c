/* Varying the parts of a text: first one by one, then in groups, then again to confirm what was found.
 *
 * A part is tried with its first samples.  If one passes, the part is needed; if all fail, any of its kind
 * will do, and the parts inside such a node are not asked about any more.  For a whole number the two
 * neighbours come first: if one of them fails, but some sample passes, the number may be one of a range.
 * The end of the range on that side is found by galloping and halving, and a few places inside it are
 * tested.  The length of a string whose letters do not matter and the rounds of a list are treated alike.
 *
 * Then the parts that may vary are put into groups that may vary at once: halving finds the longest run of
 * parts that can be varied together with the group, and the run joins it; the part after the run is set
 * aside for the next group.  Finally all claims are confirmed, those with the fewest samples first, and
 * the largest group as a whole.  If a sample passes, its claim is withdrawn and the groups are made anew.
 *
 * The state is small and plain, since it is copied for every outcome that is predicted.  The strategy
 * reduces nothing: its best is always the text.
 *
 * Invariant: parts whose turn was before `at` have a verdict, or lie inside a node of which any will do; while an end of
 * a range is sought, `near` fails and (once halving) `far` passes; members of a group failed together in
 * N_TOGETHER draws.
 * Cost in tests: one for most needed parts, n_first for the others; 2 log2 of its length for a range, or 7 for a side
 * without an end;
 * N_TOGETHER for groups if all may vary at once, else about log2(parts) times as many for each part that
 * may not; what is left of the limit confirms.
 * Source: see <pare/explain.h>; ends of ranges by galloping are as in Bentley and Yao's unbounded
 * search, "An almost optimal algorithm for unbounded searching", IPL 5(3), 1976. */
#include "explain/vary.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <pare/explain.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "engine/strategy.h"
#include "explain/parts.h"
#include "explain/sampler.h"
#include "text/candidate.h"
#include "text/text.h"

enum {
    N_INSIDE = 6,         /* places of a range that are looked at */
    N_TOGETHER = 3,       /* draws of parts that are to vary at once */
    N_CONFIRMED = 59,     /* samples after which a claim holds for 95 %, with as much confidence */
    MOST_GROUP_TESTS = 90 /* for groups; what is left over then stays alone */
};

enum stage {
    SAMPLES,    /* the part's own samples */
    NEIGHBOURS, /* a length or number of rounds, one more and one less */
    GALLOP_UP,  /* away from the value, in steps that are squared, until one passes */
    HALVE_UP,   /* to the end between the last that failed and the first that passed */
    GALLOP_DOWN,
    HALVE_DOWN,
    INSIDE, /* places of the range that was found */
    GROUPS, /* draws of several parts at once */
    CONFIRM,
    CONFIRM_GROUP,
    DONE
};

struct vary {
    pare_strategy head;
    const pare_text *text;   /* one reference */
    const pare_parts *parts; /* borrowed */
    pare_answer *answers;    /* owned; one for each part */
    uint32_t most_tests, tests;
    size_t part; /* asked about, or confirmed */
    size_t at;   /* its turn, while it is asked about */
    enum stage stage;
    uint32_t turn; /* of the stage: sample, place inside, draw */
    bool above_fails, below_fails;
    uint64_t near, far, step; /* the last size that failed, the first that passed; from the value */
    uint32_t n_groups;        /* the last one is being made */
    /* Halving over the pending parts, in their order: the first `joins` can join the group, the first
     * `does_not` cannot, the first `take` are being tried. */
    uint32_t take, joins, does_not;
    uint32_t group_tests, draws; /* draws of all parts at once, ever */
    uint32_t joint_samples, joint_fails;
};

static const struct vary *of(const pare_strategy *strategy)
{
    return (const struct vary *)strategy;
}

/* ---- what is asked ------------------------------------------------------------------ */

/* A sample of a part; borrowed. */
static pare_span sample_of(const struct vary *self, size_t part, uint32_t k)
{
    const pare_varied *varied = &self->parts->parts[part];
    const pare_sample *sample = &self->parts->samples[varied->first_sample + k];
    assert(k < varied->n_samples);
    return (pare_span){(const unsigned char *)self->parts->bytes.data + sample->offset,
                       sample->size};
}

static pare_status put_sample(const struct vary *self, size_t part, uint32_t k, pare_buffer *out,
                              pare_error *err)
{
    const pare_span sample = sample_of(self, part, k);
    return pare_buffer_add(out, sample.bytes, sample.size, err);
}

/* The list with so many rounds: more of them are copies of the last one. */
static pare_status put_rounds(const struct vary *self, size_t part, uint64_t n, pare_buffer *out,
                              pare_error *err)
{
    const uint64_t own = self->parts->parts[part].value;
    pare_status status = PARE_OK;
    if (n) status = put_sample(self, part, (uint32_t)(n < own ? n : own) - 1, out, err);
    for (uint64_t k = own; !status && k < n; k++)
        status = put_sample(self, part, (uint32_t)own, out, err);
    return status;
}

/* A part of the size `size`: a number, a string so long, a list of so many rounds. */
static pare_status put_sized(const struct vary *self, size_t part, uint64_t size, pare_buffer *out,
                             pare_error *err)
{
    if (self->parts->parts[part].kind == PARE_PART_REPEAT)
        return put_rounds(self, part, size, out, err);
    const pare_span text = {pare_text_bytes(self->text), pare_text_size(self->text)};
    const pare_sampled sampled = pare_parts_sampled(self->parts, text, part);
    return pare_sampler_draw_sized(&sampled, 0, size, out, err);
}

static uint64_t largest(const struct vary *self, size_t part)
{
    return pare_sampler_largest(self->parts->parts[part].kind);
}

/* The end above of what is claimed, or where it is no longer looked at. */
static uint64_t highest(const struct vary *self, size_t part)
{
    const pare_answer *answer = &self->answers[part];
    const uint64_t value = self->parts->parts[part].value;
    const uint64_t open =
        value * 16 + (self->parts->parts[part].kind == PARE_PART_WHOLE ? 1000 : 8);
    const uint64_t high = answer->has_high ? answer->high : open;
    return high < largest(self, part) ? high : largest(self, part);
}

static uint64_t lowest(const struct vary *self, size_t part)
{
    return self->answers[part].has_low ? self->answers[part].low : 0;
}

/* A place of the range that was found: the k-th of N_INSIDE, apart from each other, odd and even. */
static uint64_t inside(const struct vary *self, size_t part, uint32_t k)
{
    const uint64_t low = lowest(self, part), high = highest(self, part);
    const uint64_t at = low + (high - low) / (N_INSIDE + 1) * (k + 1) + k / 2;
    return at < high ? at : high;
}

/* The number that is asked about in the stages of ranges. */
static uint64_t number_of(const struct vary *self)
{
    const uint64_t value = self->parts->parts[self->part].value;
    const uint64_t end = largest(self, self->part);
    switch (self->stage) {
    case NEIGHBOURS: return self->turn ? value - 1 : value + 1;
    case GALLOP_UP: return end <= value || end - value > self->step ? value + self->step : end;
    case GALLOP_DOWN: return value > self->step ? value - self->step : 0;
    case HALVE_UP: return self->near + (self->far - self->near) / 2;
    case HALVE_DOWN: return self->far + (self->near - self->far) / 2;
    case INSIDE: return inside(self, self->part, self->turn);
    case SAMPLES:
    case GROUPS:
    case CONFIRM:
    case CONFIRM_GROUP:
    case DONE: break;
    }
    return value;
}

static bool may_vary(const pare_answer *answer)
{
    return answer->verdict == PARE_PART_ANY || answer->verdict == PARE_PART_RANGE ||
           answer->verdict == PARE_PART_RENAME;
}

static bool is_empty_sample(const struct vary *self, size_t part, uint32_t k)
{
    const pare_varied *varied = &self->parts->parts[part];
    return varied->has_empty && k + 1 == varied->n_first;
}

/* How many names before `part` are renamed.  Drawing from this on gives each of them another name in one
 * draw, which their own samples (all begin with the same table) would not. */
static uint32_t rank_of(const struct vary *self, size_t part)
{
    uint32_t rank = 0;
    for (size_t k = 0; k < part; k++)
        rank += self->answers[k].verdict == PARE_PART_RENAME;
    return rank;
}

/* What stands for `part` in draw `draw` of what is claimed of it. */
static pare_status put_claimed(const struct vary *self, size_t part, uint32_t draw,
                               pare_buffer *out, pare_error *err)
{
    const pare_answer *answer = &self->answers[part];
    const uint32_t n = self->parts->parts[part].n_samples;
    if (answer->verdict == PARE_PART_RANGE)
        return put_sized(self, part,
                         pare_sampler_size(part, draw, lowest(self, part), highest(self, part)),
                         out, err);
    uint32_t k = answer->verdict == PARE_PART_RENAME ? (rank_of(self, part) + 13 * draw) % n
                                                     : (uint32_t)((part + 7 * (size_t)draw) % n);
    if (answer->has_low && is_empty_sample(self, part, k)) k = 0;
    return put_sample(self, part, k, out, err);
}

/* Whether the part is varied in the draw of parts at once that is proposed now. */
static bool is_drawn(const struct vary *self, size_t part)
{
    const pare_answer *answer = &self->answers[part];
    if (!may_vary(answer) || self->parts->parts[part].kind == PARE_PART_REPEAT) return false;
    if (self->stage == CONFIRM_GROUP) return answer->group == 1;
    return answer->group == self->n_groups || answer->rank < self->take;
}

/* Appends what stands for `part` in the candidate that is proposed now; *replaced is false where it is
 * its own text. */
static pare_status put_part(const struct vary *self, size_t part, pare_buffer *out, bool *replaced,
                            pare_error *err)
{
    const bool at_once = self->stage == GROUPS || self->stage == CONFIRM_GROUP;
    *replaced = at_once ? is_drawn(self, part) : part == self->part;
    if (!*replaced) return PARE_OK;
    if (at_once) return put_claimed(self, part, self->draws, out, err);
    if (self->stage == SAMPLES) return put_sample(self, part, self->turn, out, err);
    if (self->stage != CONFIRM) return put_sized(self, part, number_of(self), out, err);
    const pare_answer *answer = &self->answers[part];
    if (answer->verdict == PARE_PART_RANGE) return put_claimed(self, part, answer->next, out, err);
    return put_sample(self, part, answer->next, out, err);
}

/* The text with what is varied.  A place inside one that was replaced is gone with it. */
static pare_status make_candidate(const struct vary *self, pare_candidate *candidate,
                                  pare_error *err)
{
    const pare_parts *parts = self->parts;
    const size_t end = pare_text_size(self->text);
    size_t at = 0;
    pare_buffer text = {0};
    pare_status status = PARE_OK;
    pare_candidate_start(candidate, self->text);
    for (size_t k = 0; !status && k < parts->n_places; k++) {
        bool replaced = false;
        const pare_varied_place *place = &parts->places[k];
        if (place->from < at) continue;
        pare_buffer_reset(&text);
        status = put_part(self, place->part, &text, &replaced, err);
        if (status || !replaced) continue;
        if (place->from > at) status = pare_candidate_slice(candidate, at, place->from - at, err);
        if (!status && text.size)
            status = pare_candidate_literal(candidate, text.data, text.size, err);
        at = place->to;
    }
    if (!status && end > at) status = pare_candidate_slice(candidate, at, end - at, err);
    pare_buffer_done(&text);
    return status;
}

/* ---- what comes next ---------------------------------------------------------------- */

/* Whether bytes from .. to-1, of `part`, lie inside another node of which any will do. */
static bool is_inside_any(const struct vary *self, size_t part, uint32_t from, uint32_t to)
{
    for (size_t k = 0; k < self->parts->n; k++) {
        const pare_varied *node = &self->parts->parts[k];
        if (node->kind == PARE_PART_NODE && self->answers[k].verdict == PARE_PART_ANY &&
            node->from <= from && to <= node->to && k != part)
            return true;
    }
    return false;
}

/* Whether all places of `part` do: then there is nothing to be asked. */
static bool is_covered(const struct vary *self, size_t part)
{
    const pare_varied *varied = &self->parts->parts[part];
    if (varied->n_places == 1) return is_inside_any(self, part, varied->from, varied->to);
    for (size_t k = 0; k < self->parts->n_places; k++) {
        const pare_varied_place *place = &self->parts->places[k];
        if (place->part == part && !is_inside_any(self, part, place->from, place->to)) return false;
    }
    return true;
}

static void begin_groups(struct vary *self);

/* The next turn of a part that is to be asked about, from `turn` on; the number of parts: there is none.
 * After a claim was taken back these are the parts inside it. */
static size_t next_untried(const struct vary *self, size_t turn)
{
    const uint32_t *parts = self->parts->turns;
    while (turn < self->parts->n && (self->answers[parts[turn]].verdict != PARE_PART_UNTRIED ||
                                     is_covered(self, parts[turn])))
        turn++;
    return turn;
}

/* Begins with the next untried part from `at` in their turns; with groups if there is none.  After three quarters of the tests
 * groups are made of what is claimed so far, so that a text with many parts has a pattern too. */
static void begin_part(struct vary *self, size_t at)
{
    const bool is_late = !self->n_groups && self->tests / 3 >= self->most_tests / 4;
    self->at = next_untried(self, at);
    self->part = self->at < self->parts->n ? self->parts->turns[self->at] : self->parts->n;
    self->turn = 0;
    self->above_fails = self->below_fails = false;
    if (self->part == self->parts->n || is_late) {
        begin_groups(self);
        return;
    }
    const bool is_list = self->parts->parts[self->part].kind == PARE_PART_REPEAT;
    self->stage = is_list ? NEIGHBOURS : SAMPLES;
}

/* Sets the verdict.  What confirms it begins after the samples that it was made from. */
static void settle(struct vary *self, pare_part_verdict verdict)
{
    pare_answer *answer = &self->answers[self->part];
    answer->verdict = verdict;
    answer->next = self->parts->parts[self->part].n_first;
    if (verdict == PARE_PART_NEEDED) answer->has_low = answer->has_high = false;
}

static void decide(struct vary *self, pare_part_verdict verdict)
{
    settle(self, verdict);
    begin_part(self, self->at + 1);
}

/* ---- ranges ------------------------------------------------------------------------- */

static void begin_inside(struct vary *self)
{
    self->stage = INSIDE;
    self->turn = 0;
}

static void begin_down(struct vary *self)
{
    pare_answer *answer = &self->answers[self->part];
    const uint64_t value = self->parts->parts[self->part].value;
    answer->has_low = value > 0; /* nothing is below 0 */
    answer->low = value;
    if (!self->below_fails) {
        begin_inside(self);
        return;
    }
    self->stage = GALLOP_DOWN;
    self->near = value - 1;
    self->step = 2;
    if (value > 1) return;
    answer->has_low = false; /* 0 fails: nothing is below */
    begin_inside(self);
}

static void begin_up(struct vary *self)
{
    pare_answer *answer = &self->answers[self->part];
    const uint64_t value = self->parts->parts[self->part].value;
    answer->has_high = true;
    answer->high = value;
    if (!self->above_fails) {
        begin_down(self);
        return;
    }
    self->stage = GALLOP_UP;
    self->near = value + 1;
    self->step = 2;
}

/* The end above is between near and far. */
static void halve_up(struct vary *self)
{
    pare_answer *answer = &self->answers[self->part];
    self->stage = HALVE_UP;
    if (self->far - self->near > 1) return;
    answer->high = self->near;
    begin_down(self);
}

static void halve_down(struct vary *self)
{
    pare_answer *answer = &self->answers[self->part];
    self->stage = HALVE_DOWN;
    if (self->near - self->far > 1) return;
    answer->low = self->near;
    begin_inside(self);
}

/* Steps are squared, so that a number without an end costs seven tests and not sixty; halving pays for
 * the gap that is larger, as often as there is one. */
static uint64_t next_step(uint64_t step)
{
    return step < UINT64_C(1) << 32 ? step * step : UINT64_C(1) << 62;
}

/* All that was asked about above fails. */
static void end_up(struct vary *self)
{
    self->answers[self->part].has_high = false;
    begin_down(self);
}

static void tell_gallop_up(struct vary *self, bool fails)
{
    const uint64_t asked = number_of(self);
    if (!fails) {
        self->far = asked;
        halve_up(self);
        return;
    }
    self->near = asked;
    self->step = next_step(self->step);
    if (asked >= largest(self, self->part)) end_up(self);
}

static void tell_gallop_down(struct vary *self, bool fails)
{
    const uint64_t asked = number_of(self);
    if (!fails) {
        self->far = asked;
        halve_down(self);
        return;
    }
    self->near = asked;
    self->step = next_step(self->step);
    if (asked) return;
    self->answers[self->part].has_low = false;
    begin_inside(self);
}

static void tell_halve(struct vary *self, bool fails)
{
    const uint64_t asked = number_of(self);
    if (fails)
        self->near = asked;
    else
        self->far = asked;
    if (self->stage == HALVE_UP)
        halve_up(self);
    else
        halve_down(self);
}

/* If a place inside passes, it is no range: size does not decide what fails.  Without ends every number is
 * inside, and one has passed: otherwise the part would be any. */
static void tell_inside(struct vary *self, bool fails)
{
    const pare_answer *answer = &self->answers[self->part];
    const bool has_end = answer->has_low || answer->has_high;
    if (!fails)
        decide(self, PARE_PART_NEEDED);
    else if (++self->turn == N_INSIDE)
        decide(self, has_end ? PARE_PART_RANGE : PARE_PART_NEEDED);
}

/* Of a length, or a number of rounds. */
static void tell_neighbour(struct vary *self, bool fails)
{
    if (self->turn)
        self->below_fails = fails;
    else
        self->above_fails = fails;
    if (!self->turn++ && self->parts->parts[self->part].value) return;
    if (self->above_fails || self->below_fails)
        begin_up(self);
    else
        decide(self, PARE_PART_NEEDED);
}

/* ---- samples ------------------------------------------------------------------------ */

/* Of a whole number: the neighbours decide whether it may be a range. */
static void tell_sample_of_whole(struct vary *self, bool fails)
{
    const pare_varied *part = &self->parts->parts[self->part];
    const uint32_t n_neighbours = part->value ? 2 : 1;
    if (self->turn == 0) self->above_fails = fails;
    if (self->turn == 1 && n_neighbours == 2) self->below_fails = fails;
    self->turn++;
    if (self->turn < n_neighbours) return;
    const bool near_fails = self->above_fails || self->below_fails;
    const bool all_fail = self->answers[self->part].fails == self->turn;
    if (!near_fails)
        decide(self, PARE_PART_NEEDED);
    else if (!all_fail)
        begin_up(self);
    else if (self->turn == part->n_first)
        decide(self, PARE_PART_ANY);
}

/* A sample of a string passes.  If it is the empty one, which comes last, all others failed: any but the
 * empty.  If it has another length, that may be the reason: lengths are asked about. */
static void tell_string_passes(struct vary *self)
{
    const pare_varied *part = &self->parts->parts[self->part];
    pare_answer *answer = &self->answers[self->part];
    if (is_empty_sample(self, self->part, self->turn)) {
        answer->has_low = true;
        answer->low = 1;
        answer->samples--; /* it is none of those that the claim is about */
        decide(self, PARE_PART_ANY);
    } else if (part->n_same && self->turn >= part->n_same) {
        self->stage = NEIGHBOURS;
        self->turn = 0;
    } else {
        decide(self, PARE_PART_NEEDED);
    }
}

static void tell_sample(struct vary *self, bool fails)
{
    const pare_varied *part = &self->parts->parts[self->part];
    if (part->kind == PARE_PART_WHOLE)
        tell_sample_of_whole(self, fails);
    else if (!fails && part->kind == PARE_PART_STRING)
        tell_string_passes(self);
    else if (!fails)
        decide(self, PARE_PART_NEEDED);
    else if (++self->turn == part->n_first)
        decide(self, part->kind == PARE_PART_NAME ? PARE_PART_RENAME : PARE_PART_ANY);
}

/* ---- groups ------------------------------------------------------------------------- */

static bool is_in_groups(const struct vary *self, size_t part)
{
    return may_vary(&self->answers[part]) && self->parts->parts[part].kind != PARE_PART_REPEAT &&
           !is_covered(self, part);
}

/* Ranks the pending parts (those that may vary and have no group yet) in their order; how many there are. */
static uint32_t rank_pending(struct vary *self)
{
    uint32_t n = 0;
    for (size_t k = 0; k < self->parts->n; k++) {
        pare_answer *answer = &self->answers[k];
        const bool is_pending = is_in_groups(self, k) && !answer->group && !answer->is_aside;
        answer->rank = is_pending ? n++ : UINT32_MAX;
    }
    return n;
}

static void begin_confirming(struct vary *self);

static size_t group_size(const struct vary *self, uint32_t group)
{
    size_t n = 0;
    for (size_t k = 0; k < self->parts->n; k++)
        n += self->answers[k].group == group;
    return n;
}

/* Makes the largest group the first: it is the one that the pattern shows and that is confirmed. */
static void end_groups(struct vary *self)
{
    uint32_t largest_group = 1;
    for (uint32_t group = 2; group <= self->n_groups; group++)
        if (group_size(self, group) > group_size(self, largest_group)) largest_group = group;
    for (size_t k = 0; k < self->parts->n; k++) {
        uint32_t *group = &self->answers[k].group;
        if (*group == 1)
            *group = largest_group;
        else if (*group == largest_group)
            *group = 1;
    }
    begin_confirming(self);
}

static void join(struct vary *self);

/* Tries to add all that is pending to the group.  If nothing is, the next group begins with the parts that
 * were set aside. */
static void continue_group(struct vary *self)
{
    uint32_t n = rank_pending(self);
    if (!n) {
        for (size_t k = 0; k < self->parts->n; k++)
            self->answers[k].is_aside = false;
        n = rank_pending(self);
        if (!n || self->group_tests >= MOST_GROUP_TESTS) {
            end_groups(self);
            return;
        }
        self->n_groups++;
    }
    if (n == 1 && !group_size(self, self->n_groups)) { /* it was varied by itself already */
        self->joins = 1;
        self->does_not = 2;
        join(self);
        return;
    }
    self->stage = GROUPS;
    self->turn = 0;
    self->joins = 0;
    self->does_not = n + 1;
    self->take = n;
}

/* Halving has ended: the first `joins` of the pending parts join the group, and the one after them, with
 * which the group passed, is set aside. */
static void join(struct vary *self)
{
    assert(self->n_groups && self->joins < self->does_not && "somebody is left out, or nobody is");
    for (size_t k = 0; k < self->parts->n; k++) {
        pare_answer *answer = &self->answers[k];
        if (answer->rank < self->joins) answer->group = self->n_groups;
        if (answer->rank == self->joins) answer->is_aside = true;
    }
    continue_group(self);
}

/* A draw that passes, or N_TOGETHER that fail, decide on the first `take`. */
static void tell_group(struct vary *self, bool fails)
{
    const bool can_join = fails && self->turn + 1 == N_TOGETHER;
    self->draws++;
    self->group_tests++;
    self->turn++;
    if (fails && !can_join) return;
    if (fails)
        self->joins = self->take;
    else
        self->does_not = self->take;
    if (!self->joins && self->does_not > 1 && !group_size(self, self->n_groups)) self->joins = 1;
    self->turn = 0;
    if (self->does_not - self->joins <= 1)
        join(self);
    else
        self->take = self->joins + (self->does_not - self->joins) / 2;
}

/* Makes the groups anew, from one that is empty; once their tests are spent, the old ones stay. */
static void begin_groups(struct vary *self)
{
    if (self->group_tests >= MOST_GROUP_TESTS) {
        begin_confirming(self);
        return;
    }
    for (size_t k = 0; k < self->parts->n; k++) {
        self->answers[k].group = 0;
        self->answers[k].is_aside = false;
    }
    self->n_groups = 1;
    self->joint_samples = self->joint_fails = 0;
    continue_group(self);
}

/* ---- confirming --------------------------------------------------------------------- */

/* Whether there is a sample left to confirm the claim by. */
static bool can_confirm(const struct vary *self, size_t part)
{
    const pare_answer *answer = &self->answers[part];
    if (!may_vary(answer) || answer->samples >= N_CONFIRMED || is_covered(self, part)) return false;
    return answer->verdict == PARE_PART_RANGE || answer->next < self->parts->parts[part].n_samples;
}

/* Goes on with untried parts, if groups were made before all were asked about; else confirms the claim
 * with the fewest samples, the group as a whole being one of them. */
static void begin_confirming(struct vary *self)
{
    if (self->tests < self->most_tests && next_untried(self, 0) < self->parts->n) {
        begin_part(self, 0);
        return;
    }
    size_t best = self->parts->n;
    for (size_t k = 0; k < self->parts->n; k++)
        if (can_confirm(self, k) &&
            (best == self->parts->n || self->answers[k].samples < self->answers[best].samples))
            best = k;
    const bool has_group = group_size(self, 1) > 1 && self->joint_samples < N_CONFIRMED;
    const bool is_group_due =
        has_group && (best == self->parts->n || self->joint_samples < self->answers[best].samples);
    self->part = best;
    self->stage = is_group_due ? CONFIRM_GROUP : best < self->parts->n ? CONFIRM : DONE;
    if (self->tests >= self->most_tests) self->stage = DONE;
}

/* A claim that is withdrawn may uncover parts inside it, which have to be asked about now. */
static void tell_confirmed(struct vary *self, bool fails)
{
    self->answers[self->part].next++;
    if (fails) {
        begin_confirming(self);
        return;
    }
    settle(self, PARE_PART_NEEDED);
    self->answers[self->part].group = 0;
    begin_part(self, 0);
}

/* A group that does not hold is made anew, by other draws. */
static void tell_group_confirmed(struct vary *self, bool fails)
{
    self->draws++;
    self->joint_samples++;
    self->joint_fails += fails;
    if (!fails)
        begin_groups(self);
    else
        begin_confirming(self);
}

/* ---- the strategy ------------------------------------------------------------------- */

/* Keeps what passed in the place of the part, for its nearest passing text. */
static void note_passing(const struct vary *self, pare_answer *answer)
{
    const bool is_claim = self->stage == CONFIRM && answer->verdict == PARE_PART_RANGE;
    answer->has_passing = !is_claim;
    answer->passing_is_size = self->stage != SAMPLES && self->stage != CONFIRM;
    answer->passing = answer->passing_is_size  ? number_of(self)
                      : self->stage == SAMPLES ? self->turn
                                               : answer->next;
}

static pare_status vary_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                             pare_error *err)
{
    const struct vary *self = of(strategy);
    *what = self->stage == DONE ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    return self->stage == DONE ? PARE_OK : make_candidate(self, candidate, err);
}

static pare_status vary_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct vary *self = (struct vary *)strategy;
    const bool fails = outcome == PARE_FAIL;
    (void)err;
    self->tests++;
    if (self->stage != GROUPS && self->stage != CONFIRM_GROUP && self->stage != DONE) {
        pare_answer *answer = &self->answers[self->part];
        answer->samples++;
        answer->fails += fails;
        if (!fails) note_passing(self, answer);
    }
    switch (self->stage) {
    case SAMPLES: tell_sample(self, fails); break;
    case NEIGHBOURS: tell_neighbour(self, fails); break;
    case GALLOP_UP: tell_gallop_up(self, fails); break;
    case GALLOP_DOWN: tell_gallop_down(self, fails); break;
    case HALVE_UP:
    case HALVE_DOWN: tell_halve(self, fails); break;
    case INSIDE: tell_inside(self, fails); break;
    case GROUPS: tell_group(self, fails); break;
    case CONFIRM: tell_confirmed(self, fails); break;
    case CONFIRM_GROUP: tell_group_confirmed(self, fails); break;
    case DONE: assert(!"nothing was asked"); break;
    }
    return PARE_OK;
}

static void vary_free(pare_strategy *strategy)
{
    struct vary *self = (struct vary *)strategy;
    pare_text_unref(self->text);
    pare_alloc_free(self->answers);
    pare_alloc_free(self);
}

static pare_status vary_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const struct vary *self = of(strategy);
    struct vary *copy = pare_alloc(1, sizeof *copy);
    pare_answer *answers = pare_alloc(self->parts->n + 1, sizeof *answers);
    if (!copy || !answers) {
        pare_alloc_free(copy);
        pare_alloc_free(answers);
        return pare_fail_nomem(err);
    }
    *copy = *self;
    memcpy(answers, self->answers, self->parts->n * sizeof *answers);
    copy->answers = answers;
    (void)pare_text_ref(copy->text);
    *out = &copy->head;
    return PARE_OK;
}

/* The text, whatever fails: nothing is reduced. */
static pare_status vary_best(const pare_strategy *strategy, pare_candidate *best, pare_error *err)
{
    const struct vary *self = of(strategy);
    pare_candidate_start(best, self->text);
    return pare_candidate_slice(best, 0, pare_text_size(self->text), err);
}

pare_status pare_vary_new(const pare_text *text, const pare_parts *parts, uint32_t most_tests,
                          pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = vary_next,
                                          .tell = vary_tell,
                                          .copy = vary_copy,
                                          .destroy = vary_free,
                                          .best = vary_best};
    struct vary *self = pare_alloc(1, sizeof *self);
    pare_answer *answers = pare_alloc_zero(parts->n + 1, sizeof *answers);
    if (!self || !answers) {
        pare_alloc_free(self);
        pare_alloc_free(answers);
        return pare_fail_nomem(err);
    }
    *self = (struct vary){.head = {.ops = &ops},
                          .text = pare_text_ref(text),
                          .parts = parts,
                          .answers = answers,
                          .most_tests = most_tests};
    begin_part(self, 0);
    *out = &self->head;
    return PARE_OK;
}

pare_answer pare_vary_answer(const pare_strategy *vary, size_t part)
{
    assert(part < of(vary)->parts->n);
    return of(vary)->answers[part];
}

bool pare_vary_is_covered(const pare_strategy *vary, size_t part)
{
    assert(part < of(vary)->parts->n);
    return is_covered(of(vary), part);
}

pare_vary_groups pare_vary_together(const pare_strategy *vary)
{
    const struct vary *self = of(vary);
    pare_vary_groups groups = {.n = self->n_groups,
                               .samples = self->joint_samples,
                               .fails = self->joint_fails,
                               .is_known = self->stage != GROUPS && self->n_groups > 0};
    groups.n_first = group_size(self, 1);
    for (size_t k = 0; k < self->parts->n; k++)
        groups.n_alone += is_in_groups(self, k) && !self->answers[k].group;
    return groups;
}

pare_status pare_vary_passing(const pare_strategy *vary, size_t part, pare_buffer *out,
                              pare_error *err)
{
    const struct vary *self = of(vary);
    const pare_answer *answer = &self->answers[part];
    assert(answer->has_passing);
    if (answer->passing_is_size) return put_sized(self, part, answer->passing, out, err);
    return put_sample(self, part, (uint32_t)answer->passing, out, err);
}

/* ---- the pattern -------------------------------------------------------------------- */

/* "<whole number from 3>", "<name>". */
static pare_status add_hole(const struct vary *self, size_t part, pare_buffer *out, pare_error *err)
{
    const pare_answer *answer = &self->answers[part];
    const char *kind = self->parts->bytes.data + self->parts->parts[part].name;
    pare_status status = pare_buffer_format(out, err, "<%s", kind);
    if (!status && answer->verdict == PARE_PART_RANGE &&
        self->parts->parts[part].kind == PARE_PART_STRING)
        status = pare_buffer_text(out, " of length", err);
    if (!status && answer->verdict == PARE_PART_ANY && answer->has_low)
        return pare_buffer_text(out, ", not empty>", err);
    if (!status && answer->has_low)
        status = pare_buffer_format(out, err, " from %" PRIu64, answer->low);
    if (!status && answer->has_high)
        status = pare_buffer_format(out, err, " to %" PRIu64, answer->high);
    return status ? status : pare_buffer_text(out, ">", err);
}

pare_status pare_vary_pattern(const pare_strategy *vary, pare_buffer *out, pare_error *err)
{
    const struct vary *self = of(vary);
    const pare_parts *parts = self->parts;
    const char *bytes = (const char *)pare_text_bytes(self->text);
    const size_t end = pare_text_size(self->text);
    size_t at = 0;
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < parts->n_places; k++) {
        const pare_varied_place *place = &parts->places[k];
        if (place->from < at || self->answers[place->part].group != 1) continue;
        status = pare_buffer_add(out, bytes + at, place->from - at, err);
        if (!status) status = add_hole(self, place->part, out, err);
        at = place->to;
    }
    return status ? status : pare_buffer_add(out, bytes + at, end - at, err);
}
