/* Explaining a result: each value in it is replaced, each line left out, and the target is run.
 *
 * The input is divided into numbers, quoted strings, and names; equal texts are one value, which is
 * replaced everywhere, as a name has to be. A number is replaced by a small one and by a large one,
 * a string by an empty one and by a short one, a name by another.  A value is arbitrary if each of
 * its replacements still shows the finding; otherwise it matters, and the first variant without the
 * finding is kept.  Only arbitrary names are reported: most others are words of a language.
 *
 * Operators, such as << or -, are values too, with + and - as replacements: an arbitrary minus or
 * shift is as informative as an arbitrary number.  Brackets and commas are left alone, because
 * without them most inputs are invalid.  If there are several lines, each is left out once; a
 * result that was reduced by its tree may have lines that it does not need.
 *
 * The order is numbers and strings, operators, lines, names: the most informative first, because
 * the runs may not suffice for all.
 *
 * Why no grammar: quotes, digits and letters mean the same in nearly all inputs, and only results
 * of runs are reported.  Invariant: each sentence follows from tests of this call, but for the
 * frame, which is the identity's.
 * Sources: DDTEST and Alhazen ask which parts of an input an error depends on, with a grammar and a
 * learner; here one replacement each, within PARE_EXPLANATION_TESTS. */
#include "campaign/explanation.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include <pare/outcome.h>

#include "campaign/escape.h"
#include "campaign/identity.h"
#include "os/clock.h"
#include "run/signature.h"

enum {
    MOST_VALUES = 20,
    MOST_LINES = 12,  /* of an input whose lines are left out */
    SHOWN_VALUES = 6, /* in a sentence */
    VALUE_BYTES = 40, /* longer values are shown cut */
    SHOWN_VARIANT_BYTES = 120
};

/* Kinds of values, by which their replacements and their order are chosen. */
enum kind { NAME, NUMBER, STRING, OPERATOR };

/* What is known of a value; its text is borrowed from the input. */
struct value {
    enum kind kind;
    size_t at, size;       /* of its first occurrence */
    const char *gone_with; /* the replacement with which the finding was gone; NULL: none */
    bool is_known;         /* all of its variants were run */
};

/* An explanation being made. `nearest` is "" as long as the finding was never gone. */
struct explaining {
    const pare_explanation_options *options;
    pare_target_oracle oracle;
    uint64_t end_ms;
    unsigned n_tests;
    struct value values[MOST_VALUES];
    size_t n_values;
    struct {
        size_t n, n_tried, n_spare;
        size_t spare[MOST_LINES]; /* numbers of those without which the finding is there */
    } lines;
    pare_buffer variant, nearest; /* the one under way; the one without the finding, "": none */
};

/* ---- values --------------------------------------------------------------------------- */

/* Letters, digits and the underscore: what names are made of in nearly all languages. */
static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The size of a string in quotes at the beginning; 0: none that ends in its line. */
static size_t string_size(const char *at, size_t size)
{
    if (*at != '"' && *at != '\'') return 0;
    for (size_t k = 1; k < size && at[k] != '\n'; k++) {
        if (at[k] == *at) return k + 1;
        k += at[k] == '\\';
    }
    return 0;
}

/* The size of a number at the beginning, with a fraction and an exponent. */
static size_t number_size(const char *at, size_t size)
{
    size_t k = 0;
    while (k < size &&
           (in_name(at[k]) || (at[k] == '.' && k + 1 < size && isdigit((unsigned char)at[k + 1]))))
        k++;
    return k;
}

/* The size of a run of signs that operators are made of, at the beginning. */
static size_t operator_size(const char *at, size_t size)
{
    size_t k = 0;
    while (k < size && at[k] && strchr("+-*/%<>=&|^!~", at[k]))
        k++;
    return k;
}

/* Reads what is at `at`: true where it is a value; *used bytes are passed in any case. */
static bool read_value(const char *at, size_t size, struct value *value, size_t *used)
{
    size_t n = string_size(at, size);
    *value = (struct value){.kind = STRING, .size = n};
    if (!n && isdigit((unsigned char)*at)) {
        n = number_size(at, size);
        *value = (struct value){.kind = NUMBER, .size = n};
    } else if (!n && in_name(*at)) {
        while (n < size && in_name(at[n]))
            n++;
        *value = (struct value){.kind = NAME, .size = n};
    } else if (!n) {
        n = operator_size(at, size);
        *value = (struct value){.kind = OPERATOR, .size = n};
    }
    *used = n ? n : 1;
    return n > 0;
}

/* Whether a text is that of the value; the same text is the same value,
 * wherever it stands. */
static bool is_same(const struct explaining *self, const struct value *value, const char *text,
                    size_t size)
{
    return value->size == size && memcmp(self->options->bytes + value->at, text, size) == 0;
}

/* Finds the values of the input, each once, in the order in which they first
 * stand, up to MOST_VALUES. */
static void find_values(struct explaining *self)
{
    const char *bytes = self->options->bytes;
    const size_t size = self->options->size;
    for (size_t at = 0, used = 1; at < size && self->n_values < MOST_VALUES; at += used) {
        struct value value;
        bool is_new = read_value(bytes + at, size - at, &value, &used);
        for (size_t k = 0; k < self->n_values && is_new; k++)
            is_new = !is_same(self, &self->values[k], bytes + at, value.size);
        if (!is_new) continue;
        value.at = at;
        self->values[self->n_values++] = value;
    }
}

/* ---- variants ------------------------------------------------------------------------- */

/* The n-th text that a value of this kind is replaced by; NULL: there are no more. */
static const char *replacement(enum kind kind, unsigned n)
{
    static const char *const texts[][2] = {[NAME] = {"zq", NULL},
                                           [NUMBER] = {"1", "1000003"},
                                           [STRING] = {"", "z"},
                                           [OPERATOR] = {"+", "-"}};
    return n < 2 ? texts[kind][n] : NULL;
}

/* Writes the input with a value replaced everywhere; strings keep their quotes. */
static pare_status write_variant(struct explaining *self, const struct value *value,
                                 const char *with, pare_error *err)
{
    const char *bytes = self->options->bytes;
    const size_t size = self->options->size, quotes = value->kind == STRING;
    pare_status status = PARE_OK;
    pare_buffer_reset(&self->variant);
    for (size_t at = 0, used = 1; at < size && !status; at += used) {
        struct value here;
        const bool is_value = read_value(bytes + at, size - at, &here, &used);
        if (!is_value || !is_same(self, value, bytes + at, here.size)) {
            status = pare_buffer_add(&self->variant, bytes + at, used, err);
            continue;
        }
        status = pare_buffer_add(&self->variant, bytes + at, quotes, err);
        if (!status) status = pare_buffer_text(&self->variant, with, err);
        if (!status) status = pare_buffer_add(&self->variant, bytes + at, quotes, err);
    }
    return status;
}

/* Runs self->variant; *is_there: it still shows the finding, by the identity
 * that the target gives it or by one that matches the wanted one. Counts one
 * test. */
static pare_status run_variant(struct explaining *self, bool *is_there, pare_error *err)
{
    pare_target_seen seen;
    const pare_explanation_options *options = self->options;
    pare_status status = pare_target_try(options->target, &self->oracle, self->variant.data,
                                         self->variant.size, &seen, err);
    if (status) return status;
    self->n_tests++;
    *is_there =
        seen.outcome == PARE_FAIL && (strcmp(seen.identity, options->identity) == 0 ||
                                      pare_identity_matches(options->identity, seen.signature));
    pare_target_seen_done(&seen);
    return PARE_OK;
}

/* Both limits are for all variants together; what was not run is not spoken of. */
static bool has_time(const struct explaining *self)
{
    return self->n_tests < PARE_EXPLANATION_TESTS && pare_clock_ms() < self->end_ms;
}

/* Keeps the variant if it is the first one without the finding, or changes fewer bytes than the one
 * that is kept: of a value of the same kind the one that is shorter. */
static pare_status keep_nearest(struct explaining *self, const struct value *value,
                                size_t *nearest_size, pare_error *err)
{
    const bool is_word = value->kind == NAME || value->kind == OPERATOR;
    if (self->nearest.size && (is_word || value->size >= *nearest_size)) return PARE_OK;
    *nearest_size = value->size;
    pare_buffer_reset(&self->nearest);
    return pare_buffer_add(&self->nearest, self->variant.data, self->variant.size, err);
}

/* Runs the variants of one value until the finding is gone with one. is_known
 * stays false if time is over before all were run: then nothing is said of the
 * value. */
static pare_status try_value(struct explaining *self, struct value *value, size_t *nearest_size,
                             pare_error *err)
{
    const char *with;
    for (unsigned n = 0; !value->gone_with && (with = replacement(value->kind, n)); n++) {
        const size_t quotes = value->kind == STRING;
        const char *inside = self->options->bytes + value->at + quotes;
        bool is_there = false;
        if (value->size - 2 * quotes == strlen(with) && !memcmp(inside, with, strlen(with)))
            continue;
        if (!has_time(self)) return PARE_OK;
        pare_status status = write_variant(self, value, with, err);
        if (!status) status = run_variant(self, &is_there, err);
        if (!status && !is_there) {
            value->gone_with = with;
            status = keep_nearest(self, value, nearest_size, err);
        }
        if (status) return status;
    }
    value->is_known = true;
    return PARE_OK;
}

/* The line at `at` with its end. */
static size_t line_size(const struct explaining *self, size_t at)
{
    const char *end = memchr(self->options->bytes + at, '\n', self->options->size - at);
    return end ? (size_t)(end - self->options->bytes) - at + 1 : self->options->size - at;
}

/* Runs the input without each of its lines in turn, if it has 2 to MOST_LINES
 * of them. */
static pare_status try_lines(struct explaining *self, pare_error *err)
{
    const char *bytes = self->options->bytes;
    const size_t size = self->options->size;
    pare_status status = PARE_OK;
    for (size_t at = 0; at < size; at += line_size(self, at))
        self->lines.n++;
    if (self->lines.n < 2 || self->lines.n > MOST_LINES) return PARE_OK;
    for (size_t at = 0, left = 0; at < size && !status && has_time(self); at += left) {
        bool is_there = false;
        left = line_size(self, at);
        pare_buffer_reset(&self->variant);
        status = pare_buffer_add(&self->variant, bytes, at, err);
        if (!status)
            status = pare_buffer_add(&self->variant, bytes + at + left, size - at - left, err);
        if (!status) status = run_variant(self, &is_there, err);
        if (status) break;
        self->lines.n_tried++;
        if (is_there) self->lines.spare[self->lines.n_spare++] = self->lines.n_tried;
        if (!is_there && !self->nearest.size)
            status = pare_buffer_add(&self->nearest, self->variant.data, self->variant.size, err);
    }
    return status;
}

/* In three passes over the values, and the lines after the second: what says most comes first. */
static pare_status try_all(struct explaining *self, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t nearest_size = 0;
    for (unsigned pass = 0; pass < 3; pass++) {
        for (size_t k = 0; k < self->n_values && !status; k++) {
            const enum kind kind = self->values[k].kind;
            if (pass == (kind == NAME ? 2u : kind == OPERATOR ? 1u : 0u))
                status = try_value(self, &self->values[k], &nearest_size, err);
        }
        if (pass == 1 && !status) status = try_lines(self, err);
    }
    return status;
}

/* ---- sentences ------------------------------------------------------------------------ */

/* Appends bytes between backquotes, cut after `most`, but not within a character; line ends and
 * tabs as blanks.  The store keeps the sentence as a text, which a NUL of the input's would end. */
static pare_status add_quoted(const char *bytes, size_t size, size_t most, pare_buffer *text,
                              pare_error *err)
{
    size_t shown = size < most ? size : most;
    while (shown < size && shown && most - shown < 3 &&
           ((unsigned char)bytes[shown] & 0xc0) == 0x80)
        shown--;
    pare_status status = pare_buffer_text(text, "`", err);
    const size_t from = text->size;
    if (!status) status = pare_escape_visible(bytes, shown, text, err);
    for (size_t k = from; k < text->size; k++)
        if (text->data[k] == '\n' || text->data[k] == '\t') text->data[k] = ' ';
    return status ? status : pare_buffer_text(text, size > most ? "...`" : "`", err);
}

/* Appends the text of a value, cut where it is long: the input itself is shown
 * beside the sentence. */
static pare_status add_value(const struct explaining *self, const struct value *value,
                             pare_buffer *text, pare_error *err)
{
    return add_quoted(self->options->bytes + value->at, value->size, VALUE_BYTES, text, err);
}

/* "Arbitrary: `7`, `foo`: with others in their place it fails as well." */
static pare_status add_arbitrary(const struct explaining *self, pare_buffer *text, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t n = 0;
    for (size_t k = 0; k < self->n_values && !status; k++) {
        const struct value *value = &self->values[k];
        if (!value->is_known || value->gone_with) continue;
        if (n++ >= SHOWN_VALUES) continue;
        status = pare_buffer_text(text, n == 1 ? " Arbitrary: " : ", ", err);
        if (!status) status = add_value(self, value, text, err);
    }
    if (!status && n > SHOWN_VALUES)
        status = pare_buffer_format(text, err, " and %zu more", n - SHOWN_VALUES);
    if (!status && n)
        status = pare_buffer_text(text,
                                  n == 1 ? " (with another in its place it fails as well)."
                                         : " (with others in their place it fails as well).",
                                  err);
    return status;
}

/* "It depends on: `1e9` (gone with `1`)." */
static pare_status add_needed(const struct explaining *self, pare_buffer *text, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t n = 0;
    for (size_t k = 0; k < self->n_values && !status; k++) {
        const struct value *value = &self->values[k];
        const char *quotes = value->kind == STRING ? "\"" : "";
        if (!value->gone_with || value->kind == NAME || n == SHOWN_VALUES) continue;
        status = pare_buffer_text(text, n++ ? ", " : " It depends on: ", err);
        if (!status) status = add_value(self, value, text, err);
        if (!status)
            status = pare_buffer_format(text, err, " (gone with `%s%s%s`)", quotes,
                                        value->gone_with, quotes);
    }
    return status || !n ? status : pare_buffer_text(text, ".", err);
}

/* "Each of its 3 lines is needed.", "Not needed: line 2." */
static pare_status add_lines(const struct explaining *self, pare_buffer *text, pare_error *err)
{
    pare_status status = PARE_OK;
    if (self->lines.n_tried && self->lines.n_tried == self->lines.n && !self->lines.n_spare)
        return pare_buffer_format(text, err, " Each of its %zu lines is needed.", self->lines.n);
    for (size_t k = 0; k < self->lines.n_spare && !status; k++)
        status = pare_buffer_format(text, err, "%s%zu", k ? ", " : " Not needed by itself: line ",
                                    self->lines.spare[k]);
    return status || !self->lines.n_spare ? status : pare_buffer_text(text, ".", err);
}

/* Appends the variant without the finding that is nearest to the input, if it
 * is short enough to be compared by eye. */
static pare_status add_nearest(const struct explaining *self, pare_buffer *text, pare_error *err)
{
    if (!self->nearest.size || self->nearest.size > SHOWN_VARIANT_BYTES) return PARE_OK;
    pare_status status = pare_buffer_text(text, " The nearest input without it: ", err);
    if (!status)
        status = add_quoted(self->nearest.data, self->nearest.size, SHOWN_VARIANT_BYTES, text, err);
    return status ? status : pare_buffer_text(text, ".", err);
}

/* The one sentence that comes from the identity, not from a run. */
static pare_status add_frame(const char *identity, pare_buffer *text, pare_error *err)
{
    pare_signature signature = {.ended = PARE_ENDED_ANYHOW};
    if (pare_signature_parse(identity, &signature, NULL) || !*signature.frame[0]) return PARE_OK;
    return pare_buffer_format(text, err, " It fails in %s.", signature.frame[0]);
}

/* ---- all ------------------------------------------------------------------------------ */

/* Opens the target and runs what there is to run. A target that cannot be run
 * any more explains nothing, and that is no failure; only a stop and out of
 * memory are. */
static pare_status explore(struct explaining *self, pare_error *err)
{
    const pare_explanation_options *options = self->options;
    pare_error trouble = {0};
    pare_status status =
        pare_target_open(options->target, true, 1, options->stop, &self->oracle, &trouble);
    if (!status) status = try_all(self, &trouble);
    pare_target_close(&self->oracle);
    if (status != PARE_E_INTERRUPTED && status != PARE_E_NOMEM) return PARE_OK;
    return pare_fail(err, status, "%s", trouble.message);
}

/* Costs at most PARE_EXPLANATION_TESTS runs.  Long inputs, empty ones and workers of the user's
 * own are explained by their frame alone. */
pare_status pare_explanation_add(const pare_explanation_options *options, pare_buffer *text,
                                 pare_error *err)
{
    struct explaining self = {.options = options, .end_ms = pare_clock_ms() + PARE_EXPLANATION_MS};
    pare_status status = add_frame(options->identity, text, err);
    const bool is_small = options->size && options->size <= PARE_EXPLANATION_BYTES;
    if (!status && is_small && !options->target->test.worker) {
        find_values(&self);
        assert(self.n_values <= MOST_VALUES);
        const bool has_lines = memchr(options->bytes, '\n', options->size - 1) != NULL;
        if (self.n_values || has_lines) status = explore(&self, err);
        if (!status) status = add_arbitrary(&self, text, err);
        if (!status) status = add_needed(&self, text, err);
        if (!status) status = add_lines(&self, text, err);
        if (!status) status = add_nearest(&self, text, err);
    }
    pare_buffer_done(&self.variant);
    pare_buffer_done(&self.nearest);
    return status;
}
