// Meshes by drag and drop, and what the mesh doctor found.

import { iconButton, make } from "./dom.js";

const LARGEST = 64 * 1024 * 1024;

export class Upload {
  /** @param {{token: ?string, open: function(string): Promise<{ok: boolean, error?: string}>, say: function(string, string): void}} tools */
  constructor(tools) {
    this.tools = tools;
    this.veil = make("div.drop-veil", { hidden: true }, make("div", { text: "Drop a mesh to simulate it" }));
    document.body.append(this.veil);
    let depth = 0;
    const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    window.addEventListener("dragenter", (event) => carriesFiles(event) && (depth++, (this.veil.hidden = false)));
    window.addEventListener("dragleave", () => (depth = Math.max(0, depth - 1)) === 0 && (this.veil.hidden = true));
    window.addEventListener("dragover", (event) => carriesFiles(event) && event.preventDefault());
    window.addEventListener("drop", (event) => {
      depth = 0;
      this.veil.hidden = true;
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer.files[0]) this.take(event.dataTransfer.files[0]);
    });
  }

  /** @param {File} file */
  async take(file) {
    const { say, token } = this.tools;
    if (file.size > LARGEST) return say(`${file.name} has more than 64 MiB`, "error");
    say(`Reading ${file.name} ...`);
    let answer;
    try {
      const query = new URLSearchParams({ name: file.name, token: token ?? "" });
      const response = await fetch(`/upload?${query}`, { method: "POST", body: file });
      answer = await response.json();
    } catch {
      return say(`${file.name} could not be sent`, "error");
    }
    if (answer.error) return say(`${file.name}: ${answer.error}`, "error");
    const reply = await this.tools.open(answer.file);
    if (!reply.ok) say(`${file.name}: ${reply.error}`, "error");
  }
}

/** A list of findings; the chosen one is marked on the mesh. */
export class Findings {
  constructor(store, view) {
    this.list = make("ul");
    this.element = make("aside.findings", { hidden: true, "aria-label": "Mesh doctor" },
      make("header", {}, make("strong", { text: "Mesh doctor" }), iconButton("close", "Close", () => this.close())), this.list);
    this.view = view;
    this.last = "";
    store.on("scene", (scene) => this.update(scene));
    store.on("mesh", () => setTimeout(() => this.mark(), 0));
  }

  update(scene) {
    const findings = scene.findings ?? [], key = JSON.stringify([scene.name, findings.map((f) => f.text)]);
    if (key === this.last) return;
    this.last = key;
    this.findings = findings;
    this.element.hidden = findings.length === 0;
    this.list.replaceChildren(...findings.map((finding) => make("li", {}, make("button", {
      type: "button", text: finding.text, onclick: () => this.view.markFindings(finding.vertices ?? []),
    }))));
    this.mark();
  }

  mark() {
    if (!this.element.hidden) this.view.markFindings((this.findings ?? []).flatMap((f) => f.vertices ?? []));
  }

  close() {
    this.element.hidden = true;
    this.view.markFindings([]);
  }
}
