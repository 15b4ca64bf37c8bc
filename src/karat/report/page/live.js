/* The page itself: what is supposed, what follows, and where it is written. */
((karat) => {
  "use strict";

  const { data } = karat;
  const { tallies } = data;
  const view = { names: data.systems, tallies, state: data.state && { ...data.state }, found: data.found };
  karat.view = view;

  /** Pictures that do not follow the sliders. */
  const STILL = ["groups", "agreement", "both"];

  const sources = {
    ranks: (found, state) => [null, karat.ranksSaid(state)],
    best: (found, state) => [null, karat.best(found, state)],
    balance: (found) => [null, karat.balanceSaid(found.skew)],
    few: (found, state, place) => (place === undefined ? karat.fewInAll(found, state) : karat.fewItems(place, found)),
    wrong: (found, state, place) =>
      place === undefined ? karat.wrongInAll(found, state) : karat.wrongLabels(place, found, state),
  };

  /** Write every number that has a path into what was found, or those whose path begins so. */
  function writeNumbers(path = "") {
    for (const span of document.querySelectorAll(path ? `[data-live^="${path}"]` : "[data-live]")) {
      const value = span.dataset.live.split(".").reduce((found, key) => found[key], view.found);
      span.dataset.value = value ?? "";
      span.textContent = karat.forms[span.dataset.form](value);
    }
  }

  /** Write every sentence that follows from what was found, or those from one source. */
  function writeSentences(source = "") {
    for (const place of document.querySelectorAll(source ? `[data-said="${source}"]` : "[data-said]")) {
      const [name, number] = place.dataset.said.split(".");
      const [firmness, text] = sources[name](view.found, view.state, number === undefined ? undefined : Number(number));
      place.querySelector(".words").textContent = text;
      if (!firmness) continue;
      place.classList.remove("firm", "partly", "open");
      place.classList.add(firmness);
      place.querySelector(".sign").textContent = data.signs[firmness];
      place.querySelector(".aside").textContent = `${firmness}: `;
    }
  }

  /** Draw every picture anew, as wide as its place is, or those whose name begins so. */
  function draw(name = "") {
    for (const place of document.querySelectorAll(name ? `[data-chart^="${name}"]` : "[data-chart]")) {
      const width = Math.floor(place.clientWidth);
      const still = STILL.includes(place.dataset.chart) && place.dataset.width === String(width);
      if (width <= 40 || still) continue;
      place.dataset.width = width;
      place.replaceChildren(karat.charts[place.dataset.chart](width, view, Number(place.dataset.place)));
    }
  }

  /** From the place of a slider to what it says. */
  const meanings = {
    error: (place) => data.mostError * (place / 100) ** 2,
    level: (place) => data.levels[place],
    items: (place) => Math.max(1, Math.round(data.state.items * 10 ** (place / 100))),
  };

  function say(name, text) {
    document.getElementById(`${name}-said`).textContent = text;
    document.getElementById(name).setAttribute("aria-valuetext", text);
  }

  /** Suppose something else, and let everything follow. */
  function suppose(state) {
    view.state = state;
    view.found = { ...karat.whatif(tallies, state), skew: view.found.skew };
    say("error", karat.forms.rough(state.error));
    say("level", String(state.level));
    say("items", karat.forms.count(state.items));
    writeNumbers();
    writeSentences();
    draw();
  }

  function reset() {
    document.getElementById("error").value = 100 * Math.sqrt(data.state.error / data.mostError);
    document.getElementById("level").value = data.levels.indexOf(data.state.level);
    document.getElementById("items").value = 0;
    suppose({ ...data.state });
  }

  /** Suppose another class balance. */
  function supposeBalance(pi) {
    view.found = { ...view.found, skew: karat.balanceAt(pi) };
    say("balance", karat.forms.rough(pi));
    writeNumbers("skew");
    writeSentences("balance");
    draw("balance");
  }

  /** Save a table as comma-separated values, with the exact numbers. */
  function save(button) {
    const table = document.getElementById(button.dataset.table);
    const rows = [...table.rows].map((row) => [...row.cells].map(cellText).map(quoted).join(","));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${rows.join("\r\n")}\r\n`], { type: "text/csv" }));
    link.download = `${button.dataset.table}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function cellText(cell) {
    const number = cell.querySelector("[data-value]");
    return number ? number.dataset.value : (cell.querySelector("bdi")?.title ?? cell.textContent);
  }

  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  /** Once a frame is enough, however fast a slider moves. */
  function onceAFrame(work) {
    let waiting = false;
    return () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        work();
      });
    };
  }

  if (data.panels.skew) {
    const slider = document.getElementById("balance");
    slider.addEventListener("input", onceAFrame(() => supposeBalance(karat.balanceOf(Number(slider.value)))));
    document.getElementById("balance-reset").addEventListener("click", () => {
      slider.value = karat.placeOf(data.panels.skew.own);
      supposeBalance(data.panels.skew.own);
    });
    supposeBalance(data.panels.skew.own);
  }
  if (tallies) {
    for (const [name, meaning] of Object.entries(meanings)) {
      const slider = document.getElementById(name);
      // Only what was moved changes: a slider's place is coarser than what it began with.
      slider.addEventListener("input", onceAFrame(() => suppose({ ...view.state, [name]: meaning(Number(slider.value)) })));
    }
    document.getElementById("reset").addEventListener("click", reset);
    suppose(view.state);
  } else {
    draw();
  }
  for (const button of document.querySelectorAll("button.save")) button.addEventListener("click", () => save(button));
  addEventListener("resize", onceAFrame(() => draw()));
  for (const part of document.querySelectorAll("details")) part.addEventListener("toggle", () => draw());
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details")) part.open = true;
  });
})((globalThis.karat ??= {}));
