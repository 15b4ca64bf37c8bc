/* The pictures: one function each, from the numbers of the page to an SVG as wide as its place. */
((karat) => {
  "use strict";

  const { element, picture, scale, ticks, axis, label, letters, nameRoom, heat } = karat;
  const ROW = 24;
  const MOST_LINES = 8;
  const MOST_SIGNS = 40; // of more systems squares are drawn together, which takes a fraction of the time
  const percent = (value) => `${Number((100 * value).toPrecision(6))} %`;

  const spans = new WeakMap();

  /** The scale that holds all intervals; remembered, as every bar of the ladder asks for it. */
  function ends(systems) {
    if (!spans.has(systems)) spans.set(systems, endsOf(systems));
    return spans.get(systems);
  }

  function endsOf(systems) {
    const low = Math.min(...systems.map((one) => one.low));
    const high = Math.max(...systems.map((one) => one.high));
    const room = 0.04 * (high - low) || 0.01;
    const [least, most] = karat.data.range;
    return [Math.max(least, low - room), Math.min(most, high + room)];
  }

  /** The value as a dot; none where it is undefined. */
  const dot = (at, one, y) => (one.value === null ? [] : [element("circle", { class: "dot", cx: at(one.value), cy: y, r: 4 })]);

  /** The share of each system and its interval, on one scale. */
  function intervals(width, { names, numbers }) {
    const left = nameRoom(names, width);
    const [bottom, range] = [names.length * ROW + 4, ends(numbers.systems)];
    const at = scale(range, [left, width - 26]);
    const svg = picture(width, bottom + 40, "Each system's value with its interval");
    const form = karat.data.form === "percent" ? percent : (value) => String(Number(value.toPrecision(6)));
    svg.append(axis(at, ticks(...range), { top: 0, bottom, form, title: karat.data.measure }));
    numbers.systems.forEach((one, place) => {
      const y = place * ROW + ROW / 2 + 2;
      svg.append(
        label(names[place], { x: left - 8, y: y + 4, "text-anchor": "end" }, letters(width)),
        element("line", { class: "interval", x1: at(one.low), x2: at(one.high), y1: y, y2: y }),
        ...dot(at, one, y),
      );
    });
    return svg;
  }

  /** One interval of the ladder, on the scale that all of them share. */
  function bar(width, { numbers }, place) {
    const at = scale(ends(numbers.systems), [5, width - 5]);
    const one = numbers.systems[place];
    const svg = picture(width, 16, "");
    svg.setAttribute("aria-hidden", "true");
    svg.append(
      element("line", { class: "grid", x1: 0, x2: width, y1: 8, y2: 8 }),
      element("line", { class: "interval", x1: at(one.low), x2: at(one.high), y1: 8, y2: 8 }),
      ...dot(at, one, 8),
    );
    return svg;
  }

  /** Who is better than whom: a plus or a minus in a square; only colours where the squares are too small for signs. */
  function verdicts(width, { names, tallies, numbers, state }) {
    const { error } = karat.atLevel(tallies, state.level);
    const left = nameRoom(names, width);
    const cell = Math.max(3, Math.min(26, Math.floor((width - left - 8) / names.length)));
    const side = cell * names.length;
    const svg = picture(Math.max(width, left + side), side + 26, "Who is better than whom, in the order of the ranking");
    const small = cell < 14 || names.length > MOST_SIGNS;
    const paths = { better: [], worse: [], undecided: [] };
    names.forEach((name, row) => {
      if (cell >= 11) svg.append(label(name, { x: left - 8, y: row * cell + cell / 2 + 4, "text-anchor": "end" }, letters(width)));
      if (cell >= 18) svg.append(element("text", { class: "tick", x: left + row * cell + cell / 2, y: side + 16, "text-anchor": "middle" }, String(row + 1)));
      names.forEach((_, column) => {
        if (row === column) return;
        const { p, kind } = verdict(row, column);
        if (small) paths[kind].push(karat.square(left + column * cell, row * cell, cell, cell));
        else svg.append(...square(row, column, p, kind));
      });
    });
    for (const [kind, squares] of Object.entries(paths)) {
      if (squares.length) svg.append(element("path", { class: `cell ${kind}`, d: squares.join("") }));
    }
    function verdict(row, column) {
      const p = row < column ? numbers.adjusted[row][column - row - 1] : numbers.adjusted[column][row - column - 1];
      const sure = karat.significant(p, error) && numbers.systems[row].hits !== numbers.systems[column].hits;
      return { p, kind: !sure ? "undecided" : row < column ? "better" : "worse" };
    }
    function square(row, column, p, kind) {
      const [x, y] = [left + column * cell, row * cell];
      const box = element("rect", { class: `cell ${kind}`, x: x + 0.5, y: y + 0.5, width: cell - 1, height: cell - 1 });
      box.append(element("title", {}, `${row + 1} and ${column + 1}: ${kind}, ${karat.forms.p(p)}`));
      const sign = { better: "+", worse: "−", undecided: "" }[kind];
      const text = element("text", { class: "sign", x: x + cell / 2, y: y + cell / 2 + 4, "text-anchor": "middle" }, sign);
      return sign ? [box, text] : [box];
    }
    return svg;
  }

  const curves = new Map();

  /** The probability that an order is kept, against the share of wrong labels; remembered, as it is only moved along. */
  function curve(place, { tallies, state }) {
    const key = `${place} ${state.items}`;
    if (!curves.has(key)) {
      const counts = karat.kindsOf(tallies, place, state.items);
      const most = 1 - 1 / tallies.classes;
      const shares = Array.from({ length: 41 }, (_, k) => most * (k / 40) ** 2);
      curves.set(key, shares.map((share) => [share, karat.keptOrder(counts, share, tallies.classes).kept]));
    }
    return curves.get(key);
  }

  /** The orders that are least robust, each as a falling line. */
  function kept(width, view) {
    const { names, numbers, state, tallies } = view;
    const weakest = numbers.pairs
      .map((pair, place) => ({ place, critical: pair.critical }))
      .filter((pair) => pair.critical !== null)
      .sort((one, other) => one.critical - other.critical)
      .slice(0, MOST_LINES);
    const [left, height, legend] = [44, 260, weakest.length * 18];
    const shown = weakest.slice(0, 3).map((pair) => pair.critical * 1.3);
    const most = Math.min(1 - 1 / tallies.classes, Math.max(0.02, state.error * 1.5, ...shown));
    const [across, up] = [scale([0, most], [left, width - 16]), scale([0, 1], [height, 8])];
    const svg = picture(width, height + 48 + legend, "The probability that an order is kept against the share of wrong labels");
    svg.append(axis(across, ticks(0, most), { top: 8, bottom: height, form: percent, title: "share of wrong labels" }));
    for (const value of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(
        element("line", { class: "grid", x1: left, x2: width - 16, y1: up(value), y2: up(value) }),
        element("text", { class: "tick", x: left - 6, y: up(value) + 4, "text-anchor": "end" }, String(value)),
      );
    }
    svg.append(element("line", { class: "level", x1: left, x2: width - 16, y1: up(state.level), y2: up(state.level) }));
    svg.append(element("line", { class: "now", x1: across(state.error), x2: across(state.error), y1: 8, y2: height }));
    weakest.forEach(({ place }, line) => {
      const last = karat.keptOrder(karat.kindsOf(tallies, place, state.items), most, tallies.classes).kept;
      const points = [...curve(place, view).filter(([share]) => share < most), [most, last]];
      const path = points.map(([share, value], k) => `${k ? "L" : "M"}${across(share).toFixed(2)} ${up(value).toFixed(2)}`).join("");
      const y = height + 48 + line * 18;
      svg.append(
        element("path", { class: `line line-${line}`, d: path }),
        element("line", { class: `line line-${line}`, x1: left, x2: left + 28, y1: y - 4, y2: y - 4 }),
        label(`${names[place]} before ${names[place + 1]}`, { x: left + 36, y }, Math.floor((width - left - 60) / 7)),
      );
    });
    return svg;
  }

  /** How likely each rank is, at the share of wrong labels that was simulated and is nearest to the one assumed. */
  function ranks(width, { names, state }) {
    const { grid, ranks: chances } = karat.data.panels.stability;
    const nearest = karat.nearest(grid, state.error);
    const chance = (row, column) => chances[nearest][row][column];
    return heat(width, {
      rows: names,
      columns: names.length,
      left: nameRoom(names, width),
      values: (row, column) => ({ shade: chance(row, column), tip: `rank ${column + 1}: ${karat.forms.chance(chance(row, column))}` }),
      text: (row, column) => (chance(row, column) >= 0.005 ? chance(row, column).toFixed(2) : ""),
      legend: ["0", "1"],
      title: `The probability of each rank, if ${percent(grid[nearest])} of the labels are wrong`,
    });
  }

  /** The least and the most of some numbers, however many there are. */
  const extremes = (values) => values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);

  /** How good each system is in each group. */
  function groups(width, { names }) {
    const { names: rows, values, best, lower_is_better: lowerIsBetter, measure } = karat.data.panels.groups;
    const known = values.flat().filter((value) => value !== null);
    const [least, most] = extremes(known);
    const shade = scale([least, most], lowerIsBetter ? [1, 0.05] : [0.05, 1]);
    const ends = [least, most].map(karat.forms.percent);
    return heat(width, {
      rows,
      columns: names.length,
      left: nameRoom(rows, width),
      values: (row, column) => {
        const value = values[row][column];
        return { shade: value === null ? 0 : shade(value), tip: `${karat.shortened(names[column])}: ${karat.forms.percent(value)}` };
      },
      text: (row, column) => (values[row][column] === null || best[row][column] ? "" : (100 * values[row][column]).toFixed(0)),
      legend: lowerIsBetter ? ends.reverse() : ends,
      title: `${measure} of each system in each group`,
      mark: (row, column) => best[row][column],
    });
  }

  /** Which label a system takes for which, in shares of each label's items. */
  function confusion(width, view, place) {
    const { rows, columns, matrix } = karat.data.panels.errors.systems[place];
    const totals = matrix.map((row) => row.reduce((sum, number) => sum + number, 0));
    const said = (row, column) => `${karat.shortened(rows[row])} taken for ${karat.shortened(columns[column])}`;
    return heat(width, {
      rows,
      columns: columns.length,
      heads: [...columns.slice(0, -2), "other", "none"],
      left: nameRoom(rows, width),
      values: (row, column) => ({ shade: matrix[row][column] / (totals[row] || 1), tip: `${said(row, column)}: ${matrix[row][column]}` }),
      text: (row, column) => (matrix[row][column] ? karat.forms.count(matrix[row][column]) : ""),
      legend: ["0\u00a0%", "100\u00a0%"],
      title: "Which label is taken for which",
    });
  }

  /** How often every two systems give the same answer. */
  function agreement(width) {
    const { names, observed } = karat.data.panels.consensus;
    const known = observed.flat().filter((value) => value !== null);
    const [least] = extremes(known);
    const shade = scale([least, 1], [0.05, 1]);
    return heat(width, {
      rows: names,
      columns: names.length,
      left: nameRoom(names, width),
      values: (row, column) => {
        const value = observed[row][column];
        const tip = `${karat.shortened(names[row])} and ${karat.shortened(names[column])}: ${karat.forms.percent(value)}`;
        return { shade: value === null ? 0 : shade(value), tip };
      },
      text: (row, column) => (observed[row][column] === null ? "" : (100 * observed[row][column]).toFixed(0)),
      legend: [karat.forms.percent(least), "100\u00a0%"],
      title: "How often every two systems give the same answer, in per cent",
    });
  }

  /** Where each system stands by all, and by the truth. */
  function both(width) {
    const { points, by } = karat.data.panels.consensus;
    const known = points.filter(([, one, other]) => one !== null && other !== null);
    const [left, height, room] = [64, 300, Math.min(190, width / 3)];
    const range = (place) => {
      const values = known.map((point) => point[place]);
      const margin = 0.05 * (Math.max(...values) - Math.min(...values)) || 0.01;
      return [Math.min(...values) - margin, Math.max(...values) + margin];
    };
    const [across, up] = [scale(range(1), [left, width - room]), scale(range(2), [height, 8])];
    const svg = picture(width, height + 44, "Each system by what all say together and by the truth");
    svg.append(axis(across, ticks(...range(1)), { top: 8, bottom: height, form: percent, title: by[0] }));
    for (const value of ticks(...range(2))) {
      svg.append(
        element("line", { class: "grid", x1: left, x2: width - room, y1: up(value), y2: up(value) }),
        element("text", { class: "tick", x: left - 6, y: up(value) + 4, "text-anchor": "end" }, percent(value)),
      );
    }
    const labelled = [];
    for (const [name, one, other] of known) {
      const dot = element("circle", { class: "dot", cx: across(one), cy: up(other), r: 4.5 });
      dot.append(element("title", {}, karat.shortened(name)));
      svg.append(dot);
      const place = { x: across(one) + 7, y: up(other) + 4 };
      // A name that would lie on another is left to the tip of its dot.
      const covers = (there) => Math.abs(there.y - place.y) < 13 && Math.abs(there.x - place.x) < room;
      if (known.length > 40 || labelled.some(covers)) continue;
      labelled.push(place);
      svg.append(label(name, place, Math.floor(room / 7.5)));
    }
    svg.append(element("text", { class: "axis", x: left + 4, y: 20 }, by[1]));
    return svg;
  }

  karat.charts = { intervals, bar, verdicts, kept, ranks, groups, agreement, both, confusion };
})((globalThis.karat ??= {}));
