/* Telling what a run has put on disk from what somebody else has put there since.
 *
 * A file is known by inode, size and time of change, as they were when it was written.  Editors change
 * at least one of them, whether they write into the file or rename a new one to its place.  Where one
 * differs, contents decide: digests, since what was written last is not kept in memory.  The time of
 * the last change of the inode (ctime) says nothing: our own renames and links change it.
 *
 * What is not ours is looked at twice: a look may fail for want of a descriptor or of memory, which is
 * over the next time more often than not, and an edit is still there.
 *
 * A folder is compared entry by entry, and the names in each folder are counted: as many as are known
 * and each known one there leaves no room for another.  No path is followed through a link.
 *
 * Why not inotify: it tells of names, not of who has changed them, it loses events when its queue is
 * full, and each folder needs a watch. */
#include "session/output/user_edits.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "os/file.h"

/* Whether something was written there: a digest of zeros stands for nothing. */
static bool is_there(const pare_user_edits_file *file)
{
    return !pare_digest_equal(file->content, (pare_digest){0});
}

/* ---- files --------------------------------------------------------------------------- */

/* Sets *content to the digest of the regular file `place` below `folder`.  Those of entries begin with one
 * byte that is not in the file (text/layout.c): then `n_head` is 1, else 0. */
static bool digest_of(int folder, const char *place, size_t n_head, pare_digest *content)
{
    static const unsigned char head = 1;
    const int fd = openat(folder, place, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return false;
    pare_hash hash = pare_digest_extend((pare_hash){{0}}, &head, n_head);
    size_t size = n_head;
    const pare_status status = pare_file_hash_fd(fd, place, &hash, &size, NULL);
    (void)close(fd);
    *content = pare_digest_of(hash, size);
    return !status;
}

/* Whether the regular file `place` below `folder` is the one that was written, or has its content;
 * `n_head` as above. */
static bool is_own(const pare_user_edits_file *file, int folder, const char *place, size_t n_head)
{
    struct stat info;
    pare_digest content;
    const pare_entry_record *was = &file->record;
    if (fstatat(folder, place, &info, AT_SYMLINK_NOFOLLOW) || !S_ISREG(info.st_mode)) return false;
    const pare_entry_record is = pare_entry_record_of(&info);
    /* Another size is another content, whatever else. */
    if (was->inode && is.size != was->size) return false;
    /* The same inode that was not changed since: the content need not be read. */
    if (is.inode == was->inode && is.changed_ns == was->changed_ns) return true;
    return digest_of(folder, place, n_head, &content) && pare_digest_equal(content, file->content);
}

/* For a link, looks at the file that it leads to, since that is what would be replaced. */
static bool is_own_at(const pare_user_edits_file *file, const char *path, size_t n_head)
{
    char target[PATH_MAX];
    if (pare_file_is_absent(path)) return true;
    return realpath(path, target) && is_own(file, AT_FDCWD, target, n_head);
}

bool pare_user_edits_file_is_own(const pare_user_edits_file *file, const char *path)
{
    return !is_there(file) || is_own_at(file, path, 0) || is_own_at(file, path, 0);
}

/* If we wrote no entry there, anything that is there is an edit. */
bool pare_user_edits_entry_is_own(const pare_user_edits_file *file, const char *path)
{
    if (!is_there(file)) return pare_file_is_absent(path);
    return is_own_at(file, path, 1) || is_own_at(file, path, 1);
}

/* ---- folders ------------------------------------------------------------------------- */

/* A folder that is compared. */
struct comparison {
    const pare_user_edits_file *files;
    const pare_entry *entries;
    size_t n, strip;
    int folder;
};

/* The path of an entry below the folder; NULL for the folder itself. */
static const char *place_of(const struct comparison *of, uint32_t index)
{
    assert(index < of->n);
    const char *path = of->entries[index].path;
    return strlen(path) < of->strip ? NULL : path + of->strip;
}

/* Whether anything of entry `index` was written: of a folder, one entry in it is enough, and those
 * that were given are made in any case. */
static bool is_written(const struct comparison *of, uint32_t index)
{
    if (of->entries[index].depth == 1 && of->entries[index].kind == PARE_ENTRY_FOLDER) return true;
    for (uint32_t i = index; i < of->entries[index].after; i++)
        if (is_there(&of->files[i])) return true;
    return false;
}

/* Pipes, sockets and devices are never read as input, so one that is there is nobody's edit. */
static bool is_counted(int folder, const struct dirent *entry)
{
    struct stat info;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) return false;
    if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW)) return true;
    return S_ISREG(info.st_mode) || S_ISLNK(info.st_mode) || S_ISDIR(info.st_mode);
}

/* How many names are in the folder `place`; SIZE_MAX: it cannot be read, or is not a folder. */
static size_t count_names(int folder, const char *place)
{
    size_t n = 0;
    const int fd = openat(folder, place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *names = fd < 0 ? NULL : fdopendir(fd);
    if (!names) {
        if (fd >= 0) (void)close(fd);
        return SIZE_MAX;
    }
    for (const struct dirent *entry; (entry = readdir(names)) != NULL;)
        n += is_counted(fd, entry);
    (void)closedir(names);
    return n;
}

/* How many of the entries from `first` to `end` - 1 that are in no folder among them were written. */
static size_t count_written(const struct comparison *of, uint32_t first, size_t end)
{
    size_t n = 0;
    for (uint32_t i = first; i < end; i = of->entries[i].after) {
        assert(of->entries[i].after > i && "an entry is before those behind it");
        n += !pare_entry_is_word(&of->entries[i]) && is_written(of, i);
    }
    return n;
}

/* Whether the link at `place` leads where the entry's does. */
static bool is_same_link(int folder, const char *place, const char *target)
{
    char text[PATH_MAX];
    const ssize_t n = readlinkat(folder, place, text, sizeof text);
    return n >= 0 && (size_t)n == strlen(target) && memcmp(text, target, (size_t)n) == 0;
}

/* Whether an entry that we wrote is unchanged. For a folder only its names are counted: what is in
 * it has entries of its own. */
static bool is_entry_own(const struct comparison *of, uint32_t index)
{
    const pare_entry *entry = &of->entries[index];
    const char *place = place_of(of, index);
    switch (entry->kind) {
    case PARE_ENTRY_FILE:
        assert(place && "a file is no folder that was given");
        return is_own(&of->files[index], of->folder, place, 1);
    case PARE_ENTRY_LINK: return is_same_link(of->folder, place, entry->target);
    case PARE_ENTRY_FOLDER:
        return count_names(of->folder, place ? place : ".") ==
               count_written(of, index + 1, entry->after);
    case PARE_ENTRY_ARGUMENT:
    case PARE_ENTRY_VARIABLE: break; /* not on disk */
    }
    return true;
}

/* As pare_user_edits_folder_is_own, but looks once. */
static bool is_folder_own(const pare_user_edits_file *files, const pare_entries *entries,
                          uint32_t root, size_t strip, const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return pare_file_is_absent(path);
    const struct comparison of = {
        .files = files, .entries = entries->items, .n = entries->n, .strip = strip, .folder = fd};
    const uint32_t first = root == PARE_NO_ENTRY ? 0 : root;
    const size_t end = root == PARE_NO_ENTRY ? entries->n : entries->items[root].after;
    bool is_own = true;
    /* Several inputs lie in a folder that has no entry. */
    if (root == PARE_NO_ENTRY && strip == 0)
        /* Its names are counted here, since no entry stands for it. */
        is_own = count_names(fd, ".") == count_written(&of, 0, entries->n);
    for (uint32_t i = first; is_own && i < end; i++)
        if (is_written(&of, i)) is_own = is_entry_own(&of, i);
    (void)close(fd);
    return is_own;
}

/* Twice, since the first look may have failed for want of a descriptor. */
bool pare_user_edits_folder_is_own(const pare_user_edits_file *files, const pare_entries *entries,
                                   uint32_t root, size_t strip, const char *path)
{
    return is_folder_own(files, entries, root, strip, path) ||
           is_folder_own(files, entries, root, strip, path);
}

/* Entries of words have nothing on disk, and are copied with the others. */
void pare_user_edits_note_folder(pare_user_edits_file *files, const pare_layout_saver *saver,
                                 const pare_digest *contents, uint32_t root)
{
    const pare_entries *entries = &saver->layout->entries;
    const size_t end = root == PARE_NO_ENTRY ? entries->n : entries->items[root].after;
    for (size_t i = root == PARE_NO_ENTRY ? 0 : root; i < end; i++)
        files[i] = (pare_user_edits_file){.content = contents[i], .record = saver->records[i]};
}

/* ---- what an earlier run has left ---------------------------------------------------------- */

/* A digest over those of entries. */
struct sum {
    pare_hash hash;
    size_t size;
};

/* Words are not on disk, so they are no part of the sum. */
static void add(struct sum *sum, const pare_entry *entry, pare_digest content)
{
    if (pare_entry_is_word(entry)) return;
    sum->hash = pare_digest_extend(sum->hash, &content, sizeof content);
    sum->size += sizeof content;
}

/* The digests stand in the order of the entries, so the same contents under other names
 * are another sum. */
pare_digest pare_user_edits_sum(const pare_digest *contents, const pare_entries *entries,
                                uint32_t root)
{
    const size_t end = root == PARE_NO_ENTRY ? entries->n : entries->items[root].after;
    struct sum sum = {.size = 0};
    for (size_t i = root == PARE_NO_ENTRY ? 0 : root; i < end; i++)
        add(&sum, &entries->items[i], contents[i]);
    return pare_digest_of(sum.hash, sum.size);
}

/* Sets *file to what is at the place of an entry, in the form in which a saver notes it; all-zero:
 * nothing is there. False: something is there that no such entry can be. */
static bool find_entry(const struct comparison *of, uint32_t index, pare_user_edits_file *file)
{
    static const unsigned char head = 1;
    struct stat info;
    const pare_entry *entry = &of->entries[index];
    const char *place = place_of(of, index);
    *file = (pare_user_edits_file){.content = {0}};
    if (fstatat(of->folder, place ? place : ".", &info, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT || errno == ENOTDIR;
    /* A name that cannot be looked at for another reason counts as an edit. */
    file->record = pare_entry_record_of(&info);
    if (entry->kind == PARE_ENTRY_FILE)
        return S_ISREG(info.st_mode) && digest_of(of->folder, place, 1, &file->content);
    if (entry->kind == PARE_ENTRY_FOLDER && !S_ISDIR(info.st_mode)) return false;
    if (entry->kind == PARE_ENTRY_LINK && !is_same_link(of->folder, place, entry->target))
        return false;
    /* Folders that were given, or that hold anything, have no content of their own
     * (pare_layout_has_frame). */
    if (entry->kind == PARE_ENTRY_FOLDER && (entry->depth == 1 || entry->after > index + 1))
        return true;
    file->content = pare_digest_of(pare_digest_extend((pare_hash){{0}}, &head, 1), 1);
    return true;
}

/* The same of a file that was given; a link to one is followed. */
static bool find_file(pare_user_edits_file *file, const char *path)
{
    char target[PATH_MAX];
    struct stat info;
    if (!realpath(path, target) || lstat(target, &info) || !S_ISREG(info.st_mode)) return false;
    file->record = pare_entry_record_of(&info);
    return digest_of(AT_FDCWD, target, 1, &file->content);
}

/* The same of all entries from `first` to `end` - 1. */
static bool find_entries(struct comparison *of, pare_user_edits_file *files, uint32_t first,
                         size_t end, const char *path)
{
    bool is_found = true;
    /* A link in the place of the folder is somebody's. */
    of->folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (of->folder < 0) return false;
    for (uint32_t i = first; is_found && i < end; i++)
        if (!pare_entry_is_word(&of->entries[i])) is_found = find_entry(of, i, &files[i]);
    (void)close(of->folder);
    return is_found;
}

/* The records are correct from here on, so looking for what else is there reads no file a second
 * time. */
bool pare_user_edits_sum_there(pare_user_edits_file *files, const pare_entries *entries,
                               uint32_t root, size_t strip, const char *path, pare_digest *digest)
{
    const uint32_t first = root == PARE_NO_ENTRY ? 0 : root;
    const size_t end = root == PARE_NO_ENTRY ? entries->n : entries->items[root].after;
    struct comparison of = {
        .files = files, .entries = entries->items, .n = entries->n, .strip = strip};
    struct sum sum = {.size = 0};
    const bool is_file = root != PARE_NO_ENTRY && entries->items[root].kind == PARE_ENTRY_FILE;
    if (is_file ? !find_file(&files[root], path)
                : !find_entries(&of, files, first, end, path) ||
                      !pare_user_edits_folder_is_own(files, entries, root, strip, path))
        return false;
    for (size_t i = first; i < end; i++)
        add(&sum, &entries->items[i], files[i].content);
    *digest = pare_digest_of(sum.hash, sum.size);
    return true;
}

/* ---- the end of the run -------------------------------------------------------------- */

/* The first of NAME.min.EXT, NAME.min-2.EXT and so on that is free.
 * For "a/in.c" that is "a/in.min.c"; a name that begins with a dot has no EXT there, so
 * ".conf" becomes ".conf.min". */
static pare_status name_beside(const char *path, pare_buffer *beside, pare_error *err)
{
    enum { MOST = 10000 };
    const char *base = pare_file_base_name(path), *dot = strrchr(base, '.');
    if (!dot || dot == base || pare_file_is_directory(path)) dot = base + strlen(base);
    const int stem = (int)(dot - path);
    pare_status status = pare_buffer_format(beside, err, "%.*s.min%s", stem, path, dot);
    for (unsigned k = 2; !status && k < MOST && pare_file_exists(beside->data); k++) {
        pare_buffer_reset(beside);
        status = pare_buffer_format(beside, err, "%.*s.min-%u%s", stem, path, k, dot);
    }
    return status;
}

/* It always fails: with why the run ends, and with where the best is, if that could be
 * written. */
pare_status pare_user_edits_refuse(const char *path, pare_buffer *beside,
                                   pare_user_edits_write write, void *context, pare_error *err)
{
    static const char changed[] = "was changed by somebody else meanwhile and is left as it is";
    pare_error why = {0};
    if (!write)
        return pare_fail(err, PARE_E_IO, "%s %s; nothing of it is left in the best so far", path,
                         changed);
    /* The name of an earlier call is used again, so that one file is beside it however
     * often the best is saved. */
    pare_status status = beside->size ? PARE_OK : name_beside(path, beside, err);
    if (status) return status;
    if (write(context, beside->data, &why))
        return pare_fail(err, PARE_E_IO,
                         "%s %s, but the best so far cannot be written beside it: %s", path,
                         changed, why.message);
    return pare_fail(err, PARE_E_IO, "%s %s; the best so far is in %s", path, changed,
                     beside->data);
}
