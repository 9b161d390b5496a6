"""pare.learn: over pare_learn."""
from __future__ import annotations

from typing import Optional

from pare._options import Grammar, Memory, Paths, paths_of
from pare._pare import ffi, lib
from pare._run import Run


def learn(paths: Paths, grammar: Grammar = None, *, language: Optional[str] = None,
          start: Optional[str] = None, max_leaves: int = 0) -> str:
    """How files are made, counted along their trees: JSON for the file that `generate(model=...)` reads.

    `paths` are files, and folders of them; `grammar` or `language` as for `generate`.  `max_leaves` is how
    many texts are kept of each token, by default 256.

        >>> import pathlib, pare
        >>> _ = pathlib.Path("sums.txt").write_text("7+7+7")
        >>> grammar = {"<start>": ["<n>", "<start>+<n>"], "<n>": ["1", "7"]}
        >>> _ = pathlib.Path("model.json").write_text(pare.learn("sums.txt", grammar))
        >>> texts = pare.generate(grammar, 20, seed=1, model="model.json", repeats=True)
        >>> any("1" in text for text in texts)
        False
    """
    memory = Memory()
    c = ffi.new("pare_learn_options *")
    learned = ffi.new("pare_learned *")
    run = Run()
    memory.put(c, "paths", paths_of(paths))
    memory.put_grammars(c, grammar)
    c.language = memory.text(language)
    c.start = memory.text(start)
    c.max_leaves = max_leaves
    try:
        status = lib.pare_learn_sized(c, ffi.sizeof("pare_learn_options"), learned, run.err)
        run.finish(status, None)
        return ffi.buffer(learned.model, learned.size_bytes)[:].decode("utf-8")
    finally:
        lib.pare_learned_done(learned)
