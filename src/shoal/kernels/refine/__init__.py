"""Loops of refinement: near points, pools of groups, and how a pool is grouped anew."""
