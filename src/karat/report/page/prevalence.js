/* The panel of prevalences: its curves and its areas, from numbers that verdict/prevalence/slider.py computed. */
((karat) => {
  "use strict";

  const { element, picture, scale, axis } = karat;
  const panel = karat.data.panels.skew;
  if (!panel) return;

  const { curves, keys, turns, own, prevalences, least, room, areas, known, warnings, steps } = panel;
  const names = panel.systems;
  const places = prevalences.slice(0, steps + 1); // those of the slider; then one requested, and that of the data
  const [low, high] = [places[0], places.at(-1)];
  const logit = (pi) => Math.log(pi) - Math.log1p(-pi);

  /** Every system's area and rank at one of the prevalences, what no system falls below, and what chance has. */
  function prevalenceAt(k) {
    const column = areas.map((row) => row[k]);
    const rank = (area) => 1 + column.filter((other) => other > area).length;
    const systems = column.map((area, place) => ({
      area,
      rank: rank(area),
      normalised: (area - least[k]) / room[k],
      ...(known ? Object.fromEntries(panel.fields.map((name, field) => [name, known[place][k][field]])) : {}),
    }));
    return { prevalence: prevalences[k], random: prevalences[k], least: least[k], warning: warnings[k] ?? "", systems };
  }

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

  /** An empty picture with both axes, whose height is a share of 1; what lies below `never` no system can reach. */
  function frame(width, label, across, { values, form, title, never }) {
    const bottom = Math.min(320, Math.max(220, width * 0.7));
    const up = scale([0, 1], [bottom, TOP]);
    const svg = picture(width, bottom + 40, label);
    const region = [[never[0][0], 0], ...never, [never.at(-1)[0], 0]];
    svg.append(element("path", { class: "never", d: `${path(region.map(([x, y]) => [across(x), up(y)]))}Z` }));
    svg.append(axis(across, values, { top: TOP, bottom, form, title }));
    for (const value of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(
        element("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: up(value), y2: up(value) }),
        element("text", { class: "tick", x: LEFT - 6, y: up(value) + 4, "text-anchor": "end" }, String(value)),
      );
    }
    return { svg, up, bottom };
  }

  /** Precision at each of some rising recalls above 0, from the points of a ROC curve. */
  function precisions({ r, f0, f1 }, recalls, pi) {
    let k = 0;
    return recalls.map((recall) => {
      while (k < f1.length - 1 && r[k + 1] < recall) k += 1;
      const fallOut = f0[k] + (f1[k] - f0[k]) * ((recall - r[k]) / (r[k + 1] - r[k]));
      return (pi * recall) / (pi * recall + (1 - pi) * fallOut);
    });
  }

  /** Precision against recall at the prevalence of the slider, and the region that no system can reach. */
  function prevalenceCurves(width, { numbers }) {
    const pi = numbers.skew.prevalence;
    const across = scale([0, 1], [LEFT, width - RIGHT]);
    const size = Math.ceil((width - LEFT - RIGHT) / 1.5);
    const recalls = Array.from({ length: size }, (_, k) => (k + 1) / size);
    const never = [[0, 0], ...recalls.map((recall) => [recall, (pi * recall) / (pi * recall + 1 - pi)])];
    const axes = { values: [0, 0.25, 0.5, 0.75, 1], form: String, title: "recall (upwards: precision)", never };
    const { svg, up } = frame(width, "Precision against recall of every system at the prevalence chosen", across, axes);
    svg.append(element("line", { class: "now", x1: LEFT, x2: width - RIGHT, y1: up(pi), y2: up(pi) }));
    lines(svg, (place) => path(precisions(curves[place], recalls, pi).map((y, k) => [across(recalls[k]), up(y)])));
    return svg;
  }

  const percent = (pi) => `${Number((100 * pi).toPrecision(3))} %`;
  const MARKS = [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999].filter((pi) => pi >= low && pi <= high);

  /** The area against the prevalence: who leads where, and where two systems change places. */
  function prevalenceAreas(width, { numbers }) {
    const at = scale([logit(low), logit(high)], [LEFT, width - RIGHT]);
    const across = (pi) => at(logit(pi));
    const axes = { values: MARKS, form: percent, title: "positives (upwards: area)", never: places.map((pi, k) => [pi, least[k]]) };
    const { svg, up, bottom } = frame(width, "The area of every system against the prevalence", across, axes);
    const upright = (kind, pi) => element("line", { class: kind, x1: across(pi), x2: across(pi), y1: TOP, y2: bottom });
    svg.append(element("path", { class: "now", d: path(places.map((pi) => [across(pi), up(pi)])) }), upright("level", own));
    lines(svg, (place) => path(places.map((pi, k) => [across(pi), up(areas[place][k])])));
    for (const [pi, area] of turns) svg.append(element("circle", { class: "turn", cx: across(pi), cy: up(area), r: 3.5 }));
    svg.append(upright("here", numbers.skew.prevalence));
    return svg;
  }

  /** True positives against false positives: the same at every prevalence. */
  function rocCurves(width) {
    const across = scale([0, 1], [LEFT, width - RIGHT]);
    const axes = { values: [0, 0.25, 0.5, 0.75, 1], form: String, title: "false positive rate (upwards: recall)", never: [[0, 0], [1, 0]] };
    const { svg, up } = frame(width, "Recall against the false positive rate of every system", across, axes);
    svg.append(element("line", { class: "now", x1: across(0), x2: across(1), y1: up(0), y2: up(1) }));
    const points = ({ r, f0, f1 }) => [[f0[0] ?? 0, 0], ...f1.flatMap((x, k) => [[f0[k], r[k]], [x, r[k + 1]]]), [1, 1]];
    lines(svg, (place) => path(points(curves[place]).map(([x, y]) => [across(x), up(y)])));
    return svg;
  }

  Object.assign(karat, { prevalenceAt, ownPrevalence: prevalences.length - 1, firstPrevalence: panel.start });
  Object.assign(karat.charts, { roc: rocCurves, "prevalence-curves": prevalenceCurves, "prevalence-areas": prevalenceAreas });
})((globalThis.karat ??= {}));
