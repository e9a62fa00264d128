"""The way of the work, from a plan to a release. Read ``way.py`` first, then ``tables.py``."""
