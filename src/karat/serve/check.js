/* Items one by one: a label is sent, and only when it is saved the next item is shown. */
((karat) => {
  "use strict";

  const $ = (id) => document.getElementById(id);
  const OTHER = "(other)";
  const UNDECIDABLE = "(undecidable)";
  const PAUSE = 200; // milliseconds in which a second press is a slip, not the next item's label
  const GONE = "karat does not answer: it was stopped, or this address is old. What you saw saved is saved. Start karat audit --serve again, and open the new address.";

  let beginning = null;
  let state = null;
  let labelOf = {};
  let busy = false;
  let shownAt = 0;
  let counting = false;
  let countAgain = false;

  /** Ask the server; what it refuses is thrown as its sentence. */
  async function ask(path, body) {
    let response;
    try {
      const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
      response = await fetch(path, body === undefined ? {} : sent);
    } catch {
      throw new Error(GONE);
    }
    const found = await response.json();
    if (response.ok) return found;
    const refused = new Error(found.error);
    refused.status = response.status;
    throw refused;
  }

  /** Do one thing at a time, and say what went wrong. */
  async function once(work) {
    if (busy) return;
    busy = true;
    $("work").setAttribute("aria-busy", "true");
    try {
      $("problem").textContent = "";
      await work();
    } catch (error) {
      $("problem").textContent = error.message;
      if (error.status === 409) await catchUp(error.message);
    } finally {
      busy = false;
      $("work").removeAttribute("aria-busy");
    }
  }

  /** Another window has gone on: show where it stands. */
  async function catchUp(why) {
    show(await ask("state"));
    $("problem").textContent = why;
    count();
  }

  /** Give the item a label, as it is shown now. */
  function give(right) {
    const entry = state?.entry;
    if (!entry || performance.now() - shownAt < PAUSE) return;
    const note = $("note").value;
    once(async () => {
      const said = `Draw ${entry.draw}: ${right} saved.`;
      show(await ask("label", { sequence: state.sequence + 1, draw: entry.draw, right, note }));
      $("said").textContent = said;
      count();
    });
  }

  function go(draw) {
    if (draw === null || draw === undefined) return;
    once(async () => {
      show(await ask(draw === state.next ? "state" : `state?draw=${draw}`));
      $("said").textContent = "";
    });
  }

  /** Ask where the audit stands; while that is being counted, one more request waits for the newest. */
  async function count() {
    if (counting) {
      countAgain = true;
      return;
    }
    counting = true;
    const isSlow = setTimeout(() => { $("counting").hidden = false; }, 400);
    try {
      const standing = await ask("standing");
      karat.showStanding(standing, beginning);
      if (!isSwayed()) karat.showStrip(standing);
      if (state && !state.entry) {
        karat.showDone(standing, beginning);
        if ($("numbers").hidden) reveal();
      }
    } catch (error) {
      $("problem").textContent = error.message;
    } finally {
      counting = false;
      clearTimeout(isSlow);
      $("counting").hidden = true;
    }
    if (countAgain) {
      countAgain = false;
      count();
    }
  }

  function picture(field, entry) {
    const frame = karat.made("div", "", "picture");
    const image = document.createElement("img");
    image.alt = `${field.name} of ${entry.item}`;
    image.addEventListener("load", () => image.classList.toggle("tiny", image.naturalWidth < 64));
    image.src = `picture?draw=${entry.draw}&field=${field.number}`;
    frame.append(image);
    return frame;
  }

  function text(field) {
    const shown = karat.made("div", field.text, field.text.length < 60 && !field.text.includes("\n") ? "text short" : "text");
    shown.dir = "auto";
    return shown;
  }

  function fieldRow(field, entry) {
    const row = document.createElement("div");
    const value = document.createElement("dd");
    value.append(field.picture ? picture(field, entry) : text(field));
    if (field.problem) value.append(karat.made("p", `Not shown as a picture: ${field.problem}.`, "why"));
    row.append(karat.made("dt", field.name), value);
    return row;
  }

  /** What can be scrolled can be reached by keyboard. */
  function reachable() {
    for (const box of document.querySelectorAll(".text")) {
      if (box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    }
  }

  function where(entry) {
    const labels = `${state.checked.toLocaleString("en")} ${state.checked === 1 ? "label" : "labels"} saved`;
    if (!entry) return labels;
    return `Draw ${entry.draw.toLocaleString("en")} · ${labels}${entry.right === null ? "" : ` · this one as ${entry.right}`}`;
  }

  function show(next) {
    state = next;
    const entry = state.entry;
    shownAt = performance.now();
    $("where").textContent = where(entry);
    $("question").hidden = !entry;
    $("done").hidden = true;
    $("title").className = "";
    $("given").hidden = !entry || entry.given === null;
    $("back").disabled = state.back === null;
    $("forward").disabled = state.forward === null || !entry;
    $("show-answers").disabled = $("show-note").disabled = !entry;
    hideAnswers();
    if (state.warning) $("problem").textContent = state.warning;
    $("note").value = entry ? entry.note : "";
    fold("noting", "show-note", Boolean(entry?.note));
    $("save-note").hidden = !entry || entry.right === null;
    if (entry) showEntry(entry);
    else {
      $("title").textContent = "Nothing is left to look at";
      $("fields").replaceChildren();
      $("nothing-else").hidden = true;
    }
  }

  function showEntry(entry) {
    $("title").replaceChildren(karat.made("bdi", entry.item));
    $("given-label").textContent = entry.given || "none";
    $("fields").replaceChildren(...entry.fields.map((field) => fieldRow(field, entry)));
    for (const button of document.querySelectorAll("[data-right]")) {
      button.setAttribute("aria-pressed", String(button.dataset.right === entry.right));
    }
    $("nothing-else").hidden = entry.fields.length > 0;
    karat.clearTyping();
    reachable();
    if (beginning.keys) $("title").focus({ preventScroll: true });
    else $("typed").focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }

  function fold(id, button, isOpen) {
    $(id).hidden = !isOpen;
    $(button).setAttribute("aria-expanded", String(isOpen));
  }

  function hideAnswers() {
    fold("answers", "show-answers", false);
    $("answers").replaceChildren();
  }

  function toggleAnswers() {
    const entry = state?.entry;
    if (!entry) return;
    if (!$("answers").hidden) {
      hideAnswers();
      return;
    }
    once(async () => {
      const answers = await ask("answers", { draw: entry.draw });
      $("answers").replaceChildren(answerTable(answers));
      fold("answers", "show-answers", true);
    });
  }

  function answerTable(answers) {
    const table = document.createElement("table");
    table.append(karat.made("caption", "What the systems answered"));
    const body = table.createTBody();
    for (const { system, answer } of answers) {
      const row = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      head.append(karat.made("bdi", system, "name"));
      row.append(head);
      row.insertCell().append(answer ? karat.made("bdi", answer) : "no answer");
    }
    return table;
  }

  function toggleNote() {
    if (!state?.entry) return;
    const isOpen = $("noting").hidden;
    fold("noting", "show-note", isOpen);
    if (isOpen) $("note").focus();
  }

  function reveal() {
    const isOpen = $("numbers").hidden;
    fold("numbers", "reveal", isOpen);
    $("reveal").textContent = isOpen ? "Hide it" : "Show it";
    $("hidden-why").hidden = isOpen;
    if (isOpen) count();
  }

  function labelButton(label, key) {
    const button = karat.made("button", "", "choice-button");
    button.type = "button";
    button.dataset.right = label;
    button.setAttribute("aria-pressed", "false");
    const name = karat.made("kbd", key);
    name.setAttribute("aria-hidden", "true");
    button.append(name, karat.made("bdi", label));
    button.addEventListener("click", () => give(label));
    return button;
  }

  function offerLabels() {
    const { labels, keys, several } = beginning;
    if (!keys) {
      karat.offerTyping([...labels, OTHER, UNDECIDABLE], several, give);
      for (const id of ["other", "undecidable"]) $(id).querySelector("kbd").prepend("Esc ");
      $("help-labels-keys").append(karat.made("kbd", "Esc"));
      $("help-labels").textContent = "leaves the field, so that the keys below act";
      return;
    }
    labels.forEach((label, k) => {
      labelOf[keys[k]] = label;
    });
    const own = labels.every((label, k) => label.toLowerCase() === keys[k]);
    $("labels").classList.toggle("narrow", own);
    $("labels").replaceChildren(...labels.map((label, k) => labelButton(label, keys[k])));
    $("help-labels-keys").append(karat.made("kbd", keys[0]), " … ", karat.made("kbd", keys.at(-1)));
    $("help-labels").textContent = own ? "the label itself" : "the label with this number";
  }

  const ACTIONS = {
    ArrowLeft: () => go(state?.back),
    ArrowRight: () => go(state?.forward),
    o: () => give(OTHER),
    u: () => give(UNDECIDABLE),
    s: toggleAnswers,
    n: toggleNote,
  };

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    if (event.target.matches("input[type=text], textarea")) {
      if (event.key === "Escape") event.target.blur();
      const isEmpty = event.target.id === "typed" && !event.target.value;
      if (!isEmpty || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    }
    if (!$("single-keys").checked || event.target.matches(".text") && event.key.startsWith("Arrow")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const label = labelOf[key];
    if (label === undefined && !(key in ACTIONS)) return;
    event.preventDefault();
    if (label === undefined) ACTIONS[key]();
    else give(label);
  }

  async function copy() {
    const said = [...document.querySelectorAll("#print blockquote")].map((quote) => quote.textContent);
    await navigator.clipboard.writeText(said.join("\n"));
    $("copied").textContent = "Copied.";
  }

  /** A window that comes to the front may have been left behind by another. */
  function refresh() {
    if (!state || busy) return;
    once(async () => {
      const now = await ask("state");
      if (now.sequence === state.sequence) return;
      show(now);
      count();
    });
  }

  function listen() {
    document.addEventListener("keydown", pressed);
    $("other").addEventListener("click", () => give(OTHER));
    $("undecidable").addEventListener("click", () => give(UNDECIDABLE));
    $("back").addEventListener("click", ACTIONS.ArrowLeft);
    $("forward").addEventListener("click", ACTIONS.ArrowRight);
    $("show-answers").addEventListener("click", toggleAnswers);
    $("show-note").addEventListener("click", toggleNote);
    $("save-note").addEventListener("click", () => give(state.entry.right));
    $("reveal").addEventListener("click", reveal);
    $("copy").addEventListener("click", copy);
    window.addEventListener("focus", refresh);
    window.addEventListener("resize", () => $("numbers").hidden || count());
  }

  /** Whether the numbers would tell the checker a label that is not to be seen. */
  const isSwayed = () => beginning.blind || beginning.second;

  /** What could sway the checker is shown when it is asked for. */
  function hideStanding() {
    const isHidden = isSwayed();
    $("hidden-note").hidden = !isHidden;
    fold("numbers", "reveal", !isHidden);
    $("hidden-why").textContent = beginning.second
      ? "Not shown while you look: how far you two agree would tell you the other labels."
      : "Not shown while you look: the capital would tell you the given labels.";
    if (beginning.second) $("standing-title").textContent = "Two checkers";
  }

  once(async () => {
    beginning = await ask("beginning");
    $("other").dataset.right = OTHER;
    $("undecidable").dataset.right = UNDECIDABLE;
    offerLabels();
    karat.showFixed(beginning);
    hideStanding();
    listen();
    show(await ask("state"));
    count();
  });
})((globalThis.karat ??= {}));
