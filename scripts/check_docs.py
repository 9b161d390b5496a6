#!/usr/bin/env python3
"""Checks that what documents refer to is there.

Usage: scripts/check_docs.py [ROOT]        default: the repository
       scripts/check_docs.py --self-test   proves that each check can fail

Documents are all tracked *.md and the manual pages; generated and vendored ones
(third_party/, tests/data/) are left out.

 path     every path in a document that begins with a folder of the repository
          (src/, include/, docs/, doc/, tests/, scripts/, bench/, examples/,
          cmake/, tools/, completions/) exists, as does every `folder/file.c` or
          `folder/file.h` below src/ or tools/.  `*` stands for anything; so does a word in
          capitals (bench/suites/NAME.json); {a,b} is both.  What a line number
          follows is of some program's message.
 link     every relative link of Markdown leads to a file; its #anchor to a heading
 comment  every path below docs/ that any other tracked text names exists, as does every
          NAME.md that a source names by itself
 name     every `pare_...` function that a document names stands in src/ or include/

One line for each violation: file:line: what is wrong.  Exit codes: 0 clean,
1 violations, 2 usage.
"""
import glob
import itertools
import os
import re
import subprocess
import sys
import tempfile

FOLDERS = ("src", "include", "docs", "doc", "tests", "scripts", "bench", "examples", "cmake",
           "tools", "completions")
LEFT_OUT = ("third_party/", "tests/data/", "docs/guide/newcomer.md")
PATH = re.compile(r"(?<![\w./$}-])(?:%s)/[\w./*{},+-]*[\w/*}]" % "|".join(FOLDERS))
BELOW_SRC = re.compile(r"(?<![\w./$}-])[a-z_]+(?:/[a-z_]+)*/[a-z_0-9*]+\.[ch]\b")
PAGE = re.compile(r"(?<![\w./-])[a-z][\w-]*\.md\b")
DOCS_PATH = re.compile(r"(?<![\w./-])docs/[\w./-]*[\w/]")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FUNCTION = re.compile(r"\bpare_[a-z0-9_]+(?=\()")


def tracked(root):
    """Tracked files of `root`, or all of them where there is no git."""
    listing = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    if listing.returncode == 0 and listing.stdout:
        names = listing.stdout.split("\0")
    else:
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, files in os.walk(root) for name in files]
    return sorted(name for name in names if name and os.path.isfile(os.path.join(root, name)))


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def alternatives(path):
    """`path` with {a,b} written out."""
    parts = re.split(r"\{([^{}]*)\}", path)
    choices = [part.split(",") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*choices)]


def is_there(root, path):
    pattern = re.sub(r"\b[A-Z][A-Z0-9_]+\b|(?<=_)[A-Z]+\b", "*", path)
    if re.search(r"README|CHANGELOG|CONTRIBUTING|CMakeLists|LICENSE", path):
        pattern = path
    return bool(glob.glob(os.path.join(root, pattern)))


def anchor(heading):
    """What GitHub makes of a heading."""
    text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower()
    return re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", text))


def anchors(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return {anchor(line.lstrip("#")) for line in text.splitlines() if line.startswith("#")}


def check_paths(root, line):
    for match in PATH.finditer(line):
        if re.match(r":\d", line[match.end():]):  # of a program's message
            continue
        for path in alternatives(match.group()):
            if not is_there(root, path):
                yield f"there is no {path}"
    for match in BELOW_SRC.finditer(line):
        path = match.group()
        if path.split("/")[0] in FOLDERS + ("pare", "sys") or "pare/" in path:
            continue
        if not is_there(root, "src/" + path) and not is_there(root, "tools/" + path):
            yield f"there is no {path} below src/ or tools/"


def check_links(root, name, line):
    for target in LINK.findall(line):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if not os.path.exists(os.path.join(root, full)):
            yield f"link to {target}: there is no {full}"
        elif fragment and full.endswith(".md") and fragment not in anchors(read(root, full)):
            yield f"link to {target}: {full} has no such heading"


def check_names(sources, line):
    for function in FUNCTION.findall(line):
        if not re.search(r"\b%s\b" % function, sources):
            yield f"nothing in src/ or include/ is called {function}"


def violations(root):
    names = tracked(root)
    documents = [name for name in names
                 if (name.endswith(".md") or name.startswith("doc/man/"))
                 and not name.startswith(LEFT_OUT)]
    sources = "\n".join(read(root, name) for name in names
                        if name.startswith(("src/", "include/")) and name.endswith((".c", ".h")))
    for name in documents:
        for number, line in enumerate(read(root, name).splitlines(), 1):
            plain = re.sub(r"https?://\S+", "", line)
            found = itertools.chain(check_paths(root, plain), check_links(root, name, plain),
                                    check_names(sources, plain))
            for what in found:
                yield f"{name}:{number}: {what}"
    pages = {os.path.basename(name) for name in names if name.endswith(".md")}
    for name in names:
        if name in documents or not name.endswith((".c", ".h", ".inc", ".sh", ".py", ".cmake",
                                                   ".txt", "Makefile")):
            continue
        if name.startswith(LEFT_OUT) or name == "scripts/check_docs.py":
            continue
        for number, line in enumerate(read(root, name).splitlines(), 1):
            for path in DOCS_PATH.findall(line):
                if not is_there(root, path):
                    yield f"{name}:{number}: there is no {path}"
            for page in PAGE.findall(line) if name.startswith(("src/", "include/", "tools/")) else ():
                if page not in pages:
                    yield f"{name}:{number}: no document is called {page}"


def self_test():
    """Each text is wrong in one way; the last one is right in all."""
    wrong = {"path": "see src/none.c", "below": "see `base/none.h`", "link": "[x](none.md)",
             "anchor": "[x](docs/page.md#nothing)", "name": "calls `pare_none()`",
             "brace": "src/base/{here,none}.h"}
    right = ("src/base/here.h, `base/here.h`, src/base/*.h, src/base/NAME.h, src/{base,}/,"
             " [x](docs/page.md#a-b-c), `pare_here()`, https://example.org/src/none.c")
    failed = 0
    for kind, text, comment, n in (
            [(kind, text, "", 1) for kind, text in wrong.items()] +
            [("comment", "", "docs/none.md", 1), ("bare", "", "see none.md", 1),
             ("right", right, "docs/page.md, page.md and other/none.md", 0)]):
        with tempfile.TemporaryDirectory() as root:
            files = {"README.md": text + "\n", "docs/page.md": "# A `b` (c)\n",
                     "src/base/here.h": f"/* {comment} */\nvoid pare_here(void);\n"}
            for name, content in files.items():
                os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(content)
            found = list(violations(root))
        if len(found) != n:
            print(f"self-test: {kind}: {n} expected, found: {found}", file=sys.stderr)
            failed = 1
    return failed


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) > 2 or sys.argv[1:2] == ["--help"]:
        print(__doc__, file=sys.stderr)
        return 2
    root = sys.argv[1] if len(sys.argv) == 2 else os.path.dirname(os.path.dirname(
        os.path.abspath(__file__)))
    found = list(violations(root))
    for line in found:
        print(line)
    print(f"check_docs: {len(found)} violations" if found else "check_docs: clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
