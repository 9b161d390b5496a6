/* Which texts are of instructions, and what is read of them. */
/* tests: src/reduce/ssa/ssa.c src/reduce/ssa/ssa_edit.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/ssa/ssa.h"
#include "reduce/ssa/ssa_edit.h"
#include "unit/alloc_sweep.h"

static const char LLVM[] = "; a comment\n"
                           "@g = global i32 0, align 4\n"
                           "@\"quoted %x\" = constant [3 x i8] c\"%a\\00\"\n"
                           "\n"
                           "define i32 @f(i32 %0, i8* %p) #0 {\n"
                           "  %2 = add i32 %0, 1, !dbg !3\n"
                           "  %3 = load i32, i32* @g\n"
                           "  br i1 true, label %4, label %6\n"
                           "\n"
                           "4:                         ; preds = %1\n"
                           "  %5 = mul i32 %2, %3\n"
                           "  br label %6\n"
                           "\n"
                           "6:\n"
                           "  %7 = phi i32 [ %5, %4 ], [ 0, %1 ]\n"
                           "  %8 = call i32 @h(i32 %7)\n"
                           "  %9 = sub i32 %8, %2\n"
                           "  ret i32 %9\n"
                           "}\n"
                           "declare i32 @h(i32)\n"
                           "declare i32 @unused(i32)\n"
                           "attributes #0 = { nounwind }\n"
                           "!3 = !{!4}\n"
                           "!4 = !{i32 1}\n";

static const char QBE[] = "data $s = { b \"x\", b 0 }\n"
                          "export function w $main(w %a, l %b) {\n"
                          "@start\n"
                          "\t%x =w add %a, 1\n"
                          "\t%y =w mul %x, 2\n"
                          "\t%c =w ceqw %y, 4\n"
                          "\tjnz %c, @yes, @no\n"
                          "@yes\n"
                          "\t%z =w add %y, 5\n"
                          "\t%u =w add %z, 5\n"
                          "\tret %u\n"
                          "@no\n"
                          "\t%v =w call $f(w %y)\n"
                          "\t%w =w add %v, 1\n"
                          "\t%t =w add %w, 1\n"
                          "\tret %t\n"
                          "}\n";

static const char CRANELIFT[] = "function %f(i64, i64) -> i64 {\n"
                                "block0(v0: i64, v1: i64):\n"
                                "    v2 = iadd v0, v1\n"
                                "    v3 = imul v2, v1\n"
                                "    v4 = iconst.i64 4\n"
                                "    v5 = icmp eq v3, v4\n"
                                "    brif v5, block1(v3), block2\n"
                                "block1(v6: i64):\n"
                                "    v7 = iadd v6, v0\n"
                                "    v8 = iadd v7, v0\n"
                                "    v9 = iadd v8, v0\n"
                                "    return v9\n"
                                "block2:\n"
                                "    v10 = iadd v2, v0\n"
                                "    return v10\n"
                                "}\n";

static const char MLIR[] = "module {\n"
                           "  func.func @f(%a: i32, %b: i32) -> i32 {\n"
                           "    %0 = arith.addi %a, %b : i32\n"
                           "    %1:2 = \"t.two\"(%0) : (i32) -> (i32, i32)\n"
                           "    %2 = arith.muli %1#0, %0 : i32\n"
                           "    %3 = arith.muli %2, %0 : i32\n"
                           "    %4 = scf.if %c -> i32 {\n"
                           "      scf.yield %3 : i32\n"
                           "    } else {\n"
                           "      scf.yield %2 : i32\n"
                           "    }\n"
                           "    %5 = arith.muli %4, %0 : i32\n"
                           "    cf.br ^bb1(%5 : i32)\n"
                           "  ^bb1(%6: i32):\n"
                           "    %7 = arith.muli %6, %6 : i32\n"
                           "    %8 = arith.muli %7, %6 : i32\n"
                           "    return %8 : i32\n"
                           "  }\n"
                           "}\n";

/* A netlist: no functions, and names without a sigil. */
static const char NETLIST[] = "INPUT(G1)\n"
                              "OUTPUT(G22)\n"
                              "G10 = NAND(G1, G3)\n"
                              "G11 = NAND(G3, G6)\n"
                              "G16 = NAND(G2, G11)\n"
                              "\n"
                              "G19 = NAND(G11, G7)\n"
                              "G22 = NAND(G10, G16)\n"
                              "G23 = NAND(G16, G19)\n";

static bool is_found(const char *bytes, pare_ssa_dialect *dialect)
{
    bool found = false;
    assert_int_equal(
        pare_ssa_detect((const unsigned char *)bytes, strlen(bytes), &found, dialect, NULL),
        PARE_OK);
    return found;
}

static void read(const char *bytes, pare_ssa *ssa)
{
    pare_ssa_dialect dialect;
    assert_true(is_found(bytes, &dialect));
    assert_int_equal(
        pare_ssa_read((const unsigned char *)bytes, strlen(bytes), &dialect, ssa, NULL), PARE_OK);
    assert_true(pare_ssa_check(ssa));
}

static void test_ssa__finds_instructions_of_several_languages(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        bool bare;
        size_t n_labels;
    } cases[] = {{LLVM, false, 2}, {QBE, false, 3}, {CRANELIFT, true, 3}, {MLIR, false, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_ssa ssa;
        size_t n_labels = 0;
        read(cases[i].bytes, &ssa);
        assert_int_equal(ssa.dialect.bare, cases[i].bare);
        assert_int_equal(ssa.n_functions, 1);
        assert_int_equal(ssa.statements[ssa.functions[0].close].role, PARE_SSA_CLOSE);
        for (size_t k = 0; k < ssa.n_statements; k++)
            n_labels += ssa.statements[k].role == PARE_SSA_LABEL;
        assert_int_equal(n_labels, cases[i].n_labels);
        pare_ssa_done(&ssa);
    }
}

static void test_ssa__a_fragment_is_one_function(void **state)
{
    (void)state;
    pare_ssa ssa;
    read(NETLIST, &ssa);
    assert_true(ssa.dialect.fragment && ssa.dialect.bare);
    assert_int_equal(ssa.n_functions, 1);
    assert_int_equal(ssa.functions[0].header, 0);
    assert_int_equal(ssa.functions[0].close, ssa.n_statements - 1);
    assert_int_equal(ssa.statements[1].role, PARE_SSA_PLAIN);
    assert_int_equal(ssa.statements[ssa.n_statements - 1].role, PARE_SSA_CLOSE);
    pare_ssa_done(&ssa);
}

static void test_ssa__programs_are_none(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "int f%c(int a1) {\n  int a2 = a1 + 1;\n  int a3 = a2;\n  return a3;\n}\n",
        "sub f%c {\n  my $x = shift;\n  $y = $x + 1;\n  $z = $y($x);\n}\n",
        "function f%c($a) {\n  $b = $a + 1;\n  $c = $b;\n  return $c;\n}\n",
        "f%c() {\n  x=$1\n  y=$(($x + 1))\n  echo $y\n}\n",
        "def f%c(a):\n    x1 = a\n    x2 = x1\n    return x2\n",
        "f%c:\n\tmovl $1, %%eax\n\taddl %%eax, %%ebx\n\tjmp .L1\n.L1:\n\tret\n",
        "Prose of 100 %% that says = nothing%c.\n",
        "port_%c1 = 80\nhost_%c2 = a\n",
        "%%%c1 = add 1\n\tnot %%%c1\n\tjmp %%%c1\n",
        ".a%c { color: #fff; }\n#b = c\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        pare_buffer text = {0};
        pare_ssa_dialect dialect;
        for (int k = 0; k < 20; k++)
            for (const char *at = lines[i]; *at; at++) {
                bool letter = at[0] == '%' && at[1] == 'c';
                char c = letter ? (char)('a' + k) : *at;
                assert_int_equal(pare_buffer_add(&text, &c, 1, NULL), PARE_OK);
                at += letter || (at[0] == '%' && at[1] == '%');
            }
        assert_false(is_found(text.data, &dialect));
        pare_buffer_done(&text);
    }
    pare_ssa_dialect dialect;
    assert_false(is_found("", &dialect));
}

/* An edit of nothing, over arrays for 64 statements. */
struct arrays {
    unsigned char gone[64];
    uint32_t last[4];
    unsigned char chosen[4];
};

static pare_ssa_edit start_edit(struct arrays *arrays)
{
    *arrays = (struct arrays){.last = {PARE_SSA_NONE, PARE_SSA_NONE, PARE_SSA_NONE}, .chosen = {1}};
    return (pare_ssa_edit){.gone = arrays->gone, .last = arrays->last};
}

static void assert_prints(const pare_ssa *ssa, const pare_ssa_edit *edit, const char *expected)
{
    pare_buffer out = {0};
    uint32_t used;
    assert_int_equal(pare_ssa_edit_print(ssa, edit, &out, &used, NULL), PARE_OK);
    assert_string_equal(out.data, expected);
    pare_buffer_done(&out);
}

static void test_ssa__an_edit_of_nothing_prints_the_text(void **state)
{
    (void)state;
    static const char *const texts[] = {LLVM, QBE, CRANELIFT, MLIR, NETLIST};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pare_ssa ssa;
        struct arrays arrays;
        pare_ssa_edit edit = start_edit(&arrays);
        read(texts[i], &ssa);
        assert_prints(&ssa, &edit, texts[i]);
        pare_ssa_done(&ssa);
    }
}

static void test_ssa__names_are_renamed_and_attributes_go(void **state)
{
    (void)state;
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    edit.renamed = edit.plain = true;
    edit.dropped[2] = edit.dropped[3] = true;
    read(LLVM, &ssa);
    assert_prints(&ssa, &edit,
                  "@g = global i32 0, align 4\n"
                  "@\"quoted %x\" = constant [3 x i8] c\"%a\\00\"\n"
                  "define i32 @f(i32 %v0, i8* %p) {\n"
                  "v1:\n"
                  "  %v2 = add i32 %v0, 1\n"
                  "  %v3 = load i32, i32* @g\n"
                  "  br i1 true, label %v4, label %v6\n"
                  "v4:\n"
                  "  %v5 = mul i32 %v2, %v3\n"
                  "  br label %v6\n"
                  "v6:\n"
                  "  %v7 = phi i32 [ %v5, %v4 ], [ 0, %v1 ]\n"
                  "  %v8 = call i32 @h(i32 %v7)\n"
                  "  %v9 = sub i32 %v8, %v2\n"
                  "  ret i32 %v9\n"
                  "}\n"
                  "declare i32 @h(i32)\n"
                  "declare i32 @unused(i32)\n");
    pare_ssa_done(&ssa);
}

/* Only a name that is all digits is a number: the label would part from its uses. */
static void test_ssa__names_that_end_with_digits_stay(void **state)
{
    static const char text[] = "define i32 @f(i32 %a) {\n"
                               "  br label %b1\n"
                               "b1:\n"
                               "  %1 = add i32 %a, 1\n"
                               "  %2 = add i32 %1, 1\n"
                               "  %3 = add i32 %2, 1\n"
                               "  %4 = add i32 %3, 1\n"
                               "  %5 = add i32 %4, 1\n"
                               "  %6 = add i32 %5, 1\n"
                               "  br label %b1\n"
                               "}\n";
    static const char *const texts[][2] = {{text, "br label %b1\nb1:\n  %v1 = add i32 %a, 1\n"},
                                           {CRANELIFT, "    v4 = iconst.i64 4\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pare_ssa ssa;
        struct arrays arrays;
        pare_ssa_edit edit = start_edit(&arrays);
        pare_buffer out = {0};
        uint32_t used;
        edit.renamed = true;
        read(texts[i][0], &ssa);
        assert_int_equal(pare_ssa_edit_print(&ssa, &edit, &out, &used, NULL), PARE_OK);
        assert_non_null(strstr(out.data, texts[i][1]));
        pare_buffer_done(&out);
        pare_ssa_done(&ssa);
    }
}

static void test_ssa__functions_become_one_block(void **state)
{
    (void)state;
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    read(QBE, &ssa);
    assert_int_equal(pare_ssa_edit_flatten(&ssa, arrays.chosen, &edit, NULL), PARE_OK);
    assert_prints(&ssa, &edit,
                  "data $s = { b \"x\", b 0 }\n"
                  "export function w $main(w %a, l %b) {\n"
                  "\t%x =w add %a, 1\n"
                  "\t%y =w mul %x, 2\n"
                  "\t%c =w ceqw %y, 4\n"
                  "\t%z =w add %y, 5\n"
                  "\t%u =w add %z, 5\n"
                  "\t%v =w call $f(w %y)\n"
                  "\t%w =w add %v, 1\n"
                  "\t%t =w add %w, 1\n"
                  "\tret %t\n"
                  "}\n");
    pare_ssa_done(&ssa);
}

/* Labels have the same names in all functions, as in LLVM, where they are numbers. */
static void test_ssa__functions_with_labels_of_one_name_become_one_block_each(void **state)
{
    static const char function[] = "func @f(%a) {\n"
                                   "  %b = add %a, 1\n"
                                   "  %c = add %b, 1\n"
                                   "  br %next\n"
                                   "next:\n"
                                   "  %d = phi %c, %next\n"
                                   "  %e = add %a, 1\n"
                                   "  ret %e\n"
                                   "after:\n"
                                   "  br %next\n"
                                   "}\n";
    static const char flat[] = "func @f(%a) {\n"
                               "  %b = add %a, 1\n"
                               "  %c = add %b, 1\n"
                               "  %e = add %a, 1\n"
                               "  ret %e\n"
                               "}\n";
    enum { SIZE = 2 * sizeof function };
    char text[SIZE], expected[SIZE];
    (void)state;
    (void)snprintf(text, SIZE, "%s%s", function, function);
    (void)snprintf(expected, SIZE, "%s%s", flat, flat);
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    arrays.chosen[1] = 1;
    read(text, &ssa);
    assert_int_equal(pare_ssa_edit_flatten(&ssa, arrays.chosen, &edit, NULL), PARE_OK);
    assert_prints(&ssa, &edit, expected);
    pare_ssa_done(&ssa);
}

/* Marks the statements in which the bytes are. */
static void leave_out(const pare_ssa *ssa, const char *bytes, unsigned char *gone)
{
    for (size_t i = 0; i < ssa->n_statements; i++) {
        const pare_ssa_statement *at = &ssa->statements[i];
        if (memmem(ssa->bytes + at->from, at->to - at->from, bytes, strlen(bytes))) gone[i] = 1;
    }
}

static void test_ssa__uses_of_what_goes_become_neutral(void **state)
{
    (void)state;
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    read(QBE, &ssa);
    leave_out(&ssa, "%x =w", arrays.gone);
    leave_out(&ssa, "@yes\n", arrays.gone);
    leave_out(&ssa, "%z =w", arrays.gone);
    leave_out(&ssa, "%u =w", arrays.gone);
    leave_out(&ssa, "ret %u", arrays.gone);
    edit.words[0] = 1;
    assert_prints(&ssa, &edit,
                  "data $s = { b \"x\", b 0 }\n"
                  "export function w $main(w %a, l %b) {\n"
                  "@start\n"
                  "\t%y =w mul 0, 2\n"
                  "\t%c =w ceqw %y, 4\n"
                  "\tjnz %c, @no, @no\n"
                  "@no\n"
                  "\t%v =w call $f(w %y)\n"
                  "\t%w =w add %v, 1\n"
                  "\t%t =w add %w, 1\n"
                  "\tret %t\n"
                  "}\n");
    pare_ssa_done(&ssa);
}

/* Names without a sigil have nothing that the use of a label has to keep. */
static void test_ssa__a_label_without_a_sigil_stands_for_another(void **state)
{
    static const char text[] = "function %f(i64) -> i64 {\n"
                               "start0(v0: i64):\n"
                               "    v1 = iadd v0, v0\n"
                               "    v2 = iadd v1, v0\n"
                               "    v3 = iadd v2, v0\n"
                               "    v6 = iadd v3, v0\n"
                               "    jump loop1\n"
                               "loop1:\n"
                               "    v4 = iadd v3, v0\n"
                               "    v5 = iadd v4, v0\n"
                               "    jump exit2\n"
                               "exit2:\n"
                               "    return v3\n"
                               "}\n";
    (void)state;
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    read(text, &ssa);
    leave_out(&ssa, "loop1:", arrays.gone);
    leave_out(&ssa, "v4 =", arrays.gone);
    leave_out(&ssa, "v5 =", arrays.gone);
    leave_out(&ssa, "jump exit2", arrays.gone);
    assert_prints(&ssa, &edit,
                  "function %f(i64) -> i64 {\n"
                  "start0(v0: i64):\n"
                  "    v1 = iadd v0, v0\n"
                  "    v2 = iadd v1, v0\n"
                  "    v3 = iadd v2, v0\n"
                  "    v6 = iadd v3, v0\n"
                  "    jump exit2\n"
                  "exit2:\n"
                  "    return v3\n"
                  "}\n");
    pare_ssa_done(&ssa);
}

/* Reading and printing agree on where a string ends. */
static void test_ssa__a_comment_mark_in_a_string_begins_no_comment(void **state)
{
    static const char text[] = "// a comment\n"
                               "func.func @f(%a: i32) -> i32 {\n"
                               "  %0 = t.a \"x\\\" // y\", %a\n"
                               "  %1 = t.b %0 // gone\n"
                               "  %2 = t.b %1\n"
                               "  %3 = t.b %2\n"
                               "  %4 = t.b %3\n"
                               "  %5 = t.b %4\n"
                               "  return %5\n"
                               "}\n";
    (void)state;
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    edit.plain = true;
    read(text, &ssa);
    assert_prints(&ssa, &edit,
                  "func.func @f(%a: i32) -> i32 {\n"
                  "  %0 = t.a \"x\\\" // y\", %a\n"
                  "  %1 = t.b %0\n"
                  "  %2 = t.b %1\n"
                  "  %3 = t.b %2\n"
                  "  %4 = t.b %3\n"
                  "  %5 = t.b %4\n"
                  "  return %5\n"
                  "}\n");
    pare_ssa_done(&ssa);
}

static void test_ssa__a_use_is_lost_and_its_definition_stays(void **state)
{
    (void)state;
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    bool uses[64] = {false};
    unsigned char lost[64] = {0};
    size_t n = 0;
    read(NETLIST, &ssa);
    assert_int_equal(pare_ssa_edit_find_uses(&ssa, uses, NULL), PARE_OK);
    for (size_t k = 0; k < ssa.n_names; k++)
        n += uses[k];
    assert_int_equal(n, 7); /* G22 of the output, too; G1 and the like are defined nowhere */
    for (size_t k = 0; k < ssa.n_names; k++)
        lost[k] = uses[k] && ssa.names[k].from > 80;
    edit.lost = lost;
    memset(edit.words, PARE_SSA_EDIT_ZERO, sizeof edit.words);
    assert_prints(&ssa, &edit,
                  "INPUT(G1)\n"
                  "OUTPUT(G22)\n"
                  "G10 = NAND(G1, G3)\n"
                  "G11 = NAND(G3, G6)\n"
                  "G16 = NAND(G2, G11)\n"
                  "\n"
                  "G19 = NAND(0, G7)\n"
                  "G22 = NAND(0, 0)\n"
                  "G23 = NAND(0, 0)\n");
    pare_ssa_done(&ssa);
}

static void test_ssa__a_use_becomes_an_operand_of_its_kind(void **state)
{
    (void)state;
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    pare_buffer out = {0};
    uint32_t used;
    edit.operands = true;
    read(LLVM, &ssa);
    leave_out(&ssa, "%8 = call", arrays.gone);
    leave_out(&ssa, "%3 = load", arrays.gone);
    assert_int_equal(pare_ssa_edit_print(&ssa, &edit, &out, &used, NULL), PARE_OK);
    assert_non_null(strstr(out.data, "%9 = sub i32 %7, %2"));
    assert_non_null(strstr(out.data, "%5 = mul i32 %2, undef")); /* @g is no operand of its kind */
    pare_buffer_done(&out);
    pare_ssa_done(&ssa);
}

/* In the function before it, the name was a label's. */
static void test_ssa__a_name_is_a_label_in_its_function_alone(void **state)
{
    static const char text[] = "define i32 @f(i32 %a) {\n"
                               "  br label %b\n"
                               "b:\n"
                               "  %c = add i32 %a, 1\n"
                               "  %d = add i32 %c, 1\n"
                               "  %e = add i32 %d, 1\n"
                               "  ret i32 %e\n"
                               "}\n"
                               "define i32 @g(i32 %a) {\n"
                               "  %b = add i32 %a, 1\n"
                               "  %c = add i32 %b, 1\n"
                               "  %d = add i32 %c, 1\n"
                               "  ret i32 %d\n"
                               "}\n";
    (void)state;
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    pare_buffer out = {0};
    uint32_t used;
    edit.operands = true;
    read(text, &ssa);
    leave_out(&ssa, "%c = add i32 %b", arrays.gone);
    assert_int_equal(pare_ssa_edit_print(&ssa, &edit, &out, &used, NULL), PARE_OK);
    assert_non_null(strstr(out.data, "%d = add i32 %b, 1"));
    pare_buffer_done(&out);
    pare_ssa_done(&ssa);
}

/* Twice as much takes twice as long, not four times: a chain whose statements go one after the other, and
 * a line of quotes that are not closed.  By the square of their size both took minutes. */
static void test_ssa__long_chains_and_lines_take_no_square(void **state)
{
    enum { CHAIN = 100000, LINE = 1 << 20, MOST = 48 };
    char *text = test_malloc((size_t)CHAIN * MOST + LINE + 3);
    size_t size = sizeof LLVM - 1;
    (void)state;
    memcpy(text, LLVM, size);
    for (unsigned i = 0; i < CHAIN; i++)
        size += (size_t)snprintf(text + size, MOST, "@c%u = global ptr @c%u\n", i, i + 1);
    pare_ssa ssa = {0};
    pare_ssa_edit edit = {0};
    pare_ssa_dialect dialect = {.comment = ';'};
    assert_int_equal(pare_ssa_read((unsigned char *)text, size, &dialect, &ssa, NULL), PARE_OK);
    edit.gone = test_calloc(ssa.n_statements + 1, 1);
    assert_int_equal(pare_ssa_edit_drop_unused(&ssa, &edit, NULL), PARE_OK);
    size_t n_gone = 0;
    for (size_t i = 0; i < ssa.n_statements; i++)
        n_gone += edit.gone[i];
    assert_in_range(n_gone, CHAIN, CHAIN + 8);
    test_free(edit.gone);
    pare_ssa_done(&ssa);
    for (size = 0; size < LINE; size += 4)
        memcpy(text + size, "\"a\\ ", 4);
    bool found;
    text[size++] = '\n';
    assert_int_equal(pare_ssa_detect((unsigned char *)text, size, &found, &dialect, NULL), PARE_OK);
    assert_false(found);
    test_free(text);
}

static void test_ssa__what_nobody_mentions_goes_with_what_only_that_mentions(void **state)
{
    (void)state;
    pare_ssa ssa;
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    read(LLVM, &ssa);
    leave_out(&ssa, "!dbg", arrays.gone);
    assert_int_equal(pare_ssa_edit_drop_unused(&ssa, &edit, NULL), PARE_OK);
    pare_buffer out = {0};
    uint32_t used;
    assert_int_equal(pare_ssa_edit_print(&ssa, &edit, &out, &used, NULL), PARE_OK);
    assert_null(strstr(out.data, "@unused"));
    assert_null(strstr(out.data, "quoted"));
    assert_null(strstr(out.data, "!3"));
    assert_null(strstr(out.data, "!4"));
    assert_non_null(strstr(out.data, "@g = global"));
    assert_non_null(strstr(out.data, "attributes #0"));
    assert_non_null(strstr(out.data, "declare i32 @h"));
    pare_buffer_done(&out);
    pare_ssa_done(&ssa);
}

static pare_status read_and_edit(void *context)
{
    pare_ssa ssa;
    pare_ssa_dialect dialect = {0};
    struct arrays arrays;
    pare_ssa_edit edit = start_edit(&arrays);
    pare_buffer out = {0};
    uint32_t used;
    bool found, uses[64];
    const char *bytes = context;
    pare_status status =
        pare_ssa_detect((const unsigned char *)bytes, strlen(bytes), &found, &dialect, NULL);
    if (status) return status;
    status = pare_ssa_read((const unsigned char *)bytes, strlen(bytes), &dialect, &ssa, NULL);
    if (!status) status = pare_ssa_edit_flatten(&ssa, arrays.chosen, &edit, NULL);
    if (!status) status = pare_ssa_edit_drop_unused(&ssa, &edit, NULL);
    if (!status) status = pare_ssa_edit_find_uses(&ssa, uses, NULL);
    if (!status) status = pare_ssa_edit_print(&ssa, &edit, &out, &used, NULL);
    pare_buffer_done(&out);
    pare_ssa_done(&ssa);
    return status;
}

static void test_ssa__gives_all_memory_back(void **state)
{
    (void)state;
    char llvm[sizeof LLVM], cranelift[sizeof CRANELIFT], netlist[sizeof NETLIST];
    memcpy(llvm, LLVM, sizeof LLVM);
    memcpy(cranelift, CRANELIFT, sizeof CRANELIFT);
    memcpy(netlist, NETLIST, sizeof NETLIST);
    sweep_allocations(read_and_edit, llvm);
    sweep_allocations(read_and_edit, cranelift);
    sweep_allocations(read_and_edit, netlist);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ssa__finds_instructions_of_several_languages),
        cmocka_unit_test(test_ssa__a_fragment_is_one_function),
        cmocka_unit_test(test_ssa__programs_are_none),
        cmocka_unit_test(test_ssa__an_edit_of_nothing_prints_the_text),
        cmocka_unit_test(test_ssa__names_are_renamed_and_attributes_go),
        cmocka_unit_test(test_ssa__names_that_end_with_digits_stay),
        cmocka_unit_test(test_ssa__functions_become_one_block),
        cmocka_unit_test(test_ssa__functions_with_labels_of_one_name_become_one_block_each),
        cmocka_unit_test(test_ssa__uses_of_what_goes_become_neutral),
        cmocka_unit_test(test_ssa__a_label_without_a_sigil_stands_for_another),
        cmocka_unit_test(test_ssa__a_comment_mark_in_a_string_begins_no_comment),
        cmocka_unit_test(test_ssa__a_use_is_lost_and_its_definition_stays),
        cmocka_unit_test(test_ssa__a_use_becomes_an_operand_of_its_kind),
        cmocka_unit_test(test_ssa__a_name_is_a_label_in_its_function_alone),
        cmocka_unit_test(test_ssa__long_chains_and_lines_take_no_square),
        cmocka_unit_test(test_ssa__what_nobody_mentions_goes_with_what_only_that_mentions),
        cmocka_unit_test(test_ssa__gives_all_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
