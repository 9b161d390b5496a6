/* Where the result goes, and what else is written. */
#ifndef PARE_OUTPUT_H
#define PARE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include <pare/switch.h>
#include <pare/sync.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero value of each member: the default. */
typedef struct pare_output_options {
    const char *path;         /* written by rename after each success, unless writing takes so
                                 long that it waits (see sync); NULL: memory only */
    pare_switch keep_earlier; /* PARE_ON: what is at `path`, and was not written by this
                                 reduction or has changed since, is called PATH.~1~, or by the
                                 next number that is free; a notice says so.  PARE_OFF: `path`
                                 is the input, or was until an unfinished run in journal_dir
                                 replaced it; what is neither that input nor a result of the two
                                 runs stays, the best so far goes beside it as NAME.min.EXT, and
                                 the reduction ends with PARE_E_IO.  Default: it is replaced */

    /* PARE_ON: what is left of each of input.paths takes its place with the first success that
     * changes it, and what it was is called INPUT.orig; `path` only names the result.
     * Each place is replaced at once (renameat2, RENAME_EXCHANGE, for a folder), several one
     * after the other.  An INPUT.orig that is there is the input when journal_dir is that of
     * an unfinished run, else the reduction does not start. */
    pare_switch in_place;
    const char *const *places; /* input.n_paths paths that are replaced instead of the inputs
                                  themselves, and whose base names candidates have;
                                  default: the inputs */

    const char *script_path;  /* a shell script that runs what is left of the command on what
                                 is left of the input, beside the output, or without a `path`
                                 on nothing; NULL: none */
    const char *choices_path; /* with recorded choices: where those of the result are written;
                                 NULL: nowhere */
    const char *also_dir;     /* where other failures met on the way are saved, each with its
                                 smallest candidate; made when needed; NULL: nowhere */
    const char *journal_dir;  /* from which an interrupted run goes on; NULL: no journal */
    pare_switch keep_journal; /* PARE_ON: stays after a complete run */
    pare_sync sync;           /* what survives a loss of power.  By default the result on disk may
                                 be a second old: after a write that took n ms there is no other
                                 for 50 n ms, at most a second, so that a slow disk does not slow
                                 tests; after one of more than a second, for n ms */
    pare_switch history;      /* PARE_ON: each best is kept in journal_dir, as an edit of the one
                                 before, below twice the size of the input (64 KiB of small ones),
                                 and stays there after a complete run: see <pare/history.h>.  It is
                                 given up with a notice where it cannot be written */
    pare_switch keep_printed; /* PARE_ON: the result is run once more at the end, which no figure
                                 counts, for pare_result.printed */
    uint64_t from_step;       /* a step of the history in journal_dir, of the same input: it is
                                 tested, and reduced instead of the input; its steps go off from
                                 there, and the others stay.  A run that was ended goes on from
                                 there without this, too.  What is at `path` is kept as by
                                 keep_earlier, if that is on.  0: the input */
    const char *note;         /* kept in the history, which pare_history_note reads: such as the
                                 command line, by which others may run the test; NULL: none */
    uint64_t reserved[5];     /* zero; room for later members */
} pare_output_options;

#ifdef __cplusplus
}
#endif

#endif
