/* What others write for us: lines of what an input reaches, AFL's plot_data, libFuzzer's log, and
 * maps of any content. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "campaign/coverage.h"
#include "campaign/follow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAP_BYTES = 61, MOST_BYTES = 4096 };

static void require(bool holds)
{
    if (!holds) abort();
}

/* A map that was taken has no news, and all of what it had is in the union. */
static void take(const unsigned char *map, size_t size)
{
    pare_coverage coverage = {.reached = NULL};
    pare_coverage_news news = {.items = NULL};
    require(!pare_coverage_take(&coverage, map, size, &news, NULL));
    require(pare_coverage_has(map, size, &news));
    require(coverage.edges == news.edges && news.edges <= news.n);
    require(!size || !memcmp(coverage.reached, map, size));
    require(!pare_coverage_take(&coverage, map, size, &news, NULL));
    require(!news.n && !news.edges);
    pare_coverage_news_done(&news);
    pare_coverage_done(&coverage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char lines[MAP_BYTES] = {0};
    if (size > MOST_BYTES) return 0;
    unsigned char *map = pare_alloc(size + 1, 1);
    require(map != NULL);
    if (size) memcpy(map, data, size);
    pare_coverage_read_lines((const char *)data, size, lines, sizeof lines);
    (void)pare_follow_tests_in_plot((const char *)data, size);
    (void)pare_follow_tests_in_log((const char *)data, size);
    pare_coverage_classify(map, size);
    for (size_t i = 0; i < size; i++)
        require(!data[i] == !map[i] && !(map[i] & (map[i] - 1)));
    take(map, size);
    pare_alloc_free(map);
    return 0;
}
