/* Messages between a coordinator and its workers: there and back, and damaged ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run/oracle.h"
#include "run/remote/message.h"

static pare_message opened(const pare_buffer *bytes, pare_message_kind kind)
{
    unsigned version;
    pare_message message = pare_message_of(bytes->data, bytes->size);
    assert_int_equal(pare_message_open(&message, &version), kind);
    assert_int_equal(version, PARE_MESSAGE_VERSION);
    return message;
}

static void test_message__numbers_come_back(void **state)
{
    static const uint64_t numbers[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX - 1, UINT64_MAX};
    pare_buffer bytes = {0};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal(pare_message_add_number(&bytes, numbers[i], NULL), PARE_OK);
    pare_message message = pare_message_of(bytes.data, bytes.size);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(pare_message_number(&message) == numbers[i]);
    assert_false(message.is_bad);
    assert_int_equal(pare_message_number(&message), 0);
    assert_true(message.is_bad);
    pare_buffer_done(&bytes);
}

static void test_message__a_number_of_more_than_64_bits_is_bad(void **state)
{
    static const unsigned char bytes[] = {0xff, 0xff, 0xff, 0xff, 0xff,
                                          0xff, 0xff, 0xff, 0xff, 0x02};
    (void)state;
    pare_message message = pare_message_of(bytes, sizeof bytes);
    (void)pare_message_number(&message);
    assert_true(message.is_bad);
}

static void test_message__a_result_comes_back(void **state)
{
    pare_message_result result = {.job = 77,
                                  .worker = UINT64_MAX,
                                  .outcome = PARE_UNRESOLVED,
                                  .start_us = 7654,
                                  .duration_us = 1234567,
                                  .exit_code = -1,
                                  .signal = 9,
                                  .timed_out = true,
                                  .harm = PARE_HARM_KILLED,
                                  .n_left = 3,
                                  .has_output = true,
                                  .output = "first line\n\x1b[1mlast",
                                  .has_signature = true,
                                  .signature = "SIGSEGV in f",
                                  .acknowledge = "$JS.ACK.x"};
    pare_message_result back;
    pare_buffer bytes = {0};
    (void)state;
    assert_int_equal(pare_message_write_result(&bytes, &result, NULL), PARE_OK);
    pare_message message = opened(&bytes, PARE_MESSAGE_RESULT);
    assert_true(pare_message_read_result(&message, &back));
    assert_int_equal(back.job, 77);
    assert_true(back.worker == UINT64_MAX);
    assert_int_equal(back.outcome, PARE_UNRESOLVED);
    assert_int_equal(back.start_us, 7654);
    assert_int_equal(back.duration_us, 1234567);
    assert_int_equal(back.exit_code, -1);
    assert_int_equal(back.signal, 9);
    assert_true(back.timed_out);
    assert_int_equal(back.harm, PARE_HARM_KILLED);
    assert_int_equal(back.n_left, 3);
    assert_true(back.has_output);
    assert_string_equal(back.output, result.output); /* as a target printed it */
    assert_true(back.has_signature);
    assert_false(back.has_why);
    assert_string_equal(back.signature, "SIGSEGV in f");
    assert_string_equal(back.acknowledge, "$JS.ACK.x");
    pare_buffer_done(&bytes);
}

static void test_message__a_job_comes_back(void **state)
{
    const pare_message_job job = {.number = 5,
                                  .base = {1, 2},
                                  .candidate = {3, 4},
                                  .size = 1000,
                                  .edits = {(const unsigned char *)"edits", 5}};
    pare_message_job back;
    pare_buffer bytes = {0};
    (void)state;
    assert_int_equal(pare_message_write_job(&bytes, &job, NULL), PARE_OK);
    assert_in_range(bytes.size, 1, 64);
    pare_message message = opened(&bytes, PARE_MESSAGE_JOB);
    assert_true(pare_message_read_job(&message, &back));
    assert_int_equal(back.number, 5);
    assert_true(pare_digest_equal(back.base, job.base));
    assert_true(pare_digest_equal(back.candidate, job.candidate));
    assert_int_equal(back.size, 1000);
    assert_int_equal(back.edits.size, 5);
    assert_memory_equal(back.edits.bytes, "edits", 5);
    pare_buffer_done(&bytes);
}

/* Every prefix of a message is refused, and nothing behind its end is read (by sanitizers). */
static void test_message__a_message_that_is_cut_is_bad(void **state)
{
    const pare_message_hello hello = {.run = 1,
                                      .id = 2,
                                      .state = PARE_WORKER_READY,
                                      .n_slots = 8,
                                      .name = "n",
                                      .why = "because",
                                      .n_runs = 2,
                                      .runs = {{.run = 5}, {.run = 6, .n_tests = 300}}};
    pare_message_hello back;
    pare_buffer bytes = {0};
    (void)state;
    assert_int_equal(pare_message_write_hello(&bytes, &hello, NULL), PARE_OK);
    for (size_t size = 0; size < bytes.size; size++) {
        unsigned version;
        pare_message message = pare_message_of(bytes.data, size);
        if (pare_message_open(&message, &version) == PARE_MESSAGE_HELLO)
            assert_false(pare_message_read_hello(&message, &back));
    }
    pare_message message = opened(&bytes, PARE_MESSAGE_HELLO);
    assert_true(pare_message_read_hello(&message, &back));
    assert_int_equal(back.n_slots, 8);
    assert_int_equal(back.n_runs, 2);
    assert_int_equal(back.runs[1].n_tests, 300);
    pare_buffer_done(&bytes);
}

static void test_message__another_version_is_told(void **state)
{
    static const unsigned char bytes[] = {PARE_MESSAGE_VERSION + 1, PARE_MESSAGE_CALL};
    unsigned version;
    (void)state;
    pare_message message = pare_message_of(bytes, sizeof bytes);
    assert_int_equal(pare_message_open(&message, &version), 0);
    assert_int_equal(version, PARE_MESSAGE_VERSION + 1);
}

static void test_message__texts_hold_nothing_that_a_terminal_obeys(void **state)
{
    pare_buffer bytes = {0};
    char text[8];
    (void)state;
    assert_int_equal(pare_message_add_text(&bytes, "a\x1b[2J\nlonger", NULL), PARE_OK);
    pare_message message = pare_message_of(bytes.data, bytes.size);
    pare_message_text(&message, text, sizeof text);
    assert_string_equal(text, "a?[2J?l");
    /* U+009B is Escape and '['; a letter of two bytes that begins the same is one. */
    pare_buffer_reset(&bytes);
    assert_int_equal(pare_message_add_text(&bytes, "\xc2\x9bK\xc2\xb5", NULL), PARE_OK);
    message = pare_message_of(bytes.data, bytes.size);
    pare_message_text(&message, text, sizeof text);
    assert_string_equal(text, "??K\xc2\xb5");
    pare_buffer_done(&bytes);
}

static void test_message__names_of_files_are_one_part_of_a_path(void **state)
{
    static const char *const good[] = {"a", "test.sh", "...", "a b", "-x", ".hidden"};
    static const char *const bad[] = {"", ".", "..", "a/b", "/etc/passwd", "../x", "a\nb"};
    char longest[300];
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(pare_message_is_file_name(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(pare_message_is_file_name(bad[i]));
    memset(longest, 'x', sizeof longest);
    longest[255] = '\0';
    assert_true(pare_message_is_file_name(longest));
    longest[255] = 'x', longest[256] = '\0';
    assert_false(pare_message_is_file_name(longest));
}

/* Otherwise whoever may call could make workers send to any subject of the server. */
static void test_message__answers_go_to_inboxes_alone(void **state)
{
    static const struct {
        const char *inbox;
        bool is_good;
    } cases[] = {{"", true},
                 {"_INBOX.pare0123456789abcdef.h", true},
                 {"$JS.API.STREAM.DELETE.PARE_main_JOB", false},
                 {"pare.main.call", false},
                 {"_INBOX.a b", false},
                 {"_INBOX.>", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer bytes = {0};
        unsigned version;
        pare_message_call call = {.run = 1}, back;
        (void)snprintf(call.inbox, sizeof call.inbox, "%s", cases[i].inbox);
        assert_int_equal(pare_message_write_call(&bytes, PARE_MESSAGE_CALL, &call, NULL), PARE_OK);
        pare_message message = pare_message_of(bytes.data, bytes.size);
        assert_int_equal(pare_message_open(&message, &version), PARE_MESSAGE_CALL);
        assert_int_equal(pare_message_read_call(&message, &back), cases[i].is_good);
        assert_string_equal(back.inbox, cases[i].is_good ? cases[i].inbox : "");
        pare_buffer_done(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message__numbers_come_back),
        cmocka_unit_test(test_message__a_number_of_more_than_64_bits_is_bad),
        cmocka_unit_test(test_message__a_result_comes_back),
        cmocka_unit_test(test_message__a_job_comes_back),
        cmocka_unit_test(test_message__a_message_that_is_cut_is_bad),
        cmocka_unit_test(test_message__another_version_is_told),
        cmocka_unit_test(test_message__texts_hold_nothing_that_a_terminal_obeys),
        cmocka_unit_test(test_message__names_of_files_are_one_part_of_a_path),
        cmocka_unit_test(test_message__answers_go_to_inboxes_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
