"""Is it the same result again?"""
