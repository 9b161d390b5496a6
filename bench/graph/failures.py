#!/usr/bin/env python3
"""Which failures of a script engine tests find: sites that ASan and UBSan complain about, crashes
and hangs, and how many tests show each: the second table of seed 001, for ours.

Usage: bench/graph/failures.py ENGINES ENGINE NAME=FILE ... [--json FILE]
       bench/graph/failures.py ENGINES ENGINE numbers=FILE

The second form prints only the numbers of the tests that show any, from 0: for pare graph weigh.

ENGINES is the folder that engines.sh filled, ENGINE mujs or duktape.  Each FILE (may be .xz) has
one test a line.  What the engine's start shows without any test does not count.  Prints a
table in Markdown, then for each site the shortest test that shows it.
"""
import os
import sys

import engine_runs

ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:"
                                "max_allocation_size_mb=512:hard_rss_limit_mb=1500:"
                                "quarantine_size_mb=16:color=never",
               "UBSAN_OPTIONS": "print_stacktrace=0:color=never"}


def name_of(site):
    return "%s:%d: %s" % site


def failures(engine, tests):
    """{site: [how many tests, the shortest]}, and the numbers of those tests, sorted."""
    _, text = engine_runs.run(engine, ["1"], 0, dict(os.environ, **ENVIRONMENT), 0)
    start = set(engine_runs.sites(text))
    found, numbers = {}, set()

    def report(number, code, shown):
        test = tests[number]
        if code is not None and number in numbers:
            return  # ASan ends the process after what it has told
        numbers.add(number)
        names = [name_of(site) for site in shown]
        if not names and code == 1:
            names = ["more than 1.5 GB of memory"]
        elif not names:
            names = ["hang" if code == "hang" else "ended with %s" % code]
        for name in names:
            entry = found.setdefault(name, [0, test])
            entry[0] += 1
            entry[1] = min(entry[1], test, key=lambda t: (len(t), t))

    engine_runs.run_all(engine, tests, ENVIRONMENT, 0,
                        lambda text: set(engine_runs.sites(text)) - start, report)
    return found, sorted(numbers)


def main():
    folder, name, sources, out = engine_runs.read_arguments(sys.argv[1:], __doc__)
    engine = "%s/%s/sanitize/engine" % (os.path.abspath(folder), name)
    results = {}
    if list(sources) == ["numbers"]:
        for number in failures(engine, engine_runs.read_tests(sources["numbers"]))[1]:
            print(number)
        return
    for column, path in sources.items():
        results[column] = failures(engine, engine_runs.read_tests(path))[0]
        print("%s done" % column, file=sys.stderr, flush=True)
    columns = list(results)
    sites = sorted({site for found in results.values() for site in found})
    print("| %s | %s |" % (name, " | ".join(columns)))
    print("|---|%s" % ("---:|" * len(columns)))
    for site in sites:
        print("| %s | %s |" % (site, " | ".join(str(results[c].get(site, [0])[0]) for c in columns)))
    print("| all | %s |" % " | ".join(str(sum(e[0] for e in results[c].values())) for c in columns))
    print("| unique | %s |" % " | ".join(str(len(results[c])) for c in columns))
    for site in sites:
        shortest = min((results[c][site][1] for c in columns if site in results[c]), key=len)
        print("\n%s\n\n    %s" % (site, shortest[:400]))
    engine_runs.write_json(out, results)


main()
