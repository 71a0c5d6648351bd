// A number in the panel: a range input, linear or logarithmic, beside a field that takes any number.

import { Controller } from "lil-gui";
import { make } from "./dom.js";
import { shown } from "./paths.js";

const STEPS = 400;

export class SliderController extends Controller {
  /** @param {{low: number, high: number, log: boolean, whole?: boolean}} range */
  constructor(parent, object, property, range) {
    super(parent, object, property, "parameter-slider");
    this.range = range;
    this.slider = make("input", { type: "range", min: "0", max: String(STEPS), "aria-labelledby": this.$name.id });
    this.field = make("input", { type: "text", inputmode: "decimal", spellcheck: "false", "aria-labelledby": this.$name.id });
    this.$widget.append(this.slider, this.field);
    this.slider.addEventListener("input", () => this.setValue(this.fromSlider(Number(this.slider.value) / STEPS)));
    this.slider.addEventListener("change", () => this._callOnFinishChange());
    const typed = () => {
      const value = Number(this.field.value);
      if (this.field.value.trim() !== "" && Number.isFinite(value)) this.setValue(this.range.whole ? Math.round(value) : value);
      this._callOnFinishChange();
      this.updateDisplay();
    };
    this.field.addEventListener("change", typed);
    this.field.addEventListener("keydown", (event) => event.key === "Enter" && this.field.blur());
    this.$disable = this.slider;
    this.updateDisplay();
  }

  fromSlider(t) {
    const { low, high, log, whole } = this.range;
    const value = log ? low * (high / low) ** t : low + t * (high - low);
    return whole ? Math.round(value) : Number(value.toPrecision(4));
  }

  toSlider(value) {
    const { low, high, log } = this.range;
    const t = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return Math.max(0, Math.min(1, t));
  }

  updateDisplay() {
    const value = this.getValue();
    this.slider.value = String(Math.round(STEPS * this.toSlider(value)));
    if (document.activeElement !== this.field) this.field.value = shown(value);
    return this;
  }
}
