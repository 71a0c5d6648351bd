// The panel on the right: how things look, how hard to pull, and every parameter of the scene that the registry declares. Made anew when
// another scene is opened or another plugin is chosen; otherwise its values follow the scene.

import { GUI } from "lil-gui";
import { Parameters, sliderRange } from "./parameters.js";
import { valueAt } from "./paths.js";
import { SliderController } from "./slider.js";

const COLOURS = { plain: "none", stretch: "stretch", stress: "stress", energy: "energy", speed: "speed", region: "region" };
const SEND_EVERY = 60; // ms, while a slider moves

export class Panel {
  /**
   * @param {HTMLElement} container
   * @param {import("./store.js").Store} store
   * @param {{set: function(string, *): Promise<{ok: boolean}>, colour: function(string): void, slice: function(?number[]): void,
   *   view: import("./scene_view.js").SceneView, pointer: import("./pointer.js").Pointer, curve: function(object): void,
   *   actions: Object<string, function(): void>}} tools
   */
  constructor(container, store, tools) {
    this.store = store;
    this.tools = tools;
    this.gui = new GUI({ container, injectStyles: false, title: "Controls", width: 300 });
    this.gui.$title.hidden = true;
    this.rows = new Map(); // path -> {controller, holder}
    this.openFolders = new Map(); // title -> whether it is open
    this.tune = [];
    this.makeLook();
    this.makeTouch();
    store.on("scene", () => this.refresh());
    store.on("hello", () => this.refresh());
  }

  // ---- fixed folders ------------------------------------------------------------------------------------------------

  makeLook() {
    const { view, colour, slice } = this.tools, folder = this.gui.addFolder("Look");
    this.look = { colour: "none", wireframe: false, cut: "none", at: 0.5, flip: false };
    this.colourRow = folder.add(this.look, "colour", COLOURS).name("Colour by").onChange(colour);
    this.wireRow = folder.add(this.look, "wireframe").name("Wireframe").onChange((on) => view.setWireframe(on));
    const cut = () => slice(this.plane());
    this.cutRow = folder.add(this.look, "cut", { none: "none", x: "x", y: "y", z: "z" }).name("Cut across").onChange(cut);
    const at = new SliderController(folder, this.look, "at", { low: 0, high: 1, log: false });
    at.name("Cut at").onChange(cut);
    const flip = folder.add(this.look, "flip").name("Other side").onChange(cut);
    this.forEverybody = [this.colourRow, this.cutRow, at, flip]; // the server's: who only watches cannot change them
    folder.close();
    this.remember(folder, "Look");
  }

  plane() {
    const { cut, at, flip } = this.look, axis = ["x", "y", "z"].indexOf(cut);
    if (axis < 0) return null;
    const { low, high } = this.box, normal = [0, 0, 0];
    normal[axis] = flip ? -1 : 1;
    const d = low[axis] + at * (high[axis] - low[axis]);
    return [...normal, flip ? -d : d];
  }

  makeTouch() {
    const { pointer, actions } = this.tools, folder = (this.touchFolder = this.gui.addFolder("Touch"));
    const strength = new SliderController(folder, pointer, "strength", { low: 0.05, high: 20, log: true });
    strength.name("Pull strength");
    strength.$name.title = "Stiffness of the handle that drags a body, times what suits its weight and size.";
    this.touch = {
      flatten: actions.flatten, randomise: actions.randomise, throw: actions.throw, gravity: actions.gravity,
    };
    const words = {
      flatten: ["Squash flat", "flatten"], randomise: ["Randomise", "randomise"], throw: ["Throw", "throw"], gravity: ["Cut gravity", "gravity"],
    };
    for (const [key, [label]] of Object.entries(words)) folder.add(this.touch, key).name(label).domElement.classList.add("half");
    this.remember(folder, "Touch");
  }

  remember(folder, title) {
    if (this.openFolders.has(title)) folder.open(this.openFolders.get(title));
    folder.onOpenClose((changed) => changed === folder && this.openFolders.set(title, !folder._closed));
  }

  // ---- from the registry --------------------------------------------------------------------------------------------

  /** What decides which rows there are. */
  shape() {
    const { text, hello, scene } = this.store;
    const types = (text.bodies ?? []).map((body, i) => [body.name, this.parameters.typeAt(`bodies[${i}].material`),
      this.parameters.dampings(i).map((path) => this.parameters.typeAt(path))]);
    return JSON.stringify([scene?.name, scene?.mode, hello?.control, this.parameters.typeAt("solver"), this.parameters.typeAt("integrator"), types,
      (text.obstacles ?? []).length, typeof text.contact]);
  }

  refresh() {
    const { store } = this;
    if (!store.hello || !store.scene) return;
    this.parameters = new Parameters(store.hello.registry, store.text, store.up);
    const shape = this.shape();
    if (shape !== this.lastShape) {
      this.lastShape = shape;
      this.rebuild();
    }
    for (const { controller, holder, read } of this.rows.values()) {
      if (controller.busy) continue;
      const value = read();
      if (value === undefined || value === holder.value) continue;
      holder.value = value;
      controller.updateDisplay();
    }
  }

  rebuild() {
    for (const folder of this.tune) folder.destroy();
    this.tune = [];
    this.rows.clear();
    const touches = this.store.scene.mode !== "playback" && this.store.control;
    for (const row of this.forEverybody) row.enable(this.store.control);
    this.touchFolder.show(touches);
    if (!touches) return;
    this.makeWorld();
    this.makePlugin("Solver", "solver", "solver", "quasi_newton");
    this.makePlugin("Integrator", "integrator", "integrator", "backward_euler");
    this.parameters.bodies().forEach((body, i) => this.makeBody(body, i));
  }

  folder(title, parent = this.gui, closed = false) {
    const folder = parent.addFolder(title), key = parent === this.gui ? title : `${parent._title} ${title}`;
    if (closed) folder.close();
    this.remember(folder, key);
    if (parent === this.gui) this.tune.push(folder);
    return folder;
  }

  makeWorld() {
    const { parameters } = this, folder = this.folder("World");
    const gravity = { ...parameters.ofObject("scene", "gravity", "gravity", 9.81), unit: "m/s^2", value: parameters.gravity(), low: null, high: null };
    this.addParameter(folder, { ...gravity, slider: { low: -20, high: 20, log: false } }, () => this.parameters.gravity());
    this.addParameter(folder, { ...parameters.ofObject("scene", "step", "step", 1 / 30), unit: "s", low: 0, low_open: true });
    this.addParameter(folder, { ...parameters.ofObject("scene", "substeps", "substeps", 1), type: "integer", low: 1, slider: { low: 1, high: 10, log: false } });
    (parameters.text.obstacles ?? []).forEach((obstacle, i) => {
      const label = obstacle.name ?? obstacle.type ?? `obstacle ${i + 1}`;
      this.addParameter(folder, { ...parameters.ofObject("obstacle", "friction", `obstacles[${i}].friction`, 0), label: `friction, ${label}`, low: 0, slider: { low: 0, high: 2, log: false } });
    });
    if (typeof parameters.text.contact === "object" && parameters.text.contact)
      this.addParameter(folder, { ...parameters.ofObject("contact", "friction", "contact.friction", 0), label: "friction, bodies", low: 0, slider: { low: 0, high: 2, log: false } });
  }

  makePlugin(title, kind, path, fallback) {
    const folder = this.folder(title), type = this.parameters.typeAt(path, fallback);
    this.addType(folder, kind, path, type);
    this.addAll(folder, kind, path, type);
    return folder;
  }

  makeBody(body, i) {
    const { parameters } = this, name = body.name ?? `body ${i + 1}`;
    const folder = this.folder(`Body: ${name}`, this.gui, i > 1);
    if (body.shape || body.mesh || body.shell) {
      const path = `bodies[${i}].material`, type = parameters.typeAt(path, "neo_hookean");
      this.addType(folder, "material", path, type);
      this.addAll(folder, "material", path, type);
      if (!body.preset && !body.surface_density)
        this.addParameter(folder, { ...parameters.ofObject("body", "density", `bodies[${i}].density`, 1000), unit: "kg/m^3", low: 0, low_open: true });
    }
    if (body.inflation) this.addParameter(folder, { ...parameters.ofObject("inflation", "target", `bodies[${i}].inflation.target`, 1), label: "inflation", low: 0, low_open: true, slider: { low: 0.2, high: 4, log: true } });
    (body.potentials ?? []).forEach((potential, k) => this.addAll(this.folder(potential.type, folder, true), "potential", `bodies[${i}].potentials[${k}]`, potential.type));
    this.makeDamping(folder, i);
  }

  makeDamping(folder, i) {
    const { parameters } = this, paths = parameters.dampings(i);
    const choices = ["none", ...(parameters.registry.damping ?? []).map((entry) => entry.name)];
    if (paths.length === 0) {
      this.addChoice(folder, "damping", `bodies[${i}].damping`, "none", choices, "Damping model of this body.", (name) => name);
      return;
    }
    for (const path of paths) {
      const type = parameters.typeAt(path), inner = this.folder(`Damping: ${type}`, folder, true);
      this.addAll(inner, "damping", path, type);
    }
  }

  /** The choice of a plugin. */
  addType(folder, kind, path, type) {
    const entries = this.parameters.registry[kind] ?? [], entry = this.parameters.entry(kind, type);
    this.addChoice(folder, kind, path, type, entries.map((e) => e.name), entry?.doc ?? "", (name) => this.described(kind, path, name));
  }

  /** Another plugin keeps the parameters that it shares with the last one. */
  described(kind, path, name) {
    const now = valueAt(this.store.text, path), shared = {};
    const known = new Set(this.parameters.entry(kind, name)?.params.map((p) => p.name));
    if (kind === "material" && now && typeof now === "object")
      for (const [key, value] of Object.entries(now)) if (known.has(key) && typeof value === "number") shared[key] = value;
    return { type: name, ...shared };
  }

  addChoice(folder, label, path, value, choices, doc, toValue) {
    const holder = { value }, options = choices.includes(value) ? choices : [value, ...choices];
    const controller = folder.add(holder, "value", options).name(label);
    controller.$name.title = doc;
    controller.domElement.dataset.path = `${path}.type`;
    controller.onChange(async (name) => {
      const reply = await this.tools.set(path, toValue(name));
      if (!reply.ok) {
        holder.value = value;
        controller.updateDisplay();
      }
    });
  }

  addAll(folder, kind, path, type) {
    const { common, rare } = this.parameters.of(kind, path, type);
    for (const parameter of common) this.addParameter(folder, parameter);
    if (rare.length) {
      const more = this.folder("More", folder, true);
      for (const parameter of rare) this.addParameter(more, parameter);
    }
    const curve = this.parameters.curves().find((c) => c.path === path);
    if (curve) folder.add({ edit: () => this.tools.curve(curve) }, "edit").name("Edit curve ...").domElement.dataset.curve = path;
  }

  /** One row: sends while it is moved; returns to its old value when the edit is refused. */
  addParameter(folder, parameter, read = () => valueAt(this.store.text, parameter.path)) {
    const { path, type, choices } = parameter, holder = { value: parameter.value };
    let controller;
    if (type === "boolean") controller = folder.add(holder, "value");
    else if (type === "choice") controller = folder.add(holder, "value", choices);
    else {
      const range = { ...(parameter.slider ?? sliderRange(parameter)), whole: type === "integer" };
      controller = new SliderController(folder, holder, "value", range);
    }
    const label = parameter.label ?? parameter.name;
    controller.name(parameter.unit ? `${label} [${parameter.unit}]` : label);
    controller.$name.title = `${parameter.doc ?? ""}${parameter.doc ? "\n" : ""}${path}`;
    controller.domElement.dataset.path = path;
    this.rows.set(path, { controller, holder, read });
    let good = parameter.value, timer = null;
    const send = async () => {
      timer = null;
      const value = holder.value;
      const reply = await this.tools.set(path, value);
      if (reply.ok) good = value;
      else {
        holder.value = good;
        controller.updateDisplay();
      }
      controller.busy = timer !== null;
    };
    controller.onChange(() => {
      controller.busy = true;
      if (timer === null) timer = setTimeout(send, SEND_EVERY);
    });
  }

  // ---- from outside -------------------------------------------------------------------------------------------------

  /** Corners of what is shown first; cuts go through it. */
  setBox(low, high) {
    this.box = { low, high };
  }

  toggleWireframe() {
    this.wireRow.setValue(!this.look.wireframe);
  }

  showColour(by) {
    if (this.look.colour === by) return;
    this.look.colour = by;
    this.colourRow.updateDisplay();
  }
}
