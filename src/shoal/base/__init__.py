"""What every room needs and what needs no room: arguments, members, options, texts, cells."""
