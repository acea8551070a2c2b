collect_ignore = ["count_k.py", "count_spread.py"]  # run in the witnesses' own environment
