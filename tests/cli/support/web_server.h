/* `pare fuzz web` as a child of a test, and requests to it byte by byte.  Include after program.h. */
#ifndef PARE_TESTS_CLI_WEB_SERVER_H
#define PARE_TESTS_CLI_WEB_SERVER_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

typedef struct web_server {
    pid_t pid;
    uint16_t port;
    char url[256];  /* as it was printed, without the line end */
    char token[64]; /* of it; "" without one */
} web_server;

enum { ANSWER_BYTES = 1 << 20 };

/* Starts it with `words` after `pare fuzz web` (NULL-terminated), and waits for its address. */
static inline web_server start_web(const char *const *words)
{
    const char *argv[MAX_WORDS] = {program_path(), "fuzz", "web"};
    web_server server = {.pid = 0};
    int ends[2];
    for (size_t i = 0; words[i]; i++) {
        assert_true(i + 4 < MAX_WORDS);
        argv[i + 3] = words[i];
    }
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    server.pid = fork();
    assert_true(server.pid >= 0);
    if (!server.pid) {
        if (dup2(ends[1], 1) < 0) _exit(126);
        (void)execvp(argv[0], (char *const *)(const void *)argv);
        _exit(127);
    }
    (void)close(ends[1]);
    size_t size = 0;
    while (size + 1 < sizeof server.url && read(ends[0], server.url + size, 1) == 1 &&
           server.url[size] != '\n')
        size++;
    server.url[size] = '\0';
    (void)close(ends[0]);
    const char *colon = strrchr(server.url, ':');
    assert_non_null(colon);
    server.port = (uint16_t)strtoul(colon + 1, NULL, 10);
    assert_true(server.port > 0);
    const char *token = strstr(server.url, "token=");
    if (token) (void)snprintf(server.token, sizeof server.token, "%s", token + 6);
    return server;
}

/* Ends it by a signal; its exit code. */
static inline int stop_web(const web_server *server)
{
    assert_int_equal(kill(server->pid, SIGTERM), 0);
    return wait_for_end(server->pid);
}

static inline int connect_web(const web_server *server)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons(server->port),
                                        .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

/* Sends as much as is taken; a server that has had enough ends the connection. */
static inline void send_web(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
        if (n <= 0) return;
        bytes += n;
        size -= (size_t)n;
    }
}

/* Whether the answer has the body that its Content-Length says. */
static inline bool is_whole(const char *answer, size_t used)
{
    const char *length = strstr(answer, "Content-Length: "), *end = strstr(answer, "\r\n\r\n");
    return length && end && length < end &&
           used >= (size_t)(end + 4 - answer) + strtoul(length + 16, NULL, 10);
}

/* What comes until the answer is whole or the connection ends, in static memory with a NUL. */
static inline const char *read_web(int fd)
{
    static char answer[ANSWER_BYTES];
    size_t used = 0;
    answer[0] = '\0';
    for (ssize_t n; !is_whole(answer, used) && used + 1 < sizeof answer &&
                    (n = recv(fd, answer + used, sizeof answer - 1 - used, 0)) > 0;) {
        used += (size_t)n;
        answer[used] = '\0';
    }
    return answer;
}

/* Sends one request as it is, and reads the answer. */
static inline const char *ask_bytes(const web_server *server, const char *bytes, size_t size)
{
    int fd = connect_web(server);
    send_web(fd, bytes, size);
    const char *answer = read_web(fd);
    (void)close(fd);
    return answer;
}

/* METHOD URI with `headers` (each with its line end) and a body; "" for none. */
static inline const char *ask_web(const web_server *server, const char *method, const char *uri,
                                  const char *headers, const char *body)
{
    static char request[1 << 18];
    int size = snprintf(request, sizeof request,
                        "%s %s HTTP/1.1\r\n%sConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
                        method, uri, headers, strlen(body), body);
    assert_true(size > 0 && (size_t)size < sizeof request);
    return ask_bytes(server, request, (size_t)size);
}

/* The code of an answer; 0: there is none. */
static inline unsigned code_of_answer(const char *answer)
{
    return strncmp(answer, "HTTP/1.1 ", 9) ? 0 : (unsigned)strtoul(answer + 9, NULL, 10);
}

#endif
