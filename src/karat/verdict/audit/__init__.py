"""Which labels should be checked, and when is a ranking settled?"""
