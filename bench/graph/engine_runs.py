"""Runs tests, one to a line, on a script engine: each by itself in an eval, many to a process.

A process that crashes, hangs, or ends before its last test is run again with half of its tests,
until the one that did it is alone: so no other test is lost, and each failure has its test.
"""
import concurrent.futures
import json
import lzma
import os
import re
import resource
import shutil
import subprocess
import tempfile

BATCH = 50
SECONDS = 3           # of processor time, for a process

MEMORY = 1 << 30      # of a process; sanitizers reserve address space, so not for them
END = "pare: last test done"

def read_tests(path):
    """The tests of a file (also .xz), one to a line."""
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8", errors="replace", newline="\n") as file:
        return [line.rstrip("\n") for line in file if line.strip()]

def script(tests):
    """The program that evaluates each test.  The copy of print is for tests that overwrite it;
    eval has none, since mujs knows it by its name only."""
    lines = ["(function(G){var P=typeof print==='function'?print:function(){};"]
    lines += ["try{eval(%s)}catch(e){}" % json.dumps(test) for test in tests]
    lines.append("P('%s')})(this);" % END)
    return "\n".join(lines)

def limits(seconds, memory):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return apply

def run(engine, tests, environment, memory):
    """Returns (ended well, exit code, what it printed on standard error)."""
    folder = tempfile.mkdtemp(prefix="pare-graph.", dir="/dev/shm")
    try:
        with open(folder + "/t.js", "w", encoding="utf-8") as file:
            file.write(script(tests))
        seconds = SECONDS
        try:
            done = subprocess.run([engine, "t.js"], cwd=folder, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=seconds * 4, preexec_fn=limits(seconds, memory))
        except subprocess.TimeoutExpired:
            return False, "hang", ""
        out, err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
        return END in out[-len(END) - 2:], done.returncode, err
    finally:
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
    """Runs all tests.  look(standard error) returns what is to be reported of a process, such as
    sites; report(test, exit code, that) is called for each test alone that has something, or
    ends its process.  Returns how many tests end their process."""
    base = dict(os.environ, **(environment or {}))

    def work(batch):
        ended, code, err = run(engine, batch, base, memory)
        found = look(err) if look else None
        if ended and not found:
            return 0
        if len(batch) > 1:
            middle = len(batch) // 2
            return work(batch[:middle]) + work(batch[middle:])
        if report:
            report(batch[0], code, found)
        return 0 if ended else 1

    batches = [tests[i:i + BATCH] for i in range(0, len(tests), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(work, batches))
