/* A second name for the input: the result is put in place by rename, so the
 * hard link keeps the old bytes at no cost.  Where the file system has no hard
 * links, a copy. */
#include "cli/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "ui/format.h"

enum { SHOWN_BYTES = 400, CHUNK_BYTES = 1 << 16 };

void pare_backup_done(pare_backup *backup)
{
    pare_buffer_done(&backup->path);
    pare_buffer_done(&backup->resumed);
}

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* Appends the content of the open `file` to `bytes`. */
static pare_status read_rest(FILE *file, pare_buffer *bytes, const char *path, pare_error *err)
{
    for (;;) {
        pare_status status = pare_buffer_reserve(bytes, CHUNK_BYTES, err);
        if (status != PARE_OK) return status;
        size_t n = fread(bytes->data + bytes->size, 1, CHUNK_BYTES, file);
        bytes->size += n;
        bytes->data[bytes->size] = '\0';
        if (n < CHUNK_BYTES)
            return ferror(file) ? pare_fail_errno(err, errno, "cannot read '%s'", path) : PARE_OK;
    }
}

static pare_status read_file(const char *path, pare_buffer *bytes, pare_error *err)
{
    FILE *file = fopen(path, "rbe");
    if (!file) return pare_fail_errno(err, errno, "cannot read '%s'", path);
    pare_status status = read_rest(file, bytes, path, err);
    fclose(file);
    return status;
}

static pare_status write_new_file(const char *path, const pare_buffer *bytes, pare_error *err)
{
    FILE *file = fopen(path, "wbxe");
    if (!file) return pare_fail_errno(err, errno, "cannot create '%s'", path);
    bool written = fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    bool synced = written && fflush(file) == 0 && fsync(fileno(file)) == 0;
    int reason = errno;
    if (fclose(file) == 0 && synced) return PARE_OK;
    unlink(path);
    return pare_fail_errno(err, reason, "cannot write '%s'", path);
}

static pare_status copy(const char *from, const char *to, pare_error *err)
{
    pare_buffer bytes = {0};
    pare_status status = read_file(from, &bytes, err);
    if (status == PARE_OK) status = write_new_file(to, &bytes, err);
    pare_buffer_done(&bytes);
    return status;
}

/* Decides what an INPUT.orig that is there already means. */
static pare_status resume(pare_backup *backup, const char *journal_dir, pare_error *err)
{
    char shown[SHOWN_BYTES];
    if (!journal_dir || !exists(journal_dir))
        return pare_fail(err, PARE_E_IO,
                         "'%s' exists already and would be lost: move it away first",
                         pare_format_name(shown, sizeof shown, backup->path.data));
    backup->is_resumed = true;
    return read_file(backup->path.data, &backup->resumed, err);
}

/* Killed right after the link was made, we have left both names on one file. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && lstat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

pare_status pare_backup_make(pare_backup *backup, const char *input_path, const char *journal_dir,
                             pare_error *err)
{
    pare_status status = pare_buffer_format(&backup->path, err, "%s.orig", input_path);
    if (status != PARE_OK) return status;
    /* Of a link, what it leads to: that is what is replaced. */
    if (linkat(AT_FDCWD, input_path, AT_FDCWD, backup->path.data, AT_SYMLINK_FOLLOW) == 0)
        return PARE_OK;
    if (errno != EEXIST) return copy(input_path, backup->path.data, err);
    if (is_same_file(input_path, backup->path.data)) return PARE_OK;
    return resume(backup, journal_dir, err);
}

void pare_backup_drop_unneeded(const pare_backup *backup, const char *input_path)
{
    struct stat input, kept;
    if (backup->is_resumed || !backup->path.data || stat(input_path, &input) != 0 ||
        stat(backup->path.data, &kept) != 0)
        return;
    /* A result is smaller than the input, so the same size is the same file. */
    if (input.st_size == kept.st_size) unlink(backup->path.data);
}
