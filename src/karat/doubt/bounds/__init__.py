"""Intervals of one number, from its counts."""

from karat.index import Index

BOUNDS = Index(
    "doubt.bounds", "bound", "bounds", exact="exact", wilson="wilson", jeffreys="jeffreys"
)
