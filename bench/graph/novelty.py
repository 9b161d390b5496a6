#!/usr/bin/env python3
"""Which tests reach a place of a script engine that none before them does: for pare graph weigh.

Usage: bench/graph/novelty.py ENGINES ENGINE TESTS

ENGINES is the folder that engines.sh filled, ENGINE mujs or duktape, TESTS a file with one test a
line.  Each test has a process of its own.  Prints the number of each such test, from 0.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import engine_runs

SIZE = 1 << 22  # of the file of places, as in places.c
CHUNK = 1 << 16


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    engine = "%s/%s/places/engine" % (os.path.abspath(sys.argv[1]), sys.argv[2])
    with open(sys.argv[3], encoding="utf-8", errors="replace", newline="\n") as file:
        tests = file.read().split("\n")[:-1]
    folder = tempfile.mkdtemp(prefix="pare-places.", dir="/dev/shm")
    places = folder + "/places"
    with open(places, "wb") as file:
        file.truncate(SIZE)
    reached = 0
    for number, test in enumerate(tests):
        with open(folder + "/t.js", "w", encoding="utf-8") as file:
            file.write(engine_runs.script([test], 0))
        try:
            subprocess.run([engine, "t.js"], cwd=folder, env=dict(os.environ, PARE_PLACES=places),
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=10 * engine_runs.SECONDS,
                           preexec_fn=engine_runs.limits(engine_runs.SECONDS, engine_runs.MEMORY))
        except subprocess.TimeoutExpired:
            pass
        with open(places, "rb") as file:
            now = sum(CHUNK - part.count(0) for part in iter(lambda: file.read(CHUNK), b""))
        if now > reached:
            print(number, flush=True)
        reached = now
    print("%d places" % reached, file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)


main()
