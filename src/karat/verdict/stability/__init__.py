"""Would the ranking be the same by the right labels?"""
