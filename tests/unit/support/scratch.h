/* A directory of a test's own, and small files in it.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_SCRATCH_H
#define PARE_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/file.h"

static char scratch_dir[64]; /* absolute; also the current directory */

/* Group set-up and tear-down for cmocka. */
static inline int scratch_setup(void **state)
{
    (void)state;
    (void)snprintf(scratch_dir, sizeof scratch_dir, "/tmp/pare-unit-XXXXXX");
    return mkdtemp(scratch_dir) && !chdir(scratch_dir) ? 0 : -1;
}

static inline int scratch_teardown(void **state)
{
    (void)state;
    return chdir("/") || pare_file_remove_tree(scratch_dir, NULL) ? -1 : 0;
}

/* Writes `text` to `name` with `mode`. */
static inline void scratch_write(const char *name, const char *text, unsigned mode)
{
    assert_int_equal(pare_file_write_bytes(name, text, strlen(text), NULL), PARE_OK);
    assert_int_equal(chmod(name, mode), 0);
}

/* Writes a shell script with "#!/bin/sh". */
static inline void scratch_script(const char *name, const char *body)
{
    char text[4096];
    assert_true(snprintf(text, sizeof text, "#!/bin/sh\n%s\n", body) < (int)sizeof text);
    scratch_write(name, text, 0755);
}

static inline void assert_file_holds(const char *name, const char *text)
{
    pare_buffer buffer = {0};
    assert_int_equal(pare_file_read(name, &buffer, NULL), PARE_OK);
    assert_int_equal(buffer.size, strlen(text));
    if (buffer.size) assert_memory_equal(buffer.data, text, buffer.size);
    pare_buffer_done(&buffer);
}

/* Number of entries of a directory but "." and "..". */
static inline size_t count_entries(const char *path)
{
    size_t n = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    while (readdir(dir))
        n++;
    (void)closedir(dir);
    return n - 2;
}

/* True when a process carries `mark` ("PARE_TEST=...") at the start of an entry of its
 * environment; looks at all processes. */
static inline bool is_mark_alive(const char *mark)
{
    char command[256];
    (void)snprintf(command, sizeof command, "grep -aqzs -e '^%s' /proc/[0-9]*/environ", mark);
    return system(command) == 0;
}

#endif
