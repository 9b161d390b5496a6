/* The signs: wordings that compilers, interpreters and readers of data have in common. */
#include "run/rejection.h"

static const char *const signs[] = {
    "syntax error",     "syntaxerror",    "parse error",     "parseerror",   "parsing error",
    "unexpected token", "unexpected end", "unexpected char", "unterminated", "unbalanced",
    "malformed",        "undeclared",     "error: expected"};

unsigned pare_rejection_count(void)
{
    return sizeof signs / sizeof *signs;
}

const char *pare_rejection_name(unsigned k)
{
    return signs[k];
}
