"""Doubts of an audit: what may be said of a ranking after some of its labels were looked up."""
