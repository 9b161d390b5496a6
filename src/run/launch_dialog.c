/* The protocol of a worker of the user's: it is told in a line of each candidate, and answers
 * in a line what came of it (docs/guide/worker.md).  And what it means that it ends instead.
 *
 * Only one line is under way in each direction.  So a worker that has written more than one
 * answer is out of step, and everything that it says later would be taken for the answer
 * about another candidate: that ends the run.  Whether something was said too early is looked
 * at before each request.
 *
 * We hold the reading end of the pipe to the worker too, so that writing to a dead worker is
 * no signal; its end is heard by its pidfd, and by its own end of the other pipe.  Pipes, not
 * sockets, since /dev/stdin of a socket cannot be opened. */
#include "run/launcher.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/visible.h"
#include "os/descriptor.h"
#include "os/process_tree.h"
#include "run/server.h"

enum {
    REQUEST_BYTES = 64 + PATH_MAX, /* a number and a path */
    ANSWER_BYTES = 64,             /* more than any answer */
    QUOTED_BYTES = 2 * ANSWER_BYTES
};

static const char *const answers[] = {[PARE_ANSWER_FAIL] = "FAIL\n",
                                      [PARE_ANSWER_PASS] = "PASS\n",
                                      [PARE_ANSWER_UNRESOLVED] = "UNRESOLVED\n"};
enum { N_ANSWERS = sizeof answers / sizeof *answers }; /* as a result: none of them */

/* The slot's descriptors: what the worker writes, what it reads, and its reading end, held. */
enum { ANSWER = PARE_SERVER_HEARD, REQUEST, HELD };

struct slot {
    pare_server server;
    bool is_silent;     /* its end of the pipe is closed: only its own end is to come */
    bool is_unreadable; /* the pipe cannot be read: the worker is given up */
    char request[REQUEST_BYTES];
    size_t request_size;
    char text[ANSWER_BYTES]; /* what the worker has said since the request */
    size_t size;
};

/* The slot's struct begins with its server. */
static struct slot *slot_of(const pare_server_launcher *self, unsigned k)
{
    return (struct slot *)(void *)pare_server_of(self, k);
}

/* --- workers ----------------------------------------------------------------- */

/* The pipes of a new worker; *theirs is the end that it writes to.  Our ends do not block:
 * nobody is waited for but in the epoll. */
static pare_status make_pipes(struct slot *slot, int *theirs, pare_error *err)
{
    int *fds = slot->server.fds;
    int to[2], from[2];
    pare_status status = pare_descriptor_pipe(PARE_SERVER_LEAST_FD, to, "a pipe", err);
    if (status) return status;
    fds[HELD] = to[0];
    fds[REQUEST] = to[1];
    status = pare_descriptor_pipe(PARE_SERVER_LEAST_FD, from, "a pipe", err);
    if (status) return status;
    fds[ANSWER] = from[0];
    *theirs = from[1];
    if (fcntl(fds[REQUEST], F_SETFL, O_NONBLOCK) || fcntl(fds[ANSWER], F_SETFL, O_NONBLOCK))
        return pare_fail_errno(err, errno, "cannot set up the pipes of a worker");
    return PARE_OK;
}

/* The worker gets our reading end as its standard input: it is ours to hold, not to read. */
static pare_status open_worker(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                               pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    int theirs = -1;
    pare_status status = make_pipes(slot, &theirs, err);
    const pare_server_start start = {
        .input_fd = slot->server.fds[HELD], .output_fd = theirs, .error_fd = launch->error_fd};
    slot->is_silent = slot->is_unreadable = false;
    if (!status) status = pare_server_spawn(self, k, launch, &start, err);
    pare_descriptor_close(&theirs);
    return status;
}

/* --- what is said ------------------------------------------------------------ */

/* Reads what the worker writes, as far as there is room; false: it has closed its end, or reading
 * fails. There is room for more than an answer, and whatever fills it is refused. */
static bool listen_to(struct slot *slot)
{
    while (slot->size < sizeof slot->text) {
        ssize_t n =
            read(slot->server.fds[ANSWER], slot->text + slot->size, sizeof slot->text - slot->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return true;
        slot->is_unreadable = n < 0;
        if (n <= 0) return false;
        slot->size += (size_t)n;
    }
    return true;
}

/* The worker's words, to be quoted in a message: one line, with line ends as \n and \r, and "?" for
 * what cannot be seen. */
static const char *quote(const struct slot *slot, char quoted[QUOTED_BYTES])
{
    const size_t size = slot->size - (slot->size && slot->text[slot->size - 1] == '\n');
    char seen[ANSWER_BYTES + 1];
    size_t used = 0;
    /* Each byte, or character, stays as long as it is: only line ends become longer. */
    (void)pare_visible_copy(seen, sizeof seen, slot->text, size, SIZE_MAX);
    for (size_t k = 0; k < size; k++) {
        const char c = slot->text[k];
        if (c == '\n' || c == '\r') quoted[used++] = '\\';
        quoted[used++] = (char)(c == '\n' ? 'n' : c == '\r' ? 'r' : seen[k]);
    }
    quoted[used] = '\0';
    return quoted;
}

/* The worker wrote something that is no answer, or wrote unasked. It is out of step, so nothing
 * that it says later can be believed, and the run ends with this sentence. */
static pare_status refuse_answer(pare_server_launcher *self, unsigned k, pare_error *err)
{
    char quoted[QUOTED_BYTES];
    pare_status status = pare_fail(
        err, PARE_E_SYNTAX,
        "the worker answered '%s' instead of one line for one candidate: FAIL, PASS or UNRESOLVED",
        quote(slot_of(self, k), quoted));
    pare_server_close(self, k, NULL);
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

/* Whether the text so far is the beginning of an answer: a worker may write in parts. */
static bool may_become_answer(const struct slot *slot)
{
    for (unsigned k = 0; k < N_ANSWERS; k++)
        if (slot->size < strlen(answers[k]) && !memcmp(slot->text, answers[k], slot->size))
            return true;
    return false;
}

/* --- tests ------------------------------------------------------------------- */

/* Writes the request to the slot: "BYTES PATH" and a line feed. */
static pare_status write_request(struct slot *slot, const pare_launch *launch, pare_error *err)
{
    int n = snprintf(slot->request, REQUEST_BYTES, "%zu %s\n", launch->content_bytes,
                     launch->candidate);
    if (n < 0 || n >= REQUEST_BYTES || strchr(launch->candidate, '\n'))
        return pare_fail(
            err, PARE_E_ARG,
            "a worker reads one path per line, and '%s' is not a line: give the input another name",
            launch->candidate);
    slot->request_size = (size_t)n;
    return PARE_OK;
}

/* Before a request: a worker that has ended since the last test is closed, and `start` makes
 * another; one that has spoken since is out of step. */
static pare_status check(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                         pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    pare_status status = write_request(slot, launch, err);
    if (status) return status;
    slot->size = 0;
    bool open = slot->server.pid && !slot->is_silent && listen_to(slot);
    if (slot->size) return refuse_answer(self, k, err);
    if (!open) pare_server_close(self, k, NULL);
    return PARE_OK;
}

/* The pipe holds many requests, and only one is under way: if this one does not fit, the worker has
 * answered again and again without reading what it was told. */
static pare_status send_test(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                             bool *sent, pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    (void)launch;
    const size_t size = slot->request_size;
    *sent = write(slot->server.fds[REQUEST], slot->request, size) == (ssize_t)size;
    if (*sent) return PARE_OK;
    pare_server_close(self, k, NULL);
    return pare_fail(err, PARE_E_SYNTAX, "the worker answers without reading its input");
}

/* Hears what there is; true when the worker has ended, or will not be heard any more.  Others may
 * hold its pipe still, or it may have closed that before it ends; what it said last is heard all
 * the same. */
static bool hear_out(const pare_server_launcher *self, struct slot *slot)
{
    if (!slot->is_silent && !listen_to(slot)) {
        slot->is_silent = true; /* an event would come for ever */
        pare_descriptor_unwatch(self->home.epoll_fd, slot->server.fds[ANSWER]);
    }
    if (find_answer(slot) < N_ANSWERS) return false;
    if (slot->is_unreadable) return true;
    if (!pare_descriptor_await(slot->server.pidfd, 0)) return false;
    if (!slot->is_silent) (void)listen_to(slot);
    return true;
}

/* Whether the request is still in the pipe. If so the worker ended for a reason of its own, and not
 * because of the candidate. */
static bool has_unread(const struct slot *slot)
{
    int n = 0;
    return !ioctl(slot->server.fds[HELD], FIONREAD, &n) && n > 0;
}

/* An answer, garbage, or the worker's end, whichever comes first; an answer counts even if the
 * worker ended right after it.  While the text may still become an answer, the rest is waited
 * for. */
static pare_status hear(pare_server_launcher *self, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    bool has_ended = hear_out(self, slot);
    unsigned answer = find_answer(slot);
    bool garbage = answer == N_ANSWERS && !may_become_answer(slot);
    *ended = has_ended || answer < N_ANSWERS || garbage;
    if (!*ended) return PARE_OK;
    assert(!slot->server.is_killed);
    *ending = (pare_ending){.exit_code = (int)answer};
    if (garbage) return refuse_answer(self, k, err);
    if (answer < N_ANSWERS) return PARE_OK;
    bool unread = has_unread(slot);
    pare_server_close(self, k, ending);
    ending->lost = true;
    ending->unread = unread;
    return PARE_OK;
}

const pare_server_protocol pare_launch_dialog = {.slot_bytes = sizeof(struct slot),
                                                 .refusal = "no worker can run",
                                                 .keeps_error = true,
                                                 .outlasts_cancel = true,
                                                 .tells_end_by_pidfd = true,
                                                 .check = check,
                                                 .open = open_worker,
                                                 .send = send_test,
                                                 .hear = hear};

/* --- ends without an answer -------------------------------------------------- */

enum { PRINTED_BYTES = 200, HOW_BYTES = 40 };

/* Candidates on which workers ended are only alarming in a row. */
void pare_launch_dialog_note_answer(pare_dialog_losses *workers)
{
    workers->n_in_a_row = 0;
}

/* How a worker ended, as a part of a sentence. */
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

/* ": " and the last line that is not empty, for a sentence; "" if there is none. */
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

/* A worker has ended without an answer. First it is tried again; then the candidate is at fault,
 * or, if the worker never read the candidate, or too many in a row end it, the worker itself. */
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
    return pare_fail(err, PARE_E_LIMIT,
                     "the worker ended on %d candidates in a row (%s): make it answer for those "
                     "too, for example by testing in a child process%s",
                     PARE_DIALOG_MOST_LOSSES, how, last_line(printed, line));
}
