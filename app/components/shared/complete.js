// What Streamlit's own elements lack.

/** Complete what was drawn anew; what is complete stays untouched. */
export function complete() {
  // A sentence is typed in the language that stands before its box.
  for (const name of document.querySelectorAll("[data-reads]")) {
    const language = /** @type {HTMLElement} */ (name).dataset.reads ?? "";
    const box = name.closest(".st-key-sentence")?.querySelector("input");
    if (box && box.lang !== language) box.lang = language;
  }
  // What has a name is not there for its looks alone.
  for (const box of document.querySelectorAll("[data-testid=stFileUploaderDropzone][role]"))
    box.removeAttribute("role");
}
