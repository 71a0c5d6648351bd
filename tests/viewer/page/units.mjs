// Parts of the page that need no browser. `node --test` runs them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Parameters, sliderRange } from "../../../apps/viewer/page/src/parameters.js";
import { shown, valueAt } from "../../../apps/viewer/page/src/paths.js";
import { patchAt } from "../../../apps/viewer/page/src/patch.js";
import { modelWeights, pick, pickVertex } from "../../../apps/viewer/page/src/picking.js";
import { decode } from "../../../apps/viewer/page/src/protocol.js";
import { Surface } from "../../../apps/viewer/page/src/surface.js";

const ray = (origin, direction) => ({ origin: { x: origin[0], y: origin[1], z: origin[2] }, direction: { x: direction[0], y: direction[1], z: direction[2] } });

test("a frame is decoded", () => {
  const buffer = new ArrayBuffer(32 + 24 + 8), view = new DataView(buffer);
  view.setUint8(0, 2), view.setUint8(1, 3), view.setUint8(2, 1);
  view.setUint32(4, 7, true), view.setUint32(8, 2, true), view.setUint32(12, 5, true), view.setUint32(16, 99, true), view.setFloat64(24, 1.5, true);
  [1, 2, 3, 4, 5, 6, 0.25, 0.5].forEach((x, i) => view.setFloat32(32 + 4 * i, x, true));
  const frame = decode(buffer);
  assert.deepEqual([frame.kind, frame.view, frame.serial, frame.edits, frame.step, frame.time], ["frame", 3, 7, 5, 99, 1.5]);
  assert.deepEqual([...frame.positions, ...frame.values], [1, 2, 3, 4, 5, 6, 0.25, 0.5]);
});

test("a mesh with weights is decoded", () => {
  const buffer = new ArrayBuffer(32 + 4 * (3 + 3 + 2 + 1 + 12 + 12)), view = new DataView(buffer);
  view.setUint8(0, 1), view.setUint8(2, 1);
  [7, 3, 1, 1].forEach((x, i) => view.setUint32(4 + 4 * i, x, true));
  [...[10, 11, 12], ...[0, 1, 2], ...[1, 2], 4].forEach((x, i) => view.setUint32(32 + 4 * i, x, true));
  for (let i = 0; i < 12; ++i) view.setUint32(32 + 4 * (9 + i), 20 + i, true), view.setFloat32(32 + 4 * (21 + i), i / 4, true);
  const mesh = decode(buffer);
  assert.deepEqual([...mesh.vertex, ...mesh.triangles, ...mesh.edges, ...mesh.body], [10, 11, 12, 0, 1, 2, 1, 2, 4]);
  assert.deepEqual([mesh.corners[11], mesh.weights[11]], [31, 2.75]);
});

test("an unknown message is nothing", () => assert.equal(decode(new ArrayBuffer(32)), null));

test("the nearest triangle is picked", () => {
  const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1, 1, 0, -1, 0, 1, -1]);
  const hit = pick(ray([0.25, 0.5, 5], [0, 0, -1]), [3, 4, 5, 0, 1, 2], positions);
  assert.equal(hit.triangle, 1);
  assert.equal(hit.distance, 5);
  assert.deepEqual(hit.weights, [0.25, 0.25, 0.5]);
  assert.equal(pick(ray([2, 2, 5], [0, 0, -1]), [0, 1, 2], positions), null);
});

test("the vertex nearest to a ray is picked", () => {
  const positions = new Float32Array([0, 0, 0, 1, 0, 0]);
  assert.equal(pickVertex(ray([0.98, 0, 5], [0, 0, -1]), positions, 0.01).vertex, 1);
  assert.equal(pickVertex(ray([0.5, 0, 5], [0, 0, -1]), positions, 0.01), null);
});

test("weights of an embedded point add up, none negative", () => {
  const mesh = { vertex: [5, 6], corners: [5, 6, 7, 8, 6, 7, 8, 9], weights: [0.5, 0.5, 0, 0, 0.5, 0.25, 0.5, -0.25] };
  const { vertices, weights } = modelWeights(mesh, [0, 1], [0.5, 0.5]);
  assert.deepEqual([...vertices].sort(), [5, 6, 7, 8]);
  assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 1) < 1e-12 && weights.every((w) => w > 0));
  assert.deepEqual(modelWeights({ vertex: [5, 6] }, [0, 1], [0.25, 0.75]), { vertices: [5, 6], weights: [0.25, 0.75] });
});

const CUBE = {
  positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1],
  triangles: [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7],
};

test("a cube has creases and is closed", () => {
  const surface = new Surface({ triangles: CUBE.triangles, body: new Uint32Array(12) }, CUBE.positions);
  assert.equal(surface.source.length, 24, "three normals at each of eight corners");
  assert.equal(surface.edges.length, 2 * 18);
  assert.equal(surface.open.size, 0);
  const positions = new Float32Array(72), normals = new Float32Array(72);
  surface.shade(CUBE.positions, positions, normals);
  for (let i = 0; i < 72; i += 3) assert.equal(Math.abs(normals[i]) + Math.abs(normals[i + 1]) + Math.abs(normals[i + 2]), 1);
  assert.deepEqual([...new Surface({ triangles: CUBE.triangles.slice(6), body: new Uint32Array(10) }, CUBE.positions).open], [0]);
});

test("a flat sheet is smooth", () => {
  const surface = new Surface({ triangles: [0, 1, 2, 0, 2, 3], body: [0, 0] }, CUBE.positions);
  assert.equal(surface.source.length, 4);
});

/** Two sheets of n x n squares of side 1/n, one above the other at a small distance, and no triangle between them. */
function sheets(n) {
  const positions = [], triangles = [];
  for (const height of [0, 0.01]) {
    const first = positions.length / 3, at = (i, j) => first + i * (n + 1) + j;
    for (let i = 0; i <= n; ++i) for (let j = 0; j <= n; ++j) positions.push(i / n, height, j / n);
    for (let i = 0; i < n; ++i) for (let j = 0; j < n; ++j) triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
  }
  return { positions, mesh: { vertex: Uint32Array.from(positions.keys()).slice(0, positions.length / 3), triangles, edges: [], corners: null } };
}

test("a hand holds a patch, less towards its rim", () => {
  const { positions, mesh } = sheets(40), centre = 20 * 41 + 20, hit = { drawn: [centre, centre + 41, centre + 42], weights: [1, 0, 0] };
  const all = patchAt(mesh, positions, hit, 0.99, 1000), away = (v) => Math.hypot(positions[3 * v] - 0.5, positions[3 * v + 2] - 0.5);
  assert.equal(all.drawn.length, 45, "vertices within four squares");
  assert.ok(all.drawn.every((v) => v < 41 * 41), "the sheet above is let be");
  assert.ok(Math.abs(all.weights.reduce((a, b) => a + b) - 1) < 1e-12);
  assert.ok(all.drawn.every((v, i) => all.drawn.every((u, j) => away(v) <= away(u) + 1e-9 || all.weights[i] <= all.weights[j])));
  assert.ok(Math.hypot(all.middle[0] - 0.5, all.middle[1], all.middle[2] - 0.5) < 1e-9);
  const few = patchAt(mesh, positions, hit, 1, 8);
  assert.equal(few.drawn.length, 8);
  assert.deepEqual(few.drawn.slice(0, 3), hit.drawn);
  assert.ok(Math.abs(few.weights.reduce((a, b) => a + b) - 1) < 1e-12 && few.weights.every((w) => w >= 0));
});

test("of a coarse mesh it holds the picked triangle", () => {
  const { positions, mesh } = sheets(2), held = patchAt(mesh, positions, { drawn: [0, 3, 4], weights: [0.2, 0.3, 0.5] }, 1);
  assert.deepEqual(held, { drawn: [0, 3, 4], weights: [0.2, 0.3, 0.5], middle: [0.4, 0, 0.25] });
});

test("values by path", () => {
  const scene = { bodies: [{ material: { young: 5 } }] };
  assert.equal(valueAt(scene, "bodies[0].material.young"), 5);
  assert.equal(valueAt(scene, "bodies[1].material.young"), undefined);
  assert.deepEqual([shown(0), shown(60000), shown(2e6), shown(0.0166666), shown(1.5e-5)], ["0", "60000", "2e6", "0.01667", "1.5e-5"]);
});

test("sliders have the range of the parameter, or decades about its value", () => {
  assert.deepEqual(sliderRange({ low: 0, high: 1, value: 0, type: "number" }), { low: 0, high: 1, log: false });
  assert.deepEqual(sliderRange({ low: 0, high: null, value: 1e5, type: "number" }), { low: 1e3, high: 1e7, log: true });
  const poisson = sliderRange({ low: -1, high: 0.5, low_open: true, high_open: true, value: 0.4, type: "number" });
  assert.ok(poisson.low > -1 && poisson.high < 0.5);
  const iterations = sliderRange({ low: 1, high: 1e6, value: 300, type: "integer" });
  assert.ok(iterations.low >= 1 && iterations.high === 30000 && iterations.log);
});

test("parameters of a scene come from the registry", () => {
  const registry = { material: [{ name: "neo_hookean", doc: "", params: [{ name: "young", type: "number", default: 1e5, unit: "Pa", low: 0, high: null }] }] };
  const parameters = new Parameters(registry, { gravity: [0, 0, -4], bodies: [{ material: { type: "neo_hookean", young: 7 } }, { damping: [{ type: "drag" }] }] }, [0, 0, 1]);
  const [young] = parameters.of("material", "bodies[0].material", "neo_hookean").common;
  assert.deepEqual([young.path, young.value, young.unit], ["bodies[0].material.young", 7, "Pa"]);
  assert.equal(parameters.gravity(), 4);
  assert.deepEqual(parameters.dampings(1), ["bodies[1].damping[0]"]);
});
