// What the colours mean.

import { make } from "./dom.js";
import { css, VIRIDIS } from "./palette.js";
import { shown } from "./paths.js";

export class Legend {
  constructor(store) {
    this.label = make("span.legend-label");
    this.high = make("span");
    this.middle = make("span");
    this.low = make("span");
    this.bar = make("div.legend-bar");
    this.bar.style.background = `linear-gradient(to top, ${VIRIDIS.map(css).join(", ")})`;
    this.element = make("div.legend", { hidden: true }, this.label,
      make("div.legend-scale", {}, this.bar, make("div.legend-numbers", {}, this.high, this.middle, this.low)));
    store.on("status", (status) => this.update(status.colour));
  }

  update(colour) {
    const shows = Boolean(colour) && colour.by !== "none" && colour.by !== "region" && colour.low !== null && colour.low !== undefined;
    this.element.hidden = !shows;
    if (!shows) return;
    this.label.textContent = colour.label ?? colour.by;
    this.low.textContent = shown(colour.low);
    this.middle.textContent = shown((colour.low + colour.high) / 2);
    this.high.textContent = shown(colour.high);
  }
}
