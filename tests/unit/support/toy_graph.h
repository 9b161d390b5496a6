/* A small engine as a prototype graph, for what shows graphs.  Included after cmocka.
 *
 *   Object.prototype    toString(): string
 *   Date                new Date(7 of any), new Date(number) learned, now()
 *   Date.prototype      setTime(number) learned on any Date with values, and throwing on
 *                       Object.prototype; toGMTString and toUTCString are one function
 *   Math                PI, max(2)
 *   names that are hostile: see below */
#ifndef PARE_TESTS_TOY_GRAPH_H
#define PARE_TESTS_TOY_GRAPH_H

#include <string.h>

#include "generate/prototype/graph.h"

#define TOY_HEAD "{\"format\":\"pare-graph\",\"version\":1,\"engine\":\"toy\",\"digest\":\"d1\","
#define TOY_TYPES                                                                                  \
    "{\"id\":0,\"kind\":\"object\",\"path\":\"this\",\"class\":\"global\"},"                       \
    "{\"id\":1,\"kind\":\"object\",\"path\":\"this.Object.prototype\",\"class\":\"Object\"},"      \
    "{\"id\":2,\"kind\":\"function\",\"path\":\"this.Date\",\"class\":\"Function\",\"length\":7}," \
    "{\"id\":3,\"kind\":\"object\",\"path\":\"this.Date.prototype\",\"class\":\"Object\"},"        \
    "{\"id\":4,\"kind\":\"function\",\"path\":\"this.Date.prototype.setTime\",\"length\":1},"      \
    "{\"id\":5,\"kind\":\"function\",\"path\":\"this.Date.prototype.toGMTString\"},"               \
    "{\"id\":6,\"kind\":\"function\",\"path\":\"this.Date.now\"},"                                 \
    "{\"id\":7,\"kind\":\"object\",\"path\":\"this.Math\",\"class\":\"Math\"},"                    \
    "{\"id\":8,\"kind\":\"function\",\"path\":\"this.Math.max\",\"length\":2},"                    \
    "{\"id\":9,\"kind\":\"number\",\"path\":\"number\"},"                                          \
    "{\"id\":10,\"kind\":\"string\",\"path\":\"string\"},"                                         \
    "{\"id\":11,\"kind\":\"object\",\"path\":\"new (this.Date)\",\"class\":\"Date\","              \
    "\"instance\":true},"                                                                          \
    "{\"id\":12,\"kind\":\"function\",\"path\":\"this.Object.prototype.toString\"}"
#define TOY_SIGNATURES                                                                     \
    "{\"id\":0,\"parameters\":7},{\"id\":1,\"parameters\":1,\"learned\":true},"            \
    "{\"id\":2,\"parameters\":1},"                                                         \
    "{\"id\":3,\"parameters\":1,\"receiver\":11,\"learned\":true},"                        \
    "{\"id\":4,\"parameters\":1,\"receiver\":1,\"learned\":true,\"throws\":true},"         \
    "{\"id\":5,\"parameters\":0},{\"id\":6,\"parameters\":0},{\"id\":7,\"parameters\":2}," \
    "{\"id\":8,\"parameters\":0}"
#define TOY_PROPERTY(from, name, to) \
    "{\"kind\":\"property\",\"from\":" #from ",\"to\":" #to ",\"name\":\"" name "\"},"
#define TOY_EDGE(kind, from, to) "{\"kind\":\"" kind "\",\"from\":" #from ",\"to\":" #to "},"
#define TOY_EDGES                                                                              \
    TOY_PROPERTY(0, "Date", 2)                                                                 \
    TOY_PROPERTY(0, "Math", 7)                                                                 \
    TOY_PROPERTY(1, "toString", 12)                                                            \
    TOY_PROPERTY(2, "now", 6)                                                                  \
    TOY_PROPERTY(2, "prototype", 3)                                                            \
    TOY_PROPERTY(3, "constructor", 2)                                                          \
    TOY_PROPERTY(3, "setTime", 4)                                                              \
    TOY_PROPERTY(3, "toGMTString", 5)                                                          \
    TOY_PROPERTY(3, "toUTCString", 5)                                                          \
    TOY_PROPERTY(7, "PI", 9)                                                                   \
    TOY_PROPERTY(7, "max", 8)                                                                  \
    TOY_PROPERTY(7, "@@toStringTag", 10)                                                       \
    TOY_EDGE("prototype", 3, 1)                                                                \
    TOY_EDGE("prototype", 7, 1)                                                                \
    TOY_EDGE("prototype", 11, 3)                                                               \
    TOY_EDGE("constructor", 2, 0)                                                              \
    TOY_EDGE("constructor", 2, 1)                                                              \
    TOY_EDGE("call", 4, 2)                                                                     \
    TOY_EDGE("call", 4, 3)                                                                     \
    TOY_EDGE("call", 4, 4)                                                                     \
    TOY_EDGE("call", 5, 5)                                                                     \
    TOY_EDGE("call", 6, 6)                                                                     \
    TOY_EDGE("call", 8, 7)                                                                     \
    TOY_EDGE("call", 12, 8)                                                                    \
    "{\"kind\":\"parameter\",\"from\":9,\"to\":1,\"position\":0,\"values\":[\"0\"]},"          \
    "{\"kind\":\"parameter\",\"from\":9,\"to\":3,\"position\":0,\"values\":[\"-1\",\"NaN\"]}," \
    "{\"kind\":\"parameter\",\"from\":10,\"to\":3,\"position\":0,\"values\":[\"'x'\"]},"       \
    "{\"kind\":\"parameter\",\"from\":9,\"to\":4,\"position\":0}," TOY_EDGE("return", 0, 11)   \
        TOY_EDGE("return", 1, 11) "{\"kind\":\"return\",\"from\":3,\"to\":9}"

/* Of the types above. */
enum {
    TOY_GLOBAL,
    TOY_OBJECT_PROTOTYPE,
    TOY_DATE,
    TOY_DATE_PROTOTYPE,
    TOY_SET_TIME,
    TOY_MATH = 7,
    TOY_MAX,
    TOY_NUMBER,
    TOY_STRING,
    TOY_A_DATE
};

static inline pare_graph *read_graph(const char *text)
{
    pare_graph *graph = NULL;
    pare_error err = {0};
    pare_status status = pare_graph_file_parse("toy.json", text, strlen(text), &graph, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, PARE_OK);
    return graph;
}

static inline pare_graph *toy_graph(void)
{
    return read_graph(TOY_HEAD "\"global\":0,\"types\":[" TOY_TYPES
                               "],\"signatures\":[" TOY_SIGNATURES "],\"edges\":[" TOY_EDGES "]}");
}

/* An engine of one object, all whose names are hostile: markup, ends of scripts, controls, what
 * turns the text around it, quotes and backslashes. */
static inline pare_graph *hostile_graph(void)
{
    return read_graph(
        "{\"format\":\"pare-graph\",\"version\":1,\"engine\":\"</title><script>alert(1)</script>"
        "\",\"digest\":\"\",\"global\":0,\"types\":["
        "{\"id\":0,\"kind\":\"object\",\"path\":\"this\",\"class\":\"<b>\\u001b[31m\"},"
        "{\"id\":1,\"kind\":\"function\",\"path\":\"this[\\\"</script><!--\\u2028\\\"]\","
        "\"length\":1}],\"signatures\":[{\"id\":0,\"parameters\":1,\"learned\":true}],\"edges\":["
        "{\"kind\":\"property\",\"from\":0,\"to\":1,\"name\":\"</script><!--\\u2028\"},"
        "{\"kind\":\"property\",\"from\":0,\"to\":1,\"name\":\"\\u202edlrow\\\\n\\\"x\\n\\u001b]0;"
        "\"},"
        "{\"kind\":\"call\",\"from\":1,\"to\":0},"
        "{\"kind\":\"parameter\",\"from\":0,\"to\":0,\"position\":0,"
        "\"values\":[\"'</script>'\"]}]}");
}

/* Nothing but the global object. */
static inline pare_graph *bare_graph(void)
{
    return read_graph("{\"format\":\"pare-graph\",\"version\":1,\"engine\":\"\",\"digest\":\"\","
                      "\"global\":0,\"types\":[{\"id\":0,\"kind\":\"object\",\"path\":\"this\"}],"
                      "\"signatures\":[],\"edges\":[]}");
}

#endif
