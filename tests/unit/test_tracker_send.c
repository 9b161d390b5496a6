/* Sending against a server of our own on this machine, which answers well, badly, or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/tracker_send.h"
#include "unit/support/loopback.h"

static pare_status send_to(const char *host, int port, const pare_tracker_send_options *options,
                           const char *body, pare_tracker_answer *answer, pare_error *err)
{
    pare_tracker_request request = {
        .method = body ? "POST" : "GET", .accept = "application/json", .header = "X-TOKEN: "};
    assert_int_equal(pare_buffer_format(&request.url, NULL, "%s:%d/a?b=c", host, port), PARE_OK);
    if (body) assert_int_equal(pare_buffer_text(&request.body, body, NULL), PARE_OK);
    pare_status status = pare_tracker_send(&request, options, answer, err);
    pare_tracker_request_done(&request);
    if (status == PARE_E_UNSUPPORTED) skip();
    return status;
}

static const char here[] = "http://127.0.0.1";

static void test_tracker_send__request_and_answer_go_over_whole(void **state)
{
    (void)state;
    static const char *const answers[] = {HTTP("201", "{}")};
    struct loopback server = {.answers = answers, .n_answers = 1};
    const pare_tracker_send_options options = {.token = "s3cret"};
    pare_tracker_answer answer = {0};
    pare_error err = {0};
    loopback_start(&server);
    pare_status status = send_to(here, server.port, &options, "{\"a\": 1}", &answer, &err);
    loopback_end(&server);
    if (status) fail_msg("%s", err.message);
    assert_int_equal(answer.code, 201);
    assert_string_equal(answer.bytes.data, "{}");
    assert_non_null(strstr(server.got, "POST /a?b=c HTTP/1.1\r\n"));
    assert_non_null(strstr(server.got, "\r\nX-TOKEN: s3cret\r\n"));
    assert_non_null(strstr(server.got, "\r\nContent-Type: application/json\r\n"));
    assert_non_null(strstr(server.got, "\r\n\r\n{\"a\": 1}"));
    pare_buffer_done(&answer.bytes);
}

static void test_tracker_send__codes_and_redirections_are_answers(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        long code;
    } cases[] = {
        {HTTP("500", ""), 500},
        {"HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:1/\r\nConnection: close\r\n\r\n", 302},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loopback server = {.answers = &cases[i].answer, .n_answers = 1};
        const pare_tracker_send_options options = {0};
        pare_tracker_answer answer = {0};
        loopback_start(&server);
        pare_status status = send_to(here, server.port, &options, NULL, &answer, NULL);
        loopback_end(&server);
        assert_int_equal(status, PARE_OK);
        assert_int_equal(answer.code, cases[i].code);
        pare_buffer_done(&answer.bytes);
    }
}

static void test_tracker_send__no_answer_garbage_and_floods_are_errors(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        size_t n_filler;
        const char *sentence;
    } cases[] = {
        {NULL, 0, "Timeout was reached"},
        {"garbage\r\n\r\n", 0, "127.0.0.1"},
        {HTTP("200", ""), PARE_TRACKER_SEND_BYTES + 100000, "the answer is longer than 8 MiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loopback server = {
            .answers = &cases[i].answer, .n_answers = 1, .n_filler = cases[i].n_filler};
        const pare_tracker_send_options options = {.token = "s3cret",
                                                   .timeout_ms = cases[i].answer ? 0 : 100};
        pare_tracker_answer answer = {0};
        pare_error err = {0};
        loopback_start(&server);
        pare_status status = send_to(here, server.port, &options, NULL, &answer, &err);
        loopback_end(&server);
        assert_int_equal(status, PARE_E_IO);
        assert_non_null(strstr(err.message, cases[i].sentence));
        assert_null(strstr(err.message, "s3cret"));
        pare_buffer_done(&answer.bytes);
    }
}

static void test_tracker_send__a_token_stays_here_or_is_encrypted(void **state)
{
    (void)state;
    static const struct {
        const char *host, *token;
        pare_status status;
    } cases[] = {{"http://bugs.example.org", "s3cret", PARE_E_STATE},
                 {"http://127.0.0.1.example.org", "s3cret", PARE_E_STATE},
                 {here, "a\r\nX-Other: b", PARE_E_ARG},
                 {here, "", PARE_E_ARG}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pare_tracker_send_options options = {.token = cases[i].token};
        pare_tracker_answer answer = {0};
        pare_error err = {0};
        assert_int_equal(send_to(cases[i].host, 1, &options, NULL, &answer, &err), cases[i].status);
        assert_null(strstr(err.message, "s3cret"));
        pare_buffer_done(&answer.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tracker_send__request_and_answer_go_over_whole),
        cmocka_unit_test(test_tracker_send__codes_and_redirections_are_answers),
        cmocka_unit_test(test_tracker_send__no_answer_garbage_and_floods_are_errors),
        cmocka_unit_test(test_tracker_send__a_token_stays_here_or_is_encrypted),
    };
    /* A proxy of the user's has nothing to do with this machine. */
    (void)setenv("no_proxy", "127.0.0.1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
