"""Measures: utility, risk, what a table gives away. Read ``utility/gcp.py`` first."""
