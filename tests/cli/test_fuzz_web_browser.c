/* The page of `pare fuzz web` in Chromium, driven over the DevTools protocol by a script for Node
 * (support/fuzz_web_browser.mjs): every page at three widths and in both schemes, with hostile
 * texts in each field; searching, sorting, marking, editing, merging, deleting by real clicks and
 * keys. Skipped where there is no Chromium, or no Node.
 *
 * PARE_WEB_PICTURES=FOLDER photographs each page into FOLDER. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "cli/support/program.h"
#include "cli/support/web_server.h"
#include "unit/support/web_store.h"

static const char *browser;

/* The first of them that can be run; NULL: none. */
static const char *find_program(const char *const *names)
{
    char command[200];
    for (; *names; names++) {
        (void)snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", *names);
        if (system(command) == 0) return *names;
    }
    return NULL;
}

static void test_fuzz_web_browser__the_page_does_what_is_clicked(void **state)
{
    (void)state;
    static const char *const words[] = {"--store", "web.db", "--listen", "127.0.0.1:0", NULL};
    char script[MAX_COMMAND];
    const char *source = getenv("PARE_SOURCE_DIR"), *pictures = getenv("PARE_WEB_PICTURES");
    assert_non_null(source);
    (void)snprintf(script, sizeof script, "%s/tests/cli/support/fuzz_web_browser.mjs", source);
    pare_store_close(new_web_store("web.db"));
    web_server server = start_web(words);
    const char *const argv[] = {"node", script, browser, server.url, pictures, NULL};
    int code = wait_for_end(start_words(argv, "out", "err"));
    char *out = read_text("out"), *err = read_text("err");
    assert_int_equal(stop_web(&server), 0);
    if (code || strncmp(out, "ok ", 3)) fail_msg("%s%.6000s", out, err);
    free(out);
    free(err);
}

int main(void)
{
#ifndef PARE_HAVE_MICROHTTPD
    puts("skipped: built without libmicrohttpd");
    return 77;
#endif
    static const char *const browsers[] = {"chromium", "chromium-headless-shell", "google-chrome",
                                           NULL};
    static const char *const nodes[] = {"node", NULL};
    browser = find_program(browsers);
    if (!browser || !find_program(nodes)) {
        puts("skipped: there is no Chromium, or no Node (apt-get install chromium nodejs)");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzz_web_browser__the_page_does_what_is_clicked),
    };
    return cmocka_run_group_tests(tests, workplace_setup, workplace_teardown);
}
