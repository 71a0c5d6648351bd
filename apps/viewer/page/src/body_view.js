// What one view shows: bodies, springs, wires, pins and marks of one simulation, with its own light.

import * as THREE from "three";
import { Lighting } from "./lighting.js";
import { BODIES, linear, VIRIDIS } from "./palette.js";
import * as shaders from "./shaders.js";

const COLOURINGS = { none: 0, region: 2 };

function shaderMaterial({ vertex, fragment }, uniforms, options = {}) {
  return new THREE.ShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader: vertex, fragmentShader: fragment, uniforms, ...options });
}

export function litMaterial(shader, lighting, uniforms, withSky, options = {}) {
  return shaderMaterial(shader, { ...lighting.uniforms, ...uniforms }, { defines: withSky ? { SKY_MAPS: 1 } : {}, ...options });
}

const depthMaterial = (side) => shaderMaterial(shaders.depth, {}, { side, colorWrite: false });
const bodyDepth = depthMaterial(THREE.DoubleSide), obstacleDepth = depthMaterial(THREE.FrontSide);

function attribute(size, count) {
  const made = new THREE.BufferAttribute(new Float32Array(size * count), size);
  made.setUsage(THREE.DynamicDrawUsage);
  return made;
}

function markMaterial(fill, ring, size) {
  return shaderMaterial(shaders.mark, {
    fill: { value: new THREE.Color(...fill) }, ring: { value: new THREE.Color(...ring) }, size: { value: size },
  }, { transparent: true });
}

/** A list of drawn vertices that are marked. */
class Marks {
  constructor(fill, ring, size) {
    this.points = new THREE.Points(new THREE.BufferGeometry(), markMaterial(fill, ring, size));
    this.points.frustumCulled = false;
    this.size = size;
    this.choose([]);
  }
  choose(vertices) {
    this.vertices = vertices;
    this.points.geometry.dispose();
    this.points.geometry = new THREE.BufferGeometry();
    this.points.geometry.setAttribute("position", attribute(3, vertices.length));
    this.points.visible = vertices.length > 0;
  }
  move(positions, pixelRatio) {
    const at = this.points.geometry.attributes.position;
    this.vertices.forEach((v, i) => at.setXYZ(i, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]));
    at.needsUpdate = true;
    this.points.material.uniforms.size.value = this.size * pixelRatio;
  }
}

export class BodyView {
  constructor(withSky) {
    this.lighting = new Lighting(withSky);
    this.scene = new THREE.Scene();
    this.casters = new THREE.Scene(); // the same geometry, drawn as depth only
    this.colours = {
      viridis: { value: VIRIDIS.map(([r, g, b]) => new THREE.Vector3(r / 255, g / 255, b / 255)) },
      labels: { value: BODIES.map((c) => new THREE.Vector3(...linear(c))) },
      colouring: { value: 0 }, range: { value: new THREE.Vector2(0, 1) },
    };
    this.material = litMaterial(shaders.body, this.lighting, this.colours, withSky, { side: THREE.DoubleSide });
    // Obstacles face the side where bodies are. Culled back faces leave the bodies in a bowl or a room visible and lit.
    this.obstacleMaterial = litMaterial(shaders.body, this.lighting, this.colours, withSky, { side: THREE.FrontSide });
    this.wireMaterial = shaderMaterial(shaders.line, { tint: { value: new THREE.Vector4(0.02, 0.03, 0.05, 1) }, opacity: { value: 0.5 } },
      { transparent: true });
    this.springMaterial = shaderMaterial(shaders.line, { tint: { value: new THREE.Vector4(0, 0, 0, 0.1) }, opacity: { value: 1 } });
    this.pins = new Marks([0.16, 0.2, 0.28], [1, 1, 1], 8);
    this.findings = new Marks([0.92, 0.3, 0.16], [1, 1, 1], 11);
    this.parts = new THREE.Group();
    this.scene.add(this.parts, this.pins.points, this.findings.points);
    this.shadows = new THREE.Group();
    this.casters.add(this.shadows);
    this.centre = new THREE.Vector3();
    this.radius = 1;
  }

  /** @param {import("./surface.js").Surface} surface */
  setMesh(mesh, surface, obstacles, wireframe) {
    this.clear();
    this.mesh = mesh;
    this.surface = surface;
    const count = surface.source.length, geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", attribute(3, count));
    geometry.setAttribute("normal", attribute(3, count));
    geometry.setAttribute("value", attribute(1, count));
    geometry.setAttribute("colour", new THREE.BufferAttribute(new Float32Array(surface.body.flatMap((b) => linear(BODIES[b % BODIES.length]))), 3));
    geometry.setAttribute("sided", new THREE.BufferAttribute(Float32Array.from(surface.body, (b) => (surface.open.has(b) ? 0 : 1)), 1));
    geometry.setIndex(new THREE.BufferAttribute(surface.index, 1));
    this.geometry = geometry;
    this.addPart(new THREE.Mesh(geometry, this.material), bodyDepth);

    const wires = new THREE.BufferGeometry();
    wires.setAttribute("position", geometry.attributes.position);
    wires.setAttribute("colour", geometry.attributes.colour);
    wires.setIndex(new THREE.BufferAttribute(surface.edges, 1));
    this.wires = this.addPart(new THREE.LineSegments(wires, this.wireMaterial));
    this.wires.visible = wireframe;

    this.springs = null;
    if (mesh.edges.length) {
      this.springs = new THREE.BufferGeometry();
      this.springs.setAttribute("position", attribute(3, mesh.vertex.length));
      this.springs.setAttribute("colour", new THREE.BufferAttribute(
        new Float32Array(Array.from({ length: mesh.vertex.length }, () => linear(BODIES[0])).flat()), 3));
      this.springs.setIndex(new THREE.BufferAttribute(mesh.edges, 1));
      this.addPart(new THREE.LineSegments(this.springs, this.springMaterial), bodyDepth);
    }
    for (const obstacle of obstacles) this.addPart(new THREE.Mesh(obstacle, this.obstacleMaterial), obstacleDepth);
  }

  /** @param {THREE.Material} [depth] what it is drawn with in shadow maps; nothing: it casts no shadow */
  addPart(object, depth) {
    object.frustumCulled = false;
    this.parts.add(object);
    if (depth) {
      const shadow = object.isMesh ? new THREE.Mesh(object.geometry, depth) : new THREE.LineSegments(object.geometry, depth);
      shadow.frustumCulled = false;
      this.shadows.add(shadow);
    }
    return object;
  }

  clear() {
    this.parts.clear();
    this.shadows.clear();
    this.geometry?.dispose();
    this.wires?.geometry.dispose();
    this.springs?.dispose();
    this.geometry = null;
  }

  /** @param {import("./protocol.js").Frame} frame */
  setFrame(frame, pixelRatio) {
    if (!this.geometry) return;
    const { position, normal, value } = this.geometry.attributes;
    this.surface.shade(frame.positions, position.array, normal.array);
    position.needsUpdate = normal.needsUpdate = true;
    if (frame.values) {
      this.surface.source.forEach((v, i) => (value.array[i] = frame.values[v]));
      value.needsUpdate = true;
    }
    if (this.springs) {
      this.springs.attributes.position.array.set(frame.positions);
      this.springs.attributes.position.needsUpdate = true;
    }
    this.pins.move(frame.positions, pixelRatio);
    this.findings.move(frame.positions, pixelRatio);
    this.hasValues = Boolean(frame.values);
    this.bound(frame.positions);
    this.lighting.touch();
  }

  setColouring(colour) {
    const by = colour && this.hasValues ? colour.by : "none";
    this.colours.colouring.value = COLOURINGS[by] ?? 1;
    if (colour) this.colours.range.value.set(colour.low ?? 0, colour.high ?? 1);
  }

  /** A ball about what casts shadows. */
  bound(positions) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; ++i) {
      const k = i % 3, x = positions[i];
      if (x < low[k]) low[k] = x;
      if (x > high[k]) high[k] = x;
    }
    if (!(high[0] >= low[0])) return;
    this.centre.set((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
    this.radius = Math.max(1e-6, Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2) * 1.02;
  }

  dispose() {
    this.clear();
    this.lighting.dispose();
    this.material.dispose();
    this.obstacleMaterial.dispose();
  }
}
