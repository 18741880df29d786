"""The pages, one folder each: a page never imports another.

A folder holds `page.py` (run again at each rerun, so no class in it), its texts, its `data.py` (the
page's door to the model), one file a section, and the charts that only it draws.
"""
