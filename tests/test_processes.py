"""Several processes: results go from one to another, a bench is used after a fork, and two write the same file."""

import copy
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import pytest

import karat
from karat.errors import InputError
from support.processes import answered, scored

TABLE = "item,truth,a,b,c\n" + "".join(
    f"{number},{'xyz'[number % 3]},{'xyy'[number % 3]},{'xxzzyz'[number % 6]},x\n"
    for number in range(60)
)
SCORES = {
    "truth": [1, 0, 1, 0, 0] * 12,
    "a": [number * 7 % 11 / 10 for number in range(60)],
    "b": [number * 5 % 13 / 10 for number in range(60)],
}
RESULTS = {
    "describe": lambda bench: bench.describe(),
    "score": lambda bench: bench.score(per="class"),
    "compare": lambda bench: bench.compare(measure="macro-f1", draws=100),
    "stability": lambda bench: bench.stability(label_error=0.1, draws=50),
    "consensus": lambda bench: bench.consensus(draws=50),
}
OF_SCORES = {
    "areas": lambda bench: bench.score(draws=50),
    "skew": lambda bench: bench.skew(to=[0.1, "0.2..0.4"], draws=50),
    "skew over time": lambda bench: bench.skew(trajectory="linear:0.1,0.3", draws=50),
}
STARTS = [
    name for name in ("spawn", "forkserver") if name in multiprocessing.get_all_start_methods()
]
forks = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no forks")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    return str(path)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_can_be_pickled_and_copied(table, name):
    result = RESULTS[name](karat.read(table))
    assert pickle.loads(pickle.dumps(result)).to_json() == result.to_json()  # noqa: S301
    assert str(copy.deepcopy(result)) == str(result)


@pytest.mark.parametrize("name", OF_SCORES)
def test_a_result_of_scores_can_be_pickled_and_copied(name):
    result = OF_SCORES[name](karat.read(SCORES))
    assert pickle.loads(pickle.dumps(result)).to_json() == result.to_json()  # noqa: S301
    assert str(copy.deepcopy(result)) == str(result)


def test_a_bench_cannot_be_pickled_and_says_what_to_do(table):
    bench = karat.read(table)
    with pytest.raises(InputError, match=r"t\.csv is open in this process.*read it there"):
        pickle.dumps(bench)
    with pytest.raises(InputError, match="open in this process"):
        copy.deepcopy(bench)
    assert copy.copy(bench).score().to_json() == bench.score().to_json()


def test_a_bench_of_a_saved_tally_can_be_pickled(table, tmp_path):
    karat.read(table).save(tmp_path / "t.tally")
    bench = karat.read(tmp_path / "t.tally")
    again = pickle.loads(pickle.dumps(bench))  # noqa: S301
    assert again.compare().to_json() == bench.compare().to_json()


@pytest.mark.parametrize("start", STARTS)
def test_processes_read_a_table_each_and_hand_results_back(table, start):
    context = multiprocessing.get_context(start)
    alone = scored(table).to_json()
    with ProcessPoolExecutor(2, mp_context=context) as processes:
        found = list(processes.map(scored, [table] * 3))
    assert [one.to_json() for one in found] == [alone] * 3


@forks
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_bench_answers_after_a_fork_on_both_sides(table):
    context = multiprocessing.get_context("fork")
    bench = karat.read(table)
    alone = bench.compare().to_json()
    answers = context.SimpleQueue()
    children = [context.Process(target=answered, args=(bench, answers)) for _ in range(2)]
    for child in children:
        child.start()
    found = [answers.get() for _ in children]
    for child in children:
        child.join()
    assert found == [alone, alone]
    assert bench.compare().to_json() == alone


@forks
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_fork_that_drops_its_bench_ends_well_and_leaves_the_files_of_the_other(
    table, tmp_path, monkeypatch
):
    """What a bench spills to disk is deleted with it, but not with its copy in another process."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    karat.scratch._folder_of_run.cache_clear()
    bench = karat.read(table)
    before = sorted(tmp_path.glob("karat-*/run-*/*"))
    child = os.fork()
    if not child:
        del bench
        gc.collect()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0  # closing what the engine holds would have ended it with a crash
    assert before
    assert sorted(tmp_path.glob("karat-*/run-*/*")) == before
    assert bench.score().rows()
    karat.scratch._folder_of_run.cache_clear()


def started(folder, *words):
    return subprocess.Popen([sys.executable, "-m", "karat", *words], cwd=folder)  # noqa: S603


@pytest.mark.parametrize(
    ("words", "others", "output"),
    [
        ("score t.csv --level 0.9", "score t.csv --level 0.99", "out.json"),
        ("tally t.csv", "tally t.csv --systems a,b", "out.tally"),
        ("audit t.csv --claim a,c --seed 1", "audit t.csv --claim a,c --seed 2", "list.csv"),
    ],
)
def test_of_two_that_write_the_same_file_one_is_there_whole(table, tmp_path, words, others, output):
    del table
    wanted = set()
    for line in (words, others):
        assert started(tmp_path, *line.split(), "-o", output).wait() == 0
        wanted.add((tmp_path / output).read_bytes())
    assert len(wanted) == 2
    running = [started(tmp_path, *line.split(), "-o", output) for line in (words, others)]
    assert [one.wait() for one in running] == [0, 0]
    assert (tmp_path / output).read_bytes() in wanted
    assert {path.name for path in tmp_path.iterdir()} == {"t.csv", output}
