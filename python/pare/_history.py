"""pare.History: over <pare/history.h>."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Optional

from pare._errors import check, text_of
from pare._options import Memory, Path
from pare._pare import ffi, lib
from pare._results import plain


@dataclass(frozen=True)
class Step:
    """A best on the way from the input, step 0, to the result."""

    n: int
    parent: int  # the step that it was made of, as a rule the one before
    test: int  # number of the test that found it
    seconds: float
    size_bytes: int
    phase: Optional[str]
    has_left_out: bool  # there were others before it, which the file had no room for


class History:
    """The bests of a reduction with `history=True`, by the path of its result, or of its journal.

        >>> import os, pare, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> small = os.path.join(folder.name, "small.txt")
        >>> result = pare.reduce("xxxx(yyy)zz", lambda text: "(" in text, output=small, history=True)
        >>> history = pare.History(small)
        >>> history.text(0), history.text(-1), len(history) == len(list(history))
        (b'xxxx(yyy)zz', b'(', True)
        >>> folder.cleanup()
    """

    def __init__(self, path: Path) -> None:
        out = ffi.new("pare_history **")
        self._err = ffi.new("pare_error *")
        check(lib.pare_history_open(Memory().text(path), out, self._err), self._err)
        self._pointer = ffi.gc(out[0], lib.pare_history_close)

    def __len__(self) -> int:
        return int(lib.pare_history_steps(self._pointer))

    def _number(self, n: int) -> int:
        """As of a list: from the end where it is negative."""
        if not -len(self) <= n < len(self):
            raise IndexError(f"there is no step {n}: there are {len(self)}")
        return n % len(self)

    def __getitem__(self, n: int) -> Step:
        step = ffi.new("pare_history_step *")
        number = self._number(n)
        lib.pare_history_step_at(self._pointer, number, step)
        return plain(Step, step, n=number, parent=getattr(step, "from"))

    def __iter__(self) -> Iterator[Step]:
        return (self[n] for n in range(len(self)))

    @property
    def damage(self) -> Optional[str]:
        """What of the file cannot be read; None: all of it can."""
        return text_of(lib.pare_history_damage(self._pointer))

    def _bytes(self, call: Any, *numbers: int) -> bytes:
        data, size = ffi.new("char **"), ffi.new("size_t *")
        check(call(self._pointer, *numbers, ffi.cast("const char **", data), size, self._err),
              self._err)
        return ffi.buffer(data[0], size[0])[:] if size[0] else b""

    def text(self, n: int) -> bytes:
        """The bytes of a step; of several files each after a line with its name."""
        return self._bytes(lib.pare_history_text, self._number(n))

    def diff(self, n: int, m: int) -> str:
        """What leads from step n to step m, as `diff -u` prints it."""
        return self._bytes(lib.pare_history_diff, self._number(n),
                           self._number(m)).decode("utf-8", "replace")

    def restore(self, n: int, path: Path) -> None:
        """Writes a step to a path at which nothing may be."""
        check(lib.pare_history_restore(self._pointer, self._number(n), Memory().text(path), self._err),
              self._err)
