/* Help from the tables: two columns, wrapped by words.
 *
 * The tables are the only place that names options, so the help cannot lag behind the parser;
 * tests/cli/test_completions.sh compares shells' completions with what is printed here. */
#include "cli/help.h"

#include <string.h>

#include <pare/algorithm.h>

enum { WIDTH = 79, HELP_COLUMN = 26, NAME_COLUMN = 20, HEAD_BYTES = 80 };

void pare_help_wrap(FILE *out, const char *text, size_t indent, size_t column)
{
    fprintf(out, "%*s", column < indent ? (int)(indent - column) : 0, "");
    size_t at = column < indent ? indent : column;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (at + word > WIDTH && at > indent) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        }
        fprintf(out, "%.*s", (int)word, text);
        at += word;
        text += word;
        text += strspn(text, " ");
        if (*text && at + 1 + strcspn(text, " ") <= WIDTH) {
            fputc(' ', out);
            at++;
        } else if (*text) {
            at = WIDTH + 1;
        }
    }
    fputc('\n', out);
}

/* The names in the left column, the text in the right one; on a line of its own after names that
 * are too long for it. */
static void print_option(FILE *out, const pare_option *option)
{
    char head[HEAD_BYTES];
    int length = option->letter ? snprintf(head, sizeof head, "  -%c, ", option->letter)
                                : snprintf(head, sizeof head, "      ");
    length += snprintf(head + length, sizeof head - (size_t)length, "--%s%s%s", option->name,
                       option->value ? " " : "", option->value ? option->value : "");
    fputs(head, out);
    size_t column = (size_t)length;
    if (column + 2 > HELP_COLUMN) {
        fputc('\n', out);
        column = 0;
    }
    pare_help_wrap(out, option->help, HELP_COLUMN, column);
}

/* --help takes one word, "all", and the parser has refused any other. */
pare_help_extent pare_help_extent_of(pare_option_value value)
{
    return value.text ? PARE_HELP_ALL : PARE_HELP_COMMON;
}

/* The options of one group, with its heading; nothing if the command knows none of them. */
static void print_group(FILE *out, const pare_option *table, size_t n_options, unsigned command,
                        const char *group)
{
    size_t n_printed = 0;
    for (size_t i = 0; i < n_options; i++) {
        if (!(table[i].commands & command) || table[i].group != group) continue;
        if (n_printed++ == 0) fprintf(out, "%s%s:\n", group ? "\n" : "", group ? group : "Options");
        print_option(out, &table[i]);
    }
}

/* Groups come in the order of their first options in the table. */
void pare_help_options(FILE *out, const pare_option *table, size_t n_options, unsigned command,
                       pare_help_extent extent)
{
    print_group(out, table, n_options, command, NULL);
    if (extent == PARE_HELP_COMMON) return;
    for (size_t i = 0; i < n_options; i++) {
        size_t first = 0;
        while (table[first].group != table[i].group)
            first++;
        if (first == i && table[i].group)
            print_group(out, table, n_options, command, table[i].group);
    }
}

/* A name and what it means, as in the lists of algorithms and units. */
static void print_row(FILE *out, const char *name, const char *text)
{
    int length = fprintf(out, "  %s ", name);
    pare_help_wrap(out, text, NAME_COLUMN, length > 0 ? (size_t)length : 0);
}

/* From the library's tables, so that a new algorithm is listed by being there. */
void pare_help_algorithms(FILE *out)
{
    fputs("Algorithms (--algorithm), [1] where the result is 1-minimal:\n", out);
    const pare_algorithm_info *algorithm;
    for (size_t i = 0; (algorithm = pare_algorithm_at(i)) != NULL; i++) {
        print_row(out, algorithm->name, algorithm->summary);
        fprintf(out, "%*s%s", NAME_COLUMN, "", algorithm->one_minimal ? "[1] " : "");
        pare_help_wrap(out, algorithm->source, NAME_COLUMN,
                       NAME_COLUMN + (algorithm->one_minimal ? 4 : 0));
    }
    fputs("\nUnits (--unit):\n", out);
    const pare_unit_info *unit;
    for (size_t i = 0; (unit = pare_unit_at(i)) != NULL; i++)
        print_row(out, unit->name, unit->summary);
}
