#!/usr/bin/env python3
"""Compiles the examples in the comments of the public headers.

    header_examples.py [ROOT]        of ROOT/include/pare/*.h
    header_examples.py --self-test

An example is a run of comment lines that are indented by five blanks after the star, empty lines
among them included, and that begins with an #include: a whole file, so that a reader can copy it.
Each is compiled by $CC (default cc) as C17 with warnings as errors; messages name the header's
own lines.  A header whose comment holds code that is no whole file is refused."""
import glob
import os
import subprocess
import sys
import tempfile

FLAGS = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
INDENT = " *     "


def examples(text):
    """Yields (line number, lines) of each indented run that looks like code."""
    run, start = [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        if line.startswith(INDENT):
            if not run:
                start = number
            run.append(line[len(INDENT):])
        elif run and line.strip() == "*":
            run.append("")
        else:
            if any(one.rstrip().endswith((";", "{")) for one in run):
                yield start, run
            run = []


def compile_one(header, start, lines, include):
    """The compiler's complaints; empty: none."""
    with tempfile.NamedTemporaryFile("w", suffix=".c") as source:
        source.write(f'#line {start} "{header}"\n' + "\n".join(lines) + "\n")
        source.flush()
        run = subprocess.run([os.environ.get("CC", "cc"), *FLAGS, "-I", include, source.name],
                             capture_output=True, text=True)
    return run.stderr if run.returncode else ""


def check(root):
    complaints, n = [], 0
    include = os.path.join(root, "include")
    for header in sorted(glob.glob(os.path.join(include, "pare", "*.h"))):
        with open(header, encoding="utf-8") as file:
            text = file.read()
        for start, lines in examples(text):
            n += 1
            if not lines[0].startswith("#include"):
                complaints.append(f"{header}:{start}: an example is a whole file, from its "
                                  "first #include on\n")
                continue
            complaint = compile_one(header, start, lines, include)
            if complaint:
                complaints.append(complaint)
    return n, complaints


def self_test():
    good = "/* A header.\n *\n *     #include <pare/one.h>\n *\n *     int two = ONE + 1;\n */\n"
    wrong = good.replace("ONE + 1", "TWO + 1")
    part = good.replace(" *     #include <pare/one.h>\n *\n", "")
    none = "/* A header.\n *\n *  options   A struct\n *            of options; see below. */\n"
    for text, n, fine in ((good, 1, True), (wrong, 1, False), (part, 1, False), (none, 0, True)):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "include", "pare"))
            with open(os.path.join(root, "include", "pare", "one.h"), "w",
                      encoding="utf-8") as file:
                file.write(text + "#define ONE 1\n")
            found, complaints = check(root)
            assert (found, not complaints) == (n, fine), (text, found, complaints)
    print("header_examples: ok")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        count, wrongs = check(sys.argv[1] if len(sys.argv) > 1 else ".")
        sys.stderr.write("".join(wrongs))
        print(f"header_examples: {count} examples, {len(wrongs)} do not compile")
        sys.exit(1 if wrongs or not count else 0)
