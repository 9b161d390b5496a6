/* RandomFuzzer over the source of choices. */
#include "generate/random_text.h"

#include "base/buffer.h"
#include "reduce/choice/choices.h"

static pare_status run_random(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    const pare_random_text *options = self;
    pare_alphabet alphabet = {options->first, options->first + options->n - 1, options->first};
    return pare_choices_string(choices, alphabet, options->min_length, options->max_length, text,
                               err);
}

pare_generator pare_random_text_generator(const pare_random_text *options)
{
    return (pare_generator){.self = (void *)(uintptr_t)options, .run = run_random};
}
