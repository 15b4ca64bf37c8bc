"""How much memory this process may have, where the system limits it."""

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

SHARE = 0.4
"""Of the limit: the rest is for Python, its libraries, and what is computed from the counts."""


def memory_for_counting() -> int | None:
    """Return how many bytes an engine may fill before it goes on on disk; None without a limit.

    Limits of containers are known to the engine; it does not look at those of `ulimit`.
    """
    if resource is None:
        return None
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    known = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    return int(SHARE * min(known)) if known else None
