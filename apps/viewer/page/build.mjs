// Bundles the page into one folder: index.html, page.js, page.css. Nothing else is fetched at run time.
//
//   node build.mjs [--out FOLDER] [--watch]          FOLDER: default dist
import { context } from "esbuild";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--out");
const out = at > 0 ? resolve(process.argv[at + 1]) : join(here, "dist");

// lil-gui's style sheet holds its font as a data: address, which the server's Content-Security-Policy refuses; the glyphs are
// ordinary characters that every system has.
const withoutFonts = {
  name: "without-fonts",
  setup(build) {
    build.onLoad({ filter: /lil-gui\.css$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/@font-face\s*\{[^}]*\}/g, ""),
      loader: "css",
    }));
  },
};

const bundle = await context({
  entryPoints: { page: join(here, "src/main.js") },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome110", "firefox110", "safari16"],
  legalComments: "inline", // the licences of three, uPlot and lil-gui
  plugins: [withoutFonts],
  logLevel: "warning",
});
await mkdir(out, { recursive: true });
await copyFile(join(here, "src/index.html"), join(out, "index.html"));
if (process.argv.includes("--watch")) {
  await bundle.watch();
} else {
  await bundle.rebuild();
  await bundle.dispose();
}
