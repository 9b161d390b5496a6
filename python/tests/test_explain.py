"""What follows a reduction: explanations, texts of their patterns, readable results, pages."""
import json
import pathlib
import re
import shutil

import pare
import pytest


def too_large(text):
    match = re.search(r"resize\(\s*(\d+)\s*,\s*(\d+)", text)
    return bool(match) and int(match.group(2)) > 65535


SOURCE = "a = 3;\nresize( 640,\n        70000 );\nclose();\n"
GRAMMAR = {"<start>": ["<name> = <n>"], "<name>": ["a", "b"], "<n>": ["<d>", "<d><n>"],
           "<d>": list("0123456789")}


def test_texts_of_an_explanation_fail_as_it_does(tmp_path):
    found = pare.explain("resize(640, 70000)", too_large)
    texts = pare.generate(pattern=found, n=50, seed=3)
    assert len(texts) == texts.stats.n == 50 and len(set(texts)) > 40
    assert all(too_large(text) for text in texts)
    # The same from a file, as the command line writes it.
    path = tmp_path / "pattern.json"
    path.write_text(found.as_json())
    assert pare.generate(pattern=path, n=50, seed=3) == texts
    one = pare.generate(pattern=path, n=20, seed=3, one=True)
    assert any("640" in text for text in one) and any("70000" in text for text in one)


def test_nodes_of_a_grammar_in_a_dict_are_made():
    found = pare.explain("a = 12", lambda text: " = " in text, grammar=GRAMMAR)
    kinds = {part.text: part.kind for part in found.parts if part.sampled_as == "node"}
    assert kinds == {"12": "<n>"}
    texts = pare.generate(pattern=found, n=20, seed=2)
    assert len({text.split(" = ")[1] for text in texts}) > 10


def test_a_pattern_goes_with_nothing_else():
    found = pare.explain("resize(640, 70000)", too_large)
    with pytest.raises(ValueError, match="pattern"):
        pare.generate(GRAMMAR, pattern=found)
    with pytest.raises(ValueError, match="one needs pattern"):
        pare.generate(GRAMMAR, one=True)


def test_what_may_not_vary_makes_no_texts():
    found = pare.explain("resize", lambda text: text == "resize")
    with pytest.raises(pare.StateError, match="no part of the pattern may vary"):
        pare.generate(pattern=found)


def test_a_result_is_laid_out_as_its_original():
    result = pare.reduce(SOURCE, too_large)
    text = pare.readable(result.data, SOURCE, too_large)
    assert "\n        70000" in text and too_large(text)
    content = pare.readable(result.data.encode(), SOURCE.encode(), lambda b: too_large(b.decode()))
    assert content == text.encode()
    # Not where its lines would make the failure go.
    assert pare.readable("resize(0,70000", SOURCE, lambda t: too_large(t) and "\n" not in t and
                         "( " not in t) is None


def test_reduce_explains_and_reports(tmp_path):
    page = tmp_path / "page.html"
    result = pare.reduce(SOURCE, too_large, name="<a>.txt", explain=True, report=page)
    assert [part.low for part in result.explanation.parts if part.verdict is pare.Verdict.RANGE] \
        == [65536]
    assert too_large(result.readable) and "\n" in result.readable
    html = page.read_text()
    assert "&lt;a&gt;.txt" in html and "<a>" not in html
    assert "Python: too_large" in html and "65536" in html
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    plain = pare.reduce(SOURCE, too_large)
    assert plain.explanation is None and plain.readable is None
    assert plain.stats.tests_run == result.stats.tests_run


def test_reduce_file_explains_and_reports(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(SOURCE)
    result = pare.reduce_file(path, lambda data: too_large(data.decode("utf-8", "replace")),
                              explain=True, report=tmp_path / "page.html")
    assert result.explanation.content == result.data
    assert "a.txt" in (tmp_path / "page.html").read_text()
    result = pare.reduce_file(path, ["grep", "-c", "resize", "@@"], keep=pare.Keep(exit_code=0),
                              safety=pare.Safety(sandbox="off"), explain=True, jobs=1)
    assert [part.verdict.name for part in result.explanation.parts] == ["NEEDED"]


def test_a_page_that_cannot_be_is_told_before_the_run(tmp_path):
    calls = []
    with pytest.raises(FileNotFoundError, match="no folder"):
        pare.reduce("x", calls.append, report=tmp_path / "none" / "page.html")
    with pytest.raises(IsADirectoryError):
        pare.reduce("x", calls.append, report=tmp_path)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a").write_text("x")
    with pytest.raises(ValueError, match="one text"):
        pare.reduce_file(folder, "true", report=tmp_path / "page.html")
    assert not calls


def test_an_exception_of_the_explanation_has_the_result():
    before = []

    def fragile(text):
        before.append(text)
        if fragile.ends and len(before) > fragile.ends:
            raise RuntimeError("the database is gone")
        return too_large(text)

    fragile.ends = 0
    reduced = pare.reduce(SOURCE, fragile)
    fragile.ends, before[:] = len(before) + 3, []
    with pytest.raises(RuntimeError) as raised:
        pare.reduce(SOURCE, fragile, explain=True)
    assert raised.value.best.data == reduced.data


def test_the_text_is_run_again_at_the_end():
    sure = pare.explain("resize(640, 70000)", too_large)
    assert sure.again_runs > 0 and sure.again_fails == sure.again_runs
    assert json.loads(sure.as_json())["again"] == {"runs": sure.again_runs, "fails": sure.again_fails}
    # Where nothing is needed, nothing that passed has to be believed.
    free = pare.explain("12", lambda text: True)
    assert (free.again_runs, free.again_fails) == (0, 0) and "again" not in free.as_json()
    # The text fails the first time only: all that passed may have done so for another reason.
    seen = set()
    once = pare.explain("resize(640, 70000)", lambda text: text not in seen and not seen.add(text) and
                        too_large(text))
    assert once.again_fails < once.again_runs


def test_signs_between_the_parts_are_left_out():
    found = pare.explain("f(1, 2);", lambda text: "(" in text and ")" in text)
    assert (found.signs, found.signs_tried, found.signs_needed) == (4, 4, 2)
    # A pair of brackets is left out at once; each of them is told of by itself.
    assert [(sign.text, sign.at, sign.end, sign.is_needed) for sign in found.sign] == [
        ("(", 1, 2, True), (",", 3, 4, False), (")", 6, 7, True), (";", 7, 8, False)]
    assert json.loads(found.as_json())["signs"] == {
        "n": 4, "tried": 4, "needed": 2,
        "at": [[1, 2, True], [3, 4, False], [6, 7, True], [7, 8, False]]}
    assert "signs" not in pare.explain("12", lambda text: True).as_json()


def test_what_was_tried_in_the_place_of_a_part_is_told():
    found = pare.explain("resize(640, 70000)", lambda text: text.startswith("resize(") and too_large(text))
    parts = {part.text: part for part in found.parts}
    needed = parts["resize"].others
    assert len(needed) > 1 and not any(other.fails for other in needed)
    assert {type(other) for other in needed} == {pare.Other}
    # A claim about whole numbers is none about a sign or nothing, which are tried and told by themselves.
    free = parts["640"]
    assert free.verdict is pare.Verdict.ANY
    assert all(other.fails for other in free.others if not other.is_beyond)
    assert {other.text: other.fails for other in free.others if other.is_beyond}["-640"] is False
    told = {part["text"]: part for part in json.loads(found.as_json())["parts"]}
    assert {"text": "-640", "fails": False, "beyond": True} in told["640"]["others"]
    assert "passes_with" in told["resize"] and told["640"]["share"] > 0.9 and found.joint_fails > 0


def test_the_programs_of_a_script_are_told(tmp_path, monkeypatch):
    # What watches them is beside the library that was built, and not where it will be installed.
    built = pathlib.Path(pare.__file__).parents[2]
    if (built / "libpare_watch.so").exists():
        monkeypatch.setenv("PARE_LIBEXEC", str(built))
    # The test is content with two exit codes of one program, and the result has the first.  Tools such as sed
    # are not told.
    path, test, program = tmp_path / "a.txt", tmp_path / "test.sh", tmp_path / "program"
    path.write_text("f(12, 7)")
    shutil.copy(shutil.which("sed"), program)
    test.write_text('#!/bin/sh\n"${0%/*}/program" -n "/f(.*7/{/12/q4;q5}" "$1"\n'
                    'case $? in 4 | 5) exit 0 ;; esac\nexit 1\n')
    test.chmod(0o755)
    told = pare.reduce_file(path, str(test), algorithm="ddmin", units="line", explain=True, jobs=1).explanation
    assert told.programs and "exit code 4" in told.programs
    assert 0 < told.watched_others <= told.watched_variants
    assert "exit code 5" in told.other_ending.programs
    assert json.loads(told.as_json())["watched"]["otherwise"] == told.watched_others
    # Of a function nothing is known.
    plain = pare.explain("f(12, 7)", lambda text: "7" in text)
    assert (plain.programs, plain.watched_variants, plain.other_ending) == (None, 0, None)
