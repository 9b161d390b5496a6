/* Programs that a test calls, found in its words and compared with those of another machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "session/test/programs.h"

static bool has(const pare_programs *programs, const char *name)
{
    for (size_t i = 0; i < programs->n; i++)
        if (strcmp(programs->items[i].name, name) == 0) return true;
    return false;
}

static void write_program(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static void find(pare_programs *programs, const char *text)
{
    *programs = (pare_programs){.n = 0};
    pare_programs_find(programs, text, strlen(text));
}

static void test_programs__are_found_in_scripts_and_not_in_comments(void **state)
{
    pare_programs found;
    (void)state;
    find(&found, "#!/bin/sh\n# sort them\nif grep -q \"$ls\" \"$1\"; then cat x | wc; fi; "
                 "no-such-program-at-all\n");
    assert_true(has(&found, "/bin/sh"));
    assert_true(has(&found, "grep"));
    assert_true(has(&found, "cat"));
    assert_true(has(&found, "wc"));
    assert_false(has(&found, "sort"));
    assert_false(has(&found, "ls"));
    assert_int_equal(found.n, 4);
    find(&found, "cat cat; cat");
    assert_int_equal(found.n, 1);
    assert_int_equal(found.items[0].path[0], '/');
}

/* Programs that are missing are not asked for. */
static void answer(void *context, const char *path, char line[PARE_PROGRAM_VERSION_BYTES])
{
    ++*(unsigned *)context;
    (void)snprintf(line, PARE_PROGRAM_VERSION_BYTES, "%s 9.1", strrchr(path, '/') + 1);
}

static void test_programs__what_differs_is_named(void **state)
{
    pare_programs theirs;
    pare_buffer text = {0};
    unsigned n_asked = 0;
    (void)state;
    find(&theirs, "cat grep wc");
    assert_int_equal(pare_programs_compare(&theirs, NULL, &text, NULL), PARE_OK);
    assert_int_equal(text.size, 0);
    strcpy(theirs.items[0].name, "no-such-program-at-all");
    theirs.items[1].digest.low++;
    strcpy(theirs.items[2].path, "/usr/bin/wc-9");
    theirs.items[2].digest.low++;
    const pare_program_asker asker = {.ask = answer, .context = &n_asked};
    assert_int_equal(pare_programs_compare(&theirs, &asker, &text, NULL), PARE_OK);
    assert_int_equal(n_asked, 2);
    assert_int_equal(pare_buffer_add(&text, "", 1, NULL), PARE_OK);
    assert_non_null(strstr(text.data, "no-such-program-at-all is missing there; grep is another "
                                      "version there ("));
    assert_non_null(strstr(text.data, " there, /usr/bin/wc-9 here, there 'wc 9.1', digest "));
    pare_buffer_done(&text);
}

static void test_programs__are_read_as_they_were_written(void **state)
{
    pare_programs programs, again;
    pare_buffer bytes = {0};
    (void)state;
    find(&programs, "cat grep wc");
    assert_int_equal(pare_programs_write(&programs, &bytes, NULL), PARE_OK);
    pare_message message = pare_message_of(bytes.data, bytes.size);
    pare_programs_read(&again, &message);
    assert_false(message.is_bad);
    assert_int_equal(message.at, bytes.size);
    assert_int_equal(again.n, programs.n);
    for (size_t i = 0; i < again.n; i++) {
        assert_string_equal(again.items[i].path, programs.items[i].path);
        assert_true(pare_digest_equal(again.items[i].digest, programs.items[i].digest));
    }
    for (size_t size = 0; size < bytes.size; size++) {
        message = pare_message_of(bytes.data, size);
        pare_programs_read(&again, &message);
        assert_true(message.is_bad);
    }
    pare_buffer_done(&bytes);
}

static void test_programs__are_not_what_they_were_after_a_replacement(void **state)
{
    char folder[] = "/tmp/pare-test-XXXXXX", path[64], next[64];
    pare_programs programs;
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/needle", folder);
    (void)snprintf(next, sizeof next, "%s/next", folder);
    write_program(path, "#!/bin/sh\nexit 0\n");
    find(&programs, path);
    assert_int_equal(programs.n, 1);
    const pare_digest before = pare_programs_state(&programs);
    assert_true(pare_digest_equal(before, pare_programs_state(&programs)));
    write_program(next, "#!/bin/sh\nexit 0\n"); /* the same bytes: it is another file */
    assert_int_equal(rename(next, path), 0);
    const pare_digest replaced = pare_programs_state(&programs);
    assert_false(pare_digest_equal(before, replaced));
    assert_int_equal(unlink(path), 0);
    assert_false(pare_digest_equal(replaced, pare_programs_state(&programs)));
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs__are_not_what_they_were_after_a_replacement),
        cmocka_unit_test(test_programs__are_found_in_scripts_and_not_in_comments),
        cmocka_unit_test(test_programs__what_differs_is_named),
        cmocka_unit_test(test_programs__are_read_as_they_were_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
