"""A site that is read from the disk needs nothing that only servers use."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Leave out the page for wrong addresses, whose own links need a server, and the sitemap."""
    config.theme.static_templates -= {"404.html", "sitemap.xml"}
    return config
