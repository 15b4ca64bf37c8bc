/* Labels by typing, where there are too many for keys: the nearest ones below the field, Enter takes the marked one. */
((karat) => {
  "use strict";

  const $ = (id) => document.getElementById(id);
  const MOST = 8;
  let labels = [];
  let several = false;
  let marked = -1;
  let given = () => {};

  /** Labels that match what was typed: the same, those that begin so, those that hold it. */
  function matching(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return [];
    const rank = (label) => {
      const low = label.toLowerCase();
      if (low === wanted) return 0;
      if (low.startsWith(wanted)) return 1;
      return low.includes(wanted) ? 2 : 3;
    };
    const found = labels.map((label) => [rank(label), label]).filter(([place]) => place < 3);
    found.sort(([one], [other]) => one - other);
    return found.slice(0, MOST).map(([, label]) => label);
  }

  function mark(place) {
    const options = [...$("matches").children];
    marked = Math.max(-1, Math.min(place, options.length - 1));
    options.forEach((option, k) => option.setAttribute("aria-selected", String(k === marked)));
    if (marked >= 0) $("typed").setAttribute("aria-activedescendant", `match-${marked}`);
    else $("typed").removeAttribute("aria-activedescendant");
  }

  function update() {
    const found = matching($("typed").value);
    $("matches").replaceChildren(...found.map((label, k) => {
      const option = karat.made("li", label);
      option.id = `match-${k}`;
      option.setAttribute("role", "option");
      option.addEventListener("click", () => given(label));
      return option;
    }));
    $("matches").hidden = !found.length;
    $("typed").setAttribute("aria-expanded", String(Boolean(found.length)));
    mark(several ? -1 : 0);
  }

  function pressed(event) {
    if (event.key === "ArrowDown") mark(marked + 1);
    else if (event.key === "ArrowUp") mark(marked - 1);
    else if (event.key === "Enter" && !event.repeat) take();
    else return;
    event.preventDefault();
  }

  /** Give the marked label, or what was typed as it is: the server knows the labels. */
  function take() {
    const option = $("matches").children[marked];
    const text = option ? option.textContent : $("typed").value;
    if (text.trim()) given(text);
  }

  /** Offer labels; `give` is told the one that was taken. */
  function offerTyping(choices, separator, give) {
    labels = choices;
    several = separator !== null;
    given = give;
    if (several) $("typed-name").textContent = `Type the label, or several with ${JSON.stringify(separator)} between them, then Enter`;
    $("typing").hidden = false;
    $("typed").addEventListener("input", update);
    $("typed").addEventListener("keydown", pressed);
  }

  function clearTyping() {
    $("typed").value = "";
    $("matches").replaceChildren();
    $("matches").hidden = true;
    $("typed").setAttribute("aria-expanded", "false");
    mark(-1);
  }

  Object.assign(karat, { offerTyping, clearTyping });
})((globalThis.karat ??= {}));
