/* Every language of the table: added from the registry, then trees of small sources.
 *
 * Each source holds what is awkward in its language: strings, comments, here documents,
 * templates, indentation, text outside ASCII.  Skipped where the registry cannot be
 * reached; with sanitizers only a few languages are tried, because compiling all of them
 * is a test of the compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "parse/legality.h"
#include "unit/support/language.h"

enum { N_CUTS = 40 };

static const struct sample {
    const char *name, *file, *text;
} samples[] = {
    {"json", "a.json", "{\"a\": [1, -2.5e3, \"x\\n\\u00e4\", null], \"\": {}}\n"},
    {"c", "dir.x/a.c",
     "#include <stdio.h>\n#define TWICE(x) \\\n    ((x) + (x))\n/* one */ int a[3] = {1, 2};\n"
     "static int f(const char *s, ...)\n{\n    for (int i = 0; i < 3; i++) { if (s[i] == '\\n') "
     "continue; else a[i] += 2; }\n    // two\n    return s ? printf(\"%d \\\"x\\\"\\n\", "
     "TWICE(1)) : 0;\n}\n"},
    {"cpp", "a.cc",
     "#include <vector>\nnamespace n { template <typename T> struct S : B<T> { T t{}; S() = "
     "default; auto f() const -> T { return t; } }; }\nint main() { auto l = [&](int x) { return "
     "x + 1; }; const char *r = R\"(a\"b)\"; for (auto &e : v) l(e); }\n"},
    {"javascript", "a.mjs",
     "import {x} from 'y';\nconst f = async (a, {b}) => `t ${a + `n ${b}`} u`;\nlet r = /a[/]b/g"
     "\nclass A extends B { #p = 1; get q() { return this.#p } }\nfor (const k of f()) { if (!k) "
     "break }\n"},
    {"typescript", "a.ts",
     "interface I<T> { a?: T; readonly b: string | null }\nenum E { A = 1, B }\nfunction f<T "
     "extends I<number>>(x: T, ...r: any[]): x is T { return <any>x as T }\n"},
    {"tsx", "a.tsx", "const C = (p: {a: string}) => <div className=\"x\">{p.a} text<br/></div>;\n"},
    {"python", "a.py",
     "# c\nimport os\n\n@d\ndef f(a, *b, **c):\n    \"\"\"doc\n    string\"\"\"\n    if a:\n       "
     " "
     "return [x for x in b if x != f\"{a!r:>{c}} \xc3\xa4\"]\n    else:\n        pass\n\nclass "
     "A(B): "
     "x: int = 1\n"},
    {"java", "A.java",
     "package p;\nimport java.util.*;\n@Deprecated public class A<T> extends B implements C {\n  "
     "int[] a = {1, 2};\n  A() { super(); }\n  /** doc */ T f(List<? extends T> l) throws E { "
     "return l.stream().map(x -> x).findFirst().get(); }\n}\n"},
    {"rust", "a.rs",
     "#![allow(x)]\nuse std::{fmt, io};\n/* a /* b */ c */\nimpl<'a, T: Clone> S<'a, T> { pub fn "
     "f(&mut self) -> Option<u8> { let s = r#\"a\"b\"#; match self.x { Some(n) if n > 1 => "
     "Some(n), _ => None } } }\nmacro_rules! m { ($e:expr) => { println!(\"{}\", $e) }; }\n"},
    {"go", "a.go",
     "package main\n\nimport \"fmt\"\n\ntype T struct { a, b int }\n\nfunc (t *T) f(x ...int) "
     "(int, "
     "error) {\n\tdefer func() { recover() }()\n\tfor i := range x {\n\t\tfmt.Println(`raw\n`, "
     "i)\n\t}\n\treturn t.a, nil\n}\n"},
    {"html", "a.html",
     "<!DOCTYPE html>\n<html><head><title>T &amp; t</title><style>a { b: c }</style>\n<script>if "
     "(a < b) c();</script></head>\n<body><!-- c --><p>one<p>two<br><img src=x "
     "alt='y'></body></html>\n"},
    {"css", "a.css",
     "@import url(\"x.css\");\n/* c */ a:hover > .b #c[d=\"e\"]::before { color: #fff; margin: 0 "
     "-1px; }\n@media (min-width: 10em) and screen { p { width: calc(100% - 2px) } }\n"},
    {"bash", "a.sh",
     "#!/bin/bash\nset -eu\nf() { local a=${1:-x}; echo \"$a $(date +%s) ${b[@]}\"; }\ncat <<'E' "
     "| sort\nhere $x\nE\nfor i in {1..3}; do [[ $i == 2 ]] && continue; f \"$i\" 2>&1; done\n"},
    {"ruby", "a.rb",
     "# c\nclass A < B\n  attr_reader :x\n  def f(a, *b, k: 1, &c)\n    puts \"#{a} #{b.map { |y| "
     "y + 1 }}\" unless a.nil?\n    <<~T\n      here #{x}\n    T\n  end\nend\n"},
    {"php", "a.php",
     "<p>text</p>\n<?php\nnamespace N;\nfinal class A extends B { private ?int $x = 1; function "
     "f(array $a): string { return \"v {$a['k']} $this->x\" . <<<T\nhere $x\nT; } }\n?>\n<b>more "
     "</b>\n"},
    {"lua", "a.lua",
     "-- c\n--[[ long\n]]\nlocal t = {1, a = 2, ['b c'] = [==[raw]==]}\nfunction t.f(x, ...)\n  "
     "for "
     "k, v in pairs(t) do if k ~= x then return #v end end\nend\n"},
    {"solidity", "a.sol",
     "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract A is B { mapping(address "
     "=> uint256) public m; event E(address indexed a); modifier o() { require(msg.sender == "
     "owner, \"no\"); _; } function f(uint x) external view o returns (uint) { return m[msg.sender]"
     " + x; } }\n"},
    {"toml", "a.toml",
     "# c\ntitle = \"x\"\n[a.b]\nn = [1, 2.5, 1979-05-27T07:32:00Z]\ns = '''\nmore'''\n[[t]]\nk = "
     "{ "
     "x = 1, y = true }\n"},
    {"xml", "a.xml",
     "<?xml version=\"1.0\"?>\n<!-- c -->\n<a b=\"c &lt; d\"><e/>text &amp; more<![CDATA[<raw>]]>"
     "</a>\n"},
    {"dtd", "a.dtd", "<!ELEMENT a (b, c*)>\n<!ATTLIST a x CDATA #IMPLIED>\n<!ENTITY e \"text\">\n"},
    {"yaml", "a.yml",
     "# c\n%YAML 1.2\n---\na: &x\n  - 1\n  - \"two\\n\"\n  - {k: v, l: [1, 2]}\nb: *x\nt: |\n  "
     "literal\n  text\n...\n"},
};

enum { N_SAMPLES = sizeof samples / sizeof *samples };

/* Parses and looks at the tree; gives the number of errors. */
static size_t parse_any(const pare_tree_sitter *language, const char *text, size_t size)
{
    pare_parse_tree tree = {0};
    assert_int_equal(pare_tree_sitter_parse(language, text, size, &tree, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    assert_true(covers_text(&tree, text));
    size_t n_errors = tree.n_errors;
    pare_parse_tree_done(&tree);
    return n_errors;
}

static void check_sample(const struct sample *sample)
{
    pare_tree_sitter *language = load_language(sample->name);
    size_t size = strlen(sample->text);
    size_t n_errors = parse_any(language, sample->text, size);
    if (n_errors) fail_msg("%s: %zu errors in a correct text", sample->name, n_errors);
    pare_tree_sitter_close(language);
}

static void check_damaged(const struct sample *sample)
{
    char text[2048];
    pare_random random;
    pare_random_init(&random, 1);
    pare_tree_sitter *language = load_language(sample->name);
    size_t size = strlen(sample->text);
    for (size_t i = 0; i < N_CUTS; i++) {
        size_t from = pare_random_below(&random, size), n = pare_random_below(&random, 20);
        if (n > size - from) n = size - from;
        memcpy(text, sample->text, from);
        memcpy(text + from, sample->text + from + n, size - from - n);
        if (i % 4 == 0) text[pare_random_below(&random, size - n)] = (char)(i * 37);
        (void)parse_any(language, text, size - n);
    }
    pare_tree_sitter_close(language);
}

/* The rule the model gets wrong, for the message. */
static void fail_node(const struct sample *sample, const pare_parse_tree *tree, uint32_t node)
{
    char children[400] = "";
    for (uint32_t i = pare_parse_first_child(tree, node); i != PARE_NO_NODE;
         i = pare_parse_next_sibling(tree, i)) {
        size_t length = strlen(children);
        (void)snprintf(children + length, sizeof children - length, " %s",
                       tree->names.rule(tree->names.language, tree->nodes[i].symbol));
    }
    fail_msg("%s: %s is said not to be%s", sample->name,
             tree->names.rule(tree->names.language, tree->nodes[node].symbol), children);
}

static void check_models(const struct sample *sample)
{
    pare_error err = {0};
    pare_parse_tree tree = {0};
    pare_tree_legality *legality = NULL;
    pare_tree_sitter *language = load_language(sample->name);
    if (pare_tree_legality_new(sample->name, language, &legality, &err) != PARE_OK)
        fail_msg("%s: %s", sample->name, err.message);
    assert_int_equal(
        pare_tree_sitter_parse(language, sample->text, strlen(sample->text), &tree, NULL), PARE_OK);
    for (uint32_t i = 0; i < tree.n_nodes; i++) {
        pare_legality is = PARE_ILLEGAL;
        if (tree.nodes[i].kind != PARE_NODE_RULE) continue;
        assert_int_equal(
            pare_tree_legality_edit(legality, &tree, i, PARE_NO_NODE, PARE_NO_NODE, &is, NULL),
            PARE_OK);
        if (is == PARE_ILLEGAL) fail_node(sample, &tree, i);
    }
    pare_parse_tree_done(&tree);
    pare_tree_legality_free(legality);
    pare_tree_sitter_close(language);
}

/* Errors of the text without one child. */
static size_t parse_without(const pare_tree_sitter *language, const char *text,
                            const pare_parse_node *child)
{
    char edited[2048];
    size_t size = strlen(text);
    memcpy(edited, text, child->begin);
    memcpy(edited + child->begin, text + child->end, size - child->end);
    return parse_any(language, edited, size - (child->end - child->begin));
}

/* Leaves out each child whose absence is called legal; counts how often the rest parses. */
static void count_legal(const struct sample *sample, size_t *n_legal, size_t *n_right)
{
    pare_parse_tree tree = {0};
    pare_tree_legality *legality = NULL;
    pare_tree_sitter *language = load_language(sample->name);
    assert_int_equal(pare_tree_legality_new(sample->name, language, &legality, NULL), PARE_OK);
    assert_int_equal(
        pare_tree_sitter_parse(language, sample->text, strlen(sample->text), &tree, NULL), PARE_OK);
    for (uint32_t i = 1; i < tree.n_nodes; i++) {
        pare_legality is = PARE_ILLEGAL;
        const pare_parse_node *node = &tree.nodes[i];
        if (node->symbol == PARE_TREE_SITTER_TEXT || node->begin == node->end) continue;
        assert_int_equal(
            pare_tree_legality_edit(legality, &tree, node->parent, i, PARE_NO_NODE, &is, NULL),
            PARE_OK);
        if (is != PARE_LEGAL) continue;
        *n_legal += 1;
        *n_right += parse_without(language, sample->text, node) == 0;
    }
    pare_parse_tree_done(&tree);
    pare_tree_legality_free(legality);
    pare_tree_sitter_close(language);
}

static size_t n_tried = N_SAMPLES; /* the first so many */

static void test_languages__a_correct_text_of_each_parses_and_prints_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tried; i++)
        check_sample(&samples[i]);
}

static void test_languages__a_damaged_text_of_each_prints_back_too(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tried; i++)
        check_damaged(&samples[i]);
}

static void test_languages__the_model_of_each_allows_the_children_that_there_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tried; i++)
        check_models(&samples[i]);
}

static void test_languages__what_is_called_legal_parses_nearly_always(void **state)
{
    (void)state;
    size_t n_legal = 0, n_right = 0;
    for (size_t i = 0; i < n_tried; i++)
        count_legal(&samples[i], &n_legal, &n_right);
    print_message("%zu of %zu deletions called legal parse\n", n_right, n_legal);
    assert_true(n_legal >= n_tried);
    assert_true(100 * n_right >= 90 * n_legal);
}

static void test_languages__the_name_of_a_file_tells_its_language(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        const pare_language_info *info = pare_language_for_file(samples[i].file);
        assert_non_null(info);
        assert_string_equal(info->name, samples[i].name);
    }
    assert_string_equal(pare_language_for_file("A.C")->name, "cpp");
    assert_string_equal(pare_language_for_file("A.JSON")->name, "json");
    assert_null(pare_language_for_file("c"));
    assert_null(pare_language_for_file(".c"));
    assert_null(pare_language_for_file("a."));
    assert_null(pare_language_for_file("x.c/README"));
}

static void test_languages__the_table_is_sorted_and_all_but_verilog_have_a_sample(void **state)
{
    (void)state;
    const pare_language_info *info, *before = NULL;
    size_t n = 0;
    for (; (info = pare_language_at(n)) != NULL; n++, before = info) {
        assert_true(!before || strcmp(before->name, info->name) < 0);
        assert_ptr_equal(pare_language_find(info->name), info);
    }
    assert_int_equal(n, N_SAMPLES + 1);
    assert_ptr_equal(pare_language_find("js"), pare_language_find("javascript"));
    assert_null(pare_language_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_languages__a_correct_text_of_each_parses_and_prints_back),
        cmocka_unit_test(test_languages__a_damaged_text_of_each_prints_back_too),
        cmocka_unit_test(test_languages__the_model_of_each_allows_the_children_that_there_are),
        cmocka_unit_test(test_languages__what_is_called_legal_parses_nearly_always),
        cmocka_unit_test(test_languages__the_name_of_a_file_tells_its_language),
        cmocka_unit_test(test_languages__the_table_is_sorted_and_all_but_verilog_have_a_sample),
    };
    const char *sanitizers = getenv("PARE_SANITIZE");
    if (sanitizers && *sanitizers) n_tried = 2;
    use_build_data();
    for (size_t i = 0; i < n_tried; i++) {
        if (!has_language(samples[i].name)) return EXIT_SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
