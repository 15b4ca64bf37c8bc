/* Whether the better of two systems stays the better one: doubt/label_noise/pair_order.py and critical_error.py.
 * Python computes the rarest reversal with all its digits; the page has every probability to twelve places. */
((karat) => {
  "use strict";

  const REACH = 13; // standard deviations: what lies beyond has a probability below 1e-37 ...
  const ROOM = 64; // ... and so have as many rare errors
  const NEVER = Math.log(1e-21); // a frequency that adds less to a probability adds nothing to its digits
  const CLOSE = 1e-13; // relative: beyond that the probabilities have no digits
  const MOST = 200; // steps to a root; some ten suffice
  const TINY = 1e-12; // the nearest to certainty that log odds can tell
  const STEP = 1.2; // between the shares that are looked at before the search
  const ROUGHLY = 0.25; // standard deviations: so far is an approximation trusted, before it is checked

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
   * to sum P(W = target + m) over 0 < m < half is to multiply each of them by a geometric series.
   * Plain loops: a slider asks for thousands of these, and closures would take several times as long. */
  function split(kinds, target) {
    let [away, variance] = [target, 0];
    for (const { count, moves } of kinds) {
      let [mean, square] = [0, 0];
      for (const [step, chance] of moves) {
        mean += step * chance;
        square += step * step * chance;
      }
      away -= count * mean;
      variance += count * (square - mean * mean);
    }
    const reach = REACH * Math.sqrt(Math.max(0, variance)) + ROOM;
    if (Math.abs(away) > reach) return { at: 0, above: away > 0 ? 0 : 1 };
    const half = Math.ceil(reach + Math.abs(away));
    const total = { at: 1 / 2, above: (half - 1) / 2 };
    // All frequencies above 0 that are not negligible, from both ends inwards. Each kind's squared size is convex in
    // cos t, and so between two frequencies no larger than at one of them: the walk ends when nothing between matters.
    const first = new Float64Array(kinds.length);
    const last = new Float64Array(kinds.length);
    for (let [low, high] = [1, half]; low <= high; low += 1, high -= 1) {
      add(total, kinds, low, half, target, first);
      if (low < high) add(total, kinds, high, half, target, last);
      let largest = 0;
      for (let i = 0; i < kinds.length; i += 1) largest += low < high ? Math.max(first[i], last[i]) : first[i];
      if (largest < NEVER) break;
    }
    return { at: Math.max(0, total.at / half), above: Math.min(1, Math.max(0, total.above / half)) };
  }

  /** Add E e^(itW) at one frequency; the logarithm of each kind's size is left in `logs`. */
  function add(total, kinds, k, half, target, logs) {
    const t = (Math.PI * k) / half;
    let [log, phase] = [0, -target * t];
    for (let i = 0; i < kinds.length; i += 1) {
      const { count, moves } = kinds[i];
      let [real, imaginary] = [0, 0]; // real: less 1
      for (let m = 0; m < moves.length; m += 1) {
        const sine = Math.sin((moves[m][0] * t) / 2);
        real -= 2 * moves[m][1] * sine * sine;
        imaginary += moves[m][1] * Math.sin(moves[m][0] * t);
      }
      const square = real * (2 + real) + imaginary * imaginary; // less 1: near 1 and near 0 digits are lost in another way
      logs[i] = count * (square > -0.5 ? Math.log1p(square) / 2 : Math.log(Math.hypot(1 + real, imaginary)));
      log += logs[i];
      phase += count * Math.atan2(imaginary, 1 + real);
    }
    const size = Math.exp(log) / (k < half ? 1 : 2);
    total.at += size * Math.cos(phase);
    total.above += k % 2 ? (size * Math.sin(phase)) / Math.tan(t / 2) : -size * Math.cos(phase);
  }

  /** Up to which share of wrong labels is the order kept with the probability of the level? 1 if it always is. */
  function criticalError(counts, level, classes) {
    const odds = Math.log(level / (1 - level));
    // On the scale of log odds the order falls almost evenly, and a few steps find the root.
    const above = (e) => {
      const kept = Math.min(Math.max(keptOrder(counts, e, classes).kept, TINY), 1 - TINY);
      return Math.log(kept / (1 - kept)) - odds;
    };
    const chance = 1 - 1 / classes;
    // Without a wrong label among these items nothing changes, so that 1 - kept <= items * e.
    const least = ((1 - level) / sum(counts, Number)) * (1 - 1e-9);
    const [low, high] = roughlyBetween(counts, level, classes, least, chance);
    if (low < high) {
      const found = root(above, low, high);
      if (low < found && found < high) return found;
    }
    // Labels that are right no more often than by chance favour nobody; only a low level needs worse ones.
    return root(above, least, least < chance && above(chance) < 0 ? chance : 1);
  }

  /** The lead that is left in standard deviations; one of half an item is as near to a tie as to a lead of one. */
  function leadAt([n0, n1, n2, n3, n4, n5, n6], e, classes) {
    const to = e / (classes - 1);
    const loss = (n1 - n0) * (e + to) + (n4 - n3) * e + (n5 - n6) * to;
    const both = (n0 + n1) * (e + 3 * to - (e + to) ** 2) + 2 * n2 * to;
    const variance = both + (n3 + n4) * (e - e * e) + (n5 + n6) * (to - to * to);
    return (n1 + n4 - n0 - n3 - loss - 1 / 2) / Math.sqrt(Math.max(variance, 1e-12));
  }

  /** Shares around that at which, by a normal approximation, the order falls to the level for the first time. Nothing
   * rests on it: what lies between them is searched only if the order does fall to the level there. */
  function roughlyBetween(counts, level, classes, least, most) {
    const t = Math.sqrt(-2 * Math.log(1 - level));
    const wanted = t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t); // the normal quantile, to 0.003
    const first = (lead, from) => {
      let e = from;
      while (e < most && leadAt(counts, e, classes) > lead) e *= STEP;
      return Math.min(e, most);
    };
    const low = first(wanted + ROUGHLY, least);
    return [Math.max(least, low / STEP), first(wanted - ROUGHLY, low)];
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
