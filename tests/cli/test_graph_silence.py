"""Nothing about graphs is left out in silence: files, lines, folders, levels, and what contradicts itself."""

import json

import pytest

from support.user import IS_ROOT

TRUTH = "O, a, x, 1.0, s1\nO, b, y, 1.0, s2\nR, a, b, Right, 1.0\n"
INK = (
    "<ink><annotationXML><math><mi xml:id='z_1'>{math}</mi></math></annotationXML><trace id='0'>0 0</trace><traceGroup>"
    "<traceGroup><annotation type='truth'>{strokes}</annotation><traceView traceDataRef='0'/>"
    "<annotationXML href='z_1'/></traceGroup></traceGroup></ink>"
)


def folder(path, **graphs):
    path.mkdir()
    for name, text in graphs.items():
        (path / f"{name}.lg").write_text(text)
    return path


def test_a_report_says_which_files_are_absent(run, tmp_path):
    long = "".join(f"N, s{k}, x\n" for k in range(4)) + "E, s0, s1, R\n"
    truth = folder(tmp_path / "truth", **{f"e{k}": long for k in range(5)})
    mine, other = folder(tmp_path / "mine", e0=long), folder(tmp_path / "other", e0=long)
    assert run("report", "--graphs", truth, mine, other, "-o", tmp_path / "page.md").code == 0
    said = (tmp_path / "page.md").read_text()
    assert "Left out: Nothing" not in said.replace("*", "")
    assert "mine: scored as absent: 4 missing" in said
    assert "75 % are pairs of primitives that one of the graphs lacks (48 of 64)" in said


def test_pairs_of_absent_primitives_are_told_from_wrong_relations(run, tmp_path):
    truth = folder(
        tmp_path / "truth", e="".join(f"N, s{k}, x\n" for k in range(4)) + "E, s0, s1, R\n"
    )
    mine = folder(tmp_path / "mine", e="".join(f"N, s{k}, x\n" for k in range(3)))
    (row,) = json.loads(run("graph", truth, mine, "--json").out)["rows"]
    assert (row["dR"], row["absent_pairs"]) == (4, 3)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("O,a,x,1,s1\nO,b,y,1,s2\nN,s3,z,0.6\nN,s3,w,0.4\nR,a,b,R,1\nR,b,a,R,1\n", "cycle"),
        ("O,a,x,1,s1\nO,b,y,1,s2\nO,c,Cell,1,s1,s2\nR,a,b,R,1\nR,b,a,R,1\n", "cycle"),
        ("O,a,x,1,s1\nO,b,y,1,s2\n", "several roots"),
        (
            "O,a,x,1,s1\nO,b,y,1,s2\nO,c,z,1,s3\nO,d,z,1,s4\nR,a,b,R,1\nR,a,c,R,1\nR,b,d,P,1\nR,c,d,B,1\n",
            "two parents",
        ),
        ("O,a,x,1,s1\nO,a,y,1,s2\n", "repeated id"),
    ],
)
def test_what_is_no_tree_is_found(run, tmp_path, text, fault):
    done = run("check", folder(tmp_path / "set", e=text), "--json")
    assert done.code == 1
    assert fault in {row["kind"] for row in json.loads(done.out)["rows"]}


def test_inherited_relations_give_an_object_no_second_parent(run, tmp_path):
    text = "O,a,x,1,s1\nO,b,y,1,s2\nO,c,z,1,s3\nR,a,b,R,1\nR,b,c,R,1\nR,a,c,R,1\n"
    assert run("check", folder(tmp_path / "set", e=text)).code == 0


def test_inkml_is_checked_as_inkml(run, tmp_path):
    pytest.importorskip("lxml")
    (tmp_path / "a.inkml").write_text(INK.format(math="z", strokes="z"))
    assert run("check", tmp_path).code == 0
    (tmp_path / "b.inkml").write_text(INK.format(math="y", strokes="z"))
    done = run("check", tmp_path)
    assert done.code == 1
    assert "the strokes of 'z_1' are called 'z', but MathML has 'y' there" in done.out
    converted = run("convert", tmp_path / "b.inkml", "--to", "lg")
    assert "O, z_1, z, 1.0, 0" in converted.out
    assert "1 symbol named in two ways" in converted.err
    assert "but MathML has 'y' there" in run("graph", tmp_path, tmp_path).out


@pytest.mark.parametrize("spelt", ["\\alpha", "alpha", "\u03b1"])
def test_another_spelling_of_a_sign_contradicts_nothing(run, tmp_path, spelt):
    pytest.importorskip("lxml")
    (tmp_path / "a.inkml").write_text(INK.format(math=spelt, strokes="\\alpha"), encoding="utf-8")
    assert run("check", tmp_path).code == 0


def test_other_formats_and_links_beside_label_graphs_are_told(run, tmp_path):
    mine = folder(tmp_path / "mine", e=TRUTH)
    (mine / "f.inkml").write_text("<ink/>")
    (mine / "linked").symlink_to(folder(tmp_path / "there", g=TRUTH))
    done = run("graph", mine, f"again={mine}", "--json")
    warnings = " ".join(json.loads(done.out)["warnings"])
    assert "again: beside .lg there is 1 file of another format, not read: 'f.inkml'" in warnings
    assert "'linked' is a link to a folder, not followed" in warnings
    assert "'linked' is a link" in run("score", "--graphs", mine, f"again={mine}").err
    assert "'linked' is a link" in run("check", mine).out
    assert "'linked' is a link" in run("graph", "find", mine / "e.lg", mine).out
    assert (
        "'linked' is a link"
        in run("graph", "merge", mine, f"again={mine}", "-o", tmp_path / "vote").out
    )


@pytest.mark.skipif(IS_ROOT, reason="nothing is closed to root")
def test_a_closed_folder_is_told(run, tmp_path):
    mine = folder(tmp_path / "mine", e=TRUTH)
    folder(mine / "closed", g=TRUTH).chmod(0)
    assert "closed cannot be read" in run("graph", mine, f"again={mine}").out


def test_lines_of_the_truth_that_are_left_out_are_told(run, tmp_path):
    truth, mine = folder(tmp_path / "truth", e=TRUTH + "Q, 1\n"), folder(tmp_path / "mine", e=TRUTH)
    done = run("graph", truth, mine, "--lenient", "--json")
    assert "warning: truth: 1 malformed line left out, in 'e'." in json.loads(done.out)["warnings"]
    scored = run("score", "--graphs", truth, mine, "--lenient")
    assert "e.lg, line 4: 'Q' is not a kind of line" in scored.err
    assert "truth: 1 malformed line left out, in 'e'." in scored.err


def test_single_files_are_one_expression_whatever_they_are_called(run, tmp_path):
    names = [tmp_path / f"{name}.lg" for name in "abc"]
    for place in names:
        place.write_text(TRUTH)
    assert json.loads(run("graph", *names, "--distances", "dB", "--json").out)["files"] == 1
    vote = run("consensus", "--graphs", "-", *names, "--unit", "primitive", "--json")
    assert json.loads(vote.out)["input"]["items"] == 2
    names[1].write_bytes(b"\xff")
    assert "b: scored as absent: 1 unreadable" in run("graph", *names).out


def test_levels_are_told_apart(run, tmp_path):
    both = TRUTH + "O, r, Row, 1.0, s1, s2\n"
    truth, mine = (
        folder(tmp_path / "truth", e=both, f=TRUTH),
        folder(tmp_path / "mine", e=TRUTH, f=TRUTH),
    )
    done = run("graph", truth, mine, f"good={truth}", "--level", "rows=Row")
    assert "mine: rows: scored as absent: 1 empty ('e')" in done.out
    assert "rows: The truth has 2 expressions, 1 object" in done.out
    rows = json.loads(
        run("graph", truth, mine, f"good={truth}", "--level", "rows=Row", "--json").out
    )["rows"]
    ranks = [(row["system"], row["rank"]) for row in rows]
    assert ranks == [
        ("good: symbols", 1),
        ("mine: symbols", 1),
        ("good: rows", 1),
        ("mine: rows", 2),
    ]
    clash = run("graph", truth, mine, "--level", "symbols=Row")
    assert clash.code == 2
    assert "all other labels are of the level 'symbols'" in clash.err


def test_an_empty_conversion_is_told(run, tmp_path):
    pytest.importorskip("lxml")
    (tmp_path / "a.mml").write_text("<math></math>")
    assert "1 graph without a symbol:\n  a" in run("convert", tmp_path / "a.mml", "--to", "lg").err


def test_a_long_fault_wraps_on_a_terminal_and_is_whole_in_a_pipe(run, tmp_path, monkeypatch):
    strokes = [f"stroke_{k:02}" for k in range(20)]
    place = folder(
        tmp_path / "set", e="".join(f"O, o{k}, x, 1.0, {name}\n" for k, name in enumerate(strokes))
    )
    (fault,) = json.loads(run("check", place, "--json").out)["rows"]
    assert len(fault["what"]) > 80
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("check", place).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
    monkeypatch.delenv("COLUMNS")
    assert any(fault["what"] in line for line in run("check", place).out.splitlines())


def test_a_folder_that_holds_each_file_twice_is_not_the_one_that_was_meant(run, tmp_path):
    truth = folder(tmp_path / "truth", e=TRUTH)
    (tmp_path / "runs").mkdir()
    folder(tmp_path / "runs" / "a", e=TRUTH)
    folder(tmp_path / "runs" / "b", e=TRUTH)
    said = run("graph", truth, tmp_path / "runs").out
    assert "each file occurs more than once" in said
    assert "runs/a" in said
    assert "name one of these" in said


def test_files_of_other_names_are_not_the_ones_that_were_meant(run, tmp_path):
    sets = folder(tmp_path / "truth", e=TRUTH), folder(tmp_path / "mine", e_out=TRUTH)
    assert "none of its files has the name of a truth" in run("graph", *sets).out
    done = run("score", "--graphs", *sets)
    assert "'e_out' is not 'e'" in done.err
    assert "see karat read" not in done.out


@pytest.mark.parametrize(("mine", "form"), [("R", "long"), ("Right", "short")])
def test_relations_of_other_years_are_told_with_the_remedy(run, tmp_path, mine, form):
    given = "Right" if mine == "R" else "R"
    truth = folder(tmp_path / "truth", e=TRUTH.replace("Right", given))
    other = folder(tmp_path / "mine", e=TRUTH.replace("Right", mine))
    said = run("graph", truth, other).out
    assert f"its relations are called '{mine}', those of the truth '{given}'" in said
    assert f"--names {form} -o NEW" in said
    run("convert", other, "--to", "lg", "--names", form, "-o", tmp_path / "new")
    said = run("graph", truth, tmp_path / "new", "--json").out
    assert json.loads(said)["rows"][0]["dB"] == 0


def test_inherited_relations_beside_trees_are_told_with_the_remedy(run, tmp_path):
    objects = "".join(f"O, {name}, x, 1.0, {name}\n" for name in "abcd")
    tree = objects + "".join(f"R, {a}, {b}, Right, 1.0\n" for a, b in ("ab", "bc", "cd"))
    closed = objects + "".join(
        f"R, {a}, {b}, Right, 1.0\n" for a, b in ("ab", "ac", "ad", "bc", "bd", "cd")
    )
    sets = folder(tmp_path / "truth", e=tree), folder(tmp_path / "mine", e=closed)
    assert "--inherit closes both" in run("graph", *sets).out
    assert "--inherit closes both" in run("graph", *sets[::-1]).out
    assert "--inherit" not in run("graph", *sets, "--inherit").out
    assert "--inherit" not in run("graph", sets[0], sets[0]).out


@pytest.mark.parametrize(
    ("unit", "things"), [("expression", "objects"), ("object", "objects"), ("pair", "relations")]
)
def test_a_page_says_what_wrong_objects_in_the_truth_do(run, tmp_path, unit, things):
    sets = [
        folder(tmp_path / name, e=text)
        for name, text in (("truth", TRUTH), ("a", TRUTH), ("b", "N, s1, x\n"))
    ]
    for ending in ("html", "md", "json"):
        done = run(
            "report",
            "--graphs",
            *sets,
            "--unit",
            unit,
            "--label-error",
            "0.1",
            "-o",
            tmp_path / f"p.{ending}",
        )
        assert done.code == 0
    page, text, found = (
        (tmp_path / f"p.{ending}").read_text() for ending in ("html", "md", "json")
    )
    assert f"Is the ranking robust to wrong {things} in the truth?" in page
    assert f"10 % of the {things} are wrong" in text
    (row,) = json.loads(found)["wrong_objects"]["rows"]
    asked = run("stability", "--graphs", *sets, "--unit", unit, "--label-error", "0.1", "--json")
    assert json.loads(asked.out)["rows"] == [row]
    assert "999,999" not in page
    assert "see karat stability" not in text


def test_sound_files_are_told_in_one_line(run, tmp_path):
    assert run("check", folder(tmp_path / "truth", e=TRUTH)).out.strip() == "1 file, nothing wrong."


CELLS = "O, x, x, 1.0, s1\nO, y, y, 1.0, s2\nO, c, *Cell, 1.0, s1, s2\n"
WORDS = "O, w, WORD, 1.0, s1, s2\nO, a, a, 1.0, s1\nO, b, b, 1.0, s2\n"


def test_check_tells_the_levels(run, tmp_path):
    (tmp_path / "m.lg").write_text(CELLS)
    (tmp_path / "w.lg").write_text(WORDS)
    (tmp_path / "x.lg").write_text("N, a, x\n")
    done = run("check", tmp_path, "--no-tree")
    assert done.code == 0
    assert "(symbols, cells) in 1 file: 'm.lg'" in done.out
    assert "(symbols, 'WORD', which holds others) in 1 file: 'w.lg'" in done.out
    levels = json.loads(run("check", tmp_path, "--no-tree", "--json").out)["levels"]
    assert [len(files) for files in levels.values()] == [1, 1]


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("O, a, x, 1.0, s\nO, b, y, 1.0, t\nR, a, b, Ri", "cut file", 3),
        ("N, s, x, 1.0\nN, t, y, 1.0\nN, u, z", "cut file", 3),
        ("O, a, x, 1.0, s\nO, b, y, -0.5, t\nR, a, b, Right, 1.0\n", "negative weight", 2),
        ("O, a, x, 1, s\nO, b, y, 1, t\nR, a, b, Right, 1\nR, a, b, Sup, 1\n", "two relations", 4),
        ("N, s, x\nN, t, y\nE, s, t, Right\nE, s, t, Sup\n", "two relations", 4),
    ],
)
def test_lines_that_were_hardly_meant_are_told(run, tmp_path, text, kind, line):
    (tmp_path / "f.lg").write_text(text)
    done = run("check", tmp_path, "--no-tree", "--json")
    assert done.code == 1
    (row,) = json.loads(done.out)["rows"]
    assert (row["kind"], row["line"]) == (kind, line)


@pytest.mark.parametrize(
    "text",
    [
        "O, a, x, 1.0, s\nO, b, y, 1.0, t\nR, a, b, Right, 1.0",
        "N, s, x\nN, t, y\nE, s, t, Right",
        "N, s, x\nN, t, y\nE, s, t, Right, 0.7\nE, s, t, Sup, 0.3\n",
        "N, s, x\nN, t, x\nE, s, t, *\nE, t, s, *\nE, s, t, x\n",
    ],
)
def test_whole_files_and_alternatives_are_not(run, tmp_path, text):
    (tmp_path / "f.lg").write_text(text)
    assert run("check", tmp_path).code == 0


def test_a_search_does_not_stop_at_a_bad_line(run, tmp_path):
    searched = folder(tmp_path / "set", a="N, s, a\n", b="N, s, b\nQ, 1\n", c="N, s, c\n")
    query = tmp_path / "q.lg"
    query.write_text("N, s, b\n")
    done = run("graph", "find", query, searched)
    assert done.code == 0
    assert "3 graphs searched" in done.out
    assert "1 malformed line left out, in 'b'" in done.out


def test_files_of_confused_parts_are_one_cell(run, tmp_path):
    truth = folder(tmp_path / "truth", e="N, s, x\n", f="N, s, x\n")
    mine = folder(tmp_path / "mine", e="N, s, y\n", f="N, s, y\n")
    done = run("graph", truth, mine, "--parts", "1", "--csv")
    assert done.out.splitlines()[1] == "1,mine,x,y,2,e; f"


@pytest.mark.parametrize(
    "arguments",
    [
        ("graph", "truth", "mine", "--json"),
        ("graph", "truth", "mine", "--tokens", "--json"),
        ("graph", "find", "truth/e.lg", "mine", "--json"),
        ("graph", "merge", "truth", "mine", "-o", "merged", "--json"),
        ("check", "truth", "mine", "--json"),
        ("check", "truth"),
        ("score", "--graphs", "truth", "mine", "--json"),
    ],
)
def test_no_result_names_the_place_where_it_was_made(run, tmp_path, arguments):
    pytest.importorskip("rapidfuzz")
    short = "N, s, x\nN, t, y\nE, s, t, R\n"
    folder(tmp_path / "truth", e=short.replace("R", "Right"), f="N, s, x\nN, t, y\n")
    folder(tmp_path / "mine", e=short, f="Q, 1\n")
    (tmp_path / "mine" / "f.lg").write_bytes(b"\xff")
    folders = {"truth", "mine", "merged", "truth/e.lg"}
    absolute = [tmp_path / each if each in folders else each for each in arguments]
    done = run(*absolute)
    assert done.out
    assert str(tmp_path) not in done.out
