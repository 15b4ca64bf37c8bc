"""Every property test: no deadline, as the machine may be busy, and the same examples each time."""

from hypothesis import settings

settings.register_profile("karat", deadline=None, derandomize=True)
settings.load_profile("karat")
