#!/usr/bin/env python3
"""Checks that each source includes what it uses, and nothing else of ours.

Usage: scripts/check_includes.py [--root DIR] [PATH]...   default: all of src/, tools/, include/
       scripts/check_includes.py --fix [PATH]...          adds and removes include lines
       scripts/check_includes.py --self-test              proves that each check can fail

  missing   a .c or .h uses a name of ours (function, type, macro, constant) and includes
            no header that declares it.  For a .c what its own header includes counts, too:
            the two are one module.  What comes in by any other way does not.
            `struct name` asks for none.
  unused    a header of ours is included, and no name that it declares is used
  twice     a header of ours is included more than once

`#include` of our headers only, "folder/name.h" and <pare/name.h>; the compiler sees to the
system's.  Statuses and export marks (PASSED_ON) come with any header that has them, and
all of the public interface with <pare/pare.h>.  PATHs (files or folders below the root)
restrict what is reported and mended.

--fix puts missing lines into the block of their like, sorted, and takes unused ones out
until nothing changes.  A test (tests/, bench/) that loses a name by that gets the header,
too; other than that tests may include as they like.

Reads the sources as text (see house.py), so a name in code that #if leaves out is used.
Exit codes: 0 clean, 1 violations or a failed self-test, 2 usage.
"""

import argparse
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
from house import (ATTRIBUTE, DIRECTIVE, WORD, function_name, is_function, walk,
                   without_comments)

# How every function says whether it failed, and how every declaration of the public
# interface is marked: a header that has them itself passes them on.
PASSED_ON = {"pare/status.h", "pare/export.h"}
# All of the public interface, and what the library has in place of <pare/status.h>.
UMBRELLA, STATUS = "pare/pare.h", "base/fail.h"

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+\.h)"|<(pare/[^>\n]+\.h)>)[^\n]*\n',
                     re.M)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
CPLUSPLUS = re.compile(r"^[ \t]*#[ \t]*ifdef[ \t]+__cplusplus.*?^[ \t]*#[ \t]*endif", re.M | re.S)
GUARD = re.compile(r"\s*#ifndef (\w+)\n#define \1\n")
ENUM = re.compile(r"\benum\b[^{};()]*\{([^{}]*)\}")
# Says by itself all that a pointer needs.
MENTION = re.compile(r"\b(?:struct|union)\s+\w+")
TAG = re.compile(r"\A\s*(?:typedef\s+)?(?:struct|union|enum)\s+(\w+)\s*(?=\{)")

# --- what a header declares ----------------------------------------------------


def items(code):
    """Yields each declaration of a source with its braces."""
    depth, start = 0, 0
    for match in re.finditer(r"[{};]", code):
        char = match.group()
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0 and is_function(code[start:code.index("{", start)]):
                yield code[start:match.end()]
                start = match.end()
        elif depth == 0:
            yield code[start:match.end()]
            start = match.end()


def without_braces(text):
    while "{" in text:
        shorter = re.sub(r"\{[^{}]*\}", " ", text)
        if shorter == text:
            break
        text = shorter
    return text


def declared_by(item):
    """Names that one declaration introduces, those of enum constants included, but no
    tags."""
    names = {WORD.search(one).group() for constants in ENUM.findall(item)
             for one in constants.split(",") if WORD.search(one)}
    text = ATTRIBUTE.sub(" ", without_braces(item)).strip().rstrip(";").strip()
    words = WORD.findall(text)
    if not words or words[0] in ("_Static_assert", "static_assert"):
        return names
    pointer = re.search(r"\(\s*\*\s*(\w+)\s*(?:\[[^]]*\]\s*)*\)?\s*\(", text)
    name, _ = function_name(text.split("=")[0])
    if words[0] == "typedef" and pointer:
        names.add(pointer.group(1))
    elif name:
        names.add(name)
    elif len(words) > 1 and not re.fullmatch(r"(struct|union|enum)\s+\w+", text):
        for declarator in text.split(","):
            found = WORD.findall(declarator.split("=")[0].split("[")[0])
            if found:
                names.add(found[-1])
    return names


def declarations(text):
    """Names that a source declares outside of functions, and tags that it defines."""
    code = without_comments(CPLUSPLUS.sub("", text))
    guard = GUARD.match(code)
    names = set(DEFINE.findall(code)) - ({guard.group(1)} if guard else set())
    tags = set()
    for item in items(DIRECTIVE.sub("", code)):
        names |= declared_by(item)
        tags |= set(TAG.findall(item))
    return names, tags


# --- the sources ---------------------------------------------------------------


class Source:
    def __init__(self, root, path):
        self.path, self.root = path, root
        with open(os.path.join(root, path), encoding="utf-8", errors="surrogateescape") as file:
            self.set_text(file.read())
        # As an #include names it.
        self.name = re.sub(r"^(src|include|tools|tests)/", "", path)
        self.declares, self.tags = declarations(self.text)

    def set_text(self, text):
        self.text = text
        code = without_comments(text)
        code = re.sub(r"^[ \t]*#[ \t]*include[^\n]*", "", code, flags=re.M)
        self.words = set(WORD.findall(code))
        self.needs = set(WORD.findall(MENTION.sub("", code)))
        self.includes = [quoted or public for quoted, public in INCLUDE.findall(text)]

    def own_header(self):
        return self.name[:-2] + ".h" if self.path.endswith(".c") else None


class House:
    def __init__(self, root):
        self.sources = [Source(root, path) for below in ("include", "src", "tools")
                        for path in walk(root, below, (".c", ".h"))]
        self.tests = [Source(root, path) for below in ("tests", "bench")
                      for path in walk(root, below, (".c", ".h", ".cpp"))]
        self.headers = {one.name: one for one in self.sources if one.path.endswith(".h")}
        self.passes = {}  # name of a header -> names of headers; see passed_on
        self.declarers = {}  # name -> names of headers
        for header in self.headers.values():
            for name in header.declares:
                self.declarers.setdefault(name, set()).add(header.name)

    def passed_on(self, name):
        """The header `name` and those that it passes on."""
        if name == UMBRELLA:
            return {one for one in self.headers if one.startswith("pare/")}
        if name not in self.passes:
            self.passes[name] = {name}  # ends a circle
            if name in self.headers:
                self.passes[name] |= PASSED_ON & self.reachable(self.headers[name])
        return self.passes[name]

    def direct(self, source):
        """Headers whose names `source` has by its own includes or its own header's."""
        includes = set(source.includes)
        own = self.headers.get(source.own_header())
        if own and own.name in includes:
            includes |= set(own.includes)
        return set().union(*(self.passed_on(one) for one in includes), {source.name})

    def twice(self, source):
        """Our headers that `source` includes once more than it needs."""
        return sorted({name for name in source.includes if source.includes.count(name) > 1})

    def reachable(self, source):
        """The same by any way."""
        seen, todo = set(), list(source.includes)
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += self.headers[name].includes if name in self.headers else []
        return seen

    def best_declarer(self, name, source):
        """The header to include for `name`, of those that declare it (different files may
        have different things of a name): one that comes in by some way now, of the same
        folder, and named most like it."""
        reached = self.reachable(source)
        folder = os.path.dirname(source.name)

        def rank(header):
            stem = os.path.basename(header)[:-2]
            return (header not in reached, os.path.dirname(header) != folder,
                    not name.removeprefix("pare_").startswith(stem), -len(stem), header)
        return min(self.declarers[name], key=rank)

    def is_ours(self, name, source):
        """Whether `name` in `source` is what a header declares, not what the file itself
        does.  A plain word may be a member or a local: it counts in the header's folder."""
        return name not in source.declares and (
            name.lower().startswith("pare_") or
            os.path.dirname(source.name) in {os.path.dirname(one)
                                             for one in self.declarers[name]})

    def missing(self, source, had):
        """Headers that `source` lacks beside those it `had`, each with a name it is for."""
        lacking = {}
        for name in sorted(source.needs & self.declarers.keys()):
            if not self.declarers[name] & had and self.is_ours(name, source):
                header = self.best_declarer(name, source)
                if header != UMBRELLA and header not in lacking:
                    lacking[header] = name
                    had = had | self.passed_on(header)
        return lacking

    def unused(self, source):
        """Our headers that `source` includes and uses no name of."""
        found = []
        for name in source.includes:
            if name not in self.headers or name == source.own_header() or \
                    source.name == UMBRELLA:
                continue
            given = self.passed_on(name) if name in PASSED_ON | {UMBRELLA, STATUS} else {name}
            names = set().union(*(self.headers[one].declares | self.headers[one].tags
                                  for one in given if one in self.headers))
            if names and not names & source.words:
                found.append(name)
        return found


def violations(house, chosen):
    found = []
    for source in house.sources:
        if not chosen(source.path):
            continue
        lines = source.text.split("\n")
        for header, name in house.missing(source, house.direct(source)).items():
            line = next((i for i, text in enumerate(without_comments(source.text).split("\n"), 1)
                         if re.search(rf"\b{name}\b", text)), 0)
            found.append(f"{source.path}:{line}: uses {name}: include {spelled(header)}")
        for header in house.unused(source):
            line = next(i for i, text in enumerate(lines, 1)
                        if INCLUDE.match(text + "\n") and spelled(header) in text)
            found.append(f"{source.path}:{line}: includes {spelled(header)} and uses nothing of it")
        for header in house.twice(source):
            line = max(i for i, text in enumerate(lines, 1)
                       if INCLUDE.match(text + "\n") and spelled(header) in text)
            found.append(f"{source.path}:{line}: includes {spelled(header)} twice")
    return found


# --- --fix ---------------------------------------------------------------------


def spelled(header):
    return f"<{header}>" if header.startswith("pare/") else f'"{header}"'


def with_include(source, header):
    """The text with an include of `header` in the block of its like."""
    line, text = f"#include {spelled(header)}\n", source.text
    like = re.compile(r"#include <pare/[^\n]*\n" if header.startswith("pare/")
                      else r'#include "[^\n]*\n')
    own = source.own_header() or ""
    blocks = [match for match in re.finditer(r"(?:^#include[^\n]*\n)+", text, re.M)
              if like.search(match.group()) and match.group() != f'#include "{own}"\n']
    if blocks:
        block = blocks[-1]
        # An own header in front of the others of its block stays there.
        head, rest = re.match(rf'(#include "{re.escape(own)}"\n)?(.*)', block.group(),
                              re.S).groups()
        merged = (head or "") + "".join(sorted(rest.splitlines(True) + [line]))
        return text[:block.start()] + merged + text[block.end():]
    blocks = list(re.finditer(r"(?:^#include[^\n]*\n)+", text, re.M))
    guard = re.search(r"^#define \w+_H\n", text, re.M)
    if blocks:
        # System, then <pare/...>, then ours: each a block of its own.
        system = [one for one in blocks if "<" in one.group()]
        at = (system or blocks)[-1].end() if header.startswith("pare/") else blocks[-1].end()
    elif guard:
        at = guard.end()
    else:
        opening = re.match(r"/\*.*?\*/\n", text, re.S)
        at = opening.end() if opening else 0
        return text[:at] + line + ("" if text[at:at + 1] == "\n" else "\n") + text[at:]
    tail = text[at:]
    return text[:at] + "\n" + line + ("" if tail.startswith("\n") else "\n") + tail


def without_include(source, header):
    """The text without the last such line, and without the empty line that would be one too many."""
    pattern = re.compile(rf"^#[ \t]*include[ \t]*{re.escape(spelled(header))}[^\n]*\n", re.M)
    match = list(pattern.finditer(source.text))[-1]
    before, after = source.text[:match.start()], source.text[match.end():]
    if before.endswith("\n\n") and after.startswith("\n"):
        after = after[1:]
    return before + after


def fix(house, chosen):
    """Mends what is chosen; returns the paths of what has changed."""
    had = {one.path: house.reachable(one) for one in house.sources + house.tests}
    texts = {one.path: one.text for one in house.sources + house.tests}
    changed = True
    while changed:
        changed = False
        for source in house.sources:
            if not chosen(source.path):
                continue
            for header in house.unused(source) or house.twice(source):
                source.set_text(without_include(source, header))
                changed = True
            for header in house.missing(source, house.direct(source)):
                source.set_text(with_include(source, header))
                changed = True
    # What is not chosen, and tests: what they had by a way that is gone.
    for source in house.sources + house.tests:
        lost = had[source.path] - house.reachable(source)
        for header, name in house.missing(source, house.reachable(source)).items():
            if house.declarers[name] & lost:
                source.set_text(with_include(source, header))
    written = []
    for source in house.sources + house.tests:
        if source.text != texts[source.path]:
            with open(os.path.join(source.root, source.path), "w", encoding="utf-8",
                      errors="surrogateescape") as file:
                file.write(source.text)
            written.append(source.path)
    return written


# --- self-test -----------------------------------------------------------------

CLEAN = {
    "include/pare/export.h": "#define PARE_API\n#define PARE_CHECK\n",
    "include/pare/status.h": "#include <pare/export.h>\ntypedef enum pare_status {\n"
                             "    PARE_OK, /* pare_none */\n    PARE_E_ARG = 3\n} pare_status;\n"
                             "PARE_API int pare_status_good(void);\n",
    "include/pare/pare.h": "#include <pare/status.h>\n",
    "src/base/buffer.h": "#ifndef BUFFER_H\n#define BUFFER_H\n#include <pare/status.h>\n"
                         "#define PARE_BUFFER_MOST 3\n"
                         "typedef struct pare_buffer {\n    struct inner {\n        int n;\n"
                         "    } inner;\n} pare_buffer;\n"
                         "static inline int pare_buffer_twice(int n)\n{\n    return n;\n}\n"
                         "PARE_CHECK pare_status pare_buffer_add(pare_buffer *buffer);\n#endif\n",
    "src/base/map.h": "typedef struct pare_map pare_map;\n"
                      "typedef int (*pare_map_visit)(pare_map *map, int (*next)(int));\n"
                      "extern const int pare_map_a, pare_map_b[];\n",
    "src/text/text.h": '#include "base/buffer.h"\nvoid pare_text_add(pare_buffer *buffer);\n',
    # What its own header includes counts; words of comments and strings do not.
    "src/text/text.c": '#include "text/text.h"\n/* pare_map_a */\n'
                       "void pare_text_add(pare_buffer *buffer)\n{\n"
                       '    (void)pare_buffer_add(buffer), (void)"PARE_OK";\n}\n',
    "src/text/view.h": "struct pare_view {\n    int a;\n};\n",
    "src/cli/main.c": "#include <stdio.h>\n\n#include <pare/pare.h>\n\n"
                      "int main(void)\n{\n    return PARE_E_ARG;\n}\n",
    "tests/unit/test_text.c": '#include "text/text.h"\n',
}

# (what is put into the clean tree, what has to be reported: file and words of the line)
CASES = [
    ("a clean tree", {}, []),
    ("type by a header's include", {"src/text/a.c": '#include "text/text.h"\npare_buffer b;\n'
                                    "void f(void)\n{\n    pare_text_add(&b);\n}\n"},
     [("src/text/a.c:2:", 'pare_buffer: include "base/buffer.h"')]),
    ("macro", {"src/text/view.h": "int a[PARE_BUFFER_MOST];\n"},
     [("src/text/view.h:1:", 'PARE_BUFFER_MOST: include "base/buffer.h"')]),
    ("macro in a directive", {"src/text/view.h": "#define X PARE_BUFFER_MOST\n"},
     [("src/text/view.h:1:", 'PARE_BUFFER_MOST: include "base/buffer.h"')]),
    ("constant", {"src/text/view.h": '#include "base/map.h"\n'
                  "static int a = pare_map_a + PARE_OK;\n"},
     [("src/text/view.h:2:", "PARE_OK: include <pare/status.h>")]),
    ("a status comes with what returns one", {"src/text/view.h": '#include "base/buffer.h"\n'
     "static int a = pare_buffer_twice(PARE_OK);\n"}, []),
    ("inline function", {"src/text/view.h": "static int a = pare_buffer_twice(1);\n"},
     [("src/text/view.h:1:", 'pare_buffer_twice: include "base/buffer.h"')]),
    ("type of a function pointer", {"src/text/view.h": "extern pare_map_visit a;\n"},
     [("src/text/view.h:1:", 'pare_map_visit: include "base/map.h"')]),
    ("second of two objects", {"src/text/view.h": "#define X pare_map_b\n"},
     [("src/text/view.h:1:", 'pare_map_b: include "base/map.h"')]),
    ("a header of another's own .c", {"src/text/text.c": '#include "text/view.h"\n'
                                      "struct pare_view v;\npare_buffer b;\n"},
     [("src/text/text.c:3:", 'pare_buffer: include "base/buffer.h"')]),
    ("unused", {"src/text/view.h": '#include "base/map.h"\n'},
     [("src/text/view.h:1:", 'includes "base/map.h" and uses nothing')]),
    ("unused but in a comment", {"src/text/view.h": '#include "base/map.h"\n/* pare_map */\n'},
     [("src/text/view.h:1:", 'includes "base/map.h" and uses nothing')]),
    ("unused public header", {"src/text/view.h": "#include <pare/status.h>\n"},
     [("src/text/view.h:1:", "includes <pare/status.h> and uses nothing")]),
    ("twice", {"src/text/text.c": '#include "text/text.h"\n\n#include "base/buffer.h"\n'
               '#include "text/text.h"\npare_buffer b;\nvoid f(void)\n{\n    pare_text_add(&b);\n}\n'},
     [("src/text/text.c:4:", 'includes "text/text.h" twice')]),
    ("an opaque struct", {"src/base/map.h": "int pare_map_a(struct pare_view *view);\n"}, []),
    ("a call is no declaration", {"src/base/map.h": "static int a = pare_view_get(1);\n",
                                  "src/text/view.h": "int pare_view_get(int a);\n"},
     [("src/base/map.h:1:", 'pare_view_get: include "text/view.h"')]),
]

FIXED = {
    "src/text/view.h": ("#include <stdio.h>\n\n#include \"base/map.h\"\n\npare_status a;\n"
                        "pare_buffer b;\n",
                        "#include <stdio.h>\n\n"
                        "#include \"base/buffer.h\"\n\npare_status a;\npare_buffer b;\n"),
    "src/text/text.c": ("#include \"text/text.h\"\n\n#include <stdio.h>\n\n"
                        "#include \"text/text.h\"\n\nint a = pare_map_a;\n",
                        "#include \"text/text.h\"\n\n#include <stdio.h>\n\n"
                        "#include \"base/map.h\"\n\nint a = pare_map_a;\n"),
    "src/text/text.h": ("#include \"base/buffer.h\"\n\nint a;\n", "\nint a;\n"),
    "tests/unit/test_text.c": ("#include \"text/text.h\"\npare_buffer b;\n",
                               "#include \"base/buffer.h\"\n#include \"text/text.h\"\n"
                               "pare_buffer b;\n"),
}


def make_tree(root, put):
    for path, text in {**CLEAN, **put}.items():
        os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)


def self_test():
    failed = False
    for name, put, expected in CASES:
        with tempfile.TemporaryDirectory() as root:
            make_tree(root, put)
            found = violations(House(root), lambda path: True)
            good = len(found) == len(expected) and all(
                line.startswith(start) and words in line
                for line, (start, words) in zip(found, expected))
            if not good:
                print(f"self-test: {name}: expected {expected}, got {found}")
                failed = True
    with tempfile.TemporaryDirectory() as root:
        make_tree(root, {path: before for path, (before, _) in FIXED.items()})
        fix(House(root), lambda path: True)
        house = House(root)
        for source in house.sources + house.tests:
            if source.path in FIXED and source.text != FIXED[source.path][1]:
                print(f"self-test: --fix: {source.path} is now:\n{source.text}")
                failed = True
        if violations(house, lambda path: True):
            print(f"self-test: --fix leaves {violations(house, lambda path: True)}")
            failed = True
    print("check_includes: self-test", "failed" if failed else "ok")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", default=os.path.join(os.path.dirname(__file__), ".."))
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    args = parser.parse_args()
    if args.self_test:
        return 1 if self_test() else 0
    paths = [os.path.normpath(path) for path in args.paths]

    def chosen(path):
        return not paths or any((path + "/").startswith(one + "/") for one in paths)
    house = House(args.root)
    if not any(chosen(one.path) for one in house.sources):
        parser.error("no sources there")
    if args.fix:
        print("\n".join(fix(house, chosen)) or "check_includes: nothing to mend")
        house = House(args.root)
    found = violations(house, chosen)
    if found:
        print("\n".join(found))
        print(f"check_includes: {len(found)} violations; scripts/check_includes.py --fix mends "
              "them", file=sys.stderr)
        return 1
    print("check_includes: clean")
    return 0


if __name__ == "__main__":
    sys.exit(main())
