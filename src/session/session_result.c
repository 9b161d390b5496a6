/* What is owned changes hands: the session is left without it. */
#include "session/session_result.h"

#include <string.h>

#include <pare/result.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "engine/engine.h"
#include "session/output/script.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

static int copy_span(void *context, pare_span span)
{
    unsigned char **to = context;
    memcpy(*to, span.bytes, span.size);
    *to += span.size;
    return 0;
}

/* The content of the one file that was reduced. */
static pare_status hand_over_bytes(const pare_session *session, pare_result *result,
                                   pare_error *err)
{
    const pare_candidate *best = pare_engine_best(session->engine);
    if (session->layout && !session->layout->is_file) return PARE_OK;
    unsigned char *to = pare_alloc(result->size_bytes + 1, 1);
    if (!to) return pare_fail_nomem(err);
    result->bytes = to;
    if (session->layout)
        (void)pare_layout_content(session->layout, best, 0, copy_span, &to);
    else
        pare_candidate_read(best, result->bytes);
    result->bytes[result->size_bytes] = '\0';
    return PARE_OK;
}

/* What is left of the command. */
static pare_status hand_over_words(const pare_session *session, pare_result *result,
                                   pare_error *err)
{
    pare_buffer command = {0}, variables = {0};
    const pare_script *script = &session->output.script;
    const pare_candidate *best = pare_engine_best(session->engine);
    if (!script->layout) return PARE_OK;
    pare_status status = pare_script_command(script, best, &command, err);
    if (!status && script->environment) status = pare_buffer_text(&variables, "", err);
    if (!status && script->environment)
        status = pare_script_variables(script, best, &variables, err);
    if (status) {
        pare_buffer_done(&command);
        pare_buffer_done(&variables);
        return status;
    }
    result->command = command.data;
    result->variables = variables.data;
    return PARE_OK;
}

pare_status pare_session_hand_over(pare_session *session, pare_result *result, pare_error *err)
{
    result->size_bytes = session->stats.bytes_out;
    pare_status status = hand_over_bytes(session, result, err);
    if (!status) status = hand_over_words(session, result, err);
    if (status) return status;
    if (session->oracle.signature.size) {
        result->signature =
            pare_copy_text(session->oracle.signature.data, session->oracle.signature.size);
        if (!result->signature) return pare_fail_nomem(err);
    }
    result->others = session->others.list;
    result->n_others = session->others.n;
    session->others.list = NULL;
    session->others.n = 0;
    result->stats = session->stats;
    session->stats.passes = NULL;
    session->stats.curve = NULL;
    session->stats.n_passes = session->stats.n_curve = 0;
    session->pass = NULL;
    session->phase = "";
    return PARE_OK;
}
