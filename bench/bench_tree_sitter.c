/* Throughput of tree-sitter with our own tree behind it.
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
#include "os/file.h"
#include "parse/language.h"
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

static void measure(const pare_tree_sitter *language, const char *what, const pare_buffer *text)
{
    char name[80], figure[40];
    double best = 1e9;
    size_t n_nodes = 0, n_errors = 0;
    for (unsigned i = 0; i < REPEATS; i++) {
        pare_parse_tree tree = {0};
        pare_error err = {0};
        double start = now_s();
        require(pare_tree_sitter_parse(language, text->data, text->size, &tree, &err), &err);
        double seconds = now_s() - start;
        if (seconds < best) best = seconds;
        n_nodes = tree.n_nodes;
        n_errors = tree.n_errors;
        pare_parse_tree_done(&tree);
    }
    double rate = (double)text->size / best / 1e6;
    (void)snprintf(name, sizeof name, "%.20s: parse and our tree", what);
    (void)snprintf(figure, sizeof figure, "%.1f MB/s", rate);
    report_aim(name, figure, ">= 3 MB/s", rate >= aim_mb_s);
    (void)snprintf(figure, sizeof figure, "%.2f", (double)text->size / (double)n_nodes);
    report_figure("  bytes for each node", figure);
    (void)snprintf(figure, sizeof figure, "%zu", n_errors);
    report_figure("  errors", figure);
}

static pare_tree_sitter *ready(const char *name)
{
    pare_tree_sitter *language = NULL;
    pare_language_state state = {0};
    pare_error err = {0};
    (void)setenv("PARE_DATA", "/tmp/pare-bench-data", 0);
    if (pare_language_inspect(name, &state, &err) == PARE_OK && !state.added)
        (void)!pare_language_add(name, &err);
    pare_error_clear(&err);
    if (pare_language_load(name, &language, &err) == PARE_OK) return language;
    (void)printf("  not measured: %s\n", err.message);
    return NULL;
}

int main(int argc, char **argv)
{
    pare_buffer text = {0};
    pare_error err = {0};
    pare_tree_sitter *language = ready(argc > 1 ? argv[1] : "c");
    if (!language) return 0;
    if (argc < 3) {
        generate(&text);
        measure(language, "C, generated, 2 MB", &text);
    }
    for (int i = 2; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');
        require(pare_file_read(argv[i], &text, &err), &err);
        measure(language, slash ? slash + 1 : argv[i], &text);
    }
    pare_buffer_done(&text);
    pare_tree_sitter_close(language);
    return 0;
}
