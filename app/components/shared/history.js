// Back leads to the previous screen or example, not through every letter and every choice.
const SCREEN = ["part", "all", "lesson", "at", "open"]; // the parameters that identify a screen

/** @param {URL} from @param {URL} to */
function isSameScreen(from, to) {
  const differs = (name) => from.searchParams.get(name) !== to.searchParams.get(name);
  return from.pathname === to.pathname && !SCREEN.some(differs);
}

/** Return whether one sentence continues the other, as it does during typing.
 * @param {URL} from @param {URL} to */
function isTyped(from, to) {
  const [before, after] = [from, to].map(({ searchParams }) => searchParams.get("text"));
  if (before === null || after === null) return before === after;
  return before.startsWith(after) || after.startsWith(before);
}

/** From now on, typing or changing a choice adds no entry to the history. */
export function shorten() {
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const [from, to] = [new URL(location.href), new URL(url ?? "", location.href)];
    if (isSameScreen(from, to) && isTyped(from, to)) history.replaceState(state, title, url);
    else push(state, title, url);
  };
}
