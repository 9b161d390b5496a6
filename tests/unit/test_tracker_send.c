/* Sending against a server of our own on this machine, which answers well, badly, or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "campaign/tracker_send.h"

/* A server for one connection. */
struct server {
    int fd, port;
    const char *answer; /* NULL: it says nothing until the other side has gone */
    size_t n_filler;    /* bytes after the answer */
    char got[8192];     /* what it was asked, cut */
    pthread_t thread;
};

/* Reads until the request is whole: a blank line, and after a POST the body's brace. */
static void read_request(struct server *server, int fd)
{
    size_t size = 0;
    while (size < sizeof server->got - 1) {
        ssize_t n = read(fd, server->got + size, sizeof server->got - 1 - size);
        if (n <= 0) return;
        size += (size_t)n;
        server->got[size] = '\0';
        const char *end = strstr(server->got, "\r\n\r\n");
        if (end && (strncmp(server->got, "POST", 4) != 0 || strchr(end, '}'))) return;
    }
}

static void *serve(void *context)
{
    static char filler[1 << 16];
    struct server *server = context;
    int fd = accept(server->fd, NULL, NULL);
    if (fd < 0) return NULL;
    read_request(server, fd);
    if (server->answer) {
        bool good = write(fd, server->answer, strlen(server->answer)) > 0;
        for (size_t left = server->n_filler; good && left;
             left -= left < sizeof filler ? left : sizeof filler)
            good = send(fd, filler, left < sizeof filler ? left : sizeof filler, MSG_NOSIGNAL) > 0;
    } else {
        struct pollfd gone = {.fd = fd, .events = POLLRDHUP};
        (void)poll(&gone, 1, -1);
    }
    close(fd);
    return NULL;
}

static void start(struct server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    server->fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(server->fd >= 0);
    assert_int_equal(bind(server->fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(server->fd, 1), 0);
    assert_int_equal(getsockname(server->fd, (struct sockaddr *)&address, &size), 0);
    server->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static void end(struct server *server)
{
    shutdown(server->fd, SHUT_RDWR);
    assert_int_equal(pthread_join(server->thread, NULL), 0);
    close(server->fd);
}

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
    struct server server = {
        .answer = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"};
    const pare_tracker_send_options options = {.token = "s3cret"};
    pare_tracker_answer answer = {0};
    pare_error err = {0};
    start(&server);
    pare_status status = send_to(here, server.port, &options, "{\"a\": 1}", &answer, &err);
    end(&server);
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
        {"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 500},
        {"HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n"
         "Connection: close\r\n\r\n",
         302},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct server server = {.answer = cases[i].answer};
        const pare_tracker_send_options options = {0};
        pare_tracker_answer answer = {0};
        start(&server);
        pare_status status = send_to(here, server.port, &options, NULL, &answer, NULL);
        end(&server);
        assert_int_equal(status, PARE_OK);
        assert_int_equal(answer.code, cases[i].code);
        pare_buffer_done(&answer.bytes);
    }
}

static void test_tracker_send__no_answer_garbage_and_floods_are_errors(void **state)
{
    (void)state;
    const struct {
        struct server server;
        const char *sentence;
    } cases[] = {
        {{.answer = NULL}, "Timeout was reached"},
        {{.answer = "garbage\r\n\r\n"}, "127.0.0.1"},
        {{.answer = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
          .n_filler = PARE_TRACKER_SEND_BYTES + 100000},
         "the answer is longer than 8 MiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct server server = cases[i].server;
        const pare_tracker_send_options options = {.token = "s3cret",
                                                   .timeout_ms = server.answer ? 0 : 100};
        pare_tracker_answer answer = {0};
        pare_error err = {0};
        start(&server);
        pare_status status = send_to(here, server.port, &options, NULL, &answer, &err);
        end(&server);
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
