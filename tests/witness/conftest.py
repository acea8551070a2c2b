collect_ignore = [
    "count_gains.py",
    "count_k.py",
    "count_spread.py",
]  # run in the witnesses' own environment
