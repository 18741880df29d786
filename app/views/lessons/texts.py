"""The texts of the page."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "A lesson is a sequence of screens from any pages, each with its own sentence and settings. It "
    "opens in large type with nothing around it: → and ← move through it, N opens your notes in a "
    "second window, Esc brings everything back."
)
READY: Final = N_("Ready to give")
READY_TEXT: Final = N_(
    "Five lessons that follow five lectures, and two on what heads do; all with speaker’s notes."
)
OPENED: Final = N_("Opened from a file")
OWN: Final = N_("Your own lesson")
EMPTY: Final = N_(
    "It is empty. Open any chapter, set it up the way you want to show it, and press “+ "
    "Lesson” above the picture; or add screens from this list."
)
TITLE: Final = N_("Title")
TITLE_HELP: Final = N_("The name of the lesson, as the class sees it.")
SCREENS: Final = N_("{n} screens")
START: Final = N_("Start")
START_HELP: Final = N_("Opens the first screen in large type.")
EDIT: Final = N_("Edit a copy")
EDIT_HELP: Final = N_("Adds these screens at the end of your own lesson.")
WORDS: Final = N_("Your words above the picture")
NOTE: Final = N_("Your note")
NOTE_HELP: Final = N_("Only you see it, in the window with the speaker’s notes.")
UP: Final = N_("Move up")
DOWN: Final = N_("Move down")
OUT: Final = N_("Remove")
SHOW: Final = N_("Open")
ADD: Final = N_("Add a screen")
ADD_HELP: Final = N_("Type a few letters of its title or of its page.")
SAVE: Final = N_("Save as a file")
SAVE_HELP: Final = N_("A small file that opens the same lesson on any computer with this app.")
OPEN: Final = N_("Open a lesson from a file")
OPEN_HELP: Final = N_("A file that was saved here. Your own lesson stays as it is.")
NOT_A_LESSON: Final = N_(
    "“{name}” is not a lesson: choose a file that was saved on this page with “Save as a file”."
)
FULL: Final = N_("Together these would be more than {n} screens: remove some of yours first.")
LINK: Final = N_("Link to this lesson")
LINK_HELP: Final = N_("Whoever opens it sees the first screen in large type.")
LONG: Final = N_("This lesson is too long for a link: share it as a file.")
PAGE: Final = N_("Save as a web page")
PAGE_HELP: Final = N_(
    "One HTML file with all its screens, to send or to put online: it needs no server. Making it "
    "takes a minute or more."
)
CLEAR: Final = N_("Empty it")
CLEAR_HELP: Final = N_("Removes all screens. To keep the lesson, save it as a file first.")
