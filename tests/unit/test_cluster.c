/* Names of clusters, and texts that others have stored; all else is in tests/cli/test_remote.sh.  Without
 * nats-server or libnats the latter are skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "nats_server.h"
#include "run/remote/cluster.h"
#include "run/remote/link.h"
#include "run/remote/message.h"
#include "text/packing.h"
#include "text/text.h"

/* What comes of it with libnats, and without. */
static void assert_refused(pare_status status, pare_status expected)
{
    assert_true(status == expected || status == PARE_E_UNSUPPORTED);
}

static void test_cluster__a_name_is_plain(void **state)
{
    static const char *const bad[] = {"nats://127.0.0.1:1/a.b", "nats://127.0.0.1:1/a*",
                                      "nats://127.0.0.1:1/a/b",
                                      "nats://127.0.0.1:1/a-name-that-is-longer-than-it-may-be"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pare_cluster *cluster = NULL;
        const pare_link_options options = {.url = bad[i]};
        assert_int_equal(pare_cluster_open(&options, &cluster, NULL), PARE_E_ARG);
        assert_null(cluster);
    }
}

static void test_cluster__without_a_server_there_is_none(void **state)
{
    static const char *const good[] = {"nats://127.0.0.1:1", "nats://127.0.0.1:1/",
                                       "nats://127.0.0.1:1/team-1_a"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        pare_cluster *cluster = NULL;
        const pare_link_options options = {.url = good[i]};
        assert_refused(pare_cluster_open(&options, &cluster, NULL), PARE_E_IO);
    }
}

/* Stores a record of one part under `digest`, as anybody could. */
static void store(pare_cluster *cluster, pare_digest digest, const pare_buffer *record)
{
    char name[PARE_DIGEST_TEXT_BYTES], subject[100];
    pare_buffer part = {0};
    pare_letter *answer = NULL;
    pare_digest_text(digest, name);
    (void)snprintf(subject, sizeof subject, "pare.main.text.%d.%s.0", PARE_MESSAGE_VERSION, name);
    assert_int_equal(pare_message_add_number(&part, 1, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&part, record->data, record->size, NULL), PARE_OK);
    assert_int_equal(
        pare_link_ask(pare_cluster_link(cluster), subject, part.data, part.size, &answer, NULL),
        PARE_OK);
    pare_link_letter_free(answer);
    pare_buffer_done(&part);
}

static void add_numbers(pare_buffer *to, const uint64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pare_message_add_number(to, numbers[i], NULL), PARE_OK);
}

/* A record of a whole text of `size` bytes that are said to be `plain` bytes unpacked (0: as they are). */
static void store_whole(pare_cluster *cluster, pare_digest digest, size_t size, size_t plain,
                        const pare_buffer *rest)
{
    const uint64_t numbers[] = {PARE_MESSAGE_VERSION, 0, size, plain};
    pare_buffer record = {0};
    add_numbers(&record, numbers, 4);
    assert_int_equal(pare_buffer_add(&record, rest->data, rest->size, NULL), PARE_OK);
    store(cluster, digest, &record);
    pare_buffer_done(&record);
}

/* The record of a text that is edits of `base`. */
static void store_edits(pare_cluster *cluster, pare_digest digest, pare_digest base)
{
    pare_buffer record = {0};
    assert_int_equal(pare_message_add_number(&record, PARE_MESSAGE_VERSION, NULL), PARE_OK);
    assert_int_equal(pare_message_add_number(&record, 1, NULL), PARE_OK);
    assert_int_equal(pare_message_add_digest(&record, base, NULL), PARE_OK);
    add_numbers(&record, (const uint64_t[]){0, 0}, 2);
    store(cluster, digest, &record);
    pare_buffer_done(&record);
}

static void assert_corrupt(pare_cluster *cluster, pare_digest digest)
{
    const pare_text *text = NULL;
    pare_digest missing;
    assert_int_equal(pare_cluster_get(cluster, digest, &text, &missing, NULL), PARE_E_CORRUPT);
    assert_true(pare_digest_equal(missing, digest));
}

static void test_cluster__damaged_texts_are_none(void **state)
{
    const pare_digest a = {.high = 1, .low = 1}, b = {.high = 1, .low = 2};
    const pare_digest nobody = {.high = 0, .low = 0};
    nats_server server;
    pare_cluster *cluster = NULL;
    pare_buffer nothing = {0};
    (void)state;
    if (!nats_server_start(&server) || !nats_server_open(&server, &cluster)) {
        nats_server_end(&server);
        print_message("skipped: there is no nats-server, or no libnats\n");
        skip();
    }
    /* Edits of a text that has no name: whoever followed it would ask for ever. */
    store_edits(cluster, a, nobody);
    assert_corrupt(cluster, a);
    /* Edits of itself. */
    store_edits(cluster, b, b);
    assert_corrupt(cluster, b);
    assert_int_equal(pare_buffer_add(&nothing, "", 1, NULL), PARE_OK);
    store(cluster, a, &nothing);
    assert_corrupt(cluster, a);
    pare_buffer_done(&nothing);
    pare_cluster_close(cluster);
    nats_server_end(&server);
}

/* Whatever its bytes are, a text comes as it went; what can be packed goes as less. */
static void test_cluster__texts_are_packed_where_that_is_shorter(void **state)
{
    enum { SIZE = 900 * 1000 };
    nats_server server;
    pare_cluster *from = NULL, *to = NULL;
    (void)state;
    if (!nats_server_start(&server) || !nats_server_open(&server, &from)) {
        nats_server_end(&server);
        print_message("skipped: there is no nats-server, or no libnats\n");
        skip();
    }
    assert_true(nats_server_open(&server, &to));
    char *bytes = test_malloc(SIZE);
    for (unsigned kind = 0; kind < 3; kind++) {
        const size_t size = kind ? SIZE : 0;
        uint64_t drawn = 1;
        for (size_t i = 0; i < size; i++) {
            drawn = drawn * UINT64_C(6364136223846793005) + 1442695040888963407;
            bytes[i] = kind == 1 ? "ab"[i / 1000 % 2] : (char)(drawn >> 56);
        }
        pare_text *text = NULL;
        const pare_text *got = NULL;
        pare_digest missing;
        const uint64_t before = pare_link_count(pare_cluster_link(from)).n_bytes;
        assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
        assert_int_equal(pare_cluster_put(from, text, NULL, PARE_CLUSTER_DAY_S, NULL), PARE_OK);
        /* Nobody says when a text is stored: it is asked for until it is there. */
        pare_status status = PARE_E_STATE;
        for (int i = 0; i < 3000 && status == PARE_E_STATE; i++) {
            status = pare_cluster_get(to, pare_text_digest(text), &got, &missing, NULL);
            if (status) assert_int_equal(poll(NULL, 0, 10), 0);
        }
        assert_int_equal(status, PARE_OK);
        assert_int_equal(pare_text_size(got), size);
        if (size) assert_memory_equal(pare_text_bytes(got), bytes, size);
        const uint64_t sent = pare_link_count(pare_cluster_link(from)).n_bytes - before;
        if (kind == 1 && pare_packing_is_there()) assert_true(sent < SIZE / 50);
        assert_true(sent < size + 4000);
        pare_text_unref(text);
    }
    test_free(bytes);
    pare_cluster_close(from);
    pare_cluster_close(to);
    nats_server_end(&server);
}

/* What went over the connection while `text` was put. */
static uint64_t put_costs(pare_cluster *cluster, const pare_text *text, unsigned fresh_s)
{
    const uint64_t before = pare_link_count(pare_cluster_link(cluster)).n_bytes;
    assert_int_equal(pare_cluster_put(cluster, text, NULL, fresh_s, NULL), PARE_OK);
    return pare_link_count(pare_cluster_link(cluster)).n_bytes - before;
}

/* Gets a text; nobody says when it is stored, so it is asked for until it is there. */
static void await_text(pare_cluster *cluster, const pare_text *text)
{
    const pare_text *got = NULL;
    pare_digest missing;
    pare_status status = PARE_E_STATE;
    for (int i = 0; i < 3000 && status == PARE_E_STATE; i++) {
        status = pare_cluster_get(cluster, pare_text_digest(text), &got, &missing, NULL);
        if (status) assert_int_equal(poll(NULL, 0, 10), 0);
    }
    assert_int_equal(status, PARE_OK);
    assert_memory_equal(pare_text_bytes(got), pare_text_bytes(text), pare_text_size(text));
}

/* What the server has is not sent again, unless it is old, or made of what may be older. */
static void test_cluster__what_is_fresh_is_not_sent_again(void **state)
{
    enum { SIZE = 600 * 1000, LITTLE = 20 * 1000 };
    nats_server server;
    pare_cluster *from = NULL, *to = NULL;
    pare_text *text = NULL, *shorter = NULL;
    (void)state;
    if (!nats_server_start(&server) || !nats_server_open(&server, &from)) {
        nats_server_end(&server);
        print_message("skipped: there is no nats-server, or no libnats\n");
        skip();
    }
    assert_true(nats_server_open(&server, &to));
    char *bytes = test_malloc(SIZE);
    uint64_t drawn = 1;
    for (size_t i = 0; i < SIZE; i++) {
        drawn = drawn * UINT64_C(6364136223846793005) + 1442695040888963407;
        bytes[i] = (char)(drawn >> 56);
    }
    assert_int_equal(pare_text_copy(bytes, SIZE, &text, NULL), PARE_OK);
    assert_int_equal(pare_text_copy(bytes, SIZE - 1, &shorter, NULL), PARE_OK);
    const pare_digest digest = pare_text_digest(text);
    assert_true(put_costs(from, text, PARE_CLUSTER_DAY_S) > SIZE);
    await_text(to, text);
    assert_true(put_costs(from, text, PARE_CLUSTER_DAY_S) < LITTLE);
    assert_int_equal(pare_cluster_refresh(to, digest, PARE_CLUSTER_DAY_S, NULL), PARE_OK);
    assert_true(pare_link_count(pare_cluster_link(to)).n_bytes < SIZE + SIZE / 2);
    assert_int_equal(poll(NULL, 0, 1100), 0);
    assert_int_equal(pare_cluster_refresh(to, digest, 1, NULL), PARE_OK);
    assert_true(pare_link_count(pare_cluster_link(to)).n_bytes > 2 * SIZE);
    assert_true(put_costs(from, text, PARE_CLUSTER_ALWAYS) > SIZE);
    /* As edits it is little, and not enough. */
    assert_int_equal(pare_cluster_put(from, shorter, text, PARE_CLUSTER_ALWAYS, NULL), PARE_OK);
    await_text(to, shorter);
    assert_true(put_costs(from, shorter, PARE_CLUSTER_DAY_S) > SIZE);
    pare_text_unref(text);
    pare_text_unref(shorter);
    test_free(bytes);
    pare_cluster_close(from);
    pare_cluster_close(to);
    nats_server_end(&server);
}

/* What is packed may be cut, be more or less than is said, or no packed bytes at all. */
static void test_cluster__damaged_packings_are_none(void **state)
{
    static const unsigned char zeros[4000];
    const pare_digest digest = {.high = 1, .low = 1};
    nats_server server;
    pare_cluster *cluster = NULL;
    pare_buffer packed = {0}, other = {0};
    (void)state;
    if (!pare_packing_is_there() || !nats_server_start(&server)) {
        print_message("skipped: there is no zlib, or no nats-server\n");
        skip();
    }
    if (!nats_server_open(&server, &cluster)) {
        nats_server_end(&server);
        print_message("skipped: there is no libnats\n");
        skip();
    }
    assert_int_equal(pare_packing_close(PARE_PACKING_QUICK, zeros, sizeof zeros, &packed, NULL),
                     PARE_OK);
    store_whole(cluster, digest, sizeof zeros, 3999, &packed);
    assert_corrupt(cluster, digest);
    store_whole(cluster, digest, sizeof zeros, 4001, &packed);
    assert_corrupt(cluster, digest);
    store_whole(cluster, digest, sizeof zeros, UINT64_MAX, &packed);
    assert_corrupt(cluster, digest);
    assert_int_equal(pare_buffer_add(&packed, "x", 1, NULL), PARE_OK);
    store_whole(cluster, digest, sizeof zeros, 4000, &packed);
    assert_corrupt(cluster, digest);
    packed.size -= 3;
    store_whole(cluster, digest, sizeof zeros, 4000, &packed);
    assert_corrupt(cluster, digest);
    assert_int_equal(pare_buffer_text(&other, "not packed", NULL), PARE_OK);
    store_whole(cluster, digest, sizeof zeros, 4000, &other);
    assert_corrupt(cluster, digest);
    pare_buffer_done(&packed);
    pare_buffer_done(&other);
    pare_cluster_close(cluster);
    nats_server_end(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cluster__a_name_is_plain),
        cmocka_unit_test(test_cluster__without_a_server_there_is_none),
        cmocka_unit_test(test_cluster__damaged_texts_are_none),
        cmocka_unit_test(test_cluster__texts_are_packed_where_that_is_shorter),
        cmocka_unit_test(test_cluster__what_is_fresh_is_not_sent_again),
        cmocka_unit_test(test_cluster__damaged_packings_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
