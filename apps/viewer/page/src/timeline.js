// The bar at the bottom: play, step, restart, speed; what the solver says; the time line of a run that is played back.

import { icon, iconButton, make } from "./dom.js";
import { milliseconds } from "./paths.js";

const SPEEDS = [["0.1", "1/10"], ["0.25", "1/4"], ["0.5", "1/2"], ["1", "real time"], ["2", "2 x"], ["0", "full speed"]];

export class Timeline {
  /** @param {{send: function(string, object=): void, restart: function(): void}} tools */
  constructor(store, tools) {
    this.store = store;
    this.tools = tools;
    this.loop = true;
    this.play = iconButton("play", "Play or pause (Space)", () => this.toggle());
    this.step = iconButton("step", "One frame (right arrow)", () => this.stepBy(1));
    this.restartButton = iconButton("restart", "Restart (R)", () => this.restart());
    this.loopButton = iconButton("loop", "Play again and again (L)", () => this.toggleLoop());
    this.speed = make("select", { "aria-label": "Speed", title: "Speed", onchange: () => tools.send("speed", { factor: Number(this.speed.value) }) },
      ...SPEEDS.map(([value, text]) => make("option", { value, text })));
    this.speed.value = "1";
    this.scrub = make("input.scrub", { type: "range", min: "0", max: "0", step: "1", "aria-label": "Frame", oninput: () => this.seek(Number(this.scrub.value)) });
    this.words = make("span.words");
    this.figures = make("span.figures");
    this.element = make("footer.bar", {}, make("div.transport", {}, this.play, this.step, this.restartButton, this.loopButton, this.speed),
      this.scrub, this.words, this.figures);
    store.on("scene", () => this.takeScene());
    store.on("status", () => this.takeStatus());
    store.on("hello", () => this.takeScene());
    this.takeScene();
  }

  get playback() {
    return this.store.scene?.mode === "playback";
  }
  get last() {
    return (this.store.scene?.frames ?? 1) - 1;
  }

  takeScene() {
    this.scrub.hidden = this.loopButton.hidden = !this.playback;
    this.scrub.max = String(this.last);
    this.loopButton.setAttribute("aria-pressed", String(this.loop));
    for (const control of [this.play, this.step, this.restartButton, this.speed, this.scrub, this.loopButton]) control.disabled = !this.store.control;
  }

  takeStatus() {
    const { status } = this.store, playing = Boolean(status.playing);
    if (playing !== this.playing) {
      this.playing = playing;
      this.play.firstChild.replaceWith(icon(playing ? "pause" : "play"));
    }
    const view = status.views?.[0];
    this.words.textContent = this.store.views > 1 ? "" : view?.words ?? "";
    this.words.classList.toggle("doubtful", view?.converged === false && view?.iterations > 0);
    const factor = status.realtime;
    const speed = factor === null || factor === undefined ? "" : `${Number(factor.toPrecision(2))} x real time`;
    this.figures.textContent = [`${(status.time ?? 0).toFixed(2)} s`, this.playback ? "" : milliseconds(status.frame_ms), speed].filter(Boolean).join("  ·  ");
    if (this.playback && document.activeElement !== this.scrub) this.scrub.value = String(status.step);
    if (this.playback && !this.loop && playing && status.step >= this.last) this.tools.send("pause"); // the server would begin again
  }

  toggle() {
    if (this.playback && !this.store.status?.playing && this.store.status?.step >= this.last) this.tools.send("seek", { frame: 0 });
    this.tools.send(this.store.status?.playing ? "pause" : "play");
  }

  stepBy(frames) {
    if (!this.playback) return frames > 0 && this.tools.send("step", { frames });
    this.tools.send("pause");
    this.seek(Math.max(0, Math.min(this.last, (this.store.status?.step ?? 0) + frames)));
  }

  seek(frame) {
    this.tools.send("seek", { frame });
  }

  restart() {
    if (this.playback) this.seek(0);
    else this.tools.restart();
  }

  toggleLoop() {
    this.loop = !this.loop;
    this.loopButton.setAttribute("aria-pressed", String(this.loop));
  }
}
