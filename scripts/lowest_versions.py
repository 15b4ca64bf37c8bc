"""Print the lowest version of each library that pyproject.toml allows, as constraints for pip."""

import re
import sys
import tomllib
from pathlib import Path

BOUND = re.compile(r"(?P<name>[\w-]+)(\[\w+\])?>=(?P<version>[\w.]+)(?P<marker>;.*)?")


def lowest(requirements: list[str]) -> list[str]:
    """Return a constraint for each library; an extra that names others of karat's own has none."""
    found = [BOUND.fullmatch(one) for one in dict.fromkeys(requirements)]
    return [f"{one['name']}=={one['version']}{one['marker'] or ''}" for one in found if one]


if __name__ == "__main__":
    settings = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    project = settings["project"]
    wanted = [*project["dependencies"], *settings["dependency-groups"]["test"]]
    for extra in project["optional-dependencies"].values():
        wanted += extra
    print("\n".join(lowest(wanted)))
