"""Runs of every kind leave no object, no descriptor, no thread and no memory behind."""
import ctypes
import gc
import os
import threading

import pare
from test_strategy import Halves


def run_all():
    text = "abc(def)ghi" * 8
    pare.reduce(text, lambda text: "(" in text, jobs=2, on_event=lambda event: None, max_tests=30)
    pare.reduce(text, lambda text: "(" in text, strategy=Halves, units="char")
    pare.reduce_list([1, 2, 3, 4], lambda some: 3 in some)
    pare.isolate("a(b", "ab", lambda text: "(" in text)
    pare.generate({"<start>": ["a", "b"]}, 2)
    for wrong in (lambda text: 1 / 0, lambda text: False):
        try:
            pare.reduce(text, wrong)
        except (ZeroDivisionError, pare.StateError):
            pass


class MallocInfo(ctypes.Structure):
    """mallinfo2(3)."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]


def allocated_bytes():
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = MallocInfo
    return mallinfo2().uordblks


def count():
    gc.collect()
    return (sum(type(one).__module__.startswith("pare") for one in gc.get_objects()),
            len(os.listdir("/proc/self/fd")), threading.active_count())


def test_nothing_is_left_behind():
    for _ in range(20):
        run_all()
    before, n_bytes = count(), allocated_bytes()
    for _ in range(60):
        run_all()
    assert count() == before
    assert allocated_bytes() - n_bytes < 40_000, "420 runs: 100 bytes for each would be more"
