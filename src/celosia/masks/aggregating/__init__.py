"""The parts of microaggregation: blocks of rows, columns as groups see them, exact sums."""
