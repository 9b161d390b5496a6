/* Reading a history: the functions of <pare/history.h>.
 *
 * The file is read once, when the history is opened; texts are made from its edits when they are asked
 * for, and the last one is kept, so that going from step to step costs one edit.  Of several files the
 * text has frames in it (text/layout.h): what is shown, compared and written goes by the layout that
 * is in the file, not by what is on disk now.
 * Tested by tests/unit/test_history.c and tests/cli/test_history.sh. */
#include <pare/history.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/sync.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/entries.h"
#include "os/file.h"
#include "os/folder.h"
#include "session/output/history_file.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"
#include "text/unified.h"

/* Room for the sentence of tell_damage with its three numbers. */
enum { SENTENCE_BYTES = 256 };

/* A history that is open: the bytes of its file, what is read of them, and the texts that were
 * asked for last, which callers borrow. */
struct pare_history {
    pare_buffer bytes; /* of the file; what `file` points to */
    pare_history_file file;
    char **phases; /* owned, with the texts; file.n_phases of them */
    char *note;    /* owned; NULL: none */
    char damage[SENTENCE_BYTES];
    pare_history_known known;
    pare_buffer shown, other; /* what was handed out, and for a difference the older side */
};

/* ---- opening --------------------------------------------------------------------------------- */

/* Whether there is a history called `path`.  A folder of this name is none, so that a
 * project may have one called "history". */
static bool is_there(const char *path)
{
    return pare_file_is_regular(path);
}

/* Sets *found to the history beside NAME.min.EXT, where the result of the input NAME.EXT goes if nothing else is
 * said; it need not be there. */
static pare_status beside_default(const char *path, size_t size, pare_buffer *found,
                                  pare_error *err)
{
    size_t stem = size;
    const char *slash = memrchr(path, '/', size);
    const size_t base = slash ? (size_t)(slash + 1 - path) : 0;
    while (stem > base && path[stem - 1] != '.')
        stem--;
    stem = stem > base + 1 ? stem - 1 : size; /* no dot, or only the first of a hidden name */
    pare_buffer_reset(found);
    return pare_buffer_format(found, err, "%.*s.min%.*s.pare/history", (int)stem, path,
                              (int)(size - stem), path + stem);
}

/* Finds the history that belongs to `path`: that of the reduction of a file or folder,
 * the history itself, that in a journal's directory, or, where `path` is an input, that of its result.
 * "in.c", "in.c.pare/history" and "in.c.pare" all lead to in.c.pare/history.  Slashes
 * at the end do not count, as a shell adds them to the name of a folder. */
static pare_status find(const char *path, pare_buffer *found, pare_error *err)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    pare_status status = pare_buffer_format(found, err, "%.*s.pare/history", (int)size, path);
    if (status || is_there(found->data)) return status;
    status = beside_default(path, size, found, err);
    if (status || is_there(found->data)) return status;
    if (is_there(path)) {
        pare_buffer_reset(found);
        return pare_buffer_text(found, path, err);
    }
    pare_buffer_reset(found);
    status = pare_buffer_format(found, err, "%.*s/history", (int)size, path);
    if (status || is_there(found->data)) return status;
    return pare_fail(err, PARE_E_STATE,
                     "there is no history of %s: a reduction leaves it in %.*s.pare/history, "
                     "unless --no-history is given",
                     path, (int)size, path);
}

/* Makes texts of the phases, and of the note, which have no NUL at their ends in the file. */
static pare_status name_phases(pare_history *history, pare_error *err)
{
    const size_t n = history->file.n_phases;
    history->phases = pare_alloc_zero(n + 1, sizeof *history->phases);
    if (!history->phases) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        const pare_span *name = &history->file.phases[i];
        history->phases[i] = pare_alloc_text((const char *)name->bytes, name->size);
        if (!history->phases[i]) return pare_fail_nomem(err);
    }
    if (!history->file.note.size) return PARE_OK;
    history->note =
        pare_alloc_text((const char *)history->file.note.bytes, history->file.note.size);
    return history->note ? PARE_OK : pare_fail_nomem(err);
}

/* A damaged history is shown as far as it can be read, with one sentence that says so. */
static void tell_damage(pare_history *history)
{
    assert(history->file.end <= history->bytes.size && history->file.n_steps > 0);
    const size_t left = history->bytes.size - history->file.end;
    if (!left) return;
    (void)snprintf(history->damage, sizeof history->damage,
                   "the last %zu of %zu bytes of the history cannot be read: it was cut off or "
                   "damaged after step %zu",
                   left, history->bytes.size, history->file.n_steps - 1);
}

/* Says what is wrong with what is there and cannot be read.
 * The path that was given is most often the input of a reduction, whose history lies
 * beside its result; where the path itself was opened, that history is missing. */
static void tell_corrupt(const char *path, const char *found, pare_error *err)
{
    if (strcmp(path, found) == 0)
        pare_fail_prefix(err,
                         "there is no %s.pare/history, which a reduction leaves beside its result, "
                         "and %s is not a history",
                         path, path);
    else
        pare_fail_prefix(err, "%s is not a history", found);
}

/* Reads the whole file once.  Steps are made when they are asked for. */
pare_status pare_history_open(const char *path, pare_history **out, pare_error *err)
{
    pare_buffer found = {0};
    pare_history *history = pare_alloc_zero(1, sizeof *history);
    pare_status status = history ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = find(path, &found, err);
    if (!status) status = pare_file_read(found.data, &history->bytes, err);
    if (!status) {
        status =
            pare_history_file_read(history->bytes.data, history->bytes.size, &history->file, err);
        if (status == PARE_E_CORRUPT) tell_corrupt(path, found.data, err);
    }
    if (!status) status = name_phases(history, err);
    pare_buffer_done(&found);
    if (status) {
        pare_history_close(history);
        return status;
    }
    tell_damage(history);
    *out = history;
    return PARE_OK;
}

/* A history that was opened in part may be closed: what was not read is all-zero. */
void pare_history_close(pare_history *history)
{
    if (!history) return;
    for (size_t i = 0; history->phases && i < history->file.n_phases; i++)
        pare_alloc_free(history->phases[i]);
    pare_alloc_free(history->phases);
    pare_alloc_free(history->note);
    pare_history_file_done(&history->file);
    pare_buffer_done(&history->bytes);
    pare_buffer_done(&history->known.text);
    pare_buffer_done(&history->shown);
    pare_buffer_done(&history->other);
    pare_alloc_free(history);
}

/* ---- steps ------------------------------------------------------------------------------------- */

/* NULL: all of it was read. */
const char *pare_history_damage(const pare_history *history)
{
    return *history->damage ? history->damage : NULL;
}

/* At least 1: without the input there is no history. */
size_t pare_history_steps(const pare_history *history)
{
    return history->file.n_steps;
}

const char *pare_history_note(const pare_history *history)
{
    return history->note;
}

/* Step 0 is the input. */
bool pare_history_step_at(const pare_history *history, size_t n, pare_history_step *step)
{
    if (n >= history->file.n_steps) return false;
    const pare_history_record *record = &history->file.steps[n];
    assert(record->phase <= history->file.n_phases && "the reader refuses others");
    *step = (pare_history_step){.from = record->from,
                                .test = record->test,
                                .seconds = (double)record->ms / 1000,
                                .size_bytes = (size_t)record->bytes,
                                /* Phases are numbered from 1, so that 0 is a step of
                                 * none. */
                                .phase = record->phase ? history->phases[record->phase - 1] : "",
                                .has_left_out = record->is_thinned};
    return true;
}

/* ---- texts ------------------------------------------------------------------------------------- */

/* Makes history->known the text of step `n`, from that of the step before where it is
 * known. */
static pare_status make(pare_history *history, size_t n, pare_error *err)
{
    if (n < history->file.n_steps)
        return pare_history_file_text(&history->file, n, &history->known, err);
    return pare_fail(err, PARE_E_ARG, "there is no step %zu: the last one is %zu", n,
                     history->file.n_steps - 1);
}

/* The text that was made, as a candidate, which layouts are read by. */
static pare_status make_candidate(const pare_history *history, pare_text **text,
                                  pare_candidate *candidate, pare_error *err)
{
    const pare_buffer *bytes = &history->known.text;
    pare_status status = pare_text_copy(bytes->data, bytes->size, text, err);
    if (status) return status;
    pare_candidate_start(candidate, *text);
    return pare_candidate_slice(candidate, 0, bytes->size, err);
}

/* Where a walk prints to. Visitors have no pare_error, so the status is kept here. */
struct print {
    const pare_layout *layout;
    pare_buffer *to;
    bool begins_line;
    pare_status status;
};

/* Appends a piece of a content, and remembers whether it ended a line. */
static int print_bytes(void *context, pare_span span)
{
    struct print *print = context;
    print->status = pare_buffer_add(print->to, span.bytes, span.size, NULL);
    if (span.size) print->begins_line = span.bytes[span.size - 1] == '\n';
    return print->status != PARE_OK;
}

/* Appends the line that names an entry.  It begins on a line of its own, also where the
 * file before it does not end with one. */
static int print_entry(void *context, uint32_t index, size_t after)
{
    struct print *print = context;
    const pare_entry *entry = &print->layout->entries.items[index];
    const char *name = entry->kind == PARE_ENTRY_ARGUMENT   ? "argument"
                       : entry->kind == PARE_ENTRY_VARIABLE ? "variable"
                                                            : entry->path;
    (void)after;
    print->status =
        pare_buffer_format(print->to, NULL, "%s== %s ==\n", print->begins_line ? "" : "\n", name);
    print->begins_line = true;
    return print->status != PARE_OK;
}

/* Prints the text that was made; of one file that is all there is to it.
 * Of several files it prints what each of them is called and what is in it:
 * "== src/a.c ==", its content, "== src/b.c ==", and so on. */
static pare_status print(const pare_history *history, pare_buffer *to, pare_error *err)
{
    const pare_layout *layout = history->file.layout;
    struct print print = {.layout = layout, .to = to, .begins_line = true};
    const pare_layout_visitor visitor = {
        .context = &print, .entry = print_entry, .bytes = print_bytes};
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    pare_buffer_reset(to);
    pare_status status = pare_buffer_reserve(to, history->known.text.size, err);
    if (status) return status;
    /* An empty text is one, too, with a NUL at its end. */
    to->data[0] = '\0';
    if (!layout)
        return pare_buffer_add(to, history->known.text.data, history->known.text.size, err);
    status = make_candidate(history, &text, &candidate, err);
    /* Visitors fail for want of memory alone. */
    if (!status && pare_layout_walk(layout, &candidate, &visitor)) status = pare_fail_nomem(err);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return status;
}

/* What is handed out lies in the history, and is true until the next call. */
pare_status pare_history_text(pare_history *history, size_t n, const char **bytes,
                              size_t *size_bytes, pare_error *err)
{
    pare_status status = make(history, n, err);
    if (!status) status = print(history, &history->shown, err);
    if (status) return status;
    *bytes = history->shown.data;
    *size_bytes = history->shown.size;
    return PARE_OK;
}

/* Both texts are made first, and printed over by their difference. */
pare_status pare_history_diff(pare_history *history, size_t n, size_t m, const char **text,
                              size_t *size_bytes, pare_error *err)
{
    char old_name[32], fresh_name[32];
    pare_buffer difference = {0};
    pare_status status = make(history, n, err);
    if (!status) status = print(history, &history->other, err);
    if (!status) status = make(history, m, err);
    if (!status) status = print(history, &history->shown, err);
    (void)snprintf(old_name, sizeof old_name, "step %zu", n);
    (void)snprintf(fresh_name, sizeof fresh_name, "step %zu", m);
    const pare_unified_side old = {
        old_name, {(const unsigned char *)history->other.data, history->other.size}};
    const pare_unified_side fresh = {
        fresh_name, {(const unsigned char *)history->shown.data, history->shown.size}};
    if (!status) status = pare_buffer_text(&difference, "", err);
    if (!status) status = pare_unified_print(&old, &fresh, &difference, err);
    if (status) {
        pare_buffer_done(&difference);
        return status;
    }
    /* The newer text has been compared, and its place is taken by the difference, which
     * the caller borrows. */
    pare_buffer_done(&history->shown);
    history->shown = difference;
    *text = history->shown.data;
    *size_bytes = history->shown.size;
    return PARE_OK;
}

/* ---- restoring ------------------------------------------------------------------------------------ */

/* The files that are written below a new folder. */
struct parcel {
    const pare_layout *layout;
    const pare_candidate *candidate;
};

/* Called by pare_folder_replace. If a single folder was given, that is what is written, without its
 * own name below it, as for a result. */
static int write_files(void *context, int folder, int previous)
{
    const struct parcel *parcel = context;
    const pare_entries *entries = &parcel->layout->entries;
    const pare_entry *first = &entries->items[0];
    const bool is_alone =
        first->kind == PARE_ENTRY_FOLDER &&
        (first->after == entries->n || pare_entry_is_word(&entries->items[first->after]));
    (void)previous;
    return pare_layout_write(parcel->layout, parcel->candidate, folder,
                             is_alone ? strlen(first->path) + 1 : 0);
}

/* Appends a piece of a content. */
static int add_content(void *context, pare_span span)
{
    return pare_buffer_add(context, span.bytes, span.size, NULL) ? 1 : 0;
}

static pare_status write_layout(pare_history *history, const pare_candidate *candidate,
                                const char *path, pare_error *err)
{
    const pare_layout *layout = history->file.layout;
    struct parcel parcel = {.layout = layout, .candidate = candidate};
    if (!layout->is_file)
        return pare_folder_replace(path, &(pare_folder_replacing){.sync = PARE_SYNC_SECOND},
                                   write_files, &parcel, err);
    pare_buffer_reset(&history->shown);
    if (pare_layout_content(layout, candidate, 0, add_content, &history->shown))
        return pare_fail_nomem(err);
    return pare_file_write_run(path, PARE_SYNC_SECOND, history->shown.data, history->shown.size,
                               err);
}

/* Words alone are recorded as those of an empty file. */
static bool has_files(const pare_history *history)
{
    const pare_layout *layout = history->file.layout;
    pare_span text = history->file.text;
    if (!layout || !layout->is_file) return true;
    /* The first frame is the file's; its content ends where the next begins. */
    const size_t head = PARE_LAYOUT_FRAME_BYTES;
    return text.size < head + PARE_LAYOUT_MARKER_BYTES ||
           memcmp(text.bytes + head, layout->marker, PARE_LAYOUT_MARKER_BYTES) != 0;
}

/* What exists already is never replaced: a step is restored by hand, and under a name
 * that somebody may have chosen by mistake. */
pare_status pare_history_restore(pare_history *history, size_t n, const char *path, pare_error *err)
{
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    const pare_buffer *bytes = &history->known.text;
    if (pare_file_exists(path))
        return pare_fail(err, PARE_E_STATE,
                         "%s exists already: choose another name, or move it away", path);
    if (!has_files(history))
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "this step is a command line and not a file: use 'show' instead");
    pare_status status = make(history, n, err);
    if (!status && !history->file.layout)
        return pare_file_write_run(path, PARE_SYNC_SECOND, bytes->data, bytes->size, err);
    if (!status) status = make_candidate(history, &text, &candidate, err);
    if (!status) status = write_layout(history, &candidate, path, err);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return status;
}
