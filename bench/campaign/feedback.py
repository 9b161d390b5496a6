#!/usr/bin/env python3
"""Edges reached in a given time, by five ways to fuzz the same program on one processor each.

    feedback.py --pare build/pare --programs FOLDER [--minutes 10] [--jobs 1] [TARGET ...]

FOLDER holds jq, mujs and lua, built by afl-clang-fast.  The ways:

    grammar     texts of the grammar alone; what they reach is counted, and nothing evolves
    afl         afl-fuzz alone, one instance, three small seeds
    afl-dict    the same with a dictionary: the literals of the grammar
    population  the grammar with feedback: what reaches something new is reduced and evolves
    campaign    grammar with feedback and afl-fuzz with the dictionary, sharing what they find

Edges are counted alike for all: by the map of what all inputs have reached, which for afl-fuzz
alone is made by running its queue afterwards.  The seed of each way is fixed; afl-fuzz is not
deterministic.  Prints a table, and the geometric mean of campaign / afl.

With --together all ways of a target run at the same time, each in a CPU group of the same weight,
so that other work on the machine hits all alike; the table has the processor seconds of each.  That
needs control groups that can be written (root)."""
import argparse
import math
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = {
    "jq": ("jq . @@", "jqjson.g4", ['{"a":[1,2.5,null]}', '"x\\u0041"', "[true,{}]"]),
    "mujs": ("mujs @@", "es5.g4", ["var a = 1; a + 2;", "[1,2].map(function (x) { return x; });",
                                   'new Date("2000-01-01");']),
    "lua": ("lua @@", "lua54.g4", ["local a = 1 return a", 'print(("x"):rep(3))',
                                   "for a, b in pairs({1, 2}) do print(a) end"]),
}
WAYS = ("grammar", "afl", "afl-dict", "population", "campaign")


def literals(grammar):
    """The words of a grammar, as AFL's dictionaries have them."""
    text = re.sub(r"//.*", "", grammar.read_text())
    words = sorted(set(re.findall(r"'((?:[^'\\\n]|\\.)+)'", text)))
    lines = []
    for number, word in enumerate(words):
        word = word.replace("\\'", "'").replace("\\\\", "\\")
        lines.append('w%d="%s"' % (number, word.replace("\\", "\\\\").replace('"', '\\"')))
    return "\n".join(lines) + "\n"


def configuration(folder, command, sources):
    words = [f"[campaign]\nname = x\nreduce = no\n[target t]\ncommand = {command}\nkind = afl\n"
             "coverage = afl\ntimeout = 1s\nfinding = crash\n"]
    for name, lines in sources.items():
        words.append(f"[source {name}]\n{lines}\n")
    (folder / "x.ini").write_text("".join(words))
    return folder / "x.ini"


class Group:
    """A CPU group: what runs in it has as much of the processors as any other of its weight."""
    V1, V2 = pathlib.Path("/sys/fs/cgroup/cpu"), pathlib.Path("/sys/fs/cgroup")

    def __init__(self, name, weight=700):
        self.is_v1 = self.V1.is_dir()
        self.folders = [(self.V1 if self.is_v1 else self.V2) / name]
        if self.is_v1:
            self.folders.append(pathlib.Path("/sys/fs/cgroup/cpuacct") / name)
        for folder in self.folders:
            folder.mkdir(exist_ok=True)
        # Weights are of 1024 and of 100 for what is in no group.
        file = "cpu.shares" if self.is_v1 else "cpu.weight"
        (self.folders[0] / file).write_text(str(weight if self.is_v1 else max(1, weight // 10)))

    def prefix(self):
        """Words before a command that puts it there."""
        enter = "".join(f"echo $$ > {folder}/cgroup.procs && " for folder in self.folders)
        return ["sh", "-c", enter + 'exec "$@"', "sh"]

    def seconds(self):
        if self.is_v1:
            return int((self.folders[1] / "cpuacct.usage").read_text()) / 1e9
        return int(re.search(r"usage_usec (\d+)",
                             (self.folders[0] / "cpu.stat").read_text()).group(1)) / 1e6

    def close(self):
        for folder in self.folders:
            folder.rmdir()


def run_campaign(arguments, folder, command, sources, minutes, prefix):
    path = configuration(folder, command, sources)
    with open(folder / "log", "w") as log:
        subprocess.run(prefix + [arguments.pare, "fuzz", "run", str(path), "-j", str(arguments.jobs),
                                 "--max-time", f"{max(1, round(60 * minutes))}s"],
                       stdout=log, stderr=log, cwd=folder)


def edges_in(folder):
    """What the store's map has, and the tests."""
    found = list(folder.glob("*.pare.db"))
    if not found:
        return 0, 0
    with sqlite3.connect(found[0]) as store:
        row = store.execute("SELECT bytes FROM map").fetchone()
        tests = store.execute("SELECT total(tests) FROM statistic").fetchone()[0]
    return sum(byte != 0 for byte in row[0]) if row else 0, int(tests)


def run_afl(arguments, folder, command, dictionary, prefix):
    environment = dict(os.environ, AFL_NO_UI="1", AFL_SKIP_CPUFREQ="1", AFL_NO_AFFINITY="1",
                       AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1")
    environment.pop("ASAN_OPTIONS", None)
    words = ["afl-fuzz", "-i", str(folder / "seeds"), "-o", str(folder / "out"), "-V",
             str(max(1, round(60 * arguments.minutes)))]
    words += ["-x", str(dictionary)] if dictionary else []
    with open(folder / "log", "w") as log:
        subprocess.run(prefix + words + ["--"] + command.split(), stdout=log, stderr=log,
                       env=environment, cwd=folder)
    execs = 0
    stats = folder / "out/default/fuzzer_stats"
    if stats.exists():
        execs = int(re.search(r"execs_done\s*: (\d+)", stats.read_text()).group(1))
    replay = folder / "replay"
    replay.mkdir()
    run_campaign(arguments, replay, command,
                 {"queue": f"kind = folder\nfiles = {folder}/out/default/queue/id*"}, 5, [])
    return edges_in(replay)[0], execs


def run_way(arguments, way, target, folder, prefix):
    command, grammar, seeds = TARGETS[target]
    command = str(pathlib.Path(arguments.programs).resolve()) + "/" + command
    grammar = HERE / grammar
    dictionary = folder / "words.dict"
    dictionary.write_text(literals(grammar))
    (folder / "seeds").mkdir()
    for number, text in enumerate(seeds):
        (folder / "seeds" / str(number)).write_text(text)
    made = f"kind = grammar\ngrammar = {grammar}\nseed = 1\nmax_tokens = 100\n"
    afl = f"kind = afl\nfiles = {folder}/seeds/*\ndictionary = {dictionary}\n"
    if way == "afl":
        return run_afl(arguments, folder, command, None, prefix)
    if way == "afl-dict":
        return run_afl(arguments, folder, command, dictionary, prefix)
    sources = {"grammar": {"grammar": made + "evolve = no\n"}, "population": {"grammar": made},
               "campaign": {"grammar": made, "afl": afl}}[way]
    run_campaign(arguments, folder, command, sources, arguments.minutes, prefix)
    return edges_in(folder)


def run_line(arguments, root, target, way, reached):
    """One way on one target; prints its line."""
    folder = root / f"{target}-{way}"
    folder.mkdir(parents=True)
    group = Group(f"pare-{os.getpid()}-{way}") if arguments.together else None
    before = os.getloadavg()[0]
    reached[way], tests = run_way(arguments, way, target, folder, group.prefix() if group else [])
    seconds = f"{group.seconds():8.0f}" if group else " " * 7 + "-"
    print(f"{target:6} {way:12} {reached[way]:6} {tests:10} {seconds}  {before:.1f} "
          f"{os.getloadavg()[0]:.1f}", flush=True)
    if group:
        group.close()


def run_target(arguments, root, target):
    """All ways on one target; how many edges each has reached."""
    reached = {}
    threads = [threading.Thread(target=run_line, args=(arguments, root, target, way, reached))
               for way in arguments.ways.split(",")]
    for thread in threads:
        thread.start()
        if not arguments.together:
            thread.join()
    for thread in threads:
        thread.join()
    return reached


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pare", default="pare")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--together", action="store_true", help="all ways of a target at once")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--keep", help="folder for what the runs leave")
    parser.add_argument("targets", nargs="*", default=list(TARGETS))
    arguments = parser.parse_args()
    arguments.pare = shutil.which(arguments.pare) or str(pathlib.Path(arguments.pare).resolve())
    root = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="pare-feedback-"))
    ratios = []
    print(f"{arguments.minutes:g} minutes, {arguments.jobs} slot(s); load at the start and at the end of each")
    print("target way          edges      tests    CPU s  load")
    for target in arguments.targets:
        reached = run_target(arguments, root, target)
        if reached.get("afl") and reached.get("campaign"):
            ratios.append(reached["campaign"] / reached["afl"])
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"campaign / afl, geometric mean: {mean:.2f}")
    if not arguments.keep:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
