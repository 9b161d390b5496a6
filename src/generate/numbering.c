/* Two walks over each rule's body, parents first, children in their order. */
#include "generate/numbering.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"

struct walk {
    pare_numbering *to;
    const pare_expr *exprs;
    pare_index *stack; /* owned; what is to be visited, the next on top */
    size_t n, capacity;
    uint32_t n_numbered;
    pare_error *err;
};

static bool is_quantifier(pare_expr_kind kind)
{
    return kind == PARE_EXPR_OPTIONAL || kind == PARE_EXPR_STAR || kind == PARE_EXPR_PLUS;
}

static pare_status push(struct walk *walk, pare_index expr)
{
    pare_index *grown = pare_vector_grow(walk->stack, walk->n, &walk->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(walk->err);
    walk->stack = grown;
    walk->stack[walk->n++] = expr;
    return PARE_OK;
}

/* Pushes the children, the first on top. */
static pare_status push_children(struct walk *walk, pare_index expr)
{
    size_t from = walk->n;
    pare_status status = PARE_OK;
    for (pare_index c = walk->exprs[expr].first; !status && c != PARE_NO_INDEX;
         c = walk->exprs[c].next)
        status = push(walk, c);
    for (size_t i = from, k = walk->n; !status && i + 1 < k; i++) {
        pare_index swapped = walk->stack[--k];
        walk->stack[k] = walk->stack[i];
        walk->stack[i] = swapped;
    }
    return status;
}

static pare_status number(struct walk *walk, pare_index rule, bool quantifiers,
                          pare_numbered *numbered)
{
    pare_index body = walk->to->grammar->rules[rule].body;
    *numbered = (pare_numbered){walk->n_numbered, 0};
    walk->n = 0;
    pare_status status = body == PARE_NO_INDEX ? PARE_OK : push(walk, body);
    while (!status && walk->n) {
        pare_index expr = walk->stack[--walk->n];
        pare_expr_kind kind = walk->exprs[expr].kind;
        if (quantifiers ? is_quantifier(kind) : kind == PARE_EXPR_CHOICE) {
            walk->to->exprs[walk->n_numbered++] = expr;
            walk->to->numbers[expr] = numbered->n++;
        }
        status = push_children(walk, expr);
    }
    return status;
}

pare_status pare_numbering_init(pare_numbering *numbering, const pare_grammar *grammar,
                                pare_error *err)
{
    *numbering = (pare_numbering){.grammar = grammar};
    struct walk walk = {.to = numbering, .exprs = grammar->exprs, .err = err};
    numbering->alternations = pare_alloc(grammar->n_rules, sizeof *numbering->alternations);
    numbering->quantifiers = pare_alloc(grammar->n_rules, sizeof *numbering->quantifiers);
    numbering->exprs = pare_alloc(grammar->n_exprs, sizeof *numbering->exprs);
    numbering->numbers = pare_alloc_zero(grammar->n_exprs, sizeof *numbering->numbers);
    pare_status status =
        numbering->alternations && numbering->quantifiers && numbering->exprs && numbering->numbers
            ? PARE_OK
            : pare_fail_nomem(err);
    for (pare_index rule = 0; !status && rule < grammar->n_rules; rule++) {
        status = number(&walk, rule, false, &numbering->alternations[rule]);
        if (!status) status = number(&walk, rule, true, &numbering->quantifiers[rule]);
    }
    pare_release(walk.stack);
    if (status) pare_numbering_done(numbering);
    return status;
}

void pare_numbering_done(pare_numbering *numbering)
{
    pare_release(numbering->alternations);
    pare_release(numbering->quantifiers);
    pare_release(numbering->exprs);
    pare_release(numbering->numbers);
    *numbering = (pare_numbering){0};
}

static pare_index find(const pare_numbering *numbering, const pare_numbered *of,
                       unsigned long number)
{
    return number < of->n ? numbering->exprs[of->first + number] : PARE_NO_INDEX;
}

pare_index pare_numbering_alternation(const pare_numbering *numbering, pare_index rule,
                                      unsigned long number)
{
    return find(numbering, &numbering->alternations[rule], number);
}

pare_index pare_numbering_quantifier(const pare_numbering *numbering, pare_index rule,
                                     unsigned long number)
{
    return find(numbering, &numbering->quantifiers[rule], number);
}
