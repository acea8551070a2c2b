"""The reports of a release: a public page, made from public facts alone, and a private one."""

from shoal.release.report.page import page as page
