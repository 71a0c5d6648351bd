// The canvas: draws the last frame of every view, side by side with one camera, when something changed.

import * as THREE from "three";
import { BodyView, litMaterial } from "./body_view.js";
import { OrbitCamera } from "./camera.js";
import { Handle } from "./handle.js";
import { linear, THEMES } from "./palette.js";
import * as shaders from "./shaders.js";
import { Surface } from "./surface.js";

const OBSTACLE = [0.36, 0.35, 0.34];
const SLOW_FRAMES = 12, SLOW = 70; // so many draws of more than so many ms: the sky's light is given up

/** Is there no graphics card? */
function drawsInSoftware() {
  const context = document.createElement("canvas").getContext("webgl2"), names = context?.getExtension("WEBGL_debug_renderer_info");
  const renderer = names ? context.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(renderer);
}

/** Lines of the ground: 1, 2 or 5 times a power of ten. */
function gridSpacing(radius) {
  const wanted = radius / 2.5, power = 10 ** Math.floor(Math.log10(wanted)), digit = wanted / power;
  return power * (digit < 2 ? 1 : digit < 5 ? 2 : 5);
}

function obstacleGeometry({ vertices, triangles }) {
  const mesh = { triangles: Uint32Array.from(triangles), body: new Uint32Array(triangles.length / 3) };
  const surface = new Surface(mesh, vertices), count = surface.source.length;
  const positions = new Float32Array(3 * count), normals = new Float32Array(3 * count);
  surface.shade(vertices, positions, normals);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  geometry.setAttribute("value", new THREE.BufferAttribute(new Float32Array(count), 1));
  geometry.setAttribute("colour", new THREE.BufferAttribute(new Float32Array(Array.from({ length: count }, () => OBSTACLE).flat()), 3));
  geometry.setAttribute("sided", new THREE.BufferAttribute(new Float32Array(count).fill(1), 1));
  geometry.setIndex(new THREE.BufferAttribute(surface.index, 1));
  geometry.surface = surface; // by which it is shaded anew when it moves
  return geometry;
}

export class SceneView {
  /** @param {import("./store.js").Store} store */
  constructor(store, { quality = "auto" } = {}) {
    this.store = store;
    this.quality = quality;
    this.slow = 0;
    this.restUntil = 0;
    const modest = quality === "plain" || (quality === "auto" && drawsInSoftware());
    this.sky = !modest && quality !== "smooth"; // "smooth": fine edges, and the sky's light when a script asks for it
    this.renderer = new THREE.WebGLRenderer({ antialias: !modest, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // the shaders write sRGB themselves
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    this.canvas.className = "canvas";
    this.camera = new OrbitCamera();
    this.views = [];
    this.obstacles = [];
    this.wireframe = false;
    this.dirty = true;
    this.drawn = 0; // pictures
    this.fitted = null; // name of the scene that the camera was fitted to
    this.extent = { centre: new THREE.Vector3(), radius: 1 };
    this.handle = new Handle();
    this.makeBackground();
    this.setTheme("light");
    store.on("mesh", () => this.takeMesh());
    store.on("frame", (frame) => this.takeFrame(frame));
    store.on("scene", () => this.takeScene());
    store.on("status", (status) => this.takeStatus(status));
    const loop = () => {
      requestAnimationFrame(loop);
      const now = performance.now();
      if (this.began) this.watchSpeed(now - this.began);
      this.began = 0;
      if (!this.dirty || now < this.restUntil) return;
      this.began = now;
      this.draw();
    };
    requestAnimationFrame(loop);
  }

  markDirty() {
    this.dirty = true;
  }

  makeBackground() {
    const triangle = new THREE.BufferGeometry();
    triangle.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.backdrop = { top: { value: new THREE.Vector3() }, bottom: { value: new THREE.Vector3() } };
    const material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: shaders.background.vertex, fragmentShader: shaders.background.fragment,
      uniforms: this.backdrop, depthTest: false, depthWrite: false,
    });
    const mesh = new THREE.Mesh(triangle, material);
    mesh.frustumCulled = false;
    this.background = new THREE.Scene();
    this.background.add(mesh);
    this.floor = {
      floorColour: { value: new THREE.Vector3() }, along: { value: new THREE.Vector3(1, 0, 0) }, across: { value: new THREE.Vector3(0, 0, 1) },
      centre: { value: new THREE.Vector3() }, gridOrigin: { value: new THREE.Vector3() }, radius: { value: 1 }, grid: { value: 1 }, ink: { value: 0 },
    };
  }

  setTheme(name) {
    const theme = THEMES[name];
    this.backdrop.top.value.set(...linear(theme.top));
    this.backdrop.bottom.value.set(...linear(theme.bottom));
    this.floor.floorColour.value.set(...linear(theme.floor));
    this.floor.ink.value = theme.ink;
    this.markDirty();
  }

  setWireframe(on) {
    this.wireframe = on;
    for (const view of this.views) if (view.wires) view.wires.visible = on;
    this.markDirty();
  }

  // ---- what is shown ---------------------------------------------------------------------------------------------

  takeScene() {
    const { store } = this;
    for (const geometry of this.obstacles) geometry.dispose();
    this.drawnObstacles = (store.scene.obstacles ?? []).map((o, number) => ({ ...o, number })).filter((o) => o.triangles?.length);
    this.obstacles = this.drawnObstacles.map(obstacleGeometry);
    this.camera.setUp(store.up);
    for (const view of this.views) view.lighting.setUp(this.camera.up);
    while (this.views.length > store.views) this.views.pop().dispose();
    if (store.mesh) this.rebuild();
  }

  /** Obstacles that move. */
  takeStatus({ obstacles }) {
    for (const { obstacle, vertices } of obstacles ?? []) {
      const geometry = this.obstacles[this.drawnObstacles.findIndex((o) => o.number === obstacle)];
      if (!geometry) continue;
      geometry.surface.shade(vertices, geometry.attributes.position.array, geometry.attributes.normal.array);
      geometry.attributes.position.needsUpdate = geometry.attributes.normal.needsUpdate = true;
      geometry.boundingSphere = null;
      for (const view of this.views) view.lighting.touch();
    }
    this.markDirty();
  }

  takeMesh() {
    this.surface = null;
    if (this.another) this.fitted = null;
    this.another = false;
  }

  takeFrame(frame) {
    if (!this.surface) {
      this.surface = new Surface(this.store.mesh, frame.positions);
      this.rebuild();
    }
    const view = this.view(frame.view);
    if (!view.shown) this.placeFrame(view, frame);
    if (this.fitted !== this.store.scene?.name) this.fit(true);
    this.markDirty();
  }

  /** Frames come faster than pictures: normals are made for those that are drawn. */
  placeFrame(view, frame) {
    if (!frame || view.shown === frame) return;
    view.setFrame(frame, this.renderer.getPixelRatio());
    view.shown = frame;
  }

  view(i) {
    while (this.views.length <= i) {
      const view = new BodyView(this.sky);
      view.lighting.setUp(this.camera.up);
      view.floor = litMaterialFloor(view, this.floor, this.sky);
      view.scene.add(view.floor);
      this.views.push(view);
      if (this.surface) view.setMesh(this.store.mesh, this.surface, this.obstacles, this.wireframe);
      this.markPins(view);
    }
    return this.views[i];
  }

  rebuild() {
    if (!this.surface) return;
    for (let i = 0; i < this.store.views; ++i) this.view(i);
    this.views.forEach((view, i) => {
      view.setMesh(this.store.mesh, this.surface, this.obstacles, this.wireframe);
      this.markPins(view);
      view.shown = null;
      this.placeFrame(view, this.store.frames[i]);
    });
    this.markDirty();
  }

  markPins(view) {
    const { mesh, pins } = this.store;
    if (mesh && view.geometry) view.pins.choose([...mesh.vertex.keys()].filter((i) => pins.has(mesh.vertex[i])));
  }

  /** @param {number[]} vertices  of the model */
  markFindings(vertices) {
    const wanted = new Set(vertices), { mesh, frames } = this.store;
    this.views.forEach((view, i) => {
      view.findings.choose(mesh ? [...mesh.vertex.keys()].filter((v) => wanted.has(mesh.vertex[v])) : []);
      if (frames[i]) view.findings.move(frames[i].positions, this.renderer.getPixelRatio());
    });
    this.markDirty();
  }

  /** Points that the camera should see. */
  shownPoints() {
    const points = this.store.frames[0] ? Array.from(this.store.frames[0].positions) : [];
    for (const geometry of this.obstacles) points.push(...geometry.attributes.position.array);
    const { scene } = this.store;
    if (scene?.ground !== null && scene?.ground !== undefined && this.views[0]) {
      // What falls on the ground should stay in the picture: the corners below the bodies.
      const { centre, radius } = this.views[0], { up, side, front } = this.camera, reach = 0.5 * radius;
      const foot = centre.clone().addScaledVector(up, scene.ground - centre.dot(up));
      for (const [a, b] of [[-1, -1], [-1, 1], [1, -1], [1, 1]])
        points.push(...foot.clone().addScaledVector(side, a * reach).addScaledVector(front, b * reach));
    }
    return points;
  }

  fit(turn = false) {
    const points = this.shownPoints();
    if (!points.length) return;
    this.fitted = this.store.scene?.name ?? null;
    this.layout();
    if (turn) this.camera.face(points);
    this.camera.fit(points);
    const box = new THREE.Box3().setFromArray(points);
    box.getCenter(this.extent.centre);
    this.extent.radius = Math.max(1e-6, box.getSize(new THREE.Vector3()).length() / 2);
    this.markDirty();
  }

  // ---- drawing -----------------------------------------------------------------------------------------------------

  /** Columns and rows of views on the canvas. */
  arrangement() {
    const count = this.store.views, { clientWidth: w, clientHeight: h } = this.canvas.parentElement ?? this.canvas;
    const columns = count === 4 ? 2 : w >= h ? Math.min(count, 3) : Math.ceil(count / 3);
    return { columns, rows: Math.ceil(count / columns) };
  }

  /** Places of the views, in pixels of the page. */
  rectangles() {
    const { columns, rows } = this.arrangement(), { clientWidth: w, clientHeight: h } = this.canvas;
    return Array.from({ length: this.store.views }, (_, i) => ({
      x: ((i % columns) * w) / columns, y: (Math.floor(i / columns) * h) / rows, width: w / columns, height: h / rows,
    }));
  }

  layout() {
    const box = this.canvas.parentElement;
    if (!box) return;
    const { clientWidth: w, clientHeight: h } = box, ratio = Math.min(window.devicePixelRatio || 1, 2);
    if (this.canvas.clientWidth !== w || this.canvas.clientHeight !== h || this.renderer.getPixelRatio() !== ratio || !this.sized) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(w, h);
      this.sized = true;
    }
    const { columns, rows } = this.arrangement();
    this.camera.setAspect((w / columns) / Math.max(1, h / rows));
  }

  towardsSun() {
    const back = this.camera.towards(), { up } = this.camera;
    const level = back.clone().addScaledVector(up, -back.dot(up)).normalize();
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.camera.matrixWorld, 0);
    return new THREE.Vector3().addScaledVector(up, 1.15).addScaledVector(right, -0.62).addScaledVector(level, 0.45).normalize();
  }

  placeFloor(view) {
    const { ground } = this.store.scene ?? {}, { up, target } = this.camera;
    view.floor.visible = ground !== null && ground !== undefined;
    if (!view.floor.visible) return;
    const { floor } = this, size = this.extent.radius;
    const centre = target.clone().addScaledVector(up, ground - target.dot(up));
    floor.centre.value.copy(centre);
    floor.gridOrigin.value.copy(up).multiplyScalar(ground);
    floor.along.value.copy(this.camera.side);
    floor.across.value.copy(this.camera.front);
    floor.radius.value = Math.max(size, 0.45 * this.camera.distance);
    floor.grid.value = gridSpacing(size);
    view.floor.position.copy(centre);
    view.floor.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
    view.floor.scale.setScalar(9 * floor.radius.value);
  }

  draw() {
    this.dirty = false;
    if (!this.canvas.parentElement?.clientWidth) return;
    const { renderer, camera } = this;
    this.layout();
    const rectangles = this.rectangles(), sun = this.towardsSun(), { status } = this.store;
    renderer.setScissorTest(false);
    renderer.setRenderTarget(null);
    renderer.clear();
    rectangles.forEach((at, i) => {
      const view = this.view(i);
      this.placeFrame(view, this.store.frames[i]);
      view.setColouring(status?.colour);
      this.placeFloor(view);
      this.handle.attach(view.scene, i);
      view.lighting.render(renderer, view.casters, sun, view.centre, this.lightRadius(view), this.sky);
      const bottom = this.canvas.clientHeight - at.y - at.height;
      renderer.setViewport(at.x, bottom, at.width, at.height);
      renderer.setScissor(at.x, bottom, at.width, at.height);
      renderer.setScissorTest(true);
      renderer.render(this.background, camera.camera);
      renderer.render(view.scene, camera.camera);
      renderer.setScissorTest(false);
      if (this.sky && view.lighting.stale > 0) this.dirty = true;
    });
    this.drawn += 1;
    this.afterDraw?.(this.canvas);
  }

  lightRadius(view) {
    let radius = view.radius;
    for (const geometry of this.obstacles) {
      if (!geometry.boundingSphere) geometry.computeBoundingSphere();
      const { center, radius: own } = geometry.boundingSphere;
      radius = Math.max(radius, Math.min(center.distanceTo(view.centre) + own, 4 * view.radius));
    }
    return radius;
  }

  /** From one draw to the next chance for one: what is too slow is drawn without the sky's maps. */
  watchSpeed(milliseconds) {
    // A processor that draws by itself has other work, the simulation among it: it gets half of the time.
    this.restUntil = milliseconds > SLOW ? performance.now() + milliseconds : 0;
    if (this.quality !== "auto" || !this.sky) return;
    this.slow = milliseconds > SLOW ? this.slow + 1 : Math.max(0, this.slow - 1);
    if (this.slow >= SLOW_FRAMES) this.setSky(false);
  }

  /** Light of the sky by its maps, or plain. */
  setSky(on) {
    this.sky = on;
    for (const view of this.views.splice(0)) view.dispose();
    this.rebuild();
  }

  // ---- from the screen to the world ------------------------------------------------------------------------------

  /** The view under a point of the page and a ray through it. */
  rayAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect(), x = clientX - box.left, y = clientY - box.top;
    const rectangles = this.rectangles();
    const view = Math.max(0, rectangles.findIndex((r) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height));
    const r = rectangles[view];
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2((2 * (x - r.x)) / r.width - 1, 1 - (2 * (y - r.y)) / r.height), this.camera.camera);
    return { view, ray: caster.ray, rectangle: r };
  }

  /** Pixel of the page at which a point of the world is drawn. */
  project(position, view = 0) {
    const r = this.rectangles()[view], box = this.canvas.getBoundingClientRect();
    const p = new THREE.Vector3(...position).project(this.camera.camera);
    return [box.left + r.x + ((p.x + 1) / 2) * r.width, box.top + r.y + ((1 - p.y) / 2) * r.height];
  }

  /** A picture of what is shown. */
  toBlob(type = "image/png") {
    this.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, type));
  }
}

function litMaterialFloor(view, uniforms, sky) {
  const material = litMaterial(shaders.ground, view.lighting, uniforms, sky, { transparent: true, depthWrite: false, side: THREE.DoubleSide });
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), material);
  floor.renderOrder = -1;
  floor.frustumCulled = false;
  return floor;
}
