/* Without a server nobody serves; all else is in tests/cli/test_remote.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "run/remote/cluster.h"
#include "run/remote/message.h"
#include "run/remote/serve.h"

/* What comes of it with libnats, and without. */
static void assert_refused(pare_status status, pare_status expected)
{
    assert_true(status == expected || status == PARE_E_UNSUPPORTED);
}

static void test_serve__needs_a_server(void **state)
{
    const long live = pare_alloc_live();
    const pare_serve_options options = {
        .link = {.url = "nats://127.0.0.1:1"}, .n_slots = 2, .name = "n", .machine = "m"};
    (void)state;
    assert_refused(pare_serve(&options, NULL), PARE_E_IO);
    assert_int_equal(pare_alloc_live(), live);
}

static void each(void *context, const pare_message_hello *hello)
{
    (void)hello;
    *(bool *)context = true;
}

static void test_serve__without_a_server_nobody_answers(void **state)
{
    const pare_link_options link = {.url = "nats://127.0.0.1:1"};
    bool answered = false;
    (void)state;
    assert_refused(pare_cluster_ask(&link, each, &answered, NULL), PARE_E_IO);
    assert_false(answered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_serve__needs_a_server),
        cmocka_unit_test(test_serve__without_a_server_nobody_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
