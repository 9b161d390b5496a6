/* What types tell: edits of a program that parses the text by libclang.
 *
 * Trees and names know where a declaration stands and who uses its name, but not which of two
 * overloads is meant, what `auto` stands for, what a constant comes to, or which arguments a call has
 * deduced for a template.  A compiler's front end knows all that.  It is asked once for a text, beside
 * the tests (session/test/side_run.h), in a process of its own: inputs here are those on which
 * compilers crash and hang, and then nothing is lost but what it would have offered.
 *
 * The program is not run again once it could not be used: libclang is not installed, or it says so.
 * An answer about one text may fail and one about the next be whole.  It is not in the journal: the
 * same text has the same answer, so that a run that goes on after a kill takes the same steps.
 * Source: ours; what is offered is from C-Reduce's clang_delta (docs/guide/clang-delta.md).
 * Tested by tests/cli/test_semantic.sh. */
#include "session/plan/semantic_phase.h"

#include <string.h>

#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "engine/pool_options.h"
#include "os/clock.h"
#include "os/executable.h"
#include "reduce/semantic/semantic_edits.h"
#include "reduce/syntax/front_end.h"
#include "run/command.h"
#include "session/plan/phase_input.h"
#include "session/read_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/side_run.h"
#include "text/patch.h"
#include "text/text.h"

enum {
    MOST_BYTES = 1 << 20, /* of a text: half a second of a processor for 600 KB */
    MANY_PATCHES = 64     /* as of passes (phase.c) */
};

/* In place of the terms of passes: what was asked for at some cost is tried for longer than a coarse
 * pass, whose three tests are over before the first group has been halved. */
static const pare_early_stop_terms TERMS = {.first = 24, .tests = 24, .share = 0.01};

/* The program is run through a shell that drops its standard error: what libraries print there is
 * no part of the answer. */
static const char WRAPPER[] = "exec \"$@\" 2>/dev/null";

/* What the program prints if it has no libclang. */
static const char NO_LIBRARY[] = "no libclang\n";

/* The language as the program calls it; NULL: it knows nothing about the text. */
static const char *language_of(const pare_work *work)
{
    static const char *const known[] = {"c", "cpp"};
    const pare_reduce_options *options = work->session.options;
    const char *language = work->front ? pare_front_end_language(work->front) : NULL;
    bool single =
        !work->files && !work->session.layout && !work->recording && !options->input.generator;
    if (!language || !single || options->limits.semantic == PARE_OFF || options->test.predicate ||
        work->no_semantic || work->session.one_name || work->file_bytes > MOST_BYTES)
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(language, known[i]) == 0) return known[i];
    return NULL;
}

/* Runs the program at `path` on the text of `view`. */
static pare_status run_program(pare_work *work, const pare_view *view, const char *path,
                               const char *language, pare_buffer *answer, pare_error *err)
{
    const pare_reduce_options *options = work->session.options;
    const pare_span bytes = pare_reducible_ranges_bytes(view);
    const char *name = pare_read_input_base_name(&options->input);
    const char *const words[] = {"/bin/sh", "-c", WRAPPER, "pare-clang-edits",
                                 path,      "@@", language};
    const pare_side_task task = {.base_name = name,
                                 .text = bytes.bytes,
                                 .bytes = bytes.size,
                                 .deadline_ms = pare_session_deadline_ms(&work->session),
                                 .stop = options->events.stop};
    pare_command command = {0};
    pare_status status =
        pare_command_init_target(&command, words, sizeof words / sizeof *words,
                                 (pare_names){.items = &name, .n = name != NULL}, err);
    if (!status) status = pare_side_run(&task, &command, answer, err);
    pare_command_done(&command);
    return status;
}

/* Asks the program about the text of `view`. *answer stays empty if it has nothing to propose. */
static pare_status ask(pare_work *work, const pare_view *view, const char *language,
                       pare_buffer *answer, pare_error *err)
{
    pare_semantic_stats *stats = &work->session.stats.semantic;
    char *path = NULL;
    const uint64_t start_ns = pare_clock_ns();
    pare_status status = pare_executable_find_own(PARE_EXECUTABLE_CLANG_EDITS, &path, NULL);
    if (!status) {
        status = run_program(work, view, path, language, answer, NULL);
        stats->runs++;
        stats->seconds += (double)(pare_clock_ns() - start_ns) / 1e9;
    }
    pare_alloc_free(path);
    bool absent =
        answer->size == strlen(NO_LIBRARY) && memcmp(answer->data, NO_LIBRARY, answer->size) == 0;
    /* It is not installed, or cannot be run here: nor will it be later. */
    if (status || absent) {
        work->no_semantic = true;
        stats->absent = true;
        pare_buffer_reset(answer);
    }
    return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
}

/* The patches of the answer about the text of `view`: none, if it is not right.  On PARE_OK the caller
 * owns *out, one reference. */
static pare_status read_answer(const pare_view *view, const pare_buffer *answer, pare_patches **out,
                               pare_error *err)
{
    const pare_semantic_range range = {.begin = view->begin, .end = view->end};
    pare_status status = pare_patches_new(view->text, out, err);
    if (status || !answer->size) return status;
    status = pare_semantic_edits_read(answer->data, answer->size, range, *out, NULL);
    if (!status) return PARE_OK;
    pare_patches_unref(*out);
    *out = NULL;
    return status == PARE_E_NOMEM ? pare_fail_nomem(err) : pare_patches_new(view->text, out, err);
}

/* Asks one question and tests all proposals of the answer. */
static pare_status run_view(pare_work *work, const pare_view *view, const char *language,
                            const pare_early_stop_terms *terms, pare_error *err)
{
    pare_patches *patches = NULL;
    pare_buffer answer = {0};
    pare_guarded guarded;
    const pare_pool_options options = {
        .order = PARE_POOL_LARGEST,
        .group = 1,
        .shorter = true,
        .many = MANY_PATCHES,
        .terms = terms,
        .admits = pare_reducible_ranges_admits(&work->ranges, view, &guarded),
        .context = &guarded};
    pare_status status = ask(work, view, language, &answer, err);
    if (!status) status = read_answer(view, &answer, &patches, err);
    if (!status && patches->n) {
        work->session.stats.semantic.edits += patches->n;
        status = pare_session_begin_pass(&work->session, "semantic", patches->n, err);
        if (!status) status = pare_session_run_pool(&work->session, patches, &options, err);
    }
    pare_patches_unref(patches);
    pare_buffer_done(&answer);
    return status;
}

pare_status pare_semantic_phase_run(pare_work *work, const pare_early_stop_terms *terms,
                                    bool *whole, pare_error *err)
{
    pare_view view;
    bool found;
    const char *language = language_of(work);
    /* By terms it may have been set aside early, which only the engine knows. */
    if (whole) *whole = !language || !terms;
    if (!language) return PARE_OK;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = run_view(work, &view, language, terms ? &TERMS : NULL, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}
