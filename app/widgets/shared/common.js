// Shared by every component. Data is written through textContent and attributes only.

/** Build once a content, then only mark what is chosen; called again at every change of data. */
function mount(component, build) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".root");
  const mode = isDark(root) ? "dark" : "light";
  const content = JSON.stringify([data.fixed, mode]);
  root.send = setTriggerValue;
  if (root.content !== content) {
    const focused = root.contains(parentElement.activeElement ?? document.activeElement);
    root.watcher?.disconnect();
    root.replaceChildren();
    for (const [role, colour] of Object.entries(data.palette[mode].roles)) {
      root.style.setProperty(`--${role}`, colour);
    }
    const send = (name, value) => root.send(name, value);
    root.mark = build(root, data.fixed, data.palette[mode], send);
    root.content = content;
    root.mark(data.chosen);
    if (focused) root.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  } else {
    root.mark(data.chosen);
  }
  return () => root.watcher?.disconnect();
}

/** Call back with the width of the root now and whenever it changes. */
function watchWidth(root, callback) {
  let last = 0;
  const tell = () => {
    const width = root.clientWidth;
    if (width > 0 && width !== last) callback((last = width));
  };
  root.watcher = new ResizeObserver(tell);
  root.watcher.observe(root);
  tell();
}

function isDark(root) {
  const [r, g, b] = rgb(getComputedStyle(root).getPropertyValue("--st-background-color") || "#fff");
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}

/** Any CSS colour as [red, green, blue]; a canvas knows them all. */
function rgb(colour) {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  pen.fillStyle = colour.trim();
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)];
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
  const light = 0.299 * r + 0.587 * g + 0.114 * b > 140;
  return { fill: `rgb(${r} ${g} ${b})`, ink: light ? "#14161c" : "#ffffff" };
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

function textWidth(text, font) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  return pen.measureText(text).width;
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
