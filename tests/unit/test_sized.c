/* Options of programs compiled with another header: older ones end before ours, newer ones
 * after them. */
/* tests: src/session/reduction.c src/session/reduction.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/sized.h"

static pare_outcome needs_x(void *context, const void *bytes, size_t size)
{
    (void)context;
    return memchr(bytes, 'x', size) ? PARE_FAIL : PARE_PASS;
}

static const char input[] = "one x two";

/* A block of `size` bytes and no more, so that a sanitizer sees a look behind it; what is
 * there of the options is set. */
static void *make_options(size_t size, size_t struct_bytes)
{
    pare_reduce_options options = {.struct_bytes = struct_bytes,
                                   .input.bytes = input,
                                   .input.size_bytes = 9,
                                   .test.predicate = needs_x};
    unsigned char *made = pare_alloc_zero(1, size);
    assert_non_null(made);
    memcpy(made, &options, size < sizeof options ? size : sizeof options);
    return made;
}

/* Reduces with options of `size` bytes, which say so themselves or leave it to the call. */
static pare_status reduce_with(size_t size, bool by_call, pare_error *err)
{
    void *options = make_options(size, by_call ? 0 : size);
    pare_result result = {0};
    pare_status status =
        pare_reduce_sized(options, by_call ? size : sizeof(pare_reduce_options), &result, err);
    if (!status) {
        assert_int_equal(result.size_bytes, 1);
        assert_int_equal(result.bytes[0], 'x');
    }
    pare_result_done(&result);
    pare_alloc_free(options);
    return status;
}

static void test_sized__an_older_program_needs_no_later_member(void **state)
{
    (void)state;
    const size_t oldest = offsetof(pare_reduce_options, keep);
    for (size_t size = oldest; size <= sizeof(pare_reduce_options); size += 8) {
        assert_int_equal(reduce_with(size, true, NULL), PARE_OK);
        assert_int_equal(reduce_with(size, false, NULL), PARE_OK);
    }
}

static void test_sized__a_newer_program_that_uses_nothing_new_is_served(void **state)
{
    (void)state;
    assert_int_equal(reduce_with(sizeof(pare_reduce_options) + 40, true, NULL), PARE_OK);
    assert_int_equal(reduce_with(sizeof(pare_reduce_options) + 40, false, NULL), PARE_OK);
}

static void test_sized__what_is_not_known_is_refused(void **state)
{
    (void)state;
    for (size_t more = 0; more < 40; more++) {
        pare_result result = {0};
        pare_error err = {0};
        unsigned char *options = make_options(sizeof(pare_reduce_options) + 40, 0);
        options[sizeof(pare_reduce_options) + more] = 1;
        assert_int_equal(pare_reduce_sized((const void *)options, sizeof(pare_reduce_options) + 40,
                                           &result, &err),
                         PARE_E_ARG);
        assert_non_null(strstr(err.message, "needs a newer libpare"));
        assert_null(result.bytes);
        pare_alloc_free(options);
    }
}

static void test_sized__zero_stands_for_the_header_of_the_call(void **state)
{
    (void)state;
    pare_reduce_options options = {
        .input.bytes = input, .input.size_bytes = 9, .test.predicate = needs_x};
    pare_result result = {0};
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    assert_int_equal(result.size_bytes, 1);
    pare_result_done(&result);
}

static void test_sized__sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, sizeof(size_t) - 1, SIZE_MAX, (size_t)1 << 20};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        pare_reduce_options options = {.struct_bytes = sizes[k], .test.predicate = needs_x};
        pare_result result = {0};
        pare_error err = {0};
        assert_int_equal(pare_reduce(&options, &result, &err), PARE_E_ARG);
        assert_non_null(strstr(err.message, "struct_bytes"));
    }
    pare_result result = {0};
    assert_int_equal(pare_reduce(NULL, &result, NULL), PARE_E_ARG);
}

/* Every other function takes its options in the same way. */
static void test_sized__all_functions_refuse_what_they_do_not_know(void **state)
{
    (void)state;
    static const struct {
        size_t struct_bytes;
        unsigned char bytes[4096];
    } newer = {.struct_bytes = sizeof newer, .bytes = {[sizeof newer.bytes - 1] = 1}};
    const void *options = &newer;
    pare_generated generated = {0};
    pare_recorded recorded = {0};
    pare_isolated isolated = {0};
    pare_learned learned = {0};
    pare_parsed parsed = {0};
    uint32_t *kept = NULL;
    size_t n_kept = 0;
    assert_int_equal(pare_generate(options, NULL, NULL, &generated, NULL), PARE_E_ARG);
    assert_int_equal(pare_record(options, &recorded, NULL), PARE_E_ARG);
    assert_int_equal(pare_isolate(options, &(pare_isolate_options){0}, &isolated, NULL),
                     PARE_E_ARG);
    assert_int_equal(pare_isolate(&(pare_reduce_options){0}, options, &isolated, NULL), PARE_E_ARG);
    assert_int_equal(pare_learn(options, &learned, NULL), PARE_E_ARG);
    assert_int_equal(pare_parse_file(options, "/dev/null", &parsed, NULL), PARE_E_ARG);
    assert_int_equal(pare_reduce_list(3, NULL, NULL, options, &kept, &n_kept, NULL), PARE_E_ARG);
    assert_null(kept);
}

/* Structs inside others keep their size for ever: a later member takes its place from what is
 * reserved, which must be zero as long as nobody knows it. */
static void test_sized__reserved_room_is_zero(void **state)
{
    (void)state;
    pare_reduce_options options = {
        .input.bytes = input, .input.size_bytes = 9, .test.predicate = needs_x};
    uint64_t *const rooms[] = {
        options.input.reserved,       options.test.reserved,   options.keep.reserved,
        options.test.safety.reserved, options.lists.reserved,  options.trees.reserved,
        options.limits.reserved,      options.output.reserved, options.events.reserved};
    for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++) {
        pare_result result = {0};
        pare_error err = {0};
        *rooms[k] = 1;
        assert_int_equal(pare_reduce(&options, &result, &err), PARE_E_ARG);
        assert_non_null(strstr(err.message, "needs a newer libpare"));
        *rooms[k] = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sized__an_older_program_needs_no_later_member),
        cmocka_unit_test(test_sized__a_newer_program_that_uses_nothing_new_is_served),
        cmocka_unit_test(test_sized__what_is_not_known_is_refused),
        cmocka_unit_test(test_sized__zero_stands_for_the_header_of_the_call),
        cmocka_unit_test(test_sized__sizes_that_cannot_be_are_refused),
        cmocka_unit_test(test_sized__all_functions_refuse_what_they_do_not_know),
        cmocka_unit_test(test_sized__reserved_room_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
