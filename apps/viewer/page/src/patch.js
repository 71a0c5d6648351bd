// What a hand takes hold of: a patch of the surface about the picked point, held less towards its rim. A single triangle would be pulled out as a spike.

const REACH = 0.1; // radius of the patch over the body's size
const MOST = 32, MOST_OF_SKIN = 12; // points: each costs the solver a column of its Woodbury correction, each of a skin up to four

const neighboursOf = new WeakMap(); // by mesh

/** Drawn vertices beside each one. */
function neighbours(mesh) {
  let lists = neighboursOf.get(mesh);
  if (lists) return lists;
  lists = Array.from({ length: mesh.vertex.length }, () => []);
  const join = (a, b) => (lists[a].push(b), lists[b].push(a));
  for (let t = 0; t < mesh.triangles.length; t += 3)
    for (let k = 0; k < 3; ++k) join(mesh.triangles[t + k], mesh.triangles[t + ((k + 1) % 3)]);
  for (let e = 0; e < mesh.edges.length; e += 2) join(mesh.edges[e], mesh.edges[e + 1]);
  neighboursOf.set(mesh, lists);
  return lists;
}

const gap = (positions, a, b) => Math.hypot(positions[3 * a] - positions[3 * b], positions[3 * a + 1] - positions[3 * b + 1], positions[3 * a + 2] - positions[3 * b + 2]);

/** At most so many of them, far from each other, the first ones first; each gets the weights of those that are nearest to it. */
function thinned(positions, vertices, weights, firsts, most) {
  if (vertices.length <= most) return { vertices, weights };
  const away = vertices.map(() => Infinity), owner = vertices.map(() => 0), chosen = [];
  const choose = (i) => {
    vertices.forEach((v, j) => {
      const d = gap(positions, v, vertices[i]);
      if (d < away[j]) (away[j] = d), (owner[j] = chosen.length);
    });
    chosen.push(i);
  };
  firsts.forEach((v) => choose(vertices.indexOf(v)));
  while (chosen.length < most) choose(away.indexOf(Math.max(...away)));
  const sums = chosen.map(() => 0);
  vertices.forEach((_, j) => (sums[owner[j]] += weights[j]));
  return { vertices: chosen.map((i) => vertices[i]), weights: sums };
}

/**
 * @param {import("./protocol.js").DrawnMesh} mesh
 * @param {ArrayLike<number>} positions
 * @param {{drawn: number[], weights: number[]}} hit  corners of the picked triangle and barycentric coordinates in it
 * @param {number} size  of the body
 * @returns {{drawn: number[], weights: number[], middle: number[]}} weights of sum 1, and the weighted mean of the positions
 */
export function patchAt(mesh, positions, hit, size, most = mesh.corners ? MOST_OF_SKIN : MOST) {
  const point = [0, 1, 2].map((k) => hit.drawn.reduce((sum, v, i) => sum + hit.weights[i] * positions[3 * v + k], 0));
  const radius = REACH * size, lists = neighbours(mesh), found = new Map(hit.drawn.map((v, i) => [v, hit.weights[i]])), queue = [...hit.drawn];
  const falloff = (v) => {
    const d = Math.hypot(...point.map((x, k) => positions[3 * v + k] - x)) / radius;
    return d < 1 ? (1 - d * d) ** 2 : 0;
  };
  for (const v of hit.drawn) found.set(v, found.get(v) + falloff(v));
  // Over the surface, and no farther: what lies near but elsewhere on the body stays free.
  while (queue.length) {
    for (const next of lists[queue.pop()]) {
      const weight = found.has(next) ? 0 : falloff(next);
      if (weight > 0) found.set(next, weight), queue.push(next);
    }
  }
  const { vertices, weights } = thinned(positions, [...found.keys()], [...found.values()], hit.drawn, most), total = weights.reduce((a, b) => a + b, 0);
  const shares = weights.map((w) => w / total);
  return { drawn: vertices, weights: shares, middle: [0, 1, 2].map((k) => vertices.reduce((sum, v, i) => sum + shares[i] * positions[3 * v + k], 0)) };
}
