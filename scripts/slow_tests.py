"""Write the list of slow tests from the durations that pytest printed: those that take 0.2 s or more."""

import re
import sys
from collections import Counter
from pathlib import Path

SECONDS = 0.2
LIST = Path(__file__).parents[1] / "tests" / "slow_tests.txt"
DURATION = re.compile(r"\s*([\d.]+)s (?:call|setup|teardown)\s+(tests/\S+)")


def main() -> None:
    """Read pytest's output from standard input; all cases of a test count together."""
    seconds: Counter[str] = Counter()
    for line in sys.stdin:
        duration = DURATION.match(line)
        if duration:
            test = duration[2].partition("[")[0]
            seconds[test] += float(duration[1])
    slow = sorted(test for test, total in seconds.items() if total >= SECONDS)
    LIST.write_text("\n".join(slow) + "\n", encoding="utf-8")
    print(f"{len(slow)} of {len(seconds)} tests take {SECONDS} s or more")


main()
