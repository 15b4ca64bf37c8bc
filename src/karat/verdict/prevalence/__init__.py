"""What happens where positives are rarer or more frequent?"""
