/* Starts, signals, kills and awaits the processes of jobs.
 *
 * They are started as tests are (os/spawn.h): without a copy of our memory, in a session of their
 * own, so that Ctrl-C in a terminal reaches the coordinator only, and with the kernel told to kill
 * them when we die.  All write to one pipe when the store has changed; only the fact that it is
 * readable matters.
 *
 * A job's tests die with the job in the same way, so a kill of the coordinator ends everything. */

#include "campaign/job_process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/executable.h"
#include "os/file.h"

extern char **environ;

/* ---- what they need ------------------------------------------------------------------ */

/* The path of this program if it is called pare; "" otherwise. */
static void find_self(char path[static PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(path, '/');
    if (!slash || strcmp(slash, "/pare") != 0) path[0] = '\0';
}

/* The one that runs is preferred to the one in PATH: they may be of different versions, and the store
 * is of ours. */
static pare_status find_program(pare_job_processes *processes, const char *program, pare_error *err)
{
    char self[PATH_MAX];
    if (program) return pare_file_absolute(program, &processes->program, err);
    find_self(self);
    if (*self) return pare_file_absolute(self, &processes->program, err);
    return pare_executable_find("pare", &processes->program, err);
}

/* Sanitizers and assertions of jobs write there; nothing else does. */
static pare_status open_log(pare_job_processes *processes, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s.work", processes->store);
    if (!status) status = pare_file_make_directories(path.data, err);
    if (!status) status = pare_buffer_text(&path, "/jobs.log", err);
    if (!status) {
        int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC;
        processes->log_fd =
            pare_descriptor_raise(open(path.data, flags, 0666), PARE_SPAWN_LEAST_FD);
        if (processes->log_fd < 0)
            status = pare_fail_errno(err, errno, "cannot write '%s'", path.data);
    }
    pare_buffer_done(&path);
    return status;
}

/* All descriptors are raised above those that a child gets as 0 to 2, so that none of them is
 * overwritten on its way. */
pare_status pare_job_processes_init(pare_job_processes *processes, const char *store,
                                    const char *program, pare_error *err)
{
    *processes = (pare_job_processes){.wake_fds = {-1, -1}, .log_fd = -1, .spawner.null_fd = -1};
    processes->store = pare_alloc_text(store, strlen(store));
    if (!processes->store) return pare_fail_nomem(err);
    pare_status status = find_program(processes, program, err);
    if (!status) status = open_log(processes, err);
    if (!status)
        status =
            pare_descriptor_pipe(PARE_SPAWN_LEAST_FD, processes->wake_fds, "a pipe for jobs", err);
    /* A full pipe tells as much as another byte in it would. */
    for (size_t i = 0; i < 2 && !status; i++)
        if (fcntl(processes->wake_fds[i], F_SETFL, O_NONBLOCK))
            status = pare_fail_errno(err, errno, "cannot set up a pipe for jobs");
    if (status) return status;
    status = pare_spawner_init(&processes->spawner, err);
    if (status) processes->spawner = (pare_spawner){.null_fd = -1};
    return status;
}

void pare_job_processes_done(pare_job_processes *processes)
{
    if (processes->spawner.stack) pare_spawner_done(&processes->spawner);
    pare_descriptor_close(&processes->wake_fds[0]);
    pare_descriptor_close(&processes->wake_fds[1]);
    pare_descriptor_close(&processes->log_fd);
    pare_alloc_free(processes->program);
    pare_alloc_free(processes->store);
    *processes = (pare_job_processes){.wake_fds = {-1, -1}, .log_fd = -1};
}

/* What is read is nothing but `something has changed`; the coordinator looks into the store for
 * what. */
void pare_job_processes_drain(const pare_job_processes *processes)
{
    char bytes[512];
    while (read(processes->wake_fds[0], bytes, sizeof bytes) > 0)
        continue;
}

/* ---- one of them --------------------------------------------------------------------- */

/* Its standard output is the pipe that wakes the coordinator (`wake_fd` of
 * pare_campaign_do_job). */
pare_status pare_job_process_start(pare_job_processes *processes, pare_job_process *process,
                                   pare_error *err)
{
    char id[24], name[] = "pare", part[] = "fuzz", job[] = "job";
    (void)snprintf(id, sizeof id, "%lld", (long long)process->id);
    char *argv[] = {name, part, job, processes->store, id, NULL};
    const pare_spawn spawn = {.path = processes->program,
                              .argv = argv,
                              .envp = environ,
                              .directory_fd = -1,
                              .input_fd = -1,
                              .output_fd = processes->wake_fds[1],
                              .error_fd = processes->log_fd,
                              .kind = PARE_SPAWN_TEST};
    process->started_ms = pare_clock_ms();
    pare_status status = pare_spawner_start(&processes->spawner, &spawn, &process->child, err);
    if (status) pare_fail_prefix(err, "cannot start a job");
    return status;
}

/* SIGTERM to the job alone, not to its group: its tests are its own to end. */
void pare_job_process_tell(pare_job_process *process, pare_job_told what)
{
    if (process->told) return;
    process->told = what;
    process->told_ms = pare_clock_ms();
    (void)pare_child_terminate(process->child.pid);
}

/* Its whole group: helpers that it has started are in it.  The process is still to be reaped. */
void pare_job_process_kill(pare_job_process *process)
{
    (void)pare_child_kill_group(process->child.pid);
}

/* Does not wait for long: the caller has seen the process end, or has killed it. */
void pare_job_process_reap(pare_job_process *process, char how[static PARE_JOB_PROCESS_HOW_BYTES])
{
    /* What an exec of us that failed, or a sanitizer, ends with. */
    enum { EXIT_MOST = 3, EXIT_INTERRUPTED = 130 };
    assert(pare_child_is_number(process->child.pid));
    siginfo_t info = {.si_pid = 0};
    how[0] = '\0';
    bool known = pare_child_wait(process->child.pid, WEXITED, &info, NULL);
    bool exited = known && info.si_code == CLD_EXITED;
    /* Of a child that somebody else has waited for nothing is known (SIGCHLD may be ignored). */
    if (!known)
        (void)snprintf(how, PARE_JOB_PROCESS_HOW_BYTES, "ended, nobody knows how");
    else if (!exited)
        (void)snprintf(how, PARE_JOB_PROCESS_HOW_BYTES, "was killed by signal %d", info.si_status);
    else if (info.si_status > EXIT_MOST && info.si_status != EXIT_INTERRUPTED)
        (void)snprintf(how, PARE_JOB_PROCESS_HOW_BYTES, "ended with exit code %d", info.si_status);
    pare_descriptor_close(&process->child.pidfd);
}
