// window.resilin: what tests and curious people look at. Waits count frames, never time.

export function exposeForTests({ store, connection, view, pointer, messages, plots, recorder, share, panel, curveEditor }) {
  const drawnOf = (vertex) => store.mesh?.vertex.indexOf(vertex) ?? -1;
  const positionOf = (drawn, of = 0) => (store.frames[of] ? [...store.frames[of].positions.subarray(3 * drawn, 3 * drawn + 3)] : null);
  const waits = [];
  const check = () => {
    for (let i = waits.length; i-- > 0;) if (waits[i].ready()) waits.splice(i, 1)[0].resolve();
  };
  store.on("frame", () => setTimeout(check, 0));

  window.resilin = {
    get connection() { return connection.state; },
    get opened() { return connection.opened; },
    get control() { return store.control; },
    get scene() { return store.scene?.name ?? null; },
    get mode() { return store.scene?.mode ?? null; },
    get text() { return store.text; },
    get frames() { return store.received; },
    get step() { return store.frames[0]?.step ?? -1; },
    get time() { return store.frames[0]?.time ?? -1; },
    get playing() { return Boolean(store.status?.playing); },
    get status() { return store.status; },
    get views() { return store.scene?.views ?? []; },
    get serial() { return store.mesh?.serial ?? -1; },
    get vertices() { return store.mesh?.vertex.length ?? 0; },
    get embedded() { return Boolean(store.mesh?.corners); },
    get edits() { return store.edits; },
    get editsApplied() { return store.frames[0]?.edits ?? 0; },
    get picked() { return pointer.picked ?? null; },
    get pickedDrawn() { return pointer.pickedDrawn ?? null; },
    get pins() { return [...store.pins]; },
    get refused() { return messages.refusals; },
    get drawn() { return view.drawn; },
    get lines() { return plots.lines ?? []; },
    get recording() { return recorder.saved?.size ?? 0; },
    get link() { return share.address(); },
    get quality() { return view.sky ? "high" : "plain"; },
    get curve() { return curveEditor; },
    get camera() { return view.camera.save(); },
    set camera(values) {
      view.camera.load(values);
      view.markDirty();
    },
    panel,
    pointer,
    /** Of a vertex of the model, or of a drawn one. */
    position: (vertex, of = 0) => positionOf(drawnOf(vertex), of),
    positionDrawn: positionOf,
    project: (position, of = 0) => view.project(position, of),
    pixelOfDrawn: (drawn, of = 0) => view.project(positionOf(drawn, of), of),
    hit: (x, y) => {
      const hit = pointer.hit(x, y);
      return hit && { view: hit.view, body: hit.body, drawn: hit.drawn };
    },
    /** A pixel of the page where a body is drawn, near the middle of the first view. */
    anyPoint() {
      const { triangles } = store.mesh, { positions } = store.frames[0];
      const canvas = view.canvas.getBoundingClientRect(), r = view.rectangles()[0];
      const middleX = canvas.left + r.x + r.width / 2, middleY = canvas.top + r.y + r.height / 2;
      let best = null;
      for (let t = 0; t < triangles.length; t += 3) {
        const middle = [0, 1, 2].map((k) => (positions[3 * triangles[t] + k] + positions[3 * triangles[t + 1] + k] + positions[3 * triangles[t + 2] + k]) / 3);
        const [x, y] = view.project(middle), off = Math.hypot(x - middleX, y - middleY);
        if (best && off >= best.off) continue;
        const hit = pointer.hit(x, y);
        if (hit?.view === 0 && hit.drawn[0] === triangles[t] && hit.drawn[1] === triangles[t + 1]) best = { x, y, off };
      }
      return best && [best.x, best.y];
    },
    /** Colours of pixels of the canvas, at points of the page. */
    async pixels(points) {
      const bitmap = await createImageBitmap(await view.toBlob());
      const copy = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      copy.drawImage(bitmap, 0, 0);
      const box = view.canvas.getBoundingClientRect(), scale = bitmap.width / box.width;
      return points.map(([x, y]) => [...copy.getImageData(Math.round((x - box.left) * scale), Math.round((y - box.top) * scale), 1, 1).data.slice(0, 3)]);
    },
    /** Middle of an obstacle's drawn vertices. */
    obstacle(number) {
      const at = view.obstacles[number].attributes.position.array;
      return [0, 1, 2].map((k) => at.filter((_, i) => i % 3 === k).reduce((sum, x) => sum + x, 0) / (at.length / 3));
    },
    setQuality: (name) => view.setSky(name === "high"),
    stepBy: (frames) => connection.send("step", { frames }),
    fitCamera: () => view.fit(),
    colourBy: (by) => void panel.colourRow.setValue(by),
    cut(across, at) {
      Object.assign(panel.look, { at });
      panel.cutRow.setValue(across);
    },
    /** Draws until the picture stands still: for screenshots. */
    settle() {
      do view.draw(); while (view.dirty);
    },
    /** Resolves when so many more frames were received. */
    nextFrames(count = 1) {
      const until = store.received + count;
      return new Promise((resolve) => waits.push({ ready: () => store.received >= until, resolve }));
    },
  };
}
