/* Reads any bytes as a grammar.json and matches a few children against its first types. */
#include <stddef.h>
#include <stdint.h>

#include "grammar/tree_sitter_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t children[] = {0, 1, 2, PARE_CONTENT_SKIPPED, PARE_CONTENT_UNKNOWN, 1, 0};
    pare_content *content = NULL;
    pare_content_matcher *matcher = NULL;
    if (pare_content_read((const char *)data, size, &content, NULL) != PARE_OK) return 0;
    if (pare_content_matcher_new(content, &matcher, NULL) == PARE_OK) {
        for (uint32_t symbol = 0; symbol < 4; symbol++) {
            for (size_t n = 0; n <= sizeof children / sizeof *children; n++) {
                pare_legality is = PARE_ILLEGAL;
                (void)!pare_content_match(matcher, symbol, children, n, &is, NULL);
            }
        }
    }
    pare_content_matcher_free(matcher);
    pare_content_free(content);
    return 0;
}
