/* Commands and scripts that name what is not there.
 *
 * Tests run in a private directory.  Words of a command that are files are made absolute, but what
 * stands inside a shell's text or a script is not seen: a relative path there is looked for
 * beside the candidate, and not found.  In the words of a program, cut where a shell would cut them, only
 * what the program itself said to be missing counts (for scripts see script_path.c).  It is a guess, and only
 * told; nothing is run otherwise because of it. */
#include "session/test/command_fault.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/file.h"
#include "run/command.h"
#include "run/diagnostic_header.h"
#include "run/diagnostic_text.h"
#include "run/failure_words.h"
#include "session/read_input.h"
#include "session/test/line_regex.h"
#include "session/test/missed_files.h"
#include "session/test/script_path.h"

/* Whether `path`, a part of the command, is relative and not what a candidate is called. */
static bool is_own(const pare_input_options *input, const char *path)
{
    /* An absolute path is found from any directory, "-" begins an option, and "@@" is ours; "." is
     * a word of shells. */
    if (!*path || *path == '/' || *path == '-' || strstr(path, "@@")) return false;
    if (!path[strspn(path, "./")]) return false;
    return strcmp(pare_file_base_name(path), pare_read_input_base_name(input)) != 0;
}

/* Finds a file of the command that the program missed; the caller owns *path, NULL: none. */
static pare_status find_missed(const pare_input_options *input, const pare_test_options *test,
                               const char *printed, char **path, pare_error *err)
{
    *path = NULL;
    /* The program itself was found, and its own name begins most of its messages. */
    for (size_t k = test->n_program > 1; k < test->n_program; k++) {
        pare_command_part part = pare_command_next_part(test->program[k]);
        /* A word of the program may be a whole command line: "sh -c 'a.py in.txt'". */
        for (; part.size; part = pare_command_next_part(part.start + part.size)) {
            char *copy = pare_alloc_text(part.start, part.size);
            if (!copy) return pare_fail_nomem(err);
            /* A word is a path if it looks like one, or if it is one seen from here. */
            bool names = strchr(copy, '/') || pare_file_exists(copy);
            if (names && is_own(input, copy) &&
                pare_missed_files_include(printed, pare_file_base_name(copy))) {
                *path = copy;
                return PARE_OK;
            }
            pare_alloc_free(copy);
        }
    }
    return PARE_OK;
}

/* ---- tests behind "--" ------------------------------------------------------------- */

/* Whether `path` is a script that says so in its first line.  One that cannot be opened
 * is none. */
static bool is_script(const char *path)
{
    char first[2] = "";
    FILE *file = fopen(path, "rbe");
    if (!file) return false;
    const bool begins = fread(first, 1, sizeof first, file) == sizeof first &&
                        memcmp(first, "#!", sizeof first) == 0;
    (void)fclose(file);
    return begins;
}

/* Whether the word that `text` begins with is one of `words`. */
static bool begins_with(const char *text, const char *const *words, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const size_t size = strlen(words[k]);
        if (strncmp(text, words[k], size) == 0 && (!text[size] || strchr(" ;&|\n", text[size])))
            return true;
    }
    return false;
}

/* The end of the command at `at`: what is between quotes is a part of it.  A quote
 * without a second one is a letter like any other. */
static const char *end_of_command(const char *at)
{
    for (; *at && !strchr(";&|\n", *at); at++) {
        const char *shut = *at == '\'' || *at == '"' ? strchr(at + 1, *at) : NULL;
        if (shut) at = shut;
    }
    return at;
}

/* The last command decides, since its exit code is that of the line: "grep -v '^#' @@ | ./prog"
 * runs a program. Commands after a check may still say something else about its result. */
bool pare_command_fault_is_check(const char *line)
{
    static const char *const checks[] = {"[", "[[", "test", "!", "grep", "cmp", "diff"};
    static const char *const outcomes[] = {"exit", "true", "false", ":", "echo", "printf", "rm"};
    bool is_check = false, is_command = true;
    for (const char *at = line; *at; at = end_of_command(at)) {
        /* After ">&" and "&>" comes a file, and no command. */
        if (at > line && *at == '&' && (strchr("<>", at[-1]) || at[1] == '>')) is_command = false;
        at += strspn(at, ";&|\n \t");
        if (is_command && *at && !begins_with(at, outcomes, sizeof outcomes / sizeof *outcomes))
            is_check = begins_with(at, checks, sizeof checks / sizeof *checks);
        is_command = true;
    }
    return is_check;
}

/* Whether the words are a test's: a script that is given the candidate alone, by itself or by a shell, or a
 * shell's line that ends as what it looks for is found. */
static bool is_test(const pare_test_options *test)
{
    static const char *const shells[] = {"sh", "bash", "dash", "zsh", "ksh"};
    size_t n = test->n_program;
    const char *first = test->program[0];
    if (n == 1 && strchr(first, ' ')) return pare_command_fault_is_check(first);
    if (n > 1 && strcmp(test->program[n - 1], "@@") == 0) n--;
    if (n == 1) return strchr(first, '/') && is_script(first);
    for (size_t k = 0; n == 2 && k < sizeof shells / sizeof *shells; k++)
        if (strcmp(pare_file_base_name(first), shells[k]) == 0)
            return pare_file_is_regular(test->program[1]);
    return false;
}

/* Appends TEST, as one word of a shell: there the candidate's path is "$1", or comes last. */
static pare_status add_test(const pare_test_options *test, pare_buffer *line, pare_error *err)
{
    pare_buffer text = {0};
    const size_t n = test->n_program;
    const bool is_line = n == 1 && strchr(test->program[0], ' ');
    pare_status status = PARE_OK;
    for (size_t k = 0; k < n && !status && !is_line; k++) {
        if (k > 0 && strcmp(test->program[k], "@@") == 0) continue;
        if (k > 0) status = pare_buffer_text(&text, " ", err);
        if (!status) status = pare_buffer_text(&text, test->program[k], err);
    }
    if (is_line) status = pare_command_fill_marks(test->program[0], "\"$1\"", &text, err);
    if (!status) status = pare_command_quote(line, text.data, text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* Appends the command line for what stands behind "--" and is a test. */
static pare_status write_test(const pare_input_options *input, const pare_test_options *test,
                              pare_buffer *text, pare_error *err)
{
    const char *path = input->path ? input->path : "INPUT";
    pare_status status = pare_buffer_text(text, "pare reduce ", err);
    if (!status) status = add_test(test, text, err);
    if (!status) status = pare_buffer_text(text, " ", err);
    return status ? status : pare_command_quote(text, path, strlen(path), err);
}

/* ---- the command that is right ---------------------------------------------------- */

/* Appends "pare reduce INPUT...". */
static pare_status write_start(const pare_input_options *input, pare_buffer *text, pare_error *err)
{
    const char *const one = input->path ? input->path : "INPUT";
    const char *const *paths = input->n_paths ? input->paths : &one;
    const size_t n = input->n_paths ? input->n_paths : 1;
    pare_status status = pare_buffer_text(text, "pare reduce", err);
    for (size_t i = 0; i < n && !status; i++) {
        status = pare_buffer_text(text, " ", err);
        if (!status) status = pare_command_quote(text, paths[i], strlen(paths[i]), err);
    }
    return status;
}

/* Makes `word` with `path` by its whole path in *out.  Only a whole part counts: "a.py"
 * is replaced in "sh -c 'a.py in.txt'" and not in "data.py". */
static pare_status replace(const char *word, const char *path, const char *whole, pare_buffer *out,
                           pare_error *err)
{
    pare_status status = PARE_OK;
    const size_t size = strlen(path);
    pare_buffer_reset(out);
    while (!status) {
        pare_command_part part = pare_command_next_part(word);
        /* Only separators are left; they are copied after the loop. */
        if (!part.size) break;
        /* All that is not the path is copied as it is, separators too. */
        bool is_it = part.size == size && memcmp(part.start, path, size) == 0;
        status = pare_buffer_add(out, word, (size_t)(part.start - word), err);
        if (!status)
            status = is_it ? pare_buffer_text(out, whole, err)
                           : pare_buffer_add(out, part.start, part.size, err);
        word = part.start + part.size;
    }
    return status ? status : pare_buffer_text(out, word, err);
}

/* A shell's line is written as the user has it: in one word. */
pare_status pare_command_fault_with_path(const pare_input_options *input,
                                         const pare_test_options *test, const char *path,
                                         const char *whole, pare_buffer *text, pare_error *err)
{
    pare_buffer word = {0};
    pare_status status = PARE_OK;
    if (test->n_program == 1 && pare_command_fault_is_check(*test->program)) {
        status = replace(*test->program, path, whole, &word, err);
        const char *line = word.data;
        const pare_test_options right = {.program = &line, .n_program = 1};
        if (!status) status = write_test(input, &right, text, err);
        pare_buffer_done(&word);
        return status;
    }
    status = write_start(input, text, err);
    if (!status) status = pare_buffer_text(text, " --", err);
    for (size_t k = 0; k < test->n_program && !status; k++) {
        status = replace(test->program[k], path, whole, &word, err);
        /* The first word is looked for in PATH, so a candidate is executed by env(1). */
        const bool is_mark = k == 0 && word.data && strcmp(word.data, "@@") == 0;
        if (!status) status = pare_buffer_text(text, is_mark ? " env " : " ", err);
        if (!status) status = pare_command_quote(text, word.data ? word.data : "", word.size, err);
    }
    pare_buffer_done(&word);
    return status;
}

/* The sentence about a file that is there, in the user's folder: `part` of the command is to be `whole`. */
static pare_status tell_whole_path(const pare_input_options *input, const pare_test_options *test,
                                   const char *part, const char *whole, pare_error *err)
{
    pare_buffer command = {0};
    pare_status status = pare_command_fault_with_path(input, test, part, whole, &command, err);
    if (!status)
        status = pare_fail(err, PARE_E_STATE,
                           "the program did not find '%s': tests run in a private directory that "
                           "holds only the candidate, so write its full path: %s",
                           part, command.data);
    pare_buffer_done(&command);
    return status;
}

/* The sentence about a file of the input's own, such as a header or a module: without it the program fails,
 * too, but not as the user has seen it. */
static pare_status tell_neighbour(const pare_missed_file *missed, const pare_input_options *input,
                                  const pare_test_options *test, pare_error *err)
{
    pare_buffer command = {0};
    pare_status status = pare_missed_files_write_command(missed, input, test, &command, err);
    if (!status)
        status =
            pare_fail(err, PARE_E_STATE,
                      "the program did not find '%s', which lies %s: tests run in a private "
                      "directory that holds only the candidate, so reduce it in its folder: %s",
                      missed->word, missed->is_beside ? "beside the input" : "in this directory",
                      command.data);
    pare_buffer_done(&command);
    return status;
}

/* Refuses a run that missed what lies beside the input, or in a folder that the command names. */
static pare_status check_neighbours(const pare_input_options *input, const pare_test_options *test,
                                    const char *printed, pare_error *err)
{
    pare_missed_file missed;
    if (!pare_missed_files_find(&missed, input, test, printed)) return PARE_OK;
    return *missed.part ? tell_whole_path(input, test, missed.part, missed.whole, err)
                        : tell_neighbour(&missed, input, test, err);
}

/* A test that says that nothing is there, without a word: its exit code would be learnt as the failure, and
 * kept by nearly every candidate. */
static pare_status check_silent_test(const pare_input_options *input, const pare_test_options *test,
                                     const pare_signature *seen, const char *printed,
                                     pare_error *err)
{
    pare_buffer command = {0}, keeping = {0};
    if (seen->code != 1 || test->n_program != 1 || !is_test(test)) return PARE_OK;
    if (!pare_command_fault_is_check(*test->program) || printed[strspn(printed, " \t\r\n")])
        return PARE_OK;
    pare_status status = write_test(input, test, &command, err);
    if (!status) status = pare_command_fault_line(input, test, " --exit 1", "", &keeping, err);
    if (!status)
        status = pare_fail(err, PARE_E_STATE,
                           "the command after '--' compares, and exits with 1 on the input without "
                           "a word: if that is the failure, write %s; if it is a test, it says "
                           "that the failure is not there: fix it, and write %s",
                           keeping.data, command.data);
    pare_buffer_done(&command);
    pare_buffer_done(&keeping);
    return status;
}

/* A build tool is never given the input: its failure is that of an empty folder. */
static pare_status check_tool(const pare_input_options *input, const pare_test_options *test,
                              int exit_code, pare_error *err)
{
    pare_buffer command = {0};
    pare_status status = pare_missed_files_write_tool(input, test, exit_code, &command, err);
    if (!status && command.size)
        status = pare_fail(err, PARE_E_STATE,
                           "a build tool works on the folder that it runs in, and tests run in a "
                           "private directory that holds only the candidate, so reduce the input "
                           "in its folder: %s",
                           command.data);
    pare_buffer_done(&command);
    return status;
}

/* The last line of the `size` bytes of `printed` that has something in it; size 0: none has. */
static pare_command_part last_line(const char *printed, size_t size)
{
    const char *end = printed + size;
    /* Blanks at the end would be a part of the regular expression. */
    while (end > printed && strchr(" \t\r\n", end[-1]))
        end--;
    const char *start = end;
    while (start > printed && start[-1] != '\n')
        start--;
    return (pare_command_part){.start = start, .size = (size_t)(end - start)};
}

/* Whether the words are a shell that runs the candidate as its script. Then exit code 127 is about
 * one of the candidate's own commands. */
static bool is_shell_of_candidate(const pare_test_options *test)
{
    static const char *const shells[] = {"sh",   "bash", "dash", "zsh", "ksh",
                                         "mksh", "fish", "tcsh", "csh", "busybox"};
    bool is_shell = false;
    if (strchr(test->program[0], ' ')) return false; /* a line for a shell of ours */
    for (size_t k = 0; k < sizeof shells / sizeof *shells; k++)
        is_shell = is_shell || strcmp(pare_file_base_name(test->program[0]), shells[k]) == 0;
    for (size_t k = 1; k < test->n_program && is_shell; k++) {
        const char *word = test->program[k];
        const bool is_applet = k == 1 && strcmp(word, "sh") == 0;
        is_shell = is_applet || strcmp(word, "@@") == 0 || (*word == '-' && !strchr(word, 'c'));
    }
    return is_shell;
}

/* Whether a printed line mentions a place in the candidate, as shells do: "in.sh: line 6: nosuch:
 * command not found", "in.sh: 6: nosuch: not found", "in.fish (line 6):". That the candidate itself cannot be
 * run is reported without a place. */
static bool tells_place(const pare_input_options *input, const char *printed)
{
    const char *name = pare_read_input_base_name(input), *at = *name ? printed : NULL;
    while (at && (at = pare_diagnostic_text_find_file(printed, at, name))) {
        if (pare_diagnostic_skip_place(at) > at) return true;
        at++;
    }
    return false;
}

/* The sentence about a command that ended with 126 or 127, with what was said of it. */
static pare_status tell_not_run(const pare_input_options *input, const pare_test_options *test,
                                int exit_code, const char *printed, pare_error *err)
{
    enum { LINE_BYTES = 120 }; /* of what was said; it is quoted whole or not at all */
    const char *const path = input->path ? input->path : "INPUT";
    const pare_command_part line = last_line(printed, strlen(printed));
    const bool is_said = line.size && line.size <= LINE_BYTES;
    pare_buffer name = {0};
    pare_status status = pare_command_quote(&name, path, strlen(path), err);
    if (!status)
        status =
            pare_fail(err, PARE_E_STATE,
                      "the command cannot be run (exit code %d)%s%.*s%s: %s, or name the program "
                      "by its full path: pare reduce %s -- /PATH/TO/PROGRAM @@",
                      exit_code, is_said ? ", '" : "", is_said ? (int)line.size : 0, line.start,
                      is_said ? "'" : "",
                      test->n_program == 1 && strpbrk(test->program[0], "|;&")
                          ? "it is one line for a shell, so quote the parts that are not commands"
                          : "run it by hand",
                      name.data);
    pare_buffer_done(&name);
    return status;
}

/* Refuses a run that did not find a file that the command names, or one that lies beside the input. */
static pare_status check_missed(const pare_input_options *input, const pare_test_options *test,
                                const char *printed, pare_error *err)
{
    char *path = NULL, whole[PATH_MAX];
    pare_status status = find_missed(input, test, printed, &path, err);
    if (status) return status;
    status = path && realpath(path, whole) ? tell_whole_path(input, test, path, whole, err)
                                           : check_neighbours(input, test, printed, err);
    pare_alloc_free(path);
    return status;
}

/* Looks only at runs that ended with a code and no message of a crash: a program that crashed
 * was run. 126 and 127 are what shells and env(1) end with when they cannot run a command. */
pare_status pare_command_fault(const pare_input_options *input, const pare_test_options *test,
                               const pare_signature *seen, const char *printed, pare_error *err)
{
    char *path = NULL;
    if (seen->ended != PARE_ENDED_EXIT || seen->code == 0 || *seen->message) return PARE_OK;
    pare_status status = PARE_OK;
    if (!pare_missed_files_is_placed(test)) status = check_tool(input, test, seen->code, err);
    if (!status) status = find_missed(input, test, printed, &path, err);
    if (status) return status;
    const bool cannot_run = (seen->code == 126 || seen->code == 127) &&
                            !is_shell_of_candidate(test) && !tells_place(input, printed);
    char whole[PATH_MAX];
    if (path && realpath(path, whole))
        status = tell_whole_path(input, test, path, whole, err);
    else
        status = check_neighbours(input, test, printed, err);
    if (!status) status = check_silent_test(input, test, seen, printed, err);
    if (status)
        ;
    else if (cannot_run && path)
        status = pare_fail(err, PARE_E_STATE,
                           "the command cannot be run (exit code %d): there is no '%s', neither "
                           "here nor in the private directory that tests run in",
                           seen->code, path);
    else if (cannot_run)
        status = tell_not_run(input, test, seen->code, printed, err);
    pare_alloc_free(path);
    return status;
}

/* Whether `path`, a path with a folder in it, is one of the inputs. */
static bool is_input_path(const pare_input_options *input, const char *path)
{
    struct stat meant, named;
    if (!strchr(path, '/') || stat(path, &named) || !S_ISREG(named.st_mode)) return false;
    const size_t n = input->n_paths ? input->n_paths : 1;
    for (size_t i = 0; i < n; i++) {
        const char *one = input->n_paths ? input->paths[i] : input->path;
        if (one && stat(one, &meant) == 0 && named.st_dev == meant.st_dev &&
            named.st_ino == meant.st_ino)
            return true;
    }
    return false;
}

/* The command line to propose for several inputs: a word with a mark is repeated for each, so one
 * mark stands for all. */
static pare_status write_several(const pare_input_options *input, const pare_test_options *test,
                                 pare_buffer *line, pare_error *err)
{
    bool is_marked = false;
    pare_status status = write_start(input, line, err);
    if (!status) status = pare_buffer_text(line, " --", err);
    for (size_t k = 0; k < test->n_program && !status; k++) {
        const bool is_one = k > 0 && is_input_path(input, test->program[k]);
        const char *word = is_one ? "@@" : test->program[k];
        if (is_one && is_marked) continue;
        is_marked = is_marked || is_one;
        status = pare_buffer_text(line, " ", err);
        if (!status) status = pare_command_quote(line, word, strlen(word), err);
    }
    return status;
}

/* The words that name the input itself, with a mark in the place of its path.  Its base name alone is found
 * in the private directory, where it is the candidate. */
pare_status pare_command_fault_own_path(const pare_input_options *input,
                                        const pare_test_options *test, pare_buffer *line,
                                        pare_error *err)
{
    char path[PATH_MAX];
    for (size_t k = test->n_program > 1; k < test->n_program; k++) {
        pare_command_part part = pare_command_next_part(test->program[k]);
        for (; part.size; part = pare_command_next_part(part.start + part.size)) {
            if (part.size >= sizeof path) continue;
            memcpy(path, part.start, part.size);
            path[part.size] = '\0';
            if (!is_input_path(input, path)) continue;
            return input->n_paths > 1
                       ? write_several(input, test, line, err)
                       : pare_command_fault_with_path(input, test, path, "@@", line, err);
        }
    }
    return PARE_OK;
}

/* Whether the program can find the candidates: by a mark, a shell's name for them, a pattern, or
 * their names. */
static bool is_given(const pare_input_options *input, const pare_test_options *test)
{
    for (size_t k = 0; k < test->n_program; k++) {
        const char *word = test->program[k];
        if (pare_command_is_marked(word) || strpbrk(word, "$*?")) return true;
        for (size_t i = 0; i < input->n_paths; i++)
            if (strstr(word, pare_file_base_name(input->paths[i]))) return true;
    }
    return false;
}

/* npx(1) would go to the network for what is not installed there, and not come back. */
pare_status pare_command_fault_unrun(const pare_input_options *input, const pare_test_options *test,
                                     pare_error *err)
{
    return test->n_program ? check_tool(input, test, PARE_MISSED_FILES_NOT_RUN, err) : PARE_OK;
}

/* A program that was given the candidate's place has shown by now that it does not read it. */
pare_status pare_command_fault_tool(const pare_input_options *input, const pare_test_options *test,
                                    pare_error *err)
{
    return test->n_program ? check_tool(input, test, 1, err) : PARE_OK;
}

/* Refuses a program that reads standard input and is given a folder, such as one of a fuzzer's crashes: most
 * often each of its files is an input. */
static pare_status check_folder(const pare_input_options *input, const pare_test_options *test,
                                pare_error *err)
{
    struct stat about;
    pare_buffer line = {0};
    if (!input->path || stat(input->path, &about) || !S_ISDIR(about.st_mode)) return PARE_OK;
    pare_status status = pare_command_fault_line(input, test, "/FILE", "", &line, err);
    if (!status)
        status = pare_fail(err, PARE_E_STATE,
                           "the program is not given the folder '%s', which cannot be standard "
                           "input: write @@ for its path, or reduce one of its files: %s",
                           input->path, line.data);
    pare_buffer_done(&line);
    return status;
}

/* A program that looks for what lies in its directory is not known from one that waits for its input, so this
 * is only asked where what it does tells nothing. */
pare_status pare_command_fault_ungiven(const pare_input_options *input,
                                       const pare_test_options *test, pare_error *err)
{
    pare_buffer line = {0};
    if (!test->n_program || is_given(input, test)) return PARE_OK;
    if (input->n_paths < 2) return check_folder(input, test, err);
    pare_status status = pare_command_fault_line(input, test, "", " @@", &line, err);
    if (!status)
        status = pare_fail(err, PARE_E_STATE,
                           "the program gets none of the %zu inputs, since only a single one can "
                           "be standard input: write @@ for their paths: %s",
                           input->n_paths, line.data);
    pare_buffer_done(&line);
    return status;
}

/* "awk -F '|'" means the character; the word behind the program is most often an argument, too. */
pare_status pare_command_fault_unquoted(const pare_input_options *input,
                                        const pare_test_options *test, pare_buffer *line,
                                        pare_error *err)
{
    static const char *const operators[] = {"|", "||", "&&", "<", ">", ">>", "2>&1"};
    enum { FIRST = 2 };
    pare_buffer text = {0};
    bool is_there = false;
    for (size_t k = FIRST; k < test->n_program; k++)
        for (size_t o = 0; o < sizeof operators / sizeof *operators; o++)
            is_there = is_there || (strcmp(test->program[k], operators[o]) == 0 &&
                                    *test->program[k - 1] != '-');
    if (!is_there) return PARE_OK;
    pare_status status = PARE_OK;
    for (size_t k = 0; k < test->n_program && !status; k++) {
        const char *word = test->program[k];
        bool is_operator = false;
        for (size_t o = 0; o < sizeof operators / sizeof *operators; o++)
            is_operator = is_operator || strcmp(word, operators[o]) == 0;
        if (k) status = pare_buffer_text(&text, " ", err);
        if (!status)
            status = is_operator ? pare_buffer_text(&text, word, err)
                                 : pare_command_quote(&text, word, strlen(word), err);
    }
    const char *whole = text.data;
    const pare_test_options right = {.program = &whole, .n_program = 1};
    if (!status) status = pare_command_fault_line(input, &right, "", "", line, err);
    pare_buffer_done(&text);
    return status;
}

/* ---- programs that report nothing ------------------------------------------------- */

/* The line that tells most of what a program `printed`: the last one with a word for a fault, else the last one, unless
 * it names the candidate, as a line about files does ("skipping file ..."), and another one does not. */
static pare_command_part telling_line(const char *printed, const char *name)
{
    const pare_command_part last = last_line(printed, strlen(printed));
    pare_command_part line = last;
    while (line.size && !pare_failure_words_in(line.start, line.size))
        line = last_line(printed, (size_t)(line.start - printed));
    if (line.size) return line;
    line = last;
    while (line.size && memmem(line.start, line.size, name, strlen(name)))
        line = last_line(printed, (size_t)(line.start - printed));
    return line.size ? line : last;
}

/* The words are quoted, so that the line can be copied to a shell as it is. */
pare_status pare_command_fault_line(const pare_input_options *input, const pare_test_options *test,
                                    const char *option, const char *last, pare_buffer *text,
                                    pare_error *err)
{
    pare_status status = write_start(input, text, err);
    if (!status) status = pare_buffer_text(text, option, err);
    if (!status) status = pare_buffer_text(text, " --", err);
    for (size_t k = 0; k < test->n_program && !status; k++) {
        const char *word = test->program[k];
        status = pare_buffer_text(text, " ", err);
        if (!status) status = pare_command_quote(text, word, strlen(word), err);
    }
    return status ? status : pare_buffer_text(text, last, err);
}

bool pare_command_fault_is_unread(const pare_input_options *input, const pare_test_options *test)
{
    const char *name = pare_read_input_base_name(input);
    for (size_t k = 0; k < test->n_program; k++)
        if (strstr(test->program[k], "@@") || strcmp(test->program[k], name) == 0) return false;
    return test->n_program > 0;
}

bool pare_command_fault_ends_with_mark(const pare_test_options *test)
{
    const size_t n = test->n_program;
    return n > 1 && strcmp(test->program[n - 1], "@@") == 0;
}

/* Whether the program is "sh -c LINE", for which the next word is $0, and the one
 * behind it $1.  So the candidate's path has to be the second word behind the line. */
static bool is_shell_line(const pare_test_options *test)
{
    const char *shell = test->n_program == 3 ? pare_file_base_name(*test->program) : "";
    const size_t size = strlen(shell);
    return size >= 2 && strcmp(shell + size - 2, "sh") == 0 && strcmp(test->program[1], "-c") == 0;
}

pare_status pare_command_fault_with_mark(const pare_input_options *input,
                                         const pare_test_options *test, pare_buffer *line,
                                         pare_error *err)
{
    return pare_command_fault_line(input, test, "", is_shell_line(test) ? " sh @@" : " @@", line,
                                   err);
}

/* The command that keeps the last line that was printed. */
static pare_status write_advice(const pare_input_options *input, const pare_test_options *test,
                                pare_command_part line, pare_buffer *text, pare_error *err)
{
    pare_buffer regex = {0}, option = {0};
    pare_status status = pare_line_regex_add(&regex, line, pare_read_input_base_name(input), err);
    if (!status) status = pare_buffer_text(&option, " --exit 0 --any-output ", err);
    if (!status) status = pare_command_quote(&option, regex.data, regex.size, err);
    if (!status) status = pare_command_fault_line(input, test, option.data, "", text, err);
    pare_buffer_done(&regex);
    pare_buffer_done(&option);
    return status;
}

/* A command after "--" that looks like a test and ends with 0 is most often meant as one. */
static pare_status advise_test(const pare_input_options *input, const pare_test_options *test,
                               pare_error *err)
{
    pare_buffer command = {0};
    pare_status status = write_test(input, test, &command, err);
    if (!status)
        status = pare_fail(err, PARE_E_STATE,
                           "the command after '--' exits with 0 on the input: if its output is "
                           "wrong, describe that with --any-output REGEX; if it is a test, which "
                           "exits with 0 while the failure is there, write %s",
                           command.data);
    pare_buffer_done(&command);
    return status;
}

/* Whether a line of what the program `printed` begins with "usage:". */
static bool shows_usage(const char *printed)
{
    static const char word[] = "usage:";
    for (const char *line = printed; *line;) {
        const char *end = strchrnul(line, '\n');
        if (strncasecmp(line, word, sizeof word - 1) == 0) return true;
        line = *end ? end + 1 : end;
    }
    return false;
}

/* A program that shows how it is used waits for the name of a file. */
static pare_status advise_mark(const pare_input_options *input, const pare_test_options *test,
                               pare_error *err)
{
    pare_buffer command = {0};
    pare_status status = pare_command_fault_with_mark(input, test, &command, err);
    if (!status)
        status = pare_fail(err, PARE_E_STATE,
                           "the program shows how it is used and ends with exit code 0: without @@ "
                           "a candidate is its standard input, so if it reads a file, write %s",
                           command.data);
    pare_buffer_done(&command);
    return status;
}

/* A result of a program that ends well can only be told by what it prints: its last line is the
 * best guess, if it is short enough to be one. */
pare_status pare_command_fault_advise(const pare_input_options *input,
                                      const pare_test_options *test, const char *printed,
                                      pare_error *err)
{
    /* A longer line is no name for a failure, and nobody would read it. */
    enum { LINE_BYTES = 120 };
    pare_status found = check_tool(input, test, 0, err);
    if (!found) found = pare_command_fault_ungiven(input, test, err);
    if (found) return found;
    /* Without its files a program may end well, and what it says about them is not about the
     * input. */
    found = check_missed(input, test, printed, err);
    if (found) return found;
    if (is_test(test)) return advise_test(input, test, err);
    if (pare_command_fault_is_unread(input, test) && shows_usage(printed))
        return advise_mark(input, test, err);
    const char *standard = pare_command_fault_ends_with_mark(test)
                               ? "if it reads standard input, leave @@ out; else "
                               : "";
    pare_command_part line = telling_line(printed, pare_read_input_base_name(input));
    if (!line.size || line.size > LINE_BYTES)
        return pare_fail(err, PARE_E_STATE,
                         "the program ends with exit code 0 on the input and reports no failure: "
                         "%sname what is wrong with it, with --stdout REGEX, --stderr REGEX, "
                         "--exit 0, --hang SECONDS or --differs COMMAND",
                         standard);
    pare_buffer command = {0};
    pare_status status = write_advice(input, test, line, &command, err);
    if (!status)
        status = pare_fail(err, PARE_E_STATE,
                           "the program ends with exit code 0 on the input and reports no "
                           "failure: %sname what it prints that is wrong, as in: %s",
                           standard, command.data);
    pare_buffer_done(&command);
    return status;
}

/* ---- targets of campaigns ----------------------------------------------------------- */

/* Looks for a file that the command names by its whole path and that exists, but that the program
 * did not find. The program's own name is not an argument, and is skipped: most complaints begin
 * with it. */
static pare_status check_shown(const pare_command *command, const char *printed, pare_error *err)
{
    enum { FIRST_ARGUMENT = 2 };
    for (size_t k = FIRST_ARGUMENT; k < command->n_words; k++) {
        const char *word = command->words[k];
        if (*word != '/' || !pare_file_is_regular(word) ||
            !pare_missed_files_include(printed, word))
            continue;
        return pare_fail(err, PARE_E_STATE,
                         "the program does not find '%s', which is there: the sandbox hides "
                         "/dev/shm, mounts below /tmp, and folders that others may not read: put "
                         "it elsewhere, or write 'sandbox = devices'",
                         word);
    }
    return PARE_OK;
}

static pare_status fail_relative(const char *word, const char *path, pare_error *err)
{
    return pare_fail(
        err, PARE_E_STATE,
        "the program does not find '%s': tests run in a private folder, so write its full path: %s",
        word, path);
}

/* A file that a script of the command names by a path from here. */
static pare_status check_scripts(const pare_command *command, pare_names inputs,
                                 const char *printed, pare_error *err)
{
    pare_buffer word = {0}, path = {0};
    pare_status status = pare_script_path_find(command, inputs, &word, &path, err);
    if (!status && word.size && pare_missed_files_include(printed, pare_file_base_name(word.data)))
        status = fail_relative(word.data, path.data, err);
    pare_buffer_done(&word);
    pare_buffer_done(&path);
    return status;
}

/* The same of a word of the command itself. */
static pare_status check_words(const pare_input_options *input, const pare_test_options *test,
                               const char *printed, pare_error *err)
{
    char *word = NULL, path[PATH_MAX];
    pare_status status = find_missed(input, test, printed, &word, err);
    if (!status && word && realpath(word, path)) status = fail_relative(word, path, err);
    pare_alloc_free(word);
    return status;
}

/* In the order of how sure it is. */
pare_status pare_command_fault_target(const pare_input_options *input,
                                      const pare_test_options *test, const pare_command *command,
                                      int exit_code, const char *printed, pare_error *err)
{
    const char *name = pare_read_input_base_name(input);
    if (exit_code <= 0) return PARE_OK;
    pare_status status = check_shown(command, printed, err);
    if (!status) status = check_words(input, test, printed, err);
    if (!status)
        status = check_scripts(command, (pare_names){.items = &name, .n = 1}, printed, err);
    if (status || (exit_code != 126 && exit_code != 127)) return status;
    return pare_fail(err, PARE_E_STATE,
                     "the command cannot be run (exit code %d): run it by hand, and name the "
                     "program by its full path",
                     exit_code);
}
