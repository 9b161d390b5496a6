/* What the failure of a program without a script is, from the command line. */
#include <string.h>

#include <pare/keep.h>
#include <pare/reduce.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "cli/names.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "cli/table.h"

/* Options that say what a failure is; only a program without a script has them. */
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
enum { N_STREAMS = sizeof streams / sizeof *streams };

pare_status pare_settings_check_test(const pare_arguments *arguments, pare_error *err)
{
    for (size_t k = 0; k < sizeof keep_options / sizeof *keep_options; k++)
        if (arguments->values[keep_options[k]].position)
            return pare_fail(err, PARE_E_ARG,
                             "'--%s' is about a program without a test script: leave TEST out and "
                             "end the line with -- PROGRAM ARGS @@",
                             pare_option_table[keep_options[k]].name);
    return PARE_OK;
}

static pare_status read_exit(const pare_arguments *arguments, pare_keep *keep, pare_error *err)
{
    const char *text = arguments->values[PARE_OPT_EXIT].text;
    uint64_t code = 0;
    if (!text) return PARE_OK;
    keep->use_exit_code = true;
    keep->exit_code = PARE_KEEP_NONZERO;
    if (strcmp(text, "nonzero") == 0) return PARE_OK;
    if (!pare_option_read_whole(text, &code) || code > 255)
        return pare_fail(err, PARE_E_ARG, "'--exit' takes a number up to 255, or 'nonzero'");
    keep->exit_code = (int)code;
    return PARE_OK;
}

static pare_status read_patterns(const pare_arguments *arguments, pare_settings *settings,
                                 pare_error *err)
{
    pare_keep *keep = &settings->reduce.keep;
    const char **texts = pare_alloc(arguments->n_texts, sizeof *texts);
    settings->patterns = pare_alloc_zero(arguments->n_texts, sizeof *settings->patterns);
    if (!texts || !settings->patterns) {
        pare_release(texts);
        return pare_fail_nomem(err);
    }
    for (size_t k = 0; k < N_STREAMS; k++) {
        size_t n = pare_arguments_texts(arguments, streams[k].option, texts);
        for (size_t i = 0; i < n; i++)
            settings->patterns[keep->n_patterns++] =
                (pare_keep_pattern){.stream = streams[k].stream, .regex = texts[i]};
    }
    keep->patterns = settings->patterns;
    pare_release(texts);
    return PARE_OK;
}

/* A word of --keep that is a level of what is learnt, and not a glob of files. */
static bool read_level(const char *word, pare_keep_level *level)
{
    static const struct {
        const char *word;
        pare_keep_level level;
    } levels[] = {
        {"kind", PARE_KEEP_KIND}, {"message", PARE_KEEP_MESSAGE}, {"exact", PARE_KEEP_EXACT}};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        if (strcmp(word, levels[k].word) != 0) continue;
        *level = levels[k].level;
        return true;
    }
    return false;
}

void pare_settings_split_keep(pare_settings *settings)
{
    pare_reduce_options *reduce = &settings->reduce;
    size_t n = 0;
    for (size_t k = 0; k < reduce->input.n_keep_files; k++)
        if (!read_level(settings->keep[k], &reduce->keep.level))
            settings->keep[n++] = settings->keep[k];
    settings->has_level = n < reduce->input.n_keep_files;
    reduce->input.n_keep_files = n;
}

/* What is learnt has levels, what is named has none. */
static pare_status check_learnt(const pare_settings *settings, pare_error *err)
{
    const pare_keep *keep = &settings->reduce.keep;
    bool named = keep->use_exit_code || keep->signal || keep->hang_ms || keep->differs ||
                 keep->max_rss_bytes || keep->n_patterns;
    const char *option = keep->message            ? "--message"
                         : keep->allow_new_errors ? "--allow-new-errors"
                         : settings->has_level    ? "--keep"
                                                  : NULL;
    if (!named || !option) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "'%s' is about a failure that is learnt, so leave out the options that name "
                     "one",
                     option);
}

/* NAME.also beside the output. */
static pare_status name_also(pare_settings *settings, pare_error *err)
{
    const char *output = settings->output.data;
    const pare_reduce_options *reduce = &settings->reduce;
    const char *base = reduce->input.path ? reduce->input.path : reduce->input.name;
    base = pare_names_base(base);
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    size_t folder = (size_t)(pare_names_base(output) - output);
    pare_status status = pare_buffer_add(&settings->also, output, folder, err);
    if (!status) status = pare_buffer_add(&settings->also, base, stem, err);
    if (!status) status = pare_buffer_text(&settings->also, ".also", err);
    settings->reduce.output.also_dir = settings->also.data;
    return status;
}

/* NAME.min.sh, or what was named with .sh behind it: nothing that the user may have. */
static pare_status name_script(pare_settings *settings, pare_error *err)
{
    pare_reduce_options *reduce = &settings->reduce;
    pare_buffer *script = &settings->script;
    pare_status status = PARE_OK;
    if (reduce->output.script_path) return PARE_OK; /* it is the result */
    if (settings->is_output_named || !reduce->input.path) {
        status = pare_buffer_text(script, reduce->output.path, err);
    } else {
        const char *base = pare_names_base(reduce->input.path);
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

static pare_status read_words(const pare_arguments *arguments, pare_settings *settings,
                              pare_error *err)
{
    pare_reduce_options *reduce = &settings->reduce;
    if (arguments->values[PARE_OPT_REDUCE_ARGS].position) reduce->input.reduce_arguments = PARE_ON;
    if (arguments->values[PARE_OPT_REDUCE_ENV].position) reduce->input.reduce_environment = PARE_ON;
    bool any =
        reduce->input.reduce_arguments == PARE_ON || reduce->input.reduce_environment == PARE_ON;
    return any ? name_script(settings, err) : PARE_OK;
}

pare_status pare_settings_read_program(const pare_arguments *arguments, const char *const *words,
                                       size_t n, pare_settings *settings, pare_error *err)
{
    pare_keep *keep = &settings->reduce.keep;
    settings->reduce.test.program = words;
    settings->reduce.test.n_program = n;
    keep->signal = arguments->values[PARE_OPT_SIGNAL].text;
    keep->hang_ms = arguments->values[PARE_OPT_HANG].number;
    keep->differs = arguments->values[PARE_OPT_DIFFERS].text;
    keep->max_rss_bytes = arguments->values[PARE_OPT_MAX_RSS].number;
    keep->valid = arguments->values[PARE_OPT_VALID].text;
    keep->signature_path = arguments->values[PARE_OPT_SIGNATURE].text;
    keep->message = arguments->values[PARE_OPT_MESSAGE].text;
    keep->allow_new_errors = arguments->values[PARE_OPT_ALLOW_NEW_ERRORS].position != 0;
    pare_status status = read_exit(arguments, keep, err);
    if (!status) status = read_patterns(arguments, settings, err);
    if (!status) status = check_learnt(settings, err);
    if (!status) status = read_words(arguments, settings, err);
    return status ? status : name_also(settings, err);
}
