// Printing a page prints all of its screens, not only the open one.
const STILL = 1500; // milliseconds without a change, after which everything counts as drawn
const LONGEST = 30_000;

/**
 * Print once everything is drawn, then go back to the one screen.
 * @param {() => void} all draws all screens @param {() => void} one draws the open one again
 */
export function printAll(all, one) {
  all();
  const begun = performance.now();
  let wait = window.setTimeout(print, STILL);
  const changes = new MutationObserver(() => {
    clearTimeout(wait);
    wait = window.setTimeout(print, performance.now() - begun > LONGEST ? 0 : STILL);
  });
  changes.observe(document.body, { childList: true, subtree: true });

  function print() {
    changes.disconnect();
    window.print(); // returns when the dialog is closed
    one();
  }
}
