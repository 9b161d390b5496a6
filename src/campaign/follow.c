/* Follows folders: inotify says that something was written, a listing says what.
 *
 * Only listings are trusted, and events just trigger them: events can be lost when their queue is
 * full, and folders appear, and are renamed, when a fuzzer starts.  Each round lists the folders
 * that had an event, and those that are not watched yet; new files are sorted by the time of
 * writing.  Which files were visited is remembered by path, size and time: one that was listed
 * while it was being written is visited again when it is closed.
 * Folders are listed one after the other, and times of files have the grain of the kernel's ticks, so
 * a file may be found in a later round than one that was written after it, or have the same time.
 * What was visited is therefore told by the table of a follower, and from job to job by a time that
 * is no later than the beginning of the round: all that was closed before that was listed in it.
 * Cost: a listing of the folder for each burst of events; fuzzers write less than a file in a
 * second on average.  Invariant: each version of a file is visited after it was closed, once by a
 * follower. */
#include "campaign/follow.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/random.h"
#include "base/vector.h"
#include "os/clock.h"
#include "os/stop.h"

/* GRAIN_NS: more than the kernel's tick, by which it tells the time of a file */
enum { EVENT_BYTES = 16 << 10, FIRST_SLOTS = 1 << 10, GRAIN_NS = 20000000 };

/* A folder that is followed. It need not be there yet. */
struct place {
    const char *path; /* borrowed */
    int watch;        /* of inotify; -1: not watched */
    bool is_due;      /* it is to be listed */
    bool has_failed;  /* the last time that it was to be: it could not be opened */
};

/* A file that this round has found. */
struct found {
    char *path; /* owned */
    int64_t written_ns;
};

/* Invariant: at most half of the slots are taken, so a search ends. */
struct pare_follow {
    struct place *places; /* owned */
    size_t n_places;
    int fd;         /* owned; of inotify */
    uint64_t *seen; /* owned; checksums of what was visited, open addressing; 0 is free */
    size_t n_seen, n_slots;
    struct found *found; /* owned; of this round */
    size_t n_found, capacity;
};

/* Begins to follow; the texts in `folders` are borrowed. No folder has to be
 * there yet: watch() tries again in each round. */
pare_status pare_follow_open(const char *const *folders, size_t n, pare_follow **out,
                             pare_error *err)
{
    pare_follow *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->fd = -1;
    self->n_slots = FIRST_SLOTS;
    self->places = pare_alloc_zero(n, sizeof *self->places);
    self->seen = pare_alloc_zero(self->n_slots, sizeof *self->seen);
    pare_status status = self->places && self->seen ? PARE_OK : pare_fail_nomem(err);
    if (!status) self->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (!status && self->fd < 0)
        status = pare_fail_errno(err, errno, "cannot follow what another fuzzer writes");
    if (status) {
        pare_follow_free(self);
        return status;
    }
    self->n_places = n;
    for (size_t i = 0; i < n; i++)
        self->places[i] = (struct place){.path = folders[i], .watch = -1};
    *out = self;
    return PARE_OK;
}

/* Forgets the files of this round; the list keeps its room. */
static void forget_found(pare_follow *self)
{
    for (size_t i = 0; i < self->n_found; i++)
        pare_alloc_free(self->found[i].path);
    self->n_found = 0;
}

/* NULL is a no-op; also ends one that was opened in part. */
void pare_follow_free(pare_follow *self)
{
    if (!self) return;
    forget_found(self);
    pare_alloc_free(self->found);
    pare_alloc_free(self->places);
    pare_alloc_free(self->seen);
    if (self->fd >= 0) (void)close(self->fd);
    pare_alloc_free(self);
}

/* --- what was visited ------------------------------------------------------------------------ */

/* Puts a key into a table that has a free slot and may have the key already. */
static void put(uint64_t *slots, size_t n_slots, uint64_t key)
{
    size_t at = (size_t)key & (n_slots - 1);
    while (slots[at] && slots[at] != key)
        at = (at + 1) & (n_slots - 1);
    slots[at] = key;
}

/* Notes a state of a file: path, size and time as one checksum. *is_new is
 * false if it was noted before. Two states with one checksum of 64 bits are
 * taken for the same, which is unlikely enough. Grows the table when it is half
 * full. */
static pare_status note(pare_follow *self, const char *path, uint64_t written_ns, uint64_t size,
                        bool *is_new, pare_error *err)
{
    const uint64_t state = pare_random_mix(written_ns) ^ size;
    /* 0 marks a free slot. */
    const uint64_t sum = pare_checksum(path, strlen(path)) ^ state, key = sum ? sum : 1;
    size_t at = (size_t)key & (self->n_slots - 1);
    while (self->seen[at] && self->seen[at] != key)
        at = (at + 1) & (self->n_slots - 1);
    *is_new = !self->seen[at];
    if (!*is_new) return PARE_OK;
    self->seen[at] = key;
    if (2 * ++self->n_seen <= self->n_slots) return PARE_OK;
    uint64_t *larger = pare_alloc_zero(2 * self->n_slots, sizeof *larger);
    if (!larger) return pare_fail_nomem(err);
    for (size_t i = 0; i < self->n_slots; i++)
        if (self->seen[i]) put(larger, 2 * self->n_slots, self->seen[i]);
    pare_alloc_free(self->seen);
    self->seen = larger;
    self->n_slots *= 2;
    return PARE_OK;
}

/* --- listing --------------------------------------------------------------------------------- */

/* Looks at one path. Adds it to what was found if it is a regular file in a
 * state not seen before and not written before `from_ns`. All states are noted, so
 * an old file is not found later. */
static pare_status look_at(pare_follow *self, const char *path, int64_t from_ns, pare_error *err)
{
    struct stat info;
    bool is_new = false;
    if (stat(path, &info) || !S_ISREG(info.st_mode)) return PARE_OK;
    const int64_t written_ns = info.st_mtim.tv_sec * INT64_C(1000000000) + info.st_mtim.tv_nsec;
    pare_status status =
        note(self, path, (uint64_t)written_ns, (uint64_t)info.st_size, &is_new, err);
    if (status || !is_new || written_ns < from_ns) return status;
    struct found *grown =
        pare_vector_grow(self->found, self->n_found, &self->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    self->found = grown;
    char *copy = pare_alloc_text(path, strlen(path));
    if (!copy) return pare_fail_nomem(err);
    grown[self->n_found++] = (struct found){.path = copy, .written_ns = written_ns};
    return PARE_OK;
}

/* Lists a folder. One that is not there is no error: the fuzzer may not have
 * made it yet. One that cannot be opened stays due, but does not make the next
 * round hurry. Names with a dot at the start and AFL's README.txt are no
 * inputs. */
static pare_status list(pare_follow *self, struct place *place, int64_t from_ns, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = PARE_OK;
    DIR *folder = opendir(place->path);
    place->has_failed = !folder;
    if (!folder) return PARE_OK;
    place->is_due = false;
    for (struct dirent *entry; !status && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.' || !strcmp(entry->d_name, "README.txt")) continue;
        pare_buffer_reset(&path);
        status = pare_buffer_format(&path, err, "%s/%s", place->path, entry->d_name);
        if (!status) status = look_at(self, path.data, from_ns, err);
    }
    (void)closedir(folder);
    pare_buffer_done(&path);
    return status;
}

/* Watches the folders that have appeared since. They become due, as files may
 * have been written before they were watched. */
static void watch(pare_follow *self)
{
    const uint32_t what = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF;
    for (size_t i = 0; i < self->n_places; i++) {
        struct place *place = &self->places[i];
        if (place->watch >= 0) continue;
        place->watch = inotify_add_watch(self->fd, place->path, what | IN_ONLYDIR);
        place->is_due = place->watch >= 0;
    }
}

/* Reads all events that there are and marks their folders as due. Which file an
 * event is about does not matter: a listing finds it. When events were lost,
 * all folders are due. */
static void read_events(pare_follow *self)
{
    _Alignas(struct inotify_event) char bytes[EVENT_BYTES];
    for (ssize_t n; (n = read(self->fd, bytes, sizeof bytes)) > 0;) {
        for (const char *at = bytes; at < bytes + n;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)at;
            for (size_t i = 0; i < self->n_places; i++) {
                struct place *place = &self->places[i];
                const bool all = event->mask & IN_Q_OVERFLOW;
                if (!all && place->watch != event->wd) continue;
                place->is_due = true;
                /* Renamed or removed: another of this name may come. */
                if (!(event->mask & (IN_MOVE_SELF | IN_DELETE_SELF | IN_IGNORED))) continue;
                if (event->mask & IN_MOVE_SELF) (void)inotify_rm_watch(self->fd, event->wd);
                place->watch = -1;
            }
            at += sizeof *event + event->len;
        }
    }
}

/* By the time of writing, then by name where two are of the same instant, so
 * that the order does not depend on the file system. */
static int compare(const void *a, const void *b)
{
    const struct found *left = a, *right = b;
    if (left->written_ns != right->written_ns) return left->written_ns < right->written_ns ? -1 : 1;
    return strcmp(left->path, right->path);
}

/* The time before which all was visited once file `i` of this round was: its own,
 * unless the next one has the same, and not later than when the round `began`. */
static int64_t safe_after(const pare_follow *self, size_t i, int64_t began_ns)
{
    const int64_t written_ns = self->found[i].written_ns;
    const bool is_last = i + 1 == self->n_found || self->found[i + 1].written_ns > written_ns;
    const int64_t safe_ns = written_ns + is_last;
    return safe_ns < began_ns ? safe_ns : began_ns;
}

/* One round: waits for an event or for `timeout_ms` (not at all if a folder is
 * due), lists what is due, and visits what is new in the order of its writing.
 * A stop ends the wait, not the visits. */
pare_status pare_follow_wait(pare_follow *self, int timeout_ms, int64_t from_ns,
                             const pare_stop *stop, pare_follow_visit visit, void *context,
                             pare_error *err)
{
    struct pollfd fds[] = {{.fd = self->fd, .events = POLLIN},
                           {.fd = pare_stop_fd(stop), .events = POLLIN}};
    pare_status status = PARE_OK;
    bool is_due = false;
    watch(self);
    for (size_t i = 0; i < self->n_places; i++)
        is_due = is_due || (self->places[i].is_due && !self->places[i].has_failed);
    if (poll(fds, 2, is_due ? 0 : timeout_ms) < 0 && errno != EINTR)
        return pare_fail_errno(err, errno, "cannot follow what another fuzzer writes");
    const int64_t began_ns = pare_clock_unix_ms() * 1000000 - GRAIN_NS;
    read_events(self);
    for (size_t i = 0; !status && i < self->n_places; i++)
        if (self->places[i].is_due) status = list(self, &self->places[i], from_ns, err);
    if (self->n_found) qsort(self->found, self->n_found, sizeof *self->found, compare);
    for (size_t i = 0; !status && i < self->n_found; i++)
        status = visit(context, self->found[i].path, safe_after(self, i, began_ns), err);
    forget_found(self);
    return status;
}

/* --- what the fuzzers say about themselves ---------------------------------------------------- */

/* The decimal number at the beginning of `text`, after blanks; it does not go
 * beyond 2^64. */
static uint64_t number_at(const char *text, const char *end)
{
    uint64_t number = 0;
    while (text < end && *text == ' ')
        text++;
    for (; text < end && *text >= '0' && *text <= '9' && number < UINT64_MAX / 20; text++)
        number = 10 * number + (uint64_t)(*text - '0');
    return number;
}

/* The tests in AFL's plot_data: a column of its last whole line, since afl-fuzz
 * may be writing the last one. 0 if there is none yet. */
uint64_t pare_follow_tests_in_plot(const char *text, size_t size)
{
    enum { COLUMN = 11 };
    const char *end = size ? memrchr(text, '\n', size) : NULL;
    if (!end) return 0;
    const char *line = memrchr(text, '\n', (size_t)(end - text));
    line = line ? line + 1 : text;
    if (*line == '#') return 0;
    for (unsigned k = 0; line && k < COLUMN; k++) {
        line = memchr(line, ',', (size_t)(end - line));
        if (line) line++;
    }
    return line ? number_at(line, end) : 0;
}

/* The tests in libFuzzer's log: the number after the "#" of its last status
 * line. Searched from the end, as logs of hours are long. */
uint64_t pare_follow_tests_in_log(const char *text, size_t size)
{
    const char *end = text + size;
    while (end > text) {
        const char *before = memrchr(text, '\n', (size_t)(end - text));
        const char *line = before ? before + 1 : text;
        if (line < end && *line == '#') return number_at(line + 1, end);
        end = before ? before : text;
    }
    return 0;
}
