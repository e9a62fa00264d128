"""Tables: roles and kinds of columns, hierarchies, files, classes, recoding, outcome. Read ``classes.py`` first."""
