"""The way of the work, from a plan to a release. Read ``plan.py`` first."""
