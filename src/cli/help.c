/* Help from the tables. */
#include "cli/help.h"

#include <string.h>

#include <pare/algorithm.h>

#include "cli/table.h"

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

void pare_help_options(FILE *out, unsigned command)
{
    for (size_t i = 0; i < PARE_N_OPTIONS; i++) {
        const pare_option *option = &pare_option_table[i];
        if (option->commands & command) print_option(out, option);
    }
}

static void print_row(FILE *out, const char *name, const char *text)
{
    int length = fprintf(out, "  %s ", name);
    pare_help_wrap(out, text, NAME_COLUMN, length > 0 ? (size_t)length : 0);
}

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
