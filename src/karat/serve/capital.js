/* The capital as a line that grows towards its goal, on a scale where equal factors have equal heights. */
((karat) => {
  "use strict";

  const HEIGHT = 218;
  const ROOM = { left: 34, right: 12, top: 24, bottom: 38 };
  const SMALLEST = 0.01;

  const height = (capital) => Math.log10(Math.max(capital, SMALLEST));
  const isWhole = (value) => Number.isInteger(value);

  /** The numbers at the left: powers of ten with what lies between them, where there is room. */
  function levels(low, high) {
    const wanted = [0.01, 0.1, 0.3, 1, 3, 10, 30, 100, 1000, 10000];
    return wanted.filter((value) => height(value) >= low - 1e-9 && height(value) <= high + 1e-9);
  }

  /** A path through points (check, capital). */
  const path = (points, x, y) => points.map(([check, capital], k) => `${k ? "L" : "M"}${x(check).toFixed(1)} ${y(capital).toFixed(1)}`).join("");

  /** What the picture says, for those who do not see it. */
  function sentence(standing, last) {
    const goal = `The goal is ${karat.plain(standing.needed)}.`;
    if (!last) return `No label has been counted yet. ${goal}`;
    return `Capital, label by label; after ${last} labels. ${goal}`;
  }

  /** The open line with the least capital: the one that the forecast is about. */
  function farthest(lines) {
    const open = lines.filter((line) => line.open);
    return open.reduce((least, line) => (line.points.at(-1)[1] < least.points.at(-1)[1] ? line : least), open[0]);
  }

  /** How it may go on: straight to the goal, as far as there is room for it. */
  function likely(line, last, end, standing) {
    const capital = line.points.at(-1)[1];
    const steps = Math.min(standing.ahead.more, end - last);
    const reached = capital * (standing.needed / capital) ** (steps / standing.ahead.more);
    return [[last, capital], [last + steps, reached]];
  }

  function kindOf(lines, line, place) {
    if (lines.length <= 3) return `line line-${place}${place === 2 ? " dashed" : ""}`;
    return line === farthest(lines) ? "line" : "line one-of-many";
  }

  function drawGoal(picture, needed, y, right) {
    picture.append(karat.element("line", { class: "start", x1: ROOM.left, x2: right, y1: y(1), y2: y(1) }));
    picture.append(karat.element("line", { class: "goal", x1: ROOM.left, x2: right, y1: y(needed), y2: y(needed) }));
    const name = `settled at ${karat.plain(needed)}`;
    picture.append(karat.element("text", { class: "goal-name", x: ROOM.left + 4, y: y(needed) - 6 }, name));
  }

  function drawLines(picture, lines, last, x, y) {
    // What was decided is drawn first, what the forecast is about last, so that it lies on top.
    const order = lines.map((line, k) => [line, k]);
    if (lines.length > 3) order.sort(([one], [other]) => Number(one === farthest(lines)) - Number(other === farthest(lines)));
    for (const [line, k] of order) {
      const [check, capital] = line.points.at(-1);
      const points = line.open && check < last ? [...line.points, [last, capital]] : line.points;
      const drawn = karat.element("path", { class: kindOf(lines, line, k), d: path(points, x, y) });
      drawn.append(karat.element("title", {}, line.name));
      picture.append(drawn);
      const hasDot = lines.length <= 3 || line === farthest(lines);
      if (hasDot) picture.append(karat.element("circle", { class: `dot dot-${lines.length <= 3 ? k : 0}`, cx: x(points.at(-1)[0]), cy: y(capital), r: 4.5 }));
    }
  }

  function capitalChart(box, standing) {
    const width = Math.max(240, Math.min(560, box.clientWidth || 320));
    const lines = standing.lines;
    const last = Math.max(0, ...lines.map((line) => line.points.at(-1)[0]));
    const more = standing.ahead && !standing.ahead.far ? standing.ahead.more : null;
    const end = Math.max(8, last + Math.min(more ?? 0, Math.max(12, 2 * last)));
    const all = lines.flatMap((line) => line.points.map(([, capital]) => height(capital)));
    const low = Math.min(height(0.5), ...all) - 0.08;
    const high = Math.max(height(standing.needed), ...all) + 0.08;
    const right = width - ROOM.right;
    const x = karat.scale([0, end], [ROOM.left, right]);
    const at = karat.scale([low, high], [HEIGHT - ROOM.bottom, ROOM.top]);
    const y = (capital) => at(height(capital));
    const picture = karat.picture(width, HEIGHT, sentence(standing, last));
    const ticks = karat.ticks(0, end, 4).filter(isWhole);
    picture.append(karat.axis(x, ticks, { top: ROOM.top, bottom: HEIGHT - ROOM.bottom, form: String, title: "labels counted" }));
    for (const value of levels(low, high)) {
      picture.append(karat.element("text", { class: "tick", x: ROOM.left - 6, y: y(value) + 4, "text-anchor": "end" }, karat.plain(value)));
    }
    drawGoal(picture, standing.needed, y, right);
    const ahead = farthest(lines);
    if (more && ahead && last) picture.append(karat.element("path", { class: "likely", d: path(likely(ahead, last, end, standing), x, y) }));
    drawLines(picture, lines, last, x, y);
    box.replaceChildren(picture);
  }

  /** A number with as many digits as matter. */
  function plain(value) {
    if (value >= 1000) return Math.round(value).toLocaleString("en");
    return String(Number(value.toPrecision(value >= 100 ? 3 : 2)));
  }

  Object.assign(karat, { capitalChart, plain });
})((globalThis.karat ??= {}));
