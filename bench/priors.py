#!/usr/bin/env python3
"""What each phase of the default earns, by the kind of the text and its size: makes
src/session/plan/prior_table.inc of measured runs.

    find FOLDER... -type f | build/default/bench/bench_priors > RUNS
    bench/priors.py RUNS [KIND=LOG ...] > TABLE
    bench/priors.py --rows NAME,... RUNS [KIND=LOG ...] > TABLE

RUNS has runs of phases over small files with tests of bench_priors.  LOG is what `pare reduce -v`
printed about a real case of that KIND (binary, plain, tree), which counts REAL times, since
what real programs need is what counts.  With --rows only those rows are made anew, and the others stay
as they are in src/session/plan/prior_table.inc.  What `bench_formats --runs` prints goes into RUNS, too."""
import os
import re
import sys
import textwrap

SIZES = [64, 512, 4096]  # bytes: classes of at most so many, and one of more
KINDS = ['binary', 'plain', 'tree']
REAL = 10
# The coarse phases have an order of their own; what they earn first is not counted.
COARSE = {'comments', 'coverage', 'dependency', 'scout/line', 'scout/token', 'heavy-lists/tree', 'semantic',
          'perses/tree', 'group-testing/bracket', 'group-testing/line', 'inline-values', 'inline-calls', 'check',
          'adaptive-once/token', 'structure', 'chunks', 'instructions', 'table'}
# What is known without figures: a row has so many tests at such a share of the text each, a cell so
# many as its row does.
ROW_TESTS, ROW_SHARE, CELL_TESTS = 40, 0.0025, 150


def runs_of(path):
    """(case, kind, phase, bytes before, tests, bytes after) of each line."""
    case = 0
    for line in open(path, errors='replace'):
        words = line.split()
        case += words[0] == 'case'
        if words[0] != 'case':
            yield case, words[0], words[1], *map(int, words[2:5])


def runs_of_log(kind, path):
    test = re.compile(r'#\d+ (\w+) +(\d+) bytes, (cache|[\d.]+ ms)(, accepted)?')
    phase = re.compile(r'([-\w/]+): [\d,]+ units?, ')
    name, size, before, tests = 'check', 0, 0, 0
    for line in open(path, errors='replace'):
        if match := test.match(line):
            if not size:
                size = before = int(match[2])
            tests += match[3] != 'cache'
            size = int(match[2]) if match[4] else size
        elif match := phase.match(line):
            yield path, kind, name, before, tests, size
            name, before, tests = match[1], size, 0
    yield path, kind, name, before, tests, size


def collect(runs, weight, cells, rows):
    """Adds (tests, share of the text) of each run after the coarse ones; how many cases there were."""
    through = {}
    for case, kind, phase, before, tests, after in runs:
        through[case] = through.get(case, False) or phase not in COARSE
        if not through[case] or not tests or not before:
            continue
        row = phase.split('/')[-1]
        cell = (row, kind, sum(before > most for most in SIZES))
        for where, key in ((cells, cell), (rows, row)):
            sums = where.setdefault(key, [0, 0])
            sums[0] += tests * weight
            sums[1] += max(0, before - after) / before * weight
    return len(through)


def row_text(row, share, cells, earlier):
    """A cell without a run keeps what the earlier row says, if there is one: what texts without a
    tree earn says little of those with one."""
    kinds, kept = [], iter(re.findall(r'\d+', earlier or ''))
    for kind in KINDS:
        values = []
        for size in range(len(SIZES) + 1):
            tests, gained = cells.get((row, kind, size), (0, 0))
            value = next(kept, None)
            if value is not None and not tests:
                values.append(value)
                continue
            value = (gained + share * CELL_TESTS) / (tests + CELL_TESTS)
            values.append(str(min(65535, round(value * 20 * 10000))))
        kinds.append('{' + ', '.join(values) + '}')
    return '{' + ', '.join(kinds) + '}'


def table_there():
    """The rows of the table, and what is said of how it was made."""
    with open(os.path.join(os.path.dirname(__file__), '..', 'src/session/plan/prior_table.inc')) as table:
        text = table.read()
    made = re.search(r'Made by bench/priors.py of (.*?); not to be edited', text, re.S)[1]
    rows = re.findall(r'\{"([-\w]+)",\s*(\{\{.*?\}\})\}', text, re.S)
    return {name: ' '.join(values.split()) for name, values in rows}, re.sub(r'\s*\n \* ', ' ', made)


def main():
    arguments = sys.argv[1:]
    only = arguments[1].split(',') if arguments[0] == '--rows' else None
    arguments = arguments[2:] if only else arguments
    cells, rows = {}, {}
    n = collect(runs_of(arguments[0]), 1, cells, rows)
    real = [argument.split('=', 1) for argument in arguments[1:]]
    for kind, path in real:
        collect(runs_of_log(kind, path), REAL, cells, rows)
    share = {row: (gained + ROW_SHARE * ROW_TESTS) / (tests + ROW_TESTS) for row, (tests, gained) in rows.items()}
    table, made = table_there() if only else ({}, f'{n} small and {len(real)} real cases')
    if only:
        made = re.sub(r' \(.*', '', made) + f' ({", ".join(only)}: {n} and {len(real)})'
    for row in only or sorted(share):
        table[row] = row_text(row, share[row], cells, table.get(row))
    about = '\n * '.join(textwrap.wrap(f'of a percent of the text, by its kind and its size.  Made by bench/priors.py of {made}; '
                                      'not to be edited.', 98))
    print(f'''/* What twenty tests of a phase removed on average, once the coarse phases were through, in hundredths
 * {about}
 *
 * Binary files, texts without a tree, texts with that of their language; each of at most
 * {', '.join(map(str, SIZES))} bytes, and larger. */
static const pare_prior PRIORS[] = {{''')
    for row in sorted(table):
        line = f'    {{"{row}", {table[row]}}},'
        print(line if len(line) <= 100 else f'    {{"{row}",\n     {table[row]}}},')
    print('};')


main()
