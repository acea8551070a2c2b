"""The experiments of Jiang, Zeng and Ma, 2017: KACA, EBKC and GAA-CP."""
