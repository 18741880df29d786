"""The app: `streamlit run app/main.py`."""

import sys
from pathlib import Path

import streamlit as st

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from app import state  # noqa: E402
from app.components.shared import library  # noqa: E402 - only now can it be found
from app.i18n import _  # noqa: E402
from app.page import live_training, sidebar  # noqa: E402
from app.registry import VIEWS, view_of  # noqa: E402
from app.views.training import form as training_form  # noqa: E402

SIDEBARS = {
    "model": sidebar.choices,
    "decoding": sidebar.ways,
    "training": training_form.draw_form,
    "nothing": lambda: None,
}


def main() -> None:
    """Draw what all pages share, then the page that is open."""
    st.set_page_config(page_title="Illuminated Transformer", page_icon="💡", layout="wide")
    st.html(Path(__file__).with_name("style.css"))
    library.send()
    state.sync()
    sections: dict[str, list[st.Page]] = {}
    for view in VIEWS:
        page = st.Page(
            view.path,
            title=_(view.title),
            icon=view.icon,
            url_path=view.slug,
            default=view is VIEWS[0],
        )
        sections.setdefault(_(view.section), []).append(page)
    page = st.navigation(sections, expanded=True)
    live_training.leave(page.url_path)
    sidebar.draw(SIDEBARS[view_of(page.url_path or VIEWS[0].slug).side])
    page.run()


main()
