"""Doubts of an audit: what is known about a ranking after some of its labels were checked."""
