"""Pages and pictures of graphs."""
