"""The commands, a file each; a folder is a group of commands."""
