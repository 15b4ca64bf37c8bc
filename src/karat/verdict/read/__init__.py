"""How is a file understood?"""
