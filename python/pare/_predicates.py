"""Tests ready to be used: an exception that has to stay the same, a process of its own."""
from __future__ import annotations

import faulthandler
import os
import re
import resource
import select
import signal
import sys
from typing import Any, Callable, Optional, Tuple, Type, Union

from pare._run import Answer, Outcome, outcome_of


class Failure:
    """What identifies an exception: its class, and the line that raised it.  Where the stack is
    exhausted any line may be the last, so of a RecursionError it is the class alone."""

    def __init__(self, error: BaseException) -> None:
        self.kind = type(error)
        self.place: Optional[Tuple[str, str, int]] = None  # file, function, line
        traceback = None if isinstance(error, RecursionError) else error.__traceback__
        while traceback:
            code = traceback.tb_frame.f_code
            self.place = (code.co_filename, code.co_name, traceback.tb_lineno)
            traceback = traceback.tb_next

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Failure) and self.kind is other.kind
                and self.place == other.place)

    def __hash__(self) -> int:
        return hash((self.kind, self.place))

    def __str__(self) -> str:
        if self.place is None:
            return self.kind.__name__
        file, function, line = self.place
        return f"{self.kind.__name__} in {function} ({os.path.basename(file)}:{line})"


def raises(function: Callable[[Any], object],
           kind: Union[Type[BaseException], Tuple[Type[BaseException], ...], None] = None,
           match: Optional[str] = None) -> Callable[[Any], Outcome]:
    """A test: does `function` raise what it raised first?

    The failure is an exception of class `kind` whose text has a match of the regular expression
    `match`, where these are given; without `kind` it is what the first call raises: an exception of
    that very class, from the line that raised it.  Other exceptions are UNRESOLVED.

        >>> import pare
        >>> def total(text):
        ...     return sum(100 // int(word) for word in text.split())
        >>> pare.reduce("12 7 40 0 33 x", pare.raises(total, ZeroDivisionError)).data
        '0'
    """
    first: Optional[Failure] = None

    def same(error: BaseException) -> bool:
        nonlocal first
        if match is not None and not re.search(match, str(error)):
            return False
        if kind is not None:
            return isinstance(error, kind)
        if first is None:
            first = Failure(error)
        return Failure(error) == first

    def test(data: Any) -> Outcome:
        try:
            function(data)
        except Exception as error:
            return Outcome.FAIL if same(error) else Outcome.UNRESOLVED
        except SystemExit as error:
            return Outcome.FAIL if kind is not None and same(error) else Outcome.UNRESOLVED
        return Outcome.PASS

    return test


def forked(interesting: Callable[[Any], Answer], *, timeout_s: float = 10.0,
           crash: Outcome = Outcome.FAIL,
           hang: Outcome = Outcome.UNRESOLVED) -> Callable[[Any], Outcome]:
    """The same test in a child process for each candidate: what crashes, hangs, or leaves something
    behind does not harm this one.

    A child that a signal ends is `crash`; one that takes longer than `timeout_s` is `hang`, and is
    killed.  An exception in it is printed there and raised here as RuntimeError.  What a child
    changes in memory is lost.  The cost is a fork for each test.

        >>> import os, pare
        >>> def decode(text):
        ...     if "%n" in text:
        ...         os.abort()
        ...     return False
        >>> pare.reduce("100 % of %n", pare.forked(decode)).data
        '%n'
    """

    def child(data: Any) -> int:
        # Crashes are what is looked for: no traceback of each, and no core.
        faulthandler.disable()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            return outcome_of(interesting(data))
        except BaseException:
            sys.excepthook(*sys.exc_info())
            return 255

    def test(data: Any) -> Outcome:
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            code = 255
            try:
                code = child(data)
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)
        ended = None
        try:
            ended = wait(pid, timeout_s)
        finally:
            if ended is None:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        if ended is None:
            return hang
        if os.WIFSIGNALED(ended):
            return crash
        if os.WEXITSTATUS(ended) == 255:
            raise RuntimeError("the test raised an exception in its child process, see above")
        return Outcome(os.WEXITSTATUS(ended))

    return test


def wait(pid: int, timeout_s: float) -> Optional[int]:
    """How a child ended, or None when it did not in this time."""
    handle = os.pidfd_open(pid)
    try:
        ready, _, _ = select.select([handle], [], [], timeout_s)
    finally:
        os.close(handle)
    return os.waitpid(pid, 0)[1] if ready else None
