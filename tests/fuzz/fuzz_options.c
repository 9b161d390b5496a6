/* Any list of words may be given to the option parser.
 *
 * The input is argv: words separated by NUL bytes.  Whatever it holds, parsing
 * ends with a result whose texts lie inside argv, or with one sentence. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/option_table.h"

enum { MAX_WORDS = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void require(bool holds)
{
    if (!holds) abort();
}

static bool lies_inside(const char *text, const char *words, size_t size_bytes)
{
    return text >= words && text <= words + size_bytes;
}

static void check_result(const pare_arguments *arguments, const char *words, size_t size_bytes,
                         int argc)
{
    require(arguments->n_operands <= (size_t)argc);
    require(arguments->n_before_dashes <= arguments->n_operands);
    for (size_t i = 0; i < arguments->n_operands; i++)
        require(lies_inside(arguments->operands[i], words, size_bytes));
    for (size_t i = 0; i < PARE_N_OPTIONS; i++) {
        const pare_option_value *value = &arguments->values[i];
        require(value->position <= (size_t)argc);
        require(!value->text || lies_inside(value->text, words, size_bytes));
        require(value->position || (!value->text && !value->number));
    }
}

static void parse(unsigned command, char *words, size_t size_bytes, int argc, char **argv)
{
    pare_arguments arguments = {0};
    pare_error err = {0};
    const pare_option_set set = {pare_option_table, PARE_N_OPTIONS, command};
    pare_status status = pare_options_parse(&set, argc, argv, &arguments, &err);
    if (status == PARE_OK)
        check_result(&arguments, words, size_bytes, argc);
    else
        require(err.status == status && *err.message && !strchr(err.message, '\n') &&
                !arguments.values);
    pare_options_done(&arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    char *argv[MAX_WORDS + 1];
    int argc = 0;
    char *words = pare_alloc_text(size_bytes ? (const char *)data : "", size_bytes);
    if (!words) return 0;
    for (size_t at = 0; at < size_bytes && argc < MAX_WORDS; at += strlen(words + at) + 1)
        argv[argc++] = words + at;
    argv[argc] = NULL;
    parse(PARE_COMMAND_REDUCE, words, size_bytes, argc, argv);
    parse(PARE_COMMAND_ISOLATE, words, size_bytes, argc, argv);
    pare_alloc_free(words);
    return 0;
}
