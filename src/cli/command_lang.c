/* pare lang list|add|info|remove [NAME...]
 *
 * There is one table of actions, each a function of one language.  Names are handled in order, and
 * the first failure ends the command, so that a script sees which one it was.  `list` continues
 * after a damaged language, because people call it to find out what is damaged.
 *
 * Folders, download and checks are in the library (lang/install.c, lang/packs.c); this file has the
 * words around them. */
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/pare.h>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "ui/format.h"

static const char NAME[] = "pare lang";

/* Indices of `options`, in the order of the help; the bit of this command; room for a
 * word in a message. */
enum { OPT_SYSTEM, OPT_QUIET, OPT_HELP, N_OPTS, COMMAND = 1, SHOWN_BYTES = 100 };

static const pare_option options[N_OPTS] = {
    [OPT_SYSTEM] = {"system", 0, PARE_OPTION_FLAG, COMMAND,
                    .help = "add or remove it for all users"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, COMMAND, .help = "print only errors"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all", .help = "print this help"},
};

/* What a subcommand is asked to do with one language.  One for each name; `origin` is where it
 * is added to or removed from. */
struct request {
    const char *name;
    bool quiet;
    pare_language_origin origin;
    const pare_stop *stop; /* borrowed: asked for by a signal */
};

/* A table rather than four commands: they share their options and take the same operands. */
struct action {
    const char *name;
    pare_status (*run)(const struct request *request, pare_error *err); /* NULL: list */
};

static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare lang list\n"
          "       pare lang add [--system] NAME...\n"
          "       pare lang info NAME...\n"
          "       pare lang remove [--system] NAME...\n"
          "\n"
          "Manages the languages that pare can parse; many are built in.  'add' downloads\n"
          "the parser of another language with npm, checks it against the digest that pare\n"
          "knows, compiles it and stores it in the data folder: $PARE_DATA, else\n"
          "$XDG_DATA_HOME/pare, else ~/.local/share/pare; or with --system for all users\n"
          "in /usr/local/lib/pare.  A language that is there is replaced.  'web' is not a\n"
          "language: it installs what 'pare generate --model web' needs.\n"
          "\n"
          "Languages of the user are preferred to those of the system, which are looked\n"
          "for in the folders of $PARE_LANGUAGE_PATH, else beside the program, in\n"
          "/usr/local/lib/pare and where pare was installed.\n"
          "\n"
          "    pare lang add c python\n"
          "    pare lang list\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND, extent);
    fputs("\n"
          "Exit codes: 0 done, 2 usage, 3 error, 130 stopped by a signal.\n",
          out);
}

/* --- actions ----------------------------------------------------------------------- */

/* Packages and their versions, which stand in two lists, separated by blanks: "PACKAGE
 * VERSION, PACKAGE VERSION".  A language of two packages has two versions, in the same
 * order. */
static void print_packages(const pare_language_info *info)
{
    const char *package = info->package, *version = info->version;
    for (const char *comma = ""; *package; comma = ", ") {
        size_t size = strcspn(package, " "), length = strcspn(version, " ");
        printf("%s%.*s %.*s", comma, (int)size, package, (int)length, version);
        package += size + strspn(package + size, " ");
        version += length + strspn(version + length, " ");
    }
    printf("\n");
}

/* As `list` and `info` print it. */
static const char *origin_of(const pare_language_state *state)
{
    if (!state->added) return "-";
    return state->origin == PARE_LANGUAGE_SYSTEM ? "system" : "user";
}

/* What is fetched is said before, since it goes over the network and may take a while.  What
 * is there is replaced, so that `add` is also the way to a newer version. */
static pare_status add(const struct request *request, pare_error *err)
{
    pare_language_state state = {0};
    const pare_language_info *info = pare_language_find(request->name);
    if (info && !request->quiet) {
        printf("%s: fetching ", info->name);
        print_packages(info);
        (void)fflush(stdout);
    }
    pare_status status =
        pare_language_add_until(request->name, request->origin, request->stop, err);
    if (status == PARE_OK) status = pare_language_inspect(request->name, &state, err);
    if (status == PARE_OK && !request->quiet)
        printf("%s: added in %s\n", info ? info->name : request->name, state.path);
    return status;
}

/* `remove`.  A language may have been added twice, for the user and for all: then the
 * other one is used from now on, which is said. */
static pare_status discard(const struct request *request, pare_error *err)
{
    pare_status status = pare_language_remove_for(request->name, request->origin, err);
    pare_language_state state = {0};
    if (status != PARE_OK || request->quiet) return status;
    bool left = pare_language_inspect(request->name, &state, NULL) == PARE_OK && state.added;
    printf("%s: removed%s%s\n", request->name, left ? "; used now is " : "",
           left ? state.path : "");
    return PARE_OK;
}

/* `info`: what is known of the language whether it was added or not, then what was added. */
static pare_status describe(const struct request *request, pare_error *err)
{
    pare_language_state state = {0};
    pare_status status = pare_language_inspect(request->name, &state, err);
    const pare_language_info *info = pare_language_find(request->name);
    if (status != PARE_OK || !info) return status;
    printf("name        %s\n", info->name);
    if (*info->aliases) printf("aliases     %s\n", info->aliases);
    if (info->is_model)
        printf("use         pare generate --model %s\n", info->name);
    else
        printf("extensions  %s\n", info->extensions);
    printf("package     ");
    print_packages(info);
    if (!state.added) {
        printf("added       no: 'pare lang add %s' adds it\n", info->name);
        return PARE_OK;
    }
    printf("added       %s%s\n", state.version, state.up_to_date ? "" : ", not the version above");
    printf("%-11s version %u\n", info->is_model ? "form" : "tables", state.abi);
    if (info->is_model)
        printf("licence     %s, as the packages' package.json say; they have no licence file\n",
               state.licence);
    printf("from        %s\n", origin_of(&state));
    printf("folder      %s\n", state.path);
    return PARE_OK;
}

/* `list`: all languages that there are packages for, with what is known of each on this
 * machine.  A damaged one is listed as unreadable; what else can go wrong, such as a
 * lack of memory, would go wrong for all. */
static pare_status list(pare_error *err)
{
    const pare_language_info *info;
    printf("%-15s %-9s %-10s %-7s %s\n", "LANGUAGE", "VERSION", "ADDED", "FROM", "EXTENSIONS");
    for (size_t i = 0; (info = pare_language_at(i)) != NULL; i++) {
        pare_language_state state = {0};
        pare_error own = {0};
        pare_status status = pare_language_inspect(info->name, &state, &own);
        /* One damaged language does not hide the others. */
        bool unreadable = status == PARE_E_CORRUPT || status == PARE_E_IO;
        if (status != PARE_OK && !unreadable) {
            if (err) *err = own;
            return status;
        }
        const char *added = unreadable ? "unreadable" : state.added ? state.version : "-";
        /* Of a model the first package's versions. */
        printf("%-15s %-9.*s %-10.*s %-7s %s\n", info->name, (int)strcspn(info->version, " "),
               info->version, (int)strcspn(added, " "), added, origin_of(&state),
               info->is_model ? "(a model for pare generate)" : info->extensions);
    }
    return PARE_OK;
}

/* `list` takes no names, so it has no function for one. */
static const struct action actions[] = {
    {"list", NULL}, {"add", add}, {"info", describe}, {"remove", discard}};

enum { N_ACTIONS = sizeof actions / sizeof *actions };

/* --- the command line -------------------------------------------------------------- */

/* NULL when there is none. */
static const struct action *find_action(const char *word)
{
    for (size_t i = 0; i < N_ACTIONS; i++) {
        if (strcmp(actions[i].name, word) == 0) return &actions[i];
    }
    return NULL;
}

/* Here a language or a program that is missing is an error like any other.  Standard output is
 * flushed first, so that the two streams come in the order in which things happened, where
 * both are a terminal. */
static pare_exit fail(const pare_error *err)
{
    (void)fflush(stdout);
    pare_report_error(NAME, err);
    return err->status == PARE_E_STATE ? PARE_EXIT_ERROR : pare_report_exit(err->status);
}

/* No action, or none of this name.  The action is the first operand and not an option, so a
 * wrong one is told of here and not by the parser. */
static pare_exit usage(const pare_arguments *arguments)
{
    char shown[SHOWN_BYTES], hint[PARE_NEAREST_HINT_BYTES];
    if (arguments->n_operands == 0) {
        pare_report(NAME, "an action is missing: pare lang list, or pare lang add NAME");
        return PARE_EXIT_USAGE;
    }
    const char *word = arguments->operands[0];
    pare_nearest nearest = pare_nearest_of(word);
    for (size_t i = 0; i < N_ACTIONS; i++)
        pare_nearest_offer(&nearest, actions[i].name);
    pare_nearest_hint(&nearest, "", hint);
    pare_report(NAME, "unknown action '%s'%s", pare_format_name(shown, sizeof shown, word),
                *hint ? hint : ": use add, list, info or remove");
    return PARE_EXIT_USAGE;
}

/* Whether names and options fit the action; says so if they do not.  `info` and `list` look at
 * both places, so --system would mean nothing to them. */
static bool check_words(const struct action *action, const pare_arguments *arguments)
{
    bool has_names = arguments->n_operands > 1;
    if (arguments->values[OPT_SYSTEM].position && (!action->run || action->run == describe)) {
        pare_report(NAME, "'%s' takes no '--system', which is for add and remove", action->name);
        return false;
    }
    if (has_names == (action->run != NULL)) return true;
    pare_report(NAME, has_names ? "'%s' takes no name" : "a name is missing: pare lang %s NAME",
                action->name);
    return false;
}

/* What an administrator adds is for others to read, even if their umask keeps their own files
 * from them. 022: readable and executable by all, writable by the owner. */
static pare_language_origin choose_origin(const pare_arguments *arguments)
{
    bool system = arguments->values[OPT_SYSTEM].position != 0;
    if (system || geteuid() == 0) (void)umask(022);
    return system ? PARE_LANGUAGE_SYSTEM : PARE_LANGUAGE_USER;
}

/* Stops at the first language that fails.  Names after the one that failed are not looked at;
 * those before it stay added. */
static pare_exit run_action(const struct action *action, const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_stop *stop = NULL;
    pare_status status = action->run ? pare_stop_new(&stop, &err) : list(&err);
    const pare_language_origin origin = choose_origin(arguments);
    /* A signal ends what is being made with all that it runs, and leaves nothing of it. */
    if (stop) pare_signals_take(stop);
    for (size_t i = 1; status == PARE_OK && i < arguments->n_operands; i++) {
        const struct request request = {.name = arguments->operands[i],
                                        .quiet = arguments->values[OPT_QUIET].position != 0,
                                        .origin = origin,
                                        .stop = stop};
        /* Descriptions of several lines need an empty one between them. */
        if (i > 1 && action->run == describe) printf("\n");
        status = action->run(&request, &err);
    }
    if (stop) pare_signals_leave();
    pare_stop_free(stop);
    return status == PARE_OK ? pare_report_printed(NAME) : fail(&err);
}

/* The first operand is the action, the others are names. */
static pare_exit run(const pare_arguments *arguments)
{
    const struct action *action =
        arguments->n_operands > 0 ? find_action(arguments->operands[0]) : NULL;
    if (!action) return usage(arguments);
    return check_words(action, arguments) ? run_action(action, arguments) : PARE_EXIT_USAGE;
}

const pare_command pare_command_lang = {
    .title = NAME,
    .name = "lang",
    .summary = "manage the languages that pare can parse",
    .options = {options, N_OPTS, COMMAND},
    .help = print_help,
    .run = run,
};
