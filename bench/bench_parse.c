/* Parsing by ANTLR grammars: MB/s and bytes of memory for each byte of the input, over
 * the files of 20 KB and more of the shared collection, and their geometric means.
 *
 *     bench_parse FOLDER        FOLDER: the collection, one folder for each grammar
 *
 * SHOW=1 lists the files.  Memory is the chart and the tree; time is the best of three runs with a warm lexer. */
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "base/buffer.h"
#include "grammar/grammar_file.h"
#include "os/file.h"
#include "parse/parser.h"
#include "report.h"

enum { PATH_BYTES = 4096, LEAST_BYTES = 20000, RUNS = 3 };

struct total {
    size_t files;
    double log_speed, log_memory, slowest_read_s;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void measure(pare_parser *parser, const char *name, const pare_buffer *text,
                    struct total *total)
{
    double best = INFINITY;
    pare_parse_cost cost = {0};
    size_t n_nodes = 0;
    for (int i = 0; i < RUNS; i++) {
        pare_parse_tree tree = {0};
        double begin = now_s();
        if (pare_parser_run(parser, text->data, text->size, &tree, &cost, NULL) != PARE_OK) return;
        best = fmin(best, now_s() - begin);
        n_nodes = tree.n_nodes;
        bool whole = !tree.error.any;
        pare_parse_tree_done(&tree);
        if (!whole) return;
    }
    double speed = (double)text->size / best / 1e6;
    double memory =
        (double)(cost.chart_bytes + n_nodes * sizeof(pare_parse_node)) / (double)text->size;
    if (getenv("SHOW"))
        printf("%-60.60s %9zu bytes %8.2f MB/s %7.0f bytes/byte %6.1f items/token\n", name,
               text->size, speed, memory, (double)cost.n_items / (double)(cost.n_tokens + 1));
    total->files++;
    total->log_speed += log(speed);
    total->log_memory += log(memory);
}

static void run_files(pare_parser *parser, const char *folder, const char *name,
                      struct total *total)
{
    char path[2 * PATH_BYTES], label[PATH_BYTES];
    struct dirent **entries = NULL;
    snprintf(path, sizeof path, "%s/examples", folder);
    int n = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(entries[i]->d_name, '.');
        pare_buffer text = {0};
        snprintf(path, sizeof path, "%s/examples/%s", folder, entries[i]->d_name);
        snprintf(label, sizeof label, "%s/%s", name, entries[i]->d_name);
        bool input =
            !dot || (strcmp(dot, ".ref") && strcmp(dot, ".tree") && strcmp(dot, ".errors"));
        if (input && pare_file_read(path, &text, NULL) == PARE_OK && text.size >= LEAST_BYTES)
            measure(parser, label, &text, total);
        pare_buffer_done(&text);
        (free)(entries[i]);
    }
    (free)(entries);
}

static void run_case(const char *collection, const char *name, struct total *total)
{
    char folder[PATH_BYTES], path[2 * PATH_BYTES], lexer[2 * PATH_BYTES];
    snprintf(folder, sizeof folder, "%s/%s", collection, name);
    snprintf(path, sizeof path, "%s/case.json", folder);
    json_t *spec = json_load_file(path, 0, NULL);
    if (!spec) return;
    const char *lexer_name = json_string_value(json_object_get(spec, "lexer"));
    const char *start = json_string_value(json_object_get(spec, "start"));
    snprintf(path, sizeof path, "%s/%s", folder,
             json_string_value(json_object_get(spec, "parser")));
    if (lexer_name) snprintf(lexer, sizeof lexer, "%s/%s", folder, lexer_name);
    pare_grammar *grammar = NULL;
    pare_parser *parser = NULL;
    double begin = now_s();
    pare_status status = pare_grammar_file_read_g4((const char *[]){path, lexer},
                                                   lexer_name ? 2 : 1, &grammar, NULL);
    total->slowest_read_s = fmax(total->slowest_read_s, now_s() - begin);
    if (status == PARE_OK)
        status = pare_parser_new(grammar, pare_grammar_find_rule(grammar, start), &parser, NULL);
    if (status == PARE_OK) run_files(parser, folder, name, total);
    pare_parser_free(parser);
    pare_grammar_free(grammar);
    json_decref(spec);
}

static void report(const struct total *total)
{
    char figure[40];
    double files = total->files ? (double)total->files : 1;
    double speed = exp(total->log_speed / files), memory = exp(total->log_memory / files);
    (void)snprintf(figure, sizeof figure, "%zu", total->files);
    report_figure("files of 20 KB and more", figure);
    (void)snprintf(figure, sizeof figure, "%.2f MB/s", speed);
    report_aim("parsing, geometric mean", figure, ">= 2 MB/s", speed >= 2);
    (void)snprintf(figure, sizeof figure, "%.0f", memory);
    report_aim("bytes of memory a byte, geometric mean", figure, "< 120", memory < 120);
    (void)snprintf(figure, sizeof figure, "%.1f ms", total->slowest_read_s * 1e3);
    report_aim("slowest grammar read", figure, "< 100 ms", total->slowest_read_s < 0.1);
}

int main(int argc, char **argv)
{
    struct total total = {0};
    struct dirent **entries = NULL;
    int n = argc == 2 ? scandir(argv[1], &entries, is_visible, alphasort) : -1;
    if (n < 0) {
        printf("  not measured: no collection of grammars\n");
        return 0;
    }
    for (int i = 0; i < n; i++) {
        run_case(argv[1], entries[i]->d_name, &total);
        (free)(entries[i]);
    }
    (free)(entries);
    report(&total);
    return 0;
}
