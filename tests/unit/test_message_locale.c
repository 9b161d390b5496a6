/* Which variables a program gets so that its messages are English, for users of several languages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "session/test/message_locale.h"

static const char *const LOOKED_AT[] = {"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"};
enum { N_LOOKED_AT = sizeof LOOKED_AT / sizeof *LOOKED_AT };

static const char *const program[] = {"gcc", "-c", "@@"};
static const pare_test_options test = {.program = program, .n_program = 3};

/* Sets the four variables; NULL: it is not there. */
static void set(const char *const values[static N_LOOKED_AT])
{
    for (size_t k = 0; k < N_LOOKED_AT; k++)
        if (values[k])
            assert_int_equal(setenv(LOOKED_AT[k], values[k], 1), 0);
        else
            assert_int_equal(unsetenv(LOOKED_AT[k]), 0);
}

/* The variables in one string, with a blank after each. */
static void join(const pare_message_locale *locale, char joined[static 300])
{
    const pare_names names = pare_message_locale_variables(locale);
    *joined = '\0';
    for (size_t k = 0; k < names.n; k++)
        strcat(strcat(joined, names.items[k]), " ");
}

static void test_message_locale__other_languages_become_english_and_nothing_else_changes(
    void **state)
{
    static const struct {
        const char *values[N_LOOKED_AT], *variables;
    } cases[] = {
        {{NULL, NULL, NULL, NULL}, ""},
        {{NULL, NULL, "C.UTF-8", NULL}, ""},
        {{NULL, NULL, "en_GB.UTF-8", NULL}, ""},
        {{"C", NULL, "de_DE.UTF-8", "de"}, ""}, /* LANGUAGE has no say there */
        {{"POSIX", NULL, "de_DE.UTF-8", NULL}, ""},
        {{NULL, "en_US.UTF-8", "de_DE.UTF-8", NULL}, ""},
        {{NULL, NULL, "de_DE.UTF-8", "en:de"}, ""},
        {{NULL, NULL, "de_DE.UTF-8", NULL}, "LC_MESSAGES=C "},
        {{"", "", "de_DE.UTF-8", ""}, "LC_MESSAGES=C "},
        {{NULL, "ja_JP.UTF-8", "en_US.UTF-8", NULL}, "LC_MESSAGES=C "},
        {{NULL, NULL, "en_US.UTF-8", "fr:en"}, "LC_MESSAGES=C LANGUAGE= "},
        {{"zh_CN.UTF-8", NULL, "en_US.UTF-8", NULL},
         "LC_MESSAGES=C LANG=zh_CN.UTF-8 LC_CTYPE=zh_CN.UTF-8 LC_ALL= "},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_message_locale locale;
        char joined[300];
        set(cases[k].values);
        assert_int_equal(pare_message_locale_init(&locale, &test, NULL), PARE_OK);
        join(&locale, joined);
        assert_string_equal(joined, cases[k].variables);
        assert_int_equal(locale.locale != NULL, *cases[k].variables != '\0');
        pare_message_locale_done(&locale);
    }
}

static void test_message_locale__a_test_command_and_a_locale_of_the_users_are_left_alone(
    void **state)
{
    static const char *const german[] = {NULL, NULL, "de_DE.UTF-8", NULL};
    static const char *const named[] = {"X=1", "LANG=fr_FR.UTF-8"}, *const other[] = {"X=1"};
    pare_message_locale locale;
    char joined[300];
    (void)state;
    set(german);
    const pare_test_options command = {.command = "./test.sh"};
    assert_int_equal(pare_message_locale_init(&locale, &command, NULL), PARE_OK);
    assert_int_equal(pare_message_locale_variables(&locale).n, 0);
    pare_message_locale_done(&locale);

    pare_test_options with = test;
    with.environment = named;
    with.n_environment = 2;
    assert_int_equal(pare_message_locale_init(&locale, &with, NULL), PARE_OK);
    join(&locale, joined);
    assert_string_equal(joined, "X=1 LANG=fr_FR.UTF-8 ");
    pare_message_locale_done(&locale);

    with.environment = other;
    with.n_environment = 1;
    assert_int_equal(pare_message_locale_init(&locale, &with, NULL), PARE_OK);
    join(&locale, joined);
    assert_string_equal(joined, "X=1 LC_MESSAGES=C ");
    pare_message_locale_done(&locale);
}

static void test_message_locale__tells_how_to_name_messages_of_the_users_own(void **state)
{
    static const char *const german[] = {NULL, NULL, "de_DE.UTF-8", NULL};
    static const char *const none[] = {NULL, NULL, NULL, NULL};
    (void)state;
    pare_message_locale locale;
    pare_buffer sentence = {0};
    set(none);
    assert_int_equal(pare_message_locale_init(&locale, &test, NULL), PARE_OK);
    assert_int_equal(pare_message_locale_explain(&locale, &sentence, NULL), PARE_OK);
    assert_int_equal(pare_message_locale_explain(NULL, &sentence, NULL), PARE_OK);
    assert_int_equal(sentence.size, 0);
    pare_message_locale_done(&locale);
    set(german);
    assert_int_equal(pare_message_locale_init(&locale, &test, NULL), PARE_OK);
    assert_int_equal(pare_message_locale_explain(&locale, &sentence, NULL), PARE_OK);
    assert_non_null(strstr(sentence.data, "-- env LC_ALL=de_DE.UTF-8 PROGRAM"));
    pare_message_locale_done(&locale);
    pare_buffer_done(&sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_message_locale__other_languages_become_english_and_nothing_else_changes),
        cmocka_unit_test(
            test_message_locale__a_test_command_and_a_locale_of_the_users_are_left_alone),
        cmocka_unit_test(test_message_locale__tells_how_to_name_messages_of_the_users_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
