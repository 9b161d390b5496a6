/* Samples: they are of their kind, others for other seeds, and the same for the same one. */
/* tests: src/explain/sampler.c */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "explain/sampler.h"

static const char text[] = "f(12, 0x1f, \"abc\") + f * 2.5";

/* The part that begins with the first `token`. */
static pare_sampled part_of(pare_part_kind kind, const char *token)
{
    const size_t from = (size_t)(strstr(text, token) - text);
    return (pare_sampled){.kind = kind,
                          .text = {(const unsigned char *)text, strlen(text)},
                          .from = from,
                          .to = from + strlen(token),
                          .value = kind == PARE_PART_STRING ? strlen(token) - 2
                                                            : strtoull(token, NULL, 10)};
}

static void draw(const pare_sampled *part, uint64_t seed, uint32_t k, pare_buffer *out)
{
    pare_buffer_reset(out);
    assert_int_equal(pare_sampler_draw(part, seed, k, out, NULL), PARE_OK);
    assert_true(out->size > 0);
}

static void test_sampler__draws_what_is_of_its_kind(void **state)
{
    pare_buffer out = {0};
    const pare_sampled whole = part_of(PARE_PART_WHOLE, "12"), name = part_of(PARE_PART_NAME, "f");
    const pare_sampled string = part_of(PARE_PART_STRING, "\"abc\"");
    const pare_sampled hex = part_of(PARE_PART_NUMBER, "0x1f"), sign = part_of(PARE_PART_SIGN, "+");
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++)
        for (uint32_t k = 0; k < 200; k++) {
            draw(&whole, seed, k, &out);
            assert_int_equal(strspn(out.data, "0123456789"), out.size);
            assert_true(out.size <= 19);
            draw(&name, seed, k, &out);
            assert_true(isalpha((unsigned char)out.data[0]) && strcmp(out.data, "f") != 0);
            assert_true(out.data[out.size - 1] != '_' && !strstr(out.data, "__"));
            draw(&string, seed, k, &out);
            assert_true(out.data[0] == '"' && out.data[out.size - 1] == '"');
            assert_ptr_equal(strchr(out.data + 1, '"'), out.data + out.size - 1);
            draw(&hex, seed, k, &out);
            assert_memory_equal(out.data, "0x", 2);
            draw(&sign, seed, k, &out);
            assert_non_null(strstr("+ - * / %", out.data));
        }
    pare_buffer_done(&out);
}

static void assert_sign(const char *line, size_t at, bool is_of_number)
{
    const pare_span span = {(const unsigned char *)line, strlen(line)};
    if (pare_sampler_is_number_sign(span, at, at + 1) != is_of_number)
        fail_msg("%s, byte %zu", line, at);
}

static void test_sampler__tells_the_sign_of_a_number_from_an_operator(void **state)
{
    (void)state;
    assert_sign("-1", 0, true);
    assert_sign("[-1]", 1, true);
    assert_sign("f(+.5)", 2, true);
    assert_sign("a = -1", 4, true);
    assert_sign("return -1", 7, true);
    assert_sign("a-1", 1, false);
    assert_sign("a - 1", 2, false);
    assert_sign("f(x) -1", 5, false);
    assert_sign("a[0]-1", 4, false);
    assert_sign("-x", 0, false);
    assert_sign("-", 0, false);
    assert_sign("*1", 0, false);
}

/* Without it first, then the other one. */
static void test_sampler__leaves_the_sign_of_a_number_out(void **state)
{
    const pare_sampled sign = {
        .kind = PARE_PART_SIGN, .text = {(const unsigned char *)"[-40]", 5}, .from = 1, .to = 2};
    pare_buffer out = {0};
    (void)state;
    assert_int_equal(pare_sampler_n_fixed(&sign), 2);
    assert_int_equal(pare_sampler_draw(&sign, 0, 0, &out, NULL), PARE_OK);
    assert_int_equal(out.size, 0);
    assert_int_equal(pare_sampler_draw(&sign, 0, 1, &out, NULL), PARE_OK);
    assert_string_equal(out.data, "+");
    pare_buffer_done(&out);
}

static void test_sampler__draws_as_many_digits_of_bytes_in_quotes(void **state)
{
    static const char sql[] = "SELECT X'0aF1'";
    const pare_sampled part = {.kind = PARE_PART_NUMBER,
                               .text = {(const unsigned char *)sql, strlen(sql)},
                               .from = 7,
                               .to = 14};
    pare_buffer out = {0};
    (void)state;
    for (uint64_t seed = 0; seed < 2; seed++)
        for (uint32_t k = 0; k < 50; k++) {
            draw(&part, seed, k, &out);
            assert_int_equal(out.size, 7);
            assert_memory_equal(out.data, "X'", 2);
            assert_true(pare_sampler_is_hex_literal(
                (pare_span){(const unsigned char *)out.data, out.size}));
        }
    static const char *const others[] = {"x''", "x'0g'", "b'01'", "x\"01\"", "x'01", "01"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_false(pare_sampler_is_hex_literal(
            (pare_span){(const unsigned char *)others[k], strlen(others[k])}));
    pare_buffer_done(&out);
}

static void test_sampler__draws_by_place_seed_and_number_alone(void **state)
{
    pare_buffer first = {0}, other = {0};
    const pare_sampled name = part_of(PARE_PART_NAME, "f");
    unsigned same = 0;
    (void)state;
    for (uint32_t k = 0; k < 100; k++) {
        draw(&name, 3, k, &first);
        draw(&name, 3, k, &other);
        assert_string_equal(first.data, other.data);
        draw(&name, 4, k, &other);
        same += strcmp(first.data, other.data) == 0;
    }
    assert_true(same < 10); /* names of one letter meet */
    pare_buffer_done(&first);
    pare_buffer_done(&other);
}

static void test_sampler__begins_with_the_neighbours_of_a_number(void **state)
{
    pare_buffer out = {0};
    const pare_sampled whole = part_of(PARE_PART_WHOLE, "12");
    (void)state;
    draw(&whole, 0, 0, &out);
    assert_string_equal(out.data, "13");
    draw(&whole, 0, 1, &out);
    assert_string_equal(out.data, "11");
    pare_buffer_done(&out);
}

static void test_sampler__sizes_are_within_their_range_and_meet_both_ends(void **state)
{
    bool low = false, high = false;
    (void)state;
    for (uint32_t k = 0; k < 500; k++) {
        const uint64_t size = pare_sampler_size(9, k, 17, 4242);
        assert_in_range(size, 17, 4242);
        low = low || size == 17;
        high = high || size == 4242;
        assert_int_equal(pare_sampler_size(9, k, 5, 5), 5);
        assert_true(pare_sampler_size(9, k, 1, UINT64_MAX) >= 1);
    }
    assert_true(low && high);
    pare_buffer out = {0};
    const pare_sampled string = part_of(PARE_PART_STRING, "\"abc\"");
    assert_int_equal(pare_sampler_draw_sized(&string, 1, 100, &out, NULL), PARE_OK);
    assert_int_equal(out.size, 102);
    pare_buffer_done(&out);
}

static const char grammar[] = "grammar C; file: call+ EOF; call: ID '(' arg ')' ';'; arg: ID | N;"
                              "ID: [a-z]+; N: [0-9]+; WS: ' ' -> skip;";

static pare_status make_nodes(void *context)
{
    const char *const paths[] = {context};
    const pare_sampler_source source = {.grammars = paths, .n_grammars = 1};
    pare_sampled part = part_of(PARE_PART_NODE, "f(12");
    pare_sampler_wish wish = {.source = &source, .part = &part, .rule = "call", .seed = 3, .n = 8};
    pare_sampler_nodes nodes = {.n = 0};
    pare_status status = pare_sampler_make_nodes(&wish, &nodes, NULL);
    assert_true(status || nodes.n == 8);
    for (size_t k = 0; !status && k < nodes.n; k++) {
        const pare_span node = pare_sampler_node(&nodes, k);
        assert_true(islower(node.bytes[0]) && node.bytes[node.size - 1] == ';');
    }
    pare_sampler_nodes_done(&nodes);
    wish.rule = "nothing";
    if (!status) status = pare_sampler_make_nodes(&wish, &nodes, NULL);
    assert_true(status || nodes.n == 0);
    pare_sampler_nodes_done(&nodes);
    return status;
}

static void test_sampler__makes_nodes_of_a_rule_that_there_is(void **state)
{
    char path[] = "/tmp/test-sampler-XXXXXX.g4";
    (void)state;
    const int file = mkstemps(path, 3);
    assert_true(file >= 0);
    assert_int_equal(write(file, grammar, strlen(grammar)), (ssize_t)strlen(grammar));
    (void)close(file);
    assert_int_equal(make_nodes(path), PARE_OK);
    (void)unlink(path);
}

/* Among bytes a name of another length would move all that follows. */
static void test_sampler__among_bytes_names_keep_their_length(void **state)
{
    static const char bytes[] = "\x01\x02\x03name\x04"
                                "9\xa3\x05";
    const pare_span whole = {(const unsigned char *)bytes, sizeof bytes - 1};
    const pare_sampled name = {.kind = PARE_PART_NAME, .text = whole, .from = 3, .to = 7};
    const pare_sampled number = {.kind = PARE_PART_NUMBER, .text = whole, .from = 8, .to = 10};
    pare_buffer out = {0};
    (void)state;
    assert_true(pare_sampler_is_bytes(whole));
    assert_false(pare_sampler_is_bytes((pare_span){(const unsigned char *)text, strlen(text)}));
    for (uint64_t seed = 0; seed < 3; seed++)
        for (uint32_t k = 0; k < 50; k++) {
            draw(&name, seed, k, &out);
            assert_int_equal(out.size, 4);
            draw(&number, seed, k, &out);
            assert_true(out.size == 2 && isdigit((unsigned char)out.data[0]));
        }
    pare_buffer_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sampler__among_bytes_names_keep_their_length),
        cmocka_unit_test(test_sampler__draws_what_is_of_its_kind),
        cmocka_unit_test(test_sampler__tells_the_sign_of_a_number_from_an_operator),
        cmocka_unit_test(test_sampler__leaves_the_sign_of_a_number_out),
        cmocka_unit_test(test_sampler__draws_as_many_digits_of_bytes_in_quotes),
        cmocka_unit_test(test_sampler__draws_by_place_seed_and_number_alone),
        cmocka_unit_test(test_sampler__begins_with_the_neighbours_of_a_number),
        cmocka_unit_test(test_sampler__sizes_are_within_their_range_and_meet_both_ends),
        cmocka_unit_test(test_sampler__makes_nodes_of_a_rule_that_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
