/* The corpus: each input once for a target; each bit of the map is new once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/corpus_table.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

static pare_status add_up(void *context, const pare_corpus_entry *entry, pare_error *err)
{
    (void)err;
    char *text = context;
    (void)snprintf(text + strlen(text), 32, "%zu:%d ", entry->bytes, entry->is_reduced);
    return PARE_OK;
}

static void test_corpus_table__an_input_is_there_once_for_a_target(void **state)
{
    (void)state;
    pare_store *store = new_store("corpus.db");
    bool is_new = false;
    char text[128] = "";
    assert_int_equal(pare_corpus_table_add(
                         store, "t", &(pare_corpus_input){"s", "abc", 3, 5, false}, &is_new, NULL),
                     PARE_OK);
    assert_true(is_new);
    assert_int_equal(pare_corpus_table_add(
                         store, "t", &(pare_corpus_input){"s", "abc", 3, 5, false}, &is_new, NULL),
                     PARE_OK);
    assert_false(is_new);
    assert_int_equal(pare_corpus_table_add(
                         store, "u", &(pare_corpus_input){"s", "abc", 3, 5, false}, &is_new, NULL),
                     PARE_OK);
    assert_true(is_new);
    assert_int_equal(pare_corpus_table_add(store, "t", &(pare_corpus_input){"s", "ab", 2, 5, true},
                                           &is_new, NULL),
                     PARE_OK);
    assert_int_equal(pare_corpus_table_each(store, "t", 0, add_up, text, NULL), PARE_OK);
    assert_string_equal(text, "3:0 2:1 ");
    text[0] = '\0';
    assert_int_equal(pare_corpus_table_each(store, "t", 1, add_up, text, NULL), PARE_OK);
    assert_string_equal(text, "2:1 ");
    assert_int_equal(number_of(store, "SELECT count(*) FROM content"), 2);
    pare_store_close(store);
}

static void test_corpus_table__each_bit_is_new_once(void **state)
{
    (void)state;
    pare_store *store = new_store("map.db"), *other = open_store("map.db");
    unsigned char mine[] = {0x03, 0x00, 0x80}, theirs[] = {0x06, 0x01, 0x00};
    uint64_t n = 0, n_edges = 0;
    assert_int_equal(pare_corpus_table_merge_map(store, "t", mine, 3, &n, &n_edges, NULL), PARE_OK);
    assert_int_equal(n, 3);
    assert_int_equal(n_edges, 2);
    assert_int_equal(pare_corpus_table_merge_map(other, "t", theirs, 3, &n, &n_edges, NULL),
                     PARE_OK);
    assert_int_equal(n, 2);
    assert_int_equal(n_edges, 1);
    assert_memory_equal(theirs, "\x07\x01\x80", 3);
    assert_int_equal(pare_corpus_table_merge_map(store, "t", mine, 3, &n, &n_edges, NULL), PARE_OK);
    assert_int_equal(n, 0);
    assert_memory_equal(mine, "\x07\x01\x80", 3);
    unsigned char rebuilt[] = {0x01, 0x00, 0x00, 0x00};
    assert_int_equal(pare_corpus_table_merge_map(store, "t", rebuilt, 4, &n, &n_edges, NULL),
                     PARE_OK);
    assert_int_equal(n, 1);
    assert_memory_equal(rebuilt, "\x01\x00\x00\x00", 4);
    pare_store_close(store);
    pare_store_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus_table__an_input_is_there_once_for_a_target),
        cmocka_unit_test(test_corpus_table__each_bit_is_new_once),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
