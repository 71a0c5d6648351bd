// The socket: opens it, opens it again when it is lost, numbers requests and hands replies to who asked.
//
// A server that was restarted has another token, and its refusal looks like any other failure from here: when the server is there
// and an attempt with the token fails, the next one goes without, which may watch. What waits for a reply when the socket closes
// is told that it was refused.

import { decode } from "./protocol.js";

const FIRST_WAIT = 250, LONGEST_WAIT = 4000; // ms

export class Connection {
  /**
   * @param {?string} token
   * @param {{text: function(object): void, mesh: function(object): void, frame: function(object): void,
   *          state: function(string): void}} handlers  state: "connecting", "open" or "lost"
   */
  constructor(token, handlers) {
    this.token = token;
    this.handlers = handlers;
    this.socket = null;
    this.state = "connecting";
    this.opened = 0; // times
    this.outdated = false; // the token is that of another run
    this.failures = 0;
    this.nextId = 1;
    this.waiting = new Map();
    this.connect(Boolean(token));
  }

  connect(withToken) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws${withToken ? `?token=${encodeURIComponent(this.token)}` : ""}`);
    let opened = false;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      opened = true;
      this.failures = 0;
      this.opened += 1;
      this.outdated = Boolean(this.token) && !withToken;
      this.change("open");
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = () => (!opened && withToken ? this.connect(false) : this.lost());
    this.socket = socket;
  }

  change(state) {
    this.state = state;
    this.handlers.state(state);
  }

  lost() {
    for (const resolve of this.waiting.values()) resolve({ ok: false, error: "the connection was lost" });
    this.waiting.clear();
    this.change("lost");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.failures);
    this.failures += 1;
    setTimeout(() => this.reach(), wait);
  }

  async reach() {
    try {
      await fetch("/", { cache: "no-store" });
    } catch {
      return this.lost();
    }
    this.connect(Boolean(this.token));
  }

  receive(data) {
    if (typeof data !== "string") {
      const message = decode(data);
      if (message) this.handlers[message.kind](message);
      return;
    }
    const message = JSON.parse(data);
    if (message.type !== "reply") return this.handlers.text(message);
    const resolve = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (resolve) resolve(message);
  }

  /** Sends without asking for a reply. */
  send(type, members = {}) {
    if (this.state === "open") this.socket.send(JSON.stringify({ type, ...members }));
  }

  /** @returns {Promise<{ok: boolean, error?: string}>} the reply; never rejects */
  ask(type, members = {}) {
    if (this.state !== "open") return Promise.resolve({ ok: false, error: "there is no connection" });
    const id = this.nextId++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.send(type, { id, ...members });
    });
  }
}
