"""Samples of lm-evaluation-harness: what its logs have of each question, and what is known of a task."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from karat.errors import InputError
from karat.source.answer_rows import RIGHT, Answer, verdict
from karat.source.faults import Faults
from karat.source.lines import objects
from karat.source.llm.harness_models import Log
from karat.words import counted, listing

USUAL = ("acc", "exact_match", "exact_match,none", "acc_norm", "pass@1", "em")
"""Measures of single samples, in the order in which one is taken where a log has several."""
OWN = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
"""What a sample has beside its measures, where it does not list these."""
NO_FILTER = "none"
TOGETHER = 2_000
"""How many samples are handed on together."""


def read_samples(log: Log, task: "Task", faults: Faults, answer: str) -> Iterator["Samples"]:
    """Yield what is needed of a log's samples, some at a time, and let the task take note of them."""
    some = Samples(log)
    for number, logged in objects(log.path, faults):
        if "doc_id" not in logged or "target" not in logged:
            has = listing(logged, most=5)
            place = f"{log.path}, line {number}"
            faults.add(place, f"no sample of lm_eval, it lacks doc_id or target and has {has}")
            continue
        values = {name: logged[name] for name in _measures(logged) if name in logged}
        some.lines.append(number)
        some.questions.append(str(logged["doc_id"]))
        some.filters.append(str(logged.get("filter", NO_FILTER)))
        if answer == "label":
            some.responses.append(_response(logged.get("filtered_resps")))
            some.targets.append(str(logged["target"]).strip() or None)
            task.compare(some, _usual_verdict(values))
        else:
            some.values.append(values)
        if len(some) == TOGETHER:
            task.take_note(some)
            yield some
            some = Samples(log)
    if len(some):
        task.take_note(some)
        yield some


def _usual_verdict(values: Mapping[str, Any]) -> str | None:
    """Return whether a sample is right by the first of the usual measures that it has."""
    for name in USUAL:
        if name in values:
            return verdict(values[name])
    return None


class Samples:
    """What a log has of some questions, in lists of the same length: answers and targets, or the values of measures.

    One object for each question would take most of the time of reading.
    """

    def __init__(self, log: Log) -> None:
        self.task = log.task
        self._model = log.model
        self._path = log.path
        self.lines: list[int] = []
        self.questions: list[str] = []
        self.filters: list[str] = []
        self.responses: list[str | None] = []
        self.targets: list[str | None] = []
        self.values: list[Mapping[str, Any]] = []

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.lines)

    def answers(self, through: str) -> Iterator[Answer]:
        """Return what was answered, against the target, by those that went through a filter."""
        for place in self._through(through):
            yield self._answer(place, self.responses[place], self.targets[place])

    def judged(self, through: str, metric: str, faults: Faults) -> Iterator[Answer]:
        """Return which answers were right by a measure; a sample without such a value is a fault."""
        for place in self._through(through):
            values = self.values[place]
            right_or_wrong = verdict(values[metric]) if metric in values else None
            if right_or_wrong is None:
                self._add_fault(place, metric, faults)
            else:
                yield self._answer(place, right_or_wrong, RIGHT)

    def _through(self, through: str) -> list[int]:
        return [place for place, own in enumerate(self.filters) if own == through]

    def _answer(self, place: int, answer: str | None, truth: str | None) -> Answer:
        item = f"{self.task}/{self.questions[place]}"
        return Answer(item, self.task, self._model, answer, truth)

    def _add_fault(self, place: int, metric: str, faults: Faults) -> None:
        values = self.values[place]
        line = f"{self._path}, line {self.lines[place]}"
        if metric not in values:
            remedy = f"if another measure is meant here, name both: --using metric={metric},NAME"
            faults.add(line, f"no {metric}; it has {listing(values)}", remedy=remedy)
        else:
            what = f"{metric} is {values[metric]!r}, which is neither right (1) nor wrong (0)"
            faults.add(line, what)


class Task:
    """What is known of a task's samples: how many went through each filter, and which measures are right or wrong."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen: Counter[str] = Counter()
        self._known: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._contradicted: Counter[str] = Counter()

    def take_note(self, some: Samples) -> None:
        """Count samples."""
        self.seen.update(some.filters)
        for through, values in zip(some.filters, some.values, strict=False):
            known = self._known[through]
            for name, value in values.items():
                if verdict(value) is not None:
                    known[name] += 1

    def compare(self, some: Samples, right: str | None) -> None:
        """Count the last sample if its answer is the target although the log calls it wrong, or the other way round."""
        if right is None:
            return
        is_target = some.responses[-1] == some.targets[-1]
        if is_target != (right == RIGHT):
            self._contradicted[some.filters[-1]] += 1

    def contradiction(self, through: str) -> str | None:
        """Return a note on how often the log contradicts the target."""
        times = self._contradicted[through]
        if not times:
            return None
        of = f"{times:,} of {counted(self.seen[through], 'answer')}"
        return f"in {self.name!r} the target does not decide which answers are right: the log contradicts it for {of}"

    def chosen_filter(self, wanted: str, origin: str) -> str:
        """Return the filter whose answers count: the wanted one if the task has it, else the only one."""
        if wanted in self.seen:
            return wanted
        if len(self.seen) == 1:
            return next(iter(self.seen))
        if wanted:
            has = listing(self.seen)
            raise InputError(
                f"{origin}: the task {self.name} has no answers through the filter {wanted!r}; it has {has}"
            )
        raise InputError(
            f"{origin}: the task {self.name} has each answer through the filters {listing(self.seen)}; "
            f"choose one with --using filter={next(iter(self.seen))}"
        )

    def metrics(self, through: str) -> list[str]:
        """Return the measures that are right or wrong for every sample."""
        return [name for name, times in self._known[through].items() if times == self.seen[through]]

    def chosen_metric(self, wanted: str, through: str, origin: str) -> str:
        """Return the measure that is right or wrong for every sample, if there is no doubt which is meant."""
        names = self.metrics(through)
        if wanted:
            # A measure's own name may hold a comma, as "exact_match,none" does.
            choices = [wanted] if wanted in names else [name.strip() for name in wanted.split(",")]
            return next((name for name in choices if name in names), choices[0])
        usual = [name for name in USUAL if name in names]
        if usual:
            return usual[0]
        if len(names) == 1:
            return names[0]
        problem = f"{listing(names)} could each say" if names else "no logged number says"
        raise InputError(
            f"{origin}, task {self.name}: {problem} whether an answer is right; name it with --using metric=NAME"
        )


def _measures(sample: Mapping[str, Any]) -> list[str]:
    listed = sample.get("metrics")
    if isinstance(listed, list):
        return list(map(str, listed))
    return [name for name in sample if name not in OWN]


def _response(responses: Any) -> str | None:
    """Return what was answered: a text, or the number of the likeliest choice."""
    if _are_likelihoods(responses):
        try:
            likelihoods = [float(choice[0]) for choice in responses]
        except (TypeError, ValueError):
            return None
        return str(likelihoods.index(max(likelihoods)))
    while isinstance(responses, list) and responses:
        responses = responses[0]
    if responses is None or responses == []:
        return None
    text = str(responses).strip()
    return text if text not in {"", "[invalid]"} else None


def _are_likelihoods(responses: Any) -> bool:
    """Return whether several choices were logged, each with its likelihood, rather than a text."""
    if not isinstance(responses, list) or len(responses) < 2:
        return False
    return all(isinstance(choice, list) and choice for choice in responses)
