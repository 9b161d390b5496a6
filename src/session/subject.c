/* The command is understood here once more than for running it: which of its words there
 * are is known only when those that name inputs are. */
#include "session/subject.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "os/entries.h"
#include "os/file.h"
#include "run/command.h"
#include "session/output/script.h"
#include "session/session.h"
#include "session/test/oracles.h"
#include "text/text.h"

extern char **environ;

static bool has_words(const pare_reduce_options *options)
{
    return options->reduce_arguments == PARE_ON || options->reduce_environment == PARE_ON;
}

static pare_status add_arguments(const pare_command *command, pare_layout *layout, pare_error *err)
{
    const size_t first = pare_command_first_argument(command);
    if (command->is_shell)
        return pare_fail(err, PARE_E_ARG,
                         "a shell's text has no arguments to reduce: write the program in words "
                         "behind '--', without pipes and redirections");
    return pare_layout_add_words(layout, PARE_ENTRY_ARGUMENT,
                                 (const char *const *)(void *)(command->words + first),
                                 command->n_words - first, err);
}

static pare_status add_variables(pare_layout *layout, pare_error *err)
{
    size_t n = 0, used = 0;
    while (environ && environ[n])
        n++;
    const char **variables = pare_alloc(n, sizeof *variables);
    if (!variables) return pare_fail_nomem(err);
    for (size_t k = 0; k < n; k++)
        if (!pare_script_keeps(environ[k])) variables[used++] = environ[k];
    pare_status status = pare_layout_add_words(layout, PARE_ENTRY_VARIABLE, variables, used, err);
    pare_release(variables);
    return status;
}

static pare_status add_words(const pare_reduce_options *options, pare_layout *layout,
                             pare_error *err)
{
    pare_command command = {0};
    const size_t n = layout->entries.n_roots;
    if (!options->program)
        return pare_fail(err, PARE_E_ARG,
                         "arguments and variables can be reduced of a program, not of a test");
    const char **names = pare_alloc_zero(n, sizeof *names);
    if (!names) return pare_fail_nomem(err);
    pare_entries_names(&layout->entries, names);
    pare_status status = pare_command_init_target(&command, options->program, options->n_program,
                                                  (pare_names){.items = names, .n = n}, err);
    if (!status && options->reduce_arguments == PARE_ON)
        status = add_arguments(&command, layout, err);
    if (!status && options->reduce_environment == PARE_ON) status = add_variables(layout, err);
    pare_command_done(&command);
    pare_release(names);
    return status;
}

/* One file with the words of the command that is run on it. */
static pare_status wrap(const pare_reduce_options *options, pare_layout **layout, pare_text **text,
                        pare_error *err)
{
    pare_buffer name = {0};
    pare_text *file = *text, *made = NULL;
    mode_t mode = options->input_path ? pare_file_mode(options->input_path) & 0777 : 0600;
    pare_status status = pare_command_name_file(options->program, options->n_program,
                                                pare_session_oracle_base_name(options), &name, err);
    if (!status) status = pare_layout_open_file(name.data, mode, file, layout, err);
    if (!status) status = add_words(options, *layout, err);
    if (!status) status = pare_layout_text(*layout, NULL, &made, err);
    pare_buffer_done(&name);
    if (status) return status;
    (*layout)->file = NULL;
    pare_text_unref(file);
    *text = made;
    return PARE_OK;
}

static pare_status read_several(const pare_reduce_options *options, pare_layout **layout,
                                pare_text **text, pare_error *err)
{
    if (options->input)
        return pare_fail(err, PARE_E_ARG, "give the input either as files or as bytes");
    pare_status status =
        pare_layout_open(options->inputs, options->places, options->n_inputs, layout, err);
    if (!status && has_words(options)) status = add_words(options, *layout, err);
    if (!status) status = pare_layout_text(*layout, options->inputs, text, err);
    return status;
}

pare_status pare_subject_read(const pare_reduce_options *options, pare_layout **layout,
                              pare_text **text, pare_error *err)
{
    pare_layout *read_layout = NULL;
    pare_text *read_text = NULL;
    pare_status status = options->n_inputs ? read_several(options, &read_layout, &read_text, err)
                                           : pare_session_input(options, &read_text, err);
    if (!status && !options->n_inputs && has_words(options))
        status = wrap(options, &read_layout, &read_text, err);
    if (status) {
        pare_text_unref(read_text);
        pare_layout_free(read_layout);
        return status;
    }
    *layout = read_layout;
    *text = read_text;
    return PARE_OK;
}
