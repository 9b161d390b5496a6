/* Reading what learn.js printed, a line at a time.
 *
 * The script numbers signatures in the order in which it prints them, so a line about a signature
 * comes after the line that has it. An engine may lose lines (it is killed, or prints too much): if
 * a number is not the next one, the signature and the lines about it are ignored. */
#include "generate/discovery/call_log.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/halving.h"
#include "base/vector.h"

/* "SIGNATURE FUNCTION HOW RECEIVER" and the parameters. */
enum { N_HEAD = 4, MAX_FIELDS = N_HEAD + PARE_CALL_LOG_PARAMETERS };

/* Signatures have two numbers: the script's, by which its lines name them, and their place in our
 * list, which has no gaps. */
struct reader {
    pare_call_log *log;
    const pare_graph *graph;
    pare_probe_field fields[MAX_FIELDS];
    size_t n_fields;
    uint32_t *numbers; /* owned; the script's numbers of the signatures, ascending */
    size_t numbers_capacity;
    pare_buffer scratch;
};

/* Whether the graph has what `type` names. Scripts name an instance type by its
 * prototype and never by its own number: they see objects, not what the graph
 * made of them. */
static bool is_known(const pare_graph *graph, pare_probe_type type)
{
    if (type.letter != 'o' && type.letter != 'i') return true;
    return type.id < pare_graph_n_types(graph) && !pare_graph_type_at(graph, type.id)->is_instance;
}

/* Reads a type. A number beyond the graph's types is no type, and the line is
 * passed over: the engine, or a test that prints, may write anything. */
static bool read_type(const struct reader *reader, pare_probe_field field, pare_probe_type *type)
{
    return pare_probe_fields_type(field, type) && is_known(reader->graph, *type);
}

/* Finds the place in our list of the signature that a line is about; false: it
 * is none of them. The script's numbers ascend, so it is found by bisection. */
static bool read_signature(const struct reader *reader, pare_probe_field field, uint32_t *signature)
{
    uint32_t number;
    pare_halving search = {.low = 0, .high = reader->log->n_signatures};
    if (!pare_probe_fields_number(field, &number)) return false;
    while (pare_halving_next(&search))
        pare_halving_tell(&search, reader->numbers[search.middle] < number);
    *signature = (uint32_t)search.low;
    return search.low < reader->log->n_signatures && reader->numbers[search.low] == number;
}

/* The receiver that counts. The global object and undefined are what a function
 * gets that is called by itself, so both are "none". */
static pare_probe_type simplify_receiver(const pare_graph *graph, pare_probe_type type)
{
    bool is_plain =
        type.letter == 'u' || (type.letter == 'o' && type.id == pare_graph_global(graph));
    return is_plain ? (pare_probe_type){.letter = '-'} : type;
}

/* "g SIGNATURE FUNCTION HOW RECEIVER TYPE...". The line is taken as a whole or
 * not at all: a signature that lacks one type would be another signature. */
static pare_status add_signature(struct reader *reader, pare_error *err)
{
    pare_call_log *log = reader->log;
    const pare_probe_field *fields = reader->fields;
    pare_call_signature signature = {.n_params = (uint32_t)reader->n_fields - N_HEAD};
    uint32_t number;
    if (!pare_probe_fields_number(fields[0], &number) ||
        (log->n_signatures && number <= reader->numbers[log->n_signatures - 1]) ||
        !pare_probe_fields_number(fields[1], &signature.function) ||
        signature.function >= pare_graph_n_types(reader->graph) ||
        pare_graph_type_at(reader->graph, signature.function)->kind != PARE_GRAPH_FUNCTION ||
        !read_type(reader, fields[3], &signature.receiver))
        return PARE_OK;
    /* What `new` passes as `this` is the object under construction: it says nothing new. */
    signature.is_constructor = pare_probe_fields_is(fields[2], "n");
    signature.receiver = signature.is_constructor
                             ? (pare_probe_type){.letter = '-'}
                             : simplify_receiver(reader->graph, signature.receiver);
    for (uint32_t i = 0; i < signature.n_params; i++)
        if (!read_type(reader, fields[N_HEAD + i], &signature.params[i])) return PARE_OK;
    uint32_t *numbers = pare_vector_grow(reader->numbers, log->n_signatures,
                                         &reader->numbers_capacity, sizeof *numbers);
    if (!numbers) return pare_fail_nomem(err);
    reader->numbers = numbers;
    pare_call_signature *grown = pare_vector_grow(log->signatures, log->n_signatures,
                                                  &log->signatures_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    log->signatures = grown;
    numbers[log->n_signatures] = number;
    grown[log->n_signatures++] = signature;
    return PARE_OK;
}

/* "r SIGNATURE TYPE". That there is any such line means that a call with this
 * signature did not throw. */
static pare_status add_return(struct reader *reader, pare_error *err)
{
    pare_call_log *log = reader->log;
    pare_call_return entry = {0};
    if (!read_signature(reader, reader->fields[0], &entry.signature) ||
        !read_type(reader, reader->fields[1], &entry.type))
        return PARE_OK;
    pare_call_return *grown =
        pare_vector_grow(log->returns, log->n_returns, &log->returns_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    log->returns = grown;
    grown[log->n_returns++] = entry;
    return PARE_OK;
}

/* Decodes a field into the arena; *text is NULL if it is no text. */
static pare_status keep_text(struct reader *reader, pare_probe_field field, const char **text,
                             pare_error *err)
{
    bool is_text;
    *text = NULL;
    pare_status status = pare_probe_fields_text(field, &reader->scratch, &is_text, err);
    if (status || !is_text) return status;
    *text = pare_arena_text(&reader->log->arena, reader->scratch.data, reader->scratch.size);
    return *text ? PARE_OK : pare_fail_nomem(err);
}

/* "v SIGNATURE POSITION VALUE". A value becomes one line of an edge's values,
 * so one with a line end is passed over, as is a long one. */
static pare_status add_value(struct reader *reader, pare_error *err)
{
    pare_call_log *log = reader->log;
    pare_call_value entry = {0};
    if (!read_signature(reader, reader->fields[0], &entry.signature) ||
        !pare_probe_fields_number(reader->fields[1], &entry.position) ||
        entry.position >= log->signatures[entry.signature].n_params)
        return PARE_OK;
    pare_status status = keep_text(reader, reader->fields[2], &entry.text, err);
    if (status || !entry.text || !*entry.text || strpbrk(entry.text, "\r\n") ||
        strlen(entry.text) > PARE_CALL_LOG_VALUE_BYTES)
        return status;
    pare_call_value *grown =
        pare_vector_grow(log->values, log->n_values, &log->values_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    log->values = grown;
    grown[log->n_values++] = entry;
    return PARE_OK;
}

/* "threw MESSAGE": not a call has thrown, but the test as a whole. */
static pare_status note_throw(struct reader *reader, pare_error *err)
{
    return keep_text(reader, reader->fields[0], &reader->log->threw, err);
}

/* "end CALLS". More lines may follow, of callbacks that come later. */
static pare_status note_end(struct reader *reader, pare_error *err)
{
    uint32_t n;
    (void)err;
    reader->log->has_ended = true;
    if (pare_probe_fields_number(reader->fields[0], &n)) reader->log->n_calls = n;
    return PARE_OK;
}

/* The kinds of lines, by their first word. A line that does not fit its row is
 * passed over silently: tests print, too, and a line of theirs may begin like
 * one of ours. */
static const struct line {
    const char *word;
    size_t least, most; /* fields after the word */
    pare_status (*read)(struct reader *reader, pare_error *err);
} lines[] = {
    {"g", N_HEAD, MAX_FIELDS, add_signature},
    {"r", 2, 2, add_return},
    {"v", 3, 3, add_value},
    {"threw", 1, 1, note_throw},
    {"end", 1, 1, note_end},
};

enum { N_LINES = sizeof lines / sizeof *lines };

/* Reads one line. Nothing counts before the line with which the script begins. */
static pare_status read_line(struct reader *reader, pare_probe_field text, pare_error *err)
{
    const char *end = text.start + text.size;
    if (pare_probe_fields_is(text, "pare-learn 1")) reader->log->has_begun = true;
    if (!reader->log->has_begun) return PARE_OK;
    if (pare_probe_fields_is(text, "late")) reader->log->is_late = true;
    const char *space = memchr(text.start, ' ', text.size);
    if (!space) return PARE_OK;
    pare_probe_field word = {text.start, (size_t)(space - text.start)};
    for (size_t k = 0; k < N_LINES; k++) {
        if (!pare_probe_fields_is(word, lines[k].word)) continue;
        reader->n_fields = pare_probe_fields_split(space + 1, end, reader->fields, MAX_FIELDS);
        bool fits = reader->n_fields >= lines[k].least && reader->n_fields <= lines[k].most;
        return fits ? lines[k].read(reader, err) : PARE_OK;
    }
    return PARE_OK;
}

/* Reads what a script has printed. Any bytes are accepted, as a test may print
 * what it wants between our lines. */
pare_status pare_call_log_read(pare_call_log *log, const pare_buffer *printed,
                               const pare_graph *graph, pare_error *err)
{
    struct reader reader = {.log = log, .graph = graph};
    pare_status status = PARE_OK;
    const char *at = printed->data, *end = at ? at + printed->size : NULL;
    /* The last line is cut off if nothing ends it. */
    while (at < end && !status) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) break;
        bool has_return = line_end > at && line_end[-1] == '\r';
        status =
            read_line(&reader, (pare_probe_field){at, (size_t)(line_end - at) - has_return}, err);
        at = line_end + 1;
    }
    pare_alloc_free(reader.numbers);
    pare_buffer_done(&reader.scratch);
    assert(status || pare_call_log_check(log, graph));
    return status;
}

/* All-zero is a no-op. Texts are in the arena. */
void pare_call_log_done(pare_call_log *log)
{
    pare_alloc_free(log->signatures);
    pare_alloc_free(log->returns);
    pare_alloc_free(log->values);
    pare_arena_done(&log->arena);
    *log = (pare_call_log){0};
}

/* Whether all invariants of a log hold, which the functions above see to line
 * by line. */
bool pare_call_log_check(const pare_call_log *log, const pare_graph *graph)
{
    for (size_t i = 0; i < log->n_signatures; i++) {
        const pare_call_signature *signature = &log->signatures[i];
        if (signature->function >= pare_graph_n_types(graph) ||
            signature->n_params > PARE_CALL_LOG_PARAMETERS || !is_known(graph, signature->receiver))
            return false;
        for (uint32_t k = 0; k < signature->n_params; k++)
            if (!is_known(graph, signature->params[k])) return false;
    }
    for (size_t i = 0; i < log->n_returns; i++)
        if (log->returns[i].signature >= log->n_signatures ||
            !is_known(graph, log->returns[i].type))
            return false;
    for (size_t i = 0; i < log->n_values; i++)
        if (log->values[i].signature >= log->n_signatures || !*log->values[i].text ||
            log->values[i].position >= log->signatures[log->values[i].signature].n_params)
            return false;
    return true;
}
