"""The private report: the same page with exact figures, rows of people, and what attacks get."""
