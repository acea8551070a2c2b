"""Rows come in the order of their keys, and equal ones stay as they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from shoal.kernels.ordering import order_by


@pytest.mark.parametrize("size", [1, 2, 1 << 16, (1 << 16) + 1, 1 << 20, 1 << 32, 1 << 40])
@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint32])
@given(data=st.data())
def test_equals_python_sort(size: int, kind: type, data: st.DataObject) -> None:
    most = min(size - 1, int(np.iinfo(kind).max))
    edges = [key for key in (0, 1, 65535, 65536, 65537, most) if key <= most]
    keys = data.draw(st.lists(st.integers(0, most) | st.sampled_from(edges)))
    found = order_by(np.array(keys, dtype=kind), size)
    assert found.tolist() == sorted(range(len(keys)), key=keys.__getitem__)
