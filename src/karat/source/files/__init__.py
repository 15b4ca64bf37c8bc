"""Tables as files and data in memory."""
