"""What a chapter is written with, in one import: its page, its screens, and what they draw with."""

from app.page.declare import (
    Code,
    HistoryPage,
    Myth,
    Screens,
    WalkPage,
    look_page,
)
from app.page.frame import draw_page
from app.page.quiz import QuizTask
from app.page.screens import everything, guess
from app.ui.chart import show_chart
from app.ui.pickers import beside, one_by_one, pick, pick_from_list, pick_seed, side_by_side
from app.ui.section import say

__all__ = ["Code", "HistoryPage", "Myth", "QuizTask", "Screens", "WalkPage"]
__all__ += ["beside", "draw_page", "everything", "guess", "look_page", "one_by_one", "pick"]
__all__ += ["pick_from_list", "pick_seed", "say", "show_chart", "side_by_side"]
