"""Wrong labels as they are found on re-annotated benchmarks: where systems contradict them."""
