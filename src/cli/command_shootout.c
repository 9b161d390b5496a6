/* pare shootout: executes the program pare-shootout (tools/shootout), as git does with its
 * subcommands.
 *
 * Comparing reducers is not part of reducing, so the program that does it is installed beside the
 * others that pare runs (os/executable.h), and gets the words after "shootout" as they are. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "os/executable.h"

static const char NAME[] = "pare shootout";

/* Replaces this process by PATH with `words`; returns only when that fails. */
static pare_status execute(const char *path, int n_words, char *const *words, pare_error *err)
{
    char **argv = pare_alloc_zero((size_t)n_words + 2, sizeof *argv);
    if (!argv) return pare_fail_nomem(err);
    char name[] = PARE_EXECUTABLE_SHOOTOUT;
    /* Its own name first, as a shell would give it; the last entry is NULL already. */
    argv[0] = name;
    for (int i = 0; i < n_words; i++)
        argv[i + 1] = words[i];
    (void)execv(path, argv);
    pare_status status = pare_fail_errno(err, errno, "cannot run '%s'", path);
    pare_alloc_free(argv);
    return status;
}

/* Returns only when the program cannot be run. */
static pare_exit find_and_execute(int n_words, char **words)
{
    char *path = NULL;
    pare_error err = {0};
    pare_status status = pare_executable_find_own(PARE_EXECUTABLE_SHOOTOUT, &path, &err);
    if (!status) status = execute(path, n_words, words, &err);
    pare_alloc_free(path);
    pare_report_error(NAME, &err);
    return status == PARE_E_STATE ? PARE_EXIT_ERROR : pare_report_exit(status);
}

const pare_command pare_command_shootout = {
    .title = NAME,
    .name = "shootout",
    .summary = "compare algorithms on the same cases",
    .execute = find_and_execute,
};
