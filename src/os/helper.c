/* Helpers through the spawner: one child, one wait. */
#include "os/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "os/child.h"
#include "os/file.h"
#include "os/spawn.h"

extern char **environ;

enum { DEFAULT_TIMEOUT_MS = 600 * 1000 };

/* Puts DIRECTORY/NAME into *path; an empty directory is the current one. */
static pare_status join(pare_buffer *path, const char *directory, size_t length, const char *name,
                        pare_error *err)
{
    pare_buffer_reset(path);
    if (length == 0) return pare_buffer_format(path, err, "./%s", name);
    return pare_buffer_format(path, err, "%.*s/%s", (int)length, directory, name);
}

pare_status pare_helper_find(const char *name, char **out, pare_error *err)
{
    const char *at = getenv("PATH");
    pare_buffer path = {0};
    pare_status status = PARE_OK;
    bool found = false;
    while (at && status == PARE_OK && !found) {
        size_t length = strcspn(at, ":");
        status = join(&path, at, length, name, err);
        found = status == PARE_OK && pare_file_is_regular(path.data) && !access(path.data, X_OK);
        at = at[length] ? at + length + 1 : NULL;
    }
    if (status == PARE_OK && !found)
        status = pare_fail(err, PARE_E_STATE, "there is no program '%s' in PATH", name);
    if (status == PARE_OK) {
        /* The buffer's block is a plain one, with a NUL byte at its end. */
        *out = path.data;
        path = (pare_buffer){0};
    }
    pare_buffer_done(&path);
    return status;
}

/* Waits for the child and reaps it; kills its group when it takes too long. */
static void await(const pare_child *child, int timeout_ms, pare_helper_end *end)
{
    siginfo_t info = {.si_pid = 0};
    *end = (pare_helper_end){0};
    if (!pare_spawn_await(child->pidfd, timeout_ms)) {
        end->timed_out = true;
        (void)pare_child_kill_group(child->pid);
    }
    (void)pare_child_wait(child->pid, WEXITED, &info, NULL);
    end->exit_code = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    (void)close(child->pidfd);
}

/* Starts and awaits, with the directory and the log open. */
static pare_status run_in(const pare_helper *helper, int directory_fd, int log_fd,
                          pare_helper_end *end, pare_error *err)
{
    pare_spawner spawner = {0};
    pare_child child = {.pidfd = -1};
    /* execve takes its words without const, and leaves them alone. */
    char *const *argv = (char *const *)(const void *)helper->argv;
    const pare_spawn order = {.path = helper->path,
                              .argv = argv,
                              .envp = environ,
                              .directory_fd = directory_fd,
                              .input_fd = -1,
                              .output_fd = log_fd,
                              .kind = PARE_SPAWN_TEST};
    pare_status status = pare_spawner_init(&spawner, err);
    if (status != PARE_OK) return status;
    status = pare_spawner_start(&spawner, &order, &child, err);
    if (status == PARE_OK)
        await(&child, helper->timeout_ms ? helper->timeout_ms : DEFAULT_TIMEOUT_MS, end);
    else
        pare_error_prefix(err, "%s", helper->path);
    pare_spawner_done(&spawner);
    return status;
}

pare_status pare_helper_run(const pare_helper *helper, pare_helper_end *end, pare_error *err)
{
    pare_status status = PARE_OK;
    int log_fd = -1;
    int directory_fd =
        pare_spawn_high_fd(open(helper->directory, O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (directory_fd < 0) status = pare_fail_errno(err, errno, "%s", helper->directory);
    if (status == PARE_OK && helper->log_path) {
        log_fd = pare_spawn_high_fd(
            open(helper->log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
        if (log_fd < 0) status = pare_fail_errno(err, errno, "%s", helper->log_path);
    }
    if (status == PARE_OK) status = run_in(helper, directory_fd, log_fd, end, err);
    if (log_fd >= 0) (void)close(log_fd);
    if (directory_fd >= 0) (void)close(directory_fd);
    return status;
}
