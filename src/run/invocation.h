/* What is executed for a run: the words of its command, the candidate's paths, and the
 * environment; where a command line is reduced (text/layout.h), what the candidate left of
 * it.  One run at a time; one thread. */
#ifndef PARE_RUN_INVOCATION_H
#define PARE_RUN_INVOCATION_H

#include "base/buffer.h"
#include "os/process_tree.h"
#include "run/command.h"
#include "text/layout.h"

/* Names of variables without which many programs cannot start at all, or write where they must not.
 * They are never reduced: each run has those of the machine that it is on. */
enum { PARE_INVOCATION_N_KEPT = 6 };
extern const char *const pare_invocation_kept[PARE_INVOCATION_N_KEPT];

/* Whether `entry` (NAME=VALUE) is one of them, or one of ours (PARE_...), or no variable at all.
 * Where an environment is reduced, a run has these of our own environment, and besides them only what
 * its candidate kept. */
bool pare_invocation_keeps(const char *entry);

/* Of a slot: borrowed until the invocation is written again. */
typedef struct pare_invocation_place {
    const char *folder, *path; /* of the slot; of the candidate, where it is one file */
    pare_layout_words *words;  /* of the candidate; its texts are not changed */
} pare_invocation_place;

typedef struct pare_invocation {
    char mark
        [PARE_PROCESS_TREE_MARK_BYTES]; /* the environment's first entry, for the caller to set */
    const char **environment;           /* owned; strings of the process, mark, words */
    const char **argv; /* owned; the strings are the command's, the words', or in: */
    pare_buffer marked, places;
    size_t room;               /* elements of argv */
    size_t n_fixed;            /* entries of the environment that are in every run */
    char **words;              /* owned; of a command line without paths; NULL: it is not reduced */
    bool is_moved;             /* words of the layout are other words of the program */
    const pare_layout *layout; /* borrowed; NULL: one file */
    const pare_command *program; /* borrowed; whose words are reduced */
    const char **names, **paths; /* owned; of the inputs of the layout */
    size_t n_names;
} pare_invocation;

/* Makes room for runs of any of the `n` commands (NULL ones are none; the first is the
 * program), all borrowed, as the NAME=VALUE of `environment` are, which count more than ours.
 * *invocation is to be done in any case.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_invocation_init(pare_invocation *invocation,
                                            const pare_command *const *commands, size_t n,
                                            const pare_layout *layout, pare_names environment,
                                            pare_error *err);
void pare_invocation_done(pare_invocation *invocation); /* all-zero is a no-op */

/* Whether candidates hold words, which pare_layout_words_read reads. */
bool pare_invocation_reads_words(const pare_invocation *invocation);

/* Sets argv and environment for a run of `command`, one of those above.  Execute argv[1] with
 * argv + 1; or argv itself with /bin/sh, if the file turns out to be a script without "#!".
 * The path of each input is there, also of one that went away, so that none takes the place of
 * another; other commands than the program see the environment as it was.  A word that is one of the
 * layout's is executed as the program's own word in that place, which on another machine may be the
 * path of another file.  Errors: PARE_E_LIMIT (more words than the program has), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_invocation_write(pare_invocation *invocation,
                                             const pare_command *command,
                                             const pare_invocation_place *place, pare_error *err);

#endif
