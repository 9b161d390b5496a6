/* What is not wanted any more ends after a bounded number of looks, and looks come often enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/interrupt.h"
#include "os/stop.h"
#include "reduce/passes/pass.h"
#include "reduce/structure/structure.h"
#include "reduce/syntax/reader.h"
#include "reduce/table/table.h"
#include "text/pattern.h"
#include "text/split/bracket.h"
#include "text/split/split.h"
#include "text/text.h"
#include "unit/support/language.h"

static void test_interrupt__a_set_flag_is_found_by_its_thread(void **state)
{
    (void)state;
    atomic_bool first = false, second = false;
    const pare_interrupt none = pare_interrupt_watch((pare_interrupt){{&first, &second}});
    assert_null(none.flags[0]);
    assert_false(pare_interrupt_asked());
    assert_int_equal(pare_interrupt_look(NULL), PARE_OK);
    atomic_store(&second, true);
    assert_true(pare_interrupt_asked());
    assert_int_equal(pare_interrupt_look(NULL), PARE_E_INTERRUPTED);
    assert_ptr_equal(pare_interrupt_watch(none).flags[1], &second);
    assert_false(pare_interrupt_asked());
}

static void test_interrupt__a_scan_looks_each_step(void **state)
{
    (void)state;
    atomic_bool flag = true;
    const pare_interrupt none = pare_interrupt_watch((pare_interrupt){{&flag}});
    size_t next = 0;
    assert_true(pare_interrupt_asked_past(0, &next));
    assert_false(pare_interrupt_asked_past(PARE_INTERRUPT_STEP - 1, &next));
    assert_true(pare_interrupt_asked_past(PARE_INTERRUPT_STEP + 5, &next));
    assert_true(pare_interrupt_asked_at(0));
    assert_false(pare_interrupt_asked_at(1));
    (void)pare_interrupt_watch(none);
}

#ifdef PARE_FAULT_INJECTION

enum {
    TEXT_BYTES = 1 << 17,
    INSTANTS = 6,    /* at which a loop or a run is interrupted */
    MOST_LATER = 24, /* looks after the first that finds the work unwanted */
    MOST_BYTES_A_LOOK = 4 * PARE_INTERRUPT_STEP
};

/* ---- loops over one line ---------------------------------------------------------------- */

static pare_status split(const char *name, const pare_text *text)
{
    pare_bounds bounds = {0};
    pare_status status =
        pare_splitter_find(name)->split(pare_text_bytes(text), pare_text_size(text), &bounds, NULL);
    if (status) assert_null(bounds.at);
    pare_split_bounds_done(&bounds);
    return status;
}

static pare_status split_token(const pare_text *text)
{
    return split("token", text);
}

static pare_status split_char(const pare_text *text)
{
    return split("char", text);
}

static pare_status copy(const pare_text *text)
{
    pare_text *made = NULL;
    pare_status status = pare_text_copy(pare_text_bytes(text), pare_text_size(text), &made, NULL);
    if (status) assert_null(made);
    pare_text_unref(made);
    return status;
}

static pare_status pair_brackets(const pare_text *text)
{
    pare_bracket_tree tree = {0};
    pare_slices slices = {0};
    pare_status status =
        pare_bracket_build(pare_text_bytes(text), pare_text_size(text), &tree, NULL);
    if (!status) status = pare_bracket_level(&tree, 0, &slices, NULL);
    pare_bracket_slices_done(&slices);
    pare_bracket_done(&tree);
    return status;
}

static pare_status make_lexemes(const pare_text *text)
{
    pare_lexemes lexemes = {0};
    pare_status status =
        pare_lexemes_make(pare_text_bytes(text), 0, pare_text_size(text), NULL, &lexemes, NULL);
    if (status) assert_null(lexemes.at);
    pare_lexemes_done(&lexemes);
    return status;
}

static pare_status find_structure(const pare_text *text)
{
    pare_structure *structure = NULL;
    pare_status status =
        pare_structure_new(text, (pare_stretch){0, pare_text_size(text)}, &structure, NULL);
    if (status) assert_null(structure);
    pare_structure_unref(structure);
    return status;
}

static pare_status detect_table(const pare_text *text)
{
    pare_table_dialect dialect;
    return pare_table_detect(text, 0, pare_text_size(text), &dialect, NULL);
}

static pare_status offer_comments(const pare_text *text)
{
    const pare_pass_view given = {.text = text, .end = pare_text_size(text)};
    pare_pass_view view = {.text = NULL};
    pare_patches *patches = NULL;
    pare_status status = pare_pass_view_open(&given, &view, NULL);
    if (!status) status = pare_pass_offer(pare_pass_find("comments"), &view, &patches, NULL);
    if (status) assert_null(patches);
    pare_patches_unref(patches);
    pare_pass_view_close(&view);
    return status;
}

static pare_reader *reader;

static pare_status parse(const pare_text *text)
{
    pare_parse_tree tree = {0};
    pare_status status =
        pare_reader_parse(reader, (const char *)pare_text_bytes(text), pare_text_size(text),
                          PARE_SEPARATORS_BEFORE, &tree, NULL);
    if (!status) pare_parse_tree_done(&tree);
    (void)pare_reader_forget_texts(reader);
    return status;
}

/* ---- sweeps ----------------------------------------------------------------------------- */

/* `unit` again and again, in one line. */
static pare_text *text_of(const char *unit)
{
    pare_buffer buffer = {0};
    pare_text *text = NULL;
    while (buffer.size < TEXT_BYTES)
        assert_int_equal(pare_buffer_text(&buffer, unit, NULL), PARE_OK);
    assert_int_equal(pare_text_take(&buffer, &text, NULL), PARE_OK);
    return text;
}

/* Interrupts the loop at its first look, at its last, and at some between. */
static void interrupt_everywhere(pare_status (*loop)(const pare_text *text), const char *unit)
{
    atomic_bool never = false;
    pare_text *text = text_of(unit);
    const pare_interrupt none = pare_interrupt_watch((pare_interrupt){{&never}});
    pare_interrupt_after(SIZE_MAX);
    assert_int_equal(loop(text), PARE_OK);
    const size_t n = pare_interrupt_looks();
    assert_true(n >= TEXT_BYTES / MOST_BYTES_A_LOOK);
    for (size_t k = 0; k <= INSTANTS; k++) {
        const size_t at = k * (n - 1) / INSTANTS;
        const long live = pare_alloc_live();
        pare_interrupt_after(at);
        assert_int_equal(loop(text), PARE_E_INTERRUPTED);
        assert_true(pare_interrupt_looks() <= at + MOST_LATER);
        assert_int_equal(pare_alloc_live(), live);
    }
    pare_interrupt_after(SIZE_MAX);
    (void)pare_interrupt_watch(none);
    pare_text_unref(text);
}

static void test_interrupt__loops_over_one_line_end_at_any_look(void **state)
{
    (void)state;
    static const char *const units[] = {"a1 (b, [c]) + \"d\"; ", "aaaaaaaa", "([{<'\"", "a,b,12,"};
    static pare_status (*const loops[])(const pare_text *text) = {
        split_token,  split_char,     copy,         pair_brackets,
        make_lexemes, find_structure, detect_table, offer_comments};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (size_t k = 0; k < sizeof loops / sizeof *loops; k++)
            interrupt_everywhere(loops[k], units[u]);
}

/* A table that is known is read again for each text of a run. */
static pare_status read_table(const pare_text *text)
{
    const pare_table_dialect dialect = {
        .format = PARE_TABLE_DELIMITED, .delimiter = ',', .n_columns = 2};
    pare_table *table = NULL;
    pare_status status = pare_table_read(text, 0, pare_text_size(text), &dialect, &table, NULL);
    if (status) assert_null(table);
    pare_table_unref(table);
    return status;
}

static void test_interrupt__records_end_at_any_look(void **state)
{
    (void)state;
    interrupt_everywhere(read_table, "aaaaaaaa"); /* a field cut short has no end */
    interrupt_everywhere(read_table, "a,b\n");
}

static void test_interrupt__a_parse_ends_at_any_look(void **state)
{
    (void)state;
    if (!has_language("json")) skip();
    assert_int_equal(pare_reader_by_language("json", &reader, NULL), PARE_OK);
    interrupt_everywhere(parse, "[1, {\"a\": true}], ");
    interrupt_everywhere(parse, "aaaaaaaa");
    pare_reader_free(reader);
}

/* ---- a whole run ------------------------------------------------------------------------ */

static pare_outcome has_needle(void *context, const void *bytes, size_t size)
{
    (void)context;
    return memmem(bytes, size, "NEEDLE", 6) ? PARE_FAIL : PARE_PASS;
}

static void reduce(const pare_text *text, size_t look, size_t *n_looks)
{
    pare_result result = {0};
    pare_stop *stop = NULL;
    const long live = pare_alloc_live();
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    const pare_reduce_options options = {.input.bytes = pare_text_bytes(text),
                                         .input.size_bytes = pare_text_size(text),
                                         .test.predicate = has_needle,
                                         .limits.max_tests = 40,
                                         .limits.jobs = 1,
                                         .events.stop = stop};
    pare_interrupt_after(look);
    const pare_status status = pare_reduce(&options, &result, NULL);
    *n_looks = pare_interrupt_looks();
    pare_interrupt_after(SIZE_MAX);
    if (look == SIZE_MAX) assert_int_equal(status, PARE_OK);
    if (status) assert_int_equal(status, PARE_E_INTERRUPTED);
    if (!status) assert_non_null(memmem(result.bytes, result.size_bytes, "NEEDLE", 6));
    if (look < SIZE_MAX) assert_int_equal(result.stats.stopped, PARE_STOPPED_INTERRUPTED);
    pare_result_done(&result);
    pare_stop_free(stop);
    assert_int_equal(pare_alloc_live(), live);
}

static void test_interrupt__a_run_ends_at_any_look_with_its_best(void **state)
{
    (void)state;
    pare_text *text = text_of("a1 (b, [c]) + \"d\"; NEEDLE ");
    size_t n, later;
    reduce(text, SIZE_MAX, &n);
    assert_true(n > INSTANTS);
    for (size_t k = 0; k < INSTANTS; k++) {
        reduce(text, k * n / INSTANTS, &later);
        assert_true(later <= k * n / INSTANTS + MOST_LATER);
    }
    pare_text_unref(text);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interrupt__a_set_flag_is_found_by_its_thread),
        cmocka_unit_test(test_interrupt__a_scan_looks_each_step),
#ifdef PARE_FAULT_INJECTION
        cmocka_unit_test(test_interrupt__loops_over_one_line_end_at_any_look),
        cmocka_unit_test(test_interrupt__records_end_at_any_look),
        cmocka_unit_test(test_interrupt__a_parse_ends_at_any_look),
        cmocka_unit_test(test_interrupt__a_run_ends_at_any_look_with_its_best),
#endif
    };
    use_build_data();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
