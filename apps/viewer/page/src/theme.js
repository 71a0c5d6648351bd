// Light or dark: as the system has it, until somebody chooses.

const KEY = "resilin.theme";

export class Theme {
  /** @param {function("light"|"dark"): void} changed */
  constructor(changed) {
    this.changed = changed;
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", () => !localStorage.getItem(KEY) && this.apply(system.matches ? "dark" : "light"));
    const query = new URLSearchParams(location.search).get("theme");
    this.apply(query ?? localStorage.getItem(KEY) ?? (system.matches ? "dark" : "light"));
  }

  apply(name) {
    this.name = name === "dark" ? "dark" : "light";
    document.documentElement.dataset.theme = this.name;
    this.changed(this.name);
  }

  toggle() {
    this.apply(this.name === "dark" ? "light" : "dark");
    localStorage.setItem(KEY, this.name);
  }
}
