/* Workers that are spoken to in lines.
 *
 * Only one line is under way in each direction.  So a worker that has written more than
 * one answer is out of step, and everything that it says later would be taken for the
 * answer about another candidate: that ends the run.  Whether something was said too early
 * is looked at before each request.
 *
 * We hold the reading end of the pipe to the worker too, so that writing to a dead worker
 * is no signal; its end is heard by its pidfd, and its own end of the other pipe.  Pipes,
 * not sockets, since /dev/stdin of a socket cannot be opened. */

#include "run/launch_dialog.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/status.h"
#include "os/descriptor.h"
#include "os/process_tree.h"
#include "os/sandbox/sandbox.h"
#include "run/launcher.h"
#include "run/server.h"

enum {
    REQUEST_BYTES = 64 + PATH_MAX, /* a number and a path */
    ANSWER_BYTES = 64,             /* more than any answer */
    QUOTED_BYTES = 2 * ANSWER_BYTES
};

static const char *const answers[] = {[PARE_ANSWER_FAIL] = "FAIL\n",
                                      [PARE_ANSWER_PASS] = "PASS\n",
                                      [PARE_ANSWER_UNRESOLVED] = "UNRESOLVED\n"};
enum { N_ANSWERS = sizeof answers / sizeof *answers };

struct slot {
    pare_server server;
    int request_fd, held_fd, answer_fd; /* owned while there is a server */
    int error_fd;                       /* that it was started with; borrowed */
    bool killed;
    bool mute;               /* its end of the pipe is closed: only its own end is to come */
    char text[ANSWER_BYTES]; /* what the worker has said since the request */
    size_t size;
};

typedef struct dialog_launcher {
    pare_launcher head;
    pare_launcher_home home;
    struct slot *slots; /* owned */
} dialog_launcher;

static dialog_launcher *of(pare_launcher *launcher)
{
    return (dialog_launcher *)(void *)launcher;
}

/* --- workers ----------------------------------------------------------------- */

static void close_worker(dialog_launcher *self, unsigned k, pare_ending *ending)
{
    struct slot *slot = &self->slots[k];
    if (slot->server.pid && !slot->server.is_muted)
        pare_descriptor_unwatch(self->home.epoll_fd, slot->server.pidfd);
    pare_server_close(&slot->server, &self->home, k, ending);
    pare_descriptor_close(&slot->request_fd);
    pare_descriptor_close(&slot->held_fd);
    pare_descriptor_close(&slot->answer_fd);
}

/* Our ends do not block: nobody is waited for but in the epoll. */
static pare_status make_pipes(struct slot *slot, int *theirs, pare_error *err)
{
    int to[2], from[2];
    pare_status status = pare_descriptor_pipe(PARE_SERVER_LEAST_FD, to, "a pipe", err);
    if (status) return status;
    slot->held_fd = to[0];
    slot->request_fd = to[1];
    status = pare_descriptor_pipe(PARE_SERVER_LEAST_FD, from, "a pipe", err);
    if (status) return status;
    slot->answer_fd = from[0];
    *theirs = from[1];
    if (fcntl(slot->request_fd, F_SETFL, O_NONBLOCK) || fcntl(slot->answer_fd, F_SETFL, O_NONBLOCK))
        return pare_fail_errno(err, errno, "cannot set up the pipes of a worker");
    return PARE_OK;
}

static pare_status open_worker(dialog_launcher *self, unsigned k, const pare_launch *launch,
                               pare_error *err)
{
    struct slot *slot = &self->slots[k];
    int theirs = -1;
    pare_status status = make_pipes(slot, &theirs, err);
    const pare_server_start start = {
        .input_fd = slot->held_fd, .output_fd = theirs, .error_fd = launch->error_fd};
    slot->error_fd = launch->error_fd;
    slot->mute = false;
    if (!status) status = pare_server_open(&slot->server, &self->home, k, launch, &start, err);
    pare_descriptor_close(&theirs);
    if (!status) status = pare_server_hear(&slot->server, &self->home, k, slot->answer_fd, err);
    if (!status)
        status = pare_descriptor_watch(self->home.epoll_fd, slot->server.pidfd,
                                       k | PARE_LAUNCHER_SERVER, err);
    if (status) close_worker(self, k, NULL);
    return status;
}

static bool fits(dialog_launcher *self, unsigned k, const pare_launch *launch)
{
    struct slot *slot = &self->slots[k];
    return slot->error_fd == launch->error_fd && pare_server_fits(&slot->server, launch, NULL) &&
           pare_sandbox_is_ready(self->home.sandbox, k, launch->directory);
}

/* --- what is said ------------------------------------------------------------ */

/* Hears what the worker says, as far as there is room; false when it has closed its end. */
static bool listen_to(struct slot *slot)
{
    while (slot->size < sizeof slot->text) {
        ssize_t n = read(slot->answer_fd, slot->text + slot->size, sizeof slot->text - slot->size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 && errno == EAGAIN;
        slot->size += (size_t)n;
    }
    return true;
}

/* What was said, to be quoted: one line that can be read. */
static const char *quote(const struct slot *slot, char quoted[QUOTED_BYTES])
{
    size_t used = 0;
    for (size_t k = 0; k < slot->size; k++) {
        const char c = slot->text[k];
        if (c == '\n' && k + 1 == slot->size) break;
        if (c == '\n' || c == '\r') quoted[used++] = '\\';
        quoted[used++] = (char)(c == '\n' ? 'n' : c == '\r' ? 'r' : c < ' ' || c > '~' ? '?' : c);
    }
    quoted[used] = '\0';
    return quoted;
}

/* The worker cannot be believed any more. */
static pare_status refuse_answer(dialog_launcher *self, unsigned k, pare_error *err)
{
    char quoted[QUOTED_BYTES];
    pare_status status =
        pare_fail(err, PARE_E_SYNTAX,
                  "the worker said '%s' where one line for one candidate is due: FAIL, PASS or "
                  "UNRESOLVED",
                  quote(&self->slots[k], quoted));
    close_worker(self, k, NULL);
    return status;
}

/* The answer that the text is; N_ANSWERS: none, or not yet. */
static unsigned find_answer(const struct slot *slot)
{
    unsigned k = 0;
    while (k < N_ANSWERS &&
           (slot->size != strlen(answers[k]) || memcmp(slot->text, answers[k], slot->size) != 0))
        k++;
    return k;
}

static bool may_become_answer(const struct slot *slot)
{
    for (unsigned k = 0; k < N_ANSWERS; k++)
        if (slot->size < strlen(answers[k]) && !memcmp(slot->text, answers[k], slot->size))
            return true;
    return false;
}

/* --- tests ------------------------------------------------------------------- */

/* "BYTES PATH" and a line feed. */
static pare_status write_request(const pare_launch *launch, char request[REQUEST_BYTES],
                                 size_t *size, pare_error *err)
{
    int n = snprintf(request, REQUEST_BYTES, "%zu %s\n", launch->content_bytes, launch->candidate);
    if (n < 0 || n >= REQUEST_BYTES || strchr(launch->candidate, '\n'))
        return pare_fail(err, PARE_E_ARG,
                         "a worker is told paths in lines, which cannot hold '%s': give the input "
                         "another name",
                         launch->candidate);
    *size = (size_t)n;
    return PARE_OK;
}

/* A worker that has ended since the last test is no loss.  A pipe that is full is one that
 * is not read from, although all answers came. */
static pare_status start(pare_launcher *launcher, unsigned k, const pare_launch *launch,
                         pare_error *err)
{
    dialog_launcher *self = of(launcher);
    struct slot *slot = &self->slots[k];
    char request[REQUEST_BYTES];
    size_t size = 0;
    pare_status status = write_request(launch, request, &size, err);
    if (status) return status;
    slot->size = 0;
    bool open = slot->server.pid && !slot->mute && listen_to(slot);
    if (slot->size) return refuse_answer(self, k, err);
    if (slot->server.pid && (!open || !fits(self, k, launch))) close_worker(self, k, NULL);
    if (!slot->server.pid) status = open_worker(self, k, launch, err);
    if (status) return status;
    if (write(slot->request_fd, request, size) != (ssize_t)size) {
        close_worker(self, k, NULL);
        return pare_fail(err, PARE_E_SYNTAX, "the worker answers without reading what it is told");
    }
    pare_process_tree_enter_served(self->home.family, k);
    slot->killed = false;
    return PARE_OK;
}

static void kill_test(pare_launcher *launcher, unsigned k)
{
    struct slot *slot = &of(launcher)->slots[k];
    slot->killed = true;
    pare_server_kill(&slot->server);
}

/* The answer mostly comes before another worker could be ready. */
static void cancel(pare_launcher *launcher, unsigned k)
{
    (void)launcher;
    (void)k;
}

/* Hears what there is; true when the worker has ended.  Others may hold its pipe still, or it
 * may have closed that before it ends; what it said last is heard all the same. */
static bool hear_out(const dialog_launcher *self, struct slot *slot)
{
    if (!slot->mute && !listen_to(slot)) {
        slot->mute = true; /* an event would come for ever */
        pare_descriptor_unwatch(self->home.epoll_fd, slot->answer_fd);
    }
    if (find_answer(slot) < N_ANSWERS || !pare_descriptor_await(slot->server.pidfd, 0))
        return false;
    if (!slot->mute) (void)listen_to(slot);
    return true;
}

/* Whether the request is in the pipe still. */
static bool has_unread(const struct slot *slot)
{
    int n = 0;
    return !ioctl(slot->held_fd, FIONREAD, &n) && n > 0;
}

static pare_status hear(pare_launcher *launcher, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    dialog_launcher *self = of(launcher);
    struct slot *slot = &self->slots[k];
    pare_status status = PARE_OK;
    bool silent = slot->killed || hear_out(self, slot);
    unsigned answer = slot->killed ? N_ANSWERS : find_answer(slot);
    bool garbage = !slot->killed && answer == N_ANSWERS && !may_become_answer(slot);
    *ended = silent || answer < N_ANSWERS || garbage;
    if (!*ended) return PARE_OK;
    *ending = (pare_ending){.exit_code = (int)answer};
    if (garbage) {
        status = refuse_answer(self, k, err);
    } else if (answer == N_ANSWERS) {
        bool unread = has_unread(slot);
        close_worker(self, k, ending);
        ending->lost = true;
        ending->unread = unread;
    }
    pare_process_tree_leave_served(self->home.family, k);
    return status;
}

/* An event without a test: the worker has ended, or has said something, which the next
 * start looks at. */
static void mute(pare_launcher *launcher, unsigned k)
{
    dialog_launcher *self = of(launcher);
    struct slot *slot = &self->slots[k];
    if (!slot->server.pid || slot->server.is_muted) return;
    pare_descriptor_unwatch(self->home.epoll_fd, slot->server.pidfd);
    pare_server_mute(&slot->server, &self->home);
}

static void destroy(pare_launcher *launcher)
{
    dialog_launcher *self = of(launcher);
    for (unsigned k = 0; self->slots && k < self->home.family->n_slots; k++)
        close_worker(self, k, NULL);
    pare_release(self->slots);
    pare_release(self);
}

static const pare_launcher_ops ops = {.start = start,
                                      .kill = kill_test,
                                      .cancel = cancel,
                                      .hear = hear,
                                      .mute = mute,
                                      .destroy = destroy};

pare_status pare_launch_dialog_new(const pare_launcher_home *home, pare_launcher **out,
                                   pare_error *err)
{
    dialog_launcher *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *self = (dialog_launcher){.head.ops = &ops, .home = *home};
    self->slots = pare_alloc_zero(home->family->n_slots, sizeof *self->slots);
    if (!self->slots) {
        destroy(&self->head);
        return pare_fail_nomem(err);
    }
    for (unsigned k = 0; k < home->family->n_slots; k++)
        self->slots[k].request_fd = self->slots[k].held_fd = self->slots[k].answer_fd = -1;
    *out = &self->head;
    return PARE_OK;
}

/* Counting ends. */

enum { PRINTED_BYTES = 200, HOW_BYTES = 40 };

void pare_launch_dialog_note_answer(pare_dialog_losses *workers)
{
    workers->n_in_a_row = 0;
}

static const char *describe(const pare_ending *ending, char how[HOW_BYTES])
{
    if (ending->signal)
        (void)snprintf(how, HOW_BYTES, "signal %d", ending->signal);
    else if (ending->exit_code >= 0)
        (void)snprintf(how, HOW_BYTES, "exit code %d", ending->exit_code);
    else
        (void)snprintf(how, HOW_BYTES, "nobody knows how");
    return how;
}

/* The last line that is not empty, behind ": "; "" when there is none. */
static const char *last_line(const char *printed, char line[PRINTED_BYTES])
{
    size_t end = strlen(printed);
    while (end && (printed[end - 1] == '\n' || printed[end - 1] == '\r'))
        end--;
    size_t start = end;
    while (start && printed[start - 1] != '\n' && end - start < PRINTED_BYTES - 8)
        start--;
    (void)snprintf(line, PRINTED_BYTES, "%s%.*s", end ? ": " : "", (int)(end - start),
                   printed + start);
    return line;
}

pare_status pare_launch_dialog_note_end(pare_dialog_losses *workers, const pare_ending *ending,
                                        unsigned n_tries, const char *printed, bool *again,
                                        pare_error *err)
{
    char how[HOW_BYTES], line[PRINTED_BYTES];
    *again = n_tries < PARE_DIALOG_TRIES;
    if (*again) return PARE_OK;
    describe(ending, how);
    if (ending->unread)
        return pare_fail(err, PARE_E_IO, "the worker ends before it reads its first line (%s)%s",
                         how, last_line(printed, line));
    workers->n_fatal++;
    (void)snprintf(workers->why, sizeof workers->why, "the worker ends on it (%s)", how);
    if (!workers->notice[0])
        (void)snprintf(workers->notice, sizeof workers->notice,
                       "the worker ended on a candidate (%s): what ends %d of them is UNRESOLVED",
                       how, PARE_DIALOG_TRIES);
    if (++workers->n_in_a_row < PARE_DIALOG_MOST_LOSSES) return PARE_OK;
    return pare_fail(
        err, PARE_E_LIMIT,
        "the worker ended on %d candidates in a row (%s): let it answer for those too, "
        "as by testing in a process of its own%s",
        PARE_DIALOG_MOST_LOSSES, how, last_line(printed, line));
}
