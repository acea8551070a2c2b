"""What people do around a release: draft a plan, compare settings, take advice, measure speed."""
