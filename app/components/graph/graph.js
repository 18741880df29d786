// Nodes in columns with edges between them; their values change without redrawing the graph.
import { joinRow, make, makeButton, makeSvg, rove } from "../shared/dom.js";
import { listed } from "../shared/number.js";

const STEP = 150; // distance between columns
const LINE = 76; // distance between lanes
const BOX = { width: 92, height: 56 };
const PORT = 18; // distance between two edges that lead to the same node
const SMALLEST = 0.8; // the least scale if there is too little room; the rest scrolls

export function build(view, fixed) {
  const { nodes, edges } = fixed;
  const all = [...nodes.map((node) => node.at), ...edges.flatMap((edge) => edge.way)];
  const width = Math.max(...all.map(([column]) => column)) * STEP + BOX.width + 4;
  const height = Math.max(...all.map(([, lane]) => lane)) * LINE + BOX.height + 4;
  const drawing = makeSvg("svg", { width, height, "aria-hidden": "true" });
  const sheet = make("div", "sheet", [drawing], { role: "group", "aria-label": fixed.label });
  sheet.style.width = `${width}px`;
  sheet.style.height = `${height}px`;
  const frame = make("div", "scroll frame", [sheet]);
  const lines = edges.map((edge) => drawing.appendChild(line(edge)));
  const texts = edges.map((edge) => sheet.appendChild(slope(edge)));
  const boxes = nodes.map((node, i) => sheet.appendChild(box(node, i)));
  view.root.append(frame);
  joinRow(boxes, ["ArrowDown"], ["ArrowUp"]);
  rove(boxes, boxes[0]);
  let before = null;
  let zoom = 1;
  view.watchWidth((room) => {
    zoom = Math.min(1, Math.max(SMALLEST, room / (width + 8)));
    sheet.style.zoom = String(zoom);
  });
  return mark;

  function mark(chosen) {
    nodes.forEach((node, i) => {
      const [valued, derived] = [chosen.values[i], chosen.derivatives[i] && node.derivative];
      boxes[i].classList.toggle("later", !valued);
      boxes[i].classList.toggle("current", i === chosen.current);
      const [, value, derivative] = boxes[i].children;
      value.textContent = valued ? node.value : "";
      derivative.textContent = derived ? node.derivative : "";
      const parts = [node.title, valued && node.value, derived && node.derivative].filter(Boolean);
      boxes[i].setAttribute("aria-label", listed(parts));
      boxes[i].ariaCurrent = i === chosen.current ? "step" : null;
    });
    edges.forEach((edge, i) => {
      const passed = chosen.slopes[edge.to] && edge.slope;
      lines[i].classList.toggle("current", edge.to === chosen.current);
      lines[i].classList.toggle("later", !chosen.values[edge.to]);
      texts[i].textContent = passed ? edge.slope : "";
      texts[i].classList.toggle("current", edge.to === chosen.current);
    });
    if (chosen.current !== before) follow(chosen.current);
    before = chosen.current;
  }
  /** Scroll to the node of this step, within the frame only. */
  function follow(i) {
    if (i === null || width * zoom <= frame.clientWidth) return;
    const middle = (place(nodes[i].at)[0] + BOX.width / 2) * zoom - frame.clientWidth / 2;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    frame.scrollTo({ left: middle, behavior: before === null || calm ? "instant" : "smooth" });
  }
  function place([column, lane]) {
    return [column * STEP + 2, lane * LINE + 2];
  }
  function line(edge) {
    const points = edge.way.map((at) => {
      const [x, y] = place(at);
      return [x, y + BOX.height / 2];
    });
    points.at(-1)[1] += edge.port * PORT;
    let d = `M${points[0][0] + BOX.width} ${points[0][1]}`;
    points.slice(1).forEach(([x, y], i) => {
      const [left, level] = points[i];
      const from = left + BOX.width;
      const bend = (x - from) / 2;
      if (i > 0) d += `L${from} ${level}`;
      d += `C${from + bend} ${level} ${x - bend} ${y} ${x} ${y}`;
    });
    return makeSvg("path", { d });
  }
  function slope(edge) {
    const [x, y] = place(edge.way.at(-1));
    const text = make("span", "slope");
    text.style.right = `${width - x + 6}px`;
    text.style.top = `${y + BOX.height / 2 + edge.port * PORT * 1.1}px`;
    return text;
  }
  function box(node, i) {
    const derivative = make("span", "derivative");
    derivative.hidden = !node.derivative;
    const parts = [make("span", "name", node.title), make("span", "value"), derivative];
    const element = makeButton("node", parts, () => view.send(i));
    element.style.setProperty("--own", `var(--${node.role})`);
    const [x, y] = place(node.at);
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    return element;
  }
}
