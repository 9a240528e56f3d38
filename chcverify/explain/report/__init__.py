"""The report: one HTML file that needs no other files. Begin with `report_page.py`."""

from chcverify.explain.report.report_page import report

__all__ = ["report"]
