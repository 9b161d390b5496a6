#!/usr/bin/env python3
"""Measures the house: how the sources are cut into files, and what is still to do.

Usage: scripts/house.py [--root DIR] [--folder PATH] [--list ROW]... [-v] [--check]
       scripts/house.py --self-test   proves that each measure and --check can fail

  --folder PATH   counts only what lies under PATH (src/engine); aims are for all of src
  --list ROW      lists what a row counts, one line each: path: what
  -v              lists it for every row
  --check         exits 1 if a row that has reached its aim (`held` below) misses it again

The rows, by the name that --list takes:

  files         .c, .h and .inc under src/
  lines         their lines, comments and blank lines included
  median        the lines of the median .c; lists those below the aim, the smallest first
  long          .c of more than 900 lines
  headers       headers that at most one file of src/ includes besides their own .c (same
                folder, same name)
  externs       functions that are not static and that exactly one other .c of the same
                folder uses, and no other .c of src/ (main is none)
  names         functions that are not static and whose name, without `pare_`, does not
                begin with their file's.  What include/pare declares is exempt: its names
                are a contract.
  comments      comment lines to code lines in .c; a line with both is a code line.  Lists
                the files below the aim.
  openings      .c whose opening comment has fewer than two lines, or that have none
  asserts       assert( and static_assert( in .c to 1,000 lines of src/; lists the .c
                without any
  parameters    functions (static ones, too) of more than six parameters
  basenames     names (without .c, .h) that files of two folders of src/ have
  circles       modules (the .c and .h of one name in one folder) that include each other
                in a circle; a circle counts once
  tests         .c that no test in tests/unit is named for.  The test of src/a/b.c is
                test_b.c or test_a_b.c, or any that says so in a comment of its own line:
                /* tests: src/a/b.c src/a/c.c */.  main.c has none.

Reads the sources as text, so it needs no build: comments and strings are set aside, a
definition is what stands outside of braces, and a use is the name in another file's code.
Exit codes: 0 done, 1 --check or the self-test failed, 2 usage.
"""

import argparse
import bisect
import os
import re
import signal
import statistics
import sys
import tempfile
from collections import defaultdict

# --- the aims ------------------------------------------------------------------


class Row:
    """One line of the table.  `first` is what issue 13 started from."""

    def __init__(self, key, title, measure, first, most=None, least=None, held=False,
                 reason=""):
        self.key, self.title, self.measure, self.first = key, title, measure, first
        self.most, self.least = most, least
        self.held = held  # the aim is reached, and --check keeps it so
        self.reason = reason  # why the aim is not reached, or was wrong

    def met(self, value):
        return (self.most is None or value <= self.most) and \
            (self.least is None or value >= self.least)

    def aim(self):
        if self.most is not None:
            return f"<= {self.most:,}"
        return f">= {self.least:.0%}" if self.key == "tests" else f">= {self.least:,}"


def rows():
    return [
        Row("files", "files in src", files, "785", most=430),
        Row("lines", "lines in src", lines, "98,600", most=86000,
            reason="excludes the aim of comments"),
        Row("median", "median lines of a .c", median, "155", least=220, held=True),
        Row("long", ".c above 900 lines", long_sources, "0", most=0, held=True),
        Row("headers", "headers with one includer besides their own .c", lone_headers,
            "137 of 345", most=25),
        Row("externs", "externs used by exactly one other .c of the folder", near_externs,
            "614", most=150, reason="6 of 7 are between files too long to be one"),
        Row("names", "externs not named for their file", foreign_names, "431 of 1,521",
            most=100, held=True),
        Row("comments", "comment to code in .c", comments, ".08", least=.20),
        Row("openings", ".c that open with one line or none", openings, "176", most=0, held=True),
        Row("asserts", "asserts per 1,000 lines", asserts, "0.7", least=3, held=True),
        Row("parameters", "functions of more than 6 parameters", parameters, "48", most=8,
            held=True),
        Row("basenames", "basenames that occur twice", basenames, "17", most=0, held=True),
        Row("circles", "file circles", circles, "11", most=3, held=True),
        Row("tests", "modules with a test of their own name", tests, "106 of 438",
            least=.95, held=True),
    ]


# --- reading C -----------------------------------------------------------------

TOKEN = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")


def without_comments(text):
    """`text` with comments and the insides of strings blanked; line breaks stay."""
    def blank(match):
        token = match.group()
        if token[0] in "\"'":
            return token[0] * 2
        return "\n" * token.count("\n") or " "
    return TOKEN.sub(blank, text)


def top_level(code):
    """Yields (head, has_body, offset) for what stands outside of braces: text up to its
    first brace or semicolon.  `code` has neither comments nor directives.  A brace in the
    first column ends whatever is open, so that branches of #if cannot lead astray."""
    depth, start, head, body = 0, 0, None, False
    for match in re.finditer(r"[{};]", code):
        at, char = match.start(), match.group()
        if char == "{":
            if depth == 0 and head is None:
                head, body = code[start:at], True
            depth += 1
        elif char == "}":
            depth = max(0, depth - 1)
            if at == 0 or code[at - 1] == "\n":
                depth = 0
            if depth == 0 and head is not None and is_function(head):
                yield head, body, start
                head, body, start = None, False, match.end()
        elif depth == 0:
            yield (code[start:at] if head is None else head), body, start
            head, body, start = None, False, match.end()


def is_function(head):
    return head.rstrip().endswith(")") and "=" not in head


def function_name(head):
    for match in CALLED.finditer(head):
        # `void (*name(int))(void)`: the parenthesis opens a declarator.
        if not head[match.end():].lstrip().startswith("*"):
            return match.group(1), match.end()
    return None, 0


def parameter_count(head, at):
    """Parameters of the list that opens just before `at`."""
    depth, count, text = 1, 1, ""
    for char in head[at:]:
        depth += (char in "([") - (char in ")]")
        if depth == 0:
            break
        count += char == "," and depth == 1
        text += char
    return 0 if text.strip() in ("", "void") else count


class Definition:
    def __init__(self, name, line, static, parameters):
        self.name, self.line, self.static, self.parameters = name, line, static, parameters


def definitions(code):
    """The functions that a .c defines."""
    code = DIRECTIVE.sub(lambda m: "\n" * m.group().count("\n"), code)
    breaks = [m.start() for m in re.finditer("\n", code)]
    found = []
    for head, has_body, offset in top_level(code):
        # Blanked, not taken out, so that offsets stay.
        head = ATTRIBUTE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), head)
        words = WORD.findall(head)
        if not has_body or not is_function(head):
            continue
        name, at = function_name(head)
        if name:
            line = bisect.bisect_left(breaks, offset + len(head) - len(head.lstrip())) + 1
            found.append(Definition(name, line, "static" in words, parameter_count(head, at)))
    return found


# --- the tree of sources -------------------------------------------------------


class Source:
    def __init__(self, root, path):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            self.text = file.read()
        self.path = path
        self.folder, base = os.path.split(path)
        self.stem, self.extension = os.path.splitext(base)
        self.module = self.folder + "/" + self.stem
        self.code = without_comments(self.text)
        self.n_lines = self.text.count("\n")
        self.words = set(WORD.findall(self.code))
        self.includes = INCLUDE.findall(self.text)
        self.definitions = definitions(self.code) if self.extension == ".c" else []

    def externs(self):
        return [one for one in self.definitions if not one.static and one.name != "main"]

    def comment_and_code_lines(self):
        """Lines that are only comment, and lines with code."""
        code = sum(1 for line in self.code.split("\n") if line.strip())
        return sum(1 for line in self.text.split("\n") if line.strip()) - code, code

    def opening_lines(self):
        match = re.match(r"\s*((?://[^\n]*\n?)+|/\*.*?\*/)", self.text, re.S)
        return match.group(1).rstrip("\n").count("\n") + 1 if match else 0


def walk(root, below, extensions):
    for folder, folders, names in os.walk(os.path.join(root, below)):
        folders.sort()
        for name in sorted(names):
            if name.endswith(extensions):
                yield os.path.relpath(os.path.join(folder, name), root)


class Tree:
    """All sources; `scope` holds those that the table is about."""

    def __init__(self, root, below="src"):
        self.all = [Source(root, path) for path in walk(root, "src", (".c", ".h", ".inc"))]
        self.by_path = {source.path: source for source in self.all}
        self.scope = [one for one in self.all if (one.path + "/").startswith(below + "/")]
        self.public = set()
        for path in walk(root, "include", (".h",)):
            self.public |= Source(root, path).words
        self.includers = defaultdict(set)  # path of a header -> paths
        for source in self.all:
            for target in source.includes:
                self.includers[self.resolve(source, target)].add(source.path)
        self.users = defaultdict(set)  # name of an extern -> paths of other .c and .inc
        names = {one.name for source in self.all for one in source.externs()}
        for source in self.all:
            if source.extension != ".h":
                for name in source.words & names:
                    self.users[name].add(source.path)
        self.tested = self.tests(root)

    def resolve(self, source, target):
        near = os.path.normpath(source.folder + "/" + target)
        return near if near in self.by_path else "src/" + target

    def tests(self, root):
        """Names of tests, and paths of sources that a test says it is about."""
        tested = set()
        for path in walk(root, "tests/unit", (".c",)):
            tested.add(os.path.basename(path))
            with open(os.path.join(root, path), encoding="utf-8") as file:
                for listed in re.findall(r"^/\* tests: (.*?)\*/", file.read(), re.M | re.S):
                    tested |= set(re.findall(r"[\w./]+", listed))
        return tested

    def sources(self, extension):
        return [one for one in self.scope if one.extension == extension]


# --- the measures --------------------------------------------------------------
# Each returns the value that is held against the aim, how it is printed, and what
# --list shows: pairs of a path and what is the matter there.


def files(tree):
    listed = [(one.path, f"{one.n_lines} lines") for one in tree.scope]
    return len(listed), f"{len(listed):,}", listed


def lines(tree):
    total = sum(one.n_lines for one in tree.scope)
    listed = sorted(tree.scope, key=lambda one: -one.n_lines)
    return total, f"{total:,}", [(one.path, f"{one.n_lines} lines") for one in listed]


def median(tree):
    sources = sorted(tree.sources(".c"), key=lambda one: one.n_lines)
    value = statistics.median([one.n_lines for one in sources] or [0])
    return value, f"{value:,.0f}", [(one.path, f"{one.n_lines} lines") for one in sources
                                    if one.n_lines < 220]


def long_sources(tree):
    listed = [(one.path, f"{one.n_lines} lines") for one in tree.sources(".c")
              if one.n_lines > 900]
    return len(listed), str(len(listed)), listed


def lone_headers(tree):
    listed = []
    for header in tree.sources(".h"):
        others = sorted(tree.includers[header.path] - {header.module + ".c"})
        if len(others) <= 1:
            listed.append((header.path, "only " + others[0] if others else "nobody else"))
    return len(listed), f"{len(listed)} of {len(tree.sources('.h'))}", listed


def near_externs(tree):
    listed = []
    for source in tree.sources(".c"):
        for one in source.externs():
            users = tree.users[one.name] - {source.path}
            if len(users) == 1:
                user = tree.by_path[next(iter(users))]
                if user.folder == source.folder and user.extension == ".c":
                    listed.append((f"{source.path}:{one.line}",
                                   f"{one.name} only in {user.path}"))
    return len(listed), str(len(listed)), listed


def foreign_names(tree):
    listed, total, exempt = [], 0, 0
    for source in tree.sources(".c"):
        for one in source.externs():
            total += 1
            if one.name.removeprefix("pare_").startswith(source.stem):
                continue
            if one.name in tree.public:
                exempt += 1
            else:
                listed.append((f"{source.path}:{one.line}", one.name))
    return len(listed), f"{len(listed)} of {total:,} ({exempt} public)", listed


def comments(tree):
    counts = [(one, *one.comment_and_code_lines()) for one in tree.sources(".c")]
    comment, code = sum(c for _, c, _ in counts), sum(c for _, _, c in counts)
    value = comment / max(code, 1)
    counts = sorted((c / max(d, 1), one.path) for one, c, d in counts)
    return value, f"{value:.3f}", [(path, f"{share:.2f}") for share, path in counts
                                   if share < .20]


def openings(tree):
    listed = [(one.path, f"{one.opening_lines()} lines") for one in tree.sources(".c")
              if one.opening_lines() < 2]
    return len(listed), str(len(listed)), listed


def asserts(tree):
    pattern = re.compile(r"\b(?:assert|_Static_assert|static_assert)\s*\(")
    counts = [(one, len(pattern.findall(one.code))) for one in tree.sources(".c")]
    total = sum(one.n_lines for one in tree.scope)
    value = 1000 * sum(count for _, count in counts) / max(total, 1)
    without = [(one.path, f"none in {one.n_lines} lines") for one, count in counts
               if not count]
    return value, f"{value:.2f}", without


def parameters(tree):
    listed = [(f"{source.path}:{one.line}", f"{one.name} has {one.parameters}")
              for source in tree.sources(".c") for one in source.definitions
              if one.parameters > 6]
    return len(listed), str(len(listed)), listed


def basenames(tree):
    places = defaultdict(set)
    for one in tree.all:
        if one.extension != ".inc":
            places[one.stem].add(one.module)
    scope = {one.module for one in tree.scope}
    listed = []
    for _, modules in sorted(places.items()):
        if len(modules) > 1 and scope & modules:
            first, *others = sorted(modules)
            listed.append((first, "and " + " ".join(others)))
    return len(listed), str(len(listed)), listed


def strong_components(edges):
    """Strongly connected components of more than one node (Tarjan, without recursion)."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in sorted(edges):
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(sorted(edges[root])))]
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(edges.get(target, ())))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    circle = []
                    while not circle or circle[-1] != node:
                        circle.append(stack.pop())
                        on_stack.discard(circle[-1])
                    if len(circle) > 1:
                        found.append(sorted(circle))
    return found


def circles(tree):
    edges = {one.module: set() for one in tree.all}
    for source in tree.all:
        for target in source.includes:
            header = tree.by_path.get(tree.resolve(source, target))
            if header and header.module != source.module:
                edges[source.module].add(header.module)
    scope = {one.module for one in tree.scope}
    listed = [(circle[0], "with " + " ".join(circle[1:]))
              for circle in strong_components(edges) if scope & set(circle)]
    return len(listed), str(len(listed)), listed


def tests(tree):
    sources = [one for one in tree.sources(".c") if one.stem != "main"]
    listed = []
    for one in sources:
        folder = os.path.basename(one.folder)
        if not tree.tested & {f"test_{one.stem}.c", f"test_{folder}_{one.stem}.c", one.path}:
            listed.append((one.path, "no test of its name"))
    have = len(sources) - len(listed)
    return have / max(len(sources), 1), f"{have} of {len(sources)}", listed


# --- the table -----------------------------------------------------------------


def print_table(measured, whole):
    """All of it for the whole house; for a folder, which has no aims, only the figures."""
    width = max(len(row.title) for row, *_ in measured)
    if not whole:
        for row, _, shown, _ in measured:
            print(f"{row.title:{width}}  {shown:>24}")
        return
    print(f"{'measure':{width}}  {'at first':>12}  {'today':>24}  {'aim':>9}")
    for row, value, shown, _ in measured:
        state = "met" if row.met(value) else "not met"
        reason = f": {row.reason}" if row.reason else ""
        print(f"{row.title:{width}}  {row.first:>12}  {shown:>24}  {row.aim():>9}  "
              f"{state}{reason}")


def print_list(row, shown, listed):
    print(f"\n{row.key}: {row.title}: {shown}")
    for path, what in listed:
        print(f"{path}: {what}")


def lost(measured):
    """The rows whose aim was reached before and is missed now."""
    return [row for row, value, *_ in measured if row.held and not row.met(value)]


def check(measured):
    for row in lost(measured):
        print(f"house: {row.title}: the aim ({row.aim()}) was reached before and is missed "
              f"now; see scripts/house.py --list {row.key}", file=sys.stderr)
    for row, value, *_ in measured:
        if row.met(value) and not row.held:
            print(f"house: {row.title}: reached; set held=True in scripts/house.py")
    return not lost(measured)


# --- self-test -----------------------------------------------------------------

CLEAN = {
    "include/pare/api.h": "int pare_open(int a);\n",
    "src/base/one.h": "int pare_one_get(void);\nextern const int pare_one_table[];\n",
    "src/base/one.c": '/* One.\n * Source: none. */\n#include "base/one.h"\n'
                      "const int pare_one_table[] = {1, 2};\n"
                      "static int help(int (*f)(int, int), int b)\n{\n    return f(b, 1);\n}\n"
                      "PARE_CHECK int *pare_one_set(int *one)\n{\n    return one;\n}\n"
                      "int pare_one_get(void)\n{\n    assert(help);\n    return 1;\n}\n",
    "src/text/two.h": "int pare_two_get(void);\n",
    "src/text/two.c": '/* Two.\n * Source: none. */\n#include "text/two.h"\n'
                      '#include "base/one.h"\n'
                      "int pare_two_get(void)\n{\n    return pare_one_get();\n}\n"
                      "int pare_open(int a)\n{\n    return a;\n}\n",
    "src/ui/view.c": '/* View.\n * Source: none. */\n#include "base/one.h"\n'
                     '#include "text/two.h"\n'
                     "int pare_view(void)\n{\n    return pare_one_get() + pare_two_get();\n}\n",
    "src/ui/page.c": '/* Page.\n * Source: none. */\n#include "base/one.h"\n'
                     '#include "text/two.h"\n',
    "tests/unit/test_one.c": "/* tests: src/ui/view.c\n * src/ui/page.c */\n",
    "tests/unit/test_text_two.c": "\n",
}

# (row, what is put into the clean tree, value before, value after)
CASES = [
    ("files", {"src/base/three.inc": "1,\n"}, 6, 7),
    ("lines", {"src/base/three.inc": "1,\n2,\n"}, 44, 46),
    ("median", {"src/ui/page.c": "\n" * 900, "src/ui/view.c": "\n" * 900,
                "src/text/two.c": "\n" * 300}, 10, 600),
    ("long", {"src/ui/page.c": "\n" * 901}, 0, 1),
    ("headers", {"src/ui/page.c": ""}, 0, 1),
    ("externs", {"src/base/extra.c": "int x(void)\n{\n    return pare_one_set(0);\n}\n"},
     0, 1),
    ("externs", {"src/ui/extra.c": "int x(void)\n{\n    return pare_one_set(0);\n}\n"},
     0, 0),
    ("names", {"src/ui/page.c": "/* int a(void) { } */\nchar *pare_spaged(void)\n{\n}\n"}, 0, 1),
    ("names", {"src/ui/page.c": "static int a(void)\n{\n}\nextern int pare_x;\n"
                                "struct s {\n    int a;\n};\n"}, 0, 0),
    ("names", {"src/ui/page.c": "const char *const pare_css[] = {\n    \"{\",\n};\n"
                                "void *(*pare_sss(int))(void)\n{\n}\n"}, 0, 1),
    ("openings", {"src/ui/page.c": "/* One line. */\n"}, 0, 1),
    ("openings", {"src/ui/page.c": "int x;\n/* Two\n * lines. */\n"}, 0, 1),
    ("parameters", {"src/ui/page.c": "static int f(int a, int b, int c, int d, int e, int f,\n"
                                     "             int (*g)(int, int))\n{\n}\n"}, 0, 1),
    ("parameters", {"src/ui/page.c": "static int f(int a, int b, int c, int d, int e,\n"
                                     "             int (*g)(int, int))\n{\n}\n"}, 0, 0),
    ("basenames", {"src/ui/one.c": "", "src/ui/one.h": ""}, 0, 1),
    ("circles", {"src/base/one.h": '#include "text/two.h"\n'}, 0, 1),
    ("circles", {"src/base/one.h": '#include "base/one.h"\n'}, 0, 0),
    ("tests", {"src/base/three.c": ""}, 1, 4 / 5),
    ("asserts", {"src/base/one.c": "assert(1); /* assert(2) */ static_assert(1, \"assert(\");\n",
                 "src/ui/view.c": "", "src/ui/page.c": "", "src/text/two.c": "\n"},
     1000 / 44, 400),
    ("comments", {"src/base/one.c": "int x; /* with\ncode */\n\n/* alone */\nint y;\n",
                  "src/ui/view.c": "", "src/ui/page.c": "", "src/text/two.c": ""},
     8 / 33, 2 / 2),
]


def measure_tree(put):
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**CLEAN, **put}.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        tree = Tree(root)
        return [(row, *row.measure(tree)) for row in rows()]


def self_test():
    failed = False
    for key, put, before, after in CASES:
        for what, expected in (({}, before), (put, after)):
            measured = measure_tree(what)
            value = next(m[1] for m in measured if m[0].key == key)
            if abs(value - expected) > 1e-9:
                print(f"self-test: {key}: expected {expected}, got {value}: {what}")
                failed = True
    held = [row for row in rows() if row.held]
    broken = measure_tree({"src/ui/page.c": "\n" * 901})
    if not held or not lost(broken) or any(m[0].met(m[0].least - 1 if m[0].least is not None
                                                 else m[0].most + 1) for m in broken):
        print("self-test: --check does not fail")
        failed = True
    print("house: self-test", "failed" if failed else "ok")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", default=os.path.join(os.path.dirname(__file__), ".."))
    parser.add_argument("--folder", default="src", metavar="PATH")
    parser.add_argument("--list", action="append", default=[], metavar="ROW",
                        choices=[row.key for row in rows()])
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return 1 if self_test() else 0
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # into `head`
    args.folder = os.path.normpath(args.folder)
    if args.check and args.folder != "src":
        parser.error("--check is about the whole house, without --folder")
    tree = Tree(args.root, args.folder)
    if not tree.scope:
        parser.error(f"no sources under {args.folder}")
    measured = [(row, *row.measure(tree)) for row in rows()]
    if not args.list:
        print_table(measured, args.folder == "src")
    for row, _, shown, listed in measured:
        if args.verbose or row.key in args.list:
            print_list(row, shown, listed)
    return 1 if args.check and not check(measured) else 0


if __name__ == "__main__":
    sys.exit(main())
