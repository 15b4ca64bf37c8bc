"""What the output says at numbers that were seen to fall short, by the number's name on the page."""

from collections import defaultdict

WORDS: dict[str, str] = defaultdict(lambda: "MISSING")
