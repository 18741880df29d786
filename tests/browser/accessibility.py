"""What axe finds wrong in a page: text that does not stand out, and what acts without a name."""

from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

NAMES: Final = [
    "aria-command-name", "aria-input-field-name", "aria-toggle-field-name", "button-name",
    "heading-order", "image-alt", "label", "link-name", "presentation-role-conflict",
    "role-img-alt", "svg-img-alt",
]  # fmt: skip
# Measuring one text takes axe a hundredth of a second, and a page has thousands in the same colours
# on the same ground: one of each is measured. The ground is made of all that lies behind a text,
# up to the first that hides the rest.
ONE_OF_EACH: Final = """() => {
    const found = new Map();
    const grounds = new Map();
    const above = (element) =>
        element.assignedSlot ?? element.parentElement ?? element.getRootNode().host;
    const layers = (element) => {
        const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
        const own = [backgroundColor, backgroundImage, opacity];
        const drawn = own.filter((layer) => !['rgba(0, 0, 0, 0)', 'none', '1'].includes(layer));
        return backgroundColor.startsWith('rgb(') ? drawn : [...drawn, ...ground(above(element))];
    };
    const ground = (element) => {
        if (!element) return [];
        if (!grounds.has(element)) grounds.set(element, layers(element));
        return grounds.get(element);
    };
    const visit = (element) => {
        if ([...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) {
            const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
            const look = [color, fontSize, fontWeight, textShadow, ...ground(element)];
            if (!found.has(look.join())) found.set(look.join(), element);
        }
        [...(element.shadowRoot?.children ?? []), ...element.children].forEach(visit);
    };
    visit(document.querySelector('.stMain'));
    return [...found.values()];
}"""
STILL: Final = """() => !document.getAnimations().some(({ playState, effect }) =>
    playState === 'running' && effect.getComputedTiming().endTime < Infinity)"""
CONTRAST: Final = """(texts) => axe.run({ include: texts }, {
    runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] })"""


def complaints(page: Page) -> list[str]:
    """Return what axe finds wrong in the page itself, with the element."""
    return nameless(page) + faint(page)


def nameless(page: Page) -> list[str]:
    """Return what can be acted on, or is a picture, and has no name."""
    named = {"runOnly": {"type": "rule", "values": NAMES}, "resultTypes": ["violations"]}
    return _told(Axe().run(page, ".stMain", named).response)


def faint(page: Page) -> list[str]:
    """Return the texts that do not stand out from their ground, once nothing moves any more."""
    page.wait_for_function(STILL)
    return _told(page.evaluate(CONTRAST, page.evaluate_handle(ONE_OF_EACH)))


def _told(found: dict[str, Any]) -> list[str]:
    return [
        f"{violation['id']}: {node['html'][:120]} {node['failureSummary'][-160:]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
