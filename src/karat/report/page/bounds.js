/* Where a true share lies: the intervals of doubt/exact.py, doubt/wilson.py and doubt/jeffreys.py. */
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

  /** Where does the true share lie, given how few items were seen? The interval of the score test. */
  function wilson(x, n, { level = 0.95, side = "both" } = {}) {
    const [below, above] = tails(level, side);
    return {
      low: below && x > 0 ? wilsonEnd(x, n, karat.ndtri(below)) : 0,
      high: above && x < n ? wilsonEnd(x, n, -karat.ndtri(above)) : 1,
    };
  }

  function wilsonEnd(x, n, z) {
    const end = (x + z ** 2 / 2 + z * Math.sqrt((x * (n - x)) / n + z ** 2 / 4)) / (n + z ** 2);
    return Math.min(1, Math.max(0, end));
  }

  /** Where does the true share lie, for a reader who knew nothing before the count? */
  function jeffreys(x, n, { level = 0.95, side = "both" } = {}) {
    const [below, above] = tails(level, side);
    return {
      low: below && x > 0 ? karat.betaincinv(x + 0.5, n - x + 0.5, below) : 0,
      high: above && x < n ? karat.betainccinv(x + 0.5, n - x + 0.5, above) : 1,
    };
  }

  Object.assign(karat, { exact, jeffreys, tails, wilson });
})((globalThis.karat ??= {}));
