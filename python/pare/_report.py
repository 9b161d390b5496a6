"""What follows a reduction: its explanation, its result laid out, and the page about all of it."""
from __future__ import annotations

import dataclasses
import os
from typing import Any, Callable, Optional

from pare._explain import explain_sized, readable_sized
from pare._options import Memory, Options, Path, Words, words_of
from pare._pare import ffi, lib
from pare._results import Result
from pare._run import Run


def name_of(test: Any) -> Optional[str]:
    """What a reader calls the test."""
    if isinstance(test, str):
        return test
    if callable(test):
        return f"Python: {getattr(test, '__qualname__', None) or type(test).__qualname__}"
    return None


def write_page(path: Path, page: Any, c_result: Any, run: Run) -> None:
    """Writes the page beside `path` and renames it, so that nobody sees half of one."""
    report = ffi.new("pare_page_made *")
    status = lib.pare_page_make_sized(page, ffi.sizeof("pare_page_options"), c_result, report,
                                        run.err)
    try:
        run.finish(status, None)
        beside = f"{os.path.realpath(path)}.{os.getpid()}.tmp"
        try:
            with open(beside, "wb") as file:
                file.write(ffi.buffer(report.html, report.size_bytes))
            os.replace(beside, os.path.realpath(path))
        except OSError:
            if os.path.exists(beside):
                os.unlink(beside)
            raise
    finally:
        lib.pare_page_made_done(report)


def check_page(path: Optional[Path]) -> None:
    """Says before the run what would make the writing fail."""
    if path is None:
        return
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise IsADirectoryError(f"the report '{os.fspath(path)}' is a folder")
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"no folder '{folder}' for the report")


class Wanted:
    """What a call of `reduce` wants beside the result; `original` is set where there is any."""

    def __init__(self, explain: bool, report: Optional[Path], name: Optional[str],
                 output: Optional[Path], algorithm: Words, test: Any) -> None:
        check_page(report)
        self.explain = explain
        self.report = report
        self.name = name
        self.output = output
        self.algorithm = ",".join(words_of(algorithm)) or None
        self.test = name_of(test)
        self.original = b""

    def refuse(self, what: str) -> None:
        """Of an input that is not one text."""
        if self.explain or self.report:
            raise ValueError(f"explain and report are about one text, not about that of {what}; "
                             "'pare reduce --report' makes pages of folders")

    def of(self, options: Options, c_result: Any, best: Result[Any],
           decode: Callable[[bytes], Any]) -> Result[Any]:
        """The result with all of it.  A run that was interrupted is not explained any more."""
        explanation = ffi.new("pare_explanation *")
        readable = ffi.new("pare_readable *")
        memory = Memory()
        run = options.run
        run.on_event = None  # it was told of the reduction, which is over
        try:
            if self.explain and best.stopped.name != "INTERRUPTED":
                best = self.explained(options, c_result, best, decode, explanation, readable)
            if self.report is not None:
                page = ffi.new("pare_page_options *")
                page.name = memory.text(self.name)
                page.original = memory.data(self.original)
                page.original_bytes = len(self.original)
                page.output_path = memory.text(self.output)
                page.test = memory.text(self.test)
                page.algorithm = memory.text(self.algorithm)
                page.explanation = explanation if best.explanation else ffi.NULL
                page.readable = readable if best.explanation else ffi.NULL
                write_page(self.report, page, c_result, run)
            return best
        except Exception as error:
            try:
                error.best = best  # type: ignore[attr-defined]
            except AttributeError:  # a class with __slots__
                pass
            raise
        finally:
            lib.pare_readable_done(readable)
            lib.pare_explanation_done(explanation)

    def explained(self, options: Options, c_result: Any, best: Result[Any],
                  decode: Callable[[bytes], Any], explanation: Any, readable: Any) -> Result[Any]:
        """By the same test and trees; nothing is written."""
        own = ffi.new("pare_reduce_options *", options.c[0])
        own.input = ffi.new("pare_input_options *")[0]
        own.input.bytes = c_result.bytes
        own.input.size_bytes = c_result.size_bytes
        own.input.name = options.text(self.name)
        own.output = ffi.new("pare_output_options *")[0]
        jobs = own.limits.jobs
        own.limits = ffi.new("pare_limit_options *")[0]
        own.limits.jobs = jobs
        content = ffi.buffer(c_result.bytes, c_result.size_bytes)[:]
        told = explain_sized(options, own, content, explanation)
        laid_out = readable_sized(options, own, self.original, readable)
        return dataclasses.replace(best, explanation=told,
                                   readable=None if laid_out is None else decode(laid_out))
