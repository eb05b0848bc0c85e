"""Calibration against phrasings that exist only here."""
