"""Replays what pare did to files, as a loss of power may have left it.

power_loss.py PARE LIBRARY PLACE SCENARIO [--sync MODE]

Runs pare under LIBRARY (tests/helpers/files_library.c), which writes down each change of a file or
folder and each sync.  A change is safe when a sync of its file, or of its folder for a name, began
after it and has ended; of the others the disk may hold any part, in any order.  For each instant of
the run this program makes the disks that are possible (none of the unsafe changes, all, each alone,
all but each, and some drawn at random with a fixed seed) and checks on each what is promised:

  original  it is whole, called INPUT or INPUT.orig
  result    it is not there, or it is whole and fails: never empty, never half
  journal   its whole records are the first ones that were written; under --sync always all but
            the one that is being written are safe

Some of the disks are made for real, and the same command must end the work there.
Exit code 1, and a line, for each promise that was broken; else how many disks were looked at."""

import os
import random
import re
import shutil
import subprocess
import sys

HEADER, RECORD = 64, 40
NEEDED = re.compile(rb"3[^\n]*7")
TEXT = b"a1b2\n3c4d7e\nf5g6\n"


class Disk:
    """What a disk holds: names by folder, bytes by inode."""

    def __init__(self, names, data):
        self.names, self.data = names, data

    def copy(self):
        return Disk({k: dict(v) for k, v in self.names.items()}, dict(self.data))

    def find(self, inode, path):
        for part in path.split("/"):
            inode = self.names.get(inode, {}).get(part)
            if inode is None:
                return None
        return inode

    def tree(self, inode):
        """A file as its bytes, a folder as what its names stand for."""
        if inode in self.names:
            return {name: self.tree(i) for name, i in self.names[inode].items()}
        return self.data.get(inode, b"")


def read_disk(root):
    disk = Disk({}, {})

    def add(path):
        inode = (os.lstat(path).st_ino, 0)
        if os.path.isdir(path):
            disk.names[inode] = {name: add(os.path.join(path, name)) for name in os.listdir(path)}
        else:
            disk.data[inode] = open(path, "rb").read()
        return inode

    return disk, add(root)


class Change:
    """One change: what it is safe by (inodes that must be synced), and how it is made."""

    def __init__(self, inodes, apply):
        self.inodes, self.apply, self.synced, self.number = inodes, apply, set(), 0

    def safe(self):
        return self.inodes <= self.synced


def set_name(folder, name, inode):
    def apply(disk):
        names = disk.names.setdefault(folder, {})
        if inode is None:
            names.pop(name, None)
        else:
            names[name] = inode

    return apply


def both(first, second):
    def apply(disk):
        first(disk)
        second(disk)

    return apply


def set_bytes(inode, at, new):
    def apply(disk):
        old = disk.data.get(inode, b"")
        old += bytes(max(0, at - len(old)))
        disk.data[inode] = old[:at] + new + old[at + len(new):]

    return apply


def cut(inode, size):
    def apply(disk):
        old = disk.data.get(inode, b"")
        disk.data[inode] = old[:size] + bytes(max(0, size - len(old)))

    return apply


def read_log(path, disk):
    """The changes and syncs of a run in their order.  A number of an inode is used again after its
    file is gone, so each new file gets a generation of its own."""
    generation, events = {}, []

    def inode(number):
        return (number, generation.get(number, 0))

    for line in open(path, encoding="utf-8", errors="surrogateescape"):
        what, *rest = line.rstrip("\n").split("\t")
        if what in ("create", "mkdir"):
            number = int(rest[2])
            generation[number] = generation.get(number, 0) + 1
        if what in ("create", "link", "mkdir", "unlink"):
            folder = inode(int(rest[0]))
            new = None if what == "unlink" else inode(int(rest[2]))
            apply = set_name(folder, rest[1], new)
            if what == "mkdir":
                apply = both(apply, lambda disk, new=new: disk.names.setdefault(new, {}))
            events.append(Change({folder}, apply))
        elif what in ("rename", "exchange"):
            one, two = inode(int(rest[0])), inode(int(rest[3]))
            moved, other = inode(int(rest[2])), inode(int(rest[5]))
            back = other if what == "exchange" else None
            if moved == other:
                continue
            events.append(Change({one, two}, both(set_name(one, rest[1], back),
                                                  set_name(two, rest[4], moved))))
        elif what == "write":
            file = inode(int(rest[0]))
            events.append(Change({file}, set_bytes(file, int(rest[1]), bytes.fromhex(rest[2]))))
        elif what == "cut":
            file = inode(int(rest[0]))
            events.append(Change({file}, cut(file, int(rest[1]))))
        elif what in ("begin", "synced"):
            events.append((what, inode(int(rest[0])), int(rest[1]), int(rest[0]) == 1))
    return events


def instants(events, disk):
    """Each instant of the run: the safe disk, and the changes that are not safe."""
    pending, began, n_made = [], {}, 0
    for event in events:
        if isinstance(event, Change):
            event.number = n_made
            n_made += 1
            pending.append(event)
        elif event[0] == "begin":
            # The journal's thread syncs while others do, so each sync has a mark of its own.
            began[event[2]] = n_made
            continue
        else:
            before = began.pop(event[2], 0)
            for change in pending:
                if change.number >= before:
                    break
                if event[3]:
                    change.synced |= change.inodes
                elif event[1] in change.inodes:
                    change.synced.add(event[1])
            for change in pending:
                if change.safe():
                    change.apply(disk)
            pending = [change for change in pending if not change.safe()]
        yield disk, pending


def subsets(pending, draw):
    n = len(pending)
    yield []
    yield pending
    for i in range(n) if n <= 12 else draw.sample(range(n), 12):
        yield [pending[i]]
        yield pending[:i] + pending[i + 1:]
    for _ in range(4 if n > 1 else 0):
        yield [change for change in pending if draw.random() < 0.5]


# ---- scenarios ---------------------------------------------------------------------------


def fails(tree):
    if isinstance(tree, dict):
        return any(fails(part) for part in tree.values())
    return bool(NEEDED.search(tree))


class Scenario:
    def __init__(self, place, name, sync):
        self.place, self.name, self.sync = place, name, sync
        self.in_place, self.folder = "in-place" in name, "folder" in name
        self.input = "in" if self.folder else "in.txt"
        self.output = self.input if self.in_place else "out"
        self.journal = self.output + ".pare"

    def make(self):
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.place)
        path = os.path.join(self.place, self.input)
        if self.folder:
            os.makedirs(path + "/sub")
            open(path + "/sub/a", "wb").write(TEXT)
            open(path + "/b", "wb").write(b"useless\n")
        else:
            open(path, "wb").write(TEXT)
        if "earlier" in self.name:
            open(os.path.join(self.place, "out"), "wb").write(b"somebody's\n")

    def command(self, pare):
        test = "grep -rqs '3.*7'" if self.folder else "grep -q '3.*7'"
        where = ["--in-place"] if self.in_place else ["-o", "out"]
        sync = ["--sync", self.sync] if self.sync else []
        return [pare, "reduce", test, self.input, "-a", "ddmin", "-u", "char", "-j1", "-q",
                "--timeout", "60", *where, *sync]

    def check(self, disk, root, original, history):
        """What is broken on this disk; None: nothing."""
        there = disk.find(root, self.input)
        kept = disk.find(root, self.input + ".orig")
        trees = [disk.tree(i) for i in (there, kept) if i is not None]
        if original not in trees:
            return "the original is lost"
        result = disk.find(root, self.output)
        if result is not None:
            tree = disk.tree(result)
            if not fails(tree) and tree != b"somebody's\n":
                return "the result does not fail: %r" % (tree,)
        if "earlier" in self.name and not any(
                disk.data.get(i) == b"somebody's\n" for i in disk.names[root].values()):
            return "what was there before is lost"
        return None

    def count_records(self, disk, root, history):
        """How many records of the journal are there as they were written; pare itself sees by their
        checksums which are whole."""
        journal = disk.find(root, self.journal + "/journal")
        held = disk.data.get(journal, b"") if journal else b""
        n, end = 0, HEADER + RECORD
        while len(held) >= end and held[:end] == history[:end]:
            n, end = n + 1, end + RECORD
        return n


def build(disk, inode, path):
    """Makes it at the path; which number each inode has got there, by its number on the disk."""
    numbers = {}
    if inode in disk.names:
        os.makedirs(path)
        for name, other in disk.names[inode].items():
            numbers.update(build(disk, other, os.path.join(path, name)))
    else:
        open(path, "wb").write(disk.data.get(inode, b""))
    numbers[inode[0]] = os.lstat(path).st_ino
    return numbers


def renumber_note(path, numbers):
    """The note of a run in place names results by their inodes, which are others here."""
    if os.path.exists(path):
        noted = open(path, encoding="ascii", errors="replace").read().split("\n")
        with open(path, "w", encoding="ascii", errors="replace") as note:
            note.write("\n".join(str(numbers.get(int(line), 1)) if line.isdigit() else line
                                 for line in noted))


def resume(scenario, pare, disk, root, expected):
    """The same command on the disk; what is wrong with its end."""
    shutil.rmtree(scenario.place)
    numbers = build(disk, root, scenario.place)
    renumber_note(os.path.join(scenario.place, scenario.journal, "in-place"), numbers)
    # Two names of one file are that again.
    one, two = disk.find(root, scenario.input), disk.find(root, scenario.input + ".orig")
    if one is not None and one == two and not scenario.folder:
        os.remove(os.path.join(scenario.place, scenario.input + ".orig"))
        os.link(os.path.join(scenario.place, scenario.input),
                os.path.join(scenario.place, scenario.input + ".orig"))
    finished = scenario.in_place and two is not None and \
        not os.path.exists(os.path.join(scenario.place, scenario.journal, "journal"))
    run = subprocess.run(scenario.command(pare), cwd=scenario.place, capture_output=True,
                         timeout=120)
    after, top = read_disk(scenario.place)
    result = after.tree(after.find(top, scenario.output))
    if finished and run.returncode == 3:
        return None
    if run.returncode != 0 or result != expected:
        return "the same command ends with %d and %r: %s" % (run.returncode, result,
                                                             run.stderr.decode())
    return None


def main():
    pare, library, place, name = sys.argv[1:5]
    scenario = Scenario(place, name, sys.argv[6] if len(sys.argv) > 6 else "")
    draw = random.Random(7)
    scenario.make()
    disk, root = read_disk(place)
    original = disk.tree(disk.find(root, scenario.input))
    log = place + ".log"
    if os.path.exists(log):
        os.remove(log)
    environment = dict(os.environ, LD_PRELOAD=library, PARE_FILES_LOG=log)
    if "plain" in name:
        environment["PARE_FILES_PLAIN"] = "1"
    subprocess.run(scenario.command(pare), cwd=place, check=True, timeout=120, env=environment)
    after, top = read_disk(place)
    expected = after.tree(after.find(top, scenario.output))
    events = read_log(log, disk)
    history, written = b"", []
    live = disk.copy()
    for event in events:
        if isinstance(event, Change):
            event.apply(live)
            journal = live.find(root, scenario.journal + "/journal")
            held = live.data.get(journal, b"") if journal else b""
            history = held if len(held) > len(history) else history
        if isinstance(event, Change) or event[0] != "begin":
            written.append(scenario.count_records(live, root, history))
    if len(history) < HEADER + RECORD:
        print("%s: no journal was written" % name)
        return 1
    n, broken, samples, told = 0, 0, [], {}
    for (safe, pending), n_written in zip(instants(events, disk), written):
        if scenario.sync == "always" and \
                scenario.count_records(safe, root, history) < n_written - 1:
            broken += 1
            print("%s: of %d records the last ones are not safe" % (name, n_written))
        for chosen in subsets(pending, draw):
            state = safe.copy()
            for change in chosen:
                change.apply(state)
            n += 1
            wrong = scenario.check(state, root, original, history)
            if wrong:
                broken += 1
                told[wrong[:20]] = told.get(wrong[:20], 0) + 1
                if told[wrong[:20]] <= 3:  # of each kind
                    print("%s: %s" % (name, wrong))
            elif draw.random() < 0.01:
                samples.append(state)
    for state in draw.sample(samples, min(len(samples), 3)):
        wrong = resume(scenario, pare, state, root, expected)
        if wrong:
            broken += 1
            print("%s: %s" % (name, wrong))
    print("%s: %d disks, %d broken promises, %d records" % (name, n, broken,
                                                            (len(history) - HEADER) // RECORD))
    return 1 if broken else 0


sys.exit(main())
