// Playing through the steps of a screen: the buttons beside its scrubber.
const PAUSE = 1000; // milliseconds a step
let timer = 0;

export function stop() {
  clearInterval(timer);
  timer = 0;
}

/**
 * @param {string} what "back", "next" or "play"
 * @param {(key: string, option: number) => void} pick
 */
export function play(what, pick) {
  if (what === "play" && timer) return stop();
  stop();
  const range = scrubber();
  if (!range) return;
  if (what !== "play") return go(range, what === "next" ? 1 : -1, pick);
  if (range.value === range.max) pick(range.dataset.control ?? "", 0);
  timer = window.setInterval(() => {
    const now = scrubber();
    if (!now || now.value === now.max) stop();
    else go(now, 1, pick);
  }, PAUSE);
}

/** @returns {HTMLInputElement | null} */
function scrubber() {
  return document.querySelector('input[type="range"][data-control^="step"]');
}

function go(range, by, pick) {
  const to = Number(range.value) + by;
  if (to >= Number(range.min) && to <= Number(range.max)) pick(range.dataset.control, to);
}
