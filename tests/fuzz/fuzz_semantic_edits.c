/* Any bytes as an answer about types of any text: what is read of it are patches that lie in the part
 * of the text that was asked about, ascend, and can be printed. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "reduce/semantic/semantic_edits.h"
#include "text/candidate.h"
#include "text/patch.h"
#include "text/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const pare_patches *patches, pare_semantic_range range)
{
    for (uint32_t i = 0; i < patches->n; i++) {
        const pare_patch *patch = &patches->patches[i];
        const pare_change *changes = pare_patch_changes(patches, i);
        pare_candidate candidate = {0};
        if (!patch->n_changes || (patch->parent != PARE_NO_PATCH && patch->parent >= i)) abort();
        for (uint32_t k = 0; k < patch->n_changes; k++)
            if (changes[k].from > changes[k].to || changes[k].from < range.begin ||
                changes[k].to > range.end || (k && changes[k].from < changes[k - 1].to))
                abort();
        if (pare_patches_candidate(patches, changes, patch->n_changes, &candidate, NULL)) abort();
        pare_candidate_done(&candidate);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { TEXT_BYTES = 512 };
    char bytes[TEXT_BYTES];
    pare_text *text = NULL;
    pare_patches *patches = NULL;
    const pare_semantic_range range = {.begin = 3, .end = TEXT_BYTES - 5};
    for (size_t i = 0; i < TEXT_BYTES; i++)
        bytes[i] = "int a;\n {}"[i % 10];
    if (pare_text_copy(bytes, TEXT_BYTES, &text, NULL)) abort();
    if (pare_patches_new(text, &patches, NULL)) abort();
    if (!pare_semantic_edits_read((const char *)data, size, range, patches, NULL))
        check(patches, range);
    pare_patches_unref(patches);
    pare_text_unref(text);
    return 0;
}
