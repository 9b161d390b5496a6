/* From the words on the command line to the options of the library.
 *
 * One pass over the groups of pare_reduce_options: each read_* function below fills one group from
 * the parsed arguments, and refuses contradictions within it.  Contradictions between groups
 * (options that exclude each other, files that would overwrite one another) are checked separately.
 * Only the two pare_settings_check_ functions at the end look at the file system, so that a line
 * means the same in every folder.
 *
 * The library borrows its texts: those that are not from argv are owned by pare_settings, whose
 * buffers do not move once the options point to them. */

#include "cli/settings.h"
#include "cli/command_note.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/algorithm.h>
#include <pare/keep.h>
#include <pare/reduce.h>
#include <pare/switch.h>
#include <pare/sync.h>
#include <pare/test.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/paths.h"
#include "ui/format.h"

/* How much of a wrong word a message shows. */
enum { SHOWN_BYTES = 100 };

/* Only what is owned: most texts are argv's.  A settings of all zeros is ended, too. */
void pare_settings_done(pare_settings *settings)
{
    pare_buffer_done(&settings->test);
    pare_buffer_done(&settings->output);
    pare_buffer_done(&settings->journal);
    pare_buffer_done(&settings->note);
    pare_buffer_done(&settings->also);
    pare_buffer_done(&settings->script);
    pare_buffer_done(&settings->text_name);
    pare_buffer_done(&settings->choices);
    pare_buffer_done(&settings->standard_input);
    pare_alloc_free(settings->patterns);
    pare_alloc_free(settings->grammars);
    pare_alloc_free(settings->writable);
    pare_alloc_free(settings->visible);
    pare_alloc_free(settings->with);
    pare_alloc_free(settings->protect);
    pare_alloc_free(settings->phases);
    pare_alloc_free(settings->corpus);
    pare_alloc_free(settings->islands);
    pare_alloc_free(settings->keep);
    pare_alloc_free(settings->only);
    /* Reading may have failed in the middle of the list: what was not copied is NULL. */
    for (size_t i = 0; settings->inputs && i < settings->reduce.input.n_paths; i++)
        pare_alloc_free(settings->inputs[i]);
    pare_alloc_free(settings->inputs);
}

/* One input is called by its path, several by what they become.  What messages and the summary
 * call it; several inputs have no name of their own. */
const char *pare_settings_subject(const pare_settings *settings)
{
    const pare_reduce_options *reduce = &settings->reduce;
    if (settings->is_standard_input) return "standard input";
    if (settings->is_words_alone) return settings->text_name.data;
    return reduce->input.path ? reduce->input.path : reduce->output.path;
}

/* Short names for what every function below asks.  A position counts from 1, so 0 says that
 * the option was not there, whatever its value is. */
/* NULL: the option was not given. */
static const char *text_of(const pare_arguments *arguments, enum pare_option_index index)
{
    return arguments->values[index].text;
}

/* 0: the option was not given. */
static uint64_t number_of(const pare_arguments *arguments, enum pare_option_index index)
{
    return arguments->values[index].number;
}

/* Choices of the table stand in the order of the library's enums, whose zero value is the
 * default. 0 is "not given", so the words count from 1: enums of the library have a zero that
 * means its default. */
static unsigned choice_of(const pare_arguments *arguments, enum pare_option_index index)
{
    return pare_options_given(arguments, index) ? 1 + (unsigned)number_of(arguments, index) : 0;
}

/* --- names in lists ---------------------------------------------------------- */

/* Names as the user may write them; "auto" is none of the library's.  "auto" comes first
 * because it is what people look for. */
static const char *algorithm_name(size_t i)
{
    if (i == 0) return "auto";
    const pare_algorithm_info *algorithm = pare_algorithm_at(i - 1);
    return algorithm ? algorithm->name : NULL;
}

/* NULL after the last. */
static const char *unit_name(size_t i)
{
    const pare_unit_info *unit = pare_unit_at(i);
    return unit ? unit->name : NULL;
}

/* What trees can use on lists of children: algorithms on neither trees nor choices.  "halves"
 * is the trees' own way, which no list algorithm has. */
static const char *list_algorithm_name(size_t i)
{
    if (i == 0) return "halves";
    for (size_t k = 0;; k++) {
        const pare_algorithm_info *algorithm = pare_algorithm_at(k);
        if (!algorithm) return NULL;
        bool is_list =
            !algorithm->on_trees && !algorithm->on_choices && strcmp(algorithm->name, "auto") != 0;
        if (is_list && --i == 0) return algorithm->name;
    }
}

/* Checks one `word` against the names that `name_at` counts up to NULL. */
static pare_status check_word(const char *what, const char *word, const char *(*name_at)(size_t),
                              pare_error *err)
{
    /* A distance of 0 is the name itself, so one walk over the names both checks the word and
     * finds what was meant. */
    pare_nearest nearest = pare_nearest_of(word);
    for (size_t i = 0; name_at(i); i++)
        pare_nearest_offer(&nearest, name_at(i));
    if (nearest.distance == 0) return PARE_OK;
    char shown[SHOWN_BYTES], hint[PARE_NEAREST_HINT_BYTES];
    pare_format_name(shown, sizeof shown, word);
    pare_nearest_hint(&nearest, "", hint);
    const bool listed = name_at == algorithm_name && *word && !*hint;
    return pare_fail(err, PARE_E_ARG, "unknown %s '%s'%s", what, shown,
                     listed ? ": --list-algorithms lists them" : hint);
}

/* Checks each word of a list separated by commas.  One bad word refuses the whole list: a run
 * with the others would not be the one that was asked for. */
static pare_status check_list(const char *what, const char *list, const char *(*name_at)(size_t),
                              pare_error *err)
{
    for (;;) {
        char word[SHOWN_BYTES];
        size_t length = strcspn(list, ",");
        /* A word that is cut here is none of the names anyway. */
        snprintf(word, sizeof word, "%.*s", (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES),
                 list);
        pare_status status = check_word(what, word, name_at, err);
        if (status != PARE_OK || !list[length]) return status;
        list += length + 1;
    }
}

/* Checked here although the library checks too: it does not know the nearest name.  The list
 * is kept as it was written; the library splits it again. */
static pare_status read_names(const pare_arguments *arguments, pare_settings *settings,
                              pare_error *err)
{
    pare_status status = PARE_OK;
    if (pare_options_given(arguments, PARE_OPT_ALGORITHM)) {
        settings->reduce.algorithms = text_of(arguments, PARE_OPT_ALGORITHM);
        status = check_list("algorithm", settings->reduce.algorithms, algorithm_name, err);
    }
    settings->reduce.strategy_command = arguments->values[PARE_OPT_STRATEGY].text;
    if (status == PARE_OK && pare_options_given(arguments, PARE_OPT_UNIT)) {
        settings->reduce.units = text_of(arguments, PARE_OPT_UNIT);
        status = check_list("unit", settings->reduce.units, unit_name, err);
    }
    return status;
}

/* Makes the list of the values of `option`; *n tells how many they are.  None: the list is
 * there and empty, so that the options never hold NULL beside a count. */
static pare_status read_list(const pare_arguments *arguments, enum pare_option_index option,
                             const char ***list, size_t *n, pare_error *err)
{
    *n = pare_options_texts(arguments, option, NULL);
    *list = pare_alloc(*n, sizeof **list);
    if (!*list) return pare_fail_nomem(err);
    (void)pare_options_texts(arguments, option, *list);
    return PARE_OK;
}

/* "--" first would leave nothing to reduce, and "--" last no program.  "--" alone does not
 * make a program: both sides need a word. */
bool pare_settings_is_program(const pare_arguments *arguments)
{
    return arguments->n_before_dashes > 0 && arguments->n_before_dashes < arguments->n_operands;
}

/* A word of --keep that is a level of what is learnt, and not a glob of files.  A file of such
 * a name is written ./kind, as decisions.md says. */
static bool read_level(const char *word, pare_keep_level *level)
{
    static const struct {
        const char *word;
        pare_keep_level level;
    } levels[] = {{"kind", PARE_KEEP_KIND},
                  {"message", PARE_KEEP_MESSAGE},
                  {"line", PARE_KEEP_LINE},
                  {"exact", PARE_KEEP_EXACT}};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        if (strcmp(word, levels[k].word) != 0) continue;
        *level = levels[k].level;
        return true;
    }
    return false;
}

/* Takes the levels of what is learnt out of the list of --keep, whose other words are globs.
 * The list shrinks in place: a word that is a level is passed over, the others move up. */
static void split_keep(pare_settings *settings)
{
    pare_reduce_options *reduce = &settings->reduce;
    size_t n = 0;
    for (size_t k = 0; k < reduce->input.n_keep_files; k++)
        if (!read_level(settings->keep[k], &reduce->keep.level))
            settings->keep[n++] = settings->keep[k];
    assert(n <= reduce->input.n_keep_files);
    /* Something was taken out of the list; of several levels the last one counts. */
    settings->has_level = n < reduce->input.n_keep_files;
    reduce->input.n_keep_files = n;
}

/* What is not to be reduced.  Globs are matched by the library, which knows the files. */
static pare_status read_kept(const pare_arguments *arguments, pare_settings *settings,
                             pare_error *err)
{
    pare_reduce_options *reduce = &settings->reduce;
    pare_status status =
        read_list(arguments, PARE_OPT_PROTECT, &settings->protect, &reduce->input.n_protect, err);
    /* The options borrow the list, which settings own: so for each of the lists below. */
    reduce->input.protect = settings->protect;
    if (status == PARE_OK)
        status =
            read_list(arguments, PARE_OPT_KEEP, &settings->keep, &reduce->input.n_keep_files, err);
    reduce->input.keep_files = settings->keep;
    if (status == PARE_OK) split_keep(settings);
    /* What is learnt is the failure of a program; a test script has no levels. */
    if (status == PARE_OK && settings->has_level && !pare_settings_is_program(arguments))
        return pare_fail(err, PARE_E_ARG,
                         "'--keep' with a level is for a PROGRAM, not for a TEST: pare reduce "
                         "INPUT --keep kind -- PROGRAM ARGS @@");
    if (status == PARE_OK)
        status =
            read_list(arguments, PARE_OPT_ONLY, &settings->only, &reduce->input.n_only_files, err);
    reduce->input.only_files = settings->only;
    /* The inputs are known before (inputs.c), so a choice among one file is refused here. */
    if (status == PARE_OK && !reduce->input.n_paths &&
        (reduce->input.n_keep_files || reduce->input.n_only_files))
        return pare_fail(err, PARE_E_ARG, "'--%s' chooses among files: give a folder, or several%s",
                         reduce->input.n_keep_files ? "keep" : "only",
                         reduce->input.n_keep_files ? "; how closely the failure of a PROGRAM is "
                                                      "kept is kind, message, line or exact"
                                                    : "");
    return status;
}

/* Which trees the tree algorithms see.  Whether a language is there, or can be read, is for
 * the library to say: it may be added in between (ask.c). */
static pare_status read_language(const pare_arguments *arguments, pare_settings *settings,
                                 pare_error *err)
{
    pare_reduce_options *reduce = &settings->reduce;
    reduce->trees.language = text_of(arguments, PARE_OPT_LANG);
    reduce->trees.start_rule = text_of(arguments, PARE_OPT_START);
    reduce->trees.tree = text_of(arguments, PARE_OPT_TREE);
    pare_status status =
        read_list(arguments, PARE_OPT_GRAMMAR, &settings->grammars, &reduce->trees.n_grammars, err);
    if (status != PARE_OK) return status;
    reduce->trees.grammars = settings->grammars;
    status =
        read_list(arguments, PARE_OPT_ISLAND, &settings->islands, &reduce->trees.n_islands, err);
    if (status != PARE_OK) return status;
    reduce->trees.islands = settings->islands;
    if (reduce->trees.n_islands > 0 && reduce->trees.n_grammars == 0 && !reduce->trees.language)
        return pare_fail(err, PARE_E_ARG,
                         "'--island' needs the '--grammar' or '--lang' whose tokens it names");
    /* A language has its own start, so a rule without a grammar would be ignored without a word. */
    if (reduce->trees.n_grammars > 0 || !reduce->trees.start_rule) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "'--start' needs the '--grammar' that it is a rule of");
}

/* What tree algorithms do with them.  They matter to named tree algorithms only; the default
 * has its own. */
static pare_status read_tree_knobs(const pare_arguments *arguments, pare_settings *settings,
                                   pare_error *err)
{
    pare_tree_options *knobs = &settings->reduce.trees;
    knobs->transforms = text_of(arguments, PARE_OPT_TRANSFORM);
    knobs->list = text_of(arguments, PARE_OPT_LIST_ALGORITHM);
    knobs->traversal = (pare_traversal)choice_of(arguments, PARE_OPT_TRAVERSAL);
    knobs->search = (pare_search)choice_of(arguments, PARE_OPT_SEARCH);
    knobs->combinations = (pare_combinations)choice_of(arguments, PARE_OPT_COMBINATIONS);
    pare_status status =
        read_list(arguments, PARE_OPT_PHASE, &settings->phases, &knobs->n_phases, err);
    knobs->phases = settings->phases;
    if (status == PARE_OK)
        status = read_list(arguments, PARE_OPT_CORPUS, &settings->corpus, &knobs->n_corpus, err);
    knobs->corpus = settings->corpus;
    if (status != PARE_OK || !knobs->list) return status;
    return check_word("list algorithm", knobs->list, list_algorithm_name, err);
}

/* --- groups of options ------------------------------------------------------- */

/* Of --fixpoint and --no-fixpoint the later one counts, as is usual for switches.  They matter
 * to named list algorithms only. */
static void read_knobs(const pare_arguments *arguments, pare_list_knobs *knobs)
{
    size_t on = arguments->values[PARE_OPT_FIXPOINT].position;
    size_t off = arguments->values[PARE_OPT_NO_FIXPOINT].position;
    knobs->subsets = (pare_subsets)choice_of(arguments, PARE_OPT_SUBSETS);
    knobs->order = (pare_order)choice_of(arguments, PARE_OPT_ORDER);
    knobs->split = (pare_split)choice_of(arguments, PARE_OPT_SPLIT);
    knobs->granularity = (size_t)number_of(arguments, PARE_OPT_GRANULARITY);
    knobs->seed = number_of(arguments, PARE_OPT_SEED);
    /* Positions count from 1; equal means that neither was given. */
    if (on != off) knobs->fixpoint = on > off ? PARE_FIXPOINT_ON : PARE_FIXPOINT_OFF;
}

/* What is not given is 0, which is the library's default.  Jobs of 0 are as many as there are
 * processors. */
static void read_limits(const pare_arguments *arguments, pare_reduce_options *reduce)
{
    reduce->limits.jobs = (unsigned)number_of(arguments, PARE_OPT_JOBS);
    reduce->test.timeout_ms = number_of(arguments, PARE_OPT_TIMEOUT);
    /* "normal" and "auto" stand first in the table, as they do in the enums: the number is the
     * enumerator itself. */
    reduce->effort = (pare_effort)number_of(arguments, PARE_OPT_EFFORT);
    reduce->test.runner = (pare_runner)number_of(arguments, PARE_OPT_RUNNER);
    reduce->limits.max_tests = number_of(arguments, PARE_OPT_MAX_TESTS);
    reduce->limits.max_time_ms = number_of(arguments, PARE_OPT_MAX_TIME);
    reduce->limits.use_target = pare_options_given(arguments, PARE_OPT_TARGET_SIZE);
    reduce->limits.target_size_bytes = (size_t)number_of(arguments, PARE_OPT_TARGET_SIZE);
    if (pare_options_given(arguments, PARE_OPT_NO_CACHE)) reduce->limits.cache = PARE_OFF;
    if (pare_options_given(arguments, PARE_OPT_NO_COVERAGE)) reduce->limits.coverage = PARE_OFF;
    if (pare_options_given(arguments, PARE_OPT_NO_SEMANTIC)) reduce->limits.semantic = PARE_OFF;
    if (pare_options_given(arguments, PARE_OPT_ALLOW_EMPTY)) reduce->test.allow_empty = PARE_ON;
    if (pare_options_given(arguments, PARE_OPT_DETERMINISTIC))
        reduce->limits.deterministic = PARE_ON;
}

/* What tests may see and use.  What is not given is 0: the library decides then by what the
 * test is, a script or a program. */
static pare_status read_safety(const pare_arguments *arguments, pare_settings *settings,
                               pare_error *err)
{
    pare_safety *safety = &settings->reduce.test.safety;
    safety->sandbox = (pare_sandbox_kind)choice_of(arguments, PARE_OPT_SANDBOX);
    safety->memory_bytes = number_of(arguments, PARE_OPT_MEMORY);
    /* The kernel counts whole seconds, so a fraction is rounded up: 0 would be no limit. */
    safety->cpu_s = (number_of(arguments, PARE_OPT_CPU) + 999) / 1000; /* whole ones */
    safety->processes = number_of(arguments, PARE_OPT_PROCESSES);
    safety->file_bytes = number_of(arguments, PARE_OPT_FILE_SIZE);
    if (pare_options_given(arguments, PARE_OPT_NO_ASLR)) safety->random_addresses = PARE_OFF;
    if (pare_options_given(arguments, PARE_OPT_NETWORK)) safety->network = PARE_ON;
    /* Counted first, then copied. */
    safety->n_writable = pare_options_texts(arguments, PARE_OPT_WRITABLE, NULL);
    settings->writable = pare_alloc(safety->n_writable, sizeof *settings->writable);
    if (!settings->writable) return pare_fail_nomem(err);
    (void)pare_options_texts(arguments, PARE_OPT_WRITABLE, settings->writable);
    safety->writable = settings->writable;
    safety->n_visible = pare_options_texts(arguments, PARE_OPT_VISIBLE, NULL);
    settings->visible = pare_alloc(safety->n_visible, sizeof *settings->visible);
    if (!settings->visible) return pare_fail_nomem(err);
    (void)pare_options_texts(arguments, PARE_OPT_VISIBLE, settings->visible);
    safety->visible = settings->visible;
    return PARE_OK;
}

/* Workers on other machines.  Their number changes while a run goes on, so what a run does must not
 * depend on the number of slots. */
static pare_status read_workers(const pare_arguments *arguments, pare_settings *settings,
                                pare_error *err)
{
    static const enum pare_option_index others[] = {PARE_OPT_WITH, PARE_OPT_CREDENTIALS,
                                                    PARE_OPT_INSECURE};
    pare_cluster_options *workers = &settings->workers;
    workers->url = text_of(arguments, PARE_OPT_WORKERS);
    for (size_t i = 0; !workers->url && i < sizeof others / sizeof *others; i++)
        if (pare_options_given(arguments, others[i]))
            return pare_fail(err, PARE_E_ARG, "'--%s' needs '--workers'",
                             pare_option_table[others[i]].name);
    if (!workers->url) return PARE_OK;
    workers->credentials = text_of(arguments, PARE_OPT_CREDENTIALS);
    workers->insecure = pare_options_given(arguments, PARE_OPT_INSECURE);
    workers->n_with = pare_options_texts(arguments, PARE_OPT_WITH, NULL);
    settings->with = pare_alloc(workers->n_with, sizeof *settings->with);
    if (!settings->with) return pare_fail_nomem(err);
    (void)pare_options_texts(arguments, PARE_OPT_WITH, settings->with);
    workers->with = settings->with;
    settings->reduce.test.workers = workers;
    settings->reduce.limits.deterministic = PARE_ON;
    return PARE_OK;
}

/* A share without a sign: above 0 and below `most`. strtod alone would take "inf", "nan",
 * exponents and signs. */
static bool read_share(const char *text, double most, double *share)
{
    char *end = NULL;
    *share = strtod(text, &end);
    return strspn(text, "0123456789.") == strlen(text) && end != text && !*end && *share > 0 &&
           *share < most;
}

/* A half-width of the intervals to which input and result are measured; below a half, as nothing
 * would be said by more. */
static pare_status read_precision(const pare_arguments *arguments, pare_reduce_options *reduce,
                                  pare_error *err)
{
    const char *text = text_of(arguments, PARE_OPT_FLAKY_PRECISION);
    char shown[SHOWN_BYTES];
    if (!text || read_share(text, 0.5, &reduce->test.flaky_precision)) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "'--flaky-precision' takes a share of runs below 0.5, such as 0.02, not '%s'",
                     pare_format_name(shown, sizeof shown, text));
}

/* "auto" repeats tests when the failure turns out to come by chance, "off" never does; a share
 * is a floor for the result. */
static pare_status read_flaky(const pare_arguments *arguments, pare_reduce_options *reduce,
                              pare_error *err)
{
    const char *text = text_of(arguments, PARE_OPT_FLAKY);
    if (!text || strcmp(text, "auto") == 0) {
        reduce->test.flaky = PARE_FLAKY_AUTO;
        return PARE_OK;
    }
    reduce->test.flaky = PARE_FLAKY_OFF;
    if (strcmp(text, "off") == 0) return PARE_OK;
    char shown[SHOWN_BYTES];
    reduce->test.flaky = PARE_FLAKY_FLOOR;
    if (read_share(text, 1, &reduce->test.flaky_floor)) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "'--flaky' takes auto, off, or a share of runs such as 0.3, not '%s'",
                     pare_format_name(shown, sizeof shown, text));
}

/* Where things are written and how they look; nothing of it changes the reduction.  Settings
 * of the console; the library never sees them. */
static void read_display(const pare_arguments *arguments, pare_settings *settings)
{
    settings->trace_path = text_of(arguments, PARE_OPT_TRACE);
    settings->stats_path = text_of(arguments, PARE_OPT_STATS);
    settings->report_path = text_of(arguments, PARE_OPT_REPORT);
    if (settings->report_path) settings->reduce.output.keep_printed = PARE_ON;
    settings->candidates_dir = text_of(arguments, PARE_OPT_KEEP_CANDIDATES);
    settings->has_trace_texts = pare_options_given(arguments, PARE_OPT_TRACE_TEXTS);
    if (settings->candidates_dir || settings->has_trace_texts)
        settings->reduce.events.texts = PARE_ON;
    /* The whole line, for the report and for the lines that pare_ask_print_problems proposes. */
    settings->words = arguments->words;
    settings->n_words = arguments->n_words;
    /* Both at once were refused before. */
    if (pare_options_given(arguments, PARE_OPT_QUIET)) settings->verbosity = PARE_QUIET;
    if (pare_options_given(arguments, PARE_OPT_VERBOSE)) settings->verbosity = PARE_VERBOSE;
    settings->view = pare_options_given(arguments, PARE_OPT_VIEW);
    settings->color = (pare_color_choice)number_of(arguments, PARE_OPT_COLOR);
}

/* In place: the input itself.  Else what --output names, or NAME.min.EXT beside the input; a
 * folder is NAME.min, and of words alone the output is a script.  The result of standard input
 * is beside nothing, so it is in the working directory. */
static pare_status read_output(const pare_arguments *arguments, const char *input_path,
                               pare_settings *settings, pare_error *err)
{
    pare_status status;
    const char *named = text_of(arguments, PARE_OPT_OUTPUT);
    if (settings->in_place && settings->reduce.input.n_paths)
        settings->reduce.output.in_place = PARE_ON;
    if (settings->in_place)
        status = pare_buffer_text(&settings->output, input_path, err);
    else if (!named && settings->is_words_alone)
        status = pare_buffer_format(&settings->output, err, "%s.min.sh", input_path);
    else if (named)
        status = pare_buffer_text(&settings->output, named, err);
    else if (settings->reduce.input.n_paths)
        status = pare_buffer_format(&settings->output, err, "%s.min", input_path);
    else
        status = pare_paths_mark(&settings->output, input_path, "min", err);
    settings->is_output_named = named != NULL;
    /* In place the originals are kept as INPUT.orig, and nothing else is replaced. */
    settings->reduce.output.keep_earlier = settings->in_place ? PARE_OFF : PARE_ON;
    if (settings->is_words_alone)
        settings->reduce.output.script_path = settings->output.data;
    else
        settings->reduce.output.path = settings->output.data;
    return status;
}

/* Default: beside the output, since that is what the next start of the same command knows without an
 * option.  After a complete run the history alone stays there. */
static pare_status read_journal(const pare_arguments *arguments, pare_settings *settings,
                                pare_error *err)
{
    settings->reduce.output.sync = (pare_sync)number_of(arguments, PARE_OPT_SYNC);
    settings->reduce.output.history =
        pare_options_given(arguments, PARE_OPT_NO_HISTORY) ? PARE_OFF : PARE_ON;
    settings->reduce.output.from_step = number_of(arguments, PARE_OPT_FROM_STEP);
    if (pare_options_given(arguments, PARE_OPT_NO_JOURNAL)) return PARE_OK;
    if (pare_options_given(arguments, PARE_OPT_JOURNAL)) {
        settings->reduce.output.journal_dir = text_of(arguments, PARE_OPT_JOURNAL);
        /* A journal that has a name of the user's is his, and stays after the run. */
        settings->reduce.output.keep_journal = PARE_ON;
        return PARE_OK;
    }
    pare_status status =
        pare_buffer_format(&settings->journal, err, "%s.pare", settings->output.data);
    settings->reduce.output.journal_dir = settings->journal.data;
    if (!status) status = pare_command_note_make(arguments, &settings->note, err);
    if (settings->note.size) settings->reduce.output.note = settings->note.data;
    return status;
}

/* Pairs of which only one makes sense: guessing which was meant would be wrong half of the
 * time.  Those that contradict each other.  Pairs that merely do nothing together are not
 * refused here: the library tells of options that had no effect. */
static pare_status check_exclusions(const pare_arguments *arguments, pare_error *err)
{
    static const enum pare_option_index pairs[][2] = {
        {PARE_OPT_IN_PLACE, PARE_OPT_OUTPUT},      {PARE_OPT_NO_JOURNAL, PARE_OPT_JOURNAL},
        {PARE_OPT_QUIET, PARE_OPT_VERBOSE},        {PARE_OPT_VIEW, PARE_OPT_QUIET},
        {PARE_OPT_VIEW, PARE_OPT_VERBOSE},         {PARE_OPT_LANG, PARE_OPT_GRAMMAR},
        {PARE_OPT_FROM_STEP, PARE_OPT_NO_JOURNAL}, {PARE_OPT_FROM_STEP, PARE_OPT_NO_HISTORY},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pare_options_given(arguments, pairs[i][0]) &&
            pare_options_given(arguments, pairs[i][1]))
            return pare_fail(err, PARE_E_ARG, "'--%s' and '--%s' exclude each other",
                             pare_option_table[pairs[i][0]].name,
                             pare_option_table[pairs[i][1]].name);
    }
    if (pare_options_given(arguments, PARE_OPT_TRACE_TEXTS) &&
        !pare_options_given(arguments, PARE_OPT_TRACE))
        return pare_fail(err, PARE_E_ARG,
                         "'--trace-texts' puts texts into the trace: add --trace FILE");
    return PARE_OK;
}

/* Two files that are written cannot be one: each would replace or mix with the other.  By their
 * spelling: they may not exist yet, so inodes cannot be compared.  Devices take anything. */
static pare_status check_files_written(const pare_settings *settings, pare_error *err)
{
    const struct {
        const char *option, *path;
    } files[] = {{"output", settings->output.data},
                 {"trace", settings->trace_path},
                 {"stats", settings->stats_path},
                 {"report", settings->report_path}};
    for (size_t k = 1; k < sizeof files / sizeof *files; k++)
        for (size_t i = 0; files[k].path && i < k; i++) {
            const bool is_device = strncmp(files[k].path, "/dev/", 5) == 0;
            if (is_device || !files[i].path || strcmp(files[i].path, files[k].path) != 0) continue;
            return pare_fail(err, PARE_E_ARG, "'--%s' would overwrite the file of '--%s'",
                             files[k].option, files[i].option);
        }
    return PARE_OK;
}

/* NAME.also beside the output.  Other failures that are met are kept there. */
static pare_status name_also(pare_settings *settings, pare_error *err)
{
    const char *output = settings->output.data;
    const pare_reduce_options *reduce = &settings->reduce;
    const char *base = reduce->input.path ? reduce->input.path : reduce->input.name;
    base = pare_paths_base(base);
    const char *dot = strrchr(base, '.');
    /* A dot at the beginning is no extension. */
    size_t stem = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    size_t folder = (size_t)(pare_paths_base(output) - output);
    pare_status status = pare_buffer_add(&settings->also, output, folder, err);
    if (!status) status = pare_buffer_add(&settings->also, base, stem, err);
    if (!status) status = pare_buffer_text(&settings->also, ".also", err);
    settings->reduce.output.also_dir = settings->also.data;
    return status;
}

/* A code of a test's; of a program, other failures are told apart by what they are. */
static pare_status read_also(const pare_arguments *arguments, const char *test,
                             pare_settings *settings, pare_error *err)
{
    if (!pare_options_given(arguments, PARE_OPT_ALSO)) return PARE_OK;
    if (!test || pare_options_given(arguments, PARE_OPT_WORKER))
        return pare_fail(err, PARE_E_ARG,
                         "'--also' is an exit code of TEST; other failures of a program are kept "
                         "without it");
    settings->reduce.test.also_exit_code = number_of(arguments, PARE_OPT_ALSO);
    return name_also(settings, err);
}

/* The order matters where groups depend on each other: names of outputs follow from the input,
 * that of the journal from the output.  Each status is asked before the next group: messages
 * are about the first mistake of the line, as far as groups have an order. */
pare_status pare_settings_read(const pare_arguments *arguments, const char *test,
                               const char *input_path, pare_settings *settings, pare_error *err)
{
    pare_status status = check_exclusions(arguments, err);
    assert(arguments->values && input_path);
    if (pare_options_given(arguments, PARE_OPT_WORKER))
        settings->reduce.test.worker = test;
    else
        settings->reduce.test.command = test;
    /* Standard input and words alone: there is a name, but no path. */
    if (settings->reduce.input.bytes)
        settings->reduce.input.name = input_path;
    else
        settings->reduce.input.path = input_path;
    settings->reduce.test.check_with = text_of(arguments, PARE_OPT_CHECK_WITH);
    /* The program has no children of its own, so it may reap all. */
    settings->reduce.test.owns_children = true;
    read_knobs(arguments, &settings->reduce.lists);
    read_limits(arguments, &settings->reduce);
    if (!status) status = read_flaky(arguments, &settings->reduce, err);
    if (!status) status = read_precision(arguments, &settings->reduce, err);
    read_display(arguments, settings);
    if (status == PARE_OK) status = read_names(arguments, settings, err);
    if (status == PARE_OK) status = read_language(arguments, settings, err);
    if (status == PARE_OK) status = read_kept(arguments, settings, err);
    if (status == PARE_OK) status = read_tree_knobs(arguments, settings, err);
    if (status == PARE_OK) status = read_safety(arguments, settings, err);
    if (status == PARE_OK) status = read_workers(arguments, settings, err);
    if (status == PARE_OK) status = read_output(arguments, input_path, settings, err);
    if (status == PARE_OK) status = read_also(arguments, test, settings, err);
    if (status == PARE_OK) status = check_files_written(settings, err);
    if (status == PARE_OK) status = read_journal(arguments, settings, err);
    return status;
}

/* --- files ------------------------------------------------------------------- */

/* Follows links: it is about what would be run or read.  A folder can be no test, and an input
 * that is a folder cannot be mistaken for one. */
static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* By inode, so that links and ./ do not hide it. */
static bool is_same_file(const char *left, const char *right)
{
    struct stat a, b;
    return stat(left, &a) == 0 && stat(right, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Whether it begins as a script does. */
static bool is_script(const char *path)
{
    char first[2] = "";
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool begins = read(fd, first, sizeof first) == (ssize_t)sizeof first &&
                        memcmp(first, "#!", sizeof first) == 0;
    (void)close(fd);
    return begins;
}

/* Swapped for certain: the test cannot be run, and the input can, is a script that nobody has made
 * executable, or is no file but a command of several words.  Anything less may be meant so.  A test of several words is no file and is never
 * taken as swapped. */
pare_status pare_settings_check_order(const char *test, const char *input, pare_error *err)
{
    char shown_test[SHOWN_BYTES], shown_input[SHOWN_BYTES];
    if (!is_file(test) || access(test, X_OK) == 0) return PARE_OK;
    const bool is_program = is_file(input) && access(input, X_OK) == 0;
    const bool is_command = strchr(input, ' ') && access(input, F_OK) != 0;
    const bool is_text = !is_program && is_file(input) && is_script(input) && !is_script(test);
    if (!is_program && !is_command && !is_text) return PARE_OK;
    (void)pare_format_name(shown_test, sizeof shown_test, test);
    (void)pare_format_name(shown_input, sizeof shown_input, input);
    if (is_text)
        return pare_fail(err, PARE_E_ARG,
                         "TEST comes first: '%s' is not a script, but '%s' is; swap them, and make "
                         "it executable: chmod +x %s",
                         shown_test, shown_input, shown_input);
    if (is_program)
        return pare_fail(err, PARE_E_ARG,
                         "TEST comes first: '%s' is not executable, but '%s' is; swap them",
                         shown_test, shown_input);
    return pare_fail(err, PARE_E_ARG,
                     "TEST comes first: '%s' is not a command, but '%s' seems to be one; swap them",
                     shown_test, shown_input);
}

/* Of each file that is written, whether it is `path`.  Called for each operand; O(files that
 * are written) look-ups in the file system. */
pare_status pare_settings_check_written(const pare_settings *settings, const char *path,
                                        pare_error *err)
{
    const struct {
        const char *option, *path;
    } written[] = {
        {"output", settings->in_place ? NULL : settings->reduce.output.path},
        {"output", settings->reduce.output.choices_path},
        {settings->reduce.input.reduce_arguments == PARE_ON ? "reduce-args" : "reduce-env",
         settings->reduce.output.script_path},
        {"trace", settings->trace_path},
        {"stats", settings->stats_path},
        {"report", settings->report_path},
    };
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        char shown[SHOWN_BYTES];
        /* What does not exist yet is nobody's file. */
        if (!written[i].path || !is_same_file(written[i].path, path)) continue;
        return pare_fail(err, PARE_E_ARG, "'--%s' would overwrite '%s'%s", written[i].option,
                         pare_format_name(shown, sizeof shown, path),
                         i > 0                   ? ""
                         : settings->can_replace ? ": name another file, or use --in-place"
                                                 : ": name another file with --output");
    }
    return PARE_OK;
}

/* --- the failure of a program without a script -------------------------------- */

/* Options that say what a failure is; only a program without a script has them.  One list for
 * two questions: whether a test script is given what only programs have, and which option to
 * name. */
static const enum pare_option_index keep_options[] = {
    PARE_OPT_EXIT,       PARE_OPT_SIGNAL,     PARE_OPT_STDOUT,
    PARE_OPT_STDERR,     PARE_OPT_ANY_OUTPUT, PARE_OPT_NO_OUTPUT,
    PARE_OPT_HANG,       PARE_OPT_DIFFERS,    PARE_OPT_MAX_RSS,
    PARE_OPT_VALID,      PARE_OPT_SIGNATURE,  PARE_OPT_REDUCE_ARGS,
    PARE_OPT_REDUCE_ENV, PARE_OPT_MESSAGE,    PARE_OPT_ALLOW_NEW_ERRORS};

static const struct {
    enum pare_option_index option;
    pare_stream stream;
} streams[] = {{PARE_OPT_STDOUT, PARE_STREAM_STDOUT},
               {PARE_OPT_STDERR, PARE_STREAM_STDERR},
               {PARE_OPT_ANY_OUTPUT, PARE_STREAM_OUTPUT},
               {PARE_OPT_NO_OUTPUT, PARE_STREAM_NO_OUTPUT}};
/* Each option of patterns, and the stream that they are looked for in. */
enum { N_STREAMS = sizeof streams / sizeof *streams };

/* A test says by its exit code whether the failure is there: a second answer could contradict it. */
pare_status pare_settings_check_test(const pare_arguments *arguments, pare_error *err)
{
    /* The first in the order of the help is named. */
    for (size_t k = 0; k < sizeof keep_options / sizeof *keep_options; k++)
        if (pare_options_given(arguments, keep_options[k]))
            return pare_fail(err, PARE_E_ARG,
                             "'--%s' is for a PROGRAM, not for a TEST: leave out TEST and end the "
                             "line with -- PROGRAM ARGS @@",
                             pare_option_table[keep_options[k]].name);
    return PARE_OK;
}

/* A number, or "nonzero" for any other than 0. */
static pare_status read_exit(const pare_arguments *arguments, pare_keep *keep, pare_error *err)
{
    const char *text = text_of(arguments, PARE_OPT_EXIT);
    uint64_t code = 0;
    if (!text) return PARE_OK;
    keep->use_exit_code = true;
    keep->exit_code = PARE_KEEP_NONZERO;
    /* Any code but 0, which it has just been set to. */
    if (strcmp(text, "nonzero") == 0) return PARE_OK;
    /* The kernel keeps eight bits of what a process ends with. */
    if (!pare_options_read_whole(text, &code) || code > 255)
        return pare_fail(err, PARE_E_ARG, "'--exit' takes a number up to 255, or 'nonzero'");
    keep->exit_code = (int)code;
    return PARE_OK;
}

/* All patterns of all streams in one list, stream by stream; no more of them than texts were
 * given. */
static pare_status read_patterns(const pare_arguments *arguments, pare_settings *settings,
                                 pare_error *err)
{
    pare_keep *keep = &settings->reduce.keep;
    /* For the texts of one stream at a time. */
    const char **texts = pare_alloc(arguments->n_texts, sizeof *texts);
    settings->patterns = pare_alloc_zero(arguments->n_texts, sizeof *settings->patterns);
    if (!texts || !settings->patterns) {
        pare_alloc_free(texts);
        return pare_fail_nomem(err);
    }
    for (size_t k = 0; k < N_STREAMS; k++) {
        size_t n = pare_options_texts(arguments, streams[k].option, texts);
        for (size_t i = 0; i < n; i++)
            settings->patterns[keep->n_patterns++] =
                (pare_keep_pattern){.stream = streams[k].stream, .regex = texts[i]};
    }
    keep->patterns = settings->patterns;
    assert(keep->n_patterns <= arguments->n_texts);
    pare_alloc_free(texts);
    return PARE_OK;
}

/* What is learnt has levels, what is named has none.  Checked after all groups were read,
 * since it is about several. */
static pare_status check_learnt(const pare_settings *settings, pare_error *err)
{
    const pare_keep *keep = &settings->reduce.keep;
    /* All that says what the failure is, so that nothing of it is learnt. */
    bool named = keep->use_exit_code || keep->signal || keep->hang_ms || keep->differs ||
                 keep->max_rss_bytes || keep->n_patterns;
    /* The sentence names one of them. */
    const char *option = keep->message            ? "--message"
                         : keep->allow_new_errors ? "--allow-new-errors"
                         : settings->has_level    ? "--keep"
                                                  : NULL;
    if (!named || !option) return PARE_OK;
    return pare_fail(
        err, PARE_E_ARG,
        "'%s' is for a failure that pare finds out itself: leave out the options that name one",
        option);
}

/* NAME.min.sh, or what was named with .sh after it: nothing that the user may have.  A name
 * that the user may have chosen for something else is never taken: the suffix is added once
 * more. */
static pare_status name_script(pare_settings *settings, pare_error *err)
{
    pare_reduce_options *reduce = &settings->reduce;
    pare_buffer *script = &settings->script;
    pare_status status = PARE_OK;
    if (reduce->output.script_path) return PARE_OK; /* it is the result */
    if (settings->is_output_named || !reduce->input.path) {
        status = pare_buffer_text(script, reduce->output.path, err);
    } else {
        const char *base = pare_paths_base(reduce->input.path);
        /* A folder's name has no extension, whatever dots there are in it. */
        const char *dot = reduce->input.n_paths ? NULL : strrchr(base, '.');
        size_t size = strlen(reduce->input.path);
        if (dot && dot != base) size = (size_t)(dot - reduce->input.path);
        status = pare_buffer_add(script, reduce->input.path, size, err);
        if (!status) status = pare_buffer_text(script, ".min", err);
    }
    if (!status) status = pare_buffer_text(script, ".sh", err);
    /* The result of x.sh is called so. */
    if (!status && strcmp(script->data, reduce->output.path) == 0)
        status = pare_buffer_text(script, ".sh", err);
    reduce->output.script_path = script->data;
    return status;
}

/* The script is named only if a command is reduced.  "--" and the words after it are what is
 * reduced then, besides the input. */
static pare_status read_words(const pare_arguments *arguments, pare_settings *settings,
                              pare_error *err)
{
    pare_reduce_options *reduce = &settings->reduce;
    if (pare_options_given(arguments, PARE_OPT_REDUCE_ARGS))
        reduce->input.reduce_arguments = PARE_ON;
    if (pare_options_given(arguments, PARE_OPT_REDUCE_ENV))
        reduce->input.reduce_environment = PARE_ON;
    bool any =
        reduce->input.reduce_arguments == PARE_ON || reduce->input.reduce_environment == PARE_ON;
    return any ? name_script(settings, err) : PARE_OK;
}

/* After pare_settings_read, which has set what does not depend on the form of the command line:
 * the name of the output is needed here. */
pare_status pare_settings_read_program(const pare_arguments *arguments, const char *const *words,
                                       size_t n, pare_settings *settings, pare_error *err)
{
    pare_keep *keep = &settings->reduce.keep;
    settings->reduce.test.program = words;
    settings->reduce.test.n_program = n;
    keep->signal = text_of(arguments, PARE_OPT_SIGNAL);
    keep->hang_ms = number_of(arguments, PARE_OPT_HANG);
    keep->differs = text_of(arguments, PARE_OPT_DIFFERS);
    keep->max_rss_bytes = number_of(arguments, PARE_OPT_MAX_RSS);
    keep->valid = text_of(arguments, PARE_OPT_VALID);
    keep->signature_path = text_of(arguments, PARE_OPT_SIGNATURE);
    keep->message = text_of(arguments, PARE_OPT_MESSAGE);
    keep->allow_new_errors = pare_options_given(arguments, PARE_OPT_ALLOW_NEW_ERRORS);
    pare_status status = read_exit(arguments, keep, err);
    if (!status) status = read_patterns(arguments, settings, err);
    if (!status) status = check_learnt(settings, err);
    if (!status) status = read_words(arguments, settings, err);
    return status ? status : name_also(settings, err);
}
