/* Where a true share lies: the interval of doubt/bounds/exact.py. */
((karat) => {
  "use strict";

  /** How much error probability falls below the low end, and how much above the high end. */
  function tails(level, side) {
    const error = 1 - level;
    return { both: [error / 2, error / 2], lower: [error, 0], upper: [0, error] }[side];
  }

  /** Which shares can be guaranteed, however few items were seen? Clopper and Pearson's interval. */
  function exact(x, n, { level = 0.95, side = "both" } = {}) {
    const [below, above] = tails(level, side);
    return {
      low: below && x > 0 ? karat.betaincinv(x, n - x + 1, below) : 0,
      high: above && x < n ? karat.betainccinv(x + 1, n - x, above) : 1,
    };
  }

  Object.assign(karat, { exact, tails });
})((globalThis.karat ??= {}));
