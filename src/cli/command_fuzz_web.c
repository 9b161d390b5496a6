/* pare fuzz web [--store FILE] [--listen ADDRESS:PORT] [--token-file FILE]
 *
 * Shows a campaign in a browser until it is stopped.  The first line on standard output is the
 * address with the token.  Whoever has it may change the store, so it is shown only to the user who
 * started the command.  A token that comes from a file is not printed.  A signal is the normal way
 * to end the command, not a failure. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <pare/stop.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "cli/store_choice.h"
#include "ui/fuzz_web.h"

static const char WEB[] = "pare fuzz web";

/* Indices of `options`, in the order of the help. */
enum {
    OPT_STORE,
    OPT_LISTEN,
    OPT_TOKEN_FILE,
    OPT_HOST,
    OPT_READ_ONLY,
    OPT_PATIENCE,
    OPT_HELP,
    N_OPTS
};
/* One bit, since there is a single command; room for a token, of which 16 characters
 * are enough. */
enum { COMMAND = 1, TOKEN_BYTES = 256 };

static const pare_option options[N_OPTS] = {
    [OPT_STORE] = {"store", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE",
                   .help = "the store; default: the NAME.pare.db in the current folder"},
    [OPT_LISTEN] = {"listen", 'l', PARE_OPTION_TEXT, COMMAND, .value = "ADDRESS:PORT",
                    .help = "where to listen; default 127.0.0.1:7273; port 0 takes a free one; "
                            "an address that others can reach needs --token-file"},
    [OPT_TOKEN_FILE] = {"token-file", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE",
                        .help = "take the token (at least 16 letters or digits) from FILE, instead "
                                "of making and printing one"},
    [OPT_HOST] = {"host", 0, PARE_OPTION_TEXTS, COMMAND, .value = "NAME",
                  .help = "a host name that browsers may use, besides addresses and localhost; "
                          "may be repeated"},
    [OPT_READ_ONLY] = {"read-only", 0, PARE_OPTION_FLAG, COMMAND, .help = "refuse all changes"},
    [OPT_PATIENCE] = {"patience", 0, PARE_OPTION_TIME, COMMAND, .value = "SECONDS",
                      .help = "time limit for a request and its answer; default 30"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all", .help = "print this help"},
};

/* What it is for, who may reach it, and how it ends; the rest is in the options. */
static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz web [--store FILE] [--listen ADDRESS:PORT]\n"
          "\n"
          "Shows a campaign in a browser, whether or not 'pare fuzz run' is running:\n"
          "findings, jobs, and what each source has achieved.  Prints the address to open.\n"
          "With the token in it, findings can be marked, merged, reduced and reported;\n"
          "without it, they can only be read.  The same data is available as JSON under\n"
          "/api/v1/. Only this machine can reach the server, unless --listen says\n"
          "otherwise.  Stop it with Ctrl-C.\n"
          "\n"
          "    pare fuzz web --store jq.pare.db\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND, extent);
    fputs("\nExit codes: 0 it was stopped, 2 usage, 3 error.\n", out);
}

/* The token of a file: its first line, without its end.  A file is used so that no
 * other user sees it among the words of processes. */
static pare_status read_token(const char *path, char token[static TOKEN_BYTES], pare_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file) return pare_fail_errno(err, errno, "cannot read %s", path);
    bool has_line = fgets(token, TOKEN_BYTES, file) != NULL;
    (void)fclose(file);
    if (!has_line) return pare_fail(err, PARE_E_ARG, "%s contains no token", path);
    token[strcspn(token, "\r\n")] = '\0';
    return PARE_OK;
}

/* Where to look: the only thing that it prints, and at once. */
static void print_address(const pare_fuzz_web *web, bool with_token)
{
    char url[PARE_FUZZ_WEB_URL_BYTES];
    printf("%s\n", pare_fuzz_web_address(
                       web, with_token ? PARE_FUZZ_WEB_URL_TOKEN : PARE_FUZZ_WEB_URL_PLAIN, url));
    (void)fflush(stdout);
    /* It is told after the address, and on standard error, so a script that reads the
     * address is not disturbed. */
    if (!pare_fuzz_web_is_loopback(web))
        pare_report(WEB, "other machines can reach this address, and the traffic is not encrypted");
}

/* From the address to the end. */
static pare_status serve(const pare_fuzz_web_options *wanted, bool with_token, pare_stop *stop,
                         pare_error *err)
{
    pare_fuzz_web *web = NULL;
    /* The port is open when this returns, so the address is true when it is printed. */
    pare_status status = pare_fuzz_web_start(wanted, &web, err);
    if (!status) {
        print_address(web, with_token);
        status = pare_fuzz_web_run(web, stop, err);
    }
    pare_fuzz_web_free(web);
    return status;
}

/* Serves until a signal.  Signals are taken before anything is opened, so that none of
 * them leaves it half open. */
static pare_status serve_stoppable(const pare_fuzz_web_options *wanted, bool with_token,
                                   pare_error *err)
{
    pare_stop *stop = NULL;
    pare_status status = pare_stop_new(&stop, err);
    if (status) return status;
    pare_signals_take(stop);
    status = serve(wanted, with_token, stop, err);
    pare_signals_leave();
    pare_stop_free(stop);
    return status;
}

/* A token from a file is one that the user has chosen to keep: it is not printed. */
static pare_exit run(const pare_arguments *arguments)
{
    pare_error err = {0};
    char token[TOKEN_BYTES] = "", *store = NULL;
    const char *token_file = arguments->values[OPT_TOKEN_FILE].text;
    /* One more than there are names, so that a list of none has an address. */
    const char **hosts = pare_alloc(arguments->n_texts + 1, sizeof *hosts);
    pare_status status = hosts ? PARE_OK : pare_fail_nomem(&err);
    if (!status) status = pare_store_choice_read(arguments, OPT_STORE, &store, &err);
    if (!status && token_file) status = read_token(token_file, token, &err);
    if (!status) {
        const pare_fuzz_web_options wanted = {
            .store_path = store,
            /* NULL, where nothing was said, leaves the address to the server, which
             * knows its default. */
            .listen = arguments->values[OPT_LISTEN].text,
            .token = token_file ? token : NULL,
            .hosts = hosts,
            .n_hosts = pare_options_texts(arguments, OPT_HOST, hosts),
            .is_read_only = arguments->values[OPT_READ_ONLY].position != 0,
            .patience_ms = (unsigned)arguments->values[OPT_PATIENCE].number};
        status = serve_stoppable(&wanted, !token_file, &err);
    }
    pare_alloc_free(store);
    pare_alloc_free(hosts);
    return status ? pare_report_failure(WEB, &err) : PARE_EXIT_DONE;
}

const pare_command pare_command_fuzz_web = {
    .title = WEB,
    .name = "web",
    .summary = "show a campaign in a browser",
    .options = {options, N_OPTS, COMMAND},
    .help = print_help,
    .run = run,
};
