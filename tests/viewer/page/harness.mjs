// What the page's tests share: the server as a process, one browser, waits that count frames.
//
// Environment: RESILIN, the command; RESILIN_NODE_MODULES, the folder with playwright-core; CHROMIUM, the browser; RESILIN_PAGE (optional),
// a folder with the page in place of the bundled one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.RESILIN_NODE_MODULES, "x.js"));
const { chromium } = require("playwright-core");

const PAGE = process.env.RESILIN_PAGE ? ["--page", process.env.RESILIN_PAGE] : [];
const HANG = Number(process.env.RESILIN_HANG ?? 60_000); // ms: a safety net, nothing is measured

/** `resilin view`, ready to be visited. */
export class Server {
  static async start(...args) {
    const server = new Server();
    await server.launch([...args, "--port", "0"]);
    return server;
  }

  async launch(args) {
    this.process = spawn(process.env.RESILIN, ["view", "--json", "--no-open", ...PAGE, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    for await (const part of this.process.stdout) {
      text += part;
      if (/^}/m.test(text)) break;
    }
    Object.assign(this, JSON.parse(text)); // url, port, token
  }

  address(query = {}) {
    return `http://127.0.0.1:${this.port}/?${new URLSearchParams({ token: this.token, quality: "plain", ...query })}`;
  }

  async stop() {
    if (!this.process || this.process.exitCode !== null) return;
    const gone = once(this.process, "exit");
    this.process.kill("SIGINT");
    await gone;
  }
}

export async function launchBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"],
  });
}

/** A visitor: the page with what it wrote to the console, and waits. */
export class Visitor {
  /** @param {import("playwright-core").BrowserContext} context */
  static async visit(context, address) {
    const visitor = new Visitor();
    visitor.page = await context.newPage();
    visitor.page.setDefaultTimeout(HANG);
    visitor.errors = [];
    visitor.page.on("console", (message) => message.type() === "error" && visitor.errors.push(message.text()));
    visitor.page.on("pageerror", (error) => visitor.errors.push(String(error)));
    await visitor.page.goto(address);
    await visitor.page.waitForFunction(() => window.resilin?.frames > 0);
    return visitor;
  }

  async again() {
    await this.page.reload();
    await this.page.waitForFunction(() => window.resilin?.frames > 0);
  }

  /** A property of window.resilin, or what one of its functions returns. */
  get(name, ...args) {
    return this.page.evaluate(([key, given]) => {
      const value = window.resilin[key];
      return typeof value === "function" ? value(...given) : value;
    }, [name, args]);
  }

  async frames(count) {
    let timer;
    const hang = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("frames do not come any more")), HANG)));
    await Promise.race([this.get("nextFrames", count), hang]).finally(() => clearTimeout(timer));
  }

  /** Waits until it holds, for at most so many frames. */
  async within(frames, what, condition) {
    for (let i = 0; i < frames; ++i) {
      if (await condition()) return;
      await this.frames(1);
    }
    throw new Error(`not within ${frames} frames: ${what}`);
  }

  /** Waits for the page, not for frames: they do not come while a scene is built or the simulation is paused. */
  until(expression, argument) {
    return this.page.waitForFunction(expression, argument);
  }

  async play(on) {
    if ((await this.get("playing")) !== on) await this.page.keyboard.press("Space");
    await this.until((wanted) => window.resilin.playing === wanted, on);
  }

  /** Paused, with the last frame received: what is read in several calls is of one moment. */
  async still() {
    await this.play(false);
    await this.until(() => !window.resilin.playing && window.resilin.status.step === window.resilin.step);
  }

  /** Takes hold of a body near the middle of the first view, while it stands still. */
  async hold() {
    await this.still();
    await this.get("fitCamera");
    const point = await this.get("anyPoint"), edits = await this.get("edits");
    await this.page.mouse.move(...point);
    await this.page.mouse.down();
    await this.until((n) => window.resilin.edits > n, edits); // the handle is there
    return { point, drawn: await this.get("pickedDrawn") };
  }

  async open(scene) {
    const serial = await this.get("serial");
    await this.page.keyboard.press("g");
    await this.page.click(`[data-scene="${scene}"]`);
    await this.until(([name, last]) => window.resilin.scene === name && window.resilin.serial !== last && window.resilin.step >= 0, [scene, serial]);
  }

  slider(path) {
    return this.page.locator(`[data-path="${path}"] input[type=range]`);
  }
  field(path) {
    return this.page.locator(`[data-path="${path}"] input[type=text]`);
  }
}

// ---- tests ----------------------------------------------------------------------------------------------------------------

const tests = [];
export const test = (name, body) => tests.push({ name, body });

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

/** Runs them in order, or those that match the first argument; one JSON line each: {name, error, seconds}. */
export async function runTests(shared) {
  const wanted = new RegExp(process.argv[2] ?? "");
  for (const { name, body } of tests.filter((t) => wanted.test(t.name))) {
    let error = null;
    const start = performance.now();
    try {
      await body(shared);
    } catch (problem) {
      error = String(problem?.stack ?? problem);
      await shared.me.page.mouse.up().catch(() => {});
      await shared.me.again().catch(() => {}); // the next one starts on a page that was loaded anew
    }
    console.log(JSON.stringify({ name, error, seconds: Number(((performance.now() - start) / 1e3).toFixed(1)) }));
  }
}
