"""The app: `streamlit run app/main.py`."""

import sys
from pathlib import Path

import streamlit as st

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from app import state  # noqa: E402 - only now can it be found
from app.i18n import _  # noqa: E402
from app.registry import VIEWS  # noqa: E402
from app.widgets import player, sidebar, training_form  # noqa: E402
from app.widgets.frame import view_of  # noqa: E402
from app.widgets.shared import library  # noqa: E402

SIDEBARS = {
    "model": sidebar.choices,
    "decoding": sidebar.ways,
    "training": training_form.draw,
    "nothing": lambda: None,
}

# Streamlit's own head-room and headings are made for a page with little on it.
STYLE = """<style>
.stMainBlockContainer { padding-top: 3.5rem; padding-bottom: 3rem; }
@media (min-width: 641px) { .stMainBlockContainer { padding-left: 2.5rem; padding-right: 2.5rem; } }
.stMain h1 { font-size: 1.9rem; padding: 0 0 0.5rem; }
.stMain h2 { font-size: 1.55rem; padding: 0.75rem 0 0.5rem; }
.stMain h3 { font-size: 1.25rem; padding: 0.5rem 0; }
.stMain [data-testid="stHeaderActionElements"] { display: none; }
.stMain :is(.st-key-task, .st-key-ask, .st-key-ask-open) h2 { font-size: 1.25rem; padding: 0; }
.stMain .katex { font-size: 1.05em; }
.st-key-library { display: none; }
[data-testid="stSidebarNav"] a span { white-space: normal; }
/* On a narrow screen the five views stand in one row all the same. */
@media (max-width: 640px) {
  [class*="st-key-view-"] [role="radiogroup"] { flex-wrap: nowrap; }
  [class*="st-key-view-"] button {
    flex: 1 1 auto; min-width: 0; height: auto; min-height: 2.75rem; padding: 0.2rem;
  }
  [class*="st-key-view-"] button p { white-space: normal; font-size: 0.8rem; line-height: 1.2; }
}
/* Streamlit's own grey, and its violet on black, have a contrast below 4.5, which text needs. */
.stApp :is([data-testid="stCaptionContainer"], kbd) {
  color: light-dark(#5A6170, #A9AFBD);
  opacity: 1;
}
.stApp [data-variant="segmented_control"][data-selected="true"],
.stApp [data-testid="stSliderThumbValue"] {
  color: light-dark(#6A45C9, #B9A3FF);
}
</style>"""


def main() -> None:
    """Draw what all pages share, then the page that is open."""
    st.set_page_config(page_title="Illuminated Transformer", page_icon="💡", layout="wide")
    st.html(STYLE)
    library.send()
    state.sync()
    sections: dict[str, list[st.Page]] = {}
    for view in VIEWS:
        page = st.Page(
            view.path,
            title=_(view.title),
            icon=view.icon,
            url_path=view.file,
            default=view is VIEWS[0],
        )
        sections.setdefault(_(view.section), []).append(page)
    page = st.navigation(sections, expanded=True)
    player.leave(page.url_path)
    sidebar.draw(SIDEBARS[view_of(page.url_path or VIEWS[0].file).side])
    page.run()


main()
