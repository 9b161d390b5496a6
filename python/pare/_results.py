"""What came of a run, as dataclasses: their fields are those of <pare/result.h>, in seconds, bytes
and tests."""
from __future__ import annotations

import enum
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, List, Optional, Tuple, Type, TypeVar

from pare._errors import text_of
from pare._pare import ffi, lib

if TYPE_CHECKING:
    from pare._explain import Explanation

T = TypeVar("T")
Data = TypeVar("Data")


class Stopped(enum.Enum):
    """Why a run ended."""

    MINIMAL = lib.PARE_STOPPED_MINIMAL  # the algorithms ran to their end
    BUDGET = lib.PARE_STOPPED_BUDGET  # max_tests or max_time_s
    TARGET = lib.PARE_STOPPED_TARGET  # target_size reached
    INTERRUPTED = lib.PARE_STOPPED_INTERRUPTED  # Ctrl-C, or Stop.request
    EFFORT = lib.PARE_STOPPED_EFFORT  # effort "fast", and little is left to gain


@dataclass(frozen=True)
class Pass:
    """What one pass did."""

    name: str
    tests: int
    successes: int
    bytes_removed: int
    oracle_s: float


@dataclass(frozen=True)
class Curve:
    """A point of size over tests: the best after so many."""

    tests: int
    seconds: float
    bytes: int


@dataclass(frozen=True)
class Frequency:
    """How often a text fails; with 95 % confidence the share of all runs is in low .. high."""

    fails: int
    runs: int
    low: float
    high: float


@dataclass(frozen=True)
class Flaky:
    """What is known of a failure that comes by chance."""

    flaky: bool
    input: Frequency
    result: Frequency
    runs: int
    taken_back: int


@dataclass(frozen=True)
class OtherFailure:
    """Another failure that was met on the way."""

    signature: Optional[str]
    path: Optional[str]
    size_bytes: int
    n_tests: int


@dataclass(frozen=True)
class WorkersStats:
    """What workers on other machines did; all 0 without them."""

    most_machines: int
    most_slots: int
    tests_away: int  # whose outcome came from there
    tests_back: int  # taken back, and run here
    tests_known: int  # that other runs had told
    traffic_bytes: int


@dataclass(frozen=True)
class CoverageStats:
    """Runs of an interpreter that told what a script does not execute; all 0: there was none."""

    runs: int
    seconds: float
    unreached_bytes: int


@dataclass(frozen=True)
class Stats:
    """What a run took."""

    bytes_in: int
    bytes_out: int
    units_in: int
    units_out: int
    files_in: int
    files_out: int
    tests_run: int
    outcome_fail: int
    outcome_pass: int
    outcome_unresolved: int
    cache_hits: int
    speculated: int
    cancelled: int
    wall_s: float
    oracle_s: float
    jobs: int
    stopped: Stopped
    is_minimal: bool  # 1-minimal in `minimal_unit`, or in nodes of a tree
    language: Optional[str]
    minimal_unit: Optional[str]
    minimal_nodes: str
    flaky: Flaky
    workers: WorkersStats
    coverage: CoverageStats
    passes: Tuple[Pass, ...]
    curve: Tuple[Curve, ...]


@dataclass(frozen=True)
class Result(Generic[Data]):
    """The smallest failing input that was found; `data` is of the type of the input (None for
    several files, which are at `output`)."""

    data: Data
    size: int
    stats: Stats
    signature: Optional[str]  # of the failure that was kept, where one was learnt or given
    command: Optional[str]  # what is left of the command line, where it was reduced
    others: Tuple[OtherFailure, ...]
    printed: Optional[str] = None  # what the test printed of it at last, with `keep_printed`
    explanation: Optional["Explanation"] = None  # with `explain`
    readable: Optional[Data] = None  # laid out as the input was; None: that does not fail

    @property
    def stopped(self) -> Stopped:
        """Why the run ended."""
        return self.stats.stopped


def plain(kind: Type[T], struct: Any, **given: Any) -> T:
    """A dataclass of the struct's members of the same names; text arrays become str."""
    values = dict(given)
    for field in fields(kind):
        if field.name not in values:
            value = getattr(struct, field.name)
            values[field.name] = text_of(value) if isinstance(value, ffi.CData) else value
    return kind(**values)


def stats_of(stats: Any) -> Stats:
    flaky = plain(Flaky, stats.flaky, input=plain(Frequency, stats.flaky.input),
                  result=plain(Frequency, stats.flaky.result))
    return plain(
        Stats, stats, stopped=Stopped(stats.stopped),
        is_minimal=stats.minimal != lib.PARE_MINIMAL_NONE, flaky=flaky,
        workers=plain(WorkersStats, stats.workers), coverage=plain(CoverageStats, stats.coverage),
        minimal_nodes=text_of(stats.minimal_nodes) or "",
        passes=tuple(plain(Pass, stats.passes[i]) for i in range(stats.n_passes)),
        curve=tuple(plain(Curve, stats.curve[i]) for i in range(stats.n_curve)))


def others_of(result: Any) -> Tuple[OtherFailure, ...]:
    return tuple(plain(OtherFailure, result.others[i]) for i in range(result.n_others))


def result_of(result: Any, data: Data) -> Result[Data]:
    """A copy of a pare_result, with `data` as its text."""
    return Result(data=data, size=result.size_bytes, stats=stats_of(result.stats),
                  signature=text_of(result.signature), command=text_of(result.command),
                  others=others_of(result), printed=text_of(result.printed))


def bytes_of(pointer: Any, size: int) -> bytes:
    return ffi.buffer(pointer, size)[:] if pointer else b""


def has_best(result: Any) -> bool:
    """Whether a run that failed has left something; the check of the input is no best."""
    return bool(result.bytes)


def reported_of(result: Any) -> List[str]:
    """The problems of which keep.message has to name one."""
    return [text_of(result.reported[i]) or "" for i in range(result.n_reported)]
