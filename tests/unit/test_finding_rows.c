/* Lists of findings: filters, orders, parts of them; one finding and its members. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

/* Five findings: 1 to 4 of jq, 5 of mujs; 4 is merged into 3, 2 is reduced. */
static pare_store *make_store(const char *path)
{
    pare_store *store = new_store(path);
    static const char *const identities[] = {"alpha 100%", "beta_1", "gamma", "delta"};
    static const char *const inputs[] = {"dddd", "ccccc", "b", "aaa"};
    int64_t into = 0;
    for (size_t i = 0; i < 4; i++)
        add_simple(store, identities[i], inputs[i]);
    add_simple(store, "gamma", "bb");
    pare_failure other = failure_of("alpha", "zz");
    other.target = "mujs";
    other.source = "random";
    other.output = "the OUTPUT of mujs";
    add_failure(store, &other);
    assert_int_equal(pare_finding_set_reduced(store, 2, "c", 1, &into, NULL), PARE_OK);
    assert_int_equal(pare_store_merge(store, 4, 3, NULL), PARE_OK);
    return store;
}

static pare_status add_id(void *context, const pare_finding *finding, pare_error *err)
{
    (void)err;
    char *text = context;
    (void)snprintf(text + strlen(text), 8, "%lld ", (long long)finding->id);
    return finding->id == 99 ? PARE_E_INTERRUPTED : PARE_OK;
}

static void assert_list(pare_store *store, const pare_finding_filter *filter, const char *wanted)
{
    char text[64] = "";
    uint64_t n = 0, n_wanted = 0;
    assert_int_equal(pare_store_findings(store, filter, add_id, text, NULL), PARE_OK);
    assert_string_equal(text, wanted);
    if (filter && (filter->limit || filter->offset)) return;
    assert_int_equal(pare_store_count_findings(store, filter, &n, NULL), PARE_OK);
    for (const char *at = wanted; (at = strchr(at, ' ')) != NULL; at++)
        n_wanted++;
    assert_int_equal(n, n_wanted);
}

static void test_finding_rows__a_filter_takes_what_it_names(void **state)
{
    (void)state;
    pare_store *store = make_store("filter.db");
    assert_list(store, NULL, "1 2 3 5 ");
    assert_list(store, &(pare_finding_filter){0}, "1 2 3 5 ");
    assert_list(store, &(pare_finding_filter){.target = "jq"}, "1 2 3 ");
    assert_list(store, &(pare_finding_filter){.target = ""}, "1 2 3 5 ");
    assert_list(store, &(pare_finding_filter){.source = "random"}, "5 ");
    assert_list(store, &(pare_finding_filter){.states = 1u << PARE_FINDING_REDUCED}, "2 ");
    assert_list(store, &(pare_finding_filter){.states = 1u << PARE_FINDING_MERGED}, "4 ");
    assert_list(store, &(pare_finding_filter){.search = "ALPHA"}, "1 5 ");
    assert_list(store, &(pare_finding_filter){.search = "%"}, "1 ");
    assert_list(store, &(pare_finding_filter){.search = "_"}, "2 ");
    assert_list(store, &(pare_finding_filter){.search = "output of"}, "5 ");
    assert_list(store, &(pare_finding_filter){.search = "'; DROP TABLE finding; --"}, "");
    pare_store_close(store);
}

static void test_finding_rows__orders_and_parts_of_a_list(void **state)
{
    (void)state;
    pare_store *store = make_store("order.db");
    assert_list(store, &(pare_finding_filter){.descending = true}, "5 3 2 1 ");
    assert_list(store, &(pare_finding_filter){.order = PARE_BY_SIZE}, "2 3 5 1 ");
    assert_list(store, &(pare_finding_filter){.order = PARE_BY_COUNT, .descending = true},
                "3 5 2 1 ");
    assert_list(store, &(pare_finding_filter){.order = PARE_BY_STATE}, "1 3 5 2 ");
    assert_list(store, &(pare_finding_filter){.order = PARE_BY_TARGET, .descending = true},
                "5 3 2 1 ");
    assert_list(store, &(pare_finding_filter){.offset = 1, .limit = 2}, "2 3 ");
    assert_list(store, &(pare_finding_filter){.offset = 9}, "");
    assert_list(store, &(pare_finding_filter){.offset = UINT64_MAX, .limit = UINT64_MAX}, "");
    pare_store_close(store);
}

static pare_status add_size(void *context, const pare_finding_member *member, pare_error *err)
{
    (void)err;
    char *text = context;
    (void)snprintf(text + strlen(text), 8, "%zu ", member->bytes);
    return PARE_OK;
}

static void test_finding_rows__members_are_those_of_merged_ones_too(void **state)
{
    (void)state;
    pare_store *store = make_store("rows.db");
    char text[64] = "";
    assert_int_equal(pare_store_members(store, 3, add_size, text, NULL), PARE_OK);
    assert_string_equal(text, "1 2 3 ");
    text[0] = '\0';
    assert_int_equal(pare_store_members(store, 4, add_size, text, NULL), PARE_OK);
    assert_string_equal(text, "3 ");
    pare_store_close(store);
}

static void test_finding_rows__names_of_states_are_found_again(void **state)
{
    (void)state;
    for (int i = 0; i < PARE_FINDING_N_STATES; i++) {
        pare_finding_state found = PARE_FINDING_N_STATES;
        assert_true(
            pare_finding_state_find(pare_finding_state_name((pare_finding_state)i), &found));
        assert_int_equal(found, i);
    }
    pare_finding_state found;
    assert_false(pare_finding_state_find("nonsense", &found));
    assert_string_equal(pare_finding_state_name(PARE_FINDING_N_STATES), "?");
}

static void test_finding_rows__a_state_that_there_is_none_of_is_damage(void **state)
{
    (void)state;
    pare_store *store = make_store("state.db");
    assert_int_equal(pare_store_execute(store, "UPDATE finding SET state = 31 WHERE id = 1", NULL),
                     PARE_OK);
    pare_finding finding;
    pare_error err = {0};
    assert_int_equal(pare_store_finding(store, 1, &finding, &err), PARE_E_CORRUPT);
    assert_non_null(strstr(err.message, "finding 1 has no valid state"));
    pare_store_close(store);
}

/* Longer than SQLite's patterns may be: that is no damage of the file. */
static void test_finding_rows__a_text_that_is_too_long_is_not_searched_for(void **state)
{
    (void)state;
    static char text[60001];
    pare_store *store = make_store("long.db");
    pare_error err = {0};
    uint64_t n = 0;
    memset(text, '%', 20000);
    assert_list(store, &(pare_finding_filter){.search = text}, "");
    memset(text, 'a', sizeof text - 1);
    const pare_finding_filter filter = {.search = text};
    assert_int_equal(pare_store_count_findings(store, &filter, &n, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "at most 20000 bytes"));
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finding_rows__a_filter_takes_what_it_names),
        cmocka_unit_test(test_finding_rows__orders_and_parts_of_a_list),
        cmocka_unit_test(test_finding_rows__members_are_those_of_merged_ones_too),
        cmocka_unit_test(test_finding_rows__names_of_states_are_found_again),
        cmocka_unit_test(test_finding_rows__a_state_that_there_is_none_of_is_damage),
        cmocka_unit_test(test_finding_rows__a_text_that_is_too_long_is_not_searched_for),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
