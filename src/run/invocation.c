/* Invocations: argument vectors and environments, written without an allocation per run.
 *
 * Room is made once, for the largest command with the most paths, and filled anew for each
 * run.  Invariant: after init, the first n_fixed entries of the environment never change
 * (but for the text of the mark, which is the first), so that a run only rewrites what
 * follows them: the variables that its candidate kept.
 * Strings are borrowed wherever that is possible, from the command, the layout or our own
 * environment; only words with marks and paths are written, to two buffers that do not move
 * while their pointers are used. */
#include "run/invocation.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/entries.h"

extern char **environ;

/* ---- argument vectors --------------------------------------------------------------- */

/* How often word `k` stands in the arguments: one with a mark, once for each path. */
static size_t copies(const pare_command *command, size_t k, size_t n_paths)
{
    bool marked =
        command->placement == PARE_PLACEMENT_MARKS && pare_command_is_marked(command->words[k]);
    return marked ? n_paths : 1;
}

/* How many elements an argument vector of `command` needs for a candidate of `n_paths` paths:
 * the words, each with a mark once for each path, the paths, and NULL. */
static size_t count_words(const pare_command *command, size_t n_paths)
{
    size_t n = n_paths + 1;
    for (size_t k = 0; k < command->n_words; k++)
        n += copies(command, k, n_paths);
    return n;
}

/* Fills words with marks in *room, one after the other, each with its NUL, once for each path. */
static pare_status fill_marks(const pare_command *command, pare_names paths, pare_buffer *room,
                              pare_error *err)
{
    pare_status status = PARE_OK;
    pare_buffer_reset(room);
    for (size_t k = 0; k < command->n_words; k++) {
        if (!pare_command_is_marked(command->words[k])) continue;
        for (size_t i = 0; i < paths.n && !status; i++) {
            status = pare_command_fill_marks(command->words[k], paths.items[i], room, err);
            if (!status) status = pare_buffer_add(room, "", 1, err);
        }
    }
    return status;
}

/* Fills `argv` with the words, borrowed, the candidate's paths where they go, and NULL.  Words with
 * marks are written to *room first, as a whole, because it may move while it grows. */
static pare_status fill_argv(const pare_command *command, pare_names paths, pare_buffer *room,
                             const char **argv, pare_error *err)
{
    bool marks = command->placement == PARE_PLACEMENT_MARKS;
    pare_status status = marks ? fill_marks(command, paths, room, err) : PARE_OK;
    if (status) return status;
    const char *at = room->data; /* does not move any more */
    size_t n = 0, n_last = command->placement == PARE_PLACEMENT_LAST ? paths.n : 0;
    for (size_t k = 0; k < command->n_words; k++) {
        if (!marks || !pare_command_is_marked(command->words[k])) {
            argv[n++] = command->words[k];
            continue;
        }
        for (size_t i = 0; i < paths.n; i++, at += strlen(at) + 1)
            argv[n++] = at;
    }
    for (size_t i = 0; i < n_last; i++)
        argv[n++] = paths.items[i];
    argv[n] = NULL;
    assert(n < count_words(command, paths.n));
    return PARE_OK;
}

/* ---- room --------------------------------------------------------------------------- */

const char *const pare_invocation_kept[PARE_INVOCATION_N_KEPT] = {"PATH",   "HOME", "PWD",
                                                                  "TMPDIR", "TMP",  "TEMP"};

/* An entry of the environment without "=" cannot be set again. */
bool pare_invocation_keeps(const char *entry)
{
    const size_t size = strcspn(entry, "=");
    if (!entry[size] || strncmp(entry, "PARE_", 5) == 0) return true;
    for (size_t k = 0; k < PARE_INVOCATION_N_KEPT; k++) {
        const char *kept = pare_invocation_kept[k];
        if (strlen(kept) == size && strncmp(entry, kept, size) == 0) return true;
    }
    return false;
}

/* Whether runs go without this entry of our environment unless their candidate has it.  By its name
 * alone: a candidate may come from another machine, whose environment is not ours. */
static bool is_reduced(const pare_layout *layout, const char *entry)
{
    return layout && layout->n_variables && !pare_invocation_keeps(entry);
}

/* Whether `more` has another value for the variable of an entry. */
static bool is_replaced(pare_names more, const char *entry)
{
    const size_t size = strcspn(entry, "=") + 1;
    for (size_t k = 0; k < more.n; k++)
        if (strncmp(more.items[k], entry, size) == 0) return true;
    return false;
}

/* Our environment with the mark in front, without what a candidate may be without, and without
 * the mark of an outer pare, then `more`.  Variables of a candidate follow later, so there is room
 * for all that the layout has. */
static pare_status prepare_environment(pare_invocation *self, pare_names more, pare_error *err)
{
    static const char own[] = "PARE_TEST=";
    size_t n = 0, used = 0;
    const size_t n_variables = self->layout ? self->layout->n_variables : 0;
    while (environ && environ[n])
        n++;
    self->environment = pare_alloc(n + n_variables + more.n + 2, sizeof *self->environment);
    if (!self->environment) return pare_fail_nomem(err);
    self->environment[used++] = self->mark;
    for (size_t k = 0; k < n; k++)
        if (strncmp(environ[k], own, sizeof own - 1) != 0 &&
            !is_reduced(self->layout, environ[k]) && !is_replaced(more, environ[k]))
            self->environment[used++] = environ[k];
    for (size_t k = 0; k < more.n; k++)
        self->environment[used++] = more.items[k];
    self->environment[used] = NULL;
    self->n_fixed = used;
    return PARE_OK;
}

/* Finds the names of the inputs, in the order in which they were given, and makes room for
 * their paths.  One file has neither: its path is the slot's. */
static pare_status prepare_names(pare_invocation *self, pare_error *err)
{
    if (!self->layout) return PARE_OK;
    const pare_entries *entries = &self->layout->entries;
    self->names = pare_alloc_zero(entries->n_roots, sizeof *self->names);
    self->paths = pare_alloc_zero(entries->n_roots, sizeof *self->paths);
    if (!self->names || !self->paths) return pare_fail_nomem(err);
    self->n_names = entries->n_roots;
    pare_entries_names(entries, self->names);
    return PARE_OK;
}

/* The text of an argument of the layout, whose words are its last entries. */
static const char *argument_of(const pare_layout *layout, size_t k)
{
    const size_t first = layout->entries.n - layout->n_variables - layout->n_arguments;
    return layout->entries.items[first + k].target;
}

/* Room for the words of a command line of which arguments may be missing.  Those before the
 * first argument are always there, so they are set once. */
static pare_status prepare_words(pare_invocation *self, pare_error *err)
{
    if (!self->layout || !self->layout->n_arguments) return PARE_OK;
    self->words = pare_alloc(self->program->n_words, sizeof *self->words);
    if (!self->words) return pare_fail_nomem(err);
    const size_t first = pare_command_first_argument(self->program);
    for (size_t k = 0; k < first && k < self->program->n_words; k++)
        self->words[k] = self->program->words[k];
    for (size_t k = 0; k < self->layout->n_arguments && first + k < self->program->n_words; k++)
        self->is_moved |=
            strcmp(argument_of(self->layout, k), self->program->words[first + k]) != 0;
    return PARE_OK;
}

/* The paths of all inputs may stand where one mark is, so the room depends on both. */
pare_status pare_invocation_init(pare_invocation *self, const pare_command *const *commands,
                                 size_t n, const pare_layout *layout, pare_names environment,
                                 pare_error *err)
{
    *self = (pare_invocation){.layout = layout, .program = commands[0]};
    pare_status status = prepare_environment(self, environment, err);
    if (!status) status = prepare_names(self, err);
    if (!status) status = prepare_words(self, err);
    if (status) return status;
    const size_t n_paths = self->n_names ? self->n_names : 1;
    for (size_t k = 0; k < n; k++)
        if (commands[k] && count_words(commands[k], n_paths) > self->room)
            self->room = count_words(commands[k], n_paths);
    self->argv = pare_alloc(self->room, sizeof *self->argv);
    return self->argv ? PARE_OK : pare_fail_nomem(err);
}

/* After a failed init too: what was not made is NULL. */
void pare_invocation_done(pare_invocation *self)
{
    pare_alloc_free(self->environment);
    pare_alloc_free(self->argv);
    pare_alloc_free(self->words);
    pare_alloc_free(self->names);
    pare_alloc_free(self->paths);
    pare_buffer_done(&self->marked);
    pare_buffer_done(&self->places);
    *self = (pare_invocation){.n_names = 0};
}

/* If no word is reduced, a candidate consists of files only. */
bool pare_invocation_reads_words(const pare_invocation *self)
{
    return self->layout && (self->layout->n_arguments || self->layout->n_variables);
}

/* ---- runs --------------------------------------------------------------------------- */

/* Fills self->paths with the path of each input in the folder of a slot.  All are written
 * before the first pointer is taken, because the buffer may move while it grows. */
static pare_status write_paths(pare_invocation *self, const char *folder, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_buffer_reset(&self->places);
    for (size_t i = 0; !status && i < self->n_names; i++) {
        status = pare_buffer_format(&self->places, err, "%s/%s", folder, self->names[i]);
        if (!status) status = pare_buffer_add(&self->places, "", 1, err);
    }
    const char *path = self->places.data; /* does not move any more */
    for (size_t i = 0; !status && i < self->n_names; i++, path += strlen(path) + 1)
        self->paths[i] = path;
    return status;
}

/* Finds the program's own word that equals a word of the layout: the first from argument *at on,
 * which then moves past it. A word that has lost characters equals none, and is returned as it
 * is. */
static char *own_word(const pare_invocation *self, char *word, size_t *at)
{
    const size_t first = pare_command_first_argument(self->program);
    for (size_t k = *at; k < self->layout->n_arguments && first + k < self->program->n_words; k++) {
        if (strcmp(argument_of(self->layout, k), word) != 0) continue;
        *at = k + 1;
        return self->program->words[first + k];
    }
    return word;
}

/* The program with the arguments that are left of it; its words are self's. */
static pare_command reduce_program(pare_invocation *self, pare_layout_words *words)
{
    pare_command reduced = *self->program;
    char *word = words->texts.data;
    size_t at = 0;
    reduced.words = self->words;
    assert(words->n_arguments + pare_command_first_argument(self->program) <=
           self->program->n_words); /* arguments only go away */
    reduced.n_words = pare_command_first_argument(self->program);
    for (size_t k = 0; k < words->n_arguments; k++, word += strlen(word) + 1)
        self->words[reduced.n_words++] = self->is_moved ? own_word(self, word, &at) : word;
    return reduced;
}

/* Sets what follows the fixed entries of the environment: for the program, the variables that
 * its candidate kept; for other commands all of them, as the user set them. */
static void write_environment(pare_invocation *self, const pare_command *command,
                              const pare_layout_words *words)
{
    const char **entry = self->environment + self->n_fixed;
    if (!self->layout || !self->layout->n_variables) return;
    if (command != self->program) {
        const pare_entries *entries = &self->layout->entries;
        for (size_t i = entries->n - self->layout->n_variables; i < entries->n; i++)
            *entry++ = entries->items[i].target;
        *entry = NULL;
        return;
    }
    const char *word = words->texts.data;
    for (size_t k = 0; k < words->n_arguments + words->n_variables; k++) {
        if (k >= words->n_arguments) *entry++ = word;
        word += strlen(word) + 1;
    }
    *entry = NULL;
}

/* The mark has been set by the caller: it is in the environment already. */
pare_status pare_invocation_write(pare_invocation *self, const pare_command *command,
                                  const pare_invocation_place *place, pare_error *err)
{
    pare_names paths = {.items = &place->path, .n = 1};
    write_environment(self, command, place->words);
    if (self->n_names) {
        pare_status status = write_paths(self, place->folder, err);
        if (status) return status;
        paths = (pare_names){.items = self->paths, .n = self->n_names};
    }
    if (command != self->program || !self->words)
        return fill_argv(command, paths, &self->marked, self->argv, err);
    pare_command reduced = reduce_program(self, place->words);
    /* Words of a candidate from elsewhere may have more marks than the program's. */
    if (count_words(&reduced, paths.n) > self->room)
        return pare_fail(err, PARE_E_LIMIT, "the candidate has more words than the program");
    return fill_argv(&reduced, paths, &self->marked, self->argv, err);
}
