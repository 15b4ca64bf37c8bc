/* What the page says: report/page/words.py, for numbers that were recomputed. */
((karat) => {
  "use strict";

  const data = JSON.parse(document.getElementById("data").textContent);
  const UNDEFINED = "undefined";
  const SURE = ["better", "worse", "no worse"];

  /** Three digits, without zeros that say nothing. */
  const digits = (value) => String(Number(value.toPrecision(3)));
  const defined = (form) => (value) => (value === null || value === undefined ? UNDEFINED : form(value));
  const present = (form) => (value) => (value === null || value === undefined ? "-" : form(value));
  const grouped = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
  const signed = (text) => (text.startsWith("-") ? text : `+${text}`);

  const forms = {
    percent: defined((value) => `${(100 * value).toFixed(2)}\u00a0%`),
    rough: present((value) => (value > 0 && value < 1e-4 ? "<\u00a00.01\u00a0%" : `${digits(100 * value)}\u00a0%`)),
    chance: present((value) => {
      if (value > 0 && value < 0.001) return "<\u00a00.001";
      return value > 0.999 && value < 1 ? ">\u00a00.999" : digits(value);
    }),
    p: defined((value) => (value < 1e-4 ? "p\u00a0<\u00a00.0001" : `p\u00a0=\u00a0${digits(value)}`)),
    bare: defined((value) => (value < 1e-4 ? "<\u00a00.0001" : digits(value))),
    count: defined(grouped),
    further: present(grouped),
    difference: defined((value) => signed((100 * value).toFixed(2))),
    area: defined((value) => value.toFixed(4)),
    signed: defined((value) => signed(value.toFixed(4))),
    text: String,
  };

  /** A name or its beginning. */
  function shortened(name, most = 48) {
    const flat = [...(name.split(/\s+/).filter(Boolean).join(" ") || "(no name)")];
    return flat.length <= most ? flat.join("") : `${flat.slice(0, most - 1).join("")}…`;
  }

  /** A name that cannot turn the text around it. */
  const isolated = (name, most) => `\u2068${shortened(name, most)}\u2069`;
  const fill = (name, values) => data.templates[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const risk = (level) => digits(100 * (1 - level));
  const firmness = (part, whole) => (part === whole ? "firm" : part ? "partly" : "open");

  /** Whether two neighbours are told apart. */
  function fewItems(place, { pairs }) {
    const pair = pairs[place];
    const [first, second] = data.systems.slice(place, place + 2).map((name) => isolated(name));
    const values = { first, second, p: forms.p(pair.adjusted), more: forms.count(pair.more) };
    if (SURE.includes(pair.verdict)) return ["firm", fill(pair.verdict, values)];
    if (pair.more !== null) return ["open", fill("undecided", values)];
    const which = pair.difference === null ? "no value" : pair.difference ? "unsettled" : "level";
    return ["open", fill(which, values)];
  }

  /** What the order of two neighbours survives. */
  function wrongLabels(place, { pairs }, state) {
    const { kept, critical } = pairs[place];
    if (kept === null) return ["open", data.templates["no order"]];
    const values = { critical: forms.rough(critical), error: forms.rough(state.error), kept: forms.chance(kept) };
    return [kept >= state.level ? "firm" : "open", fill("survives", values)];
  }

  /** Who is first, alone or together. */
  function leaders(systems) {
    return together(data.systems.filter((_, place) => systems[place].value === systems[0].value));
  }

  function together(names) {
    const first = names.map((name) => isolated(name));
    if (first.length === 1) return { first: first[0], leads: "is first" };
    return { first: `${first.slice(0, -1).join(", ")} and ${first.at(-1)}`, leads: "share the first place" };
  }

  /** Who is first, how good it is, and from how many others it is told apart. */
  function best({ systems, apart }, { level }) {
    const [{ value, low, high }] = systems;
    const ends = { value: forms.percent(value), low: forms.percent(low), high: forms.percent(high) };
    const text = fill("best", { ...leaders(systems), ...ends, level, risk: risk(level) });
    if (systems.length === 1) return `${text} ${data.templates.one}`;
    return `${text} ${fill("apart", { apart: grouped(apart), others: grouped(systems.length - 1) })}`;
  }

  /** Who is first at a class balance, and between what its area lies. */
  function balanceSaid({ balance, random, least, systems }) {
    const names = data.panels.skew.systems.filter((_, place) => systems[place].rank === 1);
    const { area } = systems.find((one) => one.rank === 1);
    const values = { balance: forms.rough(balance), area: forms.area(area), random: forms.area(random), least: forms.area(least) };
    return fill("balance", { ...together(names), ...values });
  }

  /** How many neighbouring orders are settled. */
  function fewInAll({ pairs }, { level }) {
    const settled = pairs.filter((pair) => SURE.includes(pair.verdict)).length;
    const counts = { settled: grouped(settled), pairs: grouped(pairs.length) };
    const text = fill("few", { ...counts, risk: risk(level), most: digits(1 - level) });
    return [firmness(settled, pairs.length), text];
  }

  /** How many neighbouring orders the supposed share of wrong labels leaves. */
  function wrongInAll({ pairs }, { level, error }) {
    const orders = pairs.filter((pair) => pair.kept !== null);
    if (!orders.length) return ["open", data.templates["no orders"]];
    const kept = orders.filter((pair) => pair.kept >= level).length;
    const weakest = forms.rough(Math.min(...orders.map((pair) => pair.critical)));
    const values = { error: forms.rough(error), kept_orders: grouped(kept), orders: grouped(orders.length) };
    return [firmness(kept, orders.length), fill("wrong", { ...values, level, weakest })];
  }

  /** Which of the simulated shares of wrong labels is nearest to the supposed one. */
  function nearest(grid, error) {
    return grid.reduce((one, other, k) => (Math.abs(other - error) < Math.abs(grid[one] - error) ? k : one), 0);
  }

  /** How likely each rank is, and at which of the simulated shares of wrong labels. */
  function ranksSaid({ error }) {
    const { grid, method } = data.panels.stability;
    const values = { share: forms.rough(grid[nearest(grid, error)]), method, shares: grid.map(forms.rough).join(", ") };
    return fill("ranks", values);
  }

  Object.assign(karat, { nearest, ranksSaid, balanceSaid });
  Object.assign(karat, { data, forms, shortened, isolated, fewItems, wrongLabels, best, fewInAll, wrongInAll });
})((globalThis.karat ??= {}));
