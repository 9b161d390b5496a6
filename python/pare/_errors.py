"""A status of the library as an exception: one class for each, with the library's sentence."""
from __future__ import annotations

from typing import Any, Dict, Optional, Type

from pare._pare import ffi, lib


class Error(Exception):
    """What the library says went wrong with the run itself; never what the tested program did.

    `best` is the pare.Result of what was found before, where there is one.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, byte: int = 0) -> None:
        super().__init__(message)
        self.line = line  # where in the file that the message names; 0: no place
        self.column = column
        self.byte = byte
        self.best: Optional[Any] = None


class ArgumentError(Error, ValueError):
    """An option is out of its documented range."""


class InputOutputError(Error, OSError):
    """The operating system refused, or the test cannot be run."""


class SyntaxProblem(Error, ValueError):
    """Outside text, such as a grammar, is not what it should be; see `line`."""


class LimitError(Error):
    """Something is larger than pare can take."""


class StateError(Error):
    """Not possible now: above all, the input does not fail."""


class InterruptedRun(Error):
    """A stop was requested before there was a result."""


class UnsupportedError(Error, NotImplementedError):
    """Not possible on this system or in this build."""


class CorruptError(Error):
    """A file of pare's own is damaged."""


class BusyError(Error):
    """Another process has it; try again when that has ended."""


_CLASSES: Dict[int, Type[Error]] = {
    lib.PARE_E_ARG: ArgumentError,
    lib.PARE_E_IO: InputOutputError,
    lib.PARE_E_SYNTAX: SyntaxProblem,
    lib.PARE_E_LIMIT: LimitError,
    lib.PARE_E_INTERRUPTED: InterruptedRun,
    lib.PARE_E_STATE: StateError,
    lib.PARE_E_UNSUPPORTED: UnsupportedError,
    lib.PARE_E_CORRUPT: CorruptError,
    lib.PARE_E_BUSY: BusyError,
}


def text_of(pointer: Any) -> Optional[str]:
    """A C string that may be NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else None


def exception_of(status: int, err: Any) -> BaseException:
    """What is raised for a status other than PARE_OK."""
    if status == lib.PARE_E_NOMEM:
        return MemoryError("libpare could not have memory")
    message = text_of(err.message) or text_of(lib.pare_status_name(status)) or "?"
    kind = _CLASSES.get(status, Error)
    error = kind(message, err.line, err.column, err.byte)
    if isinstance(error, OSError) and err.os_errno:
        error.errno = err.os_errno
    return error


def check(status: int, err: Any) -> None:
    """Raises for a status other than PARE_OK."""
    if status != lib.PARE_OK:
        raise exception_of(status, err)
