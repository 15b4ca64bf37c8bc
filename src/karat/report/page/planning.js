/* How many items are needed: `items_for_pair` of planning/items.py. */
((karat) => {
  "use strict";

  const MOST = 100_000; // items; where more are needed the normal approximation is near enough

  /** From how many shared items on is a difference significant, if it is observed exactly so?
   * Each share is that of the items which only this system has right; null if no number suffices. */
  function itemsForPair(firstShare, secondShare, { level = 0.95 } = {}) {
    const g = karat.error(level) / 2;
    const [less, more] = [Math.min(firstShare, secondShare), Math.max(firstShare, secondShare)];
    const rough = normal(more - less, -karat.ndtri(g) * Math.sqrt(more + less));
    return rough === null || rough > MOST ? rough : firstPairs(less, more, g);
  }

  /** The first n with gap * n - 1 >= spread * √n, if there is one. */
  function normal(gap, spread) {
    if (gap < 1e-12) return null; // 0.3 - (0.1 + 0.2) is none
    return Math.ceil(((spread + Math.sqrt(spread ** 2 + 4 * gap)) / (2 * gap)) ** 2);
  }

  /** The smallest n such that McNemar's test is significant for every m >= n; Chernoff's bound proves it far out. */
  function firstPairs(less, more, g) {
    const proven = (n) => {
      const [b, c] = [less * n + 0.5, more * n - 0.5];
      return b < c && b * Math.log((2 * b) / (b + c)) + c * Math.log((2 * c) / (b + c)) >= Math.log(1 / g);
    };
    // The tail falls with the more and rises with the less, so that one test can speak for a whole stretch.
    const hold = (low, high) => {
      const [b, c] = [whole(less, high), whole(more, low)];
      return karat.within(Math.min(1, 2 * karat.halfTail(b, b + c)), 2 * g);
    };
    return lastFailing(hold, 1, firstTrue(proven) - 1) + 1;
  }

  /** The first number at which a condition holds that holds from there on. */
  function firstTrue(holds) {
    let high = 1;
    while (!holds(high)) high *= 2;
    for (let low = Math.floor(high / 2); high - low > 1; ) {
      const middle = Math.floor((low + high) / 2);
      [low, high] = holds(middle) ? [low, middle] : [middle, high];
    }
    return high;
  }

  /** The last number of a stretch at which a condition fails, or the one before the stretch. */
  function lastFailing(hold, low, high) {
    if (low > high || hold(low, high)) return low - 1;
    if (low === high) return high;
    const middle = Math.floor((low + high) / 2);
    const last = lastFailing(hold, middle + 1, high);
    return last > middle ? last : lastFailing(hold, low, middle);
  }

  /** Successes nearest to a share, a half rounded down: 0.07 of 50 is 3, although 0.07 * 50 = 3.5000000000000004. */
  function whole(share, trials) {
    return Math.ceil(evenly(share * trials * 1e9) / 1e9 - 0.5);
  }

  /** The nearest whole number, of two the even one, as NumPy rounds. */
  function evenly(number) {
    const nearest = Math.round(number);
    return nearest - number === 0.5 && nearest % 2 ? nearest - 1 : nearest;
  }

  Object.assign(karat, { itemsForPair });
})((globalThis.karat ??= {}));
