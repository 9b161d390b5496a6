/* Not of pare: a target that fails, for tests/cli/test_beyond_corpus.sh.
 *
 * PARE_SELFTEST says of what it dies: `abort` and `exit`, of a text with the byte that no text of
 * the corpus has; and of nothing else.  Prints each text's size and sum with PARE_SELFTEST_SAY. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *how = getenv("PARE_SELFTEST");
    uint64_t sum = size;
    for (size_t i = 0; i < size; i++)
        sum = 31 * sum + data[i];
    if (getenv("PARE_SELFTEST_SAY")) printf("%zu %llx\n", size, (unsigned long long)sum);
    if (!how || !size || !memchr(data, 0xff, size)) return 0;
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "exit")) exit(0);
    return 0;
}
