"""Encoders: what turns other languages into a HornSystem and carries witnesses back."""
