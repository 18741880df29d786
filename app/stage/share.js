// What one keeps of the stage: a film of the whole way or of a stop, a picture, a link.
import { download, make, makeButton } from "../components/shared/dom.js";
import { fill } from "../components/shared/text.js";
import { kindsHere } from "./record.js";

/**
 * Return the panel that offers it, and what opens and closes that.
 * @param {any} text
 * @param {{ studio: () => any, stop: () => number, choices: () => any, link: () => string,
 *   say: (said: string) => void }} stage
 */
export function sharing(text, { studio, stop, choices, link, say }) {
  const kind = make("select", "", [], { "aria-label": text.file_kind });
  const told = make("output", "told");
  const whole = makeButton("step", text.film_whole, () => film(null));
  const one = makeButton("step", text.film_stop, () => film(stop()));
  const still = makeButton("step", text.picture, picture);
  const copy = makeButton("step", text.copy_link, copyLink);
  const parts = [whole, one, make("label", "kind", [text.file_kind, kind]), still, copy, told];
  const panel = make("div", "share", parts, { role: "dialog", "aria-label": text.save });
  panel.hidden = true;
  kindsHere().then((kinds) => {
    kind.append(
      ...kinds.map((name) =>
        make("option", "", { webm: "WebM", mp4: "MP4" }[name], { value: name }),
      ),
    );
    for (const button of [whole, one]) button.disabled = kinds.length === 0;
  });
  return { panel, open, close };

  function open() {
    panel.hidden = false;
    told.textContent = "";
    whole.focus();
  }
  function close() {
    panel.hidden = true;
  }
  async function film(at) {
    const chosen = /** @type {"webm" | "mp4"} */ (kind.value);
    const buttons = [whole, one, still];
    for (const button of buttons) button.disabled = true;
    try {
      const file = await studio().film(at, chosen, (done) => {
        told.textContent = fill(text.recording, { done: Math.round(done * 100) });
      });
      download(file, `transformer.${chosen}`);
      answer(text.saved);
    } catch {
      answer(text.not_saved);
    }
    for (const button of buttons) button.disabled = false;
  }
  async function picture() {
    download(await studio().picture(stop(), choices()), "transformer.png");
    answer(text.saved);
  }
  /** Copy the link, or show it where a page may not copy. */
  async function copyLink() {
    try {
      await navigator.clipboard.writeText(link());
      answer(text.copied);
    } catch {
      answer(link());
    }
  }
  function answer(said) {
    told.textContent = said;
    say(said);
  }
}
