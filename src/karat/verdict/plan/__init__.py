"""How many items are needed?"""
