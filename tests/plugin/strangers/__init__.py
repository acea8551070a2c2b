"""Members that live outside Shoal."""
