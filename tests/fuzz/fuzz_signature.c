/* Any bytes as a program's output, and as a signature's text: what is recognised can be
 * printed, read back, printed again as the same text, and matches itself. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/diagnostic.h"
#include "run/diagnostic_guess.h"
#include "run/generalize.h"
#include "run/printed.h"
#include "run/recognize.h"

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

/* A pattern is a text of the same room, and the text is like it. */
static void generalize(const char *report, const char *input, size_t size)
{
    static const pare_keep_level levels[] = {PARE_KEEP_MESSAGE, PARE_KEEP_KIND, PARE_KEEP_EXACT,
                                             PARE_KEEP_LINE};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        char pattern[PARE_DIAGNOSTIC_BYTES];
        pare_generalize(report, levels[k], input, size, pattern);
        if (strlen(pattern) >= sizeof pattern) abort();
        if (!pare_signature_like(pattern, report)) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_recognizer markers;
    pare_recognizer_init(&markers);
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    pare_observation seen = {.ended = PARE_ENDED_EXIT, .code = 1, .err = {text, size}};
    static pare_diagnostics reported;
    reported.n = 0;
    pare_signature signature = pare_recognize(&markers, &seen, &reported);
    pare_diagnostic_guess(&reported, &seen);
    check(&signature);
    for (size_t k = 0; k < reported.n; k++)
        generalize(reported.item[k].text, text, size);
    if (!pare_signature_parse(text, &signature, NULL)) check(&signature);
    free(text);
    return 0;
}
