/* The figures that the seeds report of trees, measured on our own cases.
 *
 *     bench_seeds [SHARED]      SHARED: holds corpus/ and grammars-v4/; without it, generated
 *                               inputs only
 *
 * Claims (seed 001, from Hodován and Kiss): grammars with quantifiers (extended
 * context-free ones) give results 25 to 40 % smaller than the same language by recursion;
 * squeezing and hiding make HDD up to five times as fast; Coarse HDD* on flattened trees
 * takes 58 % fewer tests on the average, for a result that is larger by at most 0.36 % of
 * the input.  Here a test fails while some words of the input are left, and there are two
 * sorts of cases:
 *
 * pairs: generated JSON and programs, a toy program and an SMT file of the corpus.  Each
 * language has two grammars of ours, short ones, the second with every quantifier written as
 * recursion.
 *
 * real grammars: as people write them for ANTLR, with a chain of rules for each level of
 * precedence or with left recursion, and files of their own collections; the papers had
 * such.  A Java program is generated, since the collection has none of some size.
 *
 * Tests are those that a cache does not answer, but for squeeze and hide, where both are
 * shown. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/random.h"
#include "grammar/grammar_file.h"
#include "os/file.h"
#include "parse/parser.h"
#include "reduce/syntax/reader.h"
#include "reduce/syntax/rules.h"
#include "reduce/tree/hdd.h"
#include "reduce/tree/transform.h"
#include "report.h"

/* How many words a test needs: a failure in one place, and ones all over the input. */
static const size_t n_needed[] = {2, 4, 12, 32};

enum {
    DRAWS = sizeof n_needed / sizeof *n_needed,
    MOST_WORDS = 32,
    GENERATED = 3,
    INPUT_BYTES = 6000,
    SMALL_BYTES = 20000,
    LARGE_BYTES = 200000,
    SLOTS = 1 << 20
};

static const struct language {
    const char *name, *extended, *plain;
} languages[] = {
    {"json",
     "grammar J; json: value EOF ; value: object | array | STRING | NUMBER ;"
     "object: '{' (pair (',' pair)*)? '}' ; array: '[' (value (',' value)*)? ']' ;"
     "pair: STRING ':' value ; STRING: '\"' ~'\"'* '\"' ; NUMBER: [0-9]+ ;"
     "SPACE: [ \\n]+ -> skip ;",
     "grammar J; json: value EOF ; value: object | array | STRING | NUMBER ;"
     "object: '{' '}' | '{' pairs '}' ; pairs: pair | pair ',' pairs ;"
     "array: '[' ']' | '[' values ']' ; values: value | value ',' values ;"
     "pair: STRING ':' value ; STRING: '\"' ~'\"'* '\"' ; NUMBER: [0-9]+ ;"
     "SPACE: [ \\n]+ -> skip ;"},
    {"program",
     "grammar P; program: statement* EOF ; block: '{' statement* '}' ;"
     "statement: 'let'? NAME '=' expr ';' | 'emit' expr ';' | 'if' expr block ('else' block)?"
     " | NAME '(' (expr (',' expr)*)? ')' ';' ;"
     "expr: '-' expr | expr ('*' | '/') expr | expr ('+' | '-') expr | '(' expr ')' | NAME"
     " | NUMBER ; NAME: [a-z_] [a-zA-Z_0-9]* ; NUMBER: [0-9]+ ;"
     "COMMENT: '#' ~'\\n'* -> skip ; SPACE: [ \\n]+ -> skip ;",
     "grammar P; program: statements EOF ; block: '{' statements '}' ;"
     "statements: | statement statements ;"
     "statement: NAME '=' expr ';' | 'let' NAME '=' expr ';' | 'emit' expr ';' | 'if' expr block"
     " | 'if' expr block 'else' block | NAME '(' ')' ';' | NAME '(' exprs ')' ';' ;"
     "exprs: expr | expr ',' exprs ; expr: sum ;"
     "sum: product | sum '+' product | sum '-' product ;"
     "product: unary | product '*' unary | product '/' unary ; unary: primary | '-' unary ;"
     "primary: '(' expr ')' | NAME | NUMBER ;"
     "NAME: [a-z_] [a-zA-Z_0-9]* ; NUMBER: [0-9]+ ;"
     "COMMENT: '#' ~'\\n'* -> skip ; SPACE: [ \\n]+ -> skip ;"},
    {"smt",
     "grammar S; all: item* EOF ; item: ATOM | '(' item* ')' ;"
     "ATOM: '|' ~'|'* '|' | '\"' ~'\"'* '\"' | ~[() \\t\\r\\n;|\"]+ ; COMMENT: ';' ~'\\n'* -> skip "
     "; SPACE: [ \\t\\r\\n]+ -> skip ;",
     "grammar S; all: items EOF ; items: | item items ; item: ATOM | '(' items ')' ;"
     "ATOM: '|' ~'|'* '|' | '\"' ~'\"'* '\"' | ~[() \\t\\r\\n;|\"]+ ; COMMENT: ';' ~'\\n'* -> skip "
     "; SPACE: [ \\t\\r\\n]+ -> skip ;"},
};

/* Real grammars and inputs for them; paths below SHARED. */
static const struct real {
    const char *folder, *grammars[2], *start;
    const char *input; /* NULL: a Java program of that many bytes is made: */
    size_t made_bytes;
} reals[] = {
    {"java_java8", {"Java8Parser.g4", "Java8Lexer.g4"}, "compilationUnit", NULL, SMALL_BYTES},
    {"java_java8", {"Java8Parser.g4", "Java8Lexer.g4"}, "compilationUnit", NULL, LARGE_BYTES},
    {"modelica", {"modelica.g4"}, "stored_definition", "ComplexMath.mo", 0},
    {"vhdl_vhdl2008", {"vhdl2008.g4"}, "design_file", "numeric_bit.vhd", 0},
    {"solidity", {"SolidityParser.g4", "SolidityLexer.g4"}, "sourceUnit", "test.sol", 0},
    {"html", {"HTMLParser.g4", "HTMLLexer.g4"}, "htmlDocument", "gnu.html", 0},
    {"powerbuilder",
     {"PowerBuilderParser.g4", "PowerBuilderLexer.g4"},
     "start_rule",
     "w_app.srw",
     0},
};

/* The same figures of any number of trees. */
struct gains {
    size_t n;
    double faster, most_faster;             /* with squeeze and hide, by tests */
    double faster_cached;                   /* the same with a cache */
    double fewer, most_fewer, worst_larger; /* Coarse HDD* */
    double larger;
    double fewer_at[DRAWS], larger_at[DRAWS]; /* by n_needed */
};

/* Over cases: trees by recursion, by quantifiers, of real grammars, of a large input, and of
 * the results that these gave. */
enum sort { PLAIN, EXTENDED, REAL, LARGE, AGAIN, N_SORTS };
static struct gains gains[N_SORTS];
static double smaller; /* sum: extended against plain */

static void require(pare_status status, const pare_error *err)
{
    if (status) report_broken("bench_seeds", err->message);
}

/* --- inputs ------------------------------------------------------------------------- */

static void add(pare_buffer *text, const char *piece)
{
    pare_error err = {0};
    require(pare_buffer_text(text, piece, &err), &err);
}

static void add_name(pare_buffer *text, pare_random *random, const char *format)
{
    pare_error err = {0};
    unsigned n = (unsigned)pare_random_below(random, 1000);
    require(pare_buffer_format(text, &err, format, n), &err);
}

static void json_value(pare_buffer *text, pare_random *random, unsigned depth)
{
    size_t n = depth < 6 ? 1 + pare_random_below(random, 5) : 0;
    bool is_object = pare_random_below(random, 2);
    if (!n || (depth > 1 && pare_random_below(random, 3) == 0)) {
        add_name(text, random, is_object ? "\"text%u\"" : "%u");
        return;
    }
    add(text, is_object ? "{" : "[");
    for (size_t i = 0; i < n; i++) {
        if (i) add(text, ", ");
        if (is_object) add_name(text, random, "\"key%u\": ");
        json_value(text, random, depth + 1);
    }
    add(text, is_object ? "}" : "]");
}

static void expression(pare_buffer *text, pare_random *random, unsigned depth)
{
    static const char *const operators[] = {" + ", " * ", " - ", " / "};
    size_t shape = depth > 3 ? 0 : pare_random_below(random, 5);
    if (shape < 2) add_name(text, random, shape ? "value%u" : "%u");
    if (shape == 2) add(text, "(");
    if (shape >= 2) expression(text, random, depth + 1);
    if (shape == 2) add(text, ")");
    if (shape < 3) return;
    add(text, operators[pare_random_below(random, 4)]);
    expression(text, random, depth + 1);
}

static void statement(pare_buffer *text, pare_random *random, unsigned depth)
{
    size_t shape = pare_random_below(random, depth < 4 ? 5 : 3);
    add_name(text, random, shape == 0 ? "let name%u = " : shape == 1 ? "call%u(" : "");
    if (shape == 2) add(text, "emit ");
    if (shape >= 3) add(text, "if ");
    expression(text, random, 0);
    if (shape == 1 && pare_random_below(random, 2)) {
        add(text, ", ");
        expression(text, random, 1);
    }
    if (shape < 3) {
        add(text, shape == 1 ? ");\n" : ";\n");
        return;
    }
    for (size_t branch = 3; branch <= shape; branch++) {
        add(text, branch == 3 ? " {\n" : " else {\n");
        for (size_t n = pare_random_below(random, 4); n; n--)
            statement(text, random, depth + 1);
        add(text, "}\n");
    }
}

static void generate(const struct language *language, uint64_t seed, pare_buffer *text)
{
    pare_random random;
    pare_random_init(&random, seed);
    bool is_json = strcmp(language->name, "json") == 0;
    if (is_json) add(text, "[");
    for (bool first = true; text->size < INPUT_BYTES; first = false) {
        if (is_json && !first) add(text, ",\n");
        if (is_json)
            json_value(text, &random, 0);
        else
            statement(text, &random, 0);
    }
    if (is_json) add(text, "]");
}

static void java_statement(pare_buffer *text, pare_random *random, unsigned depth)
{
    size_t shape = pare_random_below(random, depth < 4 ? 4 : 3);
    add_name(text, random, shape == 0 ? "int name%u = " : shape == 1 ? "call%u(" : "");
    if (shape == 2) add_name(text, random, "name%u = ");
    if (shape == 3) add(text, "if (0 < ");
    expression(text, random, 0);
    if (shape < 3) {
        add(text, shape == 1 ? ");\n" : ";\n");
        return;
    }
    add(text, ") {\n");
    for (size_t n = pare_random_below(random, 4); n; n--)
        java_statement(text, random, depth + 1);
    add(text, "}\n");
}

static void generate_java(uint64_t seed, size_t size, pare_buffer *text)
{
    pare_random random;
    pare_random_init(&random, seed);
    add(text, "class Made {\n");
    while (text->size < size) {
        add_name(text, &random, "void method%u(int x, int y) {\n");
        for (size_t n = 2 + pare_random_below(&random, 6); n; n--)
            java_statement(text, &random, 0);
        add(text, "}\n");
    }
    add(text, "}\n");
}

/* --- tests --------------------------------------------------------------------------- */

struct words {
    char text[MOST_WORDS][32];
    size_t n;
};

/* Tokens of at least three bytes, from anywhere: a failure does not depend on a comment. */
static void draw_words(const pare_tree *tree, pare_random *random, size_t n, struct words *words)
{
    words->n = n;
    for (size_t k = 0; k < n;) {
        const pare_tree_node *node = &tree->nodes[pare_random_below(random, tree->n_nodes)];
        size_t size = node->end - node->begin;
        if (node->own.kind != PARE_NODE_TOKEN || size < 3 || size >= sizeof words->text[k])
            continue;
        pare_text_read(tree->text, node->begin, size, words->text[k]);
        words->text[k++][size] = '\0';
    }
}

static bool fails(const struct words *words, const char *bytes, size_t size)
{
    for (size_t k = 0; k < words->n; k++)
        if (!memmem(bytes, size, words->text[k], strlen(words->text[k]))) return false;
    return true;
}

struct figures {
    size_t bytes, tests, cached_tests; /* cached: those a cache does not answer */
};

static bool is_new(pare_digest digest, pare_digest *seen)
{
    size_t i = (size_t)digest.low & (SLOTS - 1);
    for (; seen[i].low || seen[i].high; i = (i + 1) & (SLOTS - 1))
        if (pare_digest_equal(seen[i], digest)) return false;
    seen[i] = digest;
    return true;
}

/* Runs a strategy (taken over) to its end; *best (may be NULL) is what is left, if anything
 * failed. */
static struct figures drive(pare_strategy *strategy, const struct words *words, size_t size,
                            pare_buffer *best)
{
    static pare_digest seen[SLOTS];
    struct figures figures = {.bytes = size};
    pare_error err = {0};
    pare_candidate candidate = {0};
    pare_buffer bytes = {0};
    memset(seen, 0, sizeof seen);
    for (pare_next what = PARE_NEXT_TEST;;) {
        require(strategy->ops->next(strategy, &what, &candidate, &err), &err);
        if (what == PARE_NEXT_DONE) break;
        figures.tests++;
        figures.cached_tests += is_new(pare_candidate_digest(&candidate), seen);
        pare_buffer_reset(&bytes);
        require(pare_buffer_reserve(&bytes, candidate.size + 1, &err), &err);
        pare_candidate_read(&candidate, bytes.data);
        bool failed = fails(words, bytes.data, candidate.size);
        if (failed) figures.bytes = candidate.size;
        if (failed && best) {
            pare_buffer_reset(best);
            require(pare_buffer_add(best, bytes.data, candidate.size, &err), &err);
        }
        require(strategy->ops->tell(strategy, failed ? PARE_FAIL : PARE_PASS, &err), &err);
        if (failed && strategy->ops->settle) require(strategy->ops->settle(strategy, &err), &err);
    }
    pare_buffer_done(&bytes);
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    return figures;
}

/* --- cases --------------------------------------------------------------------------- */

/* HDD* or Coarse HDD* after the transformations, a list of names with commas. */
static struct figures reduce(pare_tree *tree, const char *transforms, bool coarse,
                             const struct words *words, pare_buffer *best)
{
    const pare_transform *list[4];
    size_t n = 0;
    char names[64];
    pare_error err = {0};
    pare_tree *after = NULL;
    pare_strategy *strategy = NULL;
    pare_hdd_options options = {.n_phases = coarse, .phases = {{.steps = {PARE_HDD_COARSE}}}};
    (void)snprintf(names, sizeof names, "%s", transforms);
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
        list[n++] = pare_transform_find(name);
    require(pare_transform_run(tree, list, n, &after, &err), &err);
    require(pare_hdd_new(after, &options, &strategy, &err), &err);
    pare_tree_unref(after);
    return drive(strategy, words, pare_text_size(tree->text), best);
}

/* A grammar ready to make trees. */
struct front {
    pare_grammar *grammar;
    pare_grammar_rules *facts;
    pare_tree_rules rules;
    pare_parser *parser;
};

static void front_open(struct front *front, const char *text)
{
    pare_error err = {0};
    pare_g4_source source = {.path = "bench.g4", .text = text, .size = strlen(text)};
    pare_g4_options options = {.memory_only = true};
    require(pare_grammar_file_read_g4_sources(&source, 1, &options, &front->grammar, &err), &err);
    pare_index start = pare_grammar_start(front->grammar);
    require(pare_grammar_rules_new(front->grammar, &front->facts, &err), &err);
    front->rules = pare_grammar_rules_of(front->facts);
    require(pare_parser_new(front->grammar, start, &front->parser, &err), &err);
}

static void front_close(struct front *front)
{
    pare_parser_free(front->parser);
    pare_grammar_rules_free(front->facts);
    pare_grammar_free(front->grammar);
}

static pare_tree *make_tree(struct front *front, const pare_buffer *text)
{
    pare_error err = {0};
    pare_parse_tree parse = {0};
    pare_text *base = NULL;
    pare_tree *tree = NULL;
    require(pare_parser_run(front->parser, text->data, text->size, &parse, NULL, &err), &err);
    if (parse.error.any) report_broken("bench_seeds", parse.error.message);
    require(pare_text_copy(text->data, text->size, &base, &err), &err);
    require(pare_tree_new(&parse, base, &front->rules, &tree, &err), &err);
    pare_text_unref(base);
    pare_parse_tree_done(&parse);
    return tree;
}

static double less(size_t than, size_t figure)
{
    return 100 * (1 - (double)figure / (double)than);
}

/* What squeeze and hide gain. */
static void compare_prepared(struct gains *to, const struct figures *raw,
                             const struct figures *prepared)
{
    double faster = (double)raw->tests / (double)prepared->tests;
    to->faster += faster;
    to->faster_cached += (double)raw->cached_tests / (double)prepared->cached_tests;
    if (faster > to->most_faster) to->most_faster = faster;
}

/* What Coarse HDD* gains and loses. */
static void compare_coarse(struct gains *to, const struct figures *full,
                           const struct figures *coarse, size_t size, size_t n_words)
{
    double fewer = less(full->cached_tests, coarse->cached_tests);
    double larger = 100 * ((double)coarse->bytes - (double)full->bytes) / (double)size;
    to->fewer += fewer;
    to->larger += larger;
    if (fewer > to->most_fewer) to->most_fewer = fewer;
    if (larger > to->worst_larger) to->worst_larger = larger;
    for (size_t i = 0; i < DRAWS; i++) {
        to->fewer_at[i] += n_needed[i] == n_words ? fewer : 0;
        to->larger_at[i] += n_needed[i] == n_words ? larger : 0;
    }
}

/* Reduces `tree` in all ways; the figures of HDD* on a prepared tree, and its result. */
static struct figures measure(pare_tree *tree, enum sort sort, const struct words *words,
                              pare_buffer *best)
{
    struct figures raw = reduce(tree, "", false, words, NULL);
    struct figures full = reduce(tree, "squeeze,hide", false, words, best);
    struct figures coarse = reduce(tree, "flatten,squeeze,hide", true, words, NULL);
    compare_prepared(&gains[sort], &raw, &full);
    compare_coarse(&gains[sort], &full, &coarse, pare_text_size(tree->text), words->n);
    gains[sort].n++;
    return full;
}

static void measure_input(const struct language *language, const pare_buffer *text, uint64_t seed)
{
    struct front extended = {.grammar = NULL}, plain = {.grammar = NULL};
    pare_random random;
    pare_random_init(&random, seed);
    front_open(&extended, language->extended);
    front_open(&plain, language->plain);
    pare_tree *trees[] = {make_tree(&extended, text), make_tree(&plain, text)};
    for (size_t i = 0; i < DRAWS; i++) {
        struct words words;
        draw_words(trees[0], &random, n_needed[i], &words);
        struct figures by_quantifiers = measure(trees[0], EXTENDED, &words, NULL);
        struct figures by_recursion = measure(trees[1], PLAIN, &words, NULL);
        smaller += less(by_recursion.bytes, by_quantifiers.bytes);
    }
    pare_tree_unref(trees[0]);
    pare_tree_unref(trees[1]);
    front_close(&extended);
    front_close(&plain);
}

static void measure_file(const char *shared, const char *path, const struct language *language)
{
    char whole[4096];
    pare_error err = {0};
    pare_buffer text = {0};
    (void)snprintf(whole, sizeof whole, "%s/corpus/%s", shared, path);
    if (pare_file_read(whole, &text, &err) == PARE_OK)
        measure_input(language, &text, 7);
    else
        printf("  not measured: %s\n", err.message);
    pare_buffer_done(&text);
}

/* NULL when it is not in the language. */
static pare_tree *read_tree(pare_reader *reader, const pare_buffer *bytes)
{
    pare_error err = {0};
    pare_parse_tree parse = {0};
    pare_text *base = NULL;
    pare_tree *tree = NULL;
    pare_status status =
        pare_reader_parse(reader, bytes->data, bytes->size, PARE_SEPARATORS_BEFORE, &parse, &err);
    require(status, &err);
    if (!parse.error.any) {
        require(pare_text_copy(bytes->data, bytes->size, &base, &err), &err);
        require(pare_tree_new(&parse, base, pare_reader_rules(reader), &tree, &err), &err);
    }
    pare_text_unref(base);
    pare_parse_tree_done(&parse);
    return tree;
}

/* What squeeze and hide gain on a result, of which nothing can go any more: the sweep that
 * HDD* ends with. */
static void measure_again(pare_reader *reader, const pare_buffer *result, const struct words *words)
{
    pare_tree *tree = read_tree(reader, result);
    if (!tree) return;
    struct figures raw = reduce(tree, "", false, words, NULL);
    struct figures prepared = reduce(tree, "squeeze,hide", false, words, NULL);
    pare_tree_unref(tree);
    if (!prepared.tests) return; /* all of it is hidden */
    compare_prepared(&gains[AGAIN], &raw, &prepared);
    gains[AGAIN].n++;
}

static void measure_real(const char *shared, const struct real *real, uint64_t seed)
{
    char grammars[2][4096], input[4096];
    const char *const paths[] = {grammars[0], grammars[1]};
    pare_error err = {0};
    pare_buffer bytes = {0};
    pare_reader *reader = NULL;
    pare_random random;
    size_t n = 0;
    pare_random_init(&random, seed);
    for (; n < 2 && real->grammars[n]; n++)
        (void)snprintf(grammars[n], sizeof grammars[n], "%s/grammars-v4/%s/%s", shared,
                       real->folder, real->grammars[n]);
    (void)snprintf(input, sizeof input, "%s/grammars-v4/%s/examples/%s", shared, real->folder,
                   real->input ? real->input : "");
    if (real->input)
        require(pare_file_read(input, &bytes, &err), &err);
    else
        generate_java(seed, real->made_bytes, &bytes);
    require(pare_reader_by_grammar(paths, n, real->start, &reader, &err), &err);
    pare_tree *tree = read_tree(reader, &bytes);
    if (!tree) report_broken("bench_seeds", "an input is not in its language");
    for (size_t i = 0; i < DRAWS; i++) {
        pare_buffer result = {0};
        struct words words;
        draw_words(tree, &random, n_needed[i], &words);
        (void)measure(tree, real->made_bytes == LARGE_BYTES ? LARGE : REAL, &words, &result);
        if (result.size) measure_again(reader, &result, &words);
        pare_buffer_done(&result);
    }
    pare_tree_unref(tree);
    pare_reader_free(reader);
    pare_buffer_done(&bytes);
}

/* --- the report ---------------------------------------------------------------------- */

/* By how many words are needed. */
static void report_by_words(const char *what, const double sums[DRAWS], double n)
{
    char line[64] = "", label[64];
    for (size_t i = 0; i < DRAWS; i++)
        (void)snprintf(line + strlen(line), sizeof line - strlen(line), "%s%.*f", i ? ", " : "",
                       fabs(sums[i] / n) < 10, sums[i] / n);
    (void)snprintf(label, sizeof label, "    %s, %% at %zu, %zu, %zu, %zu words", what, n_needed[0],
                   n_needed[1], n_needed[2], n_needed[3]);
    report_figure(label, line);
}

static void report_gains(const char *title, const struct gains *of)
{
    char figure[40];
    double n = (double)of->n;
    if (!of->n) return;
    printf("  %s, %zu reductions:\n", title, of->n);
    (void)snprintf(figure, sizeof figure, "%.1fx", of->most_faster);
    report_aim("  squeeze and hide: at best faster", figure, "up to 5x", of->most_faster >= 5);
    (void)snprintf(figure, sizeof figure, "%.1fx, %.1fx", of->faster / n, of->faster_cached / n);
    report_figure("    mean: without a cache, with one", figure);
    if (!of->fewer) return; /* Coarse HDD* was not measured */
    (void)snprintf(figure, sizeof figure, "%.0f %%", of->fewer / n);
    report_aim("  Coarse HDD*, flattened: fewer tests", figure, "58 %", of->fewer / n >= 58);
    (void)snprintf(figure, sizeof figure, "%.0f %%", of->most_fewer);
    report_aim("    at best", figure, "79 %", of->most_fewer >= 79);
    (void)snprintf(figure, sizeof figure, "%.2f %%", of->worst_larger);
    report_aim("    larger, of the input, at worst", figure, "<= 0.36 %", of->worst_larger <= 0.36);
    (void)snprintf(figure, sizeof figure, "%.2f %%", of->larger / n);
    report_figure("    mean", figure);
    report_by_words("fewer", of->fewer_at, n / DRAWS);
    report_by_words("larger", of->larger_at, n / DRAWS);
}

static void report(void)
{
    static const char *const titles[] = {[PLAIN] = "our grammars, by recursion",
                                         [EXTENDED] = "our grammars, by quantifiers",
                                         [REAL] = "real grammars",
                                         [LARGE] = "a program of 200 KB",
                                         [AGAIN] = "their results once more"};
    char figure[40];
    double mean = smaller / (double)gains[PLAIN].n;
    (void)snprintf(figure, sizeof figure, "%.0f %%", mean);
    report_aim("quantifiers, not recursion: smaller by", figure, "25 to 40 %", mean >= 25);
    for (int sort = 0; sort < N_SORTS; sort++)
        report_gains(titles[sort], &gains[sort]);
}

int main(int argc, char **argv)
{
    for (size_t l = 0; l < 2; l++) {
        for (uint64_t seed = 1; seed <= GENERATED; seed++) {
            pare_buffer text = {0};
            generate(&languages[l], seed, &text);
            measure_input(&languages[l], &text, seed);
            pare_buffer_done(&text);
        }
    }
    if (argc > 1) {
        measure_file(argv[1], "synth-expr-div0/input.expr", &languages[1]);
        measure_file(argv[1], "smt-cvc4-unsatcore/input.smt2", &languages[2]);
        for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
            measure_real(argv[1], &reals[i], 7);
    }
    report();
    return 0;
}
