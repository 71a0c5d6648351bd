// How hard to pull: a guess of a body's mass and size from what is drawn and what the scene says.

import { valueAt } from "./paths.js";

const SHEET = 0.2; // kg/m^2 of cloth that does not say

/** @returns {{mass: number, size: number}} [kg], [m] */
export function bodySize(mesh, positions, body, text) {
  let area = 0, volume = 0;
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let t = 0; t < mesh.body.length; ++t) {
    if (mesh.body[t] !== body) continue;
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * mesh.triangles[3 * t + k], 3 * mesh.triangles[3 * t + k] + 3));
    for (const p of [a, b, c]) for (let k = 0; k < 3; ++k) low[k] = Math.min(low[k], p[k]), high[k] = Math.max(high[k], p[k]);
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    area += Math.hypot(...n) / 2;
    volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
  }
  const described = valueAt(text, `bodies[${body}]`) ?? {}, number = (value, fallback) => (typeof value === "number" ? value : fallback);
  const size = Math.max(1e-6, Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1);
  const sheet = described.shell || described.cloth || described.springs;
  const mass = sheet
    ? area * number(described.surface_density, number(described.cloth?.density, SHEET)) || 0.1 * (mesh.vertex.length || 1)
    : Math.abs(volume) * number(described.density, 1000);
  return { mass: Math.max(mass, 1e-9), size };
}
