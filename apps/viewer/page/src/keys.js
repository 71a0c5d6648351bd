// Keys, and the list of them that F1 shows.

import { make, makeDialog } from "./dom.js";

/** @typedef {{keys: string[], text: string, run?: function(): void, shown?: string}} Binding */

export class Keys {
  /** @param {Binding[]} bindings  those without `run` are only listed */
  constructor(bindings) {
    this.bindings = new Map(bindings.filter((b) => b.run).flatMap((b) => b.keys.map((key) => [key.toLowerCase(), b.run])));
    const rows = bindings.map(({ keys, text, shown }) => make("div.key-row", {}, make("dt", {}, ...(shown ? [shown] : keys).map((key) =>
      make("kbd", { text: { " ": "Space", arrowright: "→", arrowleft: "←" }[key.toLowerCase()] ?? key }))), make("dd", { text })));
    this.dialog = makeDialog("Keys and pointer", "keys-dialog", make("dl", {}, ...rows));
    window.addEventListener("keydown", (event) => this.onKey(event));
  }

  toggle() {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target;
    if (at instanceof HTMLInputElement && at.type !== "range" && at.type !== "checkbox") return;
    if (at instanceof HTMLSelectElement) return;
    if (document.querySelector("dialog:modal") && event.key !== "F1") return;
    if (at instanceof HTMLButtonElement && event.key === " ") at.blur();
    const run = this.bindings.get(event.key.toLowerCase());
    if (!run) return;
    event.preventDefault();
    run();
  }
}
