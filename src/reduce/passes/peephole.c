/* peephole: some tokens become others that are shorter and often mean as much: `while` is
 * `if`, `true` is 1, `+=` is `=`, `===` is `==`, `double` is `int`.
 *
 * The table is of words that several languages share.
 * Source: C-Reduce's peep a (tree-reducers §5.2), which works by regular expressions on C. */
#include <stdio.h>
#include <string.h>

#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"

/* Tokens that follow each other, separated by spaces where they need not touch, and what is
 * put in their place. */
static const struct {
    const char *from[3]; /* lexemes; NULL behind the last one */
    const char *to;
} FORMS[] = {
    {{"while"}, "if"},      {{"until"}, "if"},       {{"true"}, "1"},         {{"false"}, "0"},
    {{"True"}, "1"},        {{"False"}, "0"},        {{"null"}, "0"},         {{"NULL"}, "0"},
    {{"nil"}, "0"},         {{"None"}, "0"},         {{"undefined"}, "0"},    {{"nullptr"}, "0"},
    {{"this"}, "0"},        {{"const"}, "var"},      {{"double"}, "int"},     {{"float"}, "int"},
    {{"long"}, "int"},      {{"short"}, "int"},      {{"unsigned"}, "int"},   {{"signed"}, "int"},
    {{"char"}, "int"},      {{"void"}, "int"},       {{"class"}, "struct"},   {{"struct"}, "union"},
    {{"else", "if"}, "if"}, {{"+", "="}, "="},       {{"-", "="}, "="},       {{"*", "="}, "="},
    {{"/", "="}, "="},      {{"%", "="}, "="},       {{"&", "="}, "="},       {{"|", "="}, "="},
    {{"^", "="}, "="},      {{"=", "=", "="}, "=="}, {{"!", "=", "="}, "!="}, {{"&", "&"}, "&"},
    {{"|", "|"}, "|"},      {{"<", "="}, "<"},       {{">", "="}, ">"},       {{"<", "<"}, "<"},
    {{">", ">"}, ">"},      {{"-", ">"}, "."},       {{":", ":"}, "."},       {{":", "="}, "="},
    {{"*", "*"}, "*"},      {{"and"}, "or"},
};

enum { N_FORMS = sizeof FORMS / sizeof *FORMS };

static bool is_word(const char *text)
{
    return (*text | 0x20) >= 'a' && (*text | 0x20) <= 'z';
}

/* Puts the lexemes of a form together; how many there are. */
static size_t join(const char *const from[3], char joined[16])
{
    size_t n = 0, size = 0;
    for (; n < 3 && from[n]; n++)
        size += (size_t)snprintf(joined + size, 16 - size, "%s", from[n]);
    return n;
}

/* Whether the tokens of form `k` begin at lexeme `i`, signs without white space between, or
 * are the bytes of that one lexeme; sets *what to where. */
static bool matches(const pare_pass_view *view, size_t k, size_t i, pare_extent *what)
{
    const char *const *from = FORMS[k].from;
    char joined[16];
    if (view->bytes[view->lexemes.at[i].from] != (unsigned char)from[0][0]) return false;
    size_t n = join(from, joined);
    *what = (pare_extent){view->lexemes.at[i].from, view->lexemes.at[i].to};
    if (!is_word(from[0]) && pare_lexeme_is(view, i, joined)) return true;
    for (size_t part = 0; part < n; part++) {
        if (!pare_lexeme_is(view, i + part, from[part])) return false;
        size_t begin = view->lexemes.at[i + part].from;
        if (part && !is_word(from[0]) && begin != what->to) return false;
        what->to = view->lexemes.at[i + part].to;
    }
    return true;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    pare_extent what;
    (void)pass;
    for (size_t i = 0; i < view->lexemes.n; i++) {
        pare_lexeme_kind kind = (pare_lexeme_kind)view->lexemes.at[i].kind;
        if (kind != PARE_LEXEME_WORD && kind != PARE_LEXEME_SIGN) continue;
        for (size_t k = 0; !status && k < N_FORMS; k++)
            if (matches(view, k, i, &what) && strlen(FORMS[k].to) < what.to - what.from)
                status = pare_offer_text(out, what, FORMS[k].to, strlen(FORMS[k].to), PARE_NO_PATCH,
                                         NULL, err);
        if (status) return status;
    }
    return PARE_OK;
}

const pare_pass pare_pass_peephole = {
    .name = "peephole",
    .summary = "puts shorter words and signs of like meaning in the place of some",
    .source = "C-Reduce, peep a",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
