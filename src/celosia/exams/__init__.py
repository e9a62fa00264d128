"""Exam feedback."""
