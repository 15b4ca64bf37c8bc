"""How good systems are where a judge, whose errors a few checked items show, looks at all of them."""
