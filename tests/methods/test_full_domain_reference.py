"""The optimum equals that of exhaustive enumeration by plain Python."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal import AlphaK, KAnonymity
from shoal.measures import Pair, loss
from shoal.methods.full_domain import FullDomain
from shoal.methods.objectives import OBJECTIVES
from shoal.recode import generalize
from shoal.table import NumericColumn, Table
from tests.tables import tables
