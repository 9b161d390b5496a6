/* Operands that one sign joins. */
/* tests: src/reduce/passes/pass_chains.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/pass_driver.h"

static void test_chains__a_sign_goes_with_the_operand_behind_it(void **state)
{
    (void)state;
    assert_offers("chains", "a + b*c + d(e + f) + g + 7",
                  "a + d(e + f) + g + 7\n"
                  "a + b*c + g + 7\n"
                  "a + b*c + d(e + f) + 7\n"
                  "a + b*c + d(e + f) + g \n");
    assert_offers("chains", "x | y | z | u | v",
                  "x | z | u | v\nx | y | u | v\nx | y | z | v\nx | y | z | u \n");
}

static void test_chains__a_few_are_no_chain(void **state)
{
    (void)state;
    assert_offers("chains", "a + b + c + d", "");
    assert_offers("chains", "a + b - c * d / e % f", "");
    assert_offers("chains", "a + b, c + d, e + f", "");
}

/* A chain goes on where a line ends or begins with its sign. */
static void test_chains__lines(void **state)
{
    (void)state;
    assert_offers("chains", "a: b\nc: d\ne: f\ng: h\ni: j\n", "");
    assert_offers("chains", "a + b +\nc + d\n+ e\nf",
                  "a +\\nc + d\\n+ e\\nf\n"
                  "a + b + d\\n+ e\\nf\n"
                  "a + b +\\nc \\n+ e\\nf\n"
                  "a + b +\\nc + d\\nf\n");
}

/* Little of the text is in chains. */
static void test_chains__not_where_it_hardly_pays(void **state)
{
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = "words and no signs at all "[i % 26];
    text[sizeof text - 1] = '\0';
    for (size_t i = 0; i < 9; i++)
        text[i] = "a+b+c+d+e"[i];
    assert_offers("chains", text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains__a_sign_goes_with_the_operand_behind_it),
        cmocka_unit_test(test_chains__a_few_are_no_chain),
        cmocka_unit_test(test_chains__lines),
        cmocka_unit_test(test_chains__not_where_it_hardly_pays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
