/* The file of a prototype graph: round trip, canonical bytes, and damage at every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/support/graph_text.h"

static pare_buffer text_of(const pare_graph *graph)
{
    pare_buffer text = {0};
    assert_int_equal(pare_graph_file_text(graph, &text, NULL), PARE_OK);
    return text;
}

static pare_status parse(const char *text, size_t size, pare_graph **out, pare_error *err)
{
    *out = NULL;
    return pare_graph_file_parse("g.json", text, size, out, err);
}

static void test_graph_file__reads_back_to_the_same_bytes(void **state)
{
    (void)state;
    pare_graph *graph = date_graph(), *read = NULL;
    pare_buffer text = text_of(graph);
    assert_int_equal(parse(text.data, text.size, &read, NULL), PARE_OK);
    pare_buffer again = text_of(read);
    assert_string_equal(again.data, text.data);
    assert_string_equal(pare_graph_engine(read), "toy");
    assert_int_equal(pare_graph_signature_at(read, 0)->function, GRAPH_DATE);
    assert_true(pare_graph_signature_at(read, 0)->is_constructor);
    assert_int_equal(pare_graph_type_at(read, GRAPH_A_DATE)->prototype, GRAPH_DATE_PROTOTYPE);
    pare_buffer_done(&again);
    pare_buffer_done(&text);
    pare_graph_free(read);
    pare_graph_free(graph);
}

static void test_graph_file__hostile_names_come_back_as_they_were(void **state)
{
    (void)state;
    static const char name[] = "\"}],\n\\u0000\x01</script>\xe2\x80\xa8";
    pare_graph_builder *builder = date_builder();
    add_property(builder, GRAPH_GLOBAL, name, GRAPH_NUMBER);
    pare_graph *graph = finish_graph(builder), *read = NULL;
    pare_buffer text = text_of(graph);
    assert_int_equal(parse(text.data, text.size, &read, NULL), PARE_OK);
    uint32_t n = 0;
    const uint32_t *edges = pare_graph_edges_from(read, PARE_GRAPH_PROPERTY, GRAPH_GLOBAL, &n);
    assert_int_equal(n, 2);
    assert_string_equal(pare_graph_edge_at(read, edges[0])->name, name);
    pare_buffer_done(&text);
    pare_graph_free(read);
    pare_graph_free(graph);
}

static void test_graph_file__weights_come_back_and_1_is_not_written(void **state)
{
    (void)state;
    pare_graph_builder *builder = date_builder();
    pare_graph_edge property = {.kind = PARE_GRAPH_PROPERTY,
                                .from = GRAPH_GLOBAL,
                                .to = GRAPH_DATE,
                                .name = "Date",
                                .values = "",
                                .weight = 7};
    pare_graph_edge call = {.kind = PARE_GRAPH_CALL,
                            .from = GRAPH_SET_TIME,
                            .to = 1,
                            .name = "",
                            .values = "",
                            .weight = PARE_GRAPH_MAX_WEIGHT};
    assert_int_equal(pare_graph_builder_edge(builder, &property, NULL), PARE_OK);
    assert_int_equal(pare_graph_builder_edge(builder, &call, NULL), PARE_OK);
    pare_graph *plain = date_graph(), *graph = finish_graph(builder), *read = NULL, *copy = NULL;
    pare_buffer without = text_of(plain), text = text_of(graph);
    assert_null(strstr(without.data, "weight"));
    assert_int_equal(pare_graph_n_edges(graph), pare_graph_n_edges(plain));
    assert_non_null(strstr(text.data, "\"name\":\"Date\",\"weight\":7}"));
    assert_non_null(strstr(text.data, "\"weight\":1000}"));
    assert_int_equal(parse(text.data, text.size, &read, NULL), PARE_OK);
    pare_buffer again = text_of(read);
    assert_string_equal(again.data, text.data);
    /* A copy keeps them, and one that is to get others does not. */
    builder = new_builder();
    assert_int_equal(pare_graph_builder_copy(builder, read, NULL), PARE_OK);
    copy = finish_graph(builder);
    pare_buffer copied = text_of(copy);
    assert_string_equal(copied.data, text.data);
    pare_graph_free(copy);
    pare_buffer_done(&copied);
    builder = new_builder();
    assert_int_equal(pare_graph_builder_copy_unweighed(builder, read, NULL), PARE_OK);
    copy = finish_graph(builder);
    copied = text_of(copy);
    assert_string_equal(copied.data, without.data);
    pare_graph_free(copy);
    pare_buffer_done(&copied);
    pare_buffer_done(&again);
    pare_buffer_done(&text);
    pare_buffer_done(&without);
    pare_graph_free(read);
    pare_graph_free(graph);
    pare_graph_free(plain);
}

/* Reads `text` with `from` replaced by `to`; it must be refused with `word` in the sentence. */
static void expect_damage(const char *from, const char *to, const char *word)
{
    pare_graph *graph = date_graph(), *read = NULL;
    pare_buffer text = text_of(graph), changed = {0};
    pare_error err = {0};
    char *at = strstr(text.data, from);
    assert_non_null(at);
    assert_int_equal(pare_buffer_add(&changed, text.data, (size_t)(at - text.data), NULL), 0);
    assert_int_equal(pare_buffer_text(&changed, to, NULL), PARE_OK);
    assert_int_equal(pare_buffer_text(&changed, at + strlen(from), NULL), PARE_OK);
    assert_int_equal(parse(changed.data, changed.size, &read, &err), PARE_E_SYNTAX);
    assert_null(read);
    if (!strstr(err.message, word)) fail_msg("%s: %s", word, err.message);
    pare_buffer_done(&changed);
    pare_buffer_done(&text);
    pare_graph_free(graph);
}

static void test_graph_file__says_which_field_is_wrong(void **state)
{
    (void)state;
    expect_damage("pare-graph", "other", "is not a graph file: format");
    expect_damage("\"version\":1", "\"version\":2", "version is not 1");
    expect_damage("\"global\":0", "\"global\":70", "no global object");
    expect_damage("\"global\":0", "\"global\":-1", "global is not a number");
    expect_damage("\"kind\":\"object\"", "\"kind\":\"thing\"", "types[0].kind is not known");
    expect_damage("{\"id\":1", "{\"id\":3", "types[1].id");
    expect_damage("\"position\":0", "\"position\":1", "parameter");
    expect_damage("\"values\":[", "\"values\":[1,", "edges[");
    expect_damage("\"name\":\"Date\"", "\"name\":7", "].name is not a text");
    expect_damage("\"name\":\"Date\"", "\"name\":\"D\\u0000\"", "g.json:");
    expect_damage("\"types\"", "\"kinds\"", "is not a list");
    expect_damage("{\"id\":0,\"parameters\":7}", "{\"id\":0}", "signatures[0].parameters");
    expect_damage("\"name\":\"Date\"", "\"name\":\"Date\",\"weight\":0",
                  "].weight is not a number");
    expect_damage("\"name\":\"Date\"", "\"name\":\"Date\",\"weight\":1001", "].weight is not");
    expect_damage("\"name\":\"Date\"", "\"name\":\"Date\",\"weight\":1.5", "].weight is not");
    expect_damage("{\"kind\":\"call\"", "{\"kind\":\"return\"", "signatures[1].id belongs to no");
}

/* Whatever byte is lost or changed, the file is read or refused with one sentence. */
static void test_graph_file__takes_damage_at_every_byte(void **state)
{
    (void)state;
    pare_graph *graph = date_graph();
    pare_buffer text = text_of(graph);
    size_t n_refused = 0;
    for (size_t i = 0; i < text.size; i++) {
        static const char damage[] = {'\0', '"', '9', '{', (char)0xff};
        char byte = text.data[i];
        for (size_t k = 0; k <= sizeof damage; k++) {
            pare_error err = {0};
            pare_graph *read = NULL;
            bool cut = k == sizeof damage;
            if (!cut) text.data[i] = damage[k];
            pare_status status = parse(text.data, cut ? i : text.size, &read, &err);
            if (!status) assert_true(pare_graph_check(read));
            if (status) assert_true(err.message[0] && !strchr(err.message, '\n'));
            n_refused += status != PARE_OK;
            pare_graph_free(read);
        }
        text.data[i] = byte;
    }
    assert_true(n_refused > text.size * 3);
    pare_buffer_done(&text);
    pare_graph_free(graph);
}

static void test_graph_file__is_written_and_read_as_a_whole(void **state)
{
    (void)state;
    char path[] = "/tmp/pare-graph-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    pare_graph *graph = date_graph(), *read = NULL;
    assert_int_equal(pare_graph_write(graph, path, NULL), PARE_OK);
    assert_int_equal(pare_graph_read(path, &read, NULL), PARE_OK);
    assert_int_equal(pare_graph_n_types(read), pare_graph_n_types(graph));
    (void)unlink(path);
    pare_graph_free(read);
    pare_graph_free(graph);
    assert_int_equal(pare_graph_read("/nonexistent/g.json", &read, NULL), PARE_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_file__reads_back_to_the_same_bytes),
        cmocka_unit_test(test_graph_file__hostile_names_come_back_as_they_were),
        cmocka_unit_test(test_graph_file__weights_come_back_and_1_is_not_written),
        cmocka_unit_test(test_graph_file__says_which_field_is_wrong),
        cmocka_unit_test(test_graph_file__takes_damage_at_every_byte),
        cmocka_unit_test(test_graph_file__is_written_and_read_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
