"""The frame of every page: how a page is declared and drawn, its sidebar, quiz, badge and errors.

Nothing here knows a particular page.
"""
