"""Undo leads back a certain number of steps, and keeps no older state."""

from __future__ import annotations

import gc
import weakref

from shoal.studio.history import MOST, History


class State:
    """Something that can be forgotten."""


def test_the_oldest_states_are_forgotten() -> None:
    states = [State() for _ in range(MOST + 3)]
    first, oldest_kept, last = weakref.ref(states[0]), weakref.ref(states[2]), states[-1]
    made = History(states[0])
    for state in states[1:]:
        made.add(state)
    del states, state
    gc.collect()
    assert first() is None
    assert made.now is last
    steps = 0
    while made.can_go_back:
        made.back()
        steps += 1
    assert steps == MOST
    assert made.now is oldest_kept()


def test_a_new_state_takes_the_place_of_those_left_by_going_back() -> None:
    made = History(0)
    for state in (1, 2, 3):
        made.add(state)
    made.back()
    made.back()
    made.add(4)
    assert not made.can_go_forth
    made.forth()
    assert made.now == 4
    made.back()
    assert made.now == 1
