/* An oracle under test: candidates are started in its slots, and its servers found to be
 * killed.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_UNIT_SUPPORT_BENCH_H
#define PARE_TESTS_UNIT_SUPPORT_BENCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/process.h"
#include "unit/support/scratch.h"

struct bench {
    pare_command command;
    pare_judge *judge; /* NULL: exit code 0 is the failure */
    pare_oracle *oracle;
};

static const char *const input_names[] = {"input"};
static const pare_names INPUT = {.items = input_names, .n = 1};

static inline void tear_down(struct bench *bench)
{
    char mark[64];
    pare_oracle_free(bench->oracle);
    pare_judge_free(bench->judge);
    pare_command_done(&bench->command);
    (void)snprintf(mark, sizeof mark, "PARE_TEST=%d-", (int)getpid());
    assert_false(is_mark_alive(mark));
}

static inline void start(struct bench *bench, unsigned slot, const char *bytes)
{
    pare_error err = {0};
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    pare_candidate_start(&candidate, text);
    assert_int_equal(pare_candidate_slice(&candidate, 0, strlen(bytes), NULL), PARE_OK);
    if (bench->oracle->ops->start(bench->oracle, slot, &candidate, &err))
        fail_msg("%s", err.message);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
}

static inline pare_verdict next_verdict(struct bench *bench)
{
    pare_error err = {0};
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_verdict verdict = {0};
    if (bench->oracle->ops->wait(bench->oracle, 60000, &what, &verdict, &err))
        fail_msg("%s", err.message);
    assert_int_equal(what, PARE_WAIT_VERDICT);
    return verdict;
}

static inline pare_verdict run(struct bench *bench, const char *bytes)
{
    start(bench, 0, bytes);
    return next_verdict(bench);
}

static inline bool has_mark(pid_t pid)
{
    char path[64], text[256] = "", mark[64];
    (void)snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    (void)snprintf(mark, sizeof mark, "PARE_TEST=%d-", (int)getpid());
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) (void)fclose(file);
    return n > 0 && !strncmp(text, mark, strlen(mark));
}

/* A server of this process's oracle: the `pick`-th of our children that carry its mark. */
static inline pid_t find_server(unsigned pick)
{
    char path[64];
    pid_t pids[16] = {0};
    unsigned n = 0;
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int pid; n < 16 && fscanf(file, "%d", &pid) == 1;)
        if (has_mark((pid_t)pid)) pids[n++] = (pid_t)pid;
    (void)fclose(file);
    return n ? pids[pick % n] : 0;
}

#endif
