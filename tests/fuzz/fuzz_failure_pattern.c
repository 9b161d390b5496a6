/* Fuzz target: patterns, any bytes as JSON.
 *
 * What is read makes texts, of which each has a size that fits the pattern; what is not read has a
 * sentence.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "explain/failure_pattern.h"

enum { MAX_JSON = 4096, TEXTS = 6, MOST_BYTES = 1 << 22 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static pare_status count(void *context, uint64_t number, const char *text, size_t size,
                         pare_error *err)
{
    (void)err;
    require(text && number < TEXTS && size < MOST_BYTES);
    ++*(unsigned *)context;
    return PARE_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_failure_pattern *pattern = NULL;
    pare_error err = {0};
    if (size > MAX_JSON) return 0;
    const pare_status status =
        pare_failure_pattern_read(size ? (const char *)data : "", size, &pattern, &err);
    require(!status || (err.status == status && err.message[0]));
    for (int one = 0; !status && one < 2; one++) {
        unsigned n = 0;
        const pare_failure_pattern_options options = {.n = TEXTS, .seed = 1, .one = one};
        const pare_status made = pare_failure_pattern_make(pattern, &options, count, &n, NULL);
        require(made == PARE_E_STATE || (made == PARE_OK && n == TEXTS));
    }
    pare_failure_pattern_free(pattern);
    return 0;
}
