"""Samples of lm-evaluation-harness: what its logs have of each question, and what is known of a task."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from karat.errors import InputError
from karat.source.answer_rows import RIGHT, Answer, verdict
from karat.source.faults import Faults
from karat.source.lines import objects
from karat.words import counted, listing

USUAL = ("acc", "exact_match", "exact_match,none", "acc_norm", "pass@1", "em")
"""Measures of single samples, in the order in which one is taken where a log has several."""
OWN = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
"""What a sample has beside its measures, where it does not list these."""
NO_FILTER = "none"
EMPTY: Mapping[str, Any] = {}


def read_samples(
    path: Path, model: str, task: "Task", faults: Faults, answer: str
) -> Iterator["Sample"]:
    """Yield what is needed of each sample, and let the task take note of it."""
    for number, logged in objects(path, faults):
        place = f"{path}, line {number}"
        if "doc_id" not in logged or "target" not in logged:
            has = listing(logged, most=5)
            faults.add(place, f"no sample of lm_eval, it lacks doc_id or target and has {has}")
            continue
        values = {name: logged[name] for name in _measures(logged) if name in logged}
        through = str(logged.get("filter", NO_FILTER))
        known = (str(logged["doc_id"]), task.name, model, through, place)
        if answer == "label":
            response = _response(logged.get("filtered_resps"))
            target = str(logged["target"]).strip() or None
            sample = Sample(*known, response, target)
            task.compare(sample, _usual_verdict(values))
        else:
            sample = Sample(*known, values=values)
        task.take_note(sample)
        yield sample


def _usual_verdict(values: Mapping[str, Any]) -> str | None:
    """Return whether a sample is right by the first of the usual measures that it has."""
    for name in USUAL:
        if name in values:
            return verdict(values[name])
    return None


class Sample(NamedTuple):
    """What a log has of one question: the answer and the target, or the values of the measures."""

    question: str
    task: str
    model: str
    filter: str
    place: str
    response: str | None = None
    target: str | None = RIGHT
    values: Mapping[str, Any] = EMPTY

    def answer(self) -> Answer:
        """Return what was answered, against the target."""
        return self._with(self.response)

    def _with(self, response: str | None) -> Answer:
        return Answer(f"{self.task}/{self.question}", self.task, self.model, response, self.target)

    def judged(self, metric: str, faults: Faults) -> Answer | None:
        """Return whether the answer was right by a measure; None, and a fault, if that does not say so."""
        if metric not in self.values:
            remedy = f"if another measure is meant here, name both: --using metric={metric},NAME"
            faults.add(self.place, f"no {metric}; it has {listing(self.values)}", remedy=remedy)
            return None
        value = self.values[metric]
        right_or_wrong = verdict(value)
        if right_or_wrong is None:
            what = f"{metric} is {value!r}, which is neither right (1) nor wrong (0)"
            faults.add(self.place, what)
            return None
        return self._with(right_or_wrong)


class Task:
    """What is known of a task's samples: how many went through each filter, and which measures say right or wrong."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen: Counter[str] = Counter()
        self._known: dict[str, Counter[str]] = {}
        self._contradicted: Counter[str] = Counter()

    def take_note(self, sample: Sample) -> None:
        """Count a sample."""
        self.seen[sample.filter] += 1
        known = self._known.get(sample.filter)
        if known is None:
            known = self._known[sample.filter] = Counter()
        for name, value in sample.values.items():
            if verdict(value) is not None:
                known[name] += 1

    def compare(self, sample: Sample, right: str | None) -> None:
        """Count a sample whose answer is the target although the log calls it wrong, or the other way round."""
        if right is None:
            return
        is_target = sample.response == sample.target
        if is_target != (right == RIGHT):
            self._contradicted[sample.filter] += 1

    def contradiction(self, through: str) -> str | None:
        """Return in words how often the log contradicts the target."""
        times = self._contradicted[through]
        if not times:
            return None
        of = f"{times:,} of {counted(self.seen[through], 'answer')}"
        return f"in {self.name!r} the target is not what makes an answer right: the log says otherwise of {of}"

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
            f"say --using filter={next(iter(self.seen))}"
        )

    def metrics(self, through: str) -> list[str]:
        """Return the measures that say right or wrong of every sample."""
        return [name for name, times in self._known[through].items() if times == self.seen[through]]

    def chosen_metric(self, wanted: str, through: str, origin: str) -> str:
        """Return the measure that says right or wrong of every sample, if it is clear which is meant."""
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
