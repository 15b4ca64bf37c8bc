/* Areas under precision-recall curves at any class balance: measure/prevalence/pr_curve.py, in the page.
   A curve is {r, f0, f1}: recall rises from r[k] to r[k + 1] while the false positive rate goes from f0[k] to f1[k]. */
((karat) => {
  "use strict";

  const [SMALL, TERMS] = [0.3, 19];

  /** 1/3 + s/5 + s²/7 + ... */
  function series(square) {
    let total = 1 / (2 * TERMS + 1);
    for (let n = TERMS - 2; n >= 0; n--) total = total * square + 1 / (2 * n + 3);
    return total;
  }

  /** What (m + h x) / (1 + t x) is on average, x from -1 to 1; first and last are proportional to 1 - t and 1 + t. */
  function fractionMean(m, h, t, first, last) {
    if (Math.abs(t) < SMALL) return m + t * series(t * t) * (t * m - h);
    const arc = Math.log(last / first) / 2;
    return (m * arc) / t - (h * (arc - t)) / (t * t);
  }

  /** The area under one stretch that does not begin at the origin. */
  function stretch({ r, f0, f1 }, k, pi) {
    const rest = 1 - pi;
    const [middle, half] = [(r[k] + r[k + 1]) / 2, (r[k + 1] - r[k]) / 2];
    const [level, tilt] = [(f0[k] + f1[k]) / 2, (f1[k] - f0[k]) / 2];
    const centre = pi * middle + rest * level;
    const slope = (pi * half + rest * tilt) / centre;
    const ends = [pi * r[k] + rest * f0[k], pi * r[k + 1] + rest * f1[k]];
    return ((pi * 2 * half) / centre) * fractionMean(middle, half, slope, ...ends);
  }

  /** The area under the curve where a share pi of the items is positive. */
  function prArea(curve, pi) {
    const { r, f0, f1 } = curve;
    let k = 0;
    while (k < f1.length && f1[k] === 0) k++;
    const free = r[k];
    if (pi === 0 || pi === 1) return pi === 0 ? free : 1;
    let total = free;
    if (k === 0 && f0[0] === 0) {
      const hits = pi * r[1];
      total = (r[1] * hits) / (hits + (1 - pi) * f1[0]);
      k = 1;
    }
    for (; k < f1.length; k++) total += stretch(curve, k, pi);
    return total;
  }

  /** The precision of two rates; nothing where nothing is ever answered. */
  function precisionAt(tpr, fpr, pi) {
    if (fpr === 0) return tpr === 0 ? null : 1;
    return tpr === 0 ? 0 : (pi * tpr) / (pi * tpr + (1 - pi) * fpr);
  }

  /** The false positive rate at each of some rising recalls above 0, on the straight lines between the points. */
  function fallOut({ r, f0, f1 }, recalls) {
    let k = 0;
    return recalls.map((recall) => {
      while (k < f1.length - 1 && r[k + 1] < recall) k++;
      return f0[k] + (f1[k] - f0[k]) * ((recall - r[k]) / (r[k + 1] - r[k]));
    });
  }

  const WORST = { r: [0, 1], f0: [1], f1: [1] };
  /** Areas that differ by less differ by rounding. */
  const NOISE = 1e-12;

  /** Every system's area and rank at a class balance, what no system falls below, and what chance has. */
  function atBalance(curves, pi) {
    const areas = curves.map((curve) => prArea(curve, pi));
    const least = prArea(WORST, pi);
    const systems = areas.map((area) => ({
      area,
      rank: 1 + areas.filter((other) => other - area > NOISE).length,
      normalised: (area - least) / (1 - least),
    }));
    return { balance: pi, random: pi, least, systems };
  }

  Object.assign(karat, { prArea, precisionAt, fallOut, atBalance });
})((globalThis.karat ??= {}));
