"""pare: makes an input that breaks a program as small as it gets.

    >>> import pare
    >>> result = pare.reduce("xxxx(yyy)zz", lambda text: "(" in text and ")" in text)
    >>> result.data
    '()'

`reduce` takes text or bytes and a function that tells whether a candidate is still interesting;
`reduce_file` takes files and a command, a program or a function; `reduce_list` any list.  `isolate`
narrows the difference between a failing and a passing input, `explain` says what of a result is
needed, `readable` lays it out, `generate` makes inputs from a grammar, of what they reach, or of an
explanation, `learn` a model for it, `History`
steps through the bests of a run, and `parse` prints trees.

The tutorial is docs/guide/python.md.  `pytest --pare` and `pare.hypothesis` are in it too.
"""
from pare._errors import (ArgumentError, BusyError, CorruptError, Error, InputOutputError,
                          InterruptedRun, LimitError, StateError, SyntaxProblem, UnsupportedError)
from pare._explain import Ending, Explanation, Other, Part, Sign, Verdict, explain, readable
from pare._generate import GenerateStats, Texts, generate
from pare._history import History, Step
from pare._isolate import Isolated, isolate
from pare._learn import learn
from pare._list import reduce_list
from pare._options import Keep, Lists, Safety, Trees, Workers
from pare._parse import Node, Tree, parse
from pare._predicates import Failure, forked, raises
from pare._reduce import reduce, reduce_file
from pare._results import (CoverageStats, Curve, Flaky, Frequency, OtherFailure, Pass, Result, Stats,
                           Stopped, WorkersStats)
from pare._run import Event, EventKind, Outcome, Stop
from pare._strategy import Strategy, Units
from pare._tables import (Algorithm, Language, algorithms, language_for, languages, units, version)

FAIL = Outcome.FAIL
PASS = Outcome.PASS
UNRESOLVED = Outcome.UNRESOLVED

__version__ = version()

__all__ = [
    "Algorithm", "ArgumentError", "BusyError", "CorruptError", "CoverageStats", "Curve",
    "Ending", "Error", "Event", "EventKind", "Explanation", "FAIL", "Failure", "Flaky", "Frequency",
    "GenerateStats", "History", "InputOutputError", "InterruptedRun", "Isolated", "Keep",
    "Language", "LimitError", "Lists", "Node", "Other", "OtherFailure", "Outcome", "PASS", "Part",
    "Pass", "Result", "Safety", "Sign", "StateError", "Stats", "Step", "Stop", "Stopped", "Strategy",
    "SyntaxProblem", "Texts", "Tree", "Trees", "UNRESOLVED", "Units", "UnsupportedError",
    "Verdict", "Workers", "WorkersStats", "algorithms", "explain", "forked", "generate",
    "isolate", "language_for", "languages", "learn", "parse", "raises", "readable", "reduce", "reduce_file",
    "reduce_list", "units", "version",
]
