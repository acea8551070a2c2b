"""Runs in the witnesses' environment: times anjana's k-anonymity and pycanon's check."""

import json
import sys
import time
from pathlib import Path

import pandas as pd
from anjana.anonymity import k_anonymity
from pycanon import anonymity

folder, hierarchies, quasi = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3].split("|")
figures = {}

table = pd.read_csv(folder / "adult.csv", dtype=str)
trees = {}
for name in quasi:
    levels = pd.read_csv(hierarchies / f"{name}.csv", sep=";", header=None, dtype=str)
    trees[name] = {level: levels[level].values for level in levels.columns}
began = time.perf_counter()
published = k_anonymity(table, [], quasi, 10, 5, trees)
figures["anjana: k-anonymity, full-domain, 5 % suppression (s)"] = time.perf_counter() - began
published.to_csv(folder / "anjana.csv", index=False)

ours = pd.read_csv(folder / "published.csv", dtype=str, keep_default_na=False)
began = time.perf_counter()
figures["pycanon: k found in Shoal's table"] = int(anonymity.k_anonymity(ours, quasi))
figures["pycanon: its check of k (s)"] = time.perf_counter() - began
print(json.dumps(figures))
