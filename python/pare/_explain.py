"""pare.explain and pare.readable: over pare_explain."""
from __future__ import annotations

import enum
import json
from dataclasses import dataclass, field
from typing import Any, AnyStr, Callable, Dict, Optional, Tuple

from pare._errors import text_of
from pare._options import Grammar, Options
from pare._pare import ffi, lib
from pare._results import Stats, bytes_of, stats_of
from pare._run import Answer, Run, Stop, Watcher, encode, test_of


class Verdict(enum.Enum):
    """What of a part was found out."""

    UNTRIED = lib.PARE_PART_UNTRIED  # the tests were spent before
    NEEDED = lib.PARE_PART_NEEDED  # another of its kind was tried, and the failure was gone
    ANY = lib.PARE_PART_ANY  # all samples of its kind still fail
    RANGE = lib.PARE_PART_RANGE  # a whole number from `low` to `high`
    RENAME = lib.PARE_PART_RENAME  # a name, in all its places


@dataclass(frozen=True)
class Other:
    """A text that was tried in the place of a part."""

    text: str
    fails: bool  # the failure was still there
    # It is not of the part's kind: nothing, digits with a sign before them, a number for a name.  What is
    # claimed of the kind is not about it.
    is_beyond: bool = False


@dataclass(frozen=True)
class Sign:
    """A character between the parts that was left out, a bracket with the one that closes or opens it, or a line
    end for which a blank stood."""

    at: int  # bytes at .. end-1 of the text
    end: int
    text: str
    is_needed: bool  # without it the failure was gone


@dataclass(frozen=True)
class Ending:
    """A variant that fails in another way than the text does: the test takes both."""

    begin: int  # bytes begin .. end-1 of the text became `text`
    end: int
    text: str
    programs: str  # what the programs of the test did then, as Explanation.programs


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
    low: Optional[int]  # of a range; None: no end on that side; of any string 1: the empty one passes
    high: Optional[int]
    low_is_vague: bool  # that end is another one each time it is tried
    high_is_vague: bool
    group: int  # what may vary at once has the same number; 0: it was varied by itself only
    near: Optional[str]  # of what is needed: with this for bytes near_begin .. near_end-1 it passes
    near_begin: int
    near_end: int
    share: float  # at least so many of samples like those tested fail, in 95 of 100 cases
    sampled_as: str  # how samples of it are made
    places: Tuple[Tuple[int, int], ...]  # all of them: a name may have several
    others: Tuple[Other, ...] = ()  # what was tried in its place, but numbers of a range; first what is beyond


@dataclass(frozen=True)
class Explanation:
    """What of a result may be otherwise."""

    parts: Tuple[Part, ...]
    pattern: str  # the text with what may vary as <kind>
    is_together: Optional[bool]  # whether all of it may vary at once; None: not tried
    again_runs: int  # of the text itself at the end, where anything is NEEDED
    again_fails: int  # those of them that failed; fewer: by chance, and what passed says little
    signs: int  # characters between the parts, such as brackets and commas
    signs_tried: int  # of which so many were left out, one in each test
    signs_needed: int  # and so many of those are needed
    stats: Stats
    content: bytes = field(repr=False)
    language: Optional[str]  # by which it was read
    grammars: Tuple[str, ...]  # or by which grammars; one that was a dict is a file as long as this lives
    sign: Tuple[Sign, ...] = ()  # those that were left out, in the order of the text
    joint_samples: int = 0  # of the largest group of what may vary at once, as a whole
    joint_fails: int = 0
    # What the programs that a test command runs did with the text, a line for each, such as "hxtoc in.html:
    # killed by SIGSEGV"; None: it is not known, or the test is a function.
    programs: Optional[str] = None
    watched_variants: int = 0  # variants that fail, of which it is known how they ended
    watched_others: int = 0  # and how many of them in another way than the text
    other_ending: Optional[Ending] = None  # the first of these
    owner: Any = field(default=None, repr=False, compare=False)  # of that file

    def as_json(self) -> str:
        """What `pare explain --json` prints, of which `generate(pattern=...)` and `pare generate
        --pattern` make texts that are to fail as this one does.

            >>> import pare
            >>> found = pare.explain(
            ...     "size=4096", lambda text: text[:5] == "size=" and text[5:].isdigit() and int(text[5:]) >= 1024)
            >>> len(pare.generate(pattern=found, n=20, seed=1))
            20
        """
        whole: Dict[str, Any] = {"format": "pare-pattern", "version": 1,
                                 "parts": [json_of(part) for part in self.parts],
                                 "pattern": self.pattern, "tests": self.stats.tests_run}
        if self.is_together is not None:
            whole["together"] = self.is_together
            whole["group_1"] = {"samples": self.joint_samples, "fails": self.joint_fails}
        if self.again_runs:
            whole["again"] = {"runs": self.again_runs, "fails": self.again_fails}
        if self.signs:
            whole["signs"] = {"n": self.signs, "tried": self.signs_tried, "needed": self.signs_needed,
                              "at": [[sign.at, sign.end, sign.is_needed] for sign in self.sign]}
        if self.programs:
            whole["programs"] = self.programs
        if self.watched_variants:
            whole["watched"] = {"variants": self.watched_variants, "otherwise": self.watched_others}
            if self.other_ending:
                first = self.other_ending
                whole["watched"]["first"] = {"from": first.begin, "to": first.end, "text": first.text,
                                             "programs": first.programs}
        try:
            whole["text"] = self.content.decode("utf-8")
        except UnicodeDecodeError:
            whole["hex"] = self.content.hex()
        if self.language:
            whole["language"] = self.language
        else:
            whole["grammars"] = list(self.grammars)
        return json.dumps(whole, indent=2)


def json_of(part: Part) -> Dict[str, Any]:
    about: Dict[str, Any] = {
        "from": part.begin, "to": part.end, "kind": part.kind, "verdict": part.verdict.name.lower(),
        "samples": part.samples, "fails": part.fails, "places": len(part.places),
        "text": part.text, "sampled_as": part.sampled_as, "group": part.group,
        "at": [list(place) for place in part.places]}
    if part.verdict not in (Verdict.NEEDED, Verdict.UNTRIED):
        about["share"] = part.share
    if part.near is not None:
        about["passes_with"] = {"from": part.near_begin, "to": part.near_end, "text": part.near}
    if part.low is not None:
        about["low"] = part.low
    if part.high is not None:
        about["high"] = part.high
    if part.low_is_vague:
        about["low_is_vague"] = True
    if part.high_is_vague:
        about["high_is_vague"] = True
    if part.others:
        about["others"] = [json_of_other(other) for other in part.others]
    return about


def json_of_other(other: Other) -> Dict[str, Any]:
    about: Dict[str, Any] = {"text": other.text, "fails": other.fails}
    if other.is_beyond:
        about["beyond"] = True
    return about


def text_in(pointer: Any, size: int) -> str:
    return bytes_of(pointer, size).decode("utf-8", "replace") if size else ""


def other_of(other: Any) -> Other:
    return Other(text_in(other.text, other.bytes), other.fails, other.is_beyond)


def sign_of(sign: Any, content: bytes) -> Sign:
    begin = getattr(sign, "from")
    return Sign(begin, sign.to, content[begin:sign.to].decode("utf-8", "replace"), sign.is_needed)


def ending_of(c: Any) -> Optional[Ending]:
    """The first variant of a pare_explanation that ended in another way."""
    if not c.other_programs:
        return None
    return Ending(c.other_from, c.other_to, text_in(c.other.text, c.other.bytes),
                  text_of(c.other_programs) or "")


def part_of(part: Any, content: bytes, places: Tuple[Tuple[int, int], ...]) -> Part:
    return Part(begin=getattr(part, "from"), end=part.to,
                text=content[getattr(part, "from"):part.to].decode("utf-8", "replace"),
                kind=text_of(part.kind) or "", verdict=Verdict(part.verdict),
                samples=part.samples, fails=part.fails,
                low=part.low if part.has_low else None,
                high=part.high if part.has_high else None,
                low_is_vague=part.is_low_vague, high_is_vague=part.is_high_vague, group=part.group,
                near=ffi.buffer(part.near, part.near_bytes)[:].decode("utf-8", "replace")
                if part.near else None, near_begin=part.near_from, near_end=part.near_to,
                share=lib.pare_explained_share(part.samples, part.fails),
                sampled_as=text_of(part.sampled_as) or "", places=places,
                others=tuple(other_of(part.others[i]) for i in range(part.n_others)))


def explanation_of(c: Any, content: bytes, grammars: Tuple[str, ...], owner: Any) -> Explanation:
    """A copy of a pare_explanation of `content`."""
    places: Dict[int, Any] = {}
    for i in range(c.n_places):
        place = c.places[i]
        places.setdefault(place.part, []).append((getattr(place, "from"), place.to))
    return Explanation(
        parts=tuple(part_of(c.parts[i], content, tuple(places.get(i, ())))
                    for i in range(c.n_parts)),
        pattern=bytes_of(c.pattern, c.pattern_bytes).decode("utf-8", "replace"),
        is_together=c.is_together if c.is_together_known else None,
        again_runs=c.again_runs, again_fails=c.again_fails,
        signs=c.signs, signs_tried=c.signs_tried, signs_needed=c.signs_needed,
        stats=stats_of(c.result.stats), content=content, language=text_of(c.language),
        grammars=grammars, sign=tuple(sign_of(c.sign[i], content) for i in range(c.signs_tried)),
        joint_samples=c.joint_samples, joint_fails=c.joint_fails, programs=text_of(c.programs),
        watched_variants=c.watched_variants, watched_others=c.watched_others,
        other_ending=ending_of(c), owner=owner)


def explain_sized(options: Options, c_options: Any, content: bytes, c: Any) -> Explanation:
    """Fills *c, a pare_explanation, by options that may be others than those of `options`."""
    run = options.run
    status = lib.pare_explain_sized(c_options, options.size, c, run.err)
    trees = c_options.trees
    grammars = tuple(text_of(trees.grammars[i]) or "" for i in range(trees.n_grammars))
    told = explanation_of(c, content, grammars, options) if status == lib.PARE_OK else None
    run.finish(status, told)
    assert told is not None
    return told


def readable_sized(options: Options, c_options: Any, original: bytes, c: Any) -> Optional[bytes]:
    """Likewise; *c is a pare_readable."""
    run = options.run
    c.original = options.data(original)
    c.original_bytes = len(original)
    status = lib.pare_explain_readable_sized(c_options, options.size, c, run.err)
    text = bytes_of(c.bytes, c.size_bytes) if c.bytes else None
    run.finish(status, text)
    return text


def options_of(content: bytes, is_text: bool, interesting: Callable[[Any], Answer],
               name: Optional[str], run: Run) -> Options:
    options = Options(run)
    options.take_bytes(content, name)
    run.test = test_of(interesting, is_text)
    options.c.test.predicate = lib.pare_python_test
    options.c.test.context = run.handle
    return options


def explain(data: AnyStr, interesting: Callable[[AnyStr], Answer], *,
            name: Optional[str] = None, language: Optional[str] = None, grammar: Grammar = None,
            start: Optional[str] = None, max_tests: int = 0,
            on_event: Optional[Watcher] = None, stop: Optional[Stop] = None) -> Explanation:
    """Says of each part of a small failing input whether it is needed, or may be any of its kind, any
    number of a range, or renamed; in at most 300 tests where `max_tests` says nothing else.

        >>> import pare
        >>> found = pare.explain(
        ...     "size=4096", lambda text: text[:5] == "size=" and text[5:].isdigit() and int(text[5:]) >= 1024)
        >>> [(part.text, part.low) for part in found.parts if part.verdict is pare.Verdict.RANGE]
        [('4096', 1024)]
    """
    content, is_text = encode(data, "data")
    options = options_of(content, is_text, interesting, name, Run(on_event, stop))
    options.take_trees(language, grammar, start)
    options.take_limits(1, max_tests)
    c = ffi.new("pare_explanation *")
    try:
        return explain_sized(options, options.c, content, c)
    finally:
        lib.pare_explanation_done(c)


def readable(data: AnyStr, original: AnyStr, interesting: Callable[[AnyStr], Answer], *,
             name: Optional[str] = None, language: Optional[str] = None, grammar: Grammar = None,
             start: Optional[str] = None, on_event: Optional[Watcher] = None,
             stop: Optional[Stop] = None) -> Optional[AnyStr]:
    """A result laid out by the lines and blanks that its tokens had in the original; None where that does
    not fail any more.  At most three tests.

        >>> import pare
        >>> print(pare.readable("f(1);g(2)", "h();\\nf( 1 );\\ni();\\ng( 2 )\\n", lambda text: "1" in text))
        f( 1 );
        g( 2 )
    """
    content, is_text = encode(data, "data")
    before, before_is_text = encode(original, "original")
    if is_text != before_is_text:
        raise TypeError("data and original are both str or both bytes")
    options = options_of(content, is_text, interesting, name, Run(on_event, stop))
    options.take_trees(language, grammar, start)
    options.take_limits(1)
    c = ffi.new("pare_readable *")
    try:
        text: Any = readable_sized(options, options.c, before, c)
        return text.decode("utf-8") if is_text and text is not None else text
    finally:
        lib.pare_readable_done(c)
