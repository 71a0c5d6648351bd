// The page in a real browser, on one server and one visit but for the tests that need others. test_page.py runs this and reads its lines.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { check, launchBrowser, runTests, Server, test, Visitor } from "./harness.mjs";

const folder = mkdtempSync(join(tmpdir(), "resilin_page_"));
const write = (name, contents) => {
  writeFileSync(join(folder, name), typeof contents === "string" ? contents : JSON.stringify(contents));
  return join(folder, name);
};
const soft = { type: "neo_hookean", young: 4e4, poisson: 0.4 };
const scene = write("jelly.json", {
  name: "jelly", description: "A soft block on the ground, and a ball.", step: 1 / 60,
  bodies: [
    { name: "block", shape: { type: "box", size: [0.6, 0.3, 0.3], cells: [4, 2, 2] }, translate: [0, 0.155, 0], material: soft },
    { name: "ball", shape: { type: "sphere", radius: 0.12, spacing: 0.1 }, translate: [0.7, 0.14, 0], material: soft },
  ],
  obstacles: [{ type: "plane", friction: 0.5 }],
});
const workshop = write("workshop.json", {
  name: "workshop", description: "A block whose damping is a spline, a body with a skin, and a ball that rises.", step: 1 / 60,
  bodies: [
    { name: "block", shape: { type: "box", size: [0.3, 0.3, 0.3], cells: [2, 2, 2] }, translate: [-0.4, 0.16, 0], material: soft,
      damping: { type: "strain_rate", shear: 20, spline: [[0.6, 1], [1, 1], [1.4, 1]] } },
    { name: "skinned", mesh: { surface: "cube.obj", cells: 4 }, translate: [-0.05, 0.01, -0.15], material: soft },
  ],
  obstacles: [{ type: "plane" }, {
    type: "sphere", radius: 0.12, translate: [0.6, 0.2, 0],
    motion: [{ translate: { direction: [0, 1, 0], keyframes: [[0, 0], [0.2, 0.4], [1000, 0.4]] } }],
  }],
});
const reduced = write("reduced.json", {
  name: "reduced", description: "A clamped bar with fewer unknowns than vertices.", step: 1 / 60, solver: "quasi_newton", contact: false,
  reduction: { handles: 10, fit_handles: 8, samples: 120 },
  bodies: [{ name: "bar", shape: { type: "box", size: [0.8, 0.2, 0.2], cells: [12, 3, 3] }, translate: [0, 0.4, 0], material: soft }],
  pins: [{ select: "x_min" }],
});

const bowl = write("bowl.json", {
  name: "bowl", description: "A block in a hollow ball.", step: 1 / 60,
  bodies: [{ name: "block", shape: { type: "box", size: [0.3, 0.3, 0.3], cells: [2, 2, 2] }, material: soft }],
  obstacles: [{ type: "sphere", radius: 0.6, inside: true }],
});

/** Up to the mesh's corner, a cube without its lid: the mesh doctor has something to say. */
const OPEN_BOX = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 3 2\nf 1 4 3\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n`;
write("cube.obj", `${OPEN_BOX.replace(/^v.*$/gm, (line) => line.replaceAll(" 1", " 0.3"))}f 5 6 7\nf 5 7 8\n`);

const distance = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
const height = async (me, drawn, view = 0) => (await me.get("positionDrawn", drawn, view))[1];

test("loads_without_console_errors", async ({ me }) => {
  check((await me.get("connection")) === "open", "the socket is not open");
  check(await me.get("control"), "the token does not control");
  check((await me.get("scene")) === "jelly", "another scene is shown");
  check((await me.get("vertices")) > 50, "there is no mesh");
  check(me.errors.length === 0, `on the console: ${me.errors}`);
});

test("draws_the_body", async ({ me }) => {
  await me.still();
  const point = await me.get("anyPoint"), [body, sky] = await me.get("pixels", [point, [8, 60]]);
  check(body[2] > body[0] + 40, `the first body is blue, and not ${body}`);
  check(Math.min(...sky) > 150, `the sky of the light theme is bright, and not ${sky}`);
});

/** Pulls what is held by so many pixels, and waits until the picked vertex has gone half of the way. */
async function pull(me, { point, drawn }, [dx, dy]) {
  const [x, y] = await me.get("pixelOfDrawn", drawn), goal = [x + dx, y + dy];
  await me.page.mouse.move(point[0] + dx, point[1] + dy, { steps: 4 });
  await me.play(true);
  await me.within(300, "the vertex goes to the pointer", async () => distance(await me.get("pixelOfDrawn", drawn), goal) < 0.5 * Math.hypot(dx, dy));
}

test("drags_a_vertex_to_the_pointer", async ({ me }) => {
  const before = await me.get("editsApplied"), held = await me.hold();
  await pull(me, held, [-60, -110]);
  check((await me.get("editsApplied")) > before, "no edit was applied");
  await me.still();
  const high = await height(me, held.drawn);
  await me.page.mouse.up();
  await me.play(true);
  await me.within(300, "it falls when it is let go", async () => (await height(me, held.drawn)) < high - 0.02);
});

test("turns_the_camera_beside_the_body", async ({ me }) => {
  await me.still();
  const before = await me.get("camera"), edits = await me.get("edits");
  await me.page.mouse.move(20, 80);
  await me.page.mouse.down();
  await me.page.mouse.move(90, 80, { steps: 3 });
  await me.page.mouse.up();
  await me.until((azimuth) => window.resilin.camera[4] !== azimuth, before[4]);
  check((await me.get("camera"))[3] === before[3], "turning zooms");
  await me.page.mouse.wheel(0, 200);
  await me.until((d) => window.resilin.camera[3] > d, before[3]);
  check((await me.get("edits")) === edits, "an edit was sent");
  await me.page.keyboard.press("f");
});

test("two_fingers_turn_and_zoom", async ({ me }) => {
  await me.still();
  const before = await me.get("camera"), edits = await me.get("edits"), client = await me.page.context().newCDPSession(me.page);
  const touch = (type, ...points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch("touchStart", [200, 120]);
  await touch("touchStart", [200, 120], [260, 120]);
  await touch("touchMove", [180, 150], [300, 150]);
  await touch("touchMove", [150, 170], [330, 170]);
  await touch("touchEnd");
  await me.until(([distance, height]) => window.resilin.camera[3] < 0.9 * distance && window.resilin.camera[5] > height, [before[3], before[5]]); // nearer and higher
  check((await me.get("edits")) === edits, "an edit was sent");
  await me.get("fitCamera");
});

test("pins_by_double_click", async ({ me }) => {
  await me.still();
  const pins = await me.get("pins"), point = await me.get("anyPoint");
  await me.page.mouse.dblclick(...point);
  await me.until((n) => window.resilin.pins.length === n, pins.length + 1);
  const picked = await me.get("picked");
  check((await me.get("pins")).includes(picked), "another vertex is pinned");
  await me.page.mouse.dblclick(...point);
  await me.until((n) => window.resilin.pins.length === n, pins.length);
});

test("pauses_steps_and_restarts", async ({ me }) => {
  await me.still();
  const step = await me.get("step");
  await me.page.keyboard.press("ArrowRight");
  await me.until((n) => window.resilin.step === n, step + 1);
  await me.page.keyboard.press("ArrowRight");
  await me.until((n) => window.resilin.step === n, step + 2);
  await me.page.keyboard.press("r");
  await me.until(([x, y, z]) => {
    const now = window.resilin.positionDrawn(0);
    return Math.hypot(now[0] - x, now[1] - y, now[2] - z) < 1e-6;
  }, first);
  check((await me.get("step")) === step + 2, "a restart is an edit and no step");
  await me.play(true);
  await me.within(100, "it goes on", async () => (await me.get("step")) > step + 4);
});

test("a_slider_changes_the_simulation", async ({ me }) => {
  await me.play(true);
  const low = await height(me, 0);
  await me.slider("gravity").focus();
  await me.page.keyboard.press("Home"); // -20: everything rises
  await me.until(() => window.resilin.text.gravity === -20);
  await me.within(200, "the block rises", async () => (await height(me, 0)) > low + 0.1);
  await me.field("gravity").fill("9.81");
  await me.page.keyboard.press("Enter");
  await me.until(() => window.resilin.text.gravity === 9.81);
  await me.page.keyboard.press("r");
});

test("one_click_abuse_is_an_edit", async ({ me }) => {
  await me.still();
  await me.page.keyboard.press("r");
  await me.page.keyboard.press("1"); // squash flat
  await me.until(() => {
    const { vertices } = window.resilin, heights = [0, 1, 2, 3, 4, 5].filter((v) => v < vertices).map((v) => window.resilin.positionDrawn(v)[1]);
    return Math.max(...heights) - Math.min(...heights) < 1e-6;
  });
  await me.page.keyboard.press("r");
  await me.play(true);
});

test("a_refused_edit_says_why", async ({ me }) => {
  await me.play(true);
  const path = "bodies[0].material.young", before = await me.field(path).inputValue(), refused = (await me.get("refused")).length;
  await me.field(path).fill("-5");
  await me.page.keyboard.press("Enter");
  await me.until((n) => window.resilin.refused.length > n, refused);
  const reason = (await me.get("refused")).at(-1);
  check(/young/.test(reason) && /0/.test(reason), `the reason does not name the parameter: ${reason}`);
  check((await me.page.locator(".toast.error").last().textContent()) === reason, "the reason is not shown");
  await me.until(([p, value]) => document.querySelector(`[data-path="${p}"] input[type=text]`).value === value, [path, before]);
  check((await me.get("text")).bodies[0].material.young === 4e4, "the value changed");
});

test("switches_the_solver", async ({ me }) => {
  await me.play(true);
  await me.page.locator('[data-path="solver.type"] select').selectOption("newton");
  await me.until(() => window.resilin.text.solver?.type === "newton");
  await me.frames(3);
  check(/iteration/.test(await me.page.locator(".words").textContent()), "the solver says nothing");
  check((await me.page.locator('[data-path="solver.type"] select').inputValue()) !== "quasi_newton", "the panel shows the old one");
  await me.page.locator('[data-path="solver.type"] select').selectOption("quasi_newton");
  await me.until(() => window.resilin.text.solver?.type === "quasi_newton");
});

test("colours_with_a_legend", async ({ me }) => {
  await me.page.keyboard.press("r");
  await me.play(true);
  await me.frames(4);
  await me.still();
  const point = await me.get("anyPoint"), [plain] = await me.get("pixels", [point]);
  for (const [by, label] of [["stretch", /stretch/], ["stress", /Pa/], ["energy", /J/], ["speed", /m\/s/], ["region", null]]) {
    await me.get("colourBy", by);
    await me.until((wanted) => window.resilin.status.colour.by === wanted, by);
    await me.page.locator(".legend").waitFor({ state: label ? "visible" : "hidden" }); // regions have names of their own colours
    const text = label ? await me.page.locator(".legend").textContent() : "";
    check(!label || label.test(text), `the legend of ${by} says "${text}"`);
    const [coloured] = await me.get("pixels", [point]);
    check(plain.some((c, i) => Math.abs(c - coloured[i]) > 12), `by ${by} the body keeps its colour ${plain}`);
  }
  await me.get("colourBy", "none");
  await me.page.locator(".legend").waitFor({ state: "hidden" });
});

test("cuts_the_body_open", async ({ me }) => {
  await me.page.keyboard.press("r");
  await me.still();
  await me.get("fitCamera");
  const serial = await me.get("serial"), count = await me.get("vertices"), box = await me.page.locator("canvas.canvas").boundingBox();
  const grid = Array.from({ length: 900 }, (_, i) => [box.x + ((i % 30) + 0.5) * (box.width / 30), box.y + (Math.floor(i / 30) + 0.5) * (box.height / 30)]);
  const blue = async () => (await me.get("pixels", grid)).filter(([r, , b]) => b > r + 40).length; // the block
  const whole = await blue();
  await me.get("cut", "x", 0.4);
  await me.until((n) => window.resilin.serial !== n && window.resilin.step >= 0, serial);
  check((await me.get("vertices")) !== count, "the same vertices are drawn");
  const rest = await blue();
  check(whole > 20 && rest > 0 && rest < 0.8 * whole, `of the block ${whole} points were drawn, and ${rest} when it is cut`);
  await me.get("cut", "none", 0.5);
  await me.until((n) => window.resilin.vertices === n && window.resilin.step >= 0, count);
});

test("compares_side_by_side", async ({ me }) => {
  await me.play(true);
  await me.page.keyboard.press("c");
  await me.page.click(".compare-dialog .primary");
  await me.until(() => window.resilin.views.length === 2 && window.resilin.positionDrawn(0, 1) && !document.querySelector("dialog[open]"));
  await me.within(60, "the convergence of both is plotted", async () => (await me.get("lines")).length === 2);
  const labels = await me.get("views");
  check(labels.includes("newton") && labels.includes("quasi_newton"), `the views are ${labels}`);
  await me.still();
  await me.get("fitCamera");
  const seen = await me.get("anyPoint");
  const middle = await me.get("positionDrawn", 0, 0); // the same place in both: beside each other, or one above the other
  const [a, b] = [await me.get("project", middle, 0), await me.get("project", middle, 1)];
  const both = await me.get("pixels", [seen, [seen[0] + b[0] - a[0], seen[1] + b[1] - a[1]]]);
  check(both.every((pixel) => Math.max(...pixel) - Math.min(...pixel) > 60), `both bodies are drawn, and not ${both}`); // the sky is pale
  const held = await me.hold(), { drawn } = held, low = [await height(me, drawn, 0), await height(me, drawn, 1)];
  await pull(me, held, [0, -90]);
  await me.within(300, "one hand moves both", async () => (await height(me, drawn, 0)) > low[0] + 0.03 && (await height(me, drawn, 1)) > low[1] + 0.03);
  await me.page.mouse.up();
  await me.page.keyboard.press("c");
  await me.page.click("text=One view again");
  await me.until(() => window.resilin.views.length === 1 && !document.querySelector("dialog[open]"));
  await me.page.keyboard.press("p");
});

/** Presses something that saves a file. @returns {Promise<Buffer>} it */
async function saved(me, press) {
  const [file] = await Promise.all([me.page.waitForEvent("download"), press()]);
  return readFileSync(await file.path());
}

/** The edits so far, replayed without a viewer, give the state that is shown. */
async function replays(me, file) {
  await me.still();
  const step = await me.get("step"), { views: [{ hash }] } = await me.get("status");
  await me.page.keyboard.press("e");
  const edits = write("edits.jsonl", (await saved(me, () => me.page.click('[data-export="edits.jsonl"]'))).toString());
  await me.page.click('.share-dialog [title="Close"]');
  const run = spawnSync(process.env.RESILIN, ["run", file, "--edits", edits, "--frames", String(step), "--no-output", "--json"], { encoding: "utf8" });
  check(run.status === 0, run.stderr);
  check(JSON.parse(run.stdout).state_hash === hash, "the replayed edits give another state");
}

test("exports_what_was_done", async ({ me }) => {
  await me.still();
  await me.field("bodies[0].material.young").fill("60000");
  await me.page.keyboard.press("Enter");
  await me.until(() => window.resilin.text.bodies[0].material.young === 60000);
  const picture = await saved(me, () => me.page.keyboard.press("s"));
  check(picture.subarray(1, 4).toString() === "PNG" && picture.length > 5000, "the screenshot is no picture");
  await me.page.keyboard.press("e");
  const tuned = JSON.parse(await saved(me, () => me.page.click('[data-export="scene.json"]')));
  check(tuned.bodies[0].material.young === 60000 && tuned.bodies[1].name === "ball", "the scene has not the tuned value");
  const state = await saved(me, () => me.page.click('[data-export="state.npz"]'));
  check(state.subarray(0, 2).toString() === "PK" && state.includes("velocities"), "the state is no archive");
  check(/--set 'bodies\[0\].material.young=60000'/.test(await me.page.locator('[aria-label="Command"]').inputValue()), "the command has not the tuned value");
  await me.page.click('.share-dialog [title="Close"]');
  await replays(me, scene);
});

test("a_link_opens_the_same_values", async ({ me, context, server }) => {
  await me.field("bodies[0].material.young").fill("50000");
  await me.page.keyboard.press("Enter");
  await me.until(() => window.resilin.text.bodies[0].material.young === 50000);
  const link = new URL(await me.get("link"));
  check(link.searchParams.getAll("set").includes("bodies[0].material.young=50000"), `the link is ${link}`);
  const other = await Visitor.visit(context, server.address(Object.fromEntries(link.searchParams)));
  await other.until(() => window.resilin.scene === "jelly" && window.resilin.text.bodies[0].material.young === 50000);
  check(other.errors.length === 0, `on the console: ${other.errors}`);
  await other.page.close();
});

test("the_gallery_opens_another_scene", async ({ me }) => {
  await me.open("spline_sphere_a");
  check((await me.get("text")).name === "spline_sphere_a", "another scene was opened");
  await me.play(true);
});

/** Drags a point of the curve that is open by so many pixels. */
async function dragPoint(me, i, dy) {
  const box = await me.page.locator(`[data-point="${i}"]`).boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  await me.page.mouse.move(x, y);
  await me.page.mouse.down();
  await me.page.mouse.move(x, y + dy, { steps: 3 });
  await me.page.mouse.up();
}

test("edits_a_curve", async ({ me }) => {
  await me.page.click('[data-curve="bodies[0].material"] button');
  await me.until(() => window.resilin.curve.samples.length > 10);
  await dragPoint(me, 4, 30);
  await me.until(() => Array.isArray(window.resilin.text.bodies[0].material.stress));
  const stress = (await me.get("text")).bodies[0].material.stress, count = (await me.get("edits"));
  check(stress[4][1] < 0.8 * 3e4 && stress[3][1] === 0.35 * 3e4, `the last point was dragged down: ${JSON.stringify(stress)}`);
  await dragPoint(me, 2, -40); // stress at rest
  await me.page.locator(".curve-reason.bad").waitFor();
  check(/rest/.test(await me.page.locator(".curve-reason").textContent()), "the reason is not said");
  check(JSON.stringify((await me.get("text")).bodies[0].material.stress) === JSON.stringify(stress), "the refused curve was taken");
  check((await me.get("edits")) === count, "a refused curve was sent");
  await me.page.click(".curve-dialog .icon-button");
});

test("drops_a_mesh_and_shows_findings", async ({ me }) => {
  await me.page.evaluate((text) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], "open_box.obj"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
  }, OPEN_BOX);
  await me.until(() => /open_box/.test(window.resilin.scene ?? "") && window.resilin.step >= 0);
  await me.page.locator(".findings li").first().waitFor();
  check(/hole|open|boundary|closed/i.test(await me.page.locator(".findings").textContent()), "the hole is not found");
});

test("a_mesh_that_cannot_be_read_is_refused", async ({ me }) => {
  const refused = (await me.get("refused")).length, scene = await me.get("scene"), errors = me.errors.length;
  await me.page.setInputFiles("[data-upload]", { name: "broken.obj", mimeType: "text/plain", buffer: Buffer.from("f 1 2 banana\n") });
  await me.until((n) => window.resilin.refused.length > n, refused);
  check(/broken/.test((await me.get("refused")).at(-1)), "the file is not named");
  check((await me.get("scene")) === scene, "the scene is gone");
  me.errors.splice(errors); // the browser itself reports the status 400
});

test("records_a_video", async ({ me }) => {
  await me.play(true);
  await me.page.keyboard.press("v");
  const drawn = await me.get("drawn");
  await me.within(400, "pictures are drawn", async () => (await me.get("drawn")) > drawn + 8);
  await me.page.keyboard.press("v");
  await me.until(() => window.resilin.recording > 300);
});

test("no_error_was_written_to_the_console", async ({ me }) => {
  check(me.errors.length === 0, `on the console: ${me.errors}`);
});

/** Another server and another visit. */
async function visiting(context, input, body) {
  const server = await Server.start(input, "--paused");
  try {
    const me = await Visitor.visit(context, server.address());
    await body(me);
    check(me.errors.length === 0, `on the console: ${me.errors}`);
    await me.page.close();
  } finally {
    await server.stop();
  }
}

test("plays_a_run_back", async ({ context }) => {
  const run = join(folder, "run");
  const made = spawnSync(process.env.RESILIN, ["run", scene, "--frames", "12", "--out", run], { encoding: "utf8" });
  check(made.status === 0, made.stderr);
  await visiting(context, run, async (me) => {
    check((await me.get("mode")) === "playback", "it is no playback");
    const last = Number(await me.page.locator(".scrub").getAttribute("max"));
    check(last === 12, `the time line ends at ${last}`);
    const start = await me.get("positionDrawn", 0);
    await me.page.locator(".scrub").focus();
    await me.page.keyboard.press("End");
    await me.until((n) => window.resilin.step === n, last);
    const end = await me.get("positionDrawn", 0);
    check(end.some((x, i) => x !== start[i]), "the last frame is the first one");
    await me.page.keyboard.press("Home");
    await me.until(() => window.resilin.step === 0);
    check((await me.get("positionDrawn", 0)).every((x, i) => x === start[i]), "the first frame is another one now");
    await me.play(true);
    let before = 0;
    await me.within(200, "it loops", async () => {
      const step = await me.get("step"), again = step < before;
      before = step;
      return again;
    });
  });
});

test("drags_a_reduced_body_and_replays_it", async ({ context }) => {
  await visiting(context, reduced, async (me) => {
    await pull(me, await me.hold(), [20, -80]);
    await me.page.mouse.up();
    await replays(me, reduced);
  });
});

test("shows_skin_moving_obstacle_and_damping_curve", async ({ context }) => {
  await visiting(context, workshop, async (me) => {
    check(await me.get("embedded"), "the skin has no weights");
    const skin = await me.get("project", [0.1, 0.29, 0.14]), [drawn] = await me.get("pixels", [skin]);
    check(Math.max(...drawn) - Math.min(...drawn) > 60, `the skin is not drawn: ${drawn}`); // the sky and the ground are pale
    const from = await me.get("obstacle", 0), grey = ([r, g, b]) => Math.max(r, g, b) < 190 && Math.max(r, g, b) - Math.min(r, g, b) < 40;
    const to = [from[0], from[1] + 0.4, from[2]], pixel = async (at) => (await me.get("pixels", [await me.get("project", at)]))[0];
    const there = await pixel(from), sky = await pixel(to);
    check(grey(there) && !grey(sky), `the ball is ${there}, the sky ${sky}`);
    await me.get("stepBy", 13);
    await me.until(() => window.resilin.status.step === 13 && window.resilin.step === 13);
    const now = await me.get("obstacle", 0);
    check(Math.abs(now[1] - to[1]) < 1e-4, `the ball rose to ${now[1]}, and not to ${to[1]}`);
    check(grey(await pixel(to)), `the ball is not drawn where it is now: ${await pixel(to)}`);
    await me.page.click("text=Damping: strain_rate");
    await me.page.click('[data-curve="bodies[0].damping"] button');
    await me.until(() => window.resilin.curve.samples.length > 10);
    await dragPoint(me, 0, 40);
    await me.until(() => window.resilin.text.bodies[0].damping.spline[0][1] < 0.9);
    const { spline } = (await me.get("text")).bodies[0].damping, count = await me.get("edits");
    check(spline[0][1] > 0 && spline[1][1] === 1 && spline[2][1] === 1, `the first point was dragged down: ${JSON.stringify(spline)}`);
    await dragPoint(me, 0, 250); // negative damping
    await me.page.locator(".curve-reason.bad").waitFor();
    check((await me.get("edits")) === count, "a refused curve was sent");
    await me.page.click(".curve-dialog .icon-button");
    await pull(me, await me.hold(), [0, -60]); // the skin's nearest vertex may be far from the pointer
    await me.page.mouse.up();
  });
});

test("shows_what_is_inside_of_a_hollow_obstacle", async ({ context }) => {
  await visiting(context, bowl, async (me) => {
    const middle = await me.get("anyPoint"), [block] = await me.get("pixels", [middle]);
    check(block[2] > block[0] + 40, `the block is blue, and not ${block}`);
    const above = await me.get("project", [0, 0.4, 0]), [wall] = await me.get("pixels", [above]);
    check(Math.max(...wall) < 190 && Math.max(...wall) - Math.min(...wall) < 40, `behind it is the wall, and not ${wall}`);
  });
});

test("tells_its_speed_while_it_plays_only", async ({ context }) => {
  await visiting(context, bowl, async (me) => {
    check((await me.get("status")).realtime === null, "it stands still, and has a speed");
    await me.page.keyboard.press("Space");
    await me.until(() => window.resilin.playing && window.resilin.status.realtime > 0);
    await me.frames(10);
    await me.page.keyboard.press("Space");
    await me.until(() => !window.resilin.playing && window.resilin.status.realtime === null);
    const figures = await me.page.locator(".figures").textContent();
    check(!figures.includes("real time"), `while it stands still: ${figures}`);
  });
});

test("comes_back_after_the_server_restarts", async ({ me, server, context }) => {
  const opened = await me.get("opened"), { port } = server;
  await server.stop();
  await me.page.locator(".banner", { hasText: "gone" }).waitFor();
  await server.launch([scene, "--port", String(port)]);
  await me.until((n) => window.resilin.connection === "open" && window.resilin.opened > n && window.resilin.scene === "jelly", opened);
  await me.frames(2);
  // The new server has another token: this page may watch, and says how to control it.
  check(!(await me.get("control")), "an old token controls a new server");
  await me.page.locator(".badge").waitFor();
  await me.page.locator(".banner", { hasText: "restarted" }).waitFor();
  check(!(await me.page.locator(".lil-name", { hasText: "Squash flat" }).isVisible()), "who only watches is offered to squash the body");
  await me.page.click(".banner button");
  await me.page.locator(".banner").waitFor({ state: "hidden" });
  const other = await Visitor.visit(context, server.address());
  check((await other.get("control")) && (await other.page.locator(".banner").isHidden()), "the new link does not control it");
  await other.page.close();
});

const server = await Server.start(scene, "--paused");
const browser = await launchBrowser();
const context = await browser.newContext({ viewport: { width: 860, height: 420 }, hasTouch: true, colorScheme: "light" });
const me = await Visitor.visit(context, server.address());
const first = await me.get("positionDrawn", 0);
try {
  await runTests({ me, server, context });
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
