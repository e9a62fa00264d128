"""The ground: errors, findings, chance, progress, YAML, keys. Read ``errors.py`` first."""
