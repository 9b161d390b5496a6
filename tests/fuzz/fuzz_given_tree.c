/* Fuzz target: trees that users give, any bytes as JSON.
 *
 * The first byte says how much of the rest is the file; what follows is the input.  A tree that is
 * read and fits makes a tree of the input, and of what is left without a stretch of it, by either
 * side; what is not has a sentence.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parse/parse_tree.h"
#include "parse/shape.h"
#include "reduce/syntax/given_tree.h"
#include "reduce/tree/tree.h"
#include "text/text.h"

enum { MAX_BYTES = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* Trees of a text by both sides, for reducers too. */
static void plant(const pare_given_tree *given, const char *bytes, size_t size)
{
    const pare_tree_rules rules = pare_given_tree_rules(given);
    pare_text *text = NULL;
    require(pare_text_copy(bytes, size, &text, NULL) == PARE_OK);
    for (int side = 0; side < 2; side++) {
        pare_parse_tree parse = {0};
        pare_tree *tree = NULL;
        require(pare_given_tree_parse(given, bytes, size,
                                      side ? PARE_SEPARATORS_AFTER : PARE_SEPARATORS_BEFORE, &parse,
                                      NULL) == PARE_OK);
        require(pare_parse_tree_check(&parse));
        require(pare_tree_new(&parse, text, &rules, &tree, NULL) == PARE_OK);
        require(pare_tree_check(tree));
        pare_tree_unref(tree);
        pare_parse_tree_done(&parse);
    }
    pare_text_unref(text);
}

/* Without the middle third. */
static void plant_less(const pare_given_tree *given, const char *bytes, size_t size)
{
    char less[MAX_BYTES];
    size_t third = size / 3;
    memcpy(less, bytes, third);
    memcpy(less + third, bytes + 2 * third, size - 2 * third);
    plant(given, less, size - third);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_given_tree *given = NULL;
    pare_error err = {0};
    if (!size || size > MAX_BYTES) return 0;
    const char *json = (const char *)data + 1;
    size_t json_bytes = (size - 1) * data[0] / 255;
    const char *input = json + json_bytes;
    size_t input_bytes = size - 1 - json_bytes;
    pare_status status = pare_given_tree_read("t.json", json, json_bytes, &given, &err);
    if (!status) status = pare_given_tree_set_input(given, input, input_bytes, &err);
    require(!status || (err.status == status && err.message[0]));
    if (!status && input_bytes) {
        plant(given, input, input_bytes);
        plant_less(given, input, input_bytes);
    }
    pare_given_tree_free(given);
    return 0;
}
