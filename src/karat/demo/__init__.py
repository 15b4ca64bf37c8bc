"""Answers of nine recognisers to 1,497 handwritten digits; scripts/make_demo_data.py makes them."""
