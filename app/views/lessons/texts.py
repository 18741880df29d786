"""The texts of the page."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "A lesson is a row of screens from any pages, each with its own sentence and settings. It "
    "opens in large type with nothing around it: → and ← lead on, N opens your notes in a window "
    "of their own, Esc brings everything back."
)
READY: Final = N_("Ready to give")
READY_TEXT: Final = N_("Five lessons in the order of five lectures; their notes come along.")
OPENED: Final = N_("Opened from a file")
OWN: Final = N_("Your own lesson")
EMPTY: Final = N_(
    "It is empty. Open any chapter, set it up the way you want to show it, and press “+ "
    "Lesson” above the picture; or add screens from this list."
)
TITLE: Final = N_("Title")
TITLE_HELP: Final = N_("What the class sees as the name of the lesson.")
SCREENS: Final = N_("{n} screens")
START: Final = N_("Start")
START_HELP: Final = N_("Opens the first screen in large type.")
EDIT: Final = N_("Edit a copy")
EDIT_HELP: Final = N_("Puts these screens into your own lesson, after those that it has.")
WORDS: Final = N_("Your words over the picture")
NOTE: Final = N_("Your note")
NOTE_HELP: Final = N_("Nobody sees it but you, in the window of the speaker’s notes.")
UP: Final = N_("Earlier")
DOWN: Final = N_("Later")
OUT: Final = N_("Take out")
SHOW: Final = N_("Open")
SHOW_HELP: Final = N_("Opens this screen with its sentence and its settings.")
ADD: Final = N_("Add a screen")
ADD_HELP: Final = N_("Type a few letters of its title or of its page.")
SAVE: Final = N_("Save as a file")
SAVE_HELP: Final = N_("A small file that opens the same lesson on any computer with this app.")
OPEN: Final = N_("Open a lesson from a file")
OPEN_HELP: Final = N_("A file that was saved here. Your own lesson stays as it is.")
NOT_A_LESSON: Final = N_(
    "“{name}” is no lesson: choose a file that was saved on this page with “Save as a file”."
)
FULL: Final = N_("Together these would be more than {n} screens: take some out of yours first.")
LINK: Final = N_("Link to this lesson")
LINK_HELP: Final = N_("Whoever opens it sees the first screen in large type.")
LONG: Final = N_("This lesson is too long for a link: share it as a file.")
CLEAR: Final = N_("Empty it")
CLEAR_HELP: Final = N_("Takes all screens out. Save it as a file before, to keep it.")
