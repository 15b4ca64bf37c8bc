/* Whether two systems differ: doubt/tests/mcnemar.py, tango.py, holm.py, and the ties of two_samples.py. */
((karat) => {
  "use strict";

  const HALVINGS = 60; // of a stretch of length 2: to the last bit of a double
  const SLACK = 1 + 1e-12; // a tail of exactly 1/40 is computed a few units in the last place off

  /** McNemar's exact p-value of the items that only one of two systems has right. */
  function mcnemar(onlyFirst, onlySecond) {
    const discordant = onlyFirst + onlySecond;
    if (!discordant) return 1;
    return Math.min(1, 2 * Math.exp(karat.lowerTail(Math.min(onlyFirst, onlySecond), discordant, 0.5, 0.5).log));
  }

  /** Tango's interval of the difference of two shares of the same items; z is the normal quantile of the level. */
  function tango(onlyFirst, onlySecond, items, z) {
    return { low: -tangoEnd(onlySecond, onlyFirst, items, -z), high: tangoEnd(onlyFirst, onlySecond, items, -z) };
  }

  /** The largest difference that the test does not reject. */
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

  /** p-values adjusted for their number, by Holm's method. */
  function holm(pValues) {
    const places = pValues.map((_, i) => i).sort((i, j) => pValues[i] - pValues[j]);
    const adjusted = [];
    places.reduce((least, i, before) => {
      adjusted[i] = Math.min(1, Math.max(least, pValues[i] * (places.length - before)));
      return adjusted[i];
    }, 0);
    return adjusted;
  }

  /** Is a p-value at most the error that a level leaves, whatever the last digit of either says? */
  const significant = (pValue, error) => pValue <= error * SLACK;

  Object.assign(karat, { holm, mcnemar, significant, tango });
})((globalThis.karat ??= {}));
