// Curves by their control points: drag them, double click to add one or take one away. The line through them is what the server samples; what
// it refuses is said and drawn in red, and never sent to the simulation.

import { make, makeDialog, makeSvg } from "./dom.js";
import { shown, valueAt } from "./paths.js";

const WIDTH = 560, HEIGHT = 320, LEFT = 76, RIGHT = 14, TOP = 14, BOTTOM = 44;

/** Points that stand for a spline material's preset or a plain damping until they are drawn. */
const STARTS = {
  material: (young) => [[0.4, -young], [0.7, -0.4 * young], [1, 0], [1.3, 0.35 * young], [1.6, 0.8 * young]],
  damping: () => [[0.6, 1], [1, 1], [1.4, 1]],
};

export class CurveEditor {
  /** @param {{ask: function(string, object): Promise<object>, set: function(string, *): Promise<{ok: boolean}>}} tools */
  constructor(store, tools) {
    this.store = store;
    this.tools = tools;
    this.svg = makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve", role: "img" });
    this.reason = make("p.curve-reason", { role: "status" });
    this.choice = make("select", { "aria-label": "Curve", onchange: () => this.pickName(this.choice.value) });
    this.dialog = makeDialog("Curve", "curve-dialog",
      make("div.curve-head", {}, this.choice, make("p.hint", { text: "Drag the points. Double click adds one, or takes one away." })),
      this.svg, this.reason);
    this.svg.addEventListener("pointerdown", (event) => this.onDown(event));
    this.svg.addEventListener("pointermove", (event) => this.onMove(event));
    this.svg.addEventListener("pointerup", (event) => this.onUp(event));
    this.svg.addEventListener("dblclick", (event) => this.onDouble(event));
    this.asked = 0;
  }

  /** @param {{kind: "material"|"damping", path: string, label: string}} curve */
  open(curve) {
    this.curve = curve;
    this.dialog.querySelector("h2").textContent = curve.label;
    const described = valueAt(this.store.text, curve.path) ?? {};
    const names = curve.kind === "damping" ? ["spline"] : described.a || described.b || described.c ? ["a", "b", "c"] : ["stress"];
    this.choice.replaceChildren(...names.map((name) => make("option", { value: name, text: name })));
    this.choice.hidden = names.length < 2;
    this.pickName(names[0]);
    this.dialog.show();
  }

  pickName(name) {
    this.name = name;
    const described = valueAt(this.store.text, this.curve.path) ?? {};
    this.points = (described[name] ?? STARTS[this.curve.kind](typeof described.young === "number" ? described.young : 1e5)).map((p) => [...p]);
    this.good = this.points.map((p) => [...p]);
    this.samples = [];
    this.frame();
    this.sample();
  }

  /** The whole description with the points as drawn. Curves make the material alone, or beside a stated base. */
  description(points) {
    const { curve, name } = this, now = valueAt(this.store.text, curve.path), described = typeof now === "object" ? { ...now } : { type: now };
    described[name] = points;
    if (curve.kind === "material") {
      delete described.preset;
      if (described.base !== "neo_hookean") for (const key of ["young", "poisson", "mu", "lambda"]) delete described[key];
    }
    return described;
  }

  /** Asks what the curve looks like, or why it cannot be. */
  async sample() {
    const number = ++this.asked;
    const reply = await this.tools.ask("curve", { kind: this.curve.kind, description: this.description(this.points) });
    if (number !== this.asked) return reply;
    this.refused = !reply.ok;
    this.reason.textContent = reply.ok ? "" : reply.error;
    this.reason.classList.toggle("bad", !reply.ok);
    if (reply.ok) this.samples = (reply.samples ?? []).filter((s) => s[1] !== null);
    this.labels = reply.ok ? [reply.x, reply.y] : this.labels;
    this.draw();
    return reply;
  }

  /** Takes the points into the simulation if they are good; else they return. */
  async commit() {
    const points = this.points.map((p) => [...p]);
    const checked = await this.sample();
    const reply = checked.ok ? await this.tools.set(this.curve.path, this.description(points)) : checked;
    if (reply.ok) {
      this.good = points;
      return;
    }
    this.points = this.good.map((p) => [...p]);
    this.refused = false;
    this.frame();
    this.draw();
    this.reason.textContent = `Refused: ${reply.error}`;
    this.reason.classList.add("bad");
    if (checked.ok) this.sample();
  }

  // ---- drawing --------------------------------------------------------------------------------------------------------

  /** Fits the axes to the points. */
  frame() {
    const xs = this.points.map((p) => p[0]), ys = this.points.map((p) => p[1]);
    const pad = (low, high) => [low - 0.12 * (high - low || 1), high + 0.12 * (high - low || 1)];
    this.x = pad(Math.min(...xs, 0.5), Math.max(...xs, 1.5));
    this.y = pad(Math.min(...ys, 0), Math.max(...ys, 0));
  }

  toScreen([x, y]) {
    return [LEFT + ((x - this.x[0]) / (this.x[1] - this.x[0])) * (WIDTH - LEFT - RIGHT),
      HEIGHT - BOTTOM - ((y - this.y[0]) / (this.y[1] - this.y[0])) * (HEIGHT - TOP - BOTTOM)];
  }

  fromEvent(event) {
    const box = this.svg.getBoundingClientRect();
    const sx = ((event.clientX - box.left) / box.width) * WIDTH, sy = ((event.clientY - box.top) / box.height) * HEIGHT;
    const x = this.x[0] + ((sx - LEFT) / (WIDTH - LEFT - RIGHT)) * (this.x[1] - this.x[0]);
    const y = this.y[0] + ((HEIGHT - BOTTOM - sy) / (HEIGHT - TOP - BOTTOM)) * (this.y[1] - this.y[0]);
    return { x, y, sx, sy };
  }

  ticks([low, high]) {
    const wanted = (high - low) / 5, power = 10 ** Math.floor(Math.log10(wanted)), digit = wanted / power;
    const by = power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10), out = [];
    for (let t = Math.ceil(low / by) * by; t <= high; t += by) out.push(Math.abs(t) < by / 1e6 ? 0 : t);
    return out;
  }

  draw() {
    const parts = [];
    const add = (name, attributes, text) => {
      const element = makeSvg(name, attributes);
      if (text !== undefined) element.textContent = text;
      parts.push(element);
    };
    const bottom = HEIGHT - BOTTOM, right = WIDTH - RIGHT;
    for (const t of this.ticks(this.x)) {
      const [x] = this.toScreen([t, 0]);
      add("line", { x1: x, x2: x, y1: TOP, y2: bottom, class: Math.abs(t - 1) < 1e-9 ? "axis" : "grid" });
      add("text", { x, y: bottom + 18, "text-anchor": "middle" }, shown(t));
    }
    for (const t of this.ticks(this.y)) {
      const [, y] = this.toScreen([0, t]);
      add("line", { x1: LEFT, x2: right, y1: y, y2: y, class: t === 0 ? "axis" : "grid" });
      add("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, shown(t));
    }
    add("text", { x: (LEFT + right) / 2, y: HEIGHT - 6, "text-anchor": "middle", class: "label" }, this.labels?.[0] ?? "");
    add("text", { x: 12, y: (TOP + bottom) / 2, "text-anchor": "middle", class: "label", transform: `rotate(-90 12 ${(TOP + bottom) / 2})` }, this.labels?.[1] ?? "");
    const path = this.samples.map((s) => this.toScreen(s)).map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    const clip = makeSvg("clipPath", { id: "curve-area" }, makeSvg("rect", { x: LEFT, y: TOP, width: right - LEFT, height: bottom - TOP }));
    parts.push(clip);
    add("polyline", { points: path, class: this.refused ? "samples stale" : "samples", "clip-path": "url(#curve-area)" });
    this.points.forEach((p, i) => {
      const [x, y] = this.toScreen(p);
      add("circle", { cx: x, cy: y, r: 7, class: this.refused ? "point bad" : "point", "data-point": i });
    });
    this.svg.replaceChildren(...parts);
  }

  // ---- pointer ----------------------------------------------------------------------------------------------------------

  nearest({ sx, sy }) {
    let best = -1, least = 14;
    this.points.forEach((p, i) => {
      const [x, y] = this.toScreen(p), d = Math.hypot(x - sx, y - sy);
      if (d < least) [best, least] = [i, d];
    });
    return best;
  }

  onDown(event) {
    const at = this.fromEvent(event);
    this.moving = this.nearest(at);
    if (this.moving >= 0) this.svg.setPointerCapture(event.pointerId);
    this.moved = false;
  }

  onMove(event) {
    if (!(this.moving >= 0)) return;
    const { x, y } = this.fromEvent(event);
    this.moved = true;
    this.points[this.moving] = [Number(x.toPrecision(4)), Number(y.toPrecision(4))];
    this.draw();
    this.sample();
  }

  onUp() {
    if (this.moving >= 0 && this.moved) this.commit();
    this.moving = -1;
  }

  onDouble(event) {
    const at = this.fromEvent(event), near = this.nearest(at);
    if (near >= 0) this.points.splice(near, 1);
    else {
      this.points.push([Number(at.x.toPrecision(4)), Number(at.y.toPrecision(4))]);
      this.points.sort((a, b) => a[0] - b[0]);
    }
    this.draw();
    this.commit();
  }
}

