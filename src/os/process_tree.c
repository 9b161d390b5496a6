/* Ending everything that a test has started.
 *
 * The order matters: the group is killed while its leader is a zombie, because only so long is
 * its number ours for sure; then the leader is reaped; then our children are looked through
 * again and again, since each that dies may orphan others to us, until none belongs to the
 * test.  Waiting is by pidfd, and bounded: a process that cannot die now (in a system call that
 * hangs) is left to the next test's sweep.
 *
 * A process that left the group is known by the mark in its environment, which it inherited.
 * The mark is read from /proc: it costs three system calls for each child of ours that is not
 * known otherwise, and none where a test leaves nothing.  Why not control groups: they need
 * rights that a user has only under some systemd setups, and a directory for each test.
 *
 * Invariants: n_running counts the tests between enter and leave; a leader, keeper or server
 * of a slot is a child of ours that is not reaped.
 *
 * Sources: prctl(2) for subreapers, proc(5) for environ and children. */
#include "os/process_tree.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"

enum {
    SWEEP_LIMIT_MS = 5000, /* for all of a test's orphans */
    DEATH_LIMIT_MS = 1000, /* for one killed process */
    CLEAR_LIMIT_MS = 2,    /* for a process to show what it is */
    CLEAR_TRIES = 5        /* per sweep */
};

/* The trees of this process that are not done. Children belong to the process: where there is a second
 * tree, none of them knows the children of the other, and can only go by marks. */
static atomic_uint n_trees;

/* Whether every child that the tree does not know of is a stray. */
static bool owns_all(const pare_process_tree *tree)
{
    return tree->owns_children && atomic_load(&n_trees) == 1;
}

/* How a sweep regards a child of ours. */
enum kin {
    STRANGER,
    QUARRY, /* it was ours, and has ended */
    UNCLEAR /* it is ending, or about to execute a program: look again */
};

/* Which processes a sweep looks for: all bytes of `mark` must stand at the start of an
 * entry of the environment. */
struct quarry {
    char mark[PARE_PROCESS_TREE_MARK_BYTES];
    size_t mark_size;
    pid_t group;   /* 0: none */
    bool everyone; /* every child is to be ended */
};

/* A walk over the numbers in the list of our children. */
struct walk {
    int fd;
    off_t offset;
    size_t used, at;
    char text[2048];
};

/* Reads on in the list; false at its end.  The kernel writes it anew for each read, so it is
 * only as good as the moment. */
static bool refill(struct walk *walk)
{
    ssize_t n = pread(walk->fd, walk->text, sizeof walk->text, walk->offset);
    if (n <= 0) return false;
    walk->offset += n;
    walk->used = (size_t)n;
    walk->at = 0;
    return true;
}

/* The next child in the list; 0 at its end.  A number may be cut by the end of a read, and is
 * put together across it. */
static pid_t next_child(struct walk *walk)
{
    pid_t pid = 0;
    for (;;) {
        if (walk->at == walk->used && !refill(walk)) return pid;
        char c = walk->text[walk->at++];
        if (c >= '0' && c <= '9')
            pid = pid * 10 + (c - '0');
        else if (pid)
            return pid;
    }
}

/* Whether a child is a leader, keeper or server of a slot, or spared, so that a sweep leaves it
 * alone. O(slots) for each child, and there are few more children than slots. */
static bool is_known(const pare_process_tree *tree, pid_t pid)
{
    for (size_t k = 0; k < sizeof tree->spared / sizeof *tree->spared; k++)
        if (tree->spared[k] == pid) return true;
    for (unsigned slot = 0; slot < tree->n_slots; slot++)
        if (tree->leaders[slot] == pid || tree->keepers[slot] == pid || tree->servers[slot] == pid)
            return true;
    return false;
}

/* Whether a variable in `fd`, an environment as NUL-separated text, starts with the mark; *empty
 * tells that there is no text. Read in parts, so that an environment of any size takes no
 * memory. */
static bool has_mark(int fd, const char *mark, size_t mark_size, bool *empty)
{
    char text[4096];
    size_t matched = 0;
    bool possible = true;
    *empty = true;
    for (ssize_t n; (n = read(fd, text, sizeof text)) > 0;) {
        *empty = false;
        for (ssize_t i = 0; i < n; i++) {
            possible = possible && text[i] == mark[matched];
            if (possible && ++matched == mark_size) return true;
            if (text[i] != '\0') continue;
            possible = true;
            matched = 0;
        }
    }
    return false;
}

/* Whether the process is marked. *unclear_ms: for how long it may show no environment although it
 * has one; 0 if it shows one, or nothing of it can be seen. A process without memory is ending;
 * newer kernels (6.18, for one) then say that it does not exist. */
static bool is_marked(pid_t pid, const struct quarry *quarry, int *unclear_ms)
{
    char path[32];
    bool empty = false;
    (void)snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *unclear_ms = fd < 0 && errno == ESRCH ? DEATH_LIMIT_MS : 0;
    if (fd < 0) return false;
    bool found = has_mark(fd, quarry->mark, quarry->mark_size, &empty);
    (void)close(fd);
    if (empty) *unclear_ms = CLEAR_LIMIT_MS;
    return found;
}

/* Whether the child is a zombie; it is not reaped by that. */
static bool has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return pare_child_wait(pid, WEXITED | WNOHANG | WNOWAIT, &info, NULL) && info.si_pid == pid;
}

/* Gives a process that shows no environment time to end, or to execute its program: it is
 * looked at again after at most `limit_ms`. */
static void await_clear(pid_t pid, int limit_ms)
{
    int pidfd = (int)syscall(SYS_pidfd_open, (long)pid, 0L);
    if (pidfd < 0) return;
    (void)pare_descriptor_await(pidfd, limit_ms);
    (void)close(pidfd);
}

/* Reaps a child that is a zombie; false: it still runs, or is no child of ours. */
static bool reap_if_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return pare_child_wait(pid, WEXITED | WNOHANG, &info, NULL) && info.si_pid == pid;
}

/* Kills and reaps one child of ours. Whether it is ours is asked first, so that nothing else is
 * ever killed, whatever the number says. The wait for its death is bounded, because some processes
 * cannot die. */
static void end_child(pid_t pid)
{
    if (!pare_child_wait(pid, WEXITED | WNOHANG | WNOWAIT, NULL, NULL)) return;
    (void)pare_child_kill(pid);
    int pidfd = (int)syscall(SYS_pidfd_open, (long)pid, 0L);
    if (pidfd >= 0) {
        (void)pare_descriptor_await(pidfd, DEATH_LIMIT_MS);
        (void)close(pidfd);
        (void)reap_if_ended(pid);
    } else if (errno == ENOSYS) { /* valgrind: wait the other way */
        (void)pare_child_reap(pid);
    }
}

/* Ends `pid`, an unknown child, if it is of the quarry.  One that is ending has no
 * environment any more while its children are not given to us yet: it must not be
 * taken for a stranger. */
static enum kin meet(const pare_process_tree *tree, pid_t pid, const struct quarry *quarry)
{
    int unclear_ms = 0;
    if (owns_all(tree) && reap_if_ended(pid)) return QUARRY;
    if (quarry->everyone || (quarry->group && getpgid(pid) == quarry->group) ||
        is_marked(pid, quarry, &unclear_ms)) {
        end_child(pid);
        return QUARRY;
    }
    if (!unclear_ms || has_ended(pid)) return STRANGER;
    await_clear(pid, unclear_ms);
    return UNCLEAR;
}

/* Looks through our children once. Returns the most important thing that was met: quarry comes
 * before what is unclear. Adds the processes that were ended to *n_ended. */
static enum kin look(const pare_process_tree *tree, const struct quarry *quarry, unsigned *n_ended)
{
    struct walk walk = {.fd = tree->children_fd, .offset = 0, .used = 0, .at = 0};
    enum kin met = STRANGER;
    for (pid_t pid; (pid = next_child(&walk)) != 0;) {
        if (is_known(tree, pid)) continue;
        enum kin kin = meet(tree, pid, quarry);
        *n_ended += kin == QUARRY;
        if (met != QUARRY && kin != STRANGER) met = kin;
    }
    return met;
}

/* Looks until a pass meets nothing of the quarry; returns how many were ended.  What is unclear is
 * looked at a few times more; what cannot die ends the sweep at its time limit. */
static unsigned sweep(const pare_process_tree *tree, const struct quarry *quarry)
{
    uint64_t end_ms = 0;
    unsigned unclear = 0, n_ended = 0;
    for (;;) {
        enum kin met = look(tree, quarry, &n_ended);
        if (met == STRANGER || (met == UNCLEAR && ++unclear > CLEAR_TRIES)) return n_ended;
        if (!end_ms) end_ms = pare_clock_ms() + SWEEP_LIMIT_MS;
        if (pare_clock_ms() >= end_ms) return n_ended;
    }
}

/* ---- counting --------------------------------------------------------------------------- */

/* Processes to look at, each after those that it was found in. */
struct family {
    pid_t pids[PARE_PROCESS_TREE_COUNTED];
    unsigned n;
};

/* Adds the processes of a list, but for our own children in the cell. */
static void add_list(const pare_process_tree *tree, int list_fd, struct family *family)
{
    struct walk walk = {.fd = list_fd, .offset = 0, .used = 0, .at = 0};
    if (list_fd < 0) return;
    for (pid_t pid; family->n < PARE_PROCESS_TREE_COUNTED && (pid = next_child(&walk)) != 0;)
        if (!is_known(tree, pid)) family->pids[family->n++] = pid;
}

/* How many processes of the test in `slot` there are besides its leader: orphans in its cell and
 * their descendants, and while the test is `alive`, its own descendants. Changes meanwhile may be
 * missed: the number is for telling people, not for ending processes. */
static unsigned count_family(const pare_process_tree *tree, unsigned slot, bool alive)
{
    struct family family = {.n = 0};
    int list_fd = alive ? pare_child_open_list(tree->leaders[slot]) : -1;
    add_list(tree, list_fd, &family);
    pare_descriptor_close(&list_fd);
    add_list(tree, tree->keeper_lists[slot], &family);
    for (unsigned k = 0; k < family.n && family.n < PARE_PROCESS_TREE_COUNTED; k++) {
        list_fd = pare_child_open_list(family.pids[k]);
        add_list(tree, list_fd, &family);
        pare_descriptor_close(&list_fd);
    }
    return family.n;
}

/* Names a run, by our number and 64 random bits: unlike every other on this machine, also of a
 * process that had our number before.  The clock where the kernel has no random numbers yet,
 * early after the start of a machine. */
void pare_process_tree_name_run(char run_id[PARE_PROCESS_TREE_RUN_ID_BYTES])
{
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random)
        random = pare_clock_ns();
    (void)snprintf(run_id, PARE_PROCESS_TREE_RUN_ID_BYTES, "%d-%016llx", (int)getpid(),
                   (unsigned long long)random);
}

/* The variable that makes all descendants of a test findable: it is inherited, and few
 * programs clear their environment. */
void pare_process_tree_mark(const pare_process_tree *tree, unsigned slot,
                            char mark[PARE_PROCESS_TREE_MARK_BYTES])
{
    (void)snprintf(mark, PARE_PROCESS_TREE_MARK_BYTES, "PARE_TEST=%s.%u", tree->run_id, slot);
}

/* Without the exit status of children nothing can be learnt from a test. */
static pare_status keep_statuses(pare_process_tree *tree, pare_error *err)
{
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action))
        return pare_fail_errno(err, errno, "cannot read the action of SIGCHLD");
    if (action.sa_handler != SIG_IGN && !(action.sa_flags & SA_NOCLDWAIT)) return PARE_OK;
    if (!tree->owns_children)
        return pare_fail(err, PARE_E_STATE,
                         "SIGCHLD is ignored, so the exit codes of tests are lost");
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    tree->old_action = action;
    if (sigaction(SIGCHLD, &standard, NULL))
        return pare_fail_errno(err, errno, "cannot set the action of SIGCHLD");
    tree->changed_action = true;
    return PARE_OK;
}

static void free_lists(pare_process_tree *tree)
{
    pare_alloc_free(tree->leaders);
    pare_alloc_free(tree->keepers);
    pare_alloc_free(tree->servers);
    pare_alloc_free(tree->keeper_lists);
    pare_alloc_free(tree->n_left);
}

/* A list of our children is kept open, because a look at it is needed after every test.
 * Whether we were a subreaper before is noted, to be put back. */
pare_status pare_process_tree_init(pare_process_tree *tree, const char *run_id, unsigned n_slots,
                                   bool owns_children, pare_error *err)
{
    char path[64];
    *tree = (pare_process_tree){
        .run_id = run_id, .n_slots = n_slots, .children_fd = -1, .owns_children = owns_children};
    tree->leaders = pare_alloc_zero(n_slots, sizeof *tree->leaders);
    tree->keepers = pare_alloc_zero(n_slots, sizeof *tree->keepers);
    tree->servers = pare_alloc_zero(n_slots, sizeof *tree->servers);
    tree->keeper_lists = pare_alloc(n_slots, sizeof *tree->keeper_lists);
    tree->n_left = pare_alloc_zero(n_slots, sizeof *tree->n_left);
    pare_status status = PARE_OK;
    if (!tree->leaders || !tree->keepers || !tree->servers || !tree->keeper_lists ||
        !tree->n_left) {
        status = pare_fail_nomem(err);
        goto out;
    }
    for (unsigned slot = 0; slot < n_slots; slot++)
        tree->keeper_lists[slot] = -1;
    /* Orphans are given to the main thread, whoever called us. */
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    tree->children_fd = open(path, O_RDONLY | O_CLOEXEC);
    if (tree->children_fd < 0)
        status = pare_fail_errno(err, errno, "cannot open %s", path);
    else if (prctl(PR_GET_CHILD_SUBREAPER, &tree->was_subreaper) ||
             prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L))
        status = pare_fail_errno(err, errno, "cannot become the parent of orphans");
    else
        status = keep_statuses(tree, err);
out:
    if (!status) {
        (void)atomic_fetch_add(&n_trees, 1);
        return PARE_OK;
    }
    if (tree->children_fd >= 0) (void)close(tree->children_fd);
    free_lists(tree);
    *tree = (pare_process_tree){0};
    return status;
}

/* Goes by the mark of the run alone, without a slot: ends whatever is left of any of them. */
void pare_process_tree_done(pare_process_tree *tree)
{
    if (!tree->leaders) return;
    struct quarry quarry = {.everyone = owns_all(tree)};
    (void)snprintf(quarry.mark, sizeof quarry.mark, "PARE_TEST=%s.", tree->run_id);
    quarry.mark_size = strlen(quarry.mark);
    (void)sweep(tree, &quarry);
    (void)atomic_fetch_sub(&n_trees, 1);
    if (!tree->was_subreaper) (void)prctl(PR_SET_CHILD_SUBREAPER, 0L, 0L, 0L, 0L);
    if (tree->changed_action) (void)sigaction(SIGCHLD, &tree->old_action, NULL);
    (void)close(tree->children_fd);
    for (unsigned slot = 0; slot < tree->n_slots; slot++)
        pare_descriptor_close(&tree->keeper_lists[slot]);
    free_lists(tree);
    *tree = (pare_process_tree){0};
}

/* From now on no sweep ends `keeper`, process 1 of a cell; 0: the slot has none. Orphans of the
 * cell are its children. */
void pare_process_tree_keep(pare_process_tree *tree, unsigned slot, pid_t keeper)
{
    tree->keepers[slot] = keeper;
    pare_descriptor_close(&tree->keeper_lists[slot]);
    if (keeper) tree->keeper_lists[slot] = pare_child_open_list(keeper);
}

/* Between enter and leave the leader is spared by sweeps for other slots. */
void pare_process_tree_enter(pare_process_tree *tree, unsigned slot, pid_t leader)
{
    assert(leader > 1 && !tree->leaders[slot]);
    tree->leaders[slot] = leader;
    tree->n_left[slot] = 0;
    tree->n_running++;
}

/* Its end is heard by the pidfd, as any other. */
void pare_process_tree_kill(const pare_process_tree *tree, unsigned slot, int pidfd)
{
    if (!tree->leaders[slot]) return;
    if (!tree->n_left[slot]) tree->n_left[slot] = count_family(tree, slot, true);
    (void)pare_child_kill_group(tree->leaders[slot]);
    /* It may have moved to another group. */
    (void)pare_child_kill_by_fd(pidfd);
}

/* Waits for the leader's end, which has come or was forced, and fills *ending.  Errors:
 * PARE_E_IO (somebody else has waited for it). */
static pare_status reap_leader(pid_t leader, pare_ending *ending, pare_error *err)
{
    siginfo_t info = {.si_pid = 0};
    struct rusage usage = {0};
    if (!pare_child_wait(leader, WEXITED, &info, &usage))
        return pare_fail_errno(err, errno,
                               "the exit code of a test was taken by another part of the program");
    bool exited = info.si_code == CLD_EXITED;
    *ending = (pare_ending){.exit_code = exited ? info.si_status : -1,
                            .signal = exited ? 0 : info.si_status,
                            .usage = usage};
    return PARE_OK;
}

/* Ends what is left of the test in `slot`: its `group` (0: none), and processes that have left the
 * group. If no other test runs and the program has no children of its own, every remaining child is
 * a stray, marked or not. Returns how many there were. */
static unsigned sweep_slot(const pare_process_tree *tree, unsigned slot, pid_t group)
{
    struct quarry quarry = {.group = group, .everyone = owns_all(tree) && !tree->n_running};
    pare_process_tree_mark(tree, slot, quarry.mark);
    quarry.mark_size = strlen(quarry.mark) + 1; /* the whole entry, with its NUL */
    return sweep(tree, &quarry);
}

static unsigned most(unsigned a, unsigned b)
{
    const unsigned n = a > b ? a : b;
    return n < PARE_PROCESS_TREE_COUNTED ? n : PARE_PROCESS_TREE_COUNTED;
}

/* The order is that of the file's head.  What is left is an orphan by now: of the cell's keeper, or,
 * without a cell, of ours. */
pare_status pare_process_tree_leave(pare_process_tree *tree, unsigned slot, pare_ending *ending,
                                    pare_error *err)
{
    assert(slot < tree->n_slots);
    pid_t leader = tree->leaders[slot];
    if (!leader) return pare_fail(err, PARE_E_IO, "no test is running that could end");
    const unsigned n_orphans = count_family(tree, slot, false);
    (void)pare_child_kill_group(leader);
    const bool never_ran = pare_child_was_killed_unexecuted(leader);
    pare_status status = reap_leader(leader, ending, err);
    ending->lost = never_ran;
    tree->leaders[slot] = 0;
    assert(tree->n_running > 0);
    tree->n_running--;
    ending->n_left = most(tree->n_left[slot], n_orphans + sweep_slot(tree, slot, leader));
    return status;
}

/* From now on no sweep ends `pid`, the server of the slot. */
void pare_process_tree_serve(pare_process_tree *tree, unsigned slot, pid_t pid)
{
    tree->servers[slot] = pid;
}

/* The test itself is a child of the server's, so it has no leader here; it counts as running. */
void pare_process_tree_enter_served(pare_process_tree *tree, unsigned slot)
{
    assert(tree->servers[slot] > 1);
    (void)slot;
    tree->n_running++;
}

/* The server has reaped the test itself; only what left the test's group is ours to find. */
unsigned pare_process_tree_leave_served(pare_process_tree *tree, unsigned slot)
{
    const unsigned n_orphans = count_family(tree, slot, false);
    assert(tree->n_running > 0);
    tree->n_running--;
    return most(0, n_orphans + sweep_slot(tree, slot, 0));
}

/* Group and server, in case that has left its group; then what either has started. */
pare_status pare_process_tree_end_server(pare_process_tree *tree, unsigned slot,
                                         pare_ending *ending, pare_error *err)
{
    pid_t pid = tree->servers[slot];
    *ending = (pare_ending){.exit_code = -1, .lost = true};
    if (!pid) return PARE_OK; /* its cell has ended it already */
    (void)pare_child_kill_group(pid);
    (void)pare_child_kill(pid);
    pare_status status = reap_leader(pid, ending, err);
    tree->servers[slot] = 0;
    (void)sweep_slot(tree, slot, pid);
    return status;
}
