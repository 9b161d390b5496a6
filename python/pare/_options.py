"""Keyword arguments as the library's struct of options.

A cffi struct does not keep what it points to, so Options holds every text and array until the call
has returned."""
from __future__ import annotations

import json
import os
import tempfile
import weakref
from dataclasses import dataclass
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Union

from pare._pare import ffi, lib
from pare._run import Run

Path = Union[str, "os.PathLike[str]"]
Words = Union[str, Sequence[str], None]
Paths = Union[Path, Sequence[Path], None]
# Paths of ANTLR v4 grammars, or a grammar of The Fuzzing Book: its path (.json), or the dict.
Grammar = Union[Paths, Mapping[str, Sequence[Any]]]

EFFORTS = {"normal": lib.PARE_EFFORT_NORMAL, "fast": lib.PARE_EFFORT_FAST,
           "max": lib.PARE_EFFORT_MAX}
LEVELS = {"message": lib.PARE_KEEP_MESSAGE, "kind": lib.PARE_KEEP_KIND,
          "exact": lib.PARE_KEEP_EXACT, "line": lib.PARE_KEEP_LINE}
SANDBOXES = {None: lib.PARE_SANDBOX_DEFAULT, "off": lib.PARE_SANDBOX_OFF,
             "devices": lib.PARE_SANDBOX_DEVICES, "full": lib.PARE_SANDBOX_FULL}
STREAMS = {"stdout": lib.PARE_STREAM_STDOUT, "stderr": lib.PARE_STREAM_STDERR,
           "output": lib.PARE_STREAM_OUTPUT, "no-output": lib.PARE_STREAM_NO_OUTPUT}


@dataclass(frozen=True)
class Keep:
    """What the failure of a program is; with nothing named, it is learnt from its first runs.

    exit_code: 0 .. 255, or "nonzero"; signal: "SIGSEGV"; stdout, stderr, output: regular
    expressions that match what is printed, no_output: one that matches neither; hang_s: it does not
    end within this time; differs, valid: commands, see pare-reduce(1).  signature_path: a file that is
    read where it exists, else written; ignore_frames, ignore_lines: regular expressions of frames and
    lines that say nothing of a failure that is learnt.
    """

    exit_code: Union[int, str, None] = None
    signal: Optional[str] = None
    stdout: Words = None
    stderr: Words = None
    output: Words = None
    no_output: Words = None
    hang_s: Optional[float] = None
    max_rss_bytes: int = 0
    differs: Optional[str] = None
    valid: Optional[str] = None
    level: str = "message"
    message: Optional[str] = None
    signature: Optional[str] = None
    signature_path: Optional[Path] = None
    allow_new_errors: bool = False
    ignore_frames: Words = None
    ignore_lines: Words = None


@dataclass(frozen=True)
class Safety:
    """What a command or a program under test may see and use; pare-reduce(1), SAFETY."""

    sandbox: Optional[str] = None  # "off", "devices", "full"
    network: Optional[bool] = None
    writable: Sequence[str] = ()
    memory_bytes: int = 0
    cpu_s: int = 0
    processes: int = 0


@dataclass(frozen=True)
class Workers:
    """Other machines that run tests of a command or a program, too; pare-worker(1).

    url: of a NATS server with JetStream; credentials: a file that says who one is; with_files: what
    the test needs, which travels with it; is_optional: without the server tests run here.
    """

    url: str
    credentials: Optional[Path] = None
    insecure: bool = False
    is_optional: bool = False
    with_files: Paths = None


SUBSETS = {None: lib.PARE_SUBSETS_DEFAULT, "first": lib.PARE_SUBSETS_FIRST,
           "last": lib.PARE_SUBSETS_LAST, "skip": lib.PARE_SUBSETS_SKIP}
ORDERS = {None: lib.PARE_ORDER_DEFAULT, "forward": lib.PARE_ORDER_FORWARD,
          "backward": lib.PARE_ORDER_BACKWARD, "random": lib.PARE_ORDER_RANDOM}
SPLITS = {None: lib.PARE_SPLIT_DEFAULT, "zeller": lib.PARE_SPLIT_ZELLER,
          "balanced": lib.PARE_SPLIT_BALANCED}
FIXPOINTS = {None: lib.PARE_FIXPOINT_DEFAULT, True: lib.PARE_FIXPOINT_ON,
             False: lib.PARE_FIXPOINT_OFF}
TRAVERSALS = {None: lib.PARE_TRAVERSAL_DEFAULT, "last-forward": lib.PARE_TRAVERSAL_LAST_FORWARD,
              "last-backward": lib.PARE_TRAVERSAL_LAST_BACKWARD,
              "first-forward": lib.PARE_TRAVERSAL_FIRST_FORWARD,
              "first-backward": lib.PARE_TRAVERSAL_FIRST_BACKWARD}
SEARCHES = {None: lib.PARE_SEARCH_DEFAULT, "depth": lib.PARE_SEARCH_DEPTH,
            "all": lib.PARE_SEARCH_ALL, "breadth": lib.PARE_SEARCH_BREADTH}
COMBINATIONS = {None: lib.PARE_COMBINATIONS_DEFAULT, "first": lib.PARE_COMBINATIONS_FIRST,
                "all": lib.PARE_COMBINATIONS_ALL}


@dataclass(frozen=True)
class Lists:
    """The knobs of the algorithms of lists; None is "as the algorithm defines it".

    subsets: "first", "last", "skip"; order: "forward", "backward", "random" (by `seed`); split:
    "zeller", "balanced"; granularity: parts at first, 2 or more, or "inf".
    """

    subsets: Optional[str] = None
    order: Optional[str] = None
    split: Optional[str] = None
    fixpoint: Optional[bool] = None
    granularity: Union[int, str] = 0
    seed: int = 0


@dataclass(frozen=True)
class Trees:
    """The knobs of the algorithms of trees; None is "as the algorithm defines it".

    transforms: some of "remove-empty", "flatten", "squeeze", "hide", "skip-space", or "none"; list:
    the list algorithm for lists of nodes; phases: of hdd and hddr, each a list of steps ("prune",
    "coarse", "hoist", "delete", "child"); traversal: of hddr; search ("depth", "all"; "breadth" of
    perses), combinations ("first", "all"): of grabr; corpus: of gtr, paths; tree: a file with the tree of
    the input in JSON, in the place of a grammar or a language, see docs/guide/own-tree.md.
    """

    transforms: Words = None
    list: Optional[str] = None
    phases: Sequence[Words] = ()
    traversal: Optional[str] = None
    search: Optional[str] = None
    combinations: Optional[str] = None
    corpus: Paths = None
    tree: Optional[Path] = None


def choose(table: Mapping[Any, int], word: Any, what: str) -> int:
    if word not in table:
        known = ", ".join(repr(key) for key in table)
        raise ValueError(f"{what} is one of {known}, not {word!r}")
    return table[word]


def switch_of(value: Optional[bool]) -> int:
    return int(lib.PARE_DEFAULT if value is None else lib.PARE_ON if value else lib.PARE_OFF)


def words_of(words: Words) -> List[str]:
    return [] if words is None else [words] if isinstance(words, str) else list(words)


def paths_of(paths: Paths) -> List[str]:
    if paths is None:
        return []
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def milliseconds(seconds: Optional[float]) -> int:
    """0 stands for none in the library, so a time above 0 is at least 1 ms."""
    return 0 if not seconds else max(1, round(seconds * 1000))


class Memory:
    """Owns what C structs point to."""

    def __init__(self) -> None:
        self.kept: List[Any] = []

    def text(self, text: Optional[Path]) -> Any:
        """A C string, or NULL for None."""
        if text is None:
            return ffi.NULL
        pointer = ffi.new("char[]", os.fsencode(text))
        self.kept.append(pointer)
        return pointer

    def joined(self, words: Words) -> Any:
        """A comma-separated list, or NULL for none."""
        return self.text(",".join(words_of(words)) or None)

    def data(self, data: bytes) -> Any:
        """Bytes as they lie in the object: no copy, and never NULL."""
        pointer = ffi.from_buffer("char[]", data) if data else ffi.new("char[1]")
        self.kept.append(pointer)
        return pointer

    def put(self, struct: Any, member: str, words: Iterable[Path]) -> None:
        """Sets the array `member` of texts, and its length n_`member`."""
        texts = [self.text(word) for word in words]
        if texts:
            array = ffi.new("const char *[]", texts)
            self.kept.append(array)
            setattr(struct, member, array)
            setattr(struct, "n_" + member, len(texts))

    def file(self, text: str) -> str:
        """The path of a file with this text, as long as this lives."""
        with tempfile.NamedTemporaryFile("w", prefix="pare-", suffix=".json", delete=False) as file:
            weakref.finalize(self, os.unlink, file.name)
            file.write(text)
        return file.name

    def put_grammars(self, struct: Any, grammar: Grammar) -> None:
        """Sets the array `grammars`; a dict is a file as long as this lives."""
        if not isinstance(grammar, Mapping):
            self.put(struct, "grammars", paths_of(grammar))
            return
        self.put(struct, "grammars", [self.file(json.dumps(grammar))])


class Options(Memory):
    """A pare_reduce_options in the making; `c` is the struct."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run
        self.c = ffi.new("pare_reduce_options *")
        self.c.events.watcher = lib.pare_python_watch
        self.c.events.context = run.handle
        self.c.events.stop = run.stop._pointer

    @property
    def size(self) -> int:
        return ffi.sizeof("pare_reduce_options")

    def take_bytes(self, data: bytes, name: Optional[str]) -> None:
        self.c.input.bytes = self.data(data)
        self.c.input.size_bytes = len(data)
        self.c.input.name = self.text(name)

    def take_limits(self, jobs: int = 0, max_tests: int = 0, max_time_s: Optional[float] = None,
                    target_size: Optional[int] = None, cache: Optional[bool] = None,
                    deterministic: Optional[bool] = None, coverage: Optional[bool] = None,
                    semantic: Optional[bool] = None) -> None:
        limits = self.c.limits
        limits.jobs = jobs
        limits.max_tests = max_tests
        limits.max_time_ms = milliseconds(max_time_s)
        limits.use_target = target_size is not None
        limits.target_size_bytes = target_size or 0
        limits.cache = switch_of(cache)
        limits.deterministic = switch_of(deterministic)
        limits.coverage = switch_of(coverage)
        limits.semantic = switch_of(semantic)

    def take_output(self, path: Optional[Path], journal: Optional[Path], history: Optional[bool],
                    from_step: int, keep_printed: Optional[bool] = None) -> None:
        """Where the result goes.  A history lies in the journal's folder, which is OUTPUT.pare where
        none is named, as that of the command line is."""
        output = self.c.output
        if (history or from_step) and journal is None:
            if path is None:
                raise ValueError("a history is beside a result, or in a journal: give output or journal")
            journal = os.fspath(path) + ".pare"
        output.path = self.text(path)
        output.journal_dir = self.text(journal)
        output.history = switch_of(history)
        output.from_step = from_step
        output.keep_printed = switch_of(keep_printed)

    def take_workers(self, workers: Optional[Workers]) -> None:
        if workers is None:
            return
        cluster = ffi.new("pare_cluster_options *")
        self.kept.append(cluster)
        cluster.url = self.text(workers.url)
        cluster.credentials = self.text(workers.credentials)
        cluster.insecure = workers.insecure
        cluster.is_optional = workers.is_optional
        self.put(cluster, "with", paths_of(workers.with_files))
        self.c.test.workers = cluster

    def take_trees(self, language: Optional[str] = None, grammar: Grammar = None,
                   start: Optional[str] = None, islands: Words = None) -> None:
        trees = self.c.trees
        trees.language = self.text(language)
        trees.start_rule = self.text(start)
        self.put_grammars(trees, grammar)
        self.put(trees, "islands", words_of(islands))

    def take_algorithms(self, algorithm: Words = None, units: Words = None,
                        effort: str = "normal") -> None:
        self.c.algorithms = self.joined(algorithm)
        self.c.units = self.joined(units)
        self.c.effort = choose(EFFORTS, effort, "effort")

    def take_knobs(self, lists: Optional[Lists], trees: Optional[Trees]) -> None:
        if lists:
            c_lists = self.c.lists
            c_lists.subsets = choose(SUBSETS, lists.subsets, "subsets")
            c_lists.order = choose(ORDERS, lists.order, "order")
            c_lists.split = choose(SPLITS, lists.split, "split")
            c_lists.fixpoint = choose(FIXPOINTS, lists.fixpoint, "fixpoint")
            c_lists.granularity = lib.PARE_GRANULARITY_INF if lists.granularity == "inf" \
                else int(lists.granularity)
            c_lists.seed = lists.seed
        if trees:
            c_trees = self.c.trees
            c_trees.transforms = self.joined(trees.transforms)
            c_trees.list = self.text(trees.list)
            self.put(c_trees, "phases", [",".join(words_of(phase)) for phase in trees.phases])
            c_trees.traversal = choose(TRAVERSALS, trees.traversal, "traversal")
            c_trees.search = choose(SEARCHES, trees.search, "search")
            c_trees.combinations = choose(COMBINATIONS, trees.combinations, "combinations")
            self.put(c_trees, "corpus", paths_of(trees.corpus))
            c_trees.tree = self.text(trees.tree)

    def take_keep(self, keep: Keep) -> None:
        c_keep = self.c.keep
        c_keep.use_exit_code = keep.exit_code is not None
        if keep.exit_code == "nonzero":
            c_keep.exit_code = lib.PARE_KEEP_NONZERO
        elif keep.exit_code is not None:
            c_keep.exit_code = int(keep.exit_code)
        c_keep.signal = self.text(keep.signal)
        patterns = [(stream, regex) for stream in STREAMS
                    for regex in words_of(getattr(keep, stream.replace("-", "_")))]
        array = ffi.new("pare_keep_pattern[]", len(patterns))
        self.kept.append(array)
        for i, (stream, regex) in enumerate(patterns):
            array[i].stream = STREAMS[stream]
            array[i].regex = self.text(regex)
        c_keep.patterns = array if patterns else ffi.NULL
        c_keep.n_patterns = len(patterns)
        c_keep.hang_ms = milliseconds(keep.hang_s)
        c_keep.max_rss_bytes = keep.max_rss_bytes
        c_keep.level = choose(LEVELS, keep.level, "level")
        for member in ("differs", "valid", "message", "signature", "signature_path"):
            setattr(c_keep, member, self.text(getattr(keep, member)))
        c_keep.allow_new_errors = keep.allow_new_errors
        for member in ("ignore_frames", "ignore_lines"):
            self.put(c_keep, member, words_of(getattr(keep, member)))

    def take_safety(self, safety: Safety) -> None:
        c_safety = self.c.test.safety
        c_safety.sandbox = choose(SANDBOXES, safety.sandbox, "sandbox")
        c_safety.network = switch_of(safety.network)
        self.put(c_safety, "writable", safety.writable)
        for member in ("memory_bytes", "cpu_s", "processes"):
            setattr(c_safety, member, getattr(safety, member))
