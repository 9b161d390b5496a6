/* pare fuzz web under hostile clients: over a thousand requests, none of which may change the
 * store, be answered with something else than one sentence, or keep the next one from its answer;
 * slow clients, too many of them, streams of events, and how the command begins and ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"
#include "cli/support/program.h"
#include "cli/support/web_server.h"
#include "unit/support/web_store.h"

#define GOOD_HOST "Host: localhost\r\n"
#define JSON "Content-Type: application/json\r\n"

static const char *const plain_words[] = {"--store", "web.db", "--listen", "127.0.0.1:0", NULL};
static const char *const impatient_words[] = {"--store",    "web.db", "--listen", "127.0.0.1:0",
                                              "--patience", "0.3",    NULL};

/* What changes when anything does. */
static int64_t fingerprint(void)
{
    pare_store *store = open_store("web.db");
    int64_t n = number_of(store, "SELECT (SELECT total(id) + count(*) FROM event) * 1000 +"
                                 " (SELECT total(state) + count(*) FROM finding) +"
                                 " (SELECT total(state) + count(*) FROM job)");
    pare_store_close(store);
    return n;
}

static size_t count_descriptors(pid_t pid)
{
    char path[64];
    size_t n = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    DIR *entries = opendir(path);
    assert_non_null(entries);
    while (readdir(entries))
        n++;
    (void)closedir(entries);
    return n;
}

static void assert_answers(const web_server *server)
{
    const char *answer = ask_web(server, "GET", "/api/v1", GOOD_HOST, "");
    assert_int_equal(code_of_answer(answer), 200);
    assert_non_null(strstr(answer, "\"api\":1"));
}

/* ---- hostile requests -------------------------------------------------------------- */

static size_t n_sent;

/* Refused, or no answer at all; whatever is answered is no page with our words in it. */
static void assert_harmless(const char *answer, const char *request)
{
    unsigned code = code_of_answer(answer);
    n_sent++;
    if (*answer && !code) fail_msg("no HTTP: %.200s", answer);
    if (code >= 500 && code != 501 && code != 505) fail_msg("%u for %.200s", code, request);
    if (strstr(answer, "alert(1)") && !strstr(answer, "Content-Type: application/json"))
        fail_msg("reflected: %.500s", answer);
}

static void assert_refused(const char *answer, const char *request)
{
    unsigned code = code_of_answer(answer);
    assert_harmless(answer, request);
    if (code && (code < 400 || code >= 500)) fail_msg("%u for %.300s", code, request);
}

static void send_paths(const web_server *server)
{
    static const char *const paths[] = {"/../../../../etc/passwd",
                                        "/..%2f..%2fetc/passwd",
                                        "/%2e%2e/%2e%2e/etc/passwd",
                                        "/static/../../../etc/passwd",
                                        "/static/..%5c..%5cboot.ini",
                                        "/static/....//....//etc/passwd",
                                        "/static/main.js%00.html",
                                        "/static/%252e%252e/x",
                                        "/api/v1/contents/../../../etc/passwd",
                                        "/api/v1/contents/%2fetc%2fpasswd",
                                        "/api/v1/findings/1;rm",
                                        "/api/v1/findings/1%27--",
                                        "/api/v1/findings/1/members/..",
                                        "/api/v1/findings/0x1",
                                        "/api/v1/findings/1e3",
                                        "/api/v1/configurations/-1",
                                        "/api/v1/configurations/9999999999999999999999",
                                        "/api/v1/findings?limit=1e9",
                                        "/api/v1/findings?offset=-5",
                                        "/api/v1/findings?state=%00",
                                        "/api/v1/findings?sort=id;DROP%20TABLE%20finding",
                                        "/api/v1/findings?q=%ff",
                                        "/api/v1/findings?order=<script>alert(1)</script>",
                                        "/<script>alert(1)</script>",
                                        "/?x=<script>alert(1)</script>",
                                        "/findings/<svg/onload=alert(1)>",
                                        "/\\evil.example",
                                        "http://evil.example/",
                                        "*",
                                        "",
                                        "/api/v1/curve?points=0",
                                        "/api/v1/stream?after=x",
                                        "/.git/config",
                                        "/api/v1/../../x",
                                        "/static/main.js?v=1",
                                        "/%",
                                        "/%zz",
                                        "/\x80\xff"};
    static const char *const methods[] = {"GET", "POST", "PUT", "TRACE", "CONNECT", "OPTIONS"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        for (size_t j = 0; j < sizeof methods / sizeof *methods; j++)
            assert_refused(ask_web(server, methods[j], paths[i], GOOD_HOST, ""), paths[i]);
}

/* Each with the right token: who asks must not matter then either. */
static void send_senders(const web_server *server)
{
    static const char *const senders[] = {
        "Host: evil.example\r\n",
        "Host: localhost.evil.example\r\n",
        "Host: 127.0.0.1.nip.io\r\n",
        "Host: 10.0.0.1\r\n",
        "Host: [::2]\r\n",
        "Host: localhost:port\r\n",
        "Host: \r\n",
        "",
        "Host: localhost\r\nHost: evil.example\r\n",
        "Host: localhost\r\nOrigin: null\r\n",
        "Host: localhost\r\nOrigin: http://evil.example\r\n",
        "Host: localhost\r\nOrigin: http://localhost.evil.example\r\n",
        "Host: localhost\r\nOrigin: http://localhost:1\r\n",
        "Host: localhost\r\nOrigin: http://127.0.0.1\r\n",
        "Host: localhost\r\nOrigin: file://\r\n",
        "Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example\r\n"};
    static const struct {
        const char *method, *uri, *body;
    } changes[] = {{"PATCH", "/api/v1/findings/1", "{\"note\":\"alert(1)\"}"},
                   {"DELETE", "/api/v1/findings/1", ""},
                   {"POST", "/api/v1/findings/1", "{\"action\":\"delete\"}"},
                   {"POST", "/api/v1/findings", "{\"action\":\"delete\",\"ids\":[1,2]}"},
                   {"POST", "/api/v1/jobs", "{\"kind\":\"validate\"}"},
                   {"POST", "/api/v1/jobs/cancel", ""},
                   {"POST", "/api/v1/jobs/1/pause", ""}};
    char headers[1000];
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        for (size_t j = 0; j < sizeof changes / sizeof *changes; j++) {
            (void)snprintf(headers, sizeof headers, "%s" JSON "Authorization: Bearer %s\r\n",
                           senders[i], server->token);
            assert_refused(
                ask_web(server, changes[j].method, changes[j].uri, headers, changes[j].body),
                senders[i]);
            /* A cookie is sent by whatever page asks. */
            (void)snprintf(headers, sizeof headers, "%s" JSON "Cookie: pare-fuzz-%u=%s\r\n",
                           i % 2 ? senders[i] : GOOD_HOST, server->port, server->token);
            assert_refused(
                ask_web(server, changes[j].method, changes[j].uri, headers, changes[j].body),
                headers);
        }
    }
}

/* Texts of forms, and types that a page of another site may send without asking. */
static void send_bodies(const web_server *server)
{
    static const char *const types[] = {"text/plain", "application/x-www-form-urlencoded",
                                        "multipart/form-data; boundary=x", "", "application/jsonp"};
    static const char *const bodies[] = {"{",
                                         "[]",
                                         "null",
                                         "\"x\"",
                                         "{\"action\":\"edit\",\"action\":\"delete\"}",
                                         "{}",
                                         "{\"action\":\"edit\",\"note\":\"\\u0000\"}",
                                         "{\"action\":\"edit\",\"note\":\"\xff\"}",
                                         "{\"action\":\"edit\",\"url\":\"javascript:alert(1)\"}",
                                         "action=delete&ids=1",
                                         "{\"action\":\"edit\",\"note\":{\"a\":1}}",
                                         "{\"__proto__\":1}"};
    char headers[1000];
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        (void)snprintf(headers, sizeof headers, GOOD_HOST JSON "Authorization: Bearer %s\r\n",
                       server->token);
        assert_refused(ask_web(server, "POST", "/api/v1/findings/1", headers, bodies[i]),
                       bodies[i]);
        for (size_t j = 0; j < sizeof types / sizeof *types; j++) {
            (void)snprintf(headers, sizeof headers,
                           GOOD_HOST "Content-Type: %s\r\nAuthorization: Bearer %s\r\n", types[j],
                           server->token);
            assert_refused(ask_web(server, "POST", "/api/v1/findings/1", headers, bodies[i]),
                           types[j]);
        }
    }
}

/* Lines, headers, bodies and counts beyond what is taken. */
static void send_oversized(const web_server *server)
{
    static char text[200000], request[400000];
    for (size_t size = 1000; size < sizeof text; size = size * 3 / 2) {
        memset(text, 'a', size);
        text[size] = '\0';
        static const char *const forms[] = {
            "GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /?q=%s HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: localhost\r\nX-Long: %s\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: %s\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n\r\n",
            "%s / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n%s",
            "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n%s",
            "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
            "99999999999999999999\r\n\r\n%s",
            "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
            "chunked\r\n\r\nfffffffff\r\n%s",
            "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
            "chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n%s"};
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            if (i == 1 && size < 4000) continue; /* a page may have that */
            (void)snprintf(request, sizeof request, forms[i], text);
            const char *answer = ask_bytes(server, request, strlen(request));
            if (i == 1)
                assert_harmless(answer, forms[i]);
            else
                assert_refused(answer, forms[i]);
        }
    }
    for (size_t n = 10; n < 20000; n *= 3) {
        size_t used = (size_t)snprintf(request, sizeof request, "GET /x HTTP/1.1\r\n");
        for (size_t i = 0; i < n && used + 40 < sizeof request; i++)
            used += (size_t)snprintf(request + used, sizeof request - used, "X-%zu: 1\r\n", i);
        (void)snprintf(request + used, sizeof request - used, "\r\n");
        assert_refused(ask_bytes(server, request, strlen(request)), "many headers");
    }
}

/* Changes, cuts and doubles bytes of a request; its size then. */
static size_t damage(pare_random *random, char *request, size_t size)
{
    for (size_t k = 1 + pare_random_below(random, 6); k > 0 && size > 4; k--) {
        size_t at = pare_random_below(random, size);
        switch (pare_random_below(random, 4)) {
        case 0: request[at] = (char)pare_random_below(random, 256); break;
        case 1: request[at] = "\r\n\0 /%?&=:;\"<"[pare_random_below(random, 13)]; break;
        case 2: size = at + 1; break;
        default:
            memmove(request + at, request + at + 1, size - at - 1);
            size--;
            break;
        }
    }
    return size;
}

/* Requests that were right before they were damaged; nobody may get the right to change something,
 * since the token is none.  Many of them never end, and wait for the server's patience together. */
static void send_damaged(const web_server *server, size_t n_batches)
{
    enum { BATCH = 50 };
    static const char *const seeds[] = {
        "GET /api/v1/findings?state=new&limit=5 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "PATCH /api/v1/findings/1 HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
        "Content-Type: application/json\r\nCookie: pare-fuzz-1=0123456789abcdef0123\r\n"
        "Content-Length: 12\r\n\r\n{\"note\":\"x\"}",
        "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
        "0123456789abcdef0123\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n2\r\n1}\r\n"
        "0\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: 127.0.0.1\r\nCookie: a=b; c=d\r\n\r\nGET /jobs HTTP/1.1\r\n"
        "Host: localhost\r\n\r\n"};
    pare_random random;
    pare_random_init(&random, 17);
    while (n_batches--) {
        int fds[BATCH];
        for (size_t i = 0; i < BATCH; i++) {
            char request[2000];
            const char *seed = seeds[i % (sizeof seeds / sizeof *seeds)];
            size_t size = strlen(seed);
            memcpy(request, seed, size);
            fds[i] = connect_web(server);
            send_web(fds[i], request, damage(&random, request, size));
        }
        for (size_t i = 0; i < BATCH; i++) {
            assert_harmless(read_web(fds[i]), "damaged");
            (void)close(fds[i]);
        }
    }
}

static void test_fuzz_web__a_thousand_hostile_requests_change_nothing(void **state)
{
    (void)state;
    web_server server = start_web(impatient_words);
    int64_t before = fingerprint();
    assert_answers(&server);
    size_t descriptors = count_descriptors(server.pid);
    send_paths(&server);
    send_senders(&server);
    send_bodies(&server);
    send_oversized(&server);
    send_damaged(&server, 10);
    assert_true(n_sent > 1000);
    assert_int_equal(fingerprint(), before);
    assert_answers(&server);
    /* The last connections may just be ending. */
    while (count_descriptors(server.pid) > descriptors)
        assert_answers(&server);
    assert_int_equal(stop_web(&server), 0);
}

/* ---- clients that take their time -------------------------------------------------- */

/* The connection ends though the client has not: read gives 0. */
static void assert_ended(int fd)
{
    const char *answer = read_web(fd);
    assert_true(code_of_answer(answer) == 0 || code_of_answer(answer) >= 400);
    (void)close(fd);
}

static void test_fuzz_web__slow_clients_are_ended(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\n",
        "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{\"kind"};
    web_server server = start_web(impatient_words);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        int fd = connect_web(&server);
        send_web(fd, starts[i], strlen(starts[i]));
        assert_ended(fd);
    }
    /* One byte after the other, for as long as they are taken. */
    int fd = connect_web(&server);
    send_web(fd, "GET / HTTP/1.1\r\nX: ", 19);
    struct pollfd end = {.fd = fd, .events = POLLIN};
    while (poll(&end, 1, 20) == 0)
        send_web(fd, "x", 1);
    assert_ended(fd);
    assert_answers(&server);
    assert_int_equal(stop_web(&server), 0);
}

static void test_fuzz_web__too_many_clients_keep_others_out_for_a_while_only(void **state)
{
    (void)state;
    enum { MANY = 100 };
    int fds[MANY];
    web_server server = start_web(impatient_words);
    for (size_t i = 0; i < MANY; i++)
        fds[i] = connect_web(&server);
    /* Until one is answered: the idle ones are ended. */
    while (code_of_answer(ask_web(&server, "GET", "/api/v1", GOOD_HOST, "")) != 200) {
    }
    for (size_t i = 0; i < MANY; i++)
        (void)close(fds[i]);
    assert_answers(&server);
    assert_int_equal(stop_web(&server), 0);
}

/* ---- streams of events ------------------------------------------------------------- */

static int open_stream(const web_server *server, const char *headers)
{
    char request[300];
    int fd = connect_web(server);
    int size = snprintf(request, sizeof request,
                        "GET /api/v1/stream HTTP/1.1\r\n" GOOD_HOST "%s\r\n", headers);
    send_web(fd, request, (size_t)size);
    return fd;
}

/* Reads until `text` has come. */
static void await_text(int fd, const char *text)
{
    static char got[1 << 16];
    size_t used = 0;
    got[0] = '\0';
    while (!strstr(got, text)) {
        ssize_t n = recv(fd, got + used, sizeof got - 1 - used, 0);
        if (n <= 0) fail_msg("ended before %s: %s", text, got);
        used += (size_t)n;
        got[used] = '\0';
    }
}

static void test_fuzz_web__streams_tell_what_another_process_does(void **state)
{
    (void)state;
    char headers[100];
    web_server server = start_web(plain_words);
    int fd = open_stream(&server, "");
    await_text(fd, "text/event-stream");
    pare_store *store = open_store("web.db");
    must(pare_store_edit(store, 1, &(pare_finding_edit){.note = "seen"}, NULL));
    await_text(fd, "event: change");
    must(pare_store_tell(store, "log", 0, 0, "first\nsecond", NULL));
    await_text(fd, "\"text\":\"first\\nsecond\"}\n\n");
    /* One that comes back is told what it has missed. */
    (void)snprintf(headers, sizeof headers, "Last-Event-ID: %lld\r\n",
                   (long long)number_of(store, "SELECT max(id) - 1 FROM event"));
    int second = open_stream(&server, headers);
    await_text(second, "first\\nsecond");
    pare_store_close(store);
    assert_answers(&server);
    assert_int_equal(stop_web(&server), 0);
    (void)read_web(fd);
    (void)close(fd);
    (void)close(second);
}

static void test_fuzz_web__there_are_only_so_many_streams(void **state)
{
    (void)state;
    enum { MANY = 24 };
    int fds[MANY];
    web_server server = start_web(plain_words);
    for (size_t i = 0; i < MANY; i++) {
        fds[i] = open_stream(&server, "");
        await_text(fds[i], "retry:");
    }
    int fd = open_stream(&server, "");
    await_text(fd, "503");
    (void)close(fd);
    /* Who leaves makes room, without anything being sent to it. */
    for (size_t i = 0; i < MANY; i++)
        (void)close(fds[i]);
    char start[16] = "";
    while (strncmp(start, "HTTP/1.1 200", 12) != 0) {
        fd = open_stream(&server, "");
        assert_int_equal(recv(fd, start, 12, MSG_WAITALL), 12);
        (void)close(fd);
    }
    assert_answers(&server);
    assert_int_equal(stop_web(&server), 0);
}

/* ---- the command ------------------------------------------------------------------- */

/* What it says on standard error when it is refused. */
static void assert_fails(const char *const *words, int code, const char *sentence)
{
    const char *argv[MAX_WORDS] = {program_path(), "fuzz", "web"};
    for (size_t i = 0; words[i]; i++)
        argv[i + 3] = words[i];
    assert_int_equal(wait_for_end(start_words(argv, "out", "err")), code);
    char *said = read_text("err");
    if (!strstr(said, sentence)) fail_msg("not said: %s: %s", sentence, said);
    free(said);
}

static void test_fuzz_web__says_what_is_wrong(void **state)
{
    (void)state;
    web_server server = start_web(plain_words);
    char here[40];
    (void)snprintf(here, sizeof here, "127.0.0.1:%u", server.port);
    write_text("short", "abc\n");
    write_text("empty", "");
    assert_fails((const char *[]){"--store", "web.db", "--listen", here, NULL}, 3,
                 "Address already in use");
    assert_fails((const char *[]){"--store", "web.db", "--listen", "0.0.0.0:0", NULL}, 2,
                 "an address that other machines can reach needs a token: --token-file FILE");
    assert_fails((const char *[]){"--store", "web.db", "--listen", "lab.example:80", NULL}, 2,
                 "is not ADDRESS:PORT");
    assert_fails((const char *[]){"--store", "web.db", "--listen", "127.0.0.1", NULL}, 2,
                 "is not ADDRESS:PORT");
    assert_fails((const char *[]){"--store", "web.db", "--token-file", "short", NULL}, 2,
                 "a token consists of 16 to 127 letters");
    assert_fails((const char *[]){"--store", "web.db", "--token-file", "empty", NULL}, 2,
                 "empty contains no token");
    assert_fails((const char *[]){"--store", "web.db", "--token-file", "none", NULL}, 3,
                 "cannot read none");
    assert_fails((const char *[]){"--store", "missing.db", NULL}, 3, "missing.db");
    assert_fails((const char *[]){NULL}, 2, "there is no store here: name one with --store FILE");
    assert_int_equal(stop_web(&server), 0);
}

static void test_fuzz_web__beyond_this_machine_all_needs_the_token(void **state)
{
    (void)state;
    static const char *const words[] = {"--store", "web.db",      "--listen",    "0.0.0.0:0",
                                        "--host",  "lab.example", "--read-only", "--token-file",
                                        "token",   NULL};
    write_text("token", "0123456789abcdef\n");
    web_server server = start_web(words);
    assert_string_equal(server.token, "");
    assert_null(strstr(server.url, "0123456789abcdef"));
    static const char BEARER[] = "Authorization: Bearer 0123456789abcdef\r\n";
    char headers[200];
    assert_int_equal(code_of_answer(ask_web(&server, "GET", "/", GOOD_HOST, "")), 401);
    (void)snprintf(headers, sizeof headers, "Host: lab.example:80\r\n%s", BEARER);
    assert_int_equal(code_of_answer(ask_web(&server, "GET", "/", headers, "")), 200);
    (void)snprintf(headers, sizeof headers, "Host: evil.example\r\n%s", BEARER);
    assert_int_equal(code_of_answer(ask_web(&server, "GET", "/", headers, "")), 403);
    (void)snprintf(headers, sizeof headers, GOOD_HOST "%s", BEARER);
    const char *answer = ask_web(&server, "POST", "/api/v1/jobs/cancel", headers, "");
    assert_int_equal(code_of_answer(answer), 403);
    assert_non_null(strstr(answer, "it was started with --read-only"));
    answer = ask_web(&server, "GET", "/?token=0123456789abcdef", GOOD_HOST, "");
    assert_int_equal(code_of_answer(answer), 303);
    assert_non_null(strstr(answer, "=0123456789abcdef; Path=/; HttpOnly; SameSite=Strict\r\n"));
    assert_non_null(strstr(answer, "Location: /\r\n"));
    assert_int_equal(stop_web(&server), 0);
}

/* Every answer, also one that refuses, has the headers that keep a browser from mischief. */
static void test_fuzz_web__headers_are_on_every_answer(void **state)
{
    (void)state;
    static const char *const uris[] = {"/", "/api/v1", "/nothing", "/%", "/static/main.js"};
    static const char *const headers[] = {
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; ",
        "frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        "X-Frame-Options: DENY",
        "Cache-Control: no-store",
        "Referrer-Policy: no-referrer"};
    web_server server = start_web(plain_words);
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        const char *answer = ask_web(&server, "GET", uris[i], GOOD_HOST, "");
        for (size_t j = 0; j < sizeof headers / sizeof *headers; j++)
            assert_non_null(strstr(answer, headers[j]));
        assert_null(strstr(answer, "unsafe-inline"));
    }
    assert_int_equal(code_of_answer(ask_web(&server, "HEAD", "/", GOOD_HOST, "")), 200);
    assert_int_equal(stop_web(&server), 0);
}

static int set_up(void **state)
{
    if (workplace_setup(state)) return -1;
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
        cmocka_unit_test(test_fuzz_web__a_thousand_hostile_requests_change_nothing),
        cmocka_unit_test(test_fuzz_web__slow_clients_are_ended),
        cmocka_unit_test(test_fuzz_web__too_many_clients_keep_others_out_for_a_while_only),
        cmocka_unit_test(test_fuzz_web__streams_tell_what_another_process_does),
        cmocka_unit_test(test_fuzz_web__there_are_only_so_many_streams),
        cmocka_unit_test(test_fuzz_web__says_what_is_wrong),
        cmocka_unit_test(test_fuzz_web__beyond_this_machine_all_needs_the_token),
        cmocka_unit_test(test_fuzz_web__headers_are_on_every_answer),
    };
    return cmocka_run_group_tests(tests, set_up, workplace_teardown);
}
