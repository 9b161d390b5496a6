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
    (void)snprintf(subject, sizeof subject, "pare.main.text.%s.0", name);
    assert_int_equal(pare_message_add_number(&part, 1, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&part, record->data, record->size, NULL), PARE_OK);
    assert_int_equal(
        pare_link_ask(pare_cluster_link(cluster), subject, part.data, part.size, &answer, NULL),
        PARE_OK);
    pare_link_letter_free(answer);
    pare_buffer_done(&part);
}

/* The record of a text that is edits of `base`. */
static void store_edits(pare_cluster *cluster, pare_digest digest, pare_digest base)
{
    pare_buffer record = {0};
    assert_int_equal(pare_message_add_number(&record, PARE_MESSAGE_VERSION, NULL), PARE_OK);
    assert_int_equal(pare_message_add_number(&record, 1, NULL), PARE_OK);
    assert_int_equal(pare_message_add_digest(&record, base, NULL), PARE_OK);
    assert_int_equal(pare_message_add_number(&record, 0, NULL), PARE_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cluster__a_name_is_plain),
        cmocka_unit_test(test_cluster__without_a_server_there_is_none),
        cmocka_unit_test(test_cluster__damaged_texts_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
