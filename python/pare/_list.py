"""pare.reduce_list: which elements of a list a failure needs."""
from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence, TypeVar

from pare._options import Lists, Options, Words
from pare._pare import ffi, lib
from pare._run import Answer, Event, Run, Stop
from pare._strategy import Algorithm, take_strategy

T = TypeVar("T")


def reduce_list(items: Sequence[T], interesting: Callable[[List[T]], Answer], *,
                algorithm: Words = None, lists: Optional[Lists] = None,
                strategy: Optional[Algorithm] = None, jobs: int = 1, max_tests: int = 0,
                max_time_s: Optional[float] = None,
                cache: Optional[bool] = None,
                on_event: Optional[Callable[[Event], object]] = None,
                stop: Optional[Stop] = None) -> List[T]:
    """The elements, in their order, that `interesting` needs to stay True: no single one can go.

    `algorithm` is one of lists, such as "ddmin".  For the rest see `reduce`; sizes in events count
    4 bytes an element.

        >>> import pare
        >>> pare.reduce_list([12, 7, 99, 3, 77], lambda orders: sum(orders) > 150)
        [99, 77]
    """
    if not len(items):
        raise ValueError("a list without elements has nothing to reduce")
    run = Run(on_event, stop)
    options = Options(run)
    options.take_algorithms(algorithm)
    options.take_knobs(lists, None)
    take_strategy(options, strategy)
    options.take_limits(jobs, max_tests, max_time_s, None, cache)

    def test(indices: Any, n: int) -> Answer:
        return interesting([items[i] for i in ffi.unpack(indices, n)] if n else [])

    run.test = test
    kept = ffi.new("uint32_t **")
    n_kept = ffi.new("size_t *")
    status = lib.pare_reduce_list_sized(len(items), lib.pare_python_test_list, run.handle,
                                        options.c, options.size, kept, n_kept, run.err)
    best = None
    if status == lib.PARE_OK:
        best = [items[i] for i in ffi.unpack(kept[0], n_kept[0])] if n_kept[0] else []
        lib.pare_list_free(kept[0])
    run.finish(status, best)
    assert best is not None
    return best
