/* Fuzz target: every lexical pass on any bytes, in a file and between others.
 *
 * The lexemes must be as described, and every patch and part must stay in the file and keep
 * to what its pass claims.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/passes/pass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 600 }; /* bytes; each patch is looked at byte by byte */

static void require(bool holds, const pare_pass *pass, uint32_t patch)
{
    if (holds) return;
    fprintf(stderr, "fuzz_lexical: patch %u of %s\n", patch, pass ? pass->name : "no pass");
    abort();
}

static void check_pass(const pare_pass *pass, const pare_pass_view *view)
{
    pare_patches *patches = NULL;
    bool kept = false;
    uint32_t patch = 0;
    require(pare_pass_offer(pass, view, &patches, NULL) == PARE_OK, pass, 0);
    require(pare_pass_check(pass, view, patches, &kept, &patch, NULL) == PARE_OK, pass, patch);
    require(kept, pass, patch);
    pare_patches_unref(patches);
}

static void check_view(const pare_text *text, size_t begin, size_t end)
{
    pare_pass_view given = {.text = text, .begin = begin, .end = end}, view;
    size_t n;
    const pare_pass *const *passes = pare_pass_table(&n);
    require(pare_pass_view_open(&given, &view, NULL) == PARE_OK, NULL, 0);
    require(pare_lexemes_check(&view.lexemes, view.bytes, begin, end), NULL, 0);
    for (size_t i = 0; i < n; i++)
        check_pass(passes[i], &view);
    pare_pass_view_close(&view);
}

/* The bytes between `before` and `behind`, which are not of the file. */
static void check_bytes(const uint8_t *data, size_t size, const char *before, const char *behind)
{
    pare_buffer bytes = {0};
    pare_text *text = NULL;
    size_t begin = strlen(before);
    require(pare_buffer_text(&bytes, before, NULL) == PARE_OK, NULL, 0);
    require(pare_buffer_add(&bytes, data, size, NULL) == PARE_OK, NULL, 0);
    require(pare_buffer_text(&bytes, behind, NULL) == PARE_OK, NULL, 0);
    require(pare_text_take(&bytes, &text, NULL) == PARE_OK, NULL, 0);
    check_view(text, begin, begin + size);
    pare_text_unref(text);
    pare_buffer_done(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > LARGEST) size = LARGEST;
    check_bytes(data, size, "", "");
    check_bytes(data, size, "\x01 a(\n", "\n)a \x01");
    return 0;
}
