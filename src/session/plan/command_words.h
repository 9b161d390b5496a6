/* Reducing the words of a command line and of an environment (text/layout.h). */
#ifndef PARE_SESSION_PLAN_COMMAND_WORDS_H
#define PARE_SESSION_PLAN_COMMAND_WORDS_H

#include "reduce/list/algorithms.h"
#include "session/plan/work.h"
#include "text/layout.h"

/* Options together with their values, then single arguments, then characters of arguments;
 * then variables: each as a list, by `algorithm`.  Words with a mark stay as they are; of
 * words with a slash no characters go: a shorter path is another one, which the program
 * might write to or remove.  Nothing without words.  Errors: those of pare_phase_run. */
PARE_CHECK pare_status pare_command_words_round(const pare_layout *layout,
                                                const pare_list_algorithm *algorithm,
                                                pare_work *work, pare_error *err);

#endif
