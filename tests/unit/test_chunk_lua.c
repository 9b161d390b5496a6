/* Compiled Lua. */
/* tests: src/reduce/binary/chunk_lua.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "unit/chunk_samples.h"

enum { VERSIONS = 4, CONSTANTS = 2, FUNCTIONS = 2 };

/* A version: its header, and what names a function and a constant. */
static const struct version {
    const char *header;
    size_t header_bytes;
    unsigned closure, load, shift, line, outer;
} versions[VERSIONS] = {
    {"\x1bLua\x51\0\1\4\x08\4\x08\0", 12, 36, 1, 14, 4, 0},
    {"\x1bLua\x52\0\1\4\x08\4\x08\0\x19\x93\r\n\x1a\n", 18, 37, 1, 14, 4, 2},
    {"\x1bLua\x53\0\x19\x93\r\n\x1a\n\4\x08\4\x08\x08\x78\x56\0\0\0\0\0\0\0\0\0\0\0\x28\x77\x40\1",
     34, 44, 1, 14, 4, 2},
    {"\x1bLua\x54\0\x19\x93\r\n\x1a\n\4\x08\x08\x78\x56\0\0\0\0\0\0\0\0\0\0\0\x28\x77\x40\1", 32,
     79, 3, 15, 1, 3},
};

/* What the program has: sets of constants and of functions. */
struct program {
    unsigned constants, functions;
};

/* Where these, and the instructions that name them, begin and end. */
struct places {
    uint32_t constants[CONSTANTS + 1], functions[FUNCTIONS + 1];
    uint32_t loads[CONSTANTS + 1], closures[FUNCTIONS + 1];
};

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

static void add_byte(pare_buffer *to, unsigned value)
{
    const unsigned char byte = (unsigned char)value;
    add(to, &byte, 1);
}

static void add_little(pare_buffer *to, uint64_t value, unsigned width)
{
    for (; width--; value >>= 8)
        add_byte(to, (unsigned)(value & 0xff));
}

static void add_number(const struct version *version, pare_buffer *to, unsigned value)
{
    if (version == &versions[3])
        add_byte(to, value | 0x80U);
    else
        add_little(to, value, 4);
}

static void add_text(const struct version *version, pare_buffer *to, const char *text)
{
    const unsigned n = text ? (unsigned)strlen(text) + 1 : 0;
    if (version <= &versions[1])
        add_little(to, n, 8);
    else
        add_byte(to, version == &versions[3] ? n | 0x80U : n);
    if (text) add(to, text, n - (version > &versions[1]));
}

static unsigned n_of(unsigned set)
{
    return (set & 1) + (set >> 1 & 1);
}

/* Instructions that name what there is, one that returns, and constants of which each is a text. */
static void add_code(const struct version *version, struct program program, pare_buffer *to,
                     struct places *places)
{
    static const char *const texts[CONSTANTS] = {"one", "and another text"};
    unsigned place = 0;
    add_number(version, to, n_of(program.constants) + n_of(program.functions) + 1);
    for (unsigned i = 0; i < CONSTANTS; i++) {
        places->loads[i] = (uint32_t)to->size;
        if (program.constants >> i & 1)
            add_little(to, version->load | place++ << version->shift, 4);
    }
    place = 0;
    places->loads[CONSTANTS] = (uint32_t)to->size;
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        places->closures[i] = (uint32_t)to->size;
        if (program.functions >> i & 1)
            add_little(to, version->closure | place++ << version->shift, 4);
    }
    places->closures[FUNCTIONS] = (uint32_t)to->size;
    add_little(to, 30, 4);
    add_number(version, to, n_of(program.constants));
    for (unsigned i = 0; i < CONSTANTS; i++) {
        places->constants[i] = (uint32_t)to->size;
        if (!(program.constants >> i & 1)) continue;
        add_byte(to, 4);
        add_text(version, to, texts[i]);
    }
    places->constants[CONSTANTS] = (uint32_t)to->size;
}

static void add_function(const struct version *version, struct program program, pare_buffer *to,
                         struct places *places);

static void add_functions(const struct version *version, struct program program, pare_buffer *to,
                          struct places *places)
{
    add_number(version, to, n_of(program.functions));
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        struct places inner;
        places->functions[i] = (uint32_t)to->size;
        if (program.functions >> i & 1)
            add_function(version, (struct program){.constants = i + 1}, to, &inner);
    }
    places->functions[FUNCTIONS] = (uint32_t)to->size;
}

/* A function with the line of each instruction, and without names. */
static void add_function(const struct version *version, struct program program, pare_buffer *to,
                         struct places *places)
{
    const unsigned n = n_of(program.constants) + n_of(program.functions) + 1;
    const bool is_first = version == &versions[0];
    if (version != &versions[1]) add_text(version, to, "source");
    add_number(version, to, 1);
    add_number(version, to, 9);
    add(to, "\0\0\2\2", is_first ? 4 : 3);
    add_code(version, program, to, places);
    if (version > &versions[1]) add_number(version, to, 0); /* outer values */
    add_functions(version, program, to, places);
    if (version == &versions[1]) add_number(version, to, 0);
    if (version == &versions[1]) add_text(version, to, "source");
    add_number(version, to, n);
    for (unsigned i = 0; i < n; i++)
        add_little(to, 1, version->line);
    if (version == &versions[3]) add_number(version, to, 0); /* lines of some */
    add_number(version, to, 0);
    add_number(version, to, 0);
}

static void make(const struct version *version, struct program program, pare_buffer *file,
                 struct places *places)
{
    pare_buffer_reset(file);
    add(file, version->header, version->header_bytes);
    add_function(version, program, file, places);
}

static const struct program whole = {.constants = 3, .functions = 3};

static void test_chunk_lua__a_constant_goes_with_its_load(void **state)
{
    (void)state;
    for (unsigned v = 0; v < VERSIONS; v++) {
        pare_buffer file = {0}, less = {0};
        struct places at, unused;
        make(&versions[v], whole, &file, &at);
        make(&versions[v], (struct program){.constants = 2, .functions = 3}, &less, &unused);
        pare_chunk_tree *tree = find_chunks(file.data, file.size);
        unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
        memset(kept, 1, (size_t)tree->size + 1);
        /* The other one has the place of this one from then on. */
        pare_chunk_names_cut_chunk(tree, kept,
                                   chunk_between(tree, at.constants[0], at.constants[1]));
        pare_chunk_names_cut_chunk(tree, kept, chunk_between(tree, at.loads[0], at.loads[1]));
        assert_writes(tree, kept, less.data, less.size);
        test_free(kept);
        pare_chunk_tree_unref(tree);
        pare_buffer_done(&file);
        pare_buffer_done(&less);
    }
}

static void test_chunk_lua__a_function_goes_when_nothing_makes_it(void **state)
{
    (void)state;
    for (unsigned v = 0; v < VERSIONS; v++)
        for (unsigned i = 0; i < FUNCTIONS; i++) {
            pare_buffer file = {0}, less = {0};
            struct places at, unused;
            make(&versions[v], whole, &file, &at);
            make(&versions[v], (struct program){.constants = 3, .functions = 3 & ~(1U << i)}, &less,
                 &unused);
            assert_named_goes(&file, at.closures[i], at.closures[i + 1], &less);
            pare_buffer_done(&file);
            pare_buffer_done(&less);
        }
}

static void test_chunk_lua__functions_are_values_and_the_return_stays(void **state)
{
    (void)state;
    for (unsigned v = 0; v < VERSIONS; v++) {
        pare_buffer file = {0};
        struct places at;
        make(&versions[v], whole, &file, &at);
        pare_chunk_tree *tree = find_chunks(file.data, file.size);
        const uint32_t function = chunk_between(tree, at.functions[0], at.functions[1]);
        const uint32_t program =
            chunk_between(tree, (uint32_t)versions[v].header_bytes, (uint32_t)file.size);
        const uint32_t end = at.closures[FUNCTIONS];
        assert_int_not_equal(function, PARE_NO_CHUNK);
        assert_int_not_equal(program, PARE_NO_CHUNK);
        assert_true(tree->chunks[function].value && tree->chunks[program].value);
        assert_true(!tree->chunks[function].fixed && tree->chunks[program].fixed);
        assert_true(tree->chunks[chunk_between(tree, end, end + 4)].fixed);
        pare_chunk_tree_unref(tree);
        pare_buffer_done(&file);
    }
}

static void test_chunk_lua__a_text_goes_to_its_end(void **state)
{
    (void)state;
    for (unsigned v = 0; v < VERSIONS; v++) {
        pare_buffer file = {0}, out = {0};
        struct places at;
        make(&versions[v], whole, &file, &at);
        const uint32_t zero = v < 2, from = at.constants[0] + (v < 2 ? 9 : 2);
        write_file_without_named(&file, from, at.constants[1] - zero, &out);
        assert_int_equal(out.size, file.size - 3);
        /* The length counts the zero, or one more than there is. */
        assert_int_equal((unsigned char)out.data[at.constants[0] + 1], v == 3 ? 0x81 : 1);
        pare_buffer_done(&file);
        pare_buffer_done(&out);
    }
}

static void test_chunk_lua__damage_is_bounded(void **state)
{
    (void)state;
    for (unsigned v = 0; v < VERSIONS; v++) {
        pare_buffer file = {0};
        struct places at;
        make(&versions[v], whole, &file, &at);
        assert_damage_is_bounded(&file);
        pare_buffer_done(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_lua__a_constant_goes_with_its_load),
        cmocka_unit_test(test_chunk_lua__a_function_goes_when_nothing_makes_it),
        cmocka_unit_test(test_chunk_lua__functions_are_values_and_the_return_stays),
        cmocka_unit_test(test_chunk_lua__a_text_goes_to_its_end),
        cmocka_unit_test(test_chunk_lua__damage_is_bounded),
    };
    return cmocka_run_group_tests_name("chunk_lua", tests, NULL, NULL);
}
