/* Files that a program needs and that do not lie in the private directory in which tests run: headers
 * and modules beside the input, what lies in a folder that the command names by a relative path, and
 * what build tools read.
 *
 * A program that misses one fails for the input, too, but not as the user has seen it, so the
 * failure that would be kept is another.  What it printed tells: a line that says that something is
 * missing, and names what is there, seen from the user's side.  It is a guess, so it is only asked
 * of a run that failed, and what comes of it is a sentence (command_fault.h).  Build tools are known
 * by name.  Any thread. */
#ifndef PARE_SESSION_TEST_MISSED_FILES_H
#define PARE_SESSION_TEST_MISSED_FILES_H

#include <limits.h>
#include <stdbool.h>

#include <pare/input.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "base/fail.h"

enum {
    PARE_MISSED_FILES_WORD_BYTES = 1024, /* longer words are no paths */
    PARE_MISSED_FILES_NOT_RUN = -1       /* in place of an exit code: before the first run */
};

/* What a program missed, and where it lies. */
typedef struct pare_missed_file {
    const char *input;                       /* borrowed: base name */
    const char *extension;                   /* borrowed: of the input, with its dot; or "" */
    char folder[PATH_MAX];                   /* of the input */
    char word[PARE_MISSED_FILES_WORD_BYTES]; /* what was missed, as it was told */
    /* Of the command, which names the folder that holds it; or "". */
    char part[PARE_MISSED_FILES_WORD_BYTES];
    char whole[PATH_MAX]; /* what is to stand in the place of `part` */
    bool is_beside;       /* it lies in the folder of the input */
    bool is_here;         /* it lies where the user is */
} pare_missed_file;

/* Whether a line of `printed` that says that something is missing names `name`. */
bool pare_missed_files_include(const char *printed, const char *name);

/* Looks through what the program of `test` printed for the name of something that is missing in
 * the private directory, and lies in a folder of the command, beside the input or where the user
 * is; *missed tells which.  False: there is none, or the input is no single file, beside which
 * something could lie.  `input` and `test` are borrowed by *missed. */
bool pare_missed_files_find(pare_missed_file *missed, const pare_input_options *input,
                            const pare_test_options *test, const char *printed);

/* Appends the command line that reduces the input in its folder, where what was missed by
 * pare_missed_files_find is found.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_missed_files_write_command(const pare_missed_file *missed,
                                                       const pare_input_options *input,
                                                       const pare_test_options *test,
                                                       pare_buffer *text, pare_error *err);

/* Whether the command names by a whole path what its program is to work on: such a build tool is not in want
 * of its own file, and what it runs may read the candidate as its standard input. */
bool pare_missed_files_is_placed(const pare_test_options *test);

/* Where the program of `test` is a build tool, such as make(1) or cargo(1), that is not given the
 * input and ended with `exit_code`, appends the command line that reduces the input in the folder in
 * which the tool finds its own file ("FOLDER" when that is neither found nor named whole); else nothing.
 * The same for npx(1), given the input or not, where a folder is found; before the first run for that alone.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_missed_files_write_tool(const pare_input_options *input,
                                                    const pare_test_options *test, int exit_code,
                                                    pare_buffer *text, pare_error *err);

#endif
