// The calculation of a number, beside the picture that it stands in.
/** @type {{ asked: any, lit: any[] } | null} */
let marks = null;

/** What is marked in a board: the number that was opened and what it came from. */
export function marksOf(chosen) {
  return marks ?? chosen;
}

export function closePanel() {
  marks = null;
  document.querySelector(".st-key-ask-open")?.closest(".panel")?.remove();
}

/** Open a number's calculation; false where it was not recorded. */
export function openCell() {
  return false;
}
