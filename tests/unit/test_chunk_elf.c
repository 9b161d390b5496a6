/* ELF files: sections, symbols and strings go, and what names those behind them follows.
 *
 * The file has, in this order: its header, one byte and one more of two sections, relocations for the
 * second, symbols, their names, names of sections, and the table; of 32 or 64 bits, in either order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

enum { FIRST = 1, SECOND, RELOCATIONS, SYMBOLS, STRINGS, NAMES, N_SECTIONS };

struct elf {
    bool wide;
    pare_coding coding;
    unsigned char bytes[2048];
    uint32_t size, table;
    uint32_t at[N_SECTIONS + 1]; /* where sections are */
};

static void put(struct elf *elf, uint32_t at, uint32_t width, uint64_t value)
{
    pare_chunk_coding_write(elf->coding, width, value, elf->bytes + at);
}

static uint32_t take(struct elf *elf, uint32_t n)
{
    elf->size += n;
    return elf->size - n;
}

/* A header in the table. */
static void put_section(struct elf *elf, uint32_t i, uint32_t type, uint32_t link, uint32_t info)
{
    const uint32_t at = elf->table + i * (elf->wide ? 64 : 40), word = elf->wide ? 8 : 4;
    const uint32_t sizes[N_SECTIONS] = {0, 1, 1, elf->wide ? 24 : 12, elf->wide ? 72 : 48, 7, 3};
    put(elf, at, 4, i == SECOND ? 1 : 0);
    put(elf, at + 4, 4, type);
    put(elf, at + (elf->wide ? 24 : 16), word, elf->at[i]);
    put(elf, at + (elf->wide ? 32 : 20), word, sizes[i]);
    put(elf, at + (elf->wide ? 40 : 24), 4, link);
    put(elf, at + (elf->wide ? 44 : 28), 4, info);
}

static void make_elf(struct elf *elf, bool wide, bool little)
{
    const uint32_t symbol = wide ? 24 : 16;
    *elf = (struct elf){.wide = wide, .coding = little ? PARE_CODING_LITTLE : PARE_CODING_BIG};
    memcpy(elf->bytes, "\177ELF", 4);
    elf->bytes[4] = wide ? 2 : 1;
    elf->bytes[5] = little ? 1 : 2;
    (void)take(elf, wide ? 64 : 52);
    elf->at[FIRST] = take(elf, 1);
    elf->at[SECOND] = take(elf, 1);
    elf->at[RELOCATIONS] = take(elf, wide ? 24 : 12);
    elf->at[SYMBOLS] = take(elf, symbol * 3);
    elf->at[STRINGS] = take(elf, 7);
    elf->at[NAMES] = take(elf, 3);
    elf->table = take(elf, N_SECTIONS * (wide ? 64 : 40));
    elf->bytes[elf->at[FIRST]] = 'f';
    elf->bytes[elf->at[SECOND]] = 's';
    memcpy(elf->bytes + elf->at[STRINGS], "\0ab\0cd\0", 7);
    memcpy(elf->bytes + elf->at[NAMES], "\0x\0", 3);
    put(elf, elf->at[SYMBOLS] + symbol, 4, 1);
    put(elf, elf->at[SYMBOLS] + symbol + (wide ? 6 : 14), 2, FIRST);
    put(elf, elf->at[SYMBOLS] + 2 * symbol, 4, 4);
    put(elf, elf->at[SYMBOLS] + 2 * symbol + (wide ? 6 : 14), 2, SECOND);
    put(elf, elf->at[RELOCATIONS] + (wide ? 8 : 4), wide ? 8 : 4,
        wide ? UINT64_C(2) << 32 | 7 : 2U << 8 | 7);
    put_section(elf, FIRST, 1, 0, 0);
    put_section(elf, SECOND, 1, 0, 0);
    put_section(elf, RELOCATIONS, 4, SYMBOLS, SECOND);
    put_section(elf, SYMBOLS, 2, STRINGS, 2);
    put_section(elf, STRINGS, 3, 0, 0);
    put_section(elf, NAMES, 3, 0, 0);
    put(elf, wide ? 40 : 32, wide ? 8 : 4, elf->table);
    put(elf, wide ? 58 : 46, 2, wide ? 64 : 40);
    put(elf, wide ? 60 : 48, 2, N_SECTIONS);
    put(elf, wide ? 62 : 50, 2, NAMES);
}

static uint64_t get(const struct elf *elf, const pare_buffer *file, uint32_t at, uint32_t width)
{
    assert_true(at + width <= file->size);
    return pare_chunk_coding_read(elf->coding, width, (const unsigned char *)file->data + at, width)
        .value;
}

/* The chunk of these bytes. */
static uint32_t chunk_at(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    for (uint32_t i = 1; i < tree->n_chunks; i++)
        if (tree->chunks[i].from == from && tree->chunks[i].to == to) return i;
    fail();
    return PARE_NO_CHUNK;
}

/* The file without two chunks, the second of which may be none. */
static void write_two_less(const pare_chunk_tree *tree, uint32_t a, uint32_t b, pare_buffer *out)
{
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    const uint32_t gone[] = {a, b};
    memset(kept, 1, (size_t)tree->size + 1);
    for (int i = 0; i < 2; i++)
        if (gone[i] != PARE_NO_CHUNK) {
            const pare_chunk *chunk = &tree->chunks[gone[i]];
            memset(kept + chunk->from, 0, chunk->to - chunk->from);
        }
    const pare_chunk_edits edits = {.kept = kept};
    pare_buffer_reset(out);
    assert_int_equal(pare_chunk_writer_write(tree, &edits, out, NULL, NULL), PARE_OK);
    test_free(kept);
}

static void check_section_goes(bool wide, bool little)
{
    struct elf elf;
    pare_buffer out = {0};
    make_elf(&elf, wide, little);
    const uint32_t word = wide ? 8 : 4, row = wide ? 64 : 40, symbol = wide ? 24 : 16;
    pare_chunk_tree *tree = find_chunks((char *)elf.bytes, elf.size);
    write_without(tree, PARE_NO_CHUNK, false, &out);
    assert_int_equal(out.size, elf.size);
    assert_memory_equal(out.data, elf.bytes, elf.size);
    const uint32_t first = chunk_at(tree, elf.at[FIRST], elf.at[SECOND]);
    const uint32_t header = tree->chunks[first].twin;
    assert_int_equal(tree->chunks[header].from, elf.table + row);
    assert_int_equal(tree->chunks[header].twin, first);
    write_two_less(tree, first, header, &out);
    assert_int_equal(out.size, elf.size - 1 - row);
    const uint32_t table = (uint32_t)get(&elf, &out, wide ? 40 : 32, word);
    assert_int_equal(table, elf.table - 1);
    assert_int_equal(get(&elf, &out, wide ? 60 : 48, 2), N_SECTIONS - 1);
    assert_int_equal(get(&elf, &out, wide ? 62 : 50, 2), NAMES - 1);
    /* The second section is number 1; its relocations, its symbol and the links say so. */
    assert_int_equal(get(&elf, &out, table + row + (wide ? 24 : 16), word), elf.at[FIRST]);
    assert_int_equal(get(&elf, &out, table + 2 * row + (wide ? 44 : 28), 4), 1);
    assert_int_equal(get(&elf, &out, table + 2 * row + (wide ? 40 : 24), 4), SYMBOLS - 1);
    assert_int_equal(get(&elf, &out, table + 3 * row + (wide ? 40 : 24), 4), STRINGS - 1);
    const uint32_t symbols = elf.at[SYMBOLS] - 1;
    assert_int_equal(get(&elf, &out, symbols + 2 * symbol + (wide ? 6 : 14), 2), 1);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

static void test_chunk_elf__a_section_goes_with_its_header(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        check_section_goes(i & 1, i & 2);
}

static void check_symbol_goes(bool wide, bool little)
{
    struct elf elf;
    pare_buffer out = {0};
    make_elf(&elf, wide, little);
    const uint32_t symbol = wide ? 24 : 16, word = wide ? 8 : 4, row = wide ? 64 : 40;
    const uint32_t from = elf.at[SYMBOLS] + symbol;
    pare_chunk_tree *tree = find_chunks((char *)elf.bytes, elf.size);
    const uint32_t name = chunk_at(tree, elf.at[STRINGS] + 1, elf.at[STRINGS] + 4);
    write_two_less(tree, chunk_at(tree, from, from + symbol), name, &out);
    assert_int_equal(out.size, elf.size - symbol - 3);
    /* The second symbol is number 1 and has its name, for the relocation, too. */
    assert_int_equal(get(&elf, &out, from, 4), 1);
    const uint64_t info = get(&elf, &out, elf.at[RELOCATIONS] + word, word);
    assert_int_equal(wide ? info >> 32 : info >> 8, 1);
    assert_int_equal(info & 0xff, 7);
    const uint32_t header = elf.table - symbol - 3 + SYMBOLS * row;
    assert_int_equal(get(&elf, &out, header + (wide ? 44 : 28), 4), 1);
    assert_int_equal(get(&elf, &out, header + (wide ? 32 : 20), word), 2 * symbol);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

static void test_chunk_elf__a_symbol_goes_with_a_name(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        check_symbol_goes(i & 1, i & 2);
}

static void test_chunk_elf__what_overlaps_is_not_believed(void **state)
{
    struct elf elf;
    (void)state;
    make_elf(&elf, true, true);
    put(&elf, elf.table + SECOND * 64 + 32, 8, 3);
    pare_chunk_tree *tree = find_chunks((char *)elf.bytes, elf.size);
    for (uint32_t i = 1; i < tree->n_chunks; i++)
        assert_int_not_equal(tree->chunks[i].from, elf.at[FIRST]);
    pare_chunk_tree_unref(tree);
}

/* Whatever a byte says, what is found is a tree, and is written as it was. */
static void test_chunk_elf__any_byte_may_be_wrong(void **state)
{
    (void)state;
    for (unsigned byte = 4; byte < 700; byte += 3) {
        struct elf elf;
        pare_buffer out = {0};
        make_elf(&elf, byte & 1, true);
        elf.bytes[byte] = 0xff;
        pare_chunk_tree *tree = find_chunks((char *)elf.bytes, elf.size);
        write_without(tree, PARE_NO_CHUNK, false, &out);
        assert_int_equal(out.size, elf.size);
        assert_memory_equal(out.data, elf.bytes, elf.size);
        pare_chunk_tree_unref(tree);
        pare_buffer_done(&out);
    }
}

static pare_status find_in(void *context)
{
    const struct elf *elf = context;
    pare_chunk_tree *tree = NULL;
    pare_status status = pare_chunk_finder_find(elf->bytes, elf->size, &tree, NULL);
    assert_true((status == PARE_OK) == (tree != NULL));
    pare_chunk_tree_unref(tree);
    return status;
}

static void test_chunk_elf__a_lack_of_memory_is_reported(void **state)
{
    struct elf elf;
    (void)state;
    make_elf(&elf, true, true);
    sweep_allocations(find_in, &elf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_elf__a_section_goes_with_its_header),
        cmocka_unit_test(test_chunk_elf__a_symbol_goes_with_a_name),
        cmocka_unit_test(test_chunk_elf__what_overlaps_is_not_believed),
        cmocka_unit_test(test_chunk_elf__any_byte_may_be_wrong),
        cmocka_unit_test(test_chunk_elf__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
