// Which point of which triangle lies under a ray, and what a drag of it names.

/**
 * @param {{origin: {x: number, y: number, z: number}, direction: {x: number, y: number, z: number}}} ray
 * @returns {?{triangle: number, weights: number[], distance: number}} the nearest hit (Moeller and Trumbore), from both sides
 */
export function pick(ray, triangles, positions) {
  const { x: ox, y: oy, z: oz } = ray.origin, { x: dx, y: dy, z: dz } = ray.direction;
  let nearest = null;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
    const e1x = positions[b] - ax, e1y = positions[b + 1] - ay, e1z = positions[b + 2] - az;
    const e2x = positions[c] - ax, e2y = positions[c + 1] - ay, e2z = positions[c + 2] - az;
    const px = dy * e2z - dz * e2y, py = dz * e2x - dx * e2z, pz = dx * e2y - dy * e2x;
    const det = e1x * px + e1y * py + e1z * pz;
    if (det === 0) continue;
    const sx = ox - ax, sy = oy - ay, sz = oz - az;
    const u = (sx * px + sy * py + sz * pz) / det;
    if (!(u >= 0 && u <= 1)) continue;
    const qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (!(v >= 0 && u + v <= 1)) continue;
    const distance = (e2x * qx + e2y * qy + e2z * qz) / det;
    if (distance > 0 && (!nearest || distance < nearest.distance)) nearest = { triangle: t / 3, weights: [1 - u - v, u, v], distance };
  }
  return nearest;
}

/** Springs have no triangles: the drawn vertex nearest to the ray, within an angle. */
export function pickVertex(ray, positions, angle) {
  let best = null;
  for (let i = 0; 3 * i < positions.length; ++i) {
    const x = positions[3 * i] - ray.origin.x, y = positions[3 * i + 1] - ray.origin.y, z = positions[3 * i + 2] - ray.origin.z;
    const along = x * ray.direction.x + y * ray.direction.y + z * ray.direction.z;
    const off = Math.sqrt(Math.max(0, x * x + y * y + z * z - along * along));
    if (along > 0 && off < angle * along && (!best || off / along < best.off)) best = { vertex: i, off: off / along, distance: along };
  }
  return best;
}

/**
 * Model vertices and weights, not negative and of sum 1, of a point between drawn vertices.
 * @param {import("./protocol.js").DrawnMesh} mesh
 */
export function modelWeights(mesh, drawn, weights) {
  const sums = new Map();
  const add = (vertex, weight) => sums.set(vertex, (sums.get(vertex) ?? 0) + weight);
  drawn.forEach((v, i) => {
    if (!mesh.corners) return add(mesh.vertex[v], weights[i]);
    for (let k = 0; k < 4; ++k) add(mesh.corners[4 * v + k], weights[i] * mesh.weights[4 * v + k]);
  });
  const kept = [...sums].filter(([, w]) => w > 1e-6), total = kept.reduce((sum, [, w]) => sum + w, 0);
  return { vertices: kept.map(([v]) => v), weights: kept.map(([, w]) => w / total) };
}
