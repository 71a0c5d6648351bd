// The page in a real browser, on one server and one visit but for the tests that need others. test_page.py runs this and reads its lines.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { check, launchBrowser, runTests, Server, test, Visitor } from "./harness.mjs";

const folder = mkdtempSync(join(tmpdir(), "resilin_page_"));
const scene = join(folder, "jelly.json");
writeFileSync(scene, JSON.stringify({
  name: "jelly", description: "A soft block on the ground, and a ball.", step: 1 / 60,
  bodies: [
    { name: "block", shape: { type: "box", size: [0.6, 0.3, 0.3], cells: [4, 2, 2] }, translate: [0, 0.155, 0], material: { type: "neo_hookean", young: 4e4, poisson: 0.4 } },
    { name: "ball", shape: { type: "sphere", radius: 0.12, spacing: 0.1 }, translate: [0.7, 0.14, 0], material: { type: "neo_hookean", young: 4e4, poisson: 0.4 } },
  ],
  obstacles: [{ type: "plane", friction: 0.5 }],
}));

/** Up to the mesh's corner, a cube without its lid: the mesh doctor has something to say. */
const OPEN_BOX = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 3 2\nf 1 4 3\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n`;

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
  await me.play(false);
  const point = await me.get("anyPoint"), [body, sky] = await me.get("pixels", [point, [8, 60]]);
  check(body[2] > body[0] + 40, `the first body is blue, and not ${body}`);
  check(Math.min(...sky) > 150, `the sky of the light theme is bright, and not ${sky}`);
});

test("drags_a_vertex_to_the_pointer", async ({ me }) => {
  await me.play(true);
  const from = await me.get("anyPoint"), to = [from[0] - 60, from[1] - 110], before = await me.get("editsApplied");
  await me.page.mouse.move(...from);
  await me.page.mouse.down();
  const drawn = await me.get("pickedDrawn"), away = distance(await me.get("pixelOfDrawn", drawn), to);
  await me.page.mouse.move(...to, { steps: 4 });
  await me.within(200, "the vertex goes to the pointer", async () => distance(await me.get("pixelOfDrawn", drawn), to) < 0.5 * away);
  check((await me.get("editsApplied")) > before, "no edit was applied");
  const held = await height(me, drawn);
  await me.page.mouse.up();
  await me.within(200, "it falls when it is let go", async () => (await height(me, drawn)) < held - 0.02);
});

test("turns_the_camera_beside_the_body", async ({ me }) => {
  await me.play(true);
  const before = await me.get("camera"), edits = await me.get("edits");
  await me.page.mouse.move(20, 80);
  await me.page.mouse.down();
  await me.page.mouse.move(90, 80, { steps: 3 });
  await me.page.mouse.up();
  const after = await me.get("camera");
  check(before[4] !== after[4] && before[3] === after[3], `azimuth ${before[4]} became ${after[4]}`);
  await me.page.mouse.wheel(0, 200);
  await me.until((d) => window.resilin.camera[3] > d, after[3]);
  check((await me.get("edits")) === edits, "an edit was sent");
  await me.page.keyboard.press("f");
});

test("two_fingers_turn_and_zoom", async ({ me }) => {
  const before = await me.get("camera"), edits = await me.get("edits"), client = await me.page.context().newCDPSession(me.page);
  const touch = (type, ...points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch("touchStart", [200, 120]);
  await touch("touchStart", [200, 120], [260, 120]);
  await touch("touchMove", [180, 150], [300, 150]);
  await touch("touchMove", [150, 170], [330, 170]);
  await touch("touchEnd");
  const after = await me.get("camera");
  check(after[3] < 0.9 * before[3], `spread fingers zoom in: distance ${before[3]} became ${after[3]}`);
  check(after[5] > before[5], `down is a higher camera: ${before[5]} became ${after[5]}`);
  check((await me.get("edits")) === edits, "an edit was sent");
  await me.get("fitCamera");
});

test("pins_by_double_click", async ({ me }) => {
  await me.play(false);
  const pins = await me.get("pins"), point = await me.get("anyPoint");
  await me.page.mouse.dblclick(...point);
  await me.until((n) => window.resilin.pins.length === n, pins.length + 1);
  const picked = await me.get("picked");
  check((await me.get("pins")).includes(picked), "another vertex is pinned");
  await me.page.mouse.dblclick(...point);
  await me.until((n) => window.resilin.pins.length === n, pins.length);
});

test("pauses_steps_and_restarts", async ({ me }) => {
  await me.play(false);
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
  await me.play(false);
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

test("colours_by_speed_with_a_legend", async ({ me }) => {
  await me.play(true);
  const point = await me.get("anyPoint"), [plain] = await me.get("pixels", [point]);
  await me.get("colourBy", "speed");
  await me.page.locator(".legend").waitFor({ state: "visible" });
  check(/m\/s/.test(await me.page.locator(".legend-label").textContent()), "the legend has no unit");
  await me.frames(2);
  const [coloured] = await me.get("pixels", [await me.get("anyPoint")]);
  check(plain.some((c, i) => Math.abs(c - coloured[i]) > 12), `the body keeps its colour ${plain}`);
  await me.get("colourBy", "none");
  await me.page.locator(".legend").waitFor({ state: "hidden" });
});

test("cuts_the_body_open", async ({ me }) => {
  await me.play(true);
  const serial = await me.get("serial"), count = await me.get("vertices");
  await me.get("cut", "x", 0.4);
  await me.until((n) => window.resilin.serial !== n && window.resilin.step >= 0, serial);
  await me.frames(1);
  check((await me.get("vertices")) !== count, "the same vertices are drawn");
  await me.get("cut", "none", 0.5);
  await me.until((n) => window.resilin.vertices === n, count);
  await me.frames(1);
});

test("compares_side_by_side", async ({ me }) => {
  await me.play(true);
  await me.page.keyboard.press("c");
  await me.page.click(".compare-dialog .primary");
  await me.until(() => window.resilin.views.length === 2 && window.resilin.positionDrawn(0, 1) && !document.querySelector("dialog[open]"));
  await me.within(60, "the convergence of both is plotted", async () => (await me.get("lines")).length === 2);
  const labels = await me.get("views");
  check(labels.includes("newton") && labels.includes("quasi_newton"), `the views are ${labels}`);
  let point = null;
  await me.within(60, "both bodies are drawn", async () => { // the sky is pale
    point = await me.get("anyPoint");
    if (!point) return false;
    const middle = await me.get("positionDrawn", 0, 0); // the same place in both: beside each other, or one above the other
    const [a, b] = [await me.get("project", middle, 0), await me.get("project", middle, 1)];
    const both = await me.get("pixels", [point, [point[0] + b[0] - a[0], point[1] + b[1] - a[1]]]);
    return both.every((pixel) => Math.max(...pixel) - Math.min(...pixel) > 60);
  });
  await me.page.mouse.move(...(await me.get("anyPoint")));
  await me.page.mouse.down();
  const drawn = await me.get("pickedDrawn"), low = [await height(me, drawn, 0), await height(me, drawn, 1)];
  await me.page.mouse.move(point[0], point[1] - 90, { steps: 3 });
  await me.within(300, "one hand moves both", async () => (await height(me, drawn, 0)) > low[0] + 0.03 && (await height(me, drawn, 1)) > low[1] + 0.03);
  await me.page.mouse.up();
  await me.page.keyboard.press("c");
  await me.page.click("text=One view again");
  await me.until(() => window.resilin.views.length === 1 && !document.querySelector("dialog[open]"));
  await me.page.keyboard.press("p");
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

test("edits_a_curve", async ({ me }) => {
  await me.page.click('[data-curve="bodies[0].material"] button');
  await me.until(() => window.resilin.curve.samples.length > 10);
  const middle = async (i) => {
    const box = await me.page.locator(`[data-point="${i}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const drag = async (i, dy) => {
    const [x, y] = await middle(i);
    await me.page.mouse.move(x, y);
    await me.page.mouse.down();
    await me.page.mouse.move(x, y + dy, { steps: 3 });
    await me.page.mouse.up();
  };
  await drag(4, 30);
  await me.until(() => Array.isArray(window.resilin.text.bodies[0].material.stress));
  const stress = (await me.get("text")).bodies[0].material.stress, count = (await me.get("edits"));
  check(stress[4][1] < 0.8 * 3e4 && stress[3][1] === 0.35 * 3e4, `the last point was dragged down: ${JSON.stringify(stress)}`);
  await drag(2, -40); // stress at rest
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

test("plays_a_run_back", async ({ context }) => {
  const run = join(folder, "run");
  const made = spawnSync(process.env.RESILIN, ["run", scene, "--frames", "12", "--out", run], { encoding: "utf8" });
  check(made.status === 0, made.stderr);
  const server = await Server.start(run, "--paused");
  try {
    const me = await Visitor.visit(context, server.address());
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
    check(me.errors.length === 0, `on the console: ${me.errors}`);
    await me.page.close();
  } finally {
    await server.stop();
  }
});

test("comes_back_after_the_server_restarts", async ({ me, server }) => {
  const opened = await me.get("opened"), { port } = server;
  await server.stop();
  await me.page.locator(".banner").waitFor({ state: "visible" });
  await server.launch([scene, "--port", String(port)]);
  await me.until((n) => window.resilin.connection === "open" && window.resilin.opened > n && window.resilin.scene === "jelly", opened);
  await me.frames(2);
  await me.page.locator(".banner").waitFor({ state: "hidden" });
  // The new server has another token: this page may watch now.
  check(!(await me.get("control")), "an old token controls a new server");
  await me.page.locator(".badge").waitFor({ state: "visible" });
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
