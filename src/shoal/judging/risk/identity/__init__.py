"""How likely a person is found: re-identification, of any table, raw or published."""
