"""Which labels stand for which, in which parts, and which errors systems share."""
