"""One run of the library: what it calls back, how an exception ends it, and how Ctrl-C does.

The library calls back with the interpreter's lock taken (cffi does that, also for threads that
Python has not made); between calls it runs without it.  An exception must not travel through C.  So
a callback that raises keeps its exception here, requests the stop of the run, and answers what is
noted nowhere (PARE_NO_OUTCOME); the exception is raised again when the library has returned.

A signal's handler runs in the main thread when that executes Python.  While it is inside the
library, that is in a callback: of the test, or of the watcher, which every run has for this reason
and which is called ten times a second at least.  KeyboardInterrupt is a request to stop there, and
the run returns its best.
"""
from __future__ import annotations

import enum
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Optional, Set, Tuple, Union

from pare._errors import check, exception_of, text_of
from pare._pare import ffi, lib


class Outcome(enum.Enum):
    """What a test says of a candidate.  Only FAIL is true: the failure is there, so keep it."""

    FAIL = lib.PARE_FAIL
    PASS = lib.PARE_PASS
    UNRESOLVED = lib.PARE_UNRESOLVED

    def __bool__(self) -> bool:
        return self is Outcome.FAIL


class EventKind(enum.Enum):
    """What has happened; see Event."""

    START = lib.PARE_EVENT_START
    TEST = lib.PARE_EVENT_TEST
    PHASE = lib.PARE_EVENT_PHASE
    PROGRESS = lib.PARE_EVENT_PROGRESS
    NOTICE = lib.PARE_EVENT_NOTICE
    END = lib.PARE_EVENT_END
    PASSING = lib.PARE_EVENT_PASSING
    READING = lib.PARE_EVENT_READING


@dataclass(frozen=True)
class Event:
    """What `on_event` is told.

    A TEST has retired, in the order that the algorithm sees (0 is the check of the input itself); a
    PHASE begins; of `isolate`, PASSING says that test `n` has moved the passing side, which has `size`
    bytes now (at first the passing input); a NOTICE is a sentence that the user should see; PROGRESS comes at most ten times a
    second.
    """

    kind: EventKind
    n: int
    size: int
    outcome: Optional[Outcome]
    from_cache: bool
    accepted: bool  # TEST: it is the new best
    test_ms: float
    phase: Optional[str]
    notice: Optional[str]
    is_warning: bool
    input_size: int
    best_size: int
    tests_run: int
    jobs: int
    elapsed_s: float


class Stop:
    """A request to end a run from another thread, a signal handler, or a callback.

    The run ends its tests at once and returns its best.  A Stop that was requested stays so.
    """

    def __init__(self) -> None:
        out = ffi.new("pare_stop **")
        err = ffi.new("pare_error *")
        check(lib.pare_stop_new(out, err), err)
        self._pointer = ffi.gc(out[0], lib.pare_stop_free)

    def request(self) -> None:
        """Requests the stop; may be called more than once."""
        lib.pare_stop_request(self._pointer)

    def pause(self) -> None:
        """Has the run start no other test until `go_on`; its limit of time goes on."""
        lib.pare_stop_pause(self._pointer, lib.PARE_PAUSE)

    def go_on(self) -> None:
        """Ends a pause."""
        lib.pare_stop_pause(self._pointer, lib.PARE_GO_ON)

    def skip_phase(self) -> None:
        """Has the run leave the phase that it is in; the result is then not claimed to be minimal."""
        lib.pare_stop_skip_phase(self._pointer)

    def go_from(self, step: int) -> None:
        """Has a run with a history go back to a step of it, from 1 on, and on from there."""
        if step < 1:
            raise ValueError("steps that one goes back to are numbered from 1")
        lib.pare_stop_go_from(self._pointer, step)


Answer = Union[bool, Outcome]


def outcome_of(answer: Any) -> int:
    """The outcome that a test's answer means.  None is refused: it is a forgotten `return`."""
    if isinstance(answer, Outcome):
        return int(answer.value)
    if answer is None:
        raise TypeError("the test returned None: return True while the failure is there, or an "
                        "Outcome")
    return lib.PARE_FAIL if answer else lib.PARE_PASS


def event_of(c_event: Any) -> Event:
    """A copy of what is valid during the call only."""
    outcome = c_event.outcome
    return Event(
        kind=EventKind(c_event.kind), n=c_event.n, size=c_event.size_bytes,
        outcome=Outcome(outcome) if outcome else None, from_cache=c_event.from_cache,
        accepted=c_event.accepted, test_ms=c_event.test_ms, phase=text_of(c_event.phase),
        notice=text_of(c_event.notice), is_warning=c_event.is_warning,
        input_size=c_event.input_bytes, best_size=c_event.best_bytes,
        tests_run=c_event.tests_run, jobs=c_event.jobs, elapsed_s=c_event.elapsed_s)


Watcher = Callable[[Event], object]


def test_of(interesting: Callable[[Any], Answer], is_text: bool) -> Callable[[Any, int], Any]:
    """The test as the library calls it.  A candidate that is not UTF-8 is none of a str."""

    def test(data: Any, size: int) -> Any:
        candidate = ffi.buffer(data, size)[:]
        if not is_text:
            return interesting(candidate)
        try:
            text = candidate.decode("utf-8")
        except UnicodeDecodeError:
            return Outcome.UNRESOLVED
        return interesting(text)

    return test


def encode(data: Union[str, bytes, bytearray, memoryview], what: str) -> Tuple[bytes, bool]:
    """The bytes, and whether they are text."""
    if isinstance(data, str):
        return data.encode("utf-8"), True
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data), False
    raise TypeError(f"{what} is str or bytes, not {type(data).__name__}: for the elements of a list "
                    "see pare.reduce_list, for a file pare.reduce_file")


class Run:
    """What the callbacks of one call of the library share.  `handle` is their context."""

    def __init__(self, on_event: Optional[Watcher] = None,
                 stop: Optional[Stop] = None) -> None:
        self.handle = ffi.new_handle(self)
        self.err = ffi.new("pare_error *")
        self.stop = stop or Stop()
        self.on_event = on_event
        self.test: Optional[Callable[[Any, int], Any]] = None  # (pointer, size): an answer
        self.take: Optional[Callable[[bytes], object]] = None
        self.take_member: Optional[Callable[[bytes], object]] = None
        self.reach: Optional[Callable[[bytes], Optional[bytes]]] = None  # lines; None: it failed
        self.lines: Any = None  # what the last call of `reach` gave, as long as the library reads it
        self.start: Optional[Callable[[Any], Any]] = None  # pare_units *: a state
        self.states: Set[Any] = set()  # keeps states of strategies alive
        self.error: Optional[BaseException] = None
        self.interrupted = False

    def fail(self, error: BaseException) -> None:
        """Ends the run because of `error`.  The first one is raised; Ctrl-C is none."""
        if isinstance(error, KeyboardInterrupt):
            self.interrupted = True
        elif self.error is None:
            self.error = error
        self.stop.request()

    def finish(self, status: int, best: Any) -> None:
        """Raises what the callbacks raised, else what the status says; returns where there is a
        result.  `best`: the pare.Result so far, or None."""
        if self.error is not None:
            try:
                self.error.best = best  # type: ignore[attr-defined]
            except AttributeError:  # a class with __slots__
                pass
            error, self.error = self.error, None
            try:
                raise error
            finally:
                del error  # its traceback has this frame: a cycle
        if self.interrupted and best is None:
            raise KeyboardInterrupt
        if status != lib.PARE_OK and not (self.interrupted and best is not None):
            problem = exception_of(status, self.err)
            if best is not None:
                problem.best = best  # type: ignore[attr-defined]
            raise problem


def run_of(context: Any) -> Run:
    return ffi.from_handle(context)


def lost(name: str) -> Callable[[Any, BaseException, TracebackType], None]:
    """For exceptions outside a callback's own try: Ctrl-C at its first instruction."""

    def keep(_kind: Any, error: BaseException, traceback: TracebackType) -> None:
        context = traceback.tb_frame.f_locals.get(name)
        if context is not None:
            holder = ffi.from_handle(context)
            (holder if isinstance(holder, Run) else holder.run).fail(error)

    return keep


@ffi.def_extern(error=lib.PARE_NO_OUTCOME, onerror=lost("context"))
def pare_python_test(context: Any, data: Any, size: int) -> int:
    run = run_of(context)
    try:
        assert run.test
        return outcome_of(run.test(data, size))
    except BaseException as error:
        run.fail(error)
    return lib.PARE_NO_OUTCOME


@ffi.def_extern(error=lib.PARE_NO_OUTCOME, onerror=lost("context"))
def pare_python_test_list(context: Any, indices: Any, n: int) -> int:
    return pare_python_test(context, indices, n)


@ffi.def_extern(onerror=lost("context"))
def pare_python_watch(context: Any, c_event: Any) -> None:
    run = run_of(context)
    if run.on_event and run.error is None:
        try:
            run.on_event(event_of(c_event))
        except BaseException as error:
            run.fail(error)


@ffi.def_extern(error=lib.PARE_E_INTERRUPTED, onerror=lost("context"))
def pare_python_take_text(context: Any, _number: int, text: Any, size: int, _err: Any) -> int:
    run = run_of(context)
    try:
        assert run.take
        run.take(ffi.buffer(text, size)[:])
    except BaseException as error:
        run.fail(error)
        return lib.PARE_E_INTERRUPTED
    return lib.PARE_OK


@ffi.def_extern(error=lib.PARE_E_INTERRUPTED, onerror=lost("context"))
def pare_python_take_member(context: Any, _number: int, text: Any, size: int, _err: Any) -> int:
    run = run_of(context)
    try:
        assert run.take_member
        run.take_member(ffi.buffer(text, size)[:])
    except BaseException as error:
        run.fail(error)
        return lib.PARE_E_INTERRUPTED
    return lib.PARE_OK


@ffi.def_extern(error=lib.PARE_E_INTERRUPTED, onerror=lost("context"))
def pare_python_reach(context: Any, text: Any, size: int, reached: Any, _err: Any) -> int:
    run = run_of(context)
    try:
        assert run.reach
        lines = run.reach(ffi.buffer(text, size)[:])
        if lines is not None:
            run.lines = ffi.new("char[]", lines)
            reached.lines = run.lines
            reached.lines_bytes = len(lines)
            reached.passed = True
    except BaseException as error:
        run.fail(error)
        return lib.PARE_E_INTERRUPTED
    return lib.PARE_OK
