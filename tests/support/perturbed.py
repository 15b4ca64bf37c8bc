"""Made-up expressions, and systems that misread them: labels, merges, splits, relations and strokes."""

from random import Random

from karat.graphs.model.structure import LabelGraph, Object, Relation

CLASSES = "xyz123+-"
MARKS = ("Right", "Sup", "Sub", "Below")


def expression(seed):
    """A tree of some symbols, each of one to three strokes."""
    chance = Random(seed)  # noqa: S311 (no secret)
    objects, relations, stroke = [], [], 0
    for place in range(chance.randint(3, 9)):
        strokes = tuple(f"s{stroke + k}" for k in range(chance.choice((1, 1, 2, 3))))
        stroke += len(strokes)
        objects.append(Object(f"o{place}", chance.choice(CLASSES), 1.0, strokes))
        if place:
            mark = chance.choice(("Right", "Right", *MARKS))
            relations.append(
                Relation(f"o{chance.randrange(max(0, place - 2), place)}", f"o{place}", mark, 1.0)
            )
    return LabelGraph(f"e{seed}.lg", objects=tuple(objects), relations=tuple(relations))


def misread(graph, seed, *, share=0.2):
    """The graph as a system might have it: each symbol suffers with this chance, and so does each relation."""
    chance = Random(f"{seed}{graph.name}")  # noqa: S311
    objects = {one.id: one for one in graph.objects}
    links = list(graph.relations)
    for one in graph.objects:
        if chance.random() >= share or one.id not in objects:
            continue
        fate = chance.choice(("class", "class", "split", "merge", "lose"))
        if fate == "class":
            objects[one.id] = one._replace(label=chance.choice(CLASSES))
        elif fate == "split" and len(one.primitives) > 1:
            objects[one.id] = one._replace(primitives=one.primitives[:1])
            objects[f"{one.id}s"] = Object(
                f"{one.id}s", chance.choice(CLASSES), 1.0, one.primitives[1:]
            )
            links.append(Relation(one.id, f"{one.id}s", "Right", 1.0))
        elif fate == "merge" and (
            child := next((each.child for each in links if each.parent == one.id), None)
        ):
            objects[one.id] = one._replace(
                primitives=one.primitives + objects.pop(child).primitives
            )
            links = [
                each._replace(parent=one.id) if each.parent == child else each
                for each in links
                if each.child != child
            ]
        elif fate == "lose" and len(objects) > 1:
            del objects[one.id]
            links = [each for each in links if one.id not in each[:2]]
    for place, each in enumerate(links):
        if chance.random() < share:
            links[place] = each._replace(label=chance.choice(MARKS))
    kept = [
        each
        for each in links
        if chance.random() > share / 4 and {each.parent, each.child} <= objects.keys()
    ]
    return LabelGraph(graph.name, objects=tuple(objects.values()), relations=tuple(kept))
