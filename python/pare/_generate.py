"""pare.generate: over pare_generate, and pare_guide_generate where coverage guides it."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Hashable, Iterable, List, Optional, Union

from pare._errors import text_of
from pare._explain import Explanation
from pare._options import Grammar, Memory, Path, Paths, paths_of
from pare._pare import ffi, lib
from pare._results import plain
from pare._run import Run


@dataclass(frozen=True)
class GenerateStats:
    """What came of a generation."""

    n: int
    n_repeated: int
    n_unmade: int
    n_refused: int
    n_alternatives: int
    n_covered: int
    exhausted: bool
    reason: str


class Texts(List[str]):
    """The texts that were made, and `stats`.  Bytes that are not UTF-8, which only fuzzers without a
    grammar make, are lone surrogates: `text.encode("utf-8", "surrogateescape")` has them back.

    With `coverage`: `members`, what has joined the population, and `n_reached`, how many things its texts
    have reached; `n_reduction_runs`, of the function, beside one for each text."""

    stats: GenerateStats
    members: List[str]
    n_reached: int = 0
    n_reduction_runs: int = 0


# Runs the program on a text and returns what it has reached, any hashables; None: it failed.
Coverage = Callable[[str], Optional[Iterable[Hashable]]]


def lines_of(reached: Optional[Iterable[Hashable]]) -> Optional[bytes]:
    """What the library takes: one thing a line."""
    if reached is None:
        return None
    return "".join(f"{ascii(thing)}\n" for thing in reached).encode("ascii")


def generate(grammar: Grammar = None, n: int = 1, *, language: Optional[str] = None,
             start: Optional[str] = None, seed: int = 0, max_depth: int = 0, max_tokens: int = 0,
             cooldown: float = 0.0, unusual: float = 0.0, fuzzer: Optional[str] = None,
             model: Optional[Path] = None, hooks: Optional[Path] = None,
             population: Paths = None, repeats: bool = False, jobs: int = 0,
             random: Optional[str] = None, weights: Optional[Path] = None,
             min_mutations: int = 0, max_mutations: int = 0,
             min_length: int = 0, max_length: int = 0,
             coverage: Optional[Coverage] = None, reduce_members: bool = False,
             pattern: Union[Explanation, Path, None] = None, one: bool = False) -> Texts:
    """Makes `n` different texts by a grammar; the same seed makes the same texts.

    `grammar` is a path of an ANTLR v4 grammar (several: with its lexer), or a grammar of The Fuzzing
    Book: a path that ends in .json, or the dict itself.  Or `language` is one that was added.  For
    the rest see pare-generate(1).  `repeats` lets a text be made again; `random="python"` takes the
    numbers of Python's own generator.

    With `coverage` texts are mutations of a population that grows by what they reach, of which
    `population` is the beginning (docs/guide/guided.md): the function runs the program under test on a
    text and returns what was reached, such as numbers of lines, or None where the program fails.
    `reduce_members` reduces what joins.

    With `pattern`, an explanation or a file of what `pare explain --json` printed, texts are those that
    are to fail as the explained one does: all that may vary at once is made anew, with `one` a single
    part of each text.  `n` and `seed` go with it.

        >>> import pare
        >>> grammar = {"<start>": ["<sum>"], "<sum>": ["<digit>", "<sum>+<digit>"],
        ...            "<digit>": list("0123456789")}
        >>> texts = pare.generate(grammar, 5, seed=1)
        >>> len(texts), all(eval(text) >= 0 for text in texts)
        (5, True)
    """
    memory = Memory()
    c = ffi.new("pare_generate_options *")
    run = Run()
    texts = Texts()
    run.take = lambda text: texts.append(text.decode("utf-8", "surrogateescape"))
    numbers: Dict[str, Any] = {
        "n": n, "seed": seed, "max_depth": max_depth, "max_tokens": max_tokens,
        "cooldown": cooldown, "unusual": unusual, "repeats": repeats, "jobs": jobs,
        "min_mutations": min_mutations, "max_mutations": max_mutations,
        "min_length": min_length, "max_length": max_length,
        "struct_bytes": ffi.sizeof("pare_generate_options")}
    for member, value in numbers.items():
        setattr(c, member, value)
    for member, path in {"language": language, "start": start, "fuzzer": fuzzer, "model": model,
                         "hooks": hooks, "random": random, "weights": weights}.items():
        setattr(c, member, memory.text(path))
    memory.put(c, "population", paths_of(population))
    memory.put_grammars(c, grammar)
    if pattern is not None:
        if any((grammar, language, fuzzer, population, coverage)):
            raise ValueError("a pattern says of itself what texts are made of: leave out grammar, "
                             "language, fuzzer, population and coverage")
        vary(pattern, one, c, run, memory)
        texts.stats = plain(GenerateStats, ffi.new("pare_generated *"), n=len(texts), reason="")
        return texts
    if one:
        raise ValueError("one part of a pattern is varied: one needs pattern")
    if coverage is not None:
        guide(c, coverage, reduce_members, run, texts)
        return texts
    if reduce_members:
        raise ValueError("members are reduced while they reach the same: reduce_members needs coverage")
    generated = ffi.new("pare_generated *")
    status = lib.pare_generate_sized(c, ffi.sizeof("pare_generate_options"),
                                     lib.pare_python_take_text, run.handle, generated, run.err)
    run.finish(status, None)
    texts.stats = plain(GenerateStats, generated, reason=text_of(generated.reason) or "")
    return texts


def vary(pattern: Union[Explanation, Path], one: bool, c: Any, run: Run, memory: Memory) -> None:
    """Over pare_failure_pattern_generate."""
    options = ffi.new("pare_failure_pattern_options *")
    if isinstance(pattern, Explanation):
        pattern = memory.file(pattern.as_json())
    options.path = memory.text(pattern)
    options.n = c.n
    options.seed = c.seed
    options.one = one
    status = lib.pare_failure_pattern_generate_sized(
        options, ffi.sizeof("pare_failure_pattern_options"), lib.pare_python_take_text, run.handle,
        run.err)
    run.finish(status, None)


def guide(c: Any, coverage: Coverage, reduce_members: bool, run: Run, texts: Texts) -> None:
    """Over pare_guide_generate."""
    options = ffi.new("pare_guide_options *")
    guided = ffi.new("pare_guided *")
    texts.members = []
    run.take_member = lambda text: texts.members.append(text.decode("utf-8", "surrogateescape"))
    run.reach = lambda text: lines_of(coverage(text.decode("utf-8", "surrogateescape")))
    options.generate = c
    options.run = lib.pare_python_reach
    options.joined = lib.pare_python_take_member
    options.context = options.joined_context = run.handle
    options.reduce_members = reduce_members
    options.stop = run.stop._pointer
    status = lib.pare_guide_generate_sized(options, ffi.sizeof("pare_guide_options"),
                                           lib.pare_python_take_text, run.handle, guided, run.err)
    run.finish(status, None)
    generated = guided.generated
    texts.stats = plain(GenerateStats, generated, reason=text_of(generated.reason) or "")
    texts.n_reached = guided.n_reached
    texts.n_reduction_runs = guided.n_reduction_runs
