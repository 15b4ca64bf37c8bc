"""The edit distance, slowly and obviously."""


def slow_distance(first, second):
    """The least number of insertions, deletions and substitutions, by the table of all prefixes."""
    best = {}
    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            if not i or not j:
                best[i, j] = i + j
                continue
            same = best[i - 1, j - 1] + (first[i - 1] != second[j - 1])
            best[i, j] = min(same, best[i - 1, j] + 1, best[i, j - 1] + 1)
    return best[len(first), len(second)]
