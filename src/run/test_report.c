/* Reading reports of tests.
 *
 * Each format has words that stand before the name and words that end it; a table has both.  Two
 * formats have more to them: a point of TAP may have a directive by which it does not count, and
 * numbered lists of failures have the kind or the name after the number.
 *
 * Invariant: a name has no blank at its ends, and lies in one of the two lines. */
#include "run/test_report.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* What stands before a name, and what ends it; "": the line does. */
static const struct format {
    const char *before, *after;
} formats[] = {
    {"--- FAIL: ", " ("}, {"[ FAILED ] ", " ("}, {"FAIL: ", " ("},
    {"FAILED ", " - "},   {"Failure: ", ""},
};

/* The end of a name that begins at `name`. */
static const char *end_of(const char *name, const char *after)
{
    const char *end = *after ? strstr(name, after) : NULL;
    if (!end) end = name + strlen(name);
    while (end > name && end[-1] == ' ')
        end--;
    return end;
}

static bool give(const char *name, const char *end, pare_test_report *out)
{
    assert(end >= name);
    *out = (pare_test_report){.name = name, .size = (size_t)(end - name)};
    return true;
}

static const char *skip_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

/* "not ok 7 - sum # time=3": what stands after the '#' is a directive, and with "TODO" or "SKIP" the
 * test is one that may fail. */
static bool read_point(const char *line, pare_test_report *out)
{
    if (strncmp(line, "not ok", 6) != 0 || (line[6] && line[6] != ' ')) return false;
    const char *name = line + 6;
    if (*name == ' ') name++;
    name = skip_digits(name);
    if (*name == ' ') name++;
    if (strncmp(name, "- ", 2) == 0) name += 2;
    const char *end = end_of(name, "# ");
    const char *directive = strstr(name, "# ");
    if (directive &&
        (strncasecmp(directive + 2, "todo", 4) == 0 || strncasecmp(directive + 2, "skip", 4) == 0))
        return false;
    return give(name, end, out);
}

/* "1) Failure:" and the name on the next line, up to its place; or "1) SumTest::testSum". */
static bool read_numbered(const char *line, const char *next, pare_test_report *out)
{
    const char *at = skip_digits(line);
    if (at == line || strncmp(at, ") ", 2) != 0) return false;
    at += 2;
    if (strcmp(at, "Failure:") == 0) return *next && give(next, end_of(next, " ["), out);
    const char *colons = strstr(at, "::");
    if (!colons || colons == at || strchr(at, ' ')) return false;
    return give(at, end_of(at, ""), out);
}

/* "test sum ... FAILED" */
static bool read_dotted(const char *line, pare_test_report *out)
{
    static const char before[] = "test ", after[] = " ... FAILED";
    const size_t size = strlen(line);
    if (strncmp(line, before, sizeof before - 1) != 0 || size < sizeof before + sizeof after)
        return false;
    const char *end = line + size - (sizeof after - 1);
    return strcmp(end, after) == 0 && give(line + sizeof before - 1, end, out);
}

/* A count instead of a name is that of a summary: "[ FAILED ] 1 test, listed below:". */
bool pare_test_report_read(const char *line, const char *next, pare_test_report *out)
{
    if (read_point(line, out) || read_dotted(line, out)) return true;
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        const char *name = line + strlen(formats[k].before);
        if (strncmp(line, formats[k].before, (size_t)(name - line)) != 0) continue;
        return *name && !isdigit((unsigned char)*name) && *name != '(' &&
               give(name, end_of(name, formats[k].after), out);
    }
    return read_numbered(line, next, out);
}
