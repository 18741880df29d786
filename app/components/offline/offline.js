/**
 * What the page says while its server does not answer. Streamlit's own dialog is in English, and
 * names a command of whoever serves the page.
 */

let words = { title: "", text: "" };
let watching = false;

/** Say from now on, in the page's language, that the server does not answer. */
export function build(_view, given) {
  words = given;
  if (watching) return;
  watching = true;
  // Streamlit adds its dialogs to the body itself.
  new MutationObserver(translate).observe(document.body, { childList: true });
}

function translate() {
  const command = document.querySelector('[role="dialog"] [data-testid="stErrorCodeBlock"]');
  const title = command?.closest('[role="dialog"]')?.querySelector('[slot="title"]')?.firstChild;
  const sentence = command?.previousElementSibling?.firstChild;
  if (!(command instanceof HTMLElement && title && sentence)) return;
  command.style.display = "none";
  title.nodeValue = words.title;
  sentence.nodeValue = words.text;
}
