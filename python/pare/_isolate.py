"""pare.isolate: over pare_isolate."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, AnyStr, Callable, Generic, Optional

from pare._options import Options, Words
from pare._pare import ffi, lib
from pare._results import Stats, bytes_of, stats_of
from pare._run import Answer, Run, Stop, Watcher, encode, test_of


@dataclass(frozen=True)
class Isolated(Generic[AnyStr]):
    """Two inputs that differ by little, of which one fails and one passes."""

    failing: AnyStr
    passing: AnyStr
    n_deltas: int  # units that still differ
    n_deltas_in: int
    stats: Stats


def isolate(failing: AnyStr, passing: AnyStr, interesting: Callable[[AnyStr], Answer], *,
            units: Words = None, name: Optional[str] = None, max_tests: int = 0,
            max_time_s: Optional[float] = None, on_event: Optional[Watcher] = None,
            stop: Optional[Stop] = None) -> Isolated[AnyStr]:
    """Narrows the difference between a failing and a passing input (Zeller's dd).

    `interesting` is as for `reduce`; PASS and UNRESOLVED differ here, so that an Outcome can make the
    difference smaller where a candidate is neither.

        >>> import pare
        >>> pare.isolate("one <b>two</b>", "one two", lambda text: "<b" in text).n_deltas
        1
    """
    content, is_text = encode(failing, "failing")
    other, other_is_text = encode(passing, "passing")
    if is_text != other_is_text:
        raise TypeError("failing and passing are both str or both bytes")
    run = Run(on_event, stop)
    options = Options(run)
    options.take_bytes(content, name)
    run.test = test_of(interesting, is_text)
    options.c.test.predicate = lib.pare_python_test
    options.c.test.context = run.handle
    options.take_algorithms(units=units)
    options.take_limits(1, max_tests, max_time_s)
    c_isolate = ffi.new("pare_isolate_options *")
    c_isolate.passing = options.data(other)
    c_isolate.passing_bytes = len(other)
    isolated = ffi.new("pare_isolated *")

    def decode(data: bytes) -> Any:
        return data.decode("utf-8") if is_text else data

    try:
        status = lib.pare_isolate_sized(options.c, options.size, c_isolate,
                                        ffi.sizeof("pare_isolate_options"), isolated, run.err)
        best = None
        if isolated.passing_bytes:
            result = isolated.failing
            best = Isolated(
                failing=decode(bytes_of(result.bytes, result.size_bytes)),
                passing=decode(bytes_of(isolated.passing_bytes, isolated.passing_size_bytes)),
                n_deltas=isolated.n_deltas, n_deltas_in=isolated.n_deltas_in,
                stats=stats_of(result.stats))
        run.finish(status, best)
        assert best is not None
        return best
    finally:
        lib.pare_isolated_done(isolated)
