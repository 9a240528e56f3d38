"""The report: one HTML file that needs nothing else to be read."""

from chcverify.explain.report.page import report

__all__ = ["report"]
