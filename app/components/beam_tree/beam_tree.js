// The tree grows to the right. Each depth is ordered by its parents, so that no two edges cross.
// The best hypothesis comes first at every depth, and so is a straight line along the top.
import { join, make, makeSvg, markOne, onLeave, rove, say } from "../shared/dom.js";
import { number, share } from "../shared/number.js";
import { fill } from "../shared/text.js";

const STEP = 106;
const LINE = 42;
const BOX = { width: 84, height: 38 };
const GAP = 12;
const LAST = 1000;

export function build(view, { nodes: sent, text, height: most }) {
  const byId = new Map(sent.map((node) => [node.id, { ...node }]));
  const nodes = [...byId.values()];
  const levels = arrange(nodes, byId);
  let selected; // the node that was clicked

  const readout = make("p", "readout");
  const width = (levels.length - 1) * STEP + BOX.width;
  const height = (Math.max(...levels.map((level) => level.length)) - 1) * LINE + BOX.height;
  const drawing = makeSvg("svg", { width, height, "aria-hidden": "true" });
  const tree = make("div", "tree", [drawing], { role: "tree", "aria-label": text.name });
  tree.style.width = `${width}px`;
  tree.style.height = `${height}px`;
  for (const node of nodes) {
    const parent = byId.get(node.parent);
    if (parent) node.edge = drawing.appendChild(edge(node, parent));
  }
  // The best path is drawn last, on top of its neighbours.
  for (const node of nodes) if (node.best && node.edge) drawing.append(node.edge);
  for (const node of levels.flat()) node.box = tree.appendChild(box(node));
  const boxes = nodes.map((node) => node.box);
  rove(boxes, (byId.get(view.component.data.chosen) ?? levels[0][0]).box);
  const frame = make("div", "scroll frame", [tree]);
  frame.style.maxHeight = `min(72vh, ${most}px)`;
  view.root.append(readout, frame, legend());
  // A tree that has grown keeps its scroll position.
  [frame.scrollLeft, frame.scrollTop] = view.memory.place ?? [0, 0];
  frame.addEventListener("scroll", () => {
    view.memory.place = [frame.scrollLeft, frame.scrollTop];
  });
  onLeave(tree, rest);
  return mark;

  function mark(chosen) {
    selected = byId.get(chosen);
    if (selected) uncover(selected);
    markOne(boxes, selected?.box, "selected", "aria-selected");
    rest();
  }
  /** Scroll only the tree, and only as far as needed to show a node. */
  function uncover({ x, y }) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = frame;
    const nearest = (at, size, from, room) =>
      Math.min(Math.max(from, at + size + GAP - room), Math.max(at - GAP, 0));
    frame.scrollLeft = nearest(x, BOX.width, scrollLeft, clientWidth);
    frame.scrollTop = nearest(y, BOX.height, scrollTop, clientHeight);
  }
  function describe(node) {
    const status = [text[node.status], rank(node)].filter(Boolean).join(", ");
    const [log, score] = [number(node.log_prob, 3), number(node.score, 3)];
    const probability = share(Math.exp(node.log_prob), 3);
    return fill(text.node, { token: node.token, probability, log, score, status });
  }
  function rank({ best, branch }) {
    if (!branch) return best && text.best;
    return fill(best ? text.bestOfBranch : text.branch, { name: branch });
  }
  function edge(node, parent) {
    const [x0, y0] = [parent.x + BOX.width, parent.y + BOX.height / 2];
    const [x1, y1] = [node.x, node.y + BOX.height / 2];
    const middle = (x0 + x1) / 2;
    const kind = kindOf(node);
    const d = `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`;
    return makeSvg("path", { class: kind, d });
  }
  function box(node) {
    const score = number(node.score, 2) + (node.status === "finished" ? " ✓" : "");
    const parts = [make("span", "token", node.token), make("span", "number", score)];
    if (node.branch) parts.push(make("span", "branch", node.branch));
    const element = make("div", `node ${kindOf(node)}`, parts, {
      role: "treeitem",
      "aria-level": node.depth + 1,
      "aria-label": describe(node),
    });
    element.style.left = `${node.x}px`;
    element.style.top = `${node.y}px`;
    join(element, () => boxes, {
      moves: () => moves(node),
      look: () => look(node),
      choose: () => {
        mark(node.id);
        view.send(node.id);
      },
    });
    return element;
  }
  function moves(node) {
    const level = levels[node.depth];
    const child = levels[node.depth + 1]?.find((next) => next.parent === node.id);
    return {
      ArrowLeft: byId.get(node.parent)?.box,
      ArrowRight: child?.box,
      ArrowUp: level[node.place - 1]?.box,
      ArrowDown: level[node.place + 1]?.box,
    };
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
    if (selected) return look(selected);
    say(readout, text.hint, false);
  }
  function legend() {
    const kinds = ["best", "kept", "pruned", "finished", "candidate"].filter(
      (kind) => kind !== "candidate" || nodes.some((node) => node.status === kind),
    );
    const sample = (kind) => [make("span", `node sample ${kind}`), make("span", "", text[kind])];
    return make("div", "legend", kinds.flatMap(sample));
  }
}

/** Return the look of a node and its edge: the best node of a branch is not the winner. */
function kindOf({ status, best, branch }) {
  if (!best) return status;
  return branch ? `${status} best-of-branch` : `${status} best`;
}

/** Return a node's block: branches lie below the beam's own tree, nodes never kept come last. */
function blockOf({ status, branch }, parent) {
  if (status === "candidate") return LAST;
  const wentOn = status === "pruned" && parent.branch !== branch;
  return wentOn ? parent.block : branch.charCodeAt(0) || 0;
}

/** Give every node a place; return the ordered nodes of each depth. */
function arrange(nodes, byId) {
  const levels = [...Map.groupBy(nodes, (node) => node.depth).values()];
  for (const level of levels) {
    const above = (node) => byId.get(node.parent)?.place ?? 0;
    for (const node of level) node.block = blockOf(node, byId.get(node.parent));
    level.sort(
      (a, b) => a.block - b.block || above(a) - above(b) || b.best - a.best || b.score - a.score,
    );
    level.forEach((node, place) => {
      node.place = place;
      node.x = node.depth * STEP;
      node.y = place * LINE;
    });
  }
  return levels;
}
