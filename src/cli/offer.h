/* A missing language is offered where somebody can answer. */
#ifndef PARE_CLI_OFFER_H
#define PARE_CLI_OFFER_H

#include "cli/settings.h"

/* Asks on a terminal whether a language that the reduction would read its input by, and that is
 * not there, is to be added now, and adds it.  Says why if that fails; the reduction goes on
 * without it then.  A "no" to a language that only the input's name tells is not asked, nor
 * told, again.  Nothing with --quiet, or when no terminal is there to ask. */
void pare_offer_language(const char *command, pare_settings *settings);

/* The same for the language `name` of a command that cannot do without it; NULL, and a name that
 * is none, are no-ops. */
void pare_offer_needed_language(const char *command, const char *name);

#endif
