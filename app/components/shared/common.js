// What all components share. Data is written through textContent and attributes only.

const kinds = {}; // by the name of a component: { build, sheet }
const waiting = new Map(); // what is to be drawn in the next frame, by root
const colours = new Map(); // as a style sheet writes them: [red, green, blue]

/** Add a component: how it is built, and its style sheet, read once for all of its kind. */
function define(name, build, style) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  kinds[name] = { build, sheet };
}

/** Build once a content, then only mark what is chosen; called again at every change of data. */
function mount(component, name) {
  const root = component.parentElement.querySelector(".root");
  const { build, sheet } = kinds[name];
  component.parentElement.adoptedStyleSheets = [kinds.shared.sheet, sheet];
  root.send = component.setTriggerValue;
  if (waiting.size === 0) requestAnimationFrame(drawWaiting);
  waiting.set(root, { root, component, build });
  return () => root.watcher?.disconnect();
}

/** All that is to be drawn, together: a read of the page after a write to it lays it all out. */
function drawWaiting() {
  const jobs = [...waiting.values()].filter(({ root }) => root.isConnected);
  waiting.clear();
  for (const { root } of jobs) readPage(root);
  for (const job of jobs) rebuild(job);
  for (const { root, component } of jobs) root.mark(component.data.chosen);
}

/** The width and the theme that a root is drawn with. */
function readPage(root) {
  const style = getComputedStyle(root);
  const of = (name) => style.getPropertyValue(name).trim();
  const [ground, accent] = [of("--st-background-color"), of("--st-primary-color")];
  root.page = { font: style.fontFamily, ink: style.color, ground, accent };
  root.room ||= root.clientWidth;
  // Shown, but too far from what is seen to be painted, as its style sheet allows.
  const inside = root.firstElementChild?.checkVisibility?.({ contentVisibilityAuto: true });
  root.skipped = inside === false && root.checkVisibility();
}

function rebuild({ root, component, build }) {
  const { data, parentElement } = component;
  const mode = isDark(root.page.ground) ? "dark" : "light";
  const content = JSON.stringify([data.fixed, mode]);
  if (root.content === content) return;
  const focused = root.contains(parentElement.activeElement ?? document.activeElement);
  root.watcher?.disconnect();
  root.replaceChildren();
  for (const [role, colour] of Object.entries(data.palette[mode].roles)) {
    root.style.setProperty(`--${role}`, colour);
  }
  const send = (name, value) => root.send(name, value);
  root.mark = build(root, data.fixed, data.palette[mode], send);
  root.content = content;
  if (focused) root.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
}

/** Call back with the width of the root now and whenever it changes. */
function watchWidth(root, callback) {
  let last = 0;
  const tell = (width) => {
    if (width > 0 && width !== last) callback((last = root.room = width));
  };
  root.watcher = new ResizeObserver(() => tell(root.clientWidth));
  root.watcher.observe(root);
  tell(root.room);
}

function isDark(ground) {
  const [r, g, b] = rgb(ground || "#fff");
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}

/** Any CSS colour as [red, green, blue]; a canvas knows them all. */
function rgb(colour) {
  if (colours.has(colour)) return colours.get(colour);
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  colours.set(colour, [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)]);
  return colours.get(colour);
}

/** 256 colours between the stops of a scale. */
function colourTable(stops) {
  const ends = stops.map(rgb);
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (ends.length - 1);
    const low = Math.min(Math.floor(at), ends.length - 2);
    return ends[low].map((c, k) => Math.round(c + (ends[low + 1][k] - c) * (at - low)));
  });
}

/** The colour of a weight, and an ink that can be read on it. */
function paint(table, weight) {
  const [r, g, b] = table[Math.round(Math.min(Math.max(weight, 0), 1) * 255)];
  // Where black and white stand out alike (relative luminance 0.18), each does by 4.58 to 1.
  const [lr, lg, lb] = [r, g, b].map((part) => (part / 255) ** 2.2);
  const light = 0.2126 * lr + 0.7152 * lg + 0.0722 * lb > 0.18;
  return { fill: `rgb(${r} ${g} ${b})`, ink: light ? "#000000" : "#ffffff" };
}

function decode(text, Type) {
  return new Type(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);
}

function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

function makeSvg(tag, attributes = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Put values into "{name}" marks in one pass: a token "{key}" stays what it is. */
function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (mark, name) => values[name] ?? mark);
}

function say(readout, text, live = true) {
  readout.textContent = text;
  readout.classList.toggle("live", live);
}

const ruler = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

function textWidth(text, font) {
  ruler.font = font;
  return ruler.measureText(text).width;
}

/** Only one element of a group takes part in the order of Tab; arrows move within the group. */
function rove(elements, active) {
  for (const element of elements) element.tabIndex = element === active ? 0 : -1;
}

function ramp(table) {
  const bar = make("span", "ramp");
  const stops = [0, 51, 102, 153, 204, 255].map((i) => `rgb(${table[i].join(" ")})`);
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return bar;
}
