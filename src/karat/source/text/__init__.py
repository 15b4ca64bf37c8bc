"""Recognised text beside its transcription."""
