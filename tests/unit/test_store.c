/* The store's file: what it refuses, transactions, contents, events, and that neither a kill, a full
 * disk, a lock nor damage loses what was committed. */
/* tests: src/campaign/store_open.c */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "campaign/statistic.h"
#include "os/descriptor.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

static void assert_refused(const char *path, bool create, pare_status wanted, const char *sentence)
{
    pare_error err = {0};
    pare_store *store = NULL;
    assert_int_equal(pare_store_open(path, create, &store, &err), wanted);
    assert_null(store);
    if (!strstr(err.message, sentence)) fail_msg("'%s' is not in '%s'", sentence, err.message);
}

/* --- opening ------------------------------------------------------------------------------------ */

static void test_store__what_is_no_store_is_refused_and_left_alone(void **state)
{
    (void)state;
    assert_refused("missing.db", false, PARE_E_IO, "No such file");
    assert_refused("no/folder.db", true, PARE_E_IO, "cannot open");
    assert_refused(".", true, PARE_E_IO, "cannot open");
    scratch_write("text.db",
                  "this is a text, and no database at all, however long it may be, which"
                  " it has to be for its first page to be looked at by anybody",
                  0644);
    assert_refused("text.db", true, PARE_E_CORRUPT, "text.db is not a store of pare");
    scratch_write("empty.db", "", 0644);
    assert_refused("empty.db", false, PARE_E_CORRUPT, "is not a store");
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open("other.db", &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "CREATE TABLE t(x)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_refused("other.db", true, PARE_E_CORRUPT, "is not a store");
    assert_false(pare_file_exists("other.db-wal"));
}

static void test_store__one_of_a_later_version_is_refused(void **state)
{
    (void)state;
    pare_store *store = new_store("later.db");
    assert_int_equal(pare_store_execute(store, "PRAGMA user_version=99", NULL), PARE_OK);
    pare_store_close(store);
    assert_refused("later.db", true, PARE_E_UNSUPPORTED, "a later version of pare (schema 99");
}

/* Each waits for the others some seconds only, which on a machine that is busy enough all do in vain. */
static pare_status make_in_a_crowd(void)
{
    pare_store *store = NULL;
    pare_status status = PARE_E_BUSY;
    while (status == PARE_E_BUSY) {
        status = store ? PARE_OK : pare_store_open("race.db", true, &store, NULL);
        if (!status) status = pare_store_put_fact(store, "x", "1", NULL);
    }
    pare_store_close(store);
    return status;
}

static void test_store__many_may_make_it_at_once(void **state)
{
    (void)state;
    enum { N = 16 };
    pid_t children[N];
    for (size_t i = 0; i < N; i++) {
        children[i] = fork();
        if (children[i]) continue;
        _exit(make_in_a_crowd());
    }
    for (size_t i = 0; i < N; i++) {
        int ended = -1;
        assert_int_equal(waitpid(children[i], &ended, 0), children[i]);
        assert_int_equal(ended, 0);
    }
}

static void test_store__damage_is_said_and_never_crashes(void **state)
{
    (void)state;
    pare_buffer sound = {0};
    pare_store *store = new_store("damage.db");
    for (int i = 0; i < 40; i++) {
        char identity[24];
        (void)snprintf(identity, sizeof identity, "finding %d", i);
        add_simple(store, identity, identity);
    }
    pare_store_close(store);
    assert_int_equal(pare_file_read("damage.db", &sound, NULL), PARE_OK);
    unsigned n_corrupt = 0;
    for (size_t at = 100; at < sound.size; at += 1021) {
        char bytes[64];
        memset(bytes, 0xa5, sizeof bytes);
        char *whole = pare_alloc_text(sound.data, sound.size);
        const size_t n = sound.size - at < sizeof bytes ? sound.size - at : sizeof bytes;
        memcpy(whole + at, bytes, n);
        assert_int_equal(pare_file_write_bytes("damaged.db", whole, sound.size, NULL), PARE_OK);
        pare_alloc_free(whole);
        pare_error err = {0};
        pare_store *opened = NULL;
        uint64_t count = 0;
        const pare_finding_filter filter = {.search = "finding"};
        pare_status status = pare_store_open("damaged.db", false, &opened, &err);
        if (!status) status = pare_store_count_findings(opened, &filter, &count, &err);
        if (!status) {
            const pare_failure failure = failure_of("another", "another");
            pare_failure_added added;
            status = pare_finding_add(opened, &failure, &added, &err);
        }
        assert_true(status == PARE_OK || status == PARE_E_CORRUPT);
        if (status) assert_non_null(strstr(err.message, "damaged.db"));
        n_corrupt += status == PARE_E_CORRUPT;
        pare_store_close(opened);
        (void)unlink("damaged.db-wal");
        (void)unlink("damaged.db-shm");
    }
    assert_true(n_corrupt > 3);
    pare_buffer_done(&sound);
}

static void test_store__who_waits_too_long_is_told_that_it_is_locked(void **state)
{
    (void)state;
    pare_store *store = new_store("locked.db"), *other = open_store("locked.db");
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    other->patience = (pare_store_patience){.is_patient = true, .give_up_ms = 1};
    pare_error err = {0};
    assert_int_equal(pare_store_put_fact(other, "x", "1", &err), PARE_E_BUSY);
    assert_non_null(strstr(err.message, "locked.db is locked by another process"));
    uint64_t n = 1;
    assert_int_equal(pare_store_count_findings(other, NULL, &n, NULL), PARE_OK); /* readers go on */
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    assert_int_equal(pare_store_put_fact(other, "x", "1", NULL), PARE_OK);
    pare_store_close(store);
    pare_store_close(other);
}

/* What happens when a wait has become long. */
struct release {
    pare_store *holder; /* its transaction ends; NULL: it does not */
    const char *remove; /* a file; NULL: none */
    unsigned n;
};

static void release(void *context)
{
    struct release *self = context;
    self->n++;
    if (self->holder) assert_int_equal(pare_store_end(self->holder, PARE_OK, NULL), PARE_OK);
    if (self->remove) assert_int_equal(unlink(self->remove), 0);
}

static void test_store__a_store_that_a_campaign_no_longer_finds_is_gone(void **state)
{
    (void)state;
    pare_store *store = NULL;
    pare_error err = {0};
    const pare_store_patience patience = {.is_patient = true};
    assert_int_equal(pare_store_open_patient("never.db", false, &patience, &store, &err),
                     PARE_E_IO);
    assert_non_null(strstr(err.message, "never.db no longer exists"));
    pare_fail_clear(&err);
    assert_int_not_equal(pare_store_open("never.db", false, &store, &err), PARE_OK);
    assert_non_null(strstr(err.message, "cannot open"));
}

static void test_store__who_is_patient_waits_until_the_lock_is_free(void **state)
{
    (void)state;
    pare_store *store = new_store("patient.db"), *other = NULL;
    struct release self = {.holder = store};
    const pare_store_patience patience = {.is_patient = true, .tell = release, .context = &self};
    assert_int_equal(pare_store_open_patient("patient.db", false, &patience, &other, NULL),
                     PARE_OK);
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    assert_int_equal(pare_store_put_fact(other, "x", "1", NULL), PARE_OK);
    assert_int_equal(self.n, 1); /* told once */
    pare_store_close(store);
    pare_store_close(other);
}

static void test_store__a_wait_ends_with_the_file_and_with_a_stop(void **state)
{
    (void)state;
    pare_store *store = new_store("wait.db"), *other = NULL;
    struct release self = {.remove = "wait.db"};
    pare_stop *stop = NULL;
    pare_error err = {0};
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    const pare_store_patience patience = {
        .is_patient = true, .stop = stop, .tell = release, .context = &self};
    assert_int_equal(pare_store_open_patient("wait.db", false, &patience, &other, NULL), PARE_OK);
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    pare_stop_request(stop);
    assert_false(pare_store_is_gone(other));
    assert_int_equal(pare_store_put_fact(other, "x", "1", &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "wait.db no longer exists"));
    assert_int_equal(link("damaged.db", "wait.db"), 0); /* another file in its place */
    assert_true(pare_store_is_gone(other));
    assert_int_equal(unlink("wait.db"), 0);
    assert_int_equal(pare_store_end(store, PARE_E_STATE, NULL), PARE_E_STATE);
    pare_store_close(store);
    pare_store_close(other);

    other = NULL;
    store = new_store("wait.db");
    assert_int_equal(pare_store_open_patient("wait.db", false, &patience, &other, NULL), PARE_OK);
    self = (struct release){.n = 0};
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    pare_fail_clear(&err);
    assert_int_equal(pare_store_put_fact(other, "x", "1", &err), PARE_E_INTERRUPTED);
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    pare_store_close(store);
    pare_store_close(other);
    pare_stop_free(stop);
}

/* --- transactions ------------------------------------------------------------------------------- */

static void test_store__an_inner_part_is_taken_back_alone(void **state)
{
    (void)state;
    pare_store *store = new_store("parts.db");
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    assert_int_equal(pare_store_put_fact(store, "kept", "1", NULL), PARE_OK);
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    assert_int_equal(pare_store_put_fact(store, "gone", "1", NULL), PARE_OK);
    assert_int_equal(pare_store_end(store, PARE_E_STATE, NULL), PARE_E_STATE);
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    char *value = NULL;
    assert_int_equal(pare_store_get_fact(store, "gone", &value, NULL), PARE_OK);
    assert_null(value);
    assert_int_equal(pare_store_get_fact(store, "kept", &value, NULL), PARE_OK);
    assert_string_equal(value, "1");
    pare_alloc_free(value);
    pare_store_close(store);
}

static void test_store__others_see_a_change_and_a_byte_tells_of_it(void **state)
{
    (void)state;
    pare_store *store = new_store("wake.db"), *other = open_store("wake.db");
    int ends[2];
    uint64_t before = 0, after = 0;
    assert_int_equal(pare_descriptor_pipe(0, ends, "a pipe", NULL), PARE_OK);
    store->wake_fd = ends[1];
    assert_int_equal(pare_store_version(other, &before, NULL), PARE_OK);
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    assert_false(pare_descriptor_await(ends[0], 0));
    assert_int_equal(pare_store_put_fact(store, "x", "1", NULL), PARE_OK);
    assert_true(pare_descriptor_await(ends[0], 0));
    assert_int_equal(pare_store_version(other, &after, NULL), PARE_OK);
    assert_true(before != after);
    pare_store_close(store);
    pare_store_close(other);
    pare_descriptor_close(&ends[0]);
    pare_descriptor_close(&ends[1]);
}

/* Adds failures in transactions, each with the position that says how many there are. */
static void write_for_ever(void)
{
    pare_store *store = NULL;
    if (pare_store_open("kill.db", true, &store, NULL)) _exit(1);
    for (;;) {
        char *position = NULL, text[32];
        if (pare_store_begin(store, NULL) ||
            pare_statistic_get_position(store, "s", "jq", 1, &position, NULL))
            _exit(1);
        const int n = atoi(position) + 1;
        pare_alloc_free(position);
        (void)snprintf(text, sizeof text, "%d", n);
        const pare_failure failure = failure_of(n % 2 ? "odd" : "even", text);
        pare_failure_added added;
        pare_status status = pare_finding_add(store, &failure, &added, NULL);
        if (!status) status = pare_statistic_set_position(store, "s", "jq", 1, text, NULL);
        if (pare_store_end(store, status, NULL)) _exit(1);
    }
}

static void test_store__kills_in_the_middle_of_writers_lose_and_double_nothing(void **state)
{
    (void)state;
    pare_store *store = new_store("kill.db");
    int64_t before = 0;
    for (int round = 0; round < 20; round++) {
        pid_t writers[2];
        uint64_t version = 0, now = 0;
        assert_int_equal(pare_store_version(store, &version, NULL), PARE_OK);
        for (size_t i = 0; i < 2; i++) {
            writers[i] = fork();
            if (!writers[i]) write_for_ever();
        }
        do { /* until somebody has written, and then somewhere in what is written next */
            assert_int_equal(pare_store_version(store, &now, NULL), PARE_OK);
        } while (now == version);
        for (int i = 0; i < round * 300; i++)
            (void)getppid();
        for (size_t i = 0; i < 2; i++) {
            (void)kill(writers[i], SIGKILL);
            int ended = 0;
            assert_int_equal(waitpid(writers[i], &ended, 0), writers[i]);
            assert_true(WIFSIGNALED(ended));
        }
        const int64_t count = number_of(store, "SELECT total(count) FROM finding");
        assert_int_equal(count, number_of(store, "SELECT CAST(position AS INTEGER) FROM stream"));
        assert_true(count > before);
        before = count;
    }
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 2);
    sqlite3_stmt *row = NULL;
    bool has_row = false;
    assert_int_equal(pare_store_prepare(store, "PRAGMA integrity_check", &row, NULL, ""), PARE_OK);
    assert_int_equal(pare_store_step(store, row, &has_row, NULL), PARE_OK);
    assert_string_equal(pare_store_text_at(row, 0), "ok");
    sqlite3_finalize(row);
    pare_store_close(store);
}

/* A limit of this process stands for a disk that is full: the same calls fail. */
static void test_store__a_full_disk_is_said_and_leaves_what_was_there(void **state)
{
    (void)state;
    pare_store *store = new_store("full.db");
    add_simple(store, "a", "aaa");
    struct rlimit before, small = {0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 400000;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    char *large = pare_alloc(1 << 20, 1);
    assert_non_null(large);
    memset(large, 'x', 1 << 20);
    pare_failure failure = failure_of("b", "");
    failure.bytes = large;
    failure.size = 1 << 20;
    pare_failure_added added;
    pare_error err = {0};
    pare_status status = pare_finding_add(store, &failure, &added, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, PARE_E_IO);
    assert_non_null(strstr(err.message, "full.db"));
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 1);
    assert_true(add_failure(store, &failure).is_new);
    pare_alloc_free(large);
    pare_store_close(store);
}

/* A real one where this process may mount one; elsewhere the limit above has shown it. */
static void test_store__a_disk_without_room_is_called_full(void **state)
{
    (void)state;
    assert_int_equal(mkdir("disk", 0755), 0);
    if (system("mount -t tmpfs -o size=1m pare-test disk 2>/dev/null") != 0) skip();
    pare_store *store = open_store("disk/full.db");
    pare_error err = {0};
    pare_status status = PARE_OK;
    char text[4096] = "";
    for (unsigned i = 0; i < 1000 && !status; i++) {
        (void)snprintf(text, sizeof text, "%04000u", i);
        char digest[PARE_DIGEST_TEXT_BYTES];
        status = pare_store_put(store, text, sizeof text, digest, &err);
    }
    const int64_t n = number_of(store, "SELECT count(*) FROM content");
    pare_store_close(store);
    const int unmounted = system("umount disk");
    assert_int_equal(status, PARE_E_IO);
    assert_non_null(strstr(err.message, "full.db: the disk is full"));
    assert_true(n > 10);
    assert_int_equal(unmounted, 0);
}

/* --- contents, events --------------------------------------------------------------------------- */

static void test_store__a_content_is_kept_once_and_dropped_when_nothing_names_it(void **state)
{
    (void)state;
    pare_store *store = new_store("content.db");
    char a[PARE_DIGEST_TEXT_BYTES], b[PARE_DIGEST_TEXT_BYTES];
    static const char bytes[] = "zero\0inside";
    assert_int_equal(pare_store_put(store, bytes, sizeof bytes, a, NULL), PARE_OK);
    assert_int_equal(pare_store_put(store, bytes, sizeof bytes, b, NULL), PARE_OK);
    assert_string_equal(a, b);
    assert_int_equal(number_of(store, "SELECT count(*) FROM content"), 1);
    unsigned char *found = NULL;
    size_t size = 0;
    assert_int_equal(pare_store_content(store, a, &found, &size, NULL), PARE_OK);
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(found, bytes, size);
    pare_alloc_free(found);
    assert_int_equal(pare_store_put(store, "", 0, b, NULL), PARE_OK);
    assert_int_equal(pare_store_content(store, b, &found, &size, NULL), PARE_OK);
    assert_int_equal(size, 0);
    pare_alloc_free(found);
    assert_int_equal(pare_store_drop(store, a, NULL), PARE_OK);
    assert_int_equal(pare_store_content(store, a, &found, &size, NULL), PARE_E_STATE);
    pare_store_close(store);
}

static pare_status count_event(void *context, const pare_store_event *event, pare_error *err)
{
    (void)err;
    int64_t *sum = context;
    *sum = *sum * 10 + event->id;
    return event->id == 9 ? PARE_E_INTERRUPTED : PARE_OK;
}

static void test_store__events_are_visited_from_a_number_on_or_the_newest(void **state)
{
    (void)state;
    pare_store *store = new_store("events.db");
    for (int64_t i = 1; i <= 6; i++)
        assert_int_equal(pare_store_tell(store, "log", i % 2, 0, "a sentence", NULL), PARE_OK);
    int64_t sum = 0;
    assert_int_equal(pare_store_events(store, 2, 0, 0, count_event, &sum, NULL), PARE_OK);
    assert_int_equal(sum, 3456);
    sum = 0;
    assert_int_equal(pare_store_events(store, 0, 1, 0, count_event, &sum, NULL), PARE_OK);
    assert_int_equal(sum, 135);
    sum = 0;
    assert_int_equal(pare_store_events(store, 0, 0, 2, count_event, &sum, NULL), PARE_OK);
    assert_int_equal(sum, 56);
    for (int64_t i = 7; i <= 10; i++)
        assert_int_equal(pare_store_tell(store, "log", 0, 0, "a sentence", NULL), PARE_OK);
    sum = 0;
    assert_int_equal(pare_store_events(store, 7, 0, 0, count_event, &sum, NULL),
                     PARE_E_INTERRUPTED);
    assert_int_equal(sum, 89);
    pare_store_close(store);
}

static pare_status stop_at_first(void *context, const pare_store_event *event, pare_error *err)
{
    (void)context, (void)event, (void)err;
    return PARE_E_LIMIT;
}

/* The work of looking at the first of `n` events, as a listener does that has fallen behind. */
static uint64_t steps_to_first(int64_t n)
{
    uint64_t steps = 0;
    pare_store *store = new_store("backlog.db");
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(pare_store_tell(store, "log", 1, 0, "a sentence", NULL), PARE_OK);
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    measure_steps(store, &steps);
    for (int64_t finding = 0; finding < 2; finding++)
        assert_int_equal(pare_store_events(store, 0, finding, 0, stop_at_first, NULL, NULL),
                         PARE_E_LIMIT);
    measure_steps(store, NULL);
    pare_store_close(store);
    return steps;
}

static void test_store__the_first_event_costs_the_same_however_many_follow(void **state)
{
    (void)state;
    assert_true(steps_to_first(500) <= steps_to_first(5) + 2);
}

static void test_store__configurations_have_one_number_each(void **state)
{
    (void)state;
    pare_store *store = new_store("configs.db");
    int64_t a = 0, b = 0, c = 0;
    assert_int_equal(pare_store_put_config(store, "[a]\n", &a, NULL), PARE_OK);
    assert_int_equal(pare_store_put_config(store, "[b]\n", &b, NULL), PARE_OK);
    assert_int_equal(pare_store_put_config(store, "[a]\n", &c, NULL), PARE_OK);
    assert_true(a == c && a != b);
    char *text = NULL;
    assert_int_equal(pare_store_config(store, b, &text, NULL), PARE_OK);
    assert_string_equal(text, "[b]\n");
    pare_alloc_free(text);
    assert_int_equal(pare_store_config(store, 99, &text, NULL), PARE_E_STATE);
    pare_store_close(store);
}

/* --- memory ------------------------------------------------------------------------------------- */

/* SQLite's own memory runs out at the n-th allocation, whatever n is. */
static sqlite3_mem_methods plain;
static long sqlite_left = -1;
static bool sqlite_hit;

static void *fail_malloc(int size)
{
    if (sqlite_left == 0) {
        sqlite_hit = true;
        return NULL;
    }
    if (sqlite_left > 0) sqlite_left--;
    return plain.xMalloc(size);
}

static pare_status use_store(void *context)
{
    (void)context;
    pare_store *store = NULL;
    pare_failure_added added;
    const pare_failure failure = failure_of("x \xff", "abc");
    pare_finding finding = {0};
    char *text = NULL;
    pare_status status = pare_store_open("sweep.db", true, &store, NULL);
    if (!status) status = pare_finding_add(store, &failure, &added, NULL);
    if (!status) status = pare_store_finding(store, 1, &finding, NULL);
    pare_finding_done(&finding);
    if (!status) status = pare_store_put_fact(store, "a", "b", NULL);
    if (!status) status = pare_store_get_fact(store, "a", &text, NULL);
    pare_alloc_free(text);
    if (!status) {
        const pare_finding_filter filter = {.search = "a%b"};
        uint64_t n = 0;
        status = pare_store_count_findings(store, &filter, &n, NULL);
    }
    pare_store_close(store);
    return status;
}

static void test_store__no_memory_is_a_status(void **state)
{
    (void)state;
    pare_store_close(new_store("sweep.db"));
    sweep_allocations(use_store, NULL);
}

static void test_store__no_memory_in_sqlite_is_a_status(void **state)
{
    (void)state;
    pare_store_close(new_store("sweep.db"));
    long step = 1;
    for (long n = 0;; n += step) {
        sqlite_hit = false;
        sqlite_left = n;
        pare_status status = use_store(NULL);
        sqlite_left = -1;
        /* Some of SQLite's caches do without. */
        assert_true(status == PARE_OK || (sqlite_hit && status == PARE_E_NOMEM));
        if (!sqlite_hit) break;
        step = 1 + n / 20;
    }
    assert_int_equal(use_store(NULL), PARE_OK);
}

static int use_failing_memory(void **state)
{
    (void)sqlite3_shutdown();
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain) != SQLITE_OK) return -1;
    sqlite3_mem_methods failing = plain;
    failing.xMalloc = fail_malloc;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) != SQLITE_OK) return -1;
    return scratch_setup(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__what_is_no_store_is_refused_and_left_alone),
        cmocka_unit_test(test_store__one_of_a_later_version_is_refused),
        cmocka_unit_test(test_store__many_may_make_it_at_once),
        cmocka_unit_test(test_store__damage_is_said_and_never_crashes),
        cmocka_unit_test(test_store__who_waits_too_long_is_told_that_it_is_locked),
        cmocka_unit_test(test_store__a_store_that_a_campaign_no_longer_finds_is_gone),
        cmocka_unit_test(test_store__who_is_patient_waits_until_the_lock_is_free),
        cmocka_unit_test(test_store__a_wait_ends_with_the_file_and_with_a_stop),
        cmocka_unit_test(test_store__an_inner_part_is_taken_back_alone),
        cmocka_unit_test(test_store__others_see_a_change_and_a_byte_tells_of_it),
        cmocka_unit_test(test_store__kills_in_the_middle_of_writers_lose_and_double_nothing),
        cmocka_unit_test(test_store__a_full_disk_is_said_and_leaves_what_was_there),
        cmocka_unit_test(test_store__a_disk_without_room_is_called_full),
        cmocka_unit_test(test_store__a_content_is_kept_once_and_dropped_when_nothing_names_it),
        cmocka_unit_test(test_store__events_are_visited_from_a_number_on_or_the_newest),
        cmocka_unit_test(test_store__the_first_event_costs_the_same_however_many_follow),
        cmocka_unit_test(test_store__configurations_have_one_number_each),
        cmocka_unit_test(test_store__no_memory_is_a_status),
        cmocka_unit_test(test_store__no_memory_in_sqlite_is_a_status),
    };
    return cmocka_run_group_tests(tests, use_failing_memory, scratch_teardown);
}
