// The binary messages of apps/viewer/protocol.md and the JSON forms of edits. Little-endian, as every browser's typed arrays are.

const HEADER = 32;
const MESH = 1, FRAME = 2;

/**
 * @typedef {object} DrawnMesh
 * @property {"mesh"} kind
 * @property {number} serial
 * @property {Uint32Array} vertex     model vertex of each drawn one
 * @property {Uint32Array} triangles  three drawn vertices each
 * @property {Uint32Array} edges      two drawn vertices each
 * @property {Uint32Array} body       of each triangle
 * @property {?Uint32Array} corners   four model vertices of each drawn one that is embedded
 * @property {?Float32Array} weights  of these corners
 */

/**
 * @typedef {object} Frame
 * @property {"frame"} kind
 * @property {number} view
 * @property {number} serial   of the mesh it is for
 * @property {number} edits    applied so far
 * @property {number} step
 * @property {number} time     [s]
 * @property {Float32Array} positions
 * @property {?Float32Array} values  to be shown as colours
 */

class Reader {
  constructor(buffer) {
    this.buffer = buffer;
    this.at = HEADER;
  }
  take(Type, count) {
    const array = new Type(this.buffer, this.at, count);
    this.at += array.byteLength;
    return array;
  }
}

/** @param {ArrayBuffer} buffer @returns {DrawnMesh | Frame | null} null: of a kind that this page does not know */
export function decode(buffer) {
  const head = new DataView(buffer);
  const kind = head.getUint8(0), serial = head.getUint32(4, true), n = head.getUint32(8, true);
  const reader = new Reader(buffer);
  if (kind === MESH) {
    const m = head.getUint32(12, true), e = head.getUint32(16, true), weighted = head.getUint8(2) !== 0;
    return {
      kind: "mesh", serial,
      vertex: reader.take(Uint32Array, n),
      triangles: reader.take(Uint32Array, 3 * m),
      edges: reader.take(Uint32Array, 2 * e),
      body: reader.take(Uint32Array, m),
      corners: weighted ? reader.take(Uint32Array, 4 * n) : null,
      weights: weighted ? reader.take(Float32Array, 4 * n) : null,
    };
  }
  if (kind === FRAME) {
    return {
      kind: "frame", serial,
      view: head.getUint8(1),
      edits: head.getUint32(12, true),
      step: head.getUint32(16, true),
      time: head.getFloat64(24, true),
      positions: reader.take(Float32Array, 3 * n),
      values: head.getUint8(2) !== 0 ? reader.take(Float32Array, n) : null,
    };
  }
  return null;
}

/** Edits in their JSON form (docs/reference/edits.md). */
export const edits = {
  set: (path, value) => ({ edit: "set", path, value }),
  drag: (name, target, stiffness, held) => ({ edit: "drag", name, target, stiffness, ...held }),
  release: (name) => ({ edit: "release", name }),
  pin: (vertices) => ({ edit: "pin", vertices }),
  unpin: (vertices) => ({ edit: "unpin", vertices }),
  reset: () => ({ edit: "reset" }),
  flatten: (axis) => ({ edit: "flatten", axis }),
  randomise: (seed) => ({ edit: "randomise", seed }),
  kick: (velocity) => ({ edit: "kick", velocity }),
};
