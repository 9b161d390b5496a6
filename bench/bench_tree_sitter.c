/* Throughput of languages: tree-sitter with our own tree behind it, and all that a reducer
 * needs: the parse, the tree, its quantifiers, and what is known of each node.
 *
 * Usage: bench_tree_sitter [LANGUAGE FILE...]
 *
 * Without arguments a generated C source of 2 MB.  A language that is not there is
 * added in a data folder of its own, unless PARE_DATA names one; where the registry does
 * not answer, nothing is measured and a line says so.  Best of REPEATS runs. */
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/random.h"
#include "lang/language.h"
#include "lang/recover_lists.h"
#include "os/file.h"
#include "reduce/syntax/reader.h"
#include "report.h"

enum { REPEATS = 5, GENERATED_BYTES = 2000000 };

static const double aim_mb_s = 3;

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void require(pare_status status, const pare_error *err)
{
    if (status) report_broken("bench_tree_sitter", err->message);
}

/* Functions with declarations, loops, calls, strings and comments. */
static void generate(pare_buffer *text)
{
    pare_error err = {0};
    pare_random random;
    pare_random_init(&random, 1);
    for (unsigned n = 0; text->size < GENERATED_BYTES; n++) {
        unsigned a = (unsigned)pare_random_below(&random, 1000);
        unsigned b = (unsigned)pare_random_below(&random, 50);
        require(pare_buffer_format(text, &err,
                                   "/* Number %u of many. */\n"
                                   "static int function_%u(const char *name, int count)\n{\n"
                                   "    int sum = %u, table[%u] = {1, 2, 3};\n"
                                   "    for (int i = 0; i < count && name[i]; i++) {\n"
                                   "        if (name[i] == '%c' || sum > %u)\n"
                                   "            sum += table[i %% %u] * (int)sizeof(table);\n"
                                   "        else\n"
                                   "            other->member(name + i, \"text %u\\n\", &sum);\n"
                                   "    }\n    return sum ? sum : -1; // done\n}\n\n",
                                   n, n, a, b + 3, 'a' + b % 26, a, b + 1, a),
                &err);
    }
}

/* A language and what its grammar says. */
struct subject {
    pare_tree_sitter *language;
    pare_language_models *models;
    pare_list_recovery *quantifier;
    pare_language_texts *texts;
    pare_language_rules *rules;
};

static void report_rate(const char *what, const char *step, size_t bytes, double seconds)
{
    char name[80], figure[40];
    double rate = (double)bytes / seconds / 1e6;
    (void)snprintf(name, sizeof name, "%.20s: %s", what, step);
    (void)snprintf(figure, sizeof figure, "%.1f MB/s", rate);
    report_aim(name, figure, ">= 3 MB/s", rate >= aim_mb_s);
}

/* From the parse tree to the one that is reduced; gives the seconds that it took. */
static double make_tree(const struct subject *subject, const pare_parse_tree *plain,
                        const pare_text *text, size_t *n_nodes)
{
    const pare_tree_rules rules = pare_reader_language_rules_of(subject->rules);
    pare_parse_tree quantified = {0};
    pare_tree *tree = NULL;
    pare_error err = {0};
    double start = now_s();
    require(pare_recover_lists(subject->quantifier, plain, (const char *)pare_text_bytes(text),
                               PARE_SEPARATORS_BEFORE, &quantified, &err),
            &err);
    require(pare_tree_new(&quantified, text, &rules, &tree, &err), &err);
    double seconds = now_s() - start;
    *n_nodes = quantified.n_nodes;
    pare_tree_unref(tree);
    pare_parse_tree_done(&quantified);
    return seconds;
}

static void measure(const struct subject *subject, const char *what, const pare_buffer *bytes)
{
    double best = 1e9, best_all = 1e9;
    size_t n_nodes = 0, n_all = 0, n_errors = 0;
    char figure[40];
    pare_error err = {0};
    pare_text *text = NULL;
    require(pare_text_copy(bytes->data, bytes->size, &text, &err), &err);
    for (unsigned i = 0; i < REPEATS; i++) {
        pare_parse_tree tree = {0};
        double start = now_s();
        require(pare_tree_sitter_parse(subject->language, bytes->data, bytes->size, &tree, &err),
                &err);
        double seconds = now_s() - start;
        double all = seconds + make_tree(subject, &tree, text, &n_all);
        if (seconds < best) best = seconds;
        if (all < best_all) best_all = all;
        n_nodes = tree.n_nodes;
        n_errors = tree.n_errors;
        pare_parse_tree_done(&tree);
    }
    pare_text_unref(text);
    report_rate(what, "parse", bytes->size, best);
    report_rate(what, "ready to reduce", bytes->size, best_all);
    (void)snprintf(figure, sizeof figure, "%.2f, %.2f", (double)bytes->size / (double)n_nodes,
                   (double)bytes->size / (double)n_all);
    report_figure("  bytes for each node, with quantifiers", figure);
    (void)snprintf(figure, sizeof figure, "%zu", n_errors);
    report_figure("  errors", figure);
}

/* False, and a line says why, if the language cannot be had. */
static bool make_ready(const char *name, struct subject *subject)
{
    pare_language_state state = {0};
    pare_error err = {0};
    (void)setenv("PARE_DATA", "/tmp/pare-bench-data", 0);
    if (pare_language_inspect(name, &state, &err) == PARE_OK && !state.added)
        (void)!pare_language_add(name, &err);
    pare_fail_clear(&err);
    if (pare_language_load(name, &subject->language, &err) != PARE_OK) {
        (void)printf("  not measured: %s\n", err.message);
        return false;
    }
    require(pare_language_models_new(name, subject->language, &subject->models, &err), &err);
    require(pare_recover_lists_new(subject->models, &subject->quantifier, &err), &err);
    pare_language_source source = {.language = subject->language, .models = subject->models};
    double start = now_s();
    require(pare_language_texts_load(name, source, &subject->texts, &err), &err);
    char figure[40];
    (void)snprintf(figure, sizeof figure, "%.0f ms", 1e3 * (now_s() - start));
    report_figure("  minimal texts and subtypes of the language, once", figure);
    require(pare_reader_language_rules_new(subject->models, subject->texts, &subject->rules, &err),
            &err);
    return true;
}

int main(int argc, char **argv)
{
    pare_buffer text = {0};
    pare_error err = {0};
    struct subject subject = {0};
    if (!make_ready(argc > 1 ? argv[1] : "c", &subject)) return 0;
    if (argc < 3) {
        generate(&text);
        measure(&subject, "C, generated, 2 MB", &text);
    }
    for (int i = 2; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');
        require(pare_file_read(argv[i], &text, &err), &err);
        measure(&subject, slash ? slash + 1 : argv[i], &text);
    }
    pare_buffer_done(&text);
    pare_reader_language_rules_free(subject.rules);
    pare_language_texts_free(subject.texts);
    pare_recover_lists_free(subject.quantifier);
    pare_language_models_free(subject.models);
    pare_tree_sitter_close(subject.language);
    return 0;
}
