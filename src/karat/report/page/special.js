/* The functions behind the bounds and the tests, as scipy.special has them. */
((karat) => {
  "use strict";

  const CLOSE = 1e-12; // a step of Newton's method on a logit; the next one would be below the last bit
  const MOST = 100; // such steps; some six suffice
  const LARGE = 15; // from here on Stirling's series has all digits

  /** What Stirling's formula leaves of log Γ(a). */
  function stirling(a) {
    if (a < LARGE) return stirling(a + 1) + ((a + 0.5) * Math.log1p(1 / a) - 1);
    const s = 1 / (a * a);
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / a;
  }

  /** The share of the beta law below x: I_x(a, b). */
  function betainc(a, b, x) {
    if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
    return Math.exp(logBelow(a, b, x, 1 - x).log);
  }

  /** The x below which a share p lies. */
  function betaincinv(a, b, p) {
    return p > 0.5 ? betainccinv(a, b, 1 - p) : logistic(logitBelow(a, b, p));
  }

  /** The x above which a share p lies. */
  function betainccinv(a, b, p) {
    return p > 0.5 ? betaincinv(a, b, 1 - p) : logistic(-logitBelow(b, a, p));
  }

  function logistic(t) {
    return 1 / (1 + Math.exp(-t));
  }

  /** The logit of the x below which a share p lies.
   * Against the logit the logarithm of the share is concave: Newton's method cannot go astray. */
  function logitBelow(a, b, p) {
    let logit = Math.log(a / b);
    for (let step = 1, left = MOST; Math.abs(step) > CLOSE && left > 0; left -= 1) {
      const { log, slope } = logBelow(a, b, logistic(logit), logistic(-logit));
      step = (Math.log(p) - log) / slope;
      logit += step;
    }
    return logit;
  }

  /** The logarithm of the share below x = 1 - y, and how fast it rises with the logit of x. */
  function logBelow(a, b, x, y) {
    const density = logDensity(a, b, x, y);
    if (x * (a + b) <= a) {
      const slope = fraction(a, b, x, y);
      return { log: density - Math.log(slope), slope };
    }
    const log = Math.log1p(-Math.exp(density) / fraction(b, a, y, x));
    return { log, slope: Math.exp(density - log) };
  }

  /** log(x^a y^b / B(a, b)). Around the mean terms of first order cancel: they are left out, and their rounding too. */
  function logDensity(a, b, x, y) {
    const [p, q] = [a / (a + b), b / (a + b)];
    const off = x < y ? x - p : q - y;
    const log = a * logLess(x / p, off / p) + b * logLess(y / q, -off / q);
    return log + Math.log((a * q) / (2 * Math.PI)) / 2 + stirling(a + b) - stirling(a) - stirling(b);
  }

  /** log(1 + u) - u, given 1 + u and u. */
  function logLess(ratio, u) {
    if (Math.abs(u) > 0.25) return Math.log(ratio) - u;
    const r = u / (2 + u);
    let sum = 0;
    for (let k = 19; k > 1; k -= 2) sum = r * r * (1 / k + sum);
    return 2 * r * sum - u * r;
  }

  /** x^a y^b / (B(a, b) I_x(a, b)) for x up to the mean, by Lentz's method.
   * Reference: Didonato & Morris, ACM TOMS 18, 1992. doi:10.1145/131766.131776 */
  function fraction(a, b, x, y) {
    const excess = (x < y ? a - (a + b) * x : (a + b) * y - b) + 1;
    let value = (a * excess) / (a + 1);
    for (let m = 1, above = value, below = 0, change = 2; Math.abs(change - 1) > Number.EPSILON; m += 1) {
      const odd = a + 2 * m - 1;
      const top = ((m * (a + m - 1)) / odd) * ((a + b + m - 1) / odd) * (b - m) * x * x;
      const next = m + (m * (b - m) * x) / odd + ((a + m) * (excess + m * (2 - x))) / (odd + 2);
      above = next + top / above;
      below = 1 / (next + top * below);
      change = above * below;
      value *= change;
    }
    return value;
  }

  /** The normal quantile of p.
   * Reference: Wichura, Applied Statistics 37, 1988. doi:10.2307/2347330 */
  function ndtri(p) {
    const q = p - 0.5;
    if (Math.abs(q) <= 0.425) return q * ratio(CENTRE, 0.180625 - q * q);
    const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)));
    return Math.sign(q) * (r <= 5 ? ratio(FLANK, r - 1.6) : ratio(TAIL, r - 5));
  }

  function ratio([top, bottom], r) {
    const value = (polynomial) => polynomial.reduceRight((sum, factor) => sum * r + factor);
    return value(top) / value(bottom);
  }

  const CENTRE = [
    [3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
      45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727],
    [1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077,
      21213.794301586595867, 39307.89580009271061, 28729.085735721942674, 5226.495278852854561],
  ];
  const FLANK = [
    [1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
      1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 0.00077454501427834140764],
    [1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455,
      0.14810397642748007459, 0.0151986665636164571966, 0.00054759380849953449460, 1.05075007164441684324e-9],
  ];
  const TAIL = [
    [6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
      0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7],
    [1, 0.5998322065558879376, 0.1369298809227358053, 0.0148753612908506148525,
      0.00078686913114561325910, 1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15],
  ];

  Object.assign(karat, { betainc, betainccinv, betaincinv, ndtri });
})((globalThis.karat ??= {}));
