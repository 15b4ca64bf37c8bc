/* Every number at another level, share of wrong labels or number of items: verdict/whatif.py. */
((karat) => {
  "use strict";

  /** Counts of another number of items: those seen, in proportion, rounded half up. */
  const scaled = (counts, tallies, items) => counts.map((count) => Math.floor(count * (items / tallies.items) + 0.5));

  /** How many items of each kind two neighbours have. */
  const kindsOf = (tallies, place, items) => scaled(tallies.kinds[place], tallies, items);

  /** What Python computed for a level of the slider. */
  const atLevel = (tallies, level) => tallies.levels.find((one) => one.level === level);

  /** Every system's share with its exact interval, and how neighbours in the ranking compare. */
  function whatif(tallies, state) {
    const { items, level } = state;
    const { only, adjusted, standing } = settledAt(tallies, items, level);
    const { error } = atLevel(tallies, level);
    return {
      ...standing,
      pairs: adjusted.map((row, place) => pairOf(tallies, place, only, row[0], state)),
      adjusted,
      different: (adjusted[0] ?? []).filter((p) => karat.significant(p, error)).length,
    };
  }

  let last = {};

  /** What does not depend on the share of wrong labels: remembered while only that moves. */
  function settledAt(tallies, items, level) {
    if (last.items !== items || last.tallies !== tallies) {
      const only = tallies.only.map((row) => scaled(row, tallies, items));
      last = { tallies, items, only, adjusted: adjustedOf(only) };
    }
    if (last.level !== level) {
      const { only, adjusted } = last;
      const systems = scaled(tallies.hits, tallies, items).map((hits) => ({
        hits,
        trials: items,
        value: hits / items,
        ...karat.exact(hits, items, level),
      }));
      const { error } = atLevel(tallies, level);
      const better = (i, j) => i < j && only[i][j] !== only[j][i] && karat.significant(adjusted[i][j - i - 1], error);
      last = { ...last, level, standing: standings(systems, better) };
    }
    return last;
  }

  /** The ranks and the groups of each system, and how many orders are settled: verdict/rank_ranges.py. */
  function standings(systems, better) {
    const size = systems.length;
    const [above, below, letters] = [systems.map(() => 0), systems.map(() => 0), systems.map(() => "")];
    let [neighbours, all] = [0, 0];
    for (let i = 0; i < size; i += 1) {
      for (let j = i + 1; j < size; j += 1) {
        if (!better(i, j)) continue;
        above[j] += 1;
        below[i] += 1;
        all += 1;
        if (j === i + 1) neighbours += 1;
      }
    }
    stretches(size, better).forEach(([start, end], k) => {
      for (let place = start; place < end; place += 1) letters[place] += k < 26 ? String.fromCharCode(97 + k) : `(${k + 1})`;
    });
    const ranks = (place) => (above[place] + 1 === size - below[place] ? `${above[place] + 1}` : `${above[place] + 1} to ${size - below[place]}`);
    return {
      systems: systems.map((one, place) => ({ ...one, ranks: ranks(place), letters: letters[place] })),
      settled: { neighbours, all, pairs: (size * (size - 1)) / 2 },
    };
  }

  /** The longest stretches of a ranking in which no two systems are significantly different. */
  function stretches(size, better) {
    const found = [];
    let last = 0;
    const apart = (start, end) => {
      for (let place = start; place < end; place += 1) if (better(place, end)) return true;
      return false;
    };
    for (let start = 0; start < size; start += 1) {
      let end = start + 1;
      while (end < size && !apart(start, end)) end += 1;
      if (end > last) found.push([start, end]);
      last = Math.max(last, end);
    }
    return found;
  }

  /** The p-values of all pairs, adjusted by Holm: row i holds those of system i and all after it. */
  function adjustedOf(only) {
    const rows = only.slice(0, -1).map((row, i) => row.slice(i + 1).map((count, k) => karat.mcnemar(count, only[i + 1 + k][i])));
    const adjusted = karat.holm(rows.flat());
    let next = 0;
    return rows.map((row) => row.map(() => adjusted[next++]));
  }

  function pairOf(tallies, place, only, adjusted, state) {
    const [first, second] = [only[place][place + 1], only[place + 1][place]];
    const { error, z, needed, likely } = atLevel(tallies, state.level);
    const better = first !== second && karat.significant(adjusted, error);
    const open = !better && needed[place] !== null;
    return {
      only_first: first,
      only_second: second,
      p: karat.mcnemar(first, second),
      adjusted,
      difference: (tallies.only[place][place + 1] - tallies.only[place + 1][place]) / tallies.items,
      ...karat.tango(first, second, state.items, z),
      verdict: better ? "better" : "undecided",
      more: open ? Math.max(1, needed[place] - state.items) : null,
      likely: open ? Math.max(1, likely[place] - state.items) : null,
      ...robustnessOf(tallies, place, state),
    };
  }

  const known = new Map();

  /** How robust the order of two neighbours is to wrong labels; nothing where neither leads. */
  function robustnessOf(tallies, place, { items, level, error }) {
    const counts = kindsOf(tallies, place, items);
    const lead = counts[1] + counts[4] - counts[0] - counts[3];
    if (lead <= 0) return { kept: null, tie: null, reversed: null, critical: null, tolerated: null };
    // The critical share does not depend on the one assumed, so it is searched for once.
    const key = `${place} ${items} ${level}`;
    if (!known.has(key)) known.set(key, karat.criticalError(counts, level, tallies.classes));
    return { ...karat.keptOrder(counts, error, tallies.classes), critical: known.get(key), tolerated: Math.floor((lead - 1) / 2) };
  }

  Object.assign(karat, { atLevel, kindsOf, whatif });
})((globalThis.karat ??= {}));
