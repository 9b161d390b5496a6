/* Second names for what a result is about to replace, PATH.~1~ and so on.
 *
 * A file's second name is a hard link, so that the path is never without a file; where the file
 * system has none, or the path is a link to another one, it is a copy.  A folder is moved.
 * Invariant: a file whose digest is not in the note is never replaced before it has a second
 * name.  The note is written before the file, and holds two digests: of what comes and of what is there,
 * so that one of them is true whenever we are killed.  What comes takes the place of what is there only
 * when that has been written: a write that failed, or was never made, leaves the older one true.
 * Source: the names are those of GNU's --backup=numbered. */
#include "session/output/output_backup.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/vector.h"
#include "os/file.h"
#include "os/folder.h"
#include "os/sync.h"
#include "text/layout.h"
#include "text/text.h"

/* The note: two digests of each file. No path has that many copies; the bound ends a search that
 * would not. */
enum { NOTE_BYTES = PARE_OUTPUT_BACKUP_FILES * 2 * PARE_DIGEST_TEXT_BYTES, MOST_COPIES = 1000000 };

/* ---- the note ------------------------------------------------------------------------ */

/* Beside the journal, whose key tells whether the note is that of this reduction. */
static pare_status name_note(const char *journal_dir, pare_buffer *path, pare_error *err)
{
    return pare_buffer_format(path, err, "%s/written", journal_dir);
}

/* A note that is not whole counts as none: then a result of ours is kept as if it were somebody
 * else's, which loses nothing. */
static void read_note(pare_output_backup *backup)
{
    _Static_assert(sizeof backup->written == NOTE_BYTES, "digests stand one after the other");
    ssize_t n = pread(backup->note, backup->written, NOTE_BYTES, 0);
    if (n != NOTE_BYTES) memset(backup->written, 0, sizeof backup->written);
}

/* The note stays open: it is written again with each success, in one write of one block. */
pare_status pare_output_backup_open(pare_output_backup *backup, const char *journal_dir,
                                    bool resumed, pare_sync sync, pare_error *err)
{
    pare_buffer path = {0};
    *backup = (pare_output_backup){
        .is_open = true, .on = true, .resumed = resumed, .note = -1, .sync = sync};
    if (!journal_dir) return PARE_OK;
    pare_status status = name_note(journal_dir, &path, err);
    if (!status) {
        /* The note of another reduction would call its results ours. */
        int fresh = resumed ? 0 : O_TRUNC;
        backup->note = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC | fresh, 0666);
        if (backup->note < 0)
            status = pare_fail_errno(err, errno, "cannot write %s", path.data);
        else
            read_note(backup);
    }
    pare_buffer_done(&path);
    return status;
}

/* All-zero, and one that was closed already, is left alone. */
void pare_output_backup_close(pare_output_backup *backup)
{
    if (backup->is_open && backup->note >= 0) (void)close(backup->note);
    for (size_t i = 0; i < PARE_OUTPUT_BACKUP_FILES; i++) {
        pare_alloc_free(backup->file[i].path);
        for (size_t k = 0; k < backup->file[i].n_kept; k++)
            pare_alloc_free(backup->file[i].kept[k].text);
        pare_alloc_free(backup->file[i].kept);
    }
    *backup = (pare_output_backup){.on = false};
}

/* A note that cannot be removed tells only of results that are gone. */
void pare_output_backup_drop(const char *journal_dir)
{
    pare_buffer path = {0};
    if (journal_dir && !name_note(journal_dir, &path, NULL)) (void)unlink(path.data);
    pare_buffer_done(&path);
}

/* Writes down what will be written next.
 * Where a result that is not known ends the run, the note has to survive a loss of
 * power whenever the result does; elsewhere the result is kept once more then, under a
 * second name.
 * What was announced last is what is there now only if it was written; a write that
 * failed leaves the older digest true. */
static pare_status announce(pare_output_backup *backup, pare_output_backup_file file,
                            pare_digest next, pare_error *err)
{
    assert(backup->is_open && file < PARE_OUTPUT_BACKUP_FILES);
    char(*written)[PARE_DIGEST_TEXT_BYTES] = backup->written[file];
    if (backup->file[file].is_written) memcpy(written[1], written[0], sizeof written[0]);
    backup->file[file].is_written = false;
    pare_digest_text(next, written[0]);
    if (backup->note < 0) return PARE_OK;
    int failed = 0;
    if (pwrite(backup->note, backup->written, NOTE_BYTES, 0) != NOTE_BYTES) failed = errno;
    if (!failed && backup->refuses) failed = pare_sync_descriptor(backup->note, backup->sync);
    if (!failed) return PARE_OK;
    return pare_fail_errno(err, failed, "cannot write into the journal's directory");
}

/* From now on what was announced is what is there. */
void pare_output_backup_wrote(pare_output_backup *backup, pare_output_backup_file file)
{
    backup->file[file].is_written = true;
}

/* The same digest as that of a candidate with these bytes, so that the two can be compared. */
static pare_status digest_of(const char *path, pare_digest *digest, pare_error *err)
{
    pare_hash hash = {{0}};
    size_t size = 0;
    pare_status status = pare_file_hash(path, &hash, &size, err);
    if (!status) *digest = pare_digest_of(hash, size);
    return status;
}

/* The later of the two that matches was written; if it is the other, the later one
 * never came, and the next announcement takes its place. */
bool pare_output_backup_knows(pare_output_backup *backup, pare_output_backup_file file,
                              pare_digest there)
{
    char text[PARE_DIGEST_TEXT_BYTES];
    pare_digest_text(there, text);
    for (size_t i = 0; i < 2; i++) {
        if (memcmp(backup->written[file][i], text, sizeof text) != 0) continue;
        backup->file[file].is_written = i == 0;
        return true;
    }
    return false;
}

/* Notes that keeping a file failed, for instance because its name could not be synced. */
void pare_output_backup_failed(pare_output_backup *backup, pare_output_backup_file file,
                               const char *path)
{
    pare_digest there;
    if (!digest_of(path, &there, NULL)) (void)pare_output_backup_knows(backup, file, there);
}

/* The note on disk stays true until the next write. */
void pare_output_backup_disown(pare_output_backup *backup)
{
    memset(backup->written, 0, sizeof backup->written);
    backup->resumed = false;
    backup->is_disowned = true;
}

/* ---- names --------------------------------------------------------------------------- */

/* The number of `name`, if that is BASE.~NUMBER~; else 0. */
static unsigned long number_of(const char *name, const char *base, size_t size)
{
    char *end;
    if (strncmp(name, base, size) != 0 || strncmp(name + size, ".~", 2) != 0) return 0;
    /* Signs, blanks and leading zeros, which strtoul would accept, are not ours. */
    if (name[size + 2] < '1' || name[size + 2] > '9') return 0;
    unsigned long number = strtoul(name + size + 2, &end, 10);
    return strcmp(end, "~") == 0 && number < MOST_COPIES ? number : 0;
}

/* Sets *number to the largest that follows `path`'s name already, 0 if none does, and
 * *same to the one that is the file `from` itself, if a run was killed when it had two names. */
static pare_status look(const char *path, const char *from, unsigned long *number,
                        pare_buffer *same, pare_error *err)
{
    pare_folder_names names = {.n = 0};
    pare_buffer folder = {0}, other = {0};
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t size = strlen(base), at = (size_t)(base - path);
    uint64_t inode = pare_folder_inode(from);
    *number = 0;
    pare_status status =
        slash ? pare_buffer_add(&folder, path, at, err) : pare_buffer_text(&folder, ".", err);
    if (!status) status = pare_folder_names_read(&names, folder.data, err);
    for (size_t i = 0; !status && i < names.n; i++) {
        unsigned long found = number_of(names.items[i], base, size);
        if (!found) continue;
        /* The largest and not the first free one, as GNU's tools do it: later copies have larger
         * numbers. */
        if (found > *number) *number = found;
        pare_buffer_reset(&other);
        status = pare_buffer_format(&other, err, "%.*s%s", (int)at, path, names.items[i]);
        if (!status && pare_folder_inode(other.data) == inode)
            status = pare_buffer_text(same, other.data, err);
    }
    pare_folder_names_done(&names);
    pare_buffer_done(&folder);
    pare_buffer_done(&other);
    return status;
}

/* Gives it the name `to`, if that is free.  Returns 0 or an errno.
 * EEXIST: the name is taken.  After any other failure, as of a file system without second names,
 * it is a copy. */
static int rename_or_link(const char *path, const char *to, bool folder)
{
    if (folder) return pare_file_rename_free(path, to);
    if (!linkat(AT_FDCWD, path, AT_FDCWD, to, AT_SYMLINK_FOLLOW)) return 0;
    return errno == EEXIST ? EEXIST : pare_file_copy(path, to, PARE_SYNC_NEVER);
}

/* Remembers both names, for the sentence at the end and for the comparison.
 * Text that is half remembered is freed by the close. */
static pare_status remember(pare_output_backup *backup, pare_output_backup_file file,
                            const char *path, const char *kept, pare_error *err)
{
    pare_output_backup_name *names =
        pare_vector_grow(backup->file[file].kept, backup->file[file].n_kept,
                         &backup->file[file].capacity, sizeof *names);
    if (!names) return pare_fail_nomem(err);
    backup->file[file].kept = names;
    if (!backup->file[file].path) backup->file[file].path = pare_alloc_text(path, strlen(path));
    char *text = pare_alloc_text(kept, strlen(kept));
    if (text) names[backup->file[file].n_kept++] = (pare_output_backup_name){.text = text};
    return backup->file[file].path && text ? PARE_OK : pare_fail_nomem(err);
}

/* Gives `from`, which is at `path` or was there until now, a second name. */
static pare_status keep(pare_output_backup *backup, pare_output_backup_file file, const char *path,
                        const char *from, pare_error *err)
{
    pare_buffer kept = {0};
    unsigned long number;
    pare_status status = look(path, from, &number, &kept, err);
    const bool folder = backup->file[file].folder;
    /* A file that has its second name already needs nothing. */
    int failed = kept.size ? 0 : EEXIST;
    /* Somebody may take the name between the look and the link: then the next one is tried. */
    while (!status && failed == EEXIST && ++number < MOST_COPIES) {
        pare_buffer_reset(&kept);
        status = pare_buffer_format(&kept, err, "%s.~%lu~", path, number);
        if (!status) failed = rename_or_link(from, kept.data, folder);
    }
    if (!status && !failed) failed = pare_sync_path(kept.data, backup->sync);
    if (!status && !failed) failed = pare_sync_name(kept.data, backup->sync);
    if (!status && failed)
        status = pare_fail_errno(err, failed, "cannot keep what is at %s: move it away", path);
    if (!status) status = remember(backup, file, path, kept.data, err);
    pare_buffer_done(&kept);
    return status;
}

/* ---- files ----------------------------------------------------------------------------- */

/* Looks once only: after the first write what is there is ours. What equals the next result is
 * lost by nobody. */
pare_status pare_output_backup_keep(pare_output_backup *backup, pare_output_backup_file file,
                                    const char *path, pare_digest next, pare_error *err)
{
    pare_digest there;
    pare_status status = PARE_OK;
    if (!backup->is_open) return PARE_OK;
    if (backup->on && !backup->file[file].looked && pare_file_is_regular(path)) {
        status = digest_of(path, &there, err);
        if (!status && !pare_output_backup_knows(backup, file, there) &&
            !pare_digest_equal(there, next))
            status = keep(backup, file, path, path, err);
    }
    backup->file[file].looked = true;
    return status ? status : announce(backup, file, next, err);
}

/* What cannot be read counts as edited: better a run that ends than an edit that is
 * lost. */
bool pare_output_backup_is_edited(pare_output_backup *backup, pare_output_backup_file file,
                                  const char *path, pare_digest original)
{
    pare_digest there;
    if (!backup->is_open || !backup->resumed || !pare_file_is_regular(path)) return false;
    if (!backup->refuses && !backup->written[file][0][0]) return false;
    if (digest_of(path, &there, NULL)) return true;
    return !pare_output_backup_knows(backup, file, there) && !pare_digest_equal(there, original);
}

/* An empty folder holds nothing to keep. */
pare_status pare_output_backup_keep_folder(pare_output_backup *backup, const char *path,
                                           bool is_edited, pare_digest next, pare_error *err)
{
    pare_folder_names names = {.n = 0};
    pare_status status = PARE_OK;
    if (!backup->on) return PARE_OK;
    backup->file[PARE_OUTPUT_BACKUP_RESULT].folder = true;
    if (!backup->file[PARE_OUTPUT_BACKUP_RESULT].looked && pare_folder_is_plain(path) &&
        (is_edited || !backup->resumed)) {
        status = pare_folder_names_read(&names, path, err);
        if (!status && names.n) status = keep(backup, PARE_OUTPUT_BACKUP_RESULT, path, path, err);
        pare_folder_names_done(&names);
    }
    backup->file[PARE_OUTPUT_BACKUP_RESULT].looked = true;
    return status ? status : announce(backup, PARE_OUTPUT_BACKUP_RESULT, next, err);
}

/* The guard of the write asks twice, so what has a second name already gets no other. */
pare_status pare_output_backup_keep_edit(pare_output_backup *backup, pare_output_backup_file file,
                                         const char *path, const char *from, pare_error *err)
{
    const size_t n = backup->file[file].n_kept;
    backup->file[file].folder = pare_folder_is_plain(from);
    for (size_t k = 0; k < n; k++)
        if (pare_folder_inode(backup->file[file].kept[k].text) == pare_folder_inode(from))
            return PARE_OK;
    pare_status status = keep(backup, file, path, from, err);
    /* That it was an edit is told at the end in other words than a result that was
     * there before. */
    if (backup->file[file].n_kept > n) backup->file[file].kept[n].is_edit = true;
    return status;
}

/* ---- the end ----------------------------------------------------------------------------- */

/* A digest of all that is in a folder, as it would be read for a reduction. */
static pare_status digest_of_folder(const char *path, pare_digest *digest, pare_error *err)
{
    static const char *const name = "result";
    pare_layout *layout = NULL;
    pare_text *text = NULL;
    pare_status status = pare_layout_open(&path, &name, 1, &layout, err);
    if (!status) status = pare_layout_text(layout, &path, &text, err);
    if (!status) *digest = pare_layout_identity(layout, pare_text_digest(text));
    pare_text_unref(text);
    pare_layout_free(layout);
    return status;
}

/* A file that cannot be read counts as different. */
static bool is_same(const char *path, const char *kept, bool folder)
{
    pare_digest a, b;
    pare_status status = folder ? digest_of_folder(path, &a, NULL) : digest_of(path, &a, NULL);
    if (!status) status = folder ? digest_of_folder(kept, &b, NULL) : digest_of(kept, &b, NULL);
    return !status && pare_digest_equal(a, b);
}

/* A file that has gone is removed, too. */
static pare_status remove_copy(const char *path, bool is_folder, pare_error *err)
{
    if (is_folder) return pare_file_remove_tree(path, err);
    return unlink(path) && errno != ENOENT ? pare_fail_errno(err, errno, "cannot remove %s", path)
                                           : PARE_OK;
}

/* Goes on when a copy cannot be removed, which is then left; the last failure is reported. */
pare_status pare_output_backup_finish(pare_output_backup *backup, pare_error *err)
{
    pare_status result = PARE_OK;
    for (size_t i = 0; i < PARE_OUTPUT_BACKUP_FILES; i++) {
        const char *path = backup->file[i].path;
        pare_output_backup_name *names = backup->file[i].kept;
        const bool is_folder = backup->file[i].folder;
        size_t n_left = 0;
        for (size_t k = 0; k < backup->file[i].n_kept; k++) {
            const bool goes = path && is_same(path, names[k].text, is_folder);
            const pare_status status = goes ? remove_copy(names[k].text, is_folder, err) : PARE_OK;
            if (status) result = status;
            if (goes && !status)
                pare_alloc_free(names[k].text);
            else
                names[n_left++] = names[k];
        }
        assert(n_left <= backup->file[i].n_kept);
        backup->file[i].n_kept = n_left;
    }
    return result;
}
