"""Would the tests notice a fault? One small change of the code at a time, and the tests of that room.

    python bench/robustness/mutated_code.py [SAMPLE] [ROOM...]

A mutant is one changed place of a function in doubt, measure, tally or verdict: a comparison, an operator, a number, a
condition, or a returned value. It is killed if a test of the folder that bears the file's name fails, or of the
room where there is none (never those of the documentation), within a limit of time. The sample is drawn by a seed;
survivors are printed, to be judged by reading: some change nothing that can be seen.
"""

import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from common import header

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "karat"
ROOMS = ("doubt", "measure", "tally", "verdict")
SAMPLE = 300
SECONDS = 240
"""How long the tests of a mutant may take; a mutant that never ends is killed."""
COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.FloorDiv: ast.Mult,
    ast.MatMult: ast.Mult,
}


@dataclass(frozen=True)
class Place:
    """A place of the code that can be changed: the number of its node, as the tree is walked."""

    path: Path
    node: int
    line: int
    what: str


def places(path: Path) -> Iterator[Place]:
    """Give every place inside of functions of a file that can be changed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                inside |= {id(node) for node in ast.walk(statement)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in inside and changed(copy.deepcopy(node)) is not None:
            kind = type(node).__name__
            yield Place(
                path.relative_to(ROOT), number, node.lineno, f"{kind}: {ast.unparse(node)[:70]}"
            )  # type: ignore[attr-defined]


def changed(node: ast.AST) -> ast.AST | None:  # noqa: PLR0911 (a kind of place each)
    """Change a node in place and return it; None where nothing is to be changed."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        node.ops[0] = COMPARED[type(node.ops[0])]()
        return node
    if isinstance(node, ast.BinOp) and type(node.op) in COMPUTED and not _of_text(node):
        node.op = COMPUTED[type(node.op)]()
        return node
    if isinstance(node, ast.Constant) and type(node.value) in {int, float}:
        node.value += 1
        return node
    if isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return node
    if isinstance(node, ast.If | ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return node
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        node.value = ast.Constant(None)
        return node
    return None


def _of_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.Constant | ast.JoinedStr) and not _is_number(side)
        for side in (node.left, node.right)
    )


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in {int, float}


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def mutant(place: Place) -> str:
    """Return the text of a file with one place changed."""
    tree = ast.parse((ROOT / place.path).read_text(encoding="utf-8"))
    for number, node in enumerate(ast.walk(tree)):
        if number == place.node:
            changed(node)
    return ast.unparse(ast.fix_missing_locations(tree))


def tests_of(path: Path, copied: Path) -> list[str]:
    """Return the tests of a file: those with its name, with those of its folder; of the room where there are none."""
    folder = copied / "tests" / path.relative_to(Path("src/karat")).parent
    while not folder.exists():
        folder = folder.parent
    named = sorted(folder.rglob(f"test_{path.stem}*.py"))
    return [*map(str, named), str(folder)]


def is_killed(place: Place, copied: Path) -> bool:
    """Run the tests on a mutant in a copy of the repository, and put the file back."""
    path = copied / place.path
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutant(place), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:randomly",
        ]
        command += ["-m", "not spark and not browser and not shared", *tests_of(place.path, copied)]
        done = subprocess.run(  # noqa: S603
            command,
            cwd=copied,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, "PYTHONPATH": str(copied / "src")},
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(text, encoding="utf-8")
    return done.returncode != 0


def survivors_of(chosen: list[Place], copied: Path) -> list[Place]:
    """Try one mutant after the other, and print those that no test notices."""
    start = time.perf_counter()
    survivors = []
    for number, place in enumerate(chosen, 1):
        if not is_killed(place, copied):
            survivors.append(place)
            print(f"  survived: {place.path}:{place.line} {place.what}", flush=True)
        if number % 10 == 0:
            killed = number - len(survivors)
            print(f"  {killed} of {number} killed, {time.perf_counter() - start:.0f} s", flush=True)
    return survivors


def main() -> None:
    """Try a sample of the mutants of some rooms."""
    given = sys.argv[1:]
    sample = int(given.pop(0)) if given and given[0].isdigit() else SAMPLE
    rooms = given or ROOMS
    header("Small faults in the code are noticed by the tests of their room")
    known = []
    for room in rooms:
        for path in sorted((SOURCE / room).rglob("*.py")):
            known += list(places(path))
    chosen = random.Random(30).sample(known, min(sample, len(known)))  # noqa: S311 (a sample, no secret)
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "karat"
        shutil.copytree(
            ROOT, copied, ignore=shutil.ignore_patterns(".venv", ".git", "site", "__pycache__")
        )
        survivors = survivors_of(chosen, copied)
    killed = len(chosen) - len(survivors)
    print(
        f"{killed} of {len(chosen)} killed ({killed / len(chosen):.0%}), of {len(known):,} possible mutants"
    )


if __name__ == "__main__":
    main()
