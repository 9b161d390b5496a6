/* The options of pare fuzz run, check and ci, and the campaign that they are about.
 *
 * A campaign is given as files, or as a source and a program after "--"; both lead to the same
 * configuration.  All words after "--" belong to the program, so --from is not read there but,
 * where no source was given before, refused: the program may have an option of that name. */
#include "cli/fuzz_campaign.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "cli/report.h"

/* All three commands read the same campaigns.  Options about how long it runs are those
 * of one command each. */
enum { ANY = PARE_FUZZ_CHECK | PARE_FUZZ_RUN | PARE_FUZZ_CI };
static const char ELSEWHERE[] = "tests on other machines";

const pare_option pare_fuzz_campaign_options[PARE_FUZZ_N_OPTS] = {
    [PARE_FUZZ_OPT_SET] = {"set", 'D', PARE_OPTION_TEXTS, ANY, .value = "SECTION:OPTION=VALUE",
                           .help = "set an option, overriding the file; may be repeated"},
    [PARE_FUZZ_OPT_FROM] =
        {"from", 0, PARE_OPTION_TEXT, ANY, .value = "SOURCE",
         .help = "without a file: grammar:FILE, lang:NAME, graph:FILE, graph, model:NAME, "
                 "mutation:PATH (your files, changed), folder:GLOB (as they are), command:CMD, "
                 "prints:CMD, afl:SEEDS, libfuzzer:BINARY, random"},
    [PARE_FUZZ_OPT_FROM_GRAMMAR] = {"from-grammar", 0, PARE_OPTION_TEXT, ANY, .value = "FILE",
                                    .help = "the same as --from grammar:FILE"},
    [PARE_FUZZ_OPT_FROM_LANG] = {"from-lang", 0, PARE_OPTION_TEXT, ANY, .value = "NAME",
                                 .help = "the same as --from lang:NAME"},
    [PARE_FUZZ_OPT_FROM_GRAPH] = {"from-graph", 0, PARE_OPTION_TEXT, ANY, .value = "FILE",
                                  .help = "the same as --from graph:FILE"},
    [PARE_FUZZ_OPT_STORE] =
        {"store", 0, PARE_OPTION_TEXT, ANY, .value = "FILE",
         .help = "file for the findings; default: NAME.pare.db beside the file, or in "
                 "the current folder"},
    [PARE_FUZZ_OPT_JOBS] = {"jobs", 'j', PARE_OPTION_WHOLE, PARE_FUZZ_RUN | PARE_FUZZ_CI,
                            .value = "N", .least = 1, .most = 1024,
                            .help = "slots that jobs share; default: the file's, or the number of "
                                    "processors"},
    [PARE_FUZZ_OPT_WORKERS] = {"workers", 0, PARE_OPTION_TEXT, ANY, .value = "URL",
                               .help = "also run tests on the workers of a NATS server: "
                                       "nats://HOST[:PORT][/NAME], see pare-worker(1)",
                               .group = ELSEWHERE},
    [PARE_FUZZ_OPT_WITH] = {"with", 0, PARE_OPTION_TEXTS, ANY, .value = "FILE",
                            .help =
                                "a further file that workers need, besides those that the commands "
                                "name; may be repeated",
                            .group = ELSEWHERE},
    [PARE_FUZZ_OPT_CREDENTIALS] = {"credentials", 0, PARE_OPTION_TEXT, ANY, .value = "FILE",
                                   .help = "file with our credentials for the server of --workers",
                                   .group = ELSEWHERE},
    [PARE_FUZZ_OPT_INSECURE] =
        {"insecure", 0, PARE_OPTION_FLAG, ANY,
         .help = "use --workers without credentials even if the server is another "
                 "machine",
         .group = ELSEWHERE},
    [PARE_FUZZ_OPT_MAX_TIME] =
        {"max-time", 0, PARE_OPTION_TIME, PARE_FUZZ_RUN, .value = "TIME",
         .help = "end after this time, such as 90, 10m or 8h; default: when it is "
                 "stopped, or all sources are exhausted"},
    [PARE_FUZZ_OPT_MAX_TESTS] = {"max-tests", 0, PARE_OPTION_WHOLE, PARE_FUZZ_RUN, .value = "N",
                                 .least = 1, .most = INT64_MAX,
                                 .help = "end after this many tests"},
    [PARE_FUZZ_OPT_FINISH] = {"finish", 0, PARE_OPTION_FLAG, PARE_FUZZ_RUN,
                              .help = "at the end, wait for reductions and validations"},
    [PARE_FUZZ_OPT_MINUTES] = {"minutes", 0, PARE_OPTION_WHOLE, PARE_FUZZ_CI, .value = "N",
                               .least = 1, .most = 1000000,
                               .help = "how many minutes to run; default: the file's, or 10"},
    [PARE_FUZZ_OPT_SARIF] = {"sarif", 0, PARE_OPTION_TEXT, PARE_FUZZ_CI, .value = "FILE",
                             .help = "write the findings as SARIF"},
    [PARE_FUZZ_OPT_JUNIT] = {"junit", 0, PARE_OPTION_TEXT, PARE_FUZZ_CI, .value = "FILE",
                             .help = "write the findings as JUnit XML"},
    [PARE_FUZZ_OPT_ALL] = {"all", 'a', PARE_OPTION_FLAG, PARE_FUZZ_CHECK,
                           .help = "also print options that are not set, with their defaults"},
    [PARE_FUZZ_OPT_NO_RUN] = {"no-run", 'n', PARE_OPTION_FLAG, PARE_FUZZ_CHECK,
                              .help = "only print, do not try"},
    [PARE_FUZZ_OPT_VERBOSE] = {"verbose", 'v', PARE_OPTION_FLAG, PARE_FUZZ_RUN | PARE_FUZZ_CI,
                               .help = "also report when jobs start and end"},
    [PARE_FUZZ_OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, PARE_FUZZ_RUN | PARE_FUZZ_CI,
                             .help = "report only problems"},
    [PARE_FUZZ_OPT_COLOR] = {"color", 0, PARE_OPTION_CHOICE, PARE_FUZZ_RUN | PARE_FUZZ_CI,
                             .value = "auto|always|never", .help = "colours; default auto"},
    [PARE_FUZZ_OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, ANY, .word = "all",
                            .help = "print this help"},
};

/* Words after "--" are a program. */
bool pare_fuzz_campaign_is_line(const pare_arguments *arguments)
{
    return arguments->n_operands > arguments->n_before_dashes;
}

/* What --from and its like say, as one text in *from: --from-lang js becomes "lang:js";
 * "" when none of them is given. */
static pare_status read_from(const pare_arguments *arguments, pare_buffer *from, pare_error *err)
{
    static const struct {
        enum pare_fuzz_option option;
        const char *kind;
    } spellings[] = {{PARE_FUZZ_OPT_FROM, ""},
                     {PARE_FUZZ_OPT_FROM_GRAMMAR, "grammar:"},
                     {PARE_FUZZ_OPT_FROM_LANG, "lang:"},
                     {PARE_FUZZ_OPT_FROM_GRAPH, "graph:"}};
    pare_status status = pare_buffer_text(from, "", err);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings && !status; i++) {
        /* Given twice, the last one counts, as for any other option of one text. */
        if (!pare_options_given(arguments, spellings[i].option)) continue;
        if (from->size)
            return pare_fail(
                err, PARE_E_ARG,
                "give only one of --from, --from-grammar, --from-lang and --from-graph");
        status = pare_buffer_text(from, spellings[i].kind, err);
        if (!status)
            status = pare_buffer_text(from, arguments->values[spellings[i].option].text, err);
    }
    return status;
}

/* Texts of the settings of [campaign] that options stand for,
 * "campaign:workers=nats://...": the list of settings points to them until the campaign
 * is read. */
struct workers {
    pare_buffer url, credentials, with;
};

/* Appends a word of a list, after a blank: in apostrophes, as a shell reads it back, so
 * that it may hold any character: it's becomes 'it'\''s'. */
static pare_status add_word(pare_buffer *to, const char *word, pare_error *err)
{
    pare_status status = pare_buffer_text(to, " '", err);
    for (; *word && !status; word++)
        status =
            *word == '\'' ? pare_buffer_text(to, "'\\''", err) : pare_buffer_add(to, word, 1, err);
    return status ? status : pare_buffer_text(to, "'", err);
}

/* --workers and its like are options of [campaign], which jobs read from the store.  Appends them to
 * `settings`, which has room for N_WORKERS. */
static pare_status set_workers(const pare_arguments *arguments, struct workers *room,
                               const char **settings, size_t *n, pare_error *err)
{
    const char *url = arguments->values[PARE_FUZZ_OPT_WORKERS].text;
    const char *credentials = arguments->values[PARE_FUZZ_OPT_CREDENTIALS].text;
    pare_status status = PARE_OK;
    if (url) {
        status = pare_buffer_format(&room->url, err, "campaign:workers=%s", url);
        settings[(*n)++] = room->url.data;
    }
    if (!status && credentials) {
        status =
            pare_buffer_format(&room->credentials, err, "campaign:credentials=%s", credentials);
        settings[(*n)++] = room->credentials.data;
    }
    if (pare_options_given(arguments, PARE_FUZZ_OPT_INSECURE))
        settings[(*n)++] = "campaign:insecure=yes";
    if (!status && pare_options_given(arguments, PARE_FUZZ_OPT_WITH))
        status = pare_buffer_text(&room->with, "campaign:with=", err);
    /* All files are one setting, a list of words. */
    for (size_t i = 0; i < arguments->n_texts && !status; i++)
        if (arguments->texts[i].option == PARE_FUZZ_OPT_WITH)
            status = add_word(&room->with, arguments->texts[i].text, err);
    if (room->with.size) settings[(*n)++] = room->with.data;
    return status;
}

/* Refuses what is for --workers where neither an option nor the file asks for any.
 * Known only when the file was read. */
static pare_status check_workers(const pare_arguments *arguments, const pare_campaign *campaign,
                                 pare_error *err)
{
    static const enum pare_fuzz_option others[] = {PARE_FUZZ_OPT_WITH, PARE_FUZZ_OPT_CREDENTIALS,
                                                   PARE_FUZZ_OPT_INSECURE};
    const pare_campaign_setting *setting;
    /* What the campaign says of itself includes what our own options have set. */
    for (size_t i = 0; (setting = pare_campaign_setting_at(campaign, i)) != NULL; i++)
        if (!strcmp(setting->section, "campaign") && !strcmp(setting->option, "workers") &&
            *setting->value)
            return PARE_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (pare_options_given(arguments, others[i]))
            return pare_fail(err, PARE_E_ARG, "'--%s' needs '--workers'",
                             pare_fuzz_campaign_options[others[i]].name);
    return PARE_OK;
}

/* Refuses an option of ours among the program's words, where it would be the program's:
 * most likely it was meant for us.  Only --from and its like are looked for, which begin alike. */
static pare_status check_words(const pare_arguments *arguments, pare_error *err)
{
    for (size_t i = arguments->n_before_dashes; i < arguments->n_operands; i++)
        if (!strncmp(arguments->operands[i], "--from", 6))
            return pare_fail(
                err, PARE_E_ARG,
                "'%s' comes after '--', where everything belongs to the program: put it before",
                arguments->operands[i]);
    return PARE_OK;
}

/* Reads a campaign without a file again with what its target complains of at every
 * start, so that this is in the file that it stands for.  `settings` has room for one
 * more.
 * A target that cannot be run has no noise; it is told of when it is tried, or run.
 * After a failure *campaign is NULL. */
static pare_status read_without_noise(pare_campaign_options *wanted, const char **settings,
                                      pare_campaign **campaign, pare_error *err)
{
    char *noise = NULL;
    pare_campaign *first = *campaign;
    /* Why there was none is not looked at: what is wrong with the target is told when
     * it is run. */
    pare_status status = pare_campaign_noise(first, &noise, NULL);
    if (status == PARE_E_NOMEM) {
        *campaign = NULL;
        pare_campaign_free(first);
        return pare_fail_nomem(err);
    }
    if (status || !noise) return PARE_OK;
    *campaign = NULL;
    pare_campaign_free(first);
    settings[wanted->n_settings++] = noise;
    status = pare_campaign_read(wanted, campaign, err);
    pare_alloc_free(noise);
    return status;
}

/* Reads the campaign of a command line: its files, or --from with a program, then -D. With --from
 * the target is run once to learn its noise (noise.c), unless it must not be run; the result is in
 * the settings, so that it is written into the file that stands for the command line. */
pare_status pare_fuzz_campaign_read(const pare_arguments *arguments, pare_campaign **campaign,
                                    pare_error *err)
{
    size_t n_files = arguments->n_before_dashes;
    enum { N_WORKERS = 4 };
    pare_buffer from = {0};
    struct workers workers = {0};
    /* Room for what -D gives, the settings of set_workers, and the noise. */
    const char **settings = pare_alloc(arguments->n_texts + N_WORKERS + 2, sizeof *settings);
    pare_status status = settings ? read_from(arguments, &from, err) : pare_fail_nomem(err);
    if (!status && !from.size) status = check_words(arguments, err);
    if (!status && !n_files && !from.size && arguments->n_operands == n_files)
        status = pare_fail(err, PARE_E_ARG,
                           "the campaign is missing: FILE.ini, or --from SOURCE -- PROGRAM @@");
    if (!status) {
        pare_campaign_options wanted = {
            .paths = arguments->operands,
            .n_paths = n_files,
            .settings = settings,
            .n_settings = pare_options_texts(arguments, PARE_FUZZ_OPT_SET, settings),
            .from = from.size ? from.data : NULL,
            .program = arguments->operands + n_files,
            .n_program = arguments->n_operands - n_files,
            .store = arguments->values[PARE_FUZZ_OPT_STORE].text};
        status = set_workers(arguments, &workers, settings, &wanted.n_settings, err);
        if (!status) status = pare_campaign_read(&wanted, campaign, err);
        bool runs = !pare_options_given(arguments, PARE_FUZZ_OPT_NO_RUN);
        if (!status && from.size && runs)
            status = read_without_noise(&wanted, settings, campaign, err);
    }
    if (!status && check_workers(arguments, *campaign, err)) {
        status = PARE_E_ARG;
        pare_campaign_free(*campaign);
        *campaign = NULL;
    }
    pare_buffer_done(&from);
    pare_buffer_done(&workers.url);
    pare_buffer_done(&workers.credentials);
    pare_buffer_done(&workers.with);
    pare_alloc_free(settings);
    return status;
}

/* Called for each trouble; the context is the name of the command. */
static void tell_trouble(void *context, const char *sentence)
{
    const char *command = context;
    pare_report(command, "%s", sentence);
}

/* The name of the command is the context of the callback, which is not constant by its
 * type. */
pare_status pare_fuzz_campaign_try(const char *command, const pare_campaign *campaign,
                                   size_t *n_wrong, pare_error *err)
{
    return pare_campaign_try(campaign, tell_trouble, (void *)(uintptr_t)command, n_wrong, err);
}
