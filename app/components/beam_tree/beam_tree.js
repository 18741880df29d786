// Depth runs to the right. Each depth is ordered by its parents, so that no two edges cross; the
// best hypothesis comes first everywhere and is therefore a straight line along the top.
import { isEnter, make, makeSvg, onLeave, rove, say, walk } from "../shared/dom.js";
import { fill } from "../shared/text.js";

const STEP = 106;
const LINE = 46;
const BOX = { width: 84, height: 38 };

export function build(view, content) {
  const { root, send } = view;
  const { text } = content;
  const byId = new Map(content.nodes.map((node) => [node.id, { ...node }]));
  const nodes = [...byId.values()];
  const levels = arrange(nodes, byId);
  let selected = null;

  const readout = make("p", "readout");
  const frame = make("div", "scroll frame");
  const tree = make("div", "tree", "", { role: "tree", "aria-label": text.name });
  const width = (levels.length - 1) * STEP + BOX.width;
  const height = (Math.max(...levels.map((level) => level.length)) - 1) * LINE + BOX.height;
  tree.style.width = `${width}px`;
  tree.style.height = `${height}px`;
  const drawing = makeSvg("svg", { width, height, "aria-hidden": "true" });
  tree.append(drawing);
  for (const node of nodes) {
    const parent = byId.get(node.parent);
    if (parent) node.edge = drawing.appendChild(edge(node, parent));
  }
  // Drawn last, so that it lies on top of its neighbours.
  for (const node of nodes) if (node.best && node.edge) drawing.append(node.edge);
  for (const node of levels.flat()) node.box = tree.appendChild(box(node));
  const boxes = nodes.map((node) => node.box);
  rove(boxes, levels[0][0].box);
  frame.append(tree);
  root.append(readout, frame, legend());
  onLeave(tree, rest);
  return mark;

  function mark(chosen) {
    selected = chosen ?? null;
    for (const node of nodes) {
      node.box.classList.toggle("selected", node.id === selected);
      node.box.setAttribute("aria-selected", node.id === selected);
    }
    rest();
  }
  function describe(node) {
    const status = node.best ? `${text[node.status]}, ${text.best}` : text[node.status];
    const [log, score] = [minus(node.log_prob, 3), minus(node.score, 3)];
    const probability = Math.exp(node.log_prob).toFixed(3);
    return fill(text.node, { token: node.token, probability, log, score, status });
  }
  function edge(node, parent) {
    const [x0, y0] = [parent.x + BOX.width, parent.y + BOX.height / 2];
    const [x1, y1] = [node.x, node.y + BOX.height / 2];
    const middle = (x0 + x1) / 2;
    const kind = `${node.status}${node.best ? " best" : ""}`;
    const d = `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`;
    return makeSvg("path", { class: kind, d });
  }
  function box(node) {
    const words = { "aria-level": node.depth + 1, "aria-label": describe(node) };
    const kind = `node ${node.status}${node.best ? " best" : ""}`;
    const element = make("div", kind, "", { role: "treeitem", ...words });
    const end = node.status === "finished" ? " ✓" : "";
    const score = minus(node.score, 2) + end;
    element.append(make("span", "token", node.token), make("span", "number", score));
    element.style.left = `${node.x}px`;
    element.style.top = `${node.y}px`;
    element.addEventListener("pointerenter", () => look(node));
    element.addEventListener("focus", () => look(node));
    element.addEventListener("click", () => choose(node));
    element.addEventListener("keydown", (event) => steer(event, node));
    return element;
  }
  function look(node) {
    dim();
    for (let at = node; at; at = byId.get(at.parent)) {
      at.box.classList.add("lit");
      at.edge?.classList.add("lit");
    }
    say(readout, describe(node));
  }
  function dim() {
    for (const node of nodes) {
      node.box.classList.remove("lit");
      node.edge?.classList.remove("lit");
    }
  }
  function rest() {
    dim();
    if (byId.has(selected)) return look(byId.get(selected));
    say(readout, text.hint, false);
  }
  function choose(node) {
    rove(boxes, node.box);
    mark(node.id);
    send("select", { id: node.id });
  }
  function steer(event, node) {
    const level = levels[node.depth];
    const moves = {
      ArrowLeft: byId.get(node.parent),
      ArrowRight: levels[node.depth + 1]?.find((next) => next.parent === node.id),
      ArrowUp: level[level.indexOf(node) - 1],
      ArrowDown: level[level.indexOf(node) + 1],
    };
    if (event.key in moves) {
      walk(event, boxes, moves[event.key]?.box);
    } else if (isEnter(event)) {
      event.preventDefault();
      choose(node);
    }
  }
  function legend() {
    const line = make("div", "legend");
    for (const kind of ["best", "kept", "pruned", "finished"]) {
      line.append(make("span", `node sample ${kind}`), make("span", "", text[kind]));
    }
    return line;
  }
}

/** Give every node a place; return the nodes of each depth in their order. */
function arrange(nodes, byId) {
  const levels = [];
  for (const node of nodes) {
    levels[node.depth] ??= [];
    levels[node.depth].push(node);
  }
  for (const level of levels) {
    const above = (node) => byId.get(node.parent)?.place ?? 0;
    level.sort((a, b) => above(a) - above(b) || b.best - a.best || b.score - a.score);
    level.forEach((node, place) => {
      node.place = place;
      node.x = node.depth * STEP;
      node.y = place * LINE;
    });
  }
  return levels;
}

function minus(value, digits) {
  return value.toFixed(digits).replace("-", "−");
}
