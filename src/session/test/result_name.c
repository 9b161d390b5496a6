/* The judge of the run itself decides, so what counts as the same failure is said in one place.  The runs have an
 * oracle of their own, as that of the session has the input's name.  What cannot be run is told nothing of: the result
 * is right whatever comes of this. */
#include "session/test/result_name.h"

#include <stdio.h>
#include <string.h>

#include <pare/input.h>
#include <pare/keep.h>
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/test.h>

#include "engine/engine.h"
#include "os/file.h"
#include "run/oracle.h"
#include "session/read_input.h"
#include "session/test/session_oracle.h"
#include "text/candidate.h"

/* Whether the result has another name than its input, and the program gets it as a
 * path.  A failure that comes by chance is left out: one run would say nothing of it. */
static bool is_renamed(const pare_session *session)
{
    const pare_reduce_options *options = session->options;
    const pare_test_options *test = &options->test;
    bool is_given = false;
    if (session->layout || options->input.generator || !options->output.path) return false;
    if (session->stats.flaky.flaky || !pare_read_input_name(&options->input)) return false;
    for (size_t k = 0; k < test->n_program; k++)
        is_given |= strstr(test->program[k], "@@") != NULL;
    return is_given && strcmp(pare_file_base_name(options->output.path),
                              pare_read_input_base_name(&options->input)) != 0;
}

/* Runs `best` once and sets *outcome; false: nothing came of it, or it may have been
 * the time limit that decided. */
static bool run_once(pare_oracle *oracle, const pare_candidate *best, pare_outcome *outcome)
{
    pare_verdict verdict = {0};
    pare_status status = oracle->ops->start(oracle, 0, best, NULL);
    if (!status) status = pare_oracle_await(oracle, &verdict, NULL);
    *outcome = verdict.outcome;
    return !status && !verdict.cancelled && !verdict.timed_out;
}

/* Whether it can be told if the failure that is kept is there (*outcome is FAIL) for
 * the best in a file called `name`.  *status is for the caller to look for a lack of
 * memory.
 * The test is the same but for what costs more than one run is worth: no workers, no
 * runner that has to be started first. */
static bool judge_named(pare_session *session, const char *name, pare_outcome *outcome,
                        pare_status *status)
{
    const pare_reduce_options *options = session->options;
    pare_session_oracle own = {0};
    pare_test_options test = options->test;
    pare_keep keep = options->keep;
    const pare_input_options input = {.bytes = "", .name = name};
    test.workers = NULL;
    test.runner = PARE_RUNNER_SPAWN;
    test.timeout_ms = pare_session_oracle_timeout_ms(&session->oracle);
    /* The signature that was learnt stands for whatever it was learnt from. */
    keep.message = keep.signature_path = NULL;
    if (session->oracle.signature.size) keep.signature = session->oracle.signature.data;
    const pare_session_oracle_options asked = {.input = &input,
                                               .test = &test,
                                               .keep = &keep,
                                               .has_marks = true,
                                               .jobs = 1,
                                               .stop = options->events.stop};
    *status = pare_session_oracle_open(&asked, &own, NULL);
    const bool is_told =
        !*status && run_once(own.oracle, pare_engine_best(session->engine), outcome);
    pare_session_oracle_close(&own);
    return is_told;
}

/* Two runs: with the result's name the failure has to be gone, with the input's name it
 * has to be there.  So a program that fails by chance, or not at all in a side run, is
 * told nothing of. */
pare_status pare_result_name_check(pare_session *session, pare_error *err)
{
    char sentence[PARE_ERROR_TEXT_BYTES];
    pare_outcome outcome;
    pare_status status = PARE_OK;
    if (!is_renamed(session)) return PARE_OK;
    const char *name = pare_file_base_name(session->options->output.path);
    const char *right = pare_read_input_base_name(&session->options->input);
    const bool is_other = judge_named(session, name, &outcome, &status) && outcome != PARE_FAIL;
    if (is_other && judge_named(session, right, &outcome, &status) && outcome == PARE_FAIL) {
        (void)snprintf(sentence, sizeof sentence,
                       "the program fails in another way on %.100s, because of that name: copy it "
                       "to a file called %.100s to see the failure",
                       name, right);
        pare_event_notice(session, sentence);
    }
    return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
}
