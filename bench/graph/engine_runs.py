"""Runs tests, one to a line, on a script engine: each by itself in an eval, many to a process.

The engine's output is a terminal's, so that it comes line by line, and both of its streams are the
same: a line before each test says which one it is, what stands after it was printed by it.  When
a process ends before its last test, the others go on in another one.
"""
import concurrent.futures
import json
import lzma
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import tty

BATCH = 50
SECONDS = 3           # of processor time, for a test; a process has them for all of its tests
MEMORY = 1 << 30      # of a process; sanitizers reserve address space, so not for them
OUTPUT = 1 << 24      # bytes that are read of a process
MARK = "\x01pare:"
JOBS = int(os.environ.get("JOBS", os.cpu_count()))  # processes at once


def read_arguments(words, usage):
    """(folder of the engines, engine, {column: file}, file for JSON or None) of a command line."""
    words = list(words)
    out = None
    if "--json" in words[:-1]:
        at = words.index("--json")
        out = words[at + 1]
        del words[at:at + 2]
    if len(words) < 3 or not all("=" in word for word in words[2:]):
        sys.exit(usage)
    return words[0], words[1], dict(word.split("=", 1) for word in words[2:]), out


def write_json(path, results):
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


def read_tests(path):
    """The tests of a file (also .xz), one to a line."""
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8", errors="replace", newline="\n") as file:
        return [line.rstrip("\n") for line in file if line.strip()]


def script(tests, first):
    """The program that evaluates each test.  The copy of print is for tests that overwrite it;
    eval has none, since mujs knows it by its name only."""
    lines = ["(function(G){var P=typeof print==='function'?print:function(){};"]
    lines += ["P('%s%d');try{eval(%s)}catch(e){}" % (MARK.replace("\x01", "\\x01"), first + i, json.dumps(test))
              for i, test in enumerate(tests)]
    lines.append("P('%s%d');})(this);" % (MARK.replace("\x01", "\\x01"), first + len(tests)))
    return "\n".join(lines)


def limits(seconds, memory):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return apply

def read_all(master, process):
    """What comes until the process has ended; kills it when it prints without end."""
    parts, size = [], 0
    while True:
        try:
            part = os.read(master, 1 << 16)
        except OSError:  # a terminal's end
            return b"".join(parts)
        if not part:
            return b"".join(parts)
        size += len(part)
        if size <= OUTPUT:
            parts.append(part)
        else:
            process.kill()


def run(engine, tests, first, environment, memory):
    """Returns (exit code or "hang", what it printed)."""
    folder = tempfile.mkdtemp(prefix="pare-graph.", dir="/dev/shm")
    master, slave = pty.openpty()
    tty.setraw(slave)
    try:
        with open(folder + "/t.js", "w", encoding="utf-8") as file:
            file.write(script(tests, first))
        process = subprocess.Popen([engine, "t.js"], cwd=folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                                   preexec_fn=limits(SECONDS, memory))
        os.close(slave)
        slave = -1
        # The limit of processor time ends those that compute; this is for those that wait, and far
        # enough off that one that is kept waiting by a busy machine is not taken for a hang.
        timer = threading.Timer(SECONDS * 100, process.kill)
        timer.start()
        text = read_all(master, process).decode("utf-8", "replace")
        code = process.wait()
        timer.cancel()
        return "hang" if code in (-signal.SIGXCPU, -signal.SIGKILL) else code, text
    finally:
        os.close(master)
        if slave >= 0:
            os.close(slave)
        shutil.rmtree(folder, ignore_errors=True)


SITE = re.compile(r"([\w./-]+\.c):(\d+):\d+: runtime error: (.*)")
FRAME = re.compile(r"#\d+ 0x[0-9a-f]+ in (\w+) .*?([\w-]+\.c):(\d+)")

def sites(err):
    """Where the sanitizers of a process complained: file, line, and kind."""
    found = {}
    for match in SITE.finditer(err):
        kind = re.sub(r"-?\d[\w.+-]*|'[^']*'", "N", match.group(3))
        found[(os.path.basename(match.group(1)), int(match.group(2)), kind)] = match.group(3)
    asan = re.search(r"ERROR: AddressSanitizer: ([\w-]+)", err)
    if asan:
        frame = FRAME.search(err, asan.end())
        at = (frame.group(2), int(frame.group(3))) if frame else ("?", 0)
        # The depth of a recursion says nothing of its cause: by the function that it ends in.
        found[(at[0], at[1], asan.group(1))] = asan.group(1)
    return found

def run_all(engine, tests, environment=None, memory=MEMORY, look=None, report=None):
    """Runs all tests.  look(text) returns what is to be reported of what a test printed, such as
    sites; report(number, exit code or None, that) is called for each test that has something, or
    ends its process.  Returns how many tests end their process."""
    base = dict(os.environ, **(environment or {}))

    def work(first, end):
        ended = 0
        while first < end:
            code, text = run(engine, tests[first:end], first, base, memory)
            last = first
            for part in text.split(MARK)[1:]:
                number, _, printed = part.partition("\n")
                last = int(number) if number.isdigit() else last
                found = look(printed) if look else None
                if found and report and last < end:
                    report(last, None, found)
            if last >= end:
                break
            ended += 1
            if report:
                report(last, code, set())
            first = last + 1
        return ended

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        starts = range(0, len(tests), BATCH)
        return sum(pool.map(lambda at: work(at, min(at + BATCH, len(tests))), starts))
