// From a component's data to its drawing, which is built once per content and then only marked.
import { isDark } from "./colour.js";
import { fitScreen } from "./fit.js";
import { forgetSidebar } from "./memory.js";

const SCREEN = ["part", "all", "view", "lesson", "at", "open"]; // the parameters that identify a screen

shorten();
forgetSidebar();

/** @type {Record<string, { build: import("./types").Build, sheet: CSSStyleSheet }>} */
const kinds = {}; // by the name of a component: { build, sheet }
/** @type {WeakMap<HTMLElement, import("./types").View>} */
const views = new WeakMap(); // by root
/** @type {Set<import("./types").View>} */
const waiting = new Set(); // the views to draw in the next frame
/** @type {Map<string, any>} */
const files = new Map(); // what is drawn, by the address of its file
const AGAIN = 5000; // milliseconds until a file that did not come is asked for again

/**
 * Define a component: how it is built, and its style sheet, parsed once for all of its kind.
 * @param {string} name @param {import("./types").Build} build @param {string} style
 */
export function define(name, build, style) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  kinds[name] = { build, sheet };
}

/**
 * Draw a component in the next frame; called again at every change of its data. What is a file of
 * its own is asked for by `get`, which a saved page does not have.
 * @param {import("./types").Component} component @param {string} name
 * @param {typeof fetch} [get]
 */
export function mount(component, name, get) {
  const root = /** @type {HTMLElement} */ (component.parentElement.querySelector(".root"));
  const view = views.get(root) ?? makeView(root, kinds[name].build);
  views.set(root, view);
  view.component = component;
  component.parentElement.adoptedStyleSheets = [kinds.shared.sheet, kinds[name].sheet];
  const { file } = component.data;
  if (get && file && !files.has(file)) read(file, view, get);
  else drawSoon(view);
  return () => view.watcher?.disconnect();
}

/** @param {import("./types").View} view */
function drawSoon(view) {
  if (waiting.size === 0) requestAnimationFrame(drawWaiting);
  waiting.add(view);
}

/**
 * Read the file that a view draws, and draw it unless it draws another one by then.
 * @param {string} file @param {import("./types").View} view @param {typeof fetch} get
 */
async function read(file, view, get) {
  const isAsked = () => view.root.isConnected && view.component.data.file === file;
  try {
    const answer = await get(file);
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    files.set(file, await answer.json());
  } catch {
    setTimeout(() => isAsked() && read(file, view, get), AGAIN);
    return;
  }
  if (isAsked()) drawSoon(view);
}

/**
 * Make a view; its other fields are set before it is built.
 * @param {HTMLElement} root @param {import("./types").Build} build
 * @returns {import("./types").View}
 */
function makeView(root, build) {
  /** @type {any} */
  const view = {
    root,
    build,
    memory: {},
    room: 0,
    skipped: false,
    send: (value) => view.component.setTriggerValue("event", value),
    watchWidth: (callback) => watchWidth(view, callback),
  };
  return view;
}

/** Draw all waiting views together, as reading from the page after a write forces a layout. */
function drawWaiting() {
  const drawn = [...waiting].filter(({ root }) => root.isConnected);
  waiting.clear();
  if (!drawn.length) return;
  // Streamlit's own page is always English. Setting a language, even to what it is, makes the
  // browser compute the style of every element again.
  const { language } = drawn[0].component.data;
  if (document.documentElement.lang !== language) document.documentElement.lang = language;
  for (const view of drawn) readPage(view);
  for (const view of drawn) rebuild(view);
  for (const view of drawn) view.mark?.(view.component.data.chosen);
  fitScreen();
}

/**
 * Read the width and the theme that a component is drawn with.
 * @param {import("./types").View} view
 */
function readPage(view) {
  const { root } = view;
  const style = getComputedStyle(root);
  const of = (name) => style.getPropertyValue(name).trim();
  const [ground, accent] = [of("--st-background-color"), of("--st-primary-color")];
  view.page = { font: style.fontFamily, ink: style.color, ground, accent };
  view.room ||= root.clientWidth;
  // Visible in principle, but too far out of sight to be painted, as its style sheet allows.
  const inside = root.firstElementChild?.checkVisibility?.({ contentVisibilityAuto: true });
  view.skipped = inside === false && root.checkVisibility();
}

/** @param {import("./types").View} view */
function rebuild(view) {
  const { root, component } = view;
  const { data, parentElement } = component;
  const mode = isDark(view.page.ground) ? "dark" : "light";
  const content = JSON.stringify([data.file ?? data.fixed, mode, data.language]);
  if (view.content === content) return;
  const focused = root.contains(parentElement.activeElement ?? document.activeElement);
  view.watcher?.disconnect();
  root.replaceChildren();
  view.palette = data.palette[mode];
  for (const [role, colour] of Object.entries(view.palette.roles)) {
    root.style.setProperty(`--${role}`, colour);
  }
  view.mark = view.build(view, data.file ? files.get(data.file) : data.fixed);
  view.content = content;
  if (focused)
    /** @type {HTMLElement | null} */ (root.querySelector('[tabindex="0"]'))?.focus({
      preventScroll: true,
    });
}

/**
 * Call back with the width of a component now and whenever it changes.
 * @param {import("./types").View} view @param {(width: number) => void} callback
 */
function watchWidth(view, callback) {
  const { root } = view;
  let last = 0;
  const report = (/** @type {number} */ width) => {
    if (width === 0 || width === last) return;
    last = view.room = width;
    callback(width);
  };
  view.refit = () => {
    last = view.room = root.clientWidth;
    callback(last);
  };
  const watcher = new ResizeObserver(() => report(root.clientWidth));
  watcher.observe(root);
  view.watcher = watcher;
  report(view.room);
}

/** @param {URL} from @param {URL} to */
function isSameScreen(from, to) {
  const differs = (name) => from.searchParams.get(name) !== to.searchParams.get(name);
  const isAnchored = to.hash !== "" && to.hash !== from.hash; // a stop of the stage
  return from.pathname === to.pathname && !isAnchored && !SCREEN.some(differs);
}

/** Return whether one sentence continues the other, as it does during typing.
 * @param {URL} from @param {URL} to */
function isTyped(from, to) {
  const [before, after] = [from, to].map(({ searchParams }) => searchParams.get("text"));
  if (before === null || after === null) return before === after;
  return before.startsWith(after) || after.startsWith(before);
}

/**
 * From now on, typing or changing a choice adds no entry to the history: Back leads to the previous
 * screen or example, not through every letter and every choice.
 */
function shorten() {
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const [from, to] = [new URL(location.href), new URL(url ?? "", location.href)];
    if (isSameScreen(from, to) && isTyped(from, to)) history.replaceState(state, title, url);
    else push(state, title, url);
  };
}
