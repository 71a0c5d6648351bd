// The drawn surface: vertices split where it has a crease, smooth normals elsewhere, the edges of its triangles, and which bodies
// are open. The topology is found once per mesh from the first frame; normals are made anew for every frame.

const CREASE = Math.cos((40 * Math.PI) / 180);

function triangleNormals(triangles, positions) {
  const normals = new Float32Array(triangles.length); // not normalised: as long as twice the area
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    normals[t] = uy * vz - uz * vy;
    normals[t + 1] = uz * vx - ux * vz;
    normals[t + 2] = ux * vy - uy * vx;
  }
  return normals;
}

class UnionFind {
  constructor(size) {
    this.parent = Uint32Array.from({ length: size }, (_, i) => i);
  }
  find(i) {
    while (this.parent[i] !== i) i = this.parent[i] = this.parent[this.parent[i]];
    return i;
  }
  join(i, j) {
    this.parent[this.find(i)] = this.find(j);
  }
}

export class Surface {
  /**
   * @param {{triangles: ArrayLike<number>, body: ArrayLike<number>}} mesh
   * @param {ArrayLike<number>} positions  xyz of the mesh's vertices, by which creases are found
   */
  constructor(mesh, positions) {
    this.triangles = mesh.triangles;
    const count = mesh.triangles.length;
    const edges = this.findEdges(positions.length / 3);
    const groups = this.joinSmooth(edges, triangleNormals(mesh.triangles, positions), mesh.body);
    const number = new Map();
    /** drawn vertex of each shaded one */
    this.source = [];
    this.body = [];
    this.index = new Uint32Array(count);
    for (let corner = 0; corner < count; ++corner) {
      const root = groups.find(corner);
      let at = number.get(root);
      if (at === undefined) {
        number.set(root, (at = this.source.length));
        this.source.push(mesh.triangles[corner]);
        this.body.push(mesh.body[Math.floor(corner / 3)]);
      }
      this.index[corner] = at;
    }
    /** two shaded vertices per edge */
    this.edges = new Uint32Array(edges.size * 2);
    let e = 0;
    this.open = new Set();
    for (const { first, second } of edges.values()) {
      this.edges[e++] = this.index[first];
      this.edges[e++] = this.index[first - (first % 3) + ((first + 1) % 3)];
      if (second < 0) this.open.add(mesh.body[Math.floor(first / 3)]);
    }
  }

  /** Edge -> the corners where it begins in its first two triangles. */
  findEdges(vertices) {
    const edges = new Map();
    for (let corner = 0; corner < this.triangles.length; ++corner) {
      const a = this.triangles[corner], b = this.triangles[corner - (corner % 3) + ((corner + 1) % 3)];
      const key = Math.min(a, b) * vertices + Math.max(a, b);
      const edge = edges.get(key);
      if (!edge) edges.set(key, { first: corner, second: -1 });
      else if (edge.second < 0) edge.second = corner;
    }
    return edges;
  }

  /** Corners of a vertex that share a normal, found across edges that are no creases. */
  joinSmooth(edges, normals, body) {
    const groups = new UnionFind(this.triangles.length);
    const next = (corner) => corner - (corner % 3) + ((corner + 1) % 3);
    const length = (t) => Math.hypot(normals[t], normals[t + 1], normals[t + 2]);
    for (const { first, second } of edges.values()) {
      if (second < 0) continue;
      const s = first - (first % 3), t = second - (second % 3);
      if (body[s / 3] !== body[t / 3]) continue;
      const along = this.triangles[first] === this.triangles[second]; // neighbours that face different sides
      const cosine = normals[s] * normals[t] + normals[s + 1] * normals[t + 1] + normals[s + 2] * normals[t + 2];
      if ((along ? -cosine : cosine) < CREASE * length(s) * length(t)) continue;
      groups.join(first, along ? second : next(second));
      groups.join(next(first), along ? next(second) : second);
    }
    return groups;
  }

  /** Writes positions and unit normals of the shaded vertices. */
  shade(positions, outPositions, outNormals) {
    const { source, index } = this;
    for (let i = 0; i < source.length; ++i) {
      const at = 3 * source[i];
      outPositions[3 * i] = positions[at];
      outPositions[3 * i + 1] = positions[at + 1];
      outPositions[3 * i + 2] = positions[at + 2];
    }
    outNormals.fill(0);
    const normals = triangleNormals(this.triangles, positions);
    for (let corner = 0; corner < index.length; ++corner) {
      const t = corner - (corner % 3), at = 3 * index[corner];
      outNormals[at] += normals[t];
      outNormals[at + 1] += normals[t + 1];
      outNormals[at + 2] += normals[t + 2];
    }
    for (let i = 0; i < outNormals.length; i += 3) {
      const size = Math.hypot(outNormals[i], outNormals[i + 1], outNormals[i + 2]) || 1;
      outNormals[i] /= size;
      outNormals[i + 1] /= size;
      outNormals[i + 2] /= size;
    }
  }
}
