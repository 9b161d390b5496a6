/* Varying the parts of a text: first one by one, then in groups, then again to confirm what was found.
 *
 * A part is tried with its first samples.  If one passes, the part is needed; if all fail, any of its kind
 * will do, and the parts inside such a node are not asked about any more.  For a whole number the two
 * neighbours come first: if one of them fails, but some sample passes, the number may be one of a range, whose
 * ends range.h finds.  The length of a string whose letters do not matter and the rounds of a list are treated
 * alike.
 *
 * Then the parts that may vary are put into groups that may vary at once: halving finds the longest run of
 * parts that can be varied together with the group, and the run joins it; the part after the run is set
 * aside for the next group.  Finally all claims are confirmed, those with the fewest samples first, and
 * the largest group as a whole.  If a sample passes, its claim is withdrawn and the groups are made anew.
 *
 * The state is small and plain, since it is copied for every outcome that is predicted.  The strategy
 * reduces nothing: its best is always the text.
 *
 * Invariant: parts whose turn was before `at` have a verdict, or lie inside a node of which any will do;
 * members of a group failed together in N_TOGETHER draws.
 * Cost in tests: one for most needed parts, n_first for the others, and for ranges what range.h says;
 * N_TOGETHER for groups if all may vary at once, else about log2(parts) times as many for each part that
 * may not; what is left of the limit confirms.
 * Source: see <pare/explain.h>.
 * Tested by tests/unit/test_vary.c. */
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
#include "explain/range.h"
#include "explain/sampler.h"
#include "text/candidate.h"
#include "text/text.h"

enum {
    N_TOGETHER = 3,       /* draws of parts that are to vary at once */
    LEAST_DRAWN = 10,     /* sizes that confirm a long range, however many tests its ends took */
    N_CONFIRMED = 59,     /* samples after which a claim holds for 95 %, with as much confidence */
    MOST_GROUP_TESTS = 90 /* for groups; what is left over then stays alone */
};

enum stage {
    SAMPLES, /* the part's own samples */
    RANGE,   /* sizes, between which the failure stays */
    GROUPS,  /* draws of several parts at once */
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
    uint32_t turn;                 /* of the stage: sample, draw */
    pare_range range;              /* of the part, while it is sought */
    bool above_fails, below_fails; /* the neighbours of a whole number */
    uint32_t n_sampled; /* samples of the part that were tried before its ends were sought */
    uint32_t n_groups;  /* the last one is being made */
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

/* Appends sample `k` of the part. */
static pare_status put_sample(const struct vary *self, size_t part, uint32_t k, pare_buffer *out,
                              pare_error *err)
{
    const pare_span sample = sample_of(self, part, k);
    return pare_buffer_add(out, sample.bytes, sample.size, err);
}

/* The list with so many rounds: more of them are copies of the last one. Example: of "1, 2"
 * three rounds are "1, 2, 2", none are nothing. */
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

/* What is claimed of a part that is a range. */
static pare_range claimed_range(const struct vary *self, size_t part)
{
    const pare_answer *answer = &self->answers[part];
    const pare_varied *varied = &self->parts->parts[part];
    return (pare_range){.kind = varied->kind,
                        .value = varied->value,
                        .has_low = answer->has_low,
                        .has_high = answer->has_high,
                        .low = answer->low,
                        .high = answer->high};
}

/* How many sizes have confirmed the range so far. `next` counts on from the first samples when
 * those are through. */
static uint32_t n_confirmed(const struct vary *self, size_t part)
{
    const uint32_t next = self->answers[part].next, n_first = self->parts->parts[part].n_first;
    return next > n_first ? next - n_first : 0;
}

/* The size of a sample: of digits their value, of a string in quotes its length. */
static uint64_t size_of_sample(const struct vary *self, size_t part, uint32_t k)
{
    const pare_span sample = sample_of(self, part, k);
    uint64_t value = 0;
    if (self->parts->parts[part].kind == PARE_PART_STRING) return sample.size - 2;
    for (size_t i = 0; i < sample.size; i++) {
        assert(sample.bytes[i] >= '0' && sample.bytes[i] <= '9' && "it is a whole number");
        value = value * 10 + (uint64_t)(sample.bytes[i] - '0');
    }
    return value;
}

/* What confirms a range first: of the first samples, from `k` on, the next that lies inside.  Programs often
 * change what they do at these values, and they were not tried once ends were sought.  n_first:
 * none is left. Cost: O(first samples). */
static uint32_t next_inside(const struct vary *self, size_t part, uint32_t k)
{
    const pare_range range = claimed_range(self, part);
    for (; k < self->parts->parts[part].n_first; k++) {
        const uint64_t size = size_of_sample(self, part, k);
        if (pare_range_lowest(&range) <= size && size <= pare_range_highest(&range)) break;
    }
    return k;
}

/* Whether something is claimed of the part that draws can confirm or refute. Of "needed" and
 * "untried" nothing is claimed that a draw could refute. */
static bool may_vary(const pare_answer *answer)
{
    return answer->verdict == PARE_PART_ANY || answer->verdict == PARE_PART_RANGE ||
           answer->verdict == PARE_PART_RENAME;
}

/* Whether sample `k` is the empty string, about which a claim may make an exception. */
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

/* What stands for `part` in draw `draw` of what is claimed of it. The factors 7 and 13 take the
 * samples in another order for each part and draw, so that a draw is not made of the first
 * samples of all parts. */
static pare_status put_claimed(const struct vary *self, size_t part, uint32_t draw,
                               pare_buffer *out, pare_error *err)
{
    const pare_answer *answer = &self->answers[part];
    const uint32_t n = self->parts->parts[part].n_samples;
    if (answer->verdict == PARE_PART_RANGE) {
        const pare_range range = claimed_range(self, part);
        return put_sized(self, part, pare_range_draw(&range, part, draw), out, err);
    }
    uint32_t k = answer->verdict == PARE_PART_RENAME ? (rank_of(self, part) + 13 * draw) % n
                                                     : (uint32_t)((part + 7 * (size_t)draw) % n);
    /* The claim is "any but the empty", so the empty one gives way. */
    if (answer->has_low && is_empty_sample(self, part, k)) k = 0;
    return put_sample(self, part, k, out, err);
}

/* Whether the part is varied in the draw of parts at once that is proposed now. While a group
 * is made, its members are varied, and with them the pending parts that are being tried. */
static bool is_drawn(const struct vary *self, size_t part)
{
    const pare_answer *answer = &self->answers[part];
    if (!may_vary(answer) || self->parts->parts[part].kind == PARE_PART_REPEAT) return false;
    if (self->stage == CONFIRM_GROUP) return answer->group == 1;
    return answer->group == self->n_groups || answer->rank < self->take;
}

/* Whether the range is still to be tried with samples from the table; only then come draws. */
static bool has_samples_inside(const struct vary *self, size_t part)
{
    return self->answers[part].next < self->parts->parts[part].n_first;
}

/* Whether what is tried in place of the part now is a size, and no sample. */
static bool asks_size(const struct vary *self)
{
    const pare_answer *answer = &self->answers[self->part];
    return self->stage == RANGE || (self->stage == CONFIRM && answer->verdict == PARE_PART_RANGE &&
                                    !has_samples_inside(self, self->part));
}

/* The size that is proposed now: by the search for the ends, or to confirm what it has found. */
static uint64_t size_asked(const struct vary *self)
{
    const pare_range range = claimed_range(self, self->part);
    assert(asks_size(self));
    if (self->stage == RANGE) return pare_range_asked(&self->range);
    return pare_range_confirming(&range, self->part, n_confirmed(self, self->part));
}

/* The sample that is proposed now in place of the one part. */
static uint32_t sample_asked(const struct vary *self)
{
    return self->stage == SAMPLES ? self->turn : self->answers[self->part].next;
}

/* Appends what stands for `part` in the candidate that is proposed now; *replaced is false where it is
 * its own text. The stages GROUPS and CONFIRM_GROUP vary several parts, all others only
 * self->part. */
static pare_status put_part(const struct vary *self, size_t part, pare_buffer *out, bool *replaced,
                            pare_error *err)
{
    const bool at_once = self->stage == GROUPS || self->stage == CONFIRM_GROUP;
    *replaced = at_once ? is_drawn(self, part) : part == self->part;
    if (!*replaced) return PARE_OK;
    if (at_once) return put_claimed(self, part, self->draws, out, err);
    if (asks_size(self)) return put_sized(self, part, size_asked(self), out, err);
    return put_sample(self, part, sample_asked(self), out, err);
}

/* The text with what is varied.  A place inside one that was replaced is gone with it. Places
 * are ordered with an outer one first. Cost: O(places), and O(parts) for each name. */
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

/* Whether bytes from .. to-1, of `part`, lie inside another node of which any will do. Cost:
 * O(parts). */
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
 * groups are made of what is claimed so far, so that a text with many parts has a pattern too.
 * `at` is a turn, not a part: parts are asked about in the order of parts->turns. */
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
    const pare_varied *part = &self->parts->parts[self->part];
    self->stage = part->kind == PARE_PART_REPEAT ? RANGE : SAMPLES;
    self->n_sampled = part->n_first;
    pare_range_start(&self->range, part->kind, part->value);
}

/* Sets the verdict.  What confirms it begins after the samples that it was made from. */
static void settle(struct vary *self, pare_part_verdict verdict)
{
    pare_answer *answer = &self->answers[self->part];
    answer->verdict = verdict;
    answer->next = verdict == PARE_PART_RANGE ? next_inside(self, self->part, self->n_sampled)
                                              : self->parts->parts[self->part].n_first;
    if (verdict == PARE_PART_NEEDED) answer->has_low = answer->has_high = false;
}

/* Gives the part its verdict and begins with the next one. */
static void decide(struct vary *self, pare_part_verdict verdict)
{
    settle(self, verdict);
    begin_part(self, self->at + 1);
}

/* ---- ranges ------------------------------------------------------------------------- */

/* Goes on with the search for the ends of a range; at its end the part has a verdict and the next one is
 * begun.  Without a range (a hole, or both neighbours pass) the part is needed, with what fails
 * counted. What the range says is kept in the answer in any case; settle() takes it out of one
 * that is needed. */
static void mind_range(struct vary *self, pare_range_state state)
{
    pare_answer *answer = &self->answers[self->part];
    self->stage = RANGE;
    if (state == PARE_RANGE_ASKS) return;
    answer->has_low = self->range.has_low;
    answer->has_high = self->range.has_high;
    answer->low = self->range.low;
    answer->high = self->range.high;
    decide(self, state == PARE_RANGE_FOUND ? PARE_PART_RANGE : PARE_PART_NEEDED);
}

/* Begins to seek the ends, since a sample has passed: the last one, unless it is a neighbour, which is an
 * end itself.  Of a whole number the neighbours are known. `n_neighbours` of the first samples
 * are neighbours, whose outcomes are told to the range now, so that they are not tested again. */
static void begin_range(struct vary *self, uint32_t n_neighbours)
{
    pare_range_state state = PARE_RANGE_ASKS;
    if (self->turn >= n_neighbours)
        pare_range_note_hole(&self->range, size_of_sample(self, self->part, self->turn));
    self->n_sampled = self->turn + 1;
    if (n_neighbours) state = pare_range_tell(&self->range, self->above_fails);
    if (n_neighbours > 1) state = pare_range_tell(&self->range, self->below_fails);
    mind_range(self, state);
}

/* ---- samples ------------------------------------------------------------------------ */

/* Of a whole number: the neighbours decide whether it may be a range.
 *
 * `turn` is the sample that was told: 0 is the number above, 1 the one below (a value of 0 has
 * none). Both pass: the number itself is needed. One fails and some sample passes: a range. All
 * first samples fail: any will do. */
static void tell_sample_of_whole(struct vary *self, bool fails)
{
    const pare_varied *part = &self->parts->parts[self->part];
    const uint32_t n_neighbours = part->value ? 2 : 1;
    if (self->turn == 0) self->above_fails = fails;
    if (self->turn == 1 && n_neighbours == 2) self->below_fails = fails;
    const bool all_fail = self->answers[self->part].fails == self->turn + 1;
    if (self->turn + 1 >= n_neighbours && !self->above_fails && !self->below_fails)
        decide(self, PARE_PART_NEEDED);
    else if (self->turn + 1 >= n_neighbours && !all_fail)
        begin_range(self, n_neighbours);
    else if (++self->turn == part->n_first)
        decide(self, PARE_PART_ANY);
}

/* A sample of a string passes.  If it is the empty one, which comes last, all others failed: any but the
 * empty.  If it has another length, that may be the reason: lengths are asked about. Otherwise
 * one of the same length passed, or none of that length was tried: the string is needed. */
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
        begin_range(self, 0);
    } else {
        decide(self, PARE_PART_NEEDED);
    }
}

/* Takes the outcome of one of the part's first samples.  For most kinds one that passes is enough for "needed":
 * asking on would cost tests that parts not yet asked about need more. */
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

/* Lists are left out of groups: a pattern cannot say where a round of them ends. */
static bool is_in_groups(const struct vary *self, size_t part)
{
    return may_vary(&self->answers[part]) && self->parts->parts[part].kind != PARE_PART_REPEAT &&
           !is_covered(self, part);
}

/* Ranks the pending parts (those that may vary and have no group yet) in their order; how many
 * there are. All others get the largest rank, which no comparison with `take` or `joins`
 * reaches. */
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

/* How many parts the group has. */
static size_t group_size(const struct vary *self, uint32_t group)
{
    size_t n = 0;
    for (size_t k = 0; k < self->parts->n; k++)
        n += self->answers[k].group == group;
    return n;
}

/* Makes the largest group the first: it is the one that the pattern shows and that is
 * confirmed. The two groups exchange their numbers. */
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
 * were set aside.
 *
 * Called for each new member and each new group. A group with one part left over and no other
 * member needs no test. */
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
 * which the group passed, is set aside. It goes on with continue_group, where the parts that
 * did not join are pending again. */
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

/* A draw that passes, or N_TOGETHER that fail, decide on the first `take`.
 *
 * Halving: `take` parts can join if N_TOGETHER draws fail; if one passes, they cannot. Example:
 * 8 parts are pending and the sixth is in the way: 8 no, 4 yes, 6 no, 5 yes, so five join and
 * the sixth is aside. */
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
    /* A group that is empty can always begin with one part, since that was varied alone. */
    if (!self->joins && self->does_not > 1 && !group_size(self, self->n_groups)) self->joins = 1;
    self->turn = 0;
    if (self->does_not - self->joins <= 1)
        join(self);
    else
        self->take = self->joins + (self->does_not - self->joins) / 2;
}

/* Makes the groups anew, from one that is empty; once their tests are spent, the old ones stay.
 * Called when all parts were asked about, and again after a claim or a group was refuted. */
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

/* Whether there is a sample left to confirm the claim by. Of a long range at least LEAST_DRAWN
 * sizes are drawn, however many its search has tested. */
static bool can_confirm(const struct vary *self, size_t part)
{
    const pare_answer *answer = &self->answers[part];
    if (!may_vary(answer) || is_covered(self, part)) return false;
    if (answer->verdict != PARE_PART_RANGE)
        return answer->samples < N_CONFIRMED && answer->next < self->parts->parts[part].n_samples;
    const pare_range range = claimed_range(self, part);
    const uint32_t n = pare_range_n_confirming(&range), drawn = n_confirmed(self, part);
    if (has_samples_inside(self, part)) return true;
    if (n < N_CONFIRMED) return drawn < n; /* a short range is tried in full */
    return drawn < n && (drawn < LEAST_DRAWN || answer->samples < N_CONFIRMED);
}

/* Samples on which the claim rests.  Of a range all that failed lie inside it; before anything else it is
 * tried with the samples of which that holds. */
static uint32_t support(const struct vary *self, size_t part)
{
    const pare_answer *answer = &self->answers[part];
    if (answer->verdict != PARE_PART_RANGE) return answer->samples;
    return has_samples_inside(self, part) ? 0 : answer->fails;
}

/* Goes on with untried parts, if groups were made before all were asked about; else confirms the claim
 * with the fewest samples, the group as a whole being one of them. The one with the least
 * support comes first, so all claims gain at about the same rate. */
static void begin_confirming(struct vary *self)
{
    if (self->tests < self->most_tests && next_untried(self, 0) < self->parts->n) {
        begin_part(self, 0);
        return;
    }
    size_t best = self->parts->n;
    for (size_t k = 0; k < self->parts->n; k++)
        if (can_confirm(self, k) &&
            (best == self->parts->n || support(self, k) < support(self, best)))
            best = k;
    const bool has_group = group_size(self, 1) > 1 && self->joint_samples < N_CONFIRMED;
    const bool is_group_due =
        has_group && (best == self->parts->n || self->joint_samples < support(self, best));
    self->part = best;
    self->stage = is_group_due ? CONFIRM_GROUP : best < self->parts->n ? CONFIRM : DONE;
    /* Whatever else is due: the limit is reached. */
    if (self->tests >= self->most_tests) self->stage = DONE;
}

/* A claim that is withdrawn may uncover parts inside it, which have to be asked about now. A
 * single sample that passes refutes "any of its kind". */
static void tell_confirmed(struct vary *self, bool fails)
{
    pare_answer *answer = &self->answers[self->part];
    answer->next++;
    if (answer->verdict == PARE_PART_RANGE)
        answer->next = next_inside(self, self->part, answer->next);
    if (fails) {
        begin_confirming(self);
        return;
    }
    settle(self, PARE_PART_NEEDED);
    answer->group = 0;
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

/* Notes what came of a sample, by which the part is varied alone. */
static void note_sample(const struct vary *self, pare_answer *answer, bool fails)
{
    const uint32_t k = sample_asked(self);
    if (asks_size(self) || k >= PARE_VARY_NOTED) return;
    answer->tried[k / 64] |= (uint64_t)1 << k % 64;
    if (fails) answer->failed[k / 64] |= (uint64_t)1 << k % 64;
}

/* Keeps what passed in the place of the part, for its nearest passing text. */
static void note_passing(const struct vary *self, pare_answer *answer)
{
    answer->has_passing = true;
    answer->passing_is_size = asks_size(self);
    if (answer->passing_is_size)
        answer->passing = size_asked(self);
    else
        answer->passing = sample_asked(self);
}

/* Nothing changes here: what is asked follows from the state, which vary_tell moves on. */
static pare_status vary_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                             pare_error *err)
{
    const struct vary *self = of(strategy);
    *what = self->stage == DONE ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    return self->stage == DONE ? PARE_OK : make_candidate(self, candidate, err);
}

/* Counts and notes the outcome for the one part that was varied, then does what the stage says. */
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
        note_sample(self, answer, fails);
    }
    switch (self->stage) {
    case SAMPLES: tell_sample(self, fails); break;
    case RANGE: mind_range(self, pare_range_tell(&self->range, fails)); break;
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

/* Known unless the run ended while a group was being made. */
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

pare_status pare_vary_sized(const pare_strategy *vary, size_t part, uint64_t size, pare_buffer *out,
                            pare_error *err)
{
    return put_sized(of(vary), part, size, out, err);
}

/* ---- the pattern -------------------------------------------------------------------- */

/* "<whole number from 3>", "<name>". */
static pare_status add_hole(const struct vary *self, size_t part, pare_buffer *out, pare_error *err)
{
    const pare_answer *answer = &self->answers[part];
    const pare_varied *varied = &self->parts->parts[part];
    const char *kind = self->parts->bytes.data + varied->name;
    const pare_span own = {pare_text_bytes(self->text) + varied->from, varied->to - varied->from};
    /* The quotes stay, and the x before them: x'<16 hexadecimal digits>'. */
    if (pare_sampler_is_hex_literal(own))
        return pare_buffer_format(out, err, "%.2s<%s>'", (const char *)own.bytes, kind);
    pare_status status = pare_buffer_format(out, err, "<%s", kind);
    if (!status && answer->verdict == PARE_PART_RANGE && varied->kind == PARE_PART_STRING)
        status = pare_buffer_text(out, " of length", err);
    if (!status && answer->verdict == PARE_PART_ANY && answer->has_low)
        return pare_buffer_text(out, ", not empty>", err);
    if (!status && answer->has_low)
        status = pare_buffer_format(out, err, " from %" PRIu64, answer->low);
    if (!status && answer->has_high)
        status = pare_buffer_format(out, err, " to %" PRIu64, answer->high);
    return status ? status : pare_buffer_text(out, ">", err);
}

/* An outer part that is replaced covers those within it, as in a candidate. */
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
