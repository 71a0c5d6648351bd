// Pointers on the canvas: one on a body drags a patch of it by a soft handle, one beside it turns the camera, two turn and zoom; a double click
// pins. Mouse, pen and touch alike.

import * as THREE from "three";
import { bodySize } from "./body_size.js";
import { patchAt } from "./patch.js";
import { modelWeights, pick, pickVertex } from "./picking.js";
import { edits } from "./protocol.js";

const MOVED = 4; // pixels after which a press is no click
const HELD = 160; // ms after which a press holds the body
const DOUBLE = 400; // ms between the clicks of a double one
const GRAVITY = 9.81, PULL = 20; // default stiffness: 20 times the weight over the size
const UNDER_WAY = 2; // drags that wait for their reply

export class Pointer {
  /**
   * @param {import("./store.js").Store} store
   * @param {import("./scene_view.js").SceneView} view
   * @param {function(object): Promise<{ok: boolean}>} edit
   */
  constructor(store, view, edit) {
    this.store = store;
    this.view = view;
    this.edit = edit;
    this.strength = 1; // times the default stiffness
    this.down = new Map(); // pointer id -> where it is
    this.grip = null; // what is held
    this.press = null; // a press that is neither drag nor orbit yet
    this.lastClick = { time: -Infinity, x: 0, y: 0 };
    const { canvas } = view;
    canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.onUp(event));
    canvas.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    store.on("mesh", () => this.drop());
    store.on("state", () => this.drop());
  }

  /** What lies under a point of the page. */
  hit(x, y) {
    const { store } = this, { view, ray } = this.view.rayAt(x, y), frame = store.frames[view];
    if (!frame || !store.mesh) return null;
    const found = pick(ray, store.mesh.triangles, frame.positions);
    if (found) {
      const drawn = [...store.mesh.triangles.subarray(3 * found.triangle, 3 * found.triangle + 3)];
      return { view, drawn, weights: found.weights, body: store.mesh.body[found.triangle], ray, distance: found.distance };
    }
    const near = store.mesh.edges.length ? pickVertex(ray, frame.positions, 0.012) : null;
    return near && { view, drawn: [near.vertex], weights: [1], body: 0, ray, distance: near.distance };
  }

  onDown(event) {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    try {
      this.view.canvas.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is gone already
    }
    this.down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.down.size > 1) return this.drop();
    const orbits = event.button !== 0 || event.ctrlKey || event.shiftKey || !this.mayDrag();
    const hit = orbits ? null : this.hit(event.clientX, event.clientY);
    this.press = { x: event.clientX, y: event.clientY, hit, button: event.button, pans: event.button !== 0 || event.shiftKey };
    if (hit) {
      const nearest = hit.weights.indexOf(Math.max(...hit.weights));
      this.picked = this.store.mesh.vertex[hit.drawn[nearest]];
      this.pickedDrawn = hit.drawn[nearest];
      this.press.timer = setTimeout(() => this.hold(), HELD);
    }
  }

  mayDrag() {
    return this.store.control && this.store.scene?.mode !== "playback";
  }

  onMove(event) {
    const last = this.down.get(event.pointerId);
    if (!last) {
      const over = event.pointerType === "mouse" && this.mayDrag() && event.buttons === 0 && this.hit(event.clientX, event.clientY);
      this.view.canvas.classList.toggle("grab", Boolean(over));
      return;
    }
    const dx = event.clientX - last.x, dy = event.clientY - last.y, height = this.view.canvas.clientHeight;
    const before = this.spread();
    last.x = event.clientX;
    last.y = event.clientY;
    if (this.down.size > 1) return this.twoFingers(dx, dy, before);
    if (this.press && Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > MOVED) {
      if (this.press.hit) this.hold();
      else this.press.moved = true;
    }
    if (this.grip) return this.pull(event.clientX, event.clientY);
    if (!this.press?.moved) return;
    if (this.press.pans) this.view.camera.pan(dx, dy, height);
    else this.view.camera.orbit(dx, dy, height);
    this.view.markDirty();
  }

  spread() {
    const [a, b] = [...this.down.values()];
    return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  /** Two turn and zoom, three pan. */
  twoFingers(dx, dy, before) {
    const { camera, canvas } = this.view, share = 1 / this.down.size;
    if (this.down.size > 2) camera.pan(dx * share, dy * share, canvas.clientHeight);
    else camera.orbit(dx * share, dy * share, canvas.clientHeight);
    const after = this.spread();
    if (this.down.size === 2 && before > 0 && after > 0) camera.zoom(before / after);
    this.view.markDirty();
  }

  onUp(event) {
    const press = this.press;
    this.down.delete(event.pointerId);
    if (this.down.size > 0) return;
    const held = this.grip;
    this.drop();
    if (held || !press || press.moved || press.button !== 0 || event.type === "pointercancel") return;
    const double = event.timeStamp - this.lastClick.time < DOUBLE && Math.hypot(event.clientX - this.lastClick.x, event.clientY - this.lastClick.y) < 12;
    this.lastClick = { time: double ? -Infinity : event.timeStamp, x: event.clientX, y: event.clientY };
    if (double && press.hit) this.togglePin(this.picked);
  }

  togglePin(vertex) {
    this.edit(this.store.pins.has(vertex) ? edits.unpin([vertex]) : edits.pin([vertex]));
  }

  onWheel(event) {
    event.preventDefault();
    this.view.camera.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 400))));
    this.view.markDirty();
  }

  // ---- the soft handle -------------------------------------------------------------------------------------------

  hold() {
    const { press, store } = this;
    clearTimeout(press?.timer);
    if (!press?.hit || this.grip) return;
    const { hit } = press, { positions } = store.frames[hit.view], { mass, size } = bodySize(store.mesh, positions, hit.body, store.text);
    const point = hit.ray.at(hit.distance, new THREE.Vector3()), patch = patchAt(store.mesh, positions, hit, size);
    const normal = this.view.camera.towards();
    this.grip = {
      drawn: hit.drawn, weights: hit.weights, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point), target: point,
      toMiddle: new THREE.Vector3(...patch.middle).sub(point), // a drag's target is that of the middle of what it holds
      stiffness: (PULL * mass * GRAVITY) / size, held: modelWeights(store.mesh, patch.drawn, patch.weights), underWay: 0, pending: false,
      size: 0.006 * this.view.camera.distance,
    };
    this.view.handle.show((view) => this.heldPoint(view), point, this.grip.size);
    this.sendDrag();
  }

  heldPoint(view) {
    const frame = this.store.frames[view];
    if (!frame || !this.grip) return null;
    const sum = new THREE.Vector3();
    this.grip.drawn.forEach((v, i) => sum.addScaledVector(new THREE.Vector3().fromArray(frame.positions, 3 * v), this.grip.weights[i]));
    return sum;
  }

  pull(x, y) {
    const { ray } = this.view.rayAt(x, y), target = ray.intersectPlane(this.grip.plane, new THREE.Vector3());
    if (!target) return;
    this.grip.target = target;
    this.view.handle.show((view) => this.heldPoint(view), target, this.grip.size);
    this.view.markDirty();
    this.sendDrag();
  }

  /** The newest target; those between are left out while the server is busy. */
  async sendDrag() {
    const { grip } = this;
    if (grip.underWay >= UNDER_WAY) {
      grip.pending = true;
      return;
    }
    const first = !grip.sent;
    grip.sent = true;
    grip.pending = false;
    grip.underWay += 1;
    const target = grip.target.clone().add(grip.toMiddle).toArray();
    const reply = await this.edit(edits.drag("pointer", target, grip.stiffness * this.strength, first ? grip.held : {}));
    grip.underWay -= 1;
    if (grip !== this.grip) return;
    if (!reply.ok) return this.drop();
    if (grip.pending) this.sendDrag();
  }

  drop() {
    clearTimeout(this.press?.timer);
    this.press = null;
    if (!this.grip) return;
    this.grip = null;
    this.view.handle.hide();
    this.view.markDirty();
    this.edit(edits.release("pointer"));
  }
}
