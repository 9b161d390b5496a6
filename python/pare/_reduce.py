"""pare.reduce and pare.reduce_file: over pare_reduce."""
from __future__ import annotations

import os
from typing import Any, AnyStr, Callable, List, Optional, Sequence, Union

from pare._options import (Grammar, Keep, Lists, Options, Path, Safety, Trees, Words, Workers,
                           milliseconds, paths_of, switch_of, words_of)
from pare._pare import ffi, lib
from pare._report import Wanted
from pare._results import Result, bytes_of, has_best, reported_of, result_of
from pare._run import Answer, Run, Stop, Watcher, encode, test_of
from pare._strategy import Algorithm, take_strategy

BytesTest = Callable[[bytes], Answer]


def run_reduce(options: Options, decode: Callable[[bytes], Any], wanted: Wanted) -> Result[Any]:
    """Runs, raises what has to be raised, explains and reports, and hands over the best."""
    run = options.run
    c_result = ffi.new("pare_result *")
    try:
        status = lib.pare_reduce_sized(options.c, options.size, c_result, run.err)
        best = None
        if status == lib.PARE_OK or has_best(c_result):
            data = bytes_of(c_result.bytes, c_result.size_bytes)
            best = result_of(c_result, decode(data) if c_result.bytes else None)
        run.finish(status, best)
        assert best is not None
        return wanted.of(options, c_result, best, decode)
    except Exception as error:
        for problem in reported_of(c_result):
            if hasattr(error, "add_note"):
                error.add_note("the program reports: " + problem)
        raise
    finally:
        lib.pare_result_done(c_result)


def reduce(data: AnyStr, interesting: Callable[[AnyStr], Answer], *,
           name: Optional[str] = None, algorithm: Words = None, units: Words = None,
           effort: str = "normal", lists: Optional[Lists] = None, trees: Optional[Trees] = None,
           strategy: Union[Algorithm, str, None] = None, language: Optional[str] = None,
           grammar: Grammar = None, start: Optional[str] = None,
           islands: Words = None, protect: Words = None, jobs: int = 1, max_tests: int = 0,
           max_time_s: Optional[float] = None, target_size: Optional[int] = None,
           cache: Optional[bool] = None, deterministic: Optional[bool] = None,
           output: Optional[Path] = None, journal: Optional[Path] = None,
           history: Optional[bool] = None, from_step: int = 0,
           coverage: Optional[bool] = None, semantic: Optional[bool] = None,
           explain: bool = False, report: Optional[Path] = None,
           on_event: Optional[Watcher] = None, stop: Optional[Stop] = None) -> Result[AnyStr]:
    """The smallest text, or bytes, for which `interesting` still returns True.

    `interesting` gets a candidate of the type of `data` and returns whether the failure is still
    there: True or False, or an Outcome.  It has to hold for `data`.  With `jobs` above 1 it is
    called by several threads at once, each with the interpreter's lock: that pays where it waits,
    for a process or a file, and not for plain Python.

    name: of the file that this would be, such as "crash.json"; its suffix says the language.
    algorithm, units: names, see `algorithms()`; default: all that helps.  lists, trees: their knobs.
    strategy: an algorithm of one's own, see Strategy; or a command line of one, or "lua:FILE".
    language: one that was added, or "none"; grammar: as for `generate`, with `start`.
    protect: regular expressions of text that stays.
    max_tests, max_time_s, target_size: when to end before nothing more is found.
    output: a file that has the best at any moment; journal: a folder from which the same call goes
    on when the process was killed.
    history: True keeps each best, for `History(output)`, in the journal, by default output + ".pare";
    from_step: a step of it, from which this call goes on, as Stop.go_from has a run do.
    coverage, semantic: False leaves out what an interpreter, or libclang, says of a script or a C file.
    explain: True says of the result what of it is needed, in at most 300 further tests, as
    `Result.explanation`, and lays it out as the input was, as `Result.readable`.
    report: a file for a page about all of it, in HTML.
    on_event: called with an Event for each test of the reduction and more.

    An exception in `interesting` or `on_event` ends the run and is raised, with the best so far as
    its attribute `best`.  Ctrl-C ends the run, which returns its best (`stopped` is INTERRUPTED).

    Raises StateError when `data` is not interesting, ArgumentError for options.

        >>> import pare
        >>> pare.reduce("one (two) three", lambda text: "(" in text and ")" in text).data
        '()'
    """
    wanted = Wanted(explain, report, name, output, algorithm, interesting)
    content, is_text = encode(data, "data")
    run = Run(on_event, stop)
    options = Options(run)
    options.take_bytes(content, name)
    run.test = test_of(interesting, is_text)
    options.c.test.predicate = lib.pare_python_test
    options.c.test.context = run.handle
    options.take_algorithms(algorithm, units, effort)
    options.take_knobs(lists, trees)
    take_strategy(options, strategy)
    options.take_trees(language, grammar, start, islands)
    options.put(options.c.input, "protect", words_of(protect))
    options.take_limits(jobs, max_tests, max_time_s, target_size, cache, deterministic, coverage,
                        semantic)
    options.take_output(output, journal, history, from_step)
    wanted.original = content
    return run_reduce(options, lambda best: best.decode("utf-8") if is_text else best, wanted)


def reduce_file(path: Union[Path, Sequence[Path]],
                test: Union[str, Sequence[str], BytesTest], *,
                output: Optional[Path] = None, keep: Optional[Keep] = None,
                safety: Optional[Safety] = None, timeout_s: Optional[float] = None,
                worker: bool = False, journal: Optional[Path] = None,
                algorithm: Words = None, units: Words = None, effort: str = "normal",
                lists: Optional[Lists] = None, trees: Optional[Trees] = None,
                strategy: Union[Algorithm, str, None] = None, language: Optional[str] = None,
                grammar: Grammar = None, start: Optional[str] = None, islands: Words = None,
                protect: Words = None, keep_files: Words = None, only_files: Words = None,
                jobs: int = 0, max_tests: int = 0, max_time_s: Optional[float] = None,
                target_size: Optional[int] = None, cache: Optional[bool] = None,
                deterministic: Optional[bool] = None,
                history: Optional[bool] = None, from_step: int = 0,
                keep_printed: Optional[bool] = None, in_place: bool = False,
                workers: Optional[Workers] = None, environment: Sequence[str] = (),
                generator: Optional[str] = None, reduce_arguments: bool = False,
                reduce_environment: bool = False, coverage: Optional[bool] = None,
                semantic: Optional[bool] = None, explain: bool = False,
                report: Optional[Path] = None, on_event: Optional[Watcher] = None,
                stop: Optional[Stop] = None) -> Result[Optional[bytes]]:
    """Reduces a file, a folder, or several of them, by a command, a program or a function.

    `test` is one of
      a str       a test command, as for `pare reduce`: exits with 0 while the failure is there
                  (with `worker`, a process that is told of candidates in lines)
      words       a program that fails, "@@" is the candidate's path; what its failure is says
                  `keep`, else it is learnt
      a function  of the candidate's bytes, for a single file

    The result is written to `output`, where one is given; the input stays as it is, unless `in_place`
    has the result take its place, and it be called INPUT.orig.  With `jobs` 0 a command is run on all
    cores, and with `workers` on other machines, too.  `environment` ("NAME=VALUE") is that of tests.

    keep_printed: True runs the result once more, for `printed`.  generator: a command whose choices the
    input is, see docs/guide/choices.md.  reduce_arguments, reduce_environment: of the words of a
    program.  explain, report: of one file.  The other options are those of `reduce`.

        >>> import pathlib, pare
        >>> _ = pathlib.Path("names.txt").write_text("ann, bob, eve, joe")
        >>> pare.reduce_file("names.txt", lambda data: b"eve" in data).data
        b'eve'
    """
    run = Run(on_event, stop)
    options = Options(run)
    paths: List[str] = paths_of(path)
    name = os.path.basename(paths[0]) if len(paths) == 1 else None
    wanted = Wanted(explain, report, name, output, algorithm, test)
    if not os.path.isfile(paths[0]) or len(paths) > 1:
        wanted.refuse("a folder or of several files")
    elif generator:
        wanted.refuse("choices")
    elif explain or report:
        with open(paths[0], "rb") as file:
            wanted.original = file.read()
    if len(paths) == 1 and not os.path.isdir(paths[0]) and not in_place:
        options.c.input.path = options.text(paths[0])
    else:
        options.put(options.c.input, "paths", paths)
    if callable(test):
        run.test = test_of(test, False)
        options.c.test.predicate = lib.pare_python_test
        options.c.test.context = run.handle
    elif isinstance(test, str):
        setattr(options.c.test, "worker" if worker else "command", options.text(test))
    else:
        options.put(options.c.test, "program", list(test))
    options.c.test.timeout_ms = milliseconds(timeout_s)
    options.take_safety(safety or Safety())
    options.take_keep(keep or Keep())
    options.take_algorithms(algorithm, units, effort)
    options.take_knobs(lists, trees)
    take_strategy(options, strategy)
    options.take_trees(language, grammar, start, islands)
    options.put(options.c.input, "protect", words_of(protect))
    options.put(options.c.input, "keep_files", words_of(keep_files))
    options.put(options.c.input, "only_files", words_of(only_files))
    options.take_limits(jobs, max_tests, max_time_s, target_size, cache, deterministic, coverage,
                        semantic)
    options.take_output(output, journal, history, from_step, keep_printed)
    options.c.output.in_place = switch_of(in_place or None)
    options.take_workers(workers)
    options.put(options.c.test, "environment", environment)
    options.c.input.generator = options.text(generator)
    options.c.input.reduce_arguments = switch_of(reduce_arguments or None)
    options.c.input.reduce_environment = switch_of(reduce_environment or None)
    return run_reduce(options, lambda best: best, wanted)
