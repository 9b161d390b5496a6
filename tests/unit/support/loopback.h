/* A server on this machine that answers as it is told: one answer for each connection.  Include after
 * <cmocka.h>. */
#ifndef PARE_TESTS_LOOPBACK_H
#define PARE_TESTS_LOOPBACK_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOPBACK_BYTES = 1 << 16 };

/* An answer as it goes over the line. */
#define HTTP(code, body) "HTTP/1.1 " code " X\r\nConnection: close\r\n\r\n" body

struct loopback {
    const char *const *answers; /* one for each connection; NULL: it says nothing until the other
                                   side has gone */
    size_t n_answers, n_filler; /* bytes after each answer */
    int fd, port;
    size_t n_served;
    char got[LOOPBACK_BYTES]; /* what it was asked, one after the other, cut */
    size_t n_got;
    pthread_t thread;
};

/* Reads a request: up to a blank line, and after a POST as much as it says. */
static inline void loopback_read(struct loopback *server, int fd)
{
    char *from = server->got + server->n_got;
    while (server->n_got < LOOPBACK_BYTES - 1) {
        ssize_t n = read(fd, server->got + server->n_got, LOOPBACK_BYTES - 1 - server->n_got);
        if (n <= 0) return;
        server->n_got += (size_t)n;
        server->got[server->n_got] = '\0';
        const char *end = strstr(from, "\r\n\r\n");
        const char *length = strstr(from, "Content-Length: ");
        size_t need = length ? (size_t)atol(length + 16) : 0;
        if (end && strlen(end + 4) >= need) return;
    }
}

static inline void loopback_answer(const struct loopback *server, int fd, const char *answer)
{
    static const char filler[1 << 16];
    struct pollfd gone = {.fd = fd, .events = POLLRDHUP};
    if (!answer) {
        (void)poll(&gone, 1, -1);
        return;
    }
    bool good = send(fd, answer, strlen(answer), MSG_NOSIGNAL) > 0;
    for (size_t left = server->n_filler; good && left;) {
        size_t size = left < sizeof filler ? left : sizeof filler;
        good = send(fd, filler, size, MSG_NOSIGNAL) > 0;
        left -= size;
    }
}

static inline void *loopback_serve(void *context)
{
    struct loopback *server = context;
    for (; server->n_served < server->n_answers; server->n_served++) {
        int fd = accept(server->fd, NULL, NULL);
        if (fd < 0) return NULL;
        loopback_read(server, fd);
        loopback_answer(server, fd, server->answers[server->n_served]);
        close(fd);
    }
    return NULL;
}

static inline void loopback_start(struct loopback *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    server->fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(server->fd >= 0);
    assert_int_equal(bind(server->fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(server->fd, 8), 0);
    assert_int_equal(getsockname(server->fd, (struct sockaddr *)&address, &size), 0);
    server->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&server->thread, NULL, loopback_serve, server), 0);
}

static inline void loopback_end(struct loopback *server)
{
    shutdown(server->fd, SHUT_RDWR);
    assert_int_equal(pthread_join(server->thread, NULL), 0);
    close(server->fd);
}

#endif
