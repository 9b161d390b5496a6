/* One command is made of the words with the name in them, for a shell that joins the two streams: a side run keeps
 * standard output alone, and complaints are on the other one.  A program that prints what changes from run to run is
 * only given no advice. */
#include "session/test/own_name.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "run/command.h"
#include "run/plain_line.h"
#include "run/printed.h"
#include "session/read_input.h"
#include "session/test/command_fault.h"
#include "session/test/side_run.h"

/* The words of the program with `name` for each mark, after those of a shell; ended by words_done. */
struct words {
    const char *name;      /* borrowed */
    const pare_stop *stop; /* borrowed */
    const char **items;    /* owned: an array of borrowed texts and of `filled` */
    pare_buffer *filled;   /* owned */
    size_t n;              /* with the shell's */
};

/* sh -c 'exec "$@" 2>&1' sh PROGRAM...: what it prints to either stream comes out as
 * standard output, in its order. */
static const char *const SHELL[] = {"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"};
/* LINES_COMPARED of each output: O(LINES_COMPARED^2) comparisons of short lines. */
enum { N_SHELL = sizeof SHELL / sizeof *SHELL, LINES_COMPARED = 100 };

static void words_done(struct words *words)
{
    for (size_t k = 0; words->filled && k < words->n - N_SHELL; k++)
        pare_buffer_done(&words->filled[k]);
    pare_alloc_free(words->filled);
    pare_alloc_free(words->items);
}

/* Makes the words.  A mark becomes the input's name, without a folder: the program runs
 * in the one where a file of that name lies. */
static pare_status words_init(struct words *words, const pare_test_options *test, pare_error *err)
{
    pare_status status = PARE_OK;
    words->n = N_SHELL + test->n_program;
    words->items = pare_alloc(words->n, sizeof *words->items);
    words->filled = pare_alloc_zero(test->n_program, sizeof *words->filled);
    if (!words->items || !words->filled) return pare_fail_nomem(err);
    memcpy(words->items, SHELL, sizeof SHELL);
    for (size_t k = 0; k < test->n_program && !status; k++) {
        pare_buffer *filled = &words->filled[k];
        status = pare_command_fill_marks(test->program[k], words->name, filled, err);
        words->items[N_SHELL + k] = filled->size ? filled->data : "";
    }
    return status;
}

/* Appends what the program prints when it is given `size` bytes as a file of the
 * input's name; nothing where it cannot be run.  Only a lack of memory is an error, as
 * all that comes of it is advice. */
static pare_status look(const struct words *words, const void *text, size_t size, pare_buffer *out,
                        pare_error *err)
{
    pare_command command = {0};
    const pare_side_task task = {.base_name = words->name,
                                 .text = text,
                                 .bytes = size,
                                 .stop = words->stop,
                                 .is_hostile = true};
    const pare_names names = {.items = &words->name, .n = 1};
    pare_status status = pare_command_init_target(&command, words->items, words->n, names, NULL);
    if (!status) status = pare_side_run(&task, &command, out, NULL);
    pare_command_done(&command);
    return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
}

/* Leaves the digits out: times, process numbers and lines are others in each run. */
static size_t drop_digits(char *text, size_t size)
{
    size_t n = 0;
    for (size_t k = 0; k < size; k++)
        if (!isdigit((unsigned char)text[k])) text[n++] = text[k];
    return n;
}

/* Whether two outputs are the same but for numbers, which are taken out of both. */
static bool same_but_numbers(pare_buffer *one, pare_buffer *other)
{
    if (!one->size || !other->size) return false;
    one->size = drop_digits(one->data, one->size);
    other->size = drop_digits(other->data, other->size);
    return one->size == other->size && memcmp(one->data, other->data, one->size) == 0;
}

/* Takes the next line of `*text`, without the folders that it names, and without numbers; false: there is
 * none.  A line with nothing else in it has mine.n 0. */
static bool take_line(const char **text, pare_plain_line *plain)
{
    if (!**text) return false;
    const size_t size = strcspn(*text, "\n");
    const pare_printed_line line = {.start = *text, .end = *text + size};
    pare_plain_line_make(&line, plain);
    plain->n = drop_digits(plain->text, plain->n);
    plain->text[plain->n] = '\0';
    *text += size + ((*text)[size] == '\n');
    return true;
}

/* Whether two outputs have a line in common, whatever the folders that it names: those of side runs are others than those
 * of tests.  Any line, since a test's output may be what it wrote to standard error alone. */
static bool shares_line(const pare_buffer *one, const char *other)
{
    pare_plain_line mine, theirs;
    const char *at = one->size ? one->data : "";
    for (unsigned k = 0; k < LINES_COMPARED && take_line(&at, &mine); k++) {
        const char *from = other;
        for (unsigned i = 0; mine.n && i < LINES_COMPARED && take_line(&from, &theirs); i++)
            if (strcmp(mine.text, theirs.text) == 0) return true;
    }
    return false;
}

/* The steps are in the order of what they cost: is the name in what was printed, does
 * the program do something else with the name alone, does it then tell the input from
 * less than it. */
pare_status pare_own_name_find(const pare_own_name_task *task, pare_buffer *line, pare_error *err)
{
    const char *name = pare_read_input_base_name(task->input);
    const pare_text *text = task->text;
    struct words words = {.name = name, .stop = task->stop};
    pare_buffer of_input = {0}, of_less = {0};
    /* A program that minds the path says which path it means. */
    if (!task->printed || !strstr(task->printed, name)) return PARE_OK;
    if (task->input->n_paths || !pare_text_size(text)) return PARE_OK;
    pare_status status = words_init(&words, task->test, err);
    if (!status) status = look(&words, pare_text_bytes(text), pare_text_size(text), &of_input, err);
    bool is_other = !status && of_input.size && !shares_line(&of_input, task->printed);
    if (is_other) status = look(&words, task->less, task->less_bytes, &of_less, err);
    /* With the path it says of less what it says with the name, so the path is not what it minds. */
    if (!status && shares_line(&of_less, task->printed)) is_other = false;
    if (!status && is_other && !same_but_numbers(&of_less, &of_input)) {
        const pare_test_options right = {.program = words.items + N_SHELL,
                                         .n_program = task->test->n_program};
        status = pare_command_fault_line(task->input, &right, "", "", line, err);
    }
    pare_buffer_done(&of_less);
    pare_buffer_done(&of_input);
    /* Also after an early failure: what is not there is NULL. */
    words_done(&words);
    return status;
}
