/* pare_explain_readable: the tokens of a result, with the white space of the original between them.
 *
 * A reduction ends with what is smallest, which is often one long line.  Where two tokens of the result
 * stand in the original (explain/survivors.c), a line end between them there is a line end with the
 * indentation of the second one's line, and a blank beside one of them a blank.  Where tokens between
 * the two are gone, a line ends only between statements, as far as a text of any language tells: not
 * in parentheses, not beside an operator, and only where the original's lines begin and end.  Other
 * gaps stay as they are.  Indentation that all lines share is left out.  Two texts are tried: with line
 * ends, and with blanks alone, for languages in which lines mean something.
 *
 * Invariant: the tokens are those of the result, byte for byte and in order, and a gap is never made
 * empty; what is handed over was tested, and fails.
 * Source: ours; the need is that of C-Reduce's final pass with clang-format.
 * Tested by tests/unit/test_readable.c. */
#include <pare/explain.h>

#include <string.h>

#include <pare/outcome.h>
#include <pare/output.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/survivors.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/halving.h"
#include "engine/strategy.h"
#include "explain/readable.h"
#include "os/file.h"
#include "reduce/passes/lexemes.h"
#include "session/read_input.h"
#include "session/reduction.h"
#include "session/session.h"
#include "session/test/input_check.h"
#include "text/candidate.h"
#include "text/text.h"

enum {
    MOST_BYTES = 64 << 10, /* what is larger is not laid out: nobody reads it as a whole */
    N_WAYS = 2,            /* layouts: with line ends; with blanks alone */
    MOST_TESTS = 8
};

/* ---- laying out --------------------------------------------------------------------------- */

static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_line_end(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

/* Where a byte of the result is in the original; SIZE_MAX: it is new.  Runs are few. Cost:
 * O(runs). */
static size_t origin_of(const pare_survivors *survivors, size_t at)
{
    for (size_t i = 0; i < survivors->n_runs; i++) {
        const pare_survivor *run = &survivors->runs[i];
        if (at >= run->result_at && at < run->result_at + run->size)
            return run->original_at + (at - run->result_at);
    }
    return SIZE_MAX;
}

/* A line end, and the indentation of the line that holds byte `at`, less `shared` bytes of it.
 *
 * If the byte is not the first of its line, blanks before it within the line are no indentation
 * and are not copied. */
static pare_status put_line_end(pare_span original, size_t at, size_t shared, pare_buffer *out,
                                pare_error *err)
{
    size_t from = at, to;
    while (from && !is_line_end(original.bytes[from - 1]))
        from--;
    for (to = from; to < at && is_blank(original.bytes[to]); to++)
        continue;
    pare_status status = pare_buffer_text(out, "\n", err);
    if (!status && to - from > shared)
        status = pare_buffer_add(out, original.bytes + from + shared, to - from - shared, err);
    return status;
}

/* Bytes of indentation of the line that holds byte `at`. */
static size_t indentation(pare_span original, size_t at)
{
    size_t from = at, n = 0;
    while (from && !is_line_end(original.bytes[from - 1]))
        from--;
    while (from + n < at && is_blank(original.bytes[from + n]))
        n++;
    return n;
}

/* The gap between two tokens, where the original says something of it. */
struct gap {
    pare_span own;     /* in the result */
    size_t end, begin; /* of the tokens before and after it, in the original; SIZE_MAX: not there */
    unsigned char left, right; /* the bytes beside it, in the result */
    bool in_parentheses;
};

/* A layout being made; all is borrowed. */
struct laying {
    pare_span original, result;
    const pare_lexemes *before, *lexemes; /* of the two */
    const pare_survivors *survivors;
    bool with_lines;
};

/* The innermost bracket that is open before lexeme `i`; 0: none.  Goes back, and over what is closed again
 * in one step: O(lexemes since the bracket, without what is nested in them). */
static char open_before(pare_span text, const pare_lexemes *lexemes, size_t i)
{
    while (i-- > 0) {
        const pare_lexeme *at = &lexemes->at[i];
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME)
            return (char)text.bytes[at->from];
        /* What is closed again is passed over as a whole. */
        if (at->kind == PARE_LEXEME_CLOSE && at->partner != PARE_NO_LEXEME) i = at->partner;
    }
    return 0;
}

/* The number of the lexeme that holds byte `at` or is the next one after it. lexemes->n: there
 * is none after it. Cost: O(log lexemes). */
static size_t lexeme_at(const pare_lexemes *lexemes, size_t at)
{
    pare_halving search = {.low = 0, .high = lexemes->n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, lexemes->at[search.middle].to <= at);
    return search.low;
}

/* Whether a line that ends with the byte goes on in the next one, or one that begins with it goes on from
 * the line before.  By operators and separators, as they are in most languages. Examples: "a +"
 * at the end of a line, ".b()" at the beginning of one. */
static bool goes_on(unsigned char byte)
{
    return byte && strchr("+-*/%&|^!=<>?.,~@\\([", byte);
}

/* In languages with braces; for others line ends decide, see is_between_statements. */
static bool is_end_of_statement(unsigned char byte)
{
    return byte == ';' || byte == '{' || byte == '}';
}

/* Whether there is nothing but white space between the two in the original, and a line end.
 * True means that nothing was removed between the two tokens. */
static bool is_line_end_between(pare_span original, const struct gap *gap)
{
    bool has_line_end = false;
    for (size_t k = gap->end; k < gap->begin; k++) {
        if (!is_blank(original.bytes[k]) && !is_line_end(original.bytes[k])) return false;
        has_line_end = has_line_end || is_line_end(original.bytes[k]);
    }
    return has_line_end;
}

/* Whether a line of the original begins with byte `at`, and the one before it does not go on.
 * The line before it is the last one that is not blank. */
static bool begins_line(pare_span original, size_t at)
{
    while (at && is_blank(original.bytes[at - 1]))
        at--;
    if (at && !is_line_end(original.bytes[at - 1])) return false;
    while (at && (is_blank(original.bytes[at - 1]) || is_line_end(original.bytes[at - 1])))
        at--;
    return !at || !goes_on(original.bytes[at - 1]);
}

/* Whether nothing but blanks stands from byte `at` to the end of its line, in the original. */
static bool ends_line(pare_span original, size_t at)
{
    while (at < original.size && is_blank(original.bytes[at]))
        at++;
    return at == original.size || is_line_end(original.bytes[at]);
}

/* Whether a line ends at a gap in which tokens of the original are gone: only between statements, where
 * a line end means nothing or, in languages without semicolons, the end of the statement.  Both sides
 * are asked, the result's (what stands beside the gap now) and the original's (where its lines ended).
 *
 * After ';', '{' or '}' a line may end whatever follows. Elsewhere it may only if neither side
 * goes on and the original's line ended after the token before the gap. In the original the
 * token after the gap must begin a line, and must not be in parentheses there either. */
static bool is_between_statements(const struct laying *laying, const struct gap *gap)
{
    const pare_span original = laying->original;
    if (gap->in_parentheses || !begins_line(original, gap->begin)) return false;
    if (goes_on(gap->left) || goes_on(gap->right)) {
        if (!is_end_of_statement(gap->left)) return false;
    } else if (!is_end_of_statement(gap->left) && !ends_line(original, gap->end)) {
        return false;
    }
    const char open = open_before(original, laying->before, lexeme_at(laying->before, gap->begin));
    return open != '(' && open != '[';
}

/* Whether the gap becomes a line end.  A token of which the origin is unknown, or that stands in another
 * order than in the original, says nothing.
 *
 * Example: of "a();\n  b();\n  c();" the result "a(); c();" gets the line end before "c",
 * although "b();" is gone. */
static bool has_line_end(const struct laying *laying, const struct gap *gap)
{
    const pare_span original = laying->original;
    if (gap->end == SIZE_MAX || gap->begin == SIZE_MAX || gap->end > gap->begin) return false;
    if (is_line_end_between(original, gap)) return true;
    /* Something is gone between the two. Only if a line ended there a line may end here. */
    for (size_t k = gap->end; k < gap->begin; k++)
        if (is_line_end(original.bytes[k])) return is_between_statements(laying, gap);
    return false;
}

/* Whether an empty gap becomes a blank: the original has one after the first token, or before the second.
 * The latter may be the indentation of its line, which says nothing after a bracket or before a point.
 *
 * Example: of "f(a, b)" the result "f(a,b)" gets its blank back. A blank after the first token
 * counts in any case. */
static bool has_blank(pare_span original, const struct gap *gap)
{
    if (gap->end == SIZE_MAX || gap->begin == SIZE_MAX) return false;
    if (gap->end < original.size && is_blank(original.bytes[gap->end])) return true;
    if (!gap->begin || !is_blank(original.bytes[gap->begin - 1])) return false;
    return gap->left != '(' && gap->left != '[' && !strchr(".,;)]", gap->right);
}

/* What stands between two tokens: a line end, a blank, or what the result has there.  White space of the
 * result is never taken out, since a token may need it. White space that the result has stays
 * where it is no line end, also if the original has none there. */
static pare_status put_gap(const struct laying *laying, const struct gap *gap, size_t shared,
                           pare_buffer *out, pare_error *err)
{
    if (laying->with_lines && has_line_end(laying, gap))
        return put_line_end(laying->original, gap->begin, shared, out, err);
    if (!gap->own.size && has_blank(laying->original, gap)) return pare_buffer_text(out, " ", err);
    return pare_buffer_add(out, gap->own.bytes, gap->own.size, err);
}

/* The gap before lexeme `i` of the result, which is not the first. Cost: O(runs), and the
 * search for the open bracket. */
static struct gap gap_before(const struct laying *laying, size_t i)
{
    const pare_lexemes *lexemes = laying->lexemes;
    const unsigned char *bytes = laying->result.bytes;
    const size_t to = lexemes->at[i - 1].to, from = lexemes->at[i].from;
    const size_t last = origin_of(laying->survivors, to - 1);
    const char open = open_before(laying->result, lexemes, i);
    return (struct gap){.own = {bytes + to, from - to},
                        .end = last == SIZE_MAX ? SIZE_MAX : last + 1,
                        .begin = origin_of(laying->survivors, from),
                        .left = bytes[to - 1],
                        .right = bytes[from],
                        .in_parentheses = open == '(' || open == '['};
}

/* Indentation that all lines share, in bytes: that of the functions whose inside is all that is left.
 *
 * A result that is one line has the indentation of its first token, which is left out as well.
 * Cost: one pass over all gaps. */
static size_t shared_indentation(const struct laying *laying)
{
    const pare_lexemes *lexemes = laying->lexemes;
    const size_t first = lexemes->n ? origin_of(laying->survivors, lexemes->at[0].from) : SIZE_MAX;
    size_t shared = first == SIZE_MAX ? SIZE_MAX : indentation(laying->original, first);
    for (size_t i = 1; i < lexemes->n; i++) {
        const struct gap gap = gap_before(laying, i);
        if (!has_line_end(laying, &gap)) continue;
        const size_t own = indentation(laying->original, gap.begin);
        if (own < shared) shared = own;
    }
    return shared == SIZE_MAX ? 0 : shared;
}

/* Writes the tokens of the result, and what is between them. What stands before the first token
 * and after the last is copied as it is. */
static pare_status write_layout(const struct laying *laying, pare_buffer *out, pare_error *err)
{
    const pare_lexemes *lexemes = laying->lexemes;
    const pare_span result = laying->result;
    const size_t shared = shared_indentation(laying);
    size_t at = lexemes->n ? lexemes->at[0].from : 0;
    pare_status status = pare_buffer_add(out, result.bytes, at, err);
    for (size_t i = 0; !status && i < lexemes->n; i++) {
        const pare_lexeme *token = &lexemes->at[i];
        if (i) {
            const struct gap gap = gap_before(laying, i);
            status = put_gap(laying, &gap, shared, out, err);
        }
        if (!status)
            status = pare_buffer_add(out, result.bytes + token->from, token->to - token->from, err);
        at = token->to;
    }
    return status ? status : pare_buffer_add(out, result.bytes + at, result.size - at, err);
}

/* Both texts are taken apart as tokens of any language, without a tree: the layout must not
 * depend on whether one is known. On failure *out may hold a part of it. */
pare_status pare_readable_lay_out(pare_span original, pare_span result, bool with_lines,
                                  pare_buffer *out, pare_error *err)
{
    pare_survivors survivors = {.n_runs = 0};
    pare_lexemes lexemes = {.n = 0}, before = {.n = 0};
    const struct laying laying = {.original = original,
                                  .result = result,
                                  .before = &before,
                                  .lexemes = &lexemes,
                                  .survivors = &survivors,
                                  .with_lines = with_lines};
    pare_status status = pare_survivors_find(original.bytes, original.size, result.bytes,
                                             result.size, &survivors, err);
    if (!status) status = pare_lexemes_make(result.bytes, 0, result.size, NULL, &lexemes, err);
    if (!status) status = pare_lexemes_make(original.bytes, 0, original.size, NULL, &before, err);
    if (!status) status = write_layout(&laying, out, err);
    pare_lexemes_done(&lexemes);
    pare_lexemes_done(&before);
    pare_survivors_done(&survivors);
    return status;
}

/* ---- the first of two texts that fails ------------------------------------------------------ */

/* Proposes one layout after the other until one fails, as plain texts: nothing of them is the engine's to
 * reduce.  Its best stays the result, so that a layout, which is longer, is not taken for one. */
struct trying {
    pare_strategy head;
    const pare_text *text;      /* borrowed; the best, always */
    const pare_buffer *layouts; /* borrowed; N_WAYS of them */
    unsigned turn;
    bool found;
};

static pare_status trying_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                               pare_error *err)
{
    const struct trying *self = (const struct trying *)strategy;
    *what = self->found || self->turn == N_WAYS ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    if (*what == PARE_NEXT_DONE) return PARE_OK;
    const pare_buffer *layout = &self->layouts[self->turn];
    pare_candidate_start(candidate, self->text);
    return layout->size ? pare_candidate_literal(candidate, layout->data, layout->size, err)
                        : PARE_OK;
}

/* `turn` stays at the layout that fails, which is where try_layouts reads it. */
static pare_status trying_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct trying *self = (struct trying *)strategy;
    (void)err;
    self->found = outcome == PARE_FAIL;
    self->turn += !self->found;
    return PARE_OK;
}

static pare_status trying_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    struct trying *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *(const struct trying *)strategy;
    *out = &copy->head;
    return PARE_OK;
}

static void trying_free(pare_strategy *strategy)
{
    pare_alloc_free(strategy);
}

static pare_status trying_best(const pare_strategy *strategy, pare_candidate *best, pare_error *err)
{
    const struct trying *self = (const struct trying *)strategy;
    pare_candidate_start(best, self->text);
    return pare_candidate_slice(best, 0, pare_text_size(self->text), err);
}

static pare_status trying_new(const pare_text *text, const pare_buffer *layouts,
                              pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = trying_next,
                                          .tell = trying_tell,
                                          .copy = trying_copy,
                                          .destroy = trying_free,
                                          .best = trying_best};
    struct trying *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *self = (struct trying){.head = {.ops = &ops}, .text = text, .layouts = layouts};
    *out = &self->head;
    return PARE_OK;
}

/* Sets *found to the layout that fails; N_WAYS: none does. If the run ended before it was
 * known, *found stays as it was. */
static pare_status try_layouts(pare_session *session, const pare_text *text,
                               const pare_buffer *layouts, unsigned *found, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_status status = pare_session_begin_pass(session, "readable", N_WAYS, err);
    if (!status) status = trying_new(text, layouts, &strategy, err);
    if (!status) status = pare_session_run_keeping(session, &strategy, err);
    if (!status) *found = ((const struct trying *)strategy)->turn;
    pare_strategy_free(strategy);
    return status;
}

/* A session for the layouts alone, with the test, its sandbox and limits as in a reduction.  Sets *found as
 * try_layouts does. Errors of the tests are handed on; a run that ended early only has found
 * nothing. */
static pare_status run(const pare_reduce_options *options, const pare_text *text,
                       const pare_buffer *layouts, unsigned *found, pare_error *err)
{
    pare_session session = {.options = options};
    pare_result result = {.check_exit_code = -1};
    pare_status status = pare_session_open(options, NULL, text, &session, &result, err);
    if (status) {
        pare_result_done(&result);
        return status;
    }
    status = pare_input_check_failing(&session, text, &result, err);
    if (!status) {
        status = pare_run_error(try_layouts(&session, text, layouts, found, err));
        const pare_status finished =
            pare_session_finish(&session, pare_session_stopped(&session), PARE_MINIMAL_NONE,
                                &result, status ? NULL : err);
        if (!status) status = finished;
    }
    pare_session_close(&session);
    pare_result_done(&result);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Lays the text out in both ways, and hands over the first that fails.  No test is made if the result has
 * the layout of its original already. */
static pare_status make(const pare_reduce_options *options, const pare_text *text,
                        pare_span original, pare_readable *readable, pare_error *err)
{
    const pare_span result = {pare_text_bytes(text), pare_text_size(text)};
    pare_buffer layouts[N_WAYS] = {{0}};
    unsigned found = N_WAYS;
    pare_status status = PARE_OK;
    for (unsigned k = 0; !status && k < N_WAYS; k++)
        status = pare_readable_lay_out(original, result, k == 0, &layouts[k], err);
    /* Only the first way is compared: with blanks alone it differs in no more places. */
    const bool is_other = !status && (layouts[0].size != result.size ||
                                      memcmp(layouts[0].data, result.bytes, result.size) != 0);
    if (is_other) status = run(options, text, layouts, &found, err);
    if (!status && found < N_WAYS) {
        readable->bytes = layouts[found].data;
        readable->size_bytes = layouts[found].size;
        layouts[found] = (pare_buffer){0};
    }
    for (unsigned k = 0; k < N_WAYS; k++)
        pare_buffer_done(&layouts[k]);
    return status;
}

void pare_readable_done(pare_readable *readable)
{
    pare_alloc_free(readable->bytes);
    readable->bytes = NULL;
    readable->size_bytes = 0;
}

pare_status pare_explain_readable_sized(const pare_reduce_options *options, size_t options_bytes,
                                        pare_readable *readable, pare_error *err)
{
    pare_reduce_options own;
    pare_text *text = NULL;
    pare_buffer file = {0};
    readable->bytes = NULL;
    readable->size_bytes = 0;
    pare_status status = pare_reduction_take_options(options, options_bytes, &own, err);
    if (status) return status;
    own.output = (pare_output_options){.path = NULL};
    own.limits.max_tests = MOST_TESTS;
    status = pare_read_input_file(&own.input, &text, err);
    if (!status && readable->original_path)
        status = pare_file_read(readable->original_path, &file, err);
    const pare_span original = readable->original_path
                                   ? (pare_span){(const unsigned char *)file.data, file.size}
                                   : (pare_span){readable->original, readable->original_bytes};
    if (!status && pare_text_size(text) && pare_text_size(text) <= MOST_BYTES)
        status = make(&own, text, original, readable, err);
    pare_buffer_done(&file);
    pare_text_unref(text);
    return status;
}
