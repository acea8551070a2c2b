"""Make a release: an archive of the source, wheels, a bill of materials; each of them checked."""
