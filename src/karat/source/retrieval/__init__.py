"""Runs and relevance judgements."""
