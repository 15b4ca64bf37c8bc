"""What `page.py` measures: a file per kind of number, each with a function `rows`."""
