"""From one class of all records downward."""
