// Records the canvas to a video file.

import { download } from "./dom.js";

const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

export class Recorder {
  /** @param {HTMLCanvasElement} canvas @param {function(boolean): void} changed  whether it records */
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.recorder = null;
    this.saved = null; // the last recording, for tests
  }

  toggle(name) {
    if (this.recorder) this.recorder.stop();
    else this.start(name);
  }

  start(name) {
    const mimeType = TYPES.find((type) => window.MediaRecorder?.isTypeSupported(type));
    if (!mimeType) throw new Error("this browser cannot record");
    const parts = [], recorder = new MediaRecorder(this.canvas.captureStream(30), { mimeType, videoBitsPerSecond: 8e6 });
    recorder.ondataavailable = (event) => event.data.size && parts.push(event.data);
    recorder.onstop = () => {
      this.recorder = null;
      this.changed(false);
      this.saved = new Blob(parts, { type: mimeType.split(";")[0] });
      download(`${name}.${mimeType.includes("mp4") ? "mp4" : "webm"}`, this.saved);
    };
    recorder.start();
    this.recorder = recorder;
    this.changed(true);
  }
}
