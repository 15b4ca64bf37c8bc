/* What may be said at another level, share of wrong labels or number of items: verdict/whatif.py, in the page. */
((karat) => {
  "use strict";

  const KINDS = [
    "onlyWorse",
    "onlyBetter",
    "neitherDiffer",
    "onlyWorseSilent",
    "onlyBetterSilent",
    "neitherWorseAnswers",
    "neitherBetterAnswers",
  ];

  /** Counts of another number of items: those seen, in proportion, rounded half up. */
  function scaled(number, tallies, items) {
    return Math.floor(number * (items / tallies.items) + 0.5);
  }

  /** How many items of each kind two neighbours have, as keptClasses takes them. */
  function kindsOf(tallies, place, items) {
    const counts = tallies.kinds[place].map((number) => scaled(number, tallies, items));
    return Object.fromEntries(KINDS.map((name, k) => [name, counts[k]]));
  }

  /** Every system's share with its exact interval, and what may be said of neighbours in the ranking. */
  function whatif(tallies, state) {
    const only = tallies.only.map((row) => row.map((number) => scaled(number, tallies, state.items)));
    const adjusted = adjustedOf(only);
    return {
      systems: tallies.hits.map((hits) => shareOf(scaled(hits, tallies, state.items), state)),
      pairs: adjusted.map((row, place) => pairOf(tallies, place, only, row[0], state)),
      adjusted,
      apart: (adjusted[0] ?? []).filter((p) => karat.significant(p, state.level)).length,
    };
  }

  function shareOf(hits, { items, level }) {
    return { hits, trials: items, value: hits / items, ...karat.exact(hits, items, { level }) };
  }

  /** The p-values of all pairs, each worth what Holm leaves of it: row i holds those of system i and all after it. */
  function adjustedOf(only) {
    const rows = only.slice(0, -1).map((row, i) => row.slice(i + 1).map((_, k) => [i, i + 1 + k]));
    const raised = karat.holm(rows.flat().map(([i, j]) => karat.mcnemar(only[i][j], only[j][i])));
    let next = 0;
    return rows.map((row) => row.map(() => raised[next++]));
  }

  function pairOf(tallies, place, only, adjusted, state) {
    const [first, second] = [only[place][place + 1], only[place + 1][place]];
    const seen = [tallies.only[place][place + 1], tallies.only[place + 1][place]];
    const better = first !== second && karat.significant(adjusted, state.level);
    return {
      only_first: first,
      only_second: second,
      p: karat.mcnemar(first, second),
      adjusted,
      difference: (seen[0] - seen[1]) / tallies.items,
      ...karat.tango(first, second, state.items, { level: state.level }),
      verdict: better ? "better" : "undecided",
      more: better ? null : moreItems(seen, tallies, state),
      ...survivalOf(tallies, place, state),
    };
  }

  /** How many more items would settle a pair, at a level that holds for all pairs together. */
  function moreItems([first, second], tallies, { items, level }) {
    if (first === second) return null;
    const pairs = (tallies.systems.length * (tallies.systems.length - 1)) / 2;
    const options = { level: 1 - (1 - level) / pairs };
    const needed = karat.itemsForPair(first / tallies.items, second / tallies.items, options);
    return needed === null ? null : Math.max(1, needed - items);
  }

  /** What the order of two neighbours survives; nothing where neither leads. */
  function survivalOf(tallies, place, { items, level, error }) {
    const counts = kindsOf(tallies, place, items);
    const worse = counts.onlyWorse + counts.onlyWorseSilent;
    const better = counts.onlyBetter + counts.onlyBetterSilent;
    if (worse >= better) return { kept: null, tie: null, reversed: null, critical: null, safe: null };
    return {
      ...karat.keptClasses(counts, error, tallies.classes),
      critical: criticalOf(tallies, place, { items, level }),
      safe: karat.safeErrors(worse, better),
    };
  }

  const known = new Map();

  /** The critical share of a pair does not depend on the supposed one, so it is searched for once. */
  function criticalOf(tallies, place, { items, level }) {
    const key = `${place} ${items} ${level}`;
    if (!known.has(key)) {
      const counts = kindsOf(tallies, place, items);
      known.set(key, karat.criticalError(counts, { level, classes: tallies.classes }));
    }
    return known.get(key);
  }

  Object.assign(karat, { kindsOf, whatif });
})((globalThis.karat ??= {}));
