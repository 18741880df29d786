"""Charts that several pages share: they turn NumPy arrays into Plotly figures.

Nothing here imports Streamlit or torch.
"""
