// The parameters of a scene that can be tuned: where they stand, what they are now, and what the registry says of them.

import { valueAt } from "./paths.js";

/**
 * @typedef {object} Parameter
 * @property {string} path
 * @property {string} name
 * @property {*} value     as it stands, or the default
 * @property {string} type number, integer, boolean, text, choice, vector3, numbers, points, any
 * @property {string} unit
 * @property {?number} low
 * @property {?number} high
 * @property {boolean} [low_open]
 * @property {boolean} [high_open]
 * @property {string[]} [choices]
 * @property {string} doc
 */

const SIMPLE = new Set(["number", "integer", "boolean", "choice"]);
/** Says more to people who write solvers than to those who look. */
const RARE = new Set(["fit_stiffness", "j0", "linear_solver", "linear_method", "preconditioner", "linear_iterations", "linear_tolerance", "gamma",
  "mu", "lambda", "hessian_age", "contact_rows", "interface_rows", "separate", "smoothing", "power_scale", "spline_axes"]);

export class Parameters {
  /** @param {object} registry  by kind, lists of {name, doc, params} */
  constructor(registry, text, up) {
    this.registry = registry ?? {};
    this.text = text;
    this.up = up;
  }

  entry(kind, name) {
    return this.registry[kind]?.find((entry) => entry.name === name) ?? null;
  }

  /** The name of the plugin at a path: of a text, or of its member `type`. */
  typeAt(path, fallback) {
    const value = valueAt(this.text, path);
    if (typeof value === "string") return value;
    if (value?.like) return this.presetType(value.like) ?? fallback;
    return value?.type ?? fallback;
  }

  /** "gel" is a preset, of a material that the registry does not tell: neo_hookean, as most are. */
  presetType(name) {
    return this.entry("preset", name) ? "neo_hookean" : name;
  }

  /** Parameters of the plugin at a path. @returns {{common: Parameter[], rare: Parameter[]}} */
  of(kind, path, type) {
    const entry = this.entry(kind, type), common = [], rare = [];
    for (const param of entry?.params ?? []) {
      const stated = valueAt(this.text, `${path}.${param.name}`);
      if (!SIMPLE.has(param.type) || Array.isArray(stated)) continue;
      const value = stated ?? param.default;
      const parameter = { ...param, path: `${path}.${param.name}`, value, stated: stated !== undefined };
      if (value === null || value === undefined || RARE.has(param.name)) {
        if (stated !== undefined) common.push(parameter);
        else if (value !== null && value !== undefined) rare.push(parameter);
      } else common.push(parameter);
    }
    return { common, rare };
  }

  /** A parameter of an object of the scene that is no plugin: `scene`, `body`, `contact`, ... */
  ofObject(object, name, path, fallback) {
    const param = this.entry("object", object)?.params?.find((p) => p.name === name);
    const value = valueAt(this.text, path) ?? fallback;
    return { unit: "", low: null, high: null, doc: "", ...param, name, path, type: "number", value };
  }

  bodies() {
    return Array.isArray(this.text.bodies) ? this.text.bodies : [];
  }

  /** Gravity as one number along -up, as scenes have it most often. */
  gravity() {
    const value = this.text.gravity ?? 9.81;
    return typeof value === "number" ? value : -value.reduce((sum, g, i) => sum + g * this.up[i], 0);
  }

  /** Where damping stands: an object, or a list of them. */
  dampings(body) {
    const path = `bodies[${body}].damping`, value = valueAt(this.text, path);
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value.map((_, i) => `${path}[${i}]`) : [path];
  }

  /** Paths of curves: control points of spline materials and of damping. */
  curves() {
    const found = [];
    this.bodies().forEach((body, i) => {
      const named = body.name ?? `body ${i + 1}`;
      if (this.typeAt(`bodies[${i}].material`) === "spline") found.push({ kind: "material", path: `bodies[${i}].material`, label: `${named}: stress` });
      this.dampings(i).forEach((path) => {
        const drawn = this.entry("damping", this.typeAt(path))?.params.some((parameter) => parameter.name === "spline");
        if (drawn && typeof valueAt(this.text, path) === "object") found.push({ kind: "damping", path, label: `${named}: damping` });
      });
    });
    return found;
  }
}

/** The range of a slider: that of the parameter, or two decades about its value. */
export function sliderRange(parameter) {
  const { low, high, value, type } = parameter, size = Math.abs(Number(value)) || 1;
  if (low !== null && low !== undefined && high !== null && high !== undefined && high - low <= 1000 && !(type === "integer" && high > 200)) {
    const room = (high - low) * 1e-3;
    return { low: parameter.low_open ? low + room : low, high: parameter.high_open ? high - room : high, log: false };
  }
  const positive = (low ?? -1) >= 0;
  if (positive && Number(value) > 0) return { low: Math.max(size / 100, type === "integer" ? Math.max(1, low) : low), high: Math.min(size * 100, high ?? Infinity), log: true };
  if (positive) return { low: 0, high: Math.min(Math.max(10 * size, 1), high ?? Infinity), log: false };
  return { low: Math.max(-4 * size, low ?? -Infinity), high: Math.min(4 * size, high ?? Infinity), log: false };
}
