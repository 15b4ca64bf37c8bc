"""Keywords of functions: the fields of an options class, and a word where one is misspelt."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from karat.errors import UnknownNameError

Keywords = ParamSpec("Keywords")
Returned = TypeVar("Returned")
Function = TypeVar("Function", bound=Callable[..., Any])


def offers_nearest(function: Function, known: Callable[..., Any] | None = None) -> Function:
    """Let a keyword that a function (or another, which is `known`) does not take be an error that offers the nearest.

    >>> @offers_nearest
    ... def plan(*, level=0.95): ...
    >>> plan(levle=0.9)
    Traceback (most recent call last):
    karat.errors.UnknownNameError: no option of plan is called 'levle'; did you mean 'level'?
    """
    parameters = signature(known or function).parameters.values()
    names = [one.name for one in parameters if one.kind is Parameter.KEYWORD_ONLY]
    data = {one.name for one in parameters if one.kind is Parameter.POSITIONAL_OR_KEYWORD}

    @wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        for name in keywords:
            if name not in names and name not in data:
                raise UnknownNameError(f"option of {function.__name__}", name, names)
        return function(*args, **keywords)

    return cast("Function", checked)


def as_in(
    original: Callable[Keywords, Returned],
) -> Callable[[Callable[..., Returned]], Callable[Keywords, Returned]]:
    """Give a method that hands its keywords on the signature of the one it stands for, and check them as that does."""

    def with_signature(method: Callable[..., Returned]) -> Callable[Keywords, Returned]:
        checked = offers_nearest(method, known=original)
        checked.__signature__ = signature(original)  # type: ignore[attr-defined]
        return checked

    return with_signature


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
