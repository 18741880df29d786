"""What stands between the network and the pages: who is answered, how much is taken in, and with
which headers. Nothing here draws, and nothing here knows a model.
"""
