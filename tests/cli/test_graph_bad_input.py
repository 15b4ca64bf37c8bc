"""Graphs and names that cannot be used: an exit code, words, and nothing written where it should not be."""

import pytest

TEXT = "N, a, x\nN, b, y\nE, a, b, R\n"


@pytest.fixture
def sets(tmp_path):
    for name in ("truth", "mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "e.lg").write_text(TEXT)
    return [tmp_path / "truth", tmp_path / "mine"]


@pytest.mark.parametrize("option", ["--metrics", "--draw"])
def test_names_of_formulas_lead_to_no_other_folder(run, tmp_path, option):
    lines = tmp_path / "lines.txt"
    lines.write_text("../../out\tx\nimg/a\ty\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "deep").mkdir()
    assert run("graph", lines, lines, option, tmp_path / "in" / "deep" / "m").code == 0
    ending = {"--metrics": ".csv", "--draw": ".svg"}[option]
    names = sorted(path.name for path in tmp_path.rglob(f"*{ending}"))
    assert names == [f".._.._out{ending}", f"img_a{ending}"]
    assert all(
        path.parent == tmp_path / "in" / "deep" / "m" for path in tmp_path.rglob(f"*{ending}")
    )


def test_two_graphs_are_not_written_to_one_file(run, tmp_path):
    lines = tmp_path / "lines.txt"
    lines.write_text("a/b\tx\na_b\ty\n")
    done = run("graph", lines, lines, "--metrics", tmp_path / "m")
    assert done.code == 2
    assert "two graphs would be written to" in done.err


def test_a_file_is_no_folder_for_metrics(run, sets, tmp_path):
    (tmp_path / "m").write_text("")
    done = run("graph", *sets, "--metrics", tmp_path / "m")
    assert done.code == 2
    assert "m cannot be made" in done.err


def test_a_system_may_be_called_truth(run, sets):
    done = run("graph", sets[0], f"truth={sets[1]}", "--distances", "dB", "--csv")
    assert done.code == 0
    assert "(truth),truth,dB,0.0" in done.out


@pytest.mark.parametrize("name", ["(item)", "(truth)", "(file)", "(number)"])
def test_a_name_with_a_meaning_of_its_own_is_refused(run, sets, name):
    done = run("score", "--graphs", sets[0], f"{name}={sets[1]}")
    assert done.code == 2
    assert f"a system is called '{name}', which has a meaning of its own" in done.err


@pytest.mark.parametrize("option", ["--metrics", "--draw"])
def test_levels_are_no_whole_graphs(run, sets, tmp_path, option):
    done = run("graph", *sets, "--level", "rows=Row", option, tmp_path / "m")
    assert done.code == 2
    assert f"{option} is about whole graphs" in done.err
    assert not (tmp_path / "m").exists()


def test_questions_are_asked_one_at_a_time(run, sets):
    done = run("graph", *sets, "--common", "--per", "file")
    assert done.code == 2
    assert (
        "--common has a result of its own; leave out --confusion, --distances, --parts, --summary, --tokens, "
        in done.err
    )
