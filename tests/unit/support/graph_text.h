/* Small prototype graphs for tests.  Included after cmocka. */
#ifndef PARE_TESTS_GRAPH_TEXT_H
#define PARE_TESTS_GRAPH_TEXT_H

#include <string.h>

#include "base/random.h"
#include "generate/prototype/graph.h"

/* An engine with Object.prototype, one constructor (Date), a method of its instances (setTime,
 * which takes a number and returns one), and numbers. */
enum {
    GRAPH_GLOBAL,
    GRAPH_OBJECT_PROTOTYPE,
    GRAPH_DATE,
    GRAPH_DATE_PROTOTYPE,
    GRAPH_SET_TIME,
    GRAPH_A_DATE,
    GRAPH_NUMBER
};

static inline uint32_t add_type(pare_graph_builder *builder, pare_graph_kind kind, const char *path,
                                uint32_t prototype)
{
    pare_graph_type type = {.kind = kind, .path = path, .class_name = "", .prototype = prototype};
    uint32_t id = 0;
    assert_int_equal(pare_graph_builder_type(builder, &type, &id, NULL), PARE_OK);
    return id;
}

static inline void add_property(pare_graph_builder *builder, uint32_t from, const char *name,
                                uint32_t to)
{
    pare_graph_edge edge = {
        .kind = PARE_GRAPH_PROPERTY, .from = from, .to = to, .name = name, .values = ""};
    assert_int_equal(pare_graph_builder_edge(builder, &edge, NULL), PARE_OK);
}

static inline void add_parameter(pare_graph_builder *builder, uint32_t type, uint32_t signature,
                                 uint32_t position, const char *values)
{
    pare_graph_edge edge = {.kind = PARE_GRAPH_PARAMETER,
                            .from = type,
                            .to = signature,
                            .position = position,
                            .name = "",
                            .values = values};
    assert_int_equal(pare_graph_builder_edge(builder, &edge, NULL), PARE_OK);
}

static inline uint32_t add_signature(pare_graph_builder *builder, uint32_t function,
                                     uint32_t n_params, bool is_constructor, uint32_t returned)
{
    pare_graph_signature signature = {.function = function,
                                      .receiver = PARE_GRAPH_NONE,
                                      .n_params = n_params,
                                      .is_constructor = is_constructor};
    uint32_t id = 0;
    assert_int_equal(pare_graph_builder_signature(builder, &signature, &id, NULL), PARE_OK);
    pare_graph_edge edge = {
        .kind = PARE_GRAPH_RETURN, .from = id, .to = returned, .name = "", .values = ""};
    assert_int_equal(pare_graph_builder_edge(builder, &edge, NULL), PARE_OK);
    return id;
}

static inline pare_graph_builder *new_builder(void)
{
    pare_graph_builder *builder = NULL;
    assert_int_equal(pare_graph_builder_new(&builder, NULL), PARE_OK);
    return builder;
}

/* The graph described above, not finished. */
static inline pare_graph_builder *date_builder(void)
{
    pare_graph_builder *builder = new_builder();
    assert_int_equal(pare_graph_builder_engine(builder, "toy", "d1", NULL), PARE_OK);
    pare_graph_builder_global(builder, GRAPH_GLOBAL);
    add_type(builder, PARE_GRAPH_OBJECT, "this", GRAPH_OBJECT_PROTOTYPE);
    add_type(builder, PARE_GRAPH_OBJECT, "this.Object.prototype", PARE_GRAPH_NONE);
    add_type(builder, PARE_GRAPH_FUNCTION, "this.Date", GRAPH_OBJECT_PROTOTYPE);
    add_type(builder, PARE_GRAPH_OBJECT, "this.Date.prototype", GRAPH_OBJECT_PROTOTYPE);
    add_type(builder, PARE_GRAPH_FUNCTION, "this.Date.prototype.setTime", GRAPH_OBJECT_PROTOTYPE);
    add_type(builder, PARE_GRAPH_OBJECT, "new (this.Date)", GRAPH_DATE_PROTOTYPE);
    add_type(builder, PARE_GRAPH_NUMBER, "number", PARE_GRAPH_NONE);
    add_property(builder, GRAPH_GLOBAL, "Date", GRAPH_DATE);
    add_property(builder, GRAPH_DATE, "prototype", GRAPH_DATE_PROTOTYPE);
    add_property(builder, GRAPH_DATE_PROTOTYPE, "setTime", GRAPH_SET_TIME);
    add_signature(builder, GRAPH_DATE, 7, true, GRAPH_A_DATE);
    uint32_t set_time = add_signature(builder, GRAPH_SET_TIME, 1, false, GRAPH_NUMBER);
    add_parameter(builder, GRAPH_NUMBER, set_time, 0, "2147483648\n-1");
    return builder;
}

static inline pare_graph *finish_graph(pare_graph_builder *builder)
{
    pare_graph *graph = NULL;
    assert_int_equal(pare_graph_builder_finish(builder, &graph, NULL), PARE_OK);
    pare_graph_builder_free(builder);
    return graph;
}

static inline pare_graph *date_graph(void)
{
    return finish_graph(date_builder());
}

enum { GRAPH_MOST_TYPES = 24 };

static inline uint32_t graph_below(pare_random *random, uint32_t n)
{
    return (uint32_t)pare_random_below(random, n);
}

/* At most GRAPH_MOST_TYPES types, of which each has an earlier one as its prototype, or none;
 * properties and signatures between any of them. */
static inline pare_graph *random_graph(pare_random *random, uint32_t n_types, uint32_t n_properties,
                                       uint32_t n_signatures)
{
    pare_graph_builder *builder = new_builder();
    uint32_t functions[GRAPH_MOST_TYPES], n_functions = 0;
    pare_graph_builder_global(builder, 0);
    for (uint32_t i = 0; i < n_types; i++) {
        uint32_t prototype = i && graph_below(random, 2) ? graph_below(random, i) : PARE_GRAPH_NONE;
        bool is_number = i && graph_below(random, 8) == 0;
        pare_graph_kind kind = is_number ? PARE_GRAPH_NUMBER
                               : i % 3   ? PARE_GRAPH_OBJECT
                                         : PARE_GRAPH_FUNCTION;
        add_type(builder, kind, "t", prototype);
        if (kind == PARE_GRAPH_FUNCTION) functions[n_functions++] = i;
    }
    for (uint32_t i = 0; i < n_properties; i++)
        add_property(builder, graph_below(random, n_types), "p", graph_below(random, n_types));
    for (uint32_t i = 0; i < n_signatures; i++) {
        uint32_t n_params = graph_below(random, 3);
        pare_graph_signature signature = {
            .function = functions[graph_below(random, n_functions)],
            .receiver = graph_below(random, 3) ? PARE_GRAPH_NONE : graph_below(random, n_types),
            .n_params = n_params,
            .is_constructor = graph_below(random, 3) == 0};
        uint32_t id = 0;
        assert_int_equal(pare_graph_builder_signature(builder, &signature, &id, NULL), PARE_OK);
        for (uint32_t k = 0; n_params && k < graph_below(random, 4); k++)
            add_parameter(builder, graph_below(random, n_types), id, graph_below(random, n_params),
                          "");
        pare_graph_edge edge = {.kind = PARE_GRAPH_RETURN,
                                .from = id,
                                .to = graph_below(random, n_types),
                                .name = "",
                                .values = ""};
        assert_int_equal(pare_graph_builder_edge(builder, &edge, NULL), PARE_OK);
    }
    return finish_graph(builder);
}

#endif
