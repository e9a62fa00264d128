"""The parts of character masking: what stays visible, how the rest is hidden, and what that gives away."""
