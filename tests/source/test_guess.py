"""What kind of files these are is known by their names and first lines, and plain tables stay plain tables."""

import pytest

from karat.source.guess import guess


@pytest.mark.parametrize(
    ("files", "words", "source"),
    [
        ({"t/p.txt": "a", "x/p.txt": "a"}, ["t", "x"], "text"),
        ({"t/in/p.txt": "a"}, ["-", "t"], "text"),
        ({"x.txt": "a b"}, ["-", "x.txt"], "text"),
        ({"x.txt": "item,truth,a", "y.txt": "item,truth,a"}, ["x.txt", "y.txt"], None),
        ({"x.conll": "a O", "y.bio": "a O"}, ["x.conll", "y.bio"], "conll"),
        ({"q.qrels": "", "r.run.gz": ""}, ["q.qrels", "name=r.run.gz"], "trec"),
        ({"m/samples_x.jsonl": "{}"}, ["m"], "lm-eval"),
        ({"s.jsonl": '{"doc_id": 1, "filtered_resps": []}'}, ["s.jsonl"], "lm-eval"),
        (
            {
                "m/s.jsonl": '{"doc_id": 1, "filtered_resps": []}',
                "n/s.jsonl": '{"doc_id": 1, "filtered_resps": []}',
            },
            ["*/s.jsonl"],
            "lm-eval",
        ),
        ({"m/x.eval": "", "m/y.eval": ""}, ["m/*.eval"], "inspect"),
        ({"x.jsonl": '{"id": 1, "a": 0}', "y.jsonl": '{"id": 2, "a": 0}'}, ["*.jsonl"], None),
        ({"s.jsonl": '{"id": 1, "spans": []}'}, ["-", "s.jsonl"], "spans"),
        ({"s.jsonl": '{"id": 1, "truth": 1, "a": 0}'}, ["s.jsonl"], None),
        ({"s.jsonl": "no json"}, ["s.jsonl"], None),
        ({"s.json": "{}"}, ["s.json"], "inspect"),
        ({"s.csv": "item,model,correct"}, ["s.csv"], "correct"),
        ({"s.csv": "item,truth,model,correct"}, ["s.csv"], None),
        ({"s.csv": "item,truth,a"}, ["s.csv"], None),
        ({}, ["nowhere.csv"], None),
        ({"q": "q1 0 d1 1", "bm25.txt": "q1 Q0 d1 1 3.0 r"}, ["q", "bm25.txt"], "trec"),
        (
            {"g.txt": "-DOCSTART- -X- O", "p.txt": "-DOCSTART-\n\nEU\tI-ORG\nsays O"},
            ["g.txt", "p.txt"],
            "conll",
        ),
        ({"g.tsv": "item\ttag", "p.tsv": "item\ttag\n1\tO"}, ["g.tsv", "p.tsv"], None),
        ({"m/samples_x.jsonl": "{}", "m/note.txt": "a"}, ["m"], "lm-eval"),
        ({"m/in/a.eval": "", "m/note.txt": "a"}, ["m"], "inspect"),
        ({"t/P.TXT": "a", "x/p.hocr": "a"}, ["t", "x"], "text"),
        ({"x.eval": "", "y.eval": ""}, ["a=x.eval", "b=y.eval"], "inspect"),
        ({"x.json": "{}", "y.json": "{}"}, ["a=x.json", "b=y.json"], "inspect"),
        ({"x.jsonl": '{"doc_id": 1, "filtered_resps": []}'}, ["a=x.jsonl"], "lm-eval"),
        ({"x.jsonl": '{"id": 1, "answer": 2}'}, ["a=x.jsonl"], "files-per-system"),
        ({"x.csv": "id,answer"}, ["a=x.csv"], "files-per-system"),
        (
            {"g.tsv": "TOKEN\tNE\n# a = b\nEU\tB-ORG", "p.tsv": "TOKEN\tNE\nEU\tB-ORG\nx\t_"},
            ["g.tsv", "p.tsv"],
            "conll",
        ),
    ],
)
def test_a_glance_tells_the_source(tmp_path, monkeypatch, files, words, source):
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    assert guess(words) == source
