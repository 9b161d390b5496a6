/* The input: one file or bytes, several files and folders, and the words of the command, as one
 * text.
 *
 * Several entries are made one text with a layout, a frame before each, so that everything that
 * works on a text works on them.  Words are entries of that layout, too.  The command is understood
 * here once more than for running it: which of its words there are is known only when those that
 * name inputs are. */
#include "session/read_input.h"

#include <string.h>

#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/entries.h"
#include "os/file.h"
#include "run/command.h"
#include "run/invocation.h"
#include "text/text.h"

extern char **environ;

/* The name of bytes may tell a language, as a path does. */
const char *pare_read_input_name(const pare_input_options *input)
{
    return input->path ? input->path : input->name;
}

/* Bytes without a name are called "input": a candidate needs some name in its directory. */
const char *pare_read_input_base_name(const pare_input_options *input)
{
    if (!input->path) return input->name ? input->name : "input";
    const char *slash = strrchr(input->path, '/');
    return slash ? slash + 1 : input->path;
}

/* Who is told how far the reading is, and since when it goes on.  Only one large file
 * is told of, since folders are read file by file. */
struct listener {
    const pare_event_options *events;
    uint64_t start_ms;
};

/* There is no session yet, so the event holds nothing but the sizes. */
static void tell_reading(void *context, size_t read_bytes, size_t size_bytes)
{
    const struct listener *listener = context;
    const pare_event event = {.kind = PARE_EVENT_READING,
                              .size_bytes = read_bytes,
                              .input_bytes = size_bytes,
                              .best_bytes = size_bytes,
                              .elapsed_s = (double)(pare_clock_ms() - listener->start_ms) / 1000,
                              .tests_left = UINT64_MAX};
    listener->events->watcher(listener->events->context, &event);
}

/* Reads the one file; bytes are copied, since the caller may change them while the
 * reduction runs.
 * The buffer of a file becomes the text, so that a large input is in memory once. */
static pare_status read_file(const pare_input_options *input, const pare_event_options *events,
                             pare_text **out, pare_error *err)
{
    struct listener listener = {.events = events, .start_ms = pare_clock_ms()};
    const pare_file_reading reading = {.tell = tell_reading, .context = &listener};
    if (!input->path == !input->bytes)
        return pare_fail(err, PARE_E_ARG, "give the input either as a path or as bytes");
    if (input->bytes) return pare_text_copy(input->bytes, input->size_bytes, out, err);
    pare_buffer bytes = {0};
    const char *path = input->path;
    /* Folders are told of by the read itself. */
    bool special =
        pare_file_exists(path) && !pare_file_is_regular(path) && !pare_file_is_directory(path);
    if (special) /* a pipe that nobody writes to would be waited for without end */
        return pare_fail(err, PARE_E_IO, "%s is not a regular file: save it to one first", path);
    pare_status status =
        pare_file_read_told(path, events && events->watcher ? &reading : NULL, &bytes, err);
    if (!status) status = pare_text_take(&bytes, out, err);
    pare_buffer_done(&bytes);
    return status;
}

pare_status pare_read_input_file(const pare_input_options *input, pare_text **out, pare_error *err)
{
    return read_file(input, NULL, out, err);
}

/* Whether the command line or the environment is reduced, with the input or without.
 * Only then is the command read here. */
static bool has_words(const pare_input_options *input)
{
    return input->reduce_arguments == PARE_ON || input->reduce_environment == PARE_ON;
}

/* Adds the words behind the program.  A command that a shell runs counts as one word,
 * whatever it contains, so of it no argument could go. */
static pare_status add_arguments(const pare_command *command, pare_layout *layout, pare_error *err)
{
    const size_t first = pare_command_first_argument(command);
    if (command->is_shell)
        return pare_fail(err, PARE_E_ARG,
                         "a line for a shell has no arguments to reduce: write the program and its "
                         "arguments as separate words after '--', without pipes and redirections");
    return pare_layout_add_words(layout, PARE_ENTRY_ARGUMENT,
                                 (const char *const *)(void *)(command->words + first),
                                 command->n_words - first, err);
}

/* Adds the variables of our own environment, but for those that a program needs to work
 * at all, such as PATH. */
static pare_status add_variables(pare_layout *layout, pare_error *err)
{
    size_t n = 0, used = 0;
    while (environ && environ[n])
        n++;
    const char **variables = pare_alloc(n, sizeof *variables);
    if (!variables) return pare_fail_nomem(err);
    for (size_t k = 0; k < n; k++)
        if (!pare_invocation_keeps(environ[k])) variables[used++] = environ[k];
    /* The layout copies them: the environment may change under us. */
    pare_status status = pare_layout_add_words(layout, PARE_ENTRY_VARIABLE, variables, used, err);
    pare_alloc_free(variables);
    return status;
}

/* Adds the words that may be reduced to the layout: arguments after the program, then
 * variables, in the order that a layout wants. */
static pare_status add_words(const pare_input_options *input, const pare_test_options *test,
                             pare_layout *layout, pare_error *err)
{
    pare_command command = {0};
    const size_t n = layout->entries.n_roots;
    /* The words of a test script are not what the failure depends on, so only those of a program
     * are read. */
    if (!test->program)
        return pare_fail(
            err, PARE_E_ARG,
            "only the arguments and variables of a program can be reduced, not those of a test");
    /* How the program is called depends on what its inputs are called: a word "@@" becomes their
     * paths. */
    const char **names = pare_alloc_zero(n, sizeof *names);
    if (!names) return pare_fail_nomem(err);
    pare_entries_names(&layout->entries, names);
    pare_status status = pare_command_init_target(&command, test->program, test->n_program,
                                                  (pare_names){.items = names, .n = n}, err);
    if (!status && input->reduce_arguments == PARE_ON)
        status = add_arguments(&command, layout, err);
    if (!status && input->reduce_environment == PARE_ON) status = add_variables(layout, err);
    pare_command_done(&command);
    pare_alloc_free(names);
    return status;
}

/* Makes one text of the file and the words of the command that is run on it.
 * After a failure *text is still the file, and *layout what was made by then: the
 * caller frees both. */
static pare_status wrap(const pare_input_options *input, const pare_test_options *test,
                        pare_layout **layout, pare_text **text, pare_error *err)
{
    pare_buffer name = {0};
    pare_text *file = *text, *made = NULL;
    /* Bytes have no mode; only their owner needs to read what is made of them. */
    mode_t mode = input->path ? pare_file_mode(input->path) & 0777 : 0600;
    pare_status status = pare_command_name_file(test->program, test->n_program,
                                                pare_read_input_base_name(input), &name, err);
    if (!status) status = pare_layout_open_file(name.data, mode, file, layout, err);
    if (!status) status = add_words(input, test, *layout, err);
    if (!status) status = pare_layout_text(*layout, NULL, &made, err);
    pare_buffer_done(&name);
    if (status) return status;
    /* The layout borrowed the file while the text was made of it; from here on the text has its
     * bytes. */
    (*layout)->file = NULL;
    pare_text_unref(file);
    *text = made;
    return PARE_OK;
}

/* Words come after all files, so that entries of files keep their numbers with and without
 * words. */
static pare_status read_several(const pare_input_options *input, const char *const *places,
                                const pare_test_options *test, pare_layout **layout,
                                pare_text **text, pare_error *err)
{
    if (input->bytes)
        return pare_fail(err, PARE_E_ARG, "give the input either as files or as bytes");
    pare_status status = pare_layout_open(input->paths, places, input->n_paths, layout, err);
    if (!status && has_words(input)) status = add_words(input, test, *layout, err);
    if (!status) status = pare_layout_text(*layout, input->paths, text, err);
    return status;
}

/* *layout and *text are set together or not at all. */
pare_status pare_read_input(const pare_input_request *request, pare_layout **layout,
                            pare_text **text, pare_error *err)
{
    const pare_input_options *input = request->input;
    pare_layout *read_layout = NULL;
    pare_text *read_text = NULL;
    pare_status status = input->n_paths ? read_several(input, request->places, request->test,
                                                       &read_layout, &read_text, err)
                                        : read_file(input, request->events, &read_text, err);
    if (!status && !input->n_paths && has_words(input))
        status = wrap(input, request->test, &read_layout, &read_text, err);
    if (status) {
        pare_text_unref(read_text);
        pare_layout_free(read_layout);
        return status;
    }
    *layout = read_layout;
    *text = read_text;
    return PARE_OK;
}
