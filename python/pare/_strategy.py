"""Algorithms of one's own in Python, over <pare/strategy.h>: no process, no lines.

The library holds a handle of each state and gives it back with every call.  A copy of a state is
another handle; `run.states` keeps both alive until the library ends them, or the run is over."""
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Callable, Generator, Iterable, Iterator, List, Optional, Tuple, Union

from pare._options import Options
from pare._pare import ffi, lib
from pare._run import Outcome, Run, lost, run_of

Proposal = Union[bytes, Iterable[int]]


class Units:
    """What a strategy starts from: `text`, cut into units.  units[i] is the bytes of unit i.

    Units do not overlap and ascend; bytes between them are protected and belong to none.
    """

    def __init__(self, text: bytes, spans: List[Tuple[int, int]]) -> None:
        self.text = text
        self.spans = spans  # (first byte, byte after the last) of each

    def __len__(self) -> int:
        return len(self.spans)

    def __getitem__(self, index: int) -> bytes:
        begin, end = self.spans[index]
        return self.text[begin:end]

    def __iter__(self) -> Iterator[bytes]:
        return (self.text[begin:end] for begin, end in self.spans)


class Strategy(ABC):
    """An algorithm: it proposes candidates and is told what came of them.

    A subclass is given as `strategy=` and is made with the Units of each file and kind of units.
    With a method `copy(self)`, which returns an independent strategy that proposes the same if it is
    told the same, candidates are tested ahead with several jobs; the steps stay those of one.
    """

    def __init__(self, units: Units) -> None:
        self.units = units

    @abstractmethod
    def next(self) -> Optional[Proposal]:
        """The next candidate: numbers of the units that stay, ascending; or the whole text as
        bytes; or None at the end."""

    @abstractmethod
    def tell(self, outcome: Outcome) -> None:
        """What came of the candidate that `next` returned last."""


Steps = Generator[Proposal, Outcome, None]
Algorithm = Callable[[Units], Union[Strategy, Steps]]


class Yielding(Strategy):
    """A generator function as a strategy: it yields candidates, and is sent their outcomes."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.outcome: Optional[Outcome] = None

    def next(self) -> Optional[Proposal]:
        try:
            return self.steps.send(self.outcome)  # type: ignore[arg-type]
        except StopIteration:
            return None

    def tell(self, outcome: Outcome) -> None:
        self.outcome = outcome


class State:
    """One strategy at work, and what its last proposal points to."""

    def __init__(self, run: Run, strategy: Strategy) -> None:
        self.run = run
        self.strategy = strategy
        self.proposed: Any = None
        self.handle = ffi.new_handle(self)
        run.states.add(self.handle)


def ranges_of(units: Iterable[int]) -> List[Tuple[int, int]]:
    """Ascending numbers as ranges (from, to), `to` not included.  What does not ascend is refused
    by the library."""
    if isinstance(units, range) and units.step == 1:
        return [(units.start, units.stop)] if units else []
    ranges: List[Tuple[int, int]] = []
    for unit in units:
        if unit < 0:
            raise ValueError(f"a unit's number is not negative, as {unit} is")
        if ranges and ranges[-1][1] == unit:
            ranges[-1] = (ranges[-1][0], unit + 1)
        else:
            ranges.append((unit, unit + 1))
    return ranges


def propose(state: State, proposal: Proposal, c_proposal: Any) -> None:
    """Fills in *c_proposal; what it points to lives until the next proposal."""
    if isinstance(proposal, str):
        raise TypeError("a proposed text is bytes: encode the str")
    if isinstance(proposal, (bytes, bytearray)):
        text = ffi.new("char[]", bytes(proposal))
        c_proposal.text = text
        c_proposal.text_bytes = len(proposal)
        state.proposed = text
        return
    ranges = ranges_of(proposal)
    array = ffi.new("pare_unit_range[]", ranges)
    c_proposal.kept = array
    c_proposal.n_kept = len(ranges)
    state.proposed = array


def take_strategy(options: Options, strategy: Union[Algorithm, str, None]) -> None:
    """Sets options.strategy to the functions below, or the command line of a strategy."""
    if strategy is None:
        return
    if isinstance(strategy, str):
        options.c.strategy_command = options.text(strategy)
        return
    make = strategy

    def start(c_units: Any) -> State:
        text = ffi.buffer(c_units.text, c_units.text_bytes)[:] if c_units.text_bytes else b""
        # Whole arrays at once: a large file has millions of units.
        flat = ffi.unpack(ffi.cast("size_t *", c_units.units), 2 * c_units.n) if c_units.n else []
        made = make(Units(text, list(zip(flat[::2], flat[1::2]))))
        return State(options.run, made if hasattr(made, "tell") else Yielding(made))  # type: ignore[arg-type]

    own = ffi.new("pare_own_strategy *")
    options.kept.append(own)
    options.run.start = start
    own.context = options.run.handle
    own.start = lib.pare_python_start
    own.next = lib.pare_python_next
    own.tell = lib.pare_python_tell
    if hasattr(strategy, "copy"):
        own.copy = lib.pare_python_copy
    own.end = lib.pare_python_end
    options.c.strategy = own


@ffi.def_extern(error=lib.PARE_E_INTERRUPTED, onerror=lost("context"))
def pare_python_start(context: Any, c_units: Any, state: Any, _err: Any) -> int:
    run = run_of(context)
    try:
        assert run.start
        state[0] = run.start(c_units).handle
        return lib.PARE_OK
    except BaseException as error:
        run.fail(error)
    return lib.PARE_E_INTERRUPTED


@ffi.def_extern(error=lib.PARE_E_INTERRUPTED, onerror=lost("handle"))
def pare_python_next(handle: Any, done: Any, c_proposal: Any, _err: Any) -> int:
    state: State = ffi.from_handle(handle)
    try:
        proposal = state.strategy.next()
        done[0] = proposal is None
        if proposal is not None:
            propose(state, proposal, c_proposal)
        return lib.PARE_OK
    except BaseException as error:
        state.run.fail(error)
    return lib.PARE_E_INTERRUPTED


@ffi.def_extern(error=lib.PARE_E_INTERRUPTED, onerror=lost("handle"))
def pare_python_tell(handle: Any, outcome: int, _err: Any) -> int:
    state: State = ffi.from_handle(handle)
    try:
        state.strategy.tell(Outcome(outcome))
        return lib.PARE_OK
    except BaseException as error:
        state.run.fail(error)
    return lib.PARE_E_INTERRUPTED


@ffi.def_extern(error=lib.PARE_E_INTERRUPTED, onerror=lost("handle"))
def pare_python_copy(handle: Any, copy: Any, _err: Any) -> int:
    state: State = ffi.from_handle(handle)
    try:
        copied = state.strategy.copy()  # type: ignore[attr-defined]
        copy[0] = State(state.run, copied).handle
        return lib.PARE_OK
    except BaseException as error:
        state.run.fail(error)
    return lib.PARE_E_INTERRUPTED


@ffi.def_extern(onerror=lost("handle"))
def pare_python_end(handle: Any) -> None:
    state: State = ffi.from_handle(handle)
    state.run.states.discard(state.handle)
    state.handle = None
