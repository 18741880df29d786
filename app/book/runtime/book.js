// A book: screens of the app as they were drawn, with no server behind them.
import { make, makeButton } from "../../components/shared/dom.js";
import { mount } from "../../components/shared/mount.js";
import { frameOf, showFrame } from "./frame.js";
import { bytesOf } from "./packed.js";
import { closePanel, marksOf, openCell } from "./panel.js";
import { play, stop } from "./player.js";
import { morph } from "./skeleton.js";
import { writeTables } from "./tables.js";

const MODES = ["", "light", "dark"];
const FIGURE = "figure=";
/** @type {any} */
let index = null; // what all screens of this walk share
/** @type {Map<string, string>} */
const pieces = new Map(); // texts and figures by what is in them
const parts = new Map(); // what came with a file of data, by its name
const waiting = new Map(); // who waits for a file, by its name
const components = new Map(); // by their places
let telling = 0; // until what is said goes again
const here = {
  name: "",
  settings: {},
  skeleton: /** @type {any} */ (null),
  screen: /** @type {any} */ (null),
};

/** Take what a file of data brings. @param {string} name @param {string} packed */
export async function take(name, packed) {
  const stream = new Blob([bytesOf(packed)])
    .stream()
    .pipeThrough(new DecompressionStream("deflate"));
  const part = JSON.parse(await new Response(stream).text());
  for (const [key, text] of Object.entries(part.pieces ?? {})) pieces.set(key, text);
  parts.set(name, part);
  waiting.get(name)?.resolve(part);
}

/** Load a file of data; what fails is told, and can be tried again. @returns {Promise<any>} */
function load(/** @type {string} */ name) {
  if (parts.has(name)) return Promise.resolve(parts.get(name));
  const known = waiting.get(name);
  if (known) return known.promise;
  const promised = Promise.withResolvers();
  waiting.set(name, promised);
  if (index?.files?.[name]) {
    const script = make("script", "", [], { src: index.files[name] });
    script.addEventListener("error", () => {
      waiting.delete(name);
      tell(index.text.unloaded);
    });
    document.head.append(script);
  }
  return promised.promise;
}

/** Begin with the screen that the file shows, or the one that its address names. */
export async function start() {
  index = await load("index");
  await load("shared");
  const shown = document.body.dataset.screen ?? "";
  await draw(shown, Boolean(index.single));
  listen();
  const { name, figure } = addressed();
  if (name && name !== shown) await open(name, false);
  if (figure) showFrame(figure);
  // What was chosen before anybody listened is followed now.
  for (const control of [...controls(document)].filter(isChosen))
    control.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Which screen, and which figure of it alone, the address names. */
function addressed() {
  const named = location.hash.slice(1).split("&").map(decodeURIComponent);
  const figure = named.find((part) => part.startsWith(FIGURE))?.slice(FIGURE.length) ?? "";
  const name = named.find((part) => part in index.screens) ?? "";
  const file =
    location.pathname
      .split("/")
      .pop()
      ?.replace(/\.html$/, "") ?? "";
  return { name: name || (file in index.screens ? file : ""), figure };
}

/** Draw a screen that the page's own text shows already, or put it in the place of another. */
async function draw(name, again) {
  here.name = name;
  const screen = await load(name);
  if (here.name === name) put(screen, again); // else another one was opened meanwhile
}

function put(screen, again = false) {
  const skeleton = parsed(screen.html);
  const main = mainPart();
  if (again || !here.skeleton) {
    if (again) fill(main, skeleton);
    else for (const place of main.querySelectorAll(".piece:empty")) write(place);
    here.skeleton = skeleton;
    enliven(main);
  } else change(skeleton);
  Object.assign(here, { screen, settings: screen.settings });
  document.title = screen.title;
}

/** Open another screen. @param {string} name */
async function open(name, push = true) {
  if (!(name in index.screens)) return tell(index.text.missing);
  stop();
  closePanel();
  if (push) visit(name);
  await draw(name, false);
  document.querySelector(".stMain")?.scrollTo(0, 0);
}

function visit(name) {
  if (location.protocol === "file:" || index.single) location.hash = name;
  else history.pushState({}, "", `${name}.html`);
}

function mainPart() {
  return /** @type {HTMLElement} */ (document.getElementById("screen"));
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** @param {HTMLElement} main @param {DocumentFragment} skeleton */
function fill(main, skeleton) {
  main.replaceChildren(skeleton.cloneNode(true));
  for (const place of main.querySelectorAll(".piece")) write(place);
}

/** Write the text that belongs into a place. @param {any} place */
function write(place) {
  place.innerHTML = pieces.get(place.dataset.piece) ?? "";
  letScroll(place);
}

/** A formula that is too wide for its column is scrolled by keys as well. @param {any} root */
function letScroll(root) {
  for (const place of root.querySelectorAll(".formula.display"))
    if (place.scrollWidth > place.clientWidth) place.setAttribute("tabindex", "0");
}

/** Change what is another text, figure or choice, and leave all else as it is. */
function change(skeleton) {
  morph(mainPart(), here.skeleton, skeleton, { write, mounted: show, added: enliven });
  here.skeleton = skeleton;
  for (const place of document.querySelectorAll(".numbers")) {
    place.replaceChildren();
    opened(place.closest("details"));
  }
  for (const place of components.keys()) if (!place.isConnected) components.delete(place);
}

/** Give life to what was put into the page. @param {any} root */
function enliven(root) {
  letScroll(root);
  const own = root.matches?.("[data-kind]") ? [root] : [];
  for (const place of [...own, ...root.querySelectorAll("[data-kind]")]) show(place);
}

/** Draw a component in its place, or draw it again. @param {any} place */
function show(place) {
  const { kind, key, piece } = place.dataset;
  const component = components.get(place) ?? componentOf(place, kind, key);
  components.set(place, component);
  const { fixed, chosen } = place.given
    ? { fixed: place.given, chosen: place.marked }
    : whole(JSON.parse(pieces.get(piece) ?? "{}"));
  const { palette, language } = index;
  component.data = { fixed, chosen, palette, language };
  if (kind === "board")
    component.data.chosen = marksOf(place, chosen, parts.get(here.screen?.cells));
  mount(component, kind);
}

function componentOf(place, kind, key) {
  const parentElement = place.attachShadow({ mode: "open" });
  parentElement.append(make("div", "root"), make("slot"));
  if (index.figures.includes(kind) && key && !["diagram", "steps"].includes(key))
    place.append(copier(key));
  return { parentElement, data: null, setTriggerValue: (_, value) => answer(place, value) };
}

/** The texts of a payload that are pieces of their own, in their places. */
function whole(value) {
  if (typeof value === "string")
    return value[0] === "\0" ? (pieces.get(value.slice(1)) ?? value) : value;
  if (Array.isArray(value)) return value.map(whole);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, whole(each)]));
}

/** What a click in a component leads to. */
function answer(place, value) {
  const { kind, key } = place.dataset;
  if (kind === "steps") {
    const { screen, page, end } = value;
    if (page) open((end === "last" ? index.last : index.first)[page] ?? "");
    if (screen !== undefined) open(index.steps?.[screen] ?? screenOf(here.screen.page, screen));
    return;
  }
  if (kind === "diagram" || kind === "timeline") return open(index.first[value] ?? "");
  if (["search", "terms", "entries"].includes(kind))
    return open(screenOf(value.page, value.screen));
  if (kind === "board" || kind === "opened") return ask(place, value);
  respond(here.screen.events?.[key]?.[JSON.stringify(value)]);
}

function screenOf(page, screen) {
  const name = `${page}.${screen}`;
  return name in index.screens ? name : (index.first[page] ?? name);
}

/** Open the calculation of a number, or lead on from it. */
async function ask(asked, value) {
  const cells = here.screen.cells ? await load(here.screen.cells) : null;
  const opened = openCell(asked, value, cells, index.text, (place, marked) => {
    place.marked = marked;
    show(place);
  });
  if (!opened) tell(index.text.cell, index.text.app);
  redraw();
}

/** Draw all components again: with other marks, or in other colours. */
function redraw() {
  for (const place of components.keys()) if (place.isConnected) show(place);
}

/** Show the recorded state that has what was just chosen, and else is nearest to this one. */
async function choose(made) {
  const { screen } = here;
  const { states } = screen.states ? await load(screen.states) : { states: [] };
  if (here.screen !== screen) return;
  const wanted = { ...here.settings, ...made };
  const all = [{ settings: screen.settings, html: screen.html }, ...states];
  const fits = all.filter(({ settings }) =>
    Object.keys(made).every((name) => (settings[name] ?? null) === made[name]),
  );
  const names = new Set([
    ...Object.keys(wanted),
    ...all.flatMap(({ settings }) => Object.keys(settings)),
  ]);
  const alike = ({ settings }) =>
    [...names].filter((name) => (settings[name] ?? null) === (wanted[name] ?? null)).length;
  const best = fits.sort((a, b) => alike(b) - alike(a))[0];
  if (!best) return refuse();
  closePanel();
  here.settings = best.settings;
  change(parsed(best.html));
  tell(alike(best) < names.size ? index.text.nearest : "");
}

/** Show what a choice leads to as it was recorded, or that it was not. */
function respond(made) {
  if (made) return choose(made);
  stop();
  refuse();
}

function pick(key, option) {
  respond(here.screen.choices?.[key]?.[option]);
}

/** Say that a choice is not in the book, and show again the one that is. */
function refuse() {
  resetControls();
  redraw(); // what a component marked by itself
  tell(index.text.only, index.text.app);
}

/** @returns {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
function controls(/** @type {ParentNode} */ part) {
  return part.querySelectorAll("input, select");
}

/** Whether a control says something else than the page that it stands on. */
function isChosen(/** @type {HTMLInputElement | HTMLSelectElement} */ control) {
  if (control instanceof HTMLSelectElement) {
    const shown = [...control.options].findIndex((option) => option.defaultSelected);
    return control.selectedIndex !== Math.max(0, shown);
  }
  if (control.type === "radio" && !control.checked) return false;
  return control.value !== control.defaultValue || control.checked !== control.defaultChecked;
}

/** The controls say again what is shown. */
function resetControls() {
  for (const control of controls(document)) {
    if (control instanceof HTMLSelectElement)
      for (const option of control.options) option.selected = option.defaultSelected;
    else {
      control.value = control.defaultValue;
      control.checked = control.defaultChecked;
      writeStop(control);
    }
  }
}

/** The value of a slider stands beside it. @param {HTMLInputElement} range */
function writeStop(range) {
  const output = range.parentElement?.querySelector("output");
  if (!output || !range.dataset.values) return;
  output.textContent = range.dataset.values.split(" ")[Number(range.value)];
  range.setAttribute("aria-valuetext", output.textContent);
}

/** Say something for a few seconds. @param {string} text @param {string} [app] a link's, for what needs it */
function tell(text, app) {
  const told = /** @type {HTMLElement} */ (document.getElementById("told"));
  const link = app ? [" ", make("a", "", app, { href: "app.html" })] : [];
  told.replaceChildren(text, ...link);
  clearTimeout(telling);
  telling = window.setTimeout(() => told.replaceChildren(), 5000);
}

function copier(key) {
  const { frame, copied } = index.text;
  const copy = async () => {
    await navigator.clipboard.writeText(frameOf(here.name, key, here.screen.title, index.single));
    tell(copied);
  };
  return makeButton("copy", "</>", copy, { type: "button", title: frame, "aria-label": frame });
}

function listen() {
  window.addEventListener("popstate", follow);
  window.addEventListener("pageshow", ({ persisted }) => persisted && resetControls());
  document.addEventListener("click", press);
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const { control = "", option } = target.dataset;
    if (target.dataset.goes !== undefined) go(target.value);
    else if (target.type === "checkbox") pick(control, Number(target.checked));
    else if (control) pick(control, Number(option ?? target.value));
  });
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement) writeStop(target);
  });
  document.addEventListener("keydown", rove);
  document.addEventListener("toggle", ({ target }) => opened(target), { capture: true });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  try {
    document.documentElement.dataset.mode = localStorage.getItem("illuminated-mode") ?? "";
  } catch {
    // A browser that keeps nothing: the page works without.
  }
}

/** Go to another sentence of the book, or on in another language. @param {string} edition */
function go(edition) {
  location.href = `../../${edition}/${here.name}.html`;
}

/** The numbers of a board as tables, once one asks for them. @param {any} fold */
function opened(fold) {
  if (!(fold instanceof HTMLDetailsElement) || !fold.open) return;
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (fold.querySelectorAll(".numbers"))) {
    const board = document.querySelector(
      `[data-kind="board"][data-key="${CSS.escape(place.dataset.board ?? "")}"]`,
    );
    const component = components.get(board);
    if (component) writeTables(place, component.data.fixed.items, index.text.table);
  }
}

function follow() {
  const { name, figure } = addressed();
  if (name && name !== here.name) open(name, false);
  if (figure) showFrame(figure);
}

function press(event) {
  const button = event.target instanceof Element && event.target.closest("button, a");
  if (!button) return;
  const { control, option, player, mode } = button.dataset;
  if (player) play(player, pick, index.text);
  else if (mode !== undefined) turnMode();
  else if (control && option !== undefined) {
    stop();
    pick(control, Number(option));
  } else if (button.localName === "a" && button.dataset.screen) {
    event.preventDefault();
    open(button.dataset.screen);
  }
}

function turnMode() {
  const { dataset } = document.documentElement;
  dataset.mode = MODES[(MODES.indexOf(dataset.mode ?? "") + 1) % MODES.length];
  try {
    localStorage.setItem("illuminated-mode", dataset.mode);
  } catch {
    // It holds for this page alone.
  }
  redraw();
}

/** The arrow keys lead through the options of a choice. @param {KeyboardEvent} event */
function rove(event) {
  const at = event.target instanceof HTMLElement ? event.target : null;
  const group = at?.closest('[role="radiogroup"]');
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!group || !by || at?.localName !== "button") return;
  const buttons = [...group.querySelectorAll("button")].filter((one) => !one.disabled);
  const next = buttons[(buttons.indexOf(at) + by + buttons.length) % buttons.length];
  next?.focus();
  next?.click();
  event.preventDefault();
}
