/* Fuzz target: any script as hooks of a small grammar.
 *
 * Whatever it does, it ends, and a failure has a sentence; what it makes it makes again.
 * Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "generate/deriver.h"
#include "grammar/grammar_file.h"

enum { MAX_SCRIPT = 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char source[] = "grammar P; file: packet+ EOF; packet: 'P' body '!' SUM ';';"
                             "body: WORD # one | WORD 'and' body # more; SUM: [0-9]+;"
                             "WORD: [a-z]+; WS: ' ' -> skip;";

static void require(bool holds)
{
    if (!holds) abort();
}

/* One text by the script; the same each time. */
static pare_status make(const pare_expansion_table *table, const char *script, size_t size,
                        pare_buffer *text)
{
    pare_hooks *hooks = NULL;
    pare_deriver *deriver = NULL;
    pare_choices choices = {0};
    pare_error err = {0};
    pare_index start = pare_grammar_start(table->grammar);
    pare_status status = pare_hooks_new("h.lua", script, size, &hooks, &err);
    pare_deriver_options options = {.max_tokens = 20, .hooks = hooks};
    if (!status) status = pare_deriver_new(table, start, &options, &deriver, &err);
    if (!status) {
        pare_generator generator = pare_deriver_generator(deriver);
        pare_choices_seed(&choices, size);
        status = generator.run(generator.self, &choices, text, &err);
        require(status || pare_choices_record_check(&choices.record));
    }
    require(!status || (err.status == status && err.message[0]));
    pare_choices_done(&choices);
    pare_deriver_free(deriver);
    pare_hooks_free(hooks);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_grammar *grammar = NULL;
    pare_expansion_table table;
    pare_buffer first = {0}, second = {0};
    pare_g4_source from = {.path = "P.g4", .text = source, .size = strlen(source)};
    pare_g4_options options = {.memory_only = true};
    if (size > MAX_SCRIPT) return 0;
    require(pare_grammar_file_read_g4_sources(&from, 1, &options, &grammar, NULL) == PARE_OK);
    require(pare_expansion_table_init(&table, grammar, pare_grammar_start(grammar), NULL) ==
            PARE_OK);
    const char *script = size ? (const char *)data : "";
    pare_status status = make(&table, script, size, &first);
    if (status != PARE_E_LIMIT) {
        require(make(&table, script, size, &second) == status);
        require(first.size == second.size);
        require(!first.size || memcmp(first.data, second.data, first.size) == 0);
    }
    pare_buffer_done(&first);
    pare_buffer_done(&second);
    pare_expansion_table_done(&table);
    pare_grammar_free(grammar);
    return 0;
}
