// From one state of a screen to another: what both have in common stays as it is, with its focus.

/**
 * Change the children of an element as those of one skeleton differ from another's.
 * @param {any} live @param {any} before @param {any} after
 * @param {{ write(place: any): void, mounted(place: any): void, added(root: any): void }} acts
 */
export function morph(live, before, after, acts) {
  const [old, fresh] = [[...before.childNodes], [...after.childNodes]];
  const own = [...live.childNodes];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && isAlike(old[start], fresh[start])) start++;
  let end = 0;
  while (
    end < Math.min(old.length, fresh.length) - start &&
    isAlike(old[old.length - 1 - end], fresh[fresh.length - 1 - end])
  )
    end++;
  for (let i = 0; i < start; i++) update(own[i], old[i], fresh[i], acts);
  for (let i = 1; i <= end; i++)
    update(own[old.length - i], old[old.length - i], fresh[fresh.length - i], acts);
  const next = own[old.length - end] ?? null;
  for (let i = start; i < old.length - end; i++) own[i].remove();
  for (let i = start; i < fresh.length - end; i++) {
    const node = fresh[i].cloneNode(true);
    live.insertBefore(node, next);
    if (!(node instanceof HTMLElement)) continue;
    const places = node.matches(".piece") ? [node] : node.querySelectorAll(".piece");
    for (const place of places) acts.write(place);
    acts.added(node);
  }
}

/** Whether one may become the other: a part of the page with the same name. */
function isAlike(a, b) {
  if (a.nodeName !== b.nodeName) return false;
  if (!(a instanceof HTMLElement)) return true;
  const name = ({ className, dataset }) =>
    [className, dataset.kind, dataset.key, dataset.control].join();
  return name(a) === name(b);
}

function update(live, before, after, acts) {
  if (before.isEqualNode(after)) return;
  if (!(after instanceof HTMLElement)) {
    live.textContent = after.textContent;
    return;
  }
  const had = live.dataset.piece;
  for (const { name } of [...before.attributes])
    if (!after.hasAttribute(name)) live.removeAttribute(name);
  for (const { name, value } of after.attributes) {
    if (live.getAttribute(name) !== value) live.setAttribute(name, value);
    if (name === "value" && "value" in live) live.value = value;
  }
  if (live instanceof HTMLInputElement) live.checked = after.hasAttribute("checked");
  if (after.dataset.kind) {
    if (had !== live.dataset.piece) acts.mounted(live);
    return;
  }
  if (after.dataset.piece) {
    if (had !== live.dataset.piece) acts.write(live);
    return;
  }
  if (live instanceof HTMLSelectElement) {
    live.replaceChildren(...[...after.childNodes].map((node) => node.cloneNode(true)));
    return;
  }
  morph(live, before, after, acts);
}
