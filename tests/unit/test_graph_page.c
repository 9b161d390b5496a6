/* The page that walks a graph: its data are JSON that no name can end, and its policy admits its
 * own script only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <jansson.h>
#include <cmocka.h>

#include "base/sha512.h"
#include "ui/graph_views.h"
#include "unit/alloc_sweep.h"
#include "unit/support/toy_graph.h"

static pare_buffer page_of(const pare_graph *graph, uint32_t start)
{
    pare_buffer out = {0};
    assert_int_equal(pare_graph_page_write(graph, start, &out, NULL), PARE_OK);
    assert_int_equal(strlen(out.data), out.size);
    return out;
}

/* What stands between `begin` and the first "</" after it, as a browser takes it. */
static const char *inside(const char *page, const char *begin, size_t *size)
{
    const char *start = strstr(page, begin);
    assert_non_null(start);
    start += strlen(begin);
    const char *end = strstr(start, "</");
    assert_non_null(end);
    *size = (size_t)(end - start);
    return start;
}

static const char DATA[] = "<script type=\"application/json\" id=\"graph\">";

static json_t *data_of(const pare_graph *graph)
{
    pare_buffer page = page_of(graph, 0);
    size_t size;
    const char *start = inside(page.data, DATA, &size);
    assert_null(memchr(start, '<', size));
    json_t *object = json_loadb(start, size, 0, NULL);
    assert_non_null(object);
    pare_buffer_done(&page);
    return object;
}

static void test_graph_page__has_the_whole_graph(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    json_t *object = data_of(graph);
    assert_int_equal(json_array_size(json_object_get(object, "types")), 13);
    assert_int_equal(json_array_size(json_object_get(object, "signatures")), 9);
    assert_int_equal(json_array_size(json_object_get(object, "properties")), 12);
    assert_int_equal(json_array_size(json_object_get(object, "parameters")), 4);
    assert_int_equal(json_array_size(json_object_get(object, "returns")), 3);
    json_t *date = json_array_get(json_object_get(object, "types"), TOY_A_DATE);
    char *text = json_dumps(date, JSON_COMPACT);
    assert_string_equal(text, "[7,1,\"new (this.Date)\",\"Date\",0,3]");
    free(text);
    json_decref(object);
    pare_graph_free(graph);
}

static void test_graph_page__names_come_back_as_they_were(void **state)
{
    (void)state;
    pare_graph *graph = hostile_graph();
    json_t *object = data_of(graph), *properties = json_object_get(object, "properties");
    assert_string_equal(json_string_value(json_object_get(object, "engine")),
                        pare_graph_engine(graph));
    for (uint32_t i = 0; i < 2; i++)
        assert_string_equal(json_string_value(json_array_get(json_array_get(properties, i), 1)),
                            pare_graph_edge_at(graph, i)->name);
    json_decref(object);
    pare_graph_free(graph);
}

static void test_graph_page__only_its_own_script_may_run(void **state)
{
    (void)state;
    pare_graph *graph = hostile_graph();
    pare_buffer page = page_of(graph, 1);
    static const char *const begin[] = {"<script>", "<style>"}, *const policy[] = {"script-src '",
                                                                                   "style-src '"};
    for (size_t i = 0; i < 2; i++) {
        char digest[PARE_INTEGRITY_BYTES];
        size_t size;
        const char *text = inside(page.data, begin[i], &size);
        pare_sha512_integrity(text, size, digest);
        const char *said = strstr(page.data, policy[i]);
        assert_non_null(said);
        assert_memory_equal(said + strlen(policy[i]), digest, strlen(digest));
    }
    unsigned n = 0;
    for (const char *at = page.data; (at = strstr(at, "<script")); at++)
        n++;
    assert_int_equal(n, 2);
    assert_null(strstr(page.data, "<!--"));
    assert_null(strstr(page.data, "\xe2\x80\xa8"));
    assert_null(strstr(page.data, "http://"));
    assert_null(strstr(page.data, "https://"));
    pare_buffer_done(&page);
    pare_graph_free(graph);
}

static void test_graph_page__the_same_graph_gives_the_same_bytes(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    pare_buffer first = page_of(graph, 0), second = page_of(graph, 0);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    pare_buffer_done(&first);
    pare_buffer_done(&second);
    pare_graph_free(graph);
}

static pare_status attempt(void *context)
{
    pare_buffer out = {0};
    pare_status status = pare_graph_page_write(context, 0, &out, NULL);
    pare_buffer_done(&out);
    return status;
}

static void test_graph_page__memory_that_runs_out_is_told(void **state)
{
    (void)state;
    pare_graph *graph = hostile_graph();
    sweep_allocations(attempt, graph);
    pare_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_page__has_the_whole_graph),
        cmocka_unit_test(test_graph_page__names_come_back_as_they_were),
        cmocka_unit_test(test_graph_page__only_its_own_script_may_run),
        cmocka_unit_test(test_graph_page__the_same_graph_gives_the_same_bytes),
        cmocka_unit_test(test_graph_page__memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
