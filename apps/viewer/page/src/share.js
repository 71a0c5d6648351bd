// What leaves the page: a link that opens the same scene with the same values, the command that does so, a picture, and the server's files.

import { download, iconButton, make, makeDialog } from "./dom.js";

/** Scene and values that the address asks for. */
export function wantedFrom(search) {
  const query = new URLSearchParams(search), scene = query.get("scene");
  const set = query.getAll("set").map((entry) => {
    const at = entry.indexOf("="), path = entry.slice(0, at), text = entry.slice(at + 1);
    try {
      return [path, JSON.parse(text)];
    } catch {
      return [path, text];
    }
  }).filter(([path]) => path);
  return { scene, set, token: query.get("token"), quality: query.get("quality") ?? "auto" };
}

export class Share {
  /** @param {{token: ?string, view: import("./scene_view.js").SceneView, say: function(string): void}} tools */
  constructor(store, tools) {
    this.store = store;
    this.tools = tools;
    this.link = make("input", { type: "text", readonly: "", "aria-label": "Link", spellcheck: "false" });
    this.command = make("input", { type: "text", readonly: "", "aria-label": "Command", spellcheck: "false" });
    const copy = (input) => iconButton("share", "Copy", () => this.copy(input.value), { text: "Copy" });
    const file = (name, text) => make("button", { type: "button", text, "data-export": name, onclick: () => this.fetch(name) });
    this.dialog = makeDialog("Share and export", "share-dialog",
      make("p.hint", { text: "This link opens the scene with the values as they are now, while this server runs." }),
      make("div.copy-row", {}, this.link, copy(this.link)),
      make("p.hint", { text: "This command does so at any time." }),
      make("div.copy-row", {}, this.command, copy(this.command)),
      make("div.dialog-actions.wrap", {}, make("button", { type: "button", text: "Screenshot", onclick: () => this.screenshot() }),
        file("scene.json", "Scene"), file("edits.jsonl", "Edits"), file("state.npz", "State")));
  }

  open() {
    this.link.value = this.address();
    this.command.value = this.commandLine();
    this.dialog.showModal();
  }

  address() {
    const query = new URLSearchParams();
    if (this.tools.token) query.set("token", this.tools.token);
    query.set("scene", this.store.scene?.input ?? this.store.scene?.name ?? "");
    for (const [path, value] of this.store.tuned) query.append("set", `${path}=${JSON.stringify(value)}`);
    return `${location.origin}/?${query}`;
  }

  commandLine() {
    const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
    const sets = [...this.store.tuned].map(([path, value]) => ` --set ${quoted(`${path}=${JSON.stringify(value)}`)}`);
    return `resilin view ${this.store.scene?.input ?? this.store.scene?.name ?? ""}${sets.join("")}`;
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.tools.say("Copied");
    } catch {
      this.tools.say("The browser did not allow to copy; select the text and copy it by hand");
    }
  }

  async screenshot() {
    download(`${this.store.scene?.name ?? "resilin"}.png`, await this.tools.view.toBlob());
  }

  async fetch(name) {
    try {
      const response = await fetch(`/export/${name}?token=${encodeURIComponent(this.tools.token ?? "")}`);
      if (!response.ok) throw new Error(await response.text());
      download(`${this.store.scene?.name ?? "resilin"}_${name}`, await response.blob());
    } catch (error) {
      this.tools.say(`${name}: ${error.message}`, "error");
    }
  }
}
