// The page of `resilin view`. Builds its parts and lets them talk: a server's message goes into the store, which tells the parts; what a person
// does goes out as an edit or a request (apps/viewer/protocol.md).

import "../node_modules/lil-gui/dist/lil-gui.css"; // not among its exports
import "uplot/dist/uPlot.min.css";
import "./page.css";
import { Compare, ViewLabels } from "./compare.js";
import { Connection } from "./connection.js";
import { CurveEditor } from "./curve_editor.js";
import { iconButton, make } from "./dom.js";
import { Gallery } from "./gallery.js";
import { Keys } from "./keys.js";
import { Legend } from "./legend.js";
import { Panel } from "./panel.js";
import { Parameters } from "./parameters.js";
import { Plots } from "./plots.js";
import { Pointer } from "./pointer.js";
import { edits } from "./protocol.js";
import { Recorder } from "./recorder.js";
import { SceneView } from "./scene_view.js";
import { Share, wantedFrom } from "./share.js";
import { Store } from "./store.js";
import { exposeForTests } from "./test_hooks.js";
import { Theme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { Messages } from "./toast.js";
import { Findings, Upload } from "./upload.js";

const wanted = wantedFrom(location.search);
const store = new Store();
const messages = new Messages();
const say = (text, kind) => messages.say(text, kind);

// ---- to the server ------------------------------------------------------------------------------------------------------

const connection = new Connection(wanted.token, {
  text: (message) => store.take(message),
  mesh: (mesh) => store.takeMesh(mesh),
  frame: (frame) => store.takeFrame(frame),
  state: (state) => {
    store.emit("state", state);
    if (state === "lost") messages.stay("The server is gone. This page comes back by itself when it does.");
    else if (connection.outdated) messages.stay("The server was restarted: this page can only watch. Open the link that it has printed now to control it.", { closes: true });
    else messages.stay(null);
  },
});
const send = (type, members) => connection.send(type, members);

/** Says why; not when the connection is gone, which the banner says. */
function sayRefused(reply) {
  if (connection.state === "open") say(reply.error ?? "refused", "error");
}

/** What was refused is said; what was accepted counts. */
async function edit(described) {
  const reply = await connection.ask("edit", { edit: described });
  if (!reply.ok) sayRefused(reply);
  else {
    store.edits += 1;
    if (described.edit === "set") store.tuned.set(described.path, described.value);
  }
  return reply;
}
const set = (path, value) => edit(edits.set(path, value));

async function ask(type, members) {
  const reply = await connection.ask(type, members);
  if (!reply.ok) sayRefused(reply);
  return reply;
}

async function open(scene, values = []) {
  store.tuned.clear();
  view.another = true; // the next mesh is of another scene
  const reply = await ask("open", { scene, set: values });
  if (reply.ok) for (const [path, value] of values) store.tuned.set(path, value);
  return reply;
}

// ---- parts ----------------------------------------------------------------------------------------------------------------

const view = new SceneView(store, { quality: wanted.quality });
const pointer = new Pointer(store, view, edit);
const timeline = new Timeline(store, { send, restart: () => edit(edits.reset()) });
const plots = new Plots(store, (on) => {
  if (store.control && store.scene?.mode !== "playback" && on !== plots?.watching) send("watch_convergence", { on });
  if (plots) plots.watching = on;
});
const curveEditor = new CurveEditor(store, { ask: (type, members) => connection.ask(type, members), set });
const compare = new Compare(store, {
  compare: async (variants) => {
    const reply = await connection.ask("compare", { variants });
    if (reply.ok) showPlots(variants.length > 0, variants.length > 0 ? "iterations" : "energy");
    return reply;
  },
});
const upload = new Upload({ token: wanted.token, open, say });
const gallery = new Gallery(store, { open, upload: (file) => upload.take(file) });
const share = new Share(store, { token: wanted.token, view, say });
const findings = new Findings(store, view);
const recordButton = iconButton("record", "Record a video (V)", () => record());
const recorder = new Recorder(view.canvas, (on) => recordButton.setAttribute("aria-pressed", String(on)));

let gravity = null; // what it was before it was cut
const actions = {
  flatten: () => edit(edits.flatten(view.camera.up.toArray().findIndex((c) => Math.abs(c) > 0.5))),
  randomise: () => edit(edits.randomise(1 + Math.floor(Math.random() * 1e6))),
  throw: () => edit(edits.kick(view.camera.up.clone().multiplyScalar(Math.sqrt(2 * 9.81 * view.extent.radius)).toArray())),
  gravity: () => {
    const now = new Parameters(null, store.text, store.up).gravity();
    if (now !== 0) gravity = now;
    return set("gravity", now !== 0 ? 0 : gravity ?? 9.81);
  },
};

function record() {
  try {
    recorder.toggle(store.scene?.name ?? "resilin");
  } catch (error) {
    say(error.message, "error");
  }
}

function showPlots(on, kind) {
  plots.show(on, kind);
  plotsButton.setAttribute("aria-pressed", String(on));
  layout.classList.toggle("with-plots", on);
  view.markDirty();
}

function showPanel(on) {
  layout.classList.toggle("with-panel", on);
  panelButton.setAttribute("aria-pressed", String(on));
  view.markDirty();
}

// ---- layout ---------------------------------------------------------------------------------------------------------------

const plotsButton = iconButton("plots", "Plots (P)", () => showPlots(!plots.shown), { text: "Plots" });
const panelButton = iconButton("panel", "Controls (Tab)", () => showPanel(!layout.classList.contains("with-panel")));
const keysButton = iconButton("help", "Keys (F1)", () => keys.toggle());
const title = make("div.title", {}, make("strong", { text: "Resilin" }), make("span.scene-name"));
const badge = make("span.badge", { hidden: true, text: "watching only", title: "Open the address that the server printed to control it." });
const theme = new Theme((name) => {
  view.setTheme(name);
  plots.repaint();
});
const themeButton = iconButton("theme", "Light or dark (D)", () => theme.toggle());
const top = make("header.top", {}, title, badge, make("nav", {},
  iconButton("gallery", "Gallery (G)", () => gallery.open(), { text: "Gallery" }),
  iconButton("compare", "Compare solvers (C)", () => compare.open(), { text: "Compare" }), plotsButton, recordButton,
  iconButton("share", "Share and export (E)", () => share.open(), { text: "Share" }),
  iconButton("focus", "Fit the camera (F)", () => view.fit()), themeButton, keysButton, panelButton));
const legend = new Legend(store), labels = new ViewLabels(store, view);
const progress = make("div.progress", { hidden: true });
const notes = make("div.notes", { hidden: true });
const stage = make("main.stage", {}, view.canvas, labels.element, legend.element, findings.element, notes, progress);
const side = make("aside.side", { "aria-label": "Controls" });
const layout = make("div.layout", {}, top, stage, side, plots.element, timeline.element);
document.body.append(layout);
new ResizeObserver(() => view.markDirty()).observe(stage);

const panel = new Panel(side, store, {
  set, view, pointer, actions,
  colour: (by) => send("colour", { by }),
  slice: (plane) => ask("slice", { plane }),
  curve: (curve) => curveEditor.open(curve),
});

const keys = new Keys([
  { keys: [" "], text: "play or pause", run: () => timeline.toggle() },
  { keys: ["ArrowRight"], text: "one frame on", run: () => timeline.stepBy(1) },
  { keys: ["ArrowLeft"], text: "one frame back, in a run that is played back", run: () => timeline.stepBy(-1) },
  { keys: ["R", "Backspace"], text: "restart", run: () => timeline.restart() },
  { keys: ["F"], text: "fit the camera to the bodies", run: () => view.fit() },
  { keys: ["W"], text: "wireframe", run: () => panel.toggleWireframe() },
  { keys: ["1"], text: "squash flat", run: actions.flatten },
  { keys: ["2"], text: "randomise every vertex", run: actions.randomise },
  { keys: ["3"], text: "throw up", run: actions.throw },
  { keys: ["0"], text: "cut gravity, or bring it back", run: actions.gravity },
  { keys: ["G"], text: "gallery", run: () => gallery.open() },
  { keys: ["C"], text: "compare solvers", run: () => compare.open() },
  { keys: ["P"], text: "plots", run: () => showPlots(!plots.shown) },
  { keys: ["E"], text: "share and export", run: () => share.open() },
  { keys: ["S"], text: "screenshot", run: () => share.screenshot() },
  { keys: ["V"], text: "record a video, or stop", run: record },
  { keys: ["L"], text: "loop a run that is played back", run: () => timeline.toggleLoop() },
  { keys: ["Tab"], text: "controls", run: () => showPanel(!layout.classList.contains("with-panel")) },
  { keys: ["D"], text: "light or dark", run: () => theme.toggle() },
  { keys: ["F1", "?"], text: "this list", run: () => keys.toggle() },
  { keys: [], shown: "drag a body", text: "pull it by a soft handle" },
  { keys: [], shown: "double click", text: "pin a vertex, or let it go" },
  { keys: [], shown: "drag beside it", text: "turn the camera; two fingers, or with Ctrl: anywhere" },
  { keys: [], shown: "right button", text: "pan; also with Shift, or three fingers" },
  { keys: [], shown: "wheel, pinch", text: "zoom" },
]);
document.addEventListener("change", (event) => event.target instanceof HTMLSelectElement && event.target.blur()); // keys work again
showPanel(window.innerWidth > 800);

// ---- from the server -----------------------------------------------------------------------------------------------------

store.on("hello", (hello) => {
  badge.hidden = hello.control;
  if (wanted.scene && hello.control && connection.opened === 1) open(wanted.scene, wanted.set);
});
store.on("scene", (scene) => {
  title.lastChild.textContent = scene.name.replaceAll("_", " ");
  title.lastChild.title = scene.description ?? "";
  document.title = `${scene.name} - Resilin`;
  const text = (scene.notes ?? []).join(" ");
  if (text !== notes.dataset.text) {
    notes.dataset.text = text;
    notes.hidden = !text;
    notes.replaceChildren(make("p", { text }), iconButton("close", "Close", () => (notes.hidden = true)));
  }
});
store.on("frame", (frame) => {
  if (panel.boxSerial === frame.serial || panel.look.cut !== "none") return;
  panel.boxSerial = frame.serial;
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  frame.positions.forEach((x, i) => ((low[i % 3] = Math.min(low[i % 3], x)), (high[i % 3] = Math.max(high[i % 3], x))));
  panel.setBox(low, high);
});
store.on("status", (status) => {
  if (status.colour) panel.showColour(status.colour.by);
});
store.on("progress", ({ text }) => {
  progress.hidden = !text;
  progress.textContent = text ?? "";
});
store.on("error", ({ text }) => say(text, "error"));

exposeForTests({ store, connection, view, pointer, messages, plots, recorder, share, panel, curveEditor });
