"""Logs of language-model evaluations."""
