/* Whether the better of two systems stays the better one: doubt/label_noise/pair_order.py and doubt/label_noise/critical_error.py. */
((karat) => {
  "use strict";

  const CLOSE = 1e-13; // relative: beyond that the probabilities have no digits
  const MOST = 200; // steps; some ten suffice
  const NONE = {
    onlyWorse: 0,
    onlyBetter: 0,
    neitherDiffer: 0,
    onlyWorseSilent: 0,
    onlyBetterSilent: 0,
    neitherWorseAnswers: 0,
    neitherBetterAnswers: 0,
  };

  /** Would the order stay if each label is wrong with probability e, and then any of K - 1 other classes?
   * The three sum to 1; kept is null for a pair that is tied by the given labels. */
  function keptClasses(counts, error, classes) {
    const given = { ...NONE, ...counts };
    const lead = given.onlyBetter + given.onlyBetterSilent - given.onlyWorse - given.onlyWorseSilent;
    if (lead < 0) throw new RangeError("the system called worse has more items right; swap the two");
    const others = total(given) - given.onlyWorse - given.onlyBetter;
    return classes === 2 && !others
      ? keptIf(flips(given, error), lead / 2)
      : keptIf(kinds(given, error, error / (classes - 1)), lead);
  }

  const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

  /** Two classes: a wrong label takes two items of the lead, or gives two. */
  function flips({ onlyWorse, onlyBetter }, e) {
    return [
      { count: onlyWorse, steps: [-1, 0], chances: [e, 1 - e] },
      { count: onlyBetter, steps: [0, 1], chances: [1 - e, e] },
    ];
  }

  /** How much of the lead each kind of item may cost, and how likely; `to` is the chance of one other class. */
  function kinds(counts, e, to) {
    return [
      { count: counts.onlyWorse, steps: [-2, -1, 0], chances: [to, e - to, 1 - e] },
      { count: counts.onlyBetter, steps: [0, 1, 2], chances: [1 - e, e - to, to] },
      { count: counts.onlyWorseSilent, steps: [-1, 0], chances: [e, 1 - e] },
      { count: counts.onlyBetterSilent, steps: [0, 1], chances: [1 - e, e] },
      { count: counts.neitherDiffer, steps: [-1, 0, 1], chances: [to, 1 - 2 * to, to] },
      { count: counts.neitherWorseAnswers, steps: [0, 1], chances: [1 - to, to] },
      { count: counts.neitherBetterAnswers, steps: [-1, 0], chances: [to, 1 - to] },
    ];
  }

  /** How likely the loss is less than the lead, equal to it, or more. */
  function keptIf(loss, lead) {
    let [below, tie, above] = karat.split(loss, lead);
    if (Number.isNaN(below)) below = 1 - tie - above;
    if (Number.isNaN(above)) above = 1 - tie - below;
    // A side that is little beside a tie has lost digits to it; under a tilt of its own it has them all.
    if (below < tie / 50) below = reaching(karat.split(loss, Math.ceil(lead) - 1).reverse());
    if (above < tie / 50) above = reaching(karat.split(loss, Math.floor(lead) + 1));
    return { kept: lead ? below : null, tie, reversed: above };
  }

  /** P(W >= T), of P(W < T), P(W = T) and P(W > T). */
  function reaching([below, at, above]) {
    return Number.isNaN(above) ? 1 - below : at + above;
  }

  /** Up to which share of wrong labels does the better system stay the better one?
   * Null without a lead; 1 if the order never becomes as doubtful as that. */
  function criticalError(counts, { level = 0.95, classes = 2 } = {}) {
    const above = (e) => keptClasses(counts, e, classes).kept - level;
    if (keptClasses(counts, 0, classes).kept === null) return null;
    const chance = 1 - 1 / classes;
    // Without a wrong label among these items nothing changes, so that 1 - kept <= items * e.
    const least = ((1 - level) / total(counts)) * (1 - 1e-9);
    // Labels that are right no more often than by chance favour nobody; only a low level needs worse ones.
    return root(above, least, least < chance && above(chance) < 0 ? chance : 1);
  }

  /** Where a function falls through zero, by the Illinois rule on log e; high if it does not. */
  function root(falling, low, high) {
    let [a, b, f, g] = [Math.log(low), Math.log(high), falling(low), falling(high)];
    if (g >= 0) return high;
    let [middle, last, side] = [b, Infinity, 0];
    for (let left = MOST; left > 0; left -= 1) {
      middle = b - (g * (b - a)) / (g - f);
      const value = falling(Math.exp(middle));
      if (value === 0 || Math.abs(middle - last) < CLOSE || b - a < CLOSE) break;
      // An end that stays twice in a row counts half, or it would stay for ever.
      if (value > 0) [a, f, g, side] = [middle, value, side > 0 ? g / 2 : g, 1];
      else [b, g, f, side] = [middle, value, side < 0 ? f / 2 : f, -1];
      last = middle;
    }
    return Math.exp(middle);
  }

  /** How many wrong labels cannot change the order, wherever they are? Null without a lead. */
  function safeErrors(onlyWorse, onlyBetter) {
    return onlyBetter > onlyWorse ? Math.floor((onlyBetter - onlyWorse - 1) / 2) : null;
  }

  Object.assign(karat, { criticalError, keptClasses, safeErrors });
})((globalThis.karat ??= {}));
