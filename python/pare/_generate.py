"""pare.generate: over pare_generate."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from pare._errors import text_of
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
    grammar make, are lone surrogates: `text.encode("utf-8", "surrogateescape")` has them back."""

    stats: GenerateStats


def generate(grammar: Grammar = None, n: int = 1, *, language: Optional[str] = None,
             start: Optional[str] = None, seed: int = 0, max_depth: int = 0, max_tokens: int = 0,
             cooldown: float = 0.0, unusual: float = 0.0, fuzzer: Optional[str] = None,
             model: Optional[Path] = None, hooks: Optional[Path] = None,
             population: Paths = None, repeats: bool = False, jobs: int = 0,
             random: Optional[str] = None) -> Texts:
    """Makes `n` different texts by a grammar; the same seed makes the same texts.

    `grammar` is a path of an ANTLR v4 grammar (several: with its lexer), or a grammar of The Fuzzing
    Book: a path that ends in .json, or the dict itself.  Or `language` is one that was added.  For
    the rest see pare-generate(1).  `repeats` lets a text be made again; `random="python"` takes the
    numbers of Python's own generator.

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
        "cooldown": cooldown, "unusual": unusual, "repeats": repeats, "jobs": jobs}
    for member, value in numbers.items():
        setattr(c, member, value)
    for member, path in {"language": language, "start": start, "fuzzer": fuzzer, "model": model,
                         "hooks": hooks, "random": random}.items():
        setattr(c, member, memory.text(path))
    memory.put(c, "population", paths_of(population))
    generated = ffi.new("pare_generated *")
    memory.put_grammars(c, grammar)
    status = lib.pare_generate_sized(c, ffi.sizeof("pare_generate_options"),
                                     lib.pare_python_take_text, run.handle, generated, run.err)
    run.finish(status, None)
    texts.stats = plain(GenerateStats, generated, reason=text_of(generated.reason) or "")
    return texts
