/* Two runs that agree are taken for the truth: a failure that comes by chance is the
 * business of repeated tests, not of its signature. */
#include "pipeline/learn.h"

#include <string.h>

#include "text/candidate.h"

/* Runs one test to its end. */
static pare_status run_once(pare_oracle *oracle, const pare_candidate *whole, pare_verdict *verdict,
                            pare_error *err)
{
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_status status = oracle->ops->start(oracle, 0, whole, err);
    while (!status && what == PARE_WAIT_TIMEOUT)
        status = oracle->ops->wait(oracle, -1, &what, verdict, err);
    if (!status && what == PARE_WAIT_INTERRUPTED)
        status = pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    return status;
}

/* Why a run teaches nothing. */
static pare_status refuse(const pare_verdict *verdict, pare_error *err)
{
    if (verdict->timed_out)
        return pare_fail(err, PARE_E_STATE,
                         "the program does not end on the input: if that is the failure, say "
                         "--hang SECONDS, else give it more --timeout");
    return pare_fail(err, PARE_E_STATE,
                     "the program ends with exit code 0 on the input and prints no failure that "
                     "is known: name what to keep, with --stdout REGEX, --stderr REGEX, "
                     "--exit 0, --hang SECONDS or --differs COMMAND");
}

static bool says_nothing(const pare_signature *signature)
{
    return signature->ended == PARE_ENDED_ANYHOW && !pare_signature_speaks(signature);
}

static bool same(const pare_signature *a, const pare_signature *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static pare_status learn(pare_oracle *oracle, const pare_candidate *whole,
                         pare_signature *signature, pare_error *err)
{
    for (unsigned k = 0; k < PARE_LEARN_RUNS; k++) {
        pare_verdict verdict = {.exit_code = -1};
        pare_signature seen = {.ended = PARE_ENDED_ANYHOW}, before = *signature;
        pare_status status = run_once(oracle, whole, &verdict, err);
        if (!status && verdict.outcome != PARE_FAIL) return refuse(&verdict, err);
        if (!status) status = pare_signature_parse(verdict.signature, &seen, err);
        if (status) return status;
        if (k == 0) *signature = seen;
        pare_signature_intersect(signature, &seen);
        if (k > 0 && same(&before, signature)) break;
    }
    if (!says_nothing(signature)) return PARE_OK;
    return pare_fail(err, PARE_E_STATE,
                     "the program fails in another way each time: name what to keep, such as "
                     "--exit nonzero or --stderr REGEX");
}

pare_status pare_learn_signature(pare_oracle *oracle, pare_judge *judge, const pare_text *input,
                                 pare_signature *signature, pare_error *err)
{
    pare_candidate whole = {0};
    pare_candidate_start(&whole, input);
    pare_status status = pare_candidate_slice(&whole, 0, pare_text_size(input), err);
    *signature = (pare_signature){.ended = PARE_ENDED_ANYHOW};
    pare_judge_learn(judge);
    if (!status) status = learn(oracle, &whole, signature, err);
    if (!status) pare_judge_require(judge, signature);
    pare_candidate_done(&whole);
    return status;
}
