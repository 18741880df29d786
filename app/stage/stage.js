// The stage on the page: the picture, the band of words below it, keys, the address, and what those
// get who do not see it. Nothing here asks the server anything from the first stop to the last.
import { isDark } from "../components/shared/colour.js";
import { listen, make, makeButton } from "../components/shared/dom.js";
import { fill } from "../components/shared/text.js";
import { columnsOf } from "./columns.js";
import { readerOf, rowOf, storyOf, unpack } from "./data.js";
import { nameOf, percentOf, stageOf } from "./draw.js";
import { linkTo, studioOf, wholeWay } from "./film.js";
import { formulaOf, tableOf, valuesOf } from "./formulas.js";
import { openLens } from "./lens.js";
import { mapOf } from "./map.js";
import { clamp } from "./motion.js";
import { coloursOf, penOf } from "./pen.js";
import { barOf } from "./present.js";
import { sharing } from "./share.js";
import { stopsOf } from "./stops.js";
import { number } from "./words.js";

const [BACK_MS, JUMP_MS] = [600, 900];
const MAX_TABLE = 12; // numbers of a vector in its table

export function build(view, fixed) {
  const { text, facts, words } = fixed;
  const { memory } = view; // the place, the word and the choices outlive a new sentence
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const forced = matchMedia("(forced-colors: active)");

  const canvas = make("canvas", "", [], { "aria-hidden": "true" });
  const rows = make("div", "rows", [], { role: "listbox", "aria-label": text.rows });
  const acts = make("nav", "acts", [], { "aria-label": text.map });
  const picture = make("div", "picture", [canvas, acts, rows]);
  const title = make("h2");
  const says = make("p", "says");
  const formula = make("div", "formula");
  const tools = make("div", "tools");
  const back = makeButton("step", [], () => go(goal - 1));
  const next = makeButton("step next", [], onward);
  back.append(make("span", "", "←", { "aria-hidden": "true" }), ` ${text.back}`);
  next.append(`${text.next_stop} `, make("span", "", "→", { "aria-hidden": "true" }));
  const doors = make("div", "doors");
  const band = make("div", "band", [
    make("div", "words", [make("div", "titled", [title, doors]), says]),
    make("div", "side", [formula, make("div", "bar", [tools, make("div", "steps", [back, next])])]),
  ]);
  const live = make("div", "unseen", [], { "aria-live": "polite", role: "status" });
  const root = make("div", `stage${fixed.film ? " film" : ""}`, [picture, band, live], {
    "data-testid": "stage",
    role: "group",
    "aria-label": text.name,
    "data-stops": words.length,
    "data-moving": "false",
    tabindex: -1,
  });
  view.root.append(root);

  /** @type {any} */
  let [story, paintAt, columns, stops, blocks] = [null, null, [], [], null];
  const slugs = words.map((one) => one.slug);
  const share = sharing(text, {
    studio,
    stop: () => goal,
    choices: () => choices,
    link: () => linkTo(fixed.link, anchor()),
    say: (said) => {
      live.textContent = said;
    },
  });
  const bar = fixed.full ? barOf({ root, text, words, share, next: (by) => go(goal + by) }) : null;
  const [askedStop, askedHero] = asked();
  const first = (fixed.full && askedStop) || memory.stop || view.component.data.chosen;
  let goal = Math.max(0, slugs.indexOf(first));
  let T = goal;
  /** @type {any} */
  let anim = null;
  let frames = 0;
  let lensOpen = false;
  memory.choices ??= {};
  const { choices } = memory;
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const colours = coloursOf(view.palette, isDark(view.page.ground), view.page, forced.matches);
  const pen = penOf(g, colours, view.page.font);
  const size = { width: 0, height: 0 };

  const watcher = new ResizeObserver(resize);
  watcher.observe(picture);
  view.watcher = watcher;
  unpack(fixed.packed, fixed.shapes).then((read) => {
    if (!root.isConnected) return;
    blocks = read;
    columns = columnsOf(facts.config);
    const arrives = memory.text === undefined;
    const known = arrives ? Number(askedHero ?? Number.NaN) : memory.hero;
    const same = arrives || memory.text === facts.text;
    follow(same && known in facts.heroes ? known : facts.hero);
    if (fixed.film && !still.matches) play();
    else if (arrives && !askedStop && first === slugs[goal]) repeat();
  });
  listen(root, { keydown: press });
  if (fixed.full) addEventListener("popstate", goBack);
  canvas.addEventListener("click", click);
  // For tests, contact sheets and films: any moment, and the numbers that are drawn at it.
  Object.assign(root, {
    showAt: (at) => {
      [anim, T, goal] = [null, at, Math.round(at)];
      paint();
      write();
    },
    numbersAt: (at) => {
      /** @type {any[]} */
      const log = [];
      paintAt(at, choices, log);
      paint();
      return log;
    },
    go,
    frames: () => frames,
    studio,
  });
  return undefined;

  /** Return the stop that the address names: in its anchor, as Streamlit takes a step back to
   * another anchor for one within its page, and asks its server nothing. */
  function asked() {
    return location.hash.slice(1).split(".");
  }
  /** The stop, and the word that is followed, if another one was chosen. */
  function anchor(stop = goal) {
    const hero = memory.hero ?? facts.hero;
    return `#${slugs[stop]}${hero === facts.hero ? "" : `.${hero}`}`;
  }
  function here() {
    return `${location.pathname}${location.search}${anchor()}`;
  }
  /** Follow a step back or forward in the browser's history. */
  function goBack() {
    if (!root.isConnected) removeEventListener("popstate", goBack);
    else if (slugs.includes(asked()[0])) go(slugs.indexOf(asked()[0]), { keeps: true });
  }
  /** Follow the word at a place of the source. */
  function follow(source) {
    memory.hero = source;
    memory.text = facts.text;
    story = storyOf(facts, blocks, source, choices);
    stops = stopsOf(facts.config, story.head);
    root.dataset.hero = nameOf(story.src[source], text);
    if (fixed.full) history.replaceState(history.state, "", here());
    lay();
    write();
  }
  function resize() {
    const { clientWidth: width, clientHeight: height } = picture;
    if (!width || !height || (width === size.width && height === size.height)) return;
    Object.assign(size, { width, height });
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    lay();
  }
  function lay() {
    if (!story || !size.width) return;
    paintAt = stageOf(story, columns, stops, pen, text, size.width, size.height);
    paint();
    layButtons();
  }
  function paint() {
    if (!paintAt) return;
    g.setTransform(canvas.width / size.width, 0, 0, canvas.height / size.height, 0, 0);
    paintAt(T, choices);
    frames++;
  }
  function moving(is) {
    root.dataset.moving = String(is);
  }
  /** Go on; what still moves is skipped first. */
  function onward() {
    if (anim && goal > T && !fixed.film) skip();
    else go(goal + 1);
  }
  /** Go to a stop; `keeps` leaves the address as it is. */
  function go(to, { keeps = false } = {}) {
    const target = clamp(to, 0, slugs.length - 1);
    if (fixed.film) return void view.send({ page: "tour", screen: slugs[target] });
    closeLens();
    const from = T;
    if (target === goal && Math.abs(from - target) < 1e-6) return;
    goal = target;
    if (fixed.full && !keeps) history.pushState(history.state, "", here());
    memory.stop = slugs[goal];
    write();
    if (still.matches) {
      T = goal;
      paint();
      layButtons();
      return;
    }
    const far = Math.abs(goal - from);
    const ms = goal < from ? BACK_MS : far > 1.001 ? JUMP_MS : stops[goal].ms * far;
    // What lies between two far stops is not shown.
    move(far > 1.5 ? goal - Math.sign(goal - from) : from, goal, Math.max(ms, 120));
  }
  function move(from, to, ms) {
    start(ms, (part) => from + (to - from) * part);
  }
  /** Let T follow a function of the part of a time that has gone. */
  function start(ms, at) {
    anim = { at, ms, begun: performance.now() };
    T = at(0);
    moving(true);
    requestAnimationFrame(tick);
  }
  /** Play the film of the whole way, again from its beginning. */
  function play() {
    const film = wholeWay(stops);
    start(film.ms, (part) => film.at(part * film.ms).T);
    write();
  }
  /** What makes films and pictures of what is shown. */
  function studio() {
    const { font } = view.page;
    const { model } = fixed.values;
    const link = (stop) => decodeURI(linkTo(fixed.link, anchor(stop)));
    return studioOf({ story, columns, stops, colours, font, text, titles: titles(), model, link });
  }
  function titles() {
    const values = { ...fixed.values, ...valuesOf(story, text) };
    return words.map((one) => fill(one.title, values));
  }
  function tick(now) {
    if (!anim || !root.isConnected) return;
    const part = clamp((now - anim.begun) / anim.ms);
    T = anim.at(part);
    if (part < 1) {
      paint();
      requestAnimationFrame(tick);
    } else skip();
  }
  function skip() {
    if (anim) T = anim.at(1);
    anim = null;
    paint();
    layButtons();
    moving(false);
    if (fixed.film) write();
  }
  function repeat() {
    if (fixed.film) anim ? skip() : play();
    else if (goal > 0 && !still.matches) move(goal - 1, goal, stops[goal].ms);
  }
  /** Write the words of the stop. */
  function write() {
    const word = words[goal];
    root.dataset.stop = slugs[goal];
    root.classList.toggle("last", goal === slugs.length - 1);
    if (!story) return;
    const values = { ...fixed.values, ...valuesOf(story, text) };
    title.textContent = fixed.film ? facts.output : fill(word.title, values);
    const late = slugs[goal] === "memory" && choices.reads && readerOf(facts);
    says.textContent = fill(late ? text.late : word.text, values);
    formula.replaceChildren(...lowered(formulaOf(slugs[goal], story, text)));
    formula.hidden = formula.textContent === "";
    bar?.tell(goal, titles());
    live.textContent = `${goal + 1} / ${slugs.length}. ${title.textContent}. ${says.textContent}`;
    back.disabled = goal === 0;
    next.disabled = goal === slugs.length - 1;
    if (fixed.film) {
      const again = makeButton("toggle", anim ? text.skip : text.again, repeat);
      return tools.replaceChildren(again);
    }
    doors.replaceChildren(
      ...word.doors.map((door) =>
        makeButton("door", door.label, () => view.send({ page: door.page, screen: door.screen })),
      ),
      makeButton("door", text.tables, openTables),
    );
    tools.replaceChildren(...toolsOf(slugs[goal]));
  }
  /** What one can change at a stop. */
  function toolsOf(slug) {
    const toggle = (name, label, act) => {
      const press = () => {
        choices[name] = !choices[name];
        button.setAttribute("aria-pressed", String(choices[name]));
        act();
      };
      const button = makeButton("toggle", label, press, { "aria-pressed": !!choices[name] });
      return button;
    };
    const { order, source } = story;
    if (slug === "score")
      return [makeButton("toggle", text.products, () => lens("s", order[0], 0))];
    if (slug === "sum") return [makeButton("toggle", text.addends, () => lens("z", source, 0))];
    if (slug === "softmax") {
      const limits = { type: "range", min: 0.2, max: 3, step: 0.1 };
      const range = make("input", "range", [], { ...limits, "aria-label": text.temperature });
      range.value = String(choices.temperature ?? 1);
      const output = make("output", "", number(choices.temperature ?? 1, 1));
      range.addEventListener("input", () => {
        choices.temperature = Number(range.value);
        output.textContent = number(choices.temperature, 1);
        paint();
      });
      return [make("label", "slider", [`${text.temperature} `, range, output])];
    }
    if (slug === "mask") return [toggle("maskOpen", text.open_mask, paint)];
    if (slug === "memory" && readerOf(facts))
      return [toggle("reads", text.has_read, () => follow(story.source))];
    if (slug === "answer") return [makeButton("toggle", text.wrong_word, wrongWord)];
    if (slug === "journey" && fixed.full) return [makeButton("toggle", text.save, share.open)];
    return [];
  }
  /** Put another of the ten likeliest words in the place of the right one: its bar collapses. */
  function wrongWord() {
    const { row } = story;
    const right = story.tgt[row + 1].t;
    const others = story.top[row]
      .map((word, i) => ({ word, i }))
      .filter(({ word }) => word !== right);
    const at = (choices.wrong ?? -1) + 1;
    choices.wrong = at < others.length ? at : -1;
    const other = others[choices.wrong];
    const p = other && rowOf(blocks.tp, row)[other.i];
    story.wrong = other ? { row, text: other.word, p, loss: -Math.log(p) } : null;
    paint();
  }
  function lowered(formula) {
    return formula.split(/_([OQKVk])/).map((one, i) => (i % 2 ? make("sub", "", one) : one));
  }
  /** Real buttons over the rows and over the map: they are what keys and screen readers reach. */
  function layButtons() {
    const { f, E } = paintAt;
    const { spans, y, h } = mapOf(columns, f);
    acts.replaceChildren(
      ...Object.entries(spans).map(([act, place]) => {
        const first = stops.findIndex((one) => one.act === act);
        const named = { "aria-label": text.acts[act], title: text.acts[act] };
        const button = makeButton("act", [], () => go(first), named);
        seat(button, place.x - 3, y - h / 2 - 6, place.w + 6, h + 12);
        if (stops[goal].act === act) button.setAttribute("aria-current", "step");
        return button;
      }),
    );
    const focused = /** @type {ShadowRoot} */ (root.getRootNode()).activeElement;
    const had = focused && rows.contains(focused) ? [...rows.children].indexOf(focused) : -1;
    rows.replaceChildren(
      ...story.src.map((token, r) => {
        const [word, hero] = [nameOf(token, text), nameOf(story.src[story.source], text)];
        const own = r === story.source;
        const button = makeButton("follow", [], () => follow(r), {
          role: "option",
          "aria-label": fill(text.row_says, { word, share: percentOf(story.weights[r]), hero }),
          "aria-selected": own,
          tabindex: own ? 0 : -1,
        });
        seat(button, f.x, E.tops[r], Math.min(160, size.width * 0.4), E.heights[r]);
        button.hidden = goal === 0 || stops[goal].learned || (f.phone && goal > 13);
        button.addEventListener("keydown", (event) => {
          const to = { ArrowDown: r + 1, ArrowUp: r - 1 }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          /** @type {HTMLElement | undefined} */ (
            rows.children[clamp(to, 0, story.src.length - 1)]
          )?.focus();
        });
        return button;
      }),
    );
    if (had >= 0) /** @type {HTMLElement} */ (rows.children[had])?.focus();
  }
  /** Put a button over a part of the picture. */
  function seat({ style }, x, y, w, h) {
    Object.assign(style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
  }
  function press(event) {
    const [target] = event.composedPath();
    if (event.altKey || event.ctrlKey || event.metaKey || !story) return;
    if (
      target instanceof HTMLElement &&
      target.closest("input, textarea, select, [contenteditable], [role=slider]")
    )
      return;
    // A menu of the page's own closes by its own Escape.
    if (target instanceof Element && target.closest("[data-testid=portal], [role=menu]")) return;
    const onButton = target instanceof HTMLElement && target.closest("button, a, summary");
    const act = {
      ArrowRight: onward,
      ArrowLeft: () => go(goal - 1),
      Home: () => go(0),
      End: () => go(slugs.length - 1),
      " ": onButton ? undefined : repeat,
      z: () => (lensOpen ? closeLens() : lens("s", story.order[0], 0)),
      Escape: lensOpen ? closeLens : bar?.leave,
    }[event.key];
    if (bar?.press(event.key)) return void event.preventDefault();
    if (!act || (lensOpen && !["z", "Escape"].includes(event.key))) return;
    event.preventDefault();
    act();
  }
  /** A click on a number opens it; one elsewhere on a row makes its word the hero. */
  function click(event) {
    if (!story || anim) return;
    const { E } = paintAt;
    const row = E.tops.findIndex(
      (top, r) => event.offsetY >= top && event.offsetY < top + E.heights[r],
    );
    if (row < 0 || goal === 0 || stops[goal].learned) return;
    const seats = paintAt.seats(T);
    const column = columns.find((one) => {
      const seat = seats[one.id];
      return (
        seat?.open > 0.5 &&
        !one.decoder &&
        event.offsetX >= seat.x &&
        event.offsetX < seat.x + seat.w
      );
    });
    if (!column) return void follow(row);
    const place = seats[column.id];
    const width = column.kind === "strip" ? story.arrays[column.id].shape[1] : 1;
    const at = Math.floor(((event.offsetX - place.x) / place.w) * width);
    if (!lens(column.id, row, at)) follow(row);
  }
  function lens(column, row, at) {
    const shown = openLens({ story, text, column, row, at, close: closeLens, root: picture });
    lensOpen ||= shown;
    return shown;
  }
  function closeLens() {
    if (!lensOpen) return;
    lensOpen = false;
    picture.querySelector(".lens-ground")?.remove();
    root.focus({ preventScroll: true });
  }
  /** The numbers of the open columns as tables. */
  function openTables() {
    closeLens();
    const tables = columns
      .filter((one) => stops[goal].open[one.id])
      .flatMap((one) => {
        const table = tableOf(story, one, text);
        return table ? [tableElement(one, table)] : [];
      });
    const close = makeButton("close", "×", closeLens, { "aria-label": text.close });
    const body = make("div", "lens tables", [make("h3", "", text.tables), close, ...tables], {
      role: "dialog",
      "aria-label": text.tables,
      tabindex: -1,
    });
    picture.append(make("div", "lens-ground", [body]));
    lensOpen = true;
    body.focus();
  }
  function tableElement(column, { rows: names, head, values }) {
    const write = (value) =>
      Number.isInteger(value) && column.kind === "ids" ? String(value) : number(value, 3);
    const cells = (row) =>
      row.slice(0, head ? row.length : MAX_TABLE).map((value) => make("td", "", write(value)));
    const body = values.map((row, r) =>
      make("tr", "", [make("th", "", names[r], { scope: "row" }), ...cells(row)]),
    );
    const heads = head
      ? [make("tr", "", [make("td"), ...head.map((one) => make("th", "", one, { scope: "col" }))])]
      : [];
    const name =
      text[column.name] ??
      column.name ??
      (column.layer
        ? fill(text.layer_n, { n: column.layer + 1 })
        : fill(text.head_n, { n: (column.head ?? 0) + 1 }));
    return make(
      "div",
      "scroll",
      [make("table", "", [make("caption", "", name), ...heads, ...body])],
      { tabindex: 0, role: "region", "aria-label": name },
    );
  }
}
