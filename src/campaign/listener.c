/* Listeners: a small state machine for each, driven by the events of the store.
 *
 *     idle --an event that it wants--> running --ended, or its limit--> idle, the event is done
 *
 * The message is a file in memory, which is the standard input of the process, so nothing here can
 * block on a pipe.  Its standard error goes to another such file of limited size, whose last line
 * says what went wrong.  The number of the last delivered event is a fact of the store, written
 * after the process has ended: a kill in between repeats the event.  A listener's own failure is an
 * event of kind "log", which no listener can subscribe to, so it cannot feed itself; a repeated
 * failure is reported once.
 * Invariant: of a listener at most one process runs; `done` never goes back. */
#include "campaign/listener.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/vector.h"
#include "campaign/campaign_file.h"
#include "campaign/escape.h"
#include "campaign/listener_message.h"
#include "campaign/section.h"
#include "campaign/store.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/spawn.h"
#include "os/stop.h"

/* SAID_BYTES: of what a process may print; SHOWN_BYTES: of its last line, in an
 * event; SLICE_MS: until a killed process is looked at again. */
enum { SAID_BYTES = 4096, SHOWN_BYTES = 200, SLICE_MS = 1000 };

/* The events that listeners can want. */
static const char *const kinds[] = {"new",       "reduced", "validated", "fixed",
                                    "regressed", "invalid", "merged",    "split",
                                    "reported",  "edited",  "updated",   "trouble"};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* One command, or one address, of a section. While `event` is not 0 a process
 * runs, and child, until_ms, is_late and said_fd are about it. */
struct listener {
    const pare_section *section;
    const char *mail;   /* NULL: a command */
    char *fact;         /* owned; its name: "listener NAME" or "mail NAME" */
    uint32_t wants;     /* bit set of `kinds` */
    int64_t done, seen; /* events: the last one that was done; that was looked at */
    int64_t event;      /* that is being delivered; 0: none */
    int64_t finding;    /* of that event */
    pare_child child;   /* while there is an event */
    uint64_t until_ms;  /* pare_clock_ms */
    bool is_late;       /* it was killed */
    int said_fd;        /* owned; what the process says; -1: none */
    pare_buffer last;   /* the sentence of its last failure */
};

/* All listeners of a campaign. store and campaign are borrowed; one thread. */
struct pare_listeners {
    pare_store *store;
    const pare_campaign *campaign;
    struct listener *items; /* owned */
    size_t n, capacity;
    pare_spawner spawner;
    bool has_spawner;
    int folder_fd; /* owned; the store's */
};

/* ---- opening --------------------------------------------------------------------------- */

/* Reads the kinds of events that the listener wants. A kind that there is not
 * is an error: a slip would be a listener that never hears of anything. */
static pare_status read_wants(struct listener *listener, pare_error *err)
{
    size_t n = 0;
    const char *const *words = pare_section_words(listener->section, "events", &n);
    for (size_t i = 0; i < n; i++) {
        size_t kind = 0;
        while (kind < N_KINDS && strcmp(kinds[kind], words[i]) != 0)
            kind++;
        if (kind == N_KINDS)
            return pare_fail(
                err, PARE_E_ARG,
                "[listener %s]: unknown event '%.60s': use new, reduced, validated, fixed, "
                "regressed, invalid, merged, split, reported, edited, updated or trouble",
                pare_section_name(listener->section), words[i]);
        listener->wants |= UINT32_C(1) << kind;
    }
    return PARE_OK;
}

/* The number of the newest event; 0 if there is none yet. */
static pare_status read_newest(pare_store *store, int64_t *id, pare_error *err)
{
    return pare_store_number(store, "SELECT max(id) FROM event", id, 0, err, "");
}

/* Writes down how far the listener is. A fact and not an event: events are what
 * listeners get, and this must not wake them. */
static pare_status write_done(const pare_listeners *self, const struct listener *listener,
                              pare_error *err)
{
    enum { NUMBER_BYTES = 24 };
    char number[NUMBER_BYTES];
    (void)snprintf(number, sizeof number, "%" PRId64, listener->done);
    return pare_store_put_fact(self->store, listener->fact, number, err);
}

/* Reads how far the listener was. A new one begins after the newest event,
 * since nobody wants the history of months as messages; that is written at
 * once, so that later events are its own even if this run is killed. */
static pare_status read_done(const pare_listeners *self, struct listener *listener, pare_error *err)
{
    char *number = NULL;
    pare_status status = pare_store_get_fact(self->store, listener->fact, &number, err);
    if (!status && number) {
        listener->done = strtoll(number, NULL, 10);
    } else if (!status) {
        status = read_newest(self->store, &listener->done, err);
        if (!status) status = write_done(self, listener, err);
    }
    listener->seen = listener->done;
    pare_alloc_free(number);
    return status;
}

/* Adds a listener of a section: a command, or the address `mail`. Counted as
 * soon as it owns something, so that closing also ends one that is added in
 * part. */
static pare_status add_listener(pare_listeners *self, const pare_section *section, const char *mail,
                                pare_error *err)
{
    pare_buffer fact = {0};
    struct listener *items = pare_vector_grow(self->items, self->n, &self->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    self->items = items;
    if (self->n == PARE_LISTENERS_MOST)
        return pare_fail(err, PARE_E_LIMIT, "a campaign can have at most %d listeners",
                         PARE_LISTENERS_MOST);
    struct listener *listener = &items[self->n];
    *listener = (struct listener){.section = section, .mail = mail, .said_fd = -1};
    pare_status status = pare_buffer_format(&fact, err, "%s %s", mail ? "mail" : "listener",
                                            pare_section_name(section));
    if (status) return status;
    listener->fact = fact.data;
    self->n++;
    status = read_wants(listener, err);
    return status ? status : read_done(self, listener, err);
}

/* Adds the listeners of a section. Command and address are two, each with a
 * position of its own, so that one that is slow does not hold the other up. */
static pare_status add_section(pare_listeners *self, const pare_section *section, pare_error *err)
{
    const char *mail = pare_section_text(section, "mail");
    bool has_command = pare_section_text(section, "command")[0] != '\0';
    pare_status status = PARE_OK;
    if (mail[0] && !pare_listener_message_is_address(mail))
        return pare_fail(err, PARE_E_ARG, "[listener %s]: '%.100s' is not a mail address",
                         pare_section_name(section), mail);
    if (has_command) status = add_listener(self, section, NULL, err);
    if (!status && mail[0]) status = add_listener(self, section, mail, err);
    return status;
}

/* Opens the folder of the store, in which commands run: relative paths in them
 * then mean the same as in the configuration. */
static pare_status open_folder(pare_listeners *self, pare_error *err)
{
    const char *path = self->store->path, *slash = strrchr(path, '/');
    char *folder =
        slash > path ? pare_alloc_text(path, (size_t)(slash - path)) : pare_alloc_text("/", 1);
    if (!folder) return pare_fail_nomem(err);
    self->folder_fd =
        pare_descriptor_raise(open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), PARE_SPAWN_LEAST_FD);
    pare_status status =
        self->folder_fd < 0 ? pare_fail_errno(err, errno, "cannot open '%s'", folder) : PARE_OK;
    pare_alloc_free(folder);
    return status;
}

/* Opens the listeners of the campaign; without any, no process is needed to
 * start others. On PARE_OK the caller owns *out. */
pare_status pare_listeners_open(pare_store *store, const pare_campaign *campaign,
                                pare_listeners **out, pare_error *err)
{
    const pare_section *section;
    pare_status status = PARE_OK;
    pare_listeners *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->store = store;
    self->campaign = campaign;
    self->folder_fd = -1;
    for (size_t i = 0;
         !status && (section = pare_campaign_section_at(campaign, "listener", i)) != NULL; i++)
        status = add_section(self, section, err);
    if (!status && self->n) {
        status = pare_spawner_init(&self->spawner, err);
        self->has_spawner = !status;
    }
    if (!status && self->n) status = open_folder(self, err);
    if (status)
        pare_listeners_close(self);
    else
        *out = self;
    return status;
}

/* Ends a process with all that it has started. Its leader is not reaped yet, so
 * the number of its group is still its own and nobody else is killed. */
static void end_process(struct listener *listener)
{
    (void)pare_child_kill_group(listener->child.pid);
    (void)pare_child_end_by_fd(listener->child.pidfd);
    listener->event = 0;
}

/* NULL is a no-op. Kills what still runs; its event is not done, so the next
 * run delivers it again. */
void pare_listeners_close(pare_listeners *self)
{
    if (!self) return;
    for (size_t i = 0; i < self->n; i++) {
        struct listener *listener = &self->items[i];
        if (listener->event) end_process(listener);
        pare_descriptor_close(&listener->said_fd);
        pare_buffer_done(&listener->last);
        pare_alloc_free(listener->fact);
    }
    pare_alloc_free(self->items);
    if (self->has_spawner) pare_spawner_done(&self->spawner);
    pare_descriptor_close(&self->folder_fd);
    pare_alloc_free(self);
}

/* ---- the next event -------------------------------------------------------------------- */

/* A copy of an event. The store's own texts die with its visit, and the store
 * is used again while the event is delivered. */
struct kept {
    const struct listener *listener;
    pare_store_event event; /* texts are those below */
    pare_buffer kind, text;
    int64_t seen; /* the last one that was looked at */
    bool is_found;
};

/* Ends the reading of events when one was found; any status would do that
 * visits never return. Its sentence is shown to nobody. */
static const pare_status FOUND = PARE_E_LIMIT;

/* A pare_event_visit: ends the reading (FOUND) at the first event of a kind
 * that is wanted, and keeps a copy of it. */
static pare_status keep(void *context, const pare_store_event *event, pare_error *err)
{
    struct kept *kept = context;
    size_t kind = 0;
    while (kind < N_KINDS && strcmp(kinds[kind], event->kind) != 0)
        kind++;
    kept->seen = event->id;
    if (kind == N_KINDS || !(kept->listener->wants >> kind & 1)) return PARE_OK;
    kept->event = *event;
    pare_status status = pare_buffer_text(&kept->kind, event->kind, err);
    if (!status) status = pare_buffer_text(&kept->text, event->text, err);
    kept->event.kind = kept->kind.data;
    kept->event.text = kept->text.data;
    kept->is_found = !status;
    return status ? status : pare_fail(err, FOUND, "found");
}

/* Finds the next event of a wanted kind after those that were looked at;
 * kept->is_found is false if there is none. The caller frees the texts of
 * *kept. */
static pare_status find_next(const pare_listeners *self, struct listener *listener,
                             struct kept *kept, pare_error *err)
{
    pare_error said = {0};
    *kept = (struct kept){.listener = listener, .seen = listener->seen};
    pare_status status = pare_store_events(self->store, listener->seen, 0, 0, keep, kept, &said);
    if (kept->is_found) status = PARE_OK;
    if (status) return pare_fail(err, status, "%s", said.message);
    listener->seen = kept->seen;
    return PARE_OK;
}

/* Whether the listener wants events of this finding's target. Without a list it
 * wants all; with one, events without a finding are not for it. */
static bool wants_target(const struct listener *listener, const pare_finding *finding)
{
    size_t n = 0;
    const char *const *targets = pare_section_words(listener->section, "targets", &n);
    if (!n) return true;
    for (size_t i = 0; i < n && finding; i++)
        if (strcmp(targets[i], finding->target) == 0) return true;
    return false;
}

/* ---- processes ------------------------------------------------------------------------- */

/* A file in memory, with a number above those that a child's standard files
 * get; negative on failure. */
static int make_file(unsigned seals)
{
    return pare_descriptor_raise(memfd_create("pare-listener", MFD_CLOEXEC | seals),
                                 PARE_SPAWN_LEAST_FD);
}

/* Writes all bytes and goes back to the start. False: memory is out. */
static bool write_all(int fd, const pare_buffer *bytes)
{
    for (size_t at = 0; at < bytes->size;) {
        ssize_t n = write(fd, bytes->data + at, bytes->size - at);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) at += (size_t)n;
    }
    return lseek(fd, 0, SEEK_SET) == 0;
}

/* Makes the two files of a process. The message is its standard input. The file
 * that it prints to has its length fixed and sealed: a process that prints more
 * gets an error on its standard error, and costs us nothing. */
static pare_status open_files(struct listener *listener, const pare_buffer *message, int *input_fd,
                              pare_error *err)
{
    *input_fd = make_file(0);
    listener->said_fd = make_file(MFD_ALLOW_SEALING);
    bool is_good = *input_fd >= 0 && listener->said_fd >= 0 && write_all(*input_fd, message) &&
                   ftruncate(listener->said_fd, SAID_BYTES) == 0 &&
                   fcntl(listener->said_fd, F_ADD_SEALS, F_SEAL_GROW) == 0;
    return is_good ? PARE_OK
                   : pare_fail_errno(err, errno, "cannot make a file for a listener's message");
}

/* The command that is run, by a shell. sendmail often lies where the PATH of
 * users does not lead. */
static const char *command_of(const struct listener *listener)
{
    return listener->mail ? "PATH=$PATH:/usr/sbin:/usr/lib exec sendmail -t -i"
                          : pare_section_text(listener->section, "command");
}

/* Starts the command in the store's folder, in a process group of its own, so
 * that all that it starts can be ended with it. */
static pare_status start_process(pare_listeners *self, struct listener *listener, int input_fd,
                                 pare_error *err)
{
    char shell[] = "/bin/sh", option[] = "-c";
    char *command = pare_alloc_text(command_of(listener), strlen(command_of(listener)));
    if (!command) return pare_fail_nomem(err);
    char *const argv[] = {shell, option, command, NULL};
    const pare_spawn spawn = {.path = shell,
                              .argv = argv,
                              .envp = environ,
                              .directory_fd = self->folder_fd,
                              .input_fd = input_fd,
                              .output_fd = -1,
                              .error_fd = listener->said_fd,
                              .kind = PARE_SPAWN_TEST};
    pare_status status = pare_spawner_start(&self->spawner, &spawn, &listener->child, err);
    pare_alloc_free(command);
    return status;
}

/* Starts the delivery of an event. That the command fails is seen later; only
 * our own troubles are an error. */
static pare_status deliver(pare_listeners *self, struct listener *listener,
                           const pare_listener_message *message, pare_error *err)
{
    pare_buffer bytes = {0};
    int input_fd = -1;
    pare_status status = listener->mail
                             ? pare_listener_message_mail(message, listener->mail, &bytes, err)
                             : pare_listener_message_json(message, &bytes, err);
    if (!status) status = open_files(listener, &bytes, &input_fd, err);
    if (!status) status = start_process(self, listener, input_fd, err);
    if (!status) {
        listener->event = message->event->id;
        listener->finding = message->event->finding;
        listener->is_late = false;
        listener->until_ms = pare_clock_ms() + pare_section_time_ms(listener->section, "timeout");
    } else {
        pare_descriptor_close(&listener->said_fd);
    }
    pare_descriptor_close(&input_fd);
    pare_buffer_done(&bytes);
    return status;
}

/* Looks at the next event and starts its delivery, if its target is wanted.
 * *is_more: there was an event, so there may be another one. */
static pare_status start_next(pare_listeners *self, struct listener *listener, bool *is_more,
                              pare_error *err)
{
    struct kept kept;
    pare_finding finding = {0};
    bool has_finding = false;
    pare_error none = {0};
    pare_status status = find_next(self, listener, &kept, err);
    *is_more = !status && kept.is_found;
    if (*is_more && kept.event.finding) {
        status = pare_store_finding(self->store, kept.event.finding, &finding, &none);
        has_finding = !status;
        /* It was deleted since. */
        if (status == PARE_E_STATE) status = PARE_OK;
        if (status) (void)pare_fail(err, status, "%s", none.message);
    }
    const pare_finding *about = has_finding ? &finding : NULL;
    const pare_listener_message message = {
        .store = self->store, .campaign = self->campaign, .event = &kept.event, .finding = about};
    if (!status && *is_more && wants_target(listener, about))
        status = deliver(self, listener, &message, err);
    if (has_finding) pare_finding_done(&finding);
    pare_buffer_done(&kept.kind);
    pare_buffer_done(&kept.text);
    return status;
}

/* ---- ends ------------------------------------------------------------------------------ */

/* Appends ": " and the last line that the process has printed, in visible form;
 * nothing if it has printed nothing. */
static pare_status add_said(const struct listener *listener, pare_buffer *out, pare_error *err)
{
    char said[SAID_BYTES + 1] = "";
    ssize_t size = pread(listener->said_fd, said, SAID_BYTES, 0);
    size_t end = size > 0 ? strnlen(said, (size_t)size) : 0;
    while (end && strchr("\r\n \t", said[end - 1]))
        end--;
    size_t begin = end;
    while (begin && said[begin - 1] != '\n')
        begin--;
    if (begin == end) return PARE_OK;
    pare_status status = pare_buffer_text(out, ": ", err);
    return status ? status : pare_escape_line(said + begin, end - begin, SHOWN_BYTES, out, err);
}

/* Appends the sentence of a failure: "listener chat: exit code 1: no such host". */
static pare_status describe(const struct listener *listener, const siginfo_t *info,
                            pare_buffer *out, pare_error *err)
{
    pare_status status = pare_buffer_format(out, err, "%s: ", listener->fact);
    if (status) return status;
    if (listener->is_late)
        status =
            pare_buffer_format(out, err, "took longer than %.3g s",
                               (double)pare_section_time_ms(listener->section, "timeout") / 1000);
    else
        status = pare_buffer_format(out, err, "%s %d",
                                    info->si_code == CLD_EXITED ? "exit code" : "signal",
                                    info->si_status);
    return status ? status : add_said(listener, out, err);
}

/* Writes down that the event is done, in one transaction with the failure, if
 * there is one. A failure that is the same as the last one is not told again. */
static pare_status note_end(pare_listeners *self, struct listener *listener,
                            const pare_buffer *failure, pare_error *err)
{
    bool is_news =
        failure->size && (!listener->last.size || strcmp(failure->data, listener->last.data) != 0);
    pare_status status = pare_store_begin(self->store, err);
    if (status) return status;
    if (is_news)
        status = pare_store_tell(self->store, "log", listener->finding, 0, failure->data, err);
    if (!status) status = write_done(self, listener, err);
    status = pare_store_end(self->store, status, err);
    pare_buffer_reset(&listener->last);
    if (!status && failure->size)
        status = pare_buffer_add(&listener->last, failure->data, failure->size, err);
    return status;
}

/* Takes the end of a process. What it has left running is killed while the
 * number of the group is still its own (the leader is waited for without being
 * reaped). Whatever came of it, the event is done. */
static pare_status take_end(pare_listeners *self, struct listener *listener, pare_error *err)
{
    siginfo_t info = {0};
    pare_buffer failure = {0};
    pare_status status = PARE_OK;
    bool is_known = pare_child_wait(listener->child.pid, WEXITED | WNOWAIT, &info, NULL);
    (void)pare_child_kill_group(listener->child.pid);
    (void)pare_child_end_by_fd(listener->child.pidfd);
    assert(listener->event > listener->done);
    listener->done = listener->event;
    listener->event = 0;
    if (listener->is_late || !is_known || info.si_code != CLD_EXITED || info.si_status != 0)
        status = describe(listener, &info, &failure, err);
    if (!status) status = note_end(self, listener, &failure, err);
    pare_descriptor_close(&listener->said_fd);
    pare_buffer_done(&failure);
    return status;
}

/* ---- turns ----------------------------------------------------------------------------- */

/* Kills a process that takes too long, once, and lowers *timeout_ms to when
 * this is to be asked again. After the kill that is in SLICE_MS, in case its
 * end was missed. */
static void limit_time(struct listener *listener, int *timeout_ms)
{
    uint64_t now = pare_clock_ms();
    if (now >= listener->until_ms && !listener->is_late) {
        listener->is_late = true;
        (void)pare_child_kill_group(listener->child.pid);
    }
    uint64_t left = listener->is_late ? SLICE_MS : listener->until_ms - now;
    /* A limit of months does not fit poll's int; an hour is as good. */
    if (left > SLICE_MS * UINT64_C(3600)) left = SLICE_MS * UINT64_C(3600);
    if (*timeout_ms < 0 || left < (uint64_t)*timeout_ms) *timeout_ms = (int)left;
}

/* Takes the end of the listener's process, then goes through the events until a
 * process runs or there is none left. */
static pare_status turn_one(pare_listeners *self, struct listener *listener, int *timeout_ms,
                            pare_error *err)
{
    pare_status status = PARE_OK;
    if (listener->event && pare_descriptor_await(listener->child.pidfd, 0))
        status = take_end(self, listener, err);
    for (bool is_more = true; !status && is_more && !listener->event;)
        status = start_next(self, listener, &is_more, err);
    if (!status && listener->event) limit_time(listener, timeout_ms);
    return status;
}

/* One turn of all listeners. *timeout_ms is when the next one is due at the
 * latest, or -1. Each listener costs one indexed look at the events after its
 * position. */
pare_status pare_listeners_turn(pare_listeners *self, int *timeout_ms, pare_error *err)
{
    pare_status status = PARE_OK;
    *timeout_ms = -1;
    for (size_t i = 0; i < self->n && !status; i++)
        status = turn_one(self, &self->items[i], timeout_ms, err);
    return status;
}

/* Lists a descriptor for each process, which can be read when the process has
 * ended; at most `most`. */
size_t pare_listeners_descriptors(const pare_listeners *self, int *fds, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < self->n && n < most; i++)
        if (self->items[i].event) fds[n++] = self->items[i].child.pidfd;
    return n;
}

/* Delivers what is left at the end of a run, for at most most_ms; the rest is
 * for the next run. Each wait ends when a process ends, one takes too long, the
 * time is over, or a stop is requested. */
pare_status pare_listeners_finish(pare_listeners *self, unsigned most_ms, const pare_stop *stop,
                                  pare_error *err)
{
    uint64_t until_ms = pare_clock_ms() + most_ms;
    for (;;) {
        int fds[PARE_LISTENERS_MOST], timeout_ms;
        struct pollfd polled[PARE_LISTENERS_MOST + 1];
        pare_status status = pare_listeners_turn(self, &timeout_ms, err);
        size_t n = pare_listeners_descriptors(self, fds, PARE_LISTENERS_MOST);
        uint64_t now = pare_clock_ms();
        if (status || !n || now >= until_ms || (stop && pare_stop_requested(stop))) return status;
        for (size_t i = 0; i < n; i++)
            polled[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
        if (stop) polled[n++] = (struct pollfd){.fd = pare_stop_fd(stop), .events = POLLIN};
        if ((uint64_t)timeout_ms > until_ms - now) timeout_ms = (int)(until_ms - now);
        (void)poll(polled, n, timeout_ms);
    }
}
