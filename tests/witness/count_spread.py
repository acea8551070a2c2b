"""Runs in the witnesses' environment: prints the l and t that pycanon finds, as JSON."""

import json
import sys

import pandas as pd
from pycanon import anonymity

path, quasi, secret, kind = sys.argv[1:]
table = pd.read_csv(path, dtype=str, keep_default_na=False)
if kind == "number":
    table[secret] = table[secret].astype(float)
columns = quasi.split("|")
found = {
    "distinct": int(anonymity.l_diversity(table, columns, [secret])),
    "entropy": int(anonymity.entropy_l_diversity(table, columns, [secret])),
    "t": float(anonymity.t_closeness(table, columns, [secret])),
}
print(json.dumps(found))
