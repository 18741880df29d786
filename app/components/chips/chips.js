// The tokens of a sentence as buttons in a toolbar.
import { joinRow, make, makeButton, markOne, rove } from "../shared/dom.js";

export function build(view, { words, label, role, language }) {
  const { root } = view;
  const buttons = [];
  root.style.setProperty("--own", `var(--${role})`);
  const groups = words.map((word) => make("span", "group", word.map(chip)));
  const list = make("div", "list", groups, { role: "toolbar", "aria-label": label });
  if (language) list.lang = language;
  root.append(make("div", "name", label), list);
  joinRow(buttons, ["ArrowRight"], ["ArrowLeft"]);
  rove(buttons, buttons[0]);
  return mark;

  function chip(piece) {
    const token = make("span", piece.special ? "token special" : "token", piece.text);
    const button = makeButton(piece.special ? "chip special" : "chip", [token], () => {
      mark(piece.index);
      view.send(piece.index);
    });
    if (piece.note) button.title = piece.note;
    buttons.push(button);
    return button;
  }
  function mark(chosen) {
    markOne(buttons, buttons[chosen], "selected", "aria-pressed");
    if (buttons[chosen]) rove(buttons, buttons[chosen]);
  }
}
