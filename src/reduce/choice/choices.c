/* The source of choices: an engine or a list on one side, the record on the other; values made
 * of choices; and lists of choices as files.
 *
 * A generator asks for one index after the other.  The answer comes from a random engine, from
 * the kernel, or from the list that is replayed; all are recorded with their bounds, in nested
 * spans, so a recorded run can be edited and replayed.  The record keeps its memory from run to
 * run: a reduction makes millions of them.
 *
 * Values are built so that index 0 is the simplest answer everywhere.  Integers lie around the
 * simplest one: +1, -1, +2, -2, ... while there are numbers on both sides, then on along the
 * longer one.  A fraction is its index with the bits in reverse after the point (van der
 * Corput's sequence), so halves come before quarters.
 * Invariant: see pare_choices_record_check: indices are below their bounds, spans nest.
 * Source: MacIver and Donaldson, ECOOP 2020 (Hypothesis); seed 004's ChoiceSeq; van der Corput,
 * 1935, for fractions. */
#include "reduce/choice/choices.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/halving.h"
#include "base/vector.h"
#include "os/entropy.h"

/* The engine goes on where it is, so a second run draws other numbers. */
void pare_choices_start(pare_choices *choices)
{
    choices->n = 0;
    choices->open = 0;
    choices->record.n = 0;
    choices->record.n_spans = 0;
}

/* The same seed gives the same answers to the same questions, on every machine. */
void pare_choices_seed(pare_choices *choices, uint64_t seed)
{
    choices->from = PARE_CHOICES_NORMAL;
    pare_random_init(&choices->normal, seed);
    pare_choices_start(choices);
}

/* The caller's engine goes on where it is: whoever repeats another program's draws counts on it. */
void pare_choices_draw_from(pare_choices *choices, const pare_choices_engine *engine)
{
    choices->from = PARE_CHOICES_ENGINE;
    choices->engine = engine;
    pare_choices_start(choices);
}

/* The kernel's numbers come through os/entropy.h, where a recorder outside sees and replaces
 * them. */
void pare_choices_draw_from_system(pare_choices *choices)
{
    choices->from = PARE_CHOICES_SYSTEM;
    pare_choices_start(choices);
}

/* A pare_choices_engine.below: the numbers that random.randrange of CPython gives. */
static uint64_t python_below(void *self, uint64_t bound)
{
    return pare_mersenne_below(self, bound);
}

/* A pare_choices_engine.unit: the numbers that random.random gives. */
static double python_unit(void *self)
{
    return pare_mersenne_unit(self);
}

/* For seed 004 and The Fuzzing Book, whose texts are compared with those that Python makes from the
 * same seed. */
pare_choices_engine pare_choices_python(pare_mersenne *mersenne)
{
    return (pare_choices_engine){mersenne, python_below, python_unit};
}

/* The list is borrowed until the last run that draws from it. */
void pare_choices_set_words(pare_choices *choices, const uint64_t *list, size_t n)
{
    choices->list = list;
    choices->n_list = n;
    choices->n_taken = 0;
}

/* A generator that tries again goes on in the list, as it would have with the kernel. */
void pare_choices_draw_from_words(pare_choices *choices)
{
    choices->from = PARE_CHOICES_WORDS;
    pare_choices_start(choices);
}

/* The list is read in place; it must stay until the run has ended. */
void pare_choices_replay(pare_choices *choices, const uint64_t *list, size_t n)
{
    choices->from = PARE_CHOICES_REPLAY;
    choices->list = list;
    choices->n_list = n;
    pare_choices_start(choices);
}

/* Engine and list are borrowed. */
void pare_choices_done(pare_choices *choices)
{
    pare_choices_record_done(&choices->record);
    pare_alloc_free(choices->words);
    choices->words = NULL;
    choices->n_words = choices->words_capacity = 0;
}

/* A generator that reads all there is goes by this. */
size_t pare_choices_left(const pare_choices *choices)
{
    bool any = choices->from == PARE_CHOICES_REPLAY && choices->n < choices->n_list;
    return any ? choices->n_list - choices->n : 0;
}

/* The next number of the list, brought below `bound`; the default stays as it is.
 * Modulo and not clamped: an edit that makes a choice too large moves it to some value, not
 * always to the last. */
static uint64_t replay(const pare_choices *choices, uint64_t bound)
{
    uint64_t index = choices->list[choices->n];
    if (index < bound || index == PARE_CHOICE_DEFAULT) return index;
    return index % bound;
}

/* --- words of the kernel's ------------------------------------------------------------------ */

/* A draw as os/entropy.h makes it: a bound above 2^32 takes two words, the lower one first.  A
 * default in the list stands for the whole choice. */
static pare_status take_words(pare_choices *choices, uint64_t bound, uint64_t *number,
                              pare_error *err)
{
    const uint64_t *words = choices->list + choices->n_taken;
    size_t left = choices->n_list - choices->n_taken;
    bool is_default = left && *words == PARE_CHOICE_DEFAULT;
    size_t n = bound - 1 > UINT32_MAX && !is_default ? 2 : 1;
    uint64_t drawn = 0;
    if (left < n)
        return pare_fail(err, PARE_E_STATE, "the list of %zu choices ends before the text does",
                         choices->n_list);
    choices->n_taken += n;
    for (size_t i = 0; i < n; i++)
        drawn |= (words[i] & UINT32_MAX) << 32 * i;
    *number = is_default ? PARE_CHOICE_DEFAULT : drawn % bound;
    return PARE_OK;
}

/* Notes `n` words, the lower one first. */
static pare_status keep_words(pare_choices *choices, uint64_t number, size_t n, pare_error *err)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t *grown = pare_vector_grow(choices->words, choices->n_words,
                                           &choices->words_capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(err);
        choices->words = grown;
        grown[choices->n_words++] = number >> 32 * i & UINT32_MAX;
    }
    return PARE_OK;
}

/* The next index, from wherever choices come. */
static pare_status answer(pare_choices *choices, uint64_t bound, uint64_t *index, pare_error *err)
{
    switch (choices->from) {
    case PARE_CHOICES_SYSTEM: return pare_entropy_draw(bound, index, err);
    case PARE_CHOICES_WORDS: return take_words(choices, bound, index, err);
    case PARE_CHOICES_REPLAY: *index = replay(choices, bound); break;
    case PARE_CHOICES_ENGINE: *index = choices->engine->below(choices->engine->self, bound); break;
    case PARE_CHOICES_NORMAL: *index = pare_random_below(&choices->normal, bound); break;
    }
    return PARE_OK;
}

/* Makes room for one more choice. */
static pare_status grow(pare_choice_record *record, pare_error *err)
{
    pare_choice *grown =
        pare_vector_grow(record->choices, record->n, &record->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    record->choices = grown;
    return PARE_OK;
}

/* Counts the choice, and records it unless the caller wants no record.
 * `n` counts what is not recorded, too: limits and spans go by it. */
static inline pare_status note(pare_choices *choices, pare_choice choice, pare_error *err)
{
    pare_choice_record *record = &choices->record;
    choices->n++;
    if (choices->unrecorded) return PARE_OK;
    pare_status status = record->n == record->capacity ? grow(record, err) : PARE_OK;
    if (!status) record->choices[record->n++] = choice;
    return status;
}

/* Why there may not be one more choice. */
static pare_status fail_next(const pare_choices *choices, size_t limit, pare_error *err)
{
    if (choices->n >= limit)
        return pare_fail(err, PARE_E_LIMIT, "the generator makes more than %zu choices", limit);
    return pare_fail(err, PARE_E_STATE, "the list of %zu choices ends before the text does",
                     choices->n_list);
}

/* Whether there may be one more choice. */
static inline pare_status check_next(const pare_choices *choices, pare_error *err)
{
    size_t limit = choices->limit ? choices->limit : PARE_CHOICES_LIMIT;
    bool ended = choices->from == PARE_CHOICES_REPLAY && choices->n >= choices->n_list;
    return choices->n < limit && !ended ? PARE_OK : fail_next(choices, limit, err);
}

/* Checks, answers, records; *index and *is_default are set only when all of it worked. */
pare_status pare_choices_next_or_default(pare_choices *choices, pare_choice_kind kind,
                                         uint64_t bound, uint64_t *index, bool *is_default,
                                         pare_error *err)
{
    assert(bound > 0);
    pare_status status = check_next(choices, err);
    uint64_t drawn = 0;
    if (!status) status = answer(choices, bound, &drawn, err);
    if (!status)
        status = note(choices,
                      (pare_choice){.index = drawn, .bound = bound, .kind = (uint32_t)kind}, err);
    if (!status && choices->keeps_words)
        status = keep_words(choices, drawn, bound - 1 > UINT32_MAX ? 2 : 1, err);
    if (status) return status;
    *is_default = drawn == PARE_CHOICE_DEFAULT;
    *index = *is_default ? 0 : drawn;
    return PARE_OK;
}

/* For choices that have no default of their own: there it means the first answer. */
pare_status pare_choices_next(pare_choices *choices, pare_choice_kind kind, uint64_t bound,
                              uint64_t *index, pare_error *err)
{
    bool is_default;
    return pare_choices_next_or_default(choices, kind, bound, index, &is_default, err);
}

/* 0 <= *number < 1. */
static pare_status draw_unit(pare_choices *choices, double *number, pare_error *err)
{
    uint64_t drawn;
    if (choices->from == PARE_CHOICES_ENGINE) {
        *number = choices->engine->unit(choices->engine->self);
        return PARE_OK;
    }
    if (choices->from == PARE_CHOICES_NORMAL) {
        *number = pare_choices_unit(pare_random_next(&choices->normal));
        return PARE_OK;
    }
    pare_status status = choices->from == PARE_CHOICES_WORDS
                             ? take_words(choices, UINT64_C(1) << 32, &drawn, err)
                             : pare_entropy_draw(UINT64_C(1) << 32, &drawn, err);
    if (!status) *number = drawn == PARE_CHOICE_DEFAULT ? 0 : (double)drawn * 0x1p-32;
    return status;
}

/* The branch that the number 0 <= at < 1 stands for, in proportion to its weight.
 * O(n), as weights are the caller's and may differ from call to call. */
static uint32_t branch_at(double at, const double *weights, uint32_t n)
{
    double total = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < n; i++) {
        total += weights[i];
        if (weights[i] > 0) last = i;
    }
    /* Weights need not add up to 1. */
    at *= total;
    for (uint32_t i = 0; i < last; i++) {
        if (at < weights[i]) return i;
        at -= weights[i];
    }
    return last; /* also where rounding went beyond the end */
}

/* The least word for which the kernel's draw is this branch; one of a branch that is rarer than
 * 2^-32 may be its neighbour's. */
static uint64_t word_of_branch(uint32_t branch, const double *weights, uint32_t n)
{
    pare_halving search = {.low = 0, .high = UINT32_MAX};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, branch_at((double)search.middle * 0x1p-32, weights, n) < branch);
    return search.low;
}

/* A replayed branch is an index as any other: weights only matter when one is drawn. */
pare_status pare_choices_weighted(pare_choices *choices, const double *weights, uint32_t n,
                                  uint32_t *branch, pare_error *err)
{
    uint64_t index = 0;
    if (choices->from == PARE_CHOICES_REPLAY) {
        pare_status status = pare_choices_next(choices, PARE_CHOICE_BRANCH, n, &index, err);
        if (!status) *branch = (uint32_t)index;
        return status;
    }
    double at = 0;
    pare_status status = check_next(choices, err);
    if (!status) status = draw_unit(choices, &at, err);
    if (status) return status;
    index = branch_at(at, weights, n);
    status =
        note(choices, (pare_choice){.index = index, .bound = n, .kind = PARE_CHOICE_BRANCH}, err);
    if (!status && choices->keeps_words)
        status = keep_words(choices, word_of_branch((uint32_t)index, weights, n), 1, err);
    if (!status) *branch = (uint32_t)index;
    return status;
}

/* Two branches, the first of which is that it does not happen. */
pare_status pare_choices_chance(pare_choices *choices, double chance, bool *happens,
                                pare_error *err)
{
    const double weights[2] = {1 - chance, chance};
    uint32_t branch;
    pare_status status = pare_choices_weighted(choices, weights, 2, &branch, err);
    if (!status) *happens = branch == 1;
    return status;
}

/* --- spans ------------------------------------------------------------------------------- */

/* What a run that failed leaves open has PARE_SPAN_OPEN as its end. */
pare_status pare_choices_open(pare_choices *choices, uint32_t label, pare_error *err)
{
    pare_choice_record *record = &choices->record;
    if (choices->from == PARE_CHOICES_SYSTEM) pare_entropy_open(label);
    if (choices->unrecorded) return PARE_OK;
    if (record->n_spans == record->spans_capacity) {
        pare_choice_span *grown = pare_vector_grow(record->spans, record->n_spans,
                                                   &record->spans_capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(err);
        record->spans = grown;
    }
    /* PARE_CHOICES_LIMIT keeps places well below 2^32. */
    uint32_t at = (uint32_t)choices->n;
    record->spans[record->n_spans++] = (pare_choice_span){
        .label = label, .parent = choices->open - 1, .first = at, .end = PARE_SPAN_OPEN};
    choices->open = (uint32_t)record->n_spans;
    return PARE_OK;
}

/* --- records ----------------------------------------------------------------------------- */

/* The record is empty afterwards. */
void pare_choices_record_done(pare_choice_record *record)
{
    pare_alloc_free(record->choices);
    pare_alloc_free(record->spans);
    *record = (pare_choice_record){0};
}

/* Exactly as large as what is there: a copy is kept, not added to. */
pare_status pare_choices_record_copy(pare_choice_record *to, const pare_choice_record *from,
                                     pare_error *err)
{
    pare_choices_record_done(to);
    to->choices = pare_alloc(from->n, sizeof *to->choices);
    to->spans = pare_alloc(from->n_spans, sizeof *to->spans);
    if (!to->choices || !to->spans) {
        pare_choices_record_done(to);
        return pare_fail_nomem(err);
    }
    if (from->n) memcpy(to->choices, from->choices, from->n * sizeof *to->choices);
    if (from->n_spans) memcpy(to->spans, from->spans, from->n_spans * sizeof *to->spans);
    to->n = to->capacity = from->n;
    to->n_spans = to->spans_capacity = from->n_spans;
    return PARE_OK;
}

/* The default is the largest number, which plus one is 0: the smallest. */
bool pare_choices_simpler(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b)
{
    if (n_a != n_b) return n_a < n_b;
    for (size_t i = 0; i < n_a; i++)
        if (a[i] != b[i]) return a[i] + 1 < b[i] + 1; /* the default wraps to 0 */
    return false;
}

/* Whether span `at` lies within its parent, which was opened before it.
 * A span that is open has no end yet, so it is not right; the check is for complete runs. */
static bool is_span_right(const pare_choice_record *record, size_t at)
{
    const pare_choice_span *span = &record->spans[at];
    if (span->first > span->end || span->end > record->n) return false;
    if (span->parent == PARE_NO_SPAN) return true;
    if (span->parent >= at) return false;
    const pare_choice_span *parent = &record->spans[span->parent];
    return parent->first <= span->first && span->end <= parent->end;
}

/* O(choices + spans). */
bool pare_choices_record_check(const pare_choice_record *record)
{
    for (size_t i = 0; i < record->n; i++) {
        const pare_choice *choice = &record->choices[i];
        if (choice->index >= choice->bound && choice->index != PARE_CHOICE_DEFAULT) return false;
    }
    for (size_t i = 0; i < record->n_spans; i++)
        if (!is_span_right(record, i)) return false;
    return true;
}

/* --- values ------------------------------------------------------------------------------ */

/* `value`, brought into low .. high. */
static int64_t into(int64_t value, int64_t low, int64_t high)
{
    if (value < low) return low;
    return value > high ? high : value;
}

/* Distances up to `both` alternate between the sides; beyond that only the longer side is left.
 *
 * Example: of 2 .. 6 with 3 the simplest, the indices 0 to 4 are the numbers 3, 4, 2, 5 and 6. */
int64_t pare_choices_to_integer(int64_t low, int64_t high, int64_t simplest, uint64_t index)
{
    simplest = into(simplest, low, high);
    uint64_t above = (uint64_t)high - (uint64_t)simplest;
    uint64_t below = (uint64_t)simplest - (uint64_t)low;
    uint64_t both = above < below ? above : below;
    bool is_above = index > 2 * both ? above > below : index % 2 == 1;
    uint64_t distance = index > 2 * both ? index - both : index / 2 + index % 2;
    return (int64_t)(is_above ? (uint64_t)simplest + distance : (uint64_t)simplest - distance);
}

/* The bound is the width plus one, which must fit, and stay below the marked choice. */
pare_status pare_choices_integer(pare_choices *choices, int64_t low, int64_t high, int64_t simplest,
                                 int64_t *value, pare_error *err)
{
    uint64_t width = (uint64_t)high - (uint64_t)low, index;
    assert(low <= high && width < UINT64_MAX - 1);
    pare_status status = pare_choices_next(choices, PARE_CHOICE_NUMBER, width + 1, &index, err);
    if (!status) *value = pare_choices_to_integer(low, high, simplest, index);
    return status;
}

/* A size of its own kind, so that passes can lower it together with what it governs. */
pare_status pare_choices_size(pare_choices *choices, uint64_t low, uint64_t high, uint64_t *size,
                              pare_error *err)
{
    assert(low <= high && high - low < UINT64_MAX - 1);
    uint64_t more;
    pare_status status = pare_choices_next(choices, PARE_CHOICE_SIZE, high - low + 1, &more, err);
    if (!status) *size = low + more;
    return status;
}

/* Elements have no order, so it is a branch and not a number. */
pare_status pare_choices_element(pare_choices *choices, uint64_t n, uint64_t *which,
                                 pare_error *err)
{
    return pare_choices_next(choices, PARE_CHOICE_BRANCH, n, which, err);
}

/* Appends one character of the alphabet, in UTF-8.
 * By the distance from the simplest character, so that lower indices are nearer to it on either
 * side. */
static pare_status add_character(pare_choices *choices, pare_alphabet alphabet, pare_buffer *text,
                                 pare_error *err)
{
    utf8proc_uint8_t bytes[4];
    int64_t point;
    pare_status status = pare_choices_integer(choices, alphabet.first, alphabet.last,
                                              alphabet.simplest, &point, err);
    if (status) return status;
    utf8proc_ssize_t size = utf8proc_encode_char((utf8proc_int32_t)point, bytes);
    /* UTF-8 has no surrogates. */
    if (point >= 0xD800 && point <= 0xDFFF) size = utf8proc_encode_char(0xFFFD, bytes);
    return pare_buffer_add(text, bytes, (size_t)size, err);
}

/* Example: "ba" of the letters a .. z is the choices 2 (the size), 1 and 0, in a span of all three,
 * with a span below it for each character, so that a pass can leave out single characters. */
pare_status pare_choices_string(pare_choices *choices, pare_alphabet alphabet, uint64_t low,
                                uint64_t high, pare_buffer *text, pare_error *err)
{
    uint64_t n = 0;
    pare_status status = pare_choices_open(choices, PARE_SPAN_STRING, err);
    if (!status) status = pare_choices_size(choices, low, high, &n, err);
    for (uint64_t i = 0; !status && i < n; i++) {
        status = pare_choices_open(choices, PARE_SPAN_ELEMENT, err);
        if (!status) status = add_character(choices, alphabet, text, err);
        if (!status) pare_choices_close(choices);
    }
    if (!status) pare_choices_close(choices);
    return status;
}

/* --- lists as files ---------------------------------------------------------------------- */

static const char HEAD[] = "pare choices 1\n";
enum { HEAD_BYTES = sizeof HEAD - 1 };

/* The first line is enough: it is what `pare` itself writes. */
bool pare_choices_list_is_file(const void *bytes, size_t size)
{
    return size >= HEAD_BYTES && memcmp(bytes, HEAD, HEAD_BYTES) == 0;
}

/* Reads a line without its end; false if it is neither a number of 64 bits nor -1.
 * No other sign and no blanks: the file is written by programs. */
static bool read_number(const char *line, size_t size, uint64_t *number)
{
    *number = 0;
    if (size == 2 && memcmp(line, "-1", 2) == 0) {
        *number = PARE_CHOICE_DEFAULT;
        return true;
    }
    for (size_t i = 0; i < size; i++) {
        /* Below '0' the difference wraps to a large number. */
        unsigned digit = (unsigned)(unsigned char)line[i] - '0';
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10) return false;
        *number = *number * 10 + digit;
    }
    return size > 0;
}

/* Appends a choice to the list that is read. */
static pare_status add_number(uint64_t **list, size_t *n, size_t *capacity, uint64_t number,
                              pare_error *err)
{
    if (*n == PARE_CHOICES_LIMIT)
        return pare_fail(err, PARE_E_LIMIT, "more than %d choices", PARE_CHOICES_LIMIT);
    uint64_t *grown = pare_vector_grow(*list, *n, capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    *list = grown;
    grown[(*n)++] = number;
    return PARE_OK;
}

/* Empty lines and comments say nothing; any other line is a number or an error with its line. */
pare_status pare_choices_list_read(const char *name, const void *bytes, size_t size,
                                   uint64_t **list, size_t *n, pare_error *err)
{
    const char *text = bytes;
    uint64_t *made = NULL;
    size_t n_made = 0, capacity = 0, line = 1;
    pare_status status = PARE_OK;
    if (!pare_choices_list_is_file(bytes, size))
        return pare_fail(
            err, PARE_E_SYNTAX,
            "%s:1: this is not a list of choices: its first line is not 'pare choices 1'", name);
    for (size_t at = HEAD_BYTES, end; !status && at < size; at = end + 1) {
        const char *found = memchr(text + at, '\n', size - at);
        uint64_t number;
        end = found ? (size_t)(found - text) : size;
        line++;
        if (end == at || text[at] == '#') continue;
        if (read_number(text + at, end - at, &number))
            status = add_number(&made, &n_made, &capacity, number, err);
        else
            status = pare_fail(err, PARE_E_SYNTAX, "%s:%zu: a choice must be a number", name, line);
    }
    /* An empty list is a list too, and its owner may free it like any other. */
    if (!status && !made && !(made = pare_alloc(1, sizeof *made))) status = pare_fail_nomem(err);
    if (status) {
        pare_alloc_free(made);
        return status;
    }
    *list = made;
    *n = n_made;
    return PARE_OK;
}

/* Defaults are written as seed 004 prints them. */
pare_status pare_choices_list_write(const uint64_t *list, size_t n, pare_buffer *to,
                                    pare_error *err)
{
    pare_status status = pare_buffer_text(to, HEAD, err);
    for (size_t i = 0; !status && i < n; i++)
        status = list[i] == PARE_CHOICE_DEFAULT
                     ? pare_buffer_text(to, "-1\n", err)
                     : pare_buffer_format(to, err, "%" PRIu64 "\n", list[i]);
    return status;
}
