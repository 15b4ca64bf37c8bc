"""What a user may say, parsed and checked once for Python and the command line."""
