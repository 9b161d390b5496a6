"""pare.hypothesis: from Hypothesis's database, from nothing, from given choices."""
import pytest

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, Phase, given, settings, strategies  # noqa: E402
from hypothesis.database import InMemoryExampleDatabase  # noqa: E402

import pare.hypothesis  # noqa: E402


def make(phases):
    """A test that fails, and the database of its examples."""
    database = InMemoryExampleDatabase()

    @settings(database=database, phases=phases, max_examples=5000, deadline=None,
              suppress_health_check=list(HealthCheck))
    @given(strategies.lists(strategies.integers(0, 1000)), strategies.text())
    def subject(numbers, word):
        if len(numbers) > 3 and sum(numbers) > 1500:
            raise OverflowError("too much")

    return subject, database


def test_what_hypothesis_found_goes_on():
    subject, database = make([Phase.reuse, Phase.generate])  # it does not shrink
    with pytest.raises(OverflowError):
        subject()
    example = pare.hypothesis.shrink(subject)
    numbers = example.arguments["numbers"]
    assert len(numbers) > 3 and sum(numbers) > 1500
    assert isinstance(example.error, OverflowError) and "numbers=" in str(example)
    assert example.choices_before in {one for some in database.data.values() for one in some}
    assert len(example.choices) <= len(example.choices_before)
    with pytest.raises(OverflowError):
        subject.hypothesis.fuzz_one_input(example.choices)
    assert subject.hypothesis.inner_test.__name__ == "subject", "the test is as it was"


def test_one_is_looked_for_where_there_is_none():
    subject, _ = make([Phase.generate])
    example = pare.hypothesis.shrink(subject, seed=1, max_tests=200)
    assert sum(example.arguments["numbers"]) > 1500
    again = pare.hypothesis.shrink(subject, example.choices, max_tests=50)
    assert len(again.choices) <= len(example.choices)


def test_numbers_of_several_bytes_are_lowered():
    def fails(choices):
        numbers = [int.from_bytes(choices[at:at + 2], "big") for at in (0, 2)]
        return pare.FAIL if numbers[0] >= 501 and numbers[1] >= 3 else pare.PASS

    assert pare.hypothesis.lowered(b"\x02\xff\x01\x02", fails, 500) == b"\x01\xf5\x00\x03"
    assert pare.hypothesis.lowered(b"\x02\xff\x01\x02", fails, 0) == b"\x02\xff\x01\x02"


def test_none_where_nothing_fails():
    @settings(database=None)
    @given(strategies.integers())
    def fine(number):
        assert number == number

    assert pare.hypothesis.shrink(fine, find=20) is None
    with pytest.raises(TypeError):
        pare.hypothesis.shrink(len)


def test_its_next_run_begins_with_the_result():
    subject, database = make([Phase.reuse, Phase.generate])
    with pytest.raises(OverflowError):
        subject()
    example = pare.hypothesis.shrink(subject, seed=1)
    # Where its own runs look: what it found itself is there, too.
    stored = pare.hypothesis.stored(pare.hypothesis.Target(subject))
    assert example.choices in stored and example.choices_before in stored


class TestMethods:
    @settings(database=InMemoryExampleDatabase())
    @given(strategies.integers(0, 1000), strategies.text())
    def fails(self, number, word):
        assert self and number < 100


def test_methods():
    with pytest.raises(TypeError, match=r"TestMethods\(\).fails"):
        pare.hypothesis.shrink(TestMethods.fails)
    example = pare.hypothesis.shrink(TestMethods().fails, seed=1)
    assert example.arguments == {"number": 100, "word": ""}
    with pytest.raises(AssertionError):
        TestMethods().fails()
    stored = pare.hypothesis.stored(pare.hypothesis.Target(TestMethods().fails))
    again = pare.hypothesis.shrink(TestMethods().fails, seed=2)
    assert again.choices_before in stored
