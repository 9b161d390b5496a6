/* The graph of an engine: its objects, then kinds of primitive values, then instance types.
 *
 * Objects become types with the numbers that the script gave them (breadth first from the global
 * object, properties sorted by name), so the same engine has the same numbers each time.  After
 * them comes a type for each kind of primitive value, then an instance type ("any object with this
 * prototype") for each prototype that something can be made with: the `prototype` of each
 * constructor, and those of which the script made an instance or got one from an accessor.
 *
 * Exploring does not show what a call takes and returns.  So each function has one call signature
 * with as many parameters as it declares, of any type, and each constructor one more; but a
 * constructor's return is known: an instance of its `prototype`. That edge alone raises what walks
 * cover by 4 to 8 % of the lines of two engines (docs/design/sources.md), since it leads to the
 * methods of instances. */
#include "generate/discovery/probe_graph.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "generate/discovery/probe_fields.h"
#include "generate/prototype/graph.h"

/* Letters of the kinds of primitive values, in the order of their types. */
static const struct kind {
    char letter;
    pare_graph_kind kind;
    const char *name;
} kinds[] = {
    {'u', PARE_GRAPH_UNDEFINED, "undefined"}, {'n', PARE_GRAPH_NULL, "null"},
    {'b', PARE_GRAPH_BOOLEAN, "boolean"},     {'d', PARE_GRAPH_NUMBER, "number"},
    {'s', PARE_GRAPH_STRING, "string"},       {'y', PARE_GRAPH_SYMBOL, "symbol"},
    {'g', PARE_GRAPH_BIGINT, "bigint"},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds, NO_CONSTRUCTOR = UINT32_MAX };

/* What is known of the instance type of a prototype. */
struct instance {
    bool is_wanted;
    uint32_t constructor; /* object; NO_CONSTRUCTOR: not known */
    uint32_t type;
};

/* A graph being made of a script's output. Object k becomes type k, as objects
 * are added first and in order. */
struct maker {
    const pare_probe_output *output;
    pare_graph_builder *builder;
    struct instance *instances; /* by object */
    uint32_t *prototypes;       /* by object that is a constructor: its `prototype` */
    uint32_t types[128];        /* of kinds of primitive values, by letter */
    pare_buffer path;
};

/* --- types ----------------------------------------------------------------------------------- */

/* Adds the objects in the order in which they were met, which is that of their
 * numbers. */
static pare_status add_objects(struct maker *maker, pare_error *err)
{
    const pare_probe_output *output = maker->output;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < output->n_objects && !status; i++) {
        const pare_probe_object *object = &output->objects[i];
        const pare_graph_type type = {
            .kind = object->kind == 'o' ? PARE_GRAPH_OBJECT : PARE_GRAPH_FUNCTION,
            .class_name = object->class_name,
            .path = object->path,
            .length = object->kind == 'o' ? 0 : object->length,
            .prototype = object->prototype.letter == 'o' ? object->prototype.id : PARE_GRAPH_NONE};
        status = pare_graph_builder_type(maker->builder, &type, NULL, err);
    }
    return status;
}

/* Adds the kinds of primitives. Undefined and null are always there; symbols
 * and big integers only if the engine has them. */
static pare_status add_kinds(struct maker *maker, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t k = 0; k < N_KINDS && !status; k++) {
        size_t at = (unsigned char)kinds[k].letter;
        pare_probe_type prototype = maker->output->kinds[at];
        bool is_new = kinds[k].letter == 'y' || kinds[k].letter == 'g';
        maker->types[at] = PARE_GRAPH_NONE;
        if (is_new && !prototype.letter) continue;
        const pare_graph_type type = {.kind = kinds[k].kind,
                                      .class_name = "",
                                      .path = kinds[k].name,
                                      .prototype =
                                          prototype.letter == 'o' ? prototype.id : PARE_GRAPH_NONE};
        status = pare_graph_builder_type(maker->builder, &type, &maker->types[at], err);
    }
    return status;
}

/* Finds out which prototypes need an instance type, and who makes such
 * instances: of several constructors with one prototype the first. */
static void find_instances(struct maker *maker)
{
    const pare_probe_output *output = maker->output;
    for (size_t i = 0; i < output->n_objects; i++) {
        maker->instances[i] = (struct instance){.constructor = NO_CONSTRUCTOR};
        maker->instances[i].is_wanted = output->objects[i].instance_class != NULL;
        maker->prototypes[i] = PARE_GRAPH_NONE;
    }
    for (size_t i = 0; i < output->n_members; i++) {
        const pare_probe_member *member = &output->members[i];
        uint32_t to = member->type.id;
        if (member->of_instance) maker->instances[member->object].is_wanted = true;
        if (member->type.letter == 'i') maker->instances[to].is_wanted = true;
        bool is_prototype = !member->of_instance && member->type.letter == 'o' &&
                            output->objects[member->object].kind == 'c' &&
                            strcmp(member->name, "prototype") == 0;
        if (!is_prototype) continue;
        maker->prototypes[member->object] = to;
        maker->instances[to].is_wanted = true;
        if (maker->instances[to].constructor == NO_CONSTRUCTOR)
            maker->instances[to].constructor = member->object;
    }
}

/* Sets maker->path to "new (this.Date)", if a constructor is known, else to a
 * description. */
static pare_status name_instance(struct maker *maker, uint32_t object, pare_error *err)
{
    const pare_probe_object *objects = maker->output->objects;
    uint32_t constructor = maker->instances[object].constructor;
    pare_buffer_reset(&maker->path);
    if (constructor != NO_CONSTRUCTOR)
        return pare_buffer_format(&maker->path, err, "new (%s)", objects[constructor].path);
    return pare_buffer_format(&maker->path, err, "any object with prototype %s",
                              objects[object].path);
}

/* Adds the instance types. Instances of a function's prototype are functions. */
static pare_status add_instances(struct maker *maker, pare_error *err)
{
    const pare_probe_output *output = maker->output;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < output->n_objects && !status; i++) {
        const pare_probe_object *object = &output->objects[i];
        if (!maker->instances[i].is_wanted) continue;
        status = name_instance(maker, i, err);
        if (status) break;
        const char *class_name =
            object->instance_class ? object->instance_class : object->class_name;
        bool is_function = object->kind != 'o' || strcmp(class_name, "Function") == 0;
        const pare_graph_type type = {.kind = is_function ? PARE_GRAPH_FUNCTION : PARE_GRAPH_OBJECT,
                                      .is_instance = true,
                                      .class_name = class_name,
                                      .path = maker->path.data,
                                      .prototype = i};
        status = pare_graph_builder_type(maker->builder, &type, &maker->instances[i].type, err);
    }
    return status;
}

/* --- edges ----------------------------------------------------------------------------------- */

/* The number of a type. What could not be read counts as undefined: mostly it
 * is an accessor that wants an instance. */
static uint32_t type_of(const struct maker *maker, pare_probe_type type)
{
    if (type.letter == 'o') return type.id;
    if (type.letter == 'i') return maker->instances[type.id].type;
    uint32_t known = maker->types[(unsigned char)type.letter];
    return type.letter == '-' || known == PARE_GRAPH_NONE ? maker->types['u'] : known;
}

/* Adds own properties only: what is inherited is found along the prototypes. */
static pare_status add_properties(struct maker *maker, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < maker->output->n_members && !status; i++) {
        const pare_probe_member *member = &maker->output->members[i];
        const pare_graph_edge edge = {
            .kind = PARE_GRAPH_PROPERTY,
            .from = member->of_instance ? maker->instances[member->object].type : member->object,
            .to = type_of(maker, member->type),
            .name = member->name,
            .values = ""};
        status = pare_graph_builder_edge(maker->builder, &edge, err);
    }
    return status;
}

/* Adds a declared signature, and what it returns if it is a constructor with a
 * known `prototype`. Proxy has none, so nothing is known of what it returns. */
static pare_status add_signature(struct maker *maker, uint32_t function, bool is_constructor,
                                 pare_error *err)
{
    uint32_t id, prototype = maker->prototypes[function];
    const pare_graph_signature signature = {.function = function,
                                            .receiver = PARE_GRAPH_NONE,
                                            .n_params = maker->output->objects[function].length,
                                            .is_constructor = is_constructor};
    pare_status status = pare_graph_builder_signature(maker->builder, &signature, &id, err);
    if (status || !is_constructor || prototype == PARE_GRAPH_NONE) return status;
    assert(maker->instances[prototype].is_wanted);
    const pare_graph_edge edge = {.kind = PARE_GRAPH_RETURN,
                                  .from = id,
                                  .to = maker->instances[prototype].type,
                                  .name = "",
                                  .values = ""};
    return pare_graph_builder_edge(maker->builder, &edge, err);
}

/* Adds a signature for calling each function, and one for each constructor.
 * Functions that insist on `new` get both: that they throw is worth a test. */
static pare_status add_signatures(struct maker *maker, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < maker->output->n_objects && !status; i++) {
        char kind = maker->output->objects[i].kind;
        if (kind != 'o') status = add_signature(maker, i, false, err);
        if (kind == 'c' && !status) status = add_signature(maker, i, true, err);
    }
    return status;
}

/* --- all of it ------------------------------------------------------------------------------- */

/* Builds everything: types, then signatures, then edges, since each names those
 * before it. */
static pare_status build(struct maker *maker, pare_error *err)
{
    pare_status status = add_objects(maker, err);
    if (!status) status = add_kinds(maker, err);
    if (status) return status;
    find_instances(maker);
    status = add_instances(maker, err);
    if (!status) status = add_properties(maker, err);
    if (!status) status = add_signatures(maker, err);
    pare_graph_builder_global(maker->builder, 0);
    return status;
}

/* Makes the graph. What the script printed was checked as it was read, so only
 * memory can be lacking here, or the graph is too large. */
pare_status pare_probe_graph_make(const pare_probe_output *output, const char *engine,
                                  const char *digest, pare_graph **out, pare_error *err)
{
    assert(output->n_objects && "the global object is the first");
    struct maker maker = {.output = output};
    pare_status status = pare_graph_builder_new(&maker.builder, err);
    maker.instances = pare_alloc(output->n_objects, sizeof *maker.instances);
    maker.prototypes = pare_alloc(output->n_objects, sizeof *maker.prototypes);
    if (!status && (!maker.instances || !maker.prototypes)) status = pare_fail_nomem(err);
    if (!status) status = pare_graph_builder_engine(maker.builder, engine, digest, err);
    if (!status) status = build(&maker, err);
    if (!status) status = pare_graph_builder_finish(maker.builder, out, err);
    pare_graph_builder_free(maker.builder);
    pare_alloc_free(maker.instances);
    pare_alloc_free(maker.prototypes);
    pare_buffer_done(&maker.path);
    return status;
}
