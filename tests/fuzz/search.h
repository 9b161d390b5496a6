/* Beyond the corpus: a fuzz target on texts that are made of its inputs by chance.
 *
 * This is not libFuzzer, which `make fuzz` has: nothing is learnt of what an input reaches.  It needs no
 * compiler of its own, so that every `make test` looks a little further than what is written down. */
#ifndef PARE_TESTS_FUZZ_SEARCH_H
#define PARE_TESTS_FUZZ_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

struct search_input {
    uint8_t *bytes;
    size_t size_bytes;
};

struct search_options {
    uint64_t seed;       /* the same seed makes the same texts of the same inputs */
    uint64_t most_runs;  /* executions */
    double most_seconds; /* of processor time, so that a loaded machine looks at as much */
    const char *keep_at; /* the file of a text that ends the target; a number is appended */
};

/* Runs the target in a process of its own; `inputs` are not changed.  False, and a sentence on
 * standard error, where the target died; what it was given is kept then. */
bool search(const struct search_input *inputs, size_t n_inputs,
            const struct search_options *options);

#endif
