"""The fields of an options class as the keywords of a function, so that nothing lists them a second time."""

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any, Concatenate, ParamSpec, TypeVar

Keywords = ParamSpec("Keywords")
Returned = TypeVar("Returned")


def takes_options(
    options: Callable[Keywords, Any],
) -> Callable[[Callable[..., Returned]], Callable[Concatenate[Any, Keywords], Returned]]:
    """Give a function of (data, **keywords) the fields of an options class as keywords.

    Type checkers, editors and `help()` then know every option. A TypedDict of the keywords would be the same list a
    second time; here the constructor of the dataclass is the list.
    """

    def with_keywords(
        function: Callable[..., Returned],
    ) -> Callable[Concatenate[Any, Keywords], Returned]:
        positional = [
            parameter
            for parameter in signature(function).parameters.values()
            if parameter.kind is Parameter.POSITIONAL_OR_KEYWORD
        ]
        keywords = signature(options).parameters.values()
        function.__signature__ = Signature([*positional, *keywords])  # type: ignore[attr-defined]
        return function

    return with_keywords
