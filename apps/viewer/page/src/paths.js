// Values of a scene by path, such as bodies[0].material.young, and numbers as people read them.

/** @param {string} path */
function steps(path) {
  return path.split(/[.[\]]+/).filter((step) => step !== "").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

export function valueAt(object, path) {
  return steps(path).reduce((at, step) => at?.[step], object);
}

/** Numbers as people write them: 4 digits, no trailing zeros. */
export function shown(value) {
  if (typeof value !== "number") return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e") : String(Number(value.toPrecision(4)));
}

export function milliseconds(ms) {
  return ms === undefined || ms === null ? "" : ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
