/* Endings: the test is run with some of the variants that fail, and its programs are watched.
 *
 * A test script that looks for "ZeroDivisionError" is content with another division than that of the result: then
 * what an explanation claims is about two failures.  So variants are drawn from those that are known to fail, one
 * sample of each part in turns, values before names, and what the programs did is compared with what they did with
 * the text itself.  Numbers but exit codes are left aside, since lines and addresses move, and so is the sample where
 * the part's own text stands in the other message; where the part's own text stands in both (an option "-a" beside a
 * name a) it is the program's.  Folders are left aside, too: a test makes its own each time.
 *
 * Invariant: only variants that were tested and failed are run.
 * Cost: one run of the test for each.
 * Tested by tests/unit/test_endings.c and tests/cli/test_explain.sh. */
#include "explain/endings.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "explain/sampler.h"
#include "explain/vary.h"
#include "run/failing_programs.h"
#include "session/test/side_run.h"

void pare_endings_done(pare_endings *endings)
{
    pare_buffer_done(&endings->own);
    pare_buffer_done(&endings->other);
    *endings = (pare_endings){.n_runs = 0};
}

/* ---- comparing ------------------------------------------------------------------------ */

static bool is_word(unsigned char byte)
{
    return isalnum(byte) || byte == '_';
}

/* Whether `what` stands at `at`, and no letter or digit goes on with it on either side.
 * Example: "a" stands in "x/a:3" but not in "main". False for an empty `what`, and at the end
 * of the line. */
static bool stands_at(pare_span line, size_t at, pare_span what)
{
    if (!what.size || what.size > line.size - at ||
        memcmp(line.bytes + at, what.bytes, what.size) != 0)
        return false;
    const size_t end = at + what.size;
    const bool joins_before = at && is_word(line.bytes[at - 1]) && is_word(what.bytes[0]);
    const bool joins_after =
        end < line.size && is_word(line.bytes[end]) && is_word(what.bytes[what.size - 1]);
    return !joins_before && !joins_after;
}

/* Whether an exit code begins at `at`, as pare_failing_programs_tell writes it. Exit codes are
 * compared as they are: they are what a test looks at. */
static bool is_exit_code(pare_span line, size_t at)
{
    static const char before[] = ": exit code ";
    const size_t size = sizeof before - 1;
    return at >= size && memcmp(line.bytes + at - size, before, size) == 0 &&
           isdigit(line.bytes[at]);
}

/* Where a path begins at `at`: how many bytes its folders have, with the last slash; else 0.
 * Example: of "/tmp/x1/in.c:3" that is "/tmp/x1/", 8 bytes. A path that does not begin with a
 * slash has none. */
static size_t folders_at(pare_span line, size_t at)
{
    static const char signs[] = "./+-~@%_";
    size_t folders = 0;
    if (line.bytes[at] != '/') return 0;
    for (size_t k = at; k < line.size; k++) {
        const unsigned char byte = line.bytes[k];
        if (byte == '/') folders = k + 1 - at;
        if (byte < 0x80 && !isalnum(byte) && (!byte || !strchr(signs, byte))) break;
    }
    return folders;
}

/* The next token of a message from *at on, as one number: a byte, or for an exit code, any other number, and what was
 * varied, one that is no byte.  -1: the end.
 *
 * *at is moved behind it. A number goes on with hexadecimal digits, so an address is one token. */
static int next_token(pare_span line, size_t *at, pare_span varied)
{
    enum { NUMBER = 256, VARIED, CODE };
    if (*at >= line.size) return -1;
    if (is_exit_code(line, *at)) {
        int code = 0;
        for (; *at < line.size && isdigit(line.bytes[*at]) && code < 1000; ++*at)
            code = code * 10 + line.bytes[*at] - '0';
        return CODE + code;
    }
    if (stands_at(line, *at, varied)) {
        *at += varied.size;
        return isdigit(varied.bytes[0]) ? NUMBER : VARIED;
    }
    const size_t folders = folders_at(line, *at);
    if (folders) {
        *at += folders;
        return '/';
    }
    if (!isdigit(line.bytes[*at])) return line.bytes[(*at)++];
    while (*at < line.size && isxdigit(line.bytes[*at]))
        ++*at;
    return NUMBER;
}

/* Goes through both messages token by token. Example: with the own text 0 and the sample 7,
 * "f(0) at line 3" and "f(7) at line 4" are alike. Cost: O(bytes). */
bool pare_endings_are_alike(pare_span own, pare_span other, const pare_ending_variant *variant)
{
    size_t at = 0, other_at = 0;
    for (;;) {
        /* At the end nothing stands. */
        if (stands_at(own, at, variant->own) && stands_at(other, other_at, variant->own) &&
            !is_exit_code(own, at)) {
            at += variant->own.size;
            other_at += variant->own.size;
            continue;
        }
        const int token = next_token(own, &at, variant->own);
        if (token != next_token(other, &other_at, variant->sample)) return false;
        if (token < 0) return true;
    }
}

/* ---- variants --------------------------------------------------------------------------- */

/* Values are asked first: another one often takes another way through a program; another name hardly ever. */
static int rank_of(const pare_varied *part)
{
    switch (part->kind) {
    case PARE_PART_WHOLE:
    case PARE_PART_NUMBER:
    case PARE_PART_STRING:
    case PARE_PART_BYTE: return 0;
    case PARE_PART_NODE: return 1;
    case PARE_PART_SIGN: return 2;
    case PARE_PART_NAME: return 3;
    case PARE_PART_REPEAT: break;
    }
    return 4; /* its samples are no texts in its place */
}

enum { N_RANKS = 4 };

/* The `turn`-th sample of the part that is known to fail; false: there is none. Samples after the PARE_VARY_NOTEDth have no bit, so it is not known what came of them. */
static bool find_sample(const pare_endings_task *task, size_t part, uint32_t turn, uint32_t *sample)
{
    const pare_varied *varied = &task->parts->parts[part];
    const pare_answer *answer = &task->others->answers[part];
    const uint32_t n = varied->n_samples + varied->n_edges;
    for (uint32_t k = 0; k < n && k < PARE_VARY_NOTED; k++) {
        if (!(answer->failed[k / 64] >> k % 64 & 1) || turn--) continue;
        *sample = k;
        return true;
    }
    return false;
}

/* The bytes may have been handed over since, so they are taken from the task. */
static pare_span sample_of(const pare_endings_task *task, size_t part, uint32_t k)
{
    const pare_parts *parts = task->parts;
    const pare_sample *sample = &parts->samples[parts->parts[part].first_sample + k];
    return (pare_span){(const unsigned char *)task->samples + sample->offset, sample->size};
}

/* ---- running ---------------------------------------------------------------------------- */

/* Runs the watched test with a text; *lines: what its programs did, empty where that is not
 * known. A run that goes wrong is no error: nothing is known of it. Only a lack of memory is
 * one. */
static pare_status watch(const pare_endings_task *task, const pare_command *watched, pare_span text,
                         pare_buffer *lines, pare_error *err)
{
    pare_buffer printed = {0};
    const pare_side_task run = {
        .base_name = task->name, .text = text.bytes, .bytes = text.size, .stop = task->stop};
    pare_buffer_reset(lines);
    pare_status status = pare_side_run(&run, watched, &printed, NULL);
    if (!status && printed.size)
        status = pare_failing_programs_tell(printed.data, printed.size, task->name, lines, NULL);
    pare_buffer_done(&printed);
    return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
}

/* Runs one variant, and notes whether it ends otherwise. Only the first that ends otherwise is
 * kept, with its part and sample; the others are counted. */
static pare_status watch_variant(const pare_endings_task *task, const pare_command *watched,
                                 size_t part, uint32_t sample, pare_endings *out, pare_error *err)
{
    pare_buffer text = {0}, lines = {0};
    const pare_varied *varied = &task->parts->parts[part];
    const pare_ending_variant variant = {
        .own = {task->text.bytes + varied->from, varied->to - varied->from},
        .sample = sample_of(task, part, sample)};
    pare_status status =
        pare_parts_replace(task->parts, task->text, part, variant.sample, &text, err);
    if (!status) {
        const pare_span made = {(const unsigned char *)text.data, text.size};
        out->n_runs++;
        status = watch(task, watched, made, &lines, err);
    }
    if (!status && lines.size) {
        const pare_span own = {(const unsigned char *)out->own.data, out->own.size};
        const pare_span other = {(const unsigned char *)lines.data, lines.size};
        const bool is_other = !pare_endings_are_alike(own, other, &variant);
        out->n_variants++;
        if (is_other && !out->n_other++) {
            out->part = part;
            out->sample = sample;
            out->other = lines;
            lines = (pare_buffer){0};
        }
    }
    pare_buffer_done(&text);
    pare_buffer_done(&lines);
    return status;
}

/* In turns: one sample of each part, then the next one of each.
 *
 * Ranks come one after the other, so names are reached only if there are few values. n_runs
 * counts the text itself, too, so `most` variants are run. */
static pare_status watch_variants(const pare_endings_task *task, const pare_command *watched,
                                  pare_endings *out, pare_error *err)
{
    const uint32_t most = task->most < PARE_ENDINGS_MOST ? task->most : PARE_ENDINGS_MOST;
    pare_status status = PARE_OK;
    for (int rank = 0; rank < N_RANKS; rank++)
        for (uint32_t turn = 0; turn < PARE_ENDINGS_MOST; turn++)
            for (size_t k = 0; k < task->parts->n && !status; k++) {
                uint32_t sample;
                if (out->n_runs > most) return PARE_OK;
                if (rank_of(&task->parts->parts[k]) == rank && !task->others->is_covered[k] &&
                    find_sample(task, k, turn, &sample))
                    status = watch_variant(task, watched, k, sample, out, err);
            }
    return status;
}

/* Nothing is compared if nothing is known of the text itself. */
pare_status pare_endings_find(const pare_endings_task *task, pare_endings *endings, pare_error *err)
{
    pare_command watched = {0};
    if (pare_failing_programs_watch(task->test, task->name, &watched, NULL)) return PARE_OK;
    endings->n_runs = 1;
    pare_status status = watch(task, &watched, task->text, &endings->own, err);
    if (!status && endings->own.size) status = watch_variants(task, &watched, endings, err);
    pare_command_done(&watched);
    return status;
}
