/* Answers about types: patches with their parts, and what is not used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/semantic/semantic_edits.h"
#include "unit/alloc_sweep.h"
#include "unit/support/pass_driver.h"

#define OPENING "pare-edits 1 Debian clang version 14.0.6\n"

/* Reads the answer about bytes 2 .. 9 of a text of ten. */
static pare_status read_answer(const char *answer, pare_patches **out)
{
    const pare_semantic_range range = {.begin = 2, .end = 9};
    pare_text *text = NULL;
    pare_status status = pare_text_copy("()[]{}<>!?", 10, &text, NULL);
    if (!status) status = pare_patches_new(text, out, NULL);
    if (!status) status = pare_semantic_edits_read(answer, strlen(answer), range, *out, NULL);
    pare_text_unref(text);
    return status;
}

static void assert_reads(const char *answer, const char *expected)
{
    pare_patches *patches = NULL;
    pare_buffer printed = {0};
    assert_int_equal(read_answer(answer, &patches), PARE_OK);
    for (uint32_t i = 0; i < patches->n; i++)
        if (patches->patches[i].parent == PARE_NO_PATCH) print_patch(patches, i, 0, &printed);
    assert_string_equal(printed.data ? printed.data : "", expected);
    pare_buffer_done(&printed);
    pare_patches_unref(patches);
}

static void test_semantic_edits__offsets_are_those_of_the_file(void **state)
{
    (void)state;
    assert_reads(OPENING "end\n", "");
    assert_reads(OPENING "patch 0 unused\nchange 0 2 0\n\nchange 4 7 2\na\n\nend\n", "(){}a\\n?\n");
    assert_reads(OPENING "patch 0 types\nchange 3 3 1\nx\nend\n", "()[]{x}<>!?\n");
}

static void test_semantic_edits__parts_follow_with_higher_levels(void **state)
{
    (void)state;
    assert_reads(OPENING "patch 0 a\nchange 0 2 0\n\npatch 1 a\nchange 0 1 0\n\npatch 3 a\n"
                         "change 1 2 0\n\npatch 1 a\nchange 2 3 0\n\npatch 0 b\nchange 6 7 0\n\n"
                         "end\n",
                 "(){}<>!?\n>()]{}<>!?\n>>()[{}<>!?\n>()[]}<>!?\n()[]{}<>?\n");
    /* One that changes nothing is none, and its parts belong to what it would belong to. */
    assert_reads(OPENING "patch 0 a\nchange 0 1 1\n[\npatch 1 a\nchange 1 2 0\n\nend\n",
                 "()[{}<>!?\n");
}

static void test_semantic_edits__what_is_not_whole_and_right_is_not_used(void **state)
{
    static const char *const wrong[] = {
        "",
        "pare-edits 2 x\nend\n",
        "pare-edits 1 x",
        OPENING,
        OPENING "end",
        OPENING "end\n\n",
        OPENING "patch 0 a\nend\n",
        OPENING "patch 64 a\nchange 0 1 0\n\nend\n",
        OPENING "patch 99999999999 a\nchange 0 1 0\n\nend\n",
        OPENING "change 0 1 0\n\nend\n",
        OPENING "patch 0 a\nchange 0 8 0\n\nend\n",
        OPENING "patch 0 a\nchange 2 1 0\n\nend\n",
        OPENING "patch 0 a\nchange 0 1 99\n\nend\n",
        OPENING "patch 0 a\nchange 0 1 1\nxend\n",
        OPENING "patch 0 a\nchange 0 2 0\n\nchange 1 3 0\n\nend\n",
        OPENING "patch 0 a\nchange 1 1 1\na\nchange 1 1 1\na\nend\n",
        OPENING "patch 0 a\nchange -1 1 0\n\nend\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pare_patches *patches = NULL;
        assert_int_equal(read_answer(wrong[i], &patches), PARE_E_CORRUPT);
        pare_patches_unref(patches);
    }
}

static pare_status read_once(void *context)
{
    pare_patches *patches = NULL;
    pare_status status = read_answer(context, &patches);
    pare_patches_unref(patches);
    return status;
}

static void test_semantic_edits__oom_is_reported_at_every_allocation(void **state)
{
    static char answer[] = OPENING "patch 0 a\nchange 0 2 3\nabc\npatch 1 a\nchange 0 1 0\n\nend\n";
    (void)state;
    sweep_allocations(read_once, answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_semantic_edits__offsets_are_those_of_the_file),
        cmocka_unit_test(test_semantic_edits__parts_follow_with_higher_levels),
        cmocka_unit_test(test_semantic_edits__what_is_not_whole_and_right_is_not_used),
        cmocka_unit_test(test_semantic_edits__oom_is_reported_at_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
