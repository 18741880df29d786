"""NumPy arrays in, Plotly figures out: charts of two pages or more; neither Streamlit nor torch."""
