"""Tables: roles and kinds of columns, hierarchies, files, classes, recoding. Read ``classes.py`` first."""
