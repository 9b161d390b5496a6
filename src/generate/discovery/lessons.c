/* Lessons: the signatures seen in tests, each once, with their return values and arguments.
 *
 * A lesson is identified by its function, how it was called, and the types of the receiver and the
 * arguments.  Lessons are looked up by the hash of all that, and begin with the learned signatures
 * of the graph, so a test that is learned from twice adds nothing.
 *
 * Signatures that the graph had keep their numbers.  New ones, and new instance types, are added in
 * an order of their contents, not in the order of observation, so the graph does not depend on the
 * order of the tests.  An instance type is added for each prototype if a test showed an instance of
 * it that had no type yet: iterators, results of regular expressions, classes that no constructor
 * leads to. */
#include "generate/discovery/lessons.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "generate/discovery/probe_fields.h"
#include "generate/prototype/graph.h"

/* What one signature taught. */
struct lesson {
    pare_call_signature signature;
    uint32_t number; /* of the signature in the graph; PARE_GRAPH_NONE: it is new */
    bool has_returned;
};

/* What was learned so far. Returns and values stay in the order of observation. */
struct pare_lessons {
    const pare_graph *graph; /* borrowed */
    pare_arena texts;
    struct lesson *lessons; /* owned, as are all arrays */
    size_t n_lessons, lessons_capacity;
    pare_hash_index index;     /* of `lessons` */
    pare_call_return *returns; /* `signature` is the number of a lesson here, as below */
    pare_call_value *values;
    size_t n_returns, n_values, returns_capacity, values_capacity;
};

/* --- the lessons ----------------------------------------------------------------------------- */

/* An order of types without meaning, but the same in each run. */
static int compare_types(pare_probe_type a, pare_probe_type b)
{
    if (a.letter != b.letter) return a.letter < b.letter ? -1 : 1;
    return a.id == b.id ? 0 : a.id < b.id ? -1 : 1;
}

/* A total order of signatures. By function first, so that new signatures of one
 * function are neighbours in the graph's file. 0 only for equal ones. */
static int compare_signatures(const pare_call_signature *a, const pare_call_signature *b)
{
    if (a->function != b->function) return a->function < b->function ? -1 : 1;
    if (a->is_constructor != b->is_constructor) return b->is_constructor ? -1 : 1;
    if (a->n_params != b->n_params) return a->n_params < b->n_params ? -1 : 1;
    int order = compare_types(a->receiver, b->receiver);
    for (uint32_t i = 0; i < a->n_params && !order; i++)
        order = compare_types(a->params[i], b->params[i]);
    return order;
}

/* The hash of all that tells signatures apart. Over numbers and not over the
 * struct's bytes, since structs have gaps. */
static uint64_t hash_of(const pare_call_signature *signature)
{
    uint32_t words[5 + 2 * PARE_CALL_LOG_PARAMETERS], n = 0;
    words[n++] = signature->function;
    words[n++] = signature->is_constructor;
    words[n++] = signature->n_params;
    words[n++] = (uint32_t)signature->receiver.letter;
    words[n++] = signature->receiver.id;
    for (uint32_t i = 0; i < signature->n_params; i++) {
        words[n++] = (uint32_t)signature->params[i].letter;
        words[n++] = signature->params[i].id;
    }
    return pare_checksum(words, n * sizeof *words);
}

/* Sets *at to the lesson of `signature`, which is added if there is none; then
 * *is_new, and `number` is its number in the graph. Numbers of lessons stay;
 * pointers to them do not. */
static pare_status find_or_add(pare_lessons *self, const pare_call_signature *signature,
                               uint32_t number, uint32_t *at, bool *is_new, pare_error *err)
{
    uint64_t hash = hash_of(signature);
    pare_hash_probe probe = pare_hash_index_probe(&self->index, hash);
    *is_new = false;
    while (pare_hash_index_next(&self->index, &probe, at))
        /* Different signatures may have one hash. */
        if (compare_signatures(&self->lessons[*at].signature, signature) == 0) return PARE_OK;
    struct lesson *grown =
        pare_vector_grow(self->lessons, self->n_lessons, &self->lessons_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    self->lessons = grown;
    *at = (uint32_t)self->n_lessons;
    grown[*at] = (struct lesson){.signature = *signature, .number = number};
    pare_status status = pare_hash_index_add(&self->index, hash, *at, err);
    if (status) return status;
    self->n_lessons++;
    *is_new = true;
    return PARE_OK;
}

/* Notes what a call returned. The same type may be noted several times: equal
 * edges of the graph are united when it is finished, so nothing is looked for
 * here. */
static pare_status add_return(pare_lessons *self, uint32_t lesson, pare_probe_type type,
                              pare_error *err)
{
    pare_call_return *grown =
        pare_vector_grow(self->returns, self->n_returns, &self->returns_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    self->returns = grown;
    grown[self->n_returns++] = (pare_call_return){lesson, type};
    self->lessons[lesson].has_returned = true;
    return PARE_OK;
}

/* Notes a value that was passed. Its text is copied, as the log that it is from
 * will be gone. */
static pare_status add_value(pare_lessons *self, uint32_t lesson, const pare_call_value *value,
                             pare_error *err)
{
    char *text = pare_arena_text(&self->texts, value->text, strlen(value->text));
    if (!text) return pare_fail_nomem(err);
    pare_call_value *grown =
        pare_vector_grow(self->values, self->n_values, &self->values_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    self->values = grown;
    grown[self->n_values++] = (pare_call_value){lesson, value->position, text};
    return PARE_OK;
}

/* Adds all that a log has shown; *n_new is how many signatures nobody had seen.
 * The log numbers its signatures for itself; `at` translates them to lessons. */
pare_status pare_lessons_add(pare_lessons *self, const pare_call_log *log, size_t *n_new,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    bool is_new;
    *n_new = 0;
    uint32_t *at = pare_alloc(log->n_signatures, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    for (size_t i = 0; i < log->n_signatures && !status; i++) {
        status = find_or_add(self, &log->signatures[i], PARE_GRAPH_NONE, &at[i], &is_new, err);
        if (!status) *n_new += is_new;
    }
    for (size_t i = 0; i < log->n_returns && !status; i++)
        status = add_return(self, at[log->returns[i].signature], log->returns[i].type, err);
    for (size_t i = 0; i < log->n_values && !status; i++)
        status = add_value(self, at[log->values[i].signature], &log->values[i], err);
    pare_alloc_free(at);
    return status;
}

/* --- what the graph knew --------------------------------------------------------------------- */

/* A type of the graph as the scripts name it: an instance by its prototype, an
 * object by its number, a primitive by its letter alone. */
static pare_probe_type type_in(const pare_graph *graph, uint32_t id)
{
    if (id == PARE_GRAPH_NONE) return (pare_probe_type){.letter = '-'};
    const pare_graph_type *type = pare_graph_type_at(graph, id);
    if (type->is_instance && type->prototype != PARE_GRAPH_NONE)
        return (pare_probe_type){.letter = 'i', .id = type->prototype};
    char letter = pare_probe_fields_letter(type->kind);
    return (pare_probe_type){.letter = letter, .id = letter == 'o' ? id : 0};
}

/* Makes a learned signature of the graph a lesson. One that no script of ours
 * could have seen, with more parameters than a log has, stays in the graph and
 * is no lesson. */
static pare_status add_known(pare_lessons *self, uint32_t number, pare_error *err)
{
    const pare_graph *graph = self->graph;
    const pare_graph_signature *known = pare_graph_signature_at(graph, number);
    uint32_t n, at;
    bool is_new;
    pare_call_signature signature = {.function = known->function,
                                     .is_constructor = known->is_constructor,
                                     .receiver = type_in(graph, known->receiver),
                                     .n_params = known->n_params};
    if (known->n_params > PARE_CALL_LOG_PARAMETERS) return PARE_OK;
    /* A parameter of which the graph knows no type. */
    for (uint32_t i = 0; i < known->n_params; i++)
        signature.params[i].letter = '-';
    const uint32_t *edges = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, number, &n);
    for (uint32_t i = 0; i < n; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, edges[i]);
        signature.params[edge->position] = type_in(graph, edge->from);
    }
    pare_status status = find_or_add(self, &signature, number, &at, &is_new, err);
    /* A signature that is known to throw has never returned so far. */
    if (!status && !known->throws) self->lessons[at].has_returned = true;
    return status;
}

/* Begins with what the graph has learned before. Declared signatures are no
 * lessons: that a function has a length says nothing of its calls. `graph` is
 * borrowed. */
pare_status pare_lessons_new(const pare_graph *graph, pare_lessons **out, pare_error *err)
{
    pare_lessons *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->graph = graph;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < pare_graph_n_signatures(graph) && !status; i++)
        if (pare_graph_signature_at(graph, i)->is_learned) status = add_known(self, i, err);
    if (status)
        pare_lessons_free(self);
    else
        *out = self;
    return status;
}

/* NULL is a no-op, since learning may fail before there are lessons. */
void pare_lessons_free(pare_lessons *self)
{
    if (!self) return;
    pare_hash_index_done(&self->index);
    pare_alloc_free(self->lessons);
    pare_alloc_free(self->returns);
    pare_alloc_free(self->values);
    pare_arena_done(&self->texts);
    pare_alloc_free(self);
}

/* --- the graph ------------------------------------------------------------------------------- */

/* A graph being made of lessons. All arrays but `kinds` are owned. */
struct maker {
    const pare_lessons *lessons;
    pare_graph_builder *builder;
    uint32_t *instances; /* owned; by prototype: its instance type; PARE_GRAPH_NONE: none */
    bool *is_wanted;     /* owned; by prototype: there has to be an instance type */
    uint32_t kinds[PARE_GRAPH_N_KINDS]; /* types of primitive kinds */
    uint32_t *order, *numbers;          /* owned; lessons sorted; their signatures in the graph */
    pare_buffer path;
};

/* Copies the types of the graph, with their numbers, and notes which are
 * primitive kinds and instance types. */
static pare_status copy_types(struct maker *maker, pare_error *err)
{
    const pare_graph *graph = maker->lessons->graph;
    pare_status status = PARE_OK;
    for (size_t k = 0; k < PARE_GRAPH_N_KINDS; k++)
        maker->kinds[k] = PARE_GRAPH_NONE;
    for (uint32_t i = 0; i < pare_graph_n_types(graph); i++)
        maker->instances[i] = PARE_GRAPH_NONE;
    for (uint32_t i = 0; i < pare_graph_n_types(graph) && !status; i++) {
        const pare_graph_type *type = pare_graph_type_at(graph, i);
        /* There is one type for each primitive kind. */
        if (type->kind < PARE_GRAPH_OBJECT) maker->kinds[type->kind] = i;
        if (type->is_instance && type->prototype != PARE_GRAPH_NONE)
            maker->instances[type->prototype] = i;
        status = pare_graph_builder_type(maker->builder, type, NULL, err);
    }
    return status;
}

/* Notes that an instance type is wanted, if the graph lacks it; so each
 * prototype gets one at most. */
static void want(struct maker *maker, pare_probe_type type)
{
    if (type.letter == 'i' && maker->instances[type.id] == PARE_GRAPH_NONE)
        maker->is_wanted[type.id] = true;
}

/* Adds the instance types that only the lessons have, in the order of their
 * prototypes. */
static pare_status add_instances(struct maker *maker, pare_error *err)
{
    const pare_lessons *lessons = maker->lessons;
    const pare_graph *graph = lessons->graph;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < lessons->n_lessons; i++) {
        const pare_call_signature *signature = &lessons->lessons[i].signature;
        want(maker, signature->receiver);
        for (uint32_t k = 0; k < signature->n_params; k++)
            want(maker, signature->params[k]);
    }
    for (size_t i = 0; i < lessons->n_returns; i++)
        want(maker, lessons->returns[i].type);
    for (uint32_t i = 0; i < pare_graph_n_types(graph) && !status; i++) {
        const pare_graph_type *prototype = pare_graph_type_at(graph, i);
        /* The number of a type is its place in the graph, so this goes through the prototypes
         * in order. */
        if (!maker->is_wanted[i]) continue;
        pare_buffer_reset(&maker->path);
        status =
            pare_buffer_format(&maker->path, err, "any object with prototype %s", prototype->path);
        if (status) break;
        const pare_graph_type type = {.kind = prototype->kind,
                                      .is_instance = true,
                                      .class_name = prototype->class_name,
                                      .path = maker->path.data,
                                      .prototype = i};
        status = pare_graph_builder_type(maker->builder, &type, &maker->instances[i], err);
    }
    return status;
}

/* The number of a type in the new graph; PARE_GRAPH_NONE: it is not known, or
 * the graph has no such kind. */
static uint32_t number_of(const struct maker *maker, pare_probe_type type)
{
    if (type.letter == 'o') return type.id;
    if (type.letter == 'i') return maker->instances[type.id];
    for (size_t k = 0; k < PARE_GRAPH_OBJECT; k++)
        if (pare_probe_fields_letter((pare_graph_kind)k) == type.letter) return maker->kinds[k];
    return PARE_GRAPH_NONE;
}

/* By what the signatures are, so that the numbers of new ones do not depend on
 * the order of tests. */
static int compare_lessons(const void *a, const void *b, void *context)
{
    const struct lesson *lessons = context;
    const uint32_t *x = a, *y = b;
    return compare_signatures(&lessons[*x].signature, &lessons[*y].signature);
}

/* Copies the signatures of the graph with their numbers and adds the new ones
 * in order. An old signature changes only if a test has shown that it does not
 * always throw. */
static pare_status add_signatures(struct maker *maker, pare_error *err)
{
    const pare_lessons *lessons = maker->lessons;
    const pare_graph *graph = lessons->graph;
    pare_status status = PARE_OK;
    bool *returns = pare_alloc_zero(pare_graph_n_signatures(graph) + 1, sizeof *returns);
    if (!returns) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < lessons->n_lessons; i++) {
        const struct lesson *lesson = &lessons->lessons[i];
        maker->order[i] = i;
        maker->numbers[i] = lesson->number;
        if (lesson->number != PARE_GRAPH_NONE) returns[lesson->number] = lesson->has_returned;
    }
    for (uint32_t i = 0; i < pare_graph_n_signatures(graph) && !status; i++) {
        pare_graph_signature signature = *pare_graph_signature_at(graph, i);
        /* What has returned once does not always throw. */
        if (returns[i]) signature.throws = false;
        status = pare_graph_builder_signature(maker->builder, &signature, NULL, err);
    }
    pare_alloc_free(returns);
    if (lessons->n_lessons)
        qsort_r(maker->order, lessons->n_lessons, sizeof *maker->order, compare_lessons,
                lessons->lessons);
    for (size_t i = 0; i < lessons->n_lessons && !status; i++) {
        const struct lesson *lesson = &lessons->lessons[maker->order[i]];
        if (lesson->number != PARE_GRAPH_NONE) continue;
        const pare_graph_signature signature = {.function = lesson->signature.function,
                                                .receiver =
                                                    number_of(maker, lesson->signature.receiver),
                                                .n_params = lesson->signature.n_params,
                                                .is_constructor = lesson->signature.is_constructor,
                                                .is_learned = true,
                                                .throws = !lesson->has_returned};
        status = pare_graph_builder_signature(maker->builder, &signature,
                                              &maker->numbers[maker->order[i]], err);
    }
    return status;
}

/* Adds an edge from the type of a parameter, with one literal or none ("").
 * Edges that differ in nothing but their literal become one when the graph is
 * finished. */
static pare_status add_parameter(struct maker *maker, uint32_t lesson, uint32_t position,
                                 const char *values, pare_error *err)
{
    const pare_call_signature *signature = &maker->lessons->lessons[lesson].signature;
    const pare_graph_edge edge = {.kind = PARE_GRAPH_PARAMETER,
                                  .from = number_of(maker, signature->params[position]),
                                  .to = maker->numbers[lesson],
                                  .position = position,
                                  .name = "",
                                  .values = values};
    /* A type that the graph cannot name has no edge. */
    return edge.from == PARE_GRAPH_NONE ? PARE_OK
                                        : pare_graph_builder_edge(maker->builder, &edge, err);
}

/* Adds the edges of the graph, with the weights that it has learned, and those of the lessons. */
static pare_status add_edges(struct maker *maker, pare_error *err)
{
    const pare_lessons *lessons = maker->lessons;
    pare_status status = pare_graph_builder_copy_edges(maker->builder, lessons->graph, err);
    /* Each parameter has its type even if no literal was seen. */
    for (uint32_t i = 0; i < lessons->n_lessons && !status; i++)
        for (uint32_t k = 0; k < lessons->lessons[i].signature.n_params && !status; k++)
            status = add_parameter(maker, i, k, "", err);
    for (size_t i = 0; i < lessons->n_values && !status; i++)
        status = add_parameter(maker, lessons->values[i].signature, lessons->values[i].position,
                               lessons->values[i].text, err);
    for (size_t i = 0; i < lessons->n_returns && !status; i++) {
        const pare_graph_edge edge = {.kind = PARE_GRAPH_RETURN,
                                      .from = maker->numbers[lessons->returns[i].signature],
                                      .to = number_of(maker, lessons->returns[i].type),
                                      .name = "",
                                      .values = ""};
        if (edge.to != PARE_GRAPH_NONE)
            status = pare_graph_builder_edge(maker->builder, &edge, err);
    }
    return status;
}

/* Builds everything: types, then signatures, then edges, since each names those
 * before it. */
static pare_status build(struct maker *maker, pare_error *err)
{
    const pare_graph *graph = maker->lessons->graph;
    size_t n_types = pare_graph_n_types(graph), n_lessons = maker->lessons->n_lessons;
    maker->instances = pare_alloc(n_types, sizeof *maker->instances);
    maker->is_wanted = pare_alloc_zero(n_types, sizeof *maker->is_wanted);
    maker->order = pare_alloc(n_lessons, sizeof *maker->order);
    maker->numbers = pare_alloc(n_lessons, sizeof *maker->numbers);
    if (!maker->instances || !maker->is_wanted || !maker->order || !maker->numbers)
        return pare_fail_nomem(err);
    pare_status status = pare_graph_builder_engine(maker->builder, pare_graph_engine(graph),
                                                   pare_graph_digest(graph), err);
    pare_graph_builder_global(maker->builder, pare_graph_global(graph));
    if (!status) status = copy_types(maker, err);
    if (!status) status = add_instances(maker, err);
    if (!status) status = add_signatures(maker, err);
    return status ? status : add_edges(maker, err);
}

/* Makes the graph of what was known and what was learned. On PARE_OK the caller
 * owns *out; the lessons stay as they are. */
pare_status pare_lessons_make(const pare_lessons *lessons, pare_graph **out, pare_error *err)
{
    struct maker maker = {.lessons = lessons};
    pare_status status = pare_graph_builder_new(&maker.builder, err);
    if (!status) status = build(&maker, err);
    if (!status) status = pare_graph_builder_finish(maker.builder, out, err);
    pare_graph_builder_free(maker.builder);
    pare_alloc_free(maker.instances);
    pare_alloc_free(maker.is_wanted);
    pare_alloc_free(maker.order);
    pare_alloc_free(maker.numbers);
    pare_buffer_done(&maker.path);
    assert(status || pare_graph_n_signatures(*out) >= pare_graph_n_signatures(lessons->graph));
    return status;
}
