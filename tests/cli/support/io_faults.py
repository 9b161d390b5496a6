"""Has one call of pare fail, again and again, each time another one.

io_faults.py PARE HELPERS PLACE SCENARIO MOST [KIND]

Under HELPERS/files_library.so (tests/helpers/files_library.c) the Nth call of a kind fails with an errno, or writes
half.  First the calls of an undisturbed run are counted; then MOST of them are chosen, evenly over
all of them (0: all; PARE_TEST_SEED=N moves the choice), and the command is run once for each.  With KIND only
calls of that kind fail.
Whatever fails, it must hold:

  - pare ends by itself, with 0 or 3, and says at most one sentence; with 3 exactly one;
  - what was given is whole, called INPUT or INPUT.orig, and a result that is there fails;
  - with 0 the result is that of the undisturbed run, as if nothing had happened;
  - the same command, undisturbed, ends the work.

Exit code 1, and a line, for each that did not hold."""

import errno
import os
import re
import shutil
import subprocess
import sys

NEEDED = re.compile(rb"3[^\n]*7")
TEXT = b"a1b2\n3c4d7e\nf5g6\n"
LIMIT_S = 120

HOW = {
    "open": [errno.EMFILE, errno.EIO],
    "read": [errno.EIO, errno.EINTR],
    "write": [errno.ENOSPC, errno.EIO, errno.EINTR, 0],
    "rename": [errno.EIO, errno.ENOSPC],
    "link": [errno.EIO, errno.EPERM],
    "unlink": [errno.EIO],
    "mkdir": [errno.ENOSPC, errno.EIO],
    "sync": [errno.EIO, errno.ENOSPC, errno.EINTR],
    "cut": [errno.EIO],
    "mmap": [errno.ENOMEM],
    "clone": [errno.EAGAIN, errno.ENOMEM],
    "epoll": [errno.ENOMEM, errno.EINTR],
    "pipe": [errno.EMFILE],
    "setns": [errno.EPERM],
    "pidfd": [errno.EMFILE],
    "mount": [errno.EPERM],
    "call": [errno.EPERM, errno.EMFILE],
}


class Scenario:
    def __init__(self, place, name, helpers):
        self.place, self.name, self.helpers = place, name, helpers
        self.text, self.needed = TEXT, NEEDED
        if "program" in name: # each test starts processes: a few are enough for every kind of call
            self.text = b"3x7y\n"
        if name in ("worker", "afl"):
            self.text, self.needed = b"22\n3x\n4\n", re.compile(rb"x")
        if name == "inprocess":
            self.text, self.needed = b"77\nd7\n", re.compile(rb"d")
        self.in_place, self.folder = "in-place" in name, "folder" in name
        self.input = "in" if self.folder else "in.txt"
        self.output = self.input if self.in_place else "out"

    def path(self, name):
        return os.path.join(self.place, name)

    def make(self):
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.place)
        if self.folder:
            os.makedirs(self.path("in/sub"))
            open(self.path("in/sub/a"), "wb").write(TEXT)
            open(self.path("in/b"), "wb").write(b"useless\n")
        else:
            open(self.path("in.txt"), "wb").write(self.text)

    def command(self, pare):
        rest = ["-a", "ddmin", "-u", "char", "-j1", "-q", "--timeout", "60"]
        rest += ["--in-place"] if self.in_place else ["-o", "out"]
        if self.name == "worker":
            return [pare, "reduce", *rest, "--worker", self.helpers + "/line_worker", self.input]
        if self.name == "afl":
            return [pare, "reduce", self.input, *rest, "--",
                    self.helpers + "/afl_server"]
        if self.name == "inprocess":
            return [pare, "reduce", self.input, *rest, "--runner", "inprocess", "--exit", "50",
                    "--", self.helpers + "/harness_library.so"]
        if "program" in self.name:
            runner = ["--runner", "spawn"] if "spawned" in self.name else []
            return [pare, "reduce", self.input, *rest, *runner, "--exit", "0", "--",
                    "grep", "-q", "3.*7", "@@"]
        grep = "grep -rqs" if self.folder else "grep -q"
        return [pare, "reduce", grep + " '3.*7'", self.input, *rest]

    def run(self, pare, **files):
        environment = dict(os.environ, **files)
        return subprocess.run(self.command(pare), cwd=self.place, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S)

    def fails(self, tree):
        if isinstance(tree, dict):
            return any(self.fails(part) for part in tree.values())
        return bool(self.needed.search(tree))

    def tree(self, name):
        path = self.path(name)
        if os.path.isdir(path):
            return {part: self.tree(os.path.join(name, part)) for part in os.listdir(path)}
        return open(path, "rb").read() if os.path.exists(path) else None


def check(scenario, run, original, expected):
    """What does not hold after a run with a fault; None: all does."""
    said = run.stderr.decode(errors="replace")
    if run.returncode not in (0, 3):
        return "exit code %d: %s" % (run.returncode, said)
    lines = len([line for line in said.splitlines() if "the best so far is in" not in line])
    if lines > 1 or (run.returncode == 3 and lines != 1):
        return "exit code %d, %d lines: %s" % (run.returncode, lines, said)
    if original not in (scenario.tree(scenario.input), scenario.tree(scenario.input + ".orig")):
        return "the original is lost"
    result = scenario.tree(scenario.output)
    if result is not None and not scenario.fails(result):
        return "the result does not fail: %r" % (result,)
    if run.returncode == 0 and result != expected:
        return "exit code 0 and another result: %r" % (result,)
    return None


def names_of(scenario):
    return sorted(os.path.relpath(os.path.join(path, name), scenario.place)
                  for path, folders, files in os.walk(scenario.place) for name in folders + files)


def check_again(scenario, pare, expected):
    # A run that was finished is not begun again where what it has made would be lost.
    finished = not os.path.exists(scenario.path(scenario.output + ".pare/journal")) and \
        scenario.tree(scenario.output) == expected
    run = scenario.run(pare)
    refused = 3 if scenario.in_place else 2 if scenario.folder else 0
    if finished and run.returncode == refused:
        return None
    if run.returncode != 0 or scenario.tree(scenario.output) != expected:
        return "again: exit code %d, %r: %s" % (run.returncode, scenario.tree(scenario.output),
                                                run.stderr.decode(errors="replace"))
    return None


def choose(counts, most, kinds):
    """(kind, n, how) of what fails: all, or `most`, spread evenly."""
    every = [(kind, n, how) for kind in kinds for n in range(1, counts.get(kind, 0) + 1)
             for how in HOW[kind]]
    if not most or len(every) <= most:
        return every
    moved = int(os.environ.get("PARE_TEST_SEED", "0")) * 7919
    return [every[(k * len(every) // most + moved) % len(every)] for k in range(most)]


def main():
    pare, helpers, place, name, most = sys.argv[1:6]
    library = helpers + "/files_library.so"
    scenario = Scenario(place, name, helpers)
    scenario.make()
    original = scenario.tree(scenario.input)
    counted = place + ".count"
    if os.path.exists(counted):
        os.remove(counted)
    run = scenario.run(pare, LD_PRELOAD=library, PARE_FILES_COUNT=counted)
    expected, names = scenario.tree(scenario.output), names_of(scenario)
    if run.returncode or not expected:
        print("%s: an undisturbed run ends with %d: %s" % (name, run.returncode, run.stderr))
        return 1
    counts = dict((line.split()[0], int(line.split()[1])) for line in open(counted))
    chosen = choose(counts, int(most), sys.argv[6:] or HOW)
    n_errors = n_struck = broken = 0
    for kind, n, how in chosen:
        scenario.make()
        os.remove(counted)
        what = "%s %d of %d, %s" % (kind, n, counts[kind], errno.errorcode.get(how, "short"))
        try:
            run = scenario.run(pare, LD_PRELOAD=library, PARE_FILES_COUNT=counted,
                               PARE_FILES_FAULT="%s:%d:%d" % (kind, n, how))
            wrong = check(scenario, run, original, expected)
            n_errors += run.returncode != 0
            n_struck += "struck 1" in open(counted).read()
            # As if nothing had happened: then the same command would not, either.
            if not wrong and (run.returncode or names_of(scenario) != names):
                wrong = check_again(scenario, pare, expected)
        except subprocess.TimeoutExpired:
            wrong = "it does not end"
        if wrong:
            broken += 1
            print("%s: %s: %s" % (name, what, wrong), flush=True)
    print("%s: %d faults, %d struck, %d ended the run, %d broken promises" %
          (name, len(chosen), n_struck, n_errors, broken))
    return 1 if broken or not n_struck else 0


sys.exit(main())
