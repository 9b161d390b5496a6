/* Entries: files and folders that were given, found, read, and written somewhere else.
 *
 * Finding is no recursion: folders that were found are opened one after the other, by their
 * path from the one that was given, and the list is sorted at the end so that a folder stands
 * before what is in it, without a gap.  That order makes a subtree a range [i, after), which is
 * what the layers above reduce.
 *
 * Writing goes through paths that we made ourselves, below a folder that was empty.  Folders
 * are made for us to fill and get their own modes at the very end, the innermost first, since
 * a mode may forbid to fill them.
 *
 * Invariants: paths are unique; an entry's parent stands before it; after > index, and a
 * folder's `after` is its parent's at most.  No link is followed on any path, but for the one
 * that the user gave.
 *
 * Why not keep paths relative to open folders: ten thousand folders would be ten thousand
 * descriptors. */
#include "os/entries.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/halving.h"
#include "base/vector.h"

enum { OPEN_FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY };

/* The folders of the inputs are held open until here.  All-zero is a no-op. */
void pare_entries_done(pare_entries *entries)
{
    assert(entries->roots || !entries->n_roots);
    for (size_t i = 0; i < entries->n_roots; i++)
        if (entries->roots[i] >= 0) (void)close(entries->roots[i]);
    pare_alloc_free(entries->roots);
    pare_alloc_free(entries->items);
    pare_arena_done(&entries->texts);
    *entries = (pare_entries){.n = 0};
}

/* Given entries are those of depth 1; everything in them is passed over. */
void pare_entries_names(const pare_entries *entries, const char **names)
{
    for (size_t i = 0; i < entries->n; i = entries->items[i].after)
        if (!pare_entry_is_word(&entries->items[i]))
            names[entries->items[i].input] = entries->items[i].path;
}

/* ---- finding ------------------------------------------------------------------------ */

/* Adds an entry at the end: the list is sorted and connected when everything was found.
 * Errors: PARE_E_LIMIT (indices have 32 bits), PARE_E_NOMEM. */
static pare_status append(pare_entries *entries, const pare_entry *entry, pare_error *err)
{
    if (entries->n >= PARE_NO_ENTRY - 1)
        return pare_fail(err, PARE_E_LIMIT, "more than 2^32 - 2 files");
    pare_entry *items =
        pare_vector_grow(entries->items, entries->n, &entries->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    entries->items = items;
    entries->items[entries->n++] = *entry;
    return PARE_OK;
}

/* FOLDER/NAME, in the arena. */
static pare_status join(pare_entries *entries, const char *folder, const char *name,
                        const char **path, pare_error *err)
{
    size_t first = strlen(folder), second = strlen(name);
    if (first + 1 + second > PARE_ENTRY_PATH_BYTES)
        return pare_fail(err, PARE_E_LIMIT, "%.200s...: the path is longer than %d bytes", folder,
                         PARE_ENTRY_PATH_BYTES);
    char *text = pare_arena_alloc(&entries->texts, first + 1 + second + 1);
    if (!text) return pare_fail_nomem(err);
    (void)snprintf(text, first + 1 + second + 1, "%s/%s", folder, name);
    *path = text;
    return PARE_OK;
}

/* Reads where a link leads, as text; it may lead nowhere, and is not followed. */
static pare_status read_target(pare_entries *entries, int folder, const char *name,
                               const char **target, pare_error *err)
{
    char text[PATH_MAX];
    ssize_t n = readlinkat(folder, name, text, sizeof text);
    if (n < 0) return pare_fail_errno(err, errno, "cannot read the link %s", name);
    *target = pare_arena_text(&entries->texts, text, (size_t)n);
    return *target ? PARE_OK : pare_fail_nomem(err);
}

/* Sets kind and mode of `entry` from `info`; false for anything else than a file, folder or link: a
 * device, a socket, a pipe. */
static bool classify(pare_entry *entry, const struct stat *info)
{
    entry->mode = info->st_mode & 0777;
    entry->kind = S_ISDIR(info->st_mode)   ? PARE_ENTRY_FOLDER
                  : S_ISLNK(info->st_mode) ? PARE_ENTRY_LINK
                                           : PARE_ENTRY_FILE;
    return S_ISDIR(info->st_mode) || S_ISLNK(info->st_mode) || S_ISREG(info->st_mode);
}

/* Adds what is called `name` in the open folder, which is entry `parent`.  What is of no kind
 * that can be reduced is counted and passed over; the first of them is named to the user. */
static pare_status add_named(pare_entries *entries, uint32_t parent, int folder, const char *name,
                             pare_error *err)
{
    struct stat info;
    pare_entry entry = {.input = entries->items[parent].input};
    pare_status status = join(entries, entries->items[parent].path, name, &entry.path, err);
    if (status) return status;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW))
        return pare_fail_errno(err, errno, "cannot read %s", entry.path);
    if (!classify(&entry, &info)) {
        if (!entries->n_skipped++) entries->skipped = entry.path;
        return PARE_OK;
    }
    if (entry.kind == PARE_ENTRY_LINK)
        status = read_target(entries, folder, name, &entry.target, err);
    return status ? status : append(entries, &entry, err);
}

/* What follows the name of the given folder in the path; "." for that folder itself. */
static const char *below(const pare_entry *entry)
{
    const char *slash = strchr(entry->path, '/');
    return slash ? slash + 1 : ".";
}

/* Adds all that is in entry `index`, a folder, but not what is in folders within it: they
 * follow in the list.  The entry itself moves when the list grows, so only its path is kept. */
static pare_status list_folder(pare_entries *entries, uint32_t index, pare_error *err)
{
    const pare_entry *entry = &entries->items[index];
    const char *path = entry->path;
    int fd = openat(entries->roots[entry->input], below(entry), OPEN_FOLDER | O_NOFOLLOW);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (!folder) {
        pare_status failed = pare_fail_errno(err, errno, "cannot open the folder %s", path);
        if (fd >= 0) (void)close(fd);
        return failed;
    }
    pare_status status = PARE_OK;
    while (!status) {
        errno = 0;
        const struct dirent *named = readdir(folder);
        if (!named && errno)
            status = pare_fail_errno(err, errno, "cannot read the folder %s", path);
        if (!named) break;
        if (strcmp(named->d_name, ".") != 0 && strcmp(named->d_name, "..") != 0)
            status = add_named(entries, index, fd, named->d_name, err);
    }
    (void)closedir(folder);
    return status;
}

/* The base name of `input`, in the arena: slashes at its end do not count.  ".", ".." and "/"
 * have none, and the program under test could not be given them. */
static pare_status name_input(pare_entries *entries, const char *input, const char **name,
                              pare_error *err)
{
    size_t size = strlen(input);
    while (size > 1 && input[size - 1] == '/')
        size--;
    size_t begin = size;
    while (begin > 0 && input[begin - 1] != '/')
        begin--;
    char *text = pare_arena_text(&entries->texts, input + begin, size - begin);
    if (!text) return pare_fail_nomem(err);
    *name = text;
    if (*text && strcmp(text, ".") != 0 && strcmp(text, "..") != 0) return PARE_OK;
    char whole[PATH_MAX];
    const char *base = realpath(input, whole) ? strrchr(whole, '/') : NULL;
    if (!base || !base[1])
        return pare_fail(err, PARE_E_ARG, "'%s' has no name of its own: give it as FOLDER/NAME",
                         input);
    return pare_fail(err, PARE_E_ARG, "'%s' has no name of its own: write %s%s instead", input,
                     strcmp(input, ".") == 0 ? "../" : "",
                     strcmp(input, ".") == 0 ? base + 1 : whole);
}

/* Adds what the user gave: here alone a link is followed, since it is the user who says what
 * is meant. */
static pare_status add_input(pare_entries *entries, const char *input, const char *named,
                             uint32_t number, pare_error *err)
{
    struct stat info;
    pare_entry entry = {.input = number};
    pare_status status = name_input(entries, named, &entry.path, err);
    if (status) return status;
    if (stat(input, &info))
        return errno == ENOENT ? pare_fail_errno(err, errno, "%s does not exist", input)
                               : pare_fail_errno(err, errno, "cannot open %s", input);
    if (!classify(&entry, &info))
        return pare_fail(err, PARE_E_IO, "%s is not a regular file: save it to one first", input);
    if (entry.kind == PARE_ENTRY_FOLDER) {
        entries->roots[number] = open(input, OPEN_FOLDER);
        if (entries->roots[number] < 0)
            return pare_fail_errno(err, errno, "cannot open the folder %s", input);
    }
    return append(entries, &entry, err);
}

/* ---- order -------------------------------------------------------------------------- */

/* Compares paths byte by byte, but for the slash, which comes before all other bytes: so what
 * is in a folder stands right after it, and "a/b" before "a.c". */
static int by_path(const void *a, const void *b)
{
    const unsigned char *left = (const unsigned char *)((const pare_entry *)a)->path;
    const unsigned char *right = (const unsigned char *)((const pare_entry *)b)->path;
    while (*left && *left == *right) {
        left++;
        right++;
    }
    int x = *left == '/' ? 1 : *left ? *left + 1 : 0;
    int y = *right == '/' ? 1 : *right ? *right + 1 : 0;
    return x - y;
}

/* Whether `path` is in the folder `folder`. */
static bool is_in(const char *path, const char *folder)
{
    size_t size = strlen(folder);
    return strncmp(path, folder, size) == 0 && path[size] == '/';
}

/* Sets parent, depth and after of the sorted entries, in one walk: the folders around the
 * entry at hand are a chain of parents, and one that does not hold the entry ends there. */
static void connect_entries(pare_entries *entries)
{
    uint32_t open = PARE_NO_ENTRY; /* the folder at hand */
    for (uint32_t i = 0; i < entries->n; i++) {
        pare_entry *entry = &entries->items[i];
        while (open != PARE_NO_ENTRY && !is_in(entry->path, entries->items[open].path)) {
            entries->items[open].after = i;
            open = entries->items[open].parent;
        }
        entry->parent = open;
        entry->depth = open == PARE_NO_ENTRY ? 1 : entries->items[open].depth + 1;
        entry->after = i + 1;
        if (entry->kind == PARE_ENTRY_FOLDER) open = i;
    }
    for (; open != PARE_NO_ENTRY; open = entries->items[open].parent)
        entries->items[open].after = (uint32_t)entries->n;
}

#ifndef NDEBUG
/* Whether the order and the ranges are as the head of this file says; O(n). */
static bool is_connected(const pare_entries *entries)
{
    for (uint32_t i = 0; i < entries->n; i++) {
        const pare_entry *entry = &entries->items[i];
        if (i && by_path(entry - 1, entry) >= 0) return false;
        if (entry->after <= i || entry->after > entries->n) return false;
        if (entry->parent == PARE_NO_ENTRY) continue;
        if (entry->parent >= i || entry->after > entries->items[entry->parent].after) return false;
    }
    return true;
}
#endif

/* Refuses two inputs of one name: they would lie in one place for the program under test.  The
 * list is sorted, so equal names stand together. */
static pare_status check_names(const pare_entries *entries, pare_error *err)
{
    for (size_t i = 1; i < entries->n; i++) {
        const char *path = entries->items[i].path;
        if (strcmp(path, entries->items[i - 1].path) != 0) continue;
        return pare_fail(err, PARE_E_ARG,
                         "two inputs are called %s: put them into a folder and give that", path);
    }
    return PARE_OK;
}

/* Sorted twice: by the given names first, to find equal ones before folders are read into each
 * other; then as a whole. */
static pare_status scan(pare_entries *entries, const char *const *inputs, const char *const *names,
                        size_t n, pare_error *err)
{
    pare_status status = PARE_OK;
    if (!n) return pare_fail(err, PARE_E_ARG, "there is no input");
    entries->roots = pare_alloc(n, sizeof *entries->roots);
    if (!entries->roots) return pare_fail_nomem(err);
    while (entries->n_roots < n)
        entries->roots[entries->n_roots++] = -1;
    for (uint32_t i = 0; !status && i < n; i++)
        status = add_input(entries, inputs[i], names[i], i, err);
    if (!status) { /* before folders of one name are read into each other */
        assert(entries->items);
        qsort(entries->items, entries->n, sizeof *entries->items, by_path);
        status = check_names(entries, err);
    }
    for (uint32_t i = 0; !status && i < entries->n; i++)
        if (entries->items[i].kind == PARE_ENTRY_FOLDER) status = list_folder(entries, i, err);
    if (status) return status;
    qsort(entries->items, entries->n, sizeof *entries->items, by_path);
    connect_entries(entries);
    assert(is_connected(entries));
    return PARE_OK;
}

/* *entries is set only when everything was found. */
pare_status pare_entries_scan(pare_entries *entries, const char *const *inputs,
                              const char *const *names, size_t n, pare_error *err)
{
    pare_entries found = {.n = 0};
    pare_status status = scan(&found, inputs, names ? names : inputs, n, err);
    if (status)
        pare_entries_done(&found);
    else
        *entries = found;
    return status;
}

/* The list of one file that is not on disk: an input that was made, or read from a pipe. */
pare_status pare_entries_name(pare_entries *entries, const char *name, mode_t mode, pare_error *err)
{
    pare_entries made = {.n = 0};
    made.roots = pare_alloc(1, sizeof *made.roots);
    const char *path = pare_arena_text(&made.texts, name, strlen(name));
    pare_status status = made.roots && path ? PARE_OK : pare_fail_nomem(err);
    if (!status) {
        made.roots[made.n_roots++] = -1;
        status = append(&made,
                        &(pare_entry){.path = path,
                                      .kind = PARE_ENTRY_FILE,
                                      .mode = mode,
                                      .parent = PARE_NO_ENTRY,
                                      .after = 1,
                                      .depth = 1},
                        err);
    }
    if (status)
        pare_entries_done(&made);
    else
        *entries = made;
    return status;
}

/* Words are not sorted: their order is that of the command line. */
pare_status pare_entries_add_word(pare_entries *entries, pare_entry_kind kind, const char *text,
                                  pare_error *err)
{
    const char *copy = pare_arena_text(&entries->texts, text, strlen(text));
    if (!copy) return pare_fail_nomem(err);
    return append(entries,
                  &(pare_entry){.path = copy,
                                .target = copy,
                                .kind = kind,
                                .input = PARE_NO_ENTRY,
                                .parent = PARE_NO_ENTRY,
                                .after = (uint32_t)entries->n + 1,
                                .depth = 1},
                  err);
}

/* Whether a path may be written below a folder: names between single slashes, none of them "." or
 * "..". */
static bool is_path(const char *path)
{
    size_t size = strlen(path);
    if (!size || size > PARE_ENTRY_PATH_BYTES) return false;
    for (const char *name = path;; name += size + 1) {
        size = strcspn(name, "/");
        if (!size || strncmp(name, "..", size) == 0) return false; /* "." as well */
        if (!name[size]) return true;
    }
}

/* Whether the connected entries are what a scan could have found: strictly in their order, each
 * directly in a folder, or given. */
static bool is_scanned(const pare_entries *entries)
{
    for (uint32_t i = 0; i < entries->n; i++) {
        const pare_entry *entry = &entries->items[i];
        const bool is_given = entry->parent == PARE_NO_ENTRY;
        const size_t above = is_given ? 0 : strlen(entries->items[entry->parent].path) + 1;
        if (!is_path(entry->path) || strchr(entry->path + above, '/')) return false;
        if (i && by_path(entry - 1, entry) >= 0) return false;
    }
    return true;
}

/* Makes as many roots as there are entries of depth 1. None of them can be read. Each is an input
 * of its own, by whose number names are kept in lists of n_roots (pare_entries_names). */
static pare_status recall_roots(pare_entries *made, pare_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < made->n; i = made->items[i].after)
        n++;
    made->roots = pare_alloc(n ? n : 1, sizeof *made->roots);
    if (!made->roots) return pare_fail_nomem(err);
    memset(made->roots, 0, n * sizeof *made->roots);
    made->n_roots = n;
    bool are_whole = true;
    for (size_t i = 0; i < made->n; i = made->items[i].after) {
        const uint32_t input = made->items[i].input;
        are_whole = are_whole && input < n && made->roots[input] == 0;
        if (input < n) made->roots[input] = -1;
    }
    /* pare_entries_done closes what is not negative. */
    for (size_t k = 0; k < n; k++)
        made->roots[k] = -1;
    return are_whole ? PARE_OK
                     : pare_fail(err, PARE_E_CORRUPT, "the inputs of the files are incomplete");
}

/* The words are added last, as they are to an input. */
pare_status pare_entries_recall(pare_entries *entries, const pare_entry *items, size_t n,
                                pare_error *err)
{
    pare_entries made = {.n = 0};
    pare_status status = PARE_OK;
    size_t k = 0;
    for (; !status && k < n && !pare_entry_is_word(&items[k]); k++) {
        pare_entry entry = {.kind = items[k].kind, .mode = items[k].mode, .input = items[k].input};
        const char *target = items[k].kind == PARE_ENTRY_LINK ? items[k].target : NULL;
        entry.path = pare_arena_text(&made.texts, items[k].path, strlen(items[k].path));
        if (target) entry.target = pare_arena_text(&made.texts, target, strlen(target));
        const bool is_whole = entry.path && (!target || entry.target);
        status = is_whole ? append(&made, &entry, err) : pare_fail_nomem(err);
    }
    if (!status) connect_entries(&made);
    if (!status && !is_scanned(&made))
        status = pare_fail(err, PARE_E_CORRUPT, "the names of the files are incomplete");
    if (!status) status = recall_roots(&made, err);
    for (; !status && k < n; k++)
        status = pare_entry_is_word(&items[k])
                     ? pare_entries_add_word(&made, items[k].kind, items[k].target, err)
                     : pare_fail(err, PARE_E_CORRUPT, "a file comes after the words");
    if (status)
        pare_entries_done(&made);
    else
        *entries = made;
    return status;
}

/* ---- reading ------------------------------------------------------------------------ */

/* Reads the file to its end, whatever its size was when it was found. It may have been replaced
 * since then; a pipe in its place would be read for ever, so it is looked at again. */
static pare_status read_to_end(int fd, const char *path, pare_buffer *content, pare_error *err)
{
    struct stat info;
    if (fstat(fd, &info)) return pare_fail_errno(err, errno, "cannot read %s", path);
    if (!S_ISREG(info.st_mode))
        return pare_fail(err, PARE_E_IO, "%s was replaced while it was read", path);
    size_t more = (size_t)info.st_size + 1; /* one byte more shows the end */
    for (;;) {
        pare_status status = pare_buffer_reserve(content, more, err);
        if (status) return status;
        ssize_t n = read(fd, content->data + content->size, more);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return pare_fail_errno(err, errno, "cannot read %s", path);
        if (n == 0) break;
        content->size += (size_t)n;
        more = (size_t)n < more ? more - (size_t)n : 4096;
    }
    content->data[content->size] = '\0';
    return PARE_OK;
}

/* From the folder that is held open, so a path that was moved meanwhile does no harm. */
pare_status pare_entries_read(const pare_entries *entries, const char *const *inputs,
                              uint32_t index, pare_buffer *content, pare_error *err)
{
    const int how = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    const pare_entry *entry = &entries->items[index];
    if (pare_entry_is_word(entry)) return pare_buffer_text(content, entry->target, err);
    int root = entries->roots[entry->input];
    int fd =
        root < 0 ? open(inputs[entry->input], how) : openat(root, below(entry), how | O_NOFOLLOW);
    if (fd < 0) return pare_fail_errno(err, errno, "cannot open %s", entry->path);
    pare_status status = read_to_end(fd, entry->path, content, err);
    (void)close(fd);
    return status;
}

/* ---- writing ------------------------------------------------------------------------ */

enum { OWNER = 0700 };

/* Where the entry goes, relative to the writer's folder: its path without the first `strip` bytes;
 * NULL: it is that folder itself. */
static const char *place_of(const pare_entries_writer *writer, uint32_t index)
{
    const char *path = writer->entries[index].path;
    return strlen(path) < writer->strip ? NULL : path + writer->strip;
}

/* Allocates nothing in proportion to all entries, because a candidate may have a handful of
 * them. */
int pare_entries_writer_start(pare_entries_writer *writer, const pare_entries *entries, int folder,
                              size_t strip)
{
    writer->entries = entries->items;
    writer->n = entries->n;
    writer->folder = folder;
    writer->strip = strip;
    writer->input = PARE_NO_ENTRY;
    writer->fd = -1;
    writer->made = NULL;
    writer->n_made = writer->capacity = 0;
    writer->known = writer->kept = 0;
    return 0;
}

/* The place of the entry among the folders that have been made, or where it would be inserted. */
static size_t find_made(const pare_entries_writer *writer, uint32_t index)
{
    pare_halving search = {.low = 0, .high = writer->n_made};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, writer->made[search.middle] < index);
    return search.low;
}

/* Whether the folder is there. */
static bool is_made(const pare_entries_writer *writer, uint32_t index)
{
    const size_t at = find_made(writer, index);
    return at < writer->n_made && writer->made[at] == index;
}

/* Makes a folder for us to fill; its own mode comes last, as it may forbid that.  It is noted at the
 * end, as entries are begun in their order; but for given ones without any entry. */
static int make_folder(pare_entries_writer *writer, uint32_t index)
{
    const char *place = place_of(writer, index);
    const size_t at = find_made(writer, index);
    if (is_made(writer, index)) return 0;
    uint32_t *made =
        pare_vector_grow(writer->made, writer->n_made, &writer->capacity, sizeof *made);
    if (!made) return ENOMEM;
    writer->made = made;
    if (place && mkdirat(writer->folder, place, OWNER)) return errno;
    memmove(made + at + 1, made + at, (writer->n_made - at) * sizeof *made);
    made[at] = index;
    writer->n_made++;
    return 0;
}

/* Makes the folders that entry `index` is in, the outermost first.  No list of them is kept:
 * the walk up is made again for each, and folders are seldom deep. */
static int make_parents(pare_entries_writer *writer, uint32_t index)
{
    assert(index < writer->n);
    uint32_t above = writer->entries[index].parent;
    while (above != PARE_NO_ENTRY && !is_made(writer, above)) {
        uint32_t top = above; /* the outermost one that is missing */
        for (uint32_t up = above; up != PARE_NO_ENTRY && !is_made(writer, up);
             up = writer->entries[up].parent)
            top = up;
        int failed = make_folder(writer, top);
        if (failed) return failed;
    }
    return 0;
}

/* By these a file counts as still the one that was written: inode, size and time of change. */
pare_entry_record pare_entry_record_of(const struct stat *info)
{
    return (pare_entry_record){.inode = info->st_ino,
                               .size = (uint64_t)info->st_size,
                               .changed_ns = (int64_t)info->st_mtim.tv_sec * 1000000000 +
                                             info->st_mtim.tv_nsec};
}

/* Finishes the file under way, if there is one, and notes what it was like at its end, for the
 * next writing to link to.  Returns 0 or an errno. */
static int close_file(pare_entries_writer *writer)
{
    struct stat info;
    if (writer->fd < 0) return 0;
    int failed = pare_descriptor_gather_finish(&writer->gather);
    if (!failed && writer->records) {
        if (fstat(writer->fd, &info)) failed = errno;
        if (!failed) writer->records[writer->file] = pare_entry_record_of(&info);
    }
    if (close(writer->fd) && !failed) failed = errno;
    writer->fd = -1;
    return failed;
}

/* Gives the new file its mode, whatever the umask, or a default list of rights of the writer's
 * folder, takes away. Both take the same bits from all files of a writer, so one look is enough and
 * most files cost no call. Returns 0 or an errno. */
static int set_mode(pare_entries_writer *writer, mode_t mode)
{
    struct stat info;
    if (mode & ~writer->known) {
        if (fstat(writer->fd, &info)) return errno;
        writer->known |= mode;
        writer->kept |= mode & info.st_mode;
    }
    return mode & ~writer->kept && fchmod(writer->fd, mode) ? errno : 0;
}

/* Opens the file of entry `index` to be written.  O_EXCL and O_NOFOLLOW: the folder was empty,
 * so what is in the way is somebody else's.  Returns 0 or an errno. */
static int open_file(pare_entries_writer *writer, uint32_t index, const char *place)
{
    mode_t mode = writer->entries[index].mode;
    writer->file = index;
    writer->fd =
        openat(writer->folder, place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (writer->fd < 0) return errno;
    pare_descriptor_gather_start(&writer->gather, writer->fd);
    return set_mode(writer, mode);
}

/* Entries come in their order, so their folders can be made when they are first needed. */
int pare_entries_writer_begin(pare_entries_writer *writer, uint32_t index)
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

/* A link costs one call whatever the file's size, which is why unchanged files of a result are
 * linked and not written. ENOENT: there is nothing to link to, and the caller writes the file. */
int pare_entries_writer_link(pare_entries_writer *writer, uint32_t index, int previous)
{
    struct stat info;
    const pare_entry_record *was = &writer->records[index];
    const char *place = place_of(writer, index);
    int failed = close_file(writer);
    if (failed) return failed;
    if (!was->inode || fstatat(previous, place, &info, AT_SYMLINK_NOFOLLOW)) return ENOENT;
    pare_entry_record is = pare_entry_record_of(&info);
    if (is.inode != was->inode || is.size != was->size || is.changed_ns != was->changed_ns ||
        (info.st_mode & 0777) != writer->entries[index].mode)
        return ENOENT;
    failed = make_parents(writer, index);
    if (failed) return failed;
    return linkat(previous, place, writer->folder, place, 0) ? errno : 0;
}

/* Ignores bytes of an entry that is no file, and bytes before the first entry. */
int pare_entries_writer_add(pare_entries_writer *writer, const void *bytes, size_t size)
{
    return writer->fd < 0 ? 0 : pare_descriptor_gather_add(&writer->gather, bytes, size);
}

/* Gives the folders their modes, the innermost first, for a mode may forbid to reach what is
 * further in.  Entries stand after their folders, so that is from the last to the first.
 * Returns 0 or an errno. */
static int set_modes(const pare_entries_writer *writer)
{
    for (size_t i = writer->n_made; i-- > 0;) {
        const char *place = place_of(writer, writer->made[i]);
        const mode_t mode = writer->entries[writer->made[i]].mode;
        if (place && mode == OWNER) continue;
        int failed =
            place ? fchmodat(writer->folder, place, mode, 0) : fchmod(writer->folder, mode);
        if (failed) return errno;
    }
    return 0;
}

/* Folders that were given are made even if nothing is left in them: they are what the program
 * is called with. */
int pare_entries_writer_end(pare_entries_writer *writer)
{
    int failed = close_file(writer);
    for (uint32_t i = 0; !failed && i < writer->n; i = writer->entries[i].after) {
        bool wanted = writer->input == PARE_NO_ENTRY || writer->entries[i].input == writer->input;
        if (wanted && writer->entries[i].kind == PARE_ENTRY_FOLDER) failed = make_folder(writer, i);
    }
    return failed ? failed : set_modes(writer);
}

/* May follow an error: a half-written file stays, in a folder that the caller removes. */
void pare_entries_writer_done(pare_entries_writer *writer)
{
    if (writer->fd >= 0) (void)close(writer->fd);
    pare_alloc_free(writer->made);
    *writer = (pare_entries_writer){.fd = -1};
}
