/* What the judge of a program is to keep: where the signature comes from, and where it
 * stays.
 *
 * A signature that was learnt is kept beside the journal, for outcomes in a journal mean
 * something only together with it: it is taken from there when the journal's key, of
 * which it is a part, proves that it belongs to this program, input and options. */
#include <assert.h>
#include <string.h>

#include <pare/keep.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "engine/journal.h"
#include "os/file.h"
#include "run/judge.h"
#include "run/process.h"
#include "run/signature.h"
#include "session/read_input.h"
#include "session/test/command_fault.h"
#include "session/test/learn_signature.h"
#include "session/test/session_oracle.h"
#include "text/text.h"

/* Requires `signature` from now on, and keeps its text. */
static pare_status require(pare_session_oracle *oracle, const pare_signature *signature,
                           pare_error *err)
{
    pare_buffer_reset(&oracle->signature);
    pare_judge_require(oracle->judge, signature);
    return pare_signature_print(signature, &oracle->signature, err);
}

static pare_status read_file(const char *path, pare_signature *signature, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_file_read(path, &text, err);
    if (!status) status = pare_signature_parse(text.size ? text.data : "", signature, err);
    if (status == PARE_E_SYNTAX) pare_fail_prefix(err, "%s", path);
    pare_buffer_done(&text);
    return status;
}

static pare_status write_file(const pare_session_oracle *oracle, const char *path, pare_error *err)
{
    pare_buffer line = {0};
    pare_status status = pare_buffer_format(&line, err, "%s\n", oracle->signature.data);
    if (!status) status = pare_file_write_bytes(path, line.data, line.size, err);
    pare_buffer_done(&line);
    return status;
}

/* Whether the journal in `dir` holds outcomes on `input` under the signature in force. */
static bool belongs(const pare_session_oracle *oracle, const char *dir, const pare_text *input)
{
    pare_buffer path = {0}, bytes = {0};
    pare_journal_key key;
    pare_status status = pare_buffer_format(&path, NULL, "%s/journal", dir);
    if (!status) status = pare_file_read(path.data, &bytes, NULL);
    bool same = !status && pare_journal_parse_header(bytes.data, bytes.size, &key) &&
                pare_digest_equal(key.input, pare_text_digest(input)) &&
                pare_digest_equal(key.test, pare_session_oracle_identity(oracle));
    pare_buffer_done(&path);
    pare_buffer_done(&bytes);
    return same;
}

static pare_status path_beside(const char *journal_dir, pare_buffer *path, pare_error *err)
{
    return pare_buffer_format(path, err, "%s/signature", journal_dir);
}

/* Takes the signature beside the journal, if it is there and belongs to it. */
static pare_status resume(pare_session_oracle *oracle, const char *dir, const pare_text *input,
                          bool *resumed, pare_error *err)
{
    pare_buffer path = {0};
    pare_signature signature;
    *resumed = false;
    pare_status status = path_beside(dir, &path, err);
    bool readable = !status && !read_file(path.data, &signature, NULL);
    pare_buffer_done(&path);
    if (status || !readable) return status;
    status = require(oracle, &signature, err);
    if (!status) *resumed = belongs(oracle, dir, input);
    if (!*resumed) pare_buffer_reset(&oracle->signature);
    return status;
}

/* Learns the signature.  Where the command is at fault, or the program reports nothing, what is
 * said about that is better than what learning says. */
static pare_status learn(pare_session_oracle *oracle, const pare_text *input, pare_error *err)
{
    pare_signature signature;
    const pare_learning learning = {
        .oracle = oracle->oracle,
        .judge = oracle->judge,
        .input = input,
        .input_name =
            oracle->name.size ? oracle->name.data : pare_read_input_base_name(oracle->asked.input),
        .keep = oracle->asked.keep,
        .timeout_ms = pare_session_oracle_timeout_ms(oracle),
        .waiting = oracle->waiting,
        .waiting_for = oracle->waiting_for};
    pare_session_oracle_capture(oracle);
    pare_status status = pare_learn_signature(&learning, &signature, &oracle->offered, err);
    if (status == PARE_OK || status == PARE_E_STATE) {
        const char *printed = pare_process_captured(oracle->oracle);
        bool is_clean = status && !oracle->offered.n && signature.ended == PARE_ENDED_EXIT &&
                        signature.code == 0;
        pare_error better = {0}; /* than what learning says */
        pare_status found = pare_command_fault(oracle->asked.input, oracle->asked.test, &signature,
                                               printed, &better);
        if (found) oracle->offered.n = 0;
        if (!found && is_clean)
            found = pare_command_fault_advise(oracle->asked.input, oracle->asked.test, printed,
                                              &better);
        if (found && err) *err = better;
        if (found) return found;
    }
    oracle->is_learnt = status == PARE_OK;
    return status ? status : require(oracle, &signature, err);
}

pare_status pare_signature_store_choose(pare_session_oracle *oracle, const char *journal_dir,
                                        const pare_text *input, pare_error *err)
{
    if (!oracle->judge) return PARE_OK;
    assert(!oracle->signature.size && "it is chosen once");
    const pare_keep *keep = oracle->asked.keep;
    const char *path = keep->signature_path;
    pare_signature signature;
    pare_status status = PARE_OK;
    bool resumed = false, must_learn = pare_judge_must_learn(oracle->judge);
    if (keep->signature) return pare_buffer_text(&oracle->signature, keep->signature, err);
    if (path && pare_file_exists(path)) {
        status = read_file(path, &signature, err);
        return status ? status : require(oracle, &signature, err);
    }
    if (must_learn && journal_dir) status = resume(oracle, journal_dir, input, &resumed, err);
    if (!status && !resumed && (must_learn || path)) status = learn(oracle, input, err);
    if (!status && path) status = write_file(oracle, path, err);
    return status;
}

pare_status pare_signature_store_keep(const pare_session_oracle *oracle, const char *journal_dir,
                                      pare_error *err)
{
    pare_buffer path = {0};
    if (!oracle->signature.size) return PARE_OK;
    pare_status status = path_beside(journal_dir, &path, err);
    if (!status) status = write_file(oracle, path.data, err);
    pare_buffer_done(&path);
    return status;
}

void pare_signature_store_drop(const pare_session_oracle *oracle, const char *journal_dir)
{
    pare_buffer path = {0};
    if (oracle->signature.size && !path_beside(journal_dir, &path, NULL)) {
        /* What stays is overwritten by the next run. */
        pare_status ignored = pare_file_remove_tree(path.data, NULL);
        (void)ignored;
    }
    pare_buffer_done(&path);
}
