/* What a run of the process oracle was refused, took, and did besides its outcome.
 *
 * Why a program was not executed is told from the errno of the start and from a look at the file: the
 * kernel's ENOENT also means an interpreter or a file that the sandbox does not show.  What a run took
 * and did is read from the resource usage of its leader, from the signal of a limit, and from what is
 * left of its folder; nothing is measured while it runs.
 *
 * None of this makes an outcome, but for a test that is told by its memory. */
/* tests: tests/unit/test_process.c */
#include "run/process_fault.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/sandbox/sandbox.h"
#include "os/sandbox/slotdir.h"
#include "os/spawn.h"
#include "run/judge.h"
#include "run/oracle.h"

/* Reads the beginning of a script's first line; false: it names no interpreter. */
static bool read_first_line(const char *path, char line[static PATH_MAX])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, line, PATH_MAX - 1);
    pare_descriptor_close(&fd);
    line[n < 0 ? 0 : n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return line[0] == '#' && line[1] == '!';
}

/* Whether the file is a script whose first line ends as on Windows: the kernel takes the carriage
 * return for a letter of the interpreter's name. */
static bool has_carriage_return(const char *path)
{
    char line[PATH_MAX];
    if (!read_first_line(path, line)) return false;
    return line[strlen(line) - 1] == '\r';
}

/* Whether the file is a script whose first line names an interpreter that is not there. */
static bool lacks_interpreter(const char *path)
{
    char line[PATH_MAX];
    if (!read_first_line(path, line)) return false;
    char *name = line + 2 + strspn(line + 2, " \t");
    name[strcspn(name, " \t\r")] = '\0';
    return !pare_file_exists(name);
}

/* The sentence for a test that cannot be executed.  ENOENT of a file that is there means that the
 * kernel did not find the interpreter that its first line names; or, where that is there, or none is
 * named, that the sandbox does not show the file. */
pare_status pare_process_fault_explain(const char *path, int cause, pare_error *err)
{
    pare_fail_clear(err);
    if (cause == ENOENT && has_carriage_return(path))
        return pare_fail(err, PARE_E_IO,
                         "cannot run the test %s: its lines end with carriage returns, as on "
                         "Windows; remove them: sed -i 's/\\r$//' %s",
                         path, path);
    if (cause == ENOENT && pare_file_exists(path) && !lacks_interpreter(path))
        return pare_fail_errno(
            err, cause,
            "cannot run the test %s: the sandbox hides /dev/shm and /run, and parts of /tmp if it "
            "has mounts and many other entries, or the program's loader is missing: name its "
            "folder with --visible, put it elsewhere, or turn the sandbox off",
            path);
    if (cause == ENOENT && pare_file_exists(path))
        return pare_fail_errno(err, cause,
                               "cannot run the test %s: the interpreter in its first line "
                               "is missing",
                               path);
    if (cause == EACCES)
        return pare_fail_errno(err, cause, "cannot run the test %s, is it executable?", path);
    return pare_fail_errno(err, cause, "cannot run the test %s", path);
}

/* Memory that a run took, as far as it can be known. The kernel counts what we use at the start of
 * the process as the process's own, so a peak below ours says nothing. */
pare_status pare_process_fault_rss(const pare_process_oracle *self, const pare_ending *ending,
                                   uint64_t *rss_bytes, pare_error *err)
{
    uint64_t least = pare_judge_least_rss_bytes(self->judge), own;
    *rss_bytes = 0;
    if (!least) return PARE_OK;
    own = pare_clock_peak_rss_bytes();
    if (own >= least)
        return pare_fail(err, PARE_E_LIMIT,
                         "pare itself uses %llu bytes of memory, so a lower limit says nothing "
                         "about a test: raise --max-rss",
                         (unsigned long long)own);
    *rss_bytes = (uint64_t)ending->usage.ru_maxrss * 1024;
    return PARE_OK;
}

/* What the run did besides its outcome, for campaigns to report. An exceeded limit shows by the
 * signal that the kernel sends; that of memory, for which none is sent, by how much was taken. */
unsigned pare_process_fault_harm(const pare_process_oracle *self, unsigned number,
                                 const pare_ending *ending)
{
    const pare_process_slot *slot = &self->slots[number];
    const pare_spawn_limits *limits = pare_sandbox_limits(self->sandbox);
    const uint64_t peak_bytes = (uint64_t)ending->usage.ru_maxrss * 1024;
    const bool was_ours = slot->timed_out || slot->flooded || slot->cancelled;
    unsigned harm = 0;
    if (!self->judge || !pare_judge_is_any(self->judge)) return 0;
    if (slot->flooded) harm |= PARE_HARM_FLOOD;
    if (slot->timed_out) harm |= PARE_HARM_LATE;
    if (slot->has_file && !pare_file_exists(pare_slotdirs_path(self->dirs, number)))
        harm |= PARE_HARM_FOLDER;
    if (ending->signal == SIGKILL && !was_ours) harm |= PARE_HARM_KILLED;
    if (ending->signal == SIGXCPU) harm |= PARE_HARM_CPU;
    if (ending->signal == SIGXFSZ) harm |= PARE_HARM_FILE;
    if (limits->memory_bytes && peak_bytes >= limits->memory_bytes / 10 * 9)
        harm |= PARE_HARM_MEMORY;
    return ending->n_left && !was_ours ? harm | PARE_HARM_LEFT : harm;
}
