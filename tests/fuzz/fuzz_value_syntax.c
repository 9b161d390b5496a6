/* Fuzz target: value definition syntax, any bytes.
 *
 * What is read becomes rules that are a grammar of The Fuzzing Book's, or has no finite text;
 * what is not has a sentence.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "generate/expansion_table.h"
#include "generate/weights.h"
#include "grammar/fuzzingbook.h"
#include "web_model/values.h"

enum { MAX_SYNTAX = 2048 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* Types of one letter are made of it, others never. */
static pare_status resolve(void *context, const pare_value *value, pare_buffer *name,
                           pare_error *err)
{
    pare_web_rules *rules = context;
    bool is_made = strlen(value->text) == 1;
    if (is_made && !pare_web_rules_has(rules, "letter"))
        pare_web_rules_add_template(rules, "letter", 1, "x");
    return pare_buffer_text(name, is_made ? "letter" : "never", err);
}

static double weigh(void *context, const pare_value *part)
{
    (void)context;
    return part->text && *part->text == 'r' ? 0.5 : 1;
}

static void check(const pare_buffer *json, const pare_buffer *weights)
{
    pare_grammar *grammar = NULL;
    pare_expansion_table table;
    require(!pare_fuzzingbook_read_memory("v", json->data, json->size, &grammar, NULL));
    require(!pare_expansion_table_init(&table, grammar, pare_grammar_start(grammar), NULL));
    require(!pare_weights_read(&table, "w", weights->data, weights->size, NULL));
    pare_expansion_table_done(&table);
    pare_grammar_free(grammar);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const roots[] = {"v", NULL};
    pare_web_rules rules = {0};
    pare_error err = {0};
    pare_web_values values = {
        .rules = &rules, .resolve = resolve, .weigh = weigh, .context = &rules, .err = &err};
    pare_buffer grammar = {0}, weights = {0};
    pare_value *value = NULL;
    if (size > MAX_SYNTAX) return 0;
    pare_status status =
        pare_value_parse(&rules.memory, size ? (const char *)data : "", size, &value, &err);
    require(!status == (value != NULL));
    if (!status) {
        (void)pare_value_is_nullable(value);
        status = pare_web_values_define(&values, "v", value);
    }
    if (!status) status = pare_web_rules_finish(&rules, roots, &grammar, &weights, &err);
    require(!status || (err.status == status && err.message[0]));
    if (!status) check(&grammar, &weights);
    pare_buffer_done(&grammar);
    pare_buffer_done(&weights);
    pare_web_rules_done(&rules);
    return 0;
}
