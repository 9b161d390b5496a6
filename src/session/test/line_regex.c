/* Lines that were printed, as regular expressions.
 *
 * What is another in each run, or in a smaller input, is no part of the line: pointers, times and shares, the private
 * folders of tests, and places in the input. */
#include "session/test/line_regex.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "run/command.h"
#include "run/printed.h"

/* The size of the folder at `at`, with its slash, if tests run in such a one ("/dev/shm/pare-71-0c.../0/"), or if the
 * candidate's `name` follows it: both are others in each run.  0: none stands there. */
static size_t private_folder(const char *at, const char *end, const char *name)
{
    static const char own[] = "/pare-";
    const char *word = at, *folder = NULL;
    while (*at == '/' && word < end && pare_command_is_path_character(*word)) {
        const bool is_own = (size_t)(end - word) > sizeof own &&
                            !memcmp(word, own, sizeof own - 1) &&
                            isdigit((unsigned char)word[sizeof own - 1]);
        if (is_own) folder = word + 1;
        word++;
    }
    const size_t size = (size_t)(word - at), n = strlen(name);
    if (size > n && word[-(ptrdiff_t)n - 1] == '/' && memcmp(word - n, name, n) == 0)
        return size - n;
    /* A test's own folder is numbered, in that of the run. */
    const char *slot = folder ? memchr(folder, '/', (size_t)(word - folder)) : NULL;
    const char *last = slot ? memchr(slot + 1, '/', (size_t)(word - slot - 1)) : NULL;
    return last ? (size_t)(last + 1 - at) : 0;
}

/* The size of a number with a unit of time or a share at `at`, up to the unit: "0.12s", "3 sec", "38%" are others in each
 * run.  0: none stands there. */
static size_t changing_number(const char *at, const char *end)
{
    static const char *const units[] = {"%", "s", "ms", "us", "sec", "seconds"};
    const char *unit = at;
    while (unit < end && (isdigit((unsigned char)*unit) || *unit == '.'))
        unit++;
    const size_t size = (size_t)(unit - at);
    if (!size || !isdigit((unsigned char)*at)) return 0;
    if (unit < end && *unit == ' ') unit++;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        const size_t n = strlen(units[k]);
        const bool is_unit = (size_t)(end - unit) >= n && memcmp(unit, units[k], n) == 0;
        if (is_unit && (unit + n == end || !isalnum((unsigned char)unit[n]))) return size;
    }
    return 0;
}

/* Whether the word that ends before `at`, with a blank behind it, says that a place follows: "line 7", "at row 612". */
static bool follows_word(const char *start, const char *at)
{
    static const char *const words[] = {"line",   "row",      "column", "col",
                                        "offset", "position", "byte"};
    if (at - start < 2 || at[-1] != ' ') return false;
    const char *end = at - 1, *word = end;
    while (word > start && isalpha((unsigned char)word[-1]))
        word--;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == (size_t)(end - word) &&
            strncasecmp(word, words[k], (size_t)(end - word)) == 0)
            return true;
    return false;
}

/* Whether a place behind the candidate's name goes on at `at`: "in.c:7", "in.c:7:3". */
static bool follows_name(const char *start, const char *at, const char *name)
{
    const size_t n = strlen(name);
    while (at > start && at[-1] == ':') {
        at--;
        if ((size_t)(at - start) >= n && memcmp(at - n, name, n) == 0) return true;
        if (at == start || !isdigit((unsigned char)at[-1])) return false;
        while (at > start && isdigit((unsigned char)at[-1]))
            at--;
    }
    return false;
}

/* The size of a number at `at` of the line from `start` to `end` that says where in the input something is: such a
 * place is another in a smaller one.  0: none stands there. */
static size_t place_number(const char *start, const char *at, const char *end, const char *name)
{
    if (!isdigit((unsigned char)*at) || (at > start && isdigit((unsigned char)at[-1]))) return 0;
    if (!follows_word(start, at) && !follows_name(start, at, name)) return 0;
    const char *stop = at;
    while (stop < end && isdigit((unsigned char)*stop))
        stop++;
    return (size_t)(stop - at);
}

/* Digits that tell neither a place nor what changes are what was printed, and stay. */
pare_status pare_line_regex_add(pare_buffer *text, pare_command_part line, const char *name,
                                pare_error *err)
{
    const char behind = line.start[line.size];
    pare_status status = pare_buffer_text(text, "^", err);
    for (size_t k = 0; k < line.size && !status; k++) {
        const size_t skipped = pare_printed_pointer(line.start + k, line.start + line.size);
        if (skipped) {
            status = pare_buffer_text(text, "0x[0-9a-f]+", err);
            k += skipped - 1;
            continue;
        }
        const size_t number = changing_number(line.start + k, line.start + line.size);
        if (number) {
            status = pare_buffer_text(text, "[0-9.]+", err);
            k += number - 1;
            continue;
        }
        const size_t place = place_number(line.start, line.start + k, line.start + line.size, name);
        if (place) {
            status = pare_buffer_text(text, "[0-9]+", err);
            k += place - 1;
            continue;
        }
        const size_t folder = private_folder(line.start + k, line.start + line.size, name);
        if (folder) {
            status = pare_buffer_text(text, "\\S*/", err);
            k += folder - 1;
            continue;
        }
        /* A byte that no terminal shows as it is, or that ends an argument. */
        if (iscntrl((unsigned char)line.start[k])) {
            status = pare_buffer_text(text, ".", err);
            continue;
        }
        /* All that means something in a regular expression is taken for what it is. */
        if (strchr("\\^$.[]|()?*+{}", line.start[k])) status = pare_buffer_text(text, "\\", err);
        if (!status) status = pare_buffer_add(text, line.start + k, 1, err);
    }
    return status ? status : pare_buffer_text(text, behind && behind != '\n' ? "\\s*$" : "$", err);
}
