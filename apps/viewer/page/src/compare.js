// Compare: pick solvers and integrators, see them side by side from the same state.

import { make, makeDialog } from "./dom.js";
import { Parameters } from "./parameters.js";
import { milliseconds } from "./paths.js";

const MOST = 6;

export class Compare {
  /** @param {{compare: function(object[]): Promise<{ok: boolean, error?: string}>}} tools */
  constructor(store, tools) {
    this.store = store;
    this.tools = tools;
    this.rows = make("div.compare-rows");
    this.reason = make("p.compare-reason", { role: "status" });
    this.add = make("button", { type: "button", text: "Add one", onclick: () => this.addRow() });
    this.start = make("button.primary", { type: "button", text: "Compare", onclick: () => this.send() });
    this.stop = make("button", { type: "button", text: "One view again", onclick: () => this.end() });
    this.dialog = makeDialog("Compare solvers", "compare-dialog",
      make("p.hint", { text: "Each view starts from the present state and gets the same edits." }),
      this.rows, this.reason, make("div.dialog-actions", {}, this.add, this.stop, this.start));
  }

  names(kind) {
    return (this.store.hello?.registry?.[kind] ?? []).map((entry) => entry.name);
  }

  open() {
    if (!this.rows.children.length) this.fill();
    this.reason.textContent = "";
    this.dialog.showModal();
  }

  /** The present solver and another one. */
  fill() {
    const parameters = new Parameters(this.store.hello?.registry, this.store.text, this.store.up);
    const solver = parameters.typeAt("solver", "quasi_newton"), integrator = parameters.typeAt("integrator", "backward_euler");
    this.addRow(solver, integrator);
    this.addRow(solver === "newton" ? "quasi_newton" : "newton", integrator);
  }

  addRow(solver = "quasi_newton", integrator = "backward_euler", iterations = "") {
    if (this.rows.children.length >= MOST) return;
    const select = (kind, value) => {
      const box = make("select", { "aria-label": kind, "data-kind": kind }, ...this.names(kind).map((name) => make("option", { value: name, text: name })));
      box.value = value;
      return box;
    };
    const count = make("input", { type: "number", min: "1", max: "100000", placeholder: "iterations", "aria-label": "iterations", value: String(iterations) });
    const row = make("div.compare-row", {}, select("solver", solver), select("integrator", integrator), count,
      make("button", { type: "button", text: "Remove", onclick: () => row.remove() }));
    this.rows.append(row);
  }

  variants() {
    return [...this.rows.children].map((row) => {
      const [solver, integrator, iterations] = [...row.querySelectorAll("select, input")].map((input) => input.value);
      const described = iterations ? { type: solver, iterations: Number(iterations) } : { type: solver };
      const several = new Set([...this.rows.children].map((r) => r.querySelector("[data-kind=integrator]").value)).size > 1;
      const label = [solver, several ? integrator : "", iterations ? `${iterations} it.` : ""].filter(Boolean).join(", ");
      return { label, set: [["solver", described], ["integrator", integrator]] };
    });
  }

  async send() {
    const variants = this.variants();
    if (variants.length < 2) {
      this.reason.textContent = "Two are needed to compare.";
      return;
    }
    this.reason.textContent = "";
    const reply = await this.tools.compare(variants);
    if (reply.ok) this.dialog.close();
    else this.reason.textContent = reply.error;
  }

  async end() {
    await this.tools.compare([]);
    this.dialog.close();
  }
}

/** Names of the views and what their solvers say, over the canvas. */
export class ViewLabels {
  constructor(store, view) {
    this.store = store;
    this.view = view;
    this.element = make("div.view-labels");
    store.on("scene", () => this.update());
    store.on("status", () => this.update());
    window.addEventListener("resize", () => this.update());
  }

  update() {
    const { store } = this, count = store.views;
    this.element.hidden = count < 2;
    if (count < 2) return;
    while (this.element.children.length > count) this.element.lastElementChild.remove();
    while (this.element.children.length < count) this.element.append(make("div.view-label", {}, make("strong"), make("span")));
    this.view.rectangles().forEach((r, i) => {
      const label = this.element.children[i], seen = store.status?.views?.[i];
      label.style.left = `${r.x}px`;
      label.style.top = `${r.y}px`;
      label.style.width = `${r.width}px`;
      label.style.height = `${r.height}px`;
      label.firstChild.textContent = store.scene.views[i];
      const time = typeof seen?.ms === "number" ? `, ${milliseconds(seen.ms)}` : "";
      label.lastChild.textContent = seen ? `${seen.words}${time}` : "";
    });
  }
}
