/* The page itself: where the sliders stand, and what follows from it. */
((karat) => {
  "use strict";

  const { data } = karat;
  const { tallies } = data;
  const view = { names: data.systems, tallies, state: data.state && { ...data.state }, numbers: data.numbers };
  karat.view = view;

  /** Pictures that do not follow the sliders. */
  const STILL = ["groups", "agreement", "both", "roc", "confusion"];
  /** Pictures that are taller scroll in their place. */
  const TALL = 1100;
  const later = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 30));

  const sentences = {
    ranks: (numbers, state) => [null, karat.ranks(state)],
    best: (numbers, state) => [null, karat.best(numbers, state)],
    prevalence: (numbers) => [null, karat.atPrevalence(numbers.skew)],
    rarity: (numbers) => [null, numbers.skew.warning],
    few: (numbers, state, place) => (place === undefined ? karat.fewForLead(numbers) : karat.fewItems(place, numbers)),
    matters: () => [null, karat.mattersMost(doubts())],
    wrong: (numbers, state, place) =>
      place === undefined ? karat.wrongInAll(numbers, state) : karat.wrongLabels(place, numbers, state),
  };

  /** The doubts of the head of the page as they stand, the gravest first. */
  function doubts() {
    return [...document.querySelectorAll("[data-doubt]")].map((place) => {
      const { classList } = place.querySelector(".statement");
      return { name: place.dataset.doubt, firmness: ["open", "partly", "firm"].find((one) => classList.contains(one)) };
    });
  }

  const live = [...document.querySelectorAll("[data-live]")].map((span) => ({
    span,
    keys: span.dataset.live.split("."),
    form: span.dataset.form,
  }));

  /** Write every number that has a path, or those whose path begins so, where it changed. */
  function writeNumbers(path = "") {
    for (const { span, keys, form } of live) {
      if (path && keys[0] !== path) continue;
      const value = keys.reduce((numbers, key) => numbers[key], view.numbers);
      const exact = String(value ?? "");
      if (span.dataset.value === exact) continue;
      span.dataset.value = exact;
      span.textContent = karat.forms[form](value);
    }
  }

  /** Write every sentence that depends on the numbers, or those of one kind. */
  function writeSentences(kind = "") {
    for (const place of document.querySelectorAll(kind ? `[data-sentence="${kind}"]` : "[data-sentence]")) {
      const [name, number] = place.dataset.sentence.split(".");
      const [firmness, text] = sentences[name](view.numbers, view.state, number === undefined ? undefined : Number(number));
      const words = place.querySelector(".words");
      if (words.textContent !== text) words.textContent = text;
      if (!firmness) continue;
      place.classList.remove("firm", "partly", "open");
      place.classList.add(firmness);
      place.querySelector(".sign").textContent = data.signs[firmness];
      place.querySelector(".unseen").textContent = `${firmness}: `;
    }
  }

  /** The pictures that must be drawn again as soon as there is time, and those that can be seen. */
  const stale = new Set();
  const seen = new Set();
  view.stale = stale;

  /** Draw a picture as wide as its place is. */
  function drawOne(place) {
    stale.delete(place);
    const width = Math.floor(place.clientWidth);
    const still = STILL.includes(place.dataset.chart) && place.dataset.width === String(width);
    if (width <= 40 || still) return;
    place.dataset.width = width;
    const svg = karat.charts[place.dataset.chart](width, view, Number(place.dataset.place));
    place.replaceChildren(svg);
    if (svg.height.baseVal.value > TALL && !place.classList.contains("bar")) {
      place.classList.add("tall");
      place.tabIndex = 0;
    }
  }

  /** Draw what can be seen at once, and the others when there is time; those whose name begins so, if one is given. */
  function draw(name = "") {
    for (const place of document.querySelectorAll(name ? `[data-chart^="${name}"]` : "[data-chart]")) {
      stale.add(place);
      if (seen.has(place)) drawOne(place);
    }
    later(drawRest);
  }

  /** Draw for some milliseconds, and go on later. */
  function drawRest() {
    const start = performance.now();
    for (const place of stale) {
      drawOne(place);
      if (performance.now() - start > 8) break;
    }
    if (stale.size) later(drawRest);
  }

  function drawAll() {
    for (const place of document.querySelectorAll("[data-chart]")) drawOne(place);
  }

  /** From the place of a slider to its value. */
  const meanings = {
    error: (place) => data.mostError * (place / 100) ** 2,
    level: (place) => tallies.levels[place].level,
    items: (place) => Math.max(1, Math.round(data.state.items * 10 ** (place / 100))),
  };

  function showValue(name, text) {
    document.getElementById(`${name}-text`).textContent = text;
    document.getElementById(name).setAttribute("aria-valuetext", text);
  }

  /** Suppose something else, and show the numbers that follow. */
  function suppose(state, numbers = karat.whatif(tallies, state)) {
    view.state = state;
    view.numbers = { ...numbers, skew: view.numbers.skew };
    showValue("error", karat.forms.rough(state.error));
    showValue("level", String(state.level));
    showValue("items", karat.forms.count(state.items));
    writeNumbers();
    writeSentences();
    draw();
  }

  function reset() {
    document.getElementById("error").value = 100 * Math.sqrt(data.state.error / data.mostError);
    document.getElementById("level").value = tallies.levels.findIndex(({ level }) => level === data.state.level);
    document.getElementById("items").value = 0;
    suppose({ ...data.state }, data.numbers);
  }

  /** Suppose one of the prevalences that were computed. */
  function supposePrevalence(k) {
    view.numbers = { ...view.numbers, skew: karat.prevalenceAt(k) };
    showValue("prevalence", karat.forms.rough(view.numbers.skew.prevalence));
    writeNumbers("skew");
    writeSentences("prevalence");
    writeSentences("rarity");
    draw("prevalence");
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
    const slider = document.getElementById("prevalence");
    slider.addEventListener("input", onceAFrame(() => supposePrevalence(Number(slider.value))));
    document.getElementById("prevalence-reset").addEventListener("click", () => {
      slider.value = data.panels.skew.ownPlace;
      supposePrevalence(karat.ownPrevalence);
    });
    supposePrevalence(karat.firstPrevalence);
  }
  if (tallies) {
    for (const [name, meaning] of Object.entries(meanings)) {
      const slider = document.getElementById(name);
      // Only the slider that moved changes its value: places are coarser than the values at first.
      slider.addEventListener("input", onceAFrame(() => suppose({ ...view.state, [name]: meaning(Number(slider.value)) })));
    }
    document.getElementById("reset").addEventListener("click", reset);
  }
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) seen.delete(target);
      else seen.add(target);
      if (isIntersecting && stale.has(target)) drawOne(target);
    }
  });
  for (const place of document.querySelectorAll("[data-chart]")) watcher.observe(place);
  drawAll(); // What is written already is Python's.
  for (const button of document.querySelectorAll("button.save")) button.addEventListener("click", () => save(button));
  document.getElementById("errors-system")?.addEventListener("change", ({ target }) => {
    for (const part of document.querySelectorAll("[data-system]")) part.hidden = part.dataset.system !== target.value;
    draw("confusion");
  });
  addEventListener("resize", onceAFrame(() => draw()));
  for (const part of document.querySelectorAll("details")) part.addEventListener("toggle", () => draw());
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details")) part.open = true;
    drawAll();
  });
})((globalThis.karat ??= {}));
