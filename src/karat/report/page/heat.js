/* Grids of cells, darker the more there is in each, with names and a scale. */
((karat) => {
  "use strict";

  const { element, picture, label, letters } = karat;
  const SMALL = 14; // smaller cells have no text and no tooltip of their own, and are drawn together
  const MOST_CELLS = 1600; // of more cells none has text or a tooltip either
  const SHADES = 20;
  const LEGEND = 150; // the width of a scale

  /** The longest of some names, in pixels, as far as there is room. */
  function nameRoom(names, width) {
    const most = letters(width);
    return 12 + 7 * Math.min(most, names.reduce((longest, name) => Math.max(longest, karat.shortened(name, most).length), 0));
  }

  /** A square, or an oblong, as a part of a path. */
  function square(x, y, width, height) {
    const room = width > 4 && height > 4 ? 1 : 0;
    return `M${x} ${y}h${width - room}v${height - room}h${room - width}z`;
  }

  /** A grid of cells; `legend` is what the lightest and the darkest mean. */
  function heat(width, { rows, columns, left, values, text, title, legend, heads = null, mark = () => false }) {
    const cell = Math.max(3, Math.min(44, Math.floor((width - left - 8) / columns)));
    const height = Math.max(7, Math.min(22, cell));
    const bottom = rows.length * height;
    const svg = picture(Math.max(width, left + columns * cell), bottom + 26 + (legend ? 24 : 0), title);
    const small = cell < SMALL || rows.length * columns > MOST_CELLS;
    const shades = Array.from({ length: SHADES + 1 }, () => []);
    const marks = [];
    svg.append(element("rect", { class: "empty", x: left, y: 0, width: columns * cell, height: bottom }));
    rows.forEach((name, row) => {
      if (height >= 10) svg.append(label(name, { x: left - 8, y: row * height + height / 2 + 4, "text-anchor": "end" }, letters(width)));
      for (let column = 0; column < columns; column += 1) {
        const { shade, tip } = values(row, column);
        const [x, y] = [left + column * cell, row * height];
        if (small) shades[Math.round(shade * SHADES)].push(square(x, y, cell, height));
        else svg.append(...large(x, y, shade, tip, text(row, column)));
        if (mark(row, column)) marks.push(element("circle", { class: shade > 0.55 ? "mark-light" : "mark-dark", cx: x + cell / 2, cy: y + height / 2, r: Math.min(3, cell / 4) }));
      }
    });
    shades.forEach((squares, k) => {
      if (k && squares.length) svg.append(element("path", { class: "heat", d: squares.join(""), "fill-opacity": k / SHADES }));
    });
    svg.append(...marks);
    function large(x, y, shade, tip, written) {
      const box = element("rect", { class: "heat", x: x + 0.5, y: y + 0.5, width: cell - 1, height: height - 1, "fill-opacity": shade.toFixed(3) });
      box.append(element("title", {}, tip));
      if (!written || cell < 30 || height < 16) return [box];
      return [box, element("text", { class: shade > 0.55 ? "on-dark" : "on-light", x: x + cell / 2, y: y + height / 2 + 4, "text-anchor": "middle" }, written)];
    }
    if (cell >= 16) {
      for (let column = 0; column < columns; column += 1) {
        const name = heads ? karat.shortened(heads[column], Math.max(2, Math.floor(cell / 7))) : String(column + 1);
        svg.append(element("text", { class: "tick", x: left + column * cell + cell / 2, y: bottom + 16, "text-anchor": "middle" }, name));
      }
    }
    if (legend) svg.append(...scaleOf(left, bottom + 28, legend));
    return svg;
  }

  /** What the shades mean: the least and the most beside a strip of them. */
  function scaleOf(left, y, [least, most]) {
    const strip = Array.from({ length: 5 }, (_, k) =>
      element("rect", { class: "heat", x: left + 50 + (k * LEGEND) / 5, y, width: LEGEND / 5, height: 12, "fill-opacity": 0.05 + 0.95 * (k / 4) }),
    );
    return [
      element("text", { class: "tick", x: left + 44, y: y + 10, "text-anchor": "end" }, least),
      ...strip,
      element("text", { class: "tick", x: left + 56 + LEGEND, y: y + 10 }, most),
    ];
  }

  Object.assign(karat, { nameRoom, heat, square });
})((globalThis.karat ??= {}));
