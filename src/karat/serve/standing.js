/* Where the audit stands: numbers, the capital's line, sentences, and rows. All text becomes text, never markup. */
((karat) => {
  "use strict";

  const $ = (id) => document.getElementById(id);
  const SIGNS = { settled: "✓", refuted: "✗" };
  const TITLES = { settled: "Settled", refuted: "Refuted", open: "Nothing is left to look at" };
  const CHECKERS = ["the first checker’s labels", "the second’s, where there are any", "whoever is right"];
  const HEADS = ["labels", "better", "worse", "checked", "wrong", "capital", "needed", "verdict"];

  /** An element with its text and class. */
  function made(tag, text = "", name = "") {
    const element = document.createElement(tag);
    element.textContent = text;
    if (name) element.className = name;
    return element;
  }

  function tile(name, value, unit = "") {
    const box = document.createElement("div");
    const number = made("dd", value);
    if (unit) number.append(" ", made("small", unit));
    box.append(made("dt", name), number);
    return box;
  }

  /** The numbers at a glance: of the open pair that is farthest from its goal. */
  function tiles(standing) {
    const ahead = standing.ahead;
    if (!ahead) return [];
    const shown = [tile("capital", karat.plain(ahead.capital), `of ${karat.plain(standing.needed)}`)];
    if (ahead.more !== null) shown.push(tile("likely still needed", `${ahead.far ? ">" : "≈"} ${ahead.more.toLocaleString("en")}`));
    shown.push(tile("disputed, not looked at", ahead.left.toLocaleString("en")));
    return shown;
  }

  /** In a narrow window the numbers are below the item: what matters most of them is above it, too. */
  function showStrip(standing) {
    const ahead = standing.ahead;
    $("strip").hidden = !ahead;
    if (!ahead) return;
    const more = ahead.more === null ? "" : `, ${ahead.far ? "over" : "about"} ${ahead.more.toLocaleString("en")} more`;
    $("strip-text").textContent = `Capital ${karat.plain(ahead.capital)} of ${karat.plain(standing.needed)}${more}`;
    const part = Math.log(Math.max(ahead.capital, 1)) / Math.log(standing.needed);
    $("strip-bar").style.width = `${Math.round(100 * Math.min(part, 1))}%`;
  }

  /** All is looked at that had to be: the verdict in large letters, and the sentence to print. */
  function showDone(standing, beginning) {
    const title = $("title");
    const verdict = beginning.second ? "" : standing.verdict;
    const text = beginning.second ? "Your part is done" : TITLES[verdict] ?? "Decided";
    const sign = made("span", SIGNS[verdict] ?? "", "sign");
    sign.setAttribute("aria-hidden", "true");
    title.className = verdict;
    title.replaceChildren(...(sign.textContent ? [sign] : []), text);
    $("done-sentences").replaceChildren(...standing.sentences.map((one) => made("p", one)));
    $("printing").hidden = !standing.print.length;
    $("print").replaceChildren(...standing.print.map((one) => made("blockquote", one)));
    $("done-next").replaceChildren("The labels are in ", made("code", beginning.list), ". You may close this page, and end karat with Ctrl-C.");
    $("sentences").replaceChildren();
    $("done").hidden = false;
  }

  function rows(standing) {
    const heads = HEADS.filter((name) => name in (standing.rows[0] ?? {}));
    $("rows-head").replaceChildren(...heads.map((name) => {
      const head = made("th", name);
      head.scope = "col";
      return head;
    }));
    $("rows-body").replaceChildren(...standing.rows.map((row) => {
      const line = document.createElement("tr");
      line.append(...heads.map((name) => {
        const cell = made("td");
        const value = row[name];
        cell.append(typeof value === "number" ? karat.plain(value) : made("bdi", value));
        return cell;
      }));
      return line;
    }));
  }

  /** How the picture is read; of a second opinion, whose line is which. */
  function reading(standing, second) {
    if (second) return "Where two lines are one, they are the same: the dashed one lies on top.";
    if (standing.lines.length > 1) return "One line for each pair that is claimed; blue: the one that is farthest from its goal. Dashed: as it may go on.";
    const dashed = standing.ahead?.more ? " Dashed: as it may go on." : "";
    return `The evidence: it starts at 1 and grows with every label that bears the claim out.${dashed}`;
  }

  function legendEntry(text, place) {
    const entry = document.createElement("li");
    entry.append(made("span", "", `key-${place}`), text);
    return entry;
  }

  function showStanding(standing, beginning) {
    $("tiles").replaceChildren(...tiles(standing));
    $("tiles").hidden = !$("tiles").children.length;
    $("tiles-of").hidden = !standing.ahead || standing.lines.length < 2;
    if (standing.ahead) $("tiles-of").textContent = `Of the pair that is farthest from its goal: ${standing.ahead.better} and ${standing.ahead.worse}.`;
    $("figure").hidden = !standing.lines.length;
    if (standing.lines.length) karat.capitalChart($("drawing"), standing);
    $("reading").textContent = reading(standing, beginning.second);
    $("legend").hidden = !beginning.second;
    if (beginning.second) $("legend").replaceChildren(...CHECKERS.map(legendEntry));
    $("sentences").replaceChildren(...standing.sentences.map((text) => made("p", text)));
    $("rows-fold").hidden = standing.rows.length < 2;
    rows(standing);
    $("remarks").replaceChildren(...standing.remarks.map((text) => made("p", text)));
  }

  /** What was fixed before the first label, and where the labels go. */
  function showFixed(beginning) {
    const risk = `${Number((100 * beginning.risk).toPrecision(3))}\u00a0%`;
    $("claim").textContent = `${beginning.second ? "Second opinion. " : ""}Claim: ${beginning.claims.join("; ")} (${beginning.measure}), risk\u00a0${risk}`;
    $("fixed").replaceChildren(
      `Every label is in `, made("code", beginning.list), ` before the next item is shown. You may stop at any time; `,
      made("code", `--${beginning.second ? "second" : "apply"} ${beginning.list}`), ` takes it. Seed `, made("code", beginning.seed), `.`,
    );
  }

  Object.assign(karat, { made, showStanding, showStrip, showDone, showFixed });
})((globalThis.karat ??= {}));
