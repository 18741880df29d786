// What this browser remembers of a visitor: the screens seen, and the last one.
const KEY = "illuminated-progress";

/** @returns {{ seen: Record<string, { screens: string[], count: number }>,
 *   last?: { page: string, screen: string } }} */
export function recall() {
  try {
    return { seen: {}, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { seen: {} }; // written by something else, or unreadable
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
    // Some browsers store nothing; the page works without it.
  }
}

const PHONE = 768; // pixels: up to this width the sidebar covers the page
const SIDEBAR = "stSidebarCollapsed-"; // Streamlit's storage key for the sidebar's state

/** Forget the sidebar's state on a phone, so that a page with its form there can open it. */
export function forgetSidebar() {
  const forget = () => {
    if (innerWidth > PHONE) return;
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(SIDEBAR)) localStorage.removeItem(key);
    }
  };
  addEventListener("click", () => setTimeout(forget), true); // after Streamlit has stored it
}
