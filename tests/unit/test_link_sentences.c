/* Sentences about servers, out of a URL and what libnats says; no server is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/remote/link_sentences.h"

static void test_link_sentences__the_command_starts_a_server_at_the_url(void **state)
{
    static const struct {
        const char *host, *command;
    } cases[] = {
        {"nats://127.0.0.1", "nats-server --jetstream --addr 127.0.0.1"},
        {"nats://127.0.0.1:4222", "nats-server --jetstream --addr 127.0.0.1"},
        {"nats://localhost:4333", "nats-server --jetstream --addr localhost --port 4333"},
        {"nats://[::1]:1", "nats-server --jetstream --addr ::1 --port 1"},
        {"nats://[::1", "nats-server --jetstream"},
        {"nats://[", "nats-server --jetstream"},
        {"nats://rack1", "nats-server --jetstream"},
        {"nats://rack1:4333", "nats-server --jetstream --port 4333"},
        {"nats://127.evil.example:4222", "nats-server --jetstream"},
        {"tls://rack1:4222", "nats-server --jetstream --tls --tlscert FILE --tlskey FILE"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[PARE_LINK_COMMAND_BYTES];
        assert_string_equal(pare_link_start_command(cases[i].host, command), cases[i].command);
    }
}

static void test_link_sentences__a_certificate_is_told_with_what_to_do(void **state)
{
    static const struct {
        const char *said, *reason, *advice;
    } cases[] = {
        {"(conn.c:733): SSL handshake error: 18:self-signed certificate:depth=0:cert=/CN=a",
         "(self-signed certificate)", "SSL_CERT_FILE=FILE"},
        {"SSL handshake error: 20:unable to get local issuer certificate:depth=0:cert=/CN=a",
         "(unable to get local issuer certificate)", "SSL_CERT_FILE=FILE"},
        {"SSL handshake error: 62:hostname mismatch:depth=0:cert=/CN=a", "(hostname mismatch)",
         "use the name that is in it"},
        {"SSL handshake error: 64:IP address mismatch:depth=0:cert=/CN=a", "(IP address mismatch)",
         "use the name that is in it"},
        {"SSL handshake error: 10:certificate has expired:depth=0:cert=/CN=a",
         "(certificate has expired)", "give the server another"},
        {"SSL handshake error: wrong version number", "(wrong version number)", "TLS 1.2 or later"},
        {"SSL handshake error: 18", "(18)", "TLS 1.2 or later"},
        {"something else", "(no reason is given)", "TLS 1.2 or later"},
        {NULL, "(no reason is given)", "TLS 1.2 or later"},
    };
    (void)state;
    (void)unsetenv("SSL_CERT_FILE");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err = {0};
        assert_int_equal(pare_link_explain_tls("tls://rack1", cases[i].said, &err), PARE_E_IO);
        assert_non_null(strstr(err.message, "tls://rack1"));
        assert_non_null(strstr(err.message, cases[i].reason));
        assert_non_null(strstr(err.message, cases[i].advice));
    }
}

static void test_link_sentences__the_file_of_certificates_is_named(void **state)
{
    static const char said[] = "SSL handshake error: 18:self-signed certificate:depth=0";
    static const struct {
        const char *file, *advice;
    } cases[] = {
        {"/dev/null", "add the certificate of its issuer to /dev/null"},
        {"/none/there", "/none/there, which SSL_CERT_FILE names, cannot be read"},
        {"", "SSL_CERT_FILE=FILE"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err = {0};
        assert_int_equal(setenv("SSL_CERT_FILE", cases[i].file, 1), 0);
        assert_int_equal(pare_link_explain_tls("tls://rack1", said, &err), PARE_E_IO);
        assert_non_null(strstr(err.message, cases[i].advice));
    }
    (void)unsetenv("SSL_CERT_FILE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_link_sentences__the_command_starts_a_server_at_the_url),
        cmocka_unit_test(test_link_sentences__a_certificate_is_told_with_what_to_do),
        cmocka_unit_test(test_link_sentences__the_file_of_certificates_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
