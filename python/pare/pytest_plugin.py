"""`pytest --pare`: reduces the file that a failing test read.

When a test fails, the file that it read is looked for: a parameter that names one, else the only
argument from a fixture that does, else the only file below the root of the tests (no code) that it
opened for reading; of several, the one whose name is in a parameter.  --pare-file says which, too.  The
test is run again with smaller files in its place, as long as it raises the same
class of exception at the same line; the smallest is written beside it, NAME.EXT as
NAME.min.EXT, and the summary tells where.

A candidate is a temporary file of the same name.  A parameter that is the path is replaced by its
path; else `open`, and what uses it (pathlib, json.load(open(..))), is led there.  Fixtures are those of
the failing run: they are set up once.  Source of the idea: the failing file is what a bug report
needs, and test and failure are known already.
"""
from __future__ import annotations

import builtins
import contextlib
import io
import os
import sys
import tempfile
from typing import Any, Dict, Iterator, List, Optional, Set

import pytest

from pare._errors import Error
from pare._predicates import Failure
from pare._reduce import reduce
from pare._results import Stopped
from pare._run import Outcome

# What is a failure of a test; pytest.fail raises no Exception.
FAILURES = (Exception, pytest.fail.Exception)
SHOWN_FILES = 5
CODE = (".py", ".pyc", ".pyi", ".so", ".pth")


class Opened:
    """The files that are opened for reading while `names` is a set.  An audit hook cannot be removed,
    so there is one for the session."""

    def __init__(self) -> None:
        self.names: Optional[Set[str]] = None
        sys.addaudithook(self.hook)

    def hook(self, event: str, args: Any) -> None:
        if event != "open" or self.names is None:
            return
        path, mode = args[0], args[1]
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if isinstance(path, str) and (mode is None or "w" not in mode) and not path.endswith(CODE):
            self.names.add(os.path.realpath(path))


@contextlib.contextmanager
def led_to(target: str, candidate: str) -> Iterator[None]:
    """While it holds, `open` of `target` opens `candidate`."""
    plain_open = builtins.open

    def leading(file: Any, *args: Any, **kwargs: Any) -> Any:
        is_path = isinstance(file, (str, bytes, os.PathLike))
        if is_path and os.path.realpath(os.fsdecode(file)) == target:
            file = candidate
        return plain_open(file, *args, **kwargs)

    builtins.open = io.open = leading
    try:
        yield
    finally:
        builtins.open = io.open = plain_open


def smaller_name(path: str) -> str:
    """NAME.min.EXT beside NAME.EXT."""
    stem, suffix = os.path.splitext(path)
    return stem + ".min" + suffix


def is_file(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike)) and os.path.isfile(value)


def files_read(root: str, names: Set[str]) -> List[str]:
    """Those that are the user's."""
    below = os.path.realpath(root) + os.sep
    return sorted(name for name in names if name.startswith(below) and os.path.isfile(name))


def find(parameters: Dict[str, Any], arguments: Dict[str, Any], read: List[str]) -> Optional[str]:
    """The file that a test read, as an absolute path without links."""
    for value in parameters.values():
        if is_file(value):
            return os.path.realpath(value)
    given = {os.path.realpath(value) for value in arguments.values() if is_file(value)}
    if len(given) == 1:
        return given.pop()
    texts = [os.path.basename(os.fspath(value)) for value in parameters.values()
             if isinstance(value, (str, os.PathLike))]
    named = [name for name in read
             if any(text and text in os.path.basename(name) for text in texts)]
    found = named or read
    return found[0] if len(found) == 1 else None


def arguments_of(item: pytest.Function) -> Dict[str, Any]:
    return {name: item.funcargs[name] for name in item._fixtureinfo.argnames}


def replaced(arguments: Dict[str, Any], target: str, candidate: str) -> Dict[str, Any]:
    """A test's arguments, with the candidate's path for the target's."""
    arguments = dict(arguments)
    value: Any
    for name, value in arguments.items():
        if is_file(value) and os.path.realpath(value) == target:
            arguments[name] = type(value)(candidate)
    return arguments


class Reducer:
    """The plug-in of one session."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.max_tests: int = config.getoption("--pare-tests")
        self.max_time_s: float = config.getoption("--pare-time")
        path: Optional[str] = config.getoption("--pare-file")
        if path is not None and not os.path.isfile(path):
            raise pytest.UsageError(f"--pare-file: there is no file '{path}'")
        self.path = None if path is None else os.path.realpath(path)
        self.opened = Opened()
        self.lines: List[str] = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Iterator[None]:
        self.opened.names = set()
        outcome = yield
        names, self.opened.names = self.opened.names, None
        error = outcome.excinfo[1] if outcome.excinfo else None  # type: ignore[attr-defined]
        if isinstance(error, FAILURES):
            self.reduce(pyfuncitem, error, names or set())

    def reduce(self, item: pytest.Function, error: BaseException, names: Set[str]) -> None:
        callspec = getattr(item, "callspec", None)
        parameters: Dict[str, Any] = dict(callspec.params) if callspec else {}
        arguments = arguments_of(item)
        read = files_read(str(self.config.rootpath), names)
        if self.path is None:
            target = find(parameters, arguments, read)
        else:
            known = names | {os.path.realpath(value) for value in arguments.values() if is_file(value)}
            target = self.path if self.path in known else None
        if target is not None:
            self.reduce_file(item, target, Failure(error))
        elif self.path is not None:
            self.lines.append(f"{item.nodeid}: did not read {os.path.relpath(self.path)} (what other "
                              "processes read is seen where its path is an argument of the test)")
        elif read:
            self.lines.append(f"{item.nodeid}: {len(read)} files were read, --pare-file PATH says which: "
                              + ", ".join(os.path.relpath(path) for path in read[:SHOWN_FILES])
                              + (", ..." if len(read) > SHOWN_FILES else ""))
        else:
            self.lines.append(f"{item.nodeid}: no argument is the path of a file, nor was one read")

    def reduce_file(self, item: pytest.Function, target: str, failure: Failure) -> None:
        with open(target, "rb") as original:
            data = original.read()
        with tempfile.TemporaryDirectory(prefix="pare-") as folder:
            candidate = os.path.join(folder, os.path.basename(target))
            arguments = replaced(arguments_of(item), target, candidate)

            def fails(content: bytes) -> Outcome:
                with open(candidate, "wb") as file:
                    file.write(content)
                try:
                    with led_to(target, candidate), open(os.devnull, "w") as nothing, \
                            contextlib.redirect_stdout(nothing), \
                            contextlib.redirect_stderr(nothing):
                        item.obj(**arguments)
                except FAILURES as other:
                    return Outcome.FAIL if Failure(other) == failure else Outcome.UNRESOLVED
                except pytest.skip.Exception:
                    return Outcome.UNRESOLVED
                return Outcome.PASS

            try:
                best = reduce(data, fails, name=os.path.basename(target),
                              max_tests=self.max_tests, max_time_s=self.max_time_s)
            except Error as problem:
                self.lines.append(f"{item.nodeid}: {os.path.relpath(target)} is not reduced: {problem}")
                return
        path = smaller_name(target)
        with open(path, "wb") as file:
            file.write(best.data)
        early = "" if best.stopped is Stopped.MINIMAL else f", ended early ({best.stopped.name})"
        self.lines.append(
            f"{item.nodeid}: {os.path.relpath(target)} ({len(data)} bytes) is "
            f"{os.path.relpath(path)} ({best.size} bytes) after {best.stats.tests_run} tests: "
            f"{failure}{early}")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.lines:
            terminalreporter.section("pare: reduced files")
            for line in self.lines:
                terminalreporter.line(line)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pare", "reducing the files of failing tests")
    group.addoption("--pare", action="store_true", default=False,
                    help="reduce the file that a failing test read, and write it beside")
    group.addoption("--pare-file", metavar="PATH",
                    help="the file to reduce, where a failing test read several")
    group.addoption("--pare-tests", type=int, default=5000, metavar="N",
                    help="at most N runs of the test for one file (default 5000)")
    group.addoption("--pare-time", type=float, default=60.0, metavar="S",
                    help="at most S seconds for one file (default 60)")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--pare"):
        config.pluginmanager.register(Reducer(config), "pare-reducer")
