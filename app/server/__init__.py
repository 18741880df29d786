"""The layer between the network and the pages: access, limits on uploads and requests, headers.

Nothing here draws a page or knows about a model.
"""
