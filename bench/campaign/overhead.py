#!/usr/bin/env python3
"""What a campaign costs by itself: time beside the tests, memory, size of the store.

Usage: bench/campaign/overhead.py PARE [FOLDER]      default folder: build/campaign of the repository

SECONDS (20) is how long each campaign runs; TESTS (200000) and RAW (2000) of the large one:
TESTS=10000000 RAW=100000 is the aim's, and takes an hour.

  1 ms      a program that computes for 1 ms, a process for each test: the share of the time of all
            slots in which no test ran, without the seconds in which the job starts
  harness   a library that does next to nothing, in the in-process runner: time for each test
  large     the same harness failing by RAW of TESTS inputs in 200 ways: memory of the coordinator
            and of jobs after a fifth of the time and at the end, size of the store; then how long
            the server takes for what its pages ask for, twenty times each

One slot, so that a test is never beside another one.
"""

import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time
import urllib.request

HARNESS = r"""
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
    hash ^= hash >> 29;
    if (ONE_IN && hash % (ONE_IN + 0u) == 0) {
        fprintf(stderr, "h.c:%d: part%d: Assertion `x' failed.\n", 1, (int)(hash / (ONE_IN + 1u) % 200));
        abort();
    }
    return 0;
}
"""
PROGRAM = r"""
#include <time.h>
int main(void)
{
    struct timespec now;
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); while (now.tv_nsec < 1000000);
    return 0;
}
"""


def report(what, figure, aim="", met=None):
    verdict = "" if met is None else "ok" if met else "MISSED"
    print(f"  {what:<40} {figure:>12}   {aim:<15} {verdict}".rstrip(), flush=True)


def compile_c(source, out, *flags):
    with open(out + ".c", "w") as file:
        file.write(source)
    subprocess.run(["cc", "-O2", *flags, "-o", out, out + ".c"], check=True)


def rss_kib(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith("VmRSS"):
                    return int(line.split()[1])
    except OSError:
        pass
    return 0


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def run(pare, name, text, *options, watch=None):
    """Runs a campaign; returns (seconds, tests, testing_s, making_s, samples of memory)."""
    for suffix in ("", "-wal", "-shm", ".lock"):
        if os.path.exists(f"{name}.pare.db{suffix}"):
            os.remove(f"{name}.pare.db{suffix}")
    shutil.rmtree(f"{name}.pare.db.work", ignore_errors=True)
    with open(f"{name}.ini", "w") as file:
        file.write(text)
    began = time.monotonic()
    child = subprocess.Popen([pare, "fuzz", "run", "-q", "-j", "1", f"{name}.ini", *options])
    samples = []
    while child.poll() is None:
        samples.append((time.monotonic() - began, rss_kib(child.pid),
                        max([rss_kib(pid) for pid in children(child.pid)] or [0])))
        time.sleep(0.5)
    seconds = time.monotonic() - began
    if child.returncode:
        sys.exit(f"overhead: pare fuzz run {name}.ini ended with {child.returncode}")
    store = sqlite3.connect(f"{name}.pare.db")
    tests, testing, making = store.execute(
        "SELECT sum(tests), sum(testing_s), sum(making_s) FROM stream").fetchone()
    first, last = store.execute("SELECT min(first), max(last) FROM stream").fetchone()
    return seconds, tests, testing, making, (last - first) / 1000, samples


PAGES = ("", "findings", "jobs", "sources", "static/views.js", "api/v1", "api/v1/findings",
         "api/v1/findings?q=part7", "api/v1/findings/1", "api/v1/findings/1/members",
         "api/v1/findings/1/events", "api/v1/jobs?all=1", "api/v1/statistics", "api/v1/curve",
         "api/v1/events")


def ask_pages(pare, store):
    """Asks `pare fuzz web` for each of PAGES; returns the seconds of all answers by page."""
    server = subprocess.Popen([pare, "fuzz", "web", "--store", store, "--listen", "127.0.0.1:0"],
                              stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().split("?")[0]
        taken = {}
        for page in PAGES:
            for _ in range(20):
                began = time.monotonic()
                with urllib.request.urlopen(address + page, timeout=60) as answer:
                    answer.read()
                taken.setdefault(page, []).append(time.monotonic() - began)
        return taken
    finally:
        server.terminate()
        server.wait()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    pare = os.path.realpath(sys.argv[1])
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "build", "campaign")
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    seconds = os.environ.get("SECONDS", "20")
    n_tests, n_raw = int(os.environ.get("TESTS", "200000")), int(os.environ.get("RAW", "2000"))
    compile_c(PROGRAM, "./one_ms")
    compile_c(HARNESS, "./quiet.so", "-shared", "-fPIC", "-DONE_IN=0")
    compile_c(HARNESS, "./loud.so", "-shared", "-fPIC", f"-DONE_IN={max(1, n_tests // n_raw)}")
    source = "[source r]\nkind = random\nbatch = 100000000\n"

    print("campaign: own cost")
    text = "[target t]\ncommand = ./one_ms @@\nrunner = spawn\n" + source
    _, tests, testing, making, span, _ = run(pare, "one_ms", text, "--max-time", seconds)
    share = 100 * (1 - testing / span)
    report("a program of 1 ms: time without a test", f"{share:.1f} %", "below 5 %", share < 5)
    report("  of which making inputs", f"{100 * making / span:.1f} %")
    report("  tests", f"{tests:,}")

    text = "[target t]\ncommand = ./quiet.so\nkind = inprocess\n" + source
    _, tests, testing, making, span, _ = run(pare, "quiet", text, "--max-time", seconds)
    cost = 1e6 * (span - testing) / tests
    report("in-process runner: time beside a test", f"{cost:.1f} us", "below 50 us", cost < 50)
    report("  all of a test", f"{1e6 * span / tests:.1f} us")

    text = ("[campaign]\nreduce = no\n[target t]\ncommand = ./loud.so\nkind = inprocess\n"
            "reduce = no\n[source r]\nkind = random\nbatch = 100000\n")
    wall, tests, testing, making, span, samples = run(pare, "loud", text, "--max-tests", str(n_tests))
    store = sqlite3.connect("loud.pare.db")
    findings, raw = store.execute("SELECT count(*), sum(count) FROM finding").fetchone()
    size = os.path.getsize("loud.pare.db")
    early = [s for s in samples if s[0] <= wall / 5] or samples[:1]
    report("large: tests, failing, findings", f"{tests:,} {raw or 0:,} {findings}")
    report("  seconds", f"{wall:.0f}")
    before, after = max(s[1] for s in early), max(s[1] for s in samples)
    report("  memory of the coordinator", f"{after} KiB", f"as at 20 % ({before})",
           after <= 1.1 * before + 512)
    before, after = max(s[2] for s in early), max(s[2] for s in samples)
    report("  memory of a job", f"{after} KiB", f"as at 20 % ({before})",
           after <= 1.1 * before + 1024)
    report("  store", f"{size / 1e6:.1f} MB", "below 200 MB", size < 200e6)
    taken = ask_pages(pare, "loud.pare.db")
    slowest = max(taken, key=lambda page: statistics.median(taken[page]))
    longest = 1000 * max(max(times) for times in taken.values())
    report("  slowest page, median of 20", f"{1000 * statistics.median(taken[slowest]):.0f} ms",
           "below 100 ms", statistics.median(taken[slowest]) < 0.1)
    report("    which is", "/" + slowest)
    report("  longest of all answers", f"{longest:.0f} ms", "below 100 ms", longest < 100)


main()
