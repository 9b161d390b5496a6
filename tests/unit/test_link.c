/* Connections to a server that cannot be made; what is heard of one is in tests/cli/test_remote.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/remote/link.h"

/* What comes of it with libnats, and without. */
static void assert_refused(pare_status status, pare_status expected)
{
    assert_true(status == expected || status == PARE_E_UNSUPPORTED);
}

static void test_link__what_is_no_url_is_refused(void **state)
{
    static const char *const bad[] = {"",        "127.0.0.1",    "http://127.0.0.1",
                                      "nats://", "nats://:4222", "nats:///main"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pare_link *link = NULL;
        const pare_link_options options = {.url = bad[i]};
        assert_refused(pare_link_open(&options, &link, NULL), PARE_E_ARG);
        assert_null(link);
    }
}

/* Nothing is sent there: the address is one of those that are for documents (RFC 5737). */
static void test_link__another_machine_needs_credentials(void **state)
{
    static const char *const others[] = {"nats://192.0.2.1", "tls://localhost.example:4222",
                                         "nats://127.evil.example", "nats://[2001:db8::1]:4222"};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        pare_link *link = NULL;
        pare_error err = {0};
        const pare_link_options options = {.url = others[i]};
        pare_status status = pare_link_open(&options, &link, &err);
        assert_refused(status, PARE_E_ARG);
        if (status == PARE_E_ARG) assert_non_null(strstr(err.message, "--credentials"));
    }
}

static void test_link__a_server_that_is_not_there_is_told_without_the_password(void **state)
{
    pare_link *link = NULL;
    pare_error err = {0};
    const pare_link_options options = {.url = "nats://me:secret@127.0.0.1:1"};
    (void)state;
    assert_refused(pare_link_open(&options, &link, &err), PARE_E_IO);
    assert_null(strstr(err.message, "secret"));
}

/* At ports where nobody listens. */
static void test_link__the_command_that_starts_a_server_is_that_of_its_url(void **state)
{
    static const struct {
        const char *url, *command;
    } cases[] = {
        {"nats://127.0.0.1:1", ": nats-server --jetstream --addr 127.0.0.1 --port 1"},
        {"nats://me:secret@127.0.0.1:1", ": nats-server --jetstream --addr 127.0.0.1 --port 1"},
        {"nats://[::1]:1", ": nats-server --jetstream --addr ::1 --port 1"},
        {"tls://127.0.0.1:1", ": nats-server --jetstream --addr 127.0.0.1 --port 1 --tls --tlscert "
                              "FILE --tlskey FILE"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_link *link = NULL;
        pare_error err = {0};
        const pare_link_options options = {.url = cases[i].url};
        const pare_status status = pare_link_open(&options, &link, &err);
        assert_refused(status, PARE_E_IO);
        if (status != PARE_E_IO) continue;
        const char *found = strstr(err.message, ": nats-server");
        assert_non_null(found);
        assert_string_equal(found, cases[i].command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_link__what_is_no_url_is_refused),
        cmocka_unit_test(test_link__another_machine_needs_credentials),
        cmocka_unit_test(test_link__a_server_that_is_not_there_is_told_without_the_password),
        cmocka_unit_test(test_link__the_command_that_starts_a_server_is_that_of_its_url),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
