/* Lines in the place of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/pass_driver.h"

static void test_pass_lines__a_body_becomes_the_shortest_line_that_ends_a_block(void **state)
{
    (void)state;
    assert_offers("other-lines", "a:\n  long\n  longer\nb:\n  p\n",
                  "a:\\n  p\\nb:\\n  p\\n\n"
                  "a:\\n  long\\nb:\\n  p\\n\n"
                  "a:\\n  longer\\nb:\\n  p\\n\n"
                  "a:\\n  long\\n  p\\nb:\\n  p\\n\n"
                  "a:\\n  long\\n  long\\nb:\\n  p\\n\n"
                  "a:\\n  p\\n  longer\\nb:\\n  p\\n\n"
                  "a:\\n  long\\n  longer\\np\\n  p\\n\n"
                  "p\\n  long\\n  longer\\nb:\\n  p\\n\n");
}

static void test_pass_lines__a_single_line_has_no_other(void **state)
{
    (void)state;
    assert_offers("other-lines", "abc\n\n", "");
    assert_offers("other-lines", "abc\nabc\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_lines__a_body_becomes_the_shortest_line_that_ends_a_block),
        cmocka_unit_test(test_pass_lines__a_single_line_has_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
