"""The private report: the same page with exact figures, rows of people, and what attacks get."""

from shoal.release.report.private.page import private_page as private_page
