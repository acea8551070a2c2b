"""Runs in the witnesses' environment: prints what pycanon finds of each table, as JSON."""

import json
import sys

import pandas as pd
from pycanon import anonymity

quasi, secret, *paths = sys.argv[1:]
columns = quasi.split("|")
found = []
for path in paths:
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    alpha, k = anonymity.alpha_k_anonymity(table, columns, [secret])
    found.append(
        {
            "k": int(k),
            "alpha": float(alpha),
            "l": int(anonymity.l_diversity(table, columns, [secret])),
            "t": float(anonymity.t_closeness(table, columns, [secret])),
            "beta": float(anonymity.basic_beta_likeness(table, columns, [secret])),
            "delta": float(anonymity.delta_disclosure(table, columns, [secret])),
        }
    )
print(json.dumps({"found": found}))
