/* Generation and replay.
 *
 * Usage: bench_generate [FOLDER [SCRIPT]]
 * Prints the rate at which texts are made by a JSON grammar (written here) and by grammars of
 * FOLDER/NAME/ (default ../shared/grammars-v4), how many of their alternatives 1,000 texts
 * take, with and without a cooldown, and how long a list of 1,000 choices takes to replay.
 * Each time is the best of REPEATS runs in CPU time, in one thread, with nothing written.
 *
 * SCRIPT is a program in Python that stands for Grammarinator, of which no throughput is
 * published and whose package is not where this is built: it makes texts of the same grammar
 * and prints how many MB a second (see there). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "generate/batch.h"
#include "generate/fuzzer.h"
#include "grammar/fuzzingbook.h"
#include "grammar/grammar_file.h"
#include "report.h"

enum { REPEATS = 5, N_CHOICES = 1000, RUNS = 200, BATCHES = 100, COVER_TEXTS = 1000 };

static const char json[] = "grammar J;\n"
                           "value: object | array | STRING | NUMBER | 'true' | 'false' | 'null';\n"
                           "object: '{' '}' | '{' pair (',' pair)* '}';\n"
                           "pair: STRING ':' value;\n"
                           "array: '[' ']' | '[' value (',' value)* ']';\n"
                           "document: '[' value ',' value ',' value ',' value ',' value ','\n"
                           "value ',' value ',' value (',' value)* ']' EOF;\n"
                           "STRING: '\"' (CHAR CHAR CHAR CHAR CHAR CHAR CHAR CHAR)? CHAR* '\"';\n"
                           "fragment CHAR: ~[\"\\\\\\u0000-\\u001f] | '\\\\' [\"\\\\/bfnrt];\n"
                           "NUMBER: '-'? ('0' | [1-9] [0-9]*) ('.' [0-9]+)?;\n"
                           "WS: [ \\t\\r\\n]+ -> skip;\n";

static const char assignments[] =
    "{\"<start>\": [[\"<list>\"]],"
    "\"<list>\": [[\"<assign>\", [\";\\n\", {\"post\": \"commit\"}]],"
    "[\"<assign>\", [\";\\n\", {\"post\": \"commit\"}], \"<list>\", \"<list>\"]],"
    "\"<assign>\": [[[\"<var>\", {\"post\": \"define\"}], \" = \", \"<expr>\"]],"
    "\"<expr>\": [[\"<expr>\", \" + \", \"<expr>\"], [\"(\", \"<expr>\", \")\"],"
    "[[\"<var>\", {\"pre\": \"use\"}]], [\"<digit>\"]],"
    "\"<digit>\": [\"0\", \"1\"], \"<var>\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]}";

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void require(pare_status status)
{
    if (status) report_broken("bench_generate", pare_status_name(status));
}

/* How many of the alternatives COVER_TEXTS texts take. */
static size_t count_covered(const pare_expansion_table *table, pare_index rule, double cooldown)
{
    pare_batch_maker maker;
    pare_batch batch = {0};
    pare_deriver_options options = {.max_tokens = 100, .cooldown = cooldown};
    size_t n, covered = 0;
    require(pare_batch_maker_init(&maker, table, rule, &options, 1, NULL));
    require(pare_batch_make(&maker, 0, COVER_TEXTS, 0, &batch, NULL));
    const uint8_t *taken = pare_deriver_covered(maker.deriver, &n);
    for (size_t i = 0; i < n; i++)
        covered += taken[i];
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
    return covered;
}

static void bench_coverage(const char *name, const pare_expansion_table *table, pare_index rule)
{
    char what[100], figure[40];
    (void)snprintf(what, sizeof what, "taken of %zu alternatives of %s", table->n_ways, name);
    (void)snprintf(figure, sizeof figure, "%zu", count_covered(table, rule, 0));
    report_figure(what, figure);
    (void)snprintf(figure, sizeof figure, "%zu", count_covered(table, rule, 0.5));
    report_figure("    with a cooldown of 0.5", figure);
}

/* The rate of the script in MB/s; 0: there is none, or it does not run. */
static double rate_of_script(const char *script)
{
    char command[4200];
    double rate = 0;
    if (!script) return 0;
    (void)snprintf(command, sizeof command, "python3 '%s' 2>/dev/null", script);
    FILE *output = popen(command, "r");
    if (!output || fscanf(output, "%lf", &rate) != 1) rate = 0;
    if (output) (void)pclose(output);
    return rate;
}

static void bench_python(const char *script, double rate)
{
    char figure[40];
    double theirs = rate_of_script(script);
    if (theirs <= 0) return;
    (void)snprintf(figure, sizeof figure, "%.2f MB/s", theirs);
    report_figure("the same by Python, as Grammarinator works", figure);
    (void)snprintf(figure, sizeof figure, "%.0f times", rate / theirs);
    report_aim("faster than that", figure, ">= 100 times", rate / theirs >= 100);
}

/* Texts by a grammar; prints bytes a second and, of JSON, the time for a million texts. */
static void bench_grammar(const char *name, const pare_grammar *grammar, const char *start,
                          const char *script)
{
    char what[100], figure[40];
    pare_expansion_table table;
    pare_batch_maker maker;
    pare_batch batch = {0};
    pare_deriver_options options = {.max_tokens = 100};
    pare_index rule = start ? pare_grammar_find_rule(grammar, start) : pare_grammar_start(grammar);
    require(pare_expansion_table_init(&table, grammar, rule, NULL));
    require(pare_batch_maker_init(&maker, &table, rule, &options, 1, NULL));
    double best = 1e9;
    size_t bytes = 0;
    for (int k = 0; k < REPEATS; k++) {
        double begin = now_s();
        bytes = 0;
        for (uint64_t i = 0; i < BATCHES; i++) {
            require(
                pare_batch_make(&maker, i * PARE_BATCH_TEXTS, PARE_BATCH_TEXTS, 0, &batch, NULL));
            bytes += batch.bytes.size;
        }
        if (now_s() - begin < best) best = now_s() - begin;
    }
    double rate = (double)bytes / best / 1e6, n = (double)BATCHES * PARE_BATCH_TEXTS;
    (void)snprintf(what, sizeof what, "texts by %s (%.0f bytes each)", name, (double)bytes / n);
    (void)snprintf(figure, sizeof figure, "%.1f MB/s", rate);
    if (start)
        report_aim(what, figure, ">= 50 MB/s", rate >= 50);
    else
        report_figure(what, figure);
    if (start) {
        (void)snprintf(figure, sizeof figure, "%.1f s", best / n * 1e6);
        report_aim("a million of these", figure, "<= 10 s", best / n * 1e6 <= 10);
        bench_python(script, rate);
    }
    bench_coverage(name, &table, rule);
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
    pare_expansion_table_done(&table);
}

static void bench_file(const char *folder, const char *name, const char *file)
{
    char path[4096];
    const char *paths[1] = {path};
    pare_grammar *grammar = NULL;
    (void)snprintf(path, sizeof path, "%s/%s/%s", folder, name, file);
    if (pare_grammar_file_read_g4(paths, 1, &grammar, NULL) == PARE_OK)
        bench_grammar(name, grammar, NULL, NULL);
    pare_grammar_free(grammar);
}

/* A list of about N_CHOICES. */
static void find_list(pare_generator generator, uint64_t *list)
{
    pare_choices choices = {0};
    pare_buffer text = {0};
    for (uint64_t seed = 0;; seed++) {
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        require(generator.run(generator.self, &choices, &text, NULL));
        if (choices.record.n < N_CHOICES / 2 || choices.record.n > 2 * N_CHOICES) continue;
        for (size_t i = 0; i < choices.record.n; i++)
            list[i] = choices.record.choices[i].index;
        break;
    }
    pare_buffer_done(&text);
    pare_choices_done(&choices);
}

static void bench_replay(void)
{
    static uint64_t list[2 * N_CHOICES];
    char figure[40];
    pare_grammar *grammar = NULL;
    pare_expansion_costs costed;
    pare_choices choices = {0};
    pare_buffer text = {0};
    require(
        pare_fuzzingbook_read_memory("a.json", assignments, strlen(assignments), &grammar, NULL));
    require(pare_expansion_costs_init(&costed, grammar, NULL));
    pare_limit_fuzzer limit = {.costed = &costed, .max_depth = 10, .undefined = "0"};
    pare_generator generator = pare_fuzzer_limit(&limit);
    find_list(generator, list);
    double best = 1e9;
    size_t n = 0;
    for (int k = 0; k < REPEATS; k++) {
        double begin = now_s();
        n = 0;
        for (int i = 0; i < RUNS; i++) {
            pare_buffer_reset(&text);
            pare_choices_replay(&choices, list, 2 * N_CHOICES);
            require(generator.run(generator.self, &choices, &text, NULL));
            n += choices.record.n;
        }
        if (now_s() - begin < best) best = now_s() - begin;
    }
    double us = best / (double)n * N_CHOICES * 1e6;
    (void)snprintf(figure, sizeof figure, "%.1f us", us);
    report_aim("replay of 1,000 choices, recorded", figure, "< 20 us", us < 20);
    pare_fuzzer_limit_done(&limit);
    pare_expansion_costs_done(&costed);
    pare_grammar_free(grammar);
    pare_buffer_done(&text);
    pare_choices_done(&choices);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "../shared/grammars-v4";
    const char *script = argc > 2 ? argv[2] : NULL;
    pare_grammar *grammar = NULL;
    pare_g4_source source = {.path = "J.g4", .text = json, .size = strlen(json)};
    pare_g4_options options = {.memory_only = true};
    require(pare_grammar_file_read_g4_sources(&source, 1, &options, &grammar, NULL));
    bench_grammar("a JSON grammar", grammar, "document", script);
    pare_grammar_free(grammar);
    bench_file(folder, "json", "JSON.g4");
    bench_file(folder, "arithmetic", "arithmetic.g4");
    bench_replay();
    return 0;
}
