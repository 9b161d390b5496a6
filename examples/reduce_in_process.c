/* Reducing inside one's own program: bytes with a predicate, a watcher and
 * cancellation; then a list of one's own.
 *
 *     cc reduce_in_process.c $(pkg-config --cflags --libs pare)
 *
 * Exits with 1 when a result is not what it has to be. */
#include <stdio.h>
#include <string.h>

#include <pare/pare.h>

/* The program under test: it fails when "<b>" comes before "</i>". */
static pare_outcome mixes_tags(void *context, const void *bytes, size_t size)
{
    (void)context;
    const char *open = memmem(bytes, size, "<b>", 3);
    if (!open) return PARE_PASS;
    size_t rest = size - (size_t)(open - (const char *)bytes);
    return memmem(open, rest, "</i>", 4) ? PARE_FAIL : PARE_PASS;
}

/* Counts successes, and asks to stop after `most` of them. */
struct watch {
    unsigned successes, most; /* most 0: never */
    pare_stop *stop;
};

static void on_event(void *context, const pare_event *event)
{
    struct watch *watch = context;
    if (event->kind != PARE_EVENT_TEST || !event->accepted || event->n == 0) return;
    printf("  test %llu: %zu bytes\n", (unsigned long long)event->n, event->best_bytes);
    if (++watch->successes == watch->most) pare_stop_request(watch->stop);
}

static int failed(const char *what, const pare_error *err)
{
    fprintf(stderr, "%s: %s\n", what, *err->message ? err->message : "not as expected");
    return 1;
}

static const char page[] = "<html>\n<p>one <i>two</i></p>\n<p>three <b>four</p>\n"
                           "<p>five</b> <i>six</i></p>\n<p>seven</p>\n</html>\n";

static int reduce_bytes(void)
{
    struct watch watch = {0};
    pare_reduce_options options = {.input.bytes = page,
                                   .input.size_bytes = strlen(page),
                                   .test.predicate = mixes_tags,
                                   .events.watcher = on_event,
                                   .events.context = &watch};
    pare_result result = {0};
    pare_error err = {0};
    puts("bytes:");
    if (pare_reduce(&options, &result, &err) != PARE_OK) return failed("bytes", &err);
    int wrong = result.size_bytes != 7 || memcmp(result.bytes, "<b></i>", 7) != 0 ||
                result.stats.stopped != PARE_STOPPED_MINIMAL || watch.successes == 0;
    printf("  result: %.*s\n", (int)result.size_bytes, (const char *)result.bytes);
    pare_result_done(&result);
    return wrong ? failed("bytes", &err) : 0;
}

/* The same, stopped by the watcher after its first success: what was found so
 * far still fails. */
static int stop_early(void)
{
    struct watch watch = {.most = 1};
    pare_result result = {0};
    pare_error err = {0};
    if (pare_stop_new(&watch.stop, &err) != PARE_OK) return failed("stop", &err);
    pare_reduce_options options = {.input.bytes = page,
                                   .input.size_bytes = strlen(page),
                                   .test.predicate = mixes_tags,
                                   .events.watcher = on_event,
                                   .events.context = &watch,
                                   .events.stop = watch.stop};
    puts("stopped early:");
    pare_status status = pare_reduce(&options, &result, &err);
    int wrong = status != PARE_OK || result.stats.stopped != PARE_STOPPED_INTERRUPTED ||
                result.size_bytes >= strlen(page) ||
                mixes_tags(NULL, result.bytes, result.size_bytes) != PARE_FAIL;
    pare_result_done(&result);
    pare_stop_free(watch.stop);
    return wrong ? failed("stop", &err) : 0;
}

/* A list of one's own: orders, of which two together break the till. */
static const int orders[] = {12, 7, 99, 3, 41, 58, 2, 16, 1, 77};

static pare_outcome breaks_till(void *context, const uint32_t *indices, size_t n)
{
    (void)context;
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += orders[indices[i]] > 60 ? orders[indices[i]] : 0;
    return sum == 99 + 77 ? PARE_FAIL : PARE_PASS;
}

static int reduce_list(void)
{
    pare_reduce_options options = {.algorithms = "ddmin"};
    uint32_t *kept = NULL;
    size_t n_kept = 0;
    pare_error err = {0};
    puts("list:");
    if (pare_reduce_list(sizeof orders / sizeof *orders, breaks_till, NULL, &options, &kept,
                         &n_kept, &err) != PARE_OK)
        return failed("list", &err);
    int wrong = n_kept != 2 || kept[0] != 2 || kept[1] != 9;
    for (size_t i = 0; i < n_kept; i++)
        printf("  order %u: %d\n", kept[i], orders[kept[i]]);
    pare_list_free(kept);
    return wrong ? failed("list", &err) : 0;
}

int main(void)
{
    int wrong = reduce_bytes();
    wrong |= stop_early();
    wrong |= reduce_list();
    return wrong;
}
