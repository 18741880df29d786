"""Charts that several pages share: they turn NumPy arrays into figures in Plotly's words.

Nothing here imports Streamlit or torch.
"""
