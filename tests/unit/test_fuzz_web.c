/* The web server within this process: how it starts and is refused, that it answers and ends, and
 * that a failed start leaves nothing behind.  What clients can do to it is in
 * tests/cli/test_fuzz_web.c. */
/* tests: src/ui/fuzz_web.c src/ui/fuzz_web_library.c src/cli/command_fuzz_web.c */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/commands.h"
#include "ui/fuzz_web.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"
#include "unit/support/web_store.h"

static const pare_fuzz_web_options plain = {.store_path = "web.db", .listen = "127.0.0.1:0"};

static void test_fuzz_web__says_where_it_is(void **state)
{
    (void)state;
    char url[PARE_FUZZ_WEB_URL_BYTES];
    pare_fuzz_web *web = NULL;
    assert_int_equal(pare_fuzz_web_start(&plain, &web, NULL), PARE_OK);
    assert_true(pare_fuzz_web_is_loopback(web));
    assert_null(strstr(pare_fuzz_web_address(web, PARE_FUZZ_WEB_URL_PLAIN, url), "token"));
    (void)pare_fuzz_web_address(web, PARE_FUZZ_WEB_URL_TOKEN, url);
    assert_int_equal(strncmp(url, "http://127.0.0.1:", 17), 0);
    const char *token = strstr(url, "/?token=");
    assert_non_null(token);
    assert_int_equal(strlen(token + 8), 43);
    pare_fuzz_web_free(web);
    pare_fuzz_web_free(NULL);
}

/* Two starts have two tokens. */
static void test_fuzz_web__tokens_are_not_repeated(void **state)
{
    (void)state;
    char url[2][PARE_FUZZ_WEB_URL_BYTES];
    for (size_t i = 0; i < 2; i++) {
        pare_fuzz_web *web = NULL;
        assert_int_equal(pare_fuzz_web_start(&plain, &web, NULL), PARE_OK);
        (void)pare_fuzz_web_address(web, PARE_FUZZ_WEB_URL_TOKEN, url[i]);
        pare_fuzz_web_free(web);
    }
    assert_string_not_equal(strchr(url[0], '?'), strchr(url[1], '?'));
}

static void test_fuzz_web__listens_on_the_other_family_too(void **state)
{
    (void)state;
    char url[PARE_FUZZ_WEB_URL_BYTES];
    pare_fuzz_web *web = NULL;
    pare_fuzz_web_options options = plain;
    pare_error err = {0};
    options.listen = "[::1]:0";
    pare_status status = pare_fuzz_web_start(&options, &web, &err);
    if (status == PARE_E_IO) {
        printf("no IPv6 here: %s\n", err.message);
        return;
    }
    assert_int_equal(status, PARE_OK);
    assert_true(pare_fuzz_web_is_loopback(web));
    assert_int_equal(
        strncmp(pare_fuzz_web_address(web, PARE_FUZZ_WEB_URL_PLAIN, url), "http://[::1]:", 13), 0);
    pare_fuzz_web_free(web);
}

static void test_fuzz_web__refuses_what_it_cannot_do(void **state)
{
    (void)state;
    static const struct {
        const char *store, *listen, *token;
        pare_status status;
    } cases[] = {
        {"web.db", "127.0.0.1", NULL, PARE_E_ARG},
        {"web.db", ":80", NULL, PARE_E_ARG},
        {"web.db", "[]:80", NULL, PARE_E_ARG},
        {"web.db", "[::1:80", NULL, PARE_E_ARG},
        {"web.db", "127.0.0.1:65536", NULL, PARE_E_ARG},
        {"web.db", "127.0.0.1:-1", NULL, PARE_E_ARG},
        {"web.db", "1.2.3.4.5.6.7.8.9.0.1.2.3.4.5.6.7.8.9.0.1.2.3.4.5.6.7:80", NULL, PARE_E_ARG},
        {"web.db", "0.0.0.0:0", NULL, PARE_E_ARG},
        {"web.db", "[::]:0", NULL, PARE_E_ARG},
        {"web.db", "127.0.0.1:0", "short", PARE_E_ARG},
        {"web.db", "127.0.0.1:0", "with spaces in it, many", PARE_E_ARG},
        {"web.db", "203.0.113.7:0", "0123456789abcdef", PARE_E_IO},
        {"missing.db", "127.0.0.1:0", NULL, PARE_E_IO},
        {"text", "127.0.0.1:0", NULL, PARE_E_CORRUPT}};
    scratch_write("text",
                  "this is no store, and long enough to be one; this is no store at all, "
                  "and so on until there are more than a hundred bytes of it",
                  0600);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_fuzz_web *web = NULL;
        pare_error err = {0};
        const pare_fuzz_web_options options = {
            .store_path = cases[i].store, .listen = cases[i].listen, .token = cases[i].token};
        assert_int_equal(pare_fuzz_web_start(&options, &web, &err), cases[i].status);
        assert_true(strlen(err.message) > 5);
        assert_null(web);
    }
}

struct serving {
    pare_fuzz_web *web;
    pare_stop *stop;
    pare_status status;
};

static void *serve(void *context)
{
    struct serving *serving = context;
    serving->status = pare_fuzz_web_run(serving->web, serving->stop, NULL);
    return NULL;
}

static void test_fuzz_web__answers_until_it_is_stopped(void **state)
{
    (void)state;
    static const char request[] = "GET /api/v1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    char url[PARE_FUZZ_WEB_URL_BYTES], answer[13] = "";
    struct serving serving = {.status = PARE_E_IO};
    pthread_t thread;
    assert_int_equal(pare_stop_new(&serving.stop, NULL), PARE_OK);
    assert_int_equal(pare_fuzz_web_start(&plain, &serving.web, NULL), PARE_OK);
    (void)pare_fuzz_web_address(serving.web, PARE_FUZZ_WEB_URL_PLAIN, url);
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)strtoul(strrchr(url, ':') + 1, NULL, 10)),
        .sin_addr = {htonl(INADDR_LOOPBACK)}};
    assert_int_equal(pthread_create(&thread, NULL, serve, &serving), 0);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(send(fd, request, sizeof request - 1, 0), sizeof request - 1);
    assert_int_equal(recv(fd, answer, 12, MSG_WAITALL), 12);
    assert_string_equal(answer, "HTTP/1.1 200");
    pare_stop_request(serving.stop);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(serving.status, PARE_OK);
    pare_fuzz_web_free(serving.web);
    (void)close(fd);
    pare_stop_free(serving.stop);
}

static pare_status attempt(void *context)
{
    pare_fuzz_web *web = NULL;
    (void)context;
    pare_status status = pare_fuzz_web_start(&plain, &web, NULL);
    assert_true(!status == (web != NULL));
    pare_fuzz_web_free(web);
    return status;
}

static void test_fuzz_web__memory_may_run_out(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

/* ---- the command ------------------------------------------------------------------- */

static void test_fuzz_web__its_help_fits_a_terminal(void **state)
{
    (void)state;
    char line[300];
    FILE *out = tmpfile();
    assert_non_null(out);
    pare_command_fuzz_web.help(out, PARE_HELP_ALL);
    rewind(out);
    size_t n = 0;
    for (; fgets(line, sizeof line, out); n++)
        assert_true(strcspn(line, "\n") <= 80);
    assert_true(n > 20);
    (void)fclose(out);
}

static void test_fuzz_web__the_command_ends_with_the_code_of_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        pare_exit code;
    } cases[] = {{"--store=missing.db", PARE_EXIT_ERROR},
                 {"--listen=nowhere", PARE_EXIT_USAGE},
                 {"--token-file=missing", PARE_EXIT_ERROR}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char first[] = "--store=web.db", second[40];
        char *const words[] = {first, second};
        pare_arguments arguments = {0};
        (void)snprintf(second, sizeof second, "%s", cases[i].word);
        assert_int_equal(
            pare_options_parse(&pare_command_fuzz_web.options, 2, words, &arguments, NULL),
            PARE_OK);
        assert_int_equal(pare_command_fuzz_web.run(&arguments), cases[i].code);
        pare_options_done(&arguments);
    }
}

static int set_up(void **state)
{
    if (scratch_setup(state)) return -1;
    pare_store_close(new_web_store("web.db"));
    return 0;
}

int main(void)
{
#ifndef PARE_HAVE_MICROHTTPD
    puts("skipped: built without libmicrohttpd");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzz_web__says_where_it_is),
        cmocka_unit_test(test_fuzz_web__tokens_are_not_repeated),
        cmocka_unit_test(test_fuzz_web__listens_on_the_other_family_too),
        cmocka_unit_test(test_fuzz_web__refuses_what_it_cannot_do),
        cmocka_unit_test(test_fuzz_web__answers_until_it_is_stopped),
        cmocka_unit_test(test_fuzz_web__memory_may_run_out),
        cmocka_unit_test(test_fuzz_web__its_help_fits_a_terminal),
        cmocka_unit_test(test_fuzz_web__the_command_ends_with_the_code_of_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_teardown);
}
