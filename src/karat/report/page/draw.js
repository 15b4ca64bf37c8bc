/* Plain SVG: elements, scales and axes. */
((karat) => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";

  /** An SVG element with its attributes and children; text becomes text, never markup. */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  /** A picture of a size, with a sentence for those who do not see it. */
  function picture(width, height, label) {
    return element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  }

  /** From numbers to places on the page. */
  const scale = ([low, high], [start, end]) => (value) => start + ((value - low) / (high - low || 1)) * (end - start);

  /** Some five round numbers from low to high. */
  function ticks(low, high, wanted = 5) {
    const rough = (high - low || 1) / wanted;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
    const first = Math.ceil(low / step - 1e-9);
    const number = Math.floor(high / step + 1e-9) - first + 1;
    return Array.from({ length: Math.max(0, number) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  }

  /** A horizontal axis with its lines, below or above what is drawn. */
  function axis(at, values, { top, bottom, form, title }) {
    const lines = values.map((value) => element("line", { class: "grid", x1: at(value), x2: at(value), y1: top, y2: bottom }));
    const texts = values.map((value) =>
      element("text", { class: "tick", x: at(value), y: bottom + 15, "text-anchor": "middle" }, form(value)),
    );
    const middle = (at(values[0]) + at(values.at(-1))) / 2;
    const name = element("text", { class: "axis", x: middle, y: bottom + 32, "text-anchor": "middle" }, title);
    return element("g", { "aria-hidden": "true" }, ...lines, ...texts, name);
  }

  /** A name beside a row, short enough for its room, with the whole of it as a tooltip. */
  function label(name, attributes, most = 24) {
    const text = element("text", { class: "label", ...attributes }, karat.isolated(name, most));
    text.append(element("title", {}, karat.shortened(name, 300)));
    return text;
  }

  /** How many letters of names fit into a part of the width. */
  const letters = (width) => Math.max(6, Math.min(30, Math.floor((width * 0.34) / 7)));

  Object.assign(karat, { element, picture, scale, ticks, axis, label, letters });
})((globalThis.karat ??= {}));
