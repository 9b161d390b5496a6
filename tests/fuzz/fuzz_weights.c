/* Fuzz target: weights and models, any bytes as JSON.
 *
 * What is read makes texts that the grammar's lexer reads; what is not has a sentence.  Aborts
 * on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "generate/batch.h"
#include "generate/weights.h"
#include "grammar/grammar_file.h"

enum { MAX_JSON = 4096, TEXTS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char source[] = "grammar C; file: call* EOF;"
                             "call: ID '(' (arg (',' arg)*)? ')' ';' | 'stop' ';';"
                             "arg: ID | N | '[' arg+ ']'; ID: [a-z]+; N: [0-9]+; WS: ' ' -> skip;";

static void require(bool holds)
{
    if (!holds) abort();
}

static void make(const pare_expansion_table *table)
{
    pare_batch_maker maker;
    pare_batch batch = {0};
    pare_deriver_options options = {.max_depth = 10, .max_tokens = 30, .cooldown = 0.5};
    pare_index start = pare_grammar_start(table->grammar);
    require(pare_batch_maker_init(&maker, table, start, &options, 1, NULL) == PARE_OK);
    require(pare_batch_make(&maker, 0, TEXTS, 0, &batch, NULL) == PARE_OK);
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_grammar *grammar = NULL;
    pare_expansion_table table;
    pare_error err = {0};
    pare_g4_source from = {.path = "C.g4", .text = source, .size = strlen(source)};
    pare_g4_options options = {.memory_only = true};
    if (size > MAX_JSON) return 0;
    require(pare_grammar_file_read_g4_sources(&from, 1, &options, &grammar, NULL) == PARE_OK);
    require(pare_expansion_table_init(&table, grammar, pare_grammar_start(grammar), NULL) ==
            PARE_OK);
    const char *json = size ? (const char *)data : "";
    pare_status status = pare_weights_read(&table, "w.json", json, size, &err);
    require(!status || (err.status == status && err.message[0]));
    if (!status) make(&table);
    pare_expansion_table_done(&table);
    pare_grammar_free(grammar);
    return 0;
}
