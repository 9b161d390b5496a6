/* From the command that the user wrote to something that can be executed.
 *
 * A test is the path of an executable, or a command line.  A command line is split into
 * words as a shell does (quotes, backslash) and executed directly, with the candidate's
 * path as its last argument.  When it holds shell syntax outside quotes (| & ; < > ( ) $
 * ` * ? [ newline, # or ~ before a word, a first word "!") it is given to /bin/sh as it
 * is; there the candidate's path is "$1", and the candidate lies in the current
 * directory under the input's own name.
 *
 * Tests run in a directory of their own, so words that name files are made absolute
 * here: a word without slash that names a regular file of the current directory, a word
 * with a slash that names a file or directory.  The inputs' own base names stay, also with
 * a path after them: in a test they mean the candidate.  Immutable once made. */
#ifndef PARE_RUN_COMMAND_H
#define PARE_RUN_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"

/* Where the candidate goes. */
typedef enum pare_placement {
    PARE_PLACEMENT_LAST,  /* its path is the last argument, or its paths are the last ones */
    PARE_PLACEMENT_MARKS, /* its path stands for "@@" in the words, or ".EXT" marks (below);
                             of several paths, a word with a mark is repeated for each */
    PARE_PLACEMENT_NONE   /* nowhere: a worker is told of it in a line */
} pare_placement;

/* Texts that are borrowed: base names of the inputs, or paths of a candidate. */
typedef struct pare_names {
    const char *const *items;
    size_t n;
} pare_names;

typedef struct pare_command {
    char **words;    /* owned: "/bin/sh", what to execute, arguments, NULL */
    size_t n_words;  /* without the NULL */
    bool is_shell;   /* words are /bin/sh -c TEXT pare */
    bool is_target;  /* a program, not a test: a judge says what its end means */
    bool on_input;   /* the candidate is its standard input */
    bool is_harness; /* the program is ours (pare-worker), which calls the library that the
                        user named; words are its path, the library, the user's words */
    bool is_worker;  /* one process for many candidates, told of each in a line */
    pare_placement placement;
    char *shown;          /* owned; for the user: the command, without the candidate */
    pare_digest identity; /* of the words and the content of the files that they name */
} pare_command;

/* Understands `text`; `inputs` are the inputs' base names.  On PARE_OK *command is filled;
 * the caller ends it with done.
 * Errors: PARE_E_ARG (empty, a quote not closed), PARE_E_IO (not found, not executable,
 * a directory), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_init(pare_command *command, const char *text, pare_names inputs,
                                         pare_error *err);
void pare_command_done(pare_command *command); /* all-zero is a no-op */

/* Appends a script of a shell that starts the test, its "$@", with our `library` loaded into it and into all
 * that it starts; `name` is what the candidate is called.  Errors: PARE_E_NOMEM. */
typedef pare_status (*pare_command_compose)(pare_buffer *script, const char *library,
                                            const char *name, pare_error *err);

/* Makes of the command of a test, which is no worker, one in which a shell runs the script that `compose`
 * makes for our library called `library` (os/executable.h); done with pare_command_done.
 * Errors: PARE_E_STATE (it is not where it was installed), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_wrap_with(const pare_command *test, const char *library,
                                              const char *name, pare_command_compose compose,
                                              pare_command *out, pare_error *err);

/* As pare_command_init, for a worker's command line.  Its identity is not that of a test of the same
 * words. */
PARE_CHECK pare_status pare_command_init_worker(pare_command *command, const char *text,
                                                pare_names inputs, pare_error *err);

/* As pare_command_init, for a program that needs no script, given in words; one word with blanks in it
 * is a command line.  A library that holds LLVMFuzzerTestOneInput is a program too.  In a
 * shell's text "@@" becomes "$1", or "$@" of several inputs.
 * Errors: as above. */
PARE_CHECK pare_status pare_command_init_target(pare_command *command, const char *const *words,
                                                size_t n_words, pare_names inputs, pare_error *err);

/* Where in the words the arguments begin, after the program, or the library and our
 * program before it. */
static inline size_t pare_command_first_argument(const pare_command *command)
{
    return command->is_harness ? 3 : 2;
}

/* ---- marks: where the candidate goes in the command line of a program without a script ----
 *
 * "@@" in a word stands for the candidate's path, "@@.EXT" for the path of a candidate
 * whose file name ends in ".EXT"; without either the candidate is standard input.  If the
 * input is a folder, "@@" is its path; if there are several inputs, a word with "@@" is repeated
 * for each.  Without a mark they lie in the program's directory, and standard input is empty.
 * Any thread. */

/* Appends to *name what the candidate's file has to be called: `base_name`, the input's, with the
 * suffix replaced by the one that the words ask for, if they do.
 * Errors: PARE_E_ARG (two different suffixes), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_name_file(const char *const *words, size_t n_words,
                                              const char *base_name, pare_buffer *name,
                                              pare_error *err);

/* PARE_E_ARG if the words ask for a suffix: several files all keep their names. */
PARE_CHECK pare_status pare_command_refuse_suffix(const char *const *words, size_t n_words,
                                                  pare_error *err);

/* The first mark in `word`; NULL: there is none.  In "@@@" it is the last two characters. */
const char *pare_command_find_mark(const char *word);

/* Whether a mark is in `word`. */
bool pare_command_is_marked(const char *word);

/* Whether `word` names what the program writes in the directory of the test: `before` is a compiler's -o or the like,
 * and it is no whole path.  It may be there from a run by hand. */
bool pare_command_is_output(const char *before, const char *word);

/* Appends `word` with `path` in the place of each mark.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_fill_marks(const char *word, const char *path,
                                               pare_buffer *filled, pare_error *err);

/* Splits a command line into *n words, NULL after the last; of one with shell syntax the only word
 * is all of it; *is_shell (NULL: not asked) says whether it has.  On PARE_OK the caller owns the list and each word, which pare_alloc_free releases.
 * Errors: PARE_E_ARG (empty, a quote not closed), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_split(const char *text, char ***words, size_t *n,
                                          bool *is_shell, pare_error *err);

/* ---- paths in a text ------------------------------------------------------------------ */

/* A part of a word that may name a file. */
typedef struct pare_command_part {
    const char *start;
    size_t size;
} pare_command_part;

/* The next part of a text, cut where a shell would end a word, and behind what people put before a path:
 * "--file=x", "a,b".  The size is 0 at the end of the text. */
pare_command_part pare_command_next_part(const char *at);

/* Whether paths are written with `c`.  Bytes beyond ASCII count, since names may be in any language. */
bool pare_command_is_path_character(char c);

/* ---- quoting for a shell --------------------------------------------------------------- */

/* Appends `size` bytes of `word` to *text as a shell reads them back: as they are, or between
 * apostrophes.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_quote(pare_buffer *text, const char *word, size_t size,
                                          pare_error *err);

/* The same, without the apostrophes around it.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_escape(pare_buffer *text, const char *word, size_t size,
                                           pare_error *err);

#endif
