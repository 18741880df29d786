// A reader's own sentence: the app itself draws the screens on it, in a worker of the browser.
import { make } from "../../components/shared/dom.js";

const QUIET = 200; // milliseconds until the page says that something is computed
const MEGABYTE = 1e6;

/** @type {any} what the index says of it */
let live = null;
/** @type {any} the parts of the form */
let form = {};
/** @type {() => void} draws the open screen again */
let changed = () => {};

/** @type {Worker | null} */
let worker = null;
/** @type {any} what the worker was asked last: how it is answered, or given up */
let asked = null;
/** @type {any[]} */
const waiting = [];
let working = false;
let clock = 0;

let wanted = ""; // the sentence that the address names
let own = ""; // the sentence that the screens are drawn on; "" for those of the book
/** @type {any[] | null} the screen that is open, as it was asked for */
let screen = null;

/** The sentence that the reader typed, or "" while the book shows its own. */
export function ownSentence() {
  return own;
}

/** The sentence that is to be shown: it may take its time. */
export function wantedSentence() {
  return wanted;
}

/** What the address says of it. */
export function ownAddress(text = own) {
  return text && `#text=${encodeURIComponent(text)}`;
}

/** Name a sentence in the address, which brings it onto the page. @param {string} text */
export function submit(text) {
  const address = ownAddress(text);
  if (location.hash === address) translate(text);
  else location.hash = address;
}

/** Offer the form, which needs a web server. @param {any} given @param {() => void} drawAgain */
export function offer(given, drawAgain) {
  const root = document.querySelector("form.own");
  if (!given || !root) return;
  live = given;
  changed = drawAgain;
  const part = (name) => root.querySelector(`.own-${name}`);
  form = Object.fromEntries(
    ["text", "go", "stop", "bar", "count", "told", "output"].map((name) => [name, part(name)]),
  );
  if (location.protocol === "file:") {
    for (const one of [form.text, form.go]) one.disabled = true;
    return say(live.text.file);
  }
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(form.text.value);
  });
  form.stop.addEventListener("click", () => asked?.reject("stopped"));
}

/** Draw the screens on a sentence, once it is translated. @param {string} text */
export async function translate(text) {
  if (await takeSentence(text)) changed();
}

/** Translate a sentence; whether it is still the one that is wanted then. @param {string} text */
export async function takeSentence(text) {
  wanted = text;
  form.text.value = text;
  const found = await request("sentence", [text]);
  if (!found || wanted !== text) return false;
  own = found.text;
  form.output.textContent = found.output;
  nameOwn();
  return true;
}

/** Go back to the sentences of the book. */
export function leave() {
  wanted = own = "";
  screen = null;
  form.output.textContent = "";
  nameOwn();
}

/** The list of sentences names the reader's own one as well. */
function nameOwn() {
  document.body.classList.toggle("on-own", Boolean(own));
  const list = document.querySelector("header.book .sentences");
  if (!(list instanceof HTMLSelectElement)) return;
  list.querySelector(".mine")?.remove();
  const shown = [...list.options].find((option) => option.value === live.here);
  if (shown) shown.defaultSelected = !own;
  if (own) list.append(make("option", "mine", own, { value: "", selected: "" }));
  list.selectedIndex = own ? list.options.length - 1 : (shown?.index ?? 0);
}

/**
 * Ask the app. An answer is null where there is none, and undefined where a later question took the
 * place of this one: another screen that of all, another option of a control that of the same one.
 * @param {string} call @param {any[]} args @returns {Promise<any>}
 */
export function request(call, args) {
  const isAll = ["sentence", "open"].includes(call);
  const late = waiting.filter((one) => isAll || (one.call === call && one.args[0] === args[0]));
  for (const one of late) {
    waiting.splice(waiting.indexOf(one), 1);
    one.resolve(undefined);
  }
  const { promise, resolve } = Promise.withResolvers();
  waiting.push({ call, args, resolve });
  work();
  return promise;
}

async function work() {
  if (working) return;
  working = true;
  const sign = setTimeout(() => (document.body.dataset.computes = ""), QUIET);
  say("");
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    next.resolve(await answered(next.call, next.args));
    await new Promise((resolve) => setTimeout(resolve)); // an answer may lead to a question
  }
  clearTimeout(sign);
  delete document.body.dataset.computes;
  working = false;
}

async function answered(call, args) {
  try {
    if (!worker) await begin();
    const result = await post(call, args);
    if (call === "open") screen = args;
    if (result.error) say(result.error);
    return result.error ? null : result;
  } catch (error) {
    end();
    say(error === "stopped" ? live.text.stopped : live.text.failed);
    return null;
  }
}

/** Start Python, and bring it to where the page is. */
async function begin() {
  worker = new Worker(new URL("../../live/worker.js", location.href), { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    if (data.progress) showProgress(data.progress);
    else if (data.failed) asked?.reject(data.failed);
    else asked?.resolve(data.result);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    asked?.reject("failed");
  });
  await post("begin", live.session);
  if (own) await post("sentence", [own]);
  if (screen) await post("open", screen);
  showProgress(null);
}

function post(call, args) {
  asked = Promise.withResolvers();
  worker?.postMessage({ call, args });
  return asked.promise;
}

function end() {
  worker?.terminate();
  worker = null;
  for (const { resolve } of waiting.splice(0)) resolve(undefined);
  showProgress(null);
}

/** How much has come, and how long it takes to start. */
function showProgress(progress) {
  clearInterval(clock);
  form.bar.hidden = form.count.hidden = !progress;
  if (!progress) return;
  const { loaded, total, starting } = progress;
  if (!starting) {
    form.bar.max = total;
    form.bar.value = loaded;
    const [some, all] = [loaded, total].map((size) => Math.round(size / MEGABYTE));
    form.count.textContent = live.text.loading.replace("{some}", some).replace("{all}", all);
    return;
  }
  form.bar.removeAttribute("value");
  const since = performance.now();
  const count = () => {
    const seconds = Math.round((performance.now() - since) / 1000);
    form.count.textContent = live.text.starting.replace("{seconds}", String(seconds));
  };
  count();
  clock = window.setInterval(count, 1000);
}

/** What stands below the form until the next question. @param {string} text @param {string} [app] */
export function say(text, app) {
  form.told.replaceChildren(...withApp(text, app));
}

/**
 * A sentence, and a link to the page on what needs the app, where it is about that.
 * @param {string} text @param {string} [app] what the link says
 */
export function withApp(text, app) {
  return app ? [text, " ", make("a", "", app, { href: "app.html" })] : [text];
}
