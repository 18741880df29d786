// The tokens of a sentence as buttons in a toolbar.
import { make, rove, walk } from "../shared/dom.js";

export function build(view, fixed) {
  const { root, send } = view;
  const { words, label, role } = fixed;
  const buttons = [];
  root.style.setProperty("--own", `var(--${role})`);
  const list = make("div", "list", "", { role: "toolbar", "aria-label": label });
  for (const word of words) {
    const group = make("span", "group");
    for (const piece of word) group.append(chip(piece));
    list.append(group);
  }
  if (fixed.label_visible) root.append(make("div", "name", label));
  root.append(list);
  if (buttons.length) rove(buttons, buttons[0]);
  return mark;

  function chip(piece) {
    const button = make("button", "chip");
    button.append(make("span", piece.special ? "token special" : "token", piece.text));
    button.classList.toggle("special", piece.special);
    if (piece.note) button.title = piece.note;
    button.addEventListener("click", () => {
      mark(piece.index);
      send("select", { index: piece.index });
    });
    button.addEventListener("keydown", (event) => steer(event, piece.index));
    buttons.push(button);
    return button;
  }
  function mark(chosen) {
    buttons.forEach((button, index) => {
      button.classList.toggle("selected", index === chosen);
      button.setAttribute("aria-pressed", index === chosen);
    });
    if (buttons[chosen]) rove(buttons, buttons[chosen]);
  }
  function steer(event, index) {
    const moves = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: buttons.length - 1 };
    if (!(event.key in moves)) return;
    walk(event, buttons, buttons[moves[event.key]]);
  }
}
