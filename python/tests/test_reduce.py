"""reduce, reduce_file, reduce_list: results, types, exceptions, Ctrl-C, threads."""
import itertools
import os
import signal
import threading
import time

import pare
import pytest

NOISE = "lorem ipsum (dolor) sit amet, " * 20


def nested(text):
    return "(" in text and ")" in text[text.find("("):]


def test_text_stays_text_and_bytes_stay_bytes():
    text = pare.reduce(NOISE, nested)
    assert (text.data, text.size, text.stopped) == ("()", 2, pare.Stopped.MINIMAL)
    data = pare.reduce(NOISE.encode(), lambda data: nested(data.decode()))
    assert data.data == b"()"
    assert text.stats.bytes_in == len(NOISE) and text.stats.tests_run >= text.stats.outcome_fail > 0
    assert text.stats.curve[-1].bytes == 2


def test_candidates_of_a_text_are_texts():
    seen = []

    def keeps_the_umlaut(text):
        seen.append(text)
        return "ü" in text

    assert pare.reduce("grüße aus Köln", keeps_the_umlaut, algorithm="ddmin", units="byte").data == "ü"
    assert all(isinstance(text, str) for text in seen)


def test_jobs_take_the_same_steps():
    results = [pare.reduce(NOISE, nested, jobs=jobs, algorithm="ddmin", units="char")
               for jobs in (1, 4)]
    assert results[0].data == results[1].data
    assert results[0].stats.outcome_pass == results[1].stats.outcome_pass


def test_outcomes_may_be_named():
    outcomes = {True: pare.FAIL, False: pare.PASS}
    result = pare.reduce("a(b)c", lambda text: outcomes[nested(text)] if text else pare.UNRESOLVED)
    assert result.data == "()"
    assert pare.FAIL and not pare.PASS and not pare.UNRESOLVED


@pytest.mark.parametrize("answer, kind", [
    (lambda text: None, TypeError), (lambda text: False, pare.StateError),
    (lambda text: 1 / 0, ZeroDivisionError)])
def test_a_test_that_is_none_is_refused(answer, kind):
    with pytest.raises(kind):
        pare.reduce("text", answer)


def test_options_that_are_wrong_are_told():
    with pytest.raises(pare.ArgumentError, match="nope"):
        pare.reduce("text", bool, algorithm="nope")
    with pytest.raises(ValueError, match="effort"):
        pare.reduce("text", bool, effort="great")
    with pytest.raises(TypeError, match="reduce_list"):
        pare.reduce([1, 2], bool)


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_exception_ends_the_run_and_has_the_best(jobs):
    def raising(text):
        if text == "()":  # which every run comes to
            raise KeyError("a bug of the test")
        return nested(text)

    with pytest.raises(KeyError, match="a bug of the test") as caught:
        pare.reduce(NOISE, raising, jobs=jobs, algorithm="ddmin", units="char")
    # With several jobs all successes before it may have been found ahead, and none be accepted yet.
    assert nested(caught.value.best.data) and (jobs > 1 or caught.value.best.size < len(NOISE))
    assert any(entry.name == "raising" for entry in caught.traceback)


def test_an_exception_leaves_nothing_in_the_journal(tmp_path):
    tried = []

    def fails_at_9(text):
        tried.append(text)
        if len(tried) == 9:
            raise KeyError
        return nested(text)

    options = dict(algorithm="ddmin", units="char", journal=tmp_path / "journal")
    with pytest.raises(KeyError):
        pare.reduce(NOISE, fails_at_9, **options)
    again = []
    assert pare.reduce(NOISE, lambda text: again.append(text) or nested(text), **options).size == 2
    assert again[0] == tried[8], "what was not answered is asked again"
    assert not set(again) & set(tried[:8]), "and nothing else"


def test_an_exception_of_a_watcher_ends_the_run():
    def watch(event):
        if event.n == 3:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        pare.reduce(NOISE, nested, on_event=watch)


@pytest.mark.parametrize("jobs", [1, 3])
def test_ctrl_c_keeps_the_best(jobs):
    handled = threading.Event()

    def handle(*_):
        handled.set()
        raise KeyboardInterrupt

    def interrupted(text):
        if text == "()":
            os.kill(os.getpid(), signal.SIGINT)
            handled.wait(timeout=200)  # in another thread: until the main one has seen it
        return nested(text)

    before = signal.signal(signal.SIGINT, handle)
    try:
        result = pare.reduce(NOISE, interrupted, jobs=jobs, algorithm="ddmin", units="char")
    finally:
        signal.signal(signal.SIGINT, before)
    assert nested(result.data) and (jobs > 1 or result.size < len(NOISE))
    assert result.stopped is pare.Stopped.INTERRUPTED


def test_ctrl_c_before_there_is_a_best_is_raised():
    with pytest.raises(KeyboardInterrupt):
        pare.reduce(NOISE, lambda text: signal.raise_signal(signal.SIGINT) or True)


def test_a_stop_ends_the_run():
    stop = pare.Stop()
    result = pare.reduce(NOISE, nested, stop=stop,
                         on_event=lambda event: event.n == 5 and stop.request())
    assert result.stopped is pare.Stopped.INTERRUPTED and nested(result.data)


def test_other_threads_run_while_a_test_waits():
    lock, inside, met = threading.Lock(), set(), threading.Event()

    def waiting(text):
        with lock:
            inside.add(threading.get_ident())
            if len(inside) > 1:
                met.set()
        # What takes long has company, also where starting it is dear; but the input is tested alone.
        met.wait(timeout=0 if text == NOISE else 60)
        with lock:
            inside.discard(threading.get_ident())
        return nested(text)

    assert nested(pare.reduce(NOISE, waiting, jobs=4, algorithm="ddmin", units="char").data)
    assert met.is_set()


def test_events_tell_what_happens():
    events = []
    pare.reduce(NOISE, nested, on_event=events.append)
    kinds = [event.kind for event in events]
    assert kinds[0] is pare.EventKind.START and kinds[-1] is pare.EventKind.END
    best = [event for event in events if event.accepted]
    assert [event.best_size for event in best][-1] == 2
    assert all(event.outcome is pare.FAIL for event in best)


def test_limits_hold():
    assert pare.reduce(NOISE, nested, max_tests=5).stopped is pare.Stopped.BUDGET
    assert pare.reduce(NOISE, nested, target_size=50).stopped is pare.Stopped.TARGET
    assert "amet" in pare.reduce(NOISE, nested, protect="amet").data


def test_a_grammar_is_read(tmp_path):
    grammar = tmp_path / "List.g4"
    grammar.write_text("grammar List;\nlist: '[' (item (',' item)*)? ']';\nitem: NUMBER | list;\n"
                       "NUMBER: [0-9]+;\nWS: [ \\n] -> skip;\n")
    seen = []

    def has_seven(text):
        seen.append(text)
        return pare.parse(text, grammar=grammar).in_language and "7" in text

    result = pare.reduce("[1, [2, 3, [4, 7]], 5]", has_seven, grammar=grammar, algorithm="perses")
    assert result.data.replace(" ", "") == "[4,7]", "Perses gives a node way to one of its kind only"
    assert all(pare.parse(text, grammar=grammar).in_language for text in seen)


def test_knobs_are_those_of_the_algorithms():
    def steps(**options):
        seen = []
        pare.reduce("1 + (2 * 3)", lambda text: seen.append(text) or nested(text), **options)
        return seen

    ddmin = steps(algorithm="ddmin", units="char")
    skipped = steps(algorithm="ddmin", units="char", lists=pare.Lists(subsets="skip"))
    assert len(skipped) < len(ddmin)
    grammar = {"<start>": ["<expr>"], "<expr>": ["<term> + <expr>", "<term>"],
               "<term>": ["<factor> * <term>", "<factor>"], "<factor>": ["(<expr>)", "1", "2", "3"]}
    depth, all_depths = (steps(algorithm="grabr", grammar=grammar, trees=pare.Trees(search=search))
                         for search in ("depth", "all"))
    assert len(depth) < len(all_depths)
    with pytest.raises(ValueError, match="search"):
        steps(algorithm="grabr", grammar=grammar, trees=pare.Trees(search="far"))


def test_a_file_is_reduced_by_a_function_a_command_and_a_program(tmp_path):
    source, output = tmp_path / "big.txt", tmp_path / "small.txt"
    source.write_text("hay\n" * 30 + "needle\n" + "hay\n" * 30)
    by_function = pare.reduce_file(source, lambda data: b"needle" in data, output=output)
    assert by_function.data == output.read_bytes() == b"needle"
    by_command = pare.reduce_file(source, "grep -q needle", algorithm="ddmin", units="line")
    assert by_command.data == b"needle\n"
    by_program = pare.reduce_file(source, ["grep", "-c", "needle", "@@"], algorithm="ddmin",
                                  units="line", keep=pare.Keep(exit_code=0), jobs=1,
                                  safety=pare.Safety(sandbox="off"))
    assert by_program.data == b"needle\n"
    assert source.stat().st_size == 247, "the input stays as it is"


def test_a_folder_is_reduced(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("one", "two", "three"):
        (folder / name).write_text(f"this is {name}\n")
    result = pare.reduce_file(folder, "grep -rq two", output=tmp_path / "small", jobs=1)
    assert result.data is None and result.stats.files_out == 1
    assert (tmp_path / "small" / "two").read_text() == "two"


def test_a_list_keeps_its_elements():
    orders = [{"id": n, "price": n * 10} for n in range(20)]
    kept = pare.reduce_list(orders, lambda some: sum(one["price"] for one in some) >= 370)
    prices = [one["price"] for one in kept]
    assert sum(prices) >= 370 > sum(prices) - min(prices), "no single one can go"
    assert all(one in orders for one in kept)
    with pytest.raises(ValueError):
        pare.reduce_list([], bool)


def test_isolate_narrows_both_sides():
    found = pare.isolate("say <b>two</b> words", "say two words", lambda text: "<b>" in text)
    assert "<b>" in found.failing and "<b>" not in found.passing and found.n_deltas == 1


def test_explain_finds_the_threshold():
    found = pare.explain("size=4096", lambda text: text[:5] == "size=" and text[5:].isdigit() and int(text[5:]) >= 1024)
    verdicts = {part.text: part.verdict for part in found.parts}
    assert verdicts == {"size": pare.Verdict.NEEDED, "4096": pare.Verdict.RANGE}
    assert [part.low for part in found.parts if part.low] == [1024]


def test_generate_takes_dicts_and_files(tmp_path):
    grammar = {"<start>": ["<sum>"], "<sum>": ["<digit>", "<sum>+<digit>"],
               "<digit>": list("0123456789")}
    texts = pare.generate(grammar, 20, seed=3)
    assert len(texts) == len(set(texts)) == texts.stats.n == 20
    assert texts == pare.generate(grammar, 20, seed=3)
    assert all(set(text) <= set("0123456789+") for text in texts)
    path = tmp_path / "Words.g4"
    path.write_text("grammar Words;\nwords: WORD+;\nWORD: [a-z]+;\nWS: ' ' -> skip;\n")
    assert all(text.replace(" ", "").isalpha() for text in pare.generate(path, 3))
    with pytest.raises(pare.SyntaxProblem):
        path.write_text("grammar Words;\nwords: ;;\n(")
        pare.generate(path)


def test_tables_are_there():
    assert "ddmin" in {one.name for one in pare.algorithms()}
    assert {"line", "char", "byte"} <= set(pare.units())
    assert pare.language_for("a.c").name == "c"
    assert "python" in {one.name for one in pare.languages()}


def test_raises_keeps_the_line_that_raised():
    def parse(text):
        if "x" in text:
            raise ValueError("x")
        if "y" in text:
            raise ValueError("y")

    assert pare.reduce("abc y def", pare.raises(parse)).data == "y"
    assert pare.reduce("x y", pare.raises(parse, ValueError, "y|x")).data in ("x", "y")


def test_forked_tests_survive_crashes_and_hangs():
    def crashes(text):
        if "!" in text:
            os.abort()
        if "?" in text:
            time.sleep(300)
        return False

    def raises(text):
        raise KeyError(text)

    test = pare.forked(crashes, timeout_s=200)
    assert [test("a!"), test("b")] == [pare.FAIL, pare.PASS]
    assert pare.forked(crashes, timeout_s=0.1)("?") is pare.UNRESOLVED
    assert pare.reduce("ab!cd", test).data == "!"
    with pytest.raises(RuntimeError):
        pare.forked(raises)("text")
