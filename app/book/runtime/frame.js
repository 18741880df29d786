// One figure alone, in a frame of another page: it tells that page how high it is.

/** The code that shows a figure on another page. */
export function frameOf(name, key, title, single) {
  const [file] = location.href.split("#");
  const page = single ? file : file.replace(/[^/]*$/, `${name}.html`);
  const at = single ? `${name}&figure=${key}` : `figure=${key}`;
  const safe = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  return `<iframe src="${safe(`${page}#${at}`)}" title="${safe(title)}" width="100%" height="480" style="border:0" loading="lazy" allow="clipboard-write"></iframe>`;
}

/** Leave nothing on the page but one figure. @param {string} key */
export function showFrame(key) {
  const place = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const body = document.body;
  if (!place || body.classList.contains("framed")) return;
  body.classList.add("framed");
  for (let at = place; at !== body; at = /** @type {Element} */ (at.parentElement)) {
    for (const other of at.parentElement?.children ?? [])
      if (other !== at && !other.matches("script, style, .told")) other.classList.add("aside");
  }
  const tellHeight = () => {
    const height = Math.ceil(place.getBoundingClientRect().height) + 16;
    window.parent.postMessage({ type: "illuminated-height", height, figure: key }, "*");
  };
  new ResizeObserver(tellHeight).observe(place);
  window.dispatchEvent(new Event("resize"));
}
