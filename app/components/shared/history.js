// A step back leads to the screen or the example before, not through every letter and every choice.
const SCREEN = ["part", "all", "lesson", "at", "open"]; // what tells one screen of a page from another

/** @param {URL} from @param {URL} to */
function isSameScreen(from, to) {
  const differs = (name) => from.searchParams.get(name) !== to.searchParams.get(name);
  return from.pathname === to.pathname && !SCREEN.some(differs);
}

/** Whether one sentence goes on from the other, as it does while somebody types.
 * @param {URL} from @param {URL} to */
function isTyped(from, to) {
  const [before, after] = [from, to].map(({ searchParams }) => searchParams.get("text"));
  if (before === null || after === null) return before === after;
  return before.startsWith(after) || after.startsWith(before);
}

/** From now on, what only types on or changes a choice leaves no step of its own. */
export function shorten() {
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const [from, to] = [new URL(location.href), new URL(url ?? "", location.href)];
    if (isSameScreen(from, to) && isTyped(from, to)) history.replaceState(state, title, url);
    else push(state, title, url);
  };
}
