/* The panel of class balances: its curves, its areas, and what it says. */
((karat) => {
  "use strict";

  const { element, picture, scale, axis } = karat;
  const panel = karat.data.panels.skew;
  if (!panel) return;

  const { curves, keys, turns, own, low, high } = panel;
  const names = panel.systems;
  const logit = (pi) => Math.log(pi) - Math.log1p(-pi);
  const share = (place) => 1 / (1 + Math.exp(-place));
  const [first, last] = [logit(low), logit(high)];

  /** From the place of the slider, 0 to 100, to the class balance, and back. */
  function balanceOf(place) {
    if (place <= 0 || place >= 100) return place <= 0 ? low : high;
    return share(first + ((last - first) * place) / 100);
  }
  const placeOf = (pi) => (100 * (logit(pi) - first)) / (last - first);

  const [LEFT, RIGHT, TOP] = [40, 20, 8];
  const path = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

  /** A line for every system, those with a colour of their own on top. */
  function lines(svg, pathOf) {
    const order = names.map((_, place) => place).sort((one, other) => (keys[one] ?? -1) - (keys[other] ?? -1));
    for (const place of order) {
      const line = element("path", { class: keys[place] === null ? "line rest" : `line line-${keys[place]}`, d: pathOf(place) });
      line.append(element("title", {}, karat.shortened(names[place])));
      svg.append(line);
    }
  }

  /** Both axes of a picture, whose height is a share of 1. */
  function frame(svg, width, bottom, across, { values, form, title, up }) {
    svg.append(axis(across, values, { top: TOP, bottom, form, title }));
    for (const value of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(
        element("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: up(value), y2: up(value) }),
        element("text", { class: "tick", x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, String(value)),
      );
    }
  }

  const rates = new Map();

  /** The false positive rates of every system at some recalls; they are the same at every class balance. */
  function ratesAt(recalls) {
    if (!rates.has(recalls.length)) rates.set(recalls.length, curves.map((curve) => karat.fallOut(curve, recalls)));
    return rates.get(recalls.length);
  }

  /** Precision against recall at the class balance of the slider, and the region that no system can reach. */
  function balanceCurves(width, { found }) {
    const pi = found.skew.balance;
    const bottom = Math.min(320, Math.max(220, width * 0.7));
    const [across, up] = [scale([0, 1], [LEFT, width - RIGHT]), scale([0, 1], [bottom, TOP])];
    const svg = picture(width, bottom + 40, "Precision against recall of every system at the class balance chosen");
    const size = Math.ceil((width - LEFT - RIGHT) / 1.5);
    const recalls = Array.from({ length: size }, (_, k) => (k + 1) / size);
    const never = recalls.map((recall) => [across(recall), up(karat.precisionAt(recall, 1, pi))]);
    svg.append(element("path", { class: "never", d: `${path([[across(0), up(0)], ...never, [across(1), up(0)]])}Z` }));
    frame(svg, width, bottom, across, { values: [0, 0.25, 0.5, 0.75, 1], form: String, title: "recall (upwards: precision)", up });
    svg.append(element("line", { class: "now", x1: LEFT, x2: width - RIGHT, y1: up(pi), y2: up(pi) }));
    const along = ratesAt(recalls);
    lines(svg, (place) => path(recalls.map((recall, k) => [across(recall), up(karat.precisionAt(recall, along[place][k], pi))])));
    return svg;
  }

  const STEPS = 70;
  const scan = Array.from({ length: STEPS + 1 }, (_, k) => balanceOf((100 * k) / STEPS));
  const worst = { r: [0, 1], f0: [1], f1: [1] };
  let known = null;

  /** Every area at every step of the slider, computed once. */
  function scanned() {
    known ??= { least: scan.map((pi) => karat.prArea(worst, pi)), areas: curves.map((curve) => scan.map((pi) => karat.prArea(curve, pi))) };
    return known;
  }

  const percent = (pi) => `${Number((100 * pi).toPrecision(3))} %`;

  /** The area against the class balance: who leads where, and where two systems change places. */
  function balanceAreas(width, { found }) {
    const bottom = Math.min(320, Math.max(220, width * 0.7));
    const [at, up] = [scale([first, last], [LEFT, width - RIGHT]), scale([0, 1], [bottom, TOP])];
    const across = (pi) => at(logit(pi));
    const svg = picture(width, bottom + 40, "The area of every system against the class balance");
    const { least, areas } = scanned();
    const never = scan.map((pi, k) => [across(pi), up(least[k])]);
    svg.append(element("path", { class: "never", d: `${path([[across(low), up(0)], ...never, [across(high), up(0)]])}Z` }));
    const values = [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999].filter((pi) => pi >= low && pi <= high);
    frame(svg, width, bottom, across, { values, form: percent, title: "positives (upwards: area)", up });
    svg.append(
      element("path", { class: "now", d: path(scan.map((pi) => [across(pi), up(pi)])) }),
      element("line", { class: "level", x1: across(own), x2: across(own), y1: TOP, y2: bottom }),
    );
    lines(svg, (place) => path(scan.map((pi, k) => [across(pi), up(areas[place][k])])));
    for (const [pi, area] of turns) svg.append(element("circle", { class: "turn", cx: across(pi), cy: up(area), r: 3.5 }));
    const here = across(found.skew.balance);
    svg.append(element("line", { class: "here", x1: here, x2: here, y1: TOP, y2: bottom }));
    return svg;
  }

  karat.balanceAt = (pi) => karat.atBalance(curves, pi);
  Object.assign(karat, { balanceOf, placeOf });
  Object.assign(karat.charts, { "balance-curves": balanceCurves, "balance-areas": balanceAreas });
})((globalThis.karat ??= {}));
