/* The schedule of one file (schedule.c), with a reward for each phase in each file.
 *
 * What a phase is expected to earn in a file, a share of it, begins with what it earned in the
 * others, and with the plan's promise; that share times the bytes of the file decides.  A
 * phase that found nothing is not run again in a file before the size of that has changed;
 * and before anything in the folder has, at the end.  Whole files and words are a step of
 * their own: they are tried again when nothing is promising, because what is left of a file
 * may not matter any more.
 * So at the end every phase has run to its end over every file of the result, whole files
 * have been tried, and nothing was found. */
#include "session/plan/schedule.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/limited.h"
#include "session/plan/files.h"
#include "session/plan/pass_reward.h"
#include "session/plan/patience.h"
#include "session/plan/phase.h"
#include "session/plan/plan.h"
#include "session/plan/prior.h"
#include "session/plan/project_phase.h"
#include "session/plan/work.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/flaky.h"
#include "text/candidate.h"

#include <pare/algorithm.h>

/* One file, with the reward of each phase in it. */
struct file {
    uint32_t entry;
    bool binary;
    size_t coarse; /* the next phase to be looked at for its coarse run */
    pare_pass_reward rewards[PARE_PLAN_MAX_PHASES];
};

/* What a phase did in all files together. */
struct total {
    double tests, gained;
    double before, removed;      /* bytes, by its coarse runs */
    double coarse_tests, n_runs; /* of those */
};

static const double BYTES_BEFORE = 1024, BYTES_REMOVED = 512; /* of a coarse phase, at first */
static const double COARSE_TESTS = 16;                        /* of a run of one, the same */
enum { LARGE_FOLDER_BYTES = 16 << 10 }; /* of which contents come before whole files */

/* The files that are left, and what phases did in all of them. */
struct schedule {
    pare_work *work;
    struct file *files; /* owned */
    size_t n;
    size_t *bytes; /* owned; of each entry */
    struct total totals[PARE_PLAN_MAX_PHASES];
    pare_digest whole_on; /* the folder in which no file could go */
    bool whole_tried;
};

/* What to run next. */
struct step {
    struct file *file; /* NULL: nothing */
    size_t phase;
};

/* The best of all files together: a phase of one file is idle only while that has not changed. */
static const pare_candidate *best_of(const struct schedule *schedule)
{
    return pare_engine_best(schedule->work->session.engine);
}

static size_t best_bytes(const pare_work *work)
{
    return pare_engine_best(work->session.engine)->size;
}

/* Bytes that are left of the file; 0 when it is gone. */
static size_t size_of(const struct schedule *schedule, const struct file *file)
{
    return schedule->bytes[file->entry];
}

/* Share of the file that a test of the phase is expected to remove. */
static double rate(const struct schedule *schedule, const struct file *file, size_t phase)
{
    const pare_pass_reward *reward = &file->rewards[phase];
    const struct total *total = &schedule->totals[phase];
    /* The phase's rate in the other files. The plan's promise counts as PARE_PROMISED_TESTS tests
     * of one more file, so that a phase that has not run yet has a rate, too. */
    double others_tests = total->tests - reward->tests + PARE_PROMISED_TESTS;
    double promise =
        pare_prior_promise(schedule->work->plan.phases[phase].prior,
                           pare_prior_kind_of(file->binary, NULL), size_of(schedule, file));
    double others = (total->gained - reward->gained + promise) / others_tests;
    return (reward->gained + others * PARE_PROMISED_TESTS) / (reward->tests + PARE_PROMISED_TESTS);
}

/* The phase and file of which most bytes are expected; of equals the first. */
static struct step choose(struct schedule *schedule, pare_phase_effort effort)
{
    struct step step = {.file = NULL};
    double most = 0;
    const pare_candidate *best = pare_engine_best(schedule->work->session.engine);
    const bool all = schedule->work->effort == PARE_EFFORT_MAX;
    for (size_t f = 0; f < schedule->n; f++) {
        struct file *file = &schedule->files[f];
        size_t bytes = size_of(schedule, file);
        for (size_t i = 0; bytes > 0 && i < schedule->work->plan.n_phases; i++) {
            const pare_phase *phase = &schedule->work->plan.phases[i];
            if (!pare_pass_reward_takes_part(phase, all, file->binary, effort)) continue;
            if (pare_pass_reward_is_idle(&file->rewards[i], bytes, best, effort)) continue;
            /* A share of a large file is more than the same share of a small one. */
            double expected = rate(schedule, file, i) * (double)bytes;
            if (step.file && expected <= most) continue;
            step = (struct step){file, i};
            most = expected;
        }
    }
    return step;
}

/* Takes the old figures of this file out of the totals and puts the new ones in, so that the
 * totals stay the sums of all files. */
static void enter(struct schedule *schedule, struct step step, uint64_t tests, size_t before,
                  size_t after)
{
    pare_pass_reward *reward = &step.file->rewards[step.phase];
    struct total *total = &schedule->totals[step.phase];
    total->tests -= reward->tests;
    total->gained -= reward->gained;
    pare_pass_reward_add(reward, tests, before, after);
    total->tests += reward->tests;
    total->gained += reward->gained;
}

/* In the first run over a file, which others of the folder wait for. */
static const pare_early_stop_terms COARSE_TERMS = {.first = 24, .tests = 24, .share = 0.01};

/* Runs the phase over the file at hand, a pass by `terms`; *whole: to its end. */
static pare_status run_phase(pare_work *work, const pare_phase *phase,
                             const pare_early_stop_terms *terms, bool *whole, pare_error *err)
{
    if (phase->kind == PARE_PHASE_PASS)
        return pare_phase_run_pass(work, phase->pass, terms, whole, err);
    const pare_early_stop_terms *yield = work->again ? &pare_patience_terms : &COARSE_TERMS;
    pare_patience_guard(work, terms && work->effort != PARE_EFFORT_MAX ? yield : NULL, 0);
    pare_status status = pare_phase_run(work, phase, err);
    pare_engine_guard(work->session.engine, &(pare_guard_terms){.after = NULL});
    *whole = status != PARE_RUN_ENDED || work->session.end != PARE_END_VAIN;
    return *whole ? status : pare_session_go_on(&work->session, status);
}

/* Runs a phase over a file, by `terms`; NULL: to its end. */
static pare_status run_step(struct schedule *schedule, struct step step,
                            const pare_early_stop_terms *terms, pare_error *err)
{
    pare_work *work = schedule->work;
    assert(step.file && step.phase < work->plan.n_phases);
    const pare_phase *phase = &work->plan.phases[step.phase];
    pare_pass_reward *reward = &step.file->rewards[step.phase];
    pare_engine_stats before = pare_engine_statistics(work->session.engine);
    size_t size = size_of(schedule, step.file);
    bool whole = true;
    pare_status status = pare_files_enter(work->files, work, step.file->entry, size, err);
    if (!status) status = run_phase(work, phase, terms, &whole, err);
    const bool skipped = pare_session_is_skipped(&work->session, &status);
    if (status) return status;
    status = pare_files_weigh(work->files, work, schedule->bytes, err);
    if (status) return status;
    pare_engine_stats after = pare_engine_statistics(work->session.engine);
    bool found = !skipped && after.successes != before.successes;
    enter(schedule, step, after.tests - before.tests, size, size_of(schedule, step.file));
    pare_pass_reward_note_end(reward, found, whole, size_of(schedule, step.file),
                              best_of(schedule));
    return pare_flaky_look(&work->flaky, err);
}

/* Files with what mentions them, whole files and words, then several as one, if anything has
 * changed since nothing of them could go. */
static pare_status run_whole(struct schedule *schedule, bool *found, pare_error *err)
{
    pare_work *work = schedule->work;
    *found = false;
    if (schedule->whole_tried &&
        pare_digest_equal(schedule->whole_on, pare_candidate_digest(best_of(schedule))))
        return PARE_OK;
    uint64_t before = pare_engine_statistics(work->session.engine).successes;
    bool folder = !work->session.layout->is_file;
    pare_status status = folder ? pare_project_phase_remove(work, err) : PARE_OK;
    if (!status) status = pare_files_whole(work->files, work, err);
    if (!status && folder) status = pare_project_phase_join(work, err);
    const bool skipped = pare_session_is_skipped(&work->session, &status);
    if (!status) status = pare_files_weigh(work->files, work, schedule->bytes, err);
    if (status) return status;
    *found = !skipped && pare_engine_statistics(work->session.engine).successes != before;
    /* Tried in vain on this very folder: not again before any byte of it has changed. */
    schedule->whole_tried = !*found;
    schedule->whole_on = pare_candidate_digest(best_of(schedule));
    return pare_flaky_look(&work->flaky, err);
}

/* ---- coarse phases ---------------------------------------------------------------------- */

/* Binary files are spared the phases that are for texts. */
static bool is_coarse(const struct file *file, const pare_phase *phase)
{
    return phase->coarse && !(file->binary && phase->text_only);
}

/* Bytes that a test of the file's next coarse phase is expected to remove. */
static double expected_coarse(const struct schedule *schedule, const struct file *file)
{
    const struct total *total = &schedule->totals[file->coarse];
    double share = (total->removed + BYTES_REMOVED) / (total->before + BYTES_BEFORE);
    double tests = (total->coarse_tests + COARSE_TESTS) / (total->n_runs + 1);
    return (double)size_of(schedule, file) * share / tests;
}

/* Of the coarse phases that are next in their files, the one expected to remove the most. */
static struct step next_coarse(struct schedule *schedule)
{
    const pare_plan *plan = &schedule->work->plan;
    struct step step = {.file = NULL};
    double most = 0;
    for (size_t f = 0; f < schedule->n; f++) {
        struct file *file = &schedule->files[f];
        while (file->coarse < plan->n_phases && !is_coarse(file, &plan->phases[file->coarse]))
            file->coarse++;
        if (file->coarse == plan->n_phases || !size_of(schedule, file)) continue;
        double expected = expected_coarse(schedule, file);
        if (step.file && expected <= most) continue;
        step = (struct step){file, file->coarse};
        most = expected;
    }
    return step;
}

/* After the coarse phases: forgets what they earned, since that says nothing about what is left,
 * and that some were put off, since they found nothing because they did not look. */
static void forget(struct schedule *schedule)
{
    for (size_t f = 0; f < schedule->n; f++)
        for (size_t i = 0; i < PARE_PLAN_MAX_PHASES; i++)
            pare_pass_reward_forget(&schedule->files[f].rewards[i], schedule->work->put_off);
    for (size_t i = 0; i < PARE_PLAN_MAX_PHASES; i++)
        schedule->totals[i] = (struct total){0};
    schedule->work->put_off = false;
}

/* Runs the coarse phases of all files, each once, in the order of what they are expected to
 * remove: the record of a phase in one file counts for the others. */
static pare_status run_coarse(struct schedule *schedule, pare_error *err)
{
    const pare_work *work = schedule->work;
    pare_status status = PARE_OK;
    struct step step;
    while (!status && (step = next_coarse(schedule)).file) {
        struct total *total = &schedule->totals[step.phase];
        size_t before = size_of(schedule, step.file);
        uint64_t tests = pare_engine_statistics(work->session.engine).tests;
        assert(step.file->coarse == step.phase);
        step.file->coarse++;
        status = run_step(schedule, step, &pare_coarse_pass_terms, err);
        total->before += (double)before;
        total->removed += (double)before - (double)size_of(schedule, step.file);
        total->coarse_tests += (double)(pare_engine_statistics(work->session.engine).tests - tests);
        total->n_runs++;
    }
    forget(schedule);
    return status;
}

/* ---- all -------------------------------------------------------------------------------- */

/* The next step with the least effort that finds one. */
static struct step next_step(struct schedule *schedule, pare_phase_effort from,
                             pare_phase_effort *effort)
{
    struct step step = {.file = NULL};
    for (*effort = from; !step.file; (*effort)++) {
        step = choose(schedule, *effort);
        if (step.file || *effort == PARE_TO_BE_SURE) break;
    }
    return step;
}

/* Always the phase and file of which the most is expected, until none finds anything. */
static pare_status run_best_first(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = PARE_OK;
    /* From here on phases take the algorithm for what is small already. */
    work->again = true;
    while (!status) {
        pare_phase_effort effort;
        bool found = false;
        struct step step = next_step(schedule, PARE_WITH_EARLY_STOP, &effort);
        /* Before more effort is spent on contents: a file may have become useless since it was
         * last tried, and to remove it is worth more than anything inside. */
        if (!step.file || effort != PARE_WITH_EARLY_STOP) status = run_whole(schedule, &found, err);
        if (status || found) continue;
        if (work->effort == PARE_EFFORT_FAST && effort != PARE_WITH_EARLY_STOP) {
            work->cut_short = step.file != NULL;
            return PARE_OK;
        }
        if (!step.file) return PARE_OK;
        status =
            run_step(schedule, step, effort == PARE_WITH_EARLY_STOP ? &pare_pass_terms : NULL, err);
    }
    return status;
}

/* The file has to be the one at hand for that. */
static pare_status look_whether_binary(struct schedule *schedule, struct file *file,
                                       pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status =
        pare_files_enter(work->files, work, file->entry, size_of(schedule, file), err);
    return status ? status : pare_pass_reward_look_whether_binary(work, &file->binary, err);
}

/* Whether phases may find something in the entry.  One that stays as it is has no step: of a folder with all that
 * a program needs a single file is reduced, and fifteen thousand are not looked at for each step.  A file without
 * bytes has nothing to reduce; whether an empty file may go is decided where files go as wholes. */
static bool is_open(const struct schedule *schedule, uint32_t entry)
{
    return schedule->bytes[entry] && !pare_reducible_ranges_is_kept(&schedule->work->ranges, entry);
}

/* The files that are left once whole ones have gone. */
static pare_status open_files(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    size_t n = pare_files_n_entries(work->files);
    for (uint32_t i = 0; i < n; i++)
        schedule->n += is_open(schedule, i);
    schedule->files = pare_alloc_zero(schedule->n, sizeof *schedule->files);
    if (!schedule->files) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    struct file *file = schedule->files;
    for (uint32_t i = 0; !status && i < n; i++) {
        if (!is_open(schedule, i)) continue;
        file->entry = i;
        status = look_whether_binary(schedule, file++, err);
    }
    return status;
}

/* Searches the files that the failure needs.  *known: most of the folder is gone, and what is left is large: the
 * search has shown that its files are needed, more or less, and what is in them is worth more. */
static pare_status search_files(pare_work *work, bool *known, pare_error *err)
{
    const size_t before = best_bytes(work);
    *known = false;
    if (work->again || work->session.layout->is_file) return PARE_OK;
    pare_status status = pare_project_phase_search(work, err);
    const size_t after = best_bytes(work);
    *known = !status && after <= before / 2 && after >= LARGE_FOLDER_BYTES;
    return status;
}

/* Files that the failure needs are searched first, then whole files, so that what is gone takes no memory in
 * the schedule, and no coarse run.  Where the search has shown what is needed, whole files come after the coarse
 * runs. */
pare_status pare_folder_schedule_run(pare_work *work, pare_error *err)
{
    struct schedule *schedule = pare_alloc_zero(1, sizeof *schedule);
    if (!schedule) return pare_fail_nomem(err);
    bool found, known = false;
    pare_status status = PARE_OK;
    schedule->work = work;
    schedule->bytes = pare_alloc_zero(pare_files_n_entries(work->files), sizeof(size_t));
    if (!schedule->bytes) status = pare_fail_nomem(err);
    if (!status) status = search_files(work, &known, err);
    (void)pare_session_is_skipped(&work->session, &status);
    if (!status)
        status = known ? pare_files_weigh(work->files, work, schedule->bytes, err)
                       : run_whole(schedule, &found, err);
    if (!status) status = open_files(schedule, err);
    if (!status && !work->again) status = run_coarse(schedule, err);
    if (!status && known) status = run_whole(schedule, &found, err);
    if (!status) status = run_best_first(schedule, err);
    pare_alloc_free(schedule->files);
    pare_alloc_free(schedule->bytes);
    pare_alloc_free(schedule);
    return status;
}
