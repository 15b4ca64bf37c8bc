"""Label graphs in memory: primitives, labels, objects, relations, layout trees."""
