/* The files of a test: noted by what stat(2) says, and compared with it after each test.
 *
 * Contents are not compared: a program may have hundreds of megabytes, and who writes a file during the
 * run mostly means to change it.  Links and modes are no change.
 *
 * Every word that names a regular file counts: which of them is the script that an interpreter runs
 * cannot be told from outside (python3 -u check.py, node --require a.js b.js), and what a test reads
 * decides what it says as much as what it runs.  But a file that the test itself writes (a log, a list
 * of what was seen) must not end the run, so those are left out that change while the test is new:
 * during the first test, and of files that are only data, which tests do write, during the first few,
 * since the input fails and the controls after it pass. */
#include "run/command_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The facts of stat(2) about the regular file at `path`; false: there is no such file. */
static bool look(const char *path, struct stat *facts)
{
    return !stat(path, facts) && S_ISREG(facts->st_mode);
}

/* Whether the file can be executed: it may be, or it says with what. */
static bool is_program(const char *path, const struct stat *facts)
{
    char start[2] = "";
    if (facts->st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) return true;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    const bool is_script = read(fd, start, sizeof start) == 2 && !memcmp(start, "#!", 2);
    (void)close(fd);
    return is_script;
}

/* How long a file may change because the test itself writes it, in tests that have ended. */
static unsigned settling_tests(const pare_command_file *file)
{
    return file->is_run ? 1 : PARE_COMMAND_FILES_SETTLING;
}

/* Words of a command that name files are absolute; inputs are named by their base names. */
void pare_command_files_note(pare_command_files *files, const pare_command *command)
{
    const size_t first = pare_command_first_argument(command);
    *files = (pare_command_files){.n = 0};
    for (size_t k = 1; k < command->n_words && files->n < PARE_COMMAND_FILES_MOST; k++) {
        const char *path = command->words[k];
        struct stat facts;
        if (*path != '/' || !look(path, &facts)) continue;
        const bool is_run = k <= first || is_program(path, &facts);
        files->items[files->n++] = (pare_command_file){.path = path,
                                                       .is_run = is_run,
                                                       .device = facts.st_dev,
                                                       .number = facts.st_ino,
                                                       .size_bytes = facts.st_size,
                                                       .written = facts.st_mtim};
    }
}

static bool has_changed(const pare_command_file *file)
{
    struct stat now;
    if (!look(file->path, &now)) return false;
    return now.st_dev != file->device || now.st_ino != file->number ||
           now.st_size != file->size_bytes || now.st_mtim.tv_sec != file->written.tv_sec ||
           now.st_mtim.tv_nsec != file->written.tv_nsec;
}

/* Takes away those that have changed and may: the test writes them itself. */
static void settle(pare_command_files *files)
{
    unsigned n_left = 0;
    for (unsigned k = 0; k < files->n; k++)
        if (files->n_ended > settling_tests(&files->items[k]) || !has_changed(&files->items[k]))
            files->items[n_left++] = files->items[k];
    files->n = n_left;
}

const char *pare_command_files_changed(pare_command_files *files)
{
    if (files->n_ended <= PARE_COMMAND_FILES_SETTLING) {
        files->n_ended++;
        settle(files);
    }
    for (unsigned k = 0; k < files->n; k++)
        if (has_changed(&files->items[k])) return files->items[k].path;
    return NULL;
}
