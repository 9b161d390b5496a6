/* One run of a program on the text, beside the tests.
 *
 * The run is one test of a process oracle of its own, so folder, sandbox, guard, limits and the end
 * of what it started are those of tests.  What it writes goes to a file in memory, which is read when
 * all that it started is dead and writes no more.
 * Invariant: the text alone decides what is run, so that a run that goes on after a kill gets the
 * same answer.
 * Tested by test_reach, tests/cli/test_coverage.sh and tests/cli/test_semantic.sh. */
#include "session/test/side_run.h"

#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pare/test.h>

#include "os/clock.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/sandbox/sandbox.h"
#include "os/spawn.h"
#include "run/oracle.h"
#include "run/process.h"
#include "text/candidate.h"
#include "text/text.h"

enum {
    /* The limits that the header tells. */
    CPU_S = 10,
    LIMIT_MS = 20 * 1000, /* on the clock: a busy machine gives it less than a processor */
    PROCESSES = 256
};

static const uint64_t MEMORY_BYTES = (uint64_t)2 << 30, FILE_BYTES = (uint64_t)64 << 20;

/* Runs `candidate`, and waits for its end, however it comes.  What came of it is in its
 * output alone. */
static pare_status run_once(pare_oracle *oracle, const pare_candidate *candidate, pare_error *err)
{
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_verdict verdict;
    pare_status status = oracle->ops->start(oracle, 0, candidate, err);
    while (!status && what == PARE_WAIT_TIMEOUT)
        status = oracle->ops->wait(oracle, -1, &what, &verdict, err);
    return status;
}

/* Time for the run, in ms; at least 1, since 0 would be no limit. */
static uint64_t limit_of(uint64_t deadline_ms)
{
    const uint64_t now_ms = pare_clock_ms();
    if (!deadline_ms || deadline_ms > now_ms + LIMIT_MS) return LIMIT_MS;
    return deadline_ms > now_ms ? deadline_ms - now_ms : 1;
}

/* The oracle of the one run, in a full sandbox; a program that is not hostile is run
 * without one where there is none. */
static pare_status open_oracle(const pare_side_task *task, const pare_command *command,
                               int output_fd, pare_oracle **out, pare_error *err)
{
    const pare_process_options options = {.command = command,
                                          .base_name = task->base_name,
                                          .n_slots = 1,
                                          .timeout_ms = limit_of(task->deadline_ms),
                                          .stop = task->stop,
                                          .runner = PARE_RUNNER_SPAWN,
                                          .output_fd = output_fd,
                                          .sandbox = {.level = PARE_LEVEL_FULL,
                                                      .is_required = task->is_hostile,
                                                      .limits = {.memory_bytes = MEMORY_BYTES,
                                                                 .cpu_s = CPU_S,
                                                                 .processes = PROCESSES,
                                                                 .file_bytes = FILE_BYTES}}};
    return pare_process_new(&options, out, err);
}

pare_status pare_side_run(const pare_side_task *task, const pare_command *command, pare_buffer *out,
                          pare_error *err)
{
    pare_text *text = NULL;
    pare_oracle *oracle = NULL;
    pare_candidate candidate = {0};
    int fd = pare_descriptor_raise(memfd_create("pare-side", MFD_CLOEXEC), PARE_SPAWN_LEAST_FD);
    assert(task->text);
    pare_status status = fd < 0 ? PARE_E_IO : PARE_OK;
    if (!status) status = pare_text_copy(task->text, task->bytes, &text, err);
    /* The whole text as it is: a candidate is made of slices of a text. */
    if (!status) {
        pare_candidate_start(&candidate, text);
        status = pare_candidate_slice(&candidate, 0, task->bytes, err);
    }
    if (!status) status = open_oracle(task, command, fd, &oracle, err);
    if (!status) status = run_once(oracle, &candidate, err);
    /* All processes of that oracle are dead now, so the answer cannot change any more. */
    pare_oracle_free(oracle);
    if (!status && lseek(fd, 0, SEEK_SET) < 0) status = PARE_E_IO;
    if (!status) status = pare_file_read_fd(fd, "an answer", out, err);
    if (fd >= 0) (void)close(fd);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return status;
}
