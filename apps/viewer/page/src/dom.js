// Making elements. Styles live in page.css: the server's Content-Security-Policy takes no inline ones.

/**
 * @param {string} tag  "button.primary" has a class
 * @param {object} [attributes]  `on...` are listeners, `text` is the text, the rest properties or attributes
 * @param {...(Node|string)} children
 */
export function make(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "text") element.textContent = value;
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function makeSvg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Drawn on a grid of 24, as strokes.
const ICONS = {
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  step: "M6 5l9 7-9 7zM18 5v14",
  restart: "M4 12a8 8 0 1 0 3-6.2M4 4v5h5",
  gallery: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  compare: "M3 5h8v14H3zM13 5h8v14h-8z",
  plots: "M4 4v16h16M7 15l4-5 3 3 5-7",
  record: "M12 12m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0",
  share: "M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5",
  panel: "M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M6 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
  theme: "M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8",
  help: "M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M12 17v.5M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18",
  focus: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5",
  loop: "M4 11V9a3 3 0 0 1 3-3h12M16 3l3 3-3 3M20 13v2a3 3 0 0 1-3 3H5M8 21l-3-3 3-3",
  close: "M6 6l12 12M18 6L6 18",
  upload: "M12 15V4M8 8l4-4 4 4M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4",
};

export function icon(name) {
  return makeSvg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, makeSvg("path", { d: ICONS[name] }));
}

/** A button with an icon; `label` is read by screen readers and shown as the tooltip. */
export function iconButton(name, label, onclick, { text = "" } = {}) {
  const button = make("button.icon-button", { title: label, "aria-label": label, type: "button", onclick }, icon(name));
  if (text) button.append(make("span.button-text", { text }));
  return button;
}

/** @returns {HTMLDialogElement} a dialog that closes by its cross, by Escape and by a click beside it */
export function makeDialog(title, className, ...children) {
  const dialog = make(`dialog.${className}`, { "aria-label": title });
  const close = iconButton("close", "Close", () => dialog.close());
  dialog.append(make("header.dialog-header", {}, make("h2", { text: title }), close), ...children);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return dialog;
}

export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const anchor = make("a", { href: address, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
