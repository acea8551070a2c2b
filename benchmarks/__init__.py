"""Speed, measured: each case in a process of its own, figures in RESULTS.md."""
