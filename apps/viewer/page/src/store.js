// What the page knows: the last hello, scene, status, meshes and frames, and who wants to hear of changes.

/** A list of listeners per name. */
class Emitter {
  constructor() {
    this.listeners = new Map();
  }
  on(name, listener) {
    if (!this.listeners.has(name)) this.listeners.set(name, []);
    this.listeners.get(name).push(listener);
  }
  emit(name, value) {
    for (const listener of this.listeners.get(name) ?? []) listener(value);
  }
}

/** A scene's text is JSON that may have comments. */
function parseScene(text) {
  if (typeof text !== "string") return text ?? {};
  try {
    return JSON.parse(text);
  } catch {
    const bare = text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) => (part[0] === '"' ? part : ""));
    try {
      return JSON.parse(bare);
    } catch {
      return {};
    }
  }
}

/** Events: hello, scene, status, mesh, frame, convergence, progress, error, state, pins, refused. */
export class Store extends Emitter {
  constructor() {
    super();
    this.hello = null;
    this.scene = null; // the message
    this.text = {}; // its text, parsed
    this.status = null;
    this.mesh = null;
    this.frames = []; // the last one of each view
    this.received = 0; // frames since the page was opened
    this.pins = new Set(); // model vertices
    this.tuned = new Map(); // path -> value, of accepted set edits since the scene was opened
    this.edits = 0; // accepted ones that this page sent
  }

  get views() {
    return this.scene?.views?.length || 1;
  }
  get control() {
    return Boolean(this.hello?.control);
  }
  get up() {
    const up = this.scene?.up ?? this.text.up ?? "y";
    if (Array.isArray(up)) return up;
    return { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[up] ?? [0, 1, 0];
  }

  /** A JSON message of the server. */
  take(message) {
    if (message.type === "hello") this.hello = message;
    if (message.type === "scene") {
      if (this.scene?.name !== message.name) this.tuned.clear();
      this.scene = message;
      this.text = parseScene(message.text);
      this.pins = new Set(message.pins ?? []);
      this.frames.length = Math.min(this.frames.length, this.views);
    }
    if (message.type === "status") this.status = message;
    this.emit(message.type, message);
  }

  takeMesh(mesh) {
    this.mesh = mesh;
    this.frames = [];
    this.emit("mesh", mesh);
  }

  takeFrame(frame) {
    if (!this.mesh || frame.serial !== this.mesh.serial) return; // of a mesh that is gone
    this.frames[frame.view] = frame;
    this.received += 1;
    this.emit("frame", frame);
  }
}
