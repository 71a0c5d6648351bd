// Live plots: how solves converge, energy and momentum over time. One line per view.

import uPlot from "uplot";
import { make } from "./dom.js";
import { BODIES, css } from "./palette.js";

const KEPT = 600; // frames of the plots over time
const EVERY = 150; // ms between two pictures of a plot

const KINDS = {
  iterations: "Error by iteration",
  seconds: "Error by time",
  energy: "Energy",
  momentum: "Momentum",
};

export class Plots {
  /** @param {import("./store.js").Store} store @param {function(boolean): void} watch  asks for convergence */
  constructor(store, watch) {
    this.store = store;
    this.watch = watch;
    this.kind = "energy";
    this.history = []; // {time, views: [...]}
    this.convergence = []; // of each view
    this.tabs = make("div.tabs", { role: "tablist" }, ...Object.entries(KINDS).map(([kind, text]) =>
      make("button", { type: "button", role: "tab", "data-kind": kind, text, onclick: () => this.choose(kind) })));
    this.area = make("div.plot-area");
    this.note = make("p.hint.plot-note");
    this.element = make("section.plots", { hidden: true, "aria-label": "Plots" }, this.tabs, this.area, this.note);
    store.on("status", (status) => this.takeStatus(status));
    store.on("convergence", (message) => this.takeConvergence(message));
    store.on("scene", () => this.restart());
    store.on("mesh", () => this.restart());
    new ResizeObserver(() => this.fit()).observe(this.area);
  }

  get shown() {
    return !this.element.hidden;
  }

  show(on, kind = this.kind) {
    this.element.hidden = !on;
    this.choose(kind);
  }

  converges() {
    return this.kind === "iterations" || this.kind === "seconds";
  }

  choose(kind) {
    this.kind = kind;
    for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.dataset.kind === kind));
    this.watch(this.shown && this.converges());
    this.note.textContent = this.converges() ? "(Phi - Phi*) / (Phi0 - Phi*) of the last step. Each step is also solved to the end to know Phi*." : "";
    this.chart?.destroy();
    this.chart = null;
    this.draw();
  }

  restart() {
    const names = JSON.stringify([this.store.scene?.name, this.store.scene?.views]);
    if (names === this.names) return;
    this.names = names;
    this.history = [];
    this.convergence = [];
    this.chart?.destroy();
    this.chart = null;
  }

  takeStatus(status) {
    const last = this.history.at(-1);
    if (last && status.time < last.time) this.history = [];
    if (!last || status.time !== last.time) this.history.push({ time: status.time, views: status.views ?? [] });
    if (this.history.length > KEPT) this.history.shift();
    if (!this.converges()) this.drawSoon();
  }

  takeConvergence(message) {
    this.convergence[message.view ?? 0] = message.iterations;
    if (this.converges()) this.drawSoon();
  }

  label(view) {
    return this.store.scene?.views?.[view] ?? `view ${view + 1}`;
  }

  /** @returns {{data: Array, names: string[], colours: string[], dashes: Array}} */
  overTime() {
    const views = this.store.views, data = [this.history.map((h) => h.time)], names = [], colours = [], dashes = [];
    const add = (name, colour, dash, read) => {
      data.push(this.history.map((h) => read(h) ?? null));
      names.push(name), colours.push(css(BODIES[colour % BODIES.length])), dashes.push(dash);
    };
    const size = (m) => (Array.isArray(m) ? Math.hypot(...m) : m);
    for (let v = 0; v < views; ++v) {
      const of = (key) => (h) => h.views[v]?.[key], prefix = views > 1 ? `${this.label(v)} ` : "";
      if (this.kind === "momentum") add(`${prefix}momentum [kg m/s]`, v, [], (h) => size(h.views[v]?.momentum));
      else if (views > 1) add(`${prefix}total [J]`, v, [], (h) => total(h.views[v]));
      else ["kinetic", "elastic", "external"].forEach((key, i) => add(`${key} [J]`, i, [], of(key)));
    }
    if (this.kind === "energy" && views === 1) add("total [J]", 4, [5, 4], (h) => total(h.views[0]));
    return { data, names, colours, dashes };
  }

  ofConvergence() {
    const at = this.kind === "seconds" ? 1 : 0, scale = this.kind === "seconds" ? 1000 : 1;
    const tables = this.convergence.map((rows) => {
      const kept = (rows ?? []).filter((row) => row[2] > 1e-20 && row[2] < 1e20 && row[at] >= 0);
      return [kept.map((row) => row[at] * scale), kept.map((row) => row[2])];
    });
    if (!tables.length) return { data: [[]], names: [], colours: [], dashes: [] };
    const xs = [...new Set(tables.flatMap((t) => t[0]))].sort((a, b) => a - b);
    const data = [xs, ...tables.map(([tx, ty]) => {
      const known = new Map(tx.map((x, i) => [x, ty[i]]));
      return xs.map((x) => known.get(x) ?? undefined); // undefined: a gap that lines bridge
    })];
    return { data, names: tables.map((_, v) => this.label(v)), colours: tables.map((_, v) => css(BODIES[v % BODIES.length])), dashes: [] };
  }

  drawSoon() {
    if (!this.shown || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.draw();
    }, EVERY);
  }

  draw() {
    if (!this.shown) return;
    const { data, names, colours, dashes } = this.converges() ? this.ofConvergence() : this.overTime();
    this.lines = names;
    if (!names.length || !data[0].length) return;
    if (this.chart && this.chart.series.length === data.length) return this.chart.setData(data);
    this.chart?.destroy();
    const ink = getComputedStyle(document.body).getPropertyValue("--muted").trim() || "#777";
    const grid = getComputedStyle(document.body).getPropertyValue("--line").trim() || "#ddd";
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: "11px system-ui, sans-serif" };
    const x = this.kind === "iterations" ? "iteration" : this.kind === "seconds" ? "time in the solver [ms]" : "time [s]";
    this.chart = new uPlot({
      width: Math.max(120, this.area.clientWidth), height: Math.max(100, this.area.clientHeight - 30),
      scales: this.converges() ? { x: { time: false, range: fromZero }, y: { distr: 3, log: 10, range: decades } } : { x: { time: false } },
      axes: [{ ...axis, size: 26, label: x, labelSize: 16, labelGap: 0, labelFont: axis.font }, { ...axis, size: 64, ...(this.converges() ? POWERS : {}) }],
      series: [{ label: x }, ...names.map((label, i) => ({ label, stroke: colours[i], width: 2, dash: dashes[i], spanGaps: true, points: { show: this.converges(), size: 4 } }))],
      cursor: { drag: { x: true, y: false } },
    }, data, this.area);
  }

  fit() {
    if (this.chart && this.area.clientWidth) this.chart.setSize({ width: this.area.clientWidth, height: Math.max(100, this.area.clientHeight - 30) });
  }

  /** After a change of theme. */
  repaint() {
    this.chart?.destroy();
    this.chart = null;
    this.draw();
  }
}

/** Lines and numbers of a logarithmic axis: powers of ten alone, every second one or so where there are many. */
const POWERS = {
  splits: (_, __, low, high) => {
    const bottom = Math.round(Math.log10(low)), top = Math.round(Math.log10(high)), by = Math.max(1, Math.ceil((top - bottom) / 6)), out = [];
    for (let k = top; k >= bottom; k -= by) out.unshift(10 ** k);
    return out;
  },
  values: (_, values) => values.map((v) => (v === 1 ? "1" : `1e${Math.round(Math.log10(v))}`)),
  filter: (_, values) => values,
};

/** Whole powers of ten, one of them at least: uPlot does not come to an end on a logarithmic axis without extent. */
function decades(_, low, high) {
  if (!(low > 0) || !(high >= low)) return [1e-6, 1];
  const top = Math.ceil(Math.log10(high) - 1e-9), bottom = Math.floor(Math.log10(low) + 1e-9);
  return [10 ** Math.max(-20, Math.min(bottom, top - 1)), 10 ** Math.max(-19, top)];
}

function fromZero(_, low, high) {
  return [0, high > 0 ? high : 1];
}

function total(view) {
  if (!view || view.kinetic === null || view.kinetic === undefined) return null;
  return view.kinetic + view.elastic + (view.external ?? 0);
}
