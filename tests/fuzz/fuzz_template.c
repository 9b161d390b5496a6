/* Fuzz target: templates of reports, filled with a text of the same bytes.
 *
 * The bytes are a template, a NUL byte, and what its fields hold.  What is refused has a sentence
 * that begins with the template's name.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/template.h"
#include "split_input.h"

enum { MOST = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST) return 0;
    struct split_input input = split_input(data, size);
    const pare_template_field row[] = {
        {.name = "row", .text = input.text, .size = input.text_size}};
    const pare_template_scope rows[] = {{row, 1}, {row, 1}};
    const pare_template_field fields[] = {
        {.name = "a", .text = input.text, .size = input.text_size},
        {.name = "b", .text = "7", .size = 1, .is_ours = true},
        {.name = "c", .text = "", .size = 0},
        {.name = "list", .text = "", .rows = rows, .n_rows = 2},
    };
    const pare_template_use use = {.form = PARE_TEMPLATE_MARKDOWN, .scope = {fields, 4}};
    pare_template *template = NULL;
    pare_buffer out = {0};
    pare_error err = {0};
    pare_status status = pare_template_new("t", input.grammar, input.grammar_size, &template, &err);
    if (!status) status = pare_template_write(template, &use, &out, &err);
    require(!status || (err.status == status && err.message[0]));
    require(status != PARE_E_SYNTAX || strncmp(err.message, "t:", 2) == 0);
    pare_template_free(template);
    pare_buffer_done(&out);
    return 0;
}
