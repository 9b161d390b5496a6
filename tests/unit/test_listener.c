/* Listeners: events reach commands in their order, at least once, and failures stay theirs. */
/* tests: src/campaign/listener.c src/campaign/listener_message.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <jansson.h>

#include "campaign/listener.h"
#include "campaign/listener_message.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

#include "unit/support/stored_campaign.h"

enum { LONG_MS = 60000 };

#define TARGET "[target jq]\ncommand = /bin/cat @@\n"

/* Has all that is due delivered. */
static void deliver_all(pare_store *store, const char *text)
{
    pare_listeners *listeners = NULL;
    pare_error err = {0};
    pare_campaign *campaign = campaign_of(text, store->path);
    if (pare_listeners_open(store, campaign, &listeners, &err)) fail_msg("%s", err.message);
    if (pare_listeners_finish(listeners, LONG_MS, NULL, &err)) fail_msg("%s", err.message);
    pare_listeners_close(listeners);
    pare_campaign_free(campaign);
}

static void test_listener__a_command_gets_each_wanted_event_as_json(void **state)
{
    (void)state;
    static const char text[] = TARGET "[listener a]\nevents = new merged\n"
                                      "command = cat >> got.json\n";
    pare_store *store = new_store("json.db");
    add_simple(store, "before", "[0]");
    deliver_all(store, text);
    /* What happened before it was there is not its business. */
    assert_false(pare_file_exists("got.json"));
    add_simple(store, "frame \"a\"", "[1]");
    add_simple(store, "frame \"b\"", "\xff");
    deliver_all(store, text);
    deliver_all(store, text);
    pare_buffer got = {0};
    assert_int_equal(pare_file_read("got.json", &got, NULL), PARE_OK);
    json_error_t error;
    size_t at = 0, n = 0;
    for (json_t *event;
         (event = json_loadb(got.data + at, got.size - at, JSON_DISABLE_EOF_CHECK, &error)) != NULL;
         n++) {
        const json_t *finding = json_object_get(event, "finding");
        assert_string_equal(json_string_value(json_object_get(event, "kind")), "new");
        assert_int_equal(json_integer_value(json_object_get(finding, "id")), 2 + (json_int_t)n);
        assert_string_equal(json_string_value(json_object_get(finding, "identity")),
                            n ? "frame \"b\"" : "frame \"a\"");
        at += (size_t)error.position;
        json_decref(event);
        if (at + 2 >= got.size) {
            n++;
            break;
        }
    }
    assert_int_equal(n, 2);
    pare_buffer_done(&got);
    pare_store_close(store);
}

static void test_listener__targets_and_kinds_are_looked_at(void **state)
{
    (void)state;
    static const char text[] = TARGET "[target other]\ncommand = /bin/cat @@\n"
                                      "[listener a]\nevents = new\ntargets = other\n"
                                      "command = echo got >> targets.txt\n";
    pare_store *store = new_store("targets.db");
    deliver_all(store, text);
    add_simple(store, "a", "[1]");
    pare_failure failure = failure_of("a", "[2]");
    failure.target = "other";
    add_failure(store, &failure);
    const pare_finding_edit edit = {.note = "looked at"};
    assert_int_equal(pare_store_edit(store, 2, &edit, NULL), PARE_OK);
    deliver_all(store, text);
    assert_file_holds("targets.txt", "got\n");
    pare_store_close(store);
}

static void test_listener__its_failure_is_one_log_event(void **state)
{
    (void)state;
    static const char text[] =
        TARGET "[listener a]\nevents = new trouble\ncommand = echo why; echo no host >&2; exit 3\n";
    pare_store *store = new_store("fails.db");
    deliver_all(store, text);
    add_simple(store, "a", "[1]");
    add_simple(store, "b", "[2]");
    deliver_all(store, text);
    assert_int_equal(number_of(store, "SELECT count(*) FROM event WHERE kind = 'log' AND text ="
                                      " 'listener a: exit code 3: no host'"),
                     1);
    assert_int_equal(number_of(store, "SELECT count(*) FROM event WHERE kind = 'trouble'"), 0);
    pare_store_close(store);
}

static void test_listener__who_takes_too_long_is_ended_with_all_it_started(void **state)
{
    (void)state;
    static const char text[] = TARGET "[listener a]\nevents = new\ntimeout = 50ms\ncommand = "
                                      "PARE_TEST=late-listener sh -c 'sleep 1000 & sleep 1000'"
                                      " 9> alive\n";
    pare_store *store = new_store("late.db");
    assert_int_equal(mkfifo("alive", 0600), 0);
    int alive_fd = open("alive", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(alive_fd >= 0);
    deliver_all(store, text);
    add_simple(store, "a", "[1]");
    deliver_all(store, text);
    assert_int_equal(number_of(store, "SELECT count(*) FROM event WHERE kind = 'log' AND text LIKE"
                                      " 'listener a: took longer than 0.05 s%'"),
                     1);
    /* The kernel takes its time to end a killed process: the last one closes the pipe. */
    struct pollfd alive = {.fd = alive_fd};
    assert_int_equal(poll(&alive, 1, LONG_MS), 1);
    assert_true(alive.revents & POLLHUP);
    (void)close(alive_fd);
    assert_false(is_mark_alive("PARE_TEST=late-listener"));
    pare_store_close(store);
}

static void test_listener__an_event_whose_delivery_was_cut_off_comes_again(void **state)
{
    (void)state;
    static const char text[] = TARGET "[listener a]\nevents = new\n"
                                      "command = echo got >> again.txt; cat fifo > /dev/null\n";
    static const char then[] =
        TARGET "[listener a]\nevents = new\ncommand = echo got >> again.txt\n";
    pare_store *store = new_store("again.db");
    pare_listeners *listeners = NULL;
    int timeout_ms = 0, fds[4];
    deliver_all(store, text);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    add_simple(store, "a", "[1]");
    pare_campaign *campaign = campaign_of(text, store->path);
    assert_int_equal(pare_listeners_open(store, campaign, &listeners, NULL), PARE_OK);
    assert_int_equal(pare_listeners_turn(listeners, &timeout_ms, NULL), PARE_OK);
    assert_int_equal(pare_listeners_descriptors(listeners, fds, 4), 1);
    assert_true(timeout_ms > 0);
    /* It is at the pipe, and has written its line, when that can be opened for writing. */
    FILE *pipe = fopen("fifo", "w");
    assert_non_null(pipe);
    pare_listeners_close(listeners);
    (void)fclose(pipe);
    pare_campaign_free(campaign);
    deliver_all(store, then);
    assert_file_holds("again.txt", "got\ngot\n");
    pare_store_close(store);
}

static void test_listener__wrong_sections_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {TARGET "[listener a]\nevents = newest\ncommand = true\n", "unknown event 'newest'"},
        {TARGET "[listener a]\nmail = -oQ/tmp@x\n", "is not a mail address"},
    };
    pare_store *store = new_store("wrong.db");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_listeners *listeners = NULL;
        pare_error err = {0};
        pare_campaign *campaign = campaign_of(cases[i].text, store->path);
        assert_int_equal(pare_listeners_open(store, campaign, &listeners, &err), PARE_E_ARG);
        assert_non_null(strstr(err.message, cases[i].sentence));
        assert_null(listeners);
        pare_campaign_free(campaign);
    }
    pare_store_close(store);
}

/* A sendmail of ours keeps what it gets. */
static void test_listener__mail_goes_through_sendmail_with_safe_headers(void **state)
{
    (void)state;
    static const char text[] = TARGET "[listener a]\nevents = new\nmail = me@example.org\n";
    pare_store *store = new_store("mail.db");
    char path[4096];
    assert_int_equal(mkdir("bin", 0700), 0);
    scratch_script("bin/sendmail", "echo \"$@\" > args.txt; cat > mail.txt");
    const char *before = getenv("PATH");
    (void)snprintf(path, sizeof path, "%s/bin:%s", scratch_dir, before);
    assert_int_equal(setenv("PATH", path, 1), 0);
    deliver_all(store, text);
    pare_failure failure = failure_of("x", "[1]");
    failure.title = "a\r\nBcc: evil@example.org\n\nbody \xc3\xa9";
    add_failure(store, &failure);
    deliver_all(store, text);
    assert_int_equal(setenv("PATH", strchr(path, ':') + 1, 1), 0);
    assert_file_holds("args.txt", "-t -i\n");
    pare_buffer mail = {0};
    assert_int_equal(pare_file_read("mail.txt", &mail, NULL), PARE_OK);
    char *end = strstr(mail.data, "\n\n");
    assert_non_null(end);
    *end = '\0';
    assert_non_null(strstr(mail.data, "To: me@example.org\nSubject: =?UTF-8?B?"));
    assert_null(strstr(mail.data, "Bcc"));
    assert_non_null(strstr(mail.data, "\nMessage-ID: <pare.1."));
    assert_non_null(strstr(mail.data, "\nContent-Transfer-Encoding: base64"));
    pare_buffer_done(&mail);
    pare_store_close(store);
}

static void test_listener__addresses_begin_no_header_and_no_option(void **state)
{
    (void)state;
    static const struct {
        const char *address;
        bool is_one;
    } cases[] = {
        {"a@b.c", true}, {"a@b.c, d@e.f", true}, {"root", true}, {"a@b.c\nBcc: d@e", false},
        {"", false},     {"-oX", false},         {"a b", false}, {"a\x7f@b", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(pare_listener_message_is_address(cases[i].address), cases[i].is_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listener__a_command_gets_each_wanted_event_as_json),
        cmocka_unit_test(test_listener__targets_and_kinds_are_looked_at),
        cmocka_unit_test(test_listener__its_failure_is_one_log_event),
        cmocka_unit_test(test_listener__who_takes_too_long_is_ended_with_all_it_started),
        cmocka_unit_test(test_listener__an_event_whose_delivery_was_cut_off_comes_again),
        cmocka_unit_test(test_listener__wrong_sections_are_refused),
        cmocka_unit_test(test_listener__mail_goes_through_sendmail_with_safe_headers),
        cmocka_unit_test(test_listener__addresses_begin_no_header_and_no_option),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
