/* Writing the history; what it is for, and its bound, are in the header.
 *
 * A resumed run meets its own bests again, thousands a second, from the journal's outcomes.  They are
 * found by their digests, which candidates have without being printed, among the steps that were made
 * of the one before; so nothing is read or compared until a best comes that is new.  Then the text of
 * the step before is made once from the file.
 *
 * Invariant: `current` is the step whose text is that of the last best that was noted and not left
 * out; nodes[0] is the input. */
#include "session/output/history_log.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/vector.h"
#include "os/file.h"
#include "session/output/history_file.h"
#include "text/delta.h"

enum {
    SHARE = 8,
    RESULT_BYTES = 128 /* of the last record besides its text */
};

/* The history lies beside the journal, but it stays when that goes. */
static pare_status name_file(const char *dir, pare_buffer *path, pare_error *err)
{
    return pare_buffer_format(path, err, "%s/history", dir);
}

/* Writes nothing yet, so that a run whose input does not fail leaves no history. The caller has set
 * `is_continued` and `note`. */
pare_status pare_history_log_open(pare_history_log *log, const char *dir, pare_sync sync,
                                  const pare_layout *layout, const pare_text *input,
                                  pare_error *err)
{
    pare_buffer path = {0};
    const bool is_continued = log->is_continued;
    const char *note = log->note;
    pare_status status = name_file(dir, &path, err);
    if (status) return status;
    const size_t size = pare_text_size(input);
    *log = (pare_history_log){
        .path = path.data,
        .is_continued = is_continued,
        .note = note,
        .sync = sync,
        .layout = layout,
        .input = pare_text_ref(input),
        .input_bytes = size,
        .most = 2 * size > PARE_HISTORY_LEAST_BYTES ? 2 * size : PARE_HISTORY_LEAST_BYTES};
    return PARE_OK;
}

/* The file stays: it is for the user. */
void pare_history_log_close(pare_history_log *log)
{
    pare_log_file_close(log->file);
    pare_text_unref(log->input);
    for (size_t i = 0; i < log->n_phases; i++)
        pare_alloc_free(log->phases[i]);
    pare_alloc_free(log->phases);
    pare_alloc_free(log->nodes);
    pare_alloc_free(log->path);
    pare_buffer_done(&log->text);
    *log = (pare_history_log){.path = NULL};
}

/* For a run that is to leave nothing; one without a file is a no-op. */
void pare_history_log_drop(const char *dir)
{
    pare_buffer path = {0};
    if (dir && !name_file(dir, &path, NULL)) (void)unlink(path.data);
    pare_buffer_done(&path);
}

/* ---- what is known of the file -------------------------------------------------------------- */

/* Keeps the digest and place of a step that is in the file, so that a later one can be an edit of
 * it. */
static pare_status add_node(pare_history_log *log, pare_history_node node, pare_error *err)
{
    pare_history_node *nodes =
        pare_vector_grow(log->nodes, log->n_nodes, &log->nodes_capacity, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    log->nodes = nodes;
    nodes[log->n_nodes++] = node;
    return PARE_OK;
}

/* The name is copied, since that of the engine may go. */
static pare_status add_phase(pare_history_log *log, const char *name, size_t size, pare_error *err)
{
    char **phases =
        pare_vector_grow(log->phases, log->n_phases, &log->phases_capacity, sizeof *phases);
    if (!phases) return pare_fail_nomem(err);
    log->phases = phases;
    phases[log->n_phases] = pare_alloc_text(name, size);
    if (!phases[log->n_phases]) return pare_fail_nomem(err);
    log->n_phases++;
    return PARE_OK;
}

/* Appends whole records; `size` counts what the file holds, for the bound. */
static pare_status append(pare_history_log *log, const pare_buffer *bytes, pare_error *err)
{
    pare_status status = pare_log_file_append(log->file, bytes->data, bytes->size, err);
    if (!status) log->size += bytes->size;
    return status;
}

/* Appends the note of this run: one that goes on under another name says so, and the
 * last note counts. */
static pare_status append_note(pare_history_log *log, pare_error *err)
{
    pare_buffer bytes = {0};
    pare_status status = pare_history_file_add_note(&bytes, log->note, err);
    if (!status) status = append(log, &bytes, err);
    pare_buffer_done(&bytes);
    return status;
}

/* Whether `kept` is the note of this run. */
static bool is_noted(const pare_history_log *log, pare_span kept)
{
    return !log->note ||
           (kept.size == strlen(log->note) && memcmp(kept.bytes, log->note, kept.size) == 0);
}

/* Takes over what an earlier process of this run has written, if it is a history of this input. */
static pare_status take_over(pare_history_log *log, const pare_history_file *read, bool *taken,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    *taken = pare_digest_equal(read->input, pare_text_digest(log->input)) &&
             read->text.size == log->input_bytes;
    if (!*taken) return PARE_OK;
    for (size_t k = 0; !status && k < read->n_steps; k++)
        status =
            add_node(log, (pare_history_node){read->steps[k].from, read->steps[k].digest}, err);
    for (size_t k = 0; !status && k < read->n_phases; k++)
        status = add_phase(log, (const char *)read->phases[k].bytes, read->phases[k].size, err);
    /* The end of the file, if it was torn when that process ended, or is damaged, is cut off. */
    if (!status) status = pare_log_file_cut(log->file, read->end, err);
    /* Also where the cut has failed: the history is given up then. */
    log->size = read->end;
    if (!status && !is_noted(log, read->note)) status = append_note(log, err);
    return status;
}

/* Looks at what is in the file.  *taken: it is a history of this input, and known now.
 * What cannot be read as a history is not told: it is begun anew, as if there had been
 * none. */
static pare_status go_on(pare_history_log *log, bool *taken, pare_error *err)
{
    pare_buffer bytes = {0};
    pare_history_file read = {.n_steps = 0};
    *taken = false;
    pare_status status = pare_log_file_read(log->file, &bytes, err);
    if (!status) {
        const pare_status found = pare_history_file_read(bytes.data, bytes.size, &read, NULL);
        if (!found) status = take_over(log, &read, taken, err);
        if (found == PARE_E_NOMEM) status = pare_fail_nomem(err);
    }
    pare_history_file_done(&read);
    pare_buffer_done(&bytes);
    return status;
}

/* The header, the input, the names and the note; in one write, so that a kill leaves all or nothing that
 * counts. */
static pare_status begin(pare_history_log *log, pare_error *err)
{
    pare_buffer bytes = {0};
    pare_status status = pare_log_file_cut(log->file, 0, err);
    if (!status) status = pare_history_file_add_header(&bytes, pare_text_digest(log->input), err);
    if (!status) status = pare_history_file_add_input(&bytes, log->input, err);
    if (!status && log->layout) status = pare_history_file_add_names(&bytes, log->layout, err);
    if (!status && log->note) status = pare_history_file_add_note(&bytes, log->note, err);
    if (!status) status = append(log, &bytes, err);
    pare_buffer_done(&bytes);
    if (!status)
        status = add_node(
            log, (pare_history_node){.from = 0, .digest = pare_text_digest(log->input).low}, err);
    return status;
}

/* Before the first best that is noted: nothing is touched for an input that does not fail. */
static pare_status start(pare_history_log *log, pare_error *err)
{
    bool taken = false;
    pare_status status = pare_log_file_open(log->path, log->sync, &log->file, err);
    if (!status && log->is_continued) status = go_on(log, &taken, err);
    if (!status && !taken) status = begin(log, err);
    if (status) return status;
    pare_text_unref(log->input);
    log->input = NULL;
    return PARE_OK;
}

/* Makes `text` that of the current step.  It is not held where a run has only met steps
 * again that it had found before. */
static pare_status recall(pare_history_log *log, pare_error *err)
{
    pare_buffer bytes = {0};
    pare_history_file read = {.n_steps = 0};
    pare_history_known known = {.text = log->text};
    if (log->is_known) return PARE_OK;
    log->text = (pare_buffer){0};
    pare_status status = pare_log_file_read(log->file, &bytes, err);
    if (!status) status = pare_history_file_read(bytes.data, bytes.size, &read, err);
    if (!status && read.n_steps <= log->current)
        status = pare_fail(err, PARE_E_CORRUPT, "the history was cut");
    if (!status) status = pare_history_file_text(&read, log->current, &known, err);
    log->text = known.text;
    log->is_known = !status;
    pare_history_file_done(&read);
    pare_buffer_done(&bytes);
    return status;
}

/* ---- reading a step ------------------------------------------------------------------------- */

/* Whether the files of both are the same; of one file there is nothing to compare. */
static bool is_layout_same(const pare_layout *a, const pare_layout *b)
{
    const pare_digest seed = {0};
    if (!a || !b) return !a && !b;
    return pare_digest_equal(pare_layout_identity(a, seed), pare_layout_identity(b, seed));
}

/* Copies the text of a step.  Nothing else of the history is kept in memory after it.
 * Errors: PARE_E_ARG (there is no such step), PARE_E_CORRUPT, PARE_E_NOMEM. */
static pare_status copy_step(const pare_history_file *read, uint64_t step, pare_text **out,
                             pare_error *err)
{
    pare_history_known known = {.any = false};
    if (step >= read->n_steps)
        return pare_fail(err, PARE_E_ARG,
                         "there is no step %llu in the history: the last one is %zu",
                         (unsigned long long)step, read->n_steps - 1);
    pare_status status = pare_history_file_text(read, (size_t)step, &known, err);
    if (!status) status = pare_text_copy(known.text.data, known.text.size, out, err);
    pare_buffer_done(&known.text);
    return status;
}

/* The history has to be one of this input: steps of another one would be tested by a test that
 * means something else. */
pare_status pare_history_log_read_step(const pare_history_origin *origin, uint64_t step,
                                       pare_text **out, pare_error *err)
{
    pare_buffer path = {0}, bytes = {0};
    pare_history_file read = {.n_steps = 0};
    pare_status status = name_file(origin->dir, &path, err);
    if (!status && !pare_file_is_regular(path.data))
        status = pare_fail(err, PARE_E_STATE, "there is no history to go back to: it would be %s",
                           path.data);
    if (!status) status = pare_file_read(path.data, &bytes, err);
    if (!status) status = pare_history_file_read(bytes.data, bytes.size, &read, err);
    if (!status && (!pare_digest_equal(read.input, origin->input) ||
                    !is_layout_same(read.layout, origin->layout)))
        status = pare_fail(err, PARE_E_STATE, "%s is the history of another input", path.data);
    if (!status) status = copy_step(&read, step, out, err);
    pare_history_file_done(&read);
    pare_buffer_done(&path);
    pare_buffer_done(&bytes);
    return status;
}

/* ---- notes ------------------------------------------------------------------------------------ */

/* The step made of the current text that has this digest, or one by which a run went back to such a
 * text.  As a rule it is the next; where a run went back and comes by where it was, it is an earlier
 * one. */
static bool find_next(const pare_history_log *log, uint64_t digest, size_t *step)
{
    const uint64_t current = log->nodes[log->current].digest;
    for (size_t k = 1; k < log->n_nodes; k++) {
        /* All others are looked at once, beginning with the step behind the current
         * one: so a run that goes on finds its next step at once. */
        *step = (log->current + k) % log->n_nodes;
        const pare_history_node *node = &log->nodes[*step];
        if (!*step || node->digest != digest) continue;
        const uint64_t from = log->nodes[node->from].digest;
        if (from == current || from == digest) return true;
    }
    return false;
}

/* The index of a step with this digest; n_nodes: there is none.  The first one, of
 * which the others were made by going back. */
static size_t find_any(const pare_history_log *log, uint64_t digest)
{
    size_t step = 0;
    while (step < log->n_nodes && log->nodes[step].digest != digest)
        step++;
    return step;
}

/* The number of the phase; a new name goes into *bytes first. */
static pare_status number_phase(pare_history_log *log, const char *name, pare_buffer *bytes,
                                size_t *number, pare_error *err)
{
    *number = 0;
    if (!*name) return PARE_OK;
    /* From the rear, since the phase is most often the last one that was named. */
    for (size_t k = log->n_phases; k-- > 0;)
        if (strcmp(log->phases[k], name) == 0) {
            *number = k + 1;
            return PARE_OK;
        }
    pare_status status = add_phase(log, name, strlen(name), err);
    if (!status) status = pare_history_file_add_phase(bytes, name, err);
    *number = log->n_phases;
    return status;
}

/* Whether the best is written, by the room that is left: `size` is that of the text,
 * `written` of the records.
 * A part of the room is kept for the result, all of which may be new.  Of an input of 1
 * MB the history may take 2 MB, so 1 MB is room for steps: as long as more than 128 KB
 * of it are left after a step, each is written; then only those that are an eighth
 * smaller than the step before. */
static bool is_written(const pare_history_log *log, const pare_history_facts *facts, size_t size,
                       size_t written)
{
    const size_t left = log->most - (log->size < log->most ? log->size : log->most);
    const size_t room = log->most - (log->input_bytes < log->most ? log->input_bytes : log->most);
    const size_t kept = (size < room / SHARE ? size : room / SHARE) + RESULT_BYTES;
    if (facts->is_result) return written <= left;
    if (written + kept > left) return false;
    if (left - written > room / SHARE) return true;
    return size <= log->text.size - log->text.size / SHARE;
}

/* Writes the best, of which *next is the text, as a step made of `from`; or leaves it
 * out.
 * Where it goes back to a text that a step has already, `from` is that step, and the
 * edit changes nothing. */
static pare_status add_step(pare_history_log *log, size_t from, uint64_t digest,
                            const pare_history_facts *facts, pare_buffer *next, pare_error *err)
{
    pare_buffer delta = {0}, bytes = {0};
    pare_history_record step = {.from = from,
                                .test = facts->test,
                                .ms = facts->ms,
                                .bytes = facts->bytes,
                                .is_thinned = log->has_left_out,
                                .digest = digest};
    const size_t n_phases = log->n_phases;
    const pare_buffer *old = from == log->current ? &log->text : next;
    const pare_span fresh = {(const unsigned char *)next->data, next->size};
    pare_status status = pare_delta_make((pare_span){(const unsigned char *)old->data, old->size},
                                         fresh, &delta, err);
    if (!status) status = number_phase(log, facts->phase, &bytes, &step.phase, err);
    if (!status)
        status = pare_history_file_add_step(
            &bytes, log->n_nodes, &step, (pare_span){(const unsigned char *)delta.data, delta.size},
            err);
    const bool written = !status && is_written(log, facts, next->size, bytes.size);
    if (written) status = append(log, &bytes, err);
    if (!status && written) status = add_node(log, (pare_history_node){from, digest}, err);
    if (!status && written) {
        const pare_buffer before = log->text;
        log->text = *next;
        *next = before;
        log->current = log->n_nodes - 1;
    }
    /* A phase that was not written has no number, so its name is forgotten and comes again with the next step of it. */
    if (!status && !written && log->n_phases > n_phases)
        pare_alloc_free(log->phases[--log->n_phases]);
    log->has_left_out = !written;
    pare_buffer_done(&delta);
    pare_buffer_done(&bytes);
    return status;
}

/* Notes a best that no step made of the current one has.
 * Its text may still be that of a step, where a run has gone back and found it by
 * another way. */
static pare_status note_new(pare_history_log *log, const pare_candidate *best, uint64_t digest,
                            const pare_history_facts *facts, pare_error *err)
{
    pare_buffer next = {0};
    const size_t any = find_any(log, digest);
    pare_status status = recall(log, err);
    if (!status) status = pare_buffer_reserve(&next, best->size, err);
    if (!status) {
        pare_candidate_read(best, next.data);
        next.size = best->size;
        status = add_step(log, any < log->n_nodes ? any : log->current, digest, facts, &next, err);
    }
    pare_buffer_done(&next);
    return status;
}

/* Finds out whether the best is there already, and writes it if it is not.
 * A result has to be the last step, so that it is found at the end of the file: where
 * it is an earlier one it is written again, as an edit that changes nothing. */
static pare_status note(pare_history_log *log, const pare_candidate *best,
                        const pare_history_facts *facts, pare_error *err)
{
    pare_status status = log->file ? PARE_OK : start(log, err);
    const uint64_t digest = pare_candidate_digest(best).low;
    size_t next;
    if (status) return status;
    assert(log->current < log->n_nodes);
    const bool is_new = digest != log->nodes[log->current].digest;
    if (!is_new) log->has_left_out = false;
    /* The reader takes none that is larger than the input for whole. */
    if (best->size > log->input_bytes) return PARE_OK;
    if (is_new && !find_next(log, digest, &next)) return note_new(log, best, digest, facts, err);
    if (is_new) {
        log->current = next;
        log->is_known = false;
    }
    const bool is_last = log->nodes[log->n_nodes - 1].digest == digest;
    return !facts->is_result || is_last ? PARE_OK : note_new(log, best, digest, facts, err);
}

/* A history that cannot be written, for want of room say, is given up; the run goes on.
 * After that all calls are no-ops, so the caller tells of it once. */
pare_status pare_history_log_note(pare_history_log *log, const pare_candidate *best,
                                  const pare_history_facts *facts, pare_error *err)
{
    if (!log->path) return PARE_OK;
    pare_status status = note(log, best, facts, err);
    if (status) pare_history_log_close(log);
    return status;
}
