/* Notes of a text of instructions: which there are, what an edit of their mentions prints, and what is reached. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "reduce/ssa/ssa.h"
#include "reduce/ssa/ssa_edit.h"
#include "reduce/ssa/ssa_notes.h"
#include "reduce/ssa/ssa_reduction.h"
#include "unit/alloc_sweep.h"
#include "unit/support/next_text.h"
#include "unit/support/ssa_start.h"

static const char module[] = "declare !dbg !8 void @g(i32)\n"
                             "@v = global i32 0, align 4, !dbg !6\n"
                             "define i32 @f(i32 %a) !dbg !4 {\n"
                             "  %x = add i32 %a, 1, !dbg !5\n"
                             "  %y = mul i32 %x, %a, !tbaa !9, !dbg !5\n"
                             "  call void @note(metadata i32 %x, metadata !7), !dbg !5\n"
                             "  call void @g(i32 %y), !dbg !5\n"
                             "  ret i32 %y, !dbg !5\n"
                             "}\n"
                             "!llvm.dbg.cu = !{!1}\n"
                             "!llvm.flags = !{!2, !3}\n"
                             "!1 = distinct !Unit(file: !10, globals: !11)\n"
                             "!2 = !{i32 7, !\"PIC\", i32 2}\n"
                             "!3 = !{i32 2, !\"Debug\", i32 3}\n"
                             "!4 = distinct !Function(unit: !1, names: !12, file: !10)\n"
                             "!5 = !Location(line: 1, scope: !4)\n"
                             "!6 = !Variable(file: !10)\n"
                             "!7 = !Variable(scope: !4, file: !10)\n"
                             "!8 = !Function(file: !10)\n"
                             "!9 = !{!9, i64 0}\n"
                             "!10 = !File(name: \"a.c\")\n"
                             "!11 = !{!6, !13}\n"
                             "!12 = !{!7}\n"
                             "!13 = !Variable(file: !10)\n"
                             "!14 = !{!15}\n"
                             "!15 = !{!14}\n";

/* A text that was read, its notes, and an edit of nothing. */
struct module {
    pare_ssa ssa;
    pare_ssa_notes notes;
    pare_ssa_edit edit;
    pare_buffer out;
};

static void open_module(struct module *at, const char *text)
{
    const pare_ssa_dialect dialect = {.comment = ';'}; /* as LLVM's: `%` is the first sigil */
    *at = (struct module){.out = {0}};
    assert_int_equal(
        pare_ssa_read((const unsigned char *)text, strlen(text), &dialect, &at->ssa, NULL),
        PARE_OK);
    at->notes = pare_ssa_notes_find(&at->ssa);
    at->edit.gone = pare_alloc_zero(at->ssa.n_statements + 1, 1);
    at->edit.cut = pare_alloc_zero(at->ssa.n_names + 1, sizeof *at->edit.cut);
    assert_non_null(at->edit.gone);
    assert_non_null(at->edit.cut);
}

static const char *printed(struct module *at)
{
    uint32_t used;
    assert_int_equal(pare_ssa_edit_print(&at->ssa, &at->edit, &at->out, &used, NULL), PARE_OK);
    assert_int_equal(used, 0);
    return at->out.data;
}

static void close_module(struct module *at)
{
    pare_alloc_free(at->edit.gone);
    pare_alloc_free(at->edit.cut);
    pare_buffer_done(&at->out);
    pare_ssa_done(&at->ssa);
}

/* Cuts all mentions with the key of the first mention of `note` in the text. */
static void cut_key_of(struct module *at, const char *line, size_t n_before)
{
    uint64_t *hashes = NULL;
    size_t n = 0;
    assert_int_equal(
        pare_ssa_notes_list(&at->ssa, &at->notes, PARE_SSA_NOTES_KEY, &hashes, &n, NULL), PARE_OK);
    assert_true(n_before < n);
    pare_ssa_notes_cut(&at->ssa, &at->notes, PARE_SSA_NOTES_KEY, hashes + n_before, 1, &at->edit);
    if (!strstr(printed(at), line)) fail_msg("no '%s' in:\n%s", line, at->out.data);
    pare_alloc_free(hashes);
}

static void test_ssa_notes__are_numbered_definitions_that_no_code_has(void **state)
{
    (void)state;
    struct module at;
    open_module(&at, module);
    assert_true(at.notes.any);
    assert_string_equal(printed(&at), module);
    size_t n_notes = 0, n_has = 0;
    for (size_t i = 0; i < at.ssa.n_statements; i++) {
        n_notes += pare_ssa_notes_is_note(&at.ssa, &at.notes, i);
        n_has += pare_ssa_notes_has(&at.ssa, &at.notes, i);
    }
    assert_int_equal(n_notes, 15);
    assert_int_equal(n_has, 10); /* declare, @v, six of the function, two with names */
    assert_true(pare_ssa_notes_are_most(&at.ssa, &at.notes));
    close_module(&at);
    open_module(&at, "define i32 @0(i32 %0) {\n  %2 = add i32 %0, 1\n  %3 = add i32 %2, 1\n"
                     "  ret i32 %3\n}\n");
    assert_false(at.notes.any);
    close_module(&at);
}

/* Keys in the order of the text: `!dbg`, `!tbaa`, `metadata`, the two names of lists, `file:`, ... */
static void test_ssa_notes__a_mention_goes_with_its_key_and_a_comma(void **state)
{
    (void)state;
    static const struct {
        size_t key;
        const char *line;
    } cases[] = {
        {0, "declare void @g(i32)\n@v = global i32 0, align 4\ndefine i32 @f(i32 %a) {\n"},
        {1, "  %y = mul i32 %x, %a, !dbg !5\n"},
        {2, "!dbg !5\n  call void @g(i32 %y), !dbg !5\n"}, /* the call of @note goes */
        {3, "!llvm.dbg.cu = !{}\n!llvm.flags = !{!2, !3}\n"},
        {4, "!llvm.flags = !{}\n"},
        {5, "!1 = distinct !Unit(globals: !11)\n"},
        {5, "!4 = distinct !Function(unit: !1, names: !12)\n"},
        {5, "!6 = !Variable()\n"},
        {6, "!1 = distinct !Unit(file: !10)\n"},
        {7, "!4 = distinct !Function(names: !12, file: !10)\n"},
        {10, "!9 = !{i64 0}\n"}, /* elements */
        {10, "!11 = !{}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct module at;
        open_module(&at, module);
        cut_key_of(&at, cases[i].line, cases[i].key);
        close_module(&at);
    }
}

static void test_ssa_notes__a_field_may_become_null(void **state)
{
    (void)state;
    struct module at;
    open_module(&at, module);
    at.edit.nulls = true;
    cut_key_of(&at, "!4 = distinct !Function(unit: !1, names: !12, file: null)\n", 5);
    close_module(&at);
    open_module(&at, module);
    at.edit.nulls = true; /* but an attachment, and an argument, go */
    cut_key_of(&at, "define i32 @f(i32 %a) {\n  %x = add i32 %a, 1\n", 0);
    close_module(&at);
}

static void test_ssa_notes__what_nothing_leads_to_goes_in_circles_too(void **state)
{
    (void)state;
    struct module at;
    open_module(&at, module);
    assert_int_equal(pare_ssa_notes_drop_unreached(&at.ssa, &at.notes, &at.edit, NULL), PARE_OK);
    assert_null(strstr(printed(&at), "!14 ="));
    assert_null(strstr(at.out.data, "!15 ="));
    assert_non_null(strstr(at.out.data, "!13 ="));
    /* Without what functions have to say, what the unit leads to is left. */
    pare_ssa_notes_cut_in(&at.ssa, &at.notes, 0, at.ssa.n_statements, &at.edit);
    for (size_t i = 0; i < at.ssa.n_statements; i++) /* those with names keep theirs */
        for (uint32_t k = at.ssa.statements[i].first; k < pare_ssa_names_end(&at.ssa, i); k++)
            if (module[at.ssa.statements[i].from] == '!') at.edit.cut[k] = 0;
    assert_int_equal(pare_ssa_notes_drop_unreached(&at.ssa, &at.notes, &at.edit, NULL), PARE_OK);
    assert_null(strstr(printed(&at), "!4 ="));
    assert_null(strstr(at.out.data, "!7 ="));
    assert_non_null(strstr(at.out.data, "\n!1 ="));
    assert_non_null(strstr(at.out.data, "\n!6 ="));
    close_module(&at);
}

/* A compiler that wants each note that is mentioned, and fails on the needles. */
struct compiler {
    const char *needles[3];
    unsigned n_tests;
};

static bool is_defined(const char *text, const char *name, size_t size)
{
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        if (!strncmp(at + 1, name, size) && !strncmp(at + 1 + size, " =", 2)) return true;
    return false;
}

static pare_outcome test_text(struct compiler *compiler, const char *text)
{
    compiler->n_tests++;
    for (size_t i = 0; i < 3 && compiler->needles[i]; i++)
        if (!strstr(text, compiler->needles[i])) return PARE_PASS;
    for (const char *at = text; (at = strchr(at, '!')) != NULL; at++) {
        const size_t size = 1 + strspn(at + 1, "0123456789");
        if (size > 1 && !is_defined(text, at, size)) return PARE_PASS;
        if (!strncmp(at, "!dbg ", 5) && at[5] != '!') return PARE_PASS;
    }
    return strstr(text, "{,") || strstr(text, "(,") ? PARE_PASS : PARE_FAIL;
}

/* A function of 40 statements and 300 notes, of which chains of ten hang on `names:`. */
static char *make_module(void)
{
    enum { MOST = 60000 };
    char *text = test_calloc(MOST, 1);
    size_t size = (size_t)snprintf(text, MOST, "; a module\ndefine i32 @f(i32 %%a) !dbg !1 {\n");
    for (unsigned i = 0; i < 40; i++)
        size += (size_t)snprintf(text + size, MOST - size, "  %%x%u = op%uz i32 %%a, !dbg !%u\n", i,
                                 i, 2 + i);
    size += (size_t)snprintf(text + size, MOST - size,
                             "  ret i32 %%x39\n}\n!cu = !{!0}\n!0 = !Unit(file: !400)\n!400 = !{}\n"
                             "!1 = distinct !Function(unit: !0, names: !42, file: !400)\n");
    for (unsigned i = 0; i < 40; i++)
        size += (size_t)snprintf(text + size, MOST - size, "!%u = !Location(scope: !1)\n", 2 + i);
    for (unsigned i = 42; i < 300; i++)
        size += (size_t)snprintf(text + size, MOST - size,
                                 "!%u = !Variable(scope: !1, next: !%u, text: \"some words\")\n", i,
                                 i < 299 ? i + 1 : 1);
    return text;
}

/* What is left when all is done, and the bytes that are left after 40 tests. */
static char *reduce(const char *source, struct compiler *compiler, size_t *after_40)
{
    pare_strategy *strategy = ssa_start(source);
    char *best = test_calloc(strlen(source) + 1, 1), *text;
    memcpy(best, source, strlen(source));
    while ((text = next_text(strategy)) != NULL) {
        pare_outcome outcome = test_text(compiler, text);
        assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
        const bool is_best = outcome == PARE_FAIL && strlen(text) < strlen(best);
        test_free(is_best ? best : text);
        if (is_best) best = text;
        if (compiler->n_tests <= 40) *after_40 = strlen(best);
    }
    pare_strategy_free(strategy);
    return best;
}

/* The failure needs the function's own note, so that they cannot all go at once. */
static void test_ssa_notes__most_go_in_a_few_tests_although_one_is_needed(void **state)
{
    (void)state;
    char *source = make_module();
    struct compiler compiler = {.needles = {"op7z", "!Function(unit: !0", "@f(i32 %a) !dbg !1"}};
    size_t after_40 = 0;
    assert_int_equal(test_text(&compiler, source), PARE_FAIL);
    char *left = reduce(source, &compiler, &after_40);
    assert_true(strlen(source) > 15000);
    assert_in_range(after_40, 100, 4000);
    assert_in_range(strlen(left), 80, 260);
    test_free(left);
    test_free(source);
}

static pare_status run_once(void *context)
{
    struct module *at = context;
    uint64_t *hashes = NULL;
    size_t n = 0;
    uint32_t used;
    memset(at->edit.gone, 0, at->ssa.n_statements);
    pare_status status =
        pare_ssa_notes_list(&at->ssa, &at->notes, PARE_SSA_NOTES_NOTE, &hashes, &n, NULL);
    assert_int_equal(hashes != NULL, status == PARE_OK);
    if (!status) status = pare_ssa_notes_drop_unreached(&at->ssa, &at->notes, &at->edit, NULL);
    if (!status) status = pare_ssa_edit_print(&at->ssa, &at->edit, &at->out, &used, NULL);
    pare_alloc_free(hashes);
    pare_buffer_done(&at->out);
    return status;
}

static void test_ssa_notes__survives_each_allocation_failing(void **state)
{
    (void)state;
    struct module at;
    open_module(&at, module);
    sweep_allocations(run_once, &at);
    close_module(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ssa_notes__are_numbered_definitions_that_no_code_has),
        cmocka_unit_test(test_ssa_notes__a_mention_goes_with_its_key_and_a_comma),
        cmocka_unit_test(test_ssa_notes__a_field_may_become_null),
        cmocka_unit_test(test_ssa_notes__what_nothing_leads_to_goes_in_circles_too),
        cmocka_unit_test(test_ssa_notes__most_go_in_a_few_tests_although_one_is_needed),
        cmocka_unit_test(test_ssa_notes__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
