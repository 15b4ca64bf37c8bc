/* The browser of graphs: confusions by frequency, from each to its files, output and truth drawn one above the other. */
((karat) => {
  "use strict";

  const { element, data } = karat;
  const place = document.getElementById("graph-drawn");
  const found = data.panels["graph-browser"];
  if (!place || !found) return;
  const STATES = ["same", "wrong", "extra", "missing"];
  const SIGNS = ["", "≠", "+", "−"];
  const MOST_ROWS = 60;
  const state = { system: -1, size: found.sizes[0], confusion: null, file: null };

  /** An HTML element with its attributes and children; text becomes text, never markup. */
  function part(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const button = (text, pressed, act, attributes = {}) => {
    const made = part("button", { type: "button", "aria-pressed": String(pressed), ...attributes }, text);
    made.addEventListener("click", act);
    return made;
  };

  const ofSystem = (system) => state.system < 0 || state.system === system;

  /** The confusions of the chosen system and size, together by what they are of. */
  function histogram() {
    const rows = new Map();
    for (const one of found.confusions) {
      const [size, system, truth, output, number, total, files] = one;
      if (size !== state.size || !ofSystem(system)) continue;
      const row = rows.get(truth) ?? { truth, number: 0, outputs: new Map() };
      const cell = row.outputs.get(output) ?? { output, number: 0, total: 0, files: new Set() };
      row.number += number;
      cell.number += number;
      cell.total += total;
      for (const file of files) cell.files.add(file);
      row.outputs.set(output, cell);
      rows.set(truth, row);
    }
    const byNumber = (one, other) => other.number - one.number || (one.truth ?? one.output).localeCompare(other.truth ?? other.output, "en");
    return [...rows.values()].sort(byNumber).map((row) => ({ ...row, outputs: [...row.outputs.values()].sort(byNumber) }));
  }

  /** The files to choose from: those of the chosen confusion, or all of the chosen system. */
  function files(rows) {
    const chosen = state.confusion;
    const cell = chosen && rows.find((row) => row.truth === chosen[0])?.outputs.find((one) => one.output === chosen[1]);
    state.total = cell?.total;
    const all = cell ? [...cell.files].sort((a, b) => a - b) : found.files.keys();
    return [...all].filter((file) => ofSystem(found.files[file].system));
  }

  function choices(label, name, options, value, act) {
    const select = part("select", { id: `graphs-${name}` }, ...options.map(([key, text]) => part("option", { value: key }, text)));
    select.value = value;
    select.addEventListener("change", () => act(Number(select.value)));
    return part("p", { class: "choice" }, part("label", { for: `graphs-${name}` }, label), select);
  }

  function table(rows) {
    const most = Math.max(...rows.map((row) => row.number));
    const body = rows.slice(0, MOST_ROWS).map((row) => {
      const bar = part("span", { class: "count-bar" });
      bar.style.width = `${(60 * row.number) / most}px`;
      const outputs = row.outputs.slice(0, 12).map((cell) => {
        const pressed = state.confusion?.[0] === row.truth && state.confusion?.[1] === cell.output;
        return button(`${cell.output}  ${cell.number}`, pressed, () => choose({ confusion: pressed ? null : [row.truth, cell.output], file: null }), { class: "confusion" });
      });
      const rest = row.outputs.length - outputs.length;
      const more = rest > 0 ? [part("span", { class: "hint" }, ` and ${rest} rarer`)] : [];
      return part("tr", {}, part("th", { scope: "row" }, part("code", {}, row.truth)), part("td", { class: "right" }, String(row.number), bar), part("td", {}, ...outputs, ...more));
    });
    const heads = ["truth", "wrong", "read as (choose one to see its files)"].map((text) => part("th", { scope: "col" }, text));
    const left = rows.length - body.length;
    const caption = part("caption", {}, left > 0 ? `Most often wrong first; ${left} rarer parts are not shown.` : "Most often wrong first.");
    const made = part("table", { id: "graphs-table" }, caption, part("thead", {}, part("tr", {}, ...heads)), part("tbody", {}, ...body));
    return part("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Confusions" }, made);
  }

  /** One graph as SVG, as karat show draws it. */
  function drawing({ size: [width, height], symbols, arrows, notes, undirected }, title) {
    const svg = element("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
    svg.style.minWidth = `${Math.min(width, 560)}px`;
    for (const [x, y, w, h, tx, ty, text, note, kind, names, hint] of symbols) {
      const long = text.length > 6 || text.startsWith("*");
      const shift = 3.5 * note.length;
      const across = text === "*C" || text === "Col" ? " across" : "";
      const group = element("g", { class: `thing ${STATES[kind]}${across}` },
        element("title", {}, hint),
        element("rect", { class: "box", x, y, width: w, height: h, rx: 5 }),
        element("text", { class: long ? "small" : "glyph", x: tx - shift, y: ty + 6 }, text));
      if (note) group.append(element("text", { class: "instead", x: tx + 4 + 5.5 * text.length - shift, y: ty + 5 }, note));
      const most = Math.max(4, Math.floor((w + 14) / 5));
      group.append(element("text", { class: "ids", x: x + 2, y: y + h + 10 }, names.length > most ? `${names.slice(0, most - 1)}…` : names));
      if (kind) group.append(element("circle", { class: "badge", cx: x, cy: y, r: 6.5 }), element("text", { class: "sign", x, y: y + 4 }, SIGNS[kind]));
      svg.append(group);
    }
    for (const [path, x, y, text, kind] of arrows) {
      svg.append(element("g", { class: `arrow ${STATES[kind]}` }, element("path", undirected ? { d: path } : { d: path, "marker-end": "url(#graph-tip)" }), element("text", { x, y }, text)));
    }
    const tip = element("marker", { id: "graph-tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" }, element("path", { d: "M0 0L8 4L0 8z" }));
    svg.prepend(element("defs", {}, tip));
    return part("figure", { class: "chart" }, part("figcaption", {}, [title, ...notes].join(" ")), part("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, svg));
  }

  function shown(list) {
    if (!list.length) return [part("p", {}, "None of the files with this confusion is drawn on this page; karat show draws it.")];
    const at = Math.max(0, list.indexOf(state.file));
    const one = found.files[list[at]];
    const name = (file) => [file, `${found.files[file].file} (${found.systems[found.files[file].system]})`];
    const pick = choices(`File (${list.length}${state.total > list.length ? ` of ${state.total} with it` : ""})`, "file", list.map(name), list[at], (file) => choose({ file }));
    const step = (text, to) => {
      const made = button(text, false, () => choose({ file: list[to] }, `graphs-${text}`), { id: `graphs-${text}` });
      made.removeAttribute("aria-pressed");
      made.disabled = to < 0 || to >= list.length;
      return made;
    };
    const [output, truth] = one.drawn;
    return [
      part("div", { class: "picker" }, pick, step("previous", at - 1), step("next", at + 1)),
      drawing(output, `output of ${found.systems[one.system]}: ${one.file}.`),
      drawing(truth, `truth: ${one.file}.`),
      part("p", { class: "hint" }, "≠ another label, + only in the output, − only in the truth (dashed)."),
    ];
  }

  /** Choose something else, and show what follows; the focus stays where it was. */
  function choose(change, focus = document.activeElement?.id) {
    Object.assign(state, change);
    const rows = histogram();
    const top = document.querySelector("#graph-drawn .tall")?.scrollTop ?? 0;
    const systems = [[-1, "all systems"], ...found.systems.map((name, number) => [number, name])];
    const sizes = found.sizes.map((size) => [size, size === 1 ? "1 object" : `${size} objects`]);
    const clear = state.confusion ? [button("All files", false, () => choose({ confusion: null, file: null }))] : [];
    for (const one of clear) one.removeAttribute("aria-pressed");
    place.replaceChildren(
      part("div", { class: "picker" },
        choices("System", "system", systems, state.system, (system) => choose({ system, confusion: null, file: null })),
        choices("Parts of", "size", sizes, state.size, (size) => choose({ size, confusion: null, file: null }))),
      rows.length ? table(rows) : part("p", {}, "No part of this size is wrong."),
      part("p", { "aria-live": "polite" }, state.confusion ? `Files in which ${state.confusion[0]} is read as ${state.confusion[1]}. ` : "", ...clear),
      ...shown(files(rows)),
    );
    const scroller = document.querySelector("#graph-drawn .tall");
    if (scroller) scroller.scrollTop = top;
    if (focus) document.getElementById(focus)?.focus();
  }

  place.hidden = false;
  choose({}, "");
})((globalThis.karat ??= {}));
