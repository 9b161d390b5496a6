/* Connections to a server that cannot be made, and the end of one while letters come; what else is heard of
 * one is in tests/cli/test_remote.sh. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* A port of loopback where nobody listens now. */
static unsigned free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(close(fd), 0);
    return ntohs(address.sin_port);
}

static void sleep_ms(long ms)
{
    const struct timespec span = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&span, NULL);
}

/* Starts a server, and connects to it; 0: there is none, or no libnats. */
static pid_t start_server(char url[64], pare_link **link)
{
    char port[16];
    (void)snprintf(port, sizeof port, "%u", free_port());
    (void)snprintf(url, 64, "nats://127.0.0.1:%s", port);
    const pare_link_options options = {.url = url};
    if (pare_link_open(&options, link, NULL) == PARE_E_UNSUPPORTED) return 0;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        const int null = open("/dev/null", O_RDWR);
        (void)dup2(null, 1);
        (void)dup2(null, 2);
        (void)execlp("nats-server", "nats-server", "--addr", "127.0.0.1", "--port", port, NULL);
        _exit(127);
    }
    siginfo_t ended = {.si_pid = 0};
    while (pare_link_open(&options, link, NULL)) { /* until it listens, or cannot be started */
        assert_int_equal(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG), 0);
        if (ended.si_pid) return 0;
        sleep_ms(20);
    }
    return pid;
}

static atomic_bool is_over;

/* Sends as many letters as the server takes. */
static void *send_letters(void *link)
{
    static const char bytes[64];
    while (!atomic_load(&is_over))
        if (pare_link_send(link, "flood.letter", NULL, bytes, sizeof bytes, NULL)) break;
    return NULL;
}

/* libnats 3.4 uses a subscription for a moment without a reference: it must not be destroyed before the
 * connection. */
static void test_link__one_is_closed_while_letters_come(void **state)
{
    enum { CLOSED = 60 };
    char url[64];
    pare_link *sender = NULL;
    pthread_t thread;
    (void)state;
    const pid_t server = start_server(url, &sender);
    if (!server) skip();
    assert_int_equal(pthread_create(&thread, NULL, send_letters, sender), 0);
    for (long k = 0; k < CLOSED; k++) {
        pare_link *link = NULL;
        const pare_link_options options = {.url = url};
        assert_int_equal(pare_link_open(&options, &link, NULL), PARE_OK);
        assert_int_equal(pare_link_subscribe(link, "flood.>", NULL), PARE_OK);
        sleep_ms(k % 4);
        pare_link_close(link);
    }
    atomic_store(&is_over, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pare_link_close(sender);
    assert_int_equal(kill(server, SIGKILL), 0);
    assert_int_equal(waitpid(server, NULL, 0), server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_link__what_is_no_url_is_refused),
        cmocka_unit_test(test_link__another_machine_needs_credentials),
        cmocka_unit_test(test_link__a_server_that_is_not_there_is_told_without_the_password),
        cmocka_unit_test(test_link__the_command_that_starts_a_server_is_that_of_its_url),
        cmocka_unit_test(test_link__one_is_closed_while_letters_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
