/* What the page says of numbers that were recomputed: words.py and number_forms.py, with the same templates. */
((karat) => {
  "use strict";

  const data = JSON.parse(document.getElementById("data").textContent);
  const UNDEFINED = "undefined";
  const SETTLED = ["better", "worse", "no worse"];
  const TINY = 1e-12;

  /** Three digits, without zeros that say nothing. */
  const digits = (value) => String(Number(value.toPrecision(3)));
  const defined = (form) => (value) => (value === null || value === undefined ? UNDEFINED : form(value));
  const present = (form) => (value) => (value === null || value === undefined ? "-" : form(value));
  const english = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 }); // made once: to make it takes long
  const grouped = (value) => english.format(value);
  const signed = (text) => (text.startsWith("-") ? text : `+${text}`);

  const forms = {
    percent: defined((value) => `${(100 * value).toFixed(2)}\u00a0%`),
    rough: present((value) => {
      if (value > 0 && value < 1e-4) return "<\u00a00.01\u00a0%";
      return value >= 0.9995 && value < 1 ? ">\u00a099.9\u00a0%" : `${digits(100 * value)}\u00a0%`;
    }),
    chance: present((value) => {
      if (value > TINY && value < 0.001) return "<\u00a00.001";
      return value > 0.999 ? ">\u00a00.999" : digits(Number(value.toFixed(12)));
    }),
    p: defined((value) => (value < 1e-4 ? "p\u00a0<\u00a00.0001" : `p\u00a0=\u00a0${digits(value)}`)),
    bare: defined((value) => (value < 1e-4 ? "<\u00a00.0001" : digits(value))),
    count: defined(grouped),
    about: defined((value) => {
      const step = 10 ** Math.max(0, String(value).length - 2);
      return grouped(Math.floor((value + step / 2) / step) * step);
    }),
    further: present(grouped),
    difference: defined((value) => signed((100 * value).toFixed(2))),
    area: defined((value) => value.toFixed(4)),
    score: present((value) => String(Number(value.toPrecision(4)))),
    short: present(digits),
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

  /** Whether two neighbours are significantly different. */
  function fewItems(place, { pairs }) {
    const pair = pairs[place];
    const [first, second] = data.systems.slice(place, place + 2).map((name) => isolated(name));
    const values = { first, second, p: forms.p(pair.adjusted), more: forms.about(pair.more), likely: forms.about(pair.likely) };
    if (SETTLED.includes(pair.verdict)) return ["firm", fill(pair.verdict, values)];
    if (pair.more !== null) return ["open", fill("undecided", values)];
    const which = pair.difference === null ? "no value" : pair.difference ? "unsettled" : "level";
    return ["open", fill(which, values)];
  }

  /** How robust the order of two neighbours is to wrong labels. */
  function wrongLabels(place, { pairs }, state) {
    const { kept, critical } = pairs[place];
    if (kept === null) return ["open", data.templates["no order"]];
    const values = { critical: forms.rough(critical), error: forms.rough(state.error), kept: forms.chance(kept) };
    return [kept >= state.level ? "partly" : "open", fill("robust", values)];
  }

  /** The words for those who are first, be it one or several. */
  function firstPlace(names) {
    const first = names.map((name) => isolated(name));
    if (first.length === 1) return { first: first[0], leads: "is first" };
    return { first: `${first.slice(0, -1).join(", ")} and ${first.at(-1)}`, leads: "share the first place" };
  }

  /** Which systems are first, and which comes next. */
  function ahead(systems) {
    const [{ value }] = systems;
    const words = firstPlace(data.systems.filter((_, place) => systems[place].value === value));
    const next = systems.findIndex((one) => one.value !== value);
    if (next < 0) return fill("tied first", { ...words, value: forms.percent(value) });
    const leads = words.leads === "is first" ? "is ahead" : "share the first place, ahead";
    const values = { value: forms.percent(value), other: forms.percent(systems[next].value) };
    const template = values.value === values.other ? "hardly ahead" : "ahead";
    return fill(template, { ...words, leads, second: isolated(data.systems[next]), ...values });
  }

  /** Which system is ahead, how good it is, and from how many others it is significantly different. */
  function best({ systems, different }, { level }) {
    const [{ low, high }] = systems;
    const ends = { low: forms.percent(low), high: forms.percent(high) };
    const text = `${ahead(systems)} ${fill("best", { ...ends, level, risk: risk(level) })}`;
    if (systems.length === 1) return `${text} ${data.templates.one}`;
    if (systems.length === 2) return text;
    return `${text} ${fill("different", { different: grouped(different), others: grouped(systems.length - 1) })}`;
  }

  /** Which system is first at a prevalence, with its area and that of chance. */
  function atPrevalence({ prevalence, random, least, systems }) {
    const names = data.panels.skew.systems.filter((_, place) => systems[place].rank === 1);
    const { area, low, high } = systems.find((one) => one.rank === 1);
    const known = low !== null && low !== undefined;
    const interval = known ? fill("interval", { low: forms.area(low), high: forms.area(high) }) : "";
    const areas = { area: forms.area(area), random: forms.area(random), least: forms.area(least) };
    return fill("prevalence", { ...firstPlace(names), prevalence: forms.rough(prevalence), interval, ...areas });
  }

  /** Whether the first two are significantly different, and of how many pairs that can be said. */
  function fewForLead({ pairs, settled }) {
    const [pair] = pairs;
    const [first, second] = data.systems.slice(0, 2).map((name) => isolated(name));
    const values = { first, second, p: forms.p(pair.adjusted), more: forms.about(pair.more), likely: forms.about(pair.likely) };
    const sure = SETTLED.includes(pair.verdict);
    const which = sure ? "holds" : pair.more !== null ? "open" : pair.difference ? "open only" : "level";
    const counts = { all: grouped(settled.all), pairs: grouped(settled.pairs), neighbours: grouped(settled.neighbours) };
    const rest = pairs.length > 1 ? ` ${fill("settled", { ...counts, orders: grouped(pairs.length) })}` : "";
    return [sure ? "firm" : "open", fill(which, values) + rest];
  }

  /** Which doubt matters most, from the name and the firmness of each, the gravest first. */
  function mattersMost(doubts) {
    for (const wanted of ["open", "partly"]) {
      const found = doubts.find(({ firmness }) => firmness === wanted);
      if (found) return fill("matters", { doubt: found.name.toLowerCase() });
    }
    return data.templates["nothing open"];
  }

  /** How many orders of neighbours are robust to the assumed share of wrong labels. */
  function wrongInAll({ pairs }, { level, error }) {
    const orders = pairs.filter((pair) => pair.kept !== null);
    if (!orders.length) return ["open", data.templates["no orders"]];
    const kept = orders.filter((pair) => pair.kept >= level).length;
    const weakest = forms.rough(Math.min(...orders.map((pair) => pair.critical)));
    const values = { error: forms.rough(error), kept_orders: grouped(kept), orders: grouped(orders.length) };
    return [kept ? "partly" : "open", fill("wrong", { ...values, level, weakest })];
  }

  /** Which of the simulated shares of wrong labels is nearest to the one assumed. */
  function nearest(grid, error) {
    return grid.reduce((one, other, k) => (Math.abs(other - error) < Math.abs(grid[one] - error) ? k : one), 0);
  }

  /** What the probabilities of the ranks are, and for which share of wrong labels. */
  function ranks({ error }) {
    const { grid, method } = data.panels.stability;
    const values = { share: forms.rough(grid[nearest(grid, error)]), method, shares: grid.map(forms.rough).join(", ") };
    return fill("ranks", values);
  }

  Object.assign(karat, { atPrevalence, nearest, ranks });
  Object.assign(karat, { data, forms, shortened, isolated, fewItems, wrongLabels, best, fewForLead, mattersMost, wrongInAll });
})((globalThis.karat ??= {}));
