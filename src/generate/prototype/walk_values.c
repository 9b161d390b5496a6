/* Values for arguments whose type is not known: literals of all kinds, and expressions of the
 * graph between them.
 *
 * For standard functions, hints by name say which values are likely (`hints`); these are used in
 * three of five cases, and any kind of value in the others.  Objects and arrays nest as deep as the
 * walk's budget of depth, and their number is bounded, so that a text stays small whatever is
 * chosen.
 * Invariant: each value is an assignment expression of ES5; names in an object literal are not
 * repeated, since ES5 refuses some repetitions. */
#include <assert.h>
#include <string.h>

#include <pare/graph.h>

#include "base/buffer.h"
#include "generate/prototype/emitter.h"
#include "generate/prototype/regex_values.h"
#include "generate/prototype/type_costs.h"
#include "generate/prototype/values.h"
#include "generate/prototype/walk_run.h"

#define LENGTH_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* of values in one text; beyond that all are scalars */
enum { MAX_VALUES = 40 };

/* Arrays, objects and functions hold any value, and any value may be one of
 * them. Recursion ends as `depth` goes down. Declared here, as it is used before it can be
 * defined. */
static void put_any(struct pare_walk_run *run, uint32_t depth);

/* Short names for what is done all the time, as in walk.c. */
static void put(struct pare_walk_run *run, const char *text)
{
    pare_emitter_text(&run->emitter, text);
}

/* True in `percent` of a hundred cases; false is the simpler answer. */
static bool chance(struct pare_walk_run *run, uint32_t percent)
{
    return pare_emitter_chance(&run->emitter, percent);
}

/* --- functions ----------------------------------------------------------------------------- */

/* Bodies of callbacks: what one may do to the function that calls it. Answer
 * with something of every type and order, throw, change what is being gone
 * through, give itself away. */
static const char *const bodies[] = {"",
                                     "return a",
                                     "return b",
                                     "return a+b",
                                     "return a-b",
                                     "return a<b?-1:1",
                                     "return b-a",
                                     "return !a",
                                     "return b%2",
                                     "return typeof a",
                                     "return this",
                                     "return arguments",
                                     "return arguments.length",
                                     "throw a",
                                     "throw 1",
                                     "return [a,b]",
                                     "return {a:a}",
                                     "return a===b",
                                     "return this[a]",
                                     "return a&&a.length",
                                     "this.a=a",
                                     "this.length=0",
                                     "delete this[0];return a",
                                     "arguments[0]=1;return a",
                                     "return a+\"\"",
                                     "return {valueOf:function(){return b}}",
                                     "return function(){return a}",
                                     "return this.valueOf()",
                                     "a.x=b;return a",
                                     "\"use strict\";return this",
                                     "return new this.constructor(a)",
                                     "return 1/a"};

/* Appends `function(a,b){...}` with one of the bodies, or one that returns or
 * throws any value. It has more parameters than most callers pass, so that they
 * are undefined, too. */
static void put_function(struct pare_walk_run *run, uint32_t depth)
{
    static const char *const heads[] = {"function(a,b){", "function f(a,b){", "function(a,b,c,d){"};
    static const uint8_t weights[] = {6, 3, 1};
    pare_emitter_one_of(&run->emitter, heads, LENGTH_OF(heads));
    /* A ready body, then one that returns any value, then one that throws it. */
    switch (pare_emitter_weigh(&run->emitter, weights, LENGTH_OF(weights))) {
    case 0: pare_emitter_one_of(&run->emitter, bodies, LENGTH_OF(bodies)); break;
    case 1:
        put(run, "return ");
        put_any(run, depth ? depth - 1 : 0);
        break;
    default:
        put(run, "throw ");
        put_any(run, depth ? depth - 1 : 0);
        break;
    }
    put(run, "}");
}

/* --- arrays and objects ---------------------------------------------------------------------- */

/* Appends an array. One in four has only numbers, as sorting and Math want
 * them. A comma stands after each element, and a hole is an element without a
 * value; so the last comma is taken away, unless it is to end in a hole, about
 * which engines differ. */
static void put_array(struct pare_walk_run *run, uint32_t depth)
{
    /* Up to five elements: enough for every branch of a sort or a merge of few. */
    static const uint8_t weights[] = {3, 4, 4, 3, 1, 1};
    uint32_t n = pare_emitter_weigh(&run->emitter, weights, LENGTH_OF(weights));
    bool numbers = n > 1 && chance(run, 25);
    put(run, "[");
    for (uint32_t i = 0; i < n; i++) {
        pare_emitter_open(&run->emitter, PARE_EMITTER_ELEMENT);
        if (numbers)
            pare_values_number(&run->emitter);
        else if (!chance(run, 8)) /* a hole */
            put_any(run, depth ? depth - 1 : 0);
        put(run, ",");
        pare_emitter_close(&run->emitter);
    }
    if (n && !run->emitter.status && !chance(run, 10)) run->emitter.text->size--;
    put(run, "]");
}

/* A member of objects: its name as it stands in a literal, and what it is
 * likely to hold. */
struct member {
    const char *name;
    uint8_t kind; /* pare_walk_kind, or one of these */
};

/* After all kinds of walks, so that one number tells all of them apart. */
enum { LENGTH = PARE_WALK_N_KINDS, BOOLEAN };

/* Appends the value of a member: what its name promises in four of five cases,
 * so that a function that reads `length` or calls `valueOf` gets past its first
 * check, and anything else now and then. */
static void put_member_value(struct pare_walk_run *run, const struct member *member, uint32_t depth)
{
    if (chance(run, 20))
        put_any(run, depth);
    else if (member->kind == LENGTH)
        pare_values_length(&run->emitter);
    else if (member->kind == BOOLEAN)
        pare_values_boolean(&run->emitter);
    else if (member->kind == PARE_WALK_ANY)
        put_any(run, depth);
    else
        pare_walk_values_put(run, (pare_walk_kind)member->kind, depth);
}

/* Appends an accessor. A getter runs while a built-in reads the object, in the
 * middle of its work. A setter gets its value as `a`. */
static void put_accessor(struct pare_walk_run *run, const char *name, uint32_t depth)
{
    bool sets = chance(run, 30);
    put(run, sets ? "set " : "get ");
    put(run, name);
    put(run, sets ? "(a){" : "(){");
    if (!sets) put(run, "return ");
    if (sets)
        put(run, "this.b=a");
    else
        put_any(run, depth);
    put(run, "}");
}

/* Appends an object with `n` members of a table of at most 32, each at most
 * once. A member that is taken already gives way to the next free one, so any
 * list of choices gives an object. */
static void put_members(struct pare_walk_run *run, const struct member *members, uint32_t n_members,
                        uint32_t n, uint32_t depth)
{
    uint32_t used = 0, inner = depth ? depth - 1 : 0;
    assert(n_members <= 32 && n <= n_members);
    put(run, "{");
    for (uint32_t i = 0; i < n; i++) {
        pare_emitter_open(&run->emitter, PARE_EMITTER_ELEMENT);
        /* Bit k of `used`: member k is there. One is always free, as n is at most n_members. */
        uint32_t which = pare_emitter_pick(&run->emitter, n_members);
        while (used & (UINT32_C(1) << which))
            which = (which + 1) % n_members;
        used |= UINT32_C(1) << which;
        if (i) put(run, ",");
        if (chance(run, 10)) {
            put_accessor(run, members[which].name, inner);
        } else {
            put(run, members[which].name);
            put(run, ":");
            put_member_value(run, &members[which], inner);
        }
        pare_emitter_close(&run->emitter);
    }
    put(run, "}");
}

/* Appends an object. Its names are those that built-ins look for, so that it
 * passes for a descriptor, an array, an error, a regular expression or an
 * iterator. */
static void put_object(struct pare_walk_run *run, uint32_t depth)
{
    /* At most 32, for the bits of put_members. Names that are no identifiers stand in quotes. */
    static const struct member members[] = {{"a", PARE_WALK_ANY},
                                            {"b", PARE_WALK_ANY},
                                            {"c", PARE_WALK_ANY},
                                            {"x", PARE_WALK_NUMBER},
                                            {"0", PARE_WALK_ANY},
                                            {"1", PARE_WALK_ANY},
                                            {"length", LENGTH},
                                            {"valueOf", PARE_WALK_CALLBACK},
                                            {"toString", PARE_WALK_CALLBACK},
                                            {"toJSON", PARE_WALK_CALLBACK},
                                            {"value", PARE_WALK_ANY},
                                            {"get", PARE_WALK_CALLBACK},
                                            {"set", PARE_WALK_CALLBACK},
                                            {"next", PARE_WALK_CALLBACK},
                                            {"message", PARE_WALK_STRING},
                                            {"name", PARE_WALK_STRING},
                                            {"lastIndex", PARE_WALK_NUMBER},
                                            {"constructor", PARE_WALK_CALLBACK},
                                            {"__proto__", PARE_WALK_OBJECT},
                                            {"\"\"", PARE_WALK_ANY},
                                            {"\"4294967295\"", PARE_WALK_ANY},
                                            {"index", PARE_WALK_COUNT},
                                            {"source", PARE_WALK_STRING},
                                            {"flags", PARE_WALK_FLAGS},
                                            {"prototype", PARE_WALK_OBJECT},
                                            {"exec", PARE_WALK_CALLBACK},
                                            {"callee", PARE_WALK_CALLBACK},
                                            {"\"a b\"", PARE_WALK_STRING},
                                            {"done", BOOLEAN},
                                            {"has", PARE_WALK_CALLBACK}};
    /* Up to four members. */
    static const uint8_t weights[] = {2, 4, 4, 2, 1};
    uint32_t n = pare_emitter_weigh(&run->emitter, weights, LENGTH_OF(weights));
    put_members(run, members, LENGTH_OF(members), n, depth);
}

/* Appends an object that decides itself what it is as a primitive value, or in JSON. */
static void put_special(struct pare_walk_run *run, uint32_t depth)
{
    static const struct member members[] = {{"valueOf", PARE_WALK_CALLBACK},
                                            {"toString", PARE_WALK_CALLBACK},
                                            {"toJSON", PARE_WALK_CALLBACK},
                                            {"length", LENGTH}};
    put_members(run, members, LENGTH_OF(members), pare_emitter_size(&run->emitter, 1, 3), depth);
}

/* Appends a descriptor, as defineProperty takes it. The members say either what
 * a value has, or what an accessor has; mixing the two is refused, which is to
 * be tried, too. */
static void put_descriptor(struct pare_walk_run *run, uint32_t depth)
{
    static const struct member members[] = {
        {"value", PARE_WALK_ANY},  {"writable", BOOLEAN},       {"enumerable", BOOLEAN},
        {"configurable", BOOLEAN}, {"get", PARE_WALK_CALLBACK}, {"set", PARE_WALK_CALLBACK}};
    /* One in eight mixes what excludes each other: value and writable with get and set.
     * 0: all six members; up to 4: those of a value; from 5 on those of an accessor, with the
     * two that both have. */
    uint32_t kind = pare_emitter_pick(&run->emitter, 8), skip = kind >= 5 ? 2 : 0;
    uint32_t n_members = kind == 0 ? 6 : 4;
    put_members(run, members + skip, n_members, pare_emitter_size(&run->emitter, 0, 3), depth);
}

/* Appends an object of descriptors, for defineProperties and create. */
static void put_descriptors(struct pare_walk_run *run, uint32_t depth)
{
    static const struct member members[] = {{"a", PARE_WALK_DESCRIPTOR},
                                            {"b", PARE_WALK_DESCRIPTOR},
                                            {"length", PARE_WALK_DESCRIPTOR},
                                            {"0", PARE_WALK_DESCRIPTOR},
                                            {"valueOf", PARE_WALK_DESCRIPTOR}};
    put_members(run, members, LENGTH_OF(members), pare_emitter_size(&run->emitter, 0, 2), depth);
}

/* Appends what has a length and elements: built-ins of arrays are meant to work
 * on all of these. */
static void put_array_like(struct pare_walk_run *run, uint32_t depth)
{
    /* Arrays, objects with a length and a gap, `arguments`, and strings, which have both but
     * cannot be written. */
    static const uint8_t weights[] = {4, 3, 3, 2};
    switch (pare_emitter_weigh(&run->emitter, weights, LENGTH_OF(weights))) {
    case 0: put_array(run, depth); break;
    case 1:
        /* The gap is element 1. */
        put(run, "{length:");
        pare_values_length(&run->emitter);
        put(run, ",0:");
        put_any(run, depth ? depth - 1 : 0);
        put(run, ",2:");
        put_any(run, depth ? depth - 1 : 0);
        put(run, "}");
        break;
    case 2:
        put(run, "(function(a,b){return arguments})(");
        put_any(run, depth ? depth - 1 : 0);
        put(run, ",");
        put_any(run, depth ? depth - 1 : 0);
        put(run, ")");
        break;
    default: pare_values_string(&run->emitter); break;
    }
}

/* --- source ---------------------------------------------------------------------------------- */

/* Source texts: every statement of ES5, some of later editions, and beginnings
 * of statements, so that each branch of a parser is taken. */
static const char *const sources[] = {"",
                                      "a",
                                      "return a",
                                      "a+b",
                                      "var x=1;x",
                                      "x=",
                                      "}",
                                      "if(1){2}else{3}",
                                      "for(var i=0;i<3;i++){if(i==1)continue;i}",
                                      "try{throw 1}catch(e){e}finally{2}",
                                      "switch(1){case 0:1;case 1:break;default:2}",
                                      "with({a:1}){a}",
                                      "function f(){return 1}f()",
                                      "'use strict';var eval",
                                      "l:while(true){break l}",
                                      "delete this.zz",
                                      "0x1F+1e3-.5",
                                      "017",
                                      "/a+/g.test('aa')",
                                      "({get a(){return 1},set a(v){}}).a",
                                      "do{}while(0)",
                                      "debugger",
                                      "void 0,typeof y",
                                      "1?2:3",
                                      "1<<2>>>3>>1",
                                      "~1^2&3|4",
                                      "!0&&1||2",
                                      "a=>a",
                                      "let z=1;z",
                                      "for(var k in{a:1,b:2})k",
                                      "var a=[,1,,];a",
                                      "new Date",
                                      "new Function('a','return a')(1)",
                                      "throw{}",
                                      "(function(){return arguments})(1)",
                                      "'\\x41\\u0042\\n'",
                                      "\"\\",
                                      "/*",
                                      "//c\n1",
                                      "1;;;",
                                      "x++",
                                      "++x",
                                      "var x=0;x+=1;x-=2;x*=3;x%=2;x<<=1;x|=1;x",
                                      "a in b",
                                      "1 instanceof 2",
                                      "this",
                                      "null",
                                      "(1,2)",
                                      "[1,2,3]",
                                      "{a:1}",
                                      "return",
                                      "break",
                                      "@",
                                      "1 2",
                                      "if",
                                      "for(;;)break",
                                      "'use strict';with(a){}",
                                      "'use strict';010",
                                      "var \\u0061=1;a",
                                      "eval('1')",
                                      "function(){}",
                                      "for(var i in null);",
                                      "switch(0){}",
                                      "try{}finally{}",
                                      "a:b:c:1",
                                      "1..toString()",
                                      "arguments",
                                      "new.target",
                                      "`a${1}`",
                                      "class A{}",
                                      "var {a}={}",
                                      "2**3",
                                      "/(/",
                                      "/a/gg"};

/* Makes one thing wrong in the text from place `from` on: a byte goes, or gives way to a sign. */
static void damage(struct pare_walk_run *run, size_t from)
{
    static const char signs[] = "(){}[];,.:?=+-*/%&|^!~<>\"'\\@#0 ax";
    pare_buffer *text = run->emitter.text;
    size_t size = text->size - from;
    if (run->emitter.status || !size) return;
    /* 0 stands for "the byte goes"; the NUL at the end of `signs` makes one choice more than
     * there are signs. */
    size_t at = from + pare_emitter_pick(&run->emitter, (uint32_t)size);
    uint32_t which = pare_emitter_pick(&run->emitter, (uint32_t)sizeof signs);
    if (run->emitter.status) return;
    if (which) {
        text->data[at] = signs[which - 1];
        return;
    }
    /* The NUL after the text moves, too. */
    memmove(text->data + at, text->data + at + 1, text->size - at);
    text->size--;
}

/* A string literal with statements, right or nearly right, or with an expression. Recursion
 * ends as in put_any; the text is quoted once it is complete. */
static void put_source(struct pare_walk_run *run, uint32_t depth)
{
    static const uint8_t weights[] = {6, 3, 1};
    pare_emitter *emitter = &run->emitter;
    size_t from = emitter->text->size;
    uint32_t n = 1 + pare_emitter_weigh(emitter, weights, LENGTH_OF(weights));
    for (uint32_t i = 0; i < n; i++) {
        if (i) put(run, ";");
        if (depth && chance(run, 30)) {
            if (chance(run, 50)) put(run, "return ");
            put_any(run, depth - 1);
        } else {
            pare_emitter_one_of(emitter, sources, LENGTH_OF(sources));
        }
    }
    if (chance(run, 30)) damage(run, from);
    pare_values_quote(emitter, from);
}

/* --- any ------------------------------------------------------------------------------------- */

/* Appends an expression of the graph, of a type chosen among all; undefined
 * where it does not fit into the budget. */
static void put_expression(struct pare_walk_run *run, uint32_t depth)
{
    const struct pare_walk *walk = run->walk;
    /* Chosen before it is known whether it fits: the choice means the same whatever the budget
     * is. */
    uint32_t which = pare_emitter_pick(&run->emitter, walk->n_values);
    if (walk->n_values && pare_walk_fits(run, walk->costs->types[walk->values[which]], depth))
        pare_walk_produce(run, walk->values[which], depth);
    else
        put(run, "undefined");
}

/* Appends a value without others in it, which ends every nesting. */
static void put_scalar(struct pare_walk_run *run)
{
    /* 0 is first, as the simplest value of all. */
    static const uint8_t weights[] = {4, 1, 2, 2, 8, 7};
    pare_emitter *emitter = &run->emitter;
    switch (pare_emitter_weigh(emitter, weights, LENGTH_OF(weights))) {
    case 0: put(run, "0"); break;
    case 1: put(run, "undefined"); break;
    case 2: put(run, "null"); break;
    case 3: pare_values_boolean(emitter); break;
    case 4: pare_values_number(emitter); break;
    default: pare_values_string(emitter); break;
    }
}

/* Appends any value, in proportion to how much built-ins have to do with its
 * kind. The first choices, to which a reduction comes, are scalars. */
static void put_any(struct pare_walk_run *run, uint32_t depth)
{
    /* By kind; the last one is an expression of the graph. A 0 leaves a kind to hints. */
    static const uint8_t weights[] = {
        [PARE_WALK_SAME] = 0,      [PARE_WALK_ANY] = 3,        [PARE_WALK_NUMBER] = 12,
        [PARE_WALK_COUNT] = 2,     [PARE_WALK_TIME] = 1,       [PARE_WALK_MOMENT] = 0,
        [PARE_WALK_STRING] = 10,   [PARE_WALK_DATE] = 1,       [PARE_WALK_URI] = 1,
        [PARE_WALK_JSON] = 1,      [PARE_WALK_NUMERAL] = 2,    [PARE_WALK_NAME] = 2,
        [PARE_WALK_PATTERN] = 1,   [PARE_WALK_FLAGS] = 0,      [PARE_WALK_REGEX] = 4,
        [PARE_WALK_SEPARATOR] = 0, [PARE_WALK_SUBJECT] = 2,    [PARE_WALK_REPLACEMENT] = 0,
        [PARE_WALK_CALLBACK] = 6,  [PARE_WALK_ARRAY] = 7,      [PARE_WALK_ARRAY_LIKE] = 2,
        [PARE_WALK_OBJECT] = 7,    [PARE_WALK_DESCRIPTOR] = 2, [PARE_WALK_DESCRIPTORS] = 1,
        [PARE_WALK_SOURCE] = 1,    [PARE_WALK_SPECIAL] = 4,    [PARE_WALK_N_KINDS] = 16};
    /* What would hold values ends here, too, so texts are finite for any list of choices. */
    if (!depth || run->n_values > MAX_VALUES) {
        put_scalar(run);
        return;
    }
    uint32_t kind = pare_emitter_weigh(&run->emitter, weights, LENGTH_OF(weights));
    if (kind == PARE_WALK_N_KINDS)
        put_expression(run, depth);
    else if (kind == PARE_WALK_SAME || kind == PARE_WALK_ANY)
        put_scalar(run);
    else
        pare_walk_values_put(run, (pare_walk_kind)kind, depth);
}

/* Appends a value of a kind. Without depth, or with enough values already, what
 * would hold others is a scalar; so every text ends, also that of a list of
 * choices that always says "another object". */
void pare_walk_values_put(struct pare_walk_run *run, pare_walk_kind kind, uint32_t depth)
{
    pare_emitter *emitter = &run->emitter;
    if (++run->n_values > MAX_VALUES) depth = 0;
    pare_emitter_open(emitter, PARE_EMITTER_VALUE);
    /* Kinds before ARRAY hold no other values. */
    switch (depth || kind < PARE_WALK_ARRAY ? kind : PARE_WALK_ANY) {
    case PARE_WALK_NUMBER: pare_values_number(emitter); break;
    case PARE_WALK_COUNT: pare_values_count(emitter); break;
    case PARE_WALK_TIME: pare_values_time(emitter); break;
    case PARE_WALK_MOMENT:
        if (chance(run, 50))
            pare_values_date(emitter);
        else
            pare_values_time(emitter);
        break;
    case PARE_WALK_STRING: pare_values_string(emitter); break;
    case PARE_WALK_DATE: pare_values_date(emitter); break;
    case PARE_WALK_URI: pare_values_uri(emitter); break;
    case PARE_WALK_JSON: pare_values_json(emitter); break;
    case PARE_WALK_NUMERAL: pare_values_numeral(emitter); break;
    case PARE_WALK_NAME: pare_values_name(emitter); break;
    case PARE_WALK_PATTERN: pare_regex_values_text(emitter); break;
    case PARE_WALK_FLAGS: pare_regex_values_flags(emitter); break;
    case PARE_WALK_REGEX: pare_regex_values_literal(emitter); break;
    case PARE_WALK_SEPARATOR:
        if (chance(run, 70))
            pare_regex_values_literal(emitter);
        else
            pare_regex_values_subject(emitter);
        break;
    case PARE_WALK_SUBJECT: pare_regex_values_subject(emitter); break;
    case PARE_WALK_REPLACEMENT:
        if (chance(run, 40))
            put_function(run, depth);
        else
            pare_regex_values_replacement(emitter);
        break;
    case PARE_WALK_CALLBACK: put_function(run, depth); break;
    case PARE_WALK_ARRAY: put_array(run, depth); break;
    case PARE_WALK_ARRAY_LIKE: put_array_like(run, depth); break;
    case PARE_WALK_OBJECT: put_object(run, depth); break;
    case PARE_WALK_DESCRIPTOR: put_descriptor(run, depth); break;
    case PARE_WALK_DESCRIPTORS: put_descriptors(run, depth); break;
    case PARE_WALK_SOURCE: put_source(run, depth); break;
    case PARE_WALK_SPECIAL: put_special(run, depth); break;
    default: put_any(run, depth); break;
    }
    pare_emitter_close(emitter);
}

/* Appends a literal of a type that has one. Literals are cheaper than what a
 * call returns, and say more: they have contents. */
void pare_walk_values_literal(struct pare_walk_run *run, uint32_t type, uint32_t depth)
{
    pare_emitter *emitter = &run->emitter;
    switch (run->walk->costs->literals[type]) {
    case PARE_TYPE_LITERAL_OBJECT: put_object(run, depth); break;
    case PARE_TYPE_LITERAL_ARRAY: put_array(run, depth); break;
    case PARE_TYPE_LITERAL_FUNCTION: put_function(run, depth); break;
    case PARE_TYPE_LITERAL_REGEX: pare_regex_values_literal(emitter); break;
    case PARE_TYPE_LITERAL_PRIMITIVE:
        pare_values_of_kind(emitter, pare_graph_type_at(run->walk->graph, type)->kind);
        break;
    case PARE_TYPE_LITERAL_NONE: assert(!"the type has literals"); break;
    }
}

/* --- hints ---------------------------------------------------------------------------------- */

/* A row: the end of the path, what the receiver should be (0: whatever the
 * graph says), how many arguments are usual, and their kinds; those not named
 * are any value. */
#define ANY_ PARE_WALK_ANY
#define HINT(path, receiver, n, ...) \
    {                                \
        path, receiver, n,           \
        {                            \
            __VA_ARGS__              \
        }                            \
    }

/* What functions of the standard are about. Not sorted: the first row
 * that fits counts. */
static const pare_walk_hint hints[] = {
    HINT("Date", 0, 7, PARE_WALK_MOMENT, PARE_WALK_NUMBER, PARE_WALK_COUNT, PARE_WALK_NUMBER),
    HINT("Date.UTC", 0, 7, PARE_WALK_NUMBER, PARE_WALK_NUMBER, PARE_WALK_COUNT, PARE_WALK_NUMBER),
    HINT("Date.parse", 0, 1, PARE_WALK_DATE, ANY_),
    HINT("setTime", 0, 1, PARE_WALK_TIME, ANY_),
    HINT("toISOString", 0, 0, ANY_),
    HINT("eval", 0, 1, PARE_WALK_SOURCE, ANY_),
    HINT("Function", 0, 2, PARE_WALK_NAME, PARE_WALK_SOURCE, PARE_WALK_SOURCE),
    HINT("parseInt", 0, 2, PARE_WALK_NUMERAL, PARE_WALK_COUNT, ANY_),
    HINT("parseFloat", 0, 1, PARE_WALK_NUMERAL, ANY_),
    HINT("Number", 0, 1, PARE_WALK_NUMERAL, ANY_),
    HINT("decodeURI", 0, 1, PARE_WALK_URI, ANY_),
    HINT("decodeURIComponent", 0, 1, PARE_WALK_URI, ANY_),
    HINT("encodeURI", 0, 1, PARE_WALK_URI, ANY_),
    HINT("encodeURIComponent", 0, 1, PARE_WALK_URI, ANY_),
    HINT("escape", 0, 1, PARE_WALK_URI, ANY_),
    HINT("unescape", 0, 1, PARE_WALK_URI, ANY_),
    HINT("JSON.parse", 0, 2, PARE_WALK_JSON, PARE_WALK_CALLBACK, ANY_),
    HINT("JSON.stringify", 0, 3, PARE_WALK_OBJECT, PARE_WALK_CALLBACK, PARE_WALK_COUNT, ANY_),
    HINT("RegExp", 0, 2, PARE_WALK_PATTERN, PARE_WALK_FLAGS, ANY_),
    HINT("RegExp.prototype.compile", PARE_WALK_REGEX, 2, PARE_WALK_PATTERN, PARE_WALK_FLAGS, ANY_),
    HINT("RegExp.prototype.exec", PARE_WALK_REGEX, 1, PARE_WALK_SUBJECT, ANY_),
    HINT("RegExp.prototype.test", PARE_WALK_REGEX, 1, PARE_WALK_SUBJECT, ANY_),
    HINT("String.prototype.match", PARE_WALK_SUBJECT, 1, PARE_WALK_SEPARATOR, ANY_),
    HINT("String.prototype.matchAll", PARE_WALK_SUBJECT, 1, PARE_WALK_SEPARATOR, ANY_),
    HINT("String.prototype.search", PARE_WALK_SUBJECT, 1, PARE_WALK_SEPARATOR, ANY_),
    HINT("String.prototype.split", PARE_WALK_SUBJECT, 2, PARE_WALK_SEPARATOR, PARE_WALK_COUNT),
    HINT("String.prototype.replace", PARE_WALK_SUBJECT, 2, PARE_WALK_SEPARATOR,
         PARE_WALK_REPLACEMENT),
    HINT("String.prototype.replaceAll", PARE_WALK_SUBJECT, 2, PARE_WALK_SEPARATOR,
         PARE_WALK_REPLACEMENT),
    HINT("indexOf", PARE_WALK_SUBJECT, 2, PARE_WALK_SUBJECT, PARE_WALK_COUNT),
    HINT("lastIndexOf", PARE_WALK_SUBJECT, 2, PARE_WALK_SUBJECT, PARE_WALK_COUNT),
    HINT("localeCompare", 0, 1, PARE_WALK_STRING, ANY_),
    HINT("charAt", 0, 1, PARE_WALK_COUNT, ANY_),
    HINT("charCodeAt", 0, 1, PARE_WALK_COUNT, ANY_),
    HINT("codePointAt", 0, 1, PARE_WALK_COUNT, ANY_),
    HINT("fromCharCode", 0, 3, PARE_WALK_NUMBER),
    HINT("slice", 0, 2, PARE_WALK_COUNT),
    HINT("substring", 0, 2, PARE_WALK_COUNT),
    HINT("substr", 0, 2, PARE_WALK_COUNT),
    HINT("repeat", 0, 1, PARE_WALK_COUNT),
    HINT("splice", PARE_WALK_ARRAY, 3, PARE_WALK_COUNT, PARE_WALK_COUNT, ANY_),
    HINT("toString", 0, 1, PARE_WALK_COUNT, ANY_),
    HINT("toFixed", 0, 1, PARE_WALK_COUNT, ANY_),
    HINT("toPrecision", 0, 1, PARE_WALK_COUNT, ANY_),
    HINT("toExponential", 0, 1, PARE_WALK_COUNT, ANY_),
    HINT("Array", 0, 2, PARE_WALK_COUNT, ANY_),
    HINT("sort", PARE_WALK_ARRAY, 1, PARE_WALK_CALLBACK, ANY_),
    HINT("join", PARE_WALK_ARRAY, 1, PARE_WALK_SUBJECT, ANY_),
    HINT("concat", 0, 2, PARE_WALK_ARRAY, ANY_),
    HINT("forEach", PARE_WALK_ARRAY, 2, PARE_WALK_CALLBACK, ANY_),
    HINT("map", PARE_WALK_ARRAY, 2, PARE_WALK_CALLBACK, ANY_),
    HINT("filter", PARE_WALK_ARRAY, 2, PARE_WALK_CALLBACK, ANY_),
    HINT("every", PARE_WALK_ARRAY, 2, PARE_WALK_CALLBACK, ANY_),
    HINT("some", PARE_WALK_ARRAY, 2, PARE_WALK_CALLBACK, ANY_),
    HINT("find", PARE_WALK_ARRAY, 2, PARE_WALK_CALLBACK, ANY_),
    HINT("findIndex", PARE_WALK_ARRAY, 2, PARE_WALK_CALLBACK, ANY_),
    HINT("reduce", PARE_WALK_ARRAY, 2, PARE_WALK_CALLBACK, ANY_),
    HINT("reduceRight", PARE_WALK_ARRAY, 2, PARE_WALK_CALLBACK, ANY_),
    HINT("Function.prototype.apply", 0, 2, ANY_, PARE_WALK_ARRAY_LIKE),
    HINT("Function.prototype.call", 0, 2, ANY_),
    HINT("Function.prototype.bind", 0, 2, ANY_),
    HINT("Reflect.apply", 0, 3, PARE_WALK_CALLBACK, ANY_, PARE_WALK_ARRAY_LIKE),
    HINT("Reflect.construct", 0, 2, PARE_WALK_CALLBACK, PARE_WALK_ARRAY_LIKE),
    HINT("defineProperty", 0, 3, PARE_WALK_OBJECT, PARE_WALK_NAME, PARE_WALK_DESCRIPTOR),
    HINT("defineProperties", 0, 2, PARE_WALK_OBJECT, PARE_WALK_DESCRIPTORS),
    HINT("Object.create", 0, 2, PARE_WALK_OBJECT, PARE_WALK_DESCRIPTORS),
    HINT("getOwnPropertyDescriptor", 0, 2, PARE_WALK_OBJECT, PARE_WALK_NAME),
    HINT("getOwnPropertyNames", 0, 1, PARE_WALK_OBJECT, ANY_),
    HINT("Object.keys", 0, 1, PARE_WALK_OBJECT, ANY_),
    HINT("Object.freeze", 0, 1, PARE_WALK_OBJECT, ANY_),
    HINT("Object.seal", 0, 1, PARE_WALK_OBJECT, ANY_),
    HINT("preventExtensions", 0, 1, PARE_WALK_OBJECT, ANY_),
    HINT("isFrozen", 0, 1, PARE_WALK_OBJECT, ANY_),
    HINT("isSealed", 0, 1, PARE_WALK_OBJECT, ANY_),
    HINT("isExtensible", 0, 1, PARE_WALK_OBJECT, ANY_),
    HINT("hasOwnProperty", 0, 1, PARE_WALK_NAME, ANY_),
    HINT("propertyIsEnumerable", 0, 1, PARE_WALK_NAME, ANY_),
    HINT("__defineGetter__", 0, 2, PARE_WALK_NAME, PARE_WALK_CALLBACK),
    HINT("__defineSetter__", 0, 2, PARE_WALK_NAME, PARE_WALK_CALLBACK),
    HINT("Proxy", 0, 2, PARE_WALK_OBJECT, PARE_WALK_OBJECT),
    HINT("Buffer", 0, 2, PARE_WALK_ARRAY_LIKE, PARE_WALK_COUNT),
    HINT("ArrayBuffer", 0, 1, PARE_WALK_COUNT, ANY_),
    HINT("Uint8Array", 0, 1, PARE_WALK_ARRAY_LIKE, ANY_),
    HINT("Error", 0, 1, PARE_WALK_STRING, ANY_),
};

/* For functions of Math, nearly all of which take numbers. */
static const pare_walk_hint numbers = {"Math", 0, 2, {PARE_WALK_NUMBER}};

/* The hint for a function; NULL: none. By the end of its path, since the same
 * function may be found by another way first. A name must be whole: "Date" is
 * no hint for this.toDate. Cost: O(hints) comparisons. */
const pare_walk_hint *pare_walk_values_hint(const char *path)
{
    size_t size = strlen(path);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        size_t end = strlen(hints[i].path);
        if (end > size || strcmp(path + size - end, hints[i].path) != 0) continue;
        if (end == size || path[size - end - 1] == '.') return &hints[i];
    }
    return strncmp(path, "this.Math.", 10) == 0 ? &numbers : NULL;
}
