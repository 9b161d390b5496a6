#!/usr/bin/env python3
"""What each pass of the default is worth: reductions with all passes, and with some left out.

Usage: bench/ablation.py [OPTION ...] [SET ...]

A SET is a name of a pass, or several joined by '+', which are left out together; by default each
pass of the tables (src/reduce/passes/pass.c, src/reduce/binding/program.c) alone.  For each SET
the rows of its passes are taken out of a copy of the sources, which is built and run: the
product has no switch for it.  Run are the cases of the shared corpus and workloads and the demo,
with the languages that are added and, as NAME/none, without them (--lang none), and the generated
suite of 'pare shootout'.  All at -j1, so that bytes and tests are the same on every machine.

Outcomes of tests are kept (--keep), by the digest of the candidate: most candidates of two
variants are the same, so the second variant takes seconds.  A case in which the passes of a SET
had no tests is the same without them, and not run.

The rule: a SET can go if without it the bytes of all results together grow by at most 1 %, no
result by more than 2 %, and tests are saved.

Options: --shared DIR (with corpus/ and workloads/; default beside the repository),
--cases NAME,.. (default: all that reproduce; none: only the generated suite), --skip NAME,..,
--tests N (of a run, default 3000), --inputs N (of the generated suite, default 4; 0: without it),
--keep DIR (default build/ablation), --csv FILE (one line a SET and case).
"""
import argparse
import csv
import filecmp
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEST_SECONDS = 20
CMAKE = ['-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DPARE_LANGUAGES=none',
         '-DPARE_BUILD_TESTS=OFF', '-DPARE_BUILD_BENCH=OFF', '-DPARE_BUILD_EXAMPLES=OFF']


# ---- the worker that remembers ------------------------------------------------------------

def answer_of(test, path):
    """What the test says of the candidate; UNRESOLVED if it takes too long."""
    child = subprocess.Popen([test, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return 'FAIL' if child.wait(TEST_SECONDS) == 0 else 'PASS'
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        child.wait()
        return 'UNRESOLVED'


def work(test, known_path):
    """Answers candidates as 'pare reduce --worker' asks them, from known_path where it can."""
    with open(known_path, 'a+', encoding='ascii') as file:
        file.seek(0)
        known = dict(line.split() for line in file)
        for line in sys.stdin:
            path = line.rstrip('\n').split(' ', 1)[1]
            with open(path, 'rb') as candidate:
                digest = hashlib.blake2b(candidate.read(), digest_size=16).hexdigest()
            if digest not in known:
                known[digest] = answer_of(test, path)
                file.write(f'{digest} {known[digest]}\n')
                file.flush()
            print(known[digest], flush=True)


# ---- cases --------------------------------------------------------------------------------

class Case:
    """An input and its test; `options` are those of 'pare reduce'."""

    def __init__(self, name, test, path, options=()):
        self.name, self.test, self.input, self.options = name, test, path, list(options)
        self.known = name.split('/')[0]

    def without_language(self):
        return Case(self.name + '/none', self.test, self.input, ['--lang', 'none'])


def find_cases(shared, keep):
    """The cases of the corpus, the workloads and the demo."""
    cases = []
    for kind in 'corpus', 'workloads':
        parent = os.path.join(shared, kind)
        for name in sorted(os.listdir(parent) if os.path.isdir(parent) else []):
            folder = os.path.join(parent, name)
            if not os.path.isfile(os.path.join(folder, 'test.sh')):
                continue
            found = sorted(f for f in os.listdir(folder) if f.startswith('input.'))
            path = os.path.join(folder, found[0]) if found else os.path.join(keep, name + '.txt')
            if not found and not os.path.exists(path):
                subprocess.run([os.path.join(folder, 'make-input.py'), path], check=True)
            cases.append(Case(name, os.path.join(folder, 'test.sh'), path))
    demo = os.path.join(ROOT, 'examples/demo')
    cases.append(Case('catalogue', os.path.join(demo, 'test.sh'),
                      os.path.join(demo, 'catalogue.json')))
    return cases


# ---- variants of the program --------------------------------------------------------------

def read_sources():
    """The C sources of the library by path."""
    found = {}
    for folder, _, files in sorted(os.walk(os.path.join(ROOT, 'src'))):
        for file in sorted(files):
            path = os.path.relpath(os.path.join(folder, file), ROOT)
            if file.endswith('.c'):
                with open(os.path.join(ROOT, path), encoding='utf-8') as source:
                    found[path] = source.read()
    return found


def pass_symbols(sources):
    """Names of passes and the C symbols of their rows."""
    row = r'const pare_pass (pare_\w+) = \{\s*\.name = "([^"]+)"'
    return {name: symbol for text in sources.values() for symbol, name in re.findall(row, text)}


def tables_in_order(sources):
    """The names in the order of the tables of all passes, those that need no language first."""
    names = {symbol: name for name, symbol in pass_symbols(sources).items()}
    tables = [re.search(r'pare_pass \*const table\[\] = \{(.*?)\};', sources[path], re.S)
              for path in sorted(sources, key=lambda path: 'binding' in path)]
    rows = [row for table in tables if table for row in re.findall(r'&(pare_\w+)', table.group(1))]
    return [names[row] for row in rows]


class Variants:
    """A copy of the sources, of which a program is made for each set of passes left out."""

    def __init__(self, keep):
        self.tree, self.keep = os.path.join(keep, 'tree'), keep
        sources = read_sources()
        self.symbols, self.names = pass_symbols(sources), tables_in_order(sources)
        shutil.rmtree(os.path.join(keep, 'programs'), ignore_errors=True)
        listed = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, check=True,
                                stdout=subprocess.PIPE).stdout.decode().split('\0')
        for path in listed:
            if path and os.path.isfile(os.path.join(ROOT, path)):
                self.put(path)
        self.drop_all_but(set(listed))
        # Only these change: a row of a table, or of the plan, is in them.
        self.tables = {path: text for path, text in sources.items()
                       if self.without(text, *self.symbols) != text}
        modules = 'third_party/tree-sitter/node_modules'
        if not os.path.exists(os.path.join(self.tree, modules)):
            os.symlink(os.path.join(ROOT, modules), os.path.join(self.tree, modules))
        self.run(['cmake', '-S', self.tree, '-B', os.path.join(self.tree, 'build')] + CMAKE)

    def put(self, path):
        """Copies a file, if it is not the same already, so that little is compiled again."""
        source, target = os.path.join(ROOT, path), os.path.join(self.tree, path)
        if not os.path.exists(target) or not filecmp.cmp(source, target, shallow=False):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)

    def drop_all_but(self, listed):
        """Removes sources of an earlier copy that are no more."""
        for folder, _, files in os.walk(os.path.join(self.tree, 'src')):
            for path in (os.path.join(folder, file) for file in files):
                if os.path.relpath(path, self.tree) not in listed:
                    os.remove(path)

    def run(self, command):
        done = subprocess.run(command, cwd=self.tree, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            sys.exit(done.stdout.decode(errors='replace')[-3000:])

    def without(self, text, *names):
        """A source without the rows of these passes."""
        for name in names:
            text = re.sub(r'&%s\s*,\s*' % self.symbols[name], '', text)
            text = re.sub(r',\s*&%s\s*\}' % self.symbols[name], '}', text)
            text = re.sub(r'\n *\{\.kind = PARE_PHASE_PASS,[^}]*"%s"\},' % name, '', text)
        return text

    def build(self, names):
        """The folder of the program without these passes."""
        place = os.path.join(self.keep, 'programs', '+'.join(names) or 'all')
        if os.path.isdir(place):
            return place
        for path, text in self.tables.items():
            text, path = self.without(text, *names), os.path.join(self.tree, path)
            with open(path, encoding='utf-8') as file:
                same = file.read() == text
            if not same:
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(text)
        build = os.path.join(self.tree, 'build')
        self.run(['cmake', '--build', build, '-j2'])
        os.makedirs(place)
        for file in 'pare', 'pare-shootout', 'pare-worker', 'libpare_preload.so':
            shutil.copy(os.path.join(build, file), place)
        return place


# ---- runs ---------------------------------------------------------------------------------

class Run:
    """What a reduction came to: `told` is its statistics, `text` its result."""

    def __init__(self, told, text):
        self.bytes, self.tests, self.stopped = told['bytes_out'], told['tests_run'], told['stopped']
        self.passes = {row['name']: row for row in told['passes']}
        self.text = text

    def sum(self, what, names):
        """What these passes came to."""
        return sum(self.passes[name][what] for name in names if name in self.passes)


def reduce_case(program, case, options):
    """Runs one case; None when it cannot be run here."""
    known = os.path.join(options.keep, 'outcomes', case.known)
    out, stats = os.path.join(options.keep, 'out'), os.path.join(options.keep, 'stats.json')
    worker = f'{sys.executable} {os.path.abspath(__file__)} --worker {case.test} {known}'
    done = subprocess.run([os.path.join(program, 'pare'), 'reduce', '-q', '-j1', '--no-journal',
                           '--timeout', '60', '--max-tests', str(options.tests), '--stats', stats,
                           '-o', out, '--worker', worker, *case.options, case.input],
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False)
    if done.returncode:
        return None
    with open(stats, encoding='utf-8') as told, open(out, 'rb') as text:
        return Run(json.load(told), text.read())


def run_generated(program, options):
    """The generated suite, by case."""
    if not options.inputs:
        return {}
    place = os.path.join(options.keep, 'generated')
    subprocess.run([os.path.join(program, 'pare'), 'shootout', 'generated', '-a', 'auto',
                    '--inputs', str(options.inputs), '--max-tests', '10000', '-o', place],
                   check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(place, 'results.json'), encoding='utf-8') as file:
        return {run['case']: Run(run, run['result']) for run in json.load(file)['runs']}


class Comparison:
    """Sums over the cases in which passes that were left out had tests."""

    def __init__(self, names):
        self.names, self.n, self.spent, self.earned, self.successes = names, 0, 0, 0, 0
        self.bytes, self.bytes_without, self.tests, self.tests_without = 0, 0, 0, 0
        self.most, self.most_case, self.larger, self.smaller, self.other = 0.0, '', 0, 0, 0

    def add(self, case, run, without):
        self.n += 1
        self.bytes += run.bytes
        self.bytes_without += without.bytes
        self.tests += run.tests
        self.tests_without += without.tests
        self.spent += run.sum('tests', self.names)
        self.earned += run.sum('bytes_removed', self.names)
        self.successes += run.sum('successes', self.names)
        self.larger += without.bytes > run.bytes
        self.smaller += without.bytes < run.bytes
        self.other += without.bytes == run.bytes and without.text != run.text
        growth = (without.bytes - run.bytes) * 100 / max(run.bytes, 1)
        if growth > self.most:
            self.most, self.most_case = growth, f'{growth:.1f} % ({case})'

    def can_go(self):
        within = self.bytes_without <= self.bytes * 1.01 and self.most <= 2
        return within and self.tests_without < self.tests

    def print(self):
        print(f'| {"+".join(self.names)} | {self.n} | {self.earned:,} | {self.successes:,} '
              f'| {self.spent:,} | {self.bytes:,} | {self.bytes_without - self.bytes:+,} '
              f'| {self.tests:,} | {self.tests_without - self.tests:+,} '
              f'| {self.larger} / {self.smaller} / {self.other} | {self.most_case or "-"} '
              f'| {"can go" if self.can_go() else "stays"} |', flush=True)


HEAD = '''| left out | cases | bytes earned | successes | in tests | bytes left | without | tests | without | larger / smaller / other text | most | by the rule |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|'''


def print_accounts(names, real, generated):
    """What each pass earned with all there."""
    print('| pass | bytes earned, real | successes | in tests | generated | successes | in tests |\n'
          '|---|---:|---:|---:|---:|---:|---:|')
    for name in names:
        sums = [f'{sum(run.sum(what, [name]) for run in runs):,}' for runs in (real, generated)
                for what in ('bytes_removed', 'successes', 'tests')]
        print(f'| {name} | {" | ".join(sums)} |')


def parse_options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--worker', nargs=2)
    parser.add_argument('--shared', default=os.path.join(ROOT, '../shared'))
    parser.add_argument('--cases')
    parser.add_argument('--skip', default='')
    parser.add_argument('--tests', type=int, default=3000)
    parser.add_argument('--inputs', type=int, default=4)
    parser.add_argument('--keep', default=os.path.join(ROOT, 'build/ablation'))
    parser.add_argument('--csv')
    parser.add_argument('sets', nargs='*')
    options = parser.parse_args()
    options.keep = os.path.abspath(options.keep)
    return options


def languages(program):
    """Names of the languages that were added."""
    listed = subprocess.run([os.path.join(program, 'pare'), 'lang', 'list'], check=True,
                            stdout=subprocess.PIPE).stdout.decode().splitlines()[1:]
    rows = [line.split() for line in listed]
    return {ending for row in rows if row[2] != '-' for ending in row[4:]}


def run_with_all(program, options):
    """The cases that can be run, each with what it comes to with all passes."""
    known = languages(program)
    wanted = options.cases.split(',') if options.cases else None
    runs = []
    for case in find_cases(options.shared, options.keep):
        both = [case]
        if case.input.rsplit('.', 1)[-1] in known:
            both.append(case.without_language())
        for one in both:
            if (wanted and one.name not in wanted) or one.name in options.skip.split(','):
                continue
            run = reduce_case(program, one, options)
            print(f'{one.name}: ' + (f'{run.bytes} bytes, {run.tests} tests, {run.stopped}'
                                     if run else 'not run'), file=sys.stderr, flush=True)
            if run:
                runs.append((one, run))
    return runs


def main():
    options = parse_options()
    if options.worker:
        work(*options.worker)
        return
    os.makedirs(os.path.join(options.keep, 'outcomes'), exist_ok=True)
    variants = Variants(options.keep)
    sets = [s.split('+') for s in options.sets] or [[n] for n in variants.names]
    program = variants.build([])
    runs = run_with_all(program, options)
    generated = run_generated(program, options)
    rows = []
    print_accounts(variants.names, [run for _, run in runs],
                   generated.values())
    for suite in ['real'] * bool(runs) + ['generated'] * bool(generated):
        print(f'{suite}: {len(runs if suite == "real" else generated)} cases\n{HEAD}', flush=True)
        for names in sets:
            comparison = Comparison(names)
            concerned = [one for one in (runs if suite == 'real' else generated.items())
                         if one[1].sum('tests', names)]
            pairs = []
            if concerned and suite == 'real':
                pairs = [(case.name, run, reduce_case(variants.build(names), case, options))
                         for case, run in concerned]
            elif concerned:
                without = run_generated(variants.build(names), options)
                pairs = [(case, run, without[case]) for case, run in concerned]
            for pair in pairs:
                comparison.add(*pair)
                rows.append(('+'.join(names), *pair))
            comparison.print()
    if options.csv:
        with open(options.csv, 'w', newline='', encoding='utf-8') as file:
            writer = csv.writer(file)
            writer.writerow(['without', 'case', 'bytes', 'tests', 'bytes without', 'tests without'])
            for names, case, a, b in rows:
                writer.writerow([names, case, a.bytes, a.tests, b.bytes, b.tests])


if __name__ == '__main__':
    main()
