/* Do different inputs with one bug end in the same bytes?
 *
 * Usage: bench_canonical [INPUTS]
 * For each of three bugs in two languages, INPUTS (200) different texts that have it are made by
 * a grammar and reduced by the default, in this process; printed is how many end in the same
 * bytes as most of them, and what those are.  Each bug is a check of a real parser, which
 * refuses what is not in the language; so are invalid inputs told from those without the bug.
 * The fourth figure has no aim: in a language in which an expression cannot stand alone, each
 * kind of statement around it is as good as the next, and none leads to another. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>
#include <pare/pare.h>

#include "report.h"

enum { MOST_INPUTS = 1000, MOST_BYTES = 4000, LEAST_BYTES = 60 };

/* --- JSON: an array in an array that is a member's value --------------------------------- */

static const char json_grammar[] = "grammar J;\n"
                                   "value: object | array | STRING | NUMBER | 'true' | 'null';\n"
                                   "object: '{' '}' | '{' pair (',' pair)* '}';\n"
                                   "pair: STRING ':' value;\n"
                                   "array: '[' ']' | '[' value (',' value)* ']';\n"
                                   "document: object EOF;\n"
                                   "STRING: '\"' [a-z]* '\"';\n"
                                   "NUMBER: '-'? ('0' | [1-9] [0-9]*) ('.' [0-9]+)?;\n"
                                   "WS: [ \\n]+ -> skip;\n";

static bool has_nested_arrays(const json_t *value, bool in_member)
{
    const char *key;
    json_t *child;
    size_t index;
    json_object_foreach((json_t *)value, key, child) /* no loop for what is no object */
        if (has_nested_arrays(child, json_is_array(child))) return true;
    if (!json_is_array(value)) return false;
    json_array_foreach(value, index, child) if ((in_member && json_is_array(child)) ||
                                                has_nested_arrays(child, false)) return true;
    return false;
}

static pare_outcome nested_arrays(void *context, const void *bytes, size_t size)
{
    (void)context;
    json_t *value = json_loadb(bytes, size, 0, NULL);
    if (!value) return PARE_UNRESOLVED;
    bool fails = has_nested_arrays(value, false);
    json_decref(value);
    return fails ? PARE_FAIL : PARE_PASS;
}

/* --- a small language of statements ------------------------------------------------------ */

#define STATEMENTS                                                                     \
    "grammar C;\n"                                                                     \
    "program: stat stat stat stat+ EOF;\n"                                             \
    "stat: NAME '=' expr ';' | 'if' '(' expr ')' block | 'while' '(' expr ')' block\n" \
    "    | NAME '(' (expr (',' expr)*)? ')' ';'"
#define EXPRESSIONS                           \
    ";\n"                                     \
    "block: '{' stat* '}';\n"                 \
    "expr: term (('+' | '*' | '/') term)*;\n" \
    "term: NAME | NUMBER | '(' expr ')';\n"   \
    "NAME: [a-z] [a-z] [a-z]+;\n"             \
    "NUMBER: [1-9] [0-9]+;\n"                 \
    "WS: [ \\n]+ -> skip;\n"

static const char code_grammar[] = STATEMENTS " | expr ';'" EXPRESSIONS;
/* Without statements that are just an expression. */
static const char strict_grammar[] = STATEMENTS EXPRESSIONS;

/* A parser by recursive descent, which notes what the bugs hang on. */
struct code {
    const char *at, *end;
    int depth;               /* of recursion */
    int in_if, in_while;     /* blocks that are open: an `if`'s, a `while`'s in it */
    bool strict;             /* no statement is just an expression */
    bool called_in, divided; /* a call in a while in an if; a quotient divided by a product */
    bool wrong;
};

static void skip_space(struct code *code)
{
    while (code->at < code->end && (*code->at == ' ' || *code->at == '\n'))
        code->at++;
}

static bool take(struct code *code, char c)
{
    skip_space(code);
    if (code->at == code->end || *code->at != c) return false;
    code->at++;
    return true;
}

static void want(struct code *code, char c)
{
    if (!take(code, c)) code->wrong = true;
}

/* A name or a number; 0: neither. */
static size_t take_word(struct code *code, bool digits)
{
    skip_space(code);
    const char *from = code->at;
    while (code->at < code->end &&
           (digits ? isdigit((unsigned char)*code->at) : islower((unsigned char)*code->at)))
        code->at++;
    return (size_t)(code->at - from);
}

static void read_expr(struct code *code, bool *is_product);

static void read_term(struct code *code, bool *is_product)
{
    *is_product = false;
    if (take(code, '(')) {
        if (++code->depth > 200) code->wrong = true;
        if (!code->wrong) read_expr(code, is_product);
        code->depth--;
        want(code, ')');
        return;
    }
    if (!take_word(code, false) && !take_word(code, true)) code->wrong = true;
}

static void read_expr(struct code *code, bool *is_product)
{
    bool term_is_product;
    *is_product = false;
    read_term(code, &term_is_product);
    while (!code->wrong) {
        bool divides = take(code, '/'), multiplies = !divides && take(code, '*');
        if (!divides && !multiplies && !take(code, '+')) return;
        read_term(code, &term_is_product);
        *is_product = *is_product || multiplies;
        code->divided = code->divided || (divides && term_is_product);
    }
}

static void read_block(struct code *code);

static void read_just_expr(struct code *code, const char *from)
{
    bool ignored;
    code->at = from;
    code->wrong = code->strict;
    if (!code->wrong) read_expr(code, &ignored);
    want(code, ';');
}

static void read_stat(struct code *code)
{
    bool ignored;
    skip_space(code);
    const char *name = code->at;
    size_t size = take_word(code, false);
    bool is_if = size == 2 && memcmp(name, "if", 2) == 0;
    bool is_while = size == 5 && memcmp(name, "while", 5) == 0;
    if (!size) {
        read_just_expr(code, name);
    } else if (is_if || is_while) {
        want(code, '(');
        read_expr(code, &ignored);
        want(code, ')');
        bool counts = is_if || code->in_if;
        *(is_if ? &code->in_if : &code->in_while) += counts;
        read_block(code);
        *(is_if ? &code->in_if : &code->in_while) -= counts;
    } else if (take(code, '(')) {
        code->called_in = code->called_in || code->in_while;
        if (take(code, ')')) {
            want(code, ';');
            return;
        }
        do
            read_expr(code, &ignored);
        while (!code->wrong && take(code, ','));
        want(code, ')');
        want(code, ';');
    } else if (take(code, '=')) {
        read_expr(code, &ignored);
        want(code, ';');
    } else {
        read_just_expr(code, name);
    }
}

static void read_block(struct code *code)
{
    want(code, '{');
    if (++code->depth > 200) code->wrong = true;
    while (!code->wrong && !take(code, '}'))
        read_stat(code);
    code->depth--;
}

static struct code read_code(const void *bytes, size_t size, bool strict)
{
    struct code code = {.at = bytes, .end = (const char *)bytes + size, .strict = strict};
    for (skip_space(&code); !code.wrong && code.at < code.end; skip_space(&code))
        read_stat(&code);
    return code;
}

static pare_outcome call_in_loop(void *context, const void *bytes, size_t size)
{
    struct code code = read_code(bytes, size, context != NULL);
    if (code.wrong) return PARE_UNRESOLVED;
    return code.called_in ? PARE_FAIL : PARE_PASS;
}

static pare_outcome division_by_product(void *context, const void *bytes, size_t size)
{
    struct code code = read_code(bytes, size, context != NULL);
    if (code.wrong) return PARE_UNRESOLVED;
    return code.divided ? PARE_FAIL : PARE_PASS;
}

/* --- inputs and results ------------------------------------------------------------------ */

struct bug {
    const char *name, *grammar, *start;
    pare_predicate predicate;
    bool strict; /* what the predicate's context is not NULL for */
};

static void *context_of(const struct bug *bug)
{
    return bug->strict ? (void *)(uintptr_t)bug : NULL;
}

static const struct bug bugs[] = {
    {"JSON, arrays in a member", json_grammar, "document", nested_arrays, false},
    {"code, a call in a loop", code_grammar, "program", call_in_loop, false},
    {"code, a quotient", code_grammar, "program", division_by_product, false},
    {"the same, no bare expressions", strict_grammar, "program", division_by_product, true},
};

struct texts {
    const struct bug *bug;
    char *text[MOST_INPUTS];
    size_t size[MOST_INPUTS], n, most;
};

static pare_status keep(void *context, uint64_t number, const char *text, size_t size,
                        pare_error *err)
{
    struct texts *texts = context;
    (void)number;
    (void)err;
    if (texts->n == texts->most || size < LEAST_BYTES || size > MOST_BYTES) return PARE_OK;
    if (texts->bug->predicate(context_of(texts->bug), text, size) != PARE_FAIL) return PARE_OK;
    char *copy = malloc(size);
    if (!copy) return PARE_E_NOMEM;
    memcpy(copy, text, size);
    texts->text[texts->n] = copy;
    texts->size[texts->n++] = size;
    return PARE_OK;
}

static void make_inputs(const struct bug *bug, struct texts *texts)
{
    char path[] = "/tmp/bench_canonical-XXXXXX.g4";
    int fd = mkstemps(path, 3);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file || fputs(bug->grammar, file) < 0 || fclose(file) != 0)
        report_broken("bench_canonical", "cannot write a grammar");
    const char *grammar = path;
    pare_generated generated;
    pare_error err = {0};
    for (uint64_t seed = 1; texts->n < texts->most && seed < 200; seed++) {
        pare_generate_options options = {.grammars = &grammar,
                                         .n_grammars = 1,
                                         .start = bug->start,
                                         .n = 2000,
                                         .seed = seed,
                                         .jobs = 1,
                                         .max_depth = 14,
                                         .max_tokens = 300};
        pare_status status = pare_generate(&options, keep, texts, &generated, &err);
        if (status) report_broken("bench_canonical", err.message);
    }
    (void)unlink(path);
    if (texts->n < texts->most) report_broken("bench_canonical", "too few inputs have the bug");
}

/* Counts in `counts` how many results are like each. */
static size_t most_frequent(const pare_result *results, size_t n, size_t *count)
{
    size_t best = 0;
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t same = 0;
        for (size_t k = 0; k < n; k++)
            same += results[k].size_bytes == results[i].size_bytes &&
                    memcmp(results[k].bytes, results[i].bytes, results[i].size_bytes) == 0;
        if (same > *count) {
            *count = same;
            best = i;
        }
    }
    return best;
}

static void print_others(const pare_result *results, size_t n, size_t best)
{
    const char *last = "";
    for (size_t i = 0, shown = 0; i < n && shown < 4; i++) {
        if (strcmp((const char *)results[i].bytes, (const char *)results[best].bytes) == 0)
            continue;
        if (strcmp((const char *)results[i].bytes, last) == 0) continue;
        last = (const char *)results[i].bytes;
        printf("    also: %s\n", last);
        shown++;
    }
}

static void run_bug(const struct bug *bug, size_t n)
{
    static struct texts texts;
    static pare_result results[MOST_INPUTS];
    char figure[32], what[128];
    uint64_t tests = 0;
    size_t count;
    texts = (struct texts){.bug = bug, .most = n};
    make_inputs(bug, &texts);
    for (size_t i = 0; i < n; i++) {
        pare_error err = {0};
        pare_reduce_options options = {.input.bytes = texts.text[i],
                                       .input.size_bytes = texts.size[i],
                                       .test.predicate = bug->predicate,
                                       .test.context = context_of(bug),
                                       .limits.jobs = 1,
                                       .trees.language = "none"};
        if (pare_reduce(&options, &results[i], &err)) report_broken("bench_canonical", err.message);
        tests += results[i].stats.tests_run;
    }
    size_t best = most_frequent(results, n, &count);
    (void)snprintf(what, sizeof what, "%s, the same bytes", bug->name);
    (void)snprintf(figure, sizeof figure, "%.1f %%", 100.0 * (double)count / (double)n);
    if (bug->strict)
        report_figure(what, figure);
    else
        report_aim(what, figure, ">= 90 %", count * 10 >= n * 9);
    printf("    %s  (%.0f tests each)\n", (const char *)results[best].bytes,
           (double)tests / (double)n);
    print_others(results, n, best);
    for (size_t i = 0; i < n; i++) {
        pare_result_done(&results[i]);
        free(texts.text[i]);
    }
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 200;
    if (n < 1 || n > MOST_INPUTS) report_broken("bench_canonical", "1 .. 1000 inputs");
    for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++)
        run_bug(&bugs[i], n);
    return 0;
}
