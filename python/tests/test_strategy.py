"""Strategies of one's own: the steps of the library's ddmin, copies, mistakes."""
import copy

import pare
import pytest

TEXT = "".join(f"line {n}\n" for n in range(40))


def interesting(text):
    return "line 3\n" in text and "line 27\n" in text


def split(units, n):
    bounds = [0]
    for left in range(n, 0, -1):
        bounds.append(bounds[-1] + (len(units) - bounds[-1]) // left)
    return [units[a:b] for a, b in zip(bounds, bounds[1:])]


def ddmin(units):
    """Zeller and Hildebrandt's, as a generator."""
    kept, n = list(range(len(units))), 2
    while len(kept) >= 2:
        parts = split(kept, n)
        rests = [[u for other in parts if other is not part for u in other] for part in parts]
        for some in parts + (rests if n > 2 else rests):
            if (yield some):
                n = 2 if some in parts else max(n - 1, 2)
                kept = some
                break
        else:
            if n == len(kept):
                return
            n = min(2 * n, len(kept))


class Halves(pare.Strategy):
    """Halves as long as one of them fails."""

    def __init__(self, units):
        super().__init__(units)
        self.kept, self.rear, self.done = range(len(units)), False, False

    def next(self):
        middle = len(self.kept) // 2
        if self.done or not middle:
            return None
        self.part = self.kept[middle:] if self.rear else self.kept[:middle]
        return self.part

    def tell(self, outcome):
        if outcome:
            self.kept, self.rear = self.part, False
        else:
            self.done, self.rear = self.rear, True

    def copy(self):
        return copy.copy(self)


def steps(**options):
    told = []
    result = pare.reduce(TEXT, interesting, units="line", on_event=lambda event: event.outcome and
                         told.append((event.n, event.size, event.outcome)), **options)
    return told, result.data


@pytest.mark.parametrize("jobs", [1, 8])
def test_a_generator_takes_the_steps_of_ddmin(jobs):
    assert steps(strategy=ddmin, jobs=jobs) == steps(algorithm="ddmin", jobs=1)


def test_copies_are_tested_ahead_with_the_same_steps():
    def run(jobs):
        events = []
        result = pare.reduce(TEXT, lambda text: "line 9\n" in text, strategy=Halves, units="line",
                             jobs=jobs, on_event=lambda event: events.append((event.n, event.size))
                             if event.outcome else None)
        return result.data, events

    assert run(1) == run(4)
    assert run(1)[0] == "line 9\n"


def test_a_strategy_may_propose_a_text():
    def rewrite(units):
        assert units.text == b"a < b" and list(units) == [b"a", b" ", b"<", b" ", b"b"]
        yield units.text.replace(b" ", b"")

    assert pare.reduce("a < b", lambda text: "<" in text, strategy=rewrite, units="char").data == "a<b"


def test_a_strategy_reduces_a_list():
    assert pare.reduce_list(list("abcdef"), lambda some: "c" in some, strategy=Halves) == ["c"]


@pytest.mark.parametrize("proposal, kind", [
    ([99], pare.SyntaxProblem), ([3, 1], pare.SyntaxProblem), ("text", TypeError), (7, TypeError),
    ([-1], ValueError)])
def test_a_proposal_that_makes_no_sense_is_told(proposal, kind):
    def wrong(units):
        yield proposal

    with pytest.raises(kind):
        pare.reduce(TEXT, interesting, strategy=wrong, units="line")


def test_an_exception_of_a_strategy_has_the_best():
    def raising(units):
        yield range(30)
        raise LookupError("a bug of the strategy")

    with pytest.raises(LookupError) as caught:
        pare.reduce(TEXT, interesting, strategy=raising, units="line")
    assert caught.value.best.size < len(TEXT)
