/* The shell text: GENERATOR < "$1" > NAME && TEST NAME, all words quoted. */
#include "session/test/made_text.h"

#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"

static const char NAME[] = "pare-made-text";

/* Appends one word in quotes, with `mark` in the place of each "@@"; *marked when there is
 * one. */
static pare_status quote(pare_buffer *to, const char *word, const char *mark, bool *marked,
                         pare_error *err)
{
    pare_status status = pare_buffer_text(to, "'", err);
    while (!status && *word) {
        bool is_mark = strncmp(word, "@@", 2) == 0;
        if (is_mark)
            status = pare_buffer_format(to, err, "'%s'", mark);
        else if (*word == '\'')
            status = pare_buffer_text(to, "'\\''", err);
        else
            status = pare_buffer_add(to, word, 1, err);
        word += is_mark ? 2 : 1;
        *marked = *marked || is_mark;
    }
    return status ? status : pare_buffer_text(to, "' ", err);
}

/* What is executed, without the candidate. */
static pare_status add_words(pare_buffer *to, const pare_command *command, const char *mark,
                             bool *marked, pare_error *err)
{
    pare_status status = PARE_OK;
    *marked = false;
    for (size_t i = 1; !status && i < command->n_words; i++)
        status = quote(to, command->words[i], mark, marked, err);
    return status;
}

/* The suffix that the first "@@.EXT" of the test wants. */
static void find_suffix(const pare_command *test, const char **suffix, size_t *size)
{
    *size = 0;
    for (size_t i = 1; i < test->n_words && !*size; i++) {
        const char *found = strstr(test->words[i], "@@.");
        if (!found) continue;
        *suffix = found + 2;
        for (*size = 1; isalnum((unsigned char)(*suffix)[*size]);)
            ++*size;
    }
}

static pare_status compose(pare_buffer *to, const pare_command *generator, const pare_command *test,
                           pare_error *err)
{
    bool marked = false;
    const char *suffix = "";
    size_t size = 0;
    find_suffix(test, &suffix, &size);
    pare_status status = add_words(to, generator, "\"$1\"", &marked, err);
    if (!status && !marked && generator->is_shell) status = pare_buffer_text(to, "\"$1\" ", err);
    if (!status)
        status = pare_buffer_format(to, err, "<\"$1\" >%s%.*s && ", NAME, (int)size, suffix);
    if (!status) status = add_words(to, test, NAME, &marked, err);
    if (!status && !marked) status = pare_buffer_text(to, NAME, err);
    return status;
}

pare_status pare_made_text_command(pare_command *command, const char *generator, const char *test,
                                   pare_names inputs, pare_error *err)
{
    pare_command first = {0}, second = {0};
    pare_buffer text = {0};
    pare_status status = pare_command_init(&first, generator, inputs, err);
    if (!status) status = pare_command_init(&second, test, inputs, err);
    if (!status) status = compose(&text, &first, &second, err);
    if (!status) status = pare_command_init(command, text.data, inputs, err);
    if (!status) {
        pare_digest both[] = {first.identity, second.identity};
        command->identity = pare_checksum_wide(command->identity, both, sizeof both);
    }
    pare_command_done(&first);
    pare_command_done(&second);
    pare_buffer_done(&text);
    return status;
}
