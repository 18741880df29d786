// What this browser keeps of a visitor: the screens that were seen, and the last of them.
const KEY = "illuminated-progress";

/** @returns {{ seen: Record<string, { screens: string[], count: number }>,
 *   last?: { page: string, screen: string } }} */
export function recall() {
  try {
    return { seen: {}, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { seen: {} }; // written by something else, or not to be read at all
  }
}

/** @param {string} page @param {string} screen @param {number} count */
export function remember(page, screen, count) {
  const { seen } = recall();
  const screens = new Set(seen[page]?.screens).add(screen);
  seen[page] = { screens: [...screens], count };
  try {
    localStorage.setItem(KEY, JSON.stringify({ seen, last: { page, screen } }));
  } catch {
    // A browser that keeps nothing: the page works without.
  }
}

const PHONE = 768; // pixels: up to here the sidebar lies over the page
const SIDEBAR = "stSidebarCollapsed-"; // how Streamlit remembers that it was shut or opened

/** A phone forgets how its sidebar was left: else no page could open it that has its form there. */
export function forgetSidebar() {
  const forget = () => {
    if (innerWidth > PHONE) return;
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(SIDEBAR)) localStorage.removeItem(key);
    }
  };
  addEventListener("click", () => setTimeout(forget), true); // once Streamlit has written it
}
