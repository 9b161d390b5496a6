/* Results that replace what was given; the contract, and why no instant loses an original, is in
 * the header.
 *
 * At the start the originals are found: INPUT, or after an unfinished run INPUT.orig, unless the
 * note in the journal's directory says that what is called so is the first result on its
 * way.  With each success only the places that change are replaced: files by rename, after
 * PLACE.orig was made a second name of the original; folders by exchanging names (renameat2,
 * RENAME_EXCHANGE), so that a place is never empty.  After the first time the original stays where
 * it is. */

#include "session/output/in_place.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/input.h>
#include <pare/sync.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/descriptor.h"
#include "os/entries.h"
#include "os/file.h"
#include "os/folder.h"
#include "os/sync.h"
#include "text/candidate.h"
#include "text/text.h"

/* ---- opening ------------------------------------------------------------------------- */

/* The notes of what is in the places go with the journal. */
static pare_status name_notes(const char *journal_dir, pare_buffer *path, pare_error *err)
{
    return pare_buffer_format(path, err, "%s/places", journal_dir);
}

/* Reads the notes of an earlier run. Incomplete notes count as none, which is safe: notes are on
 * disk before anything is put into a place. The file is closed again, because the journal's folder,
 * where they are written, is made later. */
static pare_status read_notes(pare_in_place *in_place, pare_error *err)
{
    pare_buffer path = {0};
    const size_t size = in_place->n * sizeof *in_place->notes;
    const char *journal = in_place->options->journal_dir;
    if (!journal) return PARE_OK;
    pare_status status = name_notes(journal, &path, err);
    const int fd = status ? -1 : open(path.data, O_RDONLY | O_CLOEXEC);
    if (!status && fd < 0 && errno != ENOENT)
        status = pare_fail_errno(err, errno, "cannot read %s", path.data);
    /* What is too short was being written when the run before was killed. */
    if (fd >= 0 && pread(fd, in_place->notes, size, 0) != (ssize_t)size)
        memset(in_place->notes, 0, size);
    if (fd >= 0) (void)close(fd);
    pare_buffer_done(&path);
    return status;
}

/* Makes the file of the notes; a no-op without a journal, and the second time.
 * Its name is on disk before anything is put into a place, as the notes themselves are. */
static pare_status open_notes(pare_in_place *in_place, pare_error *err)
{
    pare_buffer path = {0};
    const char *journal = in_place->options->journal_dir;
    if (!journal || in_place->notes_fd >= 0) return PARE_OK;
    pare_status status = name_notes(journal, &path, err);
    if (status) return status;
    in_place->notes_fd = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int failed = in_place->notes_fd < 0 ? errno : 0;
    if (!failed) failed = pare_sync_name(path.data, in_place->options->sync);
    if (failed) status = pare_fail_errno(err, failed, "cannot write %s", path.data);
    pare_buffer_done(&path);
    return status;
}

/* Whether the file or folder at `input`'s place, which has the digest `there`, was put there by the
 * run that is continued. */
static bool is_noted_content(pare_in_place *in_place, uint32_t input, pare_digest there)
{
    char text[PARE_DIGEST_TEXT_BYTES];
    pare_digest_text(there, text);
    for (size_t i = 0; i < 2; i++) {
        if (memcmp(in_place->notes[input].written[i], text, sizeof text) != 0) continue;
        in_place->written[input] = i == 0; /* else what was to come then never came */
        return true;
    }
    return false;
}

/* Sets in_place->files of the entry, an input, to what is at its place. False: it is neither of the
 * two texts that were noted. */
static bool is_noted_place(pare_in_place *in_place, uint32_t entry)
{
    const pare_entries *entries = &in_place->saver->layout->entries;
    const pare_entry *item = &entries->items[entry];
    const char *place = in_place->options->places[item->input];
    const size_t strip = item->kind == PARE_ENTRY_FOLDER ? strlen(item->path) + 1 : 0;
    pare_digest there;
    return pare_user_edits_sum_there(in_place->files, entries, entry, strip, place, &there) &&
           is_noted_content(in_place, item->input, there);
}

/* Looks at the place of an input whose original is at INPUT.orig. If something else stands there
 * than what was noted, `files` goes on to describe the original; so the difference is found, and
 * taken for an edit, when the place is to be replaced. */
static void look_at_result(pare_in_place *in_place, uint32_t entry)
{
    const uint32_t input = in_place->saver->layout->entries.items[entry].input;
    in_place->current[input] = false;
    if (pare_file_is_absent(in_place->options->places[input])) return;
    if (!is_noted_place(in_place, entry))
        pare_user_edits_note_folder(in_place->files, in_place->saver, in_place->saver->contents,
                                    entry);
}

/* An original is kept already where the input was read from somewhere else than its place, from
 * PLACE.orig, by a run that goes on; or where this process has begun anew from a step of its history. */
static bool is_kept(const pare_in_place *in_place, const char *source, uint32_t input)
{
    pare_buffer kept = {0};
    const char *place = in_place->options->places[input];
    if (strcmp(place, source) != 0) return true;
    if (!in_place->notes[input].written[0][0]) return false;
    const bool is_there =
        !pare_buffer_format(&kept, NULL, "%s.orig", place) && pare_file_exists(kept.data);
    pare_buffer_done(&kept);
    return is_there;
}

/* An in_place that was opened in part may be closed. */
pare_status pare_in_place_open(pare_in_place *in_place, const pare_input_options *inputs,
                               const pare_output_options *options, pare_layout_saver *saver,
                               const pare_candidate *input, pare_error *err)
{
    const size_t n = inputs->n_paths;
    const pare_entries *entries = &saver->layout->entries;
    *in_place = (pare_in_place){.options = options,
                                .saver = saver,
                                .notes = pare_alloc_zero(n, sizeof *in_place->notes),
                                .notes_fd = -1,
                                .written = pare_alloc_zero(n, 1),
                                .kept = pare_alloc_zero(n, 1),
                                .known = pare_alloc_zero(n, 1),
                                .current = pare_alloc_zero(n, 1),
                                .files = pare_alloc_zero(entries->n, sizeof *in_place->files),
                                .beside = pare_alloc_zero(n, sizeof *in_place->beside)};
    if (!in_place->notes || !in_place->written || !in_place->kept || !in_place->known ||
        !in_place->current || !in_place->files || !in_place->beside)
        return pare_fail_nomem(err);
    in_place->n = n;
    pare_status status = pare_candidate_copy(&in_place->original, input, err);
    if (!status) status = read_notes(in_place, err);
    if (status) return status;
    /* As if the input had just been saved, so that files which the first success has not changed
     * need not be written. */
    pare_layout_saver_look(saver, input);
    pare_layout_saver_turn(saver);
    pare_user_edits_note_folder(in_place->files, saver, saver->contents, PARE_NO_ENTRY);
    for (uint32_t i = 0; i < entries->n; i = entries->items[i].after) {
        if (pare_entry_is_word(&entries->items[i])) break;
        /* All that is at the places is known, since it has just been read. */
        const uint32_t k = entries->items[i].input;
        in_place->written[k] = in_place->known[k] = in_place->current[k] = true;
        in_place->kept[k] = is_kept(in_place, inputs->paths[k], k);
        /* The place of an original that was kept holds a result, of which only the
         * notes tell anything. */
        if (in_place->kept[k])
            look_at_result(in_place, i);
        else
            /* Nothing was put there yet, whatever another run has noted. */
            in_place->notes[k] = (pare_in_place_note){.written = {{0}}};
        pare_file_sweep(options->places[k]);
    }
    return PARE_OK;
}

/* Touches nothing on disk: the results are in their places. */
void pare_in_place_close(pare_in_place *in_place)
{
    if (in_place->notes && in_place->notes_fd >= 0) (void)close(in_place->notes_fd);
    pare_candidate_done(&in_place->original);
    pare_alloc_free(in_place->notes);
    pare_alloc_free(in_place->written);
    pare_alloc_free(in_place->kept);
    pare_alloc_free(in_place->known);
    pare_alloc_free(in_place->current);
    pare_alloc_free(in_place->files);
    for (size_t i = 0; i < in_place->n; i++)
        pare_buffer_done(&in_place->beside[i]);
    pare_alloc_free(in_place->beside);
    pare_buffer_done(&in_place->noted);
    *in_place = (pare_in_place){.options = NULL};
}

/* ---- the note ------------------------------------------------------------------------ */

/* The note goes with the journal, which tells a resumed run from a new one. */
static pare_status name_note(const char *journal_dir, pare_buffer *path, pare_error *err)
{
    return pare_buffer_format(path, err, "%s/in-place", journal_dir);
}

/* Writes down which folder will be called INPUT.orig for an instant. */
static int announce(void *context, uint64_t inode)
{
    pare_in_place *in_place = context;
    pare_buffer path = {0};
    const char *journal = in_place->options->journal_dir;
    /* Without a journal nobody will resume the run and read the note. */
    if (!journal) return 0;
    pare_status status =
        pare_buffer_format(&in_place->noted, NULL, "%llu\n", (unsigned long long)inode);
    if (!status) status = name_note(journal, &path, NULL);
    if (!status)
        status = pare_file_write_run(path.data, in_place->options->sync, in_place->noted.data,
                                     in_place->noted.size, NULL);
    pare_buffer_done(&path);
    return status ? EIO : 0;
}

/* Called before the journal goes: a number that is left might be that of another folder
 * one day. */
void pare_in_place_drop(const char *journal_dir)
{
    pare_buffer path = {0};
    if (journal_dir && !name_note(journal_dir, &path, NULL)) {
        pare_file_sweep(path.data);
        (void)unlink(path.data); /* what stays tells nothing wrong */
    }
    pare_buffer_done(&path);
}

/* Called after the journal has gone: as long as there is one, a run may go on from what
 * is in the places. */
void pare_in_place_drop_places(const char *journal_dir)
{
    pare_buffer path = {0};
    if (journal_dir && !name_notes(journal_dir, &path, NULL)) (void)unlink(path.data);
    pare_buffer_done(&path);
}

/* ---- one place ----------------------------------------------------------------------- */

/* One input that is being put into its place. */
struct part {
    pare_in_place *in_place;
    const pare_candidate *best;
    uint32_t input, entry;
    const char *place, *kept; /* kept: PLACE.orig */
    bool is_edited;           /* set: somebody else has changed the place */
};

/* Called by a guard before something is replaced: whether `name`, the place itself or what was
 * there until now, is what we know to be there. After a failed write, or one of an earlier run,
 * nothing is known. */
static pare_status check_edits(void *context, const char *name, pare_error *err)
{
    struct part *part = context;
    const pare_in_place *in_place = part->in_place;
    const pare_entries *entries = &in_place->saver->layout->entries;
    const pare_entry *entry = &entries->items[part->entry];
    if (!in_place->known[part->input]) return PARE_OK;
    const bool is_own = entry->kind == PARE_ENTRY_FOLDER
                            ? pare_user_edits_folder_is_own(in_place->files, entries, part->entry,
                                                            strlen(entry->path) + 1, name)
                            : pare_user_edits_entry_is_own(&in_place->files[part->entry], name);
    part->is_edited = !is_own;
    (void)err; /* leave_place fills it in */
    return is_own ? PARE_OK : PARE_E_IO;
}

/* Called by pare_folder_replace to fill the folder that comes.
 * `previous` is what the place held before: unchanged files are linked from it, so they
 * are not written again. */
static int write_folder(void *context, int folder, int previous)
{
    const struct part *part = context;
    return pare_layout_saver_part(part->in_place->saver, part->best, part->input, folder, previous);
}

/* Adds one piece of a content to what is written next. */
static int add_span(void *context, pare_span span)
{
    return pare_descriptor_gather_add(context, span.bytes, span.size);
}

/* Called by pare_file_write: writes what `best` has of the file. */
static int fill_file(void *context, pare_iovec *gather)
{
    const struct part *part = context;
    return pare_layout_content(part->in_place->saver->layout, part->best, part->entry, add_span,
                               gather);
}

/* The first time the original goes to PLACE.orig by the exchange itself, after the note has been
 * written that says so.  What somebody changes after the look is in PLACE.orig then. */
static pare_status replace_folder(struct part *part, pare_error *err)
{
    pare_in_place *in_place = part->in_place;
    const pare_file_guard guard = {check_edits, part};
    const pare_folder_replacing how = {
        .sync = in_place->options->sync, .guard = &guard, .removal = in_place->removal};
    if (in_place->kept[part->input])
        return pare_folder_replace(part->place, &how, write_folder, part, err);
    pare_status status = check_edits(part, part->place, err);
    if (status) return status;
    const pare_folder_keep keep = {.kept = part->kept,
                                   .announce = announce,
                                   .context = in_place,
                                   .sync = in_place->options->sync};
    return pare_folder_replace_keeping(part->place, &keep, write_folder, part, err);
}

/* Makes PLACE.orig a second name of the file, or a copy where the file system has no second
 * names. */
static pare_status make_second(const struct part *part, pare_error *err)
{
    pare_buffer bytes = {0};
    if (!linkat(AT_FDCWD, part->place, AT_FDCWD, part->kept, AT_SYMLINK_FOLLOW)) return PARE_OK;
    /* An earlier run was killed between the link and the rename. */
    if (errno == EEXIST && pare_folder_inode(part->place) == pare_folder_inode(part->kept))
        return PARE_OK;
    /* Somebody else's file of that name is not overwritten, and what is gone cannot be kept. */
    if (errno == EEXIST || errno == ENOENT)
        return pare_fail_errno(err, errno, "cannot keep %s", part->place);
    pare_status status = pare_file_read(part->place, &bytes, err);
    if (!status)
        status = pare_file_write_run(part->kept, part->in_place->options->sync, bytes.data,
                                     bytes.size, err);
    /* A copy with another mode is a copy all the same. */
    if (!status && chmod(part->kept, pare_file_mode(part->place) & 0777)) errno = 0;
    pare_buffer_done(&bytes);
    return status;
}

/* The second name, and what it names, are on disk before the first one is given away. */
static pare_status keep_file(const struct part *part, pare_error *err)
{
    const pare_sync sync = part->in_place->options->sync;
    pare_status status = make_second(part, err);
    int failed = status ? 0 : pare_sync_path(part->kept, sync);
    if (!status && !failed) failed = pare_sync_name(part->kept, sync);
    return failed ? pare_fail_errno(err, failed, "cannot keep %s", part->place) : status;
}

/* Removes a file that the best does not have.  The first time the original is moved to
 * PLACE.orig instead; a file that is gone already is none to remove. */
static pare_status remove_file(struct part *part, pare_error *err)
{
    pare_status status = check_edits(part, part->place, err);
    if (status) return status;
    int failed = 0;
    if (!part->in_place->kept[part->input])
        failed = pare_file_rename_free(part->place, part->kept);
    else if (unlink(part->place) && errno != ENOENT)
        failed = errno;
    if (!failed) failed = pare_sync_name(part->place, part->in_place->options->sync);
    return failed ? pare_fail_errno(err, failed, "cannot remove %s", part->place) : PARE_OK;
}

/* A file that a candidate does not have is removed; one that comes back gets the mode of the
 * original. */
static pare_status replace_file(struct part *part, pare_error *err)
{
    pare_in_place *in_place = part->in_place;
    struct stat written;
    const pare_file_guard guard = {check_edits, part};
    const pare_file_writing what = {.fill = fill_file,
                                    .context = part,
                                    .sync = in_place->options->sync,
                                    .guard = &guard,
                                    .written = &written};
    if (!pare_layout_saver_present(in_place->saver, part->entry)) return remove_file(part, err);
    /* Before it is kept: what was edited is not the original. */
    pare_status status = check_edits(part, part->place, err);
    if (!status && !in_place->kept[part->input]) status = keep_file(part, err);
    /* Asked before the file is there again. */
    bool returns = !pare_file_exists(part->place);
    if (!status) status = pare_file_replace(part->place, &what, err);
    /* What was written is known by inode, size and time, so it need not be read to be known again. */
    if (!status) in_place->saver->records[part->entry] = pare_entry_record_of(&written);
    mode_t mode = in_place->saver->layout->entries.items[part->entry].mode;
    if (!status && returns && chmod(part->place, mode))
        status = pare_fail_errno(err, errno, "cannot write %s", part->place);
    return status;
}

/* Called by pare_user_edits_write: writes to `path` what would have gone to the place. */
static pare_status write_beside(void *context, const char *path, pare_error *err)
{
    const struct part *part = context;
    const pare_sync sync = part->in_place->options->sync;
    const pare_entry *entry = &part->in_place->saver->layout->entries.items[part->entry];
    if (entry->kind != PARE_ENTRY_FOLDER)
        return pare_file_write(path, sync, fill_file, context, err);
    return pare_folder_replace(path, &(pare_folder_replacing){.sync = sync}, write_folder, context,
                               err);
}

/* Writes the original that was read before a place was edited, if no result had come by then:
 * otherwise it would be lost. That this write fails is not reported, because the edit itself ends
 * the run. */
static void write_original(const struct part *part)
{
    struct part original = *part;
    original.best = &part->in_place->original;
    if (part->in_place->kept[part->input] || pare_file_exists(part->kept)) return;
    (void)!write_beside(&original, part->kept, NULL);
    pare_layout_saver_forget(part->in_place->saver, part->entry);
}

/* Leaves the place to whoever has changed it, writes beside it what would have gone
 * there, and ends the run with a sentence that says so. */
static pare_status leave_place(struct part *part, pare_error *err)
{
    pare_in_place *in_place = part->in_place;
    const bool is_left = pare_layout_saver_present(in_place->saver, part->entry);
    write_original(part);
    return pare_user_edits_refuse(part->place, &in_place->beside[part->input],
                                  is_left ? write_beside : NULL, part, err);
}

/* Writes down what the place is about to hold.
 * What it held until now is kept beside that, since the process may be killed between
 * the note and the place.  A write that failed is not what it holds, so then the older
 * of the two stays. */
static pare_status note_next(struct part *part, pare_error *err)
{
    pare_in_place *in_place = part->in_place;
    pare_in_place_note *note = &in_place->notes[part->input];
    const size_t size = in_place->n * sizeof *note;
    const pare_entries *entries = &in_place->saver->layout->entries;
    pare_status status = open_notes(in_place, err);
    if (status) return status;
    if (in_place->written[part->input])
        memcpy(note->written[1], note->written[0], sizeof note->written[0]);
    in_place->written[part->input] = false;
    pare_digest_text(pare_user_edits_sum(in_place->saver->next, entries, part->entry),
                     note->written[0]);
    if (in_place->notes_fd < 0) return PARE_OK;
    int failed = 0;
    if (pwrite(in_place->notes_fd, in_place->notes, size, 0) != (ssize_t)size) failed = errno;
    if (!failed) failed = pare_sync_descriptor(in_place->notes_fd, in_place->options->sync);
    return failed ? pare_fail_errno(err, failed, "cannot write into the journal's directory")
                  : PARE_OK;
}

/* Puts what `best` has of one input into its place.  After a failure what is there is not known,
 * and the next success writes it again; after an edit it is known that it is not ours. */
static pare_status replace(pare_in_place *in_place, const pare_candidate *best, uint32_t entry,
                           bool *is_edited, pare_error *err)
{
    const pare_entry *item = &in_place->saver->layout->entries.items[entry];
    pare_buffer kept = {0};
    struct part part = {.in_place = in_place,
                        .best = best,
                        .input = item->input,
                        .entry = entry,
                        .place = in_place->options->places[item->input]};
    pare_status status = pare_buffer_format(&kept, err, "%s.orig", part.place);
    part.kept = kept.data;
    if (!status) status = note_next(&part, err);
    if (!status)
        status =
            item->kind == PARE_ENTRY_FOLDER ? replace_folder(&part, err) : replace_file(&part, err);
    /* Before anything else may fail: only a complete write tells what is at the place. */
    in_place->known[item->input] = in_place->current[item->input] = !status || part.is_edited;
    in_place->written[item->input] = !status;
    *is_edited = part.is_edited;
    if (part.is_edited) {
        status = leave_place(&part, err);
    } else if (status) {
        pare_layout_saver_forget(in_place->saver, entry);
        /* It may have failed when the result was in its place already, as where its name cannot be synced. */
        if (!is_noted_place(in_place, entry)) in_place->written[item->input] = false;
    }
    if (!status) {
        in_place->kept[item->input] = true;
        pare_user_edits_note_folder(in_place->files, in_place->saver, in_place->saver->next, entry);
    }
    pare_buffer_done(&kept);
    return status;
}

/* Looks at the inputs only: a folder is replaced as a whole, with links to its unchanged files. If
 * one place was edited the others are replaced all the same; together with what is written beside
 * the edited one they are the best. */
pare_status pare_in_place_save(pare_in_place *in_place, const pare_candidate *best, pare_error *err)
{
    const pare_entries *entries = &in_place->saver->layout->entries;
    pare_status status = PARE_OK, edited = PARE_OK;
    assert(in_place->options && in_place->options->places);
    pare_layout_saver_look(in_place->saver, best);
    for (uint32_t i = 0; !status && i < entries->n; i = entries->items[i].after) {
        if (pare_entry_is_word(&entries->items[i])) break;
        bool changes = !in_place->current[entries->items[i].input] ||
                       pare_layout_saver_changed(in_place->saver, i);
        if (!changes && !in_place->beside[entries->items[i].input].size) continue;
        bool is_edited;
        /* Only the first edit is told: one sentence is enough to end the run. */
        status = replace(in_place, best, i, &is_edited, edited ? NULL : err);
        if (!is_edited) continue;
        in_place->is_edited = true;
        edited = status;
        status = PARE_OK;
    }
    pare_layout_saver_turn(in_place->saver);
    return status ? status : edited;
}

/* ---- the originals ------------------------------------------------------------------- */

/* The places and sources of an all-zero struct are NULL. */
void pare_in_place_originals_done(pare_originals *originals)
{
    for (size_t i = 0; i < originals->n; i++) {
        pare_alloc_free(originals->places[i]);
        pare_alloc_free(originals->sources[i]);
    }
    pare_alloc_free(originals->places);
    pare_alloc_free(originals->sources);
    *originals = (pare_originals){.n = 0};
}

/* ---- what can be replaced ------------------------------------------------------------ */

/* A link to a file is followed, one to a folder refused: an exchange would replace the link. */
static bool is_link(const char *path)
{
    struct stat info;
    return !lstat(path, &info) && S_ISLNK(info.st_mode);
}

/* The folder that `path` is in can be written to. */
static pare_status check_parent(const char *path, pare_error *err)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) : 0;
    char *parent = slash ? pare_alloc_text(path, size ? size : 1) : pare_alloc_text(".", 1);
    if (!parent) return pare_fail_nomem(err);
    bool writable = !access(parent, W_OK | X_OK);
    pare_alloc_free(parent);
    if (writable) return PARE_OK;
    return pare_fail(err, PARE_E_IO,
                     "cannot replace %s: its folder is not writable; name an output instead", path);
}

/* Refuses what cannot be replaced by rename, before the first test. */
static pare_status check_place(const char *path, pare_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    if (!*base || strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
        return pare_fail(err, PARE_E_ARG,
                         "cannot replace '%s': give it as FOLDER/NAME, from outside", path);
    if (pare_file_is_directory(path) && is_link(path))
        return pare_fail(err, PARE_E_ARG,
                         "cannot replace %s, which is a link: give the folder that it points to",
                         path);
    return check_parent(path, err);
}

/* Refuses two inputs one of which lies in the other, or that are the same file. */
static pare_status check_pair(const char *one, const char *other, pare_error *err)
{
    struct stat first, second;
    if (pare_file_is_directory(other) && pare_folder_holds(other, one))
        return pare_fail(err, PARE_E_ARG, "cannot replace both %s and %s: one is in the other", one,
                         other);
    if (!stat(one, &first) && !stat(other, &second) && first.st_dev == second.st_dev &&
        first.st_ino == second.st_ino)
        return pare_fail(err, PARE_E_ARG, "cannot replace both %s and %s: they are the same file",
                         one, other);
    return PARE_OK;
}

/* Every pair, in both orders, since one may be in the other either way. Inputs are few. */
static pare_status check_places(const pare_originals *originals, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < originals->n; i++) {
        status = check_place(originals->places[i], err);
        for (size_t j = 0; !status && j < originals->n; j++)
            if (i != j) status = check_pair(originals->places[i], originals->places[j], err);
    }
    return status;
}

/* ---- what is there ------------------------------------------------------------------- */

/* Whether the number stands in the note, which has one on each line.  0 is no inode:
 * nothing is there. */
static bool is_noted(const pare_buffer *note, uint64_t inode)
{
    const char *line = note->size ? note->data : "";
    while (inode && *line) {
        char *end;
        /* The whole line has to be the number, so that 12 is not found in 123. */
        if (strtoull(line, &end, 10) == inode && *end == '\n') return true;
        line = strchr(line, '\n');
        line = line ? line + 1 : "";
    }
    return false;
}

/* Decides which of PLACE and PLACE.orig is the original, and sets *source to it. */
static pare_status find_source(const char *place, bool unfinished, const pare_buffer *note,
                               char **source, pare_error *err)
{
    pare_buffer kept = {0};
    pare_status status = pare_buffer_format(&kept, err, "%s.orig", place);
    bool is_there = !status && pare_file_exists(kept.data);
    /* Without the journal of an unfinished run it is somebody else's file. */
    if (is_there && !unfinished)
        status = pare_fail(err, PARE_E_IO,
                           "'%s' exists already and would be lost: move it away first", kept.data);
    /* It is a result that was on its way through that name when the run was killed; the original
     * is still at PLACE.  Where nothing is, it has been copied here, and its number means nothing. */
    if (is_there && !status && pare_file_exists(place) &&
        is_noted(note, pare_folder_inode(kept.data))) {
        status = pare_file_remove_tree(kept.data, err);
        is_there = false;
    }
    /* A second name of the same file: the earlier run was killed before it replaced it. */
    bool same = is_there && !status && pare_folder_inode(place) == pare_folder_inode(kept.data);
    const char *found = is_there && !same ? kept.data : place;
    if (!status) *source = pare_alloc_text(found, strlen(found));
    if (!status && !*source) status = pare_fail_nomem(err);
    pare_buffer_done(&kept);
    return status;
}

/* Reads the note.  Without one, none of the points in time that it tells of has come,
 * and *note stays empty. */
static pare_status read_note(const char *journal_dir, pare_buffer *note, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s/in-place", journal_dir);
    if (!status) pare_file_sweep(path.data);
    if (!status && pare_file_exists(path.data)) status = pare_file_read(path.data, note, err);
    pare_buffer_done(&path);
    return status;
}

/* The inputs without slashes at their ends, so that INPUT.orig can be made of them. */
static pare_status copy_places(const pare_input_options *input, pare_originals *originals,
                               pare_error *err)
{
    originals->places = pare_alloc_zero(input->n_paths, sizeof *originals->places);
    originals->sources = pare_alloc_zero(input->n_paths, sizeof *originals->sources);
    if (!originals->places || !originals->sources) return pare_fail_nomem(err);
    originals->n = input->n_paths;
    for (size_t i = 0; i < originals->n; i++) {
        size_t size = strlen(input->paths[i]);
        while (size > 1 && input->paths[i][size - 1] == '/')
            size--;
        originals->places[i] = pare_alloc_text(input->paths[i], size);
        if (!originals->places[i]) return pare_fail_nomem(err);
    }
    return PARE_OK;
}

/* Whether there is the journal of an unfinished run.  After a complete run only the
 * history is left in the journal's directory. */
static pare_status look_for_journal(const char *journal_dir, bool *is_there, pare_error *err)
{
    pare_buffer path = {0};
    if (!journal_dir) return PARE_OK;
    pare_status status = pare_buffer_format(&path, err, "%s/journal", journal_dir);
    *is_there = !status && pare_file_exists(path.data);
    pare_buffer_done(&path);
    return status;
}

/* Before anything is read: the sources are what is read as the inputs. */
pare_status pare_in_place_find_originals(const pare_input_options *input, const char *journal_dir,
                                         pare_originals *originals, pare_error *err)
{
    pare_buffer note = {0};
    bool unfinished = false;
    pare_status status = look_for_journal(journal_dir, &unfinished, err);
    if (!status) status = copy_places(input, originals, err);
    if (!status) status = check_places(originals, err);
    if (!status && unfinished) status = read_note(journal_dir, &note, err);
    for (size_t i = 0; !status && i < originals->n; i++)
        status = find_source(originals->places[i], unfinished, &note, &originals->sources[i], err);
    pare_buffer_done(&note);
    return status;
}
