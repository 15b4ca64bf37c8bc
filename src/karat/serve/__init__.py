"""Checking labels in the browser: a page on this machine that goes through an audit's draws, label by label."""
