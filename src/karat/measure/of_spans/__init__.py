"""Measures of entities in whole documents, as the contests define them."""
