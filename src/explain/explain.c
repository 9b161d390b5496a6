/* pare_explain: the parts of a result, varied, as a session that reduces nothing.
 *
 * The session is that of a reduction, so that the test, its sandbox, limits, signatures and jobs are
 * the same; it has no output and no journal.  What is found out so far is handed over however the run
 * ends: a budget that is spent leaves parts untried, and is no error.
 * Source: see <pare/explain.h>. */
#include <pare/explain.h>

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include <pare/keep.h>
#include <pare/output.h>
#include <pare/reduce.h>
#include <pare/result.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/strategy.h"
#include "explain/between.h"
#include "explain/endings.h"
#include "explain/ends.h"
#include "explain/neighbours.h"
#include "explain/others.h"
#include "explain/parts.h"
#include "explain/sampler.h"
#include "explain/vary.h"
#include "os/file.h"
#include "parse/parse_tree.h"
#include "reduce/syntax/front_end.h"
#include "reduce/tree/tree.h"
#include "run/command.h"
#include "run/rate.h"
#include "session/read_input.h"
#include "session/reduction.h"
#include "session/session.h"
#include "session/test/input_check.h"
#include "text/pattern.h"
#include "text/text.h"

enum {
    N_AGAIN = 3,            /* runs of the text itself at the end */
    LEAST_KEPT = 16,        /* tests for what is asked after the claims */
    TESTS_FOR_VARIANT = 40, /* of the limit, for each variant that is watched */
    /* With the check of the text itself, those runs, those at ends (ends.h), and those that are watched (endings.h),
     * 300. */
    MOST_TESTS = 300 - 1 - N_AGAIN - 1 - PARE_ENDINGS_MOST,
    MOST_BYTES = 64 << 10 /* a result is small; each part costs a test or more */
};

/* What one explanation works on.  Released in pare_explain_sized, whatever fails. */
struct explaining {
    pare_reduce_options options;
    pare_session session;
    pare_text *text; /* owned */
    pare_front_end *front;
    pare_tree *tree; /* NULL: there is neither language nor grammar */
    pare_parts parts;
    pare_others others;
    pare_neighbours nearest;
    pare_between between;
};

/* Everything that an explanation owns is a member of its own, and may be NULL. */
void pare_explanation_done(pare_explanation *explanation)
{
    pare_result_done(&explanation->result);
    pare_alloc_free(explanation->parts);
    pare_alloc_free(explanation->places);
    pare_alloc_free(explanation->pattern);
    pare_alloc_free(explanation->names);
    pare_alloc_free(explanation->nears);
    pare_alloc_free(explanation->sign);
    pare_alloc_free(explanation->others);
    pare_alloc_free(explanation->programs);
    pare_alloc_free(explanation->other_programs);
    *explanation = (pare_explanation){.n_parts = 0};
}

/* The lower end of Wilson's score interval, which holds for few samples and for shares near 1, where the
 * usual normal approximation would claim 100 %.  If all samples fail the end is known exactly: the
 * share of which so many would still all fail in one case of twenty (59 samples: 95 %).
 * Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927.
 *
 * `fails` of `samples` texts failed. Returns the share of all such texts that fail, at least,
 * with a confidence of 95 %; 0 where nothing was tried. Examples: 59 of 59 give 0.95, 10 of 10
 * give 0.74. */
double pare_explained_share(uint32_t samples, uint32_t fails)
{
    const double z = 1.645, n = samples; /* one side, 95 % */
    if (!samples) return 0;
    if (fails >= samples) return exp(log(0.05) / n);
    const double share = fails / n;
    const double centre = share + z * z / (2 * n);
    const double width = z * sqrt((share * (1 - share) + z * z / (4 * n)) / n);
    const double low = (centre - width) / (1 + z * z / n);
    return low > 0 ? low : 0;
}

/* These names are part of the JSON that is printed. */
const char *pare_part_verdict_name(pare_part_verdict verdict)
{
    static const char *const names[] = {[PARE_PART_UNTRIED] = "untried",
                                        [PARE_PART_NEEDED] = "needed",
                                        [PARE_PART_ANY] = "any",
                                        [PARE_PART_RANGE] = "range",
                                        [PARE_PART_RENAME] = "rename"};
    return names[verdict];
}

/* ---- parts -------------------------------------------------------------------------- */

/* A text that no language or grammar reads has no tree and is taken apart by tokens alone; that is no
 * error, since tokens are most of what an explanation is about.
 *
 * Sets self->front, ->tree (NULL: none) and ->parts. Nodes can be made only by a language or
 * grammar that has read the text, so the source has the language only then; grammars are named
 * in any case. */
static pare_status make_parts(struct explaining *self, pare_error *err)
{
    const pare_symbol_names *names = NULL;
    const size_t size = pare_text_size(self->text);
    const pare_reduce_options *options = &self->options;
    pare_status status = pare_front_end_open(&options->trees, pare_read_input_name(&options->input),
                                             &self->front, err);
    if (!status && pare_front_end_has_reader(self->front)) {
        status = pare_front_end_tree(self->front, self->text, (pare_stretch){0, size},
                                     PARE_FRONT_END_BEFORE, &self->tree, err);
        names = status ? NULL : pare_front_end_names(self->front);
    }
    const pare_parts_syntax syntax = {
        .tree = self->tree,
        .names = names,
        .source = {.language = self->tree ? pare_front_end_read_by(self->front) : NULL,
                   .grammars = options->trees.grammars,
                   .n_grammars = options->trees.n_grammars}};
    if (!status)
        status = pare_parts_make((pare_span){pare_text_bytes(self->text), size}, &syntax,
                                 &self->parts, err);
    return status;
}

/* ---- what was found out ------------------------------------------------------------- */

/* The bytes of `buffer` become the caller's, with a NUL after them. The buffer is empty
 * afterwards. On failure it is what it was, and *out is not set. */
static pare_status take_bytes(pare_buffer *buffer, char **out, pare_error *err)
{
    pare_status status = pare_buffer_reserve(buffer, 1, err);
    if (status) return status;
    buffer->data[buffer->size] = '\0';
    *out = buffer->data;
    *buffer = (pare_buffer){0};
    return PARE_OK;
}

/* What was tried in the place of each part that is told: samples and edges of which it is noted what came of
 * them, edges first.  `index` is as in take_parts.
 *
 * The texts are borrowed from parts.bytes. Samples after the PARE_VARY_NOTEDth have no bit and
 * are left out. out->others has room for all of them, so the others of each part are one range
 * of it. */
static pare_status take_others(const struct explaining *self, const size_t *index,
                               pare_explanation *out, pare_error *err)
{
    const pare_parts *parts = &self->parts;
    size_t n = 0;
    out->others = pare_alloc(parts->n_samples + 1, sizeof *out->others);
    if (!out->others) return pare_fail_nomem(err);
    for (size_t k = 0; k < parts->n; k++) {
        const pare_answer *answer = &self->others.answers[k];
        const pare_varied *part = &parts->parts[k];
        const uint32_t n_texts = part->n_samples + part->n_edges;
        const size_t first = n;
        if (index[k] == SIZE_MAX) continue;
        for (uint32_t j = 0; j < n_texts; j++) {
            /* Begins with the edges, which have the numbers after the samples. */
            const uint32_t i = (part->n_samples + j) % n_texts;
            const pare_sample *sample = &parts->samples[part->first_sample + i];
            if (i >= PARE_VARY_NOTED || !(answer->tried[i / 64] >> i % 64 & 1)) continue;
            out->others[n++] =
                (pare_explained_other){.text = parts->bytes.data + sample->offset,
                                       .bytes = sample->size,
                                       .fails = answer->failed[i / 64] >> i % 64 & 1,
                                       .is_beyond = sample->edge == PARE_EDGE_BEYOND};
        }
        out->parts[index[k]].others = out->others + first;
        out->parts[index[k]].n_others = n - first;
    }
    return PARE_OK;
}

/* Parts inside a node of which any will do were not asked about.  They are left out, so the others are
 * renumbered, and their places with them. `index` holds the new number of each part. Cost:
 * O(parts + places). */
static pare_status take_parts(struct explaining *self, pare_explanation *out, pare_error *err)
{
    pare_parts *parts = &self->parts;
    out->parts = pare_alloc(parts->n + 1, sizeof *out->parts);
    out->places = pare_alloc(parts->n_places + 1, sizeof *out->places);
    size_t *index = pare_alloc(parts->n + 1, sizeof *index); /* in `out`; SIZE_MAX: left out */
    if (!out->parts || !out->places || !index) {
        pare_alloc_free(index);
        return pare_fail_nomem(err);
    }
    for (size_t k = 0; k < parts->n; k++) {
        const pare_varied *part = &parts->parts[k];
        const pare_answer answer = self->others.answers[k];
        index[k] = SIZE_MAX;
        if (self->others.is_covered[k]) continue;
        index[k] = out->n_parts;
        out->parts[out->n_parts++] =
            (pare_explained_part){.from = part->from,
                                  .to = part->to,
                                  .n_places = part->n_places,
                                  .kind = parts->bytes.data + part->name,
                                  .sampled_as = pare_sampler_kind_name(part->kind),
                                  .is_node = part->kind == PARE_PART_NODE,
                                  .verdict = answer.verdict,
                                  .samples = answer.samples,
                                  .fails = answer.fails,
                                  .has_low = answer.has_low,
                                  .has_high = answer.has_high,
                                  .low = answer.low,
                                  .high = answer.high,
                                  .is_low_vague = answer.is_low_vague,
                                  .is_high_vague = answer.is_high_vague,
                                  .group = answer.group};
        if (self->nearest.changes)
            pare_neighbours_give(&self->nearest, k, &out->parts[out->n_parts - 1]);
    }
    for (size_t k = 0; k < parts->n_places; k++) {
        const pare_varied_place *place = &parts->places[k];
        assert(place->part < parts->n);
        if (index[place->part] == SIZE_MAX) continue;
        out->places[out->n_places++] = (pare_explained_place){
            .from = place->from, .to = place->to, .part = index[place->part]};
    }
    const pare_status status = take_others(self, index, out, err);
    pare_alloc_free(index);
    return status;
}

/* Hands over the signs between the parts that were tried, with what came of each. */
static pare_status take_signs(const struct explaining *self, pare_explanation *out, pare_error *err)
{
    const pare_between *between = &self->between;
    out->signs = between->n;
    out->signs_tried = between->n_tried;
    out->signs_needed = between->n_needed;
    out->sign = pare_alloc(between->n_tried + 1, sizeof *out->sign);
    if (!out->sign) return pare_fail_nomem(err);
    uint32_t n = 0;
    for (uint32_t k = 0; n < between->n_tried; k++) {
        assert(k < PARE_BETWEEN_KEPT && "n_tried of the signs are tried");
        const pare_sign *sign = &between->signs[k];
        if (!sign->is_tried) continue;
        out->sign[n++] =
            (pare_explained_sign){.from = sign->from, .to = sign->to, .is_needed = sign->is_needed};
    }
    return PARE_OK;
}

/* Hands over what is known now.  The names of parts and their samples point into parts.bytes, and their
 * nearest passing texts into nearest.texts: both buffers become the caller's, and must not grow after take_parts.
 *
 * The fields of groups only mean something where is_together_known. On failure *out may be
 * filled in part; pare_explanation_done releases it. */
static pare_status take(struct explaining *self, const pare_strategy *vary, pare_explanation *out,
                        pare_error *err)
{
    pare_buffer pattern = {0};
    const pare_vary_groups groups = pare_vary_together(vary);
    /* A single part in a single group was varied alone already: nothing is known of "at once". */
    out->is_together_known = groups.is_known && (groups.n > 1 || groups.n_first > 1);
    out->is_together = out->is_together_known && groups.n == 1 && !groups.n_alone;
    out->n_groups = groups.n;
    out->joint_samples = groups.samples;
    out->joint_fails = groups.fails;
    if (self->tree) out->language = pare_front_end_read_by(self->front);
    pare_status status = take_parts(self, out, err);
    if (!status) status = take_signs(self, out, err);
    if (!status) status = pare_vary_pattern(vary, &pattern, err);
    out->pattern_bytes = pattern.size;
    if (!status) status = take_bytes(&pattern, &out->pattern, err);
    if (!status) status = take_bytes(&self->parts.bytes, &out->names, err);
    if (!status) status = take_bytes(&self->nearest.texts, &out->nears, err);
    pare_buffer_done(&pattern);
    return status;
}

/* ---- the run ------------------------------------------------------------------------ */

/* Tests that are kept back from the claims: for the edges of parts, for what passes nearest to each needed one
 * (neighbours.c), for the signs between them and for more others of what is needed, all of which can only be
 * asked once it is known what is needed.  An eighth of all; up to two fifths where there is so much to ask, since
 * there a tenth name that fails says less than a bracket that is needed.
 *
 * Example: of 300 tests 37 to 120 are kept back, so 263 to 180 are left. */
static uint32_t most_for_claims(const struct explaining *self)
{
    const uint64_t most = self->options.limits.max_tests;
    const uint64_t wanted = 2 * (uint64_t)pare_others_wanted(&self->parts) + LEAST_KEPT;
    const uint64_t least = most / 8, largest = most / 5 * 2;
    const uint64_t reserve = wanted < least ? least : wanted > largest ? largest : wanted;
    return most > UINT32_MAX ? UINT32_MAX : (uint32_t)(most - reserve);
}

/* What a part is varied by, and what the signs between the parts are found by. */
struct asked {
    const struct explaining *self;
    const pare_strategy *vary;
};

/* A node that is needed as a whole says nothing of what is in it, nor does a list of which more or fewer rounds
 * fail. A node that was not asked about is no better: what is in it may be looked at sign by
 * sign. */
static bool is_varied(const void *context, size_t part)
{
    const struct asked *asked = context;
    const pare_part_kind kind = asked->self->parts.parts[part].kind;
    const pare_part_verdict verdict = pare_vary_answer(asked->vary, part).verdict;
    if (kind == PARE_PART_REPEAT) return false;
    return kind != PARE_PART_NODE || (verdict != PARE_PART_NEEDED && verdict != PARE_PART_UNTRIED);
}

/* What is between the parts comes last: its tests are those that are left. What the strategy
 * has found is taken also if the tests ran out, since that is no error. */
static pare_status try_between(struct explaining *self, const pare_strategy *vary, pare_error *err)
{
    const struct asked asked = {self, vary};
    pare_strategy *strategy = NULL;
    pare_between_find(self->text, &self->parts, is_varied, &asked, &self->between);
    pare_status status = pare_session_begin_pass(&self->session, "explain", self->between.n, err);
    if (!status) status = pare_between_new(self->text, &self->between, &strategy, err);
    if (!status) status = pare_session_run_keeping(&self->session, &strategy, err);
    if (!pare_run_error(status)) pare_between_take(strategy, &self->between);
    pare_strategy_free(strategy);
    return status;
}

/* Runs one round of others.h, and takes what it has found. */
static pare_status try_others(struct explaining *self, pare_others_round round, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_status status = pare_session_begin_pass(&self->session, "explain", self->parts.n, err);
    if (!status)
        status = pare_others_new(self->text, &self->parts, &self->others, round, &strategy, err);
    if (!status) status = pare_session_run_keeping(&self->session, &strategy, err);
    if (!pare_run_error(status) && strategy) pare_others_take(strategy, &self->others);
    pare_strategy_free(strategy);
    return status;
}

/* What is asked once it is known what is needed, in the order of what it tells a reader.
 *
 * The first that ends the run (no tests left, a stop) ends the rest, too. */
static pare_status ask_more(struct explaining *self, const pare_strategy *vary, pare_error *err)
{
    const pare_neighbours_task task = {.session = &self->session,
                                       .text = self->text,
                                       .parts = &self->parts,
                                       .vary = vary,
                                       .others = &self->others};
    pare_status status = try_others(self, PARE_OTHERS_EDGES, err);
    if (!status) status = pare_neighbours_find(&task, &self->nearest, err);
    if (!status) status = try_between(self, vary, err);
    return status ? status : try_others(self, PARE_OTHERS_REST, err);
}

/* Before more is asked: a claim that is vague says less than it seems to.  These runs are beside the limit.
 *
 * If the run had ended for another reason before, that reason stays the one that is reported.
 * After an interruption nothing more is run. */
static pare_status run_ends(struct explaining *self, const pare_strategy *vary,
                            pare_explanation *out, pare_error *err)
{
    const pare_ends_task task = {.session = &self->session,
                                 .text = self->text,
                                 .parts = &self->parts,
                                 .vary = vary,
                                 .others = &self->others};
    const pare_engine_end end = self->session.end;
    if (end == PARE_END_INTERRUPTED) return PARE_OK;
    const pare_status status = pare_ends_measure(&task, &out->ends_runs, err);
    if (self->session.end == PARE_END_DONE) self->session.end = end;
    return status;
}

/* A run that ended early (no tests left, Ctrl-C) has an answer too: what is not known is "untried".
 * Only an error loses it, because the strategy may be gone then.
 *
 * PARE_RUN_ENDED is a run that ended, for which pare_run_error is PARE_OK. Unless there was an
 * error, what is known is handed over, and ends are measured, whose runs are beside the limit;
 * more is asked only while the run goes on. */
static pare_status vary(struct explaining *self, pare_explanation *out, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_status status = pare_session_begin_pass(&self->session, "explain", self->parts.n, err);
    if (!status)
        status = pare_vary_new(self->text, &self->parts, most_for_claims(self), &strategy, err);
    if (!status) status = pare_session_run_keeping(&self->session, &strategy, err);
    if (!pare_run_error(status)) {
        const pare_status begun = pare_others_begin(&self->parts, strategy, &self->others, err);
        if (begun) status = begun;
    }
    if (!pare_run_error(status)) {
        const pare_status ran = run_ends(self, strategy, out, err);
        if (ran) status = ran;
    }
    if (!status) status = ask_more(self, strategy, err);
    if (!pare_run_error(status)) {
        const pare_status taken = take(self, strategy, out, err);
        if (taken) status = taken;
    }
    pare_strategy_free(strategy);
    return status;
}

/* "Needed" rests on a single test that passed.  If the text itself passes too, now and then, by chance or
 * because the machine is busy and the test has a time limit of its own, that says little: so it is run again,
 * past the cache.  Runs at the end see what came up on the way; where nothing is needed there
 * is nothing to doubt. out->again_runs and ->again_fails say how often it was run, and how
 * often it failed. */
static pare_status run_again(struct explaining *self, pare_explanation *out, pare_error *err)
{
    pare_session *session = &self->session;
    const pare_engine_end end = session->end;
    pare_rate rate = {.runs = 0};
    uint64_t timed_out = 0;
    bool is_any_needed = false;
    for (size_t k = 0; k < out->n_parts; k++)
        is_any_needed = is_any_needed || out->parts[k].verdict == PARE_PART_NEEDED;
    if (!is_any_needed || end == PARE_END_INTERRUPTED) return PARE_OK;
    const pare_status status =
        pare_session_measure(session, self->text, N_AGAIN, &rate, &timed_out, err);
    if (session->end == PARE_END_DONE) session->end = end;
    out->again_runs = (uint32_t)rate.runs;
    out->again_fails = (uint32_t)rate.fails;
    return pare_run_error(status);
}

/* Runs a test script again and watches its programs, with the text and with some variants that fail: for people,
 * who cannot see what a script hides.
 *
 * Not for a program that is tested without a script, a worker or a harness: there nothing is
 * hidden. Not where the parts were not handed over (out->names), whose samples the variants are
 * made from. */
static pare_status find_programs(struct explaining *self, pare_explanation *out, pare_error *err)
{
    const pare_session *session = &self->session;
    const pare_command *test = session->oracle.command;
    const char *name = pare_read_input_base_name(&self->options.input);
    pare_endings endings = {.n_runs = 0};
    if (!test || test->is_target || test->is_worker || test->is_harness || !name ||
        session->end == PARE_END_INTERRUPTED || !out->names)
        return PARE_OK;
    const pare_endings_task task = {
        .test = test,
        .name = name,
        .text = {pare_text_bytes(self->text), pare_text_size(self->text)},
        .parts = &self->parts,
        .samples = out->names,
        .others = &self->others,
        /* One variant for each TESTS_FOR_VARIANT tests of the limit: a short explanation
         * watches fewer. */
        .most = (uint32_t)(self->options.limits.max_tests / TESTS_FOR_VARIANT < PARE_ENDINGS_MOST
                               ? self->options.limits.max_tests / TESTS_FOR_VARIANT
                               : PARE_ENDINGS_MOST),
        .stop = self->options.events.stop};
    pare_status status = pare_endings_find(&task, &endings, err);
    out->watched_runs = endings.n_runs;
    out->watched_variants = endings.n_variants;
    out->watched_others = endings.n_other;
    if (!status && endings.n_other) {
        const pare_varied *part = &self->parts.parts[endings.part];
        const pare_sample *sample = &self->parts.samples[part->first_sample + endings.sample];
        out->other_from = part->from;
        out->other_to = part->to;
        out->other = (pare_explained_other){.text = out->names + sample->offset,
                                            .bytes = sample->size,
                                            .fails = true,
                                            .is_beyond = sample->edge == PARE_EDGE_BEYOND};
        status = take_bytes(&endings.other, &out->other_programs, err);
    }
    if (!status && endings.own.size) status = take_bytes(&endings.own, &out->programs, err);
    pare_endings_done(&endings);
    return status;
}

/* Learns as a reduction does: where the message without the input's names is that of less than the input, too
 * (session->wants_names), the session is opened anew with the names, or with the line that it names.
 * Whatever else the controls are refused for is no reason to explain nothing. */
static pare_status keep_names(struct explaining *self, pare_explanation *out, pare_error *err)
{
    pare_session *session = &self->session;
    pare_error why = {0};
    if (!session->oracle.is_learnt || !session->oracle.exact.size ||
        self->options.keep.level != PARE_KEEP_MESSAGE)
        return PARE_OK;
    pare_status status = pare_input_check_controls(session, self->text, &why);
    if (status && status != PARE_E_STATE) return pare_fail(err, status, "%s", why.message);
    const bool wants_names = session->wants_names;
    if (!status || !(wants_names || session->wants_line)) return PARE_OK;
    pare_session_close(session);
    pare_result_done(&out->result);
    out->result.check_exit_code = -1;
    self->options.keep.level = wants_names ? PARE_KEEP_EXACT : PARE_KEEP_LINE;
    /* This run has written the file, or nothing would have been learnt. */
    const char *path = self->options.keep.signature_path;
    status = path ? pare_file_remove_tree(path, err) : PARE_OK;
    if (!status)
        status = pare_session_open(&self->options, NULL, self->text, session, &out->result, err);
    return status ? status : pare_input_check_failing(session, self->text, &out->result, err);
}

/* The session is closed whatever happens after it was opened.
 *
 * The first thing is to check that the text fails (pare_input_check_failing): of one that
 * passes nothing can be explained. What went wrong first is what is returned. */
static pare_status run(struct explaining *self, pare_explanation *out, pare_error *err)
{
    pare_session *session = &self->session;
    pare_status status =
        pare_session_open(&self->options, NULL, self->text, session, &out->result, err);
    if (status) return status;
    status = pare_input_check_failing(session, self->text, &out->result, err);
    if (!status) status = keep_names(self, out, err);
    if (!status) {
        const pare_status ran = vary(self, out, err);
        status = pare_run_error(ran);
        if (!status) status = run_again(self, out, err);
        if (!status) status = find_programs(self, out, err);
        const pare_status finished =
            pare_session_finish(session, pare_session_stopped(session), PARE_MINIMAL_NONE,
                                &out->result, status ? NULL : err);
        if (!status) status = finished;
        if (!status) status = pare_input_check_printed(session, &out->result.printed, err);
    }
    pare_session_close(session);
    return status;
}

/* Always PARE_E_LIMIT. */
static pare_status fail_too_large(uint64_t bytes, pare_error *err)
{
    return pare_fail(err, PARE_E_LIMIT,
                     "%" PRIu64 " bytes are too many to explain: reduce them first, with 'pare "
                     "reduce'",
                     bytes);
}

/* Refuses a text for which 300 tests would say next to nothing.  Of a file the size is looked at before it
 * is read: a log of gigabytes takes a minute to read. Errors: PARE_E_LIMIT, PARE_E_STATE (it is
 * empty), and those of reading. */
static pare_status read_text(struct explaining *self, pare_error *err)
{
    struct stat file;
    const char *path = self->options.input.path;
    if (path && stat(path, &file) == 0 && S_ISREG(file.st_mode) && file.st_size > MOST_BYTES)
        return fail_too_large((uint64_t)file.st_size, err);
    pare_status status = pare_read_input_file(&self->options.input, &self->text, err);
    if (!status && !pare_text_size(self->text))
        status = pare_fail(err, PARE_E_STATE, "the result is empty: there is nothing to explain");
    if (!status && pare_text_size(self->text) > MOST_BYTES)
        status = fail_too_large(pare_text_size(self->text), err);
    return status;
}

/* *explanation is set first, so that it may be ended after any failure.
 *
 * The options are those of a reduction, but nothing is written, so the output is left out.
 * Without a limit of the user's there are 300 tests in all (MOST_TESTS). */
pare_status pare_explain_sized(const pare_reduce_options *options, size_t options_bytes,
                               pare_explanation *explanation, pare_error *err)
{
    struct explaining self = {.text = NULL};
    *explanation = (pare_explanation){.result.check_exit_code = -1};
    pare_status status = pare_reduction_take_options(options, options_bytes, &self.options, err);
    if (status) return status;
    self.options.output = (pare_output_options){.keep_printed = self.options.output.keep_printed};
    const bool is_limited = self.options.limits.max_tests;
    status = read_text(&self, err);
    if (!status) status = make_parts(&self, err);
    if (!is_limited) self.options.limits.max_tests = MOST_TESTS - pare_ends_wanted(&self.parts);
    if (!status) status = run(&self, explanation, err);
    pare_parts_done(&self.parts);
    pare_others_done(&self.others);
    pare_neighbours_done(&self.nearest);
    pare_tree_unref(self.tree);
    pare_front_end_free(self.front);
    pare_text_unref(self.text);
    return status;
}
