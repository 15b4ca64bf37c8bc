/* Binomial tails, and the exact interval of a share: doubt/bounds/exact.py. */
((karat) => {
  "use strict";

  const CLOSE = 1e-12; // a step of Newton's method on a logit; the next one would be below the last bit
  const MOST = 100; // such steps; some six suffice
  const LARGE = 15; // from here on Stirling's series has all digits

  /** What Stirling's formula leaves of log n!. */
  function stirling(n) {
    if (n < LARGE) return stirling(n + 1) + ((n + 0.5) * Math.log1p(1 / n) - 1);
    const s = 1 / (n * n);
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / n;
  }

  /** log(1 + u) - u, given 1 + u and u. */
  function logLess(ratio, u) {
    if (Math.abs(u) > 0.25) return Math.log(ratio) - u;
    const r = u / (2 + u);
    let sum = 0;
    for (let k = 19; k > 1; k -= 2) sum = r * r * (1 / k + sum);
    return 2 * r * sum - u * r;
  }

  /** log P(X = k), X binomial with n trials and share p = 1 - q.
   * Around the mean terms of first order cancel: they are left out, and their rounding with them. */
  function logProbability(k, n, p, q) {
    if (k === 0) return n * (p < q ? Math.log1p(-p) : Math.log(q));
    const [rest, off] = [n - k, p < q ? n * p - k : n - k - n * q];
    const log = k * logLess((n * p) / k, off / k) + rest * logLess((n * q) / rest, -off / rest);
    return log + Math.log(n / (2 * Math.PI * k * rest)) / 2 + stirling(n) - stirling(k) - stirling(rest);
  }

  /** log P(X <= k) for k < n, and how many times P(X = k) that is. */
  function lowerTail(k, n, p, q) {
    let sum = 1;
    for (let [j, term] = [k, 1]; j > 0 && term > sum * 1e-17; j -= 1) {
      term *= (j * q) / ((n - j + 1) * p);
      sum += term;
    }
    return { log: logProbability(k, n, p, q) + Math.log(sum), times: sum };
  }

  const logistic = (t) => 1 / (1 + Math.exp(-t));

  /** The logit of the share at which at most k of n successes have a given probability.
   * Against the logit the logarithm of a tail is concave: Newton's method cannot go astray. */
  function logitAt(k, n, probability) {
    let logit = Math.log((k + 0.5) / (n - k));
    for (let step = 1, left = MOST; Math.abs(step) > CLOSE && left > 0; left -= 1) {
      const p = logistic(logit);
      const { log, times } = lowerTail(k, n, p, logistic(-logit));
      step = ((log - Math.log(probability)) * times) / ((n - k) * p);
      logit += step;
    }
    return logit;
  }

  /** Clopper and Pearson's interval of a share, two-sided. */
  function exact(x, n, level) {
    const outside = (1 - level) / 2;
    return {
      low: x > 0 ? logistic(-logitAt(n - x, n, outside)) : 0,
      high: x < n ? logistic(logitAt(x, n, outside)) : 1,
    };
  }

  Object.assign(karat, { exact, lowerTail });
})((globalThis.karat ??= {}));
