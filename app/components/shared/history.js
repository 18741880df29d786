// A step back leads to the screen before, not through every letter that was typed on this one.
const SCREEN = ["part", "all", "lesson", "at"]; // what tells one screen of a page from another

/** @param {URL} from @param {URL} to */
function isSameScreen(from, to) {
  const differs = (name) => from.searchParams.get(name) !== to.searchParams.get(name);
  return from.pathname === to.pathname && !SCREEN.some(differs);
}

/** From now on, what changes nothing but a choice leaves no step of its own. */
export function shorten() {
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const [from, to] = [new URL(location.href), new URL(url ?? "", location.href)];
    if (isSameScreen(from, to)) history.replaceState(state, title, url);
    else push(state, title, url);
  };
}
