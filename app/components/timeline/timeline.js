// The years on a line that parts in two, pictures above and words below, and joins again.
import { make, rove, say, walk } from "../shared/dom.js";

const LANES = 3;

export function build(view, fixed) {
  const { root, send } = view;
  const line = make("div", "line");
  const readout = make("p", "readout name");
  const columns = place(fixed.points);
  line.setAttribute("role", "toolbar");
  line.setAttribute("aria-label", fixed.text.name);
  line.style.gridTemplateColumns = `repeat(${columns.count}, minmax(0, 1fr))`;
  const buttons = fixed.points.map((point, i) => {
    const button = make("button", `point lane-${point.lane}`);
    button.title = point.title;
    button.setAttribute("aria-label", `${point.year}, ${point.name}: ${point.title}`);
    button.style.gridColumn = `${columns.starts[i]} / span ${columns.spans[i]}`;
    button.append(
      make("span", "year", point.year),
      make("i", "dot"),
      make("span", "what", point.name),
    );
    button.addEventListener("click", () => send("open", { slug: point.slug }));
    button.addEventListener("focus", () => tell(point));
    button.addEventListener("pointerenter", () => tell(point));
    line.append(button);
    return button;
  });
  for (const lane of [1, 2]) {
    const label = make("span", `lane lane-${lane}`, fixed.text.lanes[lane]);
    label.style.gridColumn = `${columns.fork} / span 6`;
    if (fixed.points.some((point) => point.lane === lane)) line.append(label);
  }
  line.addEventListener("keydown", steer);
  line.addEventListener("pointerleave", () => tell(current()));
  root.append(line, readout);
  let here = "";
  return (chosen) => {
    here = chosen;
    fixed.points.forEach((point, i) => {
      buttons[i].classList.toggle("here", point.slug === here);
      buttons[i].ariaCurrent = point.slug === here ? "page" : null;
    });
    rove(buttons, buttons[Math.max(fixed.points.indexOf(current()), 0)]);
    tell(current());
  };

  /** The first point of the page that is open. */
  function current() {
    return fixed.points.find((point) => point.slug === here);
  }
  function tell(point) {
    say(readout, point ? `${point.year} · ${point.title}` : "");
  }
  function steer(event) {
    const at = buttons.indexOf(event.target.closest(".point"));
    const moves = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: buttons.length - 1,
    };
    if (at < 0 || event.altKey || !(event.key in moves)) return;
    walk(event, buttons, buttons[moves[event.key]]);
  }
}

/** The points of a lane share the room between the fork and the join: 6 columns, whole for any number. */
function place(points) {
  const of = Array.from(
    { length: LANES },
    (_, lane) => points.filter((p) => p.lane === lane).length,
  );
  const first = points.findIndex((point) => point.lane > 0);
  const before = first < 0 ? points.length : first;
  const fork = 2 * before + 1;
  const seen = [0, 0, 0];
  const starts = [];
  const spans = [];
  for (const { lane } of points) {
    const index = seen[lane]++;
    const span = lane === 0 ? 2 : 6 / of[lane];
    spans.push(span);
    if (lane === 0) starts.push(index < before ? 2 * index + 1 : fork + 6 + 2 * (index - before));
    else starts.push(fork + index * span);
  }
  const parted = of[1] + of[2] > 0 ? 6 : 0;
  return { starts, spans, fork, count: 2 * of[0] + parted };
}
