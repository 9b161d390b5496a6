/* Our trees against those of ANTLR's own parsers, over the shared collection of grammars
 * with example inputs.  Skipped where there is no collection.
 *
 * Every input that ANTLR takes as a whole must print the same tree; the fraction that
 * does is asserted, the others are listed.  ONLY=name limits the run to one grammar,
 * SHOW=1 prints where trees part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "cli/support/antlr_case.h"
#include "cli/support/sha256.h"
#include "os/file.h"
#include "parse/print.h"

enum { MIN_SAME_PERMILLE = 999 };

struct count {
    size_t grammars, unread, inputs, same, different, rejected, not_round, by_digest;
    size_t errors, errors_seen, places_same, found_same;
};

struct job {
    struct antlr_case c;
    struct count *count;
};

static void show_difference(const char *got, const char *want)
{
    if (!getenv("SHOW")) return;
    size_t at = 0;
    while (got[at] && got[at] == want[at])
        at++;
    size_t from = at > 100 ? at - 100 : 0;
    printf("    got  ...%.220s\n    want ...%.220s\n", got + from, want + from);
}

/* Every byte is in one leaf or between two; leaves ascend. */
static bool is_round(const pare_parse_tree *tree)
{
    uint32_t at = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (!pare_parse_tree_is_leaf(tree, (uint32_t)i)) continue;
        if (node->begin < at) return false;
        at = node->end;
    }
    return at <= tree->size_bytes;
}

/* Whether our message ("found 'x', ...", "no token matches 'x'") quotes what ANTLR's does. */
static bool found_same(const char *message, const char *want)
{
    static const char end[] = "found the end of the input";
    if (strncmp(message, end, strlen(end)) == 0)
        return strstr(want, "<EOF>") || strstr(want, " no viable alternative "); /* quotes no end */
    const char *from = strchr(message, '\''), *to = from ? strstr(from + 1, "', expected ") : NULL;
    if (from && !to) to = strrchr(from + 1, '\'');
    if (!to) return false;
    if (to - from > 3 && strncmp(to - 3, "...", 3) == 0) to -= 3; /* cut */
    char quoted[512];
    snprintf(quoted, sizeof quoted, "%.*s", (int)(to - from - 1), from + 1);
    return strstr(want, quoted) != NULL;
}

static void check_error(struct job *job, const json_t *ref, const char *input,
                        const pare_parse_tree *tree)
{
    const char *want = json_string_value(json_object_get(ref, "first_error"));
    if (!want) return;
    char place[40];
    snprintf(place, sizeof place, "%u:%u ", tree->error.line, tree->error.column);
    job->count->errors++;
    job->count->errors_seen += tree->error.any;
    bool there = tree->error.any && strncmp(place, want, strlen(place)) == 0;
    bool same = there && found_same(tree->error.message, want);
    job->count->places_same += there;
    job->count->found_same += same;
    if (!same || getenv("SHOW_ERRORS"))
        printf("error %s/%s\n    got  %s%.300s\n    want %.300s\n", job->c.name, input, place,
               tree->error.any ? tree->error.message : "none", want);
}

/* Whether the text has that digest, in hexadecimal digits. */
static bool has_sha256(const pare_buffer *text, const char *digest)
{
    char found[SHA256_HEX_BYTES];
    sha256_hex(text->data, text->size, found);
    return digest && strcmp(found, digest) == 0;
}

static void check_tree(struct job *job, const json_t *ref, const char *input,
                       const pare_parse_tree *tree, const char *text)
{
    const char *want = json_string_value(json_object_get(ref, "tree"));
    const char *digest = json_string_value(json_object_get(ref, "tree_sha256"));
    pare_buffer lisp = {0};
    assert_int_equal(pare_print_lisp(tree, text, &lisp, NULL), PARE_OK);
    job->count->inputs++;
    if (tree->error.any) {
        job->count->rejected++;
        printf("rejected  %s/%s: %u:%u %s\n", job->c.name, input, tree->error.line,
               tree->error.column, tree->error.message);
    } else if (want ? strcmp(lisp.data, want) == 0 : has_sha256(&lisp, digest)) {
        job->count->same++;
        job->count->by_digest += !want;
    } else {
        job->count->different++;
        printf("different %s/%s\n", job->c.name, input);
        if (want) show_difference(lisp.data, want);
    }
    pare_buffer_done(&lisp);
}

static void check_input(struct job *job, const char *input)
{
    char path[2 * PATH_BYTES], ref_name[PATH_BYTES];
    snprintf(path, sizeof path, "%s/examples/%s", job->c.folder, input);
    snprintf(ref_name, sizeof ref_name, "examples/%s.ref", input);
    json_t *ref = antlr_load(job->c.folder, ref_name);
    if (!ref) return;
    pare_buffer text = {0};
    pare_error err = {0};
    assert_int_equal(pare_file_read(path, &text, &err), PARE_OK);
    pare_parse_tree tree = {0};
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    pare_status status =
        pare_parser_run(job->c.parser, text.data ? text.data : "", text.size, &tree, NULL, &err);
    clock_gettime(CLOCK_MONOTONIC, &b);
    double s = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
    if (s > 0.5 && getenv("SHOW"))
        printf("slow      %s/%s: %.2f s, %zu bytes\n", job->c.name, input, s, text.size);
    if (status != PARE_OK) fail_msg("%s/%s: %s", job->c.name, input, err.message);
    bool fits = pare_parse_tree_check(&tree) && is_round(&tree);
    if (!fits) printf("not round %s/%s\n", job->c.name, input);
    job->count->not_round += !fits;
    bool ok = json_is_true(json_object_get(ref, "ok"));
    if (ok) check_tree(job, ref, input, &tree, text.data ? text.data : "");
    if (!ok) check_error(job, ref, input, &tree);
    pare_parse_tree_done(&tree);
    pare_buffer_done(&text);
    json_decref(ref);
}

static void check_inputs(struct job *job)
{
    char path[2 * PATH_BYTES];
    snprintf(path, sizeof path, "%s/examples", job->c.folder);
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, antlr_is_input, alphasort);
    for (int i = 0; i < n; i++) {
        check_input(job, entries[i]->d_name);
        (free)(entries[i]);
    }
    (free)(entries);
}

static void check_case(const char *name, struct count *count)
{
    struct job job = {.c = {.name = name}, .count = count};
    snprintf(job.c.folder, sizeof job.c.folder, "%s/%s", antlr_collection(), name);
    json_t *spec = antlr_load(job.c.folder, "case.json");
    if (!spec) return;
    count->grammars++;
    if (antlr_read_grammar(&job.c, spec))
        check_inputs(&job);
    else
        count->unread++;
    antlr_close(&job.c);
    json_decref(spec);
}

static void test_antlr_trees__equal_ours(void **state)
{
    (void)state;
    struct dirent **entries = NULL;
    int n = scandir(antlr_collection(), &entries, antlr_is_input, alphasort);
    if (n <= 0) {
        printf("no shared/grammars-v4: skipped\n");
        skip();
    }
    struct count count = {0};
    const char *only = getenv("ONLY"), *sanitize = getenv("PARE_SANITIZE");
    bool every = !(sanitize && *sanitize);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (only ? strcmp(only, name) == 0 : every || i % 10 == 0) check_case(name, &count);
        (free)(entries[i]);
    }
    (free)(entries);
    printf("%zu grammars, %zu unread; %zu inputs: %zu same (%zu by digest), %zu different, "
           "%zu rejected, %zu not round\n",
           count.grammars, count.unread, count.inputs, count.same, count.by_digest, count.different,
           count.rejected, count.not_round);
    printf("%zu inputs with errors: %zu rejected, %zu at ANTLR's place, %zu with its token\n",
           count.errors, count.errors_seen, count.places_same, count.found_same);
    assert_int_equal(count.places_same, count.errors);
    assert_int_equal(count.not_round, 0);
    assert_int_equal(count.found_same, count.errors);
    if (every && !only) {
        assert_true(count.same * 1000 >= count.inputs * MIN_SAME_PERMILLE);
        assert_int_equal(count.by_digest, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_antlr_trees__equal_ours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
