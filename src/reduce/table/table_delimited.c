/* Tables of lines: records of fields between delimiters (CSV, TSV, `;`, `|`, `:`, single blanks
 * between numbers), and columns of fixed width.
 *
 * The delimiter is that by which most of the first records have the same number of fields, of
 * several the one with the most.  A field that begins with a double quote ends at the next one that
 * stands before a delimiter or a line end; a doubled one stands for itself, and line ends in it
 * belong to the field.
 * What looks like it and is not: program code has delimiters within brackets, lines that are
 * indented or end with `;`; prose has another number of commas in each line.
 * Columns of fixed width begin after a place that is blank in all lines.
 * A record with another number of fields is one cell that stays as it is: a row all the same.
 * Cost: O(bytes).  Source: RFC 4180; the choice as in Python's csv.Sniffer, which counts characters
 * and not fields. */
#include "reduce/table/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"

enum {
    SAMPLE = 256, /* records that the dialect is decided by */
    SAMPLE_BYTES = 1 << 18,
    LEAST_RECORDS = 8, /* fewer say nothing */
    LEAST_PAIRS = 16,  /* the same, of two fields */
    LEAST_LINES = 10,  /* of columns of fixed width */
    MOST_FIELDS = 1024,
    MOST_QUOTED = 1 << 16 /* bytes of a quoted field; with more the quote is a plain character */
};

/* Records that are read from the first to the last. */
struct records {
    const unsigned char *bytes;
    size_t end;
    unsigned char delimiter;
    size_t open; /* no quote before it closes a field that begins with one further ahead */
};

/* The place after the quote that closes the field at `at`, which begins with one; `at`: none does, within
 * MOST_QUOTED bytes.  A run of quotes closes a field if they are an odd number and stand before a delimiter
 * or a line end, wherever the field begins.  So what was searched in vain is not searched again, or a file of
 * stray quotes would take the square of its size. */
static size_t after_quoted(struct records *records, size_t at)
{
    const unsigned char *bytes = records->bytes;
    const size_t end = records->end;
    const size_t most = end - at > MOST_QUOTED ? at + MOST_QUOTED : end;
    for (size_t i = at + 1; i < most; i++) {
        if (bytes[i] != '"') {
            if (i < records->open) i = records->open - 1;
            continue;
        }
        /* A quote that is followed by anything else is taken for a character of the field. */
        if (i + 1 == end || bytes[i + 1] == records->delimiter || bytes[i + 1] == '\n' ||
            bytes[i + 1] == '\r')
            return i + 1;
        if (bytes[i + 1] == '"') i++;
    }
    /* Of a run that the limit cuts nothing is known. */
    records->open = most;
    while (records->open > at + 1 && bytes[records->open - 1] == '"')
        records->open--;
    return at;
}

/* The end of the field that begins at `at`. If a quote opens the field and does not close within
 * MOST_QUOTED bytes, the field is read as a plain one: a single stray quote must not swallow the
 * rest of the file.  Interrupted, it may return any place from `at` on, `at` itself included: whoever
 * calls it in a loop has to look, too. */
static size_t field_end(struct records *records, size_t at)
{
    const unsigned char *bytes = records->bytes;
    const size_t end = records->end;
    assert(at <= end);
    if (at < end && bytes[at] == '"') {
        const size_t to = after_quoted(records, at);
        if (to > at) return to;
    }
    while (at < end && bytes[at] != records->delimiter && bytes[at] != '\n' &&
           !(bytes[at] == '\r' && (at + 1 == end || bytes[at + 1] == '\n')) &&
           !pare_interrupt_asked_at(at))
        at++;
    return at;
}

/* The begin of the record after the one that ends at `at`. */
static size_t after_record(const unsigned char *bytes, size_t at, size_t end)
{
    if (at < end && bytes[at] == '\r') at++;
    if (at < end && bytes[at] == '\n') at++;
    return at;
}

/* ---- the delimiter --------------------------------------------------------------------- */

/* What a sample of records looks like with one delimiter. */
struct sample {
    size_t n;            /* records */
    size_t n_like;       /* with as many fields as most */
    size_t n_fields;     /* that number */
    size_t n_unbalanced; /* with a field in which a bracket has no partner */
    size_t n_indented;   /* that begin with a blank */
    size_t n_ended;      /* that end with `;`, `{` or `\` */
    size_t n_spaced;     /* with a blank after a delimiter */
    size_t n_last_empty;
    size_t n_numbers, n_cells;
    size_t n_columns_filled; /* fields that are not empty, of all records */
};

/* Whether the byte is one of `these`; NUL, with which a string ends, is none of them. */
static bool is_one_of(unsigned char byte, const char *these)
{
    return byte && strchr(these, byte);
}

/* Whether each bracket of the field has its partner in it. */
static bool is_balanced(const unsigned char *bytes, size_t from, size_t to)
{
    int depth = 0;
    /* Brackets in quotes are text. */
    if (from < to && bytes[from] == '"') return true;
    for (; from < to && depth >= 0 && !pare_interrupt_asked_at(from); from++) {
        unsigned char c = bytes[from];
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    }
    return depth == 0;
}

/* Whether the field is a number, also in quotes. */
static bool is_number(const unsigned char *bytes, size_t from, size_t to)
{
    bool digit = false;
    for (; from < to; from++) {
        unsigned char c = bytes[from];
        bool digit_here = c >= '0' && c <= '9';
        digit = digit || digit_here;
        if (!digit_here && !is_one_of(c, "+-.,eE%\" ")) return false;
    }
    return digit;
}

/* Looks at one record of the sample, and moves *at after it; how many fields it has. */
static size_t look_at_record(struct records *records, size_t *at, struct sample *sample)
{
    const unsigned char *bytes = records->bytes;
    size_t n = 0, from = *at, to = from;
    bool balanced = true, spaced = false;
    assert(from < records->end && "whoever calls has made sure that there is a byte");
    sample->n_indented += bytes[from] == ' ' || bytes[from] == '\t';
    for (;; from = to + 1) {
        to = field_end(records, from);
        balanced = balanced && is_balanced(bytes, from, to);
        spaced = spaced || (n && from < to && bytes[from] == ' ');
        sample->n_numbers += is_number(bytes, from, to);
        sample->n_columns_filled += to > from;
        n++;
        if (to >= records->end || bytes[to] != records->delimiter) break;
    }
    sample->n_cells += n;
    sample->n_unbalanced += !balanced;
    sample->n_spaced += spaced;
    sample->n_last_empty += from == to;
    sample->n_ended += to > *at && is_one_of(bytes[to - 1], ";{\\");
    *at = after_record(bytes, to, records->end);
    return n;
}

/* Sets n_like and n_fields: what most of the records have, of `counts[n]` records with n fields. */
static void find_most(struct sample *sample, const uint32_t *counts)
{
    for (size_t n = 1; n <= MOST_FIELDS; n++) {
        if (counts[n] <= sample->n_like) continue;
        sample->n_like = counts[n];
        sample->n_fields = n;
    }
}

/* Looks at the first records as this delimiter would have them.  Those with more fields than MOST_FIELDS are
 * counted as like no other. */
static struct sample take_sample(const unsigned char *bytes, size_t begin, size_t end,
                                 unsigned char delimiter)
{
    uint32_t counts[MOST_FIELDS + 1] = {0};
    struct sample sample = {0};
    struct records records = {.bytes = bytes, .end = end, .delimiter = delimiter};
    size_t limit = end - begin > SAMPLE_BYTES ? begin + SAMPLE_BYTES : end;
    for (size_t at = begin; at < limit && sample.n < SAMPLE && !pare_interrupt_asked();
         sample.n++) {
        size_t n = look_at_record(&records, &at, &sample);
        /* Place 0 is never looked at. */
        counts[n > MOST_FIELDS ? 0 : n]++;
    }
    find_most(&sample, counts);
    return sample;
}

/* Whether at least `percent` of the sample are `n`. */
static bool is_share(const struct sample *sample, size_t n, size_t percent)
{
    return n * 100 >= sample->n * percent;
}

/* Whether records by this delimiter are a table, and not code or prose.  The shares were found by trying
 * (tests/unit/test_table.c has what each has to keep out); a table that is refused is only reduced by
 * other means, while code that is taken for one costs tests. */
static bool is_table(const struct sample *sample, unsigned char delimiter)
{
    /* A colon and a blank are common elsewhere. */
    bool doubtful = delimiter == ':' || delimiter == ' ';
    bool pairs = sample->n_fields == 2;
    /* Each refusal below names one thing that a table of this delimiter does not look like. */
    if (sample->n_fields < (doubtful ? 3 : 2)) return false;
    if (delimiter == ':' && sample->n_fields < 4) return false;
    if (sample->n < (pairs ? LEAST_PAIRS : LEAST_RECORDS)) return false;
    if (!is_share(sample, sample->n_like, doubtful || pairs ? 98 : 90)) return false;
    /* In a small sample five percent are less than one record, so there has to be one. */
    if (is_share(sample, sample->n_unbalanced, 5) && sample->n_unbalanced) return false;
    if (is_share(sample, sample->n_indented, 10) && sample->n_indented) return false;
    if (delimiter != ';' && is_share(sample, sample->n_ended, 50)) return false;
    if (delimiter == ';' && sample->n_fields < 4 && is_share(sample, sample->n_last_empty, 50))
        return false;
    if ((doubtful || pairs) && is_share(sample, sample->n_spaced, 5) && sample->n_spaced)
        return false;
    if (delimiter == ' ' && sample->n_numbers * 2 < sample->n_cells) return false;
    return sample->n_columns_filled >= 2 * sample->n;
}

/* ---- the header ------------------------------------------------------------------------ */

/* Whether the cell has any bytes. */
static bool is_filled(const pare_table *table, size_t cell)
{
    return table->cells[cell].to > table->cells[cell].from;
}

/* Whether the row has a field in each column. */
static bool is_whole(const pare_table *table, size_t row)
{
    return pare_table_cells_end(table, row) - table->rows[row].first == table->n_columns;
}

/* How many of the rows 1 .. n-1 have a number in the column, or the bytes of the first row. */
static void compare_column(const pare_table *table, const unsigned char *bytes, uint32_t column,
                           size_t *n_numbers, size_t *n_same)
{
    const pare_table_cell *head = &table->cells[table->rows[0].first + column];
    *n_numbers = *n_same = 0;
    for (size_t i = 1; i < table->n_rows; i++) {
        const pare_table_cell *cell = &table->cells[table->rows[i].first + column];
        if (!is_whole(table, i)) continue;
        *n_numbers += is_number(bytes, cell->from, cell->to);
        *n_same += cell->to - cell->from == head->to - head->from &&
                   memcmp(bytes + cell->from, bytes + head->from, head->to - head->from) == 0;
    }
}

/* Whether a row consists of lines only, as below the header of Markdown. */
static bool is_rule(const pare_table *table, const unsigned char *bytes, size_t row)
{
    /* Blanks and bars alone are an empty row. */
    bool any = false;
    for (size_t at = table->rows[row].from; at < table->rows[row].to; at++) {
        if (!is_one_of(bytes[at], "-=:+| \t")) return false;
        any = any || bytes[at] == '-' || bytes[at] == '=';
    }
    return any;
}

/* The rows that are a header: the first, if it has no number where others have some, or no value
 * that comes again. */
static uint32_t count_header(const pare_table *table, const unsigned char *bytes)
{
    /* A column of numbers is what tells a header best; without one, names have to stand in all
     * columns. */
    bool numbers = false;
    if (table->n_rows < 2 || !is_whole(table, 0)) return 0;
    for (uint32_t c = 0; c < table->n_columns; c++) {
        size_t cell = table->rows[0].first + c, n_numbers, n_same;
        if (is_number(bytes, table->cells[cell].from, table->cells[cell].to)) return 0;
        compare_column(table, bytes, c, &n_numbers, &n_same);
        if (n_same && is_filled(table, cell)) return 0;
        numbers = numbers || n_numbers * 10 >= (table->n_rows - 1) * 8;
    }
    if (table->n_rows > 2 && is_rule(table, bytes, 1)) return 2;
    for (uint32_t c = 0; !numbers && c < table->n_columns; c++)
        if (!is_filled(table, table->rows[0].first + c)) return 0;
    return 1;
}

/* ---- columns of fixed width ------------------------------------------------------------ */

enum { MOST_WIDTH = 512 }; /* edges further to the right are not looked for */

/* How many lines have something, anything, or a digit at each place. */
struct places {
    uint32_t filled[MOST_WIDTH], there[MOST_WIDTH], digits[MOST_WIDTH];
};

/* Counts what the lines of the sample have at each place from their beginning.  Returns the number of lines;
 * 0 if one has a tabulator, after which places mean nothing. */
static size_t count_places(const unsigned char *bytes, size_t begin, size_t end,
                           struct places *places)
{
    size_t n = 0;
    size_t limit = end - begin > SAMPLE_BYTES ? begin + SAMPLE_BYTES : end;
    for (size_t at = begin; at < limit && n < SAMPLE; n++) {
        size_t next = pare_table_next_line(bytes, at, end);
        size_t stop = pare_table_line_end(bytes, at, next);
        for (size_t i = at; i < stop && i < at + MOST_WIDTH; i++) {
            places->there[i - at]++;
            places->filled[i - at] += bytes[i] != ' ';
            places->digits[i - at] += bytes[i] >= '0' && bytes[i] <= '9';
            if (bytes[i] == '\t') return 0;
        }
        at = next;
    }
    return n;
}

/* Whether a column begins at place `i`: the place before is blank in all lines, and the one before
 * that in some, which have been filled up, or it has a digit in all, as times have. */
static bool is_edge(const struct places *places, size_t n, size_t i)
{
    if (i < 2 || places->filled[i - 1] || !places->filled[i]) return false;
    return places->filled[i - 2] < n || places->digits[i - 2] == n;
}

/* Columns are looked for as far as nine lines of ten reach, because the last column may be long and
 * end anywhere. With fewer than three columns the file is most likely an indented text. */
static bool detect_fixed(const unsigned char *bytes, size_t begin, size_t end,
                         pare_table_dialect *dialect)
{
    struct places places = {.filled = {0}};
    size_t n = count_places(bytes, begin, end, &places);
    bool any = false;
    pare_table_dialect found = {.format = PARE_TABLE_FIXED};
    if (n < LEAST_LINES) return false;
    for (uint32_t i = 1; i < MOST_WIDTH && places.there[i] * 10 >= n * 9; i++) {
        /* Blanks that all lines begin with are no column. */
        any = any || places.filled[i - 1];
        if (any && is_edge(&places, n, i) && found.n_edges < PARE_TABLE_MOST_EDGES)
            found.edges[found.n_edges++] = i;
    }
    found.n_columns = found.n_edges + 1;
    if (found.n_columns < 3) return false;
    *dialect = found;
    return true;
}

/* Cuts the line at the edges; where one of them is not blank before, the line is one cell. */
static pare_status read_fixed_line(pare_table *table, const unsigned char *bytes, size_t at,
                                   size_t stop, pare_error *err)
{
    const pare_table_dialect *dialect = &table->dialect;
    bool whole = true;
    for (uint32_t i = 0; i < dialect->n_edges; i++) {
        size_t edge = at + dialect->edges[i];
        whole = whole && edge < stop && bytes[edge - 1] == ' ';
    }
    pare_status status = pare_table_add_row(table, at, stop, err);
    size_t from = at;
    for (uint32_t i = 0; !status && i <= (whole ? dialect->n_edges : 0); i++) {
        size_t to = whole && i < dialect->n_edges ? at + dialect->edges[i] : stop;
        status = pare_table_add_cell(table,
                                     (pare_table_cell){.from = (uint32_t)from,
                                                       .value = (uint32_t)from,
                                                       .to = (uint32_t)to,
                                                       .column = whole ? i : PARE_TABLE_NO_COLUMN},
                                     err);
        from = to;
    }
    return status;
}

/* ---- the reader ------------------------------------------------------------------------ */

/* Adds the record's fields as cells; where they are not as many as there are columns, all of it as
 * one that has no column. */
static pare_status read_record(pare_table *table, struct records *records, size_t *at,
                               pare_error *err)
{
    const unsigned char *bytes = records->bytes;
    size_t from = *at, to, first = table->n_cells;
    assert(from < table->end);
    pare_status status = pare_table_add_row(table, from, from, err);
    for (uint32_t column = 0; !status; from = to + 1, column++) {
        to = field_end(records, from);
        const pare_table_cell cell = {(uint32_t)from, (uint32_t)to, (uint32_t)from, column};
        status = pare_table_add_cell(table, cell, err);
        if (to >= table->end || bytes[to] != records->delimiter) break;
    }
    if (status) return status;
    pare_table_row *row = &table->rows[table->n_rows - 1];
    row->to = (uint32_t)to;
    /* The fields that were added make way for the one cell. */
    if (table->n_cells - first != table->dialect.n_columns) {
        table->n_cells = first + 1;
        table->rows[table->n_rows].first = (uint32_t)table->n_cells;
        table->cells[first].to = (uint32_t)to;
        table->cells[first].column = PARE_TABLE_NO_COLUMN;
    }
    *at = after_record(bytes, to, table->end);
    return PARE_OK;
}

/* Counts the fields again, as the number that most rows have: columns may have gone since the
 * dialect was found. */
static void count_fields_again(pare_table *table, const unsigned char *bytes)
{
    struct sample sample = take_sample(bytes, table->begin, table->end, table->dialect.delimiter);
    table->dialect.n_columns = (uint32_t)sample.n_fields;
}

pare_status pare_table_delimited_read(pare_table *table, const unsigned char *bytes,
                                      pare_error *err)
{
    const bool fixed = table->dialect.format == PARE_TABLE_FIXED;
    struct records records = {
        .bytes = bytes, .end = table->end, .delimiter = table->dialect.delimiter};
    pare_status status = PARE_OK;
    if (!fixed) count_fields_again(table, bytes);
    table->n_columns = table->dialect.n_columns;
    for (size_t at = table->begin; !status && at < table->end;) {
        if (!fixed) {
            status = read_record(table, &records, &at, err);
            /* A record that was cut short may have no byte, and the next one would begin there. */
            if (!status) status = pare_interrupt_look(err);
            continue;
        }
        size_t next = pare_table_next_line(bytes, at, table->end);
        size_t stop = pare_table_line_end(bytes, at, next);
        status = read_fixed_line(table, bytes, at, stop, err);
        at = next;
    }
    if (!status && table->n_rows) table->dialect.n_header = count_header(table, bytes);
    return status;
}

bool pare_table_delimited_detect(const unsigned char *bytes, size_t begin, size_t end,
                                 pare_table_dialect *dialect)
{
    static const unsigned char delimiters[] = {',', '\t', ';', '|', ':', ' '};
    size_t best = 0;
    for (size_t i = 0; i < sizeof delimiters; i++) {
        struct sample sample = take_sample(bytes, begin, end, delimiters[i]);
        /* How many fields of the sample the delimiter explains. */
        size_t score = sample.n_like * sample.n_fields;
        if (!is_table(&sample, delimiters[i]) || score <= best) continue;
        best = score;
        *dialect = (pare_table_dialect){.format = PARE_TABLE_DELIMITED,
                                        .delimiter = delimiters[i],
                                        .n_columns = (uint32_t)sample.n_fields};
    }
    return best > 0 || detect_fixed(bytes, begin, end, dialect);
}
