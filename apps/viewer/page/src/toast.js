// Short messages that go away by themselves, and a banner that stays while something lasts.

import { iconButton, make } from "./dom.js";

const SHOWN = 6000; // ms

export class Messages {
  constructor() {
    this.list = make("div.toasts", { role: "status", "aria-live": "polite" });
    this.banner = make("div.banner", { role: "alert", hidden: true });
    document.body.append(this.banner, this.list);
    this.refusals = []; // all of them, for tests
  }

  /** @param {"info"|"error"} kind */
  say(text, kind = "info") {
    if (kind === "error") this.refusals.push(text);
    const last = this.list.lastElementChild;
    if (last && last.textContent === text) last.remove();
    const toast = make(`div.toast.${kind}`, { text, onclick: () => toast.remove() });
    this.list.append(toast);
    while (this.list.children.length > 4) this.list.firstElementChild.remove();
    setTimeout(() => toast.remove(), SHOWN);
  }

  /** @param {?string} text  null: no banner; `closes`: may be put away */
  stay(text, { closes = false } = {}) {
    this.banner.hidden = !text;
    this.banner.replaceChildren(text ?? "", ...(closes ? [iconButton("close", "Close", () => (this.banner.hidden = true))] : []));
  }
}
