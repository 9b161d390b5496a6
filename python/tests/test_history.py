"""History, and runs that go back."""
import os
import pathlib

import pare
import pytest

ROOT = pathlib.Path(os.environ.get("PARE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
TEXT = "alpha (beta (gamma)) delta\n" * 8


def test_bests_are_kept_and_put_back(tmp_path):
    small = tmp_path / "small.txt"
    result = pare.reduce(TEXT, lambda text: "(" in text, output=small, history=True)
    history = pare.History(small)
    assert history.damage is None
    assert history.text(0) == TEXT.encode() and history.text(-1) == result.data.encode() == b"("
    steps = list(history)
    assert [step.n for step in steps] == list(range(len(history))) and len(steps) >= 3
    assert all(step.size_bytes == len(history.text(step.n)) for step in steps)
    assert steps[0].test == 0 and steps[1].test < steps[-1].test
    assert "+(" in history.diff(0, -1) and history.diff(1, 1) == ""
    history.restore(1, tmp_path / "back.txt")
    assert (tmp_path / "back.txt").read_bytes() == history.text(1)
    with pytest.raises(pare.StateError):
        history.restore(1, tmp_path / "back.txt")
    with pytest.raises(IndexError, match="there is no step"):
        history[len(history)]


def test_a_step_is_gone_on_from(tmp_path):
    small = tmp_path / "small.txt"
    pare.reduce(TEXT, lambda text: "(" in text, output=small, history=True)
    n = len(pare.History(small))
    result = pare.reduce(TEXT, lambda text: "gamma" in text, output=small, history=True, from_step=1)
    assert result.data == "gamma"
    history = pare.History(small)
    assert len(history) > n and history.text(-1) == b"gamma"


def test_without_a_place_there_is_none(tmp_path):
    with pytest.raises(ValueError, match="output or journal"):
        pare.reduce(TEXT, lambda text: "(" in text, history=True)
    with pytest.raises(pare.Error):
        pare.History(tmp_path / "nothing")
    with pytest.raises(ValueError, match="from 1"):
        pare.Stop().go_from(0)


def test_a_watcher_skips_and_pauses():
    stop = pare.Stop()
    phases = set()

    def watch(event):
        phases.add(event.phase)
        stop.pause()
        stop.go_on()
        if len(phases) < 3:
            stop.skip_phase()

    result = pare.reduce(TEXT, lambda text: "(" in text, stop=stop, on_event=watch)
    assert "(" in result.data and not result.stats.is_minimal


def test_files_as_the_command_line_has_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "log.txt"
    log.write_text("fine\n" * 9 + "a bug\n")
    result = pare.reduce_file(log, 'grep "$WORD" "$1"', keep_printed=True, environment=["WORD=bug"])
    assert (result.data, result.printed) == (b"bug", "bug\n")
    pare.reduce_file(log, "grep -q bug", in_place=True)
    assert log.read_text() == "bug"
    assert (tmp_path / "log.txt.orig").read_text().startswith("fine\n")


def test_strategies_are_commands_too(tmp_path):
    script = os.path.join(ROOT, "examples", "strategies", "ddmin.py")
    if not os.path.exists(script):
        pytest.skip("no examples")
    ours = pare.reduce("a1b2c3", lambda text: "1" in text and "3" in text, units="char",
                       strategy=f"python3 {script}")
    assert ours.data == "13"


def test_trees_from_a_file(tmp_path):
    tree = tmp_path / "tree.json"
    tree.write_text('{"kind": "all", "list": "any", "begin": 0, "end": 12, "children": ['
                    '{"kind": "part", "begin": 0, "end": 4}, {"kind": "part", "begin": 4, "end": 8}, '
                    '{"kind": "part", "begin": 8, "end": 12}]}')
    found = pare.reduce("abcdefghijkl", lambda text: "f" in text, algorithm="hdd",
                        trees=pare.Trees(tree=tree))
    assert found.data == "efgh"
    with pytest.raises(pare.Error):
        pare.reduce("abcdef", lambda text: "f" in text, trees=pare.Trees(tree=tmp_path / "nothing"))


def test_breadth_is_a_search_of_perses():
    grammar = {"<start>": ["<sum>"], "<sum>": ["<item>+<sum>", "<item>"],
               "<item>": ["(<sum>)", "1", "2"]}
    asked = {}
    for search in (None, "breadth"):
        asked[search] = []

        def interesting(text, log=asked[search]):
            log.append(text)
            return "((" in text

        found = pare.reduce("1+((2+(1+2)))+1", interesting, algorithm="perses", grammar=grammar,
                            trees=pare.Trees(search=search))
        assert "((" in found.data and found.size < 15
    assert asked[None] != asked["breadth"]
    with pytest.raises(ValueError, match="search is one of"):
        pare.reduce("1", lambda text: True, trees=pare.Trees(search="wide"))
