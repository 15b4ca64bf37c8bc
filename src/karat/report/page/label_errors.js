/* Whether the better of two systems stays the better one: doubt/label_noise/pair_order.py and critical_error.py.
 * Python computes the rarest reversal with all its digits; the page has every probability to twelve places. */
((karat) => {
  "use strict";

  const REACH = 13; // standard deviations: what lies beyond has a probability below 1e-37 ...
  const ROOM = 64; // ... and so have as many rare errors
  const NEVER = Math.log(1e-21); // a frequency that adds less to a probability adds nothing to its digits
  const CLOSE = 1e-13; // relative: beyond that the probabilities have no digits
  const MOST = 200; // steps to a root; some ten suffice

  const sum = (list, term) => list.reduce((total, entry, i) => total + term(entry, i), 0);

  /** By how much a wrong label lowers the lead of the better system, and how likely that is: pairs of steps and
   * probabilities for each kind of item, in the order of KINDS in verdict/whatif.py. */
  function losses(e, classes) {
    const to = e / (classes - 1); // to one given class
    const rest = e - to;
    return [[[-2, to], [-1, rest]], [[2, to], [1, rest]], [[-1, to], [1, to]], [[-1, e]], [[1, e]], [[1, to]], [[-1, to]]];
  }

  /** Would the order stay if each label is wrong with probability e, and then any of the other classes? */
  function keptOrder(counts, e, classes) {
    const lead = counts[1] + counts[4] - counts[0] - counts[3];
    const kinds = losses(e, classes).map((moves, kind) => ({ count: counts[kind], moves }));
    const { at, above } = split(kinds.filter(({ count }) => count > 0), lead);
    return { kept: Math.max(0, 1 - at - above), tie: at, reversed: above };
  }

  /** P(W = target) and P(W > target), W the sum of all losses, by Fourier's inversion at the frequencies πk / half;
   * to sum P(W = target + m) over 0 < m < half is to multiply each of them by a geometric series. */
  function split(kinds, target) {
    const mean = (moves, power) => sum(moves, ([step, chance]) => step ** power * chance);
    const away = target - sum(kinds, ({ count, moves }) => count * mean(moves, 1));
    const variance = sum(kinds, ({ count, moves }) => count * (mean(moves, 2) - mean(moves, 1) ** 2));
    const reach = REACH * Math.sqrt(Math.max(0, variance)) + ROOM;
    if (Math.abs(away) > reach) return { at: 0, above: away > 0 ? 0 : 1 };
    const half = Math.ceil(reach + Math.abs(away));
    let [at, above] = [1 / 2, (half - 1) / 2];
    for (const { k, t, logs, angles } of frequencies(kinds, half)) {
      const size = Math.exp(sum(logs, Number)) / (k < half ? 1 : 2);
      const phase = sum(angles, Number) - target * t;
      at += size * Math.cos(phase);
      above += k % 2 ? (size * Math.sin(phase)) / Math.tan(t / 2) : -size * Math.cos(phase);
    }
    return { at: Math.max(0, at / half), above: Math.min(1, Math.max(0, above / half)) };
  }

  /** All frequencies above 0 that are not negligible, from both ends inwards.
   * Each kind's squared size is convex in cos t, and so between two frequencies no larger than at one of them:
   * the walk ends when nothing that lies between can matter. */
  function* frequencies(kinds, half) {
    for (let [low, high] = [1, half]; low <= high; low += 1, high -= 1) {
      const [first, last] = [low, high].map((k) => turned(kinds, k, (Math.PI * k) / half));
      yield first;
      if (low < high) yield last;
      if (sum(kinds, (_, i) => Math.max(first.logs[i], last.logs[i])) < NEVER) return;
    }
  }

  /** E e^(itW) of every kind: the logarithm of its size, and its angle. */
  function turned(kinds, k, t) {
    const values = kinds.map(({ count, moves }) => {
      const real = -2 * sum(moves, ([step, chance]) => chance * Math.sin((step * t) / 2) ** 2); // less 1
      const imaginary = sum(moves, ([step, chance]) => chance * Math.sin(step * t));
      const square = real * (2 + real) + imaginary ** 2; // less 1: near 1 and near 0 digits are lost in another way
      const log = square > -0.5 ? Math.log1p(square) / 2 : Math.log(Math.hypot(1 + real, imaginary));
      return [count * log, count * Math.atan2(imaginary, 1 + real)];
    });
    return { k, t, logs: values.map(([log]) => log), angles: values.map(([, angle]) => angle) };
  }

  /** Up to which share of wrong labels is the order kept with the probability of the level? 1 if it always is. */
  function criticalError(counts, level, classes) {
    const above = (e) => keptOrder(counts, e, classes).kept - level;
    const chance = 1 - 1 / classes;
    // Without a wrong label among these items nothing changes, so that 1 - kept <= items * e.
    const least = ((1 - level) / sum(counts, Number)) * (1 - 1e-9);
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

  Object.assign(karat, { criticalError, keptOrder });
})((globalThis.karat ??= {}));
