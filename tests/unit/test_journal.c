/* The journal on disk. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "engine/journal.h"

static const pare_journal_key KEY = {.test = {1, 2}, .input = {3, 4}};

struct place {
    char root[64], dir[128], file[192];
};

static struct place make_place(void)
{
    struct place place;
    (void)snprintf(place.root, sizeof place.root, "/tmp/pare-journal-XXXXXX");
    assert_non_null(mkdtemp(place.root));
    (void)snprintf(place.dir, sizeof place.dir, "%s/a/b", place.root);
    (void)snprintf(place.file, sizeof place.file, "%s/journal", place.dir);
    return place;
}

static void remove_place(const struct place *place)
{
    char above[128];
    (void)snprintf(above, sizeof above, "%s/a", place->root);
    (void)unlink(place->file);
    (void)rmdir(place->dir);
    (void)rmdir(above);
    assert_int_equal(rmdir(place->root), 0);
}

static pare_journal *open_journal(const struct place *place, const pare_journal_key *key,
                                  pare_journal_found expected)
{
    pare_journal *journal = NULL;
    pare_journal_found found;
    assert_int_equal(pare_journal_open(place->dir, key, PARE_SYNC_SECOND, &journal, &found, NULL),
                     PARE_OK);
    assert_int_equal(found, expected);
    return journal;
}

static pare_journal_record outcome_record(uint64_t i)
{
    return (pare_journal_record){.kind = PARE_JOURNAL_OUTCOME,
                                 .outcome = (pare_outcome)(1 + i % 3),
                                 .ms = (float)i / 4,
                                 .digest = {i * 77, ~i},
                                 .size_bytes = i * 1000};
}

static void add(pare_journal *journal, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        pare_journal_record record = outcome_record(i);
        assert_int_equal(pare_journal_add(journal, &record, NULL), PARE_OK);
    }
}

static void assert_holds(pare_journal *journal, uint64_t n)
{
    pare_journal_record record;
    for (uint64_t i = 0; i < n; i++) {
        pare_journal_record expected = outcome_record(i);
        assert_true(pare_journal_next(journal, &record));
        assert_int_equal(record.kind, expected.kind);
        assert_int_equal(record.outcome, expected.outcome);
        assert_true(record.ms == expected.ms);
        assert_true(pare_digest_equal(record.digest, expected.digest));
        assert_int_equal(record.size_bytes, expected.size_bytes);
    }
    assert_false(pare_journal_next(journal, &record));
}

static void test_journal__gives_back_what_was_added(void **state)
{
    (void)state;
    struct place place = make_place();
    pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
    add(journal, 0, 100);
    pare_journal_close(journal);
    journal = open_journal(&place, &KEY, PARE_JOURNAL_RESUMED);
    assert_holds(journal, 100);
    add(journal, 100, 150);
    pare_journal_close(journal);
    journal = open_journal(&place, &KEY, PARE_JOURNAL_RESUMED);
    assert_holds(journal, 150);
    assert_int_equal(pare_journal_remove(journal, NULL), PARE_OK);
    assert_int_not_equal(access(place.dir, F_OK), 0);
    remove_place(&place);
}

static void test_journal__survives_a_cut_at_every_byte(void **state)
{
    (void)state;
    struct place place = make_place();
    enum { N = 5 };
    for (off_t size = 0; size < PARE_JOURNAL_HEADER_BYTES + N * PARE_JOURNAL_RECORD_BYTES; size++) {
        (void)unlink(place.file);
        pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
        add(journal, 0, N);
        pare_journal_close(journal);
        assert_int_equal(truncate(place.file, size), 0);
        bool header = size >= PARE_JOURNAL_HEADER_BYTES;
        journal = open_journal(&place, &KEY,
                               size == 0 ? PARE_JOURNAL_NEW
                               : header  ? PARE_JOURNAL_RESUMED
                                         : PARE_JOURNAL_DAMAGED);
        uint64_t whole =
            header ? (uint64_t)(size - PARE_JOURNAL_HEADER_BYTES) / PARE_JOURNAL_RECORD_BYTES : 0;
        assert_holds(journal, whole);
        add(journal, whole, N); /* what is appended is found behind what was whole */
        pare_journal_close(journal);
        journal = open_journal(&place, &KEY, PARE_JOURNAL_RESUMED);
        assert_holds(journal, N);
        pare_journal_close(journal);
    }
    remove_place(&place);
}

static void test_journal__stops_at_a_flipped_bit(void **state)
{
    (void)state;
    struct place place = make_place();
    for (off_t at = PARE_JOURNAL_HEADER_BYTES;
         at < PARE_JOURNAL_HEADER_BYTES + 3 * PARE_JOURNAL_RECORD_BYTES; at += 3) {
        (void)unlink(place.file);
        pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
        add(journal, 0, 4);
        pare_journal_close(journal);
        int fd = open(place.file, O_RDWR);
        unsigned char byte;
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= 0x10;
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        close(fd);
        journal = open_journal(&place, &KEY, PARE_JOURNAL_RESUMED);
        assert_holds(journal,
                     (uint64_t)(at - PARE_JOURNAL_HEADER_BYTES) / PARE_JOURNAL_RECORD_BYTES);
        pare_journal_close(journal);
    }
    remove_place(&place);
}

static void test_journal__starts_over_for_another_test_or_input(void **state)
{
    (void)state;
    struct place place = make_place();
    pare_journal_key other_test = KEY, other_input = KEY;
    other_test.test.low++;
    other_input.input.high++;
    pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
    add(journal, 0, 3);
    pare_journal_close(journal);
    journal = open_journal(&place, &other_test, PARE_JOURNAL_OTHER_TEST);
    assert_holds(journal, 0);
    pare_journal_close(journal);
    journal = open_journal(&place, &other_input, PARE_JOURNAL_OTHER_INPUT);
    assert_holds(journal, 0);
    pare_journal_close(journal);
    remove_place(&place);
}

static void test_journal__is_for_one_process_at_a_time(void **state)
{
    (void)state;
    struct place place = make_place();
    pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
    pare_journal *second = NULL;
    pare_journal_found found;
    pare_error err = {.status = PARE_OK};
    assert_int_equal(pare_journal_open(place.dir, &KEY, PARE_SYNC_SECOND, &second, &found, &err),
                     PARE_E_BUSY);
    assert_non_null(strstr(err.message, "in use"));
    assert_null(second);
    pare_journal_close(journal);
    remove_place(&place);
}

/* A child that was being started when we were killed holds a copy of the descriptor
 * until it executes its program. */
static void test_journal__waits_for_the_last_copy_of_a_killed_process(void **state)
{
    (void)state;
    struct place place = make_place();
    pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        const struct timespec moment = {.tv_nsec = 50000000};
        (void)nanosleep(&moment, NULL);
        _exit(0);
    }
    pare_journal_close(journal);
    pare_journal_close(open_journal(&place, &KEY, PARE_JOURNAL_RESUMED));
    assert_int_equal(waitpid(child, NULL, 0), child);
    remove_place(&place);
}

static void test_journal__keeps_the_learnt_time_out(void **state)
{
    (void)state;
    struct place place = make_place();
    pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
    assert_int_equal(pare_journal_timeout_ms(journal), 0);
    for (uint64_t ms = 1000; ms <= 3000; ms += 1000) {
        pare_journal_record record = {.kind = PARE_JOURNAL_TIMEOUT, .timeout_ms = ms};
        assert_int_equal(pare_journal_add(journal, &record, NULL), PARE_OK);
    }
    pare_journal_close(journal);
    journal = open_journal(&place, &KEY, PARE_JOURNAL_RESUMED);
    assert_int_equal(pare_journal_timeout_ms(journal), 3000);
    pare_journal_close(journal);
    remove_place(&place);
}

static void test_journal__keeps_the_rate_and_what_was_taken_back(void **state)
{
    (void)state;
    struct place place = make_place();
    pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
    assert_int_equal(pare_journal_rate(journal).runs, 0);
    assert_int_equal(pare_journal_restored(journal), 0);
    const pare_journal_record records[] = {
        {.kind = PARE_JOURNAL_RATE, .rate = {3, 4}, .fixed_addresses = true},
        {.kind = PARE_JOURNAL_RESTORED, .digest = {.high = 5, .low = 6}, .size_bytes = 7},
        {.kind = PARE_JOURNAL_RATE, .rate = {30, 40}, .one_at_a_time = true},
        {.kind = PARE_JOURNAL_RESTORED, .digest = {.high = 8, .low = 9}, .size_bytes = 10}};
    for (size_t k = 0; k < sizeof records / sizeof *records; k++)
        assert_int_equal(pare_journal_add(journal, &records[k], NULL), PARE_OK);
    pare_journal_close(journal);
    journal = open_journal(&place, &KEY, PARE_JOURNAL_RESUMED);
    assert_int_equal(pare_journal_rate(journal).fails, 30);
    assert_int_equal(pare_journal_rate(journal).runs, 40);
    assert_true(pare_journal_one_at_a_time(journal));
    assert_false(pare_journal_fixed_addresses(journal));
    assert_int_equal(pare_journal_restored(journal), 2);
    for (size_t k = 0; k < sizeof records / sizeof *records; k++) {
        pare_journal_record record;
        assert_true(pare_journal_next(journal, &record));
        assert_int_equal(record.kind, records[k].kind);
        assert_true(pare_digest_equal(record.digest, records[k].digest));
        assert_int_equal(record.size_bytes, records[k].size_bytes);
    }
    pare_journal_close(journal);
    remove_place(&place);
}

static void test_journal__says_where_it_cannot_be(void **state)
{
    (void)state;
    pare_journal *journal = NULL;
    pare_journal_found found;
    pare_error err = {.status = PARE_OK};
    assert_int_equal(
        pare_journal_open("/proc/none/of/it", &KEY, PARE_SYNC_SECOND, &journal, &found, &err),
        PARE_E_IO);
    assert_non_null(strstr(err.message, "/proc/none"));
    assert_null(journal);
}

static void test_journal__out_of_memory_is_clean(void **state)
{
    (void)state;
    struct place place = make_place();
    pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
    add(journal, 0, 3);
    pare_journal_close(journal);
    long live = pare_alloc_live();
    for (size_t n = 0;; n++) {
        pare_journal_found found;
        journal = NULL;
        pare_alloc_fault_after(n);
        pare_status status =
            pare_journal_open(place.dir, &KEY, PARE_SYNC_SECOND, &journal, &found, NULL);
        bool hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        if (hit) {
            assert_int_equal(status, PARE_E_NOMEM);
            assert_null(journal);
            continue;
        }
        assert_holds(journal, 3);
        pare_journal_close(journal);
        break;
    }
    assert_int_equal(pare_alloc_live(), live);
    remove_place(&place);
}

static void test_journal__keeps_the_step_that_was_gone_back_to(void **state)
{
    (void)state;
    struct place place = make_place();
    pare_journal *journal = open_journal(&place, &KEY, PARE_JOURNAL_NEW);
    for (uint64_t step = 3; step < 5; step++)
        assert_int_equal(pare_journal_add(journal,
                                          &(pare_journal_record){.kind = PARE_JOURNAL_FROM_STEP,
                                                                 .size_bytes = step},
                                          NULL),
                         PARE_OK);
    assert_int_equal(pare_journal_from_step(journal), 0); /* as it was found */
    pare_journal_close(journal);
    journal = open_journal(&place, &KEY, PARE_JOURNAL_RESUMED);
    assert_int_equal(pare_journal_from_step(journal), 4);
    pare_journal_record record;
    assert_true(pare_journal_next(journal, &record));
    assert_int_equal(record.kind, PARE_JOURNAL_FROM_STEP);
    assert_int_equal(record.size_bytes, 3);
    pare_journal_close(journal);
    remove_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_journal__gives_back_what_was_added),
        cmocka_unit_test(test_journal__survives_a_cut_at_every_byte),
        cmocka_unit_test(test_journal__stops_at_a_flipped_bit),
        cmocka_unit_test(test_journal__starts_over_for_another_test_or_input),
        cmocka_unit_test(test_journal__is_for_one_process_at_a_time),
        cmocka_unit_test(test_journal__waits_for_the_last_copy_of_a_killed_process),
        cmocka_unit_test(test_journal__keeps_the_learnt_time_out),
        cmocka_unit_test(test_journal__keeps_the_rate_and_what_was_taken_back),
        cmocka_unit_test(test_journal__keeps_the_step_that_was_gone_back_to),
        cmocka_unit_test(test_journal__says_where_it_cannot_be),
        cmocka_unit_test(test_journal__out_of_memory_is_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
