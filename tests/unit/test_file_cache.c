/* Files of tests are kept by what is in them, and nothing else is ever given for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/file.h"
#include "os/folder.h"
#include "run/remote/file_cache.h"

/* A source, and how often it was asked. */
struct origin {
    const char *bytes;
    unsigned n_asked;
};

static pare_status fetch(void *context, const pare_file_id *file, pare_buffer *out, pare_error *err)
{
    struct origin *origin = context;
    (void)file;
    origin->n_asked++;
    return pare_buffer_text(out, origin->bytes, err);
}

struct fixture {
    char *scratch;
    char folder[300];
    pare_file_cache cache;
    struct origin origin;
    pare_buffer got;
};

static void set_up(struct fixture *fix)
{
    *fix = (struct fixture){.cache = {.most_bytes = 100}};
    assert_int_equal(pare_folder_make_scratch(&fix->scratch, NULL), PARE_OK);
    (void)snprintf(fix->folder, sizeof fix->folder, "%s/above/cache", fix->scratch);
    fix->cache.folder = fix->folder;
}

static void tear_down(struct fixture *fix)
{
    pare_buffer_done(&fix->got);
    pare_folder_remove_scratch(fix->scratch);
}

static pare_file_id id_of(const char *bytes)
{
    pare_file_id id = {.size = strlen(bytes)};
    pare_file_cache_sha(bytes, id.size, id.sha);
    return id;
}

/* Where the file of `bytes` is kept. */
static const char *path_of(const struct fixture *fix, const char *bytes)
{
    static char path[500];
    const pare_file_id id = id_of(bytes);
    int n = snprintf(path, sizeof path, "%s/", fix->folder);
    for (size_t i = 0; i < sizeof id.sha; i++)
        n += snprintf(path + n, sizeof path - (size_t)n, "%02x", id.sha[i]);
    return path;
}

/* Gets the file of `bytes` from a source that has `there`; how often that was asked. */
static unsigned get(struct fixture *fix, const char *bytes, const char *there, pare_status expected)
{
    const pare_file_id id = id_of(bytes);
    const pare_file_source source = {.fetch = fetch, .context = &fix->origin};
    fix->origin = (struct origin){.bytes = there};
    assert_int_equal(pare_file_cache_get(&fix->cache, &id, &source, &fix->got, NULL), expected);
    if (!expected) {
        assert_int_equal(fix->got.size, id.size);
        assert_memory_equal(fix->got.data, bytes, id.size);
    }
    return fix->origin.n_asked;
}

static void test_file_cache__a_file_is_fetched_once(void **state)
{
    struct fixture fix;
    struct stat about;
    (void)state;
    set_up(&fix);
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    assert_int_equal(get(&fix, "program", "", PARE_OK), 0);
    assert_int_equal(get(&fix, "another", "another", PARE_OK), 1);
    assert_int_equal(get(&fix, "program", "", PARE_OK), 0);
    assert_int_equal(stat(fix.folder, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    assert_int_equal(stat(path_of(&fix, "program"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    tear_down(&fix);
}

/* What a server gives is checked, and not kept where it is something else. */
static void test_file_cache__other_bytes_are_refused(void **state)
{
    struct fixture fix;
    (void)state;
    set_up(&fix);
    assert_int_equal(get(&fix, "program", "hostile", PARE_E_CORRUPT), 1);
    assert_int_equal(get(&fix, "program", "longer than it", PARE_E_CORRUPT), 1);
    assert_false(pare_file_exists(path_of(&fix, "program")));
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    tear_down(&fix);
}

/* So is what lies on the disk: damaged, cut, a link, a pipe, or a folder. */
static void test_file_cache__what_was_changed_is_fetched_again(void **state)
{
    struct fixture fix;
    char elsewhere[400];
    (void)state;
    set_up(&fix);
    (void)snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", fix.scratch);
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    const char *path = path_of(&fix, "program");
    static const char *const changed[] = {"prograM", "prog", ""};
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        assert_int_equal(pare_file_write_bytes(path, changed[i], strlen(changed[i]), NULL),
                         PARE_OK);
        assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
        assert_int_equal(get(&fix, "program", "", PARE_OK), 0);
    }
    assert_int_equal(pare_file_write_bytes(elsewhere, "program", 7, NULL), PARE_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink(elsewhere, path), 0);
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    tear_down(&fix);
}

/* A folder that others may enter, or a link to one, is left alone; and there need be none. */
static void test_file_cache__without_a_folder_of_its_own_nothing_is_kept(void **state)
{
    struct fixture fix;
    (void)state;
    set_up(&fix);
    assert_int_equal(pare_file_make_directories(fix.folder, NULL), PARE_OK);
    assert_int_equal(chmod(fix.folder, 0750), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    assert_false(pare_file_exists(path_of(&fix, "program")));
    assert_int_equal(rmdir(fix.folder), 0);
    assert_int_equal(symlink(fix.scratch, fix.folder), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    fix.cache.folder = NULL;
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    fix.cache.folder = "/proc/none/cache";
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    tear_down(&fix);
}

/* Somebody holds the lock and does not fetch, a stopped worker, say: that is waited for once. */
static void test_file_cache__a_lock_that_stays_is_waited_for_once(void **state)
{
    struct fixture fix;
    char path[400];
    (void)state;
    set_up(&fix);
    fix.cache.wait_ms = 20;
    assert_int_equal(get(&fix, "program", "program", PARE_OK), 1);
    assert_int_equal(fix.cache.wait_ms, 20);
    (void)snprintf(path, sizeof path, "%s/lock", fix.folder);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(get(&fix, "program", "", PARE_OK), 0);
    assert_int_equal(get(&fix, "another", "another", PARE_OK), 1);
    assert_int_equal(fix.cache.wait_ms, 0);
    assert_int_equal(get(&fix, "another", "", PARE_OK), 0);
    assert_int_equal(close(fd), 0);
    tear_down(&fix);
}

/* Sets when the file of `bytes` was last used. */
static void set_used(const struct fixture *fix, const char *bytes, long seconds)
{
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path_of(fix, bytes), times, 0), 0);
}

static void test_file_cache__what_was_used_least_lately_goes(void **state)
{
    static const char a[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", *b = "bbbbbbbbbbbbbbbbbbbb";
    static const char c[] = "cccccccccccccccccccccccccccccccccccccccccccccccccc";
    static const char large[] =
        "0123456789012345678901234567890123456789012345678901234567890123456789"
        "01234567890123456789012345678901234567890123456789";
    struct fixture fix;
    char other[400], part[600];
    (void)state;
    set_up(&fix);
    assert_int_equal(get(&fix, a, a, PARE_OK), 1);
    assert_int_equal(get(&fix, b, b, PARE_OK), 1);
    (void)snprintf(other, sizeof other, "%s/what-the-user-put-here", fix.folder);
    assert_int_equal(pare_file_write_bytes(other, large, sizeof large, NULL), PARE_OK);
    /* What a killed process has left. */
    (void)snprintf(part, sizeof part, "%s.1.part", path_of(&fix, c));
    assert_int_equal(pare_file_write_bytes(part, "cc", 2, NULL), PARE_OK);
    const struct timespec old[2] = {{.tv_sec = 50}, {.tv_sec = 50}};
    assert_int_equal(utimensat(AT_FDCWD, part, old, 0), 0);
    set_used(&fix, a, 100);
    set_used(&fix, b, 200);
    assert_int_equal(get(&fix, a, "", PARE_OK), 0); /* used: b is the older one now */
    assert_int_equal(get(&fix, c, c, PARE_OK), 1);
    assert_false(pare_file_exists(part));
    assert_false(pare_file_exists(path_of(&fix, b)));
    assert_int_equal(get(&fix, a, "", PARE_OK), 0);
    assert_int_equal(get(&fix, c, "", PARE_OK), 0);
    /* One that is larger than all there may be is not kept, and puts nothing out. */
    assert_int_equal(get(&fix, large, large, PARE_OK), 1);
    assert_int_equal(get(&fix, a, "", PARE_OK), 0);
    assert_true(pare_file_exists(other));
    tear_down(&fix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_cache__a_file_is_fetched_once),
        cmocka_unit_test(test_file_cache__other_bytes_are_refused),
        cmocka_unit_test(test_file_cache__what_was_changed_is_fetched_again),
        cmocka_unit_test(test_file_cache__without_a_folder_of_its_own_nothing_is_kept),
        cmocka_unit_test(test_file_cache__a_lock_that_stays_is_waited_for_once),
        cmocka_unit_test(test_file_cache__what_was_used_least_lately_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
