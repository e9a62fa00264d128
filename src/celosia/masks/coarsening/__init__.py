"""The parts of generalisation, end coding and rounding: rules, labels, exact multiples, and what was left by them."""
