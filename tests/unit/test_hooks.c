/* Hooks in Lua: what they are given, what they may give, and the box they run in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "generate/deriver.h"
#include "unit/alloc_sweep.h"
#include "unit/support/assignments.h"
#include "unit/support/grammar_text.h"

static pare_hooks *read_hooks(const char *script)
{
    pare_hooks *hooks = NULL;
    pare_error err = {0};
    pare_status status = pare_hooks_new("h.lua", script, strlen(script), &hooks, &err);
    if (status == PARE_E_UNSUPPORTED) {
        print_message("pare was built without Lua\n");
        skip();
    }
    if (status) fail_msg("%s", err.message);
    return hooks;
}

/* Makes a text by ComplexFuzzer with hooks. */
static pare_status make_book(const char *json, const char *script, uint64_t seed, pare_buffer *text,
                             pare_error *err)
{
    pare_hooks *hooks = read_hooks(script);
    pare_grammar *grammar = book_of(json);
    pare_expansion_costs costed = {0};
    pare_choices choices = {0};
    pare_status status = pare_expansion_costs_init_hooked(&costed, grammar, hooks, err);
    pare_limit_fuzzer limit = {.costed = &costed, .max_depth = 10, .hooks = hooks};
    pare_generator generator = pare_fuzzer_limit(&limit);
    pare_choices_seed(&choices, seed);
    if (!status) status = generator.run(generator.self, &choices, text, err);
    if (!status) {
        assert_true(pare_choices_record_check(&choices.record));
        assert_int_equal(pare_buffer_add(text, "", 0, NULL), PARE_OK);
    }
    pare_choices_done(&choices);
    pare_fuzzer_limit_done(&limit);
    pare_expansion_costs_done(&costed);
    pare_grammar_free(grammar);
    pare_hooks_free(hooks);
    return status;
}

/* The same by the deriver. */
static pare_status make_g4(const char *source, const char *script, uint64_t seed, pare_buffer *text,
                           pare_error *err)
{
    pare_hooks *hooks = read_hooks(script);
    pare_grammar *grammar = read_text(source);
    pare_expansion_table table;
    pare_deriver *deriver = NULL;
    pare_choices choices = {0};
    pare_index start = pare_grammar_start(grammar);
    assert_int_equal(pare_expansion_table_init(&table, grammar, start, NULL), PARE_OK);
    pare_deriver_options options = {.max_tokens = 40, .hooks = hooks};
    pare_status status = pare_deriver_new(&table, start, &options, &deriver, err);
    if (!status) {
        pare_generator generator = pare_deriver_generator(deriver);
        pare_choices_seed(&choices, seed);
        status = generator.run(generator.self, &choices, text, err);
    }
    if (!status) assert_int_equal(pare_buffer_add(text, "", 0, NULL), PARE_OK);
    pare_deriver_free(deriver);
    pare_choices_done(&choices);
    pare_expansion_table_done(&table);
    pare_grammar_free(grammar);
    pare_hooks_free(hooks);
    return status;
}

static const char lengths[] = "{'<start>': [[['<body>', {'pre': 'length'}]]],"
                              "'<body>': ['x<body>', 'y']}";

static void assert_book(const char *json, const char *script, const char *wanted)
{
    pare_buffer text = {0};
    pare_error err = {0};
    if (make_book(json, script, 1, &text, &err)) fail_msg("%s: %s", script, err.message);
    assert_string_equal(text.data, wanted);
    pare_buffer_done(&text);
}

static void test_hooks__a_length_stands_before_what_it_counts(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        pare_buffer text = {0};
        char *rest;
        const char *script = "function pre.length() local t = make() return #t .. ':' .. t end";
        assert_int_equal(make_book(lengths, script, seed, &text, NULL), PARE_OK);
        unsigned long length = strtoul(text.data, &rest, 10);
        assert_int_equal(*rest, ':');
        assert_int_equal(strlen(rest + 1), length);
        pare_buffer_done(&text);
    }
}

static void test_hooks__symbols_rules_and_expansions_nest(void **state)
{
    (void)state;
    static const char one[] = "{'<start>': [[['<a>', {'post': 'of'}]]], '<a>': ['a']}";
    assert_book(one,
                "function post.of(t, name) return 'S(' .. t .. ',' .. name .. ')' end\n"
                "post['<a>'] = function(t) return 'R(' .. t .. ')' end\n"
                "post['<a>#0'] = function(t) return 'E(' .. t .. ')' end",
                "S(R(E(a)),<a>)");
    assert_book(one, "function pre.of() return 'p' end", "p");
    assert_book(one, "function pre.of() end", "a");
    assert_book(one, "function pre.of() return make() .. make() end", "aa");
    assert_book("{'<start>': [[['x', {'pre': 'of'}], 'y']]}", "function pre.of(n) return n..n end",
                "xxy");
}

static void test_hooks__define_before_use_can_be_written_in_lua(void **state)
{
    (void)state;
    static const char json[] =
        "{'<start>': ['<one>', '<one><start>'], '<one>': [[['<v>', {'post': 'def'}], '=',"
        "['<v>', {'pre': 'ref'}], [';', {'post': 'stop'}]]],"
        "'<v>': ['a', 'b', 'c', 'd']}";
    static const char script[] = "post.def = function(text) define(text) end\n"
                                 "post.stop = commit\n"
                                 "function pre.ref()\n"
                                 "  local known = names()\n"
                                 "  if #known == 0 then return '0' end\n"
                                 "  return known[choose(#known)]\n"
                                 "end\n";
    for (uint64_t seed = 0; seed < 50; seed++) {
        bool known[256] = {['0'] = true};
        pare_buffer text = {0};
        assert_int_equal(make_book(json, script, seed, &text, NULL), PARE_OK);
        for (size_t i = 0; i < text.size; i += 4) {
            assert_true(known[(unsigned char)text.data[i + 2]]);
            known[(unsigned char)text.data[i]] = true;
        }
        pare_buffer_done(&text);
    }
}

/* Lua's own sort draws its pivots by the clock where the items are many and the first, middle and
 * last are the least; what it does with equal items then differs from run to run. */
static void test_hooks__sorting_does_not_depend_on_the_clock(void **state)
{
    (void)state;
    static const char one[] = "{'<start>': [[['<a>', {'post': 'of'}]]], '<a>': ['a']}";
    assert_book(one,
                "function post.of()\n"
                "  local t, n, last = {}, 2999, {k = -1, i = 0}\n"
                "  for i = 1, n do t[i] = {k = 5 + i * 7919 % 4, i = i} end\n"
                "  t[1].k, t[n].k, t[(n + 1) // 2].k = 0, 0, 0\n"
                "  table.sort(t, function(a, b) return a.k < b.k end)\n"
                "  for i = 1, n do\n"
                "    local here = t[i]\n"
                "    if here.k < last.k or here.k == last.k and here.i < last.i then\n"
                "      return 'not sorted'\n"
                "    end\n"
                "    last = here\n"
                "  end\n"
                "  return 'sorted ' .. #t\n"
                "end",
                "sorted 2999");
    assert_book(one,
                "function post.of()\n"
                "  local t = {3, 1, 2, 5, 4}\n"
                "  table.sort(t)\n"
                "  local words = {'b', 'a'}\n"
                "  table.sort(words)\n"
                "  table.sort({})\n"
                "  return table.concat(t) .. table.concat(words)\n"
                "end",
                "12345ab");
}

static const char packets[] = "grammar P;\n"
                              "file: packet+ EOF;\n"
                              "packet: 'P' body '!' SUM ';';\n"
                              "body: WORD # one | WORD 'and' body # more;\n"
                              "SUM: [0-9]+;\n"
                              "WORD: [a-z]+;\n"
                              "WS: ' ' -> skip;\n";

static void assert_g4(const char *script, pare_status wanted, const char *message)
{
    pare_buffer text = {0};
    pare_error err = {0};
    assert_int_equal(make_g4(packets, script, 3, &text, &err), wanted);
    if (message) assert_string_equal(err.message, message);
    pare_buffer_done(&text);
}

static void test_hooks__a_checksum_follows_what_it_sums(void **state)
{
    (void)state;
    static const char script[] = "function post.body(text) sum = #text end\n"
                                 "function pre.SUM() return tostring(sum) end\n";
    for (uint64_t seed = 0; seed < 30; seed++) {
        pare_buffer text = {0};
        pare_error err = {0};
        assert_int_equal(make_g4(packets, script, seed, &text, &err), PARE_OK);
        for (char *at = text.data; *at; at = strchr(at, ';') + 1) {
            const char *end = strchr(at, '!');
            assert_int_equal(strtol(end + 1, NULL, 10), end - at - 1);
        }
        pare_buffer_done(&text);
    }
}

static void test_hooks__texts_of_hooks_keep_their_distance(void **state)
{
    (void)state;
    static const struct {
        const char *script, *wanted;
    } cases[] = {
        {"function pre.body() return 'a' end", "Pa!"},
        {"post['body#more'] = function(t) return 'x and y' end; pre['body#one'] = reject", NULL},
        {"function post.body(t) return 'P' .. t end", NULL}, /* P is a token of its own */
        {"function post.packet(t) return 'Pq!7;' end", "Pq!7;"},
        {"function pre.WORD() return 'and' end", NULL}, /* a keyword */
        {"function pre.packet() local t = make() return t .. t end", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer text = {0};
        pare_error err = {0};
        pare_status status = make_g4(packets, cases[i].script, 5, &text, &err);
        if (status && status != PARE_E_UNSUPPORTED) fail_msg("%s", err.message);
        if (!status && cases[i].wanted)
            assert_memory_equal(text.data, cases[i].wanted, strlen(cases[i].wanted));
        pare_buffer_done(&text);
    }
    static const char ways[] = "grammar W; s: a 'let' a; a: I | '(' I ')'; I: [a-z]+;"
                               "S: ' ' -> skip;";
    pare_buffer text = {0};
    assert_int_equal(make_g4(ways, "post.a = function(t) return 'w' .. #t end", 1, &text, NULL),
                     PARE_E_SYNTAX);
    assert_int_equal(make_g4(ways, "post.a = function(t) return 'w' end", 1, &text, NULL), PARE_OK);
    assert_memory_equal(text.data + text.size - 7, "w let w", 7);
    pare_buffer_done(&text);
}

static void test_hooks__what_names_nothing_is_told(void **state)
{
    (void)state;
    assert_g4("function pre.boddy() end", PARE_E_SYNTAX,
              "h.lua: the hook pre['boddy'] names no rule, alternative or symbol of the grammar");
    assert_g4("post['body#2'] = function() end", PARE_E_SYNTAX,
              "h.lua: the hook post['body#2'] names no rule, alternative or symbol of the grammar");
    assert_g4(
        "function post.body() return '?' end", PARE_E_SYNTAX,
        "the text that a hook returned does not match the grammar: the grammar's lexer cannot "
        "read '?'");
    pare_buffer text = {0};
    pare_error err = {0};
    assert_int_equal(make_book(lengths, "", 1, &text, &err), PARE_E_UNSUPPORTED);
    assert_string_equal(
        err.message,
        "rule '<start>' has the unknown hook 'length': built in are define, use, commit and apart, "
        "and the script has no such hook");
    pare_buffer_done(&text);
}

/* --- the box ------------------------------------------------------------------------ */

#define IN_HOOK(body) "function pre.length() " body " end"

static void test_hooks__what_runs_wild_ends_with_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *script, *message;
        pare_status status;
    } cases[] = {
        {IN_HOOK("while true do end"), "hook pre['length']: it takes more than 10000000 steps",
         PARE_E_LIMIT},
        {IN_HOOK("error('no')"), "hook pre['length']: h.lua:1: no", PARE_E_SYNTAX},
        {IN_HOOK("error({})"), "hook pre['length']: an error", PARE_E_SYNTAX},
        {IN_HOOK("for i = 1, 1000000 do choose(2) end"),
         "hook pre['length']: it asks for more than 100000 choices", PARE_E_LIMIT},
        {IN_HOOK("local t = {} for i = 1, 1e9 do t[i] = i end"),
         "hook pre['length']: it needs more than 16 MiB of memory", PARE_E_LIMIT},
        {IN_HOOK("local s = 'x' while true do s = s .. s end"),
         "hook pre['length']: it needs more than 16 MiB of memory", PARE_E_LIMIT},
        {IN_HOOK("return ('x'):rep(1e15, '')"),
         "hook pre['length']: h.lua:1: the repeated text is too long", PARE_E_SYNTAX},
        {IN_HOOK("return {}"), "hook pre['length']: it returns a table, not a text or nil",
         PARE_E_SYNTAX},
        {IN_HOOK("reject()"), "hook pre['length']: it rejects the text", PARE_E_UNSUPPORTED},
        {IN_HOOK("choose(0)"),
         "hook pre['length']: h.lua:1: bad argument #1 to 'choose' (there is nothing to choose "
         "from)",
         PARE_E_SYNTAX},
        {IN_HOOK("return string.format('%p', 'x')"),
         "hook pre['length']: h.lua:1: '%p' is not possible here", PARE_E_SYNTAX},
        {IN_HOOK("table.sort({1, 'a'})"),
         "hook pre['length']: attempt to compare string with number", PARE_E_SYNTAX},
        {IN_HOOK("table.sort({1, 2}, 3)"),
         "hook pre['length']: h.lua:1: bad argument #2 to 'sort' (function expected, got number)",
         PARE_E_SYNTAX},
        {IN_HOOK("table.sort({1, 2}, function() while true do end end)"),
         "hook pre['length']: it takes more than 10000000 steps", PARE_E_LIMIT},
        {IN_HOOK("return make() .. pre.length()"),
         "hook pre['length']: it needs more than 16 MiB of memory", PARE_E_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_buffer text = {0};
        pare_error err = {0};
        assert_int_equal(make_book(lengths, cases[i].script, 1, &text, &err), cases[i].status);
        assert_memory_equal(err.message, cases[i].message, strlen(cases[i].message));
        pare_buffer_done(&text);
    }
    assert_book(lengths, IN_HOOK("return ('' .. #(''):rep(1000000000))"), "0");
}

static void test_hooks__nothing_of_the_outside_is_there(void **state)
{
    (void)state;
    static const char *const names[] = {
        "io",           "os",           "debug",          "package",     "require",
        "dofile",       "loadfile",     "load",           "pcall",       "xpcall",
        "setmetatable", "getmetatable", "pairs",          "next",        "coroutine",
        "print",        "warn",         "collectgarbage", "math.random", "math.randomseed",
        "string.dump",  "string.match", "string.gmatch",  "string.gsub", "table.move"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char script[200];
        snprintf(script, sizeof script, IN_HOOK("return tostring(%s == nil)"), names[i]);
        assert_book(lengths, script, "true");
    }
    assert_book(lengths, IN_HOOK("return string.format('%d|%s', 3, ('hello'):find('l'))"), "3|3");
}

static void test_hooks__nothing_is_kept_from_text_to_text(void **state)
{
    (void)state;
    pare_hooks *hooks = read_hooks("n = 0 function pre.x() n = n + 1 return n end");
    pare_hook_pair pair = pare_hooks_find(hooks, "x");
    pare_choices choices = {0};
    pare_hooks_names declared = {0};
    pare_buffer text = {0};
    pare_hook_host host = {&choices, &declared, &text, NULL, NULL};
    for (int round = 0; round < 3; round++) {
        bool replaced = false;
        pare_hooks_start(hooks);
        pare_buffer_reset(&text);
        for (int i = 0; i < 2; i++)
            assert_int_equal(
                pare_hooks_call(hooks,
                                &(pare_hook_call){.hook = pair.pre, .host = &host, .name = "x"},
                                &text, &replaced, NULL),
                PARE_OK);
        assert_true(replaced);
        assert_string_equal(text.data, "12");
    }
    assert_int_equal(pair.post, PARE_NO_HOOK);
    pare_buffer_done(&text);
    pare_hooks_free(hooks);
}

static void test_hooks__scripts_that_cannot_be_loaded_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *script, *message;
    } cases[] = {
        {"function pre.x(", "h.lua:1: <name> or '...' expected near <eof>"},
        {"while true do end", "h.lua: it takes more than 10000000 steps"},
        {"error('x')", "h.lua:1: x"},
        {"pre.x = 3", "h.lua: 'pre' holds functions by their names"},
        {"post[1] = reject", "h.lua: 'post' holds functions by their names"},
        {"choose(2)", "h.lua:1: this can be called in a hook only"},
        {"\x1bLua", "h.lua: attempt to load a binary chunk (mode is 't')"},
    };
    pare_hooks_free(read_hooks(""));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_hooks *hooks = NULL;
        pare_error err = {0};
        const char *script = cases[i].script;
        assert_int_not_equal(pare_hooks_new("h.lua", script, strlen(script), &hooks, &err),
                             PARE_OK);
        assert_string_equal(err.message, cases[i].message);
        assert_null(hooks);
    }
}

/* Lua collects its garbage and tries again when memory cannot be had, so a single failure may
 * pass unseen; but nothing is lost, and it is told or nothing. */
static void test_hooks__every_allocation_may_fail(void **state)
{
    (void)state;
#ifdef PARE_FAULT_INJECTION
    static const char script[] = "function pre.length() local t = make() return t .. choose(3) end";
    pare_hooks_free(read_hooks(script));
    pare_grammar *grammar = book_of(lengths);
    bool hit = true;
    for (size_t n = 0; hit; n++) {
        long before = pare_alloc_live();
        pare_hooks *hooks = NULL;
        pare_expansion_costs costed = {0};
        pare_choices choices = {0};
        pare_buffer text = {0};
        pare_alloc_fault_after(n);
        pare_status status = pare_hooks_new("h.lua", script, strlen(script), &hooks, NULL);
        if (!status) status = pare_expansion_costs_init_hooked(&costed, grammar, hooks, NULL);
        pare_limit_fuzzer limit = {.costed = &costed, .max_depth = 10, .hooks = hooks};
        pare_generator generator = pare_fuzzer_limit(&limit);
        if (!status) status = generator.run(generator.self, &choices, &text, NULL);
        hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        assert_true(status == PARE_OK || (hit && status == PARE_E_NOMEM));
        pare_fuzzer_limit_done(&limit);
        pare_expansion_costs_done(&costed);
        pare_hooks_free(hooks);
        pare_choices_done(&choices);
        pare_buffer_done(&text);
        assert_int_equal(pare_alloc_live(), before);
    }
    pare_grammar_free(grammar);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hooks__a_length_stands_before_what_it_counts),
        cmocka_unit_test(test_hooks__symbols_rules_and_expansions_nest),
        cmocka_unit_test(test_hooks__define_before_use_can_be_written_in_lua),
        cmocka_unit_test(test_hooks__sorting_does_not_depend_on_the_clock),
        cmocka_unit_test(test_hooks__a_checksum_follows_what_it_sums),
        cmocka_unit_test(test_hooks__texts_of_hooks_keep_their_distance),
        cmocka_unit_test(test_hooks__what_names_nothing_is_told),
        cmocka_unit_test(test_hooks__what_runs_wild_ends_with_a_sentence),
        cmocka_unit_test(test_hooks__nothing_of_the_outside_is_there),
        cmocka_unit_test(test_hooks__nothing_is_kept_from_text_to_text),
        cmocka_unit_test(test_hooks__scripts_that_cannot_be_loaded_are_told),
        cmocka_unit_test(test_hooks__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
