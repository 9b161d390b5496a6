"""generate by coverage, learn, and what explanations say of parts."""
import random
import re
import sys

import pare
import pytest


def program(text):
    """Looks for a digit, a capital and a digit, each behind the one before."""
    if "!" in text:
        raise ValueError(text)
    if re.search("[0-9]", text):
        if re.search("[0-9].*[A-Z]", text):
            if re.search("[0-9].*[A-Z].*[0-9]", text):
                return "deep"
    return "flat"


def lines(text):
    """Those of `program`, by sys.settrace; None where it fails."""
    seen = set()

    def trace(frame, _event, _argument):
        if frame.f_code is not program.__code__:
            return None
        seen.add(frame.f_lineno)
        return trace

    outer = sys.gettrace()
    sys.settrace(trace)
    try:
        program(text)
    except ValueError:
        return None
    finally:
        sys.settrace(outer)
    return seen


@pytest.fixture
def seeds(tmp_path):
    (tmp_path / "1").write_text("some words of no use")
    (tmp_path / "2").write_text("fails!")
    return tmp_path


def reached(texts):
    return set().union(*(lines(text) or () for text in texts))


def test_coverage_leads_where_chance_does_not(seeds):
    n = 1500  # two changes to a member never bring the three that are needed
    blind = pare.generate(population=seeds, n=n, seed=5, fuzzer="mutation", min_mutations=1, max_mutations=2)
    for reduces in (False, True):
        guided = pare.generate(population=seeds, n=n, seed=5, min_mutations=1, max_mutations=2, coverage=lines,
                               reduce_members=reduces)
        assert len(guided) == len(blind) == n and guided[0] == "some words of no use"
        assert reached(blind) < reached(guided)
        assert any(program(text) == "deep" for text in guided if "!" not in text)
        assert guided.n_reached == len(reached(guided))
        assert len(guided.members) == 4
        assert bool(re.fullmatch("[0-9][A-Z][0-9]", guided.members[-1])) == reduces
        assert (guided.n_reduction_runs > 0) == reduces
        assert not any("!" in member for member in guided.members)


def test_the_same_seed_makes_the_same_texts(seeds):
    runs = [pare.generate(population=seeds, n=300, seed=seed, coverage=lines, jobs=jobs)
            for seed, jobs in ((1, 1), (1, 4), (2, 1))]
    assert runs[0] == runs[1] != runs[2]


def test_what_the_function_raises_is_raised(seeds):
    def broken(text):
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        pare.generate(population=seeds, n=9, coverage=broken)
    with pytest.raises(ValueError, match="needs coverage"):
        pare.generate(population=seeds, n=9, reduce_members=True)
    with pytest.raises(pare.ArgumentError, match="for the fuzzer 'mutation'"):
        pare.generate({"<start>": ["a", "b"]}, n=1, coverage=lines)


def test_a_model_is_learnt_and_used(tmp_path):
    grammar = {"<start>": ["<item>", "<start>+<item>"], "<item>": ["1", "2"]}
    (tmp_path / "ones").write_text("+".join("1" * 200))
    model = tmp_path / "model.json"
    model.write_text(pare.learn(tmp_path / "ones", grammar))
    texts = pare.generate(grammar, 50, model=model, fuzzer="grammar", repeats=True, seed=random.randrange(99))
    assert "".join(texts).count("1") > 20 * "".join(texts).count("2")


def test_parts_tell_their_neighbours():
    found = pare.explain("size=4096", lambda text: text[:5] == "size=" and text[5:].isdigit() and int(text[5:]) >= 1024)
    (size,) = [part for part in found.parts if part.verdict is pare.Verdict.RANGE]
    assert (size.near, size.near_begin, size.near_end, size.low) == ("1023", 5, 9, 1024)
    assert size.group == 1 and 0 < size.share < 1
