"""What may be said, and why: a sub-room for each question, with what is computed and its result as rows."""
