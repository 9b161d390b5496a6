/* The assignment grammars of seed 004, and its records.  Included after cmocka. */
#ifndef PARE_TESTS_ASSIGNMENTS_H
#define PARE_TESTS_ASSIGNMENTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "generate/fuzzer.h"
#include "grammar/fuzzingbook.h"

#define ASSIGNMENTS_VARIABLES                                                            \
    "'<digit>': [['0'], ['1']],"                                                         \
    "'<var>': ['a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p','q','r'," \
    "          's','t','u','v','w','x','y','z']}"

/* With '' for "". */
static const char assignments_free[] =
    "{'<start>': [['<assignments>']],"
    "'<assignments>': [['<assign>'], ['<assign>', ';\\n', '<assignments>']],"
    "'<assign>': [['<var>', ' = ', '<expr>']],"
    "'<expr>': [['<expr>', ' + ', '<expr>'], ['<expr>', ' - ', '<expr>'],"
    "           ['(', '<expr>', ')'], ['<var>'], ['<digit>']]," ASSIGNMENTS_VARIABLES;
static const char assignments_declared[] =
    "{'<start>': [['<assignments>']],"
    "'<assignments>': [['<assign>', [';\\n', {'post': 'commit'}]],"
    "                  ['<assign>', [';\\n', {'post': 'commit'}], '<assignments>']],"
    "'<assign>': [[['<var>', {'post': 'define'}], ' = ', '<expr>']],"
    "'<expr>': [['<expr>', ' + ', '<expr>'], ['<expr>', ' - ', '<expr>'],"
    "           ['(', '<expr>', ')'], [['<var>', {'pre': 'use'}]], "
    "['<digit>']]," ASSIGNMENTS_VARIABLES;

/* A book with its grammar, and a generator over it. */
struct assignments {
    pare_grammar *grammar;
    pare_expansion_costs costed;
    pare_limit_fuzzer limit;
};

static inline pare_grammar *book_of(const char *json)
{
    char text[2048];
    pare_grammar *grammar = NULL;
    assert_true(strlen(json) < sizeof text);
    for (size_t i = 0; i <= strlen(json); i++)
        text[i] = json[i] == '\'' ? '"' : json[i];
    assert_int_equal(pare_fuzzingbook_read_memory("book.json", text, strlen(text), &grammar, NULL),
                     PARE_OK);
    return grammar;
}

static inline void assignments_init(struct assignments *a, const char *json, uint32_t digits)
{
    *a = (struct assignments){.grammar = book_of(json)};
    assert_int_equal(pare_expansion_costs_init(&a->costed, a->grammar, NULL), PARE_OK);
    a->limit = (pare_limit_fuzzer){.costed = &a->costed,
                                   .max_depth = 10,
                                   .digits = digits,
                                   .undefined = "00",
                                   .undefined_default = "000"};
}

/* The defaults of the variant with NOPs. */
static inline void assignments_set_defaults(struct assignments *a)
{
    pare_expansion_costs_set_default(&a->costed, "<start>", "a=0;\n");
    pare_expansion_costs_set_default(&a->costed, "<assignments>", "a=0;\n");
    pare_expansion_costs_set_default(&a->costed, "<assign>", "a=0");
    pare_expansion_costs_set_default(&a->costed, "<expr>", "0");
    pare_expansion_costs_set_default(&a->costed, "<digit>", "0");
    pare_expansion_costs_set_default(&a->costed, "<var>", "0");
}

static inline void assignments_done(struct assignments *a)
{
    pare_fuzzer_limit_done(&a->limit);
    pare_expansion_costs_done(&a->costed);
    pare_grammar_free(a->grammar);
}

/* NULL, with a notice, where the records of golden/choice are not at hand. */
static inline FILE *open_choice_record(const char *name)
{
    char path[4096];
    const char *shared = getenv("PARE_SHARED"), *source = getenv("PARE_SOURCE_DIR");
    if (shared)
        snprintf(path, sizeof path, "%s/golden/choice/%s", shared, name);
    else
        snprintf(path, sizeof path, "%s/../shared/golden/choice/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) print_message("no %s: set PARE_SHARED to compare with the records\n", path);
    return file;
}

/* Calls `compare` for each record of a file; returns how many there are. */
static inline size_t each_choice_record(const char *name, void (*compare)(const json_t *record))
{
    FILE *file = open_choice_record(name);
    if (!file) skip();
    size_t n = 0;
    json_t *record;
    while ((record = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL))) {
        compare(record);
        json_decref(record);
        n++;
    }
    fclose(file);
    return n;
}

#endif
