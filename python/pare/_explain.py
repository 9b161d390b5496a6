"""pare.explain: over pare_explain."""
from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, AnyStr, Callable, Optional, Tuple

from pare._errors import text_of
from pare._options import Grammar, Options
from pare._pare import ffi, lib
from pare._reduce import Watcher, encode, test_of
from pare._results import Stats, stats_of
from pare._run import Answer, Run, Stop


class Verdict(enum.Enum):
    """What of a part was found out."""

    UNTRIED = lib.PARE_PART_UNTRIED  # the tests were spent before
    NEEDED = lib.PARE_PART_NEEDED  # another of its kind was tried, and the failure was gone
    ANY = lib.PARE_PART_ANY  # all samples of its kind still fail
    RANGE = lib.PARE_PART_RANGE  # a whole number from `low` to `high`
    RENAME = lib.PARE_PART_RENAME  # a name, in all its places


@dataclass(frozen=True)
class Part:
    """One part of the text: bytes begin .. end-1."""

    begin: int
    end: int
    text: str
    kind: str
    verdict: Verdict
    samples: int
    fails: int
    low: Optional[int]  # of a range; None: no end on that side
    high: Optional[int]
    group: int  # what may vary at once has the same number; 0: it was varied by itself only
    near: Optional[str]  # of what is needed: with this for bytes near_begin .. near_end-1 it passes
    near_begin: int
    near_end: int
    share: float  # at least so many of samples like those tested fail, in 95 of 100 cases


@dataclass(frozen=True)
class Explanation:
    """What of a result may be otherwise."""

    parts: Tuple[Part, ...]
    pattern: str  # the text with what may vary as <kind>
    is_together: Optional[bool]  # whether all of it may vary at once; None: not tried
    stats: Stats


def part_of(part: Any, content: bytes) -> Part:
    is_range = part.verdict == lib.PARE_PART_RANGE
    return Part(begin=getattr(part, "from"), end=part.to,
                text=content[getattr(part, "from"):part.to].decode("utf-8", "replace"),
                kind=text_of(part.kind) or "", verdict=Verdict(part.verdict),
                samples=part.samples, fails=part.fails,
                low=part.low if is_range and part.has_low else None,
                high=part.high if is_range and part.has_high else None, group=part.group,
                near=ffi.buffer(part.near, part.near_bytes)[:].decode("utf-8", "replace")
                if part.near else None, near_begin=part.near_from, near_end=part.near_to,
                share=lib.pare_explained_share(part.samples, part.fails))


def explain(data: AnyStr, interesting: Callable[[AnyStr], Answer], *,
            name: Optional[str] = None, language: Optional[str] = None, grammar: Grammar = None,
            start: Optional[str] = None, max_tests: int = 0,
            on_event: Optional[Watcher] = None, stop: Optional[Stop] = None) -> Explanation:
    """Says of each part of a small failing input whether it is needed, or may be any of its kind, any
    number of a range, or renamed; in at most 300 tests where `max_tests` says nothing else.

        >>> import pare
        >>> found = pare.explain("size=4096", lambda text: int(text[5:] or 0) >= 1024)
        >>> [(part.text, part.low) for part in found.parts if part.verdict is pare.Verdict.RANGE]
        [('4096', 1024)]
    """
    content, is_text = encode(data, "data")
    run = Run(on_event, stop)
    options = Options(run)
    options.take_bytes(content, name)
    run.test = test_of(interesting, is_text)
    options.c.test.predicate = lib.pare_python_test
    options.c.test.context = run.handle
    options.take_trees(language, grammar, start)
    options.take_limits(1, max_tests)
    c = ffi.new("pare_explanation *")
    try:
        status = lib.pare_explain_sized(options.c, options.size, c, run.err)
        best = None
        if status == lib.PARE_OK:
            best = Explanation(
                parts=tuple(part_of(c.parts[i], content) for i in range(c.n_parts)),
                pattern=ffi.buffer(c.pattern, c.pattern_bytes)[:].decode("utf-8", "replace"),
                is_together=c.is_together if c.is_together_known else None,
                stats=stats_of(c.result.stats))
        run.finish(status, best)
        assert best is not None
        return best
    finally:
        lib.pare_explanation_done(c)
