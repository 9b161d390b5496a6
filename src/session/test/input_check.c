/* The input is checked before anything is made of it: that it fails, and that less than any input,
 * the controls, does not fail as well.
 *
 * Controls are tested in the order of what they tell: most tests that say nothing fail for the
 * first. What is said of an input that is refused is in input_fault.c, of a control in control_fault.c.
 * Cost: one test, and one for each control. */
#include "session/test/input_check.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/events.h>
#include <pare/input.h>
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/switch.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "run/rate.h"
#include "session/reducible_ranges.h"
#include "session/test/control_fault.h"
#include "session/test/hang.h"
#include "session/test/input_fault.h"
#include "text/layout.h"
#include "text/text.h"

#include "base/alloc.h"
#include "engine/engine.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/stop.h"
#include "run/oracle.h"
#include "session/session.h"
#include "session/test/session_oracle.h"
#include "text/candidate.h"

/* An input did not do what it should: sets result->check_* and fails with `sentence`.
 * The command and the output are those of the last test that was captured, so no other
 * test may come between it and this. */
static pare_status refuse_input(pare_session *session, const pare_verdict *verdict,
                                const char *sentence, pare_result *result, pare_error *err)
{
    /* Whatever the journal holds is not about a failing input. */
    pare_session_discard_journal(session);
    result->check_exit_code = verdict->exit_code;
    result->check_signal = verdict->signal;
    result->check_timed_out = verdict->timed_out;
    result->check_judged = session->oracle.judge != NULL;
    result->check_worker = session->options->test.worker != NULL;
    pare_status status = pare_session_oracle_describe(&session->oracle, &result->check_command,
                                                      &result->check_output, err);
    if (status) return status;
    return pare_fail(err, PARE_E_STATE, "%s", sentence);
}

/* Tells once which tests could not be isolated. Only the first test finds that out. */
static void tell_unprotected(pare_session *session)
{
    const char *sentence = pare_session_oracle_notice(&session->oracle);
    if (sentence)
        pare_event_emit(
            session, (pare_event){.kind = PARE_EVENT_NOTICE,
                                  .notice = sentence,
                                  /* A notice is a warning only where less is protected
                                   * than was asked for. */
                                  .is_warning = pare_session_oracle_is_degraded(&session->oracle)});
}

/* The output of this run is captured: if the input does not fail, it is what tells why. While it
 * runs the session may say that it takes long. */
pare_status pare_input_check_try(pare_session *session, const pare_text *input,
                                 pare_verdict *verdict, pare_error *err)
{
    /* -1: it has not ended, which is what a caller sees if the test could not be run. */
    *verdict = (pare_verdict){.exit_code = -1};
    pare_session_oracle_capture(&session->oracle);
    session->waiting_ms = pare_clock_ms();
    pare_session_oracle_be_patient(&session->oracle, true);
    pare_status status = pare_engine_check(session->engine, input, verdict, err);
    pare_session_oracle_be_patient(&session->oracle, false);
    session->waiting_ms = 0;
    tell_unprotected(session);
    return status;
}

/* The exit code, the output and the command are in *result, for the front end to show below the sentence.  Where it is
 * sure it leaves out its advice to run the test by hand: by hand it works, or it is no test at all. */
pare_status pare_input_check_refuse(pare_session *session, const pare_verdict *verdict,
                                    pare_result *result, pare_error *err)
{
    pare_buffer sentence = {0};
    pare_status status =
        pare_input_fault_explain(session, verdict, &result->check_private, &sentence, err);
    if (!status) status = refuse_input(session, verdict, sentence.data, result, err);
    pare_buffer_done(&sentence);
    return status;
}

/* For callers that have nothing to do between the test and the refusal; pare_reduce has
 * (flaky.h). */
pare_status pare_input_check_failing(pare_session *session, const pare_text *input,
                                     pare_result *result, pare_error *err)
{
    pare_verdict verdict;
    pare_status status = pare_input_check_try(session, input, &verdict, err);
    if (status || verdict.outcome == PARE_FAIL) return status;
    return pare_input_check_refuse(session, &verdict, result, err);
}

/* UNRESOLVED is refused, too: an isolation needs one side of which the test is sure.
 * The sentence says which of the three it was, since each has another remedy. */
static const char *why_not_passing(const pare_verdict *verdict)
{
    if (verdict->outcome == PARE_FAIL)
        return "the passing input does not pass: the test says that the failure is there too";
    if (verdict->timed_out) return "the test did not end on the passing input";
    return "the passing input does not pass: the test cannot tell (UNRESOLVED)";
}

/* A probe with the outcome PASS: it is not counted as a candidate and never becomes the best. */
pare_status pare_input_check_passing(pare_session *session, const pare_text *input,
                                     pare_result *result, pare_error *err)
{
    pare_verdict verdict = {.exit_code = -1};
    pare_session_oracle_capture(&session->oracle);
    pare_status status = pare_engine_probe(session->engine, input, PARE_PASS, &verdict, err);
    if (status || verdict.outcome == PARE_PASS) return status;
    return refuse_input(session, &verdict, why_not_passing(&verdict), result, err);
}

/* ---- controls --------------------------------------------------------------------- */

enum {
    FIRST_BYTES = 4,        /* at most; few, so that a format's mark seldom is all of it */
    LEAST_INPUT_BYTES = 64, /* of less, the first bytes may well be what matters */
    SLOW_AGAIN = 2          /* runs more of a control that is slow, where a hang is kept */
};

/* A run that goes on was checked by the one before. A predicate says of itself what it means,
 * unless its user asks for the check. Choices of a generator and words of a command have no
 * empty input that would be tested alike. */
static bool is_wanted(const pare_session *session)
{
    const pare_reduce_options *options = session->options;
    const pare_layout *layout = session->layout;
    if (session->is_resumed) return false;
    /* With a hang they are still needed, to know how long ordinary runs take. */
    if (options->test.allow_empty == PARE_ON && !pare_hang_limit_ms(session)) return false;
    if (options->test.predicate && options->test.allow_empty == PARE_DEFAULT) return false;
    return !options->input.generator && !(layout && (layout->n_arguments || layout->n_variables));
}

/* A single file has a layout, too, where words of the command are reduced with it. */
static bool is_folder(const pare_session *session)
{
    return session->layout && !session->layout->is_file;
}

/* Writes the folder with nothing in the files that may be reduced.
 * What stands between files (names and sizes, `frame`) is copied, and so is a file that
 * has to stay; of any other only its frame is left. */
static pare_status write_emptied(pare_reducible_ranges *ranges, const pare_text *input,
                                 pare_buffer *out, pare_error *err)
{
    const char *bytes = (const char *)pare_text_bytes(input);
    const pare_place *places = NULL;
    size_t n = 0;
    pare_status status = pare_reducible_ranges_places(ranges, input, &places, &n, err);
    for (size_t k = 0; k < n && !status; k++) {
        const pare_place *place = &places[k];
        const bool is_kept = pare_reducible_ranges_is_kept(ranges, place->entry);
        const size_t end = is_kept ? place->end : place->begin;
        status = pare_buffer_add(out, bytes + place->frame, end - place->frame, err);
    }
    return status;
}

/* Whether files were given by their names, each of which a test is to look into: it may well look at the names in a
 * folder alone. */
static bool are_several(const pare_session *session)
{
    const pare_input_options *input = &session->options->input;
    for (size_t k = 0; k < input->n_paths; k++)
        if (!pare_file_is_regular(input->paths[k])) return false;
    return input->n_paths > 1 && !session->options->test.program;
}

/* Sets *out to the folder with nothing in the files that may be reduced, for a program whose failure was
 * learnt: what it says then is of the files' names, or of its own arguments; and for a test of several files.
 * Empty: there is no such control. */
static pare_status empty_files(const pare_session *session, const pare_text *input,
                               pare_buffer *out, pare_error *err)
{
    pare_reducible_ranges ranges = {.layout = NULL};
    if (!is_folder(session) || !(session->oracle.is_learnt || are_several(session))) return PARE_OK;
    pare_status status =
        pare_reducible_ranges_open(&session->options->input, session->layout, input, &ranges, err);
    if (status) return status;
    status = write_emptied(&ranges, input, out, err);
    pare_reducible_ranges_close(&ranges);
    if (out->size == pare_text_size(input)) pare_buffer_done(out);
    return status;
}

/* Lists the controls of `input`, and of a folder whose files are `emptied`; gives how
 * many.
 * Of "int main..." with 500 bytes these are "", a line end, and "int ".  A control that
 * is the input itself is left out, as a line end is of an input that is nothing else. */
static size_t list(const pare_session *session, const pare_text *input, const pare_buffer *emptied,
                   pare_control controls[PARE_INPUT_CHECK_CONTROLS])
{
    const char *bytes = (const char *)pare_text_bytes(input);
    const size_t size = pare_text_size(input);
    size_t n = 0;
    controls[n++] =
        (pare_control){"", 0, is_folder(session) ? "an empty folder" : "an empty input"};
    if (is_folder(session)) { /* has no first bytes, and no line end that would make a control */
        if (emptied->size)
            controls[n++] = (pare_control){emptied->data, emptied->size,
                                           "the same files without what may be reduced in them"};
        return n;
    }
    if (size > 1 || *bytes != '\n') controls[n++] = (pare_control){"\n", 1, "a single line end"};
    if (size >= LEAST_INPUT_BYTES)
        controls[n++] = (pare_control){bytes, FIRST_BYTES, "the first four bytes of it"};
    return n;
}

/* Where a hang is kept, each control gets more time than the limit, and its duration is measured.
 * One that seems slow is run a few times more, since something else may have held it up. */
static pare_status time_control(pare_session *session, const pare_text *text, bool *fails,
                                double *ms, pare_error *err)
{
    const uint64_t limit_ms = pare_hang_limit_ms(session);
    double fastest_ms = INFINITY;
    pare_status status = PARE_OK;
    *fails = false;
    for (unsigned k = 0; k <= SLOW_AGAIN && !status && !*fails; k++) {
        status = pare_hang_time(session, text, PARE_HANG_CONFIRM * limit_ms, ms, fails, err);
        fastest_ms = fmin(fastest_ms, *ms);
        /* Fast enough once is fast enough: the other runs were held up by something else. */
        if (fastest_ms * PARE_HANG_FACTOR <= (double)limit_ms) break;
    }
    *ms = fastest_ms;
    return status;
}

/* Tests one control; *fails says what came of it, and *slowest_ms becomes the longest
 * time so far of those that pass. */
static pare_status try_control(pare_session *session, const pare_control *control, bool *fails,
                               double *slowest_ms, pare_error *err)
{
    double ms = 0;
    pare_text *text = NULL;
    pare_rate rate = {.runs = 0};
    uint64_t timed_out = 0;
    pare_status status = pare_text_copy(control->bytes, control->size, &text, err);
    if (!status && pare_hang_limit_ms(session))
        status = time_control(session, text, fails, &ms, err);
    else if (!status)
        /* One run, which is not a candidate's: it becomes neither the best nor a record
         * of the journal. */
        status = pare_session_measure(session, text, 1, &rate, &timed_out, err);
    pare_text_unref(text);
    status = pare_session_go_on(session, status);
    if (status) return status;
    if (!pare_hang_limit_ms(session)) *fails = rate.fails > 0;
    /* A control that hangs took the limit, which says nothing about ordinary runs. */
    if (!*fails) *slowest_ms = fmax(*slowest_ms, ms);
    return status;
}

/* A crash that happens on any input is reported, and kept all the same:
 * that it needs no input is an answer, too. */
static void tell_crash(pare_session *session, const char *what)
{
    char sentence[128];
    (void)snprintf(sentence, sizeof sentence, "the program fails so for %s, too", what);
    pare_event_notice(session, sentence);
}

/* The run begins anew with the names, as with --keep exact (session->wants_names). */
static void tell_names(pare_session *session, const char *what)
{
    char sentence[192];
    (void)snprintf(sentence, sizeof sentence,
                   "without the input's names in it the message is that of %s, too: they are kept, "
                   "as with --keep exact",
                   what);
    pare_event_notice(session, sentence);
}

/* Likewise with the line (session->wants_line). */
static void tell_line(pare_session *session, const char *what)
{
    char sentence[192];
    (void)snprintf(
        sentence, sizeof sentence,
        "without the line that it names the message is that of %s, too: the line is kept, as "
        "with --keep line",
        what);
    pare_event_notice(session, sentence);
}

/* One control that fails is enough to refuse the test. With --allow-empty all are run, but only for
 * the time they take. */
static pare_status run_controls(pare_session *session, const pare_text *input,
                                const pare_control *controls, size_t n, pare_error *err)
{
    double slowest_ms = 0;
    for (size_t k = 0; k < n; k++) {
        bool fails = false;
        pare_status status = try_control(session, &controls[k], &fails, &slowest_ms, err);
        if (status) return status;
        if (!fails || session->options->test.allow_empty == PARE_ON) continue;
        status = pare_control_fault_refuse_command(session, err);
        if (status) return status;
        /* A program that crashes without any input will be found out by reducing to nothing, and
         * that is a result. A test that always says yes is a mistake. */
        if (!pare_control_fault_keeps_crash(session)) {
            session->wants_names = pare_control_fault_lacks_names(session);
            /* What is said of nothing is no message about a line. */
            session->wants_line =
                !session->wants_names && controls[k].size && pare_control_fault_lacks_line(session);
            status = pare_control_fault_refuse(session, input, &controls[k], err);
            if (session->wants_names) tell_names(session, controls[k].what);
            if (session->wants_line) tell_line(session, controls[k].what);
            return status;
        }
        tell_crash(session, controls[k].what);
        break;
    }
    return pare_hang_limit_ms(session) ? pare_hang_check_limit(session, slowest_ms, err) : PARE_OK;
}

/* The bytes of the controls are borrowed from the input and from `emptied`, which
 * therefore lives until the last was tested. */
pare_status pare_input_check_controls(pare_session *session, const pare_text *input,
                                      pare_error *err)
{
    pare_control controls[PARE_INPUT_CHECK_CONTROLS];
    pare_buffer emptied = {0};
    if (!is_wanted(session)) return PARE_OK;
    pare_status status = empty_files(session, input, &emptied, err);
    if (!status) {
        const size_t n = list(session, input, &emptied, controls);
        assert(n > 0 && n <= PARE_INPUT_CHECK_CONTROLS);
        status = run_controls(session, input, controls, n, err);
    }
    pare_buffer_done(&emptied);
    return status;
}

/* The output of a run that does not fail, or was stopped, is not that of the failure. How the
 * session has ended is left as it is. */
pare_status pare_input_check_printed(pare_session *session, char **out, pare_error *err)
{
    pare_rate rate = {0};
    uint64_t timed_out = 0;
    pare_text *best = NULL;
    const pare_engine_end end = session->end;
    if (session->options->output.keep_printed != PARE_ON || !session->oracle.command ||
        end == PARE_END_INTERRUPTED || pare_stop_requested(session->options->events.stop))
        return PARE_OK;
    pare_status status = pare_candidate_text(pare_engine_best(session->engine), &best, err);
    if (status) return status;
    pare_session_oracle_capture(&session->oracle);
    /* What stops this run is no failure of the session, which has its result already. */
    status = pare_run_error(pare_session_measure(session, best, 1, &rate, &timed_out, err));
    session->end = end;
    const char *printed = pare_session_oracle_captured(&session->oracle);
    if (!status && rate.fails && printed && *printed) {
        *out = pare_alloc_text(printed, strlen(printed));
        if (!*out) status = pare_fail_nomem(err);
    }
    pare_text_unref(best);
    return status;
}
