/* The inputs: files, folders or standard input, and the INPUT.orig that --in-place keeps.
 *
 * INPUT.orig is made before anything is reduced, and is a copy.  A hard link would cost less, but
 * both names would be one file: an editor that writes into INPUT, or a test that changes it by its
 * name, would change the original as well.  If the file system can share blocks, the copy takes no
 * space.
 * Invariant: from then on INPUT.orig has the bytes that the user gave us, until it is dropped because
 * INPUT is unchanged.  An INPUT.orig that exists is never overwritten. */
#include "cli/inputs.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/reduce.h>
#include <pare/sync.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "cli/paths.h"
#include "os/file.h"
#include "os/sync.h"
#include "ui/format.h"

/* Bytes of a path in a message; bytes that are read at once. */
enum { SHOWN_BYTES = 400, CHUNK_BYTES = 1 << 16 };

/* Follows links.  For trailing slashes and for names of outputs only: what is read is the
 * library's affair. */
static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Whether there is a folder, or a file, called `path`, or in place what an unfinished run has
 * kept of it.  In place INPUT.orig counts as well: a run that was killed may have left nothing
 * else. */
static pare_status look(const char *path, bool in_place, bool *is_there, bool *folder,
                        pare_error *err)
{
    pare_buffer kept = {0};
    /* Readable or not: the library says more about why it cannot be read. */
    *is_there = access(path, F_OK) == 0;
    *folder = is_folder(path);
    if (!in_place || *is_there) return PARE_OK;
    pare_status status = pare_buffer_format(&kept, err, "%s.orig", path);
    if (status) return status;
    *is_there = access(kept.data, F_OK) == 0;
    *folder = is_folder(kept.data);
    pare_buffer_done(&kept);
    return PARE_OK;
}

/* A shell's completion leaves a slash after a folder's name. */
static size_t size_without_slashes(const char *path)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    return size;
}

/* What one of several operands is at fault for, in words of the form that it is an operand of.
 * With one operand the library says what is wrong with it; with several the mistake is most
 * often a TEST that was not quoted, which only the command line knows. */
static pare_status check_one(const char *path, bool in_place, pare_inputs_form form,
                             pare_error *err)
{
    char shown[SHOWN_BYTES];
    bool is_there, folder;
    pare_status status = look(path, in_place, &is_there, &folder, err);
    if (status || is_there) return status;
    if (strcmp(path, "-") == 0)
        return pare_fail(err, PARE_E_ARG,
                         "'-' is standard input only when it is the one INPUT: save it to a file");
    pare_format_name(shown, sizeof shown, path);
    if (form == PARE_INPUTS_OF_PROGRAM)
        return pare_fail(err, PARE_E_ARG, "'%s' does not exist: everything before '--' is an input",
                         shown);
    if (form == PARE_INPUTS_OF_WORKER)
        return pare_fail(
            err, PARE_E_ARG,
            "'%s' does not exist: with '--worker' all operands are inputs, and there is no TEST",
            shown);
    return pare_fail(err, PARE_E_ARG,
                     "there are more operands than TEST and INPUT, and '%s' does not exist (quote "
                     "a TEST with arguments): pare reduce TEST INPUT... [options]",
                     shown);
}

/* One file stays where it is: the library reads it.  A folder, or several operands, become the
 * list of inputs.  Paths are copied because trailing slashes are cut: results are named after
 * them. */
pare_status pare_inputs_read(pare_settings *settings, const char *const *operands, size_t n,
                             pare_inputs_form form, pare_error *err)
{
    char *first = NULL;
    bool is_there, folder = false;
    if (n == 1) {
        /* A copy, since argv is not ours to cut. */
        first = pare_alloc_text(operands[0], size_without_slashes(operands[0]));
        if (!first) return pare_fail_nomem(err);
    }
    pare_status status = first ? look(first, settings->in_place, &is_there, &folder, err) : PARE_OK;
    pare_alloc_free(first);
    if (status || (n == 1 && !folder)) return status;
    settings->inputs = pare_alloc_zero(n, sizeof *settings->inputs);
    if (!settings->inputs) return pare_fail_nomem(err);
    settings->reduce.input.n_paths = n;
    for (size_t i = 0; !status && i < n; i++) {
        if (n > 1) status = check_one(operands[i], settings->in_place, form, err);
        if (status) break;
        settings->inputs[i] = pare_alloc_text(operands[i], size_without_slashes(operands[i]));
        if (!settings->inputs[i]) status = pare_fail_nomem(err);
    }
    settings->reduce.input.paths = (const char *const *)settings->inputs;
    return status;
}

/* One of several cannot be: it has no name of its own. */
bool pare_inputs_is_standard(const char *const *operands, size_t n)
{
    return n == 1 && strcmp(operands[0], "-") == 0;
}

/* Appends what is left of the open `file` to `bytes`; `path` is its name, NULL for standard
 * input.  Its size is not asked for: a pipe has none.  One byte more than asked for is
 * reserved by the buffer, so the NUL always fits. */
static pare_status read_all(FILE *file, const char *path, pare_buffer *bytes, pare_error *err)
{
    for (;;) {
        pare_status status = pare_buffer_reserve(bytes, CHUNK_BYTES, err);
        if (status) return status;
        size_t n = fread(bytes->data + bytes->size, 1, CHUNK_BYTES, file);
        bytes->size += n;
        bytes->data[bytes->size] = '\0';
        /* A chunk that is not full is the last one, or there was an error. */
        if (n == CHUNK_BYTES) continue;
        if (!ferror(file)) return PARE_OK;
        return path ? pare_fail_errno(err, errno, "cannot read '%s'", path)
                    : pare_fail_errno(err, errno, "cannot read standard input");
    }
}

/* All of it is read before the run: a reduction needs its whole input.  Somebody who waits at
 * a terminal is told what for.  The suffix of a named result tells the language of the text,
 * which has no name itself. */
pare_status pare_inputs_read_standard(pare_settings *settings, const char *output, pare_error *err)
{
    pare_buffer *bytes = &settings->standard_input;
    settings->is_standard_input = true;
    if (settings->in_place)
        return pare_fail(err, PARE_E_ARG,
                         "'--in-place' replaces a file, not standard input: name a result with -o");
    if (isatty(STDIN_FILENO)) fputs("reading standard input; Ctrl-D ends it\n", stderr);
    pare_status status = read_all(stdin, NULL, bytes, err);
    if (!status)
        status = pare_buffer_format(&settings->text_name, err, "stdin%s",
                                    output ? pare_paths_extension(output) : "");
    settings->reduce.input.bytes = bytes->data;
    settings->reduce.input.size_bytes = bytes->size;
    return status;
}

/* Whether there is anything in the folder.  A folder that cannot be read counts as empty: the
 * library fails on it with a better sentence. */
static bool holds_any(const char *path)
{
    DIR *folder = opendir(path);
    bool any = false;
    for (const struct dirent *entry; folder && !any && (entry = readdir(folder));)
        any = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder) closedir(folder);
    return any;
}

/* A folder with a journal beside it is the result of an unfinished run, an empty one holds
 * nothing to lose.  A result is never written into a folder that holds something else. */
pare_status pare_inputs_check_output(const pare_settings *settings, pare_error *err)
{
    char shown[SHOWN_BYTES];
    const pare_reduce_options *reduce = &settings->reduce;
    if (!reduce->input.n_paths || !settings->is_output_named || settings->in_place) return PARE_OK;
    bool unfinished = pare_paths_has_journal(reduce->output.journal_dir);
    if (unfinished || !is_folder(reduce->output.path) || !holds_any(reduce->output.path))
        return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "'%s' is not empty and would be replaced: remove it, or name another folder",
                     pare_format_name(shown, sizeof shown, reduce->output.path));
}

/* All-zero is ended, too. */
void pare_inputs_backup_done(pare_backup *backup)
{
    pare_buffer_done(&backup->path);
    pare_buffer_done(&backup->resumed);
}

/* From its beginning to its end, whatever size it has. */
static pare_status read_file(const char *path, pare_buffer *bytes, pare_error *err)
{
    FILE *file = fopen(path, "rbe");
    if (!file) return pare_fail_errno(err, errno, "cannot read '%s'", path);
    pare_status status = read_all(file, path, bytes, err);
    fclose(file);
    return status;
}

/* Decides what an INPUT.orig that is there already means.  The journal is what tells an
 * unfinished run of ours from a file of the user's that happens to be called so. */
static pare_status resume(pare_backup *backup, const char *journal_dir, pare_error *err)
{
    char shown[SHOWN_BYTES];
    if (!pare_paths_has_journal(journal_dir))
        return pare_fail(err, PARE_E_IO,
                         "'%s' exists already and would be lost: move it away first",
                         pare_format_name(shown, sizeof shown, backup->path.data));
    backup->is_resumed = true;
    return read_file(backup->path.data, &backup->resumed, err);
}

/* Whether two files hold the same bytes; what cannot be read differs. */
static bool hold_the_same(const char *a, const char *b)
{
    struct stat first, second;
    pare_hash hashes[2] = {{{0}}, {{0}}};
    size_t sizes[2] = {0};
    if (stat(a, &first) || stat(b, &second) || first.st_size != second.st_size) return false;
    if (first.st_dev == second.st_dev && first.st_ino == second.st_ino) return true;
    return pare_file_hash(a, &hashes[0], &sizes[0], NULL) == PARE_OK &&
           pare_file_hash(b, &hashes[1], &sizes[1], NULL) == PARE_OK &&
           pare_digest_equal(pare_digest_of(hashes[0], sizes[0]),
                             pare_digest_of(hashes[1], sizes[1]));
}

/* Where the disk has no room for a copy, the second name is a hard link. */
static int copy_or_link(const char *from, const char *to, pare_sync sync)
{
    int failed = pare_file_copy(from, to, sync);
    if (failed != ENOSPC && failed != EDQUOT) return failed;
    failed = linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW) ? errno : 0;
    if (!failed) failed = pare_sync_path(to, sync);
    return failed ? failed : pare_sync_name(to, sync);
}

/* An INPUT.orig that is there and equals INPUT was left by a run that was killed before it had replaced
 * anything, or is a copy of the user's: either way it is what INPUT is now. */
static pare_status make_backup(pare_backup *backup, const char *input_path, const char *journal_dir,
                               pare_sync sync, pare_error *err)
{
    const char *kept = backup->path.data;
    pare_file_sweep(kept);
    if (pare_file_exists(kept))
        return hold_the_same(input_path, kept) ? PARE_OK : resume(backup, journal_dir, err);
    const int failed = copy_or_link(input_path, kept, sync);
    backup->is_made = !failed;
    /* Somebody else has made it just now: another run in the same place. */
    if (failed == EEXIST) return resume(backup, journal_dir, err);
    return failed ? pare_fail_errno(err, failed, "cannot keep the input as '%s'", kept) : PARE_OK;
}

pare_status pare_inputs_back_up(pare_backup *backup, const char *input_path,
                                const char *journal_dir, pare_sync sync, pare_error *err)
{
    assert(!backup->path.data && !backup->is_resumed); /* all-zero before */
    pare_status status = pare_buffer_format(&backup->path, err, "%s.orig", input_path);
    return status ? status : make_backup(backup, input_path, journal_dir, sync, err);
}

/* After a run without any success nothing is to be kept.  By content: INPUT may have been written again
 * as it was, and an edit of the user's may have the size of the original. */
void pare_inputs_drop_backup(const pare_backup *backup, const char *input_path)
{
    if (backup->is_made && hold_the_same(input_path, backup->path.data))
        (void)unlink(backup->path.data);
}
