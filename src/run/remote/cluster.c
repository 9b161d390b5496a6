/* A cluster on a server: streams, texts and jobs, in the words of JetStream's API.
 *
 * Jobs are a stream of work-queue retention: pare.NAME.job.RUN.NUMBER, one message a subject, each
 * run read by a consumer of its own with explicit acknowledgement.  A job is acknowledged by the
 * coordinator, when it has the result, and not by the worker that sent it; so if a result is lost
 * on the way, the job comes back, and no outcome is lost with a server, a worker or a connection.
 * Texts are pare.NAME.text.VERSION.DIGEST.PART; part 0 says how many parts there are.  Because of
 * VERSION, texts of another version of pare, which could not be read, are ignored and stored again.
 * A text is compressed if that makes it shorter.  Everything is stored in files, so a restarted
 * server continues. */
#include "run/remote/cluster.h"

#include <assert.h>
#include <ctype.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/clock.h"
#include "run/remote/edits.h"
#include "text/packing.h"

enum {
    HEAD_BYTES = 8 * 1024,   /* of part 0, which is asked for to know how old a text is */
    PART_BYTES = 400 * 1024, /* a server takes 1 MiB unless it is told otherwise */
    MOST_BYTES = 1 << 30,    /* of a text, and of its record: what others store may be a bomb */
    MOST_PARTS = 4096,
    NAME_BYTES = 33,
    N_KEPT = 24,            /* texts at hand, */
    KEPT_BYTES = 128 << 20, /* together no more than that, if there are more than two */
    DEPTH = 64,             /* of a text that is edits of one that is edits ..., as we store it */
    MOST_DEPTH = 4 * DEPTH  /* where several runs stored what it is made of */
};

/* Seconds in the nanoseconds of the API, as text: JS_SECONDS(5) is "5000000000". */
#define JS_SECONDS(n) #n "000000000"

/* A cache of the texts that were read or stored last; each with its depth, the number of edits of
 * edits that lead to it. */
struct pare_cluster {
    pare_link *link;
    char name[NAME_BYTES];
    char call[16 + NAME_BYTES], jobs[16 + NAME_BYTES];
    pare_text *kept[N_KEPT]; /* the one used last first */
    size_t depth[N_KEPT];    /* of what is stored: 0 whole */
    pare_buffer room;
};

/* ---- opening ----------------------------------------------------------------------------- */

pare_link *pare_cluster_link(const pare_cluster *cluster)
{
    return cluster->link;
}

const char *pare_cluster_name(const pare_cluster *cluster)
{
    return cluster->name;
}

/* Makes a stream for the subjects pare.NAME.KIND.>.  If it exists, JetStream answers in the same
 * way, provided that the configuration is the same.  `more` is the rest of the configuration, in
 * JSON.
 *
 * `max_msgs_per_subject` 1 makes a text that is stored again replace the older one. Example:
 * the job stream of the cluster "main" is PARE_main_JOB. */
static pare_status make_stream(pare_cluster *cluster, const char *kind, const char *more,
                               pare_error *err)
{
    char what[80], json[400], upper[8] = "";
    for (size_t i = 0; kind[i] && i < sizeof upper - 1; i++)
        upper[i] = (char)toupper((unsigned char)kind[i]);
    (void)snprintf(what, sizeof what, "STREAM.CREATE.PARE_%s_%s", cluster->name, upper);
    (void)snprintf(json, sizeof json,
                   "{\"name\":\"PARE_%s_%s\",\"subjects\":[\"pare.%s.%s.>\"],"
                   "\"max_msgs_per_subject\":1,\"storage\":\"file\",\"num_replicas\":1,"
                   "\"discard\":\"old\",%s}",
                   cluster->name, upper, cluster->name, kind, more);
    return pare_link_ask_jetstream(cluster->link, what, json, NULL, err);
}

/* Jobs are kept for an hour, texts for three days, so leftovers of crashed runs expire. */
pare_status pare_cluster_make(pare_cluster *cluster, pare_error *err)
{
    pare_status status = make_stream(
        cluster, "job", "\"retention\":\"workqueue\",\"max_age\":" JS_SECONDS(3600), err);
    if (status) return status;
    return make_stream(cluster, "text",
                       "\"retention\":\"limits\",\"allow_direct\":true,"
                       "\"max_age\":" JS_SECONDS(259200),
                       err);
}

/* Takes /NAME from the end of the URL, if it is there: *url is what is left of it.
 *
 * Without a name the cluster is "main": "nats://host:4222/ci" names "ci". Only characters that
 * have no meaning in a subject of NATS ('.', '*', '>', blanks do) are accepted. *url ends with
 * a NUL. */
static pare_status read_name(pare_cluster *cluster, const char *given, pare_buffer *url,
                             pare_error *err)
{
    const char *host = strstr(given, "://");
    const char *slash = host ? strchr(host + 3, '/') : NULL;
    const char *name = slash && slash[1] ? slash + 1 : "main";
    size_t size = strlen(name);
    bool is_good = size < NAME_BYTES;
    for (size_t i = 0; i < size && is_good; i++)
        is_good = isalnum((unsigned char)name[i]) || name[i] == '-' || name[i] == '_';
    if (!is_good)
        return pare_fail(err, PARE_E_ARG,
                         "the name of a cluster must be at most 32 letters, digits, '-' and '_'");
    memcpy(cluster->name, name, size + 1);
    (void)snprintf(cluster->call, sizeof cluster->call, "pare.%s.call", name);
    (void)snprintf(cluster->jobs, sizeof cluster->jobs, "pare.%s.job.", name);
    pare_status status =
        pare_buffer_add(url, given, slash ? (size_t)(slash - given) : strlen(given), err);
    return status ? status : pare_buffer_add(url, "", 1, err);
}

/* Everything about a cluster goes through one connection. The streams are made if they are
 * missing, so the first run on a server needs no preparation. */
pare_status pare_cluster_open(const pare_link_options *options, pare_cluster **out, pare_error *err)
{
    pare_buffer url = {0};
    pare_cluster *cluster = pare_alloc_zero(1, sizeof *cluster);
    if (!cluster) return pare_fail_nomem(err);
    pare_link_options plain = *options;
    pare_status status = read_name(cluster, options->url, &url, err);
    /* NULL where read_name has failed; it is not used then. */
    plain.url = url.data;
    if (!status) status = pare_link_open(&plain, &cluster->link, err);
    if (!status) status = pare_cluster_make(cluster, err);
    pare_buffer_done(&url);
    if (status) {
        pare_cluster_close(cluster);
        return status;
    }
    *out = cluster;
    return PARE_OK;
}

void pare_cluster_close(pare_cluster *cluster)
{
    if (!cluster) return;
    pare_link_close(cluster->link);
    for (size_t i = 0; i < N_KEPT; i++)
        pare_text_unref(cluster->kept[i]);
    pare_buffer_done(&cluster->room);
    pare_alloc_free(cluster);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* No answer is requested here: workers answer to call->inbox. */
pare_status pare_cluster_call(pare_cluster *cluster, pare_message_kind kind,
                              const pare_message_call *call, pare_error *err)
{
    pare_status status = pare_message_write_call(&cluster->room, kind, call, err);
    if (status) return status;
    return pare_link_send(cluster->link, cluster->call, NULL, cluster->room.data,
                          cluster->room.size, err);
}

pare_status pare_cluster_hear_calls(pare_cluster *cluster, pare_error *err)
{
    return pare_link_subscribe(cluster->link, cluster->call, err);
}

/* Calls come with the subject of the cluster, answers with our inbox. */
bool pare_cluster_is_call(const pare_cluster *cluster, const pare_letter *letter)
{
    return strcmp(letter->subject, cluster->call) == 0;
}

/* ---- texts at hand ---------------------------------------------------------------------------- */

/* The index of the text in the cache; N_KEPT: it is not there. */
static size_t find(const pare_cluster *cluster, pare_digest digest)
{
    size_t i = 0;
    while (i < N_KEPT &&
           !(cluster->kept[i] && pare_digest_equal(pare_text_digest(cluster->kept[i]), digest)))
        i++;
    return i;
}

/* Drops the least recently used texts until the rest is not too large.  Two always stay: a text and
 * the base of its edits.
 *
 * Called with the newest text first, so what is dropped is the tail of the list. */
static void drop_large(pare_cluster *cluster)
{
    size_t n_bytes = 0;
    for (size_t i = 0; i < N_KEPT && cluster->kept[i]; i++) {
        n_bytes += pare_text_size(cluster->kept[i]);
        if (i < 2 || n_bytes <= KEPT_BYTES) continue;
        for (size_t k = i; k < N_KEPT; k++) {
            pare_text_unref(cluster->kept[k]);
            cluster->kept[k] = NULL;
        }
    }
}

/* Puts `text` (taken over) first, and drops the least recently used one. */
static void keep(pare_cluster *cluster, pare_text *text, size_t depth)
{
    const size_t last = N_KEPT - 1;
    pare_text_unref(cluster->kept[last]);
    memmove(cluster->kept + 1, cluster->kept, last * sizeof *cluster->kept);
    memmove(cluster->depth + 1, cluster->depth, last * sizeof *cluster->depth);
    cluster->kept[0] = text;
    cluster->depth[0] = depth;
    drop_large(cluster);
}

/* Moves the text at `i` to the front. */
static void use(pare_cluster *cluster, size_t i)
{
    pare_text *text = cluster->kept[i];
    size_t depth = cluster->depth[i];
    memmove(cluster->kept + 1, cluster->kept, i * sizeof *cluster->kept);
    memmove(cluster->depth + 1, cluster->depth, i * sizeof *cluster->depth);
    cluster->kept[0] = text;
    cluster->depth[0] = depth;
}

/* ---- putting texts ------------------------------------------------------------------------------ */

/* The subject of a part of a text. */
static void name_part(const pare_cluster *cluster, pare_digest digest, size_t part, char *subject,
                      size_t size)
{
    char name[PARE_DIGEST_TEXT_BYTES];
    pare_digest_text(digest, name);
    (void)snprintf(subject, size, "pare.%s.text.%d.%s.%zu", cluster->name, PARE_MESSAGE_VERSION,
                   name, part);
}

/* Where part `part` of a record of `size` bytes begins, or the record ends. Part 0 has
 * HEAD_BYTES, all others PART_BYTES, the last one what is left. */
static size_t part_begin(size_t size, size_t part)
{
    const size_t at = part ? HEAD_BYTES + (part - 1) * PART_BYTES : 0;
    return at < size ? at : size;
}

/* Sends `all` in parts; part 0 begins with their number.
 *
 * The server's acknowledgements come to a subject of our inbox and are not awaited: a part that
 * is lost is missed by whoever wants the text, and stored again then. */
static pare_status send_parts(pare_cluster *cluster, pare_digest digest, const pare_buffer *all,
                              pare_error *err)
{
    char subject[128], reply[80];
    size_t n = 1;
    if (all->size > MOST_BYTES)
        return pare_fail(err, PARE_E_LIMIT, "a text is too large to be sent");
    /* The number of parts is that of the first part which would begin at the end. */
    while (part_begin(all->size, n) < all->size)
        n++;
    (void)snprintf(reply, sizeof reply, "%s.stored", pare_link_inbox(cluster->link));
    pare_status status = PARE_OK;
    /* Part 0 is sent last: if it exists, all parts exist. */
    for (size_t part = n; part-- > 0 && !status;) {
        const size_t at = part_begin(all->size, part), end = part_begin(all->size, part + 1);
        pare_buffer_reset(&cluster->room);
        if (!part) status = pare_message_add_number(&cluster->room, n, err);
        if (!status) status = pare_buffer_add(&cluster->room, all->data + at, end - at, err);
        name_part(cluster, digest, part, subject, sizeof subject);
        if (!status)
            status = pare_link_send(cluster->link, subject, reply, cluster->room.data,
                                    cluster->room.size, err);
    }
    return status;
}

static pare_span span_of(const pare_text *text)
{
    return (pare_span){.bytes = pare_text_bytes(text), .size = pare_text_size(text)};
}

/* Appends `rest` compressed, after its uncompressed size, or, if that is not shorter, as it is,
 * after 0.  Small texts are not compressed. A failure of the compression is no error: the text
 * is stored as it is. */
static pare_status add_packed(pare_buffer *all, pare_span rest, pare_error *err)
{
    enum { LEAST_BYTES = 256 };
    pare_buffer packed = {0};
    pare_status status = PARE_OK;
    if (rest.size >= LEAST_BYTES)
        status = pare_packing_close(PARE_PACKING_QUICK, rest.bytes, rest.size, &packed, NULL);
    const bool is_shorter = !status && packed.size && packed.size < rest.size;
    const char *bytes = is_shorter ? packed.data : (const char *)rest.bytes;
    const size_t size = is_shorter ? packed.size : rest.size;
    status = pare_message_add_number(all, is_shorter ? rest.size : 0, err);
    if (!status && size) status = pare_buffer_add(all, bytes, size, err);
    pare_buffer_done(&packed);
    return status;
}

/* The record of a text: the depth, the base's digest if there is one, the size, and edits or bytes.
 *
 * Form: version, depth, digest (depth > 0 only), size of the text, then what add_packed writes.
 * A depth of 0 says that there is no base. */
static pare_status write_record(pare_buffer *all, const pare_text *text, const pare_text *base,
                                size_t depth, pare_error *err)
{
    pare_span rest = span_of(text);
    pare_buffer edits = {0};
    pare_status status = pare_message_add_number(all, PARE_MESSAGE_VERSION, err);
    if (!status) status = pare_message_add_number(all, depth, err);
    if (!status && base) status = pare_message_add_digest(all, pare_text_digest(base), err);
    if (!status) status = pare_message_add_number(all, rest.size, err);
    if (!status && base) status = pare_edits_between(span_of(base), rest, &edits, err);
    if (base) rest = (pare_span){(const unsigned char *)edits.data, edits.size};
    if (!status) status = add_packed(all, rest, err);
    pare_buffer_done(&edits);
    return status;
}

/* Asks for one part of a text.  On PARE_OK the caller owns *out.
 *
 * A direct get answers with the last message of the subject, or with an empty letter whose
 * status is 404. Errors: PARE_E_STATE (it is not there, or not any more), and those of
 * pare_link_ask. */
static pare_status ask_part(pare_cluster *cluster, pare_digest digest, size_t part,
                            pare_letter **out, pare_error *err)
{
    char subject[128], what[240];
    pare_letter *answer = NULL;
    name_part(cluster, digest, part, subject, sizeof subject);
    (void)snprintf(what, sizeof what, "$JS.API.DIRECT.GET.PARE_%s_TEXT.%s", cluster->name, subject);
    pare_status status = pare_link_ask(cluster->link, what, "", 0, &answer, err);
    if (!status && answer->status) {
        pare_link_letter_free(answer);
        return pare_fail(err, PARE_E_STATE, "a text is no longer on the server");
    }
    if (!status) *out = answer;
    return status;
}

/* Whether a text was stored as a whole less than `fresh_s` seconds ago: one that consists of edits
 * expires with the oldest text in its chain.  Part 0 is checked, because it is stored last.  False
 * also if nobody answers, or if the clocks differ by a day: storing it again does no harm. */
static bool is_fresh(pare_cluster *cluster, pare_digest digest, unsigned fresh_s)
{
    pare_letter *letter = NULL;
    if (!fresh_s || ask_part(cluster, digest, 0, &letter, NULL)) return false;
    pare_message in = pare_message_of(letter->bytes, letter->size);
    (void)pare_message_number(&in); /* of parts */
    const uint64_t version = pare_message_number(&in), depth = pare_message_number(&in);
    const int64_t age_s = (int64_t)time(NULL) - letter->stored_s;
    const bool is_whole = !in.is_bad && version == PARE_MESSAGE_VERSION && depth == 0;
    pare_link_letter_free(letter);
    return is_whole && age_s < (int64_t)fresh_s && age_s > -(int64_t)fresh_s;
}

/* Whether `text` may be stored as edits of `base`.  There is a fixed order of all texts, so that
 * texts never refer to each other in a circle, whatever we or other runs store again.  Larger texts
 * come first, since a reduction goes from larger to smaller. */
static bool is_before(const pare_text *base, const pare_text *text)
{
    const size_t base_size = pare_text_size(base), size = pare_text_size(text);
    const pare_digest a = pare_text_digest(base), b = pare_text_digest(text);
    if (base_size != size) return base_size > size;
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* Edits need a base in the cache, since only for those the depth is known.
 *
 * The text is kept at hand in any case, since edits of it will follow. If the chain below it
 * would become DEPTH long, it is stored as a whole, and chains of later texts start from it.
 * Without a base, or with one that may not be used, it is whole, too. */
pare_status pare_cluster_put(pare_cluster *cluster, const pare_text *text, const pare_text *base,
                             unsigned fresh_s, pare_error *err)
{
    pare_digest digest = pare_text_digest(text);
    if (pare_text_size(text) > MOST_BYTES)
        return pare_fail(err, PARE_E_LIMIT, "a text is too large to be sent");
    if (base && !is_before(base, text)) base = NULL;
    size_t at = base ? find(cluster, pare_text_digest(base)) : N_KEPT;
    size_t depth = at < N_KEPT && cluster->depth[at] + 1 < DEPTH ? cluster->depth[at] + 1 : 0;
    const size_t own = find(cluster, digest);
    if (own == N_KEPT) keep(cluster, pare_text_ref(text), depth);
    /* Known to be there as a whole for long enough: nothing is sent. */
    if (is_fresh(cluster, digest, fresh_s)) return PARE_OK;
    if (own < N_KEPT) cluster->depth[own] = depth;
    pare_buffer all = {0};
    pare_status status = write_record(&all, text, depth ? base : NULL, depth, err);
    if (!status) status = send_parts(cluster, digest, &all, err);
    pare_buffer_done(&all);
    return status;
}

/* ---- getting texts ------------------------------------------------------------------------------ */

/* Appends one part to *all; *n is the number of parts, which part 0 says.
 *
 * The limits are checked before memory is taken, as anybody with access to the server may have
 * stored the parts. */
static pare_status get_part(pare_cluster *cluster, pare_digest digest, size_t part,
                            pare_buffer *all, size_t *n, pare_error *err)
{
    pare_letter *answer = NULL;
    pare_status status = ask_part(cluster, digest, part, &answer, err);
    if (status) return status;
    pare_message message = pare_message_of(answer->bytes, answer->size);
    const uint64_t said = part ? *n : pare_message_number(&message);
    if (message.is_bad || said > MOST_PARTS)
        status = pare_fail(err, PARE_E_CORRUPT, "a text on the server is damaged");
    else if (all->size + message.size > MOST_BYTES)
        status = pare_fail(err, PARE_E_LIMIT, "a text on the server is too large");
    else if (message.size > message.at)
        status = pare_buffer_add(all, message.bytes + message.at, message.size - message.at, err);
    if (!status) *n = (size_t)said;
    pare_link_letter_free(answer);
    return status;
}

/* Fetches all parts of a text; part 0 says how many there are. */
static pare_status get_record(pare_cluster *cluster, pare_digest digest, pare_buffer *all,
                              pare_error *err)
{
    size_t n = 1;
    pare_status status = PARE_OK;
    pare_buffer_reset(all);
    for (size_t part = 0; part < n && !status; part++)
        status = get_part(cluster, digest, part, all, &n, err);
    return status;
}

/* What add_packed has added: borrowed from `in`, or from `plain`, where it is unpacked.
 *
 * The size says how much memory unpacking may take, and must come out exactly; bytes that are
 * left over are damage, too. */
static pare_status read_packed(pare_message *in, pare_buffer *plain, pare_span *rest,
                               pare_error *err)
{
    const uint64_t size = pare_message_number(in);
    size_t used = 0;
    if (in->is_bad || size > MOST_BYTES)
        return pare_fail(err, PARE_E_CORRUPT, "a text on the server is damaged");
    *rest = (pare_span){.bytes = in->bytes + in->at, .size = in->size - in->at};
    if (!size) return PARE_OK;
    if (!pare_packing_is_there())
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "the texts are compressed, and pare was built without zlib there");
    pare_status status =
        pare_packing_open(PARE_PACKING_QUICK, *rest, (size_t)size, plain, &used, err);
    if (!status && (used != rest->size || plain->size != size))
        status = pare_fail(err, PARE_E_CORRUPT, "a text on the server is damaged");
    *rest = (pare_span){.bytes = (const unsigned char *)plain->data, .size = plain->size};
    return status;
}

/* Makes the text of a record whose base, if it has one, is at hand; else *lacks is the base.
 *
 * PARE_OK with *lacks not zero means that the base has to be fetched first and the record read
 * again. Otherwise the text was made, its digest compared with the one that was asked for, and
 * it is now the first of the cache. Whatever somebody else stored, a text of the wrong content
 * is never returned. */
static pare_status read_record(pare_cluster *cluster, const pare_buffer *all, pare_digest wanted,
                               pare_digest *lacks, pare_error *err)
{
    pare_message in = pare_message_of(all->data, all->size);
    pare_span base = {.size = 0};
    pare_buffer bytes = {0}, plain = {0};
    pare_text *text = NULL;
    *lacks = (pare_digest){.high = 0};
    uint64_t version = pare_message_number(&in), depth = pare_message_number(&in);
    pare_digest base_digest = depth ? pare_message_digest(&in) : *lacks;
    uint64_t size = pare_message_number(&in);
    /* Without a digest the base could be no one's, and *lacks could not say that it is wanted. */
    const bool lacks_name = depth && !base_digest.high && !base_digest.low;
    if (in.is_bad || version != PARE_MESSAGE_VERSION || depth >= DEPTH || lacks_name ||
        size > MOST_BYTES)
        return pare_fail(err, PARE_E_CORRUPT, "a text on the server is damaged");
    size_t at = depth ? find(cluster, base_digest) : N_KEPT;
    /* Not at hand: the caller fetches it, and comes back. */
    if (depth && at == N_KEPT) return *lacks = base_digest, PARE_OK;
    if (depth) base = span_of(cluster->kept[at]);
    pare_span rest = {.size = 0};
    pare_status status = read_packed(&in, &plain, &rest, err);
    if (!status && !depth && rest.size != size)
        status = pare_fail(err, PARE_E_CORRUPT, "a text on the server is damaged");
    if (!status && depth)
        status = pare_edits_apply(base, rest, (size_t)size, &bytes, err);
    else if (!status && rest.size)
        status = pare_buffer_add(&bytes, rest.bytes, rest.size, err);
    pare_buffer_done(&plain);
    if (!status) status = pare_text_take(&bytes, &text, err);
    if (!status && !pare_digest_equal(pare_text_digest(text), wanted))
        status = pare_fail(err, PARE_E_CORRUPT, "a text on the server does not match its digest");
    if (status)
        pare_text_unref(text);
    else
        keep(cluster, text, (size_t)depth);
    pare_buffer_done(&bytes);
    return status;
}

/* Follows the chain of edits to a text that is whole or in the cache, then applies the edits on the
 * way back.
 *
 * `way` is a stack: below is the text that is wanted, above it the base of its edits, the base
 * of that, and so on. The top is removed once it is at hand. A record is read twice where its
 * base was missing. *missing names the text that could not be got, so that a worker can ask the
 * coordinator to store it again. *out is borrowed from the cache until the next call. */
pare_status pare_cluster_get(pare_cluster *cluster, pare_digest digest, const pare_text **out,
                             pare_digest *missing, pare_error *err)
{
    pare_digest way[MOST_DEPTH + 1];
    size_t n = 0;
    pare_buffer all = {0};
    pare_status status = PARE_OK;
    for (way[n++] = digest; n && !status;) {
        pare_digest lacks;
        size_t at = find(cluster, way[n - 1]);
        /* Moved to the front, so that it stays while what is made from it is kept. */
        if (at < N_KEPT) {
            use(cluster, at);
            n--;
            continue;
        }
        *missing = way[n - 1];
        status = get_record(cluster, way[n - 1], &all, err);
        if (!status) status = read_record(cluster, &all, way[n - 1], &lacks, err);
        bool is_below = !status && (lacks.high || lacks.low);
        if (is_below && n > MOST_DEPTH)
            status = pare_fail(err, PARE_E_CORRUPT,
                               "texts on the server refer to each other in a circle");
        else if (is_below)
            way[n++] = lacks;
    }
    pare_buffer_done(&all);
    if (!status) *out = cluster->kept[0];
    return status;
}

/* Stores it as a whole, even if it exists as edits, since the base of those may expire earlier. */
pare_status pare_cluster_refresh(pare_cluster *cluster, pare_digest digest, unsigned fresh_s,
                                 pare_error *err)
{
    const pare_text *borrowed = NULL;
    pare_digest missing;
    if (is_fresh(cluster, digest, fresh_s)) return PARE_OK;
    pare_status status = pare_cluster_get(cluster, digest, &borrowed, &missing, err);
    if (status) return status;
    pare_text *text = pare_text_ref(borrowed);
    status = pare_cluster_put(cluster, text, NULL, PARE_CLUSTER_ALWAYS, err);
    pare_text_unref(text);
    return status;
}

/* ---- jobs ------------------------------------------------------------------------------------- */

/* If the server hears nothing about a job ("+WPI") for 5 s, it gives the job to another worker, as
 * often as necessary.  The consumer ends when nobody has asked for jobs for ten minutes, which
 * cleans up after a killed run. */
pare_status pare_cluster_open_run(pare_cluster *cluster, uint64_t run, pare_error *err)
{
    char what[120], json[512];
    const unsigned long long id = run;
    (void)snprintf(what, sizeof what, "CONSUMER.DURABLE.CREATE.PARE_%s_JOB.%016llx", cluster->name,
                   id);
    (void)snprintf(json, sizeof json,
                   "{\"stream_name\":\"PARE_%s_JOB\",\"config\":{\"durable_name\":\"%016llx\","
                   "\"filter_subject\":\"%s%016llx.>\",\"ack_policy\":\"explicit\","
                   "\"deliver_policy\":\"all\",\"ack_wait\":" JS_SECONDS(
                       5) ","
                          "\"max_deliver\":-1,\"max_ack_pending\":65536,\"max_waiting\":4096,"
                          "\"inactive_threshold\":" JS_SECONDS(600) "}}",
                   cluster->name, id, cluster->jobs, id);
    return pare_link_ask_jetstream(cluster->link, what, json, NULL, err);
}

/* By the API of JetStream, whose answer nobody waits for. */
pare_status pare_cluster_purge(pare_cluster *cluster, uint64_t run, pare_error *err)
{
    char what[100], json[160], reply[80];
    (void)snprintf(what, sizeof what, "$JS.API.STREAM.PURGE.PARE_%s_JOB", cluster->name);
    (void)snprintf(json, sizeof json, "{\"filter\":\"%s%016llx.>\"}", cluster->jobs,
                   (unsigned long long)run);
    (void)snprintf(reply, sizeof reply, "%s.purged", pare_link_inbox(cluster->link));
    return pare_link_send(cluster->link, what, reply, json, strlen(json), err);
}

/* Both requests are sent without waiting: the run is over, and if they get lost, the server removes
 * the queue later. */
void pare_cluster_close_run(pare_cluster *cluster, uint64_t run)
{
    char what[120], reply[80];
    (void)!pare_cluster_purge(cluster, run, NULL);
    (void)snprintf(what, sizeof what, "$JS.API.CONSUMER.DELETE.PARE_%s_JOB.%016llx", cluster->name,
                   (unsigned long long)run);
    (void)snprintf(reply, sizeof reply, "%s.deleted", pare_link_inbox(cluster->link));
    (void)!pare_link_send(cluster->link, what, reply, "", 0, NULL);
}

/* No acknowledgement is awaited; the coordinator detects jobs that get lost on the way (has_lost in
 * remote.c). */
pare_status pare_cluster_send_job(pare_cluster *cluster, uint64_t run, uint64_t job,
                                  const pare_buffer *message, pare_error *err)
{
    char subject[100];
    (void)snprintf(subject, sizeof subject, "%s%016llx.%llu", cluster->jobs,
                   (unsigned long long)run, (unsigned long long)job);
    return pare_link_send(cluster->link, subject, NULL, message->data, message->size, err);
}

/* The subject for the answers contains the number of the request, so that refusals by the server
 * can be distinguished from jobs. */
pare_status pare_cluster_pull(pare_cluster *cluster, uint64_t run, unsigned n, uint64_t pull,
                              pare_error *err)
{
    char what[120], json[80], reply[80];
    (void)snprintf(what, sizeof what, "$JS.API.CONSUMER.MSG.NEXT.PARE_%s_JOB.%016llx",
                   cluster->name, (unsigned long long)run);
    (void)snprintf(json, sizeof json, "{\"batch\":%u,\"expires\":" JS_SECONDS(5) "}", n);
    (void)snprintf(reply, sizeof reply, "%s.pull.%llu", pare_link_inbox(cluster->link),
                   (unsigned long long)pull);
    return pare_link_send(cluster->link, what, reply, json, strlen(json), err);
}

/* Jobs come with the subject that they were sent to. Returns the number of the run, 0 if the
 * letter is no job: "pare.main.job.00000000000000a1.7" is 0xa1. */
uint64_t pare_cluster_job_of(const pare_cluster *cluster, const pare_letter *letter)
{
    size_t size = strlen(cluster->jobs);
    if (strncmp(letter->subject, cluster->jobs, size) != 0) return 0;
    return strtoull(letter->subject + size, NULL, 16);
}

pare_status pare_cluster_acknowledge(pare_cluster *cluster, const char *reply, const char *how,
                                     pare_error *err)
{
    /* Accepts only the server's own subjects, so that a worker cannot pretend to be the server. */
    if (strncmp(reply, "$JS.ACK.", 8) != 0) return PARE_OK;
    return pare_link_send(cluster->link, reply, NULL, how, strlen(how), err);
}

/* ---- who is there ---------------------------------------------------------------------------------- */

/* Waits the whole time, since the number of workers is not known. A worker that answers later
 * than ANSWER_MS is not reported. */
pare_status pare_cluster_ask(const pare_link_options *link,
                             void (*each)(void *context, const pare_message_hello *hello),
                             void *context, pare_error *err)
{
    enum { ANSWER_MS = 700 };
    pare_cluster *cluster = NULL;
    pare_message_call call = {.run = 0};
    pare_status status = pare_cluster_open(link, &cluster, err);
    if (status) return status;
    pare_link *to = pare_cluster_link(cluster);
    (void)snprintf(call.inbox, sizeof call.inbox, "%s.h", pare_link_inbox(to));
    status = pare_cluster_call(cluster, PARE_MESSAGE_ASK, &call, err);
    const uint64_t end_ms = pare_clock_ms() + ANSWER_MS;
    for (uint64_t now_ms; !status && (now_ms = pare_clock_ms()) < end_ms;) {
        struct pollfd file = {.fd = pare_link_fd(to), .events = POLLIN};
        (void)poll(&file, 1, (int)(end_ms - now_ms));
        for (pare_letter *letter; (letter = pare_link_take(to)) != NULL;
             pare_link_letter_free(letter)) {
            unsigned version;
            pare_message_hello hello;
            pare_message message = pare_message_of(letter->bytes, letter->size);
            if (pare_message_open(&message, &version) == PARE_MESSAGE_HELLO &&
                pare_message_read_hello(&message, &hello))
                each(context, &hello);
        }
    }
    pare_cluster_close(cluster);
    return status;
}
