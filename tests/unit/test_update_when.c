/* When a target is due for an update. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "campaign/update_when.h"
#include "unit/support/campaign_text.h"
#include "unit/support/scratch.h"

/* Whether a target with this `update_when` is due. */
static bool is_due(const char *when)
{
    char text[1024];
    bool due = false;
    pare_error err = {0};
    (void)snprintf(text, sizeof text, "[target t]\ncommand = p\nupdate = make\n%s%s\n",
                   *when ? "update_when = " : "", when);
    pare_campaign *campaign = campaign_of(text);
    if (pare_update_when_is_due(campaign, "t", NULL, &due, &err)) fail_msg("%s", err.message);
    pare_campaign_free(campaign);
    return due;
}

static void test_update_when__always_and_never(void **state)
{
    (void)state;
    assert_true(is_due("always"));
    assert_false(is_due(""));
    pare_campaign *campaign = campaign_of("[target t]\ncommand = p\nupdate_when = always\n");
    bool due = true;
    assert_int_equal(pare_update_when_is_due(campaign, "t", NULL, &due, NULL), PARE_OK);
    assert_false(due); /* there is no command to do it by */
    pare_campaign_free(campaign);
}

static void test_update_when__an_old_file_is_due_and_a_missing_one(void **state)
{
    char when[256];
    const struct timespec past[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    (void)state;
    scratch_write("built", "x", 0644);
    (void)snprintf(when, sizeof when, "age %s/built 1h", scratch_dir);
    assert_false(is_due(when));
    assert_int_equal(utimensat(AT_FDCWD, "built", past, 0), 0);
    assert_true(is_due(when));
    assert_true(is_due("age /no/such/file 1h"));
}

static void test_update_when__a_clone_is_due_when_its_origin_has_another_commit(void **state)
{
    char when[256];
    (void)state;
    if (system("git --version >/dev/null 2>&1")) skip();
    assert_int_equal(
        system("export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null; g() { git -c "
               "user.name=n -c user.email=e -C \"$@\"; }; git init -q -b main one && g one commit "
               "-q --allow-empty -m 1 && git clone -q one two"),
        0);
    (void)snprintf(when, sizeof when, "git %s/two", scratch_dir);
    assert_false(is_due(when));
    assert_int_equal(
        system("git -c user.name=n -c user.email=e -C one commit -q --allow-empty -m 2"), 0);
    assert_true(is_due(when));
    (void)snprintf(when, sizeof when, "git %s/two refs/heads/main", scratch_dir);
    assert_true(is_due(when));
}

/* A remote without an answer is no update: it would be one in every round. */
static void test_update_when__an_origin_that_says_nothing_is_an_error(void **state)
{
    char text[512];
    bool due = false;
    pare_error err = {0};
    (void)state;
    if (system("git --version >/dev/null 2>&1")) skip();
    assert_int_equal(
        system("export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null; g() { git -c "
               "user.name=n -c user.email=e -C \"$@\"; }; git init -q -b main far && g far commit "
               "-q --allow-empty -m 1 && git clone -q far near"),
        0);
    for (int k = 0; k < 2; k++) {
        (void)snprintf(text, sizeof text,
                       "[target t]\ncommand = p\nupdate = u\nupdate_when = git %s/near%s\n",
                       scratch_dir, k ? "" : " refs/heads/none");
        pare_campaign *campaign = campaign_of(text);
        assert_int_equal(pare_update_when_is_due(campaign, "t", NULL, &due, &err), PARE_E_STATE);
        if (!strstr(err.message, "git cannot ask the origin of")) fail_msg("%s", err.message);
        assert_false(due);
        pare_campaign_free(campaign);
        err = (pare_error){0};
        assert_int_equal(rename(k ? "gone" : "far", k ? "far" : "gone"), 0);
    }
}

static void test_update_when__what_it_cannot_read_it_says(void **state)
{
    static const struct {
        const char *when, *says;
        pare_status status;
    } rows[] = {
        {"sometimes", "always, age", PARE_E_ARG},
        {"age x", "age PATH TIME", PARE_E_ARG},
        {"age x soon", "soon", PARE_E_ARG},
        {"git /no/such/folder", "git does not name the commit of '/no/such/folder'", PARE_E_STATE},
        {"package", "package NAME", PARE_E_ARG}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[256];
        bool due;
        pare_error err = {0};
        (void)snprintf(text, sizeof text, "[target t]\ncommand = p\nupdate = u\nupdate_when = %s\n",
                       rows[k].when);
        pare_campaign *campaign = campaign_of(text);
        assert_int_equal(pare_update_when_is_due(campaign, "t", NULL, &due, &err), rows[k].status);
        assert_non_null(strstr(err.message, rows[k].says));
        pare_campaign_free(campaign);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_update_when__always_and_never),
        cmocka_unit_test(test_update_when__an_old_file_is_due_and_a_missing_one),
        cmocka_unit_test(test_update_when__a_clone_is_due_when_its_origin_has_another_commit),
        cmocka_unit_test(test_update_when__an_origin_that_says_nothing_is_an_error),
        cmocka_unit_test(test_update_when__what_it_cannot_read_it_says),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
