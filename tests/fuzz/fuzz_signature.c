/* Any bytes as a program's output, and as a signature's text: what is recognised can be
 * printed, read back, printed again as the same text, and matches itself. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/mask.h"
#include "oracle/recognize.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const pare_signature *signature)
{
    pare_buffer first = {0}, second = {0};
    pare_signature again = {0};
    if (pare_signature_print(signature, &first, NULL)) abort();
    if (pare_signature_parse(first.data, &again, NULL)) abort();
    if (pare_signature_print(&again, &second, NULL)) abort();
    if (strcmp(first.data, second.data) != 0) abort();
    if (!pare_signature_matches(&again, signature)) abort();
    pare_buffer_done(&first);
    pare_buffer_done(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_markers markers;
    pare_markers_init(&markers);
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    pare_observation seen = {.ended = PARE_ENDED_EXIT, .code = 1, .err = {text, size}};
    pare_signature signature = pare_recognize(&markers, &seen);
    check(&signature);
    if (!pare_signature_parse(text, &signature, NULL)) check(&signature);
    free(text);
    return 0;
}
