/* The form of a history: what is cut or changed is damage, and never another text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "os/entries.h"
#include "unit/support/history_run.h"

static void test_history_file__that_is_cut_anywhere_is_read_as_far_as_it_holds(void **state)
{
    (void)state;
    pare_buffer whole = {0};
    size_t last = 0;
    write_history();
    assert_int_equal(pare_file_read("h.pare/history", &whole, NULL), PARE_OK);
    for (size_t size = 0; size <= whole.size; size++) {
        assert_int_equal(pare_file_write_bytes("h.pare/history", whole.data, size, NULL), PARE_OK);
        pare_history *history = NULL;
        const pare_status status = pare_history_open("h", &history, NULL);
        if (!last && status) {
            assert_int_equal(status, PARE_E_CORRUPT);
            continue;
        }
        assert_int_equal(status, PARE_OK);
        const size_t n = pare_history_steps(history);
        assert_true(n == last || n == last + 1);
        last = n;
        assert_step_is(history, n - 1, BESTS[n - 1]);
        /* Between two records nothing shows that another one was there. */
        if (size == whole.size) assert_null(pare_history_damage(history));
        pare_history_close(history);
    }
    assert_int_equal(last, N_BESTS);
    pare_history *history = NULL;
    assert_int_equal(pare_history_open("h", &history, NULL), PARE_OK);
    assert_string_equal(pare_history_note(history), history_note);
    pare_history_close(history);
    pare_buffer_done(&whole);
    remove_history();
}

static void test_history_file__with_any_byte_changed_never_gives_a_wrong_text(void **state)
{
    (void)state;
    pare_buffer whole = {0};
    write_history();
    assert_int_equal(pare_file_read("h.pare/history", &whole, NULL), PARE_OK);
    for (size_t at = 0; at < whole.size; at++) {
        whole.data[at] ^= 0x21;
        assert_int_equal(pare_file_write_bytes("h.pare/history", whole.data, whole.size, NULL),
                         PARE_OK);
        whole.data[at] ^= 0x21;
        pare_history *history = NULL;
        if (pare_history_open("h", &history, NULL)) continue;
        assert_non_null(pare_history_damage(history));
        for (size_t n = 0; n < pare_history_steps(history); n++)
            assert_step_is(history, n, BESTS[n]);
        pare_history_close(history);
    }
    pare_buffer_done(&whole);
    remove_history();
}

/* A file that somebody has made writes nothing outside of the folder that is restored. */
static void test_history_file__with_names_that_lead_out_of_the_folder_is_damage(void **state)
{
    (void)state;
    static const pare_entry wrong[][2] = {
        {{.path = "../x", .kind = PARE_ENTRY_FILE}},
        {{.path = "/x", .kind = PARE_ENTRY_FILE}},
        {{.path = "a//x", .kind = PARE_ENTRY_FILE}},
        {{.path = "a/.", .kind = PARE_ENTRY_FILE}},
        {{.path = "", .kind = PARE_ENTRY_FILE}},
        {{.path = "a/b", .kind = PARE_ENTRY_FILE}},
        {{.path = "a", .kind = PARE_ENTRY_LINK, .target = ".."},
         {.path = "a/x", .kind = PARE_ENTRY_FILE}},
        {{.path = "b", .kind = PARE_ENTRY_FILE}, {.path = "a", .kind = PARE_ENTRY_FILE}},
        {{.path = "a", .kind = PARE_ENTRY_FILE}, {.path = "a", .kind = PARE_ENTRY_FILE}},
        {{.target = "w", .path = "w", .kind = PARE_ENTRY_ARGUMENT},
         {.path = "a", .kind = PARE_ENTRY_FILE}},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        pare_entries entries = {.n = 0};
        const size_t n = wrong[k][1].path ? 2 : 1;
        assert_int_equal(pare_entries_recall(&entries, wrong[k], n, NULL), PARE_E_CORRUPT);
        assert_int_equal(entries.n, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history_file__that_is_cut_anywhere_is_read_as_far_as_it_holds),
        cmocka_unit_test(test_history_file__with_any_byte_changed_never_gives_a_wrong_text),
        cmocka_unit_test(test_history_file__with_names_that_lead_out_of_the_folder_is_damage),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
