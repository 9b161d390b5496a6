"""pytest --pare, in sessions of its own within this process."""
import pytest

SUBJECT = """
import json, pathlib, pytest

DATA = pathlib.Path(__file__).parent / "data"

def load(text):
    for row in text.splitlines():
        name, count = row.split(",")
        if int(count) > 1000:
            raise OverflowError(name)
"""
ROWS = "".join(f"name{n},{n}\n" for n in range(50)) + "culprit,4096\n" + "last,3\n"


@pytest.fixture
def subject(pytester):
    data = pytester.mkdir("data")
    (data / "rows.csv").write_text(ROWS)
    (data / "good.csv").write_text("fine,3\n")

    def run(body, *options):
        pytester.makepyfile(SUBJECT + body)
        result = pytester.runpytest_inprocess("-p", "no:cacheprovider", *options)
        return result, data

    return run


def reduced(data):
    return sorted(path.name for path in data.iterdir() if ".min" in path.name)


def test_a_parameter_that_is_the_path(subject):
    result, data = subject("""
@pytest.mark.parametrize("path", sorted(DATA.glob("*.csv")), ids=str)
def test_load(path):
    load(path.read_text())
""", "--pare")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*pare: reduced files*", "*rows.csv (*bytes) is data/rows.min.csv (*"
                                 "OverflowError in load*"])
    assert reduced(data) == ["rows.min.csv"]
    assert (data / "rows.min.csv").stat().st_size <= len(",1001")
    assert (data / "rows.csv").read_text() == ROWS, "the file itself stays"


def test_a_parameter_that_is_a_name_only(subject):
    _, data = subject("""
@pytest.mark.parametrize("name", ["rows", "good"])
def test_load(name, tmp_path):
    (tmp_path / "scratch").write_text("x")
    with open(DATA / (name + ".csv")) as file:
        load(file.read())
""", "--pare")
    assert reduced(data) == ["rows.min.csv"]
    with pytest.raises(OverflowError):
        exec(SUBJECT + "load(text)", {"text": (data / "rows.min.csv").read_text(), "__file__": "x"})


def test_no_parameter_and_one_file(subject):
    _, data = subject("""
def test_load():
    load((DATA / "rows.csv").read_text())
""", "--pare", "--pare-tests", "10")
    assert reduced(data) == ["rows.min.csv"]


def test_pytest_fail_is_a_failure(subject):
    _, data = subject("""
def test_load():
    if "culprit" in (DATA / "rows.csv").read_text():
        pytest.fail("no culprits")
""", "--pare")
    assert (data / "rows.min.csv").read_text() == "culprit"


def test_without_a_file_it_says_so(subject):
    result, data = subject("""
def test_load():
    load("a,5000")
""", "--pare")
    result.stdout.fnmatch_lines(["*test_load: no argument is the path of a file*"])
    assert reduced(data) == []


def test_a_fixture_that_is_the_path(subject, pytester):
    result, data = subject("""
@pytest.fixture
def table(tmp_path):
    path = tmp_path / "made.csv"
    path.write_text((DATA / "rows.csv").read_text())
    return path

def test_load(table):
    load(table.read_text())
""", "--pare", f"--basetemp={pytester.path / 'temp'}")
    result.stdout.fnmatch_lines(["*made.csv* is *made.min.csv (5 bytes)*OverflowError in load*"])


TWO = """
def test_load():
    (DATA / "good.csv").read_text()
    load((DATA / "rows.csv").read_text())
"""


def test_of_several_files_one_is_named(subject):
    result, data = subject(TWO, "--pare")
    result.stdout.fnmatch_lines(["*2 files were read, --pare-file PATH says which: data/good.csv, "
                                 "data/rows.csv"])
    assert reduced(data) == []
    result, data = subject(TWO, "--pare", "--pare-file", "data/rows.csv")
    assert reduced(data) == ["rows.min.csv"]


def test_a_named_file_has_to_be_read(subject, pytester):
    pytester.makefile(".txt", other="x")
    result, data = subject(TWO, "--pare", "--pare-file", "other.txt")
    result.stdout.fnmatch_lines(["*did not read other.txt*"])
    result, data = subject(TWO, "--pare", "--pare-file", "none.txt")
    result.stderr.fnmatch_lines(["*there is no file 'none.txt'*"])


def test_without_the_option_nothing_is_done(subject):
    result, data = subject("""
def test_load():
    load((DATA / "rows.csv").read_text())
""")
    result.assert_outcomes(failed=1)
    assert reduced(data) == []
