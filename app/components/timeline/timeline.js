// The years on a line that splits in two, images above and text below, and joins again.
import { joinRow, make, makeButton, rove, say } from "../shared/dom.js";

const LANES = 3;

export function build(view, { points, text }) {
  const line = make("div", "line", [], { role: "toolbar", "aria-label": text.name });
  const readout = make("p", "readout name");
  const columns = place(points);
  line.style.gridTemplateColumns = `repeat(${columns.count}, minmax(0, 1fr))`;
  const buttons = points.map((point, i) => {
    const [year, name] = [make("span", "year", point.year), make("span", "what", point.name)];
    const parts = [year, make("i", "dot"), name];
    const go = () => view.send(point.slug);
    const button = makeButton(`point lane-${point.lane}`, parts, go, {
      title: point.title,
      "aria-label": `${point.year}, ${point.name}: ${point.title}`,
    });
    button.style.gridColumn = `${columns.starts[i]} / span ${columns.spans[i]}`;
    line.append(button);
    return button;
  });
  joinRow(buttons, ["ArrowRight", "ArrowDown"], ["ArrowLeft", "ArrowUp"], (at) => ({
    look: () => readOut(points[at]),
  }));
  for (const lane of [1, 2]) {
    const label = make("span", `lane lane-${lane}`, text.lanes[lane]);
    label.style.gridColumn = `${columns.fork} / span 6`;
    if (points.some((point) => point.lane === lane)) line.append(label);
  }
  line.addEventListener("pointerleave", () => readOut(current()));
  view.root.append(line, readout);
  let here = "";
  return (chosen) => {
    here = chosen;
    points.forEach((point, i) => {
      buttons[i].classList.toggle("here", point.slug === here);
      buttons[i].ariaCurrent = point.slug === here ? "page" : null;
    });
    rove(buttons, buttons[Math.max(points.indexOf(current()), 0)]);
    readOut(current());
  };

  /** Return the first point of the open page. */
  function current() {
    return points.find((point) => point.slug === here);
  }
  function readOut(point) {
    say(readout, point ? `${point.year} · ${point.title}` : "");
  }
}

/** Place the points: those of a lane share the 6 columns between the fork and the join. */
function place(points) {
  const counts = Array.from(
    { length: LANES },
    (_, lane) => points.filter((point) => point.lane === lane).length,
  );
  const first = points.findIndex((point) => point.lane > 0);
  const before = first < 0 ? points.length : first;
  const fork = 2 * before + 1;
  const seen = [0, 0, 0];
  const spans = points.map(({ lane }) => (lane === 0 ? 2 : 6 / counts[lane]));
  const starts = points.map(({ lane }, i) => {
    const index = seen[lane]++;
    if (lane > 0) return fork + index * spans[i];
    return index < before ? 2 * index + 1 : fork + 6 + 2 * (index - before);
  });
  const parted = counts[1] + counts[2] > 0 ? 6 : 0;
  return { starts, spans, fork, count: 2 * counts[0] + parted };
}
