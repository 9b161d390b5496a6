"""Failing examples of Hypothesis, reduced further through their choices.

Hypothesis makes an example from a list of choices, and shrinks that list (MacIver and Donaldson,
"Test-Case Reduction via Test-Case Generation: Insights From the Hypothesis Reducer", ECOOP 2020).
So does pare's algorithm "choices" (docs/guide/choices.md), which began with the same passes and has
more of them, takes as many tests as are allowed, and can be stopped with its best.  Every candidate is
an example that the test's strategies make.

The bytes are those that `test.hypothesis.fuzz_one_input` takes, Hypothesis's documented interface for
fuzzers.  Where its database keeps examples in this form (versions before 6.116) the one that it has
found is where the reduction begins; else one is looked for.
"""
from __future__ import annotations

import functools
import inspect
import random
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from pare._predicates import Failure
from pare._reduce import reduce
from pare._results import Stats, Stopped
from pare._run import Outcome, Stop, Watcher


@dataclass(frozen=True)
class Example:
    """The smallest failing example that was found."""

    arguments: Dict[str, Any]  # those with which the test fails
    choices: bytes  # what stands for it; test.hypothesis.fuzz_one_input(choices) fails
    choices_before: bytes
    error: BaseException
    tests: int  # all that were run
    stats: Stats  # of the reduction of choices, without the numbers that were made smaller after it

    def __str__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"{arguments}: {type(self.error).__name__}: {self.error}"


def unbound(test: Callable[..., Any], settings: Any) -> Callable[..., Any]:
    """A method of an object as a function: fuzz_one_input calls the test without one."""
    import hypothesis
    handle: Any = test.hypothesis  # type: ignore[attr-defined]
    owner, inner = test.__self__, handle.inner_test  # type: ignore[attr-defined]
    strategies = getattr(handle, "_given_kwargs", None)
    if strategies is None:
        raise TypeError("this version of Hypothesis does not say what a method's strategies are: "
                        "make the test a function")

    def function(**kwargs: Any) -> Any:
        return inner(owner, **kwargs)

    function.__name__ = inner.__name__
    given: Any = hypothesis.given(**strategies)
    return settings(given(function)) if settings is not None else given(function)


class Target:
    """The test as a function of choices."""

    def __init__(self, test: Callable[..., Any]) -> None:
        handle = getattr(test, "hypothesis", None)
        if handle is None:
            raise TypeError("pare.hypothesis takes a test that @given has decorated")
        self.settings: Any = getattr(test, "_hypothesis_internal_use_settings", None)
        self.stored_as = handle.inner_test  # its digest is the key in Hypothesis's database
        if inspect.ismethod(test):
            handle = unbound(test, self.settings).hypothesis  # type: ignore[attr-defined]
        elif "self" in inspect.signature(test).parameters:
            name = self.stored_as.__qualname__
            raise TypeError(f"{name} is a method: give that of an object, "
                            + "().".join(name.rsplit(".", 1)))
        self.handle = handle
        self.arguments: Dict[str, Any] = {}
        self.inner = handle.inner_test

    def __enter__(self) -> "Target":
        # Wrapped: where the example is kept goes by the source and the signature of the test.
        @functools.wraps(self.inner)
        def recording(*args: Any, **kwargs: Any) -> Any:
            self.arguments = kwargs
            return self.inner(*args, **kwargs)

        # Hypothesis's own way for runners of tests; fuzz_one_input looks here when it is made, and
        # the property keeps what it made, so that this makes one of its own.
        self.handle.inner_test = recording
        self.fuzz = self.handle._get_fuzz_target() if hasattr(self.handle, "_get_fuzz_target") \
            else self.handle.fuzz_one_input
        return self

    def __exit__(self, *_: Any) -> None:
        self.handle.inner_test = self.inner

    def run(self, choices: bytes) -> Tuple[Optional[BaseException], bool]:
        """The exception with which the example fails, and whether there is an example."""
        try:
            return None, self.fuzz(choices) is not None
        except Exception as error:
            return error, True


def key_of(target: Target) -> Optional[bytes]:
    """Of this test in Hypothesis's database; None where this version has no such thing."""
    try:
        from hypothesis.internal.reflection import function_digest
    except ImportError:
        return None
    key: bytes = function_digest(target.stored_as)  # type: ignore[no-untyped-call]
    return key


def stored(target: Target) -> List[bytes]:
    """What Hypothesis's database has for this test, the smallest first."""
    database = getattr(target.settings, "database", None)
    key = key_of(target)
    if database is None or key is None:
        return []
    return sorted(database.fetch(key), key=lambda one: (len(one), one))


def drawn(seed: int, n: int) -> Iterator[bytes]:
    """Choices at random, few at first."""
    source = random.Random(seed)
    for k in range(n):
        yield source.randbytes(min(16 << k // 50, 8192))


def lowered(choices: bytes, fails: Callable[[bytes], Outcome], max_tests: int) -> bytes:
    """The same choices with smaller numbers, read big-endian from one, two and four bytes: 0 where
    that still fails, else the last on the way down by bisection, until no number changes.

    The list stays as long as it is.  A number of two bytes is one for Hypothesis, and none for
    algorithm "choices", which takes each byte by itself.
    """
    left = max_tests

    def still(at: int, width: int, number: int) -> Optional[bytes]:
        nonlocal left
        if left <= 0:
            return None
        left -= 1
        candidate = choices[:at] + number.to_bytes(width, "big") + choices[at + width:]
        return candidate if fails(candidate) else None

    changed = True
    while changed and left > 0:
        changed = False
        for width in (4, 2, 1):
            for at in range(len(choices) - width + 1):
                low, high = -1, int.from_bytes(choices[at:at + width], "big")  # `high` fails
                while high - low > 1 and left > 0:
                    number = 0 if low < 0 else (low + high) // 2
                    fewer = still(at, width, number)
                    if fewer:
                        choices, high, changed = fewer, number, True
                    else:
                        low = number
    return choices


def shrink(test: Callable[..., Any], choices: Optional[bytes] = None, *, max_tests: int = 0,
           max_time_s: Optional[float] = None, find: int = 1000, seed: int = 0,
           on_event: Optional[Watcher] = None, stop: Optional[Stop] = None) -> Optional[Example]:
    """Reduces a failing example of a test that @given has decorated.

    It begins with `choices`, else with the smallest failing example that Hypothesis's database has of
    the test (so run the test first), else with the first of `find` examples at random that fails;
    None when there is none.  A candidate fails when it raises the same class of exception at the same
    line.  The other options are those of pare.reduce.

    The result goes to Hypothesis's database, so that its next run begins with it.

        >>> from hypothesis import given, settings, strategies as st
        >>> import pare.hypothesis
        >>> @settings(database=None)
        ... @given(st.integers(0, 1000))
        ... def test_small(number):
        ...     assert number < 100
        >>> pare.hypothesis.shrink(test_small, seed=1).arguments
        {'number': 100}
    """
    with Target(test) as target:
        known = stored(target) if choices is None else []
        candidates = [choices] if choices is not None else [*known, *drawn(seed, find)]
        found = None
        for before in candidates:
            error, _ = target.run(before)
            if error is not None:
                found = Failure(error)
                break
        if found is None:
            return None
        failure = found

        tests = 0

        def fails(candidate: bytes) -> Outcome:
            nonlocal tests
            tests += 1
            error, is_example = target.run(candidate)
            if error is not None:
                return Outcome.FAIL if Failure(error) == failure else Outcome.UNRESOLVED
            return Outcome.PASS if is_example else Outcome.UNRESOLVED

        result = reduce(before, fails, algorithm="choices", max_tests=max_tests,
                        max_time_s=max_time_s, on_event=on_event, stop=stop)
        best = result.data
        if result.stopped is Stopped.MINIMAL:
            best = lowered(best, fails, max_tests - tests if max_tests else 2000)
        error, _ = target.run(best)
        if before in known:
            # Of a method it was kept as that of a function.  Written is only the form that was read.
            target.settings.database.save(key_of(target), best)
        assert error is not None, "the best of a reduction fails"
        return Example(arguments=target.arguments, choices=best, choices_before=before,
                       error=error, tests=tests, stats=result.stats)
