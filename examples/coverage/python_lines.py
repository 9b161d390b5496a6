#!/usr/bin/env python3
"""Says what of Python code an input reaches: a command for `pare generate --coverage-by` and for
`coverage_by` in a campaign.

    python_lines.py PROGRAM.py FUNCTION INPUT      a function of a file
    python_lines.py MODULE FUNCTION INPUT          of an installed module, such as urllib.parse urlparse

Calls the function with the text of the file INPUT, and prints "FILE:LINE" for each line of that program
or module's own file that was executed.  Exits with 1 if the function raises, which is how an input fails.
"""
import importlib
import importlib.util
import os
import sys


def load(name):
    """The module of that name, or of that path."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location("program", name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines_of(function, text, path):
    """(lines of the file `path` that a call executes, whether it returns): by sys.settrace, as The Fuzzing
    Book's Coverage does."""
    lines = set()

    def trace(frame, event, _):
        if frame.f_code.co_filename != path:
            return None
        if event == "line":
            lines.add(frame.f_lineno)
        return trace

    outer = sys.gettrace()
    sys.settrace(trace)
    try:
        function(text)
        return lines, True
    except Exception:
        return lines, False
    finally:
        sys.settrace(outer)


def main():
    name, function, path = sys.argv[1:]
    module = load(name)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    lines, passed = lines_of(getattr(module, function), text, module.__file__)
    base = os.path.basename(module.__file__)
    for line in sorted(lines):
        print(f"{base}:{line}")
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
