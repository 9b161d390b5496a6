/* The subcommands: each gets the words after its name and gives the exit code. */
#ifndef PARE_CLI_COMMANDS_H
#define PARE_CLI_COMMANDS_H

#include <stdio.h>

#include "cli/help.h"

int pare_command_reduce(int argc, char **argv);
int pare_command_isolate(int argc, char **argv);
int pare_command_parse(int argc, char **argv);
int pare_command_generate(int argc, char **argv);
int pare_command_learn(int argc, char **argv);
int pare_command_shootout(int argc, char **argv);
int pare_command_lang(int argc, char **argv);

/* What `pare help COMMAND` and --help print; that of shootout is printed by its program. */
void pare_command_reduce_help(FILE *out, pare_help_extent extent);
void pare_command_isolate_help(FILE *out, pare_help_extent extent);
void pare_command_parse_help(FILE *out, pare_help_extent extent);
void pare_command_generate_help(FILE *out, pare_help_extent extent);
void pare_command_learn_help(FILE *out, pare_help_extent extent);
void pare_command_lang_help(FILE *out, pare_help_extent extent);

#endif
