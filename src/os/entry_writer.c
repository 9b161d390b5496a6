/* Writing entries: through paths that we made ourselves, below a folder that was empty. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/entries.h"
#include "os/gather.h"

enum { OWNER = 0700 };

/* Where the entry goes, seen from the folder; NULL: it is the folder. */
static const char *place_of(const pare_entry_writer *writer, uint32_t index)
{
    const char *path = writer->entries[index].path;
    return strlen(path) < writer->strip ? NULL : path + writer->strip;
}

int pare_entry_writer_start(pare_entry_writer *writer, const pare_entries *entries, int folder,
                            size_t strip)
{
    writer->entries = entries->items;
    writer->n = entries->n;
    writer->folder = folder;
    writer->strip = strip;
    writer->input = PARE_NO_ENTRY;
    writer->fd = -1;
    writer->made = pare_alloc_zero(entries->n, 1);
    return writer->made ? 0 : ENOMEM;
}

/* Makes a folder for us to fill; its own mode comes last, as it may forbid that. */
static int make_folder(pare_entry_writer *writer, uint32_t index)
{
    const char *place = place_of(writer, index);
    if (writer->made[index]) return 0;
    if (place && mkdirat(writer->folder, place, OWNER)) return errno;
    writer->made[index] = 1;
    return 0;
}

/* Makes the folders that entry `index` is in, the outermost first. */
static int make_parents(pare_entry_writer *writer, uint32_t index)
{
    uint32_t above = writer->entries[index].parent;
    while (above != PARE_NO_ENTRY && !writer->made[above]) {
        uint32_t top = above; /* the outermost one that is missing */
        for (uint32_t up = above; up != PARE_NO_ENTRY && !writer->made[up];
             up = writer->entries[up].parent)
            top = up;
        int failed = make_folder(writer, top);
        if (failed) return failed;
    }
    return 0;
}

static pare_entry_record record_of(const struct stat *info)
{
    return (pare_entry_record){.inode = info->st_ino,
                               .size = (uint64_t)info->st_size,
                               .changed_ns = (int64_t)info->st_mtim.tv_sec * 1000000000 +
                                             info->st_mtim.tv_nsec};
}

static int close_file(pare_entry_writer *writer)
{
    struct stat info;
    if (writer->fd < 0) return 0;
    int failed = pare_gather_finish(&writer->gather);
    if (!failed && writer->records) {
        if (fstat(writer->fd, &info)) failed = errno;
        if (!failed) writer->records[writer->file] = record_of(&info);
    }
    if (close(writer->fd) && !failed) failed = errno;
    writer->fd = -1;
    return failed;
}

static int open_file(pare_entry_writer *writer, uint32_t index, const char *place)
{
    mode_t mode = writer->entries[index].mode;
    writer->file = index;
    writer->fd =
        openat(writer->folder, place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (writer->fd < 0) return errno;
    pare_gather_start(&writer->gather, writer->fd);
    return fchmod(writer->fd, mode) ? errno : 0; /* whatever the umask is */
}

int pare_entry_writer_begin(pare_entry_writer *writer, uint32_t index)
{
    const pare_entry *entry = &writer->entries[index];
    const char *place = place_of(writer, index);
    int failed = close_file(writer);
    if (!failed) failed = make_parents(writer, index);
    if (failed) return failed;
    switch (entry->kind) {
    case PARE_ENTRY_FOLDER: return make_folder(writer, index);
    case PARE_ENTRY_LINK: return symlinkat(entry->target, writer->folder, place) ? errno : 0;
    case PARE_ENTRY_FILE: break;
    case PARE_ENTRY_ARGUMENT:
    case PARE_ENTRY_VARIABLE: return 0; /* not on disk */
    }
    return open_file(writer, index, place);
}

int pare_entry_writer_link(pare_entry_writer *writer, uint32_t index, int previous)
{
    struct stat info;
    const pare_entry_record *was = &writer->records[index];
    const char *place = place_of(writer, index);
    int failed = close_file(writer);
    if (failed) return failed;
    if (!was->inode || fstatat(previous, place, &info, AT_SYMLINK_NOFOLLOW)) return ENOENT;
    pare_entry_record is = record_of(&info);
    if (is.inode != was->inode || is.size != was->size || is.changed_ns != was->changed_ns ||
        (info.st_mode & 0777) != writer->entries[index].mode)
        return ENOENT;
    failed = make_parents(writer, index);
    if (failed) return failed;
    return linkat(previous, place, writer->folder, place, 0) ? errno : 0;
}

int pare_entry_writer_add(pare_entry_writer *writer, const void *bytes, size_t size)
{
    return writer->fd < 0 ? 0 : pare_gather_add(&writer->gather, bytes, size);
}

/* Gives the folders their modes, the innermost first. */
static int set_modes(const pare_entry_writer *writer)
{
    for (size_t i = writer->n; i-- > 0;) {
        if (!writer->made[i]) continue;
        const char *place = place_of(writer, (uint32_t)i);
        if (place && writer->entries[i].mode == OWNER) continue;
        int failed = place ? fchmodat(writer->folder, place, writer->entries[i].mode, 0)
                           : fchmod(writer->folder, writer->entries[i].mode);
        if (failed) return errno;
    }
    return 0;
}

int pare_entry_writer_end(pare_entry_writer *writer)
{
    int failed = close_file(writer);
    for (uint32_t i = 0; !failed && i < writer->n; i = writer->entries[i].behind) {
        bool wanted = writer->input == PARE_NO_ENTRY || writer->entries[i].input == writer->input;
        if (wanted && writer->entries[i].kind == PARE_ENTRY_FOLDER) failed = make_folder(writer, i);
    }
    return failed ? failed : set_modes(writer);
}

void pare_entry_writer_done(pare_entry_writer *writer)
{
    if (writer->fd >= 0) (void)close(writer->fd);
    pare_release(writer->made);
    *writer = (pare_entry_writer){.fd = -1};
}
