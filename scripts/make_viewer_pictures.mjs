// Takes the pictures of the page for README.md and docs/tutorial/viewer.md, in headless Chromium.
//
//   node scripts/make_viewer_pictures.mjs [NAME...]        after ./test has built the command and fetched the page's packages
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const build = join(root, "build/release/apps");
process.env.RESILIN ??= join(build, "cli/resilin");
process.env.RESILIN_NODE_MODULES ??= join(build, "viewer/page/node_modules");
process.env.RESILIN_SCENES ??= join(root, "scenes");
process.env.CHROMIUM ??= ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const { launchBrowser, Server, Visitor } = await import("../tests/viewer/page/harness.mjs");

const browser = await launchBrowser();

/** @param {{scene: string, arguments?: string[], size?: number[], theme?: string, act: function(Visitor): Promise<void>}} wanted */
async function take(name, { scene, size = [1120, 640], theme = "light", touch = false, act }) {
  const server = await Server.start(scene, "--paused");
  const context = await browser.newContext({ viewport: { width: size[0], height: size[1] }, hasTouch: touch, colorScheme: theme });
  try {
    const me = await Visitor.visit(context, server.address({ quality: "smooth", theme }));
    await act(me);
    await me.get("setQuality", "high");
    await me.get("settle");
    await me.page.screenshot({ path: join(root, "docs/pictures", `${name}.png`) });
    console.log(`docs/pictures/${name}.png`);
  } finally {
    await context.close();
    await server.stop();
  }
}

/** So many frames, then still. */
async function step(me, frames) {
  const from = await me.get("step");
  await me.page.evaluate((n) => window.resilin.stepBy(n), frames);
  await me.until((n) => window.resilin.step >= n, from + frames);
}

/** Pulls the body under a point of the page, as shares of the canvas, and holds it. */
async function pull(me, [x, y], [u, v], frames) {
  const box = await me.page.locator("canvas.canvas").boundingBox();
  const at = (s, t) => [box.x + s * box.width, box.y + t * box.height];
  await me.page.mouse.move(...at(x, y));
  await me.page.mouse.down();
  await me.page.mouse.move(...at(u, v), { steps: 3 });
  await step(me, frames);
}

const folderOf = (me, title) => me.page.locator(".lil-title", { hasText: title }).first();

const PICTURES = {
  viewer: {
    scene: "default", size: [1040, 600],
    act: async (me) => {
      await step(me, 55);
      await me.get("fitCamera");
      await me.page.mouse.move(60, 120);
      await me.page.mouse.wheel(0, 40); // room for what is pulled
      await pull(me, [0.32, 0.62], [0.2, 0.1], 6);
    },
  },
  viewer_colours: {
    scene: "cantilever", theme: "dark", size: [1040, 520],
    act: async (me) => {
      await folderOf(me, "Look").click();
      await me.get("colourBy", "stretch");
      await step(me, 14);
      await me.get("fitCamera");
    },
  },
  viewer_compare: {
    scene: "cantilever", size: [1040, 640],
    act: async (me) => {
      await step(me, 12);
      await me.page.keyboard.press("c");
      await me.page.click("text=Add one");
      await me.page.locator(".compare-row").nth(2).locator("select").first().selectOption("admm");
      await me.page.locator(".compare-row").nth(2).locator("input").fill("20");
      await me.page.click(".compare-dialog .primary");
      await me.until(() => window.resilin.views.length === 3 && window.resilin.positionDrawn(0, 2));
      await step(me, 8);
      await me.until(() => window.resilin.lines.length === 3);
      await me.get("fitCamera");
    },
  },
  viewer_curve: {
    scene: "spline_sphere_a", size: [1040, 600],
    act: async (me) => {
      await step(me, 26);
      await me.get("fitCamera");
      await me.page.mouse.move(400, 100); // room for the dialog
      await me.page.mouse.wheel(0, 160);
      await me.page.mouse.down({ button: "right" });
      await me.page.mouse.move(600, 100, { steps: 2 });
      await me.page.mouse.up({ button: "right" });
      await me.page.click('[data-curve="bodies[0].material"] button');
      await me.until(() => window.resilin.curve.samples.length > 10);
      await me.page.locator('[data-curve="bodies[0].material"]').scrollIntoViewIfNeeded();
    },
  },
  viewer_gallery: {
    scene: "default", size: [1120, 700],
    act: async (me) => {
      await me.page.keyboard.press("g");
      await me.page.waitForFunction(() => [...document.querySelectorAll(".card img")].slice(0, 16).every((img) => img.complete && img.naturalWidth > 0));
    },
  },
  viewer_phone: {
    scene: "default", size: [390, 760], touch: true,
    act: async (me) => {
      await step(me, 45);
      await me.get("fitCamera");
    },
  },
};

const wanted = process.argv.slice(2);
try {
  for (const [name, picture] of Object.entries(PICTURES)) if (!wanted.length || wanted.includes(name)) await take(name, picture);
} finally {
  await browser.close();
}
