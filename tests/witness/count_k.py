"""Runs in the witnesses' environment: prints the k that pycanon finds, as JSON."""

import json
import sys

import pandas as pd
from pycanon import anonymity

table = pd.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
print(json.dumps({"k": int(anonymity.k_anonymity(table, sys.argv[2].split("|")))}))
