"""Who is best when there is no truth?"""
