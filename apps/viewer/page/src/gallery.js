// The gallery: scenes with pictures, and a place to drop a mesh.

import { icon, make, makeDialog } from "./dom.js";

export class Gallery {
  /** @param {{open: function(string): void, upload: function(File): void}} tools */
  constructor(store, tools) {
    this.store = store;
    this.tools = tools;
    this.grid = make("div.gallery-grid");
    this.search = make("input", { type: "search", placeholder: "Find a scene", autofocus: "", "aria-label": "Find a scene", oninput: () => this.filter() });
    this.file = make("input", { type: "file", hidden: true, "data-upload": "", onchange: () => this.take() });
    const own = make("button", { type: "button", onclick: () => this.file.click() }, icon("upload"), make("span", { text: "Your own mesh" }));
    this.dialog = makeDialog("Gallery", "gallery-dialog", make("div.gallery-head", {}, this.search, own, this.file), this.grid);
    store.on("hello", () => this.fill());
  }

  open() {
    this.dialog.showModal();
  }

  fill() {
    this.grid.replaceChildren(...(this.store.hello.gallery ?? []).map(({ name, description }) => {
      const words = name.replaceAll("_", " ");
      const picture = make("img", { src: `/thumbnails/${name}.png`, alt: "", loading: "lazy", width: 240, height: 150 });
      picture.addEventListener("error", () => picture.classList.add("missing"));
      return make("button.card", { type: "button", "data-scene": name, title: description, onclick: () => this.choose(name) },
        picture, make("strong", { text: words }), make("span", { text: description ?? "" }));
    }));
  }

  filter() {
    const wanted = this.search.value.trim().toLowerCase();
    for (const card of this.grid.children) card.hidden = !card.textContent.toLowerCase().includes(wanted);
  }

  choose(name) {
    this.dialog.close();
    this.tools.open(name);
  }

  take() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    this.dialog.close();
    this.tools.upload(file);
  }
}
