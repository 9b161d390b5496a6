/* Failures that the sandbox makes, told by what the program says.
 *
 * The C library has one sentence for each error of the system, and most programs print it as it is; name
 * look-ups and connections have a few more.  In a full sandbox these are more likely its doing than the
 * input's: the user, who has seen another failure, is told what to allow.  A program that says the same by
 * hand is rare, and is kept by asking for the sandbox by name.
 *
 * Why not another run without the sandbox, which would settle it: nothing that was not asked for runs outside.
 *
 * What is advised is as little as helps: the folder of a socket that the line names, the network, and where neither
 * is meant, no sandbox but for the devices, which a program run by root could remove. */
#include "session/test/sandbox_fault.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/file.h"
#include "run/command.h"
#include "run/diagnostic_text.h"
#include "session/test/command_fault.h"

/* What a line says that is about a wall: a privilege or a file, the network, a connection of whatever kind. */
enum wall { WALL_NONE, WALL_SYSTEM, WALL_NETWORK, WALL_CONNECTION };

struct phrase {
    const char *words;
    enum wall wall;
};

/* The surest first: one line may have several.  The words are compared without regard to
 * case, since programs begin their own sentences with them. */
static const struct phrase PHRASES[] = {
    {"network is unreachable", WALL_NETWORK},
    {"no route to host", WALL_NETWORK},
    {"no such device", WALL_NETWORK},
    {"cannot find device", WALL_NETWORK},
    {"non-existent interface", WALL_NETWORK},
    {"connection refused", WALL_NETWORK},
    {"temporary failure in name resolution", WALL_NETWORK},
    {"name or service not known", WALL_NETWORK},
    {"could not resolve host", WALL_NETWORK},
    {"getaddrinfo", WALL_NETWORK},
    {"connection to server", WALL_CONNECTION},
    {"can't connect to", WALL_CONNECTION},
    {"cannot connect to", WALL_CONNECTION},
    {"could not connect to", WALL_CONNECTION},
    {"failed to connect to", WALL_CONNECTION},
    {"unable to connect to", WALL_CONNECTION},
    {"operation not permitted", WALL_SYSTEM},
    {"permission denied", WALL_SYSTEM},
    {"read-only file system", WALL_SYSTEM},
    {"no new privileges", WALL_SYSTEM},
    {"open display", WALL_SYSTEM},
    {"address family not supported", WALL_SYSTEM},
};

/* Whether `words` stand in the input, in whatever case: then a program may only repeat
 * them, as a compiler does that prints the line with the mistake. */
static bool stands_in(const pare_text *input, const char *words)
{
    const char *bytes = (const char *)pare_text_bytes(input);
    const size_t n = pare_text_size(input), size = strlen(words);
    for (size_t at = 0; at + size <= n; at++)
        if (strncasecmp(bytes + at, words, size) == 0) return true;
    return false;
}

/* Whether the line is about a network interface that this machine has: a sandbox has the loopback alone.  What is called
 * an interface in a language has another name. */
static bool names_interface(const char *line)
{
    static const char word[] = "interface ", folder[] = "/sys/class/net/";
    char path[sizeof folder + 64];
    for (const char *at = line; (at = strcasestr(at, word));) {
        at += sizeof word - 1;
        at += strspn(at, "'\"`");
        const size_t size = strcspn(at, " \t'\"`,;:()/");
        if (!size || size > 63 || (size == 2 && strncmp(at, "lo", 2) == 0)) continue;
        (void)snprintf(path, sizeof path, "%s%.*s", folder, (int)size, at);
        if (access(path, F_OK) == 0) return true;
    }
    return false;
}

/* The wall that a line is about.  Where the network is allowed, it is none: a
 * connection that fails then fails outside as well.
 * "connect to server at db port 5432" is the network's, "could not connect to
 * /run/x.sock" a connection's of another kind. */
static enum wall find_wall(const pare_sandbox_run *run, const char *line)
{
    if (run->test->safety.network != PARE_ON && names_interface(line)) return WALL_NETWORK;
    for (size_t k = 0; k < sizeof PHRASES / sizeof *PHRASES; k++) {
        const struct phrase *phrase = &PHRASES[k];
        if (phrase->wall == WALL_NETWORK && run->test->safety.network == PARE_ON) continue;
        if (!strcasestr(line, phrase->words) || stands_in(run->text, phrase->words)) continue;
        /* Only what is connected to over the network has a port. */
        const bool has_port = phrase->wall == WALL_CONNECTION && strstr(line, " port ");
        return has_port ? WALL_NETWORK : phrase->wall;
    }
    return WALL_NONE;
}

/* ---- which line -------------------------------------------------------------------- */

/* Whether what would be kept is about a wall. Where nothing was said that could be kept, all that was
 * printed counts. */
static bool keeps_wall(const pare_sandbox_run *run)
{
    const bool says_nothing = !run->offered->n && !pare_signature_speaks(run->kept);
    if (says_nothing && !*run->kept->diagnostic) return true;
    if (find_wall(run, run->kept->diagnostic)) return true;
    for (size_t k = 0; k < run->offered->n; k++)
        if (find_wall(run, run->offered->item[k].text)) return true;
    return false;
}

/* Sets *line to the first printed line about a wall, which the caller owns; NULL: there
 * is none.  The first, since what comes after is most often a consequence. */
static pare_status find_line(const pare_sandbox_run *run, char **line, pare_error *err)
{
    *line = NULL;
    for (const char *at = run->printed ? run->printed : ""; *at;) {
        const size_t size = strcspn(at, "\n");
        *line = pare_alloc_text(at, size);
        if (!*line) return pare_fail_nomem(err);
        if (find_wall(run, *line)) return PARE_OK;
        pare_alloc_free(*line);
        *line = NULL;
        at += size + (at[size] == '\n');
    }
    return PARE_OK;
}

/* Sets `folder` to that of a socket which the line names by its whole path; "": it
 * names none.
 * From "cannot connect to '/run/mysqld/mysqld.sock'." it is /run/mysqld, if that socket
 * is there. */
static void find_socket_folder(const char *line, char folder[static PATH_MAX])
{
    for (const char *at = line; (at = strchr(at, '/')); at++) {
        const size_t size = strcspn(at, " \t'\"`),;:");
        if (size < 2 || size >= PATH_MAX) continue;
        (void)snprintf(folder, PATH_MAX, "%.*s", (int)size, at);
        if (folder[size - 1] == '.') folder[size - 1] = '\0'; /* the sentence's */
        if (pare_file_is_socket(folder)) {
            *strrchr(folder, '/') = '\0';
            return;
        }
    }
    *folder = '\0';
}

/* ---- what to say ------------------------------------------------------------------- */

/* Appends the option that lets the program do what `line` says that it could not.
 * A socket's folder is made visible before anything else is thought of, since it opens
 * least. */
static pare_status write_option(const pare_sandbox_run *run, const char *line, pare_buffer *option,
                                pare_error *err)
{
    char folder[PATH_MAX];
    find_socket_folder(line, folder);
    if (*folder) {
        const pare_status status = pare_buffer_text(option, " --visible ", err);
        return status ? status : pare_command_quote(option, folder, strlen(folder), err);
    }
    if (find_wall(run, line) == WALL_NETWORK) return pare_buffer_text(option, " --network", err);
    return pare_buffer_text(option, geteuid() ? " --sandbox off" : " --sandbox devices", err);
}

/* A part of a sentence that something cannot be written, in the system's words or a program's own. */
struct refusal {
    const char *words;
    bool needs_failure; /* it says so only beside a word that something failed */
};

/* Whether the line says in other words that something failed. */
static bool says_failed(const char *line)
{
    static const char *const words[] = {"cannot", "can't", "could not",    "couldn't",
                                        "unable", "fail",  "error opening"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcasestr(line, words[k])) return true;
    return false;
}

/* Whether the file's name stands less than NEAR bytes before or after words from `from` to `to`, perhaps as the end
 * of a path. */
static bool names_near(const char *line, const char *from, const char *to, const char *name)
{
    enum { NEAR = 24 };
    for (const char *at = line; (at = pare_diagnostic_text_find_file(line, at, name)); at++) {
        const char *end = at + strlen(name), *begin = at;
        while (begin > line && !strchr(" \t'\"`(:", begin[-1]))
            begin--;
        if ((begin >= to && begin - to < NEAR) || (end <= from && from - end < NEAR)) return true;
    }
    return false;
}

/* Whether the line says that the file `name` cannot be written: the name stands near the words. */
static bool says_unwritable(const pare_sandbox_run *run, const char *line, const char *name)
{
    static const struct refusal refusals[] = {{"read-only file system", false},
                                              {"cannot create", false},
                                              {"can't create", false},
                                              {"could not create", false},
                                              {"couldn't create", false},
                                              {"unable to create", false},
                                              {"failed to create", false},
                                              {"cannot write", false},
                                              {"can't write", false},
                                              {"could not write", false},
                                              {"unable to write", false},
                                              {"failed to write", false},
                                              {"for writing", true},
                                              {"for output", true},
                                              {"output file", true}};
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const char *words = refusals[k].words, *at = strcasestr(line, words);
        /* Words before the name as in "cannot write out.txt", and behind it as in
         * "out.txt: cannot open for writing". */
        if (!at || !names_near(line, at, at + strlen(words), name)) continue;
        if (refusals[k].needs_failure && !says_failed(line)) continue;
        if (!stands_in(run->text, words)) return true;
    }
    return false;
}

/* The word of the program that names a file of the user's which `line` says cannot be
 * written; NULL: none.
 * Tests are given the whole path of a file that is there, unless it stands behind an
 * option for output such as -o; of paths in messages the last part is left, so by that
 * they are compared.  What the user may not write cannot be written outside either, and
 * is not the sandbox's fault. */
static const char *find_written(const pare_sandbox_run *run, const char *line)
{
    for (size_t k = 1; k < run->test->n_program; k++) {
        const char *name = run->test->program[k];
        if (*name == '/' || pare_command_is_output(run->test->program[k - 1], name)) continue;
        if (!pare_file_is_regular(name) || access(name, W_OK)) continue;
        if (says_unwritable(run, line, pare_file_base_name(name))) return name;
    }
    return NULL;
}

/* The same for what would be kept, or is offered. */
static const char *find_written_of_kept(const pare_sandbox_run *run)
{
    const char *word = find_written(run, run->kept->diagnostic);
    for (size_t k = 0; k < run->offered->n && !word; k++)
        word = find_written(run, run->offered->item[k].text);
    return word;
}

/* Refuses a program that writes a file which is there from a run by hand: under another
 * name it is made in the private directory.
 * The name that is proposed is the file's with "new-" before it, or with "new2-" and so
 * on where that is there, too. */
static pare_status refuse_written(const pare_sandbox_run *run, const char *word, pare_error *err)
{
    pare_buffer name = {0}, command = {0};
    pare_status status = pare_buffer_format(&name, err, "new-%s", pare_file_base_name(word));
    for (unsigned k = 2; !status && pare_file_exists(name.data); k++) {
        pare_buffer_reset(&name);
        status = pare_buffer_format(&name, err, "new%u-%s", k, pare_file_base_name(word));
    }
    if (!status)
        status =
            pare_command_fault_with_path(run->input, run->test, word, name.data, &command, err);
    if (!status)
        status =
            pare_fail(err, PARE_E_STATE,
                      "the program writes '%s', which is there already and stays as it is (if it "
                      "says that it cannot for another reason, add --sandbox full): "
                      "name a file that is not there, which tests make in their private "
                      "directory: %s",
                      word, command.data);
    pare_buffer_done(&name);
    pare_buffer_done(&command);
    return status;
}

/* What would be written is looked for first, since its remedy needs no other sandbox.
 * The line is quoted whole or, where it is longer than anybody reads, not at all. */
pare_status pare_sandbox_fault(const pare_sandbox_run *run, pare_error *err)
{
    enum { LINE_BYTES = 160 };
    char *line = NULL;
    pare_buffer option = {0}, command = {0};
    const char *written = find_written_of_kept(run);
    if (written) return refuse_written(run, written, err);
    if (!keeps_wall(run)) return PARE_OK;
    pare_status status = find_line(run, &line, err);
    if (!status && line) written = find_written(run, line);
    if (written) status = refuse_written(run, written, err);
    if (status || !line) {
        pare_alloc_free(line);
        return status;
    }
    const bool is_short = strlen(line) <= LINE_BYTES;
    status = write_option(run, line, &option, err);
    /* A reduction cannot see that a candidate fails only by what an earlier one has left behind. */
    const bool is_server =
        !status && (strstr(option.data, "--network") || strstr(option.data, "--visible"));
    if (!status)
        status = pare_command_fault_line(run->input, run->test, option.data, "", &command, err);
    if (!status)
        status = pare_fail(err, PARE_E_STATE,
                           "the sandbox may have refused the program something%s%s%s, which is not "
                           "the input's failure: allow it with %s; or, if the program says that "
                           "outside, too, add --sandbox full%s",
                           is_short ? " ('" : "", is_short ? line : "", is_short ? "')" : "",
                           command.data,
                           is_server ? " (what a test leaves in a server the next one finds: let "
                                       "each begin with nothing)"
                                     : "");
    pare_buffer_done(&option);
    pare_buffer_done(&command);
    pare_alloc_free(line);
    return status;
}
