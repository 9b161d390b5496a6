/* The generator that prints the choices that it is given.
 *
 * What belongs together is guessed by the brackets of the text: the contents of groups are spans
 * that may stand for each other, so that `(8 - (1 / 0))` may become `1 / 0`, which no deletion of
 * a stretch makes of it.  A group with its brackets is a span of its own kind, which may go. */
#include "reduce/choice/bytes.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "engine/strategy.h"
#include "reduce/choice/choices.h"
#include "reduce/choice/generator.h"
#include "reduce/choice/record.h"
#include "reduce/choice/reduction.h"
#include "text/split/bracket.h"

enum { BYTES = 256, CONTENTS = 0, GROUPS = 1 /* and a label of its own for each */ };

/* What a byte is for the spans. */
enum mark { PLAIN, OPENS, CLOSES };

static unsigned char byte_of(uint64_t choice)
{
    return choice == PARE_CHOICE_DEFAULT ? 0 : (unsigned char)(choice % BYTES);
}

/* Replaces each byte by its mark. */
static pare_status mark(unsigned char *bytes, size_t n, pare_error *err)
{
    pare_bracket_tree tree = {0};
    pare_status status = pare_bracket_build(bytes, n, &tree, err);
    if (status) return status;
    for (size_t i = 0; i < n; i++)
        bytes[i] = PLAIN;
    for (uint32_t k = 0; k < tree.n_nodes; k++)
        if (pare_bracket_is_delimiter(&tree, k))
            bytes[tree.nodes[k].begin] = k == tree.nodes[k].parent + 1 ? OPENS : CLOSES;
    pare_bracket_done(&tree);
    return PARE_OK;
}

/* Prints choice `at`, and opens and closes the spans that begin and end there. */
static pare_status print_byte(pare_choices *choices, size_t at, enum mark mark, pare_buffer *text,
                              pare_error *err)
{
    uint64_t index = 0;
    pare_status status = PARE_OK;
    if (mark == CLOSES) pare_choices_close(choices);
    if (mark == OPENS) status = pare_choices_open(choices, GROUPS + (uint32_t)at, err);
    if (!status) status = pare_choices_next(choices, PARE_CHOICE_BRANCH, BYTES, &index, err);
    unsigned char byte = (unsigned char)index;
    if (!status) status = pare_buffer_add(text, &byte, 1, err);
    if (!status && mark == OPENS) status = pare_choices_open(choices, CONTENTS, err);
    if (!status && mark == CLOSES) pare_choices_close(choices);
    return status;
}

static pare_status run_bytes(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    size_t n = pare_choices_left(choices);
    unsigned char *marks = pare_alloc(n, 1);
    (void)self;
    if (!marks) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        marks[i] = byte_of(choices->list[i]);
    pare_status status = mark(marks, n, err);
    if (!status) status = pare_choices_open(choices, CONTENTS, err);
    for (size_t i = 0; !status && i < n; i++)
        status = print_byte(choices, i, (enum mark)marks[i], text, err);
    if (!status) pare_choices_close(choices);
    pare_release(marks);
    return status;
}

pare_status pare_choice_bytes_reduction_new(const unsigned char *bytes, size_t size,
                                            pare_strategy **out, pare_error *err)
{
    const pare_generator generator = {.self = NULL, .run = run_bytes, .flat = true};
    if (size > PARE_CHOICES_LIMIT)
        return pare_fail(err, PARE_E_LIMIT, "%zu bytes are too many choices", size);
    uint64_t *list = pare_alloc(size, sizeof *list);
    if (!list) return pare_fail_nomem(err);
    for (size_t i = 0; i < size; i++)
        list[i] = bytes[i];
    pare_status status =
        pare_choice_reduction_new(generator, list, size, PARE_CHOICE_PASSES, out, err);
    pare_release(list);
    return status;
}
