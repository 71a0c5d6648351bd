// Draws every plot of a report as SVG from the JSON that stands beside it: linear and log axes, a legend that switches lines on
// and off, a read-out under the pointer, zoom by dragging, double click to see everything again. No library; nothing is loaded.
"use strict";
(() => {
  const WIDTH = 640, HEIGHT = 380;
  const BOX = { left: 76, right: WIDTH - 14, top: 12, bottom: HEIGHT - 46 };
  const COLOURS = 8;           // --c0 ... of report.css; beyond that lines are dashed
  const FEW_POINTS = 60;       // up to here points are marked
  const NEAR = 40, DRAG = 6;   // pixels

  function svg(name, attributes = {}, text = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== "") element.textContent = text;
    return element;
  }

  function number(value, digits = 5) {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
    return String(Number(value.toPrecision(digits)));
  }

  // ---- axes: a scale maps values to places (log10 or as they are), and places to pixels

  class Axis {
    constructor(log, from, to) {
      this.log = log;
      this.pixels = [from, to];
    }
    place(value) { return this.log ? Math.log10(value) : value; }
    value(place) { return this.log ? 10 ** place : place; }
    show(low, high) {
      const least = 1e-12 * Math.max(Math.abs(low), Math.abs(high), this.log ? 1 : 1e-300);
      if (high - low <= least) {
        const half = this.log ? 0.5 : Math.abs(low) / 10 || 1;
        [low, high] = [low - half, high + half];
      }
      [this.low, this.high] = [low, high];
    }
    pixel(place) { return this.pixels[0] + (place - this.low) / (this.high - this.low) * (this.pixels[1] - this.pixels[0]); }
    unpixel(pixel) { return this.low + (pixel - this.pixels[0]) / (this.pixels[1] - this.pixels[0]) * (this.high - this.low); }

    // Places of the ticks with their texts.
    ticks() {
      if (this.log && this.high - this.low >= 1.5) return this.decades();
      if (this.log && this.high - this.low >= 0.7) return this.halves();
      if (this.log) {
        const low = this.value(this.low), high = this.value(this.high);
        return round_numbers(low, high).filter(v => v > 0).map(v => [Math.log10(v), number(v, 3)]);
      }
      return round_numbers(this.low, this.high).map(v => [v, number(v, 4)]);
    }
    halves() {  // 1, 2 and 5 times powers of ten
      const out = [];
      for (let d = Math.floor(this.low); d <= this.high; ++d)
        for (const m of [1, 2, 5]) out.push([d + Math.log10(m), number(m * 10 ** d, 1)]);
      return out.filter(([place]) => place >= this.low && place <= this.high);
    }
    decades() {
      const every = Math.ceil((this.high - this.low) / 9), out = [];
      for (let d = Math.ceil(this.low / every) * every; d <= this.high; d += every) out.push([d, number(10 ** d, 1)]);
      return out;
    }
  }

  // Multiples of 1, 2 or 5 times a power of ten, about six of them.
  function round_numbers(low, high) {
    const rough = (high - low) / 6, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough);
    const out = [];
    for (let k = Math.ceil(low / step); k * step <= high; ++k) out.push(k === 0 ? 0 : k * step);
    return out;
  }

  // ---- one plot

  class Plot {
    constructor(figure, data) {
      this.data = data;
      this.x = new Axis(data.log_x, BOX.left, BOX.right);
      this.y = new Axis(data.log_y, BOX.bottom, BOX.top);
      this.lines = data.series.map((series, i) => ({
        name: series.name,
        colour: `var(--c${(series.colour >= 0 ? series.colour : i) % COLOURS})`,
        dash: series.dashed || (series.colour >= 0 ? series.colour : i) >= COLOURS ? "6 4" : "",
        points: this.points(series),
        visible: true,
      }));
      this.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": data.title });
      figure.append(this.picture, this.legend());
      this.listen();
      this.show_everything();
    }

    // Places of the points; null where the line has a gap.
    points(series) {
      return series.x.map((x, i) => {
        const y = series.y[i];
        if (x === null || y === null || y === undefined) return null;
        if ((this.x.log && x <= 0) || (this.y.log && y <= 0)) return null;
        return [this.x.place(x), this.y.place(y)];
      });
    }

    legend() {
      const box = document.createElement("div");
      box.className = "legend";
      for (const line of this.lines) {
        const button = document.createElement("button"), mark = document.createElement("i");
        mark.style.borderColor = line.colour;
        if (line.dash) mark.className = "dashed";
        button.append(mark, line.name);
        button.setAttribute("aria-pressed", "true");
        button.addEventListener("click", () => {
          line.visible = !line.visible;
          button.setAttribute("aria-pressed", String(line.visible));
          this.draw();
        });
        box.append(button);
      }
      return box;
    }

    show_everything() {
      const bounds = [[Infinity, -Infinity], [Infinity, -Infinity]];
      for (const line of this.lines)
        for (const point of line.points)
          for (let k = 0; point && k < 2; ++k)
            bounds[k] = [Math.min(bounds[k][0], point[k]), Math.max(bounds[k][1], point[k])];
      const room = 0.03 * (bounds[1][1] - bounds[1][0]);
      this.x.show(...bounds[0]);
      this.y.show(bounds[1][0] - room, bounds[1][1] + room);
      this.draw();
    }

    draw() {
      this.picture.replaceChildren();
      this.draw_axes();
      const inside = svg("svg", { x: BOX.left, y: BOX.top, width: BOX.right - BOX.left, height: BOX.bottom - BOX.top,
        viewBox: `${BOX.left} ${BOX.top} ${BOX.right - BOX.left} ${BOX.bottom - BOX.top}` });  // clips the lines
      for (const line of this.lines) if (line.visible) this.draw_line(inside, line);
      this.picture.append(inside);
      this.over = svg("g");
      this.picture.append(this.over);
    }

    draw_axes() {
      const add = (...what) => this.picture.append(svg(...what));
      for (const [place, text] of this.x.ticks()) {
        const x = this.x.pixel(place);
        add("line", { class: "grid", x1: x, x2: x, y1: BOX.top, y2: BOX.bottom });
        add("text", { x, y: BOX.bottom + 17, "text-anchor": "middle" }, text);
      }
      for (const [place, text] of this.y.ticks()) {
        const y = this.y.pixel(place);
        add("line", { class: "grid", x1: BOX.left, x2: BOX.right, y1: y, y2: y });
        add("text", { x: BOX.left - 7, y: y + 4, "text-anchor": "end" }, text);
      }
      add("rect", { class: "frame", x: BOX.left, y: BOX.top, width: BOX.right - BOX.left, height: BOX.bottom - BOX.top });
      add("text", { x: (BOX.left + BOX.right) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, this.data.x_label);
      const middle = (BOX.top + BOX.bottom) / 2;
      add("text", { x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` }, this.data.y_label);
    }

    draw_line(parent, line) {
      let path = "", pen = "M";
      const few = line.points.length <= FEW_POINTS;
      for (const point of line.points) {
        if (!point) { pen = "M"; continue; }
        const x = this.x.pixel(point[0]).toFixed(2), y = this.y.pixel(point[1]).toFixed(2);
        path += `${pen}${x} ${y}`;
        pen = "L";
        if (few) parent.append(svg("circle", { cx: x, cy: y, r: 2.4, style: `fill: ${line.colour}` }));
      }
      if (path) parent.append(svg("path", { class: "line", d: path, style: `stroke: ${line.colour}`, "stroke-dasharray": line.dash }));
    }

    // ---- the pointer

    where(event) {
      const box = this.picture.getBoundingClientRect();
      return [(event.clientX - box.left) * WIDTH / box.width, (event.clientY - box.top) * HEIGHT / box.height];
    }

    listen() {
      let start = null;
      this.picture.addEventListener("pointerdown", event => {
        start = this.where(event);
        this.picture.setPointerCapture(event.pointerId);
      });
      this.picture.addEventListener("pointermove", event => {
        const here = this.where(event);
        this.over.replaceChildren();
        if (start) this.draw_zoom(start, here);
        else this.read_out(here);
      });
      this.picture.addEventListener("pointerup", event => {
        const from = start, to = this.where(event);
        start = null;
        if (from && Math.abs(to[0] - from[0]) > DRAG && Math.abs(to[1] - from[1]) > DRAG) this.zoom(from, to);
      });
      this.picture.addEventListener("pointerleave", () => this.over.replaceChildren());
      this.picture.addEventListener("dblclick", () => this.show_everything());
    }

    draw_zoom(a, b) {
      this.over.append(svg("rect", { class: "zoom", x: Math.min(a[0], b[0]), y: Math.min(a[1], b[1]),
        width: Math.abs(a[0] - b[0]), height: Math.abs(a[1] - b[1]) }));
    }

    zoom(a, b) {
      const ordered = (p, q) => [Math.min(p, q), Math.max(p, q)];
      this.x.show(...ordered(this.x.unpixel(a[0]), this.x.unpixel(b[0])));
      this.y.show(...ordered(this.y.unpixel(a[1]), this.y.unpixel(b[1])));
      this.draw();
    }

    // The nearest point of a visible line, with its values.
    read_out(here) {
      let best = null, least = NEAR;
      for (const line of this.lines)
        for (const point of line.visible ? line.points : []) {
          if (!point) continue;
          const at = [this.x.pixel(point[0]), this.y.pixel(point[1])];
          const distance = Math.hypot(at[0] - here[0], at[1] - here[1]);
          if (distance < least) [best, least] = [{ line, point, at }, distance];
        }
      if (!best) return;
      const texts = [best.line.name, `${this.data.x_label}: ${number(this.x.value(best.point[0]))}`,
        `${this.data.y_label}: ${number(this.y.value(best.point[1]))}`];
      const wide = 6.6 * Math.max(...texts.map(t => t.length)) + 16;
      const left = best.at[0] + wide + 12 < BOX.right ? best.at[0] + 10 : best.at[0] - wide - 10;
      const top = Math.min(best.at[1] + 8, BOX.bottom - 58);
      const note = svg("g", { class: "note" });
      note.append(svg("rect", { x: left, y: top, width: wide, height: 56, rx: 4 }));
      texts.forEach((text, i) => note.append(svg("text", { x: left + 8, y: top + 17 + 16 * i }, text)));
      this.over.append(svg("circle", { cx: best.at[0], cy: best.at[1], r: 5, style: `fill: ${best.line.colour}` }), note);
    }
  }

  for (const figure of document.querySelectorAll("figure.plot"))
    new Plot(figure, JSON.parse(figure.querySelector("script").textContent));
})();
