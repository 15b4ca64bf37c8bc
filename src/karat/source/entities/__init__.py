"""Named entities: spans of text with a type."""
