"""Time, memory and information loss of every search, with peers beside. Run ``python -m benchmarks --help``."""
