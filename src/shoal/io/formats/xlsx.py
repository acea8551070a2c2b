"""Excel: .xlsx and .xlsm files."""

from __future__ import annotations

from shoal.io.excel_reading import is_workbook, read_excel, unpacked_size
from shoal.io.excel_writing import write_excel
from shoal.io.formats.base import Format

PER_UNPACKED_BYTE = 3.0
"""What a run takes for each byte of a sheet's text."""


XLSX = Format(
    name="xlsx",
    title="Excel",
    suffixes=(".xlsx", ".xlsm"),
    fits=lambda head, path: is_workbook(path, head),
    read=read_excel,
    options=("sheet", "max_unpacked"),
    write=write_excel,
    missing_cells="null",
    packages=("fastexcel",),
    write_packages=("xlsxwriter",),
    memory=lambda path: PER_UNPACKED_BYTE * unpacked_size(path),
)
