"""Whole uses: project and dossier, exams, the exam paper's experiment. Read ``project/__init__.py`` first."""
