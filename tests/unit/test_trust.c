/* Who can change a file: owners, modes, groups, folders above, links. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "os/trust.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

enum { SOMEBODY = 54321 };

static void make(void)
{
    assert_int_equal(pare_file_remove_tree("a", NULL), PARE_OK);
    assert_int_equal(mkdir("a", 0755), 0);
    assert_int_equal(mkdir("a/b", 0755), 0);
    scratch_write("a/b/file", "x", 0644);
}

static void expect(pare_status wanted, const char *part)
{
    pare_error err = {0};
    assert_int_equal(pare_trust_check("a/b/file", &err), wanted);
    if (wanted && !strstr(err.message, part)) fail_msg("%s", err.message);
}

static void test_trust__what_only_we_can_write_is_trusted(void **state)
{
    (void)state;
    make();
    expect(PARE_OK, "");
    assert_int_equal(pare_trust_check("/bin/sh", NULL), PARE_OK);
    assert_int_equal(pare_trust_check("a/b/none", NULL), PARE_E_IO);
}

static void test_trust__what_everybody_can_write_is_refused(void **state)
{
    static const char *const paths[] = {"a/b/file", "a/b", "a"};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        make();
        assert_int_equal(chmod(paths[i], 0777), 0);
        expect(PARE_E_CORRUPT, "everybody can write to");
    }
    assert_int_equal(chmod("a", 01777), 0); /* as /tmp is */
    expect(PARE_OK, "");
}

static void test_trust__what_another_user_owns_is_refused(void **state)
{
    static const char *const paths[] = {"a/b/file", "a/b", "a"};
    (void)state;
    if (geteuid()) skip(); /* only root can give a file away */
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        make();
        assert_int_equal(chown(paths[i], SOMEBODY, (gid_t)-1), 0);
        expect(PARE_E_CORRUPT, "belongs to another user (number 54321)");
    }
}

static void test_trust__a_group_that_nobody_knows_is_refused(void **state)
{
    (void)state;
    if (geteuid()) skip();
    make();
    assert_int_equal(chmod("a/b", 0775), 0);
    assert_int_equal(chown("a/b", (uid_t)-1, SOMEBODY), 0);
    expect(PARE_E_CORRUPT, "by its group: 'chmod g-w' it");
}

static void test_trust__a_link_counts_with_the_folder_that_it_is_in(void **state)
{
    (void)state;
    make();
    (void)unlink("door/link");
    assert_true(mkdir("door", 0755) == 0 || pare_file_is_directory("door"));
    assert_int_equal(symlink("../a/b/file", "door/link"), 0);
    assert_int_equal(pare_trust_check("door/link", NULL), PARE_OK);
    assert_int_equal(chmod("door", 0777), 0);
    assert_int_equal(pare_trust_check("door/link", NULL), PARE_E_CORRUPT);
    assert_int_equal(chmod("door", 0755), 0);
    assert_int_equal(chmod("a", 0777), 0);
    assert_int_equal(pare_trust_check("door/link", NULL), PARE_E_CORRUPT);
}

/* The one in the middle is in a folder that somebody else can write to, who may let it lead elsewhere. */
static void test_trust__each_link_of_a_chain_counts(void **state)
{
    (void)state;
    make();
    assert_int_equal(pare_file_remove_tree("chain", NULL), PARE_OK);
    assert_int_equal(mkdir("chain", 0755), 0);
    assert_int_equal(mkdir("chain/middle", 0755), 0);
    assert_int_equal(symlink("middle/second", "chain/first"), 0);
    assert_int_equal(symlink("../../a/b", "chain/middle/second"), 0);
    assert_int_equal(pare_trust_check("chain/first/file", NULL), PARE_OK);
    assert_int_equal(chmod("chain/middle", 0777), 0);
    assert_int_equal(pare_trust_check("chain/first/file", NULL), PARE_E_CORRUPT);
    if (geteuid()) return;
    assert_int_equal(chmod("chain/middle", 0755), 0);
    assert_int_equal(lchown("chain/middle/second", SOMEBODY, (gid_t)-1), 0);
    assert_int_equal(pare_trust_check("chain/first/file", NULL), PARE_E_CORRUPT);
}

static pare_status check(void *context)
{
    return pare_trust_check(context, NULL);
}

static void test_trust__survives_every_failed_allocation(void **state)
{
    (void)state;
    make();
    sweep_allocations(check, "a/b/file");
    assert_int_equal(symlink("b", "a/link"), 0);
    sweep_allocations(check, "a/link/file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trust__what_only_we_can_write_is_trusted),
        cmocka_unit_test(test_trust__what_everybody_can_write_is_refused),
        cmocka_unit_test(test_trust__what_another_user_owns_is_refused),
        cmocka_unit_test(test_trust__a_group_that_nobody_knows_is_refused),
        cmocka_unit_test(test_trust__a_link_counts_with_the_folder_that_it_is_in),
        cmocka_unit_test(test_trust__each_link_of_a_chain_counts),
        cmocka_unit_test(test_trust__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
