/* Words by which a line tells that something is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/failure_words.h"

static void test_failure_words__are_found_at_the_begin_of_words(void **state)
{
    static const struct {
        const char *text;
        bool found;
    } cases[] = {
        {"Free blocks count wrong (3, counted=102).", true},
        {"the check FAILED", true},
        {"xyz: not found", true},
        {"b.txt: bad CRC", true},
        {"bad", true},
        {"", false},
        {"reading from file in.pcap", false},
        {"badger and strawberry", false}, /* "bad" is a whole word */
        {"terror", false},                /* "error" begins no word here */
        {"no problem", false},
        {"everything is fine", false},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(pare_failure_words_in(cases[k].text, strlen(cases[k].text)),
                         cases[k].found);
}

static void test_failure_words__what_stands_behind_the_text_is_not_read(void **state)
{
    (void)state;
    assert_false(pare_failure_words_in("invalid", 6));
    assert_false(pare_failure_words_in(NULL, 0));
    assert_true(pare_failure_words_in("bad\n", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failure_words__are_found_at_the_begin_of_words),
        cmocka_unit_test(test_failure_words__what_stands_behind_the_text_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
