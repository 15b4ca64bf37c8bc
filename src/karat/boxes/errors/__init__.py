"""Which boxes are right, of the wrong class, spurious or missed."""
