/* Contenders: "ddmin/line,char --subsets skip --order backward --no-cache".
 *
 * The first word names algorithms and units; the words after it are options of pare reduce that an
 * experiment may want to vary, read by the option parser of the commands from a table of their own.
 * Words are separated by blanks; there is no quoting, as no value here holds one.
 *
 * Invariant: what is not said is the library's default, but for the seed, which is the repeat's: with
 * --seed N the first repeat has N, the second N + 1, and so on.
 * Tested by tests/unit/test_contender.c. */
#include <string.h>

#include <pare/algorithm.h>
#include <pare/reduce.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "cli/options.h"
#include "shootout/shootout.h"
#include "shootout/suite.h"

enum {
    OPT_SUBSETS,
    OPT_ORDER,
    OPT_SPLIT,
    OPT_GRANULARITY,
    OPT_FIXPOINT,
    OPT_NO_FIXPOINT,
    OPT_SEED,
    OPT_TRANSFORM,
    OPT_LIST_ALGORITHM,
    OPT_PHASE,
    OPT_EFFORT,
    OPT_NO_CACHE,
    OPT_DETERMINISTIC,
    OPT_JOBS,
    N_OPTS
};
enum { COMMAND = 1, MOST_WORDS = 64 };

/* As in pare reduce, in the order of the enums of the library. */
static const pare_option options[N_OPTS] = {
    [OPT_SUBSETS] = {"subsets", 0, PARE_OPTION_CHOICE, COMMAND, .value = "first|last|skip"},
    [OPT_ORDER] = {"order", 0, PARE_OPTION_CHOICE, COMMAND, .value = "forward|backward|random"},
    [OPT_SPLIT] = {"split", 0, PARE_OPTION_CHOICE, COMMAND, .value = "zeller|balanced"},
    [OPT_GRANULARITY] = {"granularity", 0, PARE_OPTION_WHOLE, COMMAND, "N|inf", 2, INT64_MAX,
                         .word = "inf"},
    [OPT_FIXPOINT] = {"fixpoint", 0, PARE_OPTION_FLAG, COMMAND},
    [OPT_NO_FIXPOINT] = {"no-fixpoint", 0, PARE_OPTION_FLAG, COMMAND},
    [OPT_SEED] = {"seed", 0, PARE_OPTION_WHOLE, COMMAND, "N", 0, UINT32_MAX},
    [OPT_TRANSFORM] = {"transform", 0, PARE_OPTION_TEXT, COMMAND, "LIST"},
    [OPT_LIST_ALGORITHM] = {"list-algorithm", 0, PARE_OPTION_TEXT, COMMAND, "NAME"},
    [OPT_PHASE] = {"phase", 0, PARE_OPTION_TEXTS, COMMAND, "STEPS"},
    [OPT_EFFORT] = {"effort", 0, PARE_OPTION_CHOICE, COMMAND, .value = "normal|fast|max"},
    [OPT_NO_CACHE] = {"no-cache", 0, PARE_OPTION_FLAG, COMMAND},
    [OPT_DETERMINISTIC] = {"deterministic", 0, PARE_OPTION_FLAG, COMMAND},
    [OPT_JOBS] = {"jobs", 'j', PARE_OPTION_WHOLE, COMMAND, "N", 1, 1024},
};

void pare_contender_done(pare_contender *contender)
{
    pare_options_done(&contender->arguments);
    pare_alloc_free(contender->text);
    pare_alloc_free(contender->phases);
    *contender = (pare_contender){.text = NULL};
}

/* By the library's own tables, so that a new algorithm takes part by being there. */
static bool is_algorithm(const char *name, size_t size)
{
    const pare_algorithm_info *algorithm;
    for (size_t i = 0; (algorithm = pare_algorithm_at(i)) != NULL; i++)
        if (strlen(algorithm->name) == size && !memcmp(algorithm->name, name, size)) return true;
    return false;
}

static bool is_unit(const char *name, size_t size)
{
    const pare_unit_info *unit;
    for (size_t i = 0; (unit = pare_unit_at(i)) != NULL; i++)
        if (strlen(unit->name) == size && !memcmp(unit->name, name, size)) return true;
    return false;
}

/* Finds out now what pare_reduce would not understand in each run. */
static pare_status check_names(const char *text, const char *whole, pare_error *err)
{
    const char *at = text;
    bool units = false;
    for (;;) {
        const size_t size = strcspn(at, units ? "," : ",/");
        if (!(units ? is_unit(at, size) : is_algorithm(at, size)))
            return pare_fail(err, PARE_E_ARG, "unknown %s '%.*s' in '%s'",
                             units ? "unit" : "algorithm", (int)size, at, whole);
        units = units || at[size] == '/';
        if (!at[size]) return PARE_OK;
        at += size + 1;
    }
}

static pare_status read_words(pare_contender *contender, const char *text, pare_error *err)
{
    static const pare_option_set set = {options, N_OPTS, COMMAND};
    char *words[MOST_WORDS];
    int n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(contender->text, " \t", &rest); word;
         word = strtok_r(NULL, " \t", &rest)) {
        if (n == MOST_WORDS)
            return pare_fail(err, PARE_E_ARG, "there are too many words in '%s'", text);
        words[n++] = word;
    }
    if (!n) return pare_fail(err, PARE_E_ARG, "an algorithm is missing");
    contender->algorithms = words[0];
    pare_status status = check_names(words[0], text, err);
    if (!status) status = pare_options_parse(&set, n - 1, words + 1, &contender->arguments, err);
    if (status) return status;
    if (contender->arguments.n_operands)
        return pare_fail(err, PARE_E_ARG, "'%s' is no option in '%s'",
                         contender->arguments.operands[0], text);
    char *slash = strchr(words[0], '/');
    if (slash) *slash = '\0';
    contender->units = slash ? slash + 1 : NULL;
    return PARE_OK;
}

pare_status pare_contender_read(const char *text, pare_contender *contender, pare_error *err)
{
    *contender = (pare_contender){.text = NULL};
    pare_status status = pare_suite_copy(text, &contender->text, err);
    if (!status) status = read_words(contender, text, err);
    if (!status && contender->arguments.n_texts) {
        contender->phases = pare_alloc(contender->arguments.n_texts, sizeof *contender->phases);
        if (!contender->phases) status = pare_fail_nomem(err);
    }
    if (status) pare_contender_done(contender);
    return status;
}

/* Of a choice that was not given: 0, the default; else the enumerator of its word. */
static unsigned choice(const pare_contender *contender, size_t option)
{
    const pare_option_value *value = &contender->arguments.values[option];
    return value->position ? (unsigned)value->number + 1 : 0;
}

void pare_contender_apply(const pare_contender *contender, unsigned repeat,
                          pare_reduce_options *reduce)
{
    const pare_option_value *values = contender->arguments.values;
    const size_t on = values[OPT_FIXPOINT].position, off = values[OPT_NO_FIXPOINT].position;
    reduce->algorithms = contender->algorithms;
    reduce->units = contender->units;
    reduce->lists.subsets = (pare_subsets)choice(contender, OPT_SUBSETS);
    reduce->lists.order = (pare_order)choice(contender, OPT_ORDER);
    reduce->lists.split = (pare_split)choice(contender, OPT_SPLIT);
    reduce->lists.granularity = (size_t)values[OPT_GRANULARITY].number;
    reduce->lists.seed = values[OPT_SEED].number + repeat;
    if (on != off) reduce->lists.fixpoint = on > off ? PARE_FIXPOINT_ON : PARE_FIXPOINT_OFF;
    reduce->trees.transforms = values[OPT_TRANSFORM].text;
    reduce->trees.list = values[OPT_LIST_ALGORITHM].text;
    reduce->trees.n_phases =
        pare_options_texts(&contender->arguments, OPT_PHASE, contender->phases);
    reduce->trees.phases = contender->phases;
    reduce->effort = (pare_effort)values[OPT_EFFORT].number;
    if (values[OPT_NO_CACHE].position) reduce->limits.cache = PARE_OFF;
    if (values[OPT_DETERMINISTIC].position) reduce->limits.deterministic = PARE_ON;
    if (values[OPT_JOBS].position) reduce->limits.jobs = (unsigned)values[OPT_JOBS].number;
}
