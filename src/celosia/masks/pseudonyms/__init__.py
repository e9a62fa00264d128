"""Where the codes of pseudonyms come from: drawn, keyed, kept in a vault, or digits permuted."""
