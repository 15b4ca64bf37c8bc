/* Whether two systems differ: doubt/tests/mcnemar.py, doubt/tests/tango.py, doubt/tests/holm.py, and the ties of doubt/tests/two_samples.py. */
((karat) => {
  "use strict";

  const HALVINGS = 60; // of a stretch of length 2: to the last bit of a double
  const SLACK = 1 + 1e-12; // a tail of exactly 1/40 is computed a few units in the last place off

  /** Could two systems be right equally often, and only chance decide which of them has an item right alone? */
  function mcnemar(onlyFirst, onlySecond) {
    return Math.min(1, 2 * halfTail(Math.min(onlyFirst, onlySecond), onlyFirst + onlySecond));
  }

  /** P(X <= k), X binomial with n trials and share 1/2. */
  function halfTail(k, n) {
    return k >= n ? 1 : karat.betainc(n - k, k + 1, 0.5);
  }

  /** Where does the difference of two shares lie, if both were counted on the same items? */
  function tango(onlyFirst, onlySecond, items, { level = 0.95, side = "both" } = {}) {
    const [below, above] = karat.tails(level, side);
    return {
      low: below && items ? -tangoEnd(onlySecond, onlyFirst, items, karat.ndtri(below)) : -1,
      high: above && items ? tangoEnd(onlyFirst, onlySecond, items, karat.ndtri(above)) : 1,
    };
  }

  /** The largest difference that the test does not refuse. */
  function tangoEnd(b, c, n, least) {
    let [low, high] = [-1, 1];
    for (let left = HALVINGS; left > 0; left -= 1) {
      const middle = (low + high) / 2;
      [low, high] = score(b, c, n, middle) < least ? [low, middle] : [middle, high];
    }
    return high;
  }

  /** How many standard errors the observed difference lies above d; NaN where there is no error.
   * Of two shares whose difference is given the smaller one is estimated: the larger one has lost its digits. */
  function score(b, c, n, d) {
    const [plus, minus, gap] = d < 0 ? [c, b, -d] : [b, c, d];
    const half = (2 * n - plus + minus) * gap - plus - minus;
    const root = Math.sqrt(half ** 2 + 8 * n * minus * gap * (1 - gap));
    const smaller = half > 0 ? (2 * minus * gap * (1 - gap)) / (half + root) : (root - half) / (4 * n);
    return (b - c - n * d) / Math.sqrt(n * (2 * smaller + gap * (1 - gap)));
  }

  /** How small is each p-value still, when so many questions were asked at once? What is no number is no test. */
  function holm(pValues) {
    const asked = pValues.map((_, i) => i).filter((i) => Number.isFinite(pValues[i]));
    asked.sort((i, j) => pValues[i] - pValues[j]);
    const adjusted = pValues.map(() => null);
    asked.reduce((least, i, before) => {
      adjusted[i] = Math.min(1, Math.max(least, pValues[i] * (asked.length - before)));
      return adjusted[i];
    }, 0);
    return adjusted;
  }

  /** Is a p-value at most 1 - level, whatever the last digit of either says? */
  function significant(pValue, level = 0.95) {
    return within(pValue, error(level));
  }

  /** Is a tail at most so large, a tie in exact arithmetic included? */
  function within(tail, most) {
    return tail <= most * SLACK;
  }

  /** What a level leaves to chance, as a decimal: 1 - 0.9 is 0.1, not 0.09999999999999998. */
  function error(level) {
    const [digits, power] = level.toExponential().replace(".", "").split("e");
    const places = digits.length - 1 - Number(power);
    return Number(`${10n ** BigInt(places) - BigInt(digits)}e-${places}`);
  }

  Object.assign(karat, { error, halfTail, holm, mcnemar, significant, tango, within });
})((globalThis.karat ??= {}));
