"""What the figures share: a log of tests, and tables in Markdown with theirs beside ours.

Each figure is a program of its own, called like the seed and what it shows; it prints the figures that
the seed prints or claims, and what comes of them here.  All need the Python package: the one that is
installed, or the newest of a build tree of this repository.
"""
import glob
import os
import sys


def import_pare():
    """The package, with a sentence where there is none."""
    try:
        import pare
        return pare
    except ImportError:
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        built = glob.glob(os.path.join(root, "build", "*", "python", "pare", "_pare.abi3.so"))
        if not built:
            sys.exit("figures: the Python package is neither installed nor built "
                     "(apt-get install python3-cffi python3-dev, then make)")
        sys.path.insert(0, os.path.dirname(os.path.dirname(max(built, key=os.path.getmtime))))
        import pare
        return pare


pare = import_pare()

# The grammar of expressions that seeds 000 and 002 share.
EXPRESSIONS = {
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": list("0123456789")}


class Log:
    """A test that keeps each candidate that it was asked about, with its outcome.  The first one is
    the input."""

    def __init__(self, interesting):
        self.interesting = interesting
        self.tests = []

    def __call__(self, text):
        outcome = self.interesting(text)
        if not isinstance(outcome, pare.Outcome):
            outcome = pare.FAIL if outcome else pare.PASS
        self.tests.append((text, outcome))
        return outcome


def cell(value):
    """A cell of a table; a vertical bar would end it."""
    return str(value).replace("|", "\\|")


def table(title, head, rows):
    """Prints one."""
    print(f"## {title}\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(map(cell, row)) + " |")
    print()


def compare_steps(title, theirs, ours):
    """A table of two logs of (text, outcome), and how many steps are the same."""
    rows = []
    for k in range(max(len(theirs), len(ours))):
        left = theirs[k] if k < len(theirs) else ("", None)
        right = ours[k] if k < len(ours) else ("", None)
        name = left[1].name if left[1] is not None else ""
        mark = "same" if left == right else f"`{right[0]}` {right[1].name if right[1] is not None else ''}"
        rows.append((k + 1, f"`{left[0]}`", len(left[0]), name, mark))
    same = sum(row[4] == "same" for row in rows)
    table(title, ("test", "theirs", "characters", "outcome", "ours"), rows)
    print(f"{same} of {len(theirs)} tests are the same, of {len(ours)} of ours.\n")
