/* The generator that prints the choices that it is given. */
#include "choice/bytes.h"

#include "base/alloc.h"

enum { BYTES = 256 };

static pare_status run_bytes(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)self;
    while (!status && pare_choices_left(choices)) {
        uint64_t index = 0;
        status = pare_choices_next(choices, PARE_CHOICE_BRANCH, BYTES, &index, err);
        unsigned char byte = (unsigned char)index;
        if (!status) status = pare_buffer_add(text, &byte, 1, err);
    }
    return status;
}

pare_status pare_choice_bytes_reduction_new(const unsigned char *bytes, size_t size,
                                            pare_strategy **out, pare_error *err)
{
    const pare_generator generator = {.self = NULL, .run = run_bytes};
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
