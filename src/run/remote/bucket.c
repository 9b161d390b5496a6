/* The bucket, as NATS makes them: a stream KV_pare_NAME of subjects $KV.pare_NAME.TEST.CANDIDATE.
 *
 * Existing entries are read once, with a consumer of all subjects of our test, which pushes them to
 * a subject of ours and is ended when they are read.  Later entries of other runs come through a
 * subscription that is older than the consumer, so nothing gets lost in between; entries that come
 * both ways are recognised.  Our own entries do not come back (link.h): they would be a fifth of
 * the traffic of a test.  The values are results (message.h); unreadable ones are ignored.  The key
 * TEST.doubt says that the test is in doubt.
 * Invariant: an entry is never removed; it records whether it has been used. */
#include "run/remote/bucket.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "run/remote/link.h"

enum { MOST_ENTRIES = 1 << 20, MOST_RECORD_BYTES = 256 << 20, KEY_BYTES = 64, SUBJECT_BYTES = 140 };

#define WEEK_NS "604800000000000"

static const char DOUBT[] = "doubt";

/* A known outcome.  `size` 0: it is our own, and only kept to see whether others find the same. */
struct entry {
    pare_digest candidate;
    size_t at, size; /* of its message among the records */
    pare_outcome outcome;
    bool has_answered;
};

/* `records` holds the messages of all entries one after the other; an entry says where its own
 * is. */
struct pare_bucket {
    pare_cluster *cluster;
    char stream[KEY_BYTES];
    char prefix[SUBJECT_BYTES];   /* of the subjects of our test */
    char consumer[KEY_BYTES];     /* its name; "": there is none */
    uint64_t n_expected, n_heard; /* of what was known at the opening */
    struct entry *entries;
    size_t n, capacity;
    pare_hash_index index;
    pare_buffer records, room;
    bool is_doubted;
};

/* ---- opening ----------------------------------------------------------------------------- */

/* Buckets are configured as usual for NATS: one value for each key, a week, at most four million.
 * The parameters have to be the same for all, or the server says that the bucket exists with
 * another configuration. */
static pare_status make_stream(const pare_bucket *self, pare_error *err)
{
    char what[KEY_BYTES + 20], json[400];
    (void)snprintf(what, sizeof what, "STREAM.CREATE.%s", self->stream);
    (void)snprintf(json, sizeof json,
                   "{\"name\":\"%s\",\"subjects\":[\"$KV.%s.>\"],\"retention\":\"limits\","
                   "\"max_msgs_per_subject\":1,\"storage\":\"file\",\"num_replicas\":1,"
                   "\"discard\":\"old\",\"allow_rollup_hdrs\":true,\"allow_direct\":true,"
                   "\"deny_delete\":true,\"max_msgs\":4000000,\"max_age\":" WEEK_NS "}",
                   self->stream, self->stream + 3);
    return pare_link_ask_jetstream(pare_cluster_link(self->cluster), what, json, NULL, err);
}

/* Nobody waits for the answer: if the request gets lost, the server notices some minutes later that
 * nobody listens. */
static void end_consumer(pare_bucket *self)
{
    char what[2 * KEY_BYTES + 40], reply[KEY_BYTES];
    pare_link *link = pare_cluster_link(self->cluster);
    if (!self->consumer[0]) return;
    (void)snprintf(what, sizeof what, "$JS.API.CONSUMER.DELETE.%s.%s", self->stream,
                   self->consumer);
    (void)snprintf(reply, sizeof reply, "%s.ended", pare_link_inbox(link));
    (void)!pare_link_send(link, what, reply, "", 0, NULL);
    self->consumer[0] = '\0';
}

/* What follows "KEY":" in an answer of the server's; "" where it is not there. */
static const char *find_value(const char *json, const char *key)
{
    const char *found = strstr(json, key);
    return found ? found + strlen(key) : "";
}

/* Asks for everything known about our test.  The server chooses the consumer's name; num_pending is
 * the number of letters until everything has been read. */
static pare_status make_consumer(pare_bucket *self, pare_error *err)
{
    char what[KEY_BYTES + 20], json[600];
    pare_letter *answer = NULL;
    pare_link *link = pare_cluster_link(self->cluster);
    (void)snprintf(what, sizeof what, "CONSUMER.CREATE.%s", self->stream);
    (void)snprintf(json, sizeof json,
                   "{\"stream_name\":\"%s\",\"config\":{\"deliver_subject\":\"%s-bucket\","
                   "\"filter_subject\":\"%s*\",\"deliver_policy\":\"last_per_subject\","
                   "\"ack_policy\":\"none\",\"mem_storage\":true}}",
                   self->stream, pare_link_inbox(link), self->prefix);
    pare_status status = pare_link_ask_jetstream(link, what, json, &answer, err);
    if (status) return status;
    const char *text = (const char *)answer->bytes, *name = find_value(text, "\"name\":\"");
    (void)snprintf(self->consumer, sizeof self->consumer, "%.*s", (int)strcspn(name, "\""), name);
    self->n_heard = 0;
    self->n_expected = strtoull(find_value(text, "\"num_pending\":"), NULL, 10);
    pare_link_letter_free(answer);
    if (!self->n_expected) end_consumer(self);
    return PARE_OK;
}

/* Known entries come again and are recognised. */
pare_status pare_bucket_renew(pare_bucket *self, pare_error *err)
{
    end_consumer(self);
    pare_status status = make_stream(self, err);
    return status ? status : make_consumer(self, err);
}

/* Subscribes first, so that nothing that the consumer sends gets lost. */
pare_status pare_bucket_open(pare_cluster *cluster, pare_digest test, pare_bucket **out,
                             pare_error *err)
{
    char name[PARE_DIGEST_TEXT_BYTES], listens[KEY_BYTES], all[SUBJECT_BYTES + 1];
    pare_bucket *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->cluster = cluster;
    pare_digest_text(test, name);
    (void)snprintf(self->stream, sizeof self->stream, "KV_pare_%s", pare_cluster_name(cluster));
    (void)snprintf(self->prefix, sizeof self->prefix, "$KV.%s.%s.", self->stream + 3, name);
    /* The server accepts no wildcard for the listener of a consumer, so the subject of the inbox
     * will not do. */
    (void)snprintf(listens, sizeof listens, "%s-bucket",
                   pare_link_inbox(pare_cluster_link(cluster)));
    (void)snprintf(all, sizeof all, "%s*", self->prefix);
    pare_status status = pare_link_subscribe(pare_cluster_link(cluster), listens, err);
    if (!status) status = pare_link_subscribe(pare_cluster_link(cluster), all, err);
    if (!status) status = pare_bucket_renew(self, err);
    if (status) {
        pare_bucket_close(self);
        return status;
    }
    *out = self;
    return PARE_OK;
}

/* Without a connection the server is not told now, nor later. */
void pare_bucket_close(pare_bucket *self)
{
    if (!self) return;
    if (pare_link_is_up(pare_cluster_link(self->cluster))) end_consumer(self);
    pare_hash_index_done(&self->index);
    pare_buffer_done(&self->records);
    pare_buffer_done(&self->room);
    pare_alloc_free(self->entries);
    pare_alloc_free(self);
}

/* ---- what is known ------------------------------------------------------------------------ */

/* The entry of a candidate; NULL: none.  Valid until the next is added. */
static struct entry *find(const pare_bucket *self, pare_digest candidate)
{
    pare_hash_probe probe = pare_hash_index_probe(&self->index, candidate.low);
    uint32_t item;
    while (pare_hash_index_next(&self->index, &probe, &item))
        if (pare_digest_equal(self->entries[item].candidate, candidate))
            return &self->entries[item];
    return NULL;
}

/* Adds an entry with the bytes of its message.  If there is no room or memory for it, its test is
 * simply run. */
static void add(pare_bucket *self, struct entry entry, const void *bytes, size_t size)
{
    if (self->n == MOST_ENTRIES || self->records.size + size > MOST_RECORD_BYTES) return;
    struct entry *entries =
        pare_vector_grow(self->entries, self->n, &self->capacity, sizeof *entries);
    if (!entries) return;
    self->entries = entries;
    entry.at = self->records.size;
    entry.size = size;
    if (size && pare_buffer_add(&self->records, bytes, size, NULL)) return;
    if (pare_hash_index_add(&self->index, entry.candidate.low, (uint32_t)self->n, NULL)) return;
    self->entries[self->n++] = entry;
}

/* Reads a value, which anybody could have written; false: it is not an outcome. */
static bool read_result(const void *bytes, size_t size, pare_message_result *out)
{
    unsigned version;
    pare_message message = pare_message_of(bytes, size);
    return pare_message_open(&message, &version) == PARE_MESSAGE_RESULT &&
           pare_message_read_result(&message, out);
}

/* 32 hexadecimal digits and nothing else. */
static bool read_digest(const char *text, pare_digest *out)
{
    char high[17];
    if (strlen(text) != 32 || strspn(text, "0123456789abcdef") != 32) return false;
    memcpy(high, text, 16);
    high[16] = '\0';
    *out = (pare_digest){.high = strtoull(high, NULL, 16), .low = strtoull(text + 16, NULL, 16)};
    return true;
}

/* A letter from the consumer has a subject to acknowledge it at; a letter from another run has
 * none.  An outcome that contradicts one that we have puts the test in doubt.  Only whether it
 * fails must agree; exit code and time may differ. */
bool pare_bucket_hear(pare_bucket *self, const pare_letter *letter)
{
    pare_digest candidate;
    pare_message_result result;
    const size_t size = strlen(self->prefix);
    if (strncmp(letter->subject, self->prefix, size) != 0) return false;
    self->n_heard += *letter->reply != '\0';
    if (self->n_heard >= self->n_expected) end_consumer(self);
    if (strcmp(letter->subject + size, DOUBT) == 0) {
        self->is_doubted = self->is_doubted || letter->size > 0;
    } else if (read_digest(letter->subject + size, &candidate) &&
               read_result(letter->bytes, letter->size, &result)) {
        struct entry *known = find(self, candidate);
        if (!known)
            add(self, (struct entry){.candidate = candidate, .outcome = result.outcome},
                letter->bytes, letter->size);
        else if ((known->outcome == PARE_FAIL) != (result.outcome == PARE_FAIL))
            pare_bucket_doubt(self);
    }
    return true;
}

bool pare_bucket_is_read(const pare_bucket *self)
{
    return self->n_heard >= self->n_expected;
}

bool pare_bucket_is_doubted(const pare_bucket *self)
{
    return self->is_doubted;
}

/* Each entry answers once; if the candidate is asked for again, its test is run.  Our own entries
 * have no message, since the engine knows their outcomes. */
bool pare_bucket_take(pare_bucket *self, pare_digest candidate, pare_message_result *out)
{
    struct entry *known = self->is_doubted ? NULL : find(self, candidate);
    if (!known || known->has_answered || !known->size) return false;
    known->has_answered = true;
    return read_result(self->records.data + known->at, known->size, out);
}

/* ---- telling ------------------------------------------------------------------------------ */

/* Sends `room` as the value of a key of our test, without waiting: the test of a lost outcome is
 * run again. */
static void send(pare_bucket *self, const char *key)
{
    char subject[SUBJECT_BYTES + PARE_DIGEST_TEXT_BYTES];
    (void)snprintf(subject, sizeof subject, "%s%s", self->prefix, key);
    (void)!pare_link_send(pare_cluster_link(self->cluster), subject, NULL, self->room.data,
                          self->room.size, NULL);
}

/* A test that a signal or a limit of this machine ended may have another outcome elsewhere, so it
 * is not shared. */
void pare_bucket_put(pare_bucket *self, pare_digest candidate, const pare_verdict *verdict)
{
    char key[PARE_DIGEST_TEXT_BYTES];
    if (self->is_doubted || verdict->cancelled || verdict->timed_out || verdict->harm ||
        verdict->signal == SIGKILL)
        return;
    struct entry *known = find(self, candidate);
    if (known && (known->outcome == PARE_FAIL) != (verdict->outcome == PARE_FAIL)) {
        pare_bucket_doubt(self);
        return;
    }
    if (known) return;
    pare_message_result result = {.job = 0};
    pare_message_set_verdict(&result, verdict);
    if (pare_message_write_result(&self->room, &result, NULL)) return;
    add(self,
        (struct entry){.candidate = candidate, .outcome = verdict->outcome, .has_answered = true},
        NULL, 0);
    pare_digest_text(candidate, key);
    send(self, key);
}

/* The value has no meaning, only its key. */
void pare_bucket_doubt(pare_bucket *self)
{
    if (self->is_doubted) return;
    self->is_doubted = true;
    if (!pare_message_start(&self->room, PARE_MESSAGE_RESULT, NULL)) send(self, DOUBT);
}
