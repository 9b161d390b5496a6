/* Any bytes as a file of choices: what is read is written, and read again as the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "reduce/choice/choices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t *list = NULL, *again = NULL;
    size_t n = 0, n_again = 0;
    pare_buffer file = {0};
    if (pare_choices_list_read("file", data, size, &list, &n, NULL)) return 0;
    if (pare_choices_list_write(list, n, &file, NULL)) abort();
    if (pare_choices_list_read("file", file.data, file.size, &again, &n_again, NULL)) abort();
    if (n != n_again || (n && memcmp(list, again, n * sizeof *list) != 0)) abort();
    pare_alloc_free(list);
    pare_alloc_free(again);
    pare_buffer_done(&file);
    return 0;
}
