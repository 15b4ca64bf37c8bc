/* Long lists and tables: some rows first, a search, and an order by any column. */
((karat) => {
  "use strict";

  const FEW = 10; // so many rows are shown at first of a longer list ...
  const LONG = 12; // ... than this
  let made = 0;

  const button = (text) => Object.assign(document.createElement("button"), { type: "button", textContent: text });

  /** What a row is called, in small letters. */
  const textOf = (row) => [...row.querySelectorAll("bdi")].map((name) => `${name.title} ${name.textContent}`).join(" ").toLowerCase();

  /** Show some of the rows first, and let people search. */
  function shorten(list, rows, what, before) {
    if (rows.length <= LONG) return;
    const tools = Object.assign(document.createElement("p"), { className: "tools" });
    const box = Object.assign(document.createElement("input"), { type: "search", id: `search-${(made += 1)}` });
    const label = Object.assign(document.createElement("label"), { textContent: `Search ${what}`, htmlFor: box.id });
    const more = button("");
    const found = Object.assign(document.createElement("span"), { className: "hint" });
    found.setAttribute("aria-live", "polite");
    let short = true;
    const update = () => {
      const wanted = box.value.trim().toLowerCase();
      let matches = 0;
      // The rows as they stand: an order by another column changes which come first.
      for (const row of list.children) {
        const fits = !wanted || textOf(row).includes(wanted);
        if (fits) matches += 1;
        row.classList.toggle("unmatched", !fits);
        row.classList.toggle("more", fits && short && matches > FEW);
      }
      more.hidden = matches <= FEW;
      more.textContent = short ? `Show all ${matches.toLocaleString("en-US")}` : `Show ${FEW}`;
      found.textContent = wanted ? `${matches.toLocaleString("en-US")} found` : "";
    };
    more.addEventListener("click", () => {
      short = !short;
      update();
    });
    box.addEventListener("input", update);
    list.addEventListener("reordered", update);
    tools.append(label, box, more, found);
    before.before(tools);
    update();
  }

  /** Compare two cells: numbers by their value, what has none last, and names by their letters. */
  function compare(one, other) {
    const [first, second] = [one, other].map((cell) => cell.querySelector("[data-value]")?.dataset.value ?? cell.textContent);
    const [a, b] = [first, second].map((value) => (value === "" ? NaN : Number(value)));
    if (Number.isNaN(a) && Number.isNaN(b)) return first.localeCompare(second, "en", { numeric: true });
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
    return a - b;
  }

  /** Let the head of each column order the rows of its table. */
  function orderable(table) {
    const body = table.tBodies[0];
    if (body.rows.length < 3) return;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const text = head.textContent;
      const press = Object.assign(button(text), { className: "order", title: "order by this column" });
      press.addEventListener("click", () => {
        const rising = head.getAttribute("aria-sort") !== "ascending";
        for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", rising ? "ascending" : "descending");
        const rows = [...body.rows].sort((one, other) => (rising ? 1 : -1) * compare(one.cells[column], other.cells[column]));
        body.append(...rows);
        body.dispatchEvent(new Event("reordered"));
      });
      head.replaceChildren(press);
    });
  }

  /** A list, or what stands over its columns. */
  const topOf = (list) => (list.previousElementSibling?.classList.contains("heads") ? list.previousElementSibling : list);

  /** Long ladders show the systems first, and on demand how neighbours compare; also by name. */
  function ladder(list) {
    const steps = [...list.children];
    if (steps.length <= LONG) return;
    const tools = Object.assign(document.createElement("p"), { className: "tools" });
    const rungs = button("Show how neighbours compare");
    list.classList.add("bare");
    rungs.setAttribute("aria-pressed", "false");
    rungs.addEventListener("click", () => {
      const bare = list.classList.toggle("bare");
      rungs.setAttribute("aria-pressed", String(!bare));
    });
    const byName = button("Order by name");
    byName.setAttribute("aria-pressed", "false");
    byName.addEventListener("click", () => {
      const named = list.classList.toggle("named");
      byName.setAttribute("aria-pressed", String(named));
      rungs.disabled = named; // neighbours are those of the ranking
      list.append(...(named ? [...steps].sort((one, other) => textOf(one).localeCompare(textOf(other), "en", { numeric: true })) : steps));
      list.dispatchEvent(new Event("reordered"));
    });
    tools.append(rungs, byName);
    topOf(list).before(tools);
  }

  for (const list of document.querySelectorAll("[data-rows]")) {
    ladder(list);
    shorten(list, [...list.children], list.dataset.what, topOf(list));
  }
  for (const table of document.querySelectorAll(".table table")) {
    orderable(table);
    shorten(table.tBodies[0], [...table.tBodies[0].rows], "rows", table.closest(".scroll"));
  }
})((globalThis.karat ??= {}));
