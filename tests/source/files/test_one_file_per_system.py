"""A file of answers for each system."""

import pytest

import karat
from karat.errors import InputError
from support.tables import right


@pytest.fixture
def files(tmp_path):
    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.csv").write_text(text)
        return tmp_path

    return write


def test_files_with_names_are_systems(files):
    place = files(
        gold="id,label\n1,cat\n2,dog\n",
        one="id,prediction\n1,cat\n2,cat\n",
        two="id,prediction\n2,dog\n",
    )
    paths = [f"a={place}/one.csv", f"b={place}/two.csv"]
    assert right(paths, truth=f"{place}/gold.csv") == {"a": (1, 2), "b": (1, 2)}


def test_they_are_what_one_table_of_them_is(files):
    place = files(
        all="id,truth,a,b\n1,x,x,y\n2,y,x,\n3,y,y,y\n",
        one="id,truth,out\n1,x,x\n2,y,x\n3,y,y\n",
        two="truth,id,b\nx,1,y\ny,2,\ny,3,y\n",
    )
    assert right([f"a={place}/one.csv", f"b={place}/two.csv"]) == right(f"{place}/all.csv")


def test_lines_of_json_are_taken_too(files):
    place = files()
    (place / "one.jsonl").write_text(
        '{"id": 1, "truth": "x", "label": "x"}\n{"id": 2, "truth": "y", "label": "x"}\n'
    )
    assert right([f"a={place}/one.jsonl"]) == {"a": (1, 2)}


def test_the_answer_and_the_item_can_be_named(files):
    place = files(one="nr,truth,guess,why\n1,x,x,so\n2,y,x,so\n")
    assert right([f"a={place}/one.csv"], item="nr", using={"answer": "guess"}) == {"a": (1, 2)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nr,truth,out\n1,x,x\n", "is known as the item; name it with item=COL"),
        (
            "id,truth,guess,why\n1,x,x,so\n",
            "is known as the answer; name it with using={'answer': 'COL'}",
        ),
        ("id,truth,out\n", "hold no answers"),
    ],
)
def test_what_is_unclear_is_an_error_with_the_remedy(files, text, message):
    place = files(one=text)
    with pytest.raises(InputError, match=message):
        karat.read([f"a={place}/one.csv"])


def test_two_systems_have_two_names(files):
    place = files(one="id,out\n1,x\n")
    with pytest.raises(InputError, match="the name 'a' is also that of"):
        karat.read([f"a={place}/one.csv", f"a={place}/one.csv"])


def test_files_of_another_kind_are_refused(files):
    place = files()
    (place / "one.parquet").write_text("PAR1")
    with pytest.raises(InputError, match="join others into one table"):
        karat.read([f"a={place}/one.parquet"])


def test_files_without_names_are_one_table_and_the_error_says_how_to_part_them(files):
    place = files(one="id,truth,out\n1,x,x\n")
    with pytest.raises(InputError, match="if each file is one system's, name them NAME=FILE"):
        karat.read([f"{place}/one.csv", str(place / "one.csv").replace("/one", "/./one")])


def test_a_file_called_truth_is_the_truth_not_a_system(files):
    place = files(
        gold="id,label\n1,cat\n2,dog\n3,cat\n",
        one="id,prediction\n1,cat\n2,cat\n",
        two="id,prediction\n2,dog\n",
    )
    paths = [f"truth={place}/gold.csv", f"a={place}/one.csv", f"b={place}/two.csv"]
    assert right(paths) == {"a": (1, 3), "b": (1, 3)}  # nobody answered the third


def test_a_truth_of_its_own_goes_before_that_beside_the_answers(files):
    place = files(gold="id,gold,note\n1,x,x\n2,x,y\n", one="id,truth,out\n1,x,x\n2,y,y\n")
    paths = [f"gold={place}/gold.csv", f"a={place}/one.csv"]
    assert right(paths) == {"a": (1, 2)}
    assert any("the truth is that of" in note for note in karat.read(paths).facts.notes)


def test_bad_files_of_truth_are_refused(files):
    place = files(gold="id,label\n1,x\n1,y\n", one="id,out\n1,x\n")
    with pytest.raises(InputError, match=r"gold\.csv, line 3: the item '1' has a truth before"):
        karat.read([f"truth={place}/gold.csv", f"a={place}/one.csv"])
    with pytest.raises(InputError, match="'truth' is the truth, and no file is a system's"):
        karat.read([f"truth={place}/gold.csv"])
    with pytest.raises(InputError, match="'truth', 'gold' would each be the truth"):
        karat.read([f"{name}={place}/gold.csv" for name in ("truth", "gold", "a")])
