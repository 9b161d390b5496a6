/* Outlines of Lua, PHP and SQL by their syntax trees, and what strings may name in any language. */
/* tests: src/reduce/dependency/outline_syntax_strings.c src/reduce/dependency/outline_tables.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "unit/support/closure_text.h"
#include "unit/support/program_driver.h"
#include "unit/support/syntax_closures.h"

/* ---- lua ---------------------------------------------------------------------------------- */

static void test_outline_syntax_strings__lua_functions_go_with_their_table(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"local M = {}\n"
         "local function h(x) return x + 1 + 1 + 1 end\n"
         "function M.a(x) return h(x) end\n"
         "function M.b(x) return 2 end\n"
         "M.c = function() return 4 end\n"
         "local t = {}\n"
         "for i = 1, 3 do t[i] = i end\n"
         "print(M.a(1), t[1])\n",
         "print",
         "local M = {}\n"
         "local function h(x) return x + 1 + 1 + 1 end\n"
         "function M.a(x) return h(x) end\n"
         "local t = {}\n"
         "for i = 1, 3 do t[i] = i end\n"
         "print(M.a(1), t[1])\n"},
    };
    ASSERT_CLOSURES("lua", rows);
}

/* ---- php ---------------------------------------------------------------------------------- */

#define SUM "return 1+1+1+1+1;"

static void test_outline_syntax_strings__php_names_are_looked_up_and_members_go_with_their_class(
    void **state)
{
    (void)state;
    const struct row rows[] = {
        {"<?php function f(){" SUM "} function g(){f();" SUM
         "} function h(){} $a=g(); $b=2; echo $a;",
         "echo", "<?php function f(){" SUM "} function g(){f();" SUM "} $a=g(); echo $a;"},
        {"<?php class A{const X=1,Y=2; const Z=3; public $p=self::X; public $q; static $s=1;"
         " function m(){return $this->p+self::$s;} function n(){} function __construct(){}}"
         "class B extends A{function m(){return parent::m();} function k(){return $this->q;}}"
         "class C{} echo (new B)->m();",
         "echo",
         "<?php class A{const X=1,Y=2; public $p=self::X; static $s=1;"
         " function m(){return $this->p+self::$s;} function __construct(){}}"
         "class B extends A{function m(){return parent::m();} }echo (new B)->m();"},
        {"<?php interface I{function f();function g();} trait T{function t(){} function u(){}}"
         "class A implements I{use T; function f(){} function g(){}} $a=new A; $a->f(); A::t();",
         "A::t",
         "<?php interface I{} trait T{function t(){} }class A implements I{use T; } A::t();"},
        /* A property is not the variable of its name. */
        {"<?php class A{static $s=1;static $t=2;} function f(){$s=3;return A::$s+$s+1+1+1;} echo "
         "f();",
         "echo", "<?php class A{static $s=1;} function f(){$s=3;return A::$s+$s+1+1+1;} echo f();"},
    };
    ASSERT_CLOSURES("php", rows);
}

static void test_outline_syntax_strings__php_what_is_done_with_an_object_goes_with_it(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"<?php class A{function set(){} function get(){}} $a=new A; $b=new A; $a->set(); "
         "$b->set(); echo $a->get();",
         "echo",
         "<?php class A{function set(){} function get(){}} $a=new A; $a->set(); echo $a->get();"},
        {"<?php $c=[]; $c['x']=1; $d=[]; $d['x']=2; $l=[]; foreach([1] as $i)$l[]=$i; $m=[]; "
         "$m[]=1; echo $c,$l;",
         "echo", "<?php $c=[]; $c['x']=1; $l=[]; foreach([1] as $i)$l[]=$i; echo $c,$l;"},
        {"<?php class A{} function g(){return a(1+1+1);} $a=new A; $b=new A; $a->set(); echo $a;",
         "echo", "<?php class A{} $a=new A; $a->set(); echo $a;"},
        {"<?php define('X',1); define('Y',2); echo X;", "echo", "<?php define('X',1); echo X;"},
    };
    ASSERT_CLOSURES("php", rows);
}

static void test_outline_syntax_strings__php_imports_go_with_what_they_name(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"<?php declare(strict_types=1); namespace a\\b; use c\\D; use c\\E as F; use c\\G;"
         " class H extends F{} echo new H(D::class);",
         "echo",
         "<?php declare(strict_types=1); namespace a\\b; use c\\D; use c\\E as F;"
         " class H extends F{} echo new H(D::class);"},
        {"<?php namespace a{class A{} class B{}} namespace b{use a\\A; function f(){" SUM "}"
         " echo new A;}",
         "echo", "<?php namespace a{class A{} } namespace b{use a\\A; echo new A;}"},
    };
    ASSERT_CLOSURES("php", rows);
}

/* What a string may name comes along, and may go without what holds the string. */
static void test_outline_syntax_strings__php_strings_are_weak_uses(void **state)
{
    (void)state;
    const struct row closures[] = {
        {"<?php function f(){} function g(){} function h(){} echo array_map('f',['g'=>1,'h']);",
         "echo", "<?php function f(){} function h(){} echo array_map('f',['g'=>1,'h']);"},
        {"<?php class A{function blockA(){} function blockB(){} function lineA(){}"
         " function m($k){return $this->{\"block$k\"}();} static function s(){}} class B{}"
         " function f($k){return array(new A,'block'.$k,'n\\\\A::s');} if('B'==f(1)) echo 1;",
         "if(",
         "<?php class A{function blockA(){} function blockB(){}"
         " static function s(){}}"
         " function f($k){return array(new A,'block'.$k,'n\\\\A::s');} if('B'==f(1)) echo 1;"},
    };
    const struct row any_case[] = {
        {"<?php function ff(){} function gg(){} echo FF();", "echo",
         "<?php function ff(){} echo FF();"},
        {"<?php class Aa{function mm(){} function nn(){}} class Bb{} $a=new AA; echo $a->mM();",
         "echo", "<?php class Aa{function mm(){} } $a=new AA; echo $a->mM();"},
        {"<?php function ff(){} function gg(){} echo array_map('fF',[1]);", "echo",
         "<?php function ff(){} echo array_map('fF',[1]);"},
    };
    const struct row drops[] = {
        {"<?php function f(){} function g(){} echo array_map('f',[1]);", "function f",
         "<?php function g(){} echo array_map('f',[1]);"},
        {"<?php function f(){} function g(){} echo f([1]);", "function f", "<?php function g(){} "},
    };
    ASSERT_CLOSURES("php", closures);
    ASSERT_CLOSURES("php", any_case);
    ASSERT_DROPS("php", drops);
}

static void test_outline_syntax_strings__python_strings_are_weak_uses(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"class A:\n  def do_a(self):\n    return 1+1\n  def do_b(self):\n    return 2+2\n"
         "  def x_a(self):\n    return 3+3\n"
         "  def m(self, k):\n    return getattr(self, 'do_%s' % k)()\nA().m('a')\n",
         "A().m",
         "class A:\n  def do_a(self):\n    return 1+1\n  def do_b(self):\n    return 2+2\n"
         "  def m(self, k):\n    return getattr(self, 'do_%s' % k)()\nA().m('a')\n"},
        {"class A:\n  T = {'x': 'opened'}\n  def opened(self):\n    return 1+1\n"
         "  def closed(self):\n    return 2+2\ngetattr(A(), A.T['x'])()\n",
         "getattr(",
         "class A:\n  T = {'x': 'opened'}\n  def opened(self):\n    return 1+1\n  \n"
         "getattr(A(), A.T['x'])()\n"},
    };
    ASSERT_CLOSURES("python", rows);
}

/* With the layout, calls at the outermost level stay, and data of objects. */
static void test_outline_syntax_strings__javascript_calls_may_be_relied_on(void **state)
{
    (void)state;
    static const char source[] =
        "function f(k,o){f[k]=o}function g(){return 1+1+1+1}f('a',1);f('b',2);f.c=3;f.a";
    if (!has_language("javascript")) skip();
    pare_tree_sitter *language = load_language("javascript");
    struct graph_of self;
    open_graph(language, "javascript", source, &self);
    assert_true(pare_dependency_has_layout(self.graph));
    const pare_dependency_query query = {.bodies = true, .layout = true};
    pare_dependency_bits *kept = new_set(self.graph);
    pare_dependency_add(kept, node_of(self.graph, source, "f.a"));
    assert_int_equal(pare_dependency_close(self.graph, &query, kept, NULL), PARE_OK);
    char *text = print_set(self.graph, kept);
    assert_string_equal(text, "function f(k,o){f[k]=o}f('a',1);f('b',2);f.a");
    test_free(text);
    test_free(kept);
    close_graph(&self);
    pare_tree_sitter_close(language);
}

/* ---- sql ---------------------------------------------------------------------------------- */

static void test_outline_syntax_strings__sql_rows_go_with_their_table(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"CREATE TABLE a (id INTEGER PRIMARY KEY);\n"
         "CREATE TABLE b (a_id INTEGER REFERENCES a(id));\n"
         "CREATE TABLE c (id INTEGER);\n"
         "CREATE INDEX i ON b(a_id);\n"
         "CREATE VIEW v AS SELECT a_id AS x FROM b;\n"
         "CREATE VIEW w AS SELECT id AS x FROM c;\n"
         "INSERT INTO a VALUES (1), (2);\n"
         "INSERT INTO \"b\" VALUES (1);\n"
         "INSERT INTO c VALUES (1);\n"
         "ALTER TABLE b ADD COLUMN z TEXT;\n"
         "SELECT x FROM v;\n"
         "SELECT 1;\n",
         "SELECT x",
         "CREATE TABLE b (a_id INTEGER );\n"
         "CREATE VIEW v AS SELECT a_id AS x FROM b;\n"
         "INSERT INTO \"b\" VALUES (1);\n"
         "ALTER TABLE b ADD COLUMN z TEXT;\n"
         "SELECT x FROM v;\n"
         ";\n"},
    };
    ASSERT_CLOSURES("sql", rows);
}

/* Queries need no foreign keys; whoever needs one needs both tables. */
static void test_outline_syntax_strings__sql_foreign_keys_are_nodes(void **state)
{
    (void)state;
#define TABLES                                                                                   \
    "CREATE TABLE a (id INTEGER PRIMARY KEY);\n"                                                 \
    "CREATE TABLE b (id INTEGER NOT NULL REFERENCES a(id) ON DELETE SET NULL UNIQUE, n TEXT);\n" \
    "CREATE TABLE c (id INTEGER, FOREIGN KEY (id) REFERENCES b(id));\n"                          \
    "ALTER TABLE c ADD CONSTRAINT k FOREIGN KEY (id) REFERENCES b (id);\n"                       \
    "SELECT 1 FROM c;\nSELECT 1 FROM b;\n"
    const struct row rows[] = {
        {TABLES, "SELECT 1 FROM c", "CREATE TABLE c (id INTEGER);\nSELECT 1 FROM c;\n;\n"},
        {TABLES, "SELECT 1 FROM b",
         "CREATE TABLE b (id INTEGER NOT NULL  UNIQUE, n TEXT);\nSELECT 1 FROM b;\n"},
        {TABLES, "REFERENCES a",
         "CREATE TABLE a (id INTEGER PRIMARY KEY);\n"
         "CREATE TABLE b (id INTEGER NOT NULL REFERENCES a(id) ON DELETE SET NULL UNIQUE, n "
         "TEXT);\n"
         ";\n"},
        {TABLES, "FOREIGN KEY",
         "CREATE TABLE b (id INTEGER NOT NULL  UNIQUE, n TEXT);\n"
         "CREATE TABLE c (id INTEGER, FOREIGN KEY (id) REFERENCES b(id));\n;\n"},
        {TABLES, "ALTER",
         "CREATE TABLE b (id INTEGER NOT NULL  UNIQUE, n TEXT);\n"
         "CREATE TABLE c (id INTEGER);\n"
         "ALTER TABLE c ADD CONSTRAINT k FOREIGN KEY (id) REFERENCES b (id);\n;\n"},
    };
#undef TABLES
    ASSERT_CLOSURES("sql", rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outline_syntax_strings__lua_functions_go_with_their_table),
        cmocka_unit_test(
            test_outline_syntax_strings__php_names_are_looked_up_and_members_go_with_their_class),
        cmocka_unit_test(test_outline_syntax_strings__php_what_is_done_with_an_object_goes_with_it),
        cmocka_unit_test(test_outline_syntax_strings__php_imports_go_with_what_they_name),
        cmocka_unit_test(test_outline_syntax_strings__php_strings_are_weak_uses),
        cmocka_unit_test(test_outline_syntax_strings__python_strings_are_weak_uses),
        cmocka_unit_test(test_outline_syntax_strings__javascript_calls_may_be_relied_on),
        cmocka_unit_test(test_outline_syntax_strings__sql_rows_go_with_their_table),
        cmocka_unit_test(test_outline_syntax_strings__sql_foreign_keys_are_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
