"""The examples of the guide and of the docstrings."""
import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re

import pare
import pytest

ROOT = pathlib.Path(os.environ.get("PARE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))


def test_the_guide_is_true(tmp_path, monkeypatch):
    pytest.importorskip("hypothesis")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/guide/python.md").read_text()
    # Lines keep their numbers; what is no example is no code.
    examples = re.sub(r"(?m)^```pycon\n|^```\n?", "\n", text)
    test = doctest.DocTestParser().get_doctest(examples, {}, "python.md", "docs/guide/python.md", 0)
    assert len(test.examples) > 40
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.failures == 0


def test_the_readme_is_true(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "orders.csv").write_text("tea,3\n" * 40 + "gift,0\n" + "jam,7\n" * 40)
    text = (ROOT / "README.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", text, re.S)
    exec(example, {})
    assert capsys.readouterr().out == ",0\n"


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(pare.__path__)
                                  if module.name != "_pare"])
def test_docstrings_are_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name == "hypothesis":
        pytest.importorskip("hypothesis")
    module = importlib.import_module("pare." + name)
    assert doctest.testmod(module).failed == 0


def test_all_is_explained():
    for name in pare.__all__:
        thing = getattr(pare, name)
        assert thing.__doc__, name
        if inspect.isfunction(thing):
            assert ">>> " in thing.__doc__, f"{name} has no example"
        for method, value in vars(thing).items() if inspect.isclass(thing) else ():
            if inspect.isfunction(value) and not method.startswith("_"):
                assert value.__doc__, f"{name}.{method}"
