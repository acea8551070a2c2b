collect_ignore = ["count_k.py"]  # runs in the witnesses' own environment
