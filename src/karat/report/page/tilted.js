/* Sums of many small steps: their law at a point, exact far out in its tails, as numeric/tilted_sums.py has it.
 * A kind is {count, steps, chances}: so many items, each of which takes one of a few consecutive whole steps. */
((karat) => {
  "use strict";

  const NEVER = Math.log(1e-21); // a frequency that adds less to a probability adds nothing to its first 16 digits
  const REACH = 13; // standard deviations: what lies beyond has a probability below 1e-37

  const sum = (list, term) => list.reduce((total, entry, i) => total + term(entry, i), 0);

  /** P(W < T), P(W = T) and P(W > T), W the sum of all steps; NaN for that outer one which is 1 minus the others. */
  function split(kinds, target) {
    const loss = kinds.filter((kind) => kind.count > 0).map(likely);
    const low = sum(loss, (kind) => kind.count * kind.steps[0]);
    const high = sum(loss, (kind) => kind.count * kind.steps.at(-1));
    if (low < target && target < high) return inside(loss, target);
    if (target !== low && target !== high) return target > high ? [1, 0, 0] : [0, 0, 1];
    const log = sum(loss, (kind) => kind.count * kind.logs.at(target === low ? 0 : -1));
    const ends = [0, Math.exp(log), 0 - Math.expm1(log)];
    return target === low ? ends : ends.reverse();
  }

  /** The steps that may occur, with the logarithms of their chances. */
  function likely({ count, steps, chances }) {
    const top = chances.indexOf(Math.max(...chances));
    // 1 - e has lost the digits of a small e; its logarithm need not.
    const rest = sum(chances, (chance, i) => (i === top ? 0 : chance));
    const logs = chances.map((chance, i) => (i === top ? Math.log1p(-rest) : Math.log(chance)));
    const occurs = (_, i) => logs[i] > -Infinity;
    return { count, steps: steps.filter(occurs), chances: chances.filter(occurs), logs: logs.filter(occurs) };
  }

  /** P(W = w) = e^(c(h) - h w) P_h(W = w), c the cumulants' function and P_h the law tilted until its mean is T.
   * Under that law no w near T is rare, so that Fourier inversion keeps its digits; the factor is a single number. */
  function inside(loss, target) {
    const { tilt, cumulant, items, spread } = tiltedTo(loss, target);
    const half = Math.floor(REACH * spread) + 64;
    const [sign, shift] = tilt > 0 ? [1, Math.floor(target)] : [-1, Math.ceil(target)];
    const { here, beyond } = inverted(items, { half, shift, sign, tilt: Math.abs(tilt) });
    const scale = Math.exp(cumulant - tilt * shift);
    const [at, outer] = [shift === target ? scale * Math.max(0, here) : 0, scale * Math.max(0, beyond)];
    return tilt > 0 ? [NaN, at, outer] : [outer, at, NaN];
  }

  /** Newton's method for the tilt, kept within a bracket; a mean near the target will do. */
  function tiltedTo(loss, target) {
    for (let [low, high, tilt] = [-Infinity, Infinity, 0]; ; ) {
      const items = loss.map((kind) => tiltedBy(kind, tilt));
      const off = sum(items, (item) => item.count * (item.base + item.mean)) - target;
      const variance = sum(items, (item) => item.count * item.variance);
      if (Math.abs(off) <= 0.05 * Math.sqrt(variance) + 0.01) {
        return { tilt, items, cumulant: sum(items, ({ count, log }) => count * log), spread: Math.sqrt(variance) };
      }
      [low, high] = off > 0 ? [low, tilt] : [tilt, high];
      const most = 2 + 2 * Math.abs(tilt);
      tilt += Math.min(most, Math.max(-most, -off / variance));
      if (!(low < tilt && tilt < high)) tilt = (low + high) / 2;
    }
  }

  /** log E e^(hX), X the step of one item, and the law of X under that tilt, seen from its likeliest step. */
  function tiltedBy({ count, steps, chances, logs }, tilt) {
    const heights = logs.map((log, i) => log + tilt * steps[i]);
    const top = heights.indexOf(Math.max(...heights));
    const others = steps.map((step, i) => ({ step: step - steps[top], weight: Math.exp(heights[i] - heights[top]) }));
    others.splice(top, 1);
    const rest = sum(others, ({ weight }) => weight);
    const moves = others.map(({ step, weight }) => ({ step, chance: weight / (1 + rest) }));
    const mean = sum(moves, ({ step, chance }) => chance * step);
    const stays = mean ** 2 / (1 + rest);
    const variance = stays + sum(moves, ({ step, chance }) => chance * (step - mean) ** 2);
    // A slight tilt adds little to the logarithm of 1: so many items would magnify the rounding of anything else.
    const slight = () => Math.log1p(sum(chances, (chance, i) => chance * Math.expm1(tilt * steps[i])));
    const log = Math.abs(tilt) < 1 ? slight() : heights[top] + Math.log1p(rest);
    return { count, base: steps[top], log, moves, mean, variance };
  }

  /** P(W = s), and the sum over m > 0 of e^(-hm) P(W = s + m), or P(W = s - m) for the sign -1: Fourier's sum over
   * the frequencies t = πk / half, each of them with the sum of its geometric series. */
  function inverted(items, { half, shift, sign, tilt }) {
    const start = sum(items, ({ count, base }) => count * base) - shift;
    let [here, beyond] = [1 / 2, series(0, half, tilt).real / 2];
    for (const { k, turns } of frequencies(items, half)) {
      const size = Math.exp(sum(turns, ({ count, log }) => count * log)) / (k < half ? 1 : 2);
      const phase = -sign * (sum(turns, ({ count, angle }) => count * angle) + (start * Math.PI * k) / half);
      const { real, imaginary } = series(k, half, tilt);
      here += size * Math.cos(phase);
      beyond += size * (Math.cos(phase) * real - Math.sin(phase) * imaginary);
    }
    return { here: here / half, beyond: beyond / half };
  }

  /** All frequencies above 0 that are not negligible, each with the E e^(itX) of every kind.
   * The square of such a size is convex in cos t, and so between two frequencies no larger than at one of them:
   * one may walk inwards from both ends until nothing that lies between can matter. */
  function* frequencies(items, half) {
    const at = (k) => ({ k, turns: items.map((item) => turned(item, (Math.PI * k) / half)) });
    for (let [low, high] = [1, half]; low <= high; low += 1, high -= 1) {
      const [first, last] = [at(low), at(high)];
      yield first;
      if (low < high) yield last;
      const most = sum(first.turns, ({ count, log }, i) => count * Math.max(log, last.turns[i].log));
      if (most < NEVER) return;
    }
  }

  /** E e^(itX) of one item, from its likeliest step: the logarithm of its size, and its angle. */
  function turned({ count, moves }, t) {
    let [real, imaginary] = [0, 0];
    for (const { step, chance } of moves) {
      real -= 2 * chance * Math.sin((step * t) / 2) ** 2;
      imaginary += chance * Math.sin(step * t);
    }
    const log = Math.log1p(Math.max(-1, real * (2 + real) + imaginary ** 2)) / 2;
    return { count, log, angle: Math.atan2(imaginary, 1 + real) };
  }

  /** u + u² + ... + u^(half - 1) with u = e^(-h + it), t = πk / half. */
  function series(k, half, tilt) {
    const ratio = Math.exp(-tilt);
    if (k === 0) {
      return { real: tilt ? (ratio * Math.expm1(-tilt * (half - 1))) / Math.expm1(-tilt) : half - 1, imaginary: 0 };
    }
    const t = (Math.PI * k) / half;
    const [real, imaginary] = [ratio * Math.cos(t), ratio * Math.sin(t)];
    const top = real - Math.exp(-tilt * half) * (k % 2 ? -1 : 1);
    const bottom = 2 * ratio * Math.sin(t / 2) ** 2 - Math.expm1(-tilt);
    const square = bottom ** 2 + imaginary ** 2;
    return { real: (top * bottom - imaginary ** 2) / square, imaginary: ((top + bottom) * imaginary) / square };
  }

  Object.assign(karat, { split });
})((globalThis.karat ??= {}));
