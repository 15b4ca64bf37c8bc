"""Small faults of the code: one changed place of a function is a mutant."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
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


@dataclass(frozen=True, kw_only=True)
class Place:
    """A place of the code that can be changed."""

    path: str
    node: int
    """The number of the node, as the tree is walked."""
    function: str
    line: int
    lines: tuple[int, ...]
    """Those of the statement; of a compound statement those of its head."""
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}, {self.what}"


def places(path: Path) -> Iterator[Place]:
    """Give every place inside of functions of a file that can be changed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    owners = dict(_inside(tree, "", ()))
    for number, node in enumerate(ast.walk(tree)):
        if node in owners and changed(copy.deepcopy(node)) is not None:
            function, lines = owners[node]
            yield Place(
                path=str(path.relative_to(ROOT)),
                node=number,
                function=function,
                line=node.lineno,  # type: ignore[attr-defined]
                lines=lines,
                what=f"{type(node).__name__}: {ast.unparse(node).splitlines()[0][:70]}",
            )


def _inside(
    node: ast.AST, function: str, lines: tuple[int, ...]
) -> Iterator[tuple[ast.AST, tuple[str, tuple[int, ...]]]]:
    """Give the nodes in the bodies of functions, each with its function and the lines of its statement."""
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            owner, own_lines = function, lines
            if isinstance(node, ast.FunctionDef):
                owner = node.name if field == "body" else function
            if isinstance(child, ast.stmt):
                own_lines = _lines(child)
            if owner:
                yield child, (owner, own_lines)
            yield from _inside(child, owner, own_lines)


def _lines(statement: ast.stmt) -> tuple[int, ...]:
    end = statement.end_lineno or statement.lineno
    body = getattr(statement, "body", None)
    if body:
        end = max(statement.lineno, body[0].lineno - 1)
    return tuple(range(statement.lineno, end + 1))


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


def mutated(place: Place) -> ast.Module:
    """Return the tree of a file with one place changed."""
    tree = ast.parse((ROOT / place.path).read_text(encoding="utf-8"))
    for number, node in enumerate(ast.walk(tree)):
        if number == place.node:
            changed(node)
    return ast.fix_missing_locations(tree)
