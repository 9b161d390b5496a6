#!/usr/bin/env python3
"""Which lines of a script engine tests reach, by module: the table of seed 001, for ours.

Usage: bench/graph/coverage.py ENGINES ENGINE NAME=FILE ... [--json FILE]

ENGINES is the folder that engines.sh filled, ENGINE mujs or duktape.  Each FILE (may be .xz) has
one test a line; NAME is its column.  Prints a table in Markdown; with --json the figures too.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

import engine_runs

# First that fits.  Seed 001: builtins is its "runtime", regexp its "yarr".
MODULES = {
    "mujs": [("regexp", ["regexp", "jsregexp"]),
             ("builtins", ["jsarray", "jsboolean", "jsbuiltin", "jsdate", "jserror", "jsfunction",
                           "jsmath", "jsnumber", "jsobject", "json", "jsstring", "jsrepr"]),
             ("parser, compiler", ["jslex", "jsparse", "jscompile"]),
             ("numbers", ["jsdtoa"]),
             ("core", ["jsrun", "jsvalue", "jsgc", "jsintern", "jsstate", "jsproperty", "utf"]),
             ("shell", ["main", "jsdump"])],
    "duktape": [("regexp", ["duk_regexp", "duk_bi_regexp"]),
                ("builtins", ["duk_bi"]),
                ("parser, compiler", ["duk_js_compiler", "duk_lexer"]),
                ("numbers", ["duk_numconv"]),
                ("executor", ["duk_js"]),
                ("objects", ["duk_hobject", "duk_prop"]),
                ("api", ["duk_api"]),
                ("heap, strings", ["duk_heap", "duk_hstring", "duk_hthread", "duk_unicode",
                                   "duk_util", "duk_alloc", "duk_strings"]),
                ("debugger", ["duk_debug"]),
                ("shell", ["duk_cmdline", "duk_print", "duk_console", "duk_logging", "duk_module"])],
}


def module_of(engine, source):
    for name, prefixes in MODULES[engine]:
        if any(source.startswith(prefix) for prefix in prefixes):
            return name
    return "other"


def lines_reached(cover, engine, prefix):
    """{module: [lines, lines reached]} of what ran with GCOV_PREFIX=prefix."""
    folder = prefix + cover
    for notes in glob.glob(cover + "/*.gcno"):
        shutil.copy(notes, folder)
    out = subprocess.run(["gcov", "--json-format", "--stdout"] + sorted(glob.glob(folder + "/*.gcno")),
                         cwd=folder, capture_output=True, check=True).stdout
    counts = {}
    for text in out.decode().splitlines():
        for file in json.loads(text)["files"] if text.startswith("{") else []:
            name = os.path.basename(file["file"])
            if not name.endswith(".c"):
                continue
            lines = {}
            for line in file["lines"]:
                lines[line["line_number"]] = lines.get(line["line_number"], False) or line["count"] > 0
            total = counts.setdefault(module_of(engine, name), [0, 0])
            total[0] += len(lines)
            total[1] += sum(lines.values())
    return counts


def measure(engines, engine, tests):
    cover = os.path.realpath(os.path.join(engines, engine, "cover"))
    prefix = tempfile.mkdtemp(prefix="pare-gcov.", dir="/dev/shm")
    try:
        os.makedirs(prefix + cover)
        ended = engine_runs.run_all(cover + "/engine", tests, {"GCOV_PREFIX": prefix})
        return lines_reached(cover, engine, prefix), ended
    finally:
        shutil.rmtree(prefix, ignore_errors=True)


def main():
    engines, engine, sources, out = engine_runs.read_arguments(sys.argv[1:], __doc__)
    results = {}
    for name, path in sources.items():
        tests = engine_runs.read_tests(path)
        results[name], ended = measure(engines, engine, tests)
        total = [sum(c[k] for c in results[name].values()) for k in (0, 1)]
        results[name]["total"] = total
        print("%s: %d tests, %d ended their process, %.2f %%" %
              (name, len(tests), ended, 100 * total[1] / total[0]), file=sys.stderr, flush=True)
    names = list(results)
    print("| %s | lines | %s |" % (engine, " | ".join(names)))
    print("|---|---:|%s" % ("---:|" * len(names)))
    for module in [m for m, _ in MODULES[engine]] + ["other", "total"]:
        if module in results[names[0]]:
            n = results[names[0]][module][0]
            row = " | ".join("%.2f" % (100 * results[s][module][1] / n) for s in names)
            print("| %s | %d | %s |" % (module, n, row))
    engine_runs.write_json(out, results)


main()
